"""The memory store keeps the contract."""

from pathlib import Path

from contracts.store_contract import StoreContract

from ledger.stores import Store, open_store


class TestMemoryStore(StoreContract):
    survives = False

    def open_in(self, folder: Path) -> Store:
        return open_store("memory://")
