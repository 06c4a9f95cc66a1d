"""Checks that the servers keep what they acknowledge: their version, and whether they write to disk at once."""

from collections.abc import Iterator, Sequence, Set
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
from nats.errors import Error

from ledger.errors import Unusable
from ledger.stores.jetstream.servers.address import NatsAddress, parse
from ledger.stores.jetstream.servers.link import Link

OLDEST = (2, 12)
"""The oldest usable version of a server. Older ones have no atomic batches; 2.9 gave one place to two writers."""
_OF_NATS = ("nats://", "tls://")
"""How an address of the system account begins."""
_PATIENCE = 3.0
_GATHERING = 1.0
"""Seconds for which answers of the system account are gathered."""


class _JetStream(msgspec.Struct):
    config: dict[str, Any] = {}


class _ServerSettings(msgspec.Struct):
    """What a server reports of itself."""

    server_name: str = ""
    version: str = ""
    jetstream: _JetStream = msgspec.field(default_factory=_JetStream)


class _SystemAnswer(msgspec.Struct):
    """What a server reports to the system account."""

    data: _ServerSettings


def check_version(link: Link, address: NatsAddress) -> None:
    """Refuses a server that is too old.

    Raises:
        Unusable: It is.
    """
    if link.version < OLDEST:
        raise _too_old(address, ".".join(map(str, link.version)))


def check_servers(address: NatsAddress, needed: Set[str], *, may_be_away: bool) -> None:
    """Refuses servers that acknowledge entries before they are on disk.

    Args:
        address: The address, with the places to ask, or the statement that the servers are trusted.
        needed: The names of the servers that store the ledger.
        may_be_away: Whether fewer than half of them may be away, which then report nothing.

    Raises:
        Unusable: A server is too old, does not write at once, or did not report its settings.
    """
    if address.is_trusted:
        return
    if not address.monitoring:
        raise Unusable(
            f"whether the servers of {address.name} write each entry to disk before they acknowledge it is not known",
            where="ledger",
            accepts="monitoring=http://host:8222 of each server in the address, where they report it; or fsync=trusted",
        )
    reported, away = _reported(address)
    for name, settings in reported.items():
        if _version(settings.version) < OLDEST:
            raise _too_old(address, settings.version)
        if not settings.jetstream.config.get("sync_always"):
            raise Unusable(
                f"the server {name} acknowledges entries before they are on its disk",
                where="ledger",
                accepts="sync_interval: always in the jetstream section of its settings; or fsync=trusted",
            )
    silent = sorted(needed - reported.keys())
    if silent and not (may_be_away and 2 * len(silent) < len(needed) and _may_be_away(address, silent, away)):
        raise next(iter(away), None) or Unusable(
            f"no address reports the settings of the server {silent[0]}, which stores entries of {address.name}",
            where="ledger",
            accepts="monitoring=… with the address of each, or nats://user:password@host of the system account",
        )


def _reported(address: NatsAddress) -> tuple[dict[str, _ServerSettings], list[Unusable]]:
    """Returns the settings of the servers that answer, by their names, and why addresses do not answer.

    Raises:
        Unusable: Something else answers there, or the address is malformed.
    """
    reported, away = dict[str, _ServerSettings](), list[Unusable]()
    for where in address.monitoring:
        try:
            reported |= {each.server_name: each for each in _ask(where)}
        except (Error, OSError) as error:
            away.append(_silent(where, error))
    return reported, away


def _may_be_away(address: NatsAddress, silent: Sequence[str], away: Sequence[Unusable]) -> bool:
    """Returns whether servers that report nothing are away, and not only missing from the addresses of monitoring.

    To the system account all servers answer that are there; by HTTP each has a separate address.
    """
    return len(silent) <= len(away) or any(where.startswith(_OF_NATS) for where in address.monitoring)


def _silent(where: str, error: Exception) -> Unusable:
    return Unusable(f"a server does not report its settings at {where}: {error}", where="ledger")


def _ask(where: str) -> Iterator[_ServerSettings]:
    """Yields the settings of the servers that answer at an address of monitoring."""
    if where.startswith(_OF_NATS):
        yield from _ask_system(where)
    elif where.startswith(("http://", "https://")):
        try:
            with urlopen(f"{where.rstrip('/')}/varz", timeout=_PATIENCE) as answer:  # noqa: S310 (its scheme is checked)
                yield msgspec.json.decode(answer.read(), type=_ServerSettings)
        except (HTTPError, msgspec.MsgspecError) as error:
            raise _silent(where, error) from error
    else:
        raise Unusable("monitoring is an address that begins with http:// or nats://", where="ledger")


def _ask_system(where: str) -> Iterator[_ServerSettings]:
    link = Link(parse(where), _PATIENCE)
    try:
        for answer in link.gather("$SYS.REQ.SERVER.PING.VARZ", b"", _GATHERING):
            yield msgspec.json.decode(answer, type=_SystemAnswer).data
    finally:
        link.close()


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("-", maxsplit=1)[0].split(".")[:2] if part.isdecimal())


def _too_old(address: NatsAddress, version: str) -> Unusable:
    return Unusable(
        f"a server of {address.name} is NATS {version}",
        where="ledger", accepts=f"NATS {'.'.join(map(str, OLDEST))} or later",
    )  # fmt: skip
