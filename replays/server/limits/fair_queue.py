"""A fair queue for a few slots: sessions take turns, and within a session its callers take turns.

So a flood from one session, or from one of its tokens, does not delay the first request of another. When the queue is
full, the latest request of the caller with the most waiting requests is refused, not the request that has just arrived.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ledger.errors import Refused
from replays.server.http.problems import TooMuch

OF_CALLER = 8
"""Maximum number of waiting requests of one token."""
OF_SESSION = 16
"""Maximum number of waiting requests of one session."""
IN_ALL = 64
"""Maximum number of waiting requests in all."""

_Ticket = asyncio.Future[None]
"""A waiting request: done when it gets a slot."""


class _SessionQueue:
    """The waiting requests of one session."""

    def __init__(self) -> None:
        self.waiting: OrderedDict[str, deque[_Ticket]] = OrderedDict()
        """The requests by token; the token whose turn is next comes first."""
        self.is_served = False

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def next(self) -> _Ticket:
        token, tickets = next(iter(self.waiting.items()))
        ticket = tickets.popleft()
        self.waiting.move_to_end(token)
        if not tickets:
            del self.waiting[token]
        return ticket

    def remove(self, token: str, ticket: _Ticket) -> None:
        tickets = self.waiting.get(token)
        if tickets is not None and ticket in tickets:
            tickets.remove(ticket)
            if not tickets:
                del self.waiting[token]

    def busiest(self) -> str:
        """Returns the token with the most waiting requests."""
        return max(self.waiting, key=lambda token: len(self.waiting[token]))


class FairQueue:
    """Gives out a few slots, at most one to each session at a time.

    Args:
        slots: The number of slots.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._queues: OrderedDict[str, _SessionQueue] = OrderedDict()
        """The sessions with requests that wait or have a slot; the session whose turn is next comes first."""

    def __len__(self) -> int:
        """Returns the number of requests that wait or have a slot."""
        return sum(len(queue) + queue.is_served for queue in self._queues.values())

    @asynccontextmanager
    async def slot(self, session: str, token: str) -> AsyncIterator[None]:
        """Waits for a slot and holds it as long as the block lasts.

        Args:
            session: The session's id.
            token: The id of the caller's token.

        Raises:
            TooMuch: Too many requests are waiting.
        """
        self._make_room(session, token)
        ticket: _Ticket = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(session, _SessionQueue())
        queue.waiting.setdefault(token, deque()).append(ticket)
        self._give_slots()
        try:
            await ticket
        except BaseException:
            if ticket.done() and not ticket.cancelled() and ticket.exception() is None:  # it got a slot just then
                self._release(session)
            else:
                queue.remove(token, ticket)
                self._drop_empty(session)
            raise
        try:
            yield
        finally:
            self._release(session)

    def close(self, reason: Refused) -> None:
        """Refuses all waiting requests."""
        for session, queue in list(self._queues.items()):
            while queue.waiting:
                _refuse(queue.next(), reason)
            self._drop_empty(session)

    # -------------------------------------------------------------------------------------------- turns

    def _give_slots(self) -> None:
        """Gives the free slots to the requests whose turn it is."""
        while self._free:
            session = next((name for name, each in self._queues.items() if each.waiting and not each.is_served), None)
            if session is None:
                return
            queue = self._queues[session]
            ticket = queue.next()
            self._queues.move_to_end(session)
            if ticket.done():  # cancelled, and not yet removed
                continue
            queue.is_served = True
            self._free -= 1
            ticket.set_result(None)

    def _release(self, session: str) -> None:
        self._queues[session].is_served = False
        self._free += 1
        self._drop_empty(session)
        self._give_slots()

    def _drop_empty(self, session: str) -> None:
        queue = self._queues.get(session)
        if queue is not None and not queue.waiting and not queue.is_served:
            del self._queues[session]

    # -------------------------------------------------------------------------------------------- too many

    def _make_room(self, session: str, token: str) -> None:
        """Refuses one waiting request if the queue is full: the latest one of the session or token with the most.

        Raises:
            TooMuch: The new request belongs to that session or token itself.
        """
        queue = self._queues.get(session) or _SessionQueue()
        mine = len(queue.waiting.get(token, ()))
        if mine >= OF_CALLER:
            raise _too_much("of this token")
        if len(queue) >= OF_SESSION:
            busiest = queue.busiest()
            if len(queue.waiting[busiest]) <= mine + 1:
                raise _too_much("of this session")
            self._dismiss(session, busiest)
        elif sum(map(len, self._queues.values())) >= IN_ALL:
            other = max(self._queues, key=lambda name: len(self._queues[name]))
            if len(self._queues[other]) <= len(queue) + 1:
                raise _too_much("on this server")
            self._dismiss(other, self._queues[other].busiest())

    def _dismiss(self, session: str, token: str) -> None:
        queue = self._queues[session]
        ticket = queue.waiting[token][-1]
        queue.remove(token, ticket)
        self._drop_empty(session)
        _refuse(ticket, _too_much("of this token"))


def _too_much(whose: str) -> TooMuch:
    return TooMuch(f"too many questions {whose} are waiting already", accepts="the same request a moment later")


def _refuse(ticket: _Ticket, reason: Refused) -> None:
    if not ticket.done():
        ticket.set_exception(reason)
