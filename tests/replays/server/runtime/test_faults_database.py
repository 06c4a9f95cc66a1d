"""PostgreSQL stops under load and starts again: the server waits for it, and loses nothing."""

import time
from pathlib import Path

import pytest
from postgres_server import Server
from server.faults_crowd import Writer, check_log, wait_for_more, writing
from server.faults_feeds import Readers
from server.faults_processes import answered, until
from server.processes import Table, served

AWAY = 2.5
"""Seconds."""


@pytest.fixture(scope="module")
def postgres(fragile_postgres: Server) -> Server:
    """Returns a database server that the tests of this module may crash."""
    return fragile_postgres


def test_a_database_that_goes_away_is_waited_for(postgres: Server, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--timeout", "2", ledger=postgres.database()) as server:
        with server.client() as client:
            table = Table(client, server.host)
            readers = Readers(table, 5)
            readers.wait_for(1)
            writers = [Writer(f"writer {number}", server.url, [table]) for number in range(4)]
            with writing(writers):
                wait_for_more(writers, 5)
                postgres.restart()
                wait_for_more(writers, 5)
                assert answered(server.url) == 200
                postgres.crash()
                begun = time.monotonic()
                until(lambda: answered(server.url) == 503)
                refused = client.post(f"{table.path}/undo", headers=table.as_("gm"), json={"why": "away"})
                assert refused.status_code == 503
                assert refused.headers["content-type"] == "application/problem+json"
                assert refused.json()["slug"] in ("store/unusable", "store/busy", "store/unsure", "server/too-slow")
                assert answered(server.url, "/health") == 200
                time.sleep(max(0.0, begun + AWAY - time.monotonic()))
                postgres.start()
                until(lambda: answered(server.url) == 200)
                wait_for_more(writers, 5)
            readers.wait_for(table.get("state")["entries"])
            readers.end()
        assert server.process.poll() is None
        assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []
    check_log(server.ledger, writers, [table])
