"""Keeps all threads of this process on one core of the machine, the one that others use least.

Python code of one process runs in one thread at a time. On several cores each turn of another thread wakes another
core, which takes longer than most turns: on one core a server performs a quarter more commands, in less processor time.
It begins where fewest other processes stay, such as another server; then the cores are looked at every few
seconds. Several processes that are busy at the same time on few cores gain nothing: the system finds time for them
better.

Only Linux can do this. Where it is not allowed, or no longer, the threads run on any core.
"""

import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, suppress

import structlog

_PAUSE = 1.0, 3.0
"""The shortest and the longest time in seconds between two looks; by chance, as several processes look."""
_GAIN = 0.1
"""How much more of this core than of another one others must use, as a share of a core, before the process moves."""
_USED = "/proc/stat"
_WORKED = 0, 2, 7
"""The places of a core's times that count: programs, the system for them, and what a host took. Programs that yield to
others (`nice`), such as a server's workers, do not, nor do interrupts, which may be those of the process itself."""


def stay_on_one_core() -> "OneCore | None":
    """Keeps the threads of this process on one core from now on; None where that is not possible."""
    if sys.platform != "linux":
        return None
    log, allowed = structlog.get_logger(), os.sched_getaffinity(0)
    try:
        kept = OneCore(allowed) if len(allowed) > 1 else None
    except (OSError, ValueError) as error:
        log.info("threads on any core", cores=len(allowed), why=str(error))
        return None
    if kept is not None:
        log.info("threads on one core", core=kept.core)
        kept.watch()
    return kept


def better_core(core: int, used: Mapping[int, float], own: float) -> int:
    """Returns the core on which a process finds the most time: the same one unless another is clearly better.

    Args:
        core: The core on which it is.
        used: The share of each core that was used, from 0 to 1.
        own: The share of a core that the process itself has used.
    """
    least = min((each for each in used if each != core), key=lambda each: used[each], default=core)
    return least if used[core] - own - used[least] > _GAIN else core


class OneCore:
    """Keeps the threads of this process on one core.

    Args:
        allowed: The cores on which they may be.

    Raises:
        OSError, ValueError: It cannot be read how much each core is used, or a thread may not stay on one.
    """

    def __init__(self, allowed: Set[int]) -> None:
        self._allowed = frozenset(allowed)
        kept = _kept_on(self._allowed)
        self.core = random.choice([core for core, count in kept.items() if count == min(kept.values())])  # noqa: S311
        """The core on which the threads are."""
        self._changing = threading.RLock()
        self._has_ended = False
        self._look()
        self._apply()

    def look(self) -> None:
        """Moves the threads if another core has clearly more time for them; ends if a core is gone."""
        times, own, at = self._times, self._own, self._at
        try:
            self._look()
            passed = self._at - at
            used = {core: (self._times[core] - times[core]) / passed for core in self._allowed}
            with self._changing:
                if not self._has_ended:
                    self.core = better_core(self.core, used, (self._own - own) / passed)
                    self._apply()  # also to threads that began while the others were moved
        except (OSError, ValueError) as error:
            self.end()
            structlog.get_logger().warning("threads on any core", why=str(error))

    def end(self) -> None:
        """Lets the threads run on any core again."""
        with self._changing, suppress(OSError):
            self._has_ended = True
            _keep_all(self._allowed)

    @contextmanager
    def on_any_core(self) -> Iterator[None]:
        """Lets this thread run on any core within the block, and so the processes that it starts there."""
        with self._changing:
            _keep(0, self._allowed)
            try:
                yield
            finally:
                _keep(0, self._allowed if self._has_ended else {self.core})

    def watch(self) -> None:
        """Looks every few seconds, in another thread."""
        threading.Thread(target=self._watch, name="affray-core", daemon=True).start()

    def _watch(self) -> None:
        while not self._has_ended:
            time.sleep(random.uniform(*_PAUSE))  # noqa: S311
            self.look()

    def _look(self) -> None:
        self._times, self._own, self._at = _core_times(), time.process_time(), time.monotonic()
        if not self._allowed <= self._times.keys():  # a core was switched off, or a container numbers them otherwise
            raise ValueError(f"{_USED} does not have the cores {sorted(self._allowed - self._times.keys())}")

    def _apply(self) -> None:
        try:
            _keep_all({self.core})
        except OSError:
            self.end()
            raise


def _kept_on(cores: Set[int]) -> Mapping[int, int]:
    """Returns for each core how many other processes stay on it, of those that this user may look at."""
    kept = dict.fromkeys(cores, 0)
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):  # it has ended, or is of another user or the system
            os.readlink(f"/proc/{process}/exe")
            match tuple(os.sched_getaffinity(int(process))):
                case (core,) if core in kept and int(process) != os.getpid():
                    kept[core] += 1
    return kept


def _keep_all(cores: Set[int]) -> None:
    for thread in os.listdir("/proc/self/task"):
        with suppress(ProcessLookupError):  # it has ended
            os.sched_setaffinity(int(thread), cores)


def _keep(thread: int, cores: Set[int]) -> None:
    with suppress(OSError):  # the next look notices it
        os.sched_setaffinity(thread, cores)


def _core_times() -> dict[int, float]:
    """Returns the seconds for which each core has worked for programs that do not yield to others."""
    tick, found = os.sysconf("SC_CLK_TCK"), dict[int, float]()
    with open(_USED, encoding="ascii") as opened:
        for line in opened:
            name, *times = line.split() or [""]
            number = name.removeprefix("cpu")
            if name != number and number.isdecimal():
                found[int(number)] = sum(int(times[place]) for place in _WORKED if place < len(times)) / tick
    return found
