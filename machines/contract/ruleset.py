"""The ruleset: everything that a game provides to the engine, and the checks of documents by its types."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

import msgspec

from ledger.commands import Declare
from ledger.events import Event, FigureFound, Json, ModifierApplied, TestResolved, TimePassed
from ledger.text_cache import TextCache
from machines.contract.action import Actions, interrupts, offered
from machines.contract.chart import Chart, Deed
from machines.contract.dice_reading import EACH, DiceReading, Stakes
from machines.contract.documents.accepted import Catalog, fields_accepted
from machines.contract.documents.faults import FieldFault, faults
from machines.contract.documents.nearest import did_you_mean
from machines.contract.figures import Bounds
from machines.contract.refusals import (
    BadOption,
    BadSheet,
    BadSituation,
    BadTerms,
    UnknownProfile,
    UnreadableRecord,
)
from machines.contract.row_fields import offered_words, unknown_rows
from machines.contract.tables import Book, Ruling
from machines.registry import load
from projections.combat import Combat
from projections.path import Rest
from projections.vocabulary import USUAL, Vocabulary

Events = Iterator[Event]

S = TypeVar("S")


def _nothing(_: Combat, __: str) -> Deed:
    yield from ()
    return None


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A game in one edition."""

    name: str
    title: str
    version: int
    """Incremented whenever the same commands would be decided differently."""
    books: tuple[Book, ...]
    profile: type[msgspec.Struct]
    profiles: tuple[Any, ...]
    """The profiles, one for each printing; the first is the default."""
    sheet: type[msgspec.Struct]
    sheet_also: Mapping[str, Any] = {}
    """Keywords of JSON Schema for what a sheet must have beside its required fields."""
    sheets: Mapping[str, Json] = {}
    """Sheets that ship with the game, by name."""
    situation: type[msgspec.Struct] | None = None
    """The type of the situation at the beginning of a fight; None accepts anything."""
    turn: Chart
    """The chart of a fight."""
    kinds: Actions
    """The actions by kind of declaration, in the order of menus."""
    tables: Mapping[str, tuple[msgspec.Struct, ...]]
    rulings: tuple[Ruling, ...]
    conditions: tuple[str, ...] = ()
    """The names of conditions that rules set or read; ``*`` matches any text. The gamemaster may set others."""
    open_sheet: Callable[[Combat, str], Events]
    """(combat, who): opens the tracks and resources of a new sheet."""
    is_thing: Callable[[Json], bool] = lambda _: False
    """(sheet): whether it is the sheet of a thing, which does not act but can be harmed."""
    retarget: Callable[[Combat, str], Deed]
    """(combat, key): the new target or the new dice of an open roll after a modifier."""
    summed: Callable[[Combat, str, str], FigureFound] | None = None
    """(combat, key, who): the sum of the parts of a combatant's roll, as the figure `Sums.total`."""
    own_figures: tuple[str, ...] = (*USUAL.sums.names, USUAL.sums.degree)
    """The figures of a roll that disclose only facts about the roller: names, up to a colon, or ``role name``."""
    own_part: Callable[[ModifierApplied], bool] = lambda _: False
    """(modifier): whether it discloses only facts about the roller, such as their wounds."""
    roll_questions: Mapping[str, str] = {}
    """The purpose of a choice about a roll, for those who may not see it, by the last word of the choice's key."""
    stakes: Callable[[Combat, Rest], Stakes] = lambda *_: Stakes()
    """(combat, open choice): whether it can change anything, and how its roll stands."""
    reorder: Callable[[Combat], Events]
    """(combat): the acting order after a score was set."""
    follow: Callable[[Combat, str], Deed] = _nothing
    """(combat, who): the consequences of a track that was set."""
    words: Callable[[Combat, Declare], Mapping[str, tuple[str, ...]]] = lambda *_: {}
    """(combat, declaration): offered values of fields of all kinds of declaration, beside those that types imply."""
    elapse: Callable[[Combat, TimePassed], Events] = lambda *_: iter(())
    """(combat, time): healing, and the ends of effects, because time passed outside a fight."""
    waiting: Callable[[Combat], Iterable[str]] | None = None
    """(combat): the combatants who act in the current pass; None if rounds have no passes."""
    perceived: Mapping[str, str] = {}
    """What is noticed of a declaration by a hidden combatant, such as ``attacks``, by kind of declaration."""
    unnoticed: tuple[str, ...] = ()
    """The kinds of declarations that remain unnoticed if made in secret, like the rolls of others against them."""
    endings: Mapping[str, str] = {}
    """What is noticed of the end of such a declaration without harm, such as ``misses {other}``, by outcome."""
    reading: Callable[[Combat, str], DiceReading] = lambda *_: EACH
    """(combat, key): what rules distinguish of the dice of an open roll; by default every face of every die."""
    vocabulary: Vocabulary
    """The words in the game's events, by meaning; other code recognizes them only by this."""
    counted: str = ""
    """The unit in which the dice of a test are counted, such as ``hits``; empty if they are added or read."""
    added_rolls: tuple[str, ...] = ()
    """The last words of the keys of rolls that add dice to a test whose dice are counted."""
    margin: Callable[[int], str] = lambda margin: f"margin {margin:+d}"
    """(margin other than 0): the margin of a test in the game's words."""
    margin_name: str = "margin"
    """The game's name for the margin when the gamemaster overrules it."""
    figures: Mapping[str, Bounds] = {}
    """The bounds of figures, by name or by prefix with ``*``; other figures have none."""
    reread: Callable[[Combat, TestResolved, str], Iterator[Event]] = lambda *_: iter(())
    """(combat, test as resolved, overruled figure): the other changes of the test that follow."""
    read_alone: Callable[[Combat, str], TestResolved] | None = None
    """(combat, key): a roll resolved against its target; None if rolls are compared with other rolls."""
    reword: Callable[[Json, FigureFound], str] = lambda _, found: found.why
    """(row of the profile, figure): the reason of a figure, corrected if older versions recorded it wrongly."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The words for the outcomes of tests."""
        return self.vocabulary.words

    @property
    def test_figures(self) -> Mapping[str, str]:
        """The figures of a test that can be overruled: the game's word, and the field of `TestResolved`."""
        hits = {self.counted: "rolled"} if self.counted else {}
        return {**hits, self.margin_name: "margin", "outcome": "outcome"}

    def figure_name(self, figure: str) -> str:
        """Returns the game's word for a figure that the log calls by a field of `TestResolved`."""
        return next((name for name, field in self.test_figures.items() if field == figure), figure)

    def offered_words(self, combat: Combat, declared: Declare) -> Mapping[str, tuple[str, ...]]:
        """Returns the values that are worth offering, by field of a declaration.

        Args:
            combat: The state.
            declared: The declaration, as far as it is known.

        Raises:
            Refused: Nothing can be offered for this declaration.
        """
        action = self.kinds[declared.kind]
        typed_values = offered_words(action.terms, self.tables)
        return {**typed_values, **self.words(combat, declared), **action.words(combat, declared)}

    def offers(self, combat: Combat, who: str) -> Iterator[Declare]:
        """Yields declarations that are worth offering to a combatant in their turn, legal or not.

        Args:
            combat: The state.
            who: The combatant whose turn it is.
        """
        return offered(self.kinds, combat, who)

    def interrupts(self, combat: Combat) -> Iterator[Declare]:
        """Yields declarations by which combatants could interrupt now, legal or not.

        Args:
            combat: The state.
        """
        return interrupts(self.kinds, combat)

    def faults(self, document: Json, struct: type[msgspec.Struct]) -> Iterator[FieldFault]:
        """Yields everything that is wrong in a document; nothing if its type accepts it.

        Args:
            document: A sheet, a situation, or the terms of a declaration.
            struct: The type that it should have.
        """
        return faults(document, struct, Catalog(self.name, self.tables))

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """All charts by name: of the turn, of the actions, and those that they run."""
        outermost = (self.turn, *(kind.chart for kind in self.kinds.values()))
        return {chart.name: chart for outer in outermost for chart in outer.inner()}


