"""The page is usable by all: without a fault that axe finds, by keyboard, under a strict policy, with hostile names, cut off."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing.accessible import faults
from browsing.chromium import Watched, watched
from browsing.opening import entry, imported, opened, played, press, seated
from client.brawl import host_token
from playwright.sync_api import Browser, expect
from server.processes import Served, served

from ledger.commands import Join, Note
from replays.client import Host

SHEET = {"st": 10, "dx": 10, "iq": 10, "ht": 10}
HOSTILE = (
    '<script>alert("x")</script>',
    "\u200f\u05d0\u05d1\u05d2\u200e",
    "&lt;b&gt;",
    "${1}`",
    "</script><img src=x onerror=alert(1)>",
)


@pytest.fixture
def still(browser: Browser) -> Iterator[Watched]:
    """Yields a page on which nothing moves."""
    with watched(browser, reduced_motion="reduce") as page:
        yield page


def test_axe_finds_no_fault_in_any_view(still: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("stoya"))
    page = still.page
    page.goto(f"{server.url}/")
    expect(page.get_by_label("Token")).to_be_visible()
    assert faults(page) == []

    page.goto("about:blank")
    page.goto(f"{server.url}/#token={quote(host_token(server))}")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    expect(page.get_by_role("listitem").first).to_be_visible()
    assert faults(page) == []

    opened(still, seated(server, founded, at=16))
    assert faults(page) == []
    shown = {"w": ".drawer .reason", "r": ".drawer tbody th", "/": ".drawer input", "u": "li.fold"}
    for key, there in shown.items():
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        expect(page.locator(there).first).to_be_visible()
        assert faults(page) == [], key
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_text("Figures").click()
    assert faults(page) == []


def test_axe_finds_no_fault_on_a_phone_and_with_many_combatants(browser: Browser, server: Served, host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", title="A brawl", players=["kira"])
    session = founded.gamemaster()
    for number in range(6):
        session.perform(Join(f"brawler-{number}", SHEET, player="kira" if number == 1 else "gm"))
    with watched(browser, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True) as phone:
        page = opened(phone, seated(server, founded))
        expect(page.locator(".graphs figure")).to_have_count(6)
        assert faults(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        for key in ("w", "/", "r"):
            page.keyboard.press(key)
            page.wait_for_timeout(300)
            assert page.evaluate(_SMALL) == [], key


_SMALL = """() => [...document.querySelectorAll("button, select, summary")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  return each.checkVisibility() && (width < 44 || height < 44);
}).map((each) => each.outerHTML.slice(0, 80))"""
"""What a finger misses."""


def test_what_a_screen_reader_gets(shown: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("stray-burst"))
    page = opened(shown, seated(server, founded, at=6))

    expect(page.locator(".tracker")).to_match_aria_snapshot("""
      - region "Tracker":
        - table "As it stood after entry 6":
          - caption
          - rowgroup:
            - row "Combatant Initiative Health State"
          - rowgroup:
            - row /Varga/:
              - rowheader /Varga/
              - cell:
                - button /Varga, initiative \\d+/
              - cell:
                - button /Varga, hit points 0 of \\d+/
    """)
    expect(page.get_by_role("group", name="Move through the record")).to_match_aria_snapshot("""
      - group "Move through the record":
        - button "First entry"
        - button "Attack before"
        - button "Entry before"
        - button "Play"
        - button "Next entry"
        - button "Next attack"
        - button "Last entry"
    """)
    expect(page.get_by_role("region", name="Log")).to_match_aria_snapshot("""
      - region "Log":
        - heading "Log to here" [level=2]
        - list:
          - listitem:
            - button /^1 A burst across the square/
    """)
    page.keyboard.press("w")
    expect(page.get_by_role("complementary")).to_match_aria_snapshot("""
      - complementary "Why, as of entry 6":
        - heading "Why, as of entry 6" [level=2]
        - button "Close"
    """)
    page.keyboard.press("Escape")
    slider = page.get_by_role("slider", name="Entry")
    assert re.match(r"Entry 6 of 18\. .+", slider.get_attribute("aria-valuetext") or "")
    press(page, "ArrowRight", 7)
    expect(page.get_by_role("status").last).to_have_text(re.compile(r"^Entry 7: .+"))
    expect(page.locator("[aria-current=step]")).to_have_count(1)
    expect(page.get_by_role("img", name=re.compile("^Health of "))).to_have_count(1)
    page.get_by_text("Figures").click()
    expect(page.get_by_role("table").first).to_contain_text("of")


def test_all_is_reached_by_the_keyboard_alone(shown: Watched, server: Served, host: Host) -> None:
    imported(host, played("jinx"))
    page = shown.page
    page.goto(f"{server.url}/#token={quote(host_token(server))}")
    first = page.locator(".sessions .title").first
    expect(first).to_be_visible()

    for _ in range(10):
        page.keyboard.press("Tab")
        if first.evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")

    page.wait_for_selector(".waits-for")
    replay = page.get_by_role("button", name="Replay", exact=True)
    for _ in range(120):
        page.keyboard.press("Tab")
        if replay.evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")

    page.wait_for_selector(".theatre .tracker caption")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
            )
        )
    assert {
        "First entry",
        "Play",
        "Next attack",
        "Search",
        "Why",
        "Share moment",
        "Print",
        "Save",
        "Keys",
        "Entry",
    } <= reached
    assert any("why?" in each for each in reached)


def test_the_policy_allows_nothing_unsafe_and_nothing_from_elsewhere(
    shown: Watched, server: Served, host: Host
) -> None:
    founded = imported(host, played("jinx"))
    answers: dict[str, str] = {}
    shown.page.on(
        "response", lambda answer: answers.setdefault(answer.url, answer.headers.get("content-security-policy", ""))
    )

    page = opened(shown, seated(server, founded))
    page.keyboard.press("w")
    expect(page.locator(".drawer")).to_be_visible()

    (policy,) = {each for url, each in answers.items() if url.partition("#")[0].rstrip("/") == server.url}
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "data:" not in policy
    manifest = shown.page.request.get(page.locator("link[rel=manifest]").evaluate("(link) => link.href"))
    assert (manifest.headers["content-type"], manifest.json()["start_url"]) == (
        "application/manifest+json; charset=utf-8",
        "/",
    )
    assert all(url.startswith(server.url) for url in (*answers, *shown.addresses))
    assert (
        page.evaluate(
            "() => document.querySelectorAll('[style]:not([style*=\"%\"]):not([style*=height]), script:not([src])').length"
        )
        == 0
    )


def test_names_are_texts_whatever_they_are(shown: Watched, server: Served, host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", title=HOSTILE[0], players=["kira"])
    session = founded.gamemaster()
    for number, name in enumerate(HOSTILE):
        session.perform(Join(f"one-{number}", SHEET, name=name))
    session.perform(Note(HOSTILE[-1]))
    page = opened(shown, seated(server, founded))

    assert page.get_by_role("heading", level=1).inner_text() == HOSTILE[0]
    names = page.locator(".tracker tbody th").all_text_contents()
    assert all(any(name in each for each in names) for name in HOSTILE)
    assert page.locator("img, .theatre script").count() == 0
    expect(page.locator("ol.log li").last).to_contain_text(HOSTILE[-1])
    page.keyboard.press("/")
    page.keyboard.type("<script>")
    expect(page.locator(".drawer ol.log li").first).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{server.url}/#token={quote(host_token(server))}")
    expect(page.locator(".sessions .title", has_text="<script>").first).to_be_visible()


def test_a_wrong_token_is_refused_in_words_and_another_can_be_given(
    browser: Browser, server: Served, host: Host
) -> None:
    founded = imported(host, played("jinx"))
    with watched(browser) as shown:
        page = shown.page
        page.goto(f"{server.url}/#token=nonsense")
        expect(page.get_by_role("alert")).to_contain_text("token")
        assert "nonsense" not in page.url
        page.get_by_label("Token").fill(founded.tokens[0].token)
        page.get_by_role("button", name="Open").click()
        page.wait_for_selector(".tracker caption")
        shown.errors.clear()  # the browser reports the status of the refusal


def test_a_whole_link_can_be_given_as_token(shown: Watched, server: Served, host: Host) -> None:
    founded = imported(host, played("jinx"))
    shown.page.goto(f"{server.url}/")

    shown.page.get_by_label("Token").fill(seated(server, founded))
    shown.page.get_by_role("button", name="Open").click()

    shown.page.wait_for_selector(".tracker caption")


def test_a_session_that_is_deleted_or_a_token_that_is_revoked_ends_the_feed_in_words(
    browser: Browser, server: Served, host: Host
) -> None:
    gone, closed = imported(host, played("jinx")), imported(host, played("jinx"))
    with watched(browser) as shown:
        page = opened(shown, seated(server, gone))
        host.delete_session(gone.id, "a test", None)
        expect(page.get_by_role("alert")).to_contain_text("session/deleted", timeout=30_000)
        expect(page.get_by_text("The connection is cut.")).to_have_count(0)
        press(page, "Home", 1)  # what is loaded can still be read

        page = opened(shown, seated(server, closed))
        with server.client(headers=server.host) as client:
            client.delete(f"/v1/sessions/{closed.id}/tokens/{closed.tokens[0].id}").raise_for_status()
        expect(page.get_by_role("alert")).to_contain_text("token/revoked", timeout=30_000)
        page.get_by_role("button", name="Give another token").click()
        expect(page.get_by_label("Token")).to_be_visible()
        shown.errors.clear()  # the browser reports the status of the refusals


LONG = "x" * 190


@pytest.mark.parametrize("width", [360, 1024, 1920])
def test_long_names_and_titles_push_nothing_out_of_sight(
    browser: Browser, server: Served, host: Host, width: int
) -> None:
    founded = host.create_session(ruleset="gurps_3e", title=LONG)
    session = founded.gamemaster()
    session.perform(Join("one", SHEET, name="L" * 190))
    session.perform(Note(LONG))
    with watched(browser, viewport={"width": width, "height": 740}) as shown:
        page = opened(shown, seated(server, founded))
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.locator(".tracker").evaluate("(each) => each.scrollWidth - each.clientWidth") <= 1
        heads = page.locator(".tracker thead th").evaluate_all(
            "(all) => all.map((each) => each.getClientRects().length && each.offsetHeight)"
        )
        assert max(heads) < 40, "a heading is broken into two lines"
        page.goto("about:blank")
        page.goto(f"{server.url}/#token={quote(host_token(server))}")
        expect(page.get_by_role("listitem").first).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_nothing_of_the_tracker_is_cut_and_a_phone_begins_at_the_top(
    browser: Browser, server: Served, host: Host
) -> None:
    founded = imported(host, played("street-fight"))
    for width, height in ((1024, 768), (1280, 800), (360, 740), (512, 384)):
        with watched(browser, viewport={"width": width, "height": height}) as shown:
            page = opened(shown, seated(server, founded))
            page.wait_for_timeout(300)
            assert page.locator(".tracker").evaluate("(each) => each.scrollWidth - each.clientWidth") <= 1
            assert page.evaluate("() => window.scrollY") == 0


def test_a_name_from_right_to_left_turns_nothing_around_it(shown: Watched, server: Served, host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", title="Names")
    session = founded.gamemaster()
    session.perform(Join("one", SHEET, name="\u05e9\u05dc\u05d5\u05dd"))
    page = opened(shown, seated(server, founded))

    assert page.locator("ol.log bdi").all_inner_texts() == ["\u05e9\u05dc\u05d5\u05dd"]
    page.get_by_role("button", name="\u05e9\u05dc\u05d5\u05dd, hit points").click()
    expect(page.locator(".drawer h3 bdi").first).to_have_text("\u05e9\u05dc\u05d5\u05dd")


def test_a_killed_server_comes_back_without_a_gap_or_a_double(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as first:
        port = first.port
        with Host(first.url, host_token(first)) as host, watched(browser) as shown:
            founded = imported(host, played("stoya"))
            session = founded.gamemaster()
            page = opened(shown, seated(first, founded))
            first.kill()
            expect(page.get_by_text("The connection is cut.")).to_be_visible(timeout=60_000)
            with served(tmp_path, "--rate", "0", port=port) as again:
                for number in range(3):
                    session.perform(Note(f"note {number}"))
                expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 33", timeout=60_000)
                expect(page.get_by_text("The connection is cut.")).to_have_count(0)
                notes = page.locator("ol.log li", has_text="Note: note ").all_inner_texts()
                assert [each.split()[0] for each in notes] == ["31", "32", "33"]
                assert entry(page) == 33
                page.goto("about:blank")
                assert again.process.poll() is None
