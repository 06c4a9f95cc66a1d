"""Runs a piece of work on many sessions, in several processes and with one progress bar.

A session whose work fails is reported and does not stop the others. The module imports no library of the command line,
so that the worker processes start quickly.
"""

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing import active_children, forkserver, get_all_start_methods, get_context, parent_process
from multiprocessing.context import BaseContext
from typing import NamedTuple, Protocol, TypeVar

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores import Store, open_store
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.session import Session
from replays.audit.audit import Audit, AuditInBrief, in_brief
from replays.campaigns.campaign import SessionOfCampaign, everything
from replays.cli.progress import progress_bar
from replays.odds.luck import DiceOnRecord, dice_on_record

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Watch = Callable[[int], None]
"""Called from time to time with the number of further entries that are done."""

_ENTRIES = 2_000
"""For so many entries another process is worth starting."""
_BATCH = 500
"""Entries that are handed to a process at once, or one longer session."""
_BATCHES = 4
"""How many batches each process gets at least, if there are enough sessions."""


class Work(Protocol[T_co]):
    """A piece of work on one session; it is sent to worker processes, so it is a function of a module."""

    def __call__(self, store: Store, session: str, watch: Watch) -> T_co:
        """Does the work.

        Args:
            store: The ledger, which is only read.
            session: The id of the session.
            watch: May be called meanwhile.
        """


class LedgerPlace(NamedTuple):
    """A ledger that worker processes can open."""

    address: str
    heads: str | None
    """Path of the heads file, if it is not beside the ledger."""


class Failed(Refused):
    """The work on a session failed with an exception that is not a refusal."""

    slug = "session/failed"


class WorkerEnded(Refused):
    """A worker process ended without its result, for example because the system had no memory left."""

    slug = "jobs/ended"


