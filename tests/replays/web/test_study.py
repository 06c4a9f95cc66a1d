"""What-if as a study: branches of branches, side by side, kept as amendments, forgotten, exported; nothing else is written."""

import json
from pathlib import Path
from typing import Any

import pytest
from browsing.accessible import faults
from browsing.chromium import Watched, watched
from browsing.opening import imported, opened, played, seated
from playwright.sync_api import Browser, Page, expect
from server.processes import Served

from ledger.commands import Note, TypeDice
from replays.client import Founded, Host
from replays.corrections.change import Change, EntryChange
from replays.exports.theatre.branch import BranchLine

MISSED, DODGED = Change(set={"faces": [3, 5]}), Change(set={"faces": [1, 2, 3, 4, 2]})
"""Slim rolls one hit, and misses; then Razor rolls none, and is hit."""


@pytest.fixture
def fight(host: Host) -> Founded:
    """Returns the street fight, of 45 entries, on the server."""
    return imported(host, played("street-fight"))


def studied(shown: Watched, address: str) -> Page:
    """Opens the study."""
    page = opened(shown, address)
    page.get_by_role("button", name="What if").click()
    page.wait_for_selector(".study-line li")
    return page


def choose(page: Page, seq: int) -> None:
    """Chooses an entry of the line that is shown."""
    page.locator(".study-entry", has=page.locator("i", has_text=f"{seq}")).first.click()
    expect(page.get_by_role("heading", name=f"What if entry {seq} were different?")).to_be_visible()


def branch(page: Page, seq: int, name: str, **fields: str) -> None:
    """Makes a branch on that which is shown."""
    choose(page, seq)
    for label, value in fields.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Name of the branch").fill(name)
    page.get_by_role("button", name="See what follows").click()
    expect(page.get_by_role("treeitem", name=name, selected=True)).to_be_visible()
    page.wait_for_selector(".study-sides")
    expect(page.get_by_role("heading", name=name)).to_be_focused()


def right(page: Page) -> list[str]:
    """Returns the entries of the line on the right."""
    return [" ".join(each.split()) for each in page.locator(".study-sides .study-entry").all_text_contents()]


def sentences(line: BranchLine) -> list[str]:
    return [f"{each.seq} {' '.join(each.narration)}" for each in line.steps]


# ------------------------------------------------------------------------------------------------ branches


def test_a_branch_shows_the_line_and_what_flips(shown: Watched, server: Served, fight: Founded) -> None:
    session = fight.gamemaster()
    page = studied(shown, seated(server, fight))
    assert [" ".join(each.split()) for each in page.locator(".study-line .study-entry").all_text_contents()] == [
        f"{step.seq} {' '.join(step.narration)}" for step in session.steps().steps
    ]

    branch(page, 21, "Slim misses", Faces="3 5")

    line = session.branch([EntryChange(21, MISSED)])
    assert line.report is not None
    assert right(page) == sentences(line)
    decided = [each for each in line.report.flips if each.after != "waits"]
    expect(page.locator(".study-main")).to_contain_text(f"{len(decided)} outcomes differ, ")
    expect(page.get_by_role("treeitem", name="Slim misses")).to_contain_text("6 of 69 dice kept, 1 to be thrown")
    expect(page.locator("tr.flips", has_text="attack: hit → miss")).to_have_count(1)
    expect(page.get_by_label("Razor: hit with smg")).to_be_visible()
    expect(page.get_by_role("row", name="Razor, stun")).to_contain_text("3 of 100 of 10")
    assert session.state().entries == 45


def test_a_branch_on_a_branch_is_compared_with_it_and_with_what_happened(
    shown: Watched, server: Served, fight: Founded
) -> None:
    session = fight.gamemaster()
    page = studied(shown, seated(server, fight))
    branch(page, 21, "Slim misses", Faces="3 5")
    defends = next(each for each in session.branch([EntryChange(21, MISSED)]).steps if each.recorded == 22)

    branch(page, defends.seq, "but Razor slips", Faces="1 2 3 4 2")

    changes = [EntryChange(21, MISSED), EntryChange(defends.seq, DODGED)]
    since = session.branch(changes, since=21)
    assert right(page) == sentences(since)
    expect(page.locator("thead th").first).to_have_text("Slim misses")
    expect(page.locator("tr.flips", has_text="attack: miss → hit")).to_have_count(1)
    page.get_by_label("Compare with").select_option("What happened")
    expect(page.locator(".study-sides thead th").first).to_have_text("What happened")
    expect(page.locator("tr.flips", has_text="attack: miss → hit")).to_have_count(0)
    assert page.get_by_role("treeitem").all_inner_texts()[2].startswith("but Razor slips")
    assert page.get_by_role("treeitem", name="but Razor slips").get_attribute("aria-level") == "3"
    assert session.state().entries == 45


