"""Why servers cannot be connected to, in plain words."""

import errno
import os
import ssl
from collections.abc import Mapping, Sequence

import msgspec
from nats.errors import NoServersError

_MOST = 3
"""The most servers that are named one by one."""
_CLIENT_PORT = "the port for clients of a NATS server: 4222, unless its settings give another"
_RUNNING = "a NATS server that runs and can be reached from here, and its port for clients: 4222, unless it has another"


class ConnectionFailure(msgspec.Struct, frozen=True):
    """Why a server cannot be connected to."""

    order: int
    """Of several failures, the one with the lowest number decides what would be accepted."""
    words: str
    """The reason, with ``{servers}`` or ``{hosts}`` for those it holds for."""
    accepts: str


DENIED = ConnectionFailure(
    0, "the user or the password is refused by {servers}",
    "nats://user:password@host with a user of these servers, or credentials=FILE in the address",
)  # fmt: skip
HTTP = ConnectionFailure(
    1, "an HTTP server answers at {servers}", f"{_CLIENT_PORT}; the port for HTTP belongs into monitoring=http://…"
)
BAD_KEY = ConnectionFailure(
    0, "the key in the file of credentials is malformed and cannot be shown to {servers}",
    "the file of a NATS user, as nsc writes it",
)  # fmt: skip
NOT_NATS = ConnectionFailure(1, "no NATS server greets at {servers}", _CLIENT_PORT)
NO_TLS = ConnectionFailure(
    2, "TLS is demanded, and is not offered by {servers}",
    "an address with nats:// and without ca; or the section tls in the settings of the servers",
)  # fmt: skip
UNKNOWN = ConnectionFailure(
    4, "the name {hosts} cannot be resolved", "the name of a host that this machine can resolve, or its IP address"
)
REFUSED = ConnectionFailure(5, "nothing listens at {servers}", _RUNNING)
SILENT = ConnectionFailure(5, "nothing answers at {servers}", _RUNNING)

_ACCEPTS_TLS = "a certificate for this host, and ca=FILE in the address if no known authority has signed it"


class Unreached(NoServersError):
    """No server can be connected to.

    Attributes:
        failures: Why, by the address of each server for which there was time.
        reason: The reasons, as the rest of a sentence.
        accepts: What would be accepted.
        is_denied: Whether a server is there, and refused the user.
    """

    def __init__(self, servers: Sequence[str], failures: Mapping[str, ConnectionFailure]) -> None:
        super().__init__()
        named = {server: failures[server] for server in servers if server in failures}
        self.failures = {**named, **failures} or dict.fromkeys(servers, SILENT)
        self.reason = reason(self.failures)
        first = min(self.failures.values(), key=lambda each: each.order)
        self.accepts, self.is_denied = first.accepts, first is DENIED


def failure_of(error: BaseException) -> ConnectionFailure:
    """Returns the failure that an error of the network or of TLS is."""
    match error:
        case ssl.SSLCertVerificationError():
            words = f"the certificate of {{servers}} is not accepted ({_escaped(error.verify_message.rstrip('.'))})"
            return ConnectionFailure(3, words, _ACCEPTS_TLS)
        case ssl.SSLError():
            words = f"TLS cannot be begun with {{servers}} ({_escaped(error.reason or 'no reason is given')})"
            return ConnectionFailure(3, words, _ACCEPTS_TLS)
        case TimeoutError():
            return SILENT
        case UnicodeError():
            return UNKNOWN
        case OSError() if type(error).__name__ == "gaierror":  # of `socket`, which the ledger does not import
            return UNKNOWN
        case OSError() if f"[Errno {errno.ECONNREFUSED}]" in str(error):  # of several addresses it has only the text
            return REFUSED
        case OSError():
            why = os.strerror(error.errno) if error.errno else "the connection was lost"
            words = f"{{servers}} cannot be reached ({_escaped(why)})"
            return ConnectionFailure(6, words, _RUNNING)
    return NOT_NATS


def refused_by_server(text: str) -> ConnectionFailure:
    """Returns the failure for the text with which a server refuses a connection."""
    if "authorization" in text.lower():
        return DENIED
    words = f"{{servers}} refuses the connection ({_escaped(text)})"
    return ConnectionFailure(2, words, "a server that has room for a connection, and whose settings permit this one")


def reason(failures: Mapping[str, ConnectionFailure]) -> str:
    """Returns the reasons, each with the servers it holds for; of many servers only the first is named."""
    grouped: dict[ConnectionFailure, list[str]] = {}
    for server, failure in failures.items():
        grouped.setdefault(failure, []).append(server)
    several = sorted(grouped.items(), key=lambda each: each[0].order)
    return "; ".join(_with_servers(failure.words, servers) for failure, servers in several)


def _with_servers(words: str, servers: Sequence[str]) -> str:
    hosts = [server.rpartition(":")[0] for server in servers]
    return words.format(servers=_listed(servers), hosts=_listed(hosts))


def _listed(names: Sequence[str]) -> str:
    *most, last = names if len(names) <= _MOST else (names[0], f"{len(names) - 1} others")
    return f"{', '.join(most)} and {last}" if most else last


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")[:200]
