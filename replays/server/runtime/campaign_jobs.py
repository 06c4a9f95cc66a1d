"""Asks one question of each session of a campaign, in worker processes, and caches the answers.

Each session is a separate read job, so that a campaign takes turns with all other questions, and no session uses up the
time of the others. An answer is valid until an entry is added to its session. So a request that has reached its time
limit is continued by the next one, and sessions that are closed are read once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

import structlog

from ledger.errors import Damaged, LogRefused, Refused
from ledger.stores import Store
from replays.server.callers.host_reader import HostReader
from replays.server.callers.tokens import Token
from replays.server.http.problems import TooSlow
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.read_jobs import Fault, ReadJobs
from replays.server.runtime.worker import TooLarge
from replays.server.runtime.workers import WorkerDied

T = TypeVar("T")

LARGEST = 16_000_000
"""Maximum size of the cached answers in bytes."""
_TOO_MUCH = (TooSlow, TooLarge)
"""Refusals of a session that is too long for one question; those about the server refuse the whole request."""
_LOG = structlog.get_logger()
_Key = tuple[str, bytes, str]


class UnreadSession(Refused):
    """The program failed when it read a session."""

    slug = "campaign/unread"


class CampaignJobs:
    """Asks questions of the sessions of campaigns.

    Args:
        store: The store of the sessions.
        read_jobs: Answers each question in a worker process.
        threads: Reads the heads of sessions.
        largest: Maximum size of the cached answers in bytes; those that were used least recently are dropped first.
    """

    def __init__(self, store: Store, read_jobs: ReadJobs, threads: Executor, largest: int = LARGEST) -> None:
        self._store = store
        self._read_jobs = read_jobs
        self._threads = threads
        self._largest = largest
        self._answers: OrderedDict[_Key, bytes | Refused] = OrderedDict()
        """The answers by session, the digest of its last entry, and question; a refusal where it took too long."""
        self._size = 0

    async def ask(self, host: Token, sessions: Iterable[str], question: SessionQuestion) -> dict[str, bytes | Refused]:
        """Asks a question of several sessions, one after another.

        Args:
            host: The token of the host.
            sessions: The ids of the sessions.
            question: The question.

        Returns:
            The answer of each session as JSON, or why it is refused. A session that takes too long is asked once: what
            became of it is remembered until it has more entries, so that a repeat of the request goes on behind it.

        Raises:
            TooMuch: Too many questions are waiting already.
            Busy: The ledger is busy.
            Ending: The server is shutting down.
        """
        found: dict[str, bytes | Refused] = {}
        for session in sessions:
            try:
                found[session] = await self._answer(HostReader(host, session), question)
            except (LogRefused, Damaged) as refusal:
                found[session] = refusal
            except (Fault, WorkerDied):  # the log of the server has the reason
                _LOG.exception("a session of a campaign cannot be read", session=session)
                message = "the program failed when it read this session"
                found[session] = UnreadSession(message, where=session)
        return found

    async def _answer(self, caller: HostReader, question: SessionQuestion) -> bytes | Refused:
        read_head = partial(self._store.head, caller.session)
        head = await asyncio.get_running_loop().run_in_executor(self._threads, read_head)
        key = (caller.session, head.digest, type(question).__name__)
        answer = self._answers.get(key)
        if answer is None:
            try:
                answer = await self._read_jobs.run(caller, question)
            except _TOO_MUCH as refusal:
                answer = refusal
            self._keep(key, answer)
        self._answers.move_to_end(key)
        return answer

    def _keep(self, key: _Key, answer: bytes | Refused) -> None:
        """Caches an answer; the latest one is never dropped."""
        self._size += _size(answer) - _size(self._answers.get(key, b""))
        self._answers[key] = answer
        while self._size > self._largest and len(self._answers) > 1:
            self._size -= _size(self._answers.popitem(last=False)[1])


def _size(answer: bytes | Refused) -> int:
    return len(answer.message if isinstance(answer, Refused) else answer)


def decoded(found: Mapping[str, bytes | Refused], decode: Callable[[bytes], T]) -> dict[str, T | Refused]:
    """Decodes the answers of several sessions.

    Args:
        found: The answer of each session, or why it is refused.
        decode: Decodes one answer.
    """
    return {name: each if isinstance(each, Refused) else decode(each) for name, each in found.items()}
