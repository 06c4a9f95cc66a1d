"""Creates the streams of a ledger, and checks them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.errors import Damaged, Newer, NotMigrated, Unusable
from ledger.stores.jetstream.servers.address import SHARDS, NatsAddress, parse
from ledger.stores.jetstream.servers.durability import check_servers, check_version
from ledger.stores.jetstream.servers.errors import NOT_FOUND, Answered, JetStreamErrors
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.names import LedgerNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.uploads import sweep
from ledger.stores.store import PATIENCE

LAYOUT = 1
"""The version of the streams and of the messages in them."""
_LAYOUT = "affray-layout"
_SHARDS = "affray-shards"

_FOREVER = {
    "storage": "file", "retention": "limits", "discard": "new", "max_age": 0, "max_bytes": -1, "max_msgs": -1,
    "allow_direct": True, "deny_delete": True,
}  # fmt: skip
"""The settings that keep each message of a stream until its session is deleted."""


class _StreamAnswer(msgspec.Struct):
    config: dict[str, Any] = {}
    cluster: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _StreamPage(msgspec.Struct):
    total: int = 0
    streams: list[_StreamAnswer] = []
    error: dict[str, Any] | None = None


def migrate(url: str) -> tuple[str, ...]:
    """Creates the streams of a ledger that are missing, and removes abandoned uploads.

    Args:
        url: The address; `shards` counts only for a new ledger.

    Returns:
        The names of the streams that were created.

    Raises:
        StoreRefused: The servers refused; what was created is completed by the next call.
    """
    address = parse(url)
    with JetStreamErrors(address.name):
        link = Link(address, PATIENCE)
        try:
            check_version(link, address)
            reader = StreamReader(link)
            ledger = _info(reader, LedgerNames(address.ledger, 1).ledger)
            names = LedgerNames(address.ledger, address.shards or SHARDS) if ledger is None else _names(address, ledger)
            made = tuple(name for name, config in _streams(address, names).items() if _create(reader, name, config))
            check_servers(address, _servers(reader, names), may_be_away=False)
            sweep(Streams(link, names))
            return made
        finally:
            link.close()


def check_ledger(link: Link, address: NatsAddress) -> LedgerNames:
    """Checks the servers and the streams of a ledger; returns the names of the streams.

    Raises:
        NotMigrated: Streams are missing.
        Newer: They were made by a newer Affray.
        Damaged: A stream would lose messages.
        Unusable: The servers or the number of copies are not what the address demands.
    """
    check_version(link, address)
    reader = StreamReader(link)
    ledger = _info(reader, LedgerNames(address.ledger, 1).ledger)
    if ledger is None:
        raise _not_migrated(address)
    names = _names(address, ledger)
    found = _streams_of(reader, address)
    for name, wanted in _streams(address, names).items():
        if name not in found:
            raise _not_migrated(address)
        _check_config(address, name, found[name].config, wanted)
    check_servers(address, _servers_of(found.values()), may_be_away=True)
    return names


def _streams(address: NatsAddress, names: LedgerNames) -> dict[str, dict[str, Any]]:
    """Returns the settings of each stream; that of the ledger is created last, so that all are there if it is."""
    kept = {**_FOREVER, "num_replicas": address.replicas}
    news = {"src": f"{address.ledger}.>", "dest": f"{names.news}.>", "headers_only": True}
    batches = {**kept, "allow_atomic": True}
    logs = {
        stream: {**batches, "subjects": names.log_subjects(shard), "republish": news, "allow_rollup_hdrs": True}
        for shard, stream in enumerate(names.logs)
    }
    described = {_LAYOUT: str(LAYOUT), _SHARDS: str(names.shards)}
    return {
        **logs,
        names.checkpoints: {**kept, "subjects": [names.checkpoint_subjects()], "max_msgs_per_subject": 1},
        names.ledger: {**batches, "subjects": names.ledger_subjects(), "metadata": described},
    }


def _create(reader: StreamReader, name: str, config: Mapping[str, Any]) -> bool:
    """Creates a stream; returns whether it was missing."""
    if _info(reader, name) is not None:
        return False
    answer = _asked(reader, f"STREAM.CREATE.{name}", {"name": name, **config})
    if answer.error is not None:
        raise Answered(answer.error)
    return True


def _info(reader: StreamReader, name: str) -> _StreamAnswer | None:
    answer = _asked(reader, f"STREAM.INFO.{name}", {})
    if answer.error is None:
        return answer
    error = Answered(answer.error)
    if error.code in NOT_FOUND:
        return None
    raise error


def _streams_of(reader: StreamReader, address: NatsAddress) -> dict[str, _StreamAnswer]:
    """Returns what the servers report of each stream of a ledger."""
    found: dict[str, _StreamAnswer] = {}
    while True:
        asked = {"subject": f"{address.ledger}.>", "offset": len(found)}
        page = msgspec.json.decode(reader.ask("STREAM.LIST", asked), type=_StreamPage)
        if page.error is not None:
            raise Answered(page.error)
        found |= {each.config["name"]: each for each in page.streams}
        if not page.streams or len(found) >= page.total:
            return found


def _asked(reader: StreamReader, subject: str, request: object) -> _StreamAnswer:
    return msgspec.json.decode(reader.ask(subject, request), type=_StreamAnswer)


def _names(address: NatsAddress, ledger: _StreamAnswer) -> LedgerNames:
    """Returns the names of an existing ledger's streams, which its own stream describes."""
    described = ledger.config.get("metadata", {})
    layout, shards = described.get(_LAYOUT, ""), described.get(_SHARDS, "")
    if not (layout.isdecimal() and shards.isdecimal()):
        raise Damaged(f"the stream of {address.name} does not describe its shards", where=address.name)
    if int(layout) > LAYOUT:
        raise Newer(f"{address.name} was written by a newer Affray", where=address.name, accepts=f"layout {LAYOUT}")
    if address.shards not in (None, int(shards)):
        raise Unusable(
            f"{address.name} was made with {shards} shards, which cannot be changed",
            where="ledger", accepts=f"shards={shards}; or copy the sessions into a new ledger",
        )  # fmt: skip
    return LedgerNames(address.ledger, int(shards))


def _check_config(address: NatsAddress, name: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    if found.get("num_replicas", 1) < address.replicas:
        raise Unusable(
            f"the stream {name} has {found.get('num_replicas', 1)} of {address.replicas} copies",
            where="ledger", accepts="three servers, or replicas=1 in the address for a ledger that may be lost",
        )  # fmt: skip
    for setting, value in wanted.items():
        if setting not in ("num_replicas", "metadata") and found.get(setting) != value:
            raise Damaged(f"the stream {name} has the wrong {setting}: {found.get(setting)!r}", where=name)


def _not_migrated(address: NatsAddress) -> NotMigrated:
    return NotMigrated(f"{address.name} has no streams yet", where="ledger", accepts="affray migrate")


def _servers(reader: StreamReader, names: LedgerNames) -> set[str]:
    info = _info(reader, names.ledger)
    return _servers_of([info] if info is not None else [])


def _servers_of(answers: Iterable[_StreamAnswer]) -> set[str]:
    """Returns the names of all servers that have a copy of a stream."""
    clusters = [each.cluster for each in answers if each.cluster is not None]
    leaders = {cluster["leader"] for cluster in clusters if cluster.get("leader")}
    return leaders | {replica["name"] for cluster in clusters for replica in cluster.get("replicas") or []}
