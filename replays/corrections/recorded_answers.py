"""Recorded answers: what was decided, asked for again by key.

A recorded command that answers a rest is used when a rest of its key is open, the latest standing answer first; one
that answers none (a note, a gamemaster's modifier) comes again where it was given. What is not reached waits, and is
left over if it never is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TypeDice
from ledger.dice import parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Chosen, Declared
from ledger.key import moment_of_acting
from machines.contract.refusals import TooManyEvents
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from projections.path import Rest
from replays.sessions.asked import Asked
from replays.sessions.hidden_names import rests_visible_to
from replays.sessions.log import Log

ROLLS = (TypeDice, DrawDice)


def underlying(entry: Entry, of: Callable[[int], Entry]) -> tuple[Command, tuple[Overrule, ...]]:
    """What the rules were asked when an entry was decided, and the gamemaster's word on its figures.

    Args:
        entry: An entry.
        of: Finds an entry by its number.
    """
    overrules: list[Overrule] = []
    while isinstance(entry.command, Overrule):
        overrules.append(entry.command)
        assert entry.origin is not None, "an overruling performs an entry again"
        entry = of(entry.origin)
    newest: dict[tuple[str, str], Overrule] = {}
    for each in reversed(overrules):
        newest[each.key, each.figure] = each
    return entry.command, tuple(newest.values())


def overruled(entry: Entry, of: Callable[[int], Entry]) -> Entry:
    """The entry that the gamemaster's word on a figure decides again; itself, where it is no overruling.

    Args:
        entry: An entry.
        of: Finds an entry by its number.
    """
    while isinstance(entry.command, Overrule) and entry.origin is not None:
        entry = of(entry.origin)
    return entry


def in_its_place(log: Log, seq: int, line: Sequence[int]) -> int | None:
    """The entry of a line that is this one, or the gamemaster's word on a figure of it; None where neither is on it.

    Args:
        log: The session's.
        seq: The number of an entry.
        line: The numbers of the entries of the line.
    """
    if seq in line:
        return seq
    words = (each for each in line if each > seq and isinstance(log.entry(each).command, Overrule))
    return next((each for each in words if overruled(log.entry(each), log.entry).seq == seq), None)


def original(entry: Entry, of: Callable[[int], Entry]) -> Entry:
    """The entry that this one performs again, as it was the first time; itself, where it was not performed before."""
    while entry.origin is not None:
        entry = of(entry.origin)
    return entry


def again(entry: Entry, of: Callable[[int], Entry]) -> Asked:
    """An entry's command, to be performed again."""
    decided, overrules = underlying(entry, of)
    return Asked(entry.command, entry.by, decided, overrules, entry.seq)


class Answer(msgspec.Struct, frozen=True):
    """A recorded command, and what it answered."""

    asked: Asked
    key: str = ""
    """Of the roll or choice that it answered, or of what was declared."""
    moment: str = ""
    """In which somebody was asked what to do, where it says that."""
    period: str = ""
    """Of a declaration: the round it was made in."""


def answer(entry: Entry, of: Callable[[int], Entry]) -> Answer:
    """What an entry answered."""
    asked = again(entry, of)
    command = asked.decided
    if isinstance(command, Choose):
        return Answer(asked, command.key, moment_of_acting(command.key))
    if not isinstance(command, Declare):
        return Answer(asked, command.key if isinstance(command, ROLLS) else "")
    chosen = next((event.key for event in entry.events if isinstance(event, Chosen)), "")
    declared = next((event.key for event in entry.events if isinstance(event, Declared)), "")
    moment = "" if command.given_at is not None else moment_of_acting(chosen)
    return Answer(asked, declared, moment, declared.partition("/")[0])


