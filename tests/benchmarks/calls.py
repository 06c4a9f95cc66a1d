"""Counts the Python calls of a piece of work: how many, in how many modules, and how deep.

    python tests/benchmarks/calls.py            # the figures of `bench_calls.py`
    python tests/benchmarks/calls.py --where    # also the functions that are called most often

It counts each time that Python code of the project begins to run, as `sys.setprofile` reports it: functions, methods,
properties, lambdas and comprehensions, and generators once more for each value that they are asked for. Functions of
other libraries and built-in functions are not counted. The modules are those that such code belongs to. The depth is
the greatest number of such frames at the same time; frames of other libraries between them are not counted.

The figures are exact, and the same on every machine with the same version of Python (from 3.12 on, comprehensions are
no calls). Caches are warm: the same work was done in memory before.
"""

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / inner) for inner in ("support", "", "..")]

from benchmarks.brawl import Brawl

import ledger
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore

_ROOT = f"{Path(ledger.__file__).parents[1]}/"
_INSIDE = tuple(f"{_ROOT}{package}/" for package in ("ledger", "projections", "machines", "replays"))


class Calls(NamedTuple):
    """The calls of a piece of work."""

    functions: Counter[CodeType]
    """How often each function began to run."""
    depth: int

    @property
    def count(self) -> int:
        """The number of calls."""
        return self.functions.total()

    @property
    def modules(self) -> int:
        """The number of modules in which a call starts."""
        return len({code.co_filename for code in self.functions})

    def most(self, count: int) -> list[tuple[int, str]]:
        """Returns the functions that are called most often, with the number of calls."""
        return [(times, _name(code)) for code, times in self.functions.most_common(count)]


def _name(code: CodeType) -> str:
    return f"{code.co_filename.removeprefix(_ROOT)}:{code.co_firstlineno} {code.co_qualname}"


class _Counter:
    """A profile function: counts the starts of functions, and tracks how many are active."""

    def __init__(self) -> None:
        self.functions: Counter[CodeType] = Counter()
        self.depth = self._active = 0
        self._is_inside: dict[CodeType, bool] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_inside = self._is_inside.get(code)
        if is_inside is None:
            is_inside = self._is_inside[code] = code.co_filename.startswith(_INSIDE)
        if not is_inside:
            return
        if event == "call":
            self._active += 1
            self.depth = max(self.depth, self._active)
            self.functions[code] += 1
        elif event == "return":
            self._active -= 1


def calls_of(work: Callable[[], object]) -> Calls:
    """Returns the calls of a piece of work in this thread."""
    counter, before = _Counter(), sys.getprofile()
    sys.setprofile(counter)
    try:
        work()
    finally:
        sys.setprofile(before)
    return Calls(counter.functions, counter.depth)


class Counted(NamedTuple):
    """The counted pieces of work."""

    declare: Calls
    """One declaration of an attack, performed durably."""
    amend: Calls
    """The correction of that attack, with its first answers after it, written durably."""
    preview: Calls
    """A preview of such a correction, with a whole fight after it."""
    rehearse: Calls
    """Deciding that whole fight again: `rehearse`."""
    followed: tuple[int, int]
    """The number of entries after the corrected one, in the amendment and in the preview."""


def counted(folder: Path) -> Counted:
    """Counts on street-level fights of Eclipse Phase 1e in an SQLite file; fights in memory warm the caches.

    Args:
        folder: The folder of the file.
    """
    with closing(MemoryStore()) as store:
        _measured(store)
    with closing(SqliteStore(str(folder / "brawl.db"))) as store:
        return _measured(store)


def _measured(store: Store) -> Counted:
    begun, whole = Brawl(store, "BEGUN"), Brawl(store, "WHOLE")
    declare = calls_of(begun.declare)
    begun.answer()
    followed = begun.followed
    amend = calls_of(begun.amend)
    whole.declare()
    whole.play_on()
    preview, rehearse = calls_of(whole.preview), calls_of(whole.rehearse)
    return Counted(declare, amend, preview, rehearse, (followed, whole.followed))


def main() -> None:
    """Prints the figures."""
    with TemporaryDirectory() as folder:
        found = counted(Path(folder))
    print("entries after the corrected one: {} in the amendment, {} in the preview".format(*found.followed))
    for name, calls in found._asdict().items():
        if isinstance(calls, Calls):
            print(f"{name:9} {calls.count:6,} calls  {calls.modules:3} modules  {calls.depth:2} deep")
            if "--where" in sys.argv:
                print("".join(f"    {times:5}  {where}\n" for times, where in calls.most(60)))


if __name__ == "__main__":
    main()
