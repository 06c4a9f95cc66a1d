"""Plays chunks of random fights on all processors until the time is up, or one of them breaks a law."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from long.part import Failed, Task
from long.random_fights.chunks import Chunk


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of chunks.

    Attributes:
        part: That plays them.
        run: Plays the chunk of a number, of a seed, and keeps what helps to understand a fault in a folder.
        size: Fights in a chunk.
        laws: To which each is held.
        generator_of: Names what makes the fights of a chunk.
    """

    part: str
    run: Callable[[int, int, Path], Chunk]
    size: int
    laws: int
    generator_of: Callable[[int], str]


@dataclass
class Played:
    """What came of all chunks together."""

    fights: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    generators: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        """Adds a chunk."""
        self.fights += chunk.fights
        self.kinds += chunk.kinds
        self.entries += chunk.entries
        self.events += chunk.events
        self.generators.add(chunk.generator)
        if chunk.failure:
            self.failures.append(chunk.failure)


def play_chunks(task: Task, kind: Kind, *, wanted: int | None, only: Sequence[int] | None) -> Played:
    """Plays chunks of the task's seed.

    Args:
        task: Its time, its seed.
        kind: Of the chunks.
        wanted: Fights after which it ends, rounded up to chunks; None for as many as there is time for.
        only: Numbers of the chunks to play, whatever the time; None for all from 0 on.

    Raises:
        Failed: A chunk has hung, or ended its process.
    """
    chunks = -(-wanted // kind.size) if wanted is not None else None
    numbers = iter(only) if only else count() if chunks is None else iter(range(chunks))
    played, processors = Played(), os.cpu_count() or 1
    with ProcessPoolExecutor(processors, mp_context=get_context("spawn")) as pool:
        running: dict[Future[Chunk], int] = {}
        while True:
            for number in _next(task, numbers, processors - len(running), go_on=bool(only) or not played.failures):
                running[pool.submit(kind.run, number, task.seed, task.kept)] = number
            if not running:
                return played
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(future)
                played.add(_result(future, number, task.seed, kind))
                task.say(f"chunk {number}: {sum(played.fights.values())} fights, {played.entries} entries")


def _next(task: Task, numbers: Iterator[int], free: int, *, go_on: bool) -> Iterator[int]:
    """Yields the chunks to begin now."""
    for _ in range(free):
        number = next(numbers, None) if go_on and task.seconds_left else None
        if number is not None:
            yield number


def _result(future: "Future[Chunk]", number: int, of: int, kind: Kind) -> Chunk:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise Failed(
            f"chunk {number} or one beside it ({kind.generator_of(number)}) hangs or ends its process: see the log\n"
            f"again: .ci/long {kind.part} --seed {of} --chunk {number}"
        ) from error