class Recorded:
    """Answers out of a stretch of the log.

    Args:
        entries: The stretch, in its order.
        of: Finds an entry by its number.
        older: What else was ever answered to rolls and choices, by key: taken where the stretch has nothing.
        resting: Keys that the table waited for all the same: nothing older answers those.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        of: Callable[[int], Entry],
        older: Mapping[str, Entry] = {},
        resting: frozenset[str] = frozenset(),
    ) -> None:
        self.left = [answer(entry, of) for entry in entries]
        """Not used yet, in the order of the log."""
        self.faces = {
            each.asked.origin: each.asked.decided.faces for each in self.left if isinstance(each.asked.decided, ROLLS)
        }
        """All faces that lay, by the entry that threw them."""
        self._older = {key: answer(entry, of) for key, entry in older.items() if key not in resting}

    def correct(self, right: Callable[[Asked], Asked]) -> None:
        """Put what was recorded otherwise, where it was wrong."""
        self.left = [msgspec.structs.replace(each, asked=right(each.asked)) for each in self.left]

    def next(self, game: Ruleset | None, combat: Combat) -> Asked | None:
        """The first recorded command that fits what the table waits for."""
        assert game is not None
        for place, recorded in enumerate(self.left):
            asked = placed(recorded, combat)
            if asked is not None and _is_legal(game, combat, asked):
                del self.left[place]
                return asked
        return self._from_older(game, combat)

    def _from_older(self, game: Ruleset, combat: Combat) -> Asked | None:
        for rest in combat.rests:
            recorded = self._older.get(rest.key)
            asked = placed(recorded, combat) if recorded is not None else None
            if asked is not None and _is_legal(game, combat, asked):
                del self._older[rest.key]
                return asked
        return None

    def known(self, rest: Rest) -> TypeDice | DrawDice | None:
        """The dice of an open roll that lie already, though not enough of them."""
        recorded = (*(each.asked.decided for each in self.left), *self._older_roll(rest.key))
        rolls = (each for each in recorded if isinstance(each, ROLLS))
        found = next((each for each in rolls if each.key == rest.key), None)
        sides = parse(rest.dice).sides if rest.dice else ()
        return found if found is not None and len(found.faces) < len(sides) and len(set(sides)) == 1 else None

    def _older_roll(self, key: str) -> tuple[Command, ...]:
        return (self._older[key].asked.decided,) if key in self._older else ()


def placed(recorded: Answer, combat: Combat) -> Asked | None:
    """What was recorded, as it answers what the table waits for now; None where nothing like it is waited for."""
    asked = recorded.asked
    command = asked.decided
    match command:
        case TypeDice() | DrawDice():
            fits = any(rest.key == command.key and rest.dice for rest in combat.rests)
            return _changed(asked, fewer_faces(command, combat)) if fits else None
        case Choose():
            return _chosen(recorded, command, combat)
        case Declare() if recorded.moment:
            mine = (rest for rest in combat.rests if rest.by == command.by and rest.options)
            return asked if any(moment_of_acting(rest.key) == recorded.moment for rest in mine) else None
        case Declare() if recorded.period and recorded.period != combat.clock.period:
            return None
        case _:
            if command.given_at is None or not combat.rests:
                return asked
            visible = rests_visible_to(combat, command.seen_by)
            return asked if any(rest.key == command.given_at for rest in (*combat.rests, *visible)) else None


def _chosen(recorded: Answer, command: Choose, combat: Combat) -> Asked | None:
    """A choice answers its own rest; one of what to do, any later rest of the same moment.

    Under another key it is a choice of its own in the record, even where an overruling stood in its place: the entry
    that the overruling performs again has the old key.
    """
    if any(rest.key == command.key and rest.options for rest in combat.rests):
        return recorded.asked
    for rest in combat.rests:
        if recorded.moment and rest.options and moment_of_acting(rest.key) == recorded.moment:
            anew = msgspec.structs.replace(command, key=rest.key)
            return msgspec.structs.replace(recorded.asked, command=anew, decided=anew)
    return None


def _changed(asked: Asked, decided: Command) -> Asked:
    """The same, with what is decided put otherwise."""
    command = decided if asked.command is asked.decided else asked.command
    return Asked(command, asked.by, decided, asked.overrules, asked.origin)


def fewer_faces(command: Command, combat: Combat) -> Command:
    """Dice for a pool that has become smaller since: its first faces; the others are set aside."""
    rest = next((rest for rest in combat.rests if isinstance(command, ROLLS) and rest.key == command.key), None)
    if rest is None or not isinstance(command, ROLLS):
        return command
    sides, faces = parse(rest.dice).sides, len(command.faces)
    if len(sides) >= faces or len(set(sides)) != 1:
        return command
    return msgspec.structs.replace(
        command, faces=command.faces[: len(sides)], provenance=command.provenance[: len(sides)]
    )


def _is_legal(game: Ruleset, combat: Combat, asked: Asked) -> bool:
    try:
        decide(game, combat, asked.decided, asked.overrules)
    except TooManyEvents:
        raise  # nobody could answer it later, either
    except Refused:
        return False
    return True


def older_answers(log: Log, line: Iterable[Entry], changed: Entry) -> dict[str, Entry]:
    """What was answered to rolls and choices and no longer stands, by key, the latest; not what somebody did.

    Args:
        log: The session's.
        line: What stands.
        changed: The entry that is put otherwise: only what was written since it was first performed.
    """
    standing, since = {entry.seq for entry in line}, log.timeline.after(original(changed, log.entry).seq)
    found: dict[str, Entry] = {}
    for entry in log.entries(after=since):
        command = entry.command
        if entry.seq in standing or not isinstance(command, Choose | TypeDice | DrawDice):
            continue
        if not moment_of_acting(command.key):
            found[command.key] = entry
    return found
