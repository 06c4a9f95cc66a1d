"""Time limits of tests: they detect what never happens, and measure no speed."""

from collections.abc import Callable
from threading import Thread
from typing import Any

AN_HOUR = 3600.0
"""A patience in seconds that the tested code must not use up."""
BOUND = 60.0
"""Seconds after which a result is considered never to come."""


def comes_back(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, or raises its exception; fails if the call does not end.

    Args:
        call: The call. If it does not end, its thread is abandoned.
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
    assert done, f"the call did not end within {BOUND:g} s"
    return done[0]()


def _fail(failure: BaseException) -> Any:
    raise failure
