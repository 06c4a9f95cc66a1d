"""Checks that the servers keep what they acknowledge: version, JetStream, and whether they write to disk at once."""

import time
from collections.abc import Iterator, Sequence, Set
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec
from nats.errors import Error

from ledger.errors import Unusable
from ledger.stores.jetstream.servers.address import MONITORING, OF_NATS, NatsAddress, parse, shown_monitoring
from ledger.stores.jetstream.servers.errors import Denied, NoAnswer, NotConnected, NotSent
from ledger.stores.jetstream.servers.failures import Unreached, failure_of, reason
from ledger.stores.jetstream.servers.link import ATTEMPT, Link

OLDEST = (2, 12)
"""The oldest usable version of a server. Older ones have no atomic batches; 2.9 gave one place to two writers."""
_PATIENCE = 3.0
_GATHERING = 1.0
"""Seconds for which answers of the system account are gathered."""
_STARTING = 2.0
"""Seconds for which a server without JetStream may take to find the others of its cluster, which have it."""
_OTHER = "something else than the settings of a NATS server"


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


def check_jetstream(link: Link, address: NatsAddress, stream: str) -> None:
    """Refuses servers without JetStream: if the connected one has none, another one has to answer for a stream.

    Raises:
        Unusable: The connected server has no JetStream, and no other one answers for it.
        Denied: The user may not ask.
    """
    if link.has_jetstream:
        return
    subject, began = f"$JS.API.STREAM.INFO.{stream}", time.monotonic()
    for seconds in link.attempts():
        try:
            link.ask(subject, b"", min(seconds, ATTEMPT))
        except Denied:
            raise
        except (NoAnswer, NotConnected):  # the servers may be electing a leader
            return
        except NotSent:
            if time.monotonic() - began > _STARTING:
                break
        else:
            return
    raise Unusable(
        f"{address.name} has no JetStream: neither {link.where} nor a server connected with it offers it to this user",
        where="ledger", accepts="the section jetstream in the settings of the servers, and in those of the account",
    )  # fmt: skip


class ServerReports:
    """What the servers report of themselves at the addresses of monitoring.

    Args:
        address: The address, with the places to ask, or the statement that the servers are trusted.

    Raises:
        Unusable: Something else answers there; or a server is too old, or does not write at once.
    """

    def __init__(self, address: NatsAddress) -> None:
        self._address = address
        self._reported: dict[str, _ServerSettings] = {}
        self._away: list[Unusable] = []
        """Why addresses do not answer."""
        if address.is_trusted:
            return
        if not address.monitoring:
            raise Unusable(
                f"whether the servers of {address.name} write each entry to disk before they acknowledge it is not"
                " known",
                where="ledger", accepts=f"{MONITORING}, in the address, where they report it; or fsync=trusted",
            )  # fmt: skip
        for where in address.monitoring:
            try:
                self._reported |= {each.server_name: each for each in _ask(where)}
            except (Error, OSError, UnicodeError, NoAnswer) as error:
                self._away.append(_silent(where, error))
        for name, settings in self._reported.items():
            self._check_settings(name, settings)

    def check(self, needed: Set[str], *, most_away: int) -> None:
        """Refuses servers that acknowledge entries before they are on disk.

        Args:
            needed: The names of the servers that store the ledger; empty if it is one that is not known by name.
            most_away: How many of them may be away, which then report nothing.

        Raises:
            Unusable: A server did not report its settings, or has no JetStream any more.
        """
        if self._address.is_trusted:
            return
        if not needed and not any(map(self._stores, self._reported)):
            raise next(iter(self._away), None) or Unusable(
                f"no address reports the settings of a server with JetStream, which stores entries of"
                f" {self._address.name}",
                where="ledger", accepts=MONITORING,
            )  # fmt: skip
        silent = sorted(name for name in needed if not self._stores(name))
        if silent and (len(silent) > most_away or not self._may_be_away(silent)):
            raise next(iter(self._away), None) or Unusable(
                f"no address reports the settings of the server {silent[0]}, which stores entries of"
                f" {self._address.name}",
                where="ledger",
                accepts="monitoring=… with the address of each, or nats://user:password@host of the system account",
            )

    def _check_settings(self, name: str, settings: _ServerSettings) -> None:
        if _version(settings.version) < OLDEST:
            raise _too_old(self._address, settings.version)
        if settings.jetstream.config and not settings.jetstream.config.get("sync_always"):
            raise Unusable(
                f"the server {name} acknowledges entries before they are on its disk",
                where="ledger",
                accepts="sync_interval: always in the jetstream section of its settings; or fsync=trusted",
            )

    def _stores(self, name: str) -> bool:
        """Returns whether a server has reported settings of JetStream; one without it stores nothing."""
        return name in self._reported and bool(self._reported[name].jetstream.config)

    def _may_be_away(self, silent: Sequence[str]) -> bool:
        """Returns whether servers that report nothing are away, and not only missing from the addresses of monitoring.

        To the system account all servers answer that are there; by HTTP each has a separate address.
        """
        is_system = any(where.startswith(OF_NATS) for where in self._address.monitoring)
        return len(silent) <= len(self._away) or is_system


def _ask(where: str) -> Iterator[_ServerSettings]:
    """Yields the settings of the servers that answer at an address of monitoring."""
    if where.startswith(OF_NATS):
        yield from _ask_system(where)
        return
    try:
        with urlopen(f"{where.rstrip('/')}/varz", timeout=_PATIENCE) as answer:  # noqa: S310 (`parse` checks the scheme)
            settings = msgspec.json.decode(answer.read(), type=_ServerSettings)
    except HTTPError as error:
        error.close()
        raise _not_settings(where, f"HTTP {error.code}") from error
    except ConnectionError:
        raise
    except (HTTPException, msgspec.MsgspecError) as error:
        raise _not_settings(where, _OTHER) from error
    if not settings.version:
        raise _not_settings(where, _OTHER)
    yield settings


def _ask_system(where: str) -> Iterator[_ServerSettings]:
    link = Link(parse(where), _PATIENCE)
    try:
        for answer in link.gather("$SYS.REQ.SERVER.PING.VARZ", b"", _GATHERING):
            yield msgspec.json.decode(answer, type=_SystemAnswer).data
    except (NotSent, msgspec.MsgspecError) as error:
        raise _not_settings(where, "no settings, because this is not a user of the system account") from error
    finally:
        link.close()


def _silent(where: str, error: Exception) -> Unusable:
    """Returns the refusal for an address of monitoring where nothing answers."""
    if isinstance(error, URLError) and isinstance(error.reason, Exception):
        error = error.reason
    if isinstance(error, Unreached):
        why = error.reason
    else:
        parts = urlsplit(where)
        server = f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
        why = reason({server: failure_of(TimeoutError() if isinstance(error, NoAnswer) else error)})
    return Unusable(
        f"the servers' settings are not reported at {shown_monitoring(where)}: {why}",
        where="ledger",
        accepts=MONITORING,
    )


def _not_settings(where: str, found: str) -> Unusable:
    return Unusable(f"{shown_monitoring(where)} answers with {found}", where="ledger", accepts=MONITORING)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("-", maxsplit=1)[0].split(".")[:2] if part.isdecimal())


def _too_old(address: NatsAddress, version: str) -> Unusable:
    return Unusable(
        f"a server of {address.name} is NATS {version}",
        where="ledger", accepts=f"NATS {'.'.join(map(str, OLDEST))} or later",
    )  # fmt: skip
