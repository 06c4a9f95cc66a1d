"""Reads the latest events of a session, as a person sees them: what was rolled, found and declared last."""

from collections.abc import Iterator
from itertools import islice

from ledger import events as e
from ledger.audience import Viewer
from ledger.events import Json
from ledger.key import is_meant
from machines.contract.refusals import NoSuchRoll
from replays.sessions.log import Log
from replays.sessions.wording import wording

_FARTHEST, _FAR, _NEAR = 100_000, 5_000, 100
"""How many events are read: for a roll, for declarations and figures, and for each of several keys."""


class RecentEvents:
    """The latest events that stand.

    Args:
        log: The session's log.
        eyes: The person, as a viewer.
    """

    def __init__(self, log: Log, eyes: Viewer) -> None:
        self._log = log
        self._eyes = eyes

    def __iter__(self) -> Iterator[e.Event]:
        for entry in self._log.newest_first():
            yield from (event for event in reversed(entry.events) if self._eyes.may_see(event.seen_by))

    def key(self) -> str:
        """Returns the key of the latest roll that was thrown.

        Raises:
            NoSuchRoll: Nothing was rolled.
        """
        for event in islice(self, _FARTHEST):
            if isinstance(event, e.DiceRolled | e.DiceTold):
                return event.key
        raise NoSuchRoll("nothing was rolled yet", where="key", accepts="a roll first")

    def keys(self, most: int) -> list[tuple[str, str]]:
        """Returns the latest rolls and declarations, the latest first: shorthand and key."""
        found: dict[str, str] = {}
        for event in islice(self, _NEAR * most):
            if isinstance(event, e.RollRequested | e.Declared) and len(found) < most:
                role = event.key.rpartition("/")[2]
                short = f"{event.by}/{role}"
                found.setdefault(short if short not in found else event.key, event.key)
        return list(found.items())

    def figures(self, short: str) -> list[str]:
        """Returns the names of the figures under a key."""
        found: dict[str, None] = {}
        for event in islice(self, _FAR):
            if isinstance(event, e.FigureFound) and is_meant(short, event.key, event.who):
                found[event.name] = None
            if isinstance(event, e.TestResolved) and is_meant(short, event.key, ""):
                found.update(dict.fromkeys(wording(self._log.combat.session).test_figures))
        return list(found)

    def terms(self, who: str, kind: str) -> Json:
        """Returns the terms of a combatant's latest declaration of a kind; empty if there is none."""
        for event in islice(self, _FAR):
            if isinstance(event, e.Declared) and (event.by, event.kind) == (who, kind):
                return event.terms
        return {}