def test_two_branches_of_different_entries_are_compared_from_the_earlier_one(
    shown: Watched, server: Served, fight: Founded
) -> None:
    page = studied(shown, seated(server, fight))
    branch(page, 39, "no sixes", Faces="1 1 1 1 1 1 1 1 1 1 1 1")
    page.get_by_role("treeitem", name="What happened").click()
    page.wait_for_selector(".study-line")
    choose(page, 10)
    page.get_by_label("It never happened").check()
    page.get_by_role("button", name="See what follows").click()
    expect(page.get_by_role("treeitem", name="it never happened", selected=True)).to_be_visible()

    page.get_by_label("Compare with").select_option("no sixes")

    expect(page.locator(".study-sides tbody tr td").first).to_contain_text("10 Razor declares: attack")
    expect(page.locator(".study-sides thead th").nth(1)).to_have_text("it never happened")


def test_a_declaration_has_the_fields_of_its_kind(shown: Watched, server: Served, fight: Founded) -> None:
    page = studied(shown, seated(server, fight))
    choose(page, 20)

    page.get_by_role("checkbox", name="target has partial cover").uncheck()
    page.get_by_role("checkbox", name="target has good cover").check()
    page.get_by_label("Another term").select_option("visibility")
    page.get_by_label("visibility").select_option("full darkness")
    page.get_by_label("Before it").select_option("an adjustment")
    page.get_by_label("who", exact=True).select_option("slim")
    page.get_by_label("what", exact=True).fill("wounds")
    page.get_by_label("value").fill("1")
    page.get_by_label("why").fill("a ricochet")
    page.get_by_role("button", name="See what follows").click()

    page.wait_for_selector(".study-sides")
    told = page.locator(".study-sides").inner_text()
    assert "target has good cover" in told
    assert "full darkness" in told
    assert "a ricochet" in told
    nodes = json.loads(page.evaluate("(id) => sessionStorage.getItem(`affray-study-${id}`)", fight.id))
    assert nodes[0]["change"] == {
        "set": {
            "terms.modifiers": ["attacker firing from cover", "target has good cover"],
            "terms.visibility": "full darkness",
        },
        "insert": [{"adjust": {"who": "slim", "what": "wounds", "value": 1, "why": "a ricochet"}}],
    }


def test_a_choice_offers_what_was_open(shown: Watched, server: Served, fight: Founded) -> None:
    page = studied(shown, seated(server, fight))
    choose(page, 12)

    options = page.get_by_label("Choice").locator("option").all_inner_texts()

    assert "pass" in options
    assert len(options) > 1


def test_a_branch_goes_on_with_the_missing_die_and_is_kept(browser: Browser, server: Served, fight: Founded) -> None:
    session = fight.gamemaster()
    key = "r1/razor/a3/attack/to-hit"
    with watched(browser) as shown:
        page = studied(shown, seated(server, fight))
        branch(page, 21, "Slim misses", Faces="3 5")
        waits = page.get_by_label("Razor: hit with smg")
        expect(page.locator(".study-answer small")).to_contain_text("5 5 2 3 4 2 3 4 2 3 lie already")
        waits.fill("7")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_contain_text("7")
        shown.errors.clear()  # the browser reports the status of the refusal

        waits.fill("6")
        page.get_by_role("button", name="Go on").click()

        line = session.branch([EntryChange(21, MISSED), EntryChange(then=(TypeDice(key, (6,)),))], since=21)
        expect(page.get_by_role("treeitem", name="Razor: 6", selected=True)).to_be_visible()
        page.wait_for_selector(".study-sides")
        assert right(page) == sentences(line)
        page.get_by_role("button", name="Keep as amendment").click()
        page.get_by_label("Why, for the record").fill("the video shows it")
        page.get_by_role("button", name="Write").click()
        expect(page.locator(".study-main")).to_contain_text("It stands, by entry")
        state = session.state()
        assert (state.entries, state.head, state.rests) == (line.state.entries, line.state.head, line.state.rests)
        assert state.combatants == line.state.combatants


