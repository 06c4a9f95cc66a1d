"""Converts errors of NATS to refusals. Only this module knows their codes."""

from collections.abc import Mapping
from typing import Any

from nats.errors import AuthorizationError, ConnectionClosedError, Error, MaxPayloadError, NoServersError

from ledger.errors import Busy, Full, Oversized, ReadOnly, StoreRefused, Unsure, Unusable
from ledger.stores.refusals import StoreErrors

CONFLICT = frozenset({10071, 10164})
"""The codes of a write that expected another last message: another writer was first."""
AGAIN = frozenset({10008, 10176, 10210, 10211})
"""The codes of a write that was refused for the moment: no leader, a part of the batch was lost, too many batches."""
NOT_FOUND = frozenset({10037, 10059})
"""The codes of a message and of a stream that are not there."""
_FULL = frozenset({10023, 10047, 10077, 10122})
_TOO_LARGE = frozenset({10054, 10199})


class NotSent(Exception):
    """A request that no server has received."""


class NotConnected(NotSent):
    """A request that was not sent because there is no connection to any server."""


class NoAnswer(Exception):
    """A request without an answer: it may have been executed or not."""


class Answered(Exception):
    """An error that a server answered.

    Attributes:
        code: Its code.
    """

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error.get("description", "an error without a description")))
        self.code = int(error.get("err_code", 0))


def refusal(error: BaseException, name: str) -> StoreRefused:
    """Returns the refusal for an error of the ledger called `name`."""
    match error:
        case NoAnswer():
            return Unsure(f"{name} did not answer in time: whether it was written is not known", where=name)
        case NotSent():
            return Busy(f"{name} has no server that answers now; nothing was written", where=name)
        case AuthorizationError():
            return ReadOnly(f"{name} may not be accessed", where=name)
        case ConnectionClosedError():
            return Unusable(f"{name} cannot be used: it is closed", where=name)
        case NoServersError():
            return Unusable(f"no server of {name} can be reached", where=name)
        case MaxPayloadError():
            return Oversized(f"a message is too large for {name}; nothing was written", where=name)
        case Answered() if error.code in _FULL:
            return Full(f"{name} has no room left; nothing was written", where=name)
        case Answered() if error.code in _TOO_LARGE:
            return Oversized(f"a message is too large for {name}; nothing was written", where=name)
        case Answered() if error.code in AGAIN:
            return Busy(f"{name} is busy; nothing was written: {error}", where=name)
    return Unusable(f"{name} cannot be used: {str(error) or type(error).__name__}", where=name)


class JetStreamErrors(StoreErrors):
    """Raises errors of NATS and of the network as refusals."""

    def refusal(self, error: BaseException) -> StoreRefused | None:
        """Returns the refusal for an error of NATS."""
        is_ours = isinstance(error, Error | OSError | NotSent | NoAnswer | Answered)
        return refusal(error, self._name) if is_ours else None
