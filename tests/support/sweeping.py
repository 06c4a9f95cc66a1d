"""Changes one field of a table, a profile, a sheet or a declaration at a time, and finds what is decided otherwise.

Fields are read through properties that replace the fields of a class for a while. They record which fields are read
when an entry is decided, or return another value for one of them.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints

import msgspec
from omissions import suggested_values

from ledger.commands import Command, Overrule
from ledger.errors import Refused
from ledger.events import Event, StepEntered
from machines.contract.row_fields import structs_within
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.recorded_answers import underlying

NOT_RULES = frozenset({"source", "confidence", "ruling", "name"})
"""Fields of rows that name the row and where it is printed."""
MOST_ENTRIES, MOST_PLAYED = 12, 300
"""Entries in which a field is changed, and values that it is given, before it counts as one that changes nothing."""


class Field(NamedTuple):
    """A field that rules read: of a row of a table, of a profile, a sheet, or the terms of a declaration."""

    home: str
    """``tables.NAME``, ``profile``, ``sheet TYPE`` or ``terms TYPE``."""
    field: str
    row: str = ""
    """The name of the row, in a table."""

    def __str__(self) -> str:
        return ".".join(filter(None, (self.home, self.row, self.field)))


class Decided(NamedTuple):
    """An entry of a fight, as it is decided."""

    title: str
    combat: Combat
    command: Command
    overrules: tuple[Overrule, ...]
    events: tuple[Event, ...]

    @property
    def place(self) -> str:
        """The chart in which the entry begins; the kind of command if no chart is walked."""
        levels = self.combat.path.levels
        return levels[-1][0] if levels else type(self.command).__name__


class Shift(NamedTuple):
    """A field whose value was changed, and where the difference first showed."""

    field: Field
    value: Any
    entry: Decided
    place: str
    """The chart, or the kind of command."""


def decided_entries(sessions: Iterable[Session]) -> Iterator[Decided]:
    """Yields the entries of fights that the rules decide alone."""
    for session in sessions:
        title = session.combat.session.title
        for entry in session.entries():
            command, overrules = underlying(entry, session.log.entry)
            if entry.origin is None:
                yield Decided(title, session.log.state(entry.after), command, overrules, entry.events)


# ------------------------------------------------------------------------------------------------ reading


class Homes:
    """Where the fields of a game are: by type, and for the rows of its tables by row."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game
        self.rows = {id(row): (name, _name(row)) for name, rows in game.tables.items() for row in rows}
        self.homes: dict[type[msgspec.Struct], str] = {}
        for kind in {type(row) for rows in game.tables.values() for row in rows}:
            self.homes[kind] = "tables"
        documents = {"profile": (game.profile,), "sheet": (game.sheet,), "situation": (game.situation,)}
        for home, kinds in {**documents, "terms": tuple(each.terms for each in game.kinds.values())}.items():
            for kind in chain.from_iterable(structs_within(each) for each in kinds if each is not None):
                self.homes.setdefault(kind, home if kind is game.profile else f"{home} {kind.__name__}")

    def field_of(self, thing: msgspec.Struct, field: str) -> Field | None:
        """Returns the field of a struct that was read; None if it is a copy of a row."""
        home = self.homes[type(thing)]
        if home != "tables":
            return Field(home, field)
        table = self.rows.get(id(thing))
        return None if table is None else Field(f"tables.{table[0]}", field, table[1])

    def fields(self) -> Iterator[Field]:
        """Yields every field that a rule could read."""
        for kind, home in self.homes.items():
            if home != "tables":
                fixed = NOT_RULES if home == "profile" else ()
                yield from (Field(home, name) for name in kind.__struct_fields__ if name not in fixed)
        for name, rows in self.game.tables.items():
            for row in rows:
                fields = (each for each in row.__struct_fields__ if each not in NOT_RULES)
                yield from (Field(f"tables.{name}", field, _name(row)) for field in fields)


def _name(row: msgspec.Struct) -> str:
    return str(getattr(row, "name", id(row)))


Read = Callable[[msgspec.Struct, str, Any], Any]
"""(struct, field, value): returns the value that the reader gets."""


@contextmanager
def read_through(kinds: Mapping[type[msgspec.Struct], Iterable[str]], read: Read) -> Iterator[None]:
    """Reads fields of types through a function."""
    replaced = []
    for kind, names in kinds.items():
        for name in names:
            own = kind.__dict__.get(name, MappingProxyType({}))
            replaced.append((kind, name, own))
            setattr(kind, name, _property(getattr(kind, name), name, read))
    try:
        yield
    finally:
        for kind, name, own in reversed(replaced):
            if isinstance(own, MappingProxyType):
                delattr(kind, name)
            else:
                setattr(kind, name, own)


def _property(member: Any, name: str, read: Read) -> property:
    get = member.__get__

    def value(thing: msgspec.Struct) -> Any:
        return read(thing, name, get(thing))

    return property(value)


