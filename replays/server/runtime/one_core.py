"""Keeps all threads of this process on one core of the machine, the one that others use least.

Python runs one thread of a process at a time. On several cores each turn of another thread wakes another core, which
takes longer than most turns: on one core a server performs a quarter more commands, in less processor time. The cores
are looked at every few seconds. Only Linux can do this; elsewhere, and on a machine with one core, nothing happens.

Several processes that are busy at the same time gain nothing: the system finds time for them on all cores better.
"""

import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, suppress

_PAUSE = 1.0, 3.0
"""The shortest and the longest time in seconds between two looks; by chance, as several processes look."""
_GAIN = 0.1
"""How much more of this core than of another one others must use, as a share of a core, before the process moves."""
_CLOCK = "/proc/stat"
_IDLE = 3, 4
"""The places of the times without work among those of a core: idle, and waiting for a disk."""
_COUNTED = 8
"""How many of the times of a core are counted; those behind them are parts of others."""


def on_one_core() -> "OneCore | None":
    """Keeps the threads of this process on one core from now on; None where that is not possible."""
    if sys.platform == "linux":
        with suppress(OSError):
            allowed = os.sched_getaffinity(0)
            if len(allowed) > 1:
                kept = OneCore(allowed)
                kept.watch()
                return kept
    return None


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
        OSError: The system does not say how much the cores are used, or does not let a thread stay on one.
    """

    def __init__(self, allowed: Set[int]) -> None:
        self._allowed = frozenset(allowed)
        self._core = random.choice(sorted(allowed))  # noqa: S311
        self._leaving = threading.Lock()
        self._times, self._own, self._at = _core_times(), time.process_time(), time.monotonic()
        self._move(self._core)

    def look(self) -> None:
        """Moves the threads if another core has clearly more time for them."""
        times, own, at = _core_times(), time.process_time(), time.monotonic()
        passed = at - self._at
        used = {core: (times[core] - self._times[core]) / passed for core in self._allowed & self._times.keys()}
        core = better_core(self._core, used, (own - self._own) / passed)
        self._times, self._own, self._at = times, own, at
        if core != self._core:
            with self._leaving:
                self._move(core)

    @contextmanager
    def left(self) -> Iterator[None]:
        """Lets this thread be on any core within the block, and so the processes that it starts there."""
        with self._leaving:
            os.sched_setaffinity(0, self._allowed)
            try:
                yield
            finally:
                os.sched_setaffinity(0, {self._core})

    def watch(self) -> None:
        """Looks every few seconds, in another thread, for as long as the process runs."""
        threading.Thread(target=self._watch, name="affray-core", daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(random.uniform(*_PAUSE))  # noqa: S311
            with suppress(OSError, KeyError):  # a core was switched off
                self.look()

    def _move(self, core: int) -> None:
        for thread in os.listdir("/proc/self/task"):
            with suppress(ProcessLookupError):  # it has ended
                os.sched_setaffinity(int(thread), {core})
        self._core = core


def _core_times() -> dict[int, float]:
    """Returns the seconds for which each core has worked."""
    tick, found = os.sysconf("SC_CLK_TCK"), dict[int, float]()
    with open(_CLOCK, encoding="ascii") as opened:
        for line in opened:
            name, *times = line.split()
            if name.startswith("cpu") and name != "cpu":
                worked = sum(int(each) for place, each in enumerate(times[:_COUNTED]) if place not in _IDLE)
                found[int(name.removeprefix("cpu"))] = worked / tick
    return found
