"""A server that is cut off from the others, while clients reach it and it answers them."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress

import pytest
from ledger_records import fill, record_after
from nats_servers import Servers, running

from ledger.errors import Stale
from ledger.stores.jetstream import JetStreamStore

CUT = 22.0
"""Seconds for which a server stays cut off; the others try to connect to it several times a second."""
PATIENCE = 20.0


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Three servers, each of which can be cut off."""
    with running(can_be_cut=True) as servers:
        yield servers


def write(store: JetStreamStore, name: str, ends: float) -> dict[str, float]:
    """Appends to a session, which others do, too, until a time has come.

    Returns:
        When each append was acknowledged, by its idempotency key.
    """
    keys: dict[str, float] = {}
    while time.monotonic() < ends:
        head, key = store.head("doors"), f"{name} {len(keys)}"
        with suppress(Stale):
            store.append("doors", [record_after(head, key)], expected=head.seq, key=key)
            keys[key] = time.monotonic()
        time.sleep(0.02)
    return keys


def test_all_go_on_writing_while_a_server_is_cut_off(servers: Servers) -> None:
    """Whichever server a store was connected to, and whatever was on its way when the leader was cut off."""
    url = servers.ledger(shards=1)
    shard = f"{url.partition('?')[0].rpartition('/')[2]}-log-0"
    with ExitStack() as stack, ThreadPoolExecutor(6) as threads:
        stores = [stack.enter_context(closing(JetStreamStore(url, patience=PATIENCE))) for _ in range(6)]
        fill(stores[0], 3)
        ends = time.monotonic() + 1.0 + CUT
        writing = [threads.submit(write, store, f"writer {number}", ends) for number, store in enumerate(stores)]
        time.sleep(1.0)
        cut = servers.leader(shard)
        servers.cut(cut)
        began = time.monotonic()
        with closing(JetStreamStore(url, patience=PATIENCE)) as new:
            assert new.head("doors").seq >= 3
        written = [each.result() for each in writing]
        assert cut.routes() == 0
        servers.mend()

        assert min(max(keys.values()) for keys in written) > began
        log = list(stores[0].read("doors"))
        assert sorted(stores[0].keys("doors")) == sorted(key for keys in written for key in keys)
        assert len(log) == 3 + sum(map(len, written))
        assert list(stores[-1].read("doors")) == log
    servers.wait_until_healthy()
