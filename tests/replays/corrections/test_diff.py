"""What a correction changes, of events and states that are written down: outcomes, rollers, figures, open rests."""

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from ledger import events
from ledger.events import Declared, DiceRolled, Event, ExchangeEnded, Overruled, RollRequested
from projections.combat import Combat, fold
from projections.views.document import CombatantView, ConditionView, ResourceView, State, TrackView
from replays.corrections.diff import (
    WAITS,
    Aside,
    Flip,
    Needed,
    Report,
    Reread,
    RollReport,
    Shift,
    about,
    flips,
    is_never_pending,
    needed,
    reread,
    shifts,
)

TO_HIT, ATTACK = "r1/ann/a1/attack/to-hit", "r1/ann/a1/attack"


def told(*found: Event) -> list[tuple[int, Event]]:
    return list(enumerate(found, 5))


def resolved(key: str, outcome: str) -> events.TestResolved:
    return events.TestResolved(key, 50, 50, 40, 10, outcome, "p. 1")


def ended(key: str, outcome: str) -> ExchangeEnded:
    return ExchangeEnded(key, outcome)


def overruled(key: str, says: Any, figure: str = "outcome") -> Overruled:
    return Overruled(key, figure, "x", says, "so it is")


def requested(key: str, by: str, purpose: str = "hit") -> RollRequested:
    return RollRequested(key, by, "1d100", purpose, "")


def declared(key: str, by: str, **terms: Any) -> Declared:
    return Declared(key, "attack", by, terms)


# ------------------------------------------------------------------------------------------------ outcomes


def test_only_what_comes_out_otherwise_flips_in_the_order_of_what_is_so_now_and_then_what_is_gone() -> None:
    before = told(resolved("a", "miss"), ended("b", "hit"), resolved("c", "hit"), resolved("d", "hit"))
    after = told(resolved("c", "miss"), resolved("e", "hit"), ended("b", "hit"), resolved("a", "hit"))

    assert list(flips(before, after)) == [
        Flip("c", "c", "hit", "miss"), Flip("e", "e", "", "hit"), Flip("a", "a", "miss", "hit"), Flip("d", "d", "hit", ""),
    ]  # fmt: skip


def test_an_outcome_is_what_the_gamemaster_says_and_no_other_figure_is_one() -> None:
    before, after = (
        told(resolved("a", "miss"), overruled("a", 3, "margin")),
        told(resolved("a", "miss"), overruled("a", 7)),
    )

    assert list(flips(before, after)) == [Flip("a", "a", "miss", "7")]
    assert list(flips(before, before)) == []


def test_what_the_gamemaster_says_is_of_the_roll_that_it_names() -> None:
    before, after = (told(resolved("a", "miss"), resolved("b", "hit"), *more) for more in ((), (overruled("a", 7),)))

    assert list(flips(before, after)) == [Flip("a", "a", "miss", "7")]


def test_what_may_be_found_yet_waits_and_what_is_found_does_not() -> None:
    before, after = told(resolved("a", "hit"), resolved("b", "hit"), resolved("c", "hit")), told(resolved("c", "hit"))

    assert list(flips(before, after, lambda key: key in "ac")) == [
        Flip("a", "a", "hit", WAITS),
        Flip("b", "b", "hit", ""),
    ]
    assert is_never_pending("a") is False


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (requested(TO_HIT, "ann", "hit with club"), "ann: hit with club"),
        (declared(TO_HIT, "ann"), "ann: attack"),
        (declared(TO_HIT, "ann", at="bob"), "ann: attack at bob"),
        (declared(TO_HIT, "ann", at=""), "ann: attack"),
        (declared(TO_HIT, "ann", at=["bob"]), "ann: attack"),
        (DiceRolled(TO_HIT, (3,), ("typed",)), TO_HIT),
    ],
)
def test_a_flip_says_whose_it_is_and_what_for(event: Event, words: str) -> None:
    hit, miss = resolved(TO_HIT, "hit"), resolved(TO_HIT, "miss")

    for before, after in (((event, hit), (miss,)), ((hit,), (event, miss))):
        assert [each.about for each in flips(told(*before), told(*after))] == [words]
    assert about(TO_HIT, told(event), Combat()) == (tuple(words.split(": ")) if ": " in words else ("", ""))


