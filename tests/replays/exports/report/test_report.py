"""Reports: a fight as a page; what is on it, what is not, and that nothing on it can do anything."""

import re
from functools import partial
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ARMED, attacked, entries, fights, viewers

from ledger import chain
from ledger.audience import EVERYTHING, Viewer
from ledger.codec import canonical, encode
from ledger.commands import (
    Adjust,
    BeginCombat,
    Choose,
    Declare,
    EndCombat,
    Join,
    Note,
    Rewind,
    TypeDice,
)
from ledger.entry import Entry, Seat, Who
from ledger.stores.memory import MemoryStore
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.recap import recap
from replays.exports.recap.sentences import lead, sections
from replays.exports.report import gather as gathered
from replays.exports.report import report as reported
from replays.exports.report.health import PLOT, TOP, WIDTH, DownMark, RoundStart, Scale, health_charts
from replays.exports.report.tracker import Point, Series
from replays.scripts.format import examples, read
from replays.sessions.log import Log
from replays.views.fallen import fallen

EVIL = '<script>alert("x")</script>'
STYLE = files("replays.exports.report").joinpath("style.css").read_text()
RUNS = 60
"""Runs of the rules for turning points; few, so that the tests are fast."""
gather, report = partial(gathered, runs=RUNS), partial(reported, runs=RUNS)
VOID = {"meta", "line", "path", "rect", "circle", "polygon"}


