"""Recaps a session: who was put down by which action, turning points, dice and luck, and corrections in words.

>>> from replays.api.run_script import perform
>>> from replays.exports.recap import recap
>>> from replays.scripts.format import find_script, read
>>> found = recap(perform(read(find_script("stoya")[1])).log)
>>> [(each.name, each.condition, each.deed.by, each.deed.using) for each in found.drops]
[('the assassin', 'incapacitated', 'Stoya', 'stunner')]
"""

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from projections.combat import Combat
from replays.exports.recap.corrections import corrections_of
from replays.exports.recap.drops import DropCollector
from replays.exports.recap.exchanges import ExchangeCollector
from replays.exports.recap.model import Recap
from replays.exports.recap.turning_points import RUNS, find_turning_points
from replays.odds.luck import Luck, NoDice, luck
from replays.sessions.log import Log
from replays.views.down import down_in
from replays.views.frames import frames
from replays.views.seat_log import seen_log

__all__ = ("Recap", "recap")


def recap(log: Log, eyes: Viewer = EVERYTHING, runs: int = RUNS) -> Recap:
    """Returns the recap of a session, whether its fight is over or not.

    Args:
        log: The session's log.
        eyes: The viewer; nothing in the recap depends on what is hidden from them.
        runs: Runs of the rules for turning points, before the rest is not measured.
    """
    log = seen_log(log, eyes)
    drops, exchanges, combat, rounds = DropCollector(), ExchangeCollector(), Combat(), 0
    for frame in frames(log):
        drops.add(frame)
        exchanges.add(frame)
        rounds += sum(isinstance(event, e.RoundBegan) for event in frame.entry.events)
        combat = frame.combat
    here = combat.roster.here()
    points, measured = find_turning_points(exchanges.ended, eyes, runs)
    return Recap(
        rounds=rounds,
        fighting=combat.clock.fighting,
        standing=tuple(combat.roster.name(who) for who in here if not down_in(combat, who)),
        down=tuple(combat.roster.name(who) for who in here if down_in(combat, who)),
        drops=drops.drops(),
        turning_points=points,
        measured=measured,
        luck=_luck(log, eyes),
        corrections=tuple(corrections_of(log)),
    )


def _luck(log: Log, eyes: Viewer) -> Luck | None:
    try:
        return luck(log, eyes)
    except NoDice:
        return None