def on_every_session(
    store: Store, ledger: LedgerPlace, names: Sequence[str], work: Work[T], *, doing: str, jobs: int | None = None
) -> Mapping[str, T | Refused]:
    """Does a piece of work on each of these sessions.

    Args:
        store: The opened ledger.
        ledger: The same, for worker processes.
        names: The ids of the sessions.
        work: The work.
        doing: What the work does, for the progress bar.
        jobs: The number of processes; by default one for each core, fewer for little work. For one, no process is
            started.

    Returns:
        The result or the refusal of each session, in the order of the names.

    Raises:
        WorkerEnded: A worker process ended without its result.
    """
    can_start = len(names) > 1 and not ledger.address.startswith("memory:")
    if can_start and (jobs or min(_cores(), 1 + len(names) // _ENTRIES)) > 1:
        _prepare_to_start()  # loads the modules of the workers while the sizes are read
    sizes = {name: _entries(store, name) for name in names}
    total = sum(sizes.values())
    processes = min(jobs or min(_cores(), 1 + total // _ENTRIES), len(sizes))
    with progress_bar(doing) as show:

        def watch(done: int) -> None:
            show(done, total)

        watch(0)
        if processes < 2 or not can_start:
            found = {name: _attempted(work, store, name, _Remainder(size, watch)) for name, size in sizes.items()}
        else:
            found = _in_processes(processes, ledger, sizes, work, watch)
    return {name: found[name] for name in sizes}


def _attempted(work: Work[T], store: Store, session: str, watch: "_Remainder") -> T | Refused:
    """Returns the result of the work on a session, or the refusal."""
    try:
        return work(store, session, watch)
    except Refused as refusal:
        return refusal
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", where=session)
    finally:
        watch.finish()


class _Remainder:
    """Reports the progress on one session, so that all its entries are reported in the end."""

    def __init__(self, entries: int, watch: Watch) -> None:
        self._left = entries
        self._watch = watch

    def __call__(self, entries: int) -> None:
        self._left -= entries
        self._watch(entries)

    def finish(self) -> None:
        """Reports the entries that are not reported yet."""
        self._watch(self._left)
        self._left = 0


def _entries(store: Store, session: str) -> int:
    try:
        return store.head(session).seq
    except Refused:
        return 0


def _cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ------------------------------------------------------------------------------------------------ worker processes


def _in_processes(
    processes: int, ledger: LedgerPlace, sizes: Mapping[str, int], work: Work[T], watch: Watch
) -> dict[str, T | Refused]:
    """Does the work in worker processes, the longest sessions first."""
    others, found = set(active_children()), dict[str, T | Refused]()
    pool = ProcessPoolExecutor(processes, mp_context=_starter(), initializer=_begin)
    try:
        running = {pool.submit(_in_worker, ledger, work, names): names for names in _batches(sizes, processes)}
        for done in as_completed(running):
            found |= zip(running[done], done.result(), strict=True)
            watch(sum(map(sizes.__getitem__, running[done])))
    except BaseException as error:
        for process in set(active_children()) - others:
            process.terminate()
        _close_results(pool)
        pool.shutdown(cancel_futures=True)  # else its thread may still end while the interpreter does, which complains
        if isinstance(error, BrokenProcessPool):
            problem = "a worker process ended without its result; perhaps there is too little memory"
            raise WorkerEnded(problem, where="--jobs", accepts="fewer processes, such as --jobs 1") from error
        raise
    pool.shutdown()
    return found


def _close_results(pool: ProcessPoolExecutor) -> None:
    """Closes this end of the pipe of results: else the pool might wait for ever for the rest of one."""
    with suppress(AttributeError, OSError):
        pool._result_queue._writer.close()  # type: ignore[attr-defined]


def _prepare_to_start() -> None:
    """Starts the process that worker processes are forked from, where the system can fork; does not wait for it."""
    if _starter().get_start_method() == "forkserver":
        forkserver.ensure_running()


def _starter() -> BaseContext:
    """Returns how worker processes are started: forked from one that has loaded this module, where the system can."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _batches(sizes: Mapping[str, int], processes: int) -> Iterator[list[str]]:
    """Yields sessions to be worked on together, the longest first: handing over many short ones singly takes long."""
    enough = min(_BATCH, sum(sizes.values()) // (_BATCHES * processes))
    batch: list[str] = []
    entries = 0
    for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
        batch.append(name)
        entries += sizes[name]
        if entries >= enough:
            yield batch
            batch, entries = [], 0
    if batch:
        yield batch


def _begin() -> None:
    """Prepares a worker process: Ctrl-C is left to the process that started it, and it ends with that process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # the loaded modules need no garbage collection
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.join,), name="affray-parent", daemon=True).start()


def _end_after(wait: Callable[[], object]) -> None:
    wait()
    os._exit(1)


def _in_worker(ledger: LedgerPlace, work: Work[T], sessions: Sequence[str]) -> list[T | Refused]:
    try:
        store = _opened(ledger)
    except Refused as refusal:
        return [refusal for _ in sessions]
    return [_attempted(work, store, session, _Remainder(0, _ignore)) for session in sessions]


@cache
def _opened(ledger: LedgerPlace) -> Store:
    """Returns the ledger of this worker process, opened read-only."""
    return open_store(ledger.address, create=False, only_read=True, heads=ledger.heads)


def _ignore(_: int) -> None: ...


# ------------------------------------------------------------------------------------------------ pieces of work


def eyes_of(who: Who, combat: Combat) -> Viewer:
    """Returns a person as a viewer of a session."""
    return EVERYTHING if who.seat is Seat.GM else viewer(who, combat)


class Auditing(NamedTuple):
    """Audits a session."""

    who: Who

    def __call__(self, store: Store, session: str, watch: Watch) -> Audit:  # noqa: ARG002
        """Returns the audit as the person may see it."""
        opened = Session(store, session)
        return opened.audit(None, eyes_of(self.who, opened.combat))


class AuditingInBrief(NamedTuple):
    """Audits a session, and hands over no more than one line states: the rest of 3,000 audits takes a second."""

    who: Who

    def __call__(self, store: Store, session: str, watch: Watch) -> AuditInBrief:
        """Returns the audit in brief, as the person may see it."""
        return in_brief(Auditing(self.who)(store, session, watch))


class CollectingDice(NamedTuple):
    """Collects the dice of a session."""

    who: Who

    def __call__(self, store: Store, session: str, watch: Watch) -> DiceOnRecord:  # noqa: ARG002
        """Returns the dice that the person may see, with the probabilities of the tests."""
        opened = Session(store, session)
        return dice_on_record(opened.log, eyes_of(self.who, opened.combat))


class ReadingForCampaign(NamedTuple):
    """Reads what a campaign needs of a session, as the gamemaster sees it."""

    def __call__(self, store: Store, session: str, watch: Watch) -> SessionOfCampaign:  # noqa: ARG002
        """Returns the appearances, the dice and the rulings of the session."""
        return everything(Session(store, session))
