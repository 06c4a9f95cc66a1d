"""The JetStream store keeps the contract, on three servers that store every entry."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts.store_contract import StoreContract
from nats_servers import Servers

from ledger.stores import Store, open_store


class TestJetStreamStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _servers(self, nats: Servers) -> Iterator[None]:
        self._nats = nats
        yield
        nats.clear()

    def open_in(self, folder: Path) -> Store:
        return open_store(self._nats.ledger_for(folder))
