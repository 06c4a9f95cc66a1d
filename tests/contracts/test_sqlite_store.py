"""The SQLite store keeps the contract."""

from pathlib import Path

from contracts.store_contract import StoreContract

from ledger.stores import Store, open_store


class TestSqliteStore(StoreContract):
    def open_in(self, folder: Path) -> Store:
        return open_store(f"sqlite:///{folder}/fight.db")
