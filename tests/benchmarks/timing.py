"""Medians of interleaved rounds, so that both sides of a comparison ran under the same conditions."""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

Run = Callable[[], object]


def interleaved(
    benchmark: Any, ours: Run, *, rounds: int, ready: Run | None = None, **others: Run
) -> Mapping[str, float]:
    """Runs our code and the others in alternation.

    Args:
        benchmark: The fixture of pytest-benchmark, which records our runs.
        ours: The code to measure.
        rounds: Number of rounds.
        ready: Runs before each round, unmeasured.
        others: The code to compare it with, by name.

    Returns:
        Median seconds by name; ours is ``ours``.
    """
    seconds: dict[str, list[float]] = {"ours": [], **{name: [] for name in others}}

    def timed(name: str, run: Run) -> None:
        begin = time.perf_counter()
        run()
        seconds[name].append(time.perf_counter() - begin)

    def rest() -> None:
        for name, run in others.items():
            gc.collect()
            timed(name, run)

    def before() -> None:
        if ready is not None:
            ready()
        if len(seconds["ours"]) % 2:
            rest()
        gc.collect()

    def after() -> None:
        if len(seconds["ours"]) % 2:
            rest()

    # The order alternates, because the disk is slower after a burst of commits.
    benchmark.pedantic(lambda: timed("ours", ours), setup=before, teardown=after, rounds=rounds, iterations=1)
    found = {name: median(each) for name, each in seconds.items()}
    benchmark.extra_info.update(found)
    return found
