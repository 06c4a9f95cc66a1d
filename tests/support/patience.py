"""Waiting in tests: for what must come, however slow the machine is; never a measure of how fast it comes."""

from collections.abc import Callable
from threading import Thread
from typing import Any

AN_HOUR = 3600.0
"""Seconds of patience that something is given which must not use it up."""
BOUND = 60.0
"""Seconds after which what has not come is taken to come never."""


def comes_back(call: Callable[[], Any]) -> Any:
    """Returns what a call returns, or raises what it raises, provided that it ends by itself.

    Args:
        call: What must not wait for ever. It is given up, not ended, where it does.
    """
    done: list[Callable[[], Any]] = []

    def run() -> None:
        try:
            result = call()
        except BaseException as error:
            done.append(lambda failure=error: _fail(failure))
        else:
            done.append(lambda: result)

    running = Thread(target=run, daemon=True)
    running.start()
    running.join(BOUND)
    assert done, f"it does not come back, in {BOUND:g} s"
    return done[0]()


def _fail(failure: BaseException) -> Any:
    raise failure
