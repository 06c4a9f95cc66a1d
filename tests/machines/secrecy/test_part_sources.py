"""Parts of a sum are marked with the audience of their source."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
import pytest

from ledger import events as e
from ledger.events import Audience, ModifierApplied
from machines.secrecy import part_sources
from machines.secrecy.part_sources import marked
from machines.shadowrun_4e.success_tests.pools import WOUND_MODIFIERS
from projections.combat import Combat, fold


def _part(seen_by: Audience) -> ModifierApplied:
    return ModifierApplied("r1/bob/a1/attack/to-hit", -5, "feinted", "", seen_by=seen_by)


@pytest.mark.parametrize(
    ("before", "source", "then"),
    [
        (None, None, None),
        (None, (), ()),
        (("bob",), None, ("bob",)),
        (("ann", "bob"), ("bob", "cem"), ("bob",)),
        (("bob",), (), ()),
    ],
)
def test_whoever_may_see_a_part_may_see_every_source_of_it(before: Audience, source: Audience, then: Audience) -> None:
    assert list(marked([_part(before)], source)) == [_part(then)]


def test_what_comes_from_nothing_that_is_there_is_not_marked() -> None:
    part, nobody = _part(None), Combat()

    for found in (
        part_sources.of_sheet(nobody, "villain", [part]),
        part_sources.of_condition(nobody, "villain", "prone", [part]),
        part_sources.of_wounds(nobody, "villain", "wounds", [part]),
        part_sources.of_roll(nobody, "r1/villain/a1/attack/to-hit", [part]),
        part_sources.of_figure(nobody, "villain", "hits", [part]),
    ):
        assert list(found) == [part]


# ------------------------------------------------------------------------------------------------ each source


ANN, BOB, BOTH = ("ann",), ("bob",), ("ann", "bob")
ROLL, ATTACK = "r1/villain/a1/attack/to-hit", "r1/villain/a1/attack"


def so(*events: e.Event) -> Combat:
    """Returns a fight with the villain."""
    combat = fold((e.CombatantJoined("villain", "Villain", "gm", False), *events))
    return msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, ruleset="shadowrun_4e"))


def gained(name: str, *seen_by: Audience) -> list[e.Event]:
    """Returns the events of a condition for one audience after another."""
    return [e.ConditionGained("villain", name, 2, "", "", "", "", seen_by=each) for each in seen_by]


def found(name: str, scope: str = "exchange", seen_by: Audience = BOB) -> e.Event:
    return e.FigureFound(ROLL, name, 4, "", "", scope, "villain", seen_by=seen_by)


ASKED = e.RollRequested(ROLL, "villain", "1d6", "", ATTACK)
THROWN = e.DiceRolled(ROLL, (1,), ("typed",), seen_by=BOTH)
SHEET = e.SheetGiven("villain", {}, seen_by=BOB)


def of_sheet(combat: Combat) -> Audience:
    return _marks(part_sources.of_sheet(combat, "villain", [_part(None)]))


def of_condition(combat: Combat) -> Audience:
    return _marks(part_sources.of_condition(combat, "villain", "prone", [_part(None)]))


def of_conditions(combat: Combat) -> Audience:
    return _marks(part_sources.of_conditions(combat, "villain", ("prone", "stunned", "blind"), [_part(None)]))


def of_wounds(combat: Combat) -> Audience:
    return _marks(part_sources.of_wounds(combat, "villain", "wounds", [_part(None)]))


def of_roll(combat: Combat) -> Audience:
    return _marks(part_sources.of_roll(combat, ROLL, [_part(None)]))


def of_figure(combat: Combat) -> Audience:
    return _marks(part_sources.of_figure(combat, "villain", "hits", [_part(None)]))


def _marks(events: Iterable[ModifierApplied]) -> Audience:
    (event,) = events
    assert msgspec.structs.replace(event, seen_by=None) == _part(None)
    return event.seen_by


@pytest.mark.parametrize(
    ("of", "before", "seen_by"),
    [
        (of_sheet, (), None),
        (of_sheet, (SHEET,), BOB),
        (of_condition, gained("prone", BOB), BOB),
        (of_condition, gained("stunned", BOB), None),
        (of_condition, gained("prone", None, BOB), BOB),
        (of_condition, gained("prone", None), None),
        (of_conditions, (*gained("prone", BOTH), *gained("stunned", BOB)), BOB),
        (of_conditions, (*gained("prone", None), *gained("dazed", BOB)), None),
        (of_wounds, (e.WoundSuffered("villain", "damage", 1, "wounds", "", "", "", seen_by=BOB),), BOB),
        (of_wounds, (e.WoundSuffered("villain", "damage", 1, "traumas", "", "", "", seen_by=BOB),), None),
        (of_roll, (ASKED,), None),
        (of_roll, (ASKED, THROWN), BOTH),
        (of_roll, (ASKED, SHEET), BOB),
        (of_roll, (ASKED, THROWN, SHEET), BOB),
        (of_roll, (ASKED, ModifierApplied(ROLL, 1, "", "", seen_by=BOB)), BOB),
        (of_roll, (ASKED, ModifierApplied(ROLL, 1, "", "", seen_by=BOTH), ModifierApplied(ROLL, 1, "", "", seen_by=ANN)), ANN),
        (of_roll, (ASKED, ModifierApplied("k", 1, "", "", seen_by=BOB)), None),
        *((of_roll, (ASKED, found(name)), BOB) for name in ("base", "target", "pool")),
        (of_roll, (ASKED, found("hits")), None),
        (of_figure, (found("hits", "turn"),), BOB),
        (of_figure, (found("hits"),), None),
        (of_figure, (found("reach", "turn"),), None),
    ],
)  # fmt: skip
def test_a_part_is_marked_as_secret_as_where_it_comes_from(
    of: Callable[[Combat], Audience], before: Sequence[e.Event], seen_by: Audience
) -> None:
    assert of(so(*before)) == seen_by


def test_events_are_marked_one_by_one() -> None:
    begun: list[int] = []

    def parts() -> Iterator[ModifierApplied]:
        for number in (1, 2):
            begun.append(number)
            yield _part(None)

    told = marked(parts(), BOB)
    assert next(told).seen_by == BOB
    assert begun == [1]


@pytest.mark.parametrize(
    ("frames", "key", "owner", "seen_by"),
    [
        ((), f"{ATTACK}/defend", "bob", None),
        (((ATTACK, "villain", ANN),), f"{ATTACK}/defend", "bob", ANN),
        (((ATTACK, "villain", ANN),), f"{ATTACK}/to-hit", "villain", None),
        (((ATTACK, "villain", ANN),), f"{ATTACK}2/defend", "bob", None),
        (((ATTACK, "villain", ANN),), ATTACK, "bob", None),
        (((ATTACK, "villain", None),), f"{ATTACK}/defend", "bob", None),
        (((ATTACK, "unseen-1", ANN),), f"{ATTACK}/defend", "bob", BOTH),
        (((ATTACK, "unseen-2", ANN),), f"{ATTACK}/defend", "bob", None),
        (((ATTACK, "villain", ANN), (f"{ATTACK}/parry", "cem", BOTH)), f"{ATTACK}/parry/roll", "bob", BOTH),
        (((ATTACK, "villain", ANN), (f"{ATTACK}/parry", "cem", BOTH)), f"{ATTACK}/defend", "bob", ANN),
    ],
)
def test_what_somebody_else_has_declared_is_as_secret_as_the_declaration_or_as_they_are(
    frames: Sequence[tuple[str, str, Audience]], key: str, owner: str, seen_by: Audience
) -> None:
    hidden = e.CombatantJoined("unseen-1", "Razor", "gm", False, seen_by=BOTH)
    declared = (e.Declared(each, "attack", by, {}, seen_by=known_to) for each, by, known_to in frames)

    assert part_sources.audience_of_declaration(so(hidden, *declared), key, owner) == seen_by


OWN = ModifierApplied(f"{ATTACK}/defend", -1, "wound modifier", WOUND_MODIFIERS)
FOREIGN = ModifierApplied(f"{ATTACK}/defend", -1, "in the dark", "")
CHOICE = e.ChoiceRequested(f"{ATTACK}/defense", "bob", (e.Option("dodge", "Dodge", 6),), None, "how?", seen_by=None)


@pytest.mark.parametrize(
    ("parts", "seen_by"),
    [
        ((), None),
        ((OWN,), None),
        ((FOREIGN,), ANN),
        ((OWN, FOREIGN), ANN),
        ((found("pool", seen_by=None),), ANN),
        ((msgspec.structs.replace(OWN, seen_by=BOB),), BOB),
        ((msgspec.structs.replace(OWN, seen_by=BOTH), FOREIGN), ANN),
        ((msgspec.structs.replace(OWN, seen_by=BOB), FOREIGN), ()),
    ],
)
def test_a_choice_is_as_secret_as_the_sources_of_its_targets_and_as_what_somebody_else_declared(
    parts: Sequence[e.Event], seen_by: Audience
) -> None:
    combat = so(e.Declared(ATTACK, "attack", "villain", {}, seen_by=ANN))

    assert part_sources.of_parts(combat, CHOICE, parts) == msgspec.structs.replace(CHOICE, seen_by=seen_by)
