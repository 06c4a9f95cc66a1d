"""Changes one field of a table, a profile, a sheet or a declaration at a time, and finds what is decided otherwise.

Fields are read through properties that replace the fields of a class for a while. They record which fields are read
when an entry is decided, or return another value for one of them.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain, islice, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints
from zlib import crc32

import msgspec
from omissions import suggested_values

from ledger.commands import Command, Join, Overrule
from ledger.errors import Refused
from ledger.events import Event, StepEntered
from machines.contract.row_fields import structs_within
from machines.contract.ruleset import Ruleset, ruleset, typed
from machines.engine.decide import decide
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.recorded_answers import underlying

NOT_RULES = frozenset({"source", "confidence", "ruling", "name"})
"""Fields of rows that name the row and where it is printed."""
REFUSED = "refused"
"""The place of a difference that is a refusal."""
MOST_VALUES = 8
"""Different values of a field that are remembered from fights."""
OTHER_WORD = "another word"


class Field(NamedTuple):
    """A field that rules read: of a row of a table, of a profile, a sheet, or the terms of a declaration."""

    home: str
    """``tables.NAME``, ``profile``, ``sheet TYPE``, ``situation TYPE`` or ``terms TYPE``."""
    field: str
    row: str = ""
    """The name of the row, in a table."""

    def __str__(self) -> str:
        return ".".join(filter(None, (self.home, self.row, self.field)))


class Decided(NamedTuple):
    """An entry of a fight, as it is decided."""

    title: str
    seq: int
    combat: Combat
    command: Command
    overrules: tuple[Overrule, ...]
    events: tuple[Event, ...]

    @property
    def place(self) -> str:
        """The chart and the box in which the entry begins; the kind of command if no chart is walked."""
        levels = self.combat.path.levels
        return " ".join(levels[-1]) if levels else type(self.command).__name__


class Shift(NamedTuple):
    """A field whose value was changed, and where the difference first showed."""

    field: Field
    value: Any
    entry: Decided
    place: str
    """The chart and the box, the kind of command, or `REFUSED`."""

    def __str__(self) -> str:
        value = "another value" if isinstance(self.value, Nudge) else repr(self.value)
        return f"{self.field} as {value} moves {self.place} in entry {self.entry.seq} of {self.entry.title!r}"


class Nudge:
    """Stands for the value that is read, changed a little: a number plus 1, another digit, one item less."""

    @staticmethod
    def value(read: Any) -> Any:
        """Returns the changed value; the same value if there is none."""
        if isinstance(read, bool):
            return not read
        if isinstance(read, int):
            return read + 1
        if isinstance(read, str):
            return re.sub(r"\d", lambda digit: str(int(digit[0]) % 9 + 1), read, count=1)
        if isinstance(read, tuple):
            return tuple(each + 1 for each in read) if all(type(each) is int for each in read) else read[:-1]
        if isinstance(read, dict):
            numbers = {key: each + 1 for key, each in read.items() if type(each) is int}
            return {**read, **numbers} if numbers else dict(list(read.items())[:-1])
        return read


def decided_entries(sessions: Iterable[Session]) -> Iterator[Decided]:
    """Yields the entries of fights that the rules decide alone."""
    for session in sessions:
        title = session.combat.session.title
        for entry in session.entries():
            command, overrules = underlying(entry, session.log.entry)
            if entry.origin is None:
                yield Decided(title, entry.seq, session.log.state(entry.after), command, overrules, entry.events)


# ------------------------------------------------------------------------------------------------ reading


class Homes:
    """Where the fields of a game are: by type, and for the rows of its tables by row."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game
        self.rows = {id(row): (name, _name(row, nth)) for name, rows in game.tables.items() for nth, row in _nth(rows)}
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
            for nth, row in _nth(rows):
                fields = (each for each in row.__struct_fields__ if each not in NOT_RULES)
                yield from (Field(f"tables.{name}", field, _name(row, nth)) for field in fields)

    def kind(self, field: Field) -> type[msgspec.Struct]:
        """Returns the type that has a field."""
        if field.row:
            return type(self.game.tables[field.home.removeprefix("tables.")][0])
        return next(kind for kind, home in self.homes.items() if home == field.home)


def _nth(rows: Iterable[msgspec.Struct]) -> Iterator[tuple[int, msgspec.Struct]]:
    return enumerate(rows, 1)


def _name(row: msgspec.Struct, nth: int) -> str:
    return str(getattr(row, "name", f"row {nth}"))


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
    """Returns functions that empty what the games remember of fields beyond decoded documents.

    The engine remembers types, charts and installed games alone.
    """
    found = []
    for name, module in tuple(sys.modules.items()):
        if name.startswith("machines.") and not name.startswith(_OF_THE_ENGINE):
            kept = [thing for thing in vars(module).values() if not (thing is typed or thing is ruleset)]
            found += [clear for thing in kept for clear in _clearing(thing)]
    return tuple({id(getattr(each, "__self__", each)): each for each in found}.values())


