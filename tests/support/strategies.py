"""Hypothesis strategies: values of every type in the vocabulary, valid and invalid commands, and whole fights.

A generated fight is a session in memory that is played by choosing from the legal options. Only
sheets, declarations beside those offered, interrupts and situations depend on the ruleset: its module `strategies_<ruleset>` draws them.
"""

import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import strategies_of_any
from counting import counted
from drawing import STRANGER, visible, words
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ledger.audience import Viewer
from ledger.commands import (
    COMMANDS,
    Adjust,
    AmendSheet,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    EndCombat,
    Join,
    Leave,
    Note,
    PassTime,
    TypeDice,
)
from ledger.dice import highest, lowest, parse
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.events import EVENTS, Audience, Event, FigureFound, Json
from ledger.key import UNSEEN
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from machines.registry import installed
from machines.secrecy.hidden_names import mentioned
from projections.combat import Combat
from projections.path import Rest
from projections.views.document import State
from replays.api.session import GM, Session
from replays.sessions.hidden_names import Names
from replays.sessions.lookup import entry_of_roll, figures_of
from replays.sessions.wording import Wording, wording

IDS = ("ann", "bob", "cyd", "dov")
"""The combatants of generated fights, in the order of joining."""
PLAYERS = ("gm", "kira", "ben")
_KNOWN_TO = st.sampled_from(((), (), IDS[:1]))
"""The players who know of a combatant that joins in secret; the gamemaster always does."""
RULESETS = tuple(installed())

# ------------------------------------------------------------------------------------------------ values by their type

whole = st.one_of(st.integers(-3, 120), st.integers())


def plain_json(leaves: int = 6) -> SearchStrategy[Json]:
    """Draws objects as a log may have them, without fractions."""
    scalars = st.one_of(st.none(), st.booleans(), st.integers(-3, 120), st.integers(-(10**9), 10**9), words)
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(visible, inner, max_size=3),
        max_leaves=leaves,
    )
    return st.dictionaries(visible, values, max_size=3)


Named = Mapping[str, SearchStrategy[Any]]
"""Strategies for fields by name, such as ``who``, or by type and name, such as ``Overrule.value``."""


def of_type(kind: Any, named: Named = {}) -> SearchStrategy[Any]:  # noqa: B006  read only
    """Draws values of a type; structs field by field."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return st.one_of([of_type(each, named) for each in inner])
    if origin is Annotated:
        bounds = [each for each in kind.__metadata__ if isinstance(each, msgspec.Meta)]
        return _bounded(inner[0], bounds[0], named) if bounds else of_type(inner[0], named)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(of_type(inner[0], named), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(of_type(each, named) for each in inner))
    if origin is dict and inner[1] is Any:
        return plain_json()
    if origin is dict:
        keys = visible if inner[0] is str else of_type(inner[0], named)
        return st.dictionaries(keys, of_type(inner[1], named), max_size=2)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return structs(kind, named)
    return _SCALARS[kind]


def _bounded(kind: Any, bounds: msgspec.Meta, named: Named) -> SearchStrategy[Any]:
    """Draws values within the bounds of a type: see `ledger.bounds`."""
    stated = bounds.extra_json_schema or {}
    if "minimum" in stated:
        return st.one_of(st.integers(-3, 120), st.integers(stated["minimum"], stated["maximum"]))
    if "pattern" in stated:
        return visible
    if stated:
        return of_type(kind, named)
    return st.from_regex(bounds.pattern) if bounds.pattern else st.integers(bounds.ge, bounds.le)


_SCALARS: Mapping[Any, SearchStrategy[Any]] = {
    str: words, int: whole, bool: st.booleans(), type(None): st.none(), Seat: st.sampled_from(Seat),
}  # fmt: skip


def structs(kind: type[Any], named: Named = {}) -> SearchStrategy[Any]:  # noqa: B006
    """Draws a struct, also the fields that have a default."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {}
    for name in kind.__struct_fields__:
        known = [named[each] for each in (f"{kind.__name__}.{name}", name) if each in named]
        fields[name] = known[0] if known else of_type(hints[name], named)
    return st.fixed_dictionaries(fields).map(lambda drawn: kind(**drawn))


def events(named: Named = {}) -> SearchStrategy[Event]:  # noqa: B006
    """Draws events of every type."""
    return st.one_of([structs(kind, named) for kind in EVENTS])


