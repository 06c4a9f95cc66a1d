"""Rounds of operations: some to fill every cache, then those that are measured."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Protocol

from long.heap import tracing
from long.heap.growth import Growth, Measured, more
from long.heap.server_use import ServerUse
from long.heap.session_use import SessionUse
from long.part import Task

_EACH = 40
"""Operations of each kind in a round."""
_WARM_SHARE = 0.25
"""Of the time goes into filling caches."""


class Use(Protocol):
    """Operations of several kinds on something that lives long."""

    @property
    def kinds(self) -> Mapping[str, Callable[[], object]]:
        """The operations by name."""

    def measured(self, operations: int) -> Measured:
        """Returns the memory of the process that lives long."""

    def census(self, snapshot: Path) -> Mapping[str, int]:
        """Returns how many objects it has of each type; where it is traced, writes a snapshot."""

    def check(self) -> None:
        """Sees that its state is as it was."""

    def close(self) -> None:
        """Lets go of it."""


def of_sessions(task: Task, share: float) -> Growth:
    """Measures this process while it uses sessions, for a share of the time that is left."""
    tracing.start(task.options.get("trace"))
    with closing(SessionUse(task.folder, task.random("sessions"))) as use:
        return _measured(task, "a session", use, share)


def of_a_server(task: Task, share: float) -> Growth:
    """Measures a server while it is used, for a share of the time that is left."""
    folder = task.folder / "server"
    folder.mkdir()
    with closing(ServerUse(folder, task.random("server"), task.options.get("trace"))) as use:
        return _measured(task, "a server", use, share)


def _measured(task: Task, name: str, use: Use, share: float) -> Growth:
    chance, growth, operations = task.random(name), Growth(name), 0
    for _ in task.rounds(share=share * _WARM_SHARE):
        operations += _round(use, chance)
    before, after = task.folder / "before.snapshot", task.folder / "after.snapshot"
    old = use.census(before)
    growth.measured.append(use.measured(operations))
    for _ in task.rounds(share=share * (1 - _WARM_SHARE) / (1 - share * _WARM_SHARE)):
        operations += _round(use, chance)
        growth.measured.append(use.measured(operations))
    task.say(str(growth))
    use.check()
    growth.check(f"{more(old, use.census(after))}\n{tracing.grown(before, after)}")
    return growth


def _round(use: Use, chance: Random) -> int:
    """Does each kind of operation some times, in any order; returns how many that were."""
    todo = [*use.kinds.values()] * _EACH
    chance.shuffle(todo)
    for operation in todo:
        operation()
    return len(todo)