class _Page(HTMLParser):
    """Refuses what is not closed, and gathers elements and words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words))


def _played(name: str) -> Session:
    return perform(read(examples()[name].read_bytes(), name))


@pytest.fixture(scope="module")
def stoya() -> Session:
    return _played("stoya")


@pytest.fixture(scope="module")
def page(stoya) -> _Page:
    return _Page(report(stoya.log))


# ---------------------------------------------------------------------------------------- what is on it


@pytest.mark.parametrize("name", examples())
def test_every_shipped_fight_has_a_page_that_is_well_formed_and_asks_for_nothing(name):
    text = report(_played(name).log)
    page = _Page(text)

    names = {element for element, _ in page.elements}
    assert {"html", "title", "style", "svg", "table", "cite"} <= names
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use", "a"}
    attributes = {attribute for _, attrs in page.elements for attribute in attrs}
    assert not {attribute for attribute in attributes if attribute.startswith("on") or attribute in ("src", "href")}
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("name", examples())
def test_every_entry_that_stands_is_in_the_timeline_of_every_shipped_fight(name):
    log = _played(name).log
    found = gather(log)

    seqs = [line.seq for each in found.rounds for turn in each.turns for line in turn.lines]
    assert list(dict.fromkeys(seqs)) == log.timeline.line()


def test_the_head_says_what_was_played_by_whom_and_with_which_digest(stoya, page):
    for said in ("Stoya and the assassin", "Eclipse Phase, 1st edition", "first printing", stoya.log.digest.hex()):
        assert said in page.text
    assert "30, of which 28 stand" in page.text
    assert "kira (Stoya)" in page.text


def test_a_roll_is_told_with_its_sum_reasons_pages_dice_and_where_they_came_from(page):
    assert "The assassin, 1d100: hit with shredder r1/assassin/a2/attack/to-hit" in page.text
    told = page.text.split("r1/assassin/a2/attack/to-hit", 1)[1].split("Stoya, 1d100", 1)[0].replace("\xa0", " ")

    for part in ("65 spray weapons EP1 191", "+10 smartlink EP1 193 Combat Modifiers", "= 75", "rolled 20 scripted"):
        assert part in told
    assert "success 20 against 75, MoS 55 EP1 115 Making Tests" in told


def test_dice_that_were_typed_name_the_person_and_later_dice_stand_with_their_roll():
    session = attacked()
    session.perform(Choose(session.rests[0].key, "fray"))
    session.perform(TypeDice("r1/ann/a1/attack/to-hit", (7,)), by=Who("zoe"))

    assert "07" in (text := _Page(report(session.log)).text)
    assert "rolled 07 typed by zoe" in text
    edge = gather(_played("street-fight").log)
    sums = [one for each in edge.rounds for turn in each.turns for line in turn.lines for one in line.sums]
    assert not [one.key for one in sums if one.key.endswith("/sixes")]
    assert any(sum(part.kind == "dice" for part in one.parts) > 1 for one in sums)


def test_what_the_gamemaster_overruled_is_marked_with_who_and_why(page):
    words = "dv of r1/assassin/a2/attack/damage: the rule says 26, the gamemaster 21. the book's example does not add"
    assert 2 == page.text.count(words), "in a list of its own, and where it happened"
    assert "Overruled by gm" in page.text


def test_adjustments_and_modifiers_after_the_fact_are_marked():
    session = attacked()
    session.perform(Adjust("bob", "tracks.damage", 7, "he fell before"), by=Who("zoe"))
    session.perform(Choose(next(rest.key for rest in session.rests if rest.options), "fray"))
    session.perform(TypeDice("r1/ann/a1/attack/to-hit", (50,)))
    session.modify("to-hit", -20, why="the lamp went out", by=Who("max"))
    text = _Page(report(session.log)).text

    assert "Adjusted by zoe (gm): bob, damage: from 0 to 7. he fell before" in text
    assert "Modifier by max (gm): -20 on r1/ann/a1/attack/to-hit. the lamp went out" in text


def test_a_correction_is_marked_and_what_it_replaced_is_struck_through():
    session = _played("stoya")
    session.amend(8, Change(set={"terms.range": "medium"}), why="it was farther", by=Who("max"))
    found = gather(session.log)

    assert ("Corrected", "entry 8: terms.range = medium", "it was farther", "max (gm)") == (
        found.words[0].kind, found.words[0].what, found.words[0].why, found.words[0].by,
    )  # fmt: skip
    assert 8 == found.fallen[0].line.seq
    assert found.words[0].entry == found.fallen[0].because


def test_what_no_longer_stands_is_struck_through_and_says_what_took_it_back(stoya):
    found = gather(stoya.log)
    page = _Page(report(stoya.log))

    assert [(16, 18), (17, 18)] == [(one.line.seq, one.because) for one in found.fallen]
    assert 2 == sum(element == "del" for element, _ in page.elements)
    assert "(taken back with entry 18)" in page.text


def test_an_undo_and_a_redo_leave_only_the_rewindings_themselves():
    session = attacked()
    session.perform(Note("a word"))
    session.undo(why="not that")
    session.redo(why="yes, that")
    found = gather(session.log)

    assert [("not that", 0), ("yes, that", 0)] == [(one.line.said[0].why, one.because) for one in found.fallen]
    session.undo()
    assert session.log.last == fallen(session.log.timeline)[session.log.last - 3]


def test_the_tracker_stands_at_the_end_of_each_round():
    found = gather(_played("last-stand").log)

    assert ["Before the fight", "Round 1", "Round 2", "Round 3"] == [each.title for each in found.rounds[:4]]
    taken = [{row.who: row.one.tracks["hit_points"].taken for row in each.rows} for each in found.rounds]
    assert taken[0]["osric"] == 0
    assert [10, 20, 30] == [each["osric"] for each in taken[1:4]]


def test_an_entry_in_which_a_round_ends_and_another_begins_is_parted():
    found = gather(_played("last-stand").log)
    first, second = found.rounds[1], found.rounds[2]

    last, next_ = first.turns[-1].lines[-1], second.turns[0].lines[0]
    assert last.seq == next_.seq
    assert "turn is over" in last.said[-1].text
    assert "Order" in next_.said[-1].text


# ---------------------------------------------------------------------------------------- the recap


@pytest.mark.parametrize("name", examples())
def test_the_recap_stands_above_the_evidence_with_all_its_sentences(name):
    log = _played(name).log
    text = _Page(report(log)).text
    found = recap(log, runs=RUNS)
    above = text.split("Before the fight", 1)[0]

    assert lead(found) in above
    for part in sections(found):
        assert part.title in above
        assert all(re.sub(r"\s+", " ", line.text) in above for line in part.lines)


def test_a_corrected_fight_has_no_lines_about_entries_that_were_performed_again():
    session = _played("stoya")
    session.amend(8, Change(set={"terms.range": "medium"}), why="it was farther")
    found = gather(session.log)
    said = [each for one in found.rounds for turn in one.turns for line in turn.lines for each in line.said]

    assert session.log.entry(session.log.last).origin is not None
    assert "performed again" not in report(session.log)
    assert all(getattr(each, "text", "x") for each in said)
    seqs = [line.seq for each in found.rounds for turn in each.turns for line in turn.lines]
    assert list(dict.fromkeys(seqs)) == session.log.timeline.line(), "each entry has a line nevertheless"


# ---------------------------------------------------------------------------------------- health


def _charts(page: _Page) -> list[dict[str, str | None]]:
    boxes = [attrs for element, attrs in page.elements if element == "svg" and attrs.get("role") == "img"]
    assert len(boxes) == sum(element == "figure" for element, _ in page.elements)
    return boxes


def test_each_combatant_has_a_small_chart_and_all_have_the_same_scale(page):
    lines = [attrs for element, attrs in page.elements if element == "path" and attrs.get("class") == "line t0"]

    assert 2 == len(_charts(page)) == len(lines)
    assert 1 == len({attrs["viewbox"] for attrs in _charts(page)})
    assert "Stoya damage 21/50" in page.text
    assert "The assassin damage 4/35 incapacitated" in page.text


def test_nine_combatants_have_nine_charts_and_no_name_is_in_a_drawing():
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for number in range(9):
        session.perform(Join(f"thug-{number}", ARMED, f"Thug {number} with a name that is longer than its chart"))
    text = report(session.log)
    page = _Page(text)
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", text)

    assert 9 == len(_charts(page))
    assert drawn == [], "nothing overlaps: names are text of the page, and no round began"
    assert 9 <= text.count("Thug ")


def _series(*taken: tuple[int, int], who: str = "ann", capacity: int = 10, track: str = "damage") -> Series:
    points = tuple(Point(at, amount, capacity) for at, amount in taken)
    return Series(who, who.capitalize(), track, track, points, last=40, is_first=track == "damage")


ROUNDS = [RoundStart(0, "Before the fight"), RoundStart(10, "Round 1"), RoundStart(20, "Round 2"), RoundStart(40, "After the fight")]  # fmt: skip


def test_rounds_are_equally_wide_however_many_entries_they_have():
    scale = Scale((10, 20, 40), 0)

    assert [scale.x(at) for at in (0, 10, 15, 20, 30, 40, 50)] == [
        0,
        0,
        WIDTH / 4,
        WIDTH / 2,
        WIDTH * 3 / 4,
        WIDTH,
        WIDTH,
    ]
    drawn = health_charts([_series((0, 0), (15, 5))], ROUNDS, 41, {})
    assert f"M0 {TOP}H{WIDTH // 4}V{TOP + PLOT // 2}H{WIDTH}" in drawn


def test_health_below_nothing_lowers_the_scale_of_all_charts_and_no_further_than_its_bottom():
    some = [_series((0, 0), (15, 14)), _series((0, 0), (15, 90), who="bob"), _series((0, 0), who="cyd")]
    drawn = health_charts(some, ROUNDS, 41, {})

    zero, bottom = TOP + PLOT / 2, TOP + PLOT
    assert 3 == drawn.count('class="zero"')
    assert 3 == drawn.count(f'y1="{zero:g}" y2="{zero:g}" class="zero"')
    assert f"V{bottom}H{WIDTH}" in drawn
    assert "damage 90/10" in drawn


def test_going_down_is_marked_and_named_while_it_lasts():
    marks = {"ann": [DownMark(15, "mind_lost", is_lasting=False), DownMark(30, "dead", is_lasting=True)]}
    drawn = health_charts([_series((0, 0), (15, 5)), _series((0, 0), who="bob")], ROUNDS, 41, marks)

    assert 2 == drawn.count('class="mark"')
    assert 1 == drawn.count('<span class="down">dead</span>')
    assert "mind lost</span>" not in drawn
    assert "<title>Ann: damage 0/10, 5/10; mind lost; dead</title>" in drawn


def test_a_second_track_is_drawn_only_if_it_was_harmed_and_differs_in_more_than_color():
    some = [_series((0, 0)), _series((0, 0), (15, 3), track="stun"), _series((0, 0), track="overflow")]
    drawn = health_charts(some, ROUNDS, 41, {})

    assert ("line t0" in drawn, "line t1" in drawn, "line t2" in drawn) == (True, True, False)
    assert "stun 3/10" in drawn
    assert "overflow" not in drawn
    assert 2 == STYLE.count("stroke-dasharray")


@pytest.mark.parametrize(
    ("rounds", "labels"), [(1, ["1"]), (8, [*"12345678"]), (20, ["1", "4", "7", "10", "13", "16", "19"])]
)
def test_numbers_of_rounds_do_not_overlap(rounds, labels):
    starts = [RoundStart(10 * nth, f"Combat 2, round {nth}") for nth in range(1, rounds + 1)]
    drawn = health_charts([_series((0, 0))], starts, 10 * rounds + 10, {})

    assert labels == re.findall(r"<text[^>]*>([^<]*)</text>", drawn)


def test_the_page_has_colors_for_dark_screens_and_prints_in_the_light_ones():
    light, dark = (set(re.findall(r"(--[a-z0-9]+):", part)) for part in _palettes(STYLE))

    assert light == dark
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE
    used = re.sub(r"--[a-z0-9]+: #[0-9a-f]+", "", STYLE)
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", used)) <= {"#5d5a54"}, "only the page number on paper has its own color"


def _palettes(style: str) -> list[str]:
    return re.findall(r":root \{[^}]*\}", style)


@pytest.mark.parametrize("nth", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "least"), [("ink", 7), ("soft", 4.5), ("faint", 4.5), ("word", 4.5), ("t0", 3), ("t1", 3), ("t2", 3)])  # fmt: skip
def test_colors_can_be_read_on_their_background(nth, name, least):
    colors = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]+)", _palettes(STYLE)[nth]))
    one, other = sorted((_luminance(colors[name]), _luminance(colors["paper"])), reverse=True)

    assert (one + 0.05) / (other + 0.05) >= least


def _luminance(color: str) -> float:
    """Returns the relative luminance of a color, as WCAG 2 defines it."""
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_page_that_is_cited_is_listed_with_the_entries(page):
    pages = page.text.split("EP1: Eclipse Phase, core rulebook", 1)[1]

    assert "193 Combat Modifiers entries" in pages
    assert "115 Making Tests entries 11, 15, 21, 27, 29" in pages


def test_a_session_without_a_fight_and_one_that_ended_have_a_page_too():
    empty = Session.create("memory://", ruleset="eclipse_phase_1e", title="Nobody came")
    assert "Nobody came" in report(empty.log)
    over = attacked()
    over.perform(EndCombat("the roof came down"))
    over.perform(Note("and that was that"))
    found = gather(over.log)

    assert "After the fight" == found.rounds[-1].title
    assert "and that was that" in report(over.log)
    over.perform(BeginCombat())
    assert "Combat 2, round 1" == gather(over.log).rounds[-1].title


def test_a_session_of_a_game_that_is_not_installed_can_still_be_printed(stoya, monkeypatch):
    from replays.exports.report import gathering

    monkeypatch.setattr(gathering, "ruleset", _refuse)

    assert "eclipse_phase_1e" in report(stoya.log)


def _refuse(name: str):
    from machines.contract.refusals import UnknownRuleset

    raise UnknownRuleset(f"no ruleset {name!r} is installed")


def test_the_same_record_gives_the_same_bytes(stoya):
    assert report(stoya.log) == report(Log(stoya.log.store, stoya.id))


# ---------------------------------------------------------------------------------------- what is not on it


def test_whatever_people_are_called_and_say_is_text_and_nothing_else():
    session = Session.create(
        "memory://",
        ruleset="eclipse_phase_1e",
        title=EVIL,
        source=f"EP1 {EVIL}",
        policies={"dice": "fresh"},
        by=Who(EVIL),
    )
    for who in ("ann", "bob"):
        session.perform(Join(who, ARMED, f"{EVIL}{who}", player=EVIL), by=Who(EVIL))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (50,)))
    session.perform(TypeDice("r1/bob/initiative", (5,)))
    session.perform(Declare("quick", "ann", {"what": EVIL}))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "fray", EVIL))
    session.perform(TypeDice("r1/ann/a1/attack/to-hit", (7,)))
    session.modify("to-hit", 5, why=EVIL)
    session.perform(Adjust("bob", "tracks.damage", 3, EVIL))
    session.perform(Adjust("bob", "conditions.prone", "</td>", EVIL))
    session.perform(Note(f"{EVIL}\n\x00\x1b[2J\u202e"))
    session.undo(why=EVIL)
    text = report(session.log)
    page = _Page(text)

    assert "<script" not in text
    assert EVIL in page.text
    assert 10 < text.count("&lt;script&gt;")
    assert not {"\x00", "\x1b", "\u202e"} & set(text)
    assert {"script"}.isdisjoint(element for element, _ in page.elements)


def test_a_secret_sheet_roll_and_note_are_in_no_byte_of_a_players_page():
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="In the dark")
    hidden = ARMED | {"durability": 947, "init": 77}
    session.perform(Join("boss", hidden, "The boss", sheet_seen_by=()))
    session.perform(Join("ann", ARMED, "Ann", player="kira"))
    session.perform(Join("ghost", ARMED, "Somebody unseen", seen_by=()))
    session.perform(Note("the butler did it", seen_by=()))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/boss/initiative", (83,), seen_by=()))
    session.perform(TypeDice("r1/ann/initiative", (12,)))
    secrets = ("/947", "the butler did it", "Somebody unseen", "rolls 83", ">83<")

    whole, mine = report(session.log), report(session.log, Viewer(Seat.PLAYER, frozenset({"ann"})), "player")

    for secret in secrets:
        assert secret in whole
        assert secret not in mine
    assert "what this seat may not see is not on the page" in mine
    assert "Out of sight." in mine
    assert "out of sight" in _Page(mine).text


_audiences = st.none() | st.lists(st.sampled_from(("ann", "bob", "cyd", "dov")), max_size=2).map(tuple)
_marks = st.integers(0, 99_999).map(lambda number: f"mark-{number:05}-")
_any_lines = st.lists(
    entries({"seen_by": _audiences, "why": _marks, "who": _marks, "text": _marks, "key": _marks}).filter(
        lambda entry: not isinstance(entry.command, Rewind)
    ),
    min_size=1,
    max_size=5,
)


def _log_of(lines: list[Entry]) -> Log:
    """A log with any lines at all."""
    store = MemoryStore()
    store.create("ANY")
    digest = chain.genesis("ANY")
    for seq, entry in enumerate(lines, 1):
        line = encode(msgspec.structs.replace(entry, seq=seq, after=seq - 1, origin=None))
        secret = seq.to_bytes(chain.SECRET, "big")
        digest = chain.seal(digest, line, secret)
        store.append("ANY", [chain.Record(seq, line, secret, digest)], expected=seq - 1)
    return Log(store, "ANY")


@given(_any_lines, viewers())
def test_a_word_that_only_hidden_events_have_is_in_no_byte_of_the_page(lines: list[Entry], eyes: Viewer) -> None:
    log = _log_of(lines)
    shown, hidden = b"", b""
    for entry in log.entries():
        for part in (entry.command, *entry.events):
            if eyes.may_see(part.seen_by):
                shown += canonical(part)
            else:
                hidden += canonical(part)
        shown += canonical(entry.by)

    text = report(log, eyes, "a seat")

    for mark in re.findall(rb"mark-\d{5}-", hidden):
        if mark not in shown:
            assert mark.decode() not in unescape(text)


@given(fights(secrets=True, most=25), viewers())
def test_any_fight_has_a_page_for_anybody(fight, eyes: Viewer) -> None:
    for view in (EVERYTHING, eyes):
        text = report(fight.session.log, view, "a seat")

        assert "<script" not in text
        _Page(text)