def commands(named: Named = {}) -> SearchStrategy[Command]:  # noqa: B006
    """Draws commands of every type."""
    return st.one_of([structs(kind, named) for kind in COMMANDS])


def entries(named: Named = {}) -> SearchStrategy[Entry]:  # noqa: B006
    """Draws entries with any command and any events."""
    numbers = st.integers(0, 2**53)
    return st.builds(
        Entry, st.just(1), numbers, numbers, words, structs(Who), numbers, st.none() | numbers, commands(named),
        st.lists(events(named), max_size=3).map(tuple),
    )  # fmt: skip


_people = st.sampled_from((*IDS[:2], STRANGER))
_few = ("r1", "r1/ann/a1/attack", "r1/ann/a1/attack/to-hit", "r1/bob/initiative")
FEW: Named = {
    "who": _people, "by": _people, "key": st.sampled_from(_few), "RollRequested.of": st.sampled_from(("", *_few)),
    "track": st.sampled_from(("damage", "stress")), "kind": st.sampled_from(("wounds", "traumas", "attack")),
    "condition": st.sampled_from(("prone", "shocked")), "resource": st.sampled_from(("moxie", "ammo")),
    "name": st.sampled_from(("target", "dv", "attacks left")), "scope": st.sampled_from(("exchange", "phase", "turn", "round", "")),
    "figure": st.sampled_from(("target", "rolled", "margin", "outcome", "dv")), "chart": st.sampled_from(("turn", "attack")),
    "what": st.sampled_from(("tracks.damage", "wounds", "traumas", "conditions.prone", "resources.moxie", "initiative", "", ".")),
    "order": st.lists(st.tuples(_people, whole), max_size=3).map(tuple), "depth": st.integers(-2, 4),
}  # fmt: skip
"""Few words, so that drawn events share combatants, keys and names."""


# ------------------------------------------------------------------------------------------------ sheets and declarations, by ruleset


