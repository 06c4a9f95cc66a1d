"""Parses the address of a ledger in JetStream, and formats it without its password."""

from collections.abc import Mapping
from pathlib import Path
from re import fullmatch
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import msgspec

from ledger.errors import UnknownStore

SHARDS = 64
"""The number of shards of a new ledger, unless its address gives another."""
REPLICAS = 3
"""The number of servers that store each entry, unless the address gives another."""

_PORT = "4222"
_LEDGER = "affray"
_EXAMPLE = "nats://host1,host2,host3/affray?monitoring=http://host1:8222,http://host2:8222,http://host3:8222"
_NUMBERS = {"shards": range(1, 1025), "replicas": range(1, 6)}
_OPTIONS = ("ca", "credentials", "fsync", "monitoring", *_NUMBERS)
_FSYNC = "trusted"


class NatsAddress(msgspec.Struct, frozen=True):
    """The address of a ledger."""

    servers: tuple[str, ...]
    """The address of each server, ``host:port``, without user and password."""
    ledger: str
    """The name of the ledger, with which the names of its streams and subjects begin."""
    user: str | None
    password: str | None
    is_encrypted: bool
    """Whether TLS is demanded: the scheme is ``tls``, or `ca` is set."""
    ca: Path | None
    """The certificate of the authority that signed the servers' certificates; None for those of the system."""
    credentials: Path | None
    """The file with a NATS user's JWT and key."""
    monitoring: tuple[str, ...]
    """Where the servers report their settings: ``http://host:8222`` of each, or ``nats://user:password@host`` of the
    system account."""
    is_trusted: bool
    """Whether the servers are trusted to write each entry to disk before they acknowledge it (``fsync=trusted``)."""
    shards: int | None
    """The number of shards that the ledger has, or will have; None if the address does not give it."""
    replicas: int
    """The least number of servers that store each entry."""

    @property
    def name(self) -> str:
        """The address without password and options, for messages."""
        return f"nats://{','.join(self.servers)}/{self.ledger}"

    @property
    def places(self) -> frozenset[str]:
        """The ledger on each of its servers, to be compared with those of another address; a user may have others."""
        account = self.user or self.credentials or ""
        return frozenset(f"{account}@{server}/{self.ledger}" for server in self.servers)


def parse(url: str) -> NatsAddress:
    """Parses an address.

    Args:
        url: ``nats://user:password@host1:4222,host2,host3/ledger?option=value``. All but the hosts is optional. The
            options are `ca`, `credentials`, `fsync`, `monitoring`, `replicas` and `shards`.

    Raises:
        UnknownStore: The address is malformed. The message repeats no part of it that could be part of the password.
    """
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise _malformed("this is not the address of NATS servers") from None
    unknown = sorted(options.keys() - set(_OPTIONS))
    if unknown:
        raise UnknownStore(
            f"an address of NATS servers has no option {unknown[0]!r:.40}", where="ledger", accepts=", ".join(_OPTIONS)
        )
    user, password = _user(parts)
    ca = Path(options["ca"]) if "ca" in options else None
    return NatsAddress(
        servers=_servers(parts),
        ledger=_ledger(parts),
        user=user,
        password=password,
        is_encrypted=parts.scheme == "tls" or ca is not None,
        ca=ca,
        credentials=Path(options["credentials"]) if "credentials" in options else None,
        monitoring=tuple(each for each in options.get("monitoring", "").split(",") if each),
        is_trusted=_is_trusted(options),
        shards=_number(options, "shards"),
        replicas=_number(options, "replicas") or REPLICAS,
    )


def _user(parts: SplitResult) -> tuple[str | None, str | None]:
    before, at, _ = parts.netloc.rpartition("@")
    if not at:
        return None, None
    user, colon, password = before.partition(":")
    if "@" in password or "@" in user or ":" in password:
        raise _malformed("a special character in the password is not percent-encoded (@ as %40, : as %3A)")
    return unquote(user), unquote(password) if colon else None


def _servers(parts: SplitResult) -> tuple[str, ...]:
    hosts = parts.netloc.rpartition("@")[2].split(",")
    found = tuple(host if fullmatch(r".*:\d+", host) else f"{host}:{_PORT}" for host in hosts)
    is_host = all(fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}", server) for server in found)
    if not is_host or any(int(server.rpartition(":")[2]) not in range(1, 65_536) for server in found):
        raise _malformed("this is not the address of NATS servers")
    return found


def _ledger(parts: SplitResult) -> str:
    name = parts.path.strip("/") or _LEDGER
    if not fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise _malformed("the name of a ledger in JetStream is made of letters, digits, - and _")
    return name


def _is_trusted(options: Mapping[str, str]) -> bool:
    if options.get("fsync", _FSYNC) != _FSYNC:
        raise _malformed(f"fsync can only be {_FSYNC!r}: otherwise the servers' settings are read")
    return "fsync" in options


def _number(options: Mapping[str, str], name: str) -> int | None:
    given = options.get(name)
    if given is None:
        return None
    if not (given.isdecimal() and int(given) in _NUMBERS[name]):
        most = _NUMBERS[name].stop - 1
        raise _malformed(f"{name} is a number from 1 to {most}")
    return int(given)


def _malformed(reason: str) -> UnknownStore:
    return UnknownStore(reason, where="ledger", accepts=_EXAMPLE)