def test_it_is_known_of_what_was_open_before_too_and_what_is_said_later_counts() -> None:
    open_ = fold((declared(ATTACK, "ann", at="bob"), requested(TO_HIT, "ann", "hit with club")), Combat())
    before, after = told(resolved(TO_HIT, "hit"), ended(ATTACK, "hit")), told(ended(ATTACK, "miss"))

    assert [each.about for each in flips(before, after, state=open_)] == ["ann: attack at bob", "ann: hit with club"]
    assert about(ATTACK, (), open_) == ("ann", "attack at bob")
    assert about(TO_HIT, (), open_) == ("ann", "hit with club")
    assert about(TO_HIT, told(requested(TO_HIT, "bob", "defend")), open_) == ("bob", "defend")
    assert about("x", (), open_) == ("", "")
    assert [
        each.about for each in flips(told(requested("k", "ann")), told(requested("k", "bob"), resolved("k", "x")))
    ] == ["bob: hit"]


def test_a_roll_that_somebody_else_makes_now_is_read_for_them() -> None:
    before = told(requested("a", "ann"), requested("b", "bob"), declared("c", "ann"))
    after = told(requested("b", "ann"), requested("a", "ann"), requested("d", "zoe"), requested("c", "bob"))

    assert list(reread(before, after)) == [Reread("b", "bob", "ann")]


# ------------------------------------------------------------------------------------------------ figures

ANN = CombatantView(
    "Ann", "kira", {"damage": TrackView(3, 30)}, 1, (ConditionView("prone", "dawn"), ConditionView("dazed", "", 2)),
    {"moxie": ResourceView(2, 5)}, 4,
)  # fmt: skip
STATE = State(
    session="s", title="t", ruleset="tiny", profile="", entries=9, head=9, digest="", round=2, number=3, active="ann",
    initiative=(("ann", 80), ("bob", 70)), combatants={"ann": ANN}, rests=(), outcome="", path=(),
)  # fmt: skip


def of_ann(**fields: Any) -> State:
    return msgspec.structs.replace(STATE, combatants={"ann": msgspec.structs.replace(ANN, **fields)})


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (STATE, []),
        (of_ann(tracks={"damage": TrackView(5, 30)}), [Shift("ann", "damage", 3, 5)]),
        (of_ann(tracks={"damage": TrackView(3, 35)}), [Shift("ann", "damage, of", 30, 35)]),
        (of_ann(tracks={}), [Shift("ann", "damage", 3, None)]),
        (of_ann(wounds=0), [Shift("ann", "wounds", 1, 0)]),
        (of_ann(traumas=0), [Shift("ann", "traumas", 4, 0)]),
        (of_ann(resources={"moxie": ResourceView(1, 5)}), [Shift("ann", "moxie", 2, 1)]),
        (of_ann(resources={"moxie": ResourceView(2, 6)}), [Shift("ann", "moxie, of", 5, 6)]),
        (of_ann(conditions=ANN.conditions[1:]), [Shift("ann", "prone", "yes", None)]),
        (of_ann(conditions=ANN.conditions[:1]), [Shift("ann", "dazed", 2, None)]),
        (
            of_ann(conditions=(ConditionView("prone", "dusk"), ConditionView("dazed", "", 3))),
            [Shift("ann", "dazed", 2, 3), Shift("ann", "prone, until", "dawn", "dusk")],
        ),
        (
            of_ann(conditions=(*ANN.conditions, ConditionView("prone", "", 7), ConditionView("prone", "", 8))),
            [Shift("ann", "prone 2", None, 7), Shift("ann", "prone 3", None, 8)],
        ),
        (of_ann(name="Anna"), [Shift("ann", "name", "Ann", "Anna")]),
        (of_ann(player="sam"), [Shift("ann", "played by", "kira", "sam")]),
        (msgspec.structs.replace(STATE, round=4), [Shift("", "round", 2, 4)]),
        (msgspec.structs.replace(STATE, number=4), [Shift("", "pass", 3, 4)]),
        (msgspec.structs.replace(STATE, active=None), [Shift("", "active", "ann", None)]),
        (
            msgspec.structs.replace(STATE, initiative=(("bob", 90), ("ann", 80))),
            [Shift("", "order", "ann, bob", "bob, ann")],
        ),
        (msgspec.structs.replace(STATE, initiative=(("ann", 81), ("bob", 70))), [Shift("ann", "initiative", 80, 81)]),
        (
            msgspec.structs.replace(STATE, initiative=(("bob", 70),)),
            [Shift("ann", "initiative", 80, None), Shift("", "order", "ann, bob", "bob")],
        ),
    ],
)
def test_figures_that_are_not_the_same_shift(after: State, expected: list[Shift]) -> None:
    back = [Shift(each.who, each.what, each.after, each.before) for each in expected]

    assert list(shifts(STATE, after)) == expected
    assert sorted(shifts(after, STATE), key=repr) == sorted(back, key=repr)