_OF_THE_ENGINE = ("machines.contract.", "machines.engine.", "machines.secrecy.")


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
        self.readers: dict[Field, dict[int, bool]] = defaultdict(dict)
        """The entries that read a field, each with whether its value there is neither empty nor the default."""
        self.values: dict[Field, dict[str, Any]] = defaultdict(dict)
        self._caches = derived_caches()
        self._read()

    def _read(self) -> None:
        """Decides every entry, and records which fields are read."""
        seen: dict[tuple[type[msgspec.Struct], int, str], tuple[msgspec.Struct, Any]] = {}
        homes = self.homes.homes
        defaults = {kind: {each.name: each.default for each in msgspec.structs.fields(kind)} for kind in homes}

        def read(thing: msgspec.Struct, name: str, value: Any) -> Any:
            kind = type(thing)
            key = (kind, id(thing) if homes[kind] == "tables" else 0, name)
            if key not in seen or (value and not seen[key][1]):
                seen[key] = thing, value
            return value

        with read_through({kind: kind.__struct_fields__ for kind in homes}, read):
            for nth, entry in enumerate(self.entries):
                seen.clear()
                self.decide(entry)
                for (kind, _, name), (thing, value) in tuple(seen.items()):
                    field = self.homes.field_of(thing, name)
                    if field is not None:
                        self._record(field, value)
                        self.readers[field][nth] = bool(value) and value != defaults[kind].get(name)

    def _record(self, field: Field, value: Any) -> None:
        values = self.values[field._replace(row="")]
        if len(values) < MOST_VALUES:
            values.setdefault(repr(value), value)

    def decide(self, entry: Decided) -> tuple[Event, ...] | str:
        """Decides an entry again: its events, or the slug of a refusal."""
        for clear in self._caches:
            clear()
        try:
            return decide(self.game, entry.combat, entry.command, entry.overrules)
        except Refused as refused:
            return refused.slug

    def shifts(self, fields: Iterable[Field], most: int) -> Iterator[Shift]:
        """Changes a field in entries that read it, and yields each change that is decided otherwise.

        Args:
            fields: The field; in a table, that of some rows.
            most: The number of decisions that are tried.
        """
        pairs = self._pairs(list(fields))
        if not pairs:
            return
        kind = self.homes.kind(pairs[0][0])
        others = self._others(kind, pairs[0][0])
        for trial in range(min(most, len(pairs) * len(others))):
            turn, nth = divmod(trial, len(pairs))
            field, entry = pairs[nth]
            other = others[(nth + turn) % len(others)]
            place = self._difference(kind, field, self.entries[entry], other)
            if place:
                yield Shift(field, other, self.entries[entry], place)

    def _pairs(self, fields: list[Field]) -> list[tuple[Field, int]]:
        """Returns the entries that read a field, in an order by chance.

        Entries in which it is neither empty nor the default take turns with the others. Entries by which a combatant joins come
        last: they read whole tables, to check a sheet.
        """

        def order(pair: tuple[Field, int]) -> tuple[bool, int]:
            field, nth = pair
            entry = self.entries[nth]
            return isinstance(entry.command, Join), crc32(f"{field} {entry.title} {entry.seq}".encode())

        ordered = sorted(((field, nth) for field in fields for nth in self.readers.get(field, ())), key=order)
        own = [pair for pair in ordered if self.readers[pair[0]][pair[1]]]
        others = [pair for pair in ordered if not self.readers[pair[0]][pair[1]]]
        return [pair for both in zip_longest(own, others) for pair in both if pair is not None]

    def _others(self, kind: type[msgspec.Struct], field: Field) -> list[Any]:
        """Returns values for a field: a nudge, those that other rows or documents have, those that its type suggests.

        Numbers below 0 are suggested for a column only if it has some.
        """
        hint = get_type_hints(kind, include_extras=True)[field.field]
        rows = self.game.tables[field.home.removeprefix("tables.")] if field.row else ()
        seen = self.values[field._replace(row="")].values()
        column = {repr(value): value for value in (getattr(row, field.field) for row in rows)}.values()
        negative = not rows or any(_is_negative(value) for value in column)
        suggested = (
            value for value in _accepted(hint, suggested_values(self.game, hint)) if negative or not _is_negative(value)
        )
        words = (OTHER_WORD,) if hint is str or any(isinstance(value, str) for value in seen) else ()
        more = (*islice(column, 2 * MOST_VALUES), *seen, *islice(suggested, 2 * MOST_VALUES), *words)
        return [Nudge(), *{repr(value): value for value in more}.values()]

    def _difference(self, kind: type[msgspec.Struct], field: Field, entry: Decided, other: Any) -> str:
        """Returns where an entry is decided otherwise with another value; empty if it is not.

        A value that the rules cannot use counts as refused: types of fields reject it before.
        """

        def read(thing: msgspec.Struct, _: str, value: Any) -> Any:
            if self.homes.field_of(thing, field.field) != field:
                return value
            if isinstance(other, Nudge):
                return other.value(value)
            return value if isinstance(value, bool) and not isinstance(other, bool) else other

        with read_through({kind: (field.field,)}, read):
            try:
                found = self.decide(entry)
            except Exception:
                return REFUSED
        if isinstance(found, str):
            return REFUSED
        return "" if found == entry.events else _place_of_difference(entry, found)


def _is_negative(value: Any) -> bool:
    return type(value) is int and value < 0


def _accepted(hint: Any, values: Iterable[Any]) -> Iterator[Any]:
    """Yields the values that a type accepts."""
    for value in values:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(value, hint)


def _place_of_difference(entry: Decided, found: tuple[Event, ...]) -> str:
    """Returns the box in which a recorded entry and another decision of it first differ."""
    place = entry.place
    for was, now in zip(entry.events, found, strict=False):
        if was != now:
            return place
        if isinstance(was, StepEntered):
            place = f"{was.chart} {was.box}"
    return place
