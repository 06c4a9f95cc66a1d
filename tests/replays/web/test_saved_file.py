"""A saved replay opens from disk without a server: it shows, explains and finds the same, and its record verifies."""

import base64
import json
import re
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchmarks import fights
from browsing.accessible import faults
from browsing.chromium import Watched
from browsing.opening import entry, played, press
from browsing.theatre import check_rows, scrubbed
from playwright.sync_api import Page, expect
from secret_fights import BOB, GAMES, blow, met, strike, until, waits_for

from ledger.commands import ApplyModifier, Join, Note
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.session import Session
from replays.cli.app import run
from replays.exports.jsonl import check
from replays.exports.theatre.saved import saved_page
from replays.scripts.format import examples

DATA = re.compile(r'<script type="application/json" id="fight">(.*?)</script>', re.DOTALL)


def saved(folder: Path, session: Session) -> Path:
    path = folder / "fight.html"
    path.write_bytes(saved_page(session.log))
    return path


def opened(shown: Watched, path: Path, moment: str = "") -> Page:
    """Opens a file from disk, without any network."""
    shown.context.set_offline(True)
    shown.page.goto(path.as_uri() + moment)
    shown.page.wait_for_selector(".tracker caption")
    return shown.page


def data(page: bytes) -> dict[str, Any]:
    found = DATA.search(page.decode())
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


@pytest.mark.parametrize("name", sorted(examples()))
def test_it_shows_every_entry_and_explains_as_the_session_does(shown: Watched, tmp_path: Path, name: str) -> None:
    session = played(name)
    page = opened(shown, saved(tmp_path, session), "#at=1")
    numbers = list(range(1, session.log.last + 1))

    for number, rows in zip(numbers, scrubbed(page, numbers), strict=True):
        check_rows(rows, msgspec.to_builtins(session.state(number)))
    page.keyboard.press("w")
    for step in session.steps().steps[::2]:
        if step.keys:
            scrubbed(page, [step.seq])
            expect(page.locator(".drawer h2")).to_have_text(f"Why, as of entry {step.seq}")
            expect(page.locator(".drawer > section")).to_have_count(len(step.keys))
            told = page.locator(".drawer > section").first.locator("tr").all_text_contents()
            why = session.why(step.keys[0], at=step.seq)
            count = len(why.parts) + sum(len(each.parts) for each in why.leads_to)
            assert len(told) == count, (step.seq, step.keys[0])
    assert all(address.startswith(("file:", "blob:")) for address in shown.addresses)


@pytest.mark.parametrize("name", ["astral-duel", "stoya", "street-fight"])
def test_each_number_of_the_tracker_is_explained_as_it_was_then(shown: Watched, tmp_path: Path, name: str) -> None:
    session = played(name)
    page = opened(shown, saved(tmp_path, session), "#at=1")
    for number in range(4, session.log.last + 1, 9):
        scrubbed(page, [number])
        for who, one in session.state(number).combatants.items():
            for track in one.tracks:
                button = page.get_by_role("button", name=f"{one.name}, {track.replace('_', ' ')} ")
                if button.count():
                    button.click()
                    why = session.why(f"{who}.{track}", at=number)
                    expect(page.locator(".drawer > section > h3")).to_have_text(why.title)
                    assert page.locator(".drawer > section > table tr").count() == len(why.parts), (number, who, track)
                    page.keyboard.press("Escape")


def test_it_scrubs_searches_shows_health_and_has_moments(shown: Watched, tmp_path: Path) -> None:
    page = opened(shown, saved(tmp_path, played("stoya")), "#at=16")

    assert entry(page) == 16
    press(page, "End", 30)
    expect(page).to_have_url(re.compile("#at=30$"))
    assert page.locator(".graphs svg path.line").count() == 2
    page.keyboard.press("/")
    page.keyboard.type("incapacitated")
    expect(page.locator(".drawer ol.log i").first).to_have_text("29")
    page.get_by_text("Figures").click()
    expect(page.get_by_role("region", name="Figures of the drawing")).to_contain_text("Stoya")


def test_it_has_the_recap_with_the_chances_that_were_computed(shown: Watched, tmp_path: Path) -> None:
    session = played("street-fight")
    page = opened(shown, saved(tmp_path, session))

    page.keyboard.press("r")

    told = page.get_by_role("region", name="Recap")
    expect(told).to_contain_text("Dregs is unconscious. Razor: attack on Dregs with smg.")
    expect(told).to_contain_text("with a chance of 95 %")
    told.get_by_role("button").filter(has_text="Dregs is unconscious").click()
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 33")


def test_its_record_is_saved_from_it_and_verifies(shown: Watched, tmp_path: Path) -> None:
    session = played("stoya")
    page = opened(shown, saved(tmp_path, session))

    with page.expect_download() as download:
        page.get_by_role("button", name="Save record").click()

    lines = download.value.path().read_bytes().splitlines()
    assert download.value.suggested_filename == f"{session.id}.jsonl"
    assert check(lines).entries == 30
    assert check(lines).digest == session.log.digest.hex()


