"""Chances over time in the theatre: asked for only once opened, one after another, drawn with bands, and the same as a table."""

import re
from pathlib import Path

from browsing.accessible import faults
from browsing.chromium import Watched
from browsing.opening import entry, imported, opened, played, seated
from client.brawl import SHEET
from playwright.sync_api import Page, Route, expect
from server.processes import Served

from ledger.commands import BeginCombat, DrawDice, EndCombat, Join, TypeDice
from replays.api.session import Session
from replays.client import Host

SLOW = 90_000
"""Milliseconds for the estimates of a whole fight on a busy machine."""


def boundaries(session: Session) -> list[int]:
    """Returns the entries of a fight without undone ones after which the page asks for chances."""
    return sorted({*(each.entry for each in session.outline().turns), session.log.last})


def asked(shown: Watched) -> list[int]:
    return [int(found[1]) for found in (re.search(r"/chances\?at=(\d+)$", each) for each in shown.addresses) if found]


def unfold(page: Page) -> None:
    page.get_by_text("Chances of standing at the end", exact=True).click()


def computed(page: Page, session: Session) -> None:
    """Unfolds the chances of a fight, and waits until all of them are there."""
    unfold(page)
    rows = page.get_by_role("region", name="Chances", exact=True).locator("tbody tr")
    expect(rows).to_have_count(len(boundaries(session)), timeout=SLOW)


def table_of(page: Page) -> list[list[str]]:
    chances = page.get_by_role("region", name="Chances", exact=True)
    chances.get_by_text("Figures, and how").click()
    rows = chances.get_by_role("row")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def test_nothing_is_asked_before_it_is_opened_and_then_each_turn_once_in_order(
    shown: Watched, server: Served, host: Host
) -> None:
    session = played("stoya")
    page = opened(shown, seated(server, imported(host, session)))
    page.keyboard.press("Home")
    assert asked(shown) == []

    computed(page, session)

    chances = page.get_by_role("region", name="Chances", exact=True)
    expect(chances.get_by_text("Playing on from turn")).to_have_count(0)
    assert asked(shown) == boundaries(session)
    unfold(page)
    unfold(page)
    expect(chances.locator("svg .band")).to_have_count(2)
    assert asked(shown) == boundaries(session), "what is known is not asked for again"


def test_the_figures_are_those_of_the_server_and_lead_to_their_entries(
    shown: Watched, server: Served, host: Host
) -> None:
    session = played("stoya")
    founded = imported(host, session)
    page = opened(shown, seated(server, founded))
    computed(page, session)
    chances = page.get_by_role("region", name="Chances", exact=True)

    head, *rows = table_of(page)

    assert [int(row[0]) for row in rows] == boundaries(session)
    remote = founded.gamemaster()
    for row in rows:
        found = remote.chances(int(row[0]))
        assert head[1:-1] == [each.name for each in found.combatants]
        for cell, each in zip(row[1:], found.combatants, strict=False):
            assert cell.startswith(f"{int(100 * each.chance + 0.5)} %")
    assert rows[-1][1:] == ["0 %", "100 %", "none: it is over"]
    assert chances.locator("svg path.line").count() == chances.locator("svg path.band").count() == 2
    chances.get_by_role("row").nth(1).get_by_role("button").click()
    expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {rows[0][0]}")


def test_the_page_goes_on_while_they_are_computed(shown: Watched, server: Served, host: Host) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight"))))
    unfold(page)
    expect(page.get_by_text("Playing on from turn")).to_be_visible()

    page.keyboard.press("Home")

    expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 1")
    assert entry(page) == 1


def test_closing_it_stops_what_is_still_to_be_asked(shown: Watched, server: Served, host: Host) -> None:
    session = played("street-fight")
    page = opened(shown, seated(server, imported(host, session)))
    held: list[Route] = []
    page.route(re.compile(r"/chances\?"), lambda route: held.append(route))  # noqa: PLW0108  it needs an attribute
    unfold(page)
    expect(page.get_by_text("Playing on from turn 1 of")).to_be_visible()
    unfold(page)
    page.wait_for_timeout(500)
    assert asked(shown) == boundaries(session)[:1]
    assert len(held) == 1


def test_what_is_hidden_is_refused_in_words(shown: Watched, server: Served, host: Host) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET, sheet_seen_by=()))
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(DrawDice(rest.key))
    page = opened(shown, seated(server, imported(host, session), "spectator"))
    unfold(page)
    refused = page.get_by_role("region", name="Chances", exact=True).get_by_role("status")
    expect(refused).to_contain_text("hidden from you", timeout=SLOW)
    shown.errors.clear()  # the browser reports the refusals of the server


def test_without_a_turn_there_is_nothing_to_open(shown: Watched, server: Served, host: Host) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    page = opened(shown, seated(server, imported(host, session)))
    expect(page.get_by_text("Chances of standing at the end")).to_have_count(0)


def test_a_fight_that_goes_on_is_estimated_on(shown: Watched, server: Served, host: Host) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(BeginCombat())
    for rest, face in zip(session.rests, (87, 12), strict=True):
        session.perform(TypeDice(rest.key, (face,)))
    founded = imported(host, session)
    remote = founded.gamemaster()
    page = opened(shown, seated(server, founded))
    unfold(page)
    chances = page.get_by_role("region", name="Chances", exact=True)
    expect(chances.locator("svg .band")).to_have_count(2, timeout=SLOW)
    remote.perform(EndCombat("they talk"))
    expect(chances.get_by_text("Figures, and how")).to_be_visible()
    chances.get_by_text("Figures, and how").click()
    expect(chances.get_by_text("none: it is over")).to_have_count(1, timeout=SLOW)


def test_axe_finds_no_fault_in_it(shown: Watched, server: Served, host: Host) -> None:
    session = played("stoya")
    page = opened(shown, seated(server, imported(host, session)))
    computed(page, session)
    table_of(page)
    assert faults(page) == []


def test_a_file_that_is_saved_from_the_page_has_what_was_computed(
    shown: Watched, server: Served, host: Host, tmp_path: Path
) -> None:
    session = played("stoya")
    page = opened(shown, seated(server, imported(host, session)))
    computed(page, session)
    figures = table_of(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    path = tmp_path / "fight.html"
    download.value.save_as(path)
    shown.context.set_offline(True)

    page.goto(path.as_uri())

    unfold(page)
    expect(page.locator(".chances .plot").first).to_be_visible()
    assert table_of(page) == figures


def test_a_file_that_is_saved_without_them_has_none(shown: Watched, tmp_path: Path) -> None:
    path = tmp_path / "fight.html"
    path.write_bytes(played("stoya").replay_page())
    shown.context.set_offline(True)
    shown.page.goto(path.as_uri())
    shown.page.wait_for_selector(".tracker caption")
    expect(shown.page.get_by_role("region", name="Health")).to_be_visible()
    expect(shown.page.get_by_text("Chances of standing")).to_have_count(0)
