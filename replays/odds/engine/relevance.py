"""Hides in what branches differ, so that they can be merged unless a later rule reads it.

Which die led to a hit, how well the defender did, which boxes the attack passed: once the damage is open, most of it no
longer matters, but which of it does depends on the game. So it is tried: values in which branches differ are hidden. If
the rules read such a value after all, that is detected (`HiddenValueRead`), and the exploration is repeated with that
one value kept. A value that is never read cannot matter, so no information is lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import Any

import msgspec

from projections.combat import Combat
from replays.odds.engine.forgotten import Forgotten, Maybe, Where
from replays.odds.engine.joint_table import shares
from replays.odds.engine.symbolic import DecisionPath, Unthrown, unmarked

_OF_A_ROLL = ("faces", "rolled", "margin", "outcome")


class HiddenValues:
    """Tracks which values must be kept, and since when others are hidden."""

    def __init__(self) -> None:
        self.kept: dict[Where, float] = {}
        """The last stage at which a value must be kept."""
        self.stage = 0
        """The number of rolls after which branches are being compared."""
        self._since: dict[Where, int] = {}
        self._noted: set[Where] = set()

    def noted(self) -> set[Where]:
        """Returns a new set, to which the values that are hidden from now on are added."""
        self._noted = set()
        return self._noted

    def put_out(self, where: Where) -> None:
        """Notes that a value is hidden from this stage on."""
        self._since.setdefault(where, self.stage)
        self._noted.add(where)

    def is_kept(self, where: Where) -> bool:
        """Returns whether a value must be kept at this stage."""
        kept = self.kept
        return self.stage <= kept.get(where, -1) or self.stage <= kept.get(_figures_of(where), -1)

    def keep(self, where: Where) -> int:
        """Notes that a value was read and must be kept; returns the stage from which it was hidden.

        With a figure of a roll, a blow or an exchange, its other figures are kept, because rules read them together.
        They are kept up to the stage at which one was read, and for good when one is read a second time; anything else,
        such as a face or whether there was a roll, is kept for good.
        """
        figures = _figures_of(where)
        for each in (where, figures):
            self.kept[each] = inf if each in self.kept or figures is where else self.stage
        since = self._since.get(where, 1)
        self._since = {each: stage for each, stage in self._since.items() if stage < since}
        return since


def _figures_of(where: Where) -> Where:
    """Returns the place of all figures of the key that a figure belongs to; the same place for anything else."""
    key, space, _ = where[-1].partition(" ")
    return ("figures", key) if space else where


# ------------------------------------------------------------------------------------------------ differences


def forget(worlds: list[Combat], sight: HiddenValues) -> list[Combat]:
    """Hides values in which states differ.

    Args:
        worlds: The states; all wait for the same rest.
        sight: The values that must be kept; records those that are hidden.
    """
    if len(worlds) < 2:
        return worlds
    asked = {rest.key for world in worlds for rest in world.path.asked}
    rolls = _rolls([world.rolls.rolls for world in worlds], sight, asked)
    sums = _sums([world.rolls.sums for world in worlds], sight, asked)
    figures = _entries([world.figures.exchange for world in worlds], sight, "figure")
    chosen = _entries([world.exchange.chosen for world in worlds], sight, "chosen")
    walked = _walked([world.path.walked for world in worlds], sight)
    return [
        msgspec.structs.replace(
            world,
            rolls=msgspec.structs.replace(world.rolls, rolls=rolls[n], sums=sums[n]),
            figures=msgspec.structs.replace(world.figures, exchange=figures[n]),
            exchange=msgspec.structs.replace(world.exchange, chosen=chosen[n]),
            path=msgspec.structs.replace(world.path, walked=walked[n]),
        )
        for n, world in enumerate(worlds)
    ]


def _differ(values: Iterable[Any]) -> bool:
    """Returns whether values differ, apart from what is hidden already."""
    first, *others = values
    if type(first) is Unthrown or any(type(value) is not type(first) for value in others):
        return True
    if type(first) is Forgotten:
        return False
    if isinstance(first, tuple):
        return any(len(value) != len(first) or any(map(_two, first, value)) for value in others)
    return any(value != first for value in others)


def _two(one: Any, other: Any) -> bool:
    return _differ((one, other))


def _truth(values: list[Any]) -> bool | None:
    """Returns the truth of all values; None where they disagree or it is unknown."""
    truths = set(map(_truth_of, values))
    return truths.pop() if len(truths) == 1 else None


def _truth_of(value: Any) -> bool | None:
    if type(value) is Forgotten:
        return value.truth
    if type(value) is Unthrown and type(value.values[0]) is str and all(value.values):
        return True
    return bool(value) if type(value) is str else None


def _rolls(worlds: list[Mapping[str, Any]], sight: HiddenValues, asked: set[str]) -> list[Mapping[str, Any]]:
    """Hides what of rolls differs, and which rolls there were."""
    found, maybe = _by_name(worlds)
    for key in [key for key in found[0] if key not in maybe and all(key in rolls for rolls in found)]:
        for field in _OF_A_ROLL:
            where = ("roll", key, field)
            values = [getattr(rolls[key], field) for rolls in found]
            if sight.is_kept(where) or not _differ(values):
                continue
            if field == "faces" and len({len(faces) for faces in values}) > 1:
                continue
            out = Forgotten(where, _truth(values))
            sight.put_out(where)
            for rolls, value in zip(found, values, strict=True):
                put = (out,) * len(value) if field == "faces" else out
                rolls[key] = msgspec.structs.replace(rolls[key], **{field: put})
    return _without_presence(found, maybe, sight, asked)


def _sums(worlds: list[Mapping[str, Any]], sight: HiddenValues, asked: set[str]) -> list[Mapping[str, Any]]:
    """Hides which rolls had modifiers."""
    return _without_presence(*_by_name(worlds), sight, asked)


def _entries(worlds: list[Mapping[str, Any]], sight: HiddenValues, kind: str) -> list[Mapping[str, Any]]:
    """Hides values of entries in which states differ, and which entries they have."""
    entries, maybe = _by_name(worlds)
    for name in [name for name in entries[0] if all(name in each for each in entries)]:
        values = [each[name] for each in entries]
        if not sight.is_kept((kind, name)) and _differ(values):
            sight.put_out((kind, name))
            for each in entries:
                each[name] = Forgotten((kind, name), _truth(values))
    return _without_presence(entries, maybe, sight, set())


def _by_name(worlds: list[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], set[str]]:
    """Returns the entries of each state by plain names, and the names whose presence is hidden already."""
    maybe = {str.__str__(key) for each in worlds for key in each if type(key) is Maybe}
    return [{str.__str__(key): value for key, value in each.items()} for each in worlds], maybe


def _without_presence(
    entries: list[dict[str, Any]], maybe: set[str], sight: HiddenValues, kept: set[str]
) -> list[Mapping[str, Any]]:
    """Hides which of the states have an entry, except entries that are kept."""
    for name in dict.fromkeys(name for each in entries for name in each):
        if not all(name in each for each in entries) and name not in kept and not sight.is_kept(("entry", name)):
            maybe.add(name)
            sight.put_out(("entry", name))
    return [dict(_sorted_out(each, maybe)) for each in entries]


def _sorted_out(entries: Mapping[str, Any], maybe: set[str]) -> Iterator[tuple[str, Any]]:
    yield from ((name, value) for name, value in entries.items() if name not in maybe)
    yield from ((Maybe(name), Forgotten(("entry", name))) for name in sorted(maybe))


def _walked(worlds: list[tuple[str, ...]], sight: HiddenValues) -> list[tuple[str, ...]]:
    where = ("walked",)
    if sight.is_kept(where) or not _differ(worlds):
        return worlds
    out: Any = Forgotten(where)
    sight.put_out(where)
    return [(out,)] * len(worlds)


# ------------------------------------------------------------------------------------------------ outcomes of tests

TOLD = "told already"
Outcomes = dict[Where, dict[str, Fraction]]


def tell(
    worlds: list[tuple[Fraction, dict[Where, Any], DecisionPath]], outcomes: Outcomes, sight: HiddenValues
) -> None:
    """Counts outcomes of tests in which branches differ, and hides them.

    Args:
        worlds: The probability and the tally of each branch, and its path.
        outcomes: The outcomes counted so far.
        sight: The values that must be kept, because they are read again later.
    """
    for key in dict.fromkeys(key for _, tally, _ in worlds for key in tally if key[0] == "test"):
        if sight.is_kept(key) or not _differ([tally.get(key) for _, tally, _ in worlds]):
            continue
        sight.put_out(key)
        for share, tally, path in worlds:
            outcome = tally.get(key, TOLD)
            is_open = type(outcome) is Unthrown
            _count(outcomes, key, shares(*path.column(outcome)) if is_open else [(outcome, Fraction(1))], share)
            tally[key] = TOLD


def tell_all(share: Fraction, tally: Mapping[Where, Any], outcomes: Outcomes) -> None:
    """Counts the outcomes of a branch's tests that were not counted yet."""
    for key, outcome in tally.items():
        if key[0] == "test":
            is_open = type(outcome) is Unthrown
            words = shares(outcome.table, outcome.values) if is_open else [(outcome, Fraction(1))]
            _count(outcomes, key, words, share)


def _count(outcomes: Outcomes, key: Where, words: Iterable[tuple[str, Fraction]], share: Fraction) -> None:
    for word, part in words:
        if word != TOLD:
            counted = outcomes.setdefault(key, {})
            counted[unmarked(word)] = counted.get(unmarked(word), Fraction(0)) + share * part


def summed(*counts: Outcomes) -> Outcomes:
    """Returns the sum of outcomes that were counted separately."""
    found: Outcomes = {}
    for outcomes in counts:
        for key, words in outcomes.items():
            counted = found.setdefault(key, {})
            for word, share in words.items():
                counted[word] = counted.get(word, Fraction(0)) + share
    return found