# ------------------------------------------------------------------------------------------------ wrong input


@pytest.mark.parametrize(
    ("typed", "problem"), [("3", "2d6"), ("3 9", "9"), ("three", "expected"), ("5 6", "nothing is changed"), ("", "")]
)
def test_wrong_faces_are_refused_in_words_and_can_be_corrected(
    browser: Browser, server: Served, fight: Founded, typed: str, problem: str
) -> None:
    with watched(browser) as shown:
        page = studied(shown, seated(server, fight))
        choose(page, 21)
        page.get_by_label("Faces").fill(typed or "3")
        if not typed:
            page.get_by_label("Faces").fill("")
        page.get_by_role("button", name="See what follows").click()
        if typed == "5 6":
            expect(page.get_by_role("alert")).to_contain_text("Nothing is different yet.")
        else:
            expect(page.get_by_role("alert")).to_contain_text(problem, ignore_case=True)

        page.get_by_label("Faces").fill("3 5")
        page.get_by_role("button", name="See what follows").click()

        page.wait_for_selector(".study-sides")
        shown.errors.clear()  # the browser reports the status of the refusal


# ------------------------------------------------------------------------------------------------ keeping


def test_a_branch_on_a_branch_is_kept_as_two_amendments(shown: Watched, server: Served, fight: Founded) -> None:
    session = fight.gamemaster()
    page = studied(shown, seated(server, fight))
    branch(page, 21, "Slim misses", Faces="3 5")
    branch(page, 48, "but Razor slips", Faces="1 2 3 4 2")
    line = session.branch([EntryChange(21, MISSED), EntryChange(48, DODGED)])

    page.get_by_role("button", name="Keep as amendment").click()
    expect(page.get_by_role("heading", name="Keep “but Razor slips” as 2 amendments")).to_be_visible()
    expect(page.locator(".study-form")).to_contain_text("slim: attack at razor: hit → miss")
    page.get_by_role("button", name="Write").click()  # a reason is required
    assert session.state().entries == 45
    page.get_by_label("Why, for the record").fill("the video shows it")
    page.get_by_role("button", name="Write").click()

    expect(page.locator(".study-main")).to_contain_text(f"It stands, by entry {line.first}.")
    state = session.state()
    assert (state.entries, state.head) == (line.state.entries, line.state.head)
    assert state.combatants == line.state.combatants
    assert [each.why for each in session.outline().corrected] == ["the video shows it"] * 2
    expect(page.get_by_role("treeitem", name="Slim misses")).to_contain_text("amended by entry 46")
    expect(page.locator(".study-main button", has_text="Keep as amendment")).to_have_count(0)


def test_others_who_have_written_meanwhile_are_reported_and_the_numbers_follow(
    browser: Browser, server: Served, fight: Founded
) -> None:
    session = fight.gamemaster()
    with watched(browser) as shown:
        page = studied(shown, seated(server, fight))
        branch(page, 21, "Slim misses", Faces="3 5")
        branch(page, 48, "but Razor slips", Faces="1 2 3 4 2")
        session.perform(Note("rain"))

        page.get_by_role("button", name="Keep as amendment").click()
        expect(page.locator(".study-form")).to_contain_text("Others have written meanwhile.")
        session.perform(Note("more rain"))  # after the preview
        page.get_by_label("Why, for the record").fill("the video shows it")
        page.get_by_role("button", name="Write").click()
        expect(page.get_by_role("alert")).to_contain_text("log/stale")
        assert session.state().entries == 47
        page.get_by_role("button", name="Write").click()

        expect(page.locator(".study-main")).to_contain_text("It stands, by entry")
        corrected = [(each.entry, each.by) for each in session.outline().corrected]
        assert [corrected[0], corrected[1][0]] == [(21, 48), 50]
        assert any("more rain" in each for step in session.steps(45, 2).steps for each in step.narration)
        shown.errors.clear()  # the browser reports the status of the refusal


# ------------------------------------------------------------------------------------------------ the tab's memory


