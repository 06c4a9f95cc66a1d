"""Branches: possible courses of a fight, whose states contain open numbers; and merging of like branches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, prod
from typing import Any

import msgspec

from projections.combat import Combat
from replays.odds.engine.joint_table import JointTable, shares
from replays.odds.engine.shapes import Shapes, Tally
from replays.odds.engine.symbolic import Chances, DecisionPath, Unthrown

_TOGETHER = 5_000
"""The maximal number of rows of a joint table."""
Group = tuple[tuple[int, ...], dict[tuple[Any, ...], int]]
"""Dependent columns: their places, and the number of ways of each row of values."""


class Branch(msgspec.Struct, frozen=True):
    """One possible course of a fight."""

    share: Fraction
    """Its probability."""
    combat: Combat
    tally: Tally
    """The counted events so far."""
    ended: bool = False


def merged(chances: Chances, worlds: Iterable[tuple[Branch, DecisionPath]], shapes: Shapes) -> list[Branch]:
    """Merges branches that differ only in numbers; rows with equal values are combined.

    Args:
        chances: What explored them.
        worlds: Each branch with the path on which it was found.
        shapes: Reads their shapes and numbers.
    """
    alike: dict[Any, list[tuple[Branch, DecisionPath, list[Any]]]] = {}
    for world, path in worlds:
        numbers: list[Any] = []
        key = shapes.of(_state(world), world.tally, numbers)
        alike.setdefault(key, []).append((world, path, numbers))
    return [world for some in alike.values() for world in _one(chances, some, shapes)]


def _state(world: Branch) -> Combat | None:
    return None if world.ended else world.combat


def _one(chances: Chances, alike: list[tuple[Branch, DecisionPath, list[Any]]], shapes: Shapes) -> Iterator[Branch]:
    """Merges branches of one shape into as few as possible."""
    columns = list(zip(*(numbers for _, _, numbers in alike), strict=True))
    open_ = [place for place, column in enumerate(columns) if _varies(column)]
    found: list[tuple[Fraction, list[Group]]] = []
    for world, path, numbers in alike:
        groups = list(_groups({place: numbers[place] for place in open_}, path))
        chances.spend(10 * sum(len(places) * len(rows) for places, rows in groups))
        for nth, (share, others) in enumerate(found):
            together = _mixed(share, others, world.share, groups)
            if together is not None:
                found[nth] = share + world.share, together
                break
        else:
            found.append((world.share, groups))
    world = alike[0][0]
    for share, groups in found:
        combat, tally = shapes.filled(_state(world), world.tally, dict(_on_short_tables(chances, groups)))
        yield Branch(share, world.combat if combat is None else combat, tally, world.ended)


def _on_short_tables(chances: Chances, groups: list[Group]) -> Iterator[tuple[int, Any]]:
    """Yields the open numbers of a merged branch by their places, on a table for each group."""
    for places, rows in groups:
        table = JointTable(list(rows.values()))
        for place, column in zip(places, zip(*rows, strict=True), strict=True):
            yield place, chances.open(table, list(column))


def _varies(column: Sequence[Any]) -> bool:
    return Unthrown in map(type, column) or column.count(column[0]) != len(column)


def spread(tally: Tally, key: tuple[str, ...]) -> Iterator[tuple[Any, Fraction]]:
    """Yields the possible values of a tally's figure, each with its share."""
    value = tally[key]
    if type(value) is Unthrown:
        yield from shares(value.table, value.values)
    else:
        yield value, Fraction(1)


# ------------------------------------------------------------------------------------------------ dependent numbers


def _groups(numbers: Mapping[int, Any], path: DecisionPath) -> Iterator[Group]:
    """Yields the places that depend on each table, with their values by row; known numbers form one group."""
    hanging: dict[JointTable, list[tuple[int, list[Any]]]] = {}
    known = [place for place, number in numbers.items() if type(number) is not Unthrown]
    if known:
        yield tuple(known), {tuple([numbers[place] for place in known]): 1}
    for place, number in numbers.items():
        if type(number) is Unthrown:
            table, values = path.column(number)
            hanging.setdefault(table, []).append((place, values))
    for table, columns in hanging.items():
        rows: dict[tuple[Any, ...], int] = {}
        for row, ways in zip(zip(*(values for _, values in columns), strict=True), table.ways, strict=True):
            rows[row] = rows.get(row, 0) + ways
        yield tuple([place for place, _ in columns]), rows


def _mixed(share: Fraction, groups: list[Group], more: Fraction, others: list[Group]) -> list[Group] | None:
    """Returns the joint groups of two branches; None where the joint table would be too long."""
    if [places for places, _ in groups] != [places for places, _ in others]:
        parts = _parts([places for places, _ in (*groups, *others)])
        one, other = _together(groups, parts), _together(others, parts)
        if one is None or other is None:
            return None
        groups, others = one, other
    both = enumerate(zip(groups, others, strict=True))
    differing = [n for n, (mine, theirs) in both if not _same(mine[1], theirs[1])]
    mine, theirs = (_joined([side[n] for n in differing]) for side in (groups, others))
    if mine is None or theirs is None:
        return None
    rest = [group for n, group in enumerate(groups) if n not in differing]
    return sorted([*rest, (mine[0], _added(mine[1], share, theirs[1], more))], key=_places) if differing else groups


def _places(group: Group) -> tuple[int, ...]:
    return group[0]


def _parts(groups: list[tuple[int, ...]]) -> list[set[int]]:
    """Returns the places that are in one group in either of two branches."""
    parts: list[set[int]] = []
    for places in groups:
        touched = [part for part in parts if not part.isdisjoint(places)]
        parts = [part for part in parts if part.isdisjoint(places)] + [set(places).union(*touched)]
    return parts


def _together(groups: list[Group], parts: list[set[int]]) -> list[Group] | None:
    joined = [_joined([group for group in groups if part.issuperset(group[0])]) for part in parts]
    return sorted([group for group in joined if group], key=_places) if all(joined) else None


def _same(mine: dict[tuple[Any, ...], int], theirs: dict[tuple[Any, ...], int]) -> bool:
    if mine.keys() != theirs.keys():
        return False
    one, other = sum(mine.values()), sum(theirs.values())
    return all(ways * other == theirs[row] * one for row, ways in mine.items())


def _joined(groups: list[Group]) -> Group | None:
    """Joins groups into one with sorted places; None where it would be too long."""
    if len(groups) == 1:
        return groups[0]
    if prod(len(rows) for _, rows in groups) > _TOGETHER:
        return None
    places = [place for mine, _ in groups for place in mine]
    order = sorted(range(len(places)), key=places.__getitem__)
    rows = {}
    for chosen in product(*(rows.items() for _, rows in groups)):
        values = [value for row, _ in chosen for value in row]
        rows[tuple([values[n] for n in order])] = prod(ways for _, ways in chosen)
    return tuple(sorted(places)), rows


def _added(
    mine: dict[tuple[Any, ...], int], share: Fraction, theirs: dict[tuple[Any, ...], int], more: Fraction
) -> dict[tuple[Any, ...], int]:
    left, right = share / sum(mine.values()), more / sum(theirs.values())
    common = left.denominator * right.denominator // gcd(left.denominator, right.denominator)
    by_left, by_right = int(left * common), int(right * common)
    divisor = gcd(by_left, by_right)
    rows = {row: ways * (by_left // divisor) for row, ways in mine.items()}
    for row, ways in theirs.items():
        rows[row] = rows.get(row, 0) + ways * (by_right // divisor)
    return rows
