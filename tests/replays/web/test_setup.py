"""The host begins a fight in the page and hands out links; the gamemaster adds combatants; what is wrong is named beside its field."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
import zxingcpp
from browsing.accessible import faults
from browsing.chromium import Watched, watched
from client.brawl import host_token
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from server.processes import PATIENCE, Served, served

from machines.contract.ruleset import ruleset
from machines.registry import installed
from replays.client import Host
from replays.scripts.sheet_template import sheet_template
from replays.server.runtime.reachable import own_address

THUGS = {"eclipse_phase_1e": "thug", "eclipse_phase_2e": "thug", "gurps_3e": "guard", "shadowrun_4e": "ganger"}
"""A ready sheet of each game."""


def begin(page: Page, server: Served) -> None:
    """Opens the form of a new fight as the host."""
    page.goto("about:blank")
    page.goto(f"{server.url}/#token={quote(host_token(server))}")
    page.get_by_role("button", name="New fight").click()
    expect(page.get_by_label("Game").locator("option")).to_have_count(len(installed()))
    expect(page.get_by_label("Printing of the rules").locator("option").first).to_have_text("table (proposed)")


def create(page: Page, server: Served, *, game: str = "", title: str = "", players: str = "") -> str:
    """Creates a fight, and returns its id, as its links have it."""
    begin(page, server)
    if game:
        page.get_by_label("Game").select_option(game)
    page.get_by_label("Title").fill(title)
    page.get_by_label("Players").fill(players)
    expect(page.get_by_label("Printing of the rules").locator("option").first).to_have_text("table (proposed)")
    page.get_by_role("button", name="Create the fight").click()
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    return fragment(link(page, "the gamemaster"))["session"]


def link(page: Page, who: str) -> str:
    """Returns the link of a seat."""
    return page.get_by_label(f"Link of {who}", exact=True).input_value()


def fragment(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).fragment).items()}


def seen_from(server: Served, address: str) -> dict[str, Any]:
    """Returns the state of a session as the seat of a link sees it; its refusal, if the link is not accepted."""
    given = fragment(address)
    headers = {"Authorization": f"Bearer {given['token']}"}
    found: dict[str, Any] = httpx.get(
        f"{server.url}/v1/sessions/{given['session']}/state", headers=headers, timeout=PATIENCE
    ).json()
    return found


def names(server: Served, address: str) -> list[str]:
    """Returns the names of the combatants that the seat of a link sees."""
    return [one["name"] for one in seen_from(server, address)["combatants"].values()]


def bring(page: Page, sheet: str = "", **given: Any) -> None:
    """Fills in the form of combatants, and sends it."""
    if sheet:
        page.get_by_label("Sheet").select_option(sheet)
    for label, value in given.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(str(value))
    page.get_by_role("button", name="Add", exact=True).click()


def choose_file(page: Page, name: str, content: str | bytes) -> None:
    """Chooses a file of this device as the sheet."""
    page.get_by_label("Sheet").select_option("a file of this device…")
    raw = content.encode() if isinstance(content, str) else content
    page.get_by_label("File").set_input_files({"name": name, "mimeType": "application/toml", "buffer": raw})


def problem(page: Page, label: str) -> str:
    """Returns what stands beside a control that is marked as wrong, as a screen reader finds it."""
    control = page.get_by_label(label, exact=True)
    expect(control).to_have_attribute("aria-invalid", "true")
    return control.evaluate(
        "(one) => one.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id)).find((each) => each.className === 'bad').textContent"
    )


def decoded(page: Page, name: str) -> str:
    """Returns what a camera reads of a QR code on the screen."""
    code = page.get_by_role("img", name=name)
    expect(code).to_be_visible()
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    return found.text


@pytest.fixture
def refusing(browser: Browser) -> Iterator[Watched]:
    """Yields a page in which requests are refused: the browser reports their status."""
    with watched(browser) as page:
        yield page
        page.errors[:] = [each for each in page.errors if "Failed to load resource" not in each]


# ------------------------------------------------------------------------------------------------ a whole evening


@pytest.mark.parametrize("game", installed())
def test_a_fight_of_each_game_with_goons_a_player_a_hidden_one_and_one_of_a_file(
    shown: Watched, server: Served, game: str
) -> None:
    page, rules = shown.page, ruleset(game)
    create(page, server, game=game, title=f"An evening of {rules.title}", players="kira, ben")
    links = {who: link(page, who) for who in ("the gamemaster", "kira", "ben", "spectators")}
    page.get_by_role("button", name="Go on to the combatants").click()
    expect(page.get_by_role("heading", name=f"An evening of {rules.title}")).to_be_visible()

    bring(page, THUGS[game], How_many="3", Side="goons")
    thug = THUGS[game]
    expect(page.get_by_text(f"Added: {thug} 1, {thug} 2, {thug} 3.")).to_be_visible()
    page.get_by_label("Player", exact=True).select_option("kira")
    bring(page, next(iter(rules.sheets)), Name="Kira's Own", Side="crew")
    expect(page.get_by_text("Added: Kira's Own.")).to_be_visible()
    page.get_by_label("Player", exact=True).select_option("the gamemaster")
    page.get_by_label("Hidden from all").check()
    bring(page, Name="The Sniper", Side="")
    expect(page.get_by_text("Added: The Sniper.")).to_be_visible()
    expect(page.get_by_label("Hidden from all")).not_to_be_checked()
    choose_file(page, "ash.toml", sheet_template(rules, next(iter(rules.sheets)), "Mr. Ash"))
    expect(page.get_by_text("Mr. Ash", exact=True)).to_be_visible()
    bring(page)
    expect(page.get_by_text("Added: Mr. Ash.")).to_be_visible()

    expect(page.locator(".combatants > ul > li")).to_have_count(6)
    state = seen_from(server, links["the gamemaster"])
    assert (state["ruleset"], state["profile"]) == (game, "table")
    shown_there = {who: (one["name"], one["player"], one.get("side", "")) for who, one in state["combatants"].items()}
    assert shown_there == {
        **{f"{thug}-{n}": (f"{thug} {n}", "gm", "goons") for n in (1, 2, 3)},
        "kira-s-own": ("Kira's Own", "kira", "crew"),
        "unseen-1": ("The Sniper", "gm", ""),
        "mr-ash": ("Mr. Ash", "gm", ""),
    }
    for who in ("kira", "ben", "spectators"):
        assert set(names(server, links[who])) == {name for name, _, _ in shown_there.values() if name != "The Sniper"}

    page.get_by_role("button", name="Remove Mr. Ash").click()
    page.get_by_role("button", name="Remove Mr. Ash").click()  # the second time, it is meant
    expect(page.get_by_text("Mr. Ash has left.")).to_be_visible()
    expect(page.locator(".combatants > ul > li")).to_have_count(5)
    page.get_by_role("button", name="Open the fight").click()
    expect(page.locator(".tracker tbody tr")).to_have_count(5)


def test_a_player_with_a_hidden_combatant_sees_it_and_no_other_player_does(shown: Watched, server: Served) -> None:
    page = shown.page
    create(page, server, game="gurps_3e", players="kira\nben")
    links = {who: link(page, who) for who in ("kira", "ben")}
    page.get_by_role("button", name="Go on to the combatants").click()
    page.get_by_label("Player", exact=True).select_option("kira")
    page.get_by_label("Hidden from all").check()
    bring(page, Name="Shade")
    expect(page.get_by_text("Added: Shade.")).to_be_visible()

    assert {who: names(server, each) for who, each in links.items()} == {"kira": ["Shade"], "ben": []}


def test_goons_that_come_later_are_numbered_on(shown: Watched, server: Served) -> None:
    page = shown.page
    create(page, server, game="eclipse_phase_1e")
    page.get_by_role("button", name="Go on to the combatants").click()
    for count, said in (
        ("2", "Added: thug 1, thug 2."),
        ("2", "Added: thug 3, thug 4."),
        ("1", "Added: thug."),
        ("1", "Added: thug 5."),
    ):
        bring(page, "thug", How_many=count)
        expect(page.get_by_text(said)).to_be_visible()
    page.get_by_role("button", name="Remove thug 2", exact=True).click()
    page.get_by_role("button", name="Remove thug 2", exact=True).click()
    expect(page.get_by_text("thug 2 has left.")).to_be_visible()
    bring(page, "thug", How_many="2", Name="Goon")
    expect(page.get_by_text("Added: Goon 1, Goon 2.")).to_be_visible()


# ------------------------------------------------------------------------------------------------ links


def test_a_code_on_the_screen_is_the_link_and_opens_the_seat_on_a_phone(
    browser: Browser, shown: Watched, server: Served
) -> None:
    page = shown.page
    create(page, server, title="Night market", players="kira")
    field = page.get_by_label("Link of kira", exact=True)
    field.focus()
    assert field.evaluate("(one) => one.value.slice(one.selectionStart, one.selectionEnd)") == link(page, "kira")
    assert field.evaluate("(one) => one.readOnly")

    page.get_by_role("button", name="QR code of kira").click()
    read = decoded(page, "QR code of the link of kira")

    assert read == link(page, "kira")
    assert read.startswith(f"{server.url}/#token=")
    assert all(fragment(read)["token"] not in address for address in shown.addresses)
    with watched(browser, viewport={"width": 360, "height": 740}) as phone:
        phone.page.goto(read)
        expect(phone.page.locator(".phone header")).to_contain_text("as kira")


def test_a_code_is_read_in_dark_on_a_phone(browser: Browser, server: Served) -> None:
    with watched(browser, color_scheme="dark", viewport={"width": 360, "height": 740}, device_scale_factor=2) as phone:
        create(phone.page, server, players="kira")
        phone.page.get_by_role("button", name="QR code of spectators").click()
        assert decoded(phone.page, "QR code of the link of spectators") == link(phone.page, "spectators")


def test_a_new_link_works_beside_the_first_and_revoking_ends_both(shown: Watched, server: Served) -> None:
    page = shown.page
    create(page, server, players="kira")
    first = link(page, "kira")
    page.get_by_role("button", name="New link of kira").click()
    expect(page.get_by_label("Link of kira", exact=True)).not_to_have_value(first)
    second = link(page, "kira")
    assert [seen_from(server, each)["entries"] for each in (first, second)] == [1, 1]

    page.get_by_role("button", name="Revoke the links of kira").click()
    expect(page.get_by_role("button", name="Revoke them")).to_be_focused()
    page.get_by_role("button", name="Keep them").click()
    assert seen_from(server, second)["entries"] == 1
    page.get_by_role("button", name="Revoke the links of kira").click()
    page.get_by_role("button", name="Revoke them").click()
    expect(page.get_by_text("No link is in use.")).to_be_visible()
    assert [seen_from(server, each)["slug"] for each in (first, second)] == ["token/revoked"] * 2
    assert seen_from(server, link(page, "spectators"))["entries"] == 1

    page.get_by_role("button", name="New link of kira").click()
    expect(page.get_by_label("Link of kira", exact=True)).to_be_visible()
    assert seen_from(server, link(page, "kira"))["entries"] == 1


def test_a_seat_is_given_later_and_its_player_can_be_chosen(refusing: Watched, server: Served) -> None:
    page = refusing.page
    create(page, server, game="gurps_3e")
    field = page.get_by_label("One more player")
    page.get_by_role("button", name="Give a seat").click()
    assert problem(page, "One more player") == "A name is missing."
    field.fill("GM")
    page.get_by_role("button", name="Give a seat").click()
    expect(page.get_by_text("the name 'GM' is reserved for the gamemaster. Accepted: another name.")).to_be_visible()
    expect(field).to_be_focused()
    field.fill("zoe")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Link of zoe", exact=True)).to_be_visible()
    page.get_by_role("button", name="Go on to the combatants").click()
    page.get_by_label("Player", exact=True).select_option("zoe")
    bring(page, Name="Zed")
    expect(page.get_by_text("played by zoe")).to_be_visible()


def test_the_address_of_the_links_is_that_of_the_network_and_can_be_changed(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--host", "0.0.0.0") as server, watched(browser) as shown:
        server.url = f"http://127.0.0.1:{server.port}"
        page = shown.page
        create(page, server, players="kira")
        outside = f"http://{own_address()}:{server.port}"
        expect(page.get_by_label("Address that the other devices reach")).to_have_value(outside)
        assert link(page, "kira").startswith(f"{outside}/#token=")
        with watched(browser) as phone:
            phone.page.goto(link(page, "kira"))
            expect(phone.page.locator(".phone header")).to_contain_text("as kira")

        page.get_by_label("Address that the other devices reach").fill("table.lan:99/page")
        assert link(page, "kira").startswith("http://table.lan:99/#token=")
        page.get_by_label("Address that the other devices reach").fill("no address")
        assert "Accepted: such as http://192.168.1.5:8040." in problem(page, "Address that the other devices reach")
        expect(page.get_by_label("Link of kira", exact=True)).to_have_count(0)


def test_a_server_for_this_machine_alone_names_what_phones_need(shown: Watched, server: Served) -> None:
    create(shown.page, server)
    expect(shown.page.get_by_text("For phones, start the server with affray web --lan.")).to_be_visible()


# ------------------------------------------------------------------------------------------------ what is wrong


def test_profiles_are_compared_and_an_empty_title_is_fine(shown: Watched, server: Served) -> None:
    page = shown.page
    begin(page, server)
    page.get_by_label("Game").select_option("eclipse_phase_1e")
    printing = page.get_by_label("Printing of the rules")
    expect(printing.locator("option")).to_have_text(
        ["table (proposed)", "second printing (as printed)", "first printing", "third printing"]
    )
    expect(page.get_by_text("What a sensible table plays")).to_be_visible()
    page.get_by_text("3 rules differ from “second printing”").click()
    expect(page.get_by_text("shock armor on critical: no, not yes")).to_be_visible()
    printing.select_option("second printing")
    expect(page.get_by_text("The rules as they are printed.")).to_be_visible()
    page.get_by_role("button", name="Create the fight").click()
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    state = seen_from(server, link(page, "the gamemaster"))
    assert (state["title"], state["profile"], state["combatants"]) == ("A fight", "second printing", {})


def test_a_name_that_no_player_may_have_is_refused_beside_the_names(refusing: Watched, server: Served) -> None:
    page = refusing.page
    begin(page, server)
    page.get_by_label("Players").fill("kira\ngm")
    page.get_by_role("button", name="Create the fight").click()

    expect(page.get_by_label("Players")).to_be_focused()
    assert problem(page, "Players") == "the name 'gm' is reserved for the gamemaster. Accepted: another name."


def test_a_fight_is_created_once_though_the_answer_is_lost(refusing: Watched, server: Served, host: Host) -> None:
    page, before = refusing.page, len(host.sessions(limit=1000))
    begin(page, server)
    page.get_by_label("Title").fill("Once")
    answers: list[int] = []

    def lose(route: Any) -> None:
        if route.request.method == "POST" and len(answers) < 1:
            answers.append(route.fetch().status)
            route.fulfill(status=500, content_type="text/plain", body="lost")
        else:
            route.continue_()

    page.route("**/v1/sessions", lose)
    page.get_by_role("button", name="Create the fight").click()
    expect(page.get_by_role("heading", name="Seats").or_(page.get_by_role("alert"))).to_be_visible()
    if page.get_by_role("alert").count():
        page.get_by_role("button", name="Create the fight").click()
        expect(page.get_by_role("heading", name="Seats")).to_be_visible()

    assert answers == [201]
    assert len(host.sessions(limit=1000)) == before + 1


@pytest.mark.parametrize("count", ["0", "99", "", "1.5", "-3"])
def test_a_wrong_number_of_goons_is_refused_beside_it(shown: Watched, server: Served, count: str) -> None:
    page = shown.page
    create(page, server)
    page.get_by_role("button", name="Go on to the combatants").click()
    expect(page.get_by_label("Sheet").locator("option").nth(1)).to_be_attached()
    bring(page, How_many=count)

    assert problem(page, "How many") == "This many cannot be added at once. Accepted: 1 to 50."
    expect(page.get_by_label("How many")).to_be_focused()
    expect(page.get_by_text("There are none yet.")).to_be_visible()


def test_a_taken_name_and_a_number_as_name_are_refused_beside_the_name(refusing: Watched, server: Served) -> None:
    page = refusing.page
    create(page, server, game="gurps_3e")
    page.get_by_role("button", name="Go on to the combatants").click()
    bring(page, "guard", Name="Rolf")
    expect(page.get_by_text("Added: Rolf.")).to_be_visible()
    bring(page, Name="rolf!")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    assert problem(page, "Name") == "rolf has joined already. Accepted: another id."
    bring(page, Name="12")
    expect(page.get_by_text("A number alone is no name. Accepted: a name with a letter.")).to_be_visible()
    bring(page, Name="Рольф")
    expect(page.get_by_text("Added: Рольф.")).to_be_visible()
    expect(page.locator(".combatants > ul > li")).to_have_count(2)


SCRIPT = """ruleset = "gurps_3e"
[combatants.ann]
player = "%s"
sheet = {st = 10, dx = 10, iq = 10, ht = 10}
[combatants.bo]
secret = true
sheet = {st = 10, dx = 10, iq = 10, ht = 10}
"""


def test_a_file_with_several_joins_whole_or_not_at_all(refusing: Watched, server: Served) -> None:
    page = refusing.page
    create(page, server, game="gurps_3e", players="kira")
    gamemaster = link(page, "the gamemaster")
    page.get_by_role("button", name="Go on to the combatants").click()

    choose_file(page, "crew.toml", SCRIPT % "nemo")
    expect(page.get_by_text("ann, played by nemo; bo, hidden")).to_be_visible()
    expect(page.get_by_label("How many")).to_have_count(0)
    bring(page)
    assert problem(page, "Player").startswith("There is no player nemo. Accepted: gm, kira")
    assert names(server, gamemaster) == []

    page.get_by_label("Player", exact=True).select_option("kira")
    page.get_by_label("Player", exact=True).select_option("as in the file")
    choose_file(page, "crew.toml", SCRIPT % "kira")
    expect(page.get_by_text("ann, played by kira; bo, hidden")).to_be_visible()
    bring(page)
    expect(page.get_by_text("Added: ann, bo.")).to_be_visible()
    joined = seen_from(server, gamemaster)["combatants"]
    assert {who: one["player"] for who, one in joined.items()} == {"ann": "kira", "unseen-1": "gm"}
    bring(page)
    assert "ann has joined already" in problem(page, "File")
    assert seen_from(server, gamemaster)["entries"] == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("st = ", "crew.toml cannot be read as a sheet"),
        ('ruleset = "shadowrun_4e"', "Accepted: gurps_3e"),
        ("st = 'strong'", "st: 'strong' is not accepted"),
        (b"\xff\xfe\x00\x01", "crew.toml cannot be read as a sheet"),
        ("", "crew.toml: "),
        ("# " + "long" * 30_000, "the file is too long. Accepted: up to 100,000 bytes."),
    ],
    ids=["no TOML", "another game", "a wrong value", "no text", "empty", "too long"],
)
def test_a_broken_file_is_refused_beside_it_and_another_can_be_chosen(
    refusing: Watched, server: Served, content: str | bytes, words: str
) -> None:
    page = refusing.page
    create(page, server, game="gurps_3e")
    page.get_by_role("button", name="Go on to the combatants").click()
    choose_file(page, "crew.toml", content)

    assert words in problem(page, "File")
    bring(page)
    assert words in problem(page, "File")
    expect(page.get_by_text("There are none yet.")).to_be_visible()
    choose_file(page, "ash.toml", sheet_template(ruleset("gurps_3e"), "guard", "Ash"))
    expect(page.get_by_text("Ash", exact=True)).to_be_visible()
    bring(page)
    expect(page.get_by_text("Added: Ash.")).to_be_visible()


# ------------------------------------------------------------------------------------------------ for all, in secret


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_no_fault_and_nothing_is_pushed_out_of_sight(browser: Browser, server: Served, width: int) -> None:
    with watched(browser, viewport={"width": width, "height": 740}) as shown:
        page = shown.page

        def check() -> None:
            assert faults(page) == []
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width

        begin(page, server)
        check()
        page.get_by_text(re.compile("rules? differ")).click()
        check()
        long = "x" * 150
        create(page, server, game="gurps_3e", title=long, players=f"kira\n{long}")
        check()
        page.get_by_role("button", name="QR code of kira").click()
        expect(page.get_by_role("img", name="QR code of the link of kira")).to_be_visible()
        page.get_by_role("button", name="Revoke the links of kira").click()
        check()
        page.get_by_role("button", name="Go on to the combatants").click()
        bring(page, Name=long, Side=long)
        expect(page.get_by_text("Added:")).to_be_visible()
        bring(page, How_many="0")
        expect(page.get_by_label("How many")).to_be_focused()
        check()
        page.get_by_label("Sheet").select_option("a file of this device…")
        check()


def test_all_is_done_by_the_keyboard_alone(shown: Watched, server: Served) -> None:
    page = shown.page
    page.goto(f"{server.url}/#token={quote(host_token(server))}")
    reach(page, "New fight")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title")).to_be_visible()
    reach(page, "Title")
    page.keyboard.type("By keys")
    reach(page, "Players")
    page.keyboard.type("kira")
    reach(page, "Create the fight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    reach(page, "QR code of kira")
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="QR code of the link of kira")).to_be_visible()
    reach(page, "Go on to the combatants")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Sheet").locator("option").nth(1)).to_be_attached()
    reach(page, "Name")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Added: Ann.")).to_be_visible()


def reach(page: Page, name: str) -> None:
    """Presses Tab until the control of that name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const one = document.activeElement; return one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent.trim(); }"
        )
        if found == name:
            return
    raise AssertionError(name)


HOSTILE = "<img src=x onerror=alert(1)>"


def test_names_are_texts_whatever_they_are(shown: Watched, server: Served) -> None:
    page = shown.page
    create(page, server, title=HOSTILE, players=HOSTILE)
    expect(page.get_by_role("heading", name=HOSTILE, exact=True)).to_be_visible()
    page.get_by_role("button", name="Go on to the combatants").click()
    bring(page, Name=HOSTILE, Side=HOSTILE)
    expect(page.get_by_text(f"Added: {HOSTILE}.")).to_be_visible()
    assert page.locator("img, main script").count() == 0