class _ByGame(Mapping[str, Any]):
    """A strategy of the module ``strategies_RULESET``, by ruleset; by default one of `strategies_of_any`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, game: str) -> Any:
        if game not in installed():
            raise KeyError(game)
        found = find_spec(f"strategies_{game}")
        if found is not None:
            return getattr(import_module(f"strategies_{game}"), self._name)
        return getattr(strategies_of_any, self._name)(game)

    def __iter__(self) -> Iterator[str]:
        return iter(RULESETS)

    def __len__(self) -> int:
        return len(RULESETS)


class _Sheets(_ByGame):
    def __getitem__(self, game: str) -> SearchStrategy[Json]:
        return st.deferred(super().__getitem__(game))


SHEETS: Mapping[str, SearchStrategy[Json]] = _Sheets("sheets")
"""Valid sheets, by ruleset."""

Declarations = Callable[[Combat, Declare], SearchStrategy[Declare]]
DECLARATIONS: Mapping[str, Declarations] = _ByGame("declarations")
"""Variations of offered declarations, mostly legal, by ruleset."""

ANYTIME: Mapping[str, Callable[[Combat], SearchStrategy[Declare]]] = _ByGame("anytime")
"""Declarations at any time or between fights, legal or not, by ruleset."""

SITUATIONS: Mapping[str, Callable[[Combat], SearchStrategy[Json]]] = _ByGame("situations")
"""Situations at the beginning of a fight, mostly legal, by ruleset."""


def options(game: Ruleset) -> SearchStrategy[Json]:
    """Draws other values of profile fields that have a fixed set of values."""
    choices: dict[str, SearchStrategy[Any]] = {}
    for name, kind in get_type_hints(game.profile).items():
        if kind is bool or get_origin(kind) is Literal:
            choices[name] = of_type(kind)
    return st.fixed_dictionaries({}, optional=choices)


# ------------------------------------------------------------------------------------------------ fights


def clock() -> str:
    """Returns the same time at each call."""
    return "2024-11-03T19:30:00.000Z"


def drawn(key: str, dice: str) -> tuple[int, ...]:
    """Returns faces that depend on the key alone."""
    number = int.from_bytes(sha256(key.encode()).digest(), "big")
    return tuple(lowest(sides) + number // 7**place % (highest(sides) - lowest(sides) + 1)
                 for place, sides in enumerate(parse(dice).sides))  # fmt: skip


def faces(dice: str) -> SearchStrategy[tuple[int, ...]]:
    """Draws faces that these dice can show."""
    return st.tuples(*(st.integers(lowest(sides), highest(sides)) for sides in parse(dice).sides))


class Snapshot(msgspec.Struct, frozen=True):
    """The state after a number of entries."""

    last: int
    head: int
    state: State
    combat: Combat


class Fight:
    """A session that is being played, and the state after each move.

    Args:
        draw: Hypothesis's draw function.
        session: The session to play.
        secrets: Whether some commands are secret.
    """

    def __init__(self, draw: DrawFn, session: Session, *, secrets: bool = False) -> None:
        self.draw = draw
        self.session = session
        self.secrets = secrets
        self.snapshots: list[Snapshot] = []
        self.keep()

    def keep(self) -> None:
        """Stores the state."""
        session = self.session
        self.snapshots.append(Snapshot(session.log.last, session.log.head, session.state(), session.combat))

    def perform(self, command: Command, by: Who = GM) -> None:
        """Performs a command that must be legal."""
        self.session.perform(command, by=by)
        self.keep()

    def play(self, moves: Sequence[str], least: int, most: int) -> None:
        """Lets two to four combatants join and fight, for a number of moves."""
        for _ in range(self.draw(st.integers(2, 4))):
            self.join()
        self.begin()
        for _ in range(self.draw(st.integers(least, most))):
            self.move(moves)

    def move(self, moves: Sequence[str]) -> None:
        """Makes one move."""
        getattr(self, self.draw(st.sampled_from(moves)))()

    # -------------------------------------------------------------------------------------------- answers

    def answer(self) -> None:
        """Answers one of the open rests legally; where none is open, continues the fight."""
        session = self.session
        if not session.rests:
            return self._go_on()
        rest = self.draw(st.sampled_from(session.rests))
        by = self.person(rest.by)
        command = self._dice(rest) if rest.dice else self._choice(rest, by)
        hidden = session.combat.roster.hidden()
        about = (rest.by, getattr(command, "option", ""), getattr(command, "terms", None))
        self.perform(command, GM if next(mentioned(about, hidden), None) is not None else by)
        return None

    def person(self, who: str) -> Who:
        """Returns the person who rolls for a combatant: the gamemaster for a hidden one, because a player may not know the id."""
        roster = self.session.combat.roster
        player = roster[who].player if who in roster and not who.startswith(UNSEEN) else "gm"
        return GM if player == "gm" else Who(player, Seat.PLAYER)

    def _dice(self, rest: Rest) -> Command:
        if self.draw(st.integers(0, 5)) == 0:
            return DrawDice(rest.key, seen_by=self.audience())
        if self.draw(st.integers(0, 4)) == 0:
            combat = self.session.combat
            return counted(self.session.game, combat, rest, self.draw(faces(rest.dice)), self.audience())
        lying = self.session.waiting.known_faces(rest)
        thrown = self.draw(faces(rest.dice))[len(lying) :]
        return TypeDice(rest.key, (*lying, *thrown), seen_by=self.audience())

    def _choice(self, rest: Rest, by: Who) -> Command:
        mine = [each for each in self.session.options() if each.key == rest.key]
        legal = [each.command for each in mine if not each.refused]
        assert legal, f"nothing is legal at {rest.key}: {mine}"
        # Ending a turn is nearly always legal, and would be chosen nearly always.
        acts = [command for command in legal if isinstance(command, Declare)]
        command = self.draw(st.sampled_from(acts if acts and self.draw(st.integers(0, 3)) else legal))
        assert command is not None
        more = DECLARATIONS.get(self.session.game.name)
        if isinstance(command, Declare) and more is not None and self.draw(st.booleans()):
            return self._if_legal(self.draw(more(self.session.combat, command)), command)
        return command

    def _if_legal(self, command: Command, otherwise: Command) -> Command:
        return command if self.legal(command) else otherwise

    def legal(self, command: Command) -> bool:
        """Returns whether a command is not refused."""
        try:
            decide(self.session.game, self.session.combat, command)
        except Refused:
            return False
        return True

    def _go_on(self) -> None:
        combat = self.session.combat
        if not combat.session.is_open:
            return
        if combat.clock.fighting:
            self.perform(EndCombat("nobody is left"))
        elif len(combat.roster.here()) < 2:
            self.join()
        elif self.draw(st.integers(0, 2)):
            self.begin()
        else:
            self.anytime()

    def begin(self) -> None:
        """Begins a fight, sometimes with a situation; without one if it is refused."""
        situations = SITUATIONS.get(self.session.game.name)
        if situations is not None and self.draw(st.booleans()):
            self.perform(self._if_legal(BeginCombat(self.draw(situations(self.session.combat))), BeginCombat()))
        else:
            self.perform(BeginCombat())

    def anytime(self) -> None:
        """Lets a combatant interrupt, or act between fights."""
        session = self.session
        if not session.combat.roster.here():
            return
        more = ANYTIME.get(session.game.name)
        breaking_in = [each for each in session.game.interrupts(session.combat) if self.legal(each)]
        if breaking_in and self.draw(st.booleans()):
            self.perform(self.draw(st.sampled_from(breaking_in)))
        elif more is not None:
            self.attempt(self.draw(more(session.combat)))

    def audience(self) -> Audience:
        """Draws an audience, mostly everyone."""
        if not self.secrets:
            return None
        return self.draw(st.sampled_from((None, None, None, (), IDS[:1], IDS[1:2])))

    # -------------------------------------------------------------------------------------------- who takes part

    def join(self) -> None:
        """Lets a combatant join, if there is room; in fights with secrets, one in three is hidden."""
        combat = self.session.combat
        taken = {*combat.roster.here(), *Names(combat).ids}
        free = [who for who in IDS if who not in taken]
        if free:
            self.perform(self._join(free[0]))

    def _join(self, who: str) -> Join:
        sheet = self.draw(SHEETS[self.session.game.name])
        player = self.draw(st.sampled_from(PLAYERS))
        if self.secrets and self.draw(st.integers(0, 2)) == 0:
            return Join(who, sheet, f"{who.title()} of the Night", player, seen_by=self.draw(_KNOWN_TO))
        return Join(who, sheet, who.title(), player, sheet_seen_by=self.audience())

    def leave(self) -> None:
        """Lets a combatant leave, if that is legal."""
        self.attempt(Leave(self.draw(st.sampled_from(IDS)), "flees"))

    def amend_sheet(self) -> None:
        """Gives a combatant another sheet, between two exchanges."""
        if self.session.combat.exchange.frames:
            return
        sheet = self.draw(SHEETS[self.session.game.name])
        self.attempt(AmendSheet(self.draw(st.sampled_from(IDS)), sheet, "leveled up"))

    def end(self) -> None:
        """Ends the fight."""
        self.attempt(EndCombat("they talk"))

    def pass_time(self) -> None:
        """Lets time pass between fights."""
        unit = self.draw(st.sampled_from(("seconds", "minutes", "hours", "days", "months")))
        self.attempt(PassTime(self.draw(st.integers(1, 5)), unit))

    def attempt(self, command: Command) -> None:
        """Performs a command that may be refused."""
        try:
            self.session.perform(command)
        except Refused:
            return
        self.keep()

    # -------------------------------------------------------------------------------------------- the gamemaster's word

    def note(self) -> None:
        """Writes a note."""
        self.perform(Note("so far so good", seen_by=self.audience()))

    def modify(self) -> None:
        """Applies a modifier to a roll that is open or was thrown."""
        session = self.session
        keys = [rest.key for rest in session.rests if rest.dice] + [key for key, _ in rolls(session)][:2]
        if keys:
            session.modify(self.draw(st.sampled_from(keys)), self.draw(st.integers(-40, 40)), why="the light")
            self.keep()

    def adjust(self) -> None:
        """Sets a value without a rule."""
        combat = self.session.combat
        if not combat.roster.here():
            return
        who = self.draw(st.sampled_from(combat.roster.here()))
        counters = self.session.game.vocabulary.counters
        names = [*counters, "initiative", "conditions.prone", "conditions.shocked", "conditions.unconscious"]
        names += [f"tracks.{track}" for track in combat.health.tracks.get(who, {})]
        names += [f"resources.{name}" for name in combat.resources.having.get(who, {})]
        what = self.draw(st.sampled_from(names))
        value: int | None = self.draw(st.integers(0, 40))
        if what.startswith("conditions") and self.draw(st.booleans()):
            value = None
        self.perform(Adjust(who, what, value, "so be it"))

    def overrule(self) -> None:
        """Overrules an earlier figure with a value that may be out of its bounds."""
        found = figures(self.session)
        if not found:
            return
        key, name, value = self.draw(st.sampled_from(found))
        other = self.draw(
            st.integers(-20, 120) if isinstance(value, int) else st.sampled_from((*self.session.game.outcomes, value))
        )
        try:
            self.session.overrule(key, name, other, why="my word")
        except Refused:
            return
        self.keep()

    # -------------------------------------------------------------------------------------------- history

    def undo(self) -> None:
        """Undoes a step, an exchange, a turn or a round."""
        try:
            self.session.undo(self.draw(st.sampled_from(("step", "step", "exchange", "turn", "round"))))
        except Refused:
            return
        self.keep()

    def redo(self) -> None:
        """Redoes what was undone."""
        try:
            self.session.redo()
        except Refused:
            return
        self.keep()


ANSWERS = ("answer",)
"""Moves that answer rests, and no others."""
MOVES = (*ANSWERS * 30, *("anytime",) * 5, "modify", "note", "adjust", "adjust", "overrule", "overrule", "undo", "undo", "redo", "leave", "join",
         "amend_sheet", "end", "pass_time")  # fmt: skip
"""All moves, mostly answers."""


def figures(session: Session) -> list[tuple[str, str, int | str]]:
    """Returns key, name and value by the rules of all standing figures that can be overruled, each once, the latest first."""
    found: dict[tuple[str, str], int | str] = {}
    for entry in session.log.newest_first():
        for event in reversed(entry.events):
            for name, value in _figures_of(event, wording(session.combat.session)):
                found.setdefault((typing.cast(Any, event).key, name), value)
    return [(key, name, value) for (key, name), value in found.items()]


def _figures_of(event: Event, words: Wording) -> Iterator[tuple[str, int | str]]:
    for name, field in figures_of(event, words).items():
        yield name, event.value if isinstance(event, FigureFound) else getattr(event, field)


def rolls(session: Session) -> list[tuple[str, Entry]]:
    """Returns every standing roll with the entry in which it was thrown, the latest first."""
    keys: dict[str, None] = {}
    for entry in session.log.newest_first():
        for event in reversed(entry.events):
            if type(event).__name__ in ("DiceRolled", "DiceTold"):
                keys.setdefault(typing.cast(Any, event).key)
    return [(key, entry_of_roll(session.log, key)[1]) for key in keys]


@st.composite
def fights(
    draw: DrawFn,
    *,
    moves: Sequence[str] = MOVES,
    least: int = 10,
    most: int = 45,
    secrets: bool = False,
    store: Callable[[], Store] = MemoryStore,
    games: Sequence[str] = RULESETS,
) -> Fight:
    """Draws an unfinished fight of two to four combatants.

    Args:
        draw: Hypothesis's draw function.
        moves: The moves to choose from; one that is listed more often is made more often.
        least: Moves at least, after the first roll is asked for.
        most: Moves at most.
        secrets: Whether sheets and rolls may be secret.
        store: Where to keep it.
        games: The rulesets that are played.
    """
    game = ruleset(draw(st.sampled_from(games)))
    profile = draw(st.sampled_from([row.name for row in game.profiles]))
    session = Session.create(
        store(),
        ruleset=game.name,
        profile=profile,
        options=draw(options(game)),
        session="FIGHT",
        clock=clock,
        draw=drawn,
    )
    fight = Fight(draw, session, secrets=secrets)
    fight.play(moves, least, most)
    return fight


# ------------------------------------------------------------------------------------------------ commands that may be wrong


def any_command(session: Session) -> SearchStrategy[Command]:
    """Draws commands of every type about this session, with valid and invalid combatants, keys, faces and terms."""
    combat = session.combat
    asked = [rest.key for rest in combat.path.asked]
    thrown = list(combat.rolls.rolls)
    offered = [option.option for rest in combat.rests for option in rest.options] or ["none"]
    sheet = SHEETS[combat.session.ruleset] if combat.session.ruleset in SHEETS else plain_json()
    people = st.sampled_from((*IDS, *IDS, STRANGER, "gm", ""))
    named: dict[str, SearchStrategy[Any]] = {
        "who": people,
        "by": people,
        "player": st.sampled_from(PLAYERS),
        "key": st.sampled_from([*asked, *asked, *thrown, "r1", "nothing/such", ""]),
        "option": st.sampled_from([*offered, "none", ""]),
        "kind": st.sampled_from([*session.game.kinds, *offered, "dance"]),
        "faces": st.lists(st.integers(-1, 101), max_size=4).map(tuple),
        "provenance": st.sampled_from(((), (), ("drawn",), ("typed", "typed"), ("loaded",))),
        "figure": st.sampled_from(("dv", "target", "outcome", "base", "wounds", "damage", "nothing")),
        "what": st.sampled_from(
            ("wounds", "tracks.damage", "conditions.prone", "conditions.", "initiative", "luck", "")
        ),
        "entry": st.integers(-1, session.log.last + 1),
        "Rewind.to": st.integers(-1, session.log.last + 1),
        "sheet": sheet | plain_json(),
        "terms": _terms(session) | plain_json(),
        "ruleset": st.sampled_from((*RULESETS, "chess")),
        "given_at": st.sampled_from([None, *asked, "nothing/such"]),
        "ApplyModifier.value": st.integers(-50, 120),
        "Adjust.value": st.integers(-50, 120) | words | st.none(),
        "Overrule.value": st.integers(-50, 120) | words,
    }
    rolls_fit = [
        TypeDice(rest.key, tuple(lowest(s) for s in parse(rest.dice).sides)) for rest in combat.rests if rest.dice
    ]
    fit = [*rolls_fit, *(Choose(rest.key, option.option) for rest in combat.rests for option in rest.options)]
    return st.one_of(
        [structs(kind, named) for kind in COMMANDS]
        + [any_declaration(session)] * 3
        + ([st.sampled_from(fit)] if fit else [])
    )


def _terms(session: Session) -> SearchStrategy[Json]:
    weapons = st.sampled_from(("knife", "gun", "stunner", "teapot"))
    return st.fixed_dictionaries({"at": st.sampled_from((*IDS, STRANGER)), "using": weapons}, optional={"what": words})


def any_declaration(session: Session) -> SearchStrategy[Declare]:
    """Draws a declaration of any kind, with valid and invalid values of the types of its fields."""
    return st.sampled_from(tuple(session.game.kinds)).flatmap(lambda kind: _declared(session, kind))


def _declared(session: Session, kind: str) -> SearchStrategy[Declare]:
    people = st.sampled_from((*IDS, STRANGER))
    fields = msgspec.structs.fields(session.game.kinds[kind].terms)
    offered = session.game.offered_words(session.combat, Declare(kind, IDS[0]))
    drawn: dict[str, SearchStrategy[Any]] = {}
    for field in fields:
        is_text = field.type is str or (get_args(field.type)[:1] == (str,) and get_origin(field.type) is Annotated)
        wordy = is_text and offered.get(field.name)
        drawn[field.name] = st.sampled_from(offered[field.name]) if wordy else of_type(field.type, {"caught": people})
    must = {field.name: drawn[field.name] for field in fields if field.required}
    may = {name: each for name, each in drawn.items() if name not in must}
    return st.builds(Declare, st.just(kind), people, st.fixed_dictionaries(must, optional=may).map(msgspec.to_builtins))


def viewers() -> SearchStrategy[Viewer]:
    """Draws viewers of every seat; players with any combination of combatants."""
    return st.builds(Viewer, st.sampled_from(Seat), st.frozensets(st.sampled_from(IDS), max_size=2))


def people() -> SearchStrategy[Who]:
    """Draws people at every seat."""
    return st.builds(Who, st.sampled_from(PLAYERS), st.sampled_from(Seat))


def bare(state: State) -> State:
    """Returns a state without counts of entries, and without the modifiers in the sums of open rolls."""
    rests = tuple({name: value for name, value in rest.items() if name != "parts"} for rest in state.rests)
    return msgspec.structs.replace(state, entries=0, head=0, digest="", rests=rests)


ARMED = {"init": 60, "durability": 30, "aptitudes": {"som": 20, "ref": 20, "coo": 20}, "skills": {"fray": 40, "clubs": 50},
         "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "1d10+2"}}}  # fmt: skip


def attacked() -> Session:
    """Returns a fight in which Ann has attacked Bob with her club, and Bob has to choose a defense."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, ARMED))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(TypeDice("r1/bob/initiative", (10,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    return session
