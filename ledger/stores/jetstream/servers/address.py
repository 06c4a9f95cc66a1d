"""Parses the address of a ledger in JetStream, and formats it without its password."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from re import fullmatch
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

import msgspec

from ledger.errors import UnknownStore

SHARDS = 64
"""The number of shards of a new ledger, unless its address gives another."""
MOST_SHARDS = 1024
"""The largest number of shards."""
REPLICAS = 3
"""The number of servers that store each entry, unless the address gives another."""

LOSABLE = "replicas=1 in the address for a ledger that may be lost"
"""What accepts a single copy."""
MONITORING = "monitoring=http://host:8222 of each server, or nats://user:password@host of the system account"
"""What accepts the settings of the servers."""
OF_NATS = ("nats://", "tls://")
"""How an address of the system account begins."""
OF_HTTP = ("http://", "https://")
"""How an address begins where a server reports its settings by HTTP."""

_PORT = "4222"
_LEDGER = "affray"
_EXAMPLE = "nats://host1,host2,host3/affray?monitoring=http://host1:8222,http://host2:8222,http://host3:8222"
_SHARDS = range(1, MOST_SHARDS + 1)
_COPIES = (1, 3, 5)
_NO_MAJORITY = {
    "2": "replicas=2 stores no entry while one of two servers is missing: the other one is no majority",
    "4": "replicas=4 is no safer than 3: two of four servers are no majority",
}
"""Why an even number of copies is refused."""
_OPTIONS = ("ca", "credentials", "fsync", "lost", "monitoring", "replicas", "shards")
_FILES = ("ca", "credentials")
_FSYNC = "trusted"
_LOST = "accepted"
_HIDDEN = "…"
"""Stands for a password."""


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
    is_loss_accepted: bool
    """Whether `migrate` makes streams anew that are lost with all that they had (``lost=accepted``)."""
    shards: int | None
    """The number of shards that the ledger has, or will have; None if the address does not give it."""
    replicas: int
    """The least number of servers that store each entry: 1, 3 or 5. JetStream stores at most 5 copies."""
    shown: str
    """The address as it was given, with its options, but without its passwords: for commands in messages."""

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
            options are `ca`, `credentials`, `fsync`, `lost`, `monitoring`, `replicas` and `shards`.

    Raises:
        UnknownStore: The address is malformed. The message repeats no part of it that could be part of the password.
    """
    parts, options = _parts(url)
    user, password = _user(parts)
    ca = Path(options["ca"]) if "ca" in options else None
    monitoring = _monitoring(options)
    return NatsAddress(
        servers=_servers(parts),
        ledger=_ledger(parts),
        user=user,
        password=password,
        is_encrypted=parts.scheme == "tls" or ca is not None,
        ca=ca,
        credentials=Path(options["credentials"]) if "credentials" in options else None,
        monitoring=monitoring,
        is_trusted=_is_trusted(options),
        is_loss_accepted=_is_loss_accepted(options),
        shards=_shards(options),
        replicas=_replicas(options),
        shown=_shown(parts, options, monitoring),
    )


def with_shards(url: str, shards: int) -> str:
    """Returns an address that gives the number of shards."""
    if parse(url).shards is not None:
        return url
    parts = urlsplit(url)
    return parts._replace(query="&".join(filter(None, (parts.query, f"shards={shards}")))).geturl()


def shown_monitoring(where: str) -> str:
    """Returns an address of monitoring without its password."""
    return parse(where).shown if where.startswith(OF_NATS) else where


