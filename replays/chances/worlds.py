"""What is so in one of the ways a fight can go, with numbers that hang on dice; and making one of ways that are alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import gcd, prod
from typing import Any

import msgspec

from projections.combat import Combat
from replays.chances.unthrown import Chances, Path, Table, Unthrown, unmarked

_TOGETHER = 5_000
"""Rows of several tables are told together up to so many."""
Tally = dict[tuple[str, ...], Any]
Group = tuple[tuple[int, ...], dict[tuple[Any, ...], int]]
"""Columns that hang together: their places, and for each row of values the number of ways."""


class World(msgspec.Struct, frozen=True):
    """One way things can go."""

    share: Fraction
    """How likely it is."""
    combat: Combat
    tally: Tally
    """What came of it so far."""
    ended: bool = False


class _Shape(msgspec.Struct):
    """A world whose open numbers are taken out."""

    key: Any
    numbers: list[Unthrown]
    groups: list[Group]


def merged(chances: Chances, worlds: Iterable[tuple[World, Path]], base: Combat) -> list[World]:
    """Make one of all that differ in nothing but how likely their open numbers are; rows that nothing hangs on fall together.

    Args:
        chances: What they were found by.
        worlds: Each with the path on which it was found.
        base: What was so at first; what has not changed since is alike.
    """
    alike: dict[Any, tuple[World, list[Group]]] = {}
    for world, path in worlds:
        shape = _shape(world, path, base)
        key: Any = (world.ended, shape.key)
        while key in alike:
            before, groups = alike[key]
            together = _mixed(before.share, groups, world.share, shape.groups)
            if together is not None:
                alike[key] = msgspec.structs.replace(before, share=before.share + world.share), together
                break
            key = (key, "another")
        else:
            alike[key] = world, shape.groups
    return [_told(chances, world, groups) for world, groups in alike.values()]


def spread(tally: Tally, key: tuple[str, ...]) -> Iterator[tuple[Any, Fraction]]:
    """The values that a figure of a tally may have, each with its share."""
    value = tally[key]
    if type(value) is not Unthrown:
        yield value, Fraction(1)
        return
    whole = sum(value.table.ways)
    for each, ways in zip(value.values, value.table.ways, strict=True):
        yield each, Fraction(ways, whole)


# ------------------------------------------------------------------------------------------------ taking numbers out


def _shape(world: World, path: Path, base: Combat) -> _Shape:
    numbers: list[Unthrown] = []
    parts = [
        id(now) if now is then else _key(now, numbers)
        for now, then in zip(msgspec.structs.astuple(world.combat), msgspec.structs.astuple(base), strict=True)
    ]
    key = (() if world.ended else tuple(parts), _key(world.tally, numbers))
    return _Shape(key, numbers, list(_groups(numbers, path)))


def _key(value: Any, numbers: list[Unthrown]) -> Any:
    """A value as a dictionary can find it; open numbers are set aside."""
    if type(value) is Unthrown:
        numbers.append(value)
        return Unthrown
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, msgspec.Struct):
        return type(value), *(_key(each, numbers) for each in msgspec.structs.astuple(value))
    if isinstance(value, Mapping):
        return tuple([(each, _key(value[each], numbers)) for each in value])
    if isinstance(value, list | tuple):
        return tuple([_key(each, numbers) for each in value])
    return type(value), value


def _groups(numbers: list[Unthrown], path: Path) -> Iterator[Group]:
    places: dict[Table, list[int]] = {}
    columns = [path.column(number) for number in numbers]
    for place, (table, _) in enumerate(columns):
        places.setdefault(table, []).append(place)
    for table, mine in places.items():
        rows: dict[tuple[Any, ...], int] = {}
        for values, ways in zip(zip(*(columns[place][1] for place in mine), strict=True), table.ways, strict=True):
            rows[values] = rows.get(values, 0) + ways
        yield tuple(mine), rows


def _mixed(share: Fraction, groups: list[Group], more: Fraction, others: list[Group]) -> list[Group] | None:
    """What hangs together in either of two worlds; None where it cannot be told without a very long table."""
    if [places for places, _ in groups] != [places for places, _ in others]:
        parts = _parts([places for places, _ in (*groups, *others)])
        one, other = _together(groups, parts), _together(others, parts)
        if one is None or other is None:
            return None
        groups, others = one, other
    differing = [n for n, (mine, theirs) in enumerate(zip(groups, others, strict=True)) if not _same(mine[1], theirs[1])]
    mine, theirs = (_joined([side[n] for n in differing]) for side in (groups, others))
    if mine is None or theirs is None:
        return None
    rest = [group for n, group in enumerate(groups) if n not in differing]
    return sorted([*rest, (mine[0], _added(mine[1], share, theirs[1], more))], key=_places) if differing else groups


def _places(group: Group) -> tuple[int, ...]:
    return group[0]


def _parts(groups: list[tuple[int, ...]]) -> list[set[int]]:
    """Places that are in one group in either of two worlds."""
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
    """Groups as one, its places in order; None where it would be too long."""
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


# ------------------------------------------------------------------------------------------------ putting numbers in


def _told(chances: Chances, world: World, groups: list[Group]) -> World:
    """The world with its numbers on fresh, short tables."""
    numbers: dict[int, Any] = {}
    for places, rows in groups:
        table = Table(list(rows.values()))
        for nth, place in enumerate(places):
            numbers[place] = chances.open(table, [row[nth] for row in rows])
    if not numbers:
        return world
    given = iter(range(len(numbers)))
    combat = Combat(*(_changed(part, lambda _: numbers[next(given)]) for part in msgspec.structs.astuple(world.combat)))
    return msgspec.structs.replace(world, combat=combat, tally=_changed(world.tally, lambda _: numbers[next(given)]))


def _changed(value: Any, of: Callable[[Unthrown], Any]) -> Any:
    """A value with its open numbers replaced; itself where it has none."""
    if type(value) is Unthrown:
        return of(value)
    if isinstance(value, msgspec.Struct):
        old = msgspec.structs.astuple(value)
        new = [_changed(each, of) for each in old]
        return value if _all_same(old, new) else type(value)(*new)
    if isinstance(value, Mapping):
        changed = {each: _changed(old, of) for each, old in value.items()}
        return value if _all_same(value.values(), changed.values()) else changed
    if isinstance(value, tuple):
        new = [_changed(each, of) for each in value]
        return value if _all_same(value, new) else tuple(new)
    return value


def _all_same(old: Iterable[Any], new: Iterable[Any]) -> bool:
    return all(one is other for one, other in zip(old, new, strict=True))


def settled(combat: Combat, of: Callable[[Unthrown], Any]) -> Combat:
    """What is so, with open numbers settled."""
    return Combat(*(_changed(part, of) for part in msgspec.structs.astuple(combat)))
