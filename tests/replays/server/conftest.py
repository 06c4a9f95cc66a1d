"""A server in a separate process for the tests of a module, and sessions on it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from server.processes import UNHURRIED, Served, Table, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server without a rate limit."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, *UNHURRIED) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[httpx.Client]:
    """Yields an HTTP client of the server."""
    with server.client() as client:
        yield client


@pytest.fixture
def table(server: Served, client: httpx.Client) -> Table:
    """Returns a new session with player's tokens for Kira and Ben."""
    return Table(client, server.host, "kira", "ben")


@pytest.fixture
def brawl(table: Table) -> Table:
    """Returns a session in the middle of a brawl: Ann is the gamemaster's, Bob is Kira's, it is Ann's turn."""
    return table.brawl()


@pytest.fixture
def affray_command() -> list[str]:
    """Returns the path of the installed command line."""
    return [sys.executable, "-c", "from replays.cli import main; main()"]
