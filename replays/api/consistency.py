"""Distinguishes an inconsistent record from a bug when reading it fails.

Rules and reports rely on what the rules guarantee: a defender was attacked, a turn belongs to a combatant. A forged
file, or one that older rules decided, may break these guarantees, and then any exception may be raised. So where an
exception is not a refusal, the record is decided again. If today's rules decide an entry differently, the record is
refused with that entry's number; otherwise the exception is a bug and is raised.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from ledger.errors import Inconsistent, Refused
from replays.sessions.log import Log

P = ParamSpec("P")
R = TypeVar("R")


class Consistency:
    """Finds the first entry of a session's log that today's rules decide differently.

    Args:
        log: The session's log.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._last = self._first = 0

    def refusal(self) -> Inconsistent | None:
        """Returns why the record cannot be read; None where today's rules decide all of it as recorded."""
        if self._last != self._log.last:
            self._last, self._first = self._log.last, _first_otherwise(self._log)
        if not self._first:
            return None
        return Inconsistent(
            f"today's rules decide entry {self._first} differently from the record, and cannot read what follows",
            where=f"entry {self._first}",
            accepts="a record of these rules: see `affray rehearse`",
        )


def _first_otherwise(log: Log) -> int:
    """Returns the first entry that today's rules decide differently; 0 where there is none or the rules fail first."""
    from replays.corrections.redecide import rehearse  # noqa: PLC0415  most records can be read

    try:
        found = next(rehearse(log), None)
    except Exception:  # today's rules agree with the record so far and fail themselves: a bug
        return 0
    return found.seq if found is not None else 0


class HasConsistency(Protocol):
    """A reader of a session's log."""

    consistency: Consistency


Reader = TypeVar("Reader", bound=HasConsistency)


def consistently(method: Callable[Concatenate[Reader, P], R]) -> Callable[Concatenate[Reader, P], R]:
    """Makes a method refuse an inconsistent record where it would fail with another exception.

    Raises:
        Inconsistent: Today's rules decide an entry differently from the record.
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
