"""How hypothesis runs: `ci` always tries the same examples; `HYPOTHESIS_PROFILE=thorough` looks for new ones.

`ci` does not shrink: a failing law is to be told at once, and `thorough` finds its smallest example.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from postgres_server import Server

_SLOW_MACHINES = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=20, print_blob=False, suppress_health_check=_SLOW_MACHINES,
    phases=(Phase.explicit, Phase.generate),
)  # fmt: skip
settings.register_profile(
    "thorough", deadline=None, max_examples=500, print_blob=True, suppress_health_check=_SLOW_MACHINES
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def postgres() -> Iterator["Server"]:
    """A PostgreSQL server for the whole run; each test asks it for a database of its own."""
    from postgres_server import server_or_skip

    server = server_or_skip()
    yield server
    server.stop()
