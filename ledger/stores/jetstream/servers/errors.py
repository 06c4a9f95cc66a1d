"""Converts errors of NATS to refusals. Only this module knows their codes."""

from collections.abc import Mapping
from typing import Any

from nats.errors import AuthorizationError, ConnectionClosedError, Error, MaxPayloadError

from ledger.errors import Busy, Full, Oversized, ReadOnly, StoreRefused, Unsure, Unusable
from ledger.stores.jetstream.servers.failures import Unreached
from ledger.stores.refusals import StoreErrors

CONFLICT = frozenset({10071, 10164})
"""The codes of a write that expected another last message: another writer was first."""
NO_LEADER = 10008
"""The code of a server that knows no leader."""
AGAIN = frozenset({NO_LEADER, 10176, 10210, 10211})
"""The codes of a write that was refused for the moment: no leader, a part of the batch was lost, too many batches."""
NOT_FOUND = frozenset({10037, 10059})
"""The codes of a message and of a stream that are not there."""
NO_PLACE = frozenset({10005, 10074})
"""The codes of a stream for which there are too few servers: in a cluster, and of a server alone."""
ALONE = 10074
"""The code that a server alone answers."""
OVERLAP = 10065
"""The code of a stream whose subjects another stream has."""
TOO_MANY = 10027
"""The code of a stream that is one more than the account may have."""
_NO_JETSTREAM = frozenset({10039, 10076})
"""The codes of an account and of a server without JetStream."""
_FULL = frozenset({10023, 10047, 10077, 10122})
_TOO_LARGE = frozenset({10054, 10199})


class NotSent(Exception):
    """A request that no server has received."""


class NotConnected(NotSent):
    """A request that was not sent because there is no connection to any server."""


class NotWritten(NotSent):
    """A write that no server has received, so that nothing was written."""


class NoAnswer(Exception):
    """A request without an answer: it may have been executed or not."""


class Denied(NoAnswer):
    """A request that has no answer because the user may not publish to its subject.

    Attributes:
        subject: The subject.
    """

    def __init__(self, subject: str) -> None:
        super().__init__(f"the user may not publish to {subject}")
        self.subject = subject


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
        case Denied():
            return ReadOnly(
                f"the user of {name} may not publish to {error.subject}",
                where="ledger", accepts="a user with permission for $JS.API.>, the subjects of the ledger and _INBOX.>",
            )  # fmt: skip
        case NoAnswer():
            return Unsure(f"{name} did not answer in time: whether it was written is not known", where=name)
        case NotWritten():
            return Busy(f"{name} has too few servers that answer now; nothing was written", where=name)
        case NotSent():
            return Busy(f"{name} has too few servers that answer now", where=name)
        case Unreached():
            kind = ReadOnly if error.is_denied else Unusable
            return kind(f"no server of {name} can be reached: {error.reason}", where="ledger", accepts=error.accepts)
        case AuthorizationError():
            return ReadOnly(f"{name} may not be accessed", where=name)
        case ConnectionClosedError():
            return Unusable(f"{name} cannot be used: it is closed", where=name)
        case MaxPayloadError():
            return Oversized(f"a message is too large for {name}; nothing was written", where=name)
        case Answered():
            return _refusal_of_server(error, name)
    return Unusable(f"{name} cannot be used: {str(error) or type(error).__name__}", where=name)


def _refusal_of_server(error: Answered, name: str) -> StoreRefused:
    """Returns the refusal for an error that a server answered."""
    if error.code in _FULL:
        return Full(f"{name} has no room left; nothing was written", where=name)
    if error.code in _TOO_LARGE:
        return Oversized(f"a message is too large for {name}; nothing was written", where=name)
    if error.code in AGAIN:
        return Busy(f"{name} is busy; nothing was written", where=name)
    if error.code in _NO_JETSTREAM:
        return Unusable(
            f"the account that {name} is opened with has no JetStream",
            where="ledger", accepts="jetstream: enabled in the settings of the account; or a user of another one",
        )  # fmt: skip
    return Unusable(f"{name} cannot be used: {error}", where=name)


class JetStreamErrors(StoreErrors):
    """Raises errors of NATS and of the network as refusals."""

    def refusal(self, error: BaseException) -> StoreRefused | None:
        """Returns the refusal for an error of NATS."""
        is_ours = isinstance(error, Error | OSError | NotSent | NoAnswer | Answered)
        return refusal(error, self._name) if is_ours else None
