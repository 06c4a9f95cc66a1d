"""Reads one session of a campaign: who took part, in which rounds, and how they last stood.

Opens the session from its checkpoint and reads its standing entries once; nothing is folded that the checkpoint has.
"""

from collections.abc import Iterable

import msgspec

from ledger import events as e
from machines.registry import vocabulary_of
from projections.combat import Combat
from projections.views.document import CombatantView, combatant_view
from replays.api.consistency import consistently
from replays.api.viewing import SessionView
from replays.views.down import down_in


class RoundSpan(msgspec.Struct, frozen=True):
    """Consecutive rounds of a fight."""

    fight: int
    """The number of the fight in the session."""
    first: int
    """The first of the rounds."""
    last: int
    """The last of the rounds."""


class LastStand(msgspec.Struct, frozen=True):
    """How a combatant stood at the end of a session."""

    session: str
    combatant: CombatantView
    """Its harm, wounds, conditions and resources, as in the state of the session."""
    out: tuple[str, ...]
    """The conditions that put it out of the fight, such as `dead`; empty if it is up."""
    left: bool
    """Whether it had left the fight."""


class Appearance(msgspec.Struct, frozen=True):
    """A combatant, or a thing, in one session."""

    who: str
    name: str
    """The name that is shown."""
    player: str
    ruleset: str
    side: str
    thing: bool
    rounds: tuple[RoundSpan, ...]
    """The rounds in which it was there; empty if none was fought."""
    stand: LastStand
    """How it stood at the end of the session."""
    names: tuple[str, ...] = ()
    """For a combatant who joined in secret: the names it was given, the typed id first."""


class SessionAppearances(msgspec.Struct, frozen=True):
    """What the roster of a campaign takes from one session."""

    session: str
    title: str
    """Its title now, which may be another than that with which it was opened."""
    is_open: bool
    """Whether the session is open."""
    entries: int
    appearances: tuple[Appearance, ...]
    """All combatants and things of its state, in the order of joining."""


@consistently
def appearances(session: SessionView) -> SessionAppearances:
    """Returns everyone who is in the state of a session, also those who have left.

    A combatant whose joining was undone is not in the state, and does not appear.

    Args:
        session: The session.

    Raises:
        Refused: The session cannot be read.
    """
    combat, log = session.combat, session.log
    rounds = _Rounds()
    for entry in log.entries_of(log.timeline.line()):
        rounds.add(entry.events)
    found = tuple(_appearance(session.id, combat, who, rounds.of(who)) for who in combat.roster.who)
    return SessionAppearances(session.id, combat.session.title, combat.session.is_open, log.last, found)


def _appearance(session: str, combat: Combat, who: str, rounds: tuple[RoundSpan, ...]) -> Appearance:
    one, ruleset = combat.roster[who], combat.session.ruleset
    view = combatant_view(combat, who, vocabulary_of(ruleset))
    stand = LastStand(session, view, down_in(combat, who), left=not one.here)
    return Appearance(who, one.name, one.player, ruleset, one.side, one.thing, rounds, stand, one.names)


class _Rounds:
    """Notes in which rounds each combatant was there: those that began meanwhile, and the one in which it joined."""

    def __init__(self) -> None:
        self._here: set[str] = set()
        self._fight, self._round = 0, 0
        """The fight and the round that go on; 0 for none."""
        self._spans: dict[str, list[RoundSpan]] = {}

    def add(self, events: Iterable[e.Event]) -> None:
        """Adds the events of the next standing entry."""
        for event in events:
            match event:
                case e.CombatantJoined(who=who):
                    self._here.add(who)
                    self._note([who])
                case e.CombatantLeft(who=who):
                    self._here.discard(who)
                case e.CombatBegan(combat=number):
                    self._fight, self._round = number, 0
                case e.RoundBegan(round=number):
                    self._round = number
                    self._note(self._here)
                case e.CombatEnded():
                    self._fight = 0

    def of(self, who: str) -> tuple[RoundSpan, ...]:
        """Returns the rounds in which a combatant was there."""
        return tuple(self._spans.get(who, ()))

    def _note(self, present: Iterable[str]) -> None:
        if not (self._fight and self._round):
            return
        for who in present:
            spans = self._spans.setdefault(who, [])
            if spans and spans[-1].fight == self._fight and spans[-1].last >= self._round - 1:
                spans[-1] = RoundSpan(self._fight, spans[-1].first, self._round)
            else:
                spans.append(RoundSpan(self._fight, self._round, self._round))


def count_rounds(spans: Iterable[RoundSpan]) -> int:
    """Returns the number of rounds.

    >>> count_rounds((RoundSpan(1, 1, 3), RoundSpan(2, 2, 2)))
    4
    """
    return sum(each.last - each.first + 1 for each in spans)
