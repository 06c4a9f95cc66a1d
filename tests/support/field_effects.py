"""Reads what is expected of a change of each field, and compares it with what changes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

import msgspec
from all_fights import by_hand, played
from sweeping import REFUSED, Field, Shift, Sweep, decided_entries

from machines.contract.ruleset import ruleset

EFFECTS = Path(__file__).parents[1] / "contracts" / "rulesets" / "effects"
MACHINES = Path(__file__).parents[2] / "machines"


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fields whose change shows nowhere, and why."""

    reason: str
    fields: tuple[str, ...]
    by: str = ""
    """The module that reads them once, when the rules are loaded."""
    empty: bool = False
    """Whether all rows of their table have the default."""


class Effects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is expected of a change of each field of a game."""

    first: dict[str, dict[str, tuple[str, ...]]]
    """By home and field: where a change may first show, as chart and box, kind of command, or ``refused``."""
    unread: tuple[Judged, ...]
    """Fields that no rule reads while a fight is decided."""
    still: tuple[Judged, ...] = ()
    """Fields that rules read, and that move nothing."""
    rare: tuple[str, ...] = ()
    """Fields that move something in few fights: only the long tier looks for it."""

    def places(self, field: str) -> tuple[str, ...]:
        """Returns where a change of a field may first show."""
        home, _, name = field.rpartition(".")
        return self.first.get(home, {}).get(name, ())

    @property
    def moving(self) -> tuple[str, ...]:
        """The fields whose change shows somewhere."""
        return tuple(f"{home}.{name}" for home, fields in self.first.items() for name in fields)


def effects(game: str) -> Effects:
    """Returns what is expected of the fields of a game."""
    return msgspec.toml.decode((EFFECTS / f"{game}.toml").read_bytes(), type=Effects)


GAMES = sorted(path.stem for path in EFFECTS.glob("*.toml"))


@cache
def sweep_of(game: str) -> Sweep:
    """Returns the sweep of a game over its scenarios, the shipped fights and the fights that were worked out by hand."""
    return Sweep(ruleset(game), decided_entries((*played(game), *by_hand(game))))


def fields_by_name(sweep: Sweep) -> Mapping[str, list[Field]]:
    """Returns the fields of a game by name without row, each with the rows that have it."""
    found = defaultdict(list)
    for field in sweep.homes.fields():
        found[str(field._replace(row=""))].append(field)
    return found


def of_judged(judged: Iterable[Judged]) -> tuple[str, ...]:
    """Returns the fields of judgements."""
    return tuple(chain.from_iterable(each.fields for each in judged))


def misplaced(expected: Effects, shifts: Iterable[Shift]) -> Iterator[str]:
    """Yields the changes that first show where none is expected; a refusal is expected of every field."""
    for shift in shifts:
        places = expected.places(str(shift.field._replace(row="")))
        if shift.place != REFUSED and shift.place not in places:
            yield f"{shift}; expected: {', '.join(places) or 'nothing'}"


def filled(game: str, judged: Judged) -> Iterator[str]:
    """Yields the fields of which a row has another value than the default."""
    for name in judged.fields:
        home, _, field = name.rpartition(".")
        rows = ruleset(game).tables[home.removeprefix("tables.")]
        default = next(each.default for each in msgspec.structs.fields(rows[0]) if each.name == field)
        if any(getattr(row, field) != default for row in rows):
            yield name


def not_loaded(judged: Judged) -> Iterator[str]:
    """Yields the fields of a judgement that its module does not read."""
    text = (MACHINES / judged.by).read_text()
    for field in judged.fields:
        if f".{field.rpartition('.')[2]}" not in text:
            yield f"{field} is not read by {judged.by}"
