"""The drawing of health has a sign for each wound, fall and correction, and a band for each undone stretch; as words, too."""

from browsing.chromium import Watched
from browsing.opening import imported, opened, played, press, seated
from playwright.sync_api import expect
from server.processes import Served

from ledger.commands import Join
from replays.client import Founded, Host
from replays.corrections.change import Change

SHEET = {"st": 10, "dx": 10, "iq": 10, "ht": 10}


def corrected(host: Host) -> Founded:
    """Returns a fight with wounds, falls, an undone stretch, and an entry that was corrected."""
    founded = imported(host, played("street-fight"))
    session = founded.gamemaster()
    session.amend("r1/razor/a2/attack/to-hit", Change(set={"faces": [5, 5, 3, 4]}), why="rain")
    return founded


def test_wounds_falls_corrections_and_undone_stretches_are_drawn_and_named(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = corrected(host)
    outline = founded.gamemaster().outline()
    page = opened(shown, seated(server, founded))
    assert outline.marks
    assert outline.corrected
    assert outline.undone

    plot = page.locator(".graphs .plot")
    titles = plot.locator(".sign").evaluate_all("(all) => all.map((each) => each.title)")
    drawn = [each for each in outline.marks if each.kind != "up"]
    assert {f"Entry {each.entry}: {each.words}" for each in drawn} >= set(titles) - {
        each for each in titles if "corrected" in each
    }
    assert plot.locator(".sign.wound").count() + plot.locator(".sign.down").count() >= 2
    expect(plot.locator(".sign.correction")).to_have_count(len(outline.corrected))
    assert f"Entry {outline.corrected[0].entry} was corrected by entry {outline.corrected[0].by}: rain" in titles
    expect(plot.locator("rect.undone")).to_have_count(len(outline.undone))
    page.keyboard.press("u")
    expect(page.locator("li.corrected .sign")).to_have_count(len(outline.corrected))

    page.get_by_text("Figures").click()
    words = page.locator(".graphs details")
    for mark in outline.marks:
        expect(words).to_contain_text(f"entry {mark.entry}: {mark.words}")
    expect(words).to_contain_text(f"entry {outline.corrected[0].entry} by entry {outline.corrected[0].by}: rain")
    expect(words).to_contain_text(
        f"entries {outline.undone[0].first} to {outline.undone[0].last}: {outline.undone[0].why}"
    )


def test_the_line_of_now_follows_the_entry(shown: Watched, server: Served, host: Host) -> None:
    page = opened(shown, seated(server, imported(host, played("street-fight")), at=1))
    place = page.locator(".plot line.now")
    first = float(place.get_attribute("x1") or 0)

    press(page, "End", 45)

    assert float(place.get_attribute("x1") or 0) > first + 100


def test_more_than_four_have_a_small_drawing_each(shown: Watched, server: Served, host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", title="A brawl")
    for number in range(5):
        founded.gamemaster().perform(Join(f"brawler-{number}", SHEET))

    page = opened(shown, seated(server, founded))

    expect(page.locator(".graphs.several figure")).to_have_count(5)
    assert page.locator(".graphs.several svg path.line").count() >= 5
