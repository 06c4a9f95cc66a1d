"""Finds terms of declarations that move a number, and what a declaration does without them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints
from zlib import crc32

import msgspec

from ledger import events as e
from ledger.commands import Choose, Command, Declare, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.errors import Refused
from machines.contract.row_fields import RowOf
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decided
from projections.combat import Combat
from projections.path import Rest
from replays.api.session import Session
from replays.corrections.recorded_answers import underlying

ASSUMED = "assumed "
"""How the name of a figure begins that records what is assumed for an omitted term."""
MOST_ANSWERS = 60
"""Answers after which a declaration is left as it is."""
SAME = (e.Declared, e.ChoiceRequested, e.Chosen, e.StepEntered, e.DiceRolled)
"""Events that have no number which the rules find."""
NUMBERS = frozenset(
    {"value", "amount", "dice", "base", "target", "margin", "rolled", "count", "capacity", "level", "score"}
)
"""Fields of events that rules find numbers for."""


class Declaration(NamedTuple):
    """A declaration that was made in a fight, and how the table went on."""

    title: str
    combat: Combat
    """The state before it."""
    command: Declare
    faces: Mapping[str, Sequence[int]]
    """Every face that was thrown in the fight, by the key of its roll."""
    choices: Mapping[str, str]
    """Every option that was chosen, by key."""


class Played(NamedTuple):
    """What came of a declaration."""

    events: tuple[e.Event, ...]
    numbers: tuple[Any, ...]
    assumed: frozenset[str]
    """The terms for which something was assumed."""
    asked: frozenset[str]
    """The roles of the choices that were asked for."""
    figures: Mapping[str, frozenset[str]]
    """The values of each figure, by name."""


def declarations(game: Ruleset, sessions: Iterable[Session]) -> Iterator[Declaration]:
    """Yields the declarations of fights."""
    for session in sessions:
        if session.combat.session.ruleset != game.name:
            continue
        entries = tuple(session.entries())
        commands = [underlying(entry, session.log.entry)[0] for entry in entries]
        told = [event for entry in entries for event in entry.events]
        faces = {each.key: each.faces for each in told if isinstance(each, e.DiceRolled)}
        choices = {each.key: each.option for each in told if isinstance(each, e.Chosen)}
        for entry, command in zip(entries, commands, strict=True):
            if isinstance(command, Declare) and command.kind in game.kinds:
                yield Declaration(session.combat.session.title, session.log.state(entry.after), command, faces, choices)


def play(game: Ruleset, one: Declaration, terms: Mapping[str, Any]) -> Played | None:
    """Declares with other terms, and answers until the exchange has ended; None if the declaration is refused.

    Recorded faces and choices answer where they can; other faces follow from the key, other choices are the default.
    """
    command: Command = Declare(one.command.kind, one.command.by, dict(terms))
    depth, combat, told = len(one.combat.path.bases), one.combat, list[e.Event]()
    for _ in range(MOST_ANSWERS):
        try:
            events, combat = decided(game, combat, command)
        except Refused:
            if not told:
                return None
            break
        told += events
        if len(combat.path.bases) <= depth or not combat.rests:
            break
        command = _answer(one, combat.rests[0])
    return _played(tuple(told))


def _answer(one: Declaration, rest: Rest) -> Command:
    if rest.dice:
        sides, known = parse(rest.dice).sides, one.faces.get(rest.key, ())
        return TypeDice(rest.key, tuple(_face(rest.key, nth, of, known) for nth, of in enumerate(sides)))
    options = [each.option for each in rest.options]
    chosen = one.choices.get(rest.key, rest.default)
    return Choose(rest.key, chosen if chosen in options else options[0])


def _face(key: str, nth: int, sides: Any, known: Sequence[int]) -> int:
    low, high = lowest(sides), highest(sides)
    if nth < len(known) and low <= known[nth] <= high:
        return known[nth]
    return low + crc32(f"{key} {nth}".encode()) % (high - low + 1)


def _played(told: tuple[e.Event, ...]) -> Played:
    figures: dict[str, set[str]] = defaultdict(set)
    for each in told:
        if isinstance(each, e.FigureFound):
            figures[each.name].add(str(each.value))
    assumed = {each.removeprefix(ASSUMED) for each in figures if each.startswith(ASSUMED)}
    asked = {each.key.rpartition("/")[2] for each in told if isinstance(each, e.ChoiceRequested)}
    return Played(
        told,
        tuple(_numbers(told)),
        frozenset(assumed),
        frozenset(asked),
        {name: frozenset(values) for name, values in figures.items()},
    )


def _numbers(told: Iterable[e.Event]) -> Iterator[tuple[object, ...]]:
    """Yields the numbers of events: integers, and texts with a digit, such as dice and damage codes."""
    for event in told:
        is_assumption = isinstance(event, e.FigureFound) and event.name.startswith(ASSUMED)
        if not isinstance(event, SAME) and not is_assumption:
            values = (getattr(event, field) for field in event.__struct_fields__ if field in NUMBERS)
            found = tuple(value for value in values if _is_number(value))
            if found:
                yield type(event).__name__, *found


def _is_number(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and any(letter.isdigit() for letter in value))


# ------------------------------------------------------------------------------------------------ values


def optional_terms(terms: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Returns the fields of a declaration that may be omitted."""
    return tuple(each for each in msgspec.structs.fields(terms) if not each.required)


