"""Copies the sessions of a ledger into another: chooses them, groups them, and reports each."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from typing import TypeVar

from ledger.errors import Damaged, LogRefused, Oversized, Refused, TombstoneBroken
from ledger.stores import Store, open_store
from ledger.stores.jetstream.servers.address import OF_NATS
from ledger.stores.store import PATIENCE
from replays.audit.ledger_check import deleted_sessions
from replays.exports.copying.addresses import check_addresses
from replays.exports.copying.session_copier import Copied, SessionCopier, SessionDiffers, WrittenSession
from replays.exports.session_problems import DELETED, SessionProblem, examined_heads, missing_sessions
from replays.sessions.find_session import find_session

_TRANSACTION = 120.0
"""Seconds that a file or a database may take for one session, in one transaction."""
GROUP = 1_000
"""Entries of small sessions that are committed together, where the store has one writer."""
THREADS = 4
"""The number of sessions that are copied at once, where the store has several writers."""

T = TypeVar("T")
U = TypeVar("U")
WatchTotal = Callable[[int, int], None]
"""Called from time to time with the number of further entries that are done, and the number of all entries."""


def copy_sessions(
    source: str,
    target: str,
    names: Sequence[str] = (),
    *,
    heads: str | None = None,
    target_heads: str | None = None,
    keys: Sequence[bytes] = (),
    watch: WatchTotal = lambda _, __: None,
) -> Iterator[Copied | SessionProblem]:
    """Copies sessions from one store into another, and completes what an interrupted call has copied.

    Their idempotency keys and sealed secrets are copied as well. A session that the target has whole is skipped; one
    that is the beginning of the source's is continued; one that differs is refused. Checkpoints are not copied: they
    are caches. Nor are tombstones: each ledger has its chain of them.

    Args:
        source: The address of the store to copy from; it is not changed, and may be written to meanwhile.
        target: The address of the other store; a file is created, a database's tables must exist.
        names: The sessions' ids, or unique beginnings; by default all.
        heads: The path of the source's heads file, if it is not beside it.
        target_heads: The path of the target's heads file.
        keys: The keys that sign the lines of heads files: the last one signs, any of them is accepted.
        watch: Called from time to time, from several threads.

    Yields:
        For each session, in the order of creation, what was copied, or why it was not (it is damaged, it differs, or
        a part of it is too long for the other store). Then the sessions that the source lacks although its heads file
        has them; then those that the source has deleted and the target has not.

    Raises:
        WrongAddresses: The addresses are those of one ledger, or of a ledger in memory.
        NoSuchSession: There is no such ledger or session, or no session at all.
        HeadsBroken: A heads file cannot be read; nothing is copied.
        Cut: A named session is known to have existed, and is missing.
        StoreRefused: A store refuses. Sessions are whole or not there, except for the one that was being continued.
    """
    check_addresses(source, target)
    with closing(
        open_store(source, create=False, patience=_patience(source), only_read=True, heads=heads, keys=keys)
    ) as old:
        known = old.sessions()
        gone = [problem for problem in missing_sessions(old) if problem.session not in known and not names]
        asked = {find_session(old, name) for name in names}
        if not (known or gone):
            find_session(old, None)  # refuses an empty ledger
        with closing(open_store(target, patience=_patience(target), heads=target_heads, keys=keys)) as new:
            examined_heads(new)
            yield from _Copying(old, new, [each for each in known if not names or each in asked], watch).run()
            yield from gone
            if not names:
                yield from _deleted(old, new)


class _Copying:
    """Copies sessions between two opened stores."""

    def __init__(self, old: Store, new: Store, sessions: Sequence[str], watch: WatchTotal) -> None:
        self._new = new
        self._sizes = {session: _size(old, session) for session in sessions}
        self._total = sum(self._sizes.values())
        self._watch = watch
        self._copier = SessionCopier(old, new, lambda done: watch(done, self._total))

    def run(self) -> Iterator[Copied | SessionProblem]:
        """Copies the sessions; yields the result of each, in their order."""
        if not self._sizes:
            return
        for result in self._in_groups() if self._new.one_writer else self._at_once():
            added = result.added if isinstance(result, Copied) else 0
            self._watch(max(0, self._sizes[result.session] - added), self._total)
            yield result

    def _in_groups(self) -> Iterator[Copied | SessionProblem]:
        """Copies small sessions in groups, each with one commit."""
        for group in self._groups():
            with self._new.together() if len(group) > 1 else nullcontext():
                written = [_tried(session, self._copier.write, session) for session in group]
            yield from map(self._confirmed, written)

    def _groups(self) -> Iterator[list[str]]:
        group, entries = list[str](), 0
        for session, size in self._sizes.items():
            if group and entries + size > GROUP:
                yield group
                group, entries = [], 0
            group.append(session)
            entries += size
        if group:
            yield group

    def _at_once(self) -> Iterator[Copied | SessionProblem]:
        """Copies several sessions at once, but the last one after all others: it stays the latest of the ledger."""
        *others, last = self._sizes
        running = deque[Future[Copied | SessionProblem]]()
        pool = ThreadPoolExecutor(THREADS, thread_name_prefix="affray-copy")
        try:
            for session in others:
                running.append(pool.submit(self._copied, session))
                if len(running) > THREADS:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
        yield self._copied(last)

    def _copied(self, session: str) -> Copied | SessionProblem:
        return self._confirmed(_tried(session, self._copier.write, session))

    def _confirmed(self, written: WrittenSession | SessionProblem) -> Copied | SessionProblem:
        if isinstance(written, SessionProblem):
            return written
        return _tried(written.session, self._copier.confirm, written)


def _tried(session: str, do: Callable[[T], U], given: T) -> U | SessionProblem:
    """Returns the result of a step; a refusal because of this session alone becomes its problem."""
    try:
        return do(given)
    except (LogRefused, Damaged, Oversized, SessionDiffers) as refusal:
        return SessionProblem(session, refusal)


def _patience(address: str) -> float:
    """Returns how many seconds a store may take for an answer: JetStream stores a session in many small writes."""
    return PATIENCE if address.startswith(OF_NATS) else _TRANSACTION


def _size(store: Store, session: str) -> int:
    """Returns the number of a session's entries; 0 for a damaged one, which is reported when it is copied."""
    try:
        return store.head(session).seq
    except Refused:
        return 0


def _deleted(old: Store, new: Store) -> Iterator[SessionProblem]:
    """Yields the sessions that the source has deleted and the target has not."""
    try:
        stones = list(deleted_sessions(old))
    except TombstoneBroken as refusal:
        yield SessionProblem(DELETED, refusal)
        return
    there = set(new.sessions()) if stones else ()
    for stone in stones:
        if stone.session in there:
            problem = f"{stone.refusal().message}; TO still has it"
            yield SessionProblem(stone.session, SessionDiffers(problem, where=stone.session, accepts="affray delete"))
