"""A server with recorded fights, and a browser, for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing.chromium import Watched, chromium, watched
from client.brawl import host_token
from playwright.sync_api import Browser
from server.processes import UNHURRIED, Served, served

from replays.client import Host


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yields Debian's Chromium, without a window."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server without a rate limit."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, *UNHURRIED) as server:
        yield server


@pytest.fixture(scope="module")
def host(server: Served) -> Iterator[Host]:
    """Yields the host of the server."""
    with Host(server.url, host_token(server)) as host:
        yield host


@pytest.fixture
def shown(browser: Browser) -> Iterator[Watched]:
    """Yields an empty page; an error of it fails the test."""
    with watched(browser) as page:
        yield page
