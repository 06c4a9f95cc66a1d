"""A server is killed while clients write: what it acknowledged is there once, and other commands can be repeated."""

import random
import time
from pathlib import Path

import pytest
from any_ledger import new_ledger
from server.faults_crowd import Writer, check_log, wait_for_more, writing
from server.faults_processes import end_all
from server.processes import Served, Table

ROUNDS = {1: 4, 2: 2}
"""How often a server of this many processes is killed; more find more."""
WRITERS = 3
SESSIONS = 3


@pytest.mark.parametrize(
    ("kept", "workers"),
    [("sqlite", 1), ("sqlite", 2), ("postgresql", 1), ("postgresql", 2), ("nats", 1), ("nats", 2)],
)
def test_what_a_killed_server_acknowledged_is_there_once(
    kept: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ledger = new_ledger(kept, tmp_path, request)
    lives = random.Random(f"{kept} {workers}")
    options = ("--rate", "0", "--workers", str(workers))
    server = Served(tmp_path, *options, ledger=ledger)
    try:
        with server.client() as client:
            tables = [Table(client, server.host) for _ in range(SESSIONS)]
            writers = [Writer(f"writer {number}", server.url, tables) for number in range(WRITERS)]
            with writing(writers):
                for _ in range(ROUNDS[workers]):
                    wait_for_more(writers)
                    time.sleep(lives.random() * 0.2)
                    end_all(server)
                    server = Served(tmp_path, *options, ledger=ledger, port=server.port)
                wait_for_more(writers)
    finally:
        server.stop()
    assert sum(writer.unheard for writer in writers) > 0
    check_log(ledger, writers, tables)
