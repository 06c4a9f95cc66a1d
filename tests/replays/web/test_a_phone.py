"""A player's phone survives sleep, a reload and a change of network; several pages of a fight show the same."""

from contextlib import ExitStack

from browsing.chromium import watched
from browsing.fights import Fight
from browsing.seats import PHONE, seat
from playwright.sync_api import Browser, expect
from server.processes import Served

from replays.client import Host

_SLEEP = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_what_happened_while_the_phone_slept_is_shown_since_you_looked(
    browser: Browser, server: Served, host: Host
) -> None:
    fight = Fight(server, host)
    with seat(browser, fight.address("ann"), **PHONE) as ann:
        news = ann.page.locator(".news li")
        expect(ann.page.locator(".news h2")).to_contain_text("(0)")
        ann.page.evaluate(_SLEEP, "hidden")
        fight.play("note the door opens", "note it is dark inside")

        ann.page.evaluate(_SLEEP, "visible")
        expect(news).to_have_count(2)
        expect(news.last).to_contain_text("the door opens")
        ann.reload()  # what was not seen is still there
        expect(news).to_have_count(2)
        ann.page.get_by_role("button", name="Seen").click()
        expect(news).to_have_count(0)


def test_a_line_that_is_sent_without_a_network_is_kept_and_nothing_is_lost(
    browser: Browser, server: Served, host: Host
) -> None:
    fight = Fight(server, host, ("add kade=street-samurai@ann mara=mage@ben", "begin"))
    with seat(browser, fight.address("ann"), **PHONE) as ann:
        ann.waits()
        ann.shown.context.set_offline(True)
        field = ann.page.locator(".ask.roll input").first
        field.fill("5 5 5 6 6 1 2 3 4")
        field.press("Enter")
        fight.play("mara 5 5 6 1 1 2 2")
        ann.shown.context.set_offline(False)

        expect(ann.asked.first).to_contain_text("a point of Edge")
        entries = [each for each in fight.entries() if "Kade rolls" in " ".join(each)]
        assert len(entries) == 1  # it was sent until it was answered, and written once
        expect(ann.page.locator(".live")).to_have_text("live ●")


def test_faces_that_are_refused_stay_in_the_field_with_the_reason(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host, ("add kade=street-samurai@ann thug=ganger", "begin"))
    with seat(browser, fight.address("ann"), **PHONE) as ann:
        field = ann.page.locator(".ask.roll input").first
        field.fill("5 5 7")
        field.press("Enter")

        expect(ann.page.locator(".notice.bad")).to_contain_text("9d6 takes 9 face(s), 3 were given")
        expect(field).to_have_value("5 5 7")
        ann.page.locator(".notice.bad").get_by_role("button", name="Close").click()
        expect(ann.page.locator(".notice.bad")).to_have_count(0)


def test_faces_that_were_typed_outlast_a_look_at_the_replay(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host, ("add kade=street-samurai@ann thug=ganger", "begin"))
    with seat(browser, fight.address("ann"), **PHONE) as ann:
        field = ann.page.locator(".ask.roll input").first
        field.fill("5 5 5")
        ann.page.get_by_role("button", name="Log and replay").click()
        ann.page.wait_for_selector(".log")
        ann.page.get_by_role("button", name="Back to the table").click()
        expect(field).to_have_value("5 5 5")


def test_two_pages_of_one_seat_agree(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    with seat(browser, fight.address("ann"), **PHONE) as one, seat(browser, fight.address("ann")) as other:
        other.waits()
        one.choose("keep it")

        expect(other.page.locator(".waits-for")).to_contain_text("Nothing is asked of you now")
        expect(other.page.locator(".notice.bad")).to_have_count(0)


def test_eight_pages_of_one_fight_show_the_same(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    seats = [("gm", ""), ("gm", "screen"), ("gm", "replay"), ("ann", ""), ("ann", "replay"), ("ben", ""), ("ben", "")]
    with ExitStack() as stack:
        pages = [stack.enter_context(watched(browser)).page for _ in (*seats, 0)]
        for page, (name, view) in zip(pages, [*seats, ("spectator", "")], strict=True):
            page.goto(fight.address(name, view))
        for page in pages:
            expect(page.get_by_text("Mara rolls 5 5 6").or_(page.get_by_text("kade").first).first).to_be_visible()

        fight.play("kade: 1", "mara: 1", "note the lamp goes out")
        for page in pages:
            expect(page.get_by_text("the lamp goes out").first).to_be_attached()


def test_five_tabs_of_one_browser_stay_live_together(browser: Browser, server: Served, host: Host) -> None:
    fight = Fight(server, host)
    seats = [("gm", "console"), ("gm", "screen"), ("gm", "replay"), ("ann", ""), ("ben", "")]
    with watched(browser) as gamemaster:  # its tabs share the few connections that a browser opens to one host
        tabs = [gamemaster.page, *(gamemaster.open() for _ in seats[1:])]
        for tab, (name, view) in zip(tabs, seats, strict=True):
            tab.goto(fight.address(name, view))
            expect(tab.get_by_text("Mara rolls 5 5 6").or_(tab.get_by_text("kade").first).first).to_be_visible()

        tabs[0].get_by_role("combobox", name="Line").fill("note the lamp goes out")
        tabs[0].get_by_role("combobox", name="Line").press("Enter")
        for tab in tabs:
            expect(tab.get_by_text("the lamp goes out").first).to_be_attached()


def test_a_gamemaster_who_leaves_the_screen_is_at_the_console_again(
    browser: Browser, server: Served, host: Host
) -> None:
    fight = Fight(server, host)
    with watched(browser) as gamemaster:
        page = gamemaster.page
        page.goto(fight.address("gm"))
        page.get_by_role("button", name="Screen").click()
        expect(page.locator(".screen .order li")).to_have_count(4)  # what a spectator sees: the hidden foe is not shown
        page.reload()
        expect(page.locator(".screen .order li")).to_have_count(4)

        page.get_by_role("button", name="Leave the screen").click()
        expect(page.locator(".tracker tbody tr")).to_have_count(5)
        page.get_by_role("combobox", name="Line").fill("note the lamp goes out")
        page.get_by_role("combobox", name="Line").press("Enter")
        expect(page.get_by_text("the lamp goes out").first).to_be_attached()