SECRETS = ("Nightshade-4471", "trapdoor-9913", "moonless-5527")


def fought(game: str) -> Session:
    """Returns a fight with a hidden combatant, a secret note, secret dice and a modifier with a secret reason."""
    session = met(game)
    session.perform(Join("lurker", BOB[game], name=SECRETS[0], seen_by=(), sheet_seen_by=()))
    session.perform(Note(SECRETS[1], seen_by=()))
    blow(session, secret=("villain",))
    key = strike(session, "bob")
    until(session, waits_for(session, "to-hit"))
    session.perform(ApplyModifier(f"{key}/to-hit", 1, SECRETS[2], seen_by=()))
    return session


@pytest.mark.parametrize("game", GAMES)
def test_the_file_of_a_seat_has_nothing_hidden_and_its_chain_verifies(game: str) -> None:
    session = fought(game)
    for who in (Who("kira", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)):
        eyes = viewer(who, session.combat)

        page = saved_page(session.log, eyes, who.seat.value)

        fight = data(page)
        lines = zlib.decompress(base64.b64decode(fight["record"]))
        assert check(lines.splitlines()).entries == session.log.last
        whole = page + lines
        assert [word for word in SECRETS if word.encode() in whole] == []
    assert [word for word in SECRETS if word.encode() not in saved_page(session.log)] == []


def test_what_stands_inline_is_named_by_the_policy_and_no_name_ends_the_data(shown: Watched, tmp_path: Path) -> None:
    session = Session.create("memory://", ruleset="gurps_3e", title="</script><script>window.hit = 1</script><!--")
    page = opened(shown, saved(tmp_path, session))

    policy = page.locator("meta[http-equiv]").get_attribute("content") or ""
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert page.evaluate("() => window.hit") is None
    assert page.get_by_role("heading", level=1).inner_text() == "</script><script>window.hit = 1</script><!--"


def test_the_command_line_writes_it_for_a_seat_and_refuses_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, file = f"sqlite:///{tmp_path}/affray.db", tmp_path / "fight.html"
    assert run(["--ledger", ledger, "play", "stoya"]) == 0

    assert run(["--ledger", ledger, "replay", "--html", str(file), "--for", "kira:player"]) == 0
    assert (data(file.read_bytes())["seat"], data(file.read_bytes())["name"]) == ("player", "kira")
    assert run(["--ledger", ledger, "replay", "--html", str(file)]) == 0
    capsys.readouterr()
    assert run(["--ledger", ledger, "replay", "--html", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err
    (tmp_path / "other.txt").write_text("mine")
    assert run(["--ledger", ledger, "replay", "--html", str(tmp_path / "other.txt")]) == 2
    assert (tmp_path / "other.txt").read_text() == "mine"
    assert run(["--ledger", ledger, "replay", "--html", str(file), "--for", "nobody"]) == 2
    capsys.readouterr()
    for option in (["--at", "3"], ["--speed", "2"]):
        assert run(["--ledger", ledger, "replay", "--html", str(file), *option]) == 2
        assert f"{option[0]} is for the replay in the terminal" in capsys.readouterr().err
    assert run(["--ledger", ledger, "replay", "--html", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "session": data(file.read_bytes())["outline"]["session"],
        "file": str(file),
        "seat": "gm",
        "entries": 30,
    }


def test_in_the_terminal_a_seat_is_shown_what_it_may_see(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = f"sqlite:///{tmp_path}/affray.db"
    session = Session.create(ledger, ruleset="gurps_3e", title="The mill")
    session.perform(Note("the floor is a trap", seen_by=()))
    session.perform(Note("it rains"))
    session.close()

    assert run(["--ledger", ledger, "replay", "--for", "spectator"]) == 0
    told = capsys.readouterr().out
    assert "it rains" in told
    assert "trap" not in told
    assert run(["--ledger", ledger, "replay", "--for", "nonsense"]) == 2
    assert run(["--ledger", ledger, "replay"]) == 0
    assert "trap" in capsys.readouterr().out


def test_it_has_at_most_five_megabytes_for_two_thousand_entries(tmp_path: Path) -> None:
    fights.write(str(tmp_path / "long.db"), 2_000)
    with closing(Session.open(f"sqlite:///{tmp_path}/long.db", fights.SESSION)) as session:
        assert session.log.last >= 2_000
        assert len(saved_page(session.log, runs=0)) <= 5_000_000


def test_axe_finds_no_fault_in_it(shown: Watched, tmp_path: Path) -> None:
    page = opened(shown, saved(tmp_path, played("street-fight")), "#at=21")
    page.keyboard.press("w")
    expect(page.locator(".drawer .reason").first).to_be_visible()

    assert faults(page) == []
