"""The PostgreSQL store keeps the contract."""

from pathlib import Path

import pytest
from contracts.store_contract import StoreContract
from postgres_server import Server

from ledger.stores import Store, open_store


class TestPostgresStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, postgres: Server) -> None:
        self._postgres = postgres

    def open_in(self, folder: Path) -> Store:
        return open_store(self._postgres.database_for(folder))