def test_who_is_gone_or_new_has_all_their_figures_and_no_details() -> None:
    alone = msgspec.structs.replace(STATE, initiative=())
    nobody = msgspec.structs.replace(alone, combatants={})
    figures = {"damage": 3, "wounds": 1, "traumas": 4, "moxie": 2, "prone": "yes", "dazed": 2}

    assert list(shifts(alone, nobody)) == [Shift("ann", what, was, None) for what, was in figures.items()]
    assert list(shifts(nobody, alone)) == [Shift("ann", what, None, now) for what, now in figures.items()]
    both = msgspec.structs.replace(alone, combatants={"bob": ANN, "ann": ANN})
    assert {each.who for each in shifts(alone, both)} == {"bob"}


# ------------------------------------------------------------------------------------------------ what is open


def rests(*each: tuple[str, str, str, tuple[str, ...]]) -> Combat:
    found = [
        SimpleNamespace(
            key=key, by=by, purpose="hit", dice=dice, options=tuple(SimpleNamespace(option=one) for one in options)
        )
        for key, by, dice, options in each
    ]
    return cast(Combat, SimpleNamespace(rests=found))


def test_what_is_waited_for_now_and_was_not_before_needs_a_person() -> None:
    old = ("a", "ann", "2d6", ())
    before = rests(old)
    after = rests(old, ("b", "ann", "3d6", ()), ("a", "bob", "2d6", ()), ("a", "ann", "", ("fray", "pass")))

    assert list(needed(before, before, {})) == []
    assert list(needed(before, after, {"b": (1, 2), "a": (4,)})) == [
        Needed("b", "ann", "hit", "3d6", (1, 2), ()), Needed("a", "bob", "hit", "2d6", (4,), ()),
        Needed("a", "ann", "hit", "", (4,), ("fray", "pass")),
    ]  # fmt: skip
    assert [each.known for each in needed(before, after, {})] == [(), (), ()]


NOTHING: dict[str, Any] = {
    "kind": "preview", "entry": 5, "what": "", "change": {}, "why": "", "flips": (), "shifts": (), "needs_a_person": (),
    "waits": (), "set_aside": (), "reread": (), "drift": (), "before": STATE, "after": STATE,
}  # fmt: skip
ROLL, CHOICE = Needed("k", "ann", "hit", "1d6"), Needed("c", "ann", "dodge", options=("fray",))
FOUND: dict[str, Any] = {
    "flips": (Flip("a", "a", "", "x"),), "shifts": (Shift("ann", "wounds", 0, 1),), "needs_a_person": (CHOICE,),
    "set_aside": (Aside(4, "x"),), "reread": (Reread("a", "ann", "bob"),), "waits": (Aside(4, "x"),), "drift": (4,),
}  # fmt: skip


def test_what_changes_nothing_finds_none_of_these() -> None:
    assert Report(**NOTHING).changes_nothing is True
    for field, found in FOUND.items():
        assert Report(**{**NOTHING, field: found}).changes_nothing is (field in ("waits", "drift"))


def test_of_what_needs_a_person_the_rolls_need_dice() -> None:
    assert Report(**{**NOTHING, "needs_a_person": (CHOICE, ROLL)}).dice_needed == (ROLL,)


def test_a_roll_that_is_asked_for_again_reaches_nothing_by_itself() -> None:
    whose = {"key": "k", "by": "ann", "purpose": "hit"}

    assert RollReport(**NOTHING, **whose).reaches is False
    assert RollReport(**{**NOTHING, "needs_a_person": (ROLL,)}, **whose).reaches is False
    for field, found in FOUND.items():
        assert RollReport(**{**NOTHING, field: found}, **whose).reaches is True
