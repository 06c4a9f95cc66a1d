"""The command line `affray`."""

import atexit
import gc
import os
import sys
import threading
from typing import NoReturn

from replays import __version__

__all__ = ("main",)


def main() -> None:
    """Runs the command line and exits with its code."""
    _open_streams()
    if sys.argv[1:] == ["--version"]:  # answered before other modules are loaded
        print(f"affray {__version__}")
        return
    gc.disable()  # until all modules are loaded, which leaves no garbage: see `app`
    try:
        from replays.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    _end(code)


def _end(code: int) -> NoReturn:
    """Ends the process without freeing its modules one by one, which takes twice as long as Python needs to start.

    A thread that still runs is waited for as usual, and what could not be written is reported as usual.
    """
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)
    os._exit(code)


def _open_streams() -> None:
    """Opens closed standard streams as empty ones; otherwise the ledger's file could get their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115  open until the program ends
