"""Makes pairs of logs that are released alike to a seat, and differ in what is hidden from it.

`changed` changes the hidden parts of a stored log. `replayed` replaces one hidden command and performs the others
again, as long as the fiction discloses the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from random import Random
from typing import Any

import msgspec
from counting import counted
from secret_deeds import alternatives
from strategies import clock, drawn

from ledger import chain, codec
from ledger.audience import Viewer
from ledger.chain import Record
from ledger.commands import (
    Adjust,
    Amend,
    AmendSheet,
    ApplyModifier,
    Choose,
    Command,
    Declare,
    DrawDice,
    Join,
    Note,
    OpenDispute,
    Overrule,
    Rewind,
    SettleDispute,
    TellDice,
    TypeDice,
)
from ledger.dice import highest, lowest, parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import (
    ActionSpent,
    CombatantJoined,
    CombatBegan,
    Declared,
    DiceRolled,
    Event,
    FigureFound,
    InitiativeScored,
    NameGiven,
    Noted,
    OrderFixed,
    PassBegan,
    Rewound,
    RollRequested,
    SecretRevealed,
    SheetGiven,
    StepEntered,
    TurnBegan,
    TurnEnded,
)
from ledger.stores.memory import MemoryStore
from machines.secrecy.hidden_names import owners
from machines.secrecy.public_twins import SOMEONE
from projections.session import HIDDEN_PARTS, HIDDEN_TURNS, NOTHING, VALUE
from projections.views.fiction import HiddenCombatants, disclosed
from projections.views.released import released
from projections.views.seen import hidden_parts
from replays.api.session import Session
from replays.audit.people import out_of_sight

SHOWN_OF_DICE = ("key", "provenance")
"""Fields of a hidden roll that everyone learns, as `released.DISCLOSED_TO_ALL` lists of draws."""


class Pair(msgspec.Struct, frozen=True):
    """Two sessions with the same id, and the viewer for which they must look the same."""

    one: Session
    other: Session
    eyes: Viewer
    what: frozenset[str]
    """The kinds of differences: ``die``, ``sheet``, ``modifier``, ``deed``, ``name``, ``words``."""

    @property
    def has_hidden(self) -> bool:
        """Whether a combatant is hidden from the viewer."""
        hidden = self.one.combat.roster.hidden().values()
        return any(not self.eyes.may_see(known_to) for known_to in hidden)


def session_of(entries: Sequence[Entry], name: str = "FIGHT") -> Session:
    """Returns a session with these entries; equal entries have equal secrets, so that only differences change salts."""
    store, previous, records = MemoryStore(), chain.genesis(name), []
    for entry in entries:
        line, secret = codec.encode(entry), entry.seq.to_bytes(chain.SECRET, "big")
        previous = chain.seal(previous, line, secret)
        records.append(Record(entry.seq, line, secret, previous))
    store.create(name, records)
    return Session(store, name, clock=clock, draw=drawn)


def shown(session: Session, eyes: Viewer) -> list[Any]:
    """Returns everything that is released to a viewer."""
    told = [session.log.disclosures.entry(entry) for entry in session.entries()]
    hidden = [entry for entry in told if hidden_parts(entry, eyes)]
    draws = [
        (entry.seq, event.key)
        for entry in told
        for event in entry.events
        if isinstance(event, DiceRolled) and "drawn" in event.provenance
    ]
    return [[released(entry, eyes) for entry in told], draws, out_of_sight(session.log, eyes), bool(hidden)]


# ------------------------------------------------------------------------------------------------ changed logs


def changed(dice: Random, session: Session, eyes: Viewer) -> Pair:
    """Returns a pair of a log, and the same log with other values in the hidden parts."""
    open_ = frozenset(_lying_open(session, eyes))
    otherwise = _Otherwise(
        dice.random(), _thrown(session), open_, frozenset(_known_names(session, eyes)), eyes.combatants, set()
    )
    entries = [_other(otherwise, session, entry, eyes) for entry in session.entries()]
    return Pair(session_of(list(session.entries())), session_of(entries), eyes, frozenset(otherwise.what))


class _Otherwise(msgspec.Struct, frozen=True):
    """What all changes of one log share."""

    seed: float
    thrown: frozenset[str]
    """The keys of all rolls that were thrown."""
    open: frozenset["_Die"]
    """Dice that the viewer sees in any entry; they are not changed in hidden entries either."""
    names: frozenset[str]
    """Names of hidden combatants that the viewer sees in some entry; they are the same in hidden entries."""
    own: frozenset[str]
    """The combatants of the viewer; what is left to them in a round is the same, because they see it later."""
    what: set[str]
    """The kinds of differences so far."""


_Die = tuple[str, int, int]
"""The key of a roll, the place of a die in it, and its face."""
_OF_DICE = (TypeDice, DrawDice, DiceRolled)


def _dice(one: TypeDice | DrawDice | DiceRolled) -> list[_Die]:
    return [(one.key, place, face) for place, face in enumerate(one.faces)]


def _lying_open(session: Session, eyes: Viewer) -> Iterator[_Die]:
    for entry in map(session.log.disclosures.entry, session.entries()):
        seen = (
            one for one in (entry.command, *entry.events) if isinstance(one, _OF_DICE) and eyes.may_see(one.seen_by)
        )
        yield from (die for one in seen for die in _dice(one))


def _known_names(session: Session, eyes: Viewer) -> Iterator[str]:
    for entry in map(session.log.disclosures.entry, session.entries()):
        yield from (one.name for one in entry.events if isinstance(one, NameGiven) and eyes.may_see(one.seen_by))


def _thrown(session: Session) -> frozenset[str]:
    events = (event for entry in session.entries() for event in entry.events)
    return frozenset(event.key for event in events if isinstance(event, DiceRolled))


def _other(otherwise: _Otherwise, session: Session, entry: Entry, eyes: Viewer) -> Entry:
    hidden = hidden_parts(session.log.disclosures.entry(entry), eyes)
    command = _varied(otherwise, entry.command) if 0 in hidden else entry.command
    events = tuple(_varied(otherwise, event) if part in hidden else event for part, event in enumerate(entry.events, 1))
    return msgspec.structs.replace(entry, command=command, events=events)


_DEEDS = (Declared, ActionSpent, TurnBegan, TurnEnded, StepEntered)
"""Events that reveal whether a hidden combatant acts."""


def _varied(otherwise: _Otherwise, one: Any) -> Any:
    """Returns a hidden command or event with other values of the same types; equal ones get equal values."""
    dice, what = Random(f"{otherwise.seed}{one}"), otherwise.what
    if isinstance(one, _DEEDS) and dice.random() < 0.2:
        what.add("deed")
        return Noted("nothing is done", "", seen_by=one.seen_by)
    if isinstance(one, SecretRevealed):  # its recipients decide what is released
        return one
    kept, found = _kept(otherwise, one), {}
    for field in one.__struct_fields__:
        value = getattr(one, field)
        other = _others(otherwise, one) if field == "faces" else _another(dice, value, field)
        if field not in kept and other != value:
            found[field] = other
            what.add(_named(one, field))
    return msgspec.structs.replace(one, **found)


def _kept(otherwise: _Otherwise, one: Any) -> tuple[str, ...]:
    """Returns the fields that are the same in both logs."""
    kept = ("seen_by", "sheet_seen_by", "given_at", "type", *(("who",) if isinstance(one, _OF_WHO) else ()))
    if isinstance(one, Rewind | Rewound):  # which entries stand is released
        kept += ("to",)
    if isinstance(one, CombatBegan):  # every viewer gets a copy of the event with this number
        kept += ("combat",)
    if isinstance(one, FigureFound) and one.scope == "round" and one.who in otherwise.own:
        kept += ("key", "name", "value", "who")
    if isinstance(one, NameGiven) and one.name in otherwise.names:
        kept += ("name",)
    if isinstance(one, (*_OF_DICE, RollRequested)) and one.key in otherwise.thrown:
        kept += SHOWN_OF_DICE
    return kept


def _others(otherwise: _Otherwise, one: TypeDice | DrawDice | DiceRolled) -> tuple[int, ...]:
    """Returns other faces of a roll; the same die gets the same face in every entry."""
    faces = ((die, _another(Random(f"{otherwise.seed}{die}"), die[-1])) for die in _dice(one))
    return tuple(die[-1] if die in otherwise.open else face for die, face in faces)


_OF_WHO = (Join, CombatantJoined, NameGiven, SheetGiven)
"""Commands and events that define a combatant; its id is the same in both logs."""


def _named(one: Command | Event, field: str) -> str:
    if field == "faces" or type(one).__name__ in ("DiceRolled", "TestResolved", "ReadingChanged"):
        return "die"
    if field == "sheet" or isinstance(one, Join | AmendSheet) or type(one).__name__ in ("SheetGiven", "TrackOpened"):
        return "sheet"
    if isinstance(one, Declare | Declared | Choose):
        return "deed"
    if isinstance(one, NameGiven):
        return "name"
    return "modifier" if "Modifi" in type(one).__name__ or type(one).__name__ == "FigureFound" else "words"


def _another(dice: Random, value: Any, field: str = "") -> Any:
    match value:
        case bool() | None:
            return value
        case int():
            return value + dice.randint(-3, 7)
        case str() if field in (
            "key",
            "who",
            "by",
            "option",
            "track",
            "condition",
            "resource",
            "name",
            "alias",
            "kind",
            "figure",
            "why",
        ):
            return value + dice.choice(("", "", "x"))
        case tuple() | list():
            return type(value)(_another(dice, each) for each in value)
        case dict():
            return {key: _another(dice, each) for key, each in value.items()}
        case _:
            return value


# ------------------------------------------------------------------------------------------------ replayed logs


def replayed(dice: Random, session: Session, eyes: Viewer) -> Pair | None:
    """Returns a pair of a log, and one in which a hidden command was replaced, as long as the fiction discloses the same.

    Such logs must be released alike; a difference reveals a secret.

    Returns:
        None if no hidden command can be replaced, or if the difference is visible at once.
    """
    entries = list(session.entries())
    places = [each for each, entry in enumerate(entries) if _otherwise(session, entry, eyes)]
    if not places:
        return None
    counting = [each for each in places if isinstance(entries[each].command, _COUNTING)]
    for _ in range(_TRIES):
        place = dice.choice(counting if counting and dice.random() < 0.7 else places)
        what: set[str] = set()
        pair = played_otherwise(session, place, _command(dice, session, entries[place], what), eyes, what)
        if pair.one.log.last > place and what:
            return pair
    return None


_TRIES = 3
"""How many hidden commands are replaced until the difference is not visible at once."""
_COUNTING = (TypeDice, TellDice, Join, ApplyModifier, AmendSheet)
"""Commands with a die, a sheet or a modifier; most pairs differ in one."""


def played_otherwise(session: Session, place: int, command: Command, eyes: Viewer, what: Iterable[str]) -> Pair:
    """Returns the pair in which one command was replaced, as long as the fiction discloses the same."""
    entries = list(session.entries())
    other = session_of(entries[:place])
    _play(other, [msgspec.structs.replace(entries[place], command=command), *entries[place + 1 :]])
    theirs = list(other.entries())
    alike = takewhile(
        lambda both: (
            (both[0].after, both[0].origin) == (both[1].after, both[1].origin)
            and told(session, both[0], eyes) == told(other, both[1], eyes)
            and revealed(session, both[0], eyes) == revealed(other, both[1], eyes)
        ),
        zip(entries, theirs, strict=False),
    )
    length = whole_requests((entries, theirs), len(list(alike)))
    return Pair(session_of(entries[:length]), session_of(theirs[:length]), eyes, frozenset(what))


def whole_requests(logs: Sequence[Sequence[Entry]], length: int) -> int:
    """Returns the largest number of entries, up to a length, with which each log ends with a whole request.

    A log that ends midway is damaged, and an audit reports that.
    """
    kept = length
    for entry in (entry for log in logs for entry in log[:length]):
        if entry.request is not None and entry.seq <= kept < entry.seq + entry.request.entries - 1:
            kept = entry.seq - 1
    return kept if kept == length else whole_requests(logs, kept)


def told(session: Session, entry: Entry, eyes: Viewer) -> list[Event]:
    """Returns what the fiction discloses of an entry; an event and its twin count once."""
    found: list[Event] = []
    before = session.log.state(entry.after)
    hidden = {who for who, known_to in before.roster.hidden().items() if not eyes.may_see(known_to)}
    hidden |= set(_joining(entry, eyes))
    named = (event for event in entry.events if isinstance(event, NameGiven))
    hidden -= {event.who for event in named if eyes.may_see(event.seen_by)}  # with their place in the order
    perceived = session.game.perceived if entry.seq > 1 else ()
    for event in disclosed(entry.events, HiddenCombatants(hidden, owners(before), perceived)):
        if not found or found[-1] != event:
            found.append(event)
    return [*found, *_noticed_endings(session, entry), *_by_policy(session, entry)]


def revealed(session: Session, entry: Entry, eyes: Viewer) -> list[Command | Event]:
    """Returns what an entry discloses of earlier entries to the viewer, on purpose."""
    found: list[Command | Event] = []
    for event in entry.events:
        if isinstance(event, SecretRevealed) and eyes.may_see(event.to):
            earlier = session.log.entry(event.entry)
            found += ([earlier.command, *earlier.events][part] for part in event.parts)
    return found


def _by_policy(session: Session, entry: Entry) -> Iterator[Event]:
    """Yields what the policies of the session show of hidden turns and hidden parts, to everyone."""
    policies = session.log.state(entry.after).session.policies
    for event in entry.events:
        match event:
            case OrderFixed() if policies.get(HIDDEN_TURNS, NOTHING) != NOTHING:
                yield OrderFixed(tuple((who, 0) for who, _ in event.order))
            case TurnBegan() | TurnEnded() | PassBegan() if policies.get(HIDDEN_TURNS, NOTHING) != NOTHING:
                yield msgspec.structs.replace(event, seen_by=None)
            case FigureFound(name="hidden") if policies.get(HIDDEN_PARTS) == VALUE:
                yield event
            case InitiativeScored(seen_by=None) if policies.get(HIDDEN_PARTS) == VALUE:
                yield event


def _noticed_endings(session: Session, entry: Entry) -> Iterator[Noted]:
    """Yields the notes for everyone that a hidden attack missed, or did no harm, by the words of the game."""
    names = [combatant.name for combatant in session.log.state(entry.after).roster.who.values()]
    words = session.game.endings.values() if entry.seq > 1 else ()
    notes = {f"{SOMEONE} {each.format(other=name)}." for each in words for name in names}
    for event in entry.events:
        if isinstance(event, Noted) and event.seen_by is None and event.text in notes:
            yield event


def _joining(entry: Entry, eyes: Viewer) -> Iterator[str]:
    """Yields the combatants who join with an entry and are hidden from the viewer."""
    joined = (event for event in entry.events if isinstance(event, CombatantJoined))
    return (event.who for event in joined if not eyes.may_see(event.seen_by))


def _otherwise(session: Session, entry: Entry, eyes: Viewer) -> bool:
    """Returns whether a command can be replaced without the viewer seeing the command."""
    command = entry.command
    match command:
        case Declare() | Choose():
            return not eyes.may_see(command.seen_by) and bool(alternatives(session, entry))
        case TypeDice() | TellDice():
            return not eyes.may_see(command.seen_by)
        case Join():
            return not eyes.may_see(command.seen_by) or not eyes.may_see(command.sheet_seen_by)
        case ApplyModifier() | AmendSheet():
            return not eyes.may_see(command.seen_by)
        case Overrule() | Adjust() | Note() | OpenDispute() | SettleDispute() | Rewind() | Amend():
            return not eyes.may_see(command.seen_by)
        case _:
            return False


def _command(dice: Random, session: Session, entry: Entry, what: set[str]) -> Command:
    command = entry.command
    match command:
        case TypeDice() | TellDice():
            combat = session.log.state(entry.after)
            rest = next(rest for rest in combat.rests if rest.key == command.key)
            faces = tuple(dice.randint(lowest(sides), highest(sides)) for sides in parse(rest.dice).sides)
            other: TypeDice | TellDice = TypeDice(command.key, faces, seen_by=command.seen_by)
            if dice.random() < 0.5:  # whether faces or counts were given is hidden, too
                other = counted(session.game, combat, rest, faces, command.seen_by)
            what |= {"die"} if other != command else set()
            return other
        case Declare() | Choose():
            what |= {"deed"}
            other = dice.choice(alternatives(session, entry))  # as secret as the command that it replaces
            return msgspec.structs.replace(other, seen_by=command.seen_by)
        case Join() if not command.unseen or dice.random() < 0.7:
            sheet = _another(dice, command.sheet)
            what |= {"sheet"} if sheet != command.sheet else set()
            return msgspec.structs.replace(command, sheet=sheet)
        case Join():
            what |= {"name"}
            return msgspec.structs.replace(command, name=f"{command.name} II", alias=f"{command.alias}2")
        case AmendSheet():
            sheet = _another(dice, command.sheet)
            what |= {"sheet"} if sheet != command.sheet else set()
            return msgspec.structs.replace(command, sheet=sheet)
        case ApplyModifier():
            what |= {"modifier"}
            if "/initiative" in command.key or dice.random() < 0.3:  # the order of acting shows a score to everyone
                return msgspec.structs.replace(command, why=f"{command.why}, and more")
            return msgspec.structs.replace(command, value=command.value + dice.randint(1, 20))
        case Note():
            what |= {"words"}
            return msgspec.structs.replace(command, text=f"{command.text}, and more")
        case Overrule() | Adjust() | OpenDispute() | SettleDispute() | Rewind() | Amend():
            what |= {"words"}
            return msgspec.structs.replace(command, why=f"{command.why}, and more")
    raise AssertionError(f"{command} has no other")


def _play(session: Session, entries: Sequence[Entry]) -> None:
    """Performs recorded requests again until one is refused."""
    for entry in entries:
        if entry.origin is not None:  # it was performed again by the request before it
            continue
        try:
            session.perform_all(msgspec.structs.replace(entry.command, given_at=None), by=entry.by)
        except Refused:
            return
