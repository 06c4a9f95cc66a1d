"""Tries mutants against the near tests, in copies of the project, for a mutant is a changed file."""

import compileall
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome
from long.mutation.modules import Module
from long.mutation.mutants import Mutant, mutants_of
from long.mutation.operators import register
from long.part import Failed, Task

_SLOWER, _AT_LEAST = 10, 20.0
"""A mutant's tests may take so many times as long as the unchanged module's, and so many seconds at least."""
_AT_ONCE = 2
"""The default number of mutants tried in parallel, which leaves room for other work on the machine."""
_PYTEST = "-m pytest -x -q -p no:cacheprovider --no-header --disable-warnings"
_KEPT = ("ledger", "machines", "projections", "replays", "tests", "pyproject.toml", "README.md")


@dataclass(frozen=True)
class Tried:
    """How a mutant fared.

    Attributes:
        mutant: The one.
        is_caught: Whether a test failed.
        is_late: Whether that was because the tests took too long.
        seconds: Of one processor.
    """

    mutant: Mutant
    is_caught: bool
    is_late: bool
    seconds: float


def copied(root: Path, folder: Path, count: int) -> list[Path]:
    """Returns so many copies of the project, compiled, without what was built."""
    made = [folder / f"copy-{number}" for number in range(count)]
    for copy in made:
        copy.mkdir()
        for name in _KEPT:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(root / name, copy / name)
        compileall.compile_dir(copy, quiet=2, workers=1)
    return made


class Bench:
    """Copies of the project in which mutants are tried.

    Args:
        task: The part's.
        root: The project's.
    """

    def __init__(self, task: Task, root: Path) -> None:
        self._task = task
        self._copies = copied(root, task.folder, task.options.get("processes") or min(_AT_ONCE, os.cpu_count() or 1))
        self._seconds: dict[str, float] = {}

    def check(self, module: Module) -> float:
        """Sees that the near tests pass, and that they fail where the module cannot be loaded; returns their seconds.

        Raises:
            Failed: They do not: then they would catch every mutant, or none.
        """
        path = self._copies[0] / module.path
        began = time.monotonic()
        done = self._tests(module)
        self._seconds[module.path] = time.monotonic() - began
        if done.returncode:
            raise Failed(f"the near tests of {module.path} fail though nothing is changed:\n{done.stdout[-3000:]}")
        whole = path.read_text()
        try:
            path.write_text("raise ImportError('on purpose')\n")
            if not self._tests(module).returncode:
                raise Failed(f"the near tests of {module.path} pass though it cannot be imported: they do not use it")
        finally:
            path.write_text(whole)
        return self._seconds[module.path]

    def _tests(self, module: Module) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            shlex.split(_command(module)), cwd=self._copies[0], env=_environment(self._copies[0]),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def mutants(self, modules: Sequence[Module]) -> dict[str, list[Mutant]]:
        """Returns all mutants of each module, by its path."""
        paths = [module.path for module in modules]
        with self._pool() as pool:
            return dict(zip(paths, pool.map(mutants_of, [self._copies[0]] * len(paths), paths), strict=True))

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(len(self._copies), mp_context=get_context("spawn"))

    def tried(self, mutants: Sequence[Mutant], modules: Sequence[Module]) -> Iterator[Tried]:
        """Tries mutants in their order until the time is up, and yields how each fared."""
        by_path, coming = {module.path: module for module in modules}, iter(mutants)
        free, running = list(self._copies), dict[Future[Tried], Path]()
        with self._pool() as pool:
            while True:
                while free and self._task.seconds_left and (mutant := next(coming, None)) is not None:
                    copy, module = free.pop(), by_path[mutant.change.module]
                    limit = max(_AT_LEAST, _SLOWER * self._seconds[module.path])
                    running[pool.submit(try_one, mutant, module, copy, limit)] = copy
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    free.append(running.pop(future))
                    yield future.result()


def try_one(mutant: Mutant, module: Module, copy: Path, limit: float) -> Tried:
    """Changes the module in a copy of the project, runs its near tests, and changes it back.

    Args:
        mutant: What is changed.
        module: Where.
        copy: The copy's root.
        limit: Seconds after which the tests are stopped, and the mutant counts as caught.
    """
    register()
    os.chdir(copy)
    os.environ |= _environment(copy)
    begin, end = mutant.span
    spec = MutationSpec(Path(module.path), mutant.operator, mutant.occurrence, begin, end)
    before = _seconds_of_children()
    result = mutate_and_test([spec], _command(module), limit)
    if result.worker_outcome is not WorkerOutcome.NORMAL or result.test_outcome is TestOutcome.INCOMPETENT:
        raise Failed(f"{mutant.change} cannot be tried: {result.output}")
    is_caught, is_late = result.test_outcome is TestOutcome.KILLED, result.output == "timeout"
    return Tried(mutant, is_caught, is_late, _seconds_of_children() - before)


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _command(module: Module) -> str:
    return f"{shlex.quote(sys.executable)} {_PYTEST} {shlex.join(module.tests)}"


def _environment(copy: Path) -> dict[str, str]:
    # Plugins of other packages take a second and a half to load; the near tests need none.
    path = os.pathsep.join([str(copy), str(copy / "tests"), str(copy / "tests" / "support")])
    return {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_PROFILE": "ci"}
