"""Runs code as a user who is subject to file permissions; root is not."""

import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ledger.errors import Refused

NOBODY = 65534


class Refusal(Exception):
    """A refusal in the process of the other user."""

    def __init__(self, slug: str, message: str) -> None:
        super().__init__(f"{slug}: {message}")
        self.slug = slug


class Other:
    """A process of another user that executes orders one by one, and answers each.

    It is forked; the modules that it needs must be imported before, because it may lack the permission to read them.
    """

    def __init__(self, reads: int, writes: int) -> None:
        self._answers, self._orders = os.fdopen(reads, "rb"), os.fdopen(writes, "wb")

    def ask(self, order: str) -> Any:
        """Sends an order, and returns the answer."""
        self._orders.write(order.encode() + b"\n")
        self._orders.flush()
        return self.hear()

    def hear(self) -> Any:
        """Returns its next answer."""
        kind, *answer = pickle.load(self._answers)
        if kind == "refused":
            raise Refusal(*answer)
        assert kind == "done", answer[0]
        return answer[0]

    def close(self) -> None:
        self._orders.close()
        self._answers.close()


@contextmanager
def other_user(work: Callable[[Callable[[], str]], Iterator[Any]], seconds: int = 60) -> Iterator[Other]:
    """Runs a generator as another user; each yielded value is an answer.

    Args:
        work: The generator function; its argument is a function that waits for the next order.
        seconds: The time after which the process is killed.
    """
    (their_read, our_write), (our_read, their_write) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(our_read)
        os.close(our_write)
        _be(their_read, their_write, work, seconds)
    os.close(their_read)
    os.close(their_write)
    other = Other(our_read, our_write)
    try:
        yield other
    finally:
        other.close()
        os.waitpid(child, 0)


def as_other_user(work: Callable[[], Any]) -> Any:
    """Returns the result of a call that is made as another user."""

    def once(_: Callable[[], str]) -> Iterator[Any]:
        yield work()

    with other_user(once) as other:
        return other.hear()


def _be(reads: int, writes: int, work: Callable[[Callable[[], str]], Iterator[Any]], seconds: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)
    orders, answers = os.fdopen(reads, "r"), os.fdopen(writes, "wb")

    def say(*answer: object) -> None:
        pickle.dump(answer, answers)
        answers.flush()

    try:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        for answer in work(lambda: orders.readline().strip()):
            say("done", answer)
    except Refused as refusal:
        say("refused", refusal.slug, refusal.message)
    except BaseException:
        say("failed", traceback.format_exc())
    finally:
        os._exit(0)
