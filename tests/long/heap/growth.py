"""Whether a heap grows: memory after each round of operations, and the slope through all of them.

What is counted costs nothing while it runs: the blocks that Python has allocated for small objects, the bytes in use that
were allocated elsewhere (by C libraries, or for objects of more than 512 bytes), and the resident memory.
"""

import ctypes
import gc
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

from long.part import Failed

PER = 1000
"""Operations to which growth is related."""
BOUNDS: Mapping[str, float] = {"blocks": 100, "bytes": 32_768, "resident": 262_144}
"""Growth in `PER` operations above which it counts as a leak.

One small object in ten operations; 32 bytes of other memory for each operation, which is one large object in sixteen; of
resident memory more, for it is handed out in whole pages and is seldom given back.
"""
_ROUNDS = 6
"""The minimum number of measured rounds for a verdict."""
_TYPES = 12


class _MallInfo(ctypes.Structure):
    """The statistics of glibc about its heaps; see mallinfo(3)."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
    )]  # fmt: skip


_mallinfo = ctypes.CDLL(None).mallinfo2
_mallinfo.restype = _MallInfo


@dataclass(frozen=True)
class Measured:
    """The memory of a process after garbage was collected.

    Attributes:
        operations: How many had been done.
        blocks: Small objects of Python, in blocks.
        bytes: In use elsewhere.
        resident: Bytes of the whole process.
    """

    operations: int
    blocks: int
    bytes: int
    resident: int


@dataclass
class Growth:
    """The measurements of one process.

    Attributes:
        name: Of what was measured.
        measured: In their order.
    """

    name: str
    measured: list[Measured] = field(default_factory=list)

    def slope(self, what: str) -> float:
        """Returns the growth of a figure in `PER` operations.

        It is the lesser of two robust estimates, both of which a leak raises: the median slope of all pairs of rounds
        (Theil and Sen) is not deceived by a cache that is emptied when it is full, and the median slope from one round
        to the next is not deceived by a single step.
        """
        points = [(each.operations, getattr(each, what)) for each in self.measured]
        pairs = [_slope(earlier, later) for nth, earlier in enumerate(points) for later in points[nth + 1 :]]
        steps = [_slope(earlier, later) for earlier, later in pairwise(points)]
        return PER * min(median(pairs), median(steps))

    def check(self, grown: str) -> None:
        """Refuses a heap that grows.

        Args:
            grown: What there is more of, for the message.

        Raises:
            Failed: It does, or too few rounds were measured for a verdict.
        """
        if len(self.measured) < _ROUNDS:
            raise Failed(f"{self.name}: only {len(self.measured)} rounds were measured; {_ROUNDS} are needed")
        if any(self.slope(what) > bound for what, bound in BOUNDS.items()):
            rows = "\n".join(f"  {each}" for each in self.measured)
            raise Failed(f"it grows: {self}\n{rows}\nmore than before there are:\n{grown}\n--trace 8 tells the lines")

    def __str__(self) -> str:
        operations = self.measured[-1].operations - self.measured[0].operations
        slopes = ", ".join(f"{what} {self.slope(what):+,.0f} (bound {bound:,.0f})" for what, bound in BOUNDS.items())
        return f"{self.name}: {operations:,} operations in {len(self.measured) - 1} rounds, for each 1,000 {slopes}"


def _slope(earlier: tuple[int, int], later: tuple[int, int]) -> float:
    return (later[1] - earlier[1]) / (later[0] - earlier[0])


def measure(operations: int = 0) -> Measured:
    """Returns the memory of this process."""
    for _ in range(3):  # finalizers let go of more
        gc.collect()
    told = _mallinfo()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Measured(operations, sys.getallocatedblocks(), told.uordblks + told.hblkhd, pages * 4096)


def census() -> Counter[str]:
    """Counts the objects that the garbage collector knows, by their type."""
    return Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())


def more(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Returns the types of which there are more, as lines, the most numerous first."""
    grown = Counter(after)
    grown.subtract(before)
    return "\n".join(f"  {count:+,} {name}" for name, count in grown.most_common(_TYPES) if count > 0)
