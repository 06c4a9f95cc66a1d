"""What a game must bring: the one face that every ruleset package shows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

import msgspec

from ledger.commands import Declare
from ledger.events import Event, FigureFound, Json, ModifierApplied, TestResolved, TimePassed
from ledger.remembering import remembered
from machines.contract.action import Actions, interrupts, offered
from machines.contract.chart import Chart, Deed
from machines.contract.figures import Bounds
from machines.contract.refusals import (
    BadOption,
    BadSheet,
    BadSituation,
    BadTerms,
    UnknownProfile,
    UnknownRuleset,
    UnreadableRecord,
)
from machines.contract.row_fields import offered_words, unknown_rows
from machines.contract.tables import Book, Ruling
from projections.combat import Combat
from projections.vocabulary import USUAL, Vocabulary

Told = Iterator[Event]

S = TypeVar("S")


def _nothing(_: Combat, __: str) -> Deed:
    yield from ()
    return None


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A game in an edition."""

    name: str
    title: str
    version: int
    """Counted up whenever the same commands would be decided otherwise."""
    books: tuple[Book, ...]
    profile: type[msgspec.Struct]
    profiles: tuple[Any, ...]
    """Rows of `profile`: a printing each; the default first."""
    sheet: type[msgspec.Struct]
    sheets: Mapping[str, Json] = {}
    """Sheets that ship with the game, by name: to try it, and for those who have no sheet of their own."""
    situation: type[msgspec.Struct] | None = None
    """What may be said when a fight begins; None: anything."""
    turn: Chart
    """The procedure of a fight."""
    kinds: Actions
    """What can be declared, by its kind, in the order in which menus list it."""
    tables: Mapping[str, tuple[msgspec.Struct, ...]]
    rulings: tuple[Ruling, ...]
    conditions: tuple[str, ...] = ()
    """Names of conditions that a rule gives or looks at; ``*`` stands for any part. The gamemaster may set others."""
    open_sheet: Callable[[Combat, str], Told]
    """(combat, who): opens the tracks and resources that a sheet gives."""
    is_thing: Callable[[Json], bool] = lambda _: False
    """(sheet): is it that of a thing, which takes no part but can be harmed?"""
    retarget: Callable[[Combat, str], Deed]
    """(combat, key): the new target of an open roll, or its new dice, after a modifier."""
    summed: Callable[[Combat, str, str], FigureFound] | None = None
    """(combat, key, who): the figure that the parts of somebody's roll add up to, `Sums.total` by name."""
    own_figures: tuple[str, ...] = (*USUAL.sums.names, USUAL.sums.degree)
    """Figures of a roll that tell only of whoever rolls: names, before a colon, or ``role name``."""
    own_part: Callable[[ModifierApplied], bool] = lambda _: False
    """(modifier): does it tell only of whoever rolls, such as their wounds, whatever somebody else declares?"""
    roll_questions: Mapping[str, str] = {}
    """By the last word of its key, a question about a thrown roll, in words for those who may not see the roll."""
    reorder: Callable[[Combat], Told]
    """(combat): the order of acting after a score was set."""
    follow: Callable[[Combat, str], Deed] = _nothing
    """(combat, who): what follows by itself from a track that was set."""
    words: Callable[[Combat, Declare], Mapping[str, tuple[str, ...]]] = lambda *_: {}
    """(combat, declaration): for fields of every kind of declaration, values worth offering that no type tells."""
    elapse: Callable[[Combat, TimePassed], Told] = lambda *_: iter(())
    """(combat, time): what heals, fades or ends because time passed outside a fight."""
    waiting: Callable[[Combat], Iterable[str]] | None = None
    """(combat): who has their moment in the present pass; None where rounds have no passes."""
    perceived: Mapping[str, str] = {}
    """By kind of declaration that others notice whoever makes it: what somebody does then, such as ``attacks``."""
    unnoticed: tuple[str, ...] = ()
    """Kinds of declarations that nobody notices where they are made in secret, nor the rolls of others against them."""
    endings: Mapping[str, str] = {}
    """By how such a declaration ended, where no harm tells it: what is noticed then, such as ``misses {whom}``."""
    vocabulary: Vocabulary
    """The words of its events, by what they mean: nothing but the game knows them otherwise."""
    counted: str = ""
    """What the dice of a test are counted in, such as ``hits``; empty where they are added up or read."""
    margin: Callable[[int], str] = lambda margin: f"margin {margin:+d}"
    """(margin, not 0): by how much a test succeeded, or failed, in the game's words."""
    margin_name: str = "margin"
    """The game's word for that figure, where the gamemaster overrules it."""
    figures: Mapping[str, Bounds] = {}
    """What each figure may be, by its name, or by how it begins and a ``*``; one that is missing may be anything."""
    reread: Callable[[Combat, TestResolved, str], Iterator[Event]] = lambda *_: iter(())
    """(combat, test as it was read, overruled figure of it): what else of a test changes with it."""
    read_alone: Callable[[Combat, str], TestResolved] | None = None
    """(combat, key): a thrown roll read against its target; None where rolls are read against other rolls."""
    reword: Callable[[Json, FigureFound], str] = lambda _, found: found.why
    """(profile's row, figure): what the figure is made of, put right where it is recorded falsely or in part."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The words for a test's outcome."""
        return self.vocabulary.words

    @property
    def test_figures(self) -> Mapping[str, str]:
        """What can be overruled of a test, in the game's words, and the field of the test's event that it is."""
        hits = {self.counted: "rolled"} if self.counted else {}
        return {**hits, self.margin_name: "margin", "outcome": "outcome"}

    def figure_name(self, figure: str) -> str:
        """Returns the game's word for a figure that the record calls by the field of a test's event."""
        return next((name for name, field in self.test_figures.items() if field == figure), figure)

    def offered_words(self, combat: Combat, declared: Declare) -> Mapping[str, tuple[str, ...]]:
        """Returns for fields of a declaration the values that are worth offering.

        Args:
            combat: The state.
            declared: The declaration, as far as it is known.

        Raises:
            Refused: Of such a declaration nothing can be offered.
        """
        action = self.kinds[declared.kind]
        told = offered_words(action.terms, self.tables)
        return {**told, **self.words(combat, declared), **action.words(combat, declared)}

    def offers(self, combat: Combat, who: str) -> Iterator[Declare]:
        """Yields declarations that are worth showing to somebody in their turn, legal or not.

        Args:
            combat: The state.
            who: Whose turn it is.
        """
        return offered(self.kinds, combat, who)

    def interrupts(self, combat: Combat) -> Iterator[Declare]:
        """Yields declarations with which somebody may break in now, legal or not.

        Args:
            combat: The state.
        """
        return interrupts(self.kinds, combat)

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """All charts by name: the turn's, the declarations', and what they run."""
        outermost = (self.turn, *(kind.chart for kind in self.kinds.values()))
        return {chart.name: chart for outer in outermost for chart in outer.inner()}