@lru_cache(maxsize=64)
def ruleset(name: str) -> Ruleset:
    """Loads a ruleset.

    Raises:
        UnknownRuleset: No ruleset of that name is installed.
    """
    loaded = load(name)
    assert isinstance(loaded, Ruleset), f"{name} is no ruleset"
    return loaded


def profile_row(game: Ruleset, name: str, options: Json) -> Json:
    """Returns the row of a profile, with the options of a session.

    Raises:
        UnknownProfile: The ruleset has no profile of that name.
        BadOption: The profile has no such field, or the field cannot have that value.
    """
    names = [row.name for row in game.profiles]
    if name and name not in names:
        raise UnknownProfile(f"{game.name} has no profile {name!r}", where="profile", accepts=", ".join(names))
    row = game.profiles[names.index(name) if name else 0]
    plain: Json = msgspec.to_builtins(row)
    fixed = {"name", "source", "confidence", "ruling"}
    fields = [field for field in plain if field not in fixed]
    for option in options:
        if option not in fields:
            raise BadOption(
                f"{game.name} has no option {option!r}", where=f"options.{option}", accepts=", ".join(fields)
            )
    try:
        return _plain(msgspec.convert({**plain, **options}, game.profile))
    except msgspec.ValidationError as error:
        field = _field(error)
        where, accepts = f"options.{field}".rstrip("."), _words(game.profile, field)
        raise BadOption(str(error), where=where, accepts=accepts) from error


