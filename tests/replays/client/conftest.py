"""A server for the tests of a module, its host, and sessions on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from client.brawl import host_token
from server.processes import Served, served

from replays.client import Founded, Host, RemoteSession


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One that refuses nobody for asking often."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, "--rate", "0") as server:
        yield server


@pytest.fixture(scope="module")
def host(server: Served) -> Iterator[Host]:
    """Whoever runs it."""
    with Host(server.url, host_token(server)) as host:
        yield host


@pytest.fixture
def founded(host: Host) -> Founded:
    """A new session with a token for Kira and one for Ben."""
    return host.create_session(ruleset="eclipse_phase_1e", title="A brawl", players=("kira", "ben"))


@pytest.fixture
def gamemaster(founded: Founded) -> RemoteSession:
    """Its gamemaster's seat."""
    return founded.gamemaster()