def installed() -> dict[str, Any]:
    """The games that are installed, by name: entry points, not yet loaded."""
    return {point.name: point for point in sorted(entry_points(group="affray.rulesets"), key=lambda p: p.name)}


@lru_cache(maxsize=64)
def ruleset(name: str) -> Ruleset:
    """A game by its name.

    Raises:
        UnknownRuleset: None of that name is installed.
    """
    known = installed()
    if name not in known:
        raise UnknownRuleset(f"no ruleset {name!r} is installed", where="ruleset", accepts=", ".join(known) or "none")
    loaded = known[name].load()
    assert isinstance(loaded, Ruleset), f"{name} is no ruleset"
    return loaded


def vocabulary_of(name: str) -> Vocabulary:
    """Returns the words of a game; the usual ones where no game of that name is installed."""
    try:
        return ruleset(name).vocabulary
    except UnknownRuleset:
        return USUAL


def profile_row(game: Ruleset, name: str, options: Json) -> Json:
    """The whole row of a profile, with fields set differently for one session.

    Raises:
        UnknownProfile: The ruleset has none of that name.
        BadOption: No such field, or not such a value.
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
    """Refuse a row of a profile that has a wrong, missing or unknown field.

    Raises:
        BadOption: The message has the field's path.
    """
    try:
        msgspec.convert(row, game.profile)
    except msgspec.ValidationError as error:
        where = f"rules.{_field(error)}".rstrip(".")
        raise BadOption(f"{game.name}: {error}", where=where, accepts=_accepted(game.profile, error)) from error


def _plain(row: msgspec.Struct) -> Json:
    """A row as the log has it: what is a tuple here is a list there."""
    return dict(msgspec.json.decode(msgspec.json.encode(row)))


def _field(error: msgspec.ValidationError) -> str:
    """The field that is wrong; empty where it is the whole."""
    return str(error).partition("`$.")[2].rstrip("`")


def _words(struct: type[msgspec.Struct], field: str) -> str:
    """The words that a field may say, where it says one of a few; empty where the error tells its bounds."""
    kinds = {each.encode_name: each.type for each in msgspec.structs.fields(struct)}
    kind = kinds.get(field)
    return ", ".join(filter(None, map(str, get_args(kind)))) if get_origin(kind) is Literal else ""


def _accepted(struct: type[msgspec.Struct], error: msgspec.ValidationError) -> str:
    """The words of the field that is wrong, or the fields that there are."""
    return _words(struct, _field(error)) or _fields(struct)


def typed(text: str, kind: type[S]) -> S:
    """Canonical JSON from the log, a sheet or terms, as the ruleset's own Struct; each text is read once.

    Raises:
        UnreadableRecord: It was written under rules that had other fields, or by nobody's rules.
    """
    try:
        read: S = _typed(text, cast("Any", kind))
    except msgspec.ValidationError as error:
        problem = f"today's rules cannot read a {kind.__name__} of this record: {error}"
        raise UnreadableRecord(problem, where=kind.__name__, accepts=_accepted(cast("Any", kind), error)) from error
    return read


@remembered(4096, 4_000_000)
def _typed(text: str, kind: type[Any]) -> Any:
    return msgspec.json.decode(text, type=kind)


def check_sheet(game: Ruleset, who: str, sheet: Json) -> None:
    """Refuse a sheet with a wrong, missing or unknown field, or with a word that names no row of its table.

    Raises:
        BadSheet: The message has the field's path.
    """
    try:
        read = msgspec.convert(sheet, game.sheet)
    except msgspec.ValidationError as error:
        raise BadSheet(
            f"{who}: {error}", where=f"combatants.{who}.sheet", accepts=_accepted(game.sheet, error)
        ) from error
    for path, word, accepts in unknown_rows(read, game.tables):
        where = f"combatants.{who}.sheet.{path}"
        raise BadSheet(f"{who}: no row {word!r}", where=where, accepts=", ".join(accepts))


def check_situation(game: Ruleset, situation: Json) -> None:
    """Refuse a fight's beginning with a wrong or unknown field, or with a word that names no row of its table.

    Raises:
        BadSituation: The message has the field's path.
    """
    if game.situation is None:
        return
    try:
        read = msgspec.convert(situation, game.situation)
    except msgspec.ValidationError as error:
        raise BadSituation(f"begin: {error}", where="begin", accepts=_accepted(game.situation, error)) from error
    for path, word, accepts in unknown_rows(read, game.tables):
        raise BadSituation(f"begin: no row {word!r}", where=f"begin.{path}", accepts=", ".join(accepts))


def check_terms(game: Ruleset, kind: str, terms: Json) -> Any:
    """The terms of a declaration, typed.

    Raises:
        BadTerms: The message has the field's path.
    """
    try:
        return msgspec.convert(terms, game.kinds[kind].terms)
    except msgspec.ValidationError as error:
        accepts = _accepted(game.kinds[kind].terms, error)
        raise BadTerms(f"{kind}: {error}", where=f"declare.{kind}", accepts=accepts) from error


def check_declared(game: Ruleset, combat: Combat, declared: Declare) -> None:
    """Refuse a declaration with wrong terms, or one that may not be made now.

    Raises:
        BadTerms: The message has the field's path.
        Refused: By the check of its kind.
    """
    terms = check_terms(game, declared.kind, declared.terms)
    for path, word, accepts in unknown_rows(terms, game.tables):
        raise BadTerms(f"{path} cannot be {word!r}", where=path, accepts=", ".join(accepts))
    game.kinds[declared.kind].check(combat, declared.by, terms)


def _fields(struct: type[msgspec.Struct]) -> str:
    return ", ".join(field.encode_name + ("" if field.required else "?") for field in msgspec.structs.fields(struct))
