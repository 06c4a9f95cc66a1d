"""Runs long read-only jobs (odds, audits, explanations, previews) in worker processes, in a fair order.

Sessions take turns, and within a session its callers take turns, so that many requests of one caller do not delay the
first request of another. Each session has one job at a time. Brief questions have a separate worker, so that they do
not wait behind odds; a brief question that takes too long is asked once more among the long ones. The job of a caller
who disconnects is given up.
"""

import msgspec

from ledger.stores import Store
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import REVOKED
from replays.server.http.metrics import STUDIES
from replays.server.http.problems import TooSlow, ending
from replays.server.limits.fair_queue import FairQueue
from replays.server.runtime.one_core import OneCore
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.settings import Settings
from replays.server.runtime.worker import Shipped, Task, TaskResult
from replays.server.runtime.workers import WorkerDied, Workers
from replays.sessions.provable_dice import kept_beside

BRIEF = 3.0
"""Seconds of processor time in which a brief question must be answered; otherwise it is asked among the long ones."""
BUSY = 5
"""How many times as long it may take by the clock, on a machine with other work."""


class ReadJobs:
    """Queues questions about sessions and answers them in worker processes.

    Args:
        store: The store of the sessions.
        settings: The settings of the server.
        core: The core on which the server's threads are, and its workers are not.
    """

    def __init__(self, store: Store, settings: Settings, core: OneCore | None = None) -> None:
        self._store = store
        address = store.reading_address or settings.ledger  # workers cannot open a store in memory
        self._settings = msgspec.structs.replace(settings, ledger=address)
        self._brief, self._long = FairQueue(1), FairQueue(settings.studies)
        self._workers = Workers(settings.studies + 1, core)
        self._closing = False

    async def run(self, caller: Caller, question: SessionQuestion) -> bytes:
        """Answers a question when its turn comes.

        Args:
            caller: The caller, at the session that the question is about.
            question: The question.

        Returns:
            The answer as JSON.

        Raises:
            TooMuch: Too many questions are waiting already.
            TooSlow: The answer took longer than `Settings.study_time`.
            TooLarge: The answer took more memory than one question may use.
            Ending: The server is shutting down.
            Refused: The session refuses the question.
        """
        seconds = self._settings.study_time
        if question.is_brief:
            try:
                return await self._answered(self._brief, min(BUSY * BRIEF, seconds), caller, question, BRIEF)
            except TooSlow:
                if seconds <= BRIEF:
                    raise
        return await self._answered(self._long, seconds, caller, question)

    def close(self) -> None:
        """Refuses all waiting questions, because the server ends, and ends the workers."""
        self._closing = True
        for queue in (self._brief, self._long):
            queue.close(ending())
        self._workers.close()

    async def _answered(
        self,
        queue: FairQueue,
        seconds: float,
        caller: Caller,
        question: SessionQuestion,
        processor: float | None = None,
    ) -> bytes:
        outcome = "given up"
        try:
            async with queue.slot(caller.session, caller.token.id):
                if self._closing:
                    raise ending()
                reply = await self._workers.run(self._task(caller, question), seconds, processor)
            outcome = "answered" if not reply.refusal else "refused"
            return _answer(reply)
        except TooSlow:
            outcome = "too slow"
            raise
        except WorkerDied as error:
            if self._closing:
                raise ending() from error
            outcome = "died"
            raise
        finally:
            STUDIES.labels(type(question).__name__, outcome).inc()

    def _task(self, caller: Caller, question: SessionQuestion) -> Task:
        if self._store.reading_address is not None:
            return Task(self._settings, caller, question)
        store, session, revoked = self._store, caller.session, REVOKED + caller.token.id
        sealed = kept_beside(store, session)
        if store.unseal(session, revoked) is not None:
            sealed[revoked] = b""
        shipped = Shipped(list(store.read(session)), sealed, dict(store.keys(session)))
        return Task(self._settings, caller, question, shipped)


class Fault(RuntimeError):
    """An unexpected error in a worker; the message is its traceback."""


def _answer(reply: TaskResult) -> bytes:
    if reply.refusal is not None:
        raise reply.refusal
    if reply.fault:
        raise Fault(reply.fault)
    return reply.answer
