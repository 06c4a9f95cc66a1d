"""Probes shards with a write: a cluster may report good health while it accepts none."""

import time

from ledger.errors import NoWrites
from ledger.stores.jetstream.servers.link import Ack, Link
from ledger.stores.jetstream.servers.names import LedgerNames
from ledger.stores.jetstream.servers.sending import Message

SECONDS = 2.5
"""The longest time that a write of a probe may take."""
_FRESH = 2.0
"""Seconds for which a probe that succeeded is not repeated."""
_LAST_ONLY = {"Nats-Rollup": "sub"}
"""The headers of a message that replaces those before it on its subject."""


def probe(names: LedgerNames, shard: int) -> Message:
    """Returns a message without content, which replaces the one before it in a shard."""
    return Message(names.subject("probe", shard, "write"), b"", _LAST_ONLY)


class Probe:
    """Checks that every shard takes writes.

    Args:
        link: The connection.
        names: The names of the ledger's streams.
        name: The name of the ledger in messages.
    """

    def __init__(self, link: Link, names: LedgerNames, name: str) -> None:
        self._link = link
        self._name = name
        self._probes = [[probe(names, shard)] for shard in range(names.shards)]
        self._succeeded = -_FRESH

    def check(self) -> None:
        """Writes into every shard.

        Raises:
            NoWrites: A shard did not acknowledge within `SECONDS`.
        """
        if time.monotonic() - self._succeeded < _FRESH:
            return
        outcomes = self._link.write_each(self._probes, SECONDS)
        failed = [shard for shard, each in enumerate(outcomes) if not isinstance(each, Ack) or each.error is not None]
        if failed:
            some = ", ".join(map(str, failed[:5])) + (" …" if len(failed) > 5 else "")
            raise NoWrites(
                f"{len(failed)} of {len(self._probes)} shards of {self._name} accept no writes: {some}",
                where=self._name,
            )
        self._succeeded = time.monotonic()
