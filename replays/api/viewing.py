"""Shows the state and the entries of a session as a viewer may see them; loads none of the rules of its game."""

from collections.abc import Iterator

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat
from projections.path import Rest
from projections.views.document import State
from replays.api.consistency import Consistency, consistently
from replays.api.reading_arguments import BadArgument, check_eyes, check_number
from replays.sessions.log import Log
from replays.views.seat_log import SeenLogs
from replays.views.state_document import document
from replays.views.state_steps import StateStep, StateSteps
from replays.views.view_cache import ViewCache

_ENTRY = "the number of an entry"


class SessionView:
    """A session's log as viewers may see it.

    Args:
        log: The session's log.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.consistency = Consistency(log)
        self._view_cache = ViewCache(log)
        self._steps = StateSteps(log, self._view_cache)
        self._seen_logs = SeenLogs(log)

    @property
    def id(self) -> str:
        """The session's id."""
        return self.log.session

    @property
    def combat(self) -> Combat:
        """The present state."""
        return self.log.combat

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The open rolls and choices."""
        return self.combat.rests

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Returns the entries of the log, standing or not, in order.

        Args:
            after: Only those after this entry.
            upto: Only those up to this entry; by default to the last.

        Raises:
            BadArgument: A number has a wrong type.
        """
        check_number(after, "after", _ENTRY)
        if upto is not None:
            check_number(upto, "upto", _ENTRY)
        return self.log.entries(after, upto)

    @consistently
    def state(self, at: int | None = None, eyes: Viewer = EVERYTHING) -> State:
        """Returns the state as a plain document.

        Args:
            at: The state when this entry had been appended; by default the present state.
            eyes: The viewer.

        Raises:
            NoSuchEntry: There is no entry of that number.
            BadArgument: `eyes` is not a `Viewer`.
        """
        check_eyes(eyes)
        last, head, digest = self._as_of(at)
        return document(self.seen(eyes, head), self.id, entries=last, head=head, digest=digest)

    def _as_of(self, at: int | None) -> tuple[int, int, bytes]:
        """Returns an entry, by default the last, with the head when it had been appended, and its digest.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        if at is None:
            return self.log.last, self.log.head, self.log.digest
        self.log.check(at)
        return at, self.log.timeline.head_at(at), self.log.digest_of(at)

    @consistently
    def step(self, after: int, upto: int, eyes: Viewer = EVERYTHING) -> StateStep:
        """Returns what some entries change: the merge patch from the state document before them to that after them.

        Args:
            after: The number of the entry before them; 0 for an empty document.
            upto: The number of the last of them.
            eyes: The viewer.

        Raises:
            NoSuchEntry: There is no entry of that number.
            BadArgument: An argument has a wrong type, or `upto` is not after `after`.
        """
        check_eyes(eyes)
        check_number(after, "after", _ENTRY)
        check_number(upto, "upto", _ENTRY)
        self.log.check(upto)
        if not 0 <= after < upto:
            raise BadArgument(f"{after} is not before {upto}", where="after", accepts=f"0 to {upto - 1}")
        return self._steps.step(after, upto, eyes)

    def seen(self, eyes: Viewer, head: int | None = None) -> Combat:
        """Returns the state as far as a viewer may see it, with everything disclosed since.

        Args:
            eyes: The viewer.
            head: The last entry of the line; by default the present head.

        Raises:
            BadArgument: An argument has a wrong type.
        """
        check_eyes(eyes)
        if head is not None:
            check_number(head, "head", _ENTRY)
        return self._view_cache.combat(eyes, self.log.head if head is None else head)
