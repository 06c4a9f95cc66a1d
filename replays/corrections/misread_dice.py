"""Finds the rolls that a correction of dice names, with their rollers, entries and faces before and after.

A shorthand in an amendment means a roll of the corrected entry, else one of that entry's exchange, else any later roll.
Where several fit equally, it is refused with the candidates.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ledger.commands import DrawDice, TellDice, TypeDice
from ledger.entry import Entry
from ledger.events import Declared
from ledger.key import meant
from replays.corrections.change import BadChange, Change, Thrown
from replays.corrections.recorded_answers import ANY_ROLL, ROLLS, reissue
from replays.corrections.refusals import contradiction
from replays.sessions.log import Log


class Misread(msgspec.Struct, frozen=True):
    """A roll whose dice are corrected."""

    key: str
    by: str
    """The combatant who rolled."""
    entry: int
    """The entry that has the dice."""
    before: Thrown
    after: Thrown


class _StandingRoll(msgspec.Struct, frozen=True):
    """A roll on the line that is corrected."""

    key: str
    by: str
    entry: int
    thrown: Thrown


def resolved(log: Log, entry: Entry, change: Change) -> Change:
    """Returns a change with its dice under full keys.

    Args:
        log: The session's log.
        entry: The entry that is corrected.
        change: Its correction.

    Raises:
        BadChange: A shorthand means no roll from this entry on, or several; or one roll gets two results.
    """
    if not change.dice:
        return change
    thrown = list(_thrown(log, entry))
    shorts: dict[str, str] = {}
    own = reissue(entry, log.entry).decided
    for short, faces in change.dice.items():
        key = _key(log, entry, thrown, short)
        other = shorts.setdefault(key, short)
        if change.dice[other] != faces:
            raise contradiction(other, short)
        if isinstance(own, ANY_ROLL) and own.key == key:
            _check_own(change, short, faces)
    dice = {key: change.dice[short] for key, short in shorts.items()}
    return msgspec.structs.replace(change, dice=dice)


def _check_own(change: Change, short: str, thrown: Thrown) -> None:
    """Rejects dice for the corrected roll itself where its faces are also set, or where it is dropped."""
    if change.drop:
        raise contradiction("drop", short)
    right = thrown if isinstance(thrown, dict) else list(thrown)
    for field in ("faces", "counts"):
        if field in change.set and change.set[field] != right:
            raise contradiction(field, short)


def misread(log: Log, entry: Entry, change: Change) -> tuple[Misread, ...]:
    """Returns the rolls whose dice a change with full keys corrects."""
    right = dict(change.dice)
    command = reissue(entry, log.entry).decided
    if isinstance(command, ROLLS) and "faces" in change.set:
        right[command.key] = tuple(change.set["faces"])
    if isinstance(command, TellDice) and "counts" in change.set:
        right[command.key] = dict(change.set["counts"])
    if not right:
        return ()
    rolls = {roll.key: roll for roll in _thrown(log, entry)}
    found = ((rolls[key], after) for key, after in right.items() if key in rolls)
    return tuple(Misread(roll.key, roll.by, roll.entry, roll.thrown, after) for roll, after in found)


def _thrown(log: Log, entry: Entry) -> Iterator[_StandingRoll]:
    """Yields the rolls of an entry and of the entries after it on the line."""
    line = log.timeline.line(since=log.timeline.after(entry.seq))
    for each in log.entries_of(line):
        command = reissue(each, log.entry).decided
        if isinstance(command, ANY_ROLL):
            by = log.state(each.after).rolls[command.key].by
            yield _StandingRoll(command.key, by, each.seq, _given(command))


def _given(command: TypeDice | DrawDice | TellDice) -> Thrown:
    """Returns the faces of a command, or the counts in their place."""
    return command.counts if isinstance(command, TellDice) else command.faces


def _key(log: Log, entry: Entry, thrown: Sequence[_StandingRoll], short: str) -> str:
    """Returns the key of the one roll that a shorthand means, among the nearest group in which any fits."""
    exchange = _exchange(log, entry)
    nearer: tuple[Callable[[_StandingRoll], bool], ...] = (
        lambda roll: roll.entry == entry.seq,
        lambda roll: bool(exchange) and roll.key.startswith(f"{exchange}/"),
        lambda _: True,
    )
    for is_near in nearer:
        fitting = meant(short, dict.fromkeys((roll.key, roll.by) for roll in thrown if is_near(roll)))
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise BadChange(
                f"{short!r} means several rolls from entry {entry.seq} on", where="dice", accepts=", ".join(fitting)
            )
    accepts = ", ".join(dict.fromkeys(roll.key for roll in thrown)) or "no roll is thrown from there on"
    raise BadChange(f"no roll {short!r} is thrown from entry {entry.seq} on", where="dice", accepts=accepts)


def _exchange(log: Log, entry: Entry) -> str:
    """Returns the key of the exchange that an entry declares or belongs to; empty outside any exchange."""
    declared = next((event.key for event in entry.events if isinstance(event, Declared)), "")
    frame = log.state(entry.after).exchange.frame
    return declared or (frame.key if frame is not None else "")
