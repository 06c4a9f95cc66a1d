"""Separates branches into shapes and numbers, and puts other numbers into them.

Branches of one shape differ in numbers only. What many branches share is read once: its shape and its numbers are kept
by the identity of the value, until `Shapes.forget`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from projections.combat import Combat
from replays.odds.engine.forgotten import Forgotten, Maybe
from replays.odds.engine.symbolic import Unthrown, numberless, unmarked

DISPLAY_ONLY = frozenset({"why", "source", "label", "purpose", "words"})
"""Fields that are only displayed."""
Tally = dict[tuple[str, ...], Any]


class Shapes:
    """Reads the shapes and the numbers of branches.

    Args:
        base: The initial state; parts that have not changed since are equal.
    """

    def __init__(self, base: Combat) -> None:
        self._base = msgspec.structs.astuple(base)
        self._unchanged = frozenset(map(id, self._base))
        self._read: dict[int, tuple[Any, list[Any], Any]] = {}
        """The shape and the numbers of each value that was read, by its id; the value is kept alive."""
        self._same: dict[Any, object] = {}
        """One object for each shape, by its parts, so that equal shapes are compared by identity."""

    def forget(self) -> None:
        """Releases the values that were read."""
        self._read, self._same = {}, {}

    def of(self, combat: Combat | None, tally: Tally, numbers: list[Any]) -> Any:
        """Returns what a branch is without its numbers, as a key; appends the numbers.

        Args:
            combat: Its state; None for a branch that has ended.
            tally: Its tally.
            numbers: The list to append them to.
        """
        parts = () if combat is None else msgspec.structs.astuple(combat)
        return *[self._shape_if_changed(part, numbers) for part in parts], self._shape(tally, numbers)

    def filled(self, combat: Combat | None, tally: Tally, new: Mapping[int, Any]) -> tuple[Combat | None, Tally]:
        """Returns a state and a tally that were read, with other numbers.

        Args:
            combat: The state; None for a branch that has ended.
            tally: The tally.
            new: The numbers to put in, by their place in the list of all.
        """
        filling = _Filling(self._read, new)
        if combat is not None:
            parts = msgspec.structs.astuple(combat)
            combat = Combat(*(part if id(part) in self._unchanged else filling.of(part) for part in parts))
        return combat, filling.of(tally)

    def settled(self, combat: Combat, of: Callable[[Any], Any]) -> Combat:
        """Returns a state with its open numbers settled.

        Args:
            combat: The state.
            of: Settles a number.
        """
        numbers: list[Any] = []
        self.of(combat, {}, numbers)
        known = ((place, number, of(number)) for place, number in enumerate(numbers) if type(number) is Unthrown)
        found, _ = self.filled(combat, {}, {place: now for place, number, now in known if now is not number})
        assert found is not None, "a state was given"
        return found

    def _shape_if_changed(self, part: Any, numbers: list[Any]) -> Any:
        return None if id(part) in self._unchanged else self._shape(part, numbers)

    def _shape(self, value: Any, numbers: list[Any]) -> Any:
        kind: type = type(value)
        if kind is int or kind is Unthrown:
            numbers.append(value)
            return int
        if kind is str:
            return unmarked(value)
        known = self._read.get(id(value))
        if known is None:
            container = _container(kind)
            if container is None:
                return _plain(value)
            mine: list[Any] = []
            parts = kind, *container.parts(value, lambda part: self._shape(part, mine))
            known = self._read[id(value)] = self._same.setdefault(parts, object()), mine, value
        numbers += known[1]
        return known[0]


class _Filling:
    """Puts numbers into values that were read, in the order in which they were read."""

    def __init__(self, read: Mapping[int, tuple[Any, list[Any], Any]], new: Mapping[int, Any]) -> None:
        self._read, self._new = read, new
        self._at = 0
        self._places = sorted(new, reverse=True)
        """The places of numbers that are still to be put in, the next one last."""

    def of(self, value: Any) -> Any:
        """Returns a value with its new numbers; the value itself where it has none."""
        kind: type = type(value)
        if kind is int or kind is Unthrown:
            self._at += 1
            return self._new[self._places.pop()] if self._places and self._places[-1] < self._at else value
        known = self._read.get(id(value))
        if known is None:
            return value
        end = self._at + len(known[1])
        if not self._places or self._places[-1] >= end:
            self._at = end
            return value
        container = _container(kind)
        assert container is not None, "only containers are read"
        return container.filled(value, self.of)


# ------------------------------------------------------------------------------------------------ kinds of values

Of = Callable[[Any], Any]


class _Struct:
    """Values of one Struct type."""

    def __init__(self, kind: type[msgspec.Struct]) -> None:
        self._kind = kind
        self._is_counted = [field not in DISPLAY_ONLY for field in kind.__struct_fields__]

    def parts(self, value: Any, of: Of) -> list[Any]:
        fields = zip(msgspec.structs.astuple(value), self._is_counted, strict=True)
        return [of(each) if is_counted else numberless(each) for each, is_counted in fields]

    def filled(self, value: Any, of: Of) -> Any:
        fields = zip(msgspec.structs.astuple(value), self._is_counted, strict=True)
        return self._kind(*[of(each) if is_counted else each for each, is_counted in fields])


class _Mapping:
    """Values by name; a name has no numbers."""

    def parts(self, value: Mapping[Any, Any], of: Of) -> list[Any]:
        return [(_plain(name), of(each)) for name, each in value.items()]

    def filled(self, value: Mapping[Any, Any], of: Of) -> Any:
        return {name: of(each) for name, each in value.items()}


class _Sequence:
    """Values in order."""

    def parts(self, value: Any, of: Of) -> list[Any]:
        return list(map(of, value))

    def filled(self, value: Any, of: Of) -> Any:
        return type(value)(map(of, value))


@cache
def _container(kind: type) -> _Struct | _Mapping | _Sequence | None:
    """Returns how values of a type are read; None where they have no parts."""
    if issubclass(kind, Forgotten | str):
        return None
    if issubclass(kind, msgspec.Struct):
        return _Struct(kind)
    if issubclass(kind, Mapping):
        return _Mapping()
    return _Sequence() if issubclass(kind, list | tuple) else None


def _plain(value: Any) -> Any:
    """Returns a value without parts, or a name, as a part of a key."""
    kind = type(value)
    if kind is Forgotten:
        return Forgotten, value.where, value.truth
    if kind is Maybe:
        return Maybe, str.__str__(value)
    return unmarked(value) if kind is str else value
