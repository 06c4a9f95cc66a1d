"""Completes disclosures: hidden parts of an earlier entry, or the presence of a combatant who joined in secret."""

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
"""Events whose effects on a combatant last, whenever they happened."""


class NothingHidden(Refused):
    """There is no such secret."""

    slug = "reveal/nothing"


def filled(log: Log, command: Command) -> Command:
    """Completes a disclosure with its entry and parts; by default, all parts that are not public.

    Raises:
        NoSuchEntry: There is no entry of that number.
        NothingHidden: The entry has no such hidden part, or no such combatant is hidden.
    """
    if not isinstance(command, Reveal) or (command.entry is None and not command.who):
        return command
    _check_audience(log, command)
    if command.entry is None:
        command = _of_combatant(log, command)
    assert command.entry is not None, "it is given, or found"
    entry = log.disclosures.entry(log.entry(command.entry))
    hidden = hidden_parts(entry, _STRANGER)
    if not hidden or not set(command.parts) <= set(hidden):
        accepts = ", ".join(map(str, hidden)) or "an entry that hides something"
        raise NothingHidden(f"entry {entry.seq} does not hide that", where="parts", accepts=accepts)
    parts = command.parts or hidden
    who = command.who or _combatant_of(log, entry, parts)
    seen_by = command.to if who and command.seen_by is None else command.seen_by
    return msgspec.structs.replace(command, parts=parts, who=who, seen_by=seen_by)


def beside(log: Log, command: Command) -> Iterator[Reveal]:
    """Yields disclosures of a revealed combatant's lasting harm, possessions, turn and open exchanges."""
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
"""A viewer who sees only what is public."""


def _check_audience(log: Log, command: Reveal) -> None:
    strangers = [who for who in command.to or () if who not in log.combat.roster]
    if strangers:
        known = (who for who in log.combat.roster.who if who not in log.combat.roster.hidden())
        accepts = ", ".join(known) or "no combatant has joined"
        raise NothingHidden(f"there is no {strangers[0]!r} to see it", where="to", accepts=accepts)


def _of_combatant(log: Log, command: Reveal) -> Reveal:
    """Completes a disclosure with the entry in which a combatant joined; a separately secret sheet stays hidden."""
    hidden = log.combat.roster.hidden()
    if command.who not in hidden:
        accepts = ", ".join(hidden) or "a combatant who joined in secret"
        raise NothingHidden(f"{command.who!r} is not hidden", where="who", accepts=accepts)
    entry = next(entry for entry in log.newest_first() if command.who in _joined_in(entry))
    hidden_ = hidden_parts(log.disclosures.entry(entry), _STRANGER)
    if isinstance(entry.command, Join) and entry.command.sheet_seen_by is not None:
        hidden_ = tuple(part for part in hidden_ if part and not isinstance(entry.events[part - 1], _OF_THE_SHEET))
    return msgspec.structs.replace(command, entry=entry.seq, parts=command.parts or hidden_)


def _joined_in(entry: Entry) -> frozenset[str]:
    """Returns the combatants who joined in an entry."""
    return frozenset(event.who for event in entry.events if isinstance(event, e.CombatantJoined))


def _combatant_of(log: Log, entry: Entry, parts: tuple[int, ...]) -> str:
    """Returns the secret combatant who joined in an entry, if these parts include the name."""
    hidden = log.combat.roster.hidden()
    told = (entry.events[part - 1] for part in parts if part)
    return next((event.who for event in told if isinstance(event, e.NameGiven) and event.who in hidden), "")


class _Lasting:
    """The lasting events of one combatant.

    Args:
        log: The session's log.
        who: The combatant.
        sheet: Whether the sheet is disclosed as well.
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
        """Returns whether a part of an entry is one of them."""
        event = entry.events[part - 1]
        if isinstance(event, e.Declared | e.RollRequested | e.ChoiceRequested):
            return event.key in self._open
        return (entry.seq, part) == self._turn or (isinstance(event, self._kinds) and event.who == self._who)


def _turns(log: Log, who: str) -> Iterator[tuple[int, int]]:
    """Yields the entries and parts with which a combatant's turns began, latest first."""
    for entry in log.newest_first():
        for part, event in reversed([*enumerate(entry.events, 1)]):
            if isinstance(event, e.TurnBegan) and event.who == who:
                yield entry.seq, part
