"""A server for the tests of a module, its host, and sessions on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from client.brawl import host_token
from server.processes import UNHURRIED, Served, served

from replays.client import Founded, Host, RemoteSession


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server without a rate limit."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, *UNHURRIED) as server:
        yield server


@pytest.fixture(scope="module")
def host(server: Served) -> Iterator[Host]:
    """Yields the host."""
    with Host(server.url, host_token(server)) as host:
        yield host


@pytest.fixture
def founded(host: Host) -> Founded:
    """Returns a new session with tokens for Kira and Ben."""
    return host.create_session(ruleset="eclipse_phase_1e", title="A brawl", players=("kira", "ben"))


@pytest.fixture
def gamemaster(founded: Founded) -> RemoteSession:
    """Returns the session from the gamemaster's seat."""
    return founded.gamemaster()