def test_a_study_is_forgotten_brought_back_and_survives_a_reload(
    shown: Watched, server: Served, fight: Founded
) -> None:
    page = studied(shown, seated(server, fight))
    branch(page, 21, "Slim misses", Faces="3 5")
    branch(page, 48, "but Razor slips", Faces="1 2 3 4 2")
    page.get_by_role("treeitem", name="Slim misses").click()
    page.wait_for_selector(".study-sides")

    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("treeitem")).to_have_count(1)
    page.get_by_role("button", name="Bring it back").click()
    expect(page.get_by_role("treeitem")).to_have_count(3)
    page.reload()
    page.wait_for_selector(".tracker caption")
    page.get_by_role("button", name="What if").click()

    expect(page.get_by_role("treeitem")).to_have_count(3)
    page.get_by_role("treeitem", name="but Razor slips").click()
    expect(page.locator("tr.flips", has_text="attack: miss → hit")).to_have_count(1)
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("treeitem")).to_have_count(2)
    assert fight.gamemaster().state().entries == 45


def test_what_the_tab_keeps_may_be_nonsense(shown: Watched, server: Served, fight: Founded) -> None:
    page = opened(shown, seated(server, fight))
    for kept in ("{", "7", '{"a": 1}', "[null, 3, {}]"):
        page.evaluate("([id, kept]) => sessionStorage.setItem(`affray-study-${id}`, kept)", [fight.id, kept])
        page.get_by_role("button", name="What if").click()
        page.wait_for_selector(".study-line li")
        expect(page.get_by_role("treeitem")).to_have_count(1)
        page.get_by_role("button", name="Back to the record").click()


def test_a_study_is_exported(shown: Watched, server: Served, fight: Founded) -> None:
    page = studied(shown, seated(server, fight))
    branch(page, 21, "Slim misses", Faces="3 5")

    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()

    found: dict[str, Any] = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert download.value.suggested_filename == f"{fight.id}-study.json"
    assert (found["session"], [each["name"] for each in found["branches"]]) == (fight.id, ["Slim misses"])
    assert found["branches"][0]["change"] == {"set": {"faces": [3, 5]}}


# ------------------------------------------------------------------------------------------------ manners


def test_the_keyboard_alone_is_enough(shown: Watched, server: Served, fight: Founded) -> None:
    page = studied(shown, seated(server, fight))
    branch(page, 21, "Slim misses", Faces="3 5")
    branch(page, 48, "but Razor slips", Faces="1 2 3 4 2")
    focused = "() => document.activeElement.querySelector('b')?.textContent"

    page.get_by_role("treeitem", name="but Razor slips").focus()
    for key, name in (("ArrowLeft", "Slim misses"), ("ArrowUp", "What happened"), ("ArrowRight", "Slim misses"), ("End", "but Razor slips"), ("Home", "What happened"), ("ArrowDown", "Slim misses")):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate(focused) == name
    page.keyboard.press("Enter")
    expect(page.get_by_role("treeitem", name="Slim misses", selected=True)).to_be_visible()
    page.wait_for_selector(".study-sides")
    page.locator(".study-sides .study-entry").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What if entry 47 were different?")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    expect(page.locator(".study-form")).to_have_count(0)
    expect(page.locator(".study-sides .study-entry").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".tracker caption")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_no_fault_and_nothing_is_out_of_sight(
    browser: Browser, server: Served, fight: Founded, width: int
) -> None:
    with watched(browser, viewport={"width": width, "height": 780}) as shown:
        page = studied(shown, seated(server, fight))
        assert faults(page) == []
        choose(page, 20)
        assert faults(page) == []
        page.get_by_role("button", name="Cancel").click()
        branch(page, 21, "Slim misses " + "x" * 80, Faces="3 5")
        assert faults(page) == []
        page.get_by_role("button", name="Keep as amendment").click()
        expect(page.get_by_role("button", name="Write")).to_be_enabled()
        assert faults(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_only_the_gamemaster_of_a_server_has_it(shown: Watched, server: Served, fight: Founded) -> None:
    page = opened(shown, seated(server, fight, "spectator"))

    expect(page.get_by_role("button", name="Recap")).to_be_visible()
    expect(page.get_by_role("button", name="What if")).to_have_count(0)
