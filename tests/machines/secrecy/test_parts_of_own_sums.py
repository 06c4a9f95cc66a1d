"""What is shown of each event of a roller's own sum, and what replaces it."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.events import Audience, Event
from machines.contract.ruleset import Ruleset, ruleset
from machines.secrecy.own_sums import OwnSums
from projections.combat import Combat, fold
from projections.vocabulary import Sums

ATTACK = "r1/villain/a1/attack"
ROLL, OTHER = f"{ATTACK}/defend", f"{ATTACK}/to-hit"
GM: Audience = ()
BOB: Audience = ("bob",)
EP, SR = ruleset("eclipse_phase_1e"), ruleset("shadowrun_4e")
BOTH = msgspec.structs.replace(
    EP, vocabulary=msgspec.structs.replace(EP.vocabulary, sums=Sums(against="pool", is_added=True))
)
"""A game that reads dice against another figure than the sum."""
ASKED = e.RollRequested(ROLL, "bob", "1d100", "defend", ATTACK)


def so(*events: Event, value: bool = False) -> Combat:
    combat = fold(events)
    policies = {"hidden_parts": "value"} if value else {}
    return msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, policies=policies))


def figure(name: str, value: int | str = 40, *, key: str = ROLL, who: str = "bob", seen_by: Audience = None) -> Event:
    return e.FigureFound(key, name, value, "why", "", "exchange", who, seen_by=seen_by)


def modifier(seen_by: Audience = None, value: int = -5, why: str = "mud", source: str = "") -> Event:
    return e.ModifierApplied(ROLL, value, why, source, seen_by=seen_by)


def sums(
    *before: Event, events: tuple[Event, ...] = (), game: Ruleset = BOTH, sheets: Mapping[str, Any] = {},
    rolls: Mapping[str, Any] = {}, value: bool = False,
) -> OwnSums:  # fmt: skip
    return OwnSums(events, so(*before, value=value), game, sheets, rolls)


TEST = e.TestResolved(ROLL, 40, 40, 7, 33, "success", "B1")
REREAD = e.ReadingChanged(ROLL, (70,), (7,), "flipped", "")


def word(what: str) -> Event:
    return e.Overruled(ROLL, what, 1, 2, "so be it")


# ------------------------------------------------------------------------------------------------ events of an own sum


@pytest.mark.parametrize(
    "event",
    [figure("base"), figure("base: x"), figure("dice"), figure("outcome"), figure("target"), figure("degree"), modifier(), TEST, REREAD]
    + [word(each) for each in ("base", "target", "pool", "rolled", "outcome", "margin", "dv")],
    ids=lambda event: f"{type(event).__name__} {getattr(event, 'name', getattr(event, 'figure', ''))}",
)  # fmt: skip
def test_what_is_no_part_of_a_sum_or_of_nobodys_is_left_to_others(event: Any) -> None:
    name = getattr(event, "name", getattr(event, "figure", "target"))
    own = name in ("base", "base: x", "dice", "target", "degree") or (
        isinstance(event, e.Overruled) and name not in ("degree", "dv")
    )

    assert sums(ASKED).audiences(event) == ((None, None) if own else None)
    assert sums().audiences(msgspec.structs.replace(event, key="nobody's")) is None
    assert sums(ASKED).audiences(msgspec.structs.replace(event, key="nobody's")) is None


def test_figures_of_one_role_are_own_where_the_game_says_so() -> None:
    game = msgspec.structs.replace(EP, own_figures=("defend dv", "base"))

    assert sums(ASKED, game=game).audiences(figure("dv")) == (None, None)
    assert sums(ASKED, game=game).audiences(figure("base: claws")) == (None, None)
    assert sums(ASKED, game=game).audiences(figure("target")) is None
    assert (
        sums(e.RollRequested(OTHER, "bob", "1d100", "", ATTACK), game=game).audiences(figure("dv", key=OTHER)) is None
    )


@pytest.mark.parametrize(
    ("before", "events", "owner"),
    [
        ((ASKED,), (), "bob"),
        ((), (ASKED,), "bob"),
        ((), (figure("target", who="cem"),), "cem"),
        ((), (figure("base", who="cem"),), "cem"),
        ((), (figure("pool", who="cem"),), "cem"),
        ((), (figure("dv", who="cem"),), None),
        ((), (figure("target", who=""),), None),
        ((ASKED,), (figure("target", who="cem"),), "cem"),
        ((), (figure("target", who="cem"), ASKED), "bob"),
    ],
)
def test_a_sum_is_of_whoever_rolls_or_for_whom_it_is_found(
    before: tuple[Event, ...], events: tuple[Event, ...], owner: str | None
) -> None:
    found = sums(*before, events=events, sheets={"bob": ("bob",), "cem": ("cem",)}).audiences(TEST)

    assert found == (None if owner is None else ((owner,), (owner,)))


# ------------------------------------------------------------------------------------------------ how secret it is


@pytest.mark.parametrize(
    ("event", "is_read"),
    [(figure("base"), False), (figure("target"), False), (modifier(), False), (word("target"), False), (word("base"), False)]
    + [(each, True) for each in (TEST, REREAD, figure("degree"), word("rolled"), word("outcome"), word("margin"))],
)  # fmt: skip
def test_what_was_read_off_dice_is_as_secret_as_they_are_and_all_as_secret_as_the_sheet(
    event: Event, is_read: bool
) -> None:
    roll = {ROLL: ("bob", "ann"), OTHER: GM}
    of_both = ("bob",) if is_read else ("bob", "cem")

    assert sums(ASKED, rolls=roll).audiences(event) == ((("ann", "bob"),) * 2 if is_read else (None, None))
    assert sums(ASKED, sheets={"bob": ("bob", "cem")}, rolls=roll).audiences(event) == (of_both, of_both)
    assert sums(ASKED, sheets={"villain": GM}).audiences(event) == (None, None)


def test_an_event_that_is_marked_is_shown_whole_to_those_of_the_mark() -> None:
    for event in (figure("base", seen_by=BOB), figure("target", seen_by=BOB), modifier(BOB)):
        assert sums(ASKED).audiences(event) == (None, BOB)


def test_a_modifier_is_as_secret_as_what_somebody_else_has_declared_but_for_the_rollers_own_wounds() -> None:
    declared = e.Declared(ATTACK, "attack", "villain", {}, seen_by=GM)
    source = "B 126 Shock"
    game = msgspec.structs.replace(EP, own_part=lambda part: part.source == source)

    assert sums(declared, ASKED, game=game).audiences(modifier()) == (None, GM)
    assert sums(declared, ASKED, game=game).audiences(modifier(source=source)) == (None, None)
    assert sums(declared, ASKED, game=game).audiences(figure("base")) == (None, None)
    theirs = e.Declared(ATTACK, "attack", "bob", {}, seen_by=GM)
    assert sums(theirs, ASKED, game=game).audiences(modifier()) == (None, None)


def whole(event: Event, *before: Event, **more: Any) -> Audience:
    """Returns who may see all of an event of which everyone may see a part."""
    found = sums(ASKED, *before, **more).audiences(event)
    assert found is not None
    assert found[0] is None
    return found[1]


def test_a_result_is_as_secret_as_dice_that_were_thrown_for_the_roll_later() -> None:
    later = e.DiceRolled(f"{TEST.key}/edge-dice", (5,), ("typed",), seen_by=BOB)
    other = msgspec.structs.replace(later, key=f"{TEST.key}2")

    assert sums(ASKED, rolls={later.key: BOB}).audiences(TEST) == (BOB, BOB)
    assert sums(ASKED, rolls={other.key: BOB}).audiences(TEST) == (None, None)
    assert sums(ASKED, rolls={later.key: BOB}).audiences(modifier()) == (None, None)


HIDDEN_PART, HIDDEN_TARGET = modifier(BOB), figure("target", seen_by=BOB)


@pytest.mark.parametrize(
    ("event", "by_part", "by_part_with_value", "by_target"),
    [
        (figure("target"), BOB, BOB, None),
        (TEST, BOB, None, BOB),
        (figure("degree"), BOB, None, BOB),
        (word("outcome"), BOB, None, BOB),
        (word("margin"), BOB, None, BOB),
        (word("target"), BOB, None, BOB),
        (word("rolled"), BOB, None, BOB),
        (REREAD, None, None, None),
        (modifier(), None, None, None),
        (figure("base"), None, None, None),
        (figure("dice: claws"), None, None, None),
    ],
)
def test_what_would_tell_of_a_hidden_part_is_as_secret_as_it(
    event: Event, by_part: Audience, by_part_with_value: Audience, by_target: Audience
) -> None:
    pool = figure("pool", seen_by=BOB)  # this game reads dice against it, though it is not the sum

    assert whole(event, HIDDEN_PART) == by_part
    assert whole(event, HIDDEN_PART, value=True) == by_part_with_value
    assert whole(event, pool) == by_target
    assert whole(event, figure("target", seen_by=BOB)) is None  # this is the sum: its parts decide what is hidden
    assert whole(event, figure("dv", seen_by=BOB)) is None
    assert whole(event, e.ModifierApplied(OTHER, -5, "", "", seen_by=BOB)) is None


@pytest.mark.parametrize(
    ("event", "by_part", "by_target"),
    [
        (e.FigureFound(ROLL, "pool", 8, "", "", "exchange", "bob"), BOB, None),
        (TEST, None, BOB),
        (word("outcome"), None, BOB),
        (word("rolled"), None, None),
        (modifier(), None, None),
    ],
)
def test_dice_that_are_the_sum_tell_of_no_part_of_it(event: Event, by_part: Audience, by_target: Audience) -> None:
    for value in (True, False):
        assert whole(event, HIDDEN_PART, game=SR, value=value) == by_part
    assert whole(event, HIDDEN_TARGET, game=SR) == by_target
    assert whole(event, figure("pool", seen_by=BOB), game=SR) is None


def test_what_is_told_in_the_same_entry_hides_what_follows() -> None:
    own = sums(ASKED)
    for event in (
        modifier(),
        modifier(("ann", "bob")),
        figure("pool", seen_by=("bob", "cem")),
        figure("dv", seen_by=GM),
        TEST,
    ):
        own.note(event)
    assert own.audiences(figure("target")) == (None, ("ann", "bob"))
    assert own.audiences(TEST) == (None, BOB)

    own = sums(ASKED)
    own.note(figure("target", seen_by=GM))
    assert own.audiences(TEST) == (None, None)
    own.note(msgspec.structs.replace(modifier(GM), key=OTHER))
    assert own.audiences(TEST) == (None, None)


# ------------------------------------------------------------------------------------------------ what is shown instead


def shown(
    event: Event, *before: Event, known: Audience = None, told: tuple[Event, ...] = (), **more: Any
) -> list[Event]:
    return list(sums(ASKED, *before, **more).instead(event, known, told))


def test_the_outcome_of_a_test_is_shown_against_what_is_hidden_or_partly_so() -> None:
    def result(why: str, known: Audience = None) -> list[Event]:
        return [e.FigureFound(ROLL, "result", "success", why, "B1", "exchange", "", seen_by=known)]

    assert shown(TEST, game=EP) == result("7 against what is partly hidden")
    assert shown(TEST) == result(
        "against what is partly hidden"
    )  # if the sum is added to the dice, the total reveals it
    assert shown(TEST, figure("pool", seen_by=BOB)) == result("against what is hidden")
    assert shown(TEST, figure("pool", seen_by=BOB), known=BOB) == result("against what is partly hidden", BOB)
    assert shown(TEST, figure("pool", seen_by=GM), known=BOB) == result("against what is hidden", BOB)


@pytest.mark.parametrize(
    ("what", "name"),
    [("outcome", "result"), ("target", "target"), ("base", "base"), ("pool", "pool"), ("margin", None), ("rolled", None)],
)  # fmt: skip
def test_the_gamemasters_word_is_shown_without_its_reason_where_it_tells_of_no_part(
    what: str, name: str | None
) -> None:
    said = (
        []
        if name is None
        else [e.FigureFound(ROLL, name, 2, "as the gamemaster says", "", "exchange", "", seen_by=BOB)]
    )

    assert shown(word(what), known=BOB) == said


def test_nothing_is_shown_of_other_events() -> None:
    for event in (modifier(), REREAD, figure("degree"), figure("base"), figure("pool")):
        assert shown(event) == []
    assert shown(figure("target"), game=msgspec.structs.replace(EP, summed=None)) == []


def _summed(combat: Combat, key: str, who: str) -> e.FigureFound:
    """Adds the modifiers of a roll to 40, for any roller."""
    parts = [part.value for part in combat.rolls.modifiers(key)]
    why = " ".join(["40", *(f"{part:+d}" for part in parts)])
    return e.FigureFound(key, "target", 40 + sum(parts), why, who, "exchange", who)


SUMMED = msgspec.structs.replace(EP, summed=_summed)
PARTS = (modifier(None, -10), modifier(GM, -3), modifier(BOB, -4))


@pytest.mark.parametrize(
    ("known", "value", "hidden", "why"),
    [(None, 30, -7, "40 -10"), (BOB, 26, -3, "40 -10 -4"), (GM, 23, 0, "40 -10 -3 -4")],
)
def test_a_sum_is_shown_as_far_as_it_is_known_after_a_line_for_what_is_hidden(
    known: Audience, value: int, hidden: int, why: str
) -> None:
    event = e.FigureFound(ROLL, "target", 23, "whole", "B2", "exchange", "bob")

    def line(value: int | str) -> Event:
        return e.FigureFound(ROLL, "hidden", value, "from what is hidden", "", "exchange", "bob", seen_by=known)

    for before, told in ((PARTS, ()), ((), PARTS), (PARTS[:1], PARTS[1:])):
        assert shown(event, *before, told=told, known=known, game=SUMMED) == [
            line(""), msgspec.structs.replace(event, value=value, why=f"{why} and what is hidden", seen_by=known),
        ]  # fmt: skip
        assert shown(event, *before, told=told, known=known, game=SUMMED, value=True) == [
            line(hidden), msgspec.structs.replace(event, why=f"{why} {hidden:+d} hidden", seen_by=known),
        ]  # fmt: skip


def test_a_sum_that_takes_in_those_of_other_rolls_is_shown_with_them() -> None:
    def of_both(combat: Combat, key: str, who: str) -> e.FigureFound:
        theirs = sum(part.value for part in combat.rolls.modifiers(OTHER))
        return msgspec.structs.replace(_summed(combat, key, who), value=40 + theirs, why=f"40 {theirs:+d}")

    event = e.FigureFound(ROLL, "target", 47, "whole", "B2", "exchange", "bob")
    other = e.ModifierApplied(OTHER, 7, "high ground", "")

    _, told = shown(event, *PARTS, other, game=msgspec.structs.replace(EP, summed=of_both))
    assert (getattr(told, "value", None), getattr(told, "why", None)) == (47, "40 +7 and what is hidden")


def test_what_bounds_the_whole_sum_bounds_the_known_one_by_as_much() -> None:
    event = e.FigureFound(ROLL, "target", 20, "whole", "B2", "exchange", "bob")

    _, told = shown(event, *PARTS, game=SUMMED)
    assert (getattr(told, "value", None), getattr(told, "why", None)) == (27, "40 -10 and what is hidden")