def values_played(found: Iterable[Declaration]) -> Mapping[tuple[str, str], tuple[Any, ...]]:
    """Returns the values that fights give each term: by kind and term, each once."""
    seen: dict[tuple[str, str], dict[bytes, Any]] = defaultdict(dict)
    for one in found:
        for term, value in one.command.terms.items():
            seen[one.command.kind, term][msgspec.json.encode(value)] = value
    return {term: tuple(values.values()) for term, values in seen.items()}


def values_of(game: Ruleset, kind: str, field: msgspec.structs.FieldInfo, default: Any) -> Iterator[Any]:
    """Yields values that the type of a term suggests: words, names of rows, numbers on both sides of the default."""
    hint = get_type_hints(game.kinds[kind].terms, include_extras=True)[field.name]
    yield from _suggested(game, hint, default)


def suggested_values(game: Ruleset, hint: Any) -> Iterator[Any]:
    """Yields values of a type: words, names of rows, numbers on both sides of 0, both truth values."""
    yield from _suggested(game, hint, False)
    yield from (True, False) if hint is bool else ()


def _suggested(game: Ruleset, hint: Any, default: Any) -> Iterator[Any]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        rows = [each for each in parts[1:] if isinstance(each, RowOf)]
        yield from (name for row in rows for name in row.names(game.tables))
        if not rows:
            yield from _suggested(game, parts[0], default)
    elif origin in (Union, UnionType):
        yield from (value for each in parts if each is not NoneType for value in _suggested(game, each, default))
    elif origin is Literal:
        yield from parts
    elif hint is bool:
        yield not default
    elif hint is int:
        yield from (0, 1, 2, 3, 7, 20, -1, -2, -10)
    elif origin is tuple and parts:
        yield from ([value] for value in _suggested(game, parts[0], None))
    elif origin is dict and parts[0] is str:
        yield from ({"dark": value} for value in _suggested(game, parts[1], None))


# ------------------------------------------------------------------------------------------------ silent terms


class Omitted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a game that move a number, and whose omission is no assumption."""

    none: tuple["NoneApplies", ...] = ()
    shown: dict[str, str] = {}
    """By term: the figure that shows what was decided without it."""
    instead: dict[str, str] = {}
    """By term: the term for which something is given or assumed in its place."""


class NoneApplies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terms without which there is none, and why."""

    reason: str
    terms: tuple[str, ...]
    """Each as ``term``, for all kinds of declaration, or as ``kind.term``."""


def read_omitted(path: Path) -> Omitted:
    """Returns the terms of a file; none if there is no file."""
    return msgspec.toml.decode(path.read_bytes(), type=Omitted) if path.exists() else Omitted()


class Silent(NamedTuple):
    """A term that moves a number in a declaration, and was omitted without a refusal, a question or an assumption."""

    kind: str
    term: str
    given: Any
    without: Played
    with_it: Played
    declared: Declaration
    terms: Mapping[str, Any]

    def is_shown_by(self, figure: str) -> bool:
        """Returns whether both ways record a figure, and the value that was given is one of its values."""
        return figure in self.without.figures and str(self.given) in self.with_it.figures.get(figure, ())

    def is_replaced_by(self, other: str) -> bool:
        """Returns whether another term is declared, or something is assumed for it."""
        return other in self.terms or other in self.without.assumed

    def __str__(self) -> str:
        pairs = zip(self.without.numbers, self.with_it.numbers, strict=False)
        moved = next((pair for pair in pairs if pair[0] != pair[1]), "more or fewer events")
        return f"{self.kind}.{self.term} = {self.given!r} in {self.declared.title!r}: {moved}"


MOST_CONTEXTS = 24
"""Declarations in which each term is omitted, each with other terms or another weapon."""
MOST_PLAYED, MOST_SUGGESTED = 6, 8
"""Values that are tried for each term: those of fights, and those that its type suggests."""


def silent(game: Ruleset, sessions: Iterable[Session]) -> Iterator[Silent]:
    """Yields the terms that move a number, but are omitted silently: for each declaration, the first value that does."""
    found = tuple(declarations(game, sessions))
    played = values_played(found)
    for kind, action in game.kinds.items():
        for field in optional_terms(action.terms):
            values = (
                *played.get((kind, field.name), ())[:MOST_PLAYED],
                *islice(values_of(game, kind, field, field.default), MOST_SUGGESTED),
            )
            for one in _various([each for each in found if each.command.kind == kind], field.name):
                yield from islice(_silent_in(game, one, field.name, values), 1)


def _various(found: Iterable[Declaration], term: str) -> list[Declaration]:
    """Returns declarations with different terms or weapons; those that have the term come first."""
    shapes = {}
    for one in found:
        terms = one.command.terms
        shapes.setdefault((*sorted(terms), str(terms.get("using", ""))[:10]), one)
    return sorted(shapes.values(), key=lambda one: term not in one.command.terms)[:MOST_CONTEXTS]


def _silent_in(game: Ruleset, one: Declaration, term: str, values: Iterable[Any]) -> Iterator[Silent]:
    terms = {name: value for name, value in one.command.terms.items() if name != term}
    without = play(game, one, terms)
    if without is None or term in without.assumed or term in without.asked:
        return
    own = [one.command.terms[term]] if term in one.command.terms else []
    for value in (*own, *values):
        with_it = play(game, one, {**terms, term: value})
        if with_it is not None and with_it.numbers != without.numbers:
            yield Silent(one.command.kind, term, value, without, with_it, one, terms)
