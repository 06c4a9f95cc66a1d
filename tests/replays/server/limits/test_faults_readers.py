"""Five hundred clients read one session live, and some of them lose the connection."""

from pathlib import Path

from server.faults_feeds import Readers
from server.faults_processes import check_well
from server.processes import Table, served

READERS = 500
COMMANDS = 50


def test_five_hundred_readers_hear_everything_once_and_in_order(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--feeds", f"{READERS}") as server, server.client() as client:
        table = Table(client, server.host)
        readers = Readers(table, READERS, leaving=lambda number: 10 + number % 30 if number % 5 == 0 else 0)
        readers.wait_for(1)
        for number in range(COMMANDS):
            table.do({"type": "Note", "text": f"{number}"})
        readers.wait_for(COMMANDS + 1)
        assert all(len(heard) == COMMANDS + 1 for heard in readers.end())
        assert readers.texts[1:] == [f"{number}" for number in range(COMMANDS)]
        check_well(server, table)
