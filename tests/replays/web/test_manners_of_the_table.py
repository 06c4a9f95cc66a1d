"""Console, phone and screen are usable by all: axe, keyboard, what a screen reader gets, hostile names, no other host."""

from collections.abc import Iterator
from urllib.parse import urlparse

import pytest
from browsing.accessible import faults
from browsing.chromium import Watched, watched
from browsing.fights import Fight
from browsing.seats import PHONE
from playwright.sync_api import Browser, expect
from server.processes import Served

from replays.client import Host

HOSTILE = '<script>alert("x")</script> \u200f\u05d0\u05d1 &lt;b&gt; ' + "W" * 40


@pytest.fixture
def still(browser: Browser) -> Iterator[Watched]:
    """Yields a page on which nothing moves."""
    with watched(browser, reduced_motion="reduce") as page:
        yield page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Watched]:
    """Yields a phone on which nothing moves."""
    with watched(browser, reduced_motion="reduce", **PHONE) as page:
        yield page


def test_axe_finds_no_fault_in_the_console(still: Watched, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    page = still.page
    page.goto(fight.address("gm"))
    expect(page.locator(".ask.choice")).to_be_visible()
    assert faults(page) == []

    for each in page.locator("details").all():
        each.evaluate("(details) => (details.open = true)")
    page.locator(".line input").fill("attack th")
    expect(page.locator("#offered li").first).to_be_visible()
    assert faults(page) == []

    page.locator(".line input").fill("")
    page.locator(".tracker .number").first.click()
    expect(page.locator(".drawer .reason")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")

    page.locator(".line input").fill("dispute 8")
    page.keyboard.press("Enter")
    expect(page.locator(".pending input")).to_be_focused()
    assert faults(page) == []
    page.locator(".pending input").fill("it was dark")
    page.keyboard.press("Enter")
    expect(page.locator(".inbox")).to_be_visible()
    page.locator(".line input").fill("amend 8 was 1 1 1 1 1 1 1 1 1")
    page.keyboard.press("Enter")
    expect(page.locator(".pending h3")).to_have_text("why")
    page.locator(".pending input").fill("they were misread")
    page.keyboard.press("Enter")
    expect(page.locator(".flips")).to_be_visible()
    assert faults(page) == []


def test_axe_finds_no_fault_on_a_phone_nor_on_the_screen(phone: Watched, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    page = phone.page
    page.goto(fight.address("ann"))
    expect(page.locator(".ask.choice")).to_be_visible()
    for each in page.locator("details").all():
        each.evaluate("(details) => (details.open = true)")
    expect(page.locator(".sheet dl").first).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.goto("about:blank")
    page.goto(fight.address("gm", "screen"))
    expect(page.locator(".screen .order li").first).to_be_visible()
    assert faults(page) == []


def test_what_a_screen_reader_gets_of_a_phone(phone: Watched, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    page = phone.page
    page.goto(fight.address("ann"))

    expect(page.locator("main")).to_match_aria_snapshot("""
      - main:
        - region "You are asked":
          - alert:
            - heading "You are asked" [level=2]
          - 'region /kade: a point of Edge/':
            - 'heading /kade: a point of Edge/ [level=3]'
            - list:
              - listitem:
                - button "keep it"
    """)


def test_a_turn_is_played_by_the_keyboard_alone(shown: Watched, server: Served, host: Host) -> None:
    fight = Fight(server, host, ("add kade=street-samurai thug=ganger", "begin", "~"))
    page = shown.page
    page.goto(fight.address("gm"))
    expect(page.locator(".waits-for")).to_be_visible()

    page.keyboard.press("/")
    expect(page.locator(".line input")).to_be_focused()
    page.keyboard.type("und")
    expect(page.locator("#offered")).to_contain_text("undo")
    page.keyboard.press("Tab")
    expect(page.locator(".line input")).to_have_value("undo ")
    expect(page.locator(".understood")).to_contain_text("undoes the last line")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Escape")
    page.keyboard.type("note the door opens")
    page.keyboard.press("Enter")
    expect(page.locator(".now .happened").last).to_have_text("Note: the door opens")
    expect(page.locator(".line input")).to_be_focused()

    page.keyboard.press("Shift+Tab")  # the way back through what is asked
    assert page.evaluate("document.activeElement.closest('.waits-for') !== null")


def test_names_are_texts_and_push_nothing_out_of_sight(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host, (f"add street-samurai as '{HOSTILE}'@ann", "add thug=ganger", "begin"))
    with watched(browser, **PHONE) as phone:
        phone.page.goto(fight.address("ann"))
        expect(phone.page.get_by_role("heading", level=1)).to_contain_text("<script>")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    with watched(browser) as desk:
        desk.page.goto(fight.address("gm"))
        expect(desk.page.locator(".tracker")).to_contain_text("<script>")
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_nothing_is_asked_of_another_host(shown: Watched, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    for seat, view in (("gm", ""), ("ann", ""), ("gm", "screen"), ("gm", "setup"), ("gm", "study")):
        shown.page.goto("about:blank")
        shown.page.goto(fight.address(seat, view))
        expect(shown.page.locator("main h1, main h2, .screen h1").first).to_be_visible()

    hosts = {urlparse(each).netloc for each in shown.addresses if each.startswith("http")}
    assert hosts == {urlparse(server.url).netloc}
    assert not [each for each in shown.addresses if "token=" in urlparse(each).query]
