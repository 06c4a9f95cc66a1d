"""Telling a record that no rules have made from a mistake of ours.

Rules and reports rely on what the rules guarantee: whoever defends was attacked, a turn is somebody's. A forged file,
or one that older rules decided, need not keep that, and then anything may be raised on the way. So where something is
raised that is no refusal, the record is decided again: if today's rules decide an entry otherwise, that is the reason,
and it is refused with the entry's number; if they decide all of it as it is recorded, the mistake is ours.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from ledger.errors import Inconsistent, Refused
from replays.corrections.redecide import rehearse
from replays.sessions.log import Log

P = ParamSpec("P")
R = TypeVar("R")


class Consistency:
    """What is known of one session's log: the first entry that today's rules decide otherwise.

    Args:
        log: The session's.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._last = self._first = 0

    def refusal(self) -> Inconsistent | None:
        """Why the record cannot be read; None where today's rules decide all of it as it is recorded."""
        if self._last != self._log.last:
            self._last, self._first = self._log.last, _first_otherwise(self._log)
        if not self._first:
            return None
        return Inconsistent(
            f"today's rules decide entry {self._first} otherwise than it is recorded, and cannot read what follows",
            where=f"entry {self._first}",
            accepts="a record of these rules: see `affray rehearse`",
        )


def _first_otherwise(log: Log) -> int:
    """The first entry that today's rules decide otherwise; 0 where there is none before they fail themselves."""
    try:
        found = next(rehearse(log), None)
    except Exception:  # today's rules decide all before it as it is recorded, and fail themselves: a mistake of ours
        return 0
    return found.seq if found is not None else 0


class HasConsistency(Protocol):
    """Whatever reads a session's log."""

    consistency: Consistency


Reader = TypeVar("Reader", bound=HasConsistency)


def consistently(method: Callable[Concatenate[Reader, P], R]) -> Callable[Concatenate[Reader, P], R]:
    """Refuses, where a method fails on a record that no rules have made, with the entry that is the reason.

    Raises:
        Inconsistent: Today's rules decide an entry otherwise than it is recorded.
    """

    @wraps(method)
    def answered(self: Reader, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except Refused:
            raise
        except Exception as error:
            refusal = self.consistency.refusal()
            if refusal is None:
                raise
            raise refusal from error

    return answered
