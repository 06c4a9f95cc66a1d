"""What a part of the long tier is: its description, the task it is given, and how it reports.

Nothing here imports the product, so that the parts can be listed without it.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPORTING_SECONDS = 10.0
"""Between two lines of progress in a part's log."""


class Failed(Exception):
    """Reports a fault that a part has found; its message is what people read first."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """A command-line option that only one part understands.

    Attributes:
        name: With its dashes, such as ``--mutants``.
        kind: Converts the text, such as `int`.
        help: One line for ``--help``.
        repeated: Whether it may be given several times; its value is then a list.
    """

    name: str
    kind: Callable[[str], Any]
    help: str
    repeated: bool = False

    @property
    def field(self) -> str:
        """The name under which `Task.options` has its value."""
        return self.name.lstrip("-").replace("-", "_")


@dataclass(frozen=True, kw_only=True)
class Part:
    """Describes one part; each file in ``parts/`` assigns one to ``PART`` and defines ``run(task)``.

    Attributes:
        title: What it does, in a few words.
        minutes: Its length unless ``--minutes`` is given.
        grace: Minutes beyond its length after which it is stopped and counts as failed: for setting up, for the last
            checks, and for shrinking what was found.
        why: The argument for that length.
        options: Those that only this part understands.
    """

    title: str
    minutes: float
    grace: float
    why: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a part is asked to do this time.

    Attributes:
        minutes: How long to go on.
        seed: Of everything that is left to chance.
        folder: Empty, for files that are thrown away afterwards.
        kept: For files that help to understand a fault; it stays.
        options: By `Option.field`; None where an option was not given.
        began: When, on the monotonic clock.
    """

    minutes: float
    seed: int
    folder: Path
    kept: Path
    options: Mapping[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def random(self, *purpose: object) -> random.Random:
        """Returns a generator that depends on the seed and the purpose alone."""
        return random.Random(f"{self.seed} {' '.join(map(str, purpose))}")

    @property
    def seconds_left(self) -> float:
        """Seconds until the part should come to its end; never below 0."""
        return max(0.0, self.began + 60.0 * self.minutes - time.monotonic())

    def rounds(self, *, most: int | None = None, share: float = 1.0) -> Iterator[int]:
        """Yields 0, 1, 2 … until the time is up, and at least once.

        Args:
            most: The number of rounds after which it ends in any case.
            share: Of the time that is left at the first round, so much is used.
        """
        end = time.monotonic() + share * self.seconds_left
        told, number = time.monotonic(), 0
        while number == 0 or (time.monotonic() < end and (most is None or number < most)):
            if time.monotonic() - told >= REPORTING_SECONDS:
                told = time.monotonic()
                self.say(f"round {number}, {self.seconds_left:.0f} s left")
            yield number
            number += 1

    def say(self, text: str) -> None:
        """Writes a line of progress into the part's log."""
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)


def ceiling(trials: int) -> str:
    """Returns what so many trials without a fault show, by the rule of three.

    Where n independent trials find nothing, the chance of a fault in one trial is below 3/n with 95 % confidence.
    """
    return f"a fault in fewer than 1 of {max(1, trials // 3):,} (95 %)"
