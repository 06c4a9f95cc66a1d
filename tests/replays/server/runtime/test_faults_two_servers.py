"""Two servers on one ledger: one order, nothing lost or repeated, and each feed has what the other server wrote."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from any_ledger import new_ledger
from server.faults_crowd import Writer, check_log, wait_for_more, writing
from server.faults_feeds import Readers
from server.faults_processes import check_well
from server.processes import Table, served

EACH = 4


@pytest.mark.parametrize("kept", ["sqlite", "postgresql", "nats"])
def test_two_servers_write_one_log_and_tell_of_it_alike(
    kept: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ledger = new_ledger(kept, tmp_path, request)
    with ExitStack() as stack:
        one, other = [stack.enter_context(served(tmp_path, "--rate", "0", ledger=ledger)) for _ in range(2)]
        client = stack.enter_context(one.client())
        table = Table(client, one.host)
        readers = [Readers(table, 3, url=server.url) for server in (one, other)]
        for each in readers:
            each.wait_for(1)
        writers = [
            Writer(f"writer {number}", (one, other)[number % 2].url, [table], matching=True) for number in range(4)
        ]
        with writing(writers):
            wait_for_more(writers, EACH)
        last = table.get("state")["entries"]
        for each in readers:
            each.wait_for(last)
            assert all(len(heard) == last for heard in each.end())
            assert each.cut == 0
        assert readers[0].texts == readers[1].texts
        check_log(ledger, writers, [table])
        for server in (one, other):
            check_well(server, table)
    conflicts = [pair for writer in writers for pair in writer.conflicts]
    assert conflicts
    assert all(expected < actual <= last for expected, actual in conflicts)
    assert {slug for writer in writers for slug in writer.refusals} == {"log/stale"}