def derived_caches() -> tuple[Callable[[], None], ...]:
    """Returns functions that empty what the rules remember beyond decoded documents."""
    found = []
    for module in tuple(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("machines."):
            for thing in vars(module).values():
                if getattr(thing, "__name__", "") not in ("ruleset", "_typed", "typed", "machine"):
                    found += _clearing(thing)
    return tuple({id(getattr(each, "__self__", each)): each for each in found}.values())


def _clearing(thing: Any) -> Iterator[Callable[[], None]]:
    if hasattr(thing, "cache_clear"):
        yield thing.cache_clear
    for cell in getattr(thing, "__closure__", None) or ():
        inner = cell.cell_contents
        if hasattr(inner, "cache_clear"):
            yield inner.cache_clear
        elif hasattr(inner, "_kept"):
            yield inner._kept.clear


# ------------------------------------------------------------------------------------------------ sweeping


class Sweep:
    """The fields of a game, where each is read in some fights, and what changes with each.

    Args:
        game: The rules.
        entries: The entries of the fights.
    """

    def __init__(self, game: Ruleset, entries: Iterable[Decided]) -> None:
        self.homes = Homes(game)
        self.game = game
        self.entries = tuple(entries)
        self.readers: dict[Field, list[int]] = defaultdict(list)
        self.values: dict[Field, dict[str, Any]] = defaultdict(dict)
        self.broken = set[Field]()
        self._caches = derived_caches()
        self._read()

    def _read(self) -> None:
        """Decides every entry, and records which fields are read."""
        seen = set[Field]()

        def read(thing: msgspec.Struct, name: str, value: Any) -> Any:
            field = self.homes.field_of(thing, name)
            if field is not None:
                seen.add(field)
                values = self.values[field._replace(row="")]
                if len(values) < 8:
                    values.setdefault(repr(value), value)
            return value

        everything = {kind: kind.__struct_fields__ for kind in self.homes.homes}
        with read_through(everything, read):
            for nth, entry in enumerate(self.entries):
                seen.clear()
                self.decide(entry)
                for field in seen:
                    self.readers[field].append(nth)

    def decide(self, entry: Decided) -> tuple[Event, ...] | str:
        """Decides an entry again: its events, or the slug of a refusal."""
        for clear in self._caches:
            clear()
        try:
            return decide(self.game, entry.combat, entry.command, entry.overrules)
        except Refused as refused:
            return refused.slug

    def shifts(self, field: Field, most: int) -> Iterator[Shift]:
        """Changes a field in entries that read it, and yields each change that is decided otherwise.

        Args:
            field: The field.
            most: The number of entries in which it is changed.
        """
        kind = next(kind for kind in self.homes.homes if self._is_of(kind, field))
        for nth in _spread(self.readers.get(field, ()), most):
            entry = self.entries[nth]
            for other in self._others(kind, field):
                place = self._difference(kind, field, entry, other)
                if place:
                    yield Shift(field, other, entry, place)

    def _is_of(self, kind: type[msgspec.Struct], field: Field) -> bool:
        if not field.row:
            return self.homes.homes[kind] == field.home
        return isinstance(self.game.tables[field.home.removeprefix("tables.")][0], kind)

    def _others(self, kind: type[msgspec.Struct], field: Field) -> list[Any]:
        """Returns values for a field: those that other rows or documents have, then those that its type suggests."""
        hint = get_type_hints(kind, include_extras=True)[field.field]
        seen = self.values[field._replace(row="")]
        numbers = [value + 1 for value in seen.values() if type(value) is int][:1]
        more = (*seen.values(), *numbers, *suggested_values(self.game, hint))
        return list({repr(value): value for value in more}.values())

    def _difference(self, kind: type[msgspec.Struct], field: Field, entry: Decided, other: Any) -> str:
        """Returns where an entry is decided otherwise with another value; empty if it is not, or if it breaks."""
        used = []

        def read(thing: msgspec.Struct, _: str, value: Any) -> Any:
            if self.homes.field_of(thing, field.field) != field or (type(value) is bool and type(other) is not bool):
                return value
            used.append(value)
            return other

        with read_through({kind: (field.field,)}, read):
            try:
                found = self.decide(entry)
            except Exception:
                self.broken.add(field)
                return ""
        if isinstance(found, str):
            return entry.place
        return "" if found == entry.events else _place_of_difference(entry, found)


def _spread(found: Iterable[int], most: int) -> list[int]:
    """Returns some of the entries, from all over the fights."""
    every = list(found)
    step = max(1, len(every) // most)
    return list(islice(every[::step], most))


def _place_of_difference(entry: Decided, found: tuple[Event, ...]) -> str:
    place = entry.place
    for was, now in zip(entry.events, found, strict=False):
        if was != now:
            return place
        if isinstance(was, StepEntered):
            place = was.chart
    return place
