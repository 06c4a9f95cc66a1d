"""Stops a process with all that it has started, also what has left its process group. Needs ``/proc``: Linux."""

import contextlib
import ctypes
import os
import signal
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 10.0
"""Seconds in which a killed process must be gone."""


def adopt_orphans() -> None:
    """Makes this process the parent of every descendant whose own parent has ended, so that none is lost sight of."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Returns the processes that a process has started, and those that they have started, without those that ended."""
    found: list[int] = []
    for child in _children(pid):
        found += [*([child] if _is_running(child) else []), *descendants(child)]
    return found


def kill_group(pid: int) -> None:
    """Kills a process that leads a group, with its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def kill_descendants() -> None:
    """Kills all that this process and its orphans have started, until none is left.

    Raises:
        TimeoutError: Some are still there though they were killed.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        reap()
        left = descendants(os.getpid())
        if not left:
            return
        if time.monotonic() > end:
            raise TimeoutError(f"these processes cannot be killed: {left}")
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def left_behind(seconds: float) -> list[str]:
    """Returns the command lines of descendants that still run after so many seconds; those that ended are reaped."""
    end = time.monotonic() + seconds
    while True:
        reap()
        left = descendants(os.getpid())
        if not left or time.monotonic() > end:
            return [_command(pid) for pid in left]
        time.sleep(0.05)


def reap() -> None:
    """Lets ended children go."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, listed.read_text().split())
    return found


def _is_running(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _command(pid: int) -> str:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()[:120]
    return str(pid)