def check_profile(game: Ruleset, row: Json) -> None:
    """Checks the fields of a profile's row.

    Raises:
        BadOption: A field is wrong, missing or unknown; `where` has its path.
    """
    try:
        msgspec.convert(row, game.profile)
    except msgspec.ValidationError as error:
        where = f"rules.{_field(error)}".rstrip(".")
        raise BadOption(f"{game.name}: {error}", where=where, accepts=_accepted(game.profile, error)) from error


def _plain(row: msgspec.Struct) -> Json:
    """Returns a row as plain JSON data, with lists instead of tuples."""
    return dict(msgspec.json.decode(msgspec.json.encode(row)))


def _field(error: msgspec.ValidationError) -> str:
    """Returns the path of the wrong field; empty if the whole value is wrong."""
    return str(error).partition("`$.")[2].rstrip("`")


def _words(struct: type[msgspec.Struct], field: str) -> str:
    """Returns the literals that a field accepts; empty if it is not a literal type."""
    kinds = {each.encode_name: each.type for each in msgspec.structs.fields(struct)}
    kind = kinds.get(field)
    return ", ".join(filter(None, map(str, get_args(kind)))) if get_origin(kind) is Literal else ""


def _accepted(struct: type[msgspec.Struct], error: msgspec.ValidationError) -> str:
    """Returns the literals of the wrong field, or else the names of all fields."""
    return _words(struct, _field(error)) or fields_accepted(struct)


def typed(text: str, kind: type[S]) -> S:
    """Decodes a sheet or terms from the log, as canonical JSON, to a struct of the ruleset. Results are cached.

    Raises:
        UnreadableRecord: The text does not fit the struct: it was recorded by rules with other fields.
    """
    found: S = TYPED[text, kind]
    return found


def _typed(text: str, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        problem = f"today's rules cannot read a {kind.__name__} of this record: {error}"
        raise UnreadableRecord(problem, where=kind.__name__, accepts=_accepted(cast("Any", kind), error)) from error


TYPED = TextCache(_typed, 4096, 4_000_000)
"""The structs of `typed`, by text and type."""


def check_sheet(game: Ruleset, who: str, sheet: Json) -> None:
    """Checks a sheet.

    Raises:
        BadSheet: A field is wrong, missing or unknown, or names no row of its table; `where` has its path.
    """
    for fault in game.faults(sheet, game.sheet):
        where = f"combatants.{who}.sheet.{fault.path}".rstrip(".")
        raise BadSheet(f"{who}: {fault.sentence}", where=where, accepts=fault.accepts)


def check_situation(game: Ruleset, situation: Json) -> None:
    """Checks the situation at the beginning of a fight.

    Raises:
        BadSituation: A field is wrong or unknown, or names no row of its table; `where` has its path.
    """
    for fault in game.faults(situation, game.situation) if game.situation is not None else ():
        where = f"begin.{fault.path}".rstrip(".")
        raise BadSituation(f"begin: {fault.sentence}", where=where, accepts=fault.accepts)


def check_terms(game: Ruleset, kind: str, terms: Json) -> Any:
    """Returns the terms of a declaration as a struct.

    Raises:
        BadTerms: A field is wrong; `where` has its path.
    """
    try:
        return msgspec.convert(terms, game.kinds[kind].terms)
    except msgspec.ValidationError as error:
        fault = next(game.faults(terms, game.kinds[kind].terms))
        where = f"declare.{kind}.{fault.path}".rstrip(".")
        raise BadTerms(f"{kind}: {fault.sentence}", where=where, accepts=fault.accepts) from error


def check_declared(game: Ruleset, combat: Combat, declared: Declare) -> None:
    """Checks a declaration: its terms, and whether it is legal now.

    Raises:
        BadTerms: A field is wrong; `where` has its path.
        Refused: The check of its kind refused it.
    """
    terms = check_terms(game, declared.kind, declared.terms)
    for path, word, accepts in unknown_rows(terms, game.tables):
        problem = f"{path} cannot be {word!r}{did_you_mean(word, accepts)}"
        raise BadTerms(problem, where=path, accepts=", ".join(accepts))
    game.kinds[declared.kind].check(combat, declared.by, terms)
