"""A server that is cut off from the others, while clients reach it and it answers them."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from ledger_records import fill, record_after
from nats_servers import Servers, running

from ledger.stores import Head
from ledger.stores.jetstream import JetStreamStore

CUT = 12.0
"""Seconds for which a server stays cut off; the others try to connect to it several times a second."""


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Three servers, each of which can be cut off."""
    with running(can_be_cut=True) as servers:
        yield servers


def test_entries_are_written_while_a_server_is_cut_off(servers: Servers) -> None:
    """Every store goes on writing, whichever server it was connected to; and so does a new one."""
    url = servers.ledger(shards=1)
    shard = f"{url.partition('?')[0].rpartition('/')[2]}-log-0"
    stores = [JetStreamStore(url) for _ in range(6)]  # one of three servers each, at random
    try:
        log = fill(stores[0], 3)
        cut = servers.leader(shard)
        servers.cut(cut)
        began = time.monotonic()
        while time.monotonic() < began + CUT:
            with closing(JetStreamStore(url)) as store:
                for each in (*stores, store):
                    last = log[-1]
                    log.append(record_after(Head(last.seq, last.digest), f"entry {last.seq + 1}"))
                    each.append("doors", log[-1:], expected=last.seq, key=f"key {last.seq + 1}")
            assert cut.routes() == 0
        servers.mend()
        for store in stores:
            assert list(store.read("doors")) == log
    finally:
        for store in stores:
            store.close()
    servers.wait_until_healthy()
