"""The theatre shows each entry of each game's fights as the server has it; keys, reasons, branches and addresses work."""

import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from browsing.chromium import Watched, watched
from browsing.opening import entry, imported, opened, played, press, seated
from browsing.theatre import READ, check_changes, check_rows, scrubbed
from playwright.sync_api import Browser, expect
from server.processes import Served

from ledger.commands import Join, Note, Reveal
from replays.client import Host
from replays.scripts.format import examples

FIGHTS = sorted(examples())


@pytest.mark.parametrize("name", FIGHTS)
def test_every_entry_of_a_shipped_fight_is_shown_as_the_server_has_it(
    shown: Watched, server: Served, host: Host, name: str
) -> None:
    founded = imported(host, played(name))
    page = opened(shown, seated(server, founded))
    session = founded.gamemaster()
    numbers = list(range(1, session.state().entries + 1))

    rows = scrubbed(page, numbers)

    states = [msgspec.to_builtins(session.state(number)) for number in numbers]
    for number, found, state in zip(numbers, rows, states, strict=True):
        check_rows(found, state)
        if number > 1:
            check_changes(found, states[number - 2], state)
    assert all(address.startswith(server.url) for address in shown.addresses)


def test_the_log_is_a_list_of_buttons_with_all_sentences(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    page = opened(shown, seated(server, imported(host, session)))

    told = page.locator("ol.log > li:not(.heading) > button").all_inner_texts()

    assert [re.sub(r"\s+", " ", each).strip() for each in told] == [
        f"{step.seq} {' '.join(step.narration)}" for step in session.steps().steps
    ]
    assert page.locator("li [aria-current=step] i").inner_text() == "45"


# ------------------------------------------------------------------------------------------------ keys


def test_the_keys_alone_move_by_entry_attack_turn_and_round(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    outline = session.outline()
    page = opened(shown, seated(server, imported(host, session)))
    attacks = [each.entry for each in outline.exchanges if each.is_attack]
    turns = sorted({each.entry for each in outline.turns})

    press(page, "Home", 1)
    press(page, "ArrowRight", 2)
    press(page, "ArrowLeft", 1)
    for number in attacks:
        press(page, "Shift+ArrowRight", number)
    press(page, "Shift+ArrowRight", 45)
    press(page, "Shift+ArrowLeft", attacks[-1])
    press(page, "Home", 1)
    for number in turns:
        press(page, "Control+ArrowRight", number)
    press(page, "Control+ArrowLeft", turns[-2])
    press(page, ",", outline.rounds[0].entry)
    press(page, ".", 45)
    press(page, "End", 45)


def test_the_long_steps_go_by_turn_round_and_branch_without_a_keyboard(
    shown: Watched, server: Served, host: Host
) -> None:
    session = played("stoya")
    outline = session.outline()
    page = opened(shown, seated(server, imported(host, session), at=1))
    places = {
        "turn": outline.turns[0].entry, "round": outline.rounds[0].entry, "attack": next(each.entry for each in outline.exchanges if each.is_attack),
    }  # fmt: skip

    for unit, entry_ in places.items():
        press(page, "Home", 1)
        page.get_by_label("Long steps by").select_option(unit)
        page.get_by_role("button", name=f"Next {unit}").click()
        expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {entry_}")
    (stretch,) = outline.undone
    page.get_by_label("Long steps by").select_option("branch")
    page.get_by_role("button", name="Next branch").click()
    assert entry(page) == places["attack"]  # nothing lies beside it
    page.get_by_role("slider", name="Entry").fill(str(stretch.first))
    page.get_by_role("button", name="Next branch").click()
    expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {stretch.by}")
    page.get_by_role("button", name="Branch before").click()
    expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {stretch.first}")


def test_the_recap_is_computed_and_leads_to_its_entries(shown: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("street-fight"))
    founded.gamemaster().undo("round", why="too late")
    page = opened(shown, seated(server, founded))

    page.get_by_role("button", name="Recap").click()

    told = page.get_by_role("region", name="Recap")
    expect(told).to_contain_text("gm took back", timeout=30_000)
    expect(told).to_contain_text("“too late”")
    told.get_by_role("button").filter(has_text="gm took back").click()
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 46")


def test_space_plays_and_pauses(shown: Watched, server: Served, host: Host) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight")), at=3))
    page.get_by_label("Speed").select_option("4")
    page.locator("body").click(position={"x": 3, "y": 3})

    page.keyboard.press("Space")

    page.wait_for_function(f"() => Number(({READ})().caption.split(' ').at(-1)) >= 5")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    stopped = entry(page)
    page.wait_for_timeout(700)  # more than two steps
    assert entry(page) == stopped < 45


def test_a_higher_speed_is_chosen_while_it_plays(shown: Watched, server: Served, host: Host) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight")), at=3))
    page.evaluate(f"""() => {{
        window.shown = new Map();
        const look = () => {{
            const now = ({READ})().caption;
            if (!window.shown.has(now)) window.shown.set(now, performance.now());
            requestAnimationFrame(look);
        }};
        look();
    }}""")

    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_label("Speed").select_option("8")

    page.wait_for_function("() => window.shown.size > 12")
    times = page.evaluate("() => [...window.shown.values()].slice(1)")
    pauses = sorted(later - earlier for earlier, later in pairwise(times))
    assert pauses[0] > 60  # each entry is shown for a while
    assert pauses[len(pauses) // 2] < 400  # eight times as fast as one in 1.2 s


def test_what_was_undone_is_folded_struck_through_and_has_its_reason(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = imported(host, played("stoya"))
    session = founded.gamemaster()
    session.undo(why="it was a draw")
    page = opened(shown, seated(server, founded))
    last = session.state().entries

    fold = page.locator("li.fold").last
    expect(fold).to_contain_text(f"undone by {last}: “it was a draw” — gm")
    assert page.locator("li.gone").count() == 0
    press(page, "ArrowLeft", last - 2)  # the undone entry is passed over
    page.keyboard.press("u")
    expect(page.locator("li.gone").first).to_be_visible()
    struck = page.locator("li.gone > button > span").last
    assert struck.evaluate("(each) => getComputedStyle(each).textDecorationLine") == "line-through"
    press(page, "ArrowRight", last - 1)
    page.keyboard.press("u")
    expect(page.locator("li.gone")).to_have_count(0)
    assert entry(page) == last - 2


def test_up_and_down_go_to_the_branch_beside(shown: Watched, server: Served, host: Host) -> None:
    session = played("stoya")
    (stretch,) = session.outline().undone
    page = opened(shown, seated(server, imported(host, session), at=stretch.first))

    press(page, "ArrowDown", stretch.by)
    press(page, "ArrowUp", stretch.first)


def test_down_leads_from_what_was_undone_to_its_undo_and_up_leads_back(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = imported(host, played("stoya"))
    session = founded.gamemaster()
    session.undo("exchange", why="too fast")
    undo = session.state().entries
    last = next(each for each in session.outline().undone if each.by == undo)
    page = opened(shown, seated(server, founded, at=last.last))

    press(page, "ArrowDown", undo)
    press(page, "ArrowUp", last.first)


def test_space_plays_after_a_click_on_an_entry_and_the_arrows_step_after_a_speed_was_chosen(
    shown: Watched, server: Served, host: Host
) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight")), at=5))
    page.locator("ol.log li button", has_text="declares").first.click()
    expect(page.locator("[aria-current=step] i")).to_have_text("10")

    page.keyboard.press("Space")

    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    page.get_by_label("Speed").focus()
    page.get_by_label("Speed").select_option("2")
    page.keyboard.press("End")
    press(page, "ArrowLeft", 44)


@pytest.mark.parametrize("width", [1024, 1920])
def test_what_is_opened_pushes_neither_the_entry_nor_who_acts_out_of_sight_and_the_page_scrolls_nowhere(
    browser: Browser, server: Served, host: Host, width: int
) -> None:
    founded = imported(host, played("street-fight"))
    founded.gamemaster().undo("round", why="too late")
    with watched(browser, viewport={"width": width, "height": 760}) as shown:
        page = opened(shown, seated(server, founded, at=22))
        for key in ("w", "r", "/", "Escape", "u"):
            page.keyboard.press(key)
            page.wait_for_timeout(200)
            assert page.evaluate(_OUT_OF_SIGHT) == [], key
            assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0, key


_OUT_OF_SIGHT = """() => [...document.querySelectorAll(".record [aria-current], .tracker tr.active")].filter((each) => {
  const [box, row] = [each.closest(".column").getBoundingClientRect(), each.getBoundingClientRect()];
  return row.top < box.top || row.bottom > box.bottom;
}).map((each) => each.textContent)"""


def test_the_place_of_an_entry_is_the_same_in_the_drawing_and_on_the_slider(
    shown: Watched, server: Served, host: Host
) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight"))))
    for number in (1, 12, 45):
        scrubbed(page, [number])
        line, left, width = page.evaluate("""() => {
            const slider = document.querySelector(".scrubber").getBoundingClientRect();
            const line = document.querySelector(".plot line.now").getBoundingClientRect();
            return [line.x + line.width / 2, slider.x, slider.width];
        }""")
        thumb = left + 8 + (width - 16) * (number - 1) / 44  # a thumb is 16 pixels wide
        assert abs(line - thumb) < 4, number


def test_a_step_stops_playing_and_the_list_of_keys_keeps_them(shown: Watched, server: Served, host: Host) -> None:
    page = opened(shown, seated(server, imported(host, played("stoya")), at=5))
    page.get_by_role("button", name="Play", exact=True).click()
    press(page, "Home", 1)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()

    page.keyboard.press("?")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert entry(page) == 1


@pytest.mark.parametrize(("at", "shows"), [("0", 1), ("7", 7), ("-5", 30), ("abc", 30), ("1e1", 30), ("99999", 30)])
def test_an_address_names_an_entry_by_its_number(
    shown: Watched, server: Served, host: Host, at: str, shows: int
) -> None:
    page = opened(shown, f"{seated(server, imported(host, played('stoya')))}&at={at}")

    assert entry(page) == shows


# ------------------------------------------------------------------------------------------------ reasons


def test_why_goes_down_to_page_person_and_die(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    page = opened(shown, seated(server, imported(host, session), at=21))

    page.keyboard.press("w")

    drawer = page.get_by_role("complementary", name="Why, as of entry 21")
    (key,) = session.steps(20, 1).steps[0].keys
    why = session.why(key, at=21)
    expect(drawer.locator("h3").first).to_have_text(why.title)
    assert drawer.locator("tr").count() == len(why.parts)
    for part, row in zip(why.parts, drawer.locator("tr").all(), strict=True):
        told = row.inner_text()
        assert part.by in told
        assert f"entry {part.entry}" in told
        assert part.source in told
    assert drawer.locator(".die").all_inner_texts() == ["5", "6"]
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_each_number_of_the_tracker_can_be_asked_why(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    page = opened(shown, seated(server, imported(host, session), at=33))

    page.get_by_role("button", name="Dregs, physical 10 of 10, changed: why?").click()

    drawer = page.get_by_role("complementary", name="Why, as of entry 33")
    expect(drawer.locator("h3").first).to_have_text("Dregs: physical 10 of 10")
    drawer.get_by_role("button", name="entry 14", exact=True).first.click()
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 14")
    for number in page.locator(".tracker button.number").all():
        number.click()
        expect(page.locator(".drawer h3").first).to_be_visible()
        assert page.locator(".drawer p.bad").count() == 0, number.inner_text()


def test_a_roll_that_was_undone_is_explained_as_it_was(shown: Watched, server: Served, host: Host) -> None:
    session = played("stoya")
    (stretch,) = session.outline().undone
    page = opened(shown, seated(server, imported(host, session), at=stretch.first))

    page.keyboard.press("w")

    titles = [session.why(key, at=stretch.first).title for key in session.steps(stretch.first - 1, 1).steps[0].keys]
    expect(page.locator(".drawer > section > h3")).to_have_text(titles)


# ------------------------------------------------------------------------------------------------ search, addresses, seats


def test_search_finds_sentences_and_goes_there(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    page = opened(shown, seated(server, imported(host, session)))
    wanted = [
        step.seq
        for step in session.steps().steps
        if "dregs" in (told := " ".join(step.narration).lower()) and "wound" in told
    ]

    page.keyboard.press("/")
    page.keyboard.type("wound DREGS")

    found = page.locator(".drawer ol.log i")
    expect(found).to_have_text([str(number) for number in wanted])
    page.locator(".drawer ol.log button").first.click()
    expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {wanted[0]}")


def test_a_moment_is_in_the_address_and_the_token_is_not(shown: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("street-fight"))
    page = opened(shown, seated(server, founded))
    press(page, "Home", 1)
    press(page, "ArrowRight", 2)
    expect(page).to_have_url(f"{server.url}/#session={founded.id}&view=replay&at=2")
    page.get_by_role("button", name="Share moment").click()
    address = page.get_by_label("Address of this moment").input_value()
    assert address == page.url
    press(page, "Escape", 2)

    page.reload()
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 2")

    assert not [each for each in shown.addresses if "token" in each]
    other = shown.context.new_page()
    other.goto(address)  # another tab has no token
    expect(other.get_by_label("Token")).to_be_visible()


def test_each_seat_sees_its_own(shown: Watched, server: Served, host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", title="The mill", players=["kira"])
    session = founded.gamemaster()
    sheet = {"st": 10, "dx": 10, "iq": 10, "ht": 10}
    session.perform(Join("lurker", sheet, name="the Lurker below", seen_by=()))
    session.perform(Note("the floor is a trap", seen_by=()))
    session.perform(Join("kira", sheet, name="Kira", player="kira"))

    page = opened(shown, seated(server, founded, "player"))
    scrubbed(page, [1, 2, 3, 4])
    text = page.locator("body").inner_text()

    assert "Lurker" not in text
    assert "trap" not in text
    assert "Kira" in text


def test_it_is_saved_from_the_page_as_one_file_of_the_seat(
    shown: Watched, server: Served, host: Host, tmp_path: Path
) -> None:
    session = played("stoya")
    page = opened(shown, seated(server, imported(host, session), "spectator"))

    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()

    assert '"chances":{}' in download.value.path().read_text()  # none was estimated
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == f"{session.id}.html"
    shown.context.set_offline(True)
    page.goto(f"{file.as_uri()}#at=16")
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 16")
    expect(page.locator(".bar")).to_contain_text("as a spectator")


def test_all_of_it_is_printed_without_buttons(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    founded = imported(host, session)
    founded.gamemaster().undo("round", why="too late")
    page = opened(shown, seated(server, founded))
    page.evaluate("""() => {
        const entries = () => document.querySelectorAll("ol.log > li:not(.fold) > button").length;
        window.printed = new Promise((done) => { window.print = () => done(entries()); });
    }""")

    page.get_by_role("button", name="Print").click()

    assert page.evaluate("() => window.printed") == session.log.last + 1
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_hidden()
    expect(page.get_by_role("slider")).to_be_hidden()
    expect(page.locator("ol.log li").last).to_be_visible()
    assert page.locator(".record").evaluate("(each) => each.scrollHeight - each.clientHeight") <= 1


def test_a_second_click_prints_nothing_more_and_folds_come_back(shown: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("street-fight"))
    founded.gamemaster().undo("round", why="too late")
    page = opened(shown, seated(server, founded))
    page.evaluate("() => { window.prints = 0; window.print = () => { window.prints += 1; }; }")

    page.get_by_role("button", name="Print").evaluate("(button) => { button.click(); button.click(); }")

    page.wait_for_function("() => window.prints === 1 && !document.documentElement.classList.contains('printing')")
    expect(page.get_by_role("button", name="Print", exact=True)).to_be_enabled()
    expect(page.locator("li.gone")).to_have_count(0)
    assert page.evaluate("() => window.prints") == 1


def test_a_combatant_who_is_revealed_while_a_player_looks_on_is_shown_to_them(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = host.create_session(ruleset="gurps_3e", title="The mill", players=["kira"])
    session = founded.gamemaster()
    sheet = {"st": 10, "dx": 10, "iq": 10, "ht": 10}
    session.perform(Join("lurker", sheet, name="the Lurker", seen_by=(), sheet_seen_by=()))
    session.perform(Join("kira", sheet, name="Kira", player="kira"))
    page = opened(shown, seated(server, founded, "player"))
    expect(page.locator(".tracker tbody th")).to_have_count(1)

    session.perform(Reveal(who="lurker"))

    expect(page.locator(".tracker tbody th")).to_have_count(2)
    last = session.state().entries
    player = founded.player("kira")
    for number, rows in zip(range(1, last + 1), scrubbed(page, list(range(1, last + 1))), strict=True):
        check_rows(rows, msgspec.to_builtins(player.state(number)))
    expect(page.locator("ol.log li").first).to_be_visible()


def test_at_the_end_it_follows_what_is_written_and_elsewhere_it_stays(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = imported(host, played("stoya"))
    session = founded.gamemaster()
    page = opened(shown, seated(server, founded))
    session.perform(Note("the lights go out"))
    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 31")
    expect(page.locator("ol.log li").last).to_contain_text("the lights go out")

    press(page, "Home", 1)
    for number in range(5):
        session.perform(Note(f"another {number}"))
    expect(page.locator(".bar")).to_contain_text("of 36")
    assert entry(page) == 1