def _parts(url: str) -> tuple[SplitResult, dict[str, str]]:
    """Returns the parts of an address, and its options."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _malformed("this is not the address of NATS servers") from None
    try:
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        if "@" in parts.query:
            raise _not_encoded() from None
        raise _malformed("an option of the address is not of the form name=value", ", ".join(_OPTIONS)) from None
    names = [name for name, _ in options]
    unknown = sorted(set(names) - set(_OPTIONS))
    # A password with one of these characters ends there, and the rest of it is taken for another part of the address.
    is_cut = any("@" in name or (name in unknown and "@" in value) for name, value in options)
    if "#" in url and "@" not in url:
        raise _malformed("an address of NATS servers has no part behind #")
    if "#" in url or "@" in parts.path or is_cut:
        raise _not_encoded()
    if unknown:
        raise _malformed(f"an address of NATS servers has no option {unknown[0]!r:.40}", ", ".join(_OPTIONS))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        several = ", with commas between its addresses" if twice == "monitoring" else ""
        raise _malformed(f"the option {twice} is there twice", f"{twice} once{several}")
    empty = next((name for name, value in options if name in _FILES and not value), None)
    if empty is not None:
        raise _malformed(f"the option {empty} is empty", f"{empty}=FILE")
    return parts, dict(options)


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
    for place, server in enumerate(found, 1):
        if not _is_server(server):
            raise _malformed(f"server {place} of the address is not of the form host or host:port")
    return found


def _is_server(server: str) -> bool:
    is_host = fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}", server) is not None
    return is_host and int(server.rpartition(":")[2]) in range(1, 65_536)


def _ledger(parts: SplitResult) -> str:
    name = parts.path.strip("/") or _LEDGER
    if not fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise _malformed(
            "the name of a ledger in JetStream is made of letters, digits, - and _, at most 64",
            "a name such as evenings: nats://host1,host2,host3/evenings",
        )
    return name


def _monitoring(options: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the addresses of monitoring.

    Raises:
        UnknownStore: One of them is malformed. The message repeats none: it may have a password.
    """
    found = tuple(each for each in options.get("monitoring", "").split(",") if each)
    for place, each in enumerate(found, 1):
        if each.startswith(OF_NATS):
            _check_system(each, place)
        elif not each.startswith(OF_HTTP):
            raise _malformed(f"address {place} of monitoring begins with neither http:// nor nats://", MONITORING)
        elif not _is_http(each):
            raise _malformed(f"address {place} of monitoring is not of the form http://host:port", MONITORING)
    return found


def _check_system(where: str, place: int) -> None:
    """Rejects a malformed address of the system account."""
    try:
        parse(where)
    except UnknownStore as error:
        raise _malformed(f"in address {place} of monitoring: {error.message}", MONITORING) from None


def _is_http(where: str) -> bool:
    """Returns whether this is the address of a server for HTTP, which has no user."""
    try:
        parts = urlsplit(where)
        port = parts.port
    except ValueError:
        return False
    return (
        fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?", parts.netloc) is not None
        and port != 0
        and fullmatch(r"[!-~]*", parts.path) is not None
    )


def _is_trusted(options: Mapping[str, str]) -> bool:
    if options.get("fsync", _FSYNC) != _FSYNC:
        raise _malformed(
            f"fsync can only be {_FSYNC!r}: otherwise the servers' settings are read",
            f"fsync={_FSYNC} for servers that write each entry to disk before they acknowledge it",
        )
    return "fsync" in options


def _is_loss_accepted(options: Mapping[str, str]) -> bool:
    if options.get("lost", _LOST) != _LOST:
        raise _malformed(
            f"lost can only be {_LOST!r}", f"lost={_LOST} for `affray migrate`, which then makes lost streams anew"
        )
    return "lost" in options


def _shards(options: Mapping[str, str]) -> int | None:
    given = options.get("shards")
    if given is None:
        return None
    if not (fullmatch(r"[0-9]{1,4}", given) and int(given) in _SHARDS):
        raise _malformed(f"shards is a number from {_SHARDS[0]} to {_SHARDS[-1]}", f"shards={SHARDS}")
    return int(given)


def _replicas(options: Mapping[str, str]) -> int:
    given = options.get("replicas", str(REPLICAS))
    if given not in map(str, _COPIES):
        reason = _NO_MAJORITY.get(given, "replicas is 1, 3 or 5")
        raise _malformed(reason, f"replicas=3; replicas=5 with five servers; {LOSABLE}")
    return int(given)


def _shown(parts: SplitResult, options: Mapping[str, str], monitoring: Sequence[str]) -> str:
    before, at, hosts = parts.netloc.rpartition("@")
    user, colon, _ = before.partition(":")
    netloc = f"{user}{colon and ':' + _HIDDEN}{at}{hosts}"
    words = {name: quote(value, safe="/:,@[]") for name, value in options.items()}
    if "monitoring" in words:
        words["monitoring"] = ",".join(shown_monitoring(each) for each in monitoring)
    query = "&".join(f"{name}={value}" for name, value in words.items())
    return f"{parts.scheme}://{netloc}{parts.path}{query and '?' + query}"


def _malformed(reason: str, accepts: str = _EXAMPLE) -> UnknownStore:
    return UnknownStore(reason, where="ledger", accepts=accepts)


def _not_encoded() -> UnknownStore:
    return _malformed("a special character in the password is not percent-encoded (# as %23, ? as %3F, / as %2F)")
