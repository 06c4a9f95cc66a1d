"""A ledger in JetStream, for the tests of this room."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from nats_servers import Servers

from ledger.stores.jetstream import JetStreamStore


@pytest.fixture
def url(nats: Servers, tmp_path: Path) -> Iterator[str]:
    """The address of a ledger without sessions."""
    yield nats.ledger_for(tmp_path)
    nats.clear()


@pytest.fixture
def store(url: str) -> Iterator[JetStreamStore]:
    """An open ledger."""
    with closing(JetStreamStore(url, patience=20.0)) as store:
        yield store
