"""A ledger in PostgreSQL, for the tests of this room."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from postgres_server import Server

from ledger.stores.postgres import PostgresStore


@pytest.fixture
def url(postgres: Server) -> str:
    """The address of a ledger without sessions."""
    return postgres.database()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    """An open ledger."""
    with closing(PostgresStore(url)) as store:
        yield store
