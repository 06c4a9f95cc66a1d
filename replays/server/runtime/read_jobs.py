"""What takes long and writes nothing: odds, audits, explanations, corrections that are only looked at.

It is done by worker processes, fairly: sessions take turns, and within a session those who ask take turns, so that
nobody's many requests delay another's first. One of each session is done at a time. Brief questions have a worker of
their own, so that none of them waits behind odds; one that turns out not to be brief is asked again among the long
ones. Whoever hangs up is forgotten, and what was begun for them is given up.
"""

from ledger.stores import Store
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import REVOKED
from replays.server.http.metrics import STUDIES
from replays.server.http.problems import TooSlow, ending
from replays.server.limits.fair_queue import Lane
from replays.server.runtime.questions import Question
from replays.server.runtime.settings import Settings
from replays.server.runtime.worker import Reply, Shipped, Task
from replays.server.runtime.workers import Died, Workers
from replays.sessions.provable_dice import kept_beside

BRIEF = 3.0
"""Seconds in which a brief question is answered; otherwise it is a long one."""


class Studies:
    """Answers questions about sessions.

    Args:
        store: Where the sessions are.
        settings: The server's.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._brief, self._long = Lane(1), Lane(settings.studies)
        self._workers = Workers(settings.studies + 1)
        self._closing = False

    async def run(self, caller: Caller, question: Question) -> bytes:
        """Answers a question when it is its turn.

        Args:
            caller: Who asks, of which session.
            question: What they ask.

        Returns:
            The answer as JSON.

        Raises:
            TooMuch: Too many wait already.
            TooSlow: It took longer than `Settings.study_time`.
            TooLarge: It took more memory than there is for one question.
            Ending: The server ends.
            Refused: As the session refuses.
        """
        seconds = self._settings.study_time
        if question.is_brief:
            try:
                return await self._asked(self._brief, min(BRIEF, seconds), caller, question)
            except TooSlow:
                if seconds <= BRIEF:
                    raise
        return await self._asked(self._long, seconds, caller, question)

    def close(self) -> None:
        """Tell all who wait that the server ends, and end the workers."""
        self._closing = True
        for lane in (self._brief, self._long):
            lane.close(ending())
        self._workers.close()

    async def _asked(self, lane: Lane, seconds: float, caller: Caller, question: Question) -> bytes:
        outcome = "given up"
        try:
            async with lane.place(caller.session, caller.token.id):
                if self._closing:
                    raise ending()
                reply = await self._workers.run(self._task(caller, question), seconds)
            outcome = "answered" if not reply.refusal else "refused"
            return _answer(reply)
        except TooSlow:
            outcome = "too slow"
            raise
        except Died as error:
            if self._closing:
                raise ending() from error
            outcome = "died"
            raise
        finally:
            STUDIES.labels(type(question).__name__, outcome).inc()

    def _task(self, caller: Caller, question: Question) -> Task:
        shipped = None
        if self._settings.ledger.startswith("memory:"):
            store, session, revoked = self._store, caller.session, REVOKED + caller.token.id
            sealed = kept_beside(store, session)
            if store.unseal(session, revoked) is not None:
                sealed[revoked] = b""
            shipped = Shipped(list(store.read(session)), sealed, dict(store.keys(session)))
        return Task(self._settings, caller, question, shipped)


class Fault(RuntimeError):
    """Our fault, in a worker; with its traceback."""


def _answer(reply: Reply) -> bytes:
    if reply.refusal is not None:
        raise reply.refusal
    if reply.fault:
        raise Fault(reply.fault)
    return reply.answer
