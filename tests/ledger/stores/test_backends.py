"""A backend is imported from its folder, and an unused one is not loaded."""

import subprocess
import sys

import pytest
from places import ROOT

import ledger.stores.postgres
import ledger.stores.sqlite

WITHOUT_LIBRARY = """
import sys
sys.modules["psycopg"] = None
from ledger.stores.postgres.schema import MIGRATIONS
from ledger.stores.sqlite import SqliteStore
from ledger.stores import open_store
from ledger.errors import Unusable
try:
    open_store("postgresql://nowhere/")
except Unusable as refusal:
    print(refusal.accepts)
"""
MEMORY = """
import sys
from ledger.stores import open_store
open_store("memory://").close()
print(*sorted(name for name in sys.modules if name.startswith(("ledger.stores.sqlite.store", "psycopg"))))
"""


def printed(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_backend_is_imported_from_its_folder() -> None:
    from ledger.stores.postgres import PostgresStore
    from ledger.stores.sqlite import SqliteStore

    assert (PostgresStore.__module__, SqliteStore.__module__) == (
        "ledger.stores.postgres.store",
        "ledger.stores.sqlite.store",
    )


def test_a_name_that_a_folder_does_not_export_is_no_attribute_of_it() -> None:
    with pytest.raises(AttributeError, match="MemoryStore"):
        _ = ledger.stores.sqlite.MemoryStore
    with pytest.raises(AttributeError, match="SqliteStore"):
        _ = ledger.stores.postgres.SqliteStore


def test_without_its_library_only_the_store_in_postgresql_is_refused() -> None:
    assert printed(WITHOUT_LIBRARY) == "pip install 'affray[postgres]'"


def test_a_store_in_memory_loads_no_other_backend() -> None:
    assert printed(MEMORY) == ""
