"""Waiting fairly for one of a few places: sessions take turns, and within a session those who ask take turns.

So a flood from one session, or from one token of it, holds up nobody else's first request. Where too many wait, the
last of the longest line is sent away, not whoever has just come.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ledger.errors import Refused
from replays.server.http.problems import TooMuch

OF_ASKER = 8
"""So many of one token may wait."""
OF_SESSION = 16
IN_ALL = 64

_Turn = asyncio.Future[None]


class _Line:
    """Those of one session who wait."""

    def __init__(self) -> None:
        self.waiting: OrderedDict[str, deque[_Turn]] = OrderedDict()
        """By token, the one whose turn is next first."""
        self.is_served = False

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def next(self) -> _Turn:
        asker, turns = next(iter(self.waiting.items()))
        turn = turns.popleft()
        self.waiting.move_to_end(asker)
        if not turns:
            del self.waiting[asker]
        return turn

    def remove(self, asker: str, turn: _Turn) -> None:
        turns = self.waiting.get(asker)
        if turns is not None and turn in turns:
            turns.remove(turn)
            if not turns:
                del self.waiting[asker]

    def longest(self) -> str:
        """The token of which most wait."""
        return max(self.waiting, key=lambda asker: len(self.waiting[asker]))


class Lane:
    """A few places, one for each session at a time.

    Args:
        places: How many.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._lines: OrderedDict[str, _Line] = OrderedDict()
        """By session, the one whose turn is next first; those that wait or are served."""

    def __len__(self) -> int:
        """How many wait or are served."""
        return sum(len(line) + line.is_served for line in self._lines.values())

    @asynccontextmanager
    async def place(self, session: str, asker: str) -> AsyncIterator[None]:
        """Waits for a place, and has it as long as the block lasts.

        Args:
            session: For which it is.
            asker: The token's id.

        Raises:
            TooMuch: Too many wait.
        """
        self._make_room(session, asker)
        turn: _Turn = asyncio.get_running_loop().create_future()
        line = self._lines.setdefault(session, _Line())
        line.waiting.setdefault(asker, deque()).append(turn)
        self._call()
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:  # called just when it was cancelled
                self._leave(session)
            else:
                line.remove(asker, turn)
                self._drop_empty(session)
            raise
        try:
            yield
        finally:
            self._leave(session)

    def close(self, reason: Refused) -> None:
        """Send all away who wait."""
        for session, line in list(self._lines.items()):
            while line.waiting:
                _send_away(line.next(), reason)
            self._drop_empty(session)

    # -------------------------------------------------------------------------------------------- turns

    def _call(self) -> None:
        """Give the free places to those whose turn it is."""
        while self._free:
            session = next((name for name, each in self._lines.items() if each.waiting and not each.is_served), None)
            if session is None:
                return
            line = self._lines[session]
            turn = line.next()
            self._lines.move_to_end(session)
            if turn.done():  # cancelled, and not yet removed
                continue
            line.is_served = True
            self._free -= 1
            turn.set_result(None)

    def _leave(self, session: str) -> None:
        self._lines[session].is_served = False
        self._free += 1
        self._drop_empty(session)
        self._call()

    def _drop_empty(self, session: str) -> None:
        line = self._lines.get(session)
        if line is not None and not line.waiting and not line.is_served:
            del self._lines[session]

    # -------------------------------------------------------------------------------------------- too many

    def _make_room(self, session: str, asker: str) -> None:
        """Sends one away where too many wait: the last of the longest line, unless that is where another one has come.

        Raises:
            TooMuch: It is.
        """
        line = self._lines.get(session) or _Line()
        mine = len(line.waiting.get(asker, ()))
        if mine >= OF_ASKER:
            raise _too_much("of this token")
        if len(line) >= OF_SESSION:
            longest = line.longest()
            if len(line.waiting[longest]) <= mine + 1:
                raise _too_much("of this session")
            self._dismiss(session, longest)
        elif sum(map(len, self._lines.values())) >= IN_ALL:
            other = max(self._lines, key=lambda name: len(self._lines[name]))
            if len(self._lines[other]) <= len(line) + 1:
                raise _too_much("on this server")
            self._dismiss(other, self._lines[other].longest())

    def _dismiss(self, session: str, asker: str) -> None:
        line = self._lines[session]
        turn = line.waiting[asker][-1]
        line.remove(asker, turn)
        self._drop_empty(session)
        _send_away(turn, _too_much("of this token"))


def _too_much(whose: str) -> TooMuch:
    return TooMuch(f"too many reckonings {whose} are waiting already", accepts="the same a moment later")


def _send_away(turn: _Turn, reason: Refused) -> None:
    if not turn.done():
        turn.set_exception(reason)
