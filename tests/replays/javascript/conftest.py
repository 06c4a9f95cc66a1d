"""A server for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from server.processes import UNHURRIED, Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server without a rate limit."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, *UNHURRIED) as server:
        yield server
