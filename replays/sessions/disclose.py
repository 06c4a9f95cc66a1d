"""Telling a secret: parts of an earlier entry are shown to more people, or who it is that joined in secret."""

from collections.abc import Iterator

import msgspec

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Command, Join, Reveal
from ledger.entry import Entry, Seat
from ledger.errors import Refused
from projections.views.seen import hidden_parts
from replays.sessions.log import Log

_OF_THE_SHEET = (e.SheetGiven, e.TrackOpened, e.ResourceOpened, e.ResourceSpent, e.ResourceGained)
_LASTING = (
    *_OF_THE_SHEET, e.DamageTaken, e.DamageHealed, e.WoundSuffered, e.WoundHealed, e.ConditionGained, e.ConditionLost,
    e.SideTaken, e.Adjusted,
)  # fmt: skip
"""What is still so of somebody, whenever it happened."""


class NothingHidden(Refused):
    """There is no such secret."""

    slug = "reveal/nothing"


def filled(log: Log, command: Command) -> Command:
    """A revealing with the entry and the parts that are meant: all that not everybody may see, where none is said.

    Raises:
        NoSuchEntry: There is no entry of that number.
        NothingHidden: Everybody may see it all, or it has no such part; or nobody of that name is here.
    """
    if not isinstance(command, Reveal) or (command.entry is None and not command.who):
        return command
    _check_audience(log, command)
    if command.entry is None:
        command = _of_somebody(log, command)
    assert command.entry is not None, "it is said, or found"
    entry = log.disclosures.entry(log.entry(command.entry))
    hidden = hidden_parts(entry, _STRANGER)
    if not hidden or not set(command.parts) <= set(hidden):
        accepts = ", ".join(map(str, hidden)) or "an entry that hides something"
        raise NothingHidden(f"entry {entry.seq} does not hide that", where="parts", accepts=accepts)
    parts = command.parts or hidden
    who = command.who or _joined(log, entry, parts)
    seen_by = command.to if who and command.seen_by is None else command.seen_by
    return msgspec.structs.replace(command, parts=parts, who=who, seen_by=seen_by)


def beside(log: Log, command: Command) -> Iterator[Reveal]:
    """What is still so of somebody whose being here is revealed: harm, what they have, their turn, what they do now."""
    if not isinstance(command, Reveal) or not command.who:
        return
    lasting = _Lasting(log, command.who, sheet=0 in command.parts)
    for entry in log.entries_of(log.timeline.line()):
        if entry.seq != command.entry:
            hidden = hidden_parts(log.disclosures.entry(entry), _STRANGER)
            parts = tuple(part for part in hidden if part and lasting.has(entry, part))
            if parts:
                yield Reveal(entry.seq, parts, command.to, seen_by=command.seen_by)


_STRANGER = Viewer(Seat.SPECTATOR)
"""Who may see only what everybody may see."""


def _check_audience(log: Log, command: Reveal) -> None:
    strangers = [who for who in command.to or () if who not in log.combat.roster]
    if strangers:
        known = (who for who in log.combat.roster.who if who not in log.combat.roster.hidden())
        accepts = ", ".join(known) or "nobody is here"
        raise NothingHidden(f"there is no {strangers[0]!r} to see it", where="to", accepts=accepts)


def _of_somebody(log: Log, command: Reveal) -> Reveal:
    """Of one who joined in secret the entry that brought them in; a sheet that is a secret of its own stays one."""
    hidden = log.combat.roster.hidden()
    if command.who not in hidden:
        accepts = ", ".join(hidden) or "somebody who joined in secret"
        raise NothingHidden(f"{command.who!r} is not hidden", where="who", accepts=accepts)
    entry = next(entry for entry in log.upwards() if command.who in _came(entry))
    hidden_ = hidden_parts(log.disclosures.entry(entry), _STRANGER)
    if isinstance(entry.command, Join) and entry.command.sheet_seen_by is not None:
        hidden_ = tuple(part for part in hidden_ if part and not isinstance(entry.events[part - 1], _OF_THE_SHEET))
    return msgspec.structs.replace(command, entry=entry.seq, parts=command.parts or hidden_)


def _came(entry: Entry) -> frozenset[str]:
    """Those whom an entry brought in."""
    return frozenset(event.who for event in entry.events if isinstance(event, e.CombatantJoined))


def _joined(log: Log, entry: Entry, parts: tuple[int, ...]) -> str:
    """Who joined in secret by an entry, where these parts tell their name."""
    hidden = log.combat.roster.hidden()
    told = (entry.events[part - 1] for part in parts if part)
    return next((event.who for event in told if isinstance(event, e.NameGiven) and event.who in hidden), "")


class _Lasting:
    """What is still so of one combatant.

    Args:
        log: The session.
        who: The combatant.
        sheet: Is the sheet told with it?
    """

    def __init__(self, log: Log, who: str, *, sheet: bool) -> None:
        combat = log.combat
        self._who = who
        self._kinds = _LASTING if sheet else tuple(kind for kind in _LASTING if kind not in _OF_THE_SHEET)
        self._open = {rest.key for rest in combat.path.asked if rest.by == who}
        self._open |= {frame.key for frame in combat.exchange.frames if frame.by == who}
        acting = (combat.turn.who, *(each for each, _ in combat.turn.outer))
        self._turn = next(_turns(log, who), None) if who in acting else None

    def has(self, entry: Entry, part: int) -> bool:
        """Does a part of an entry tell it?"""
        event = entry.events[part - 1]
        if isinstance(event, e.Declared | e.RollRequested | e.ChoiceRequested):
            return event.key in self._open
        return (entry.seq, part) == self._turn or (isinstance(event, self._kinds) and event.who == self._who)


def _turns(log: Log, who: str) -> Iterator[tuple[int, int]]:
    """The entries and parts with which somebody's turns began, the latest first."""
    for entry in log.upwards():
        for part, event in reversed([*enumerate(entry.events, 1)]):
            if isinstance(event, e.TurnBegan) and event.who == who:
                yield entry.seq, part
