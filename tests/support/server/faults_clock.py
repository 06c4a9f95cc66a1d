"""Runs the command line with a clock that can be set: the file ``clock`` beside the ledger has the offset in seconds.

Run as a program, in place of ``python -m replays.cli``: the time that Python code reads is another one; what sleeps and
waits goes by the machine's own monotonic clock, as it does when a clock is really set.
"""

import datetime
import os
import time
from pathlib import Path

_CLOCK = Path("clock")
_REAL, _REAL_NS = time.time, time.time_ns


def shift() -> float:
    """Offset of the clock in seconds."""
    try:
        return float(_CLOCK.read_text() or 0)
    except FileNotFoundError:
        return 0.0


class _Shifted(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
        return datetime.datetime.fromtimestamp(time.time(), tz)


def set_clock(folder: Path, seconds: float) -> None:
    """Sets the clock of the servers in a folder."""
    (folder / "next").write_text(str(seconds))
    os.replace(folder / "next", folder / "clock")


if __name__ == "__main__":
    time.time = lambda: _REAL() + shift()
    time.time_ns = lambda: _REAL_NS() + int(shift() * 1e9)
    from replays.cli import main
    from replays.sessions import ports

    ports.datetime = _Shifted  # type: ignore[misc]
    main()
