"""The machine's clock is set back and forward while the server runs: only recorded times are affected."""

from datetime import datetime
from pathlib import Path

import pytest
from server import faults_clock
from server.faults_crowd import Writer, wait_for_more, writing
from server.faults_feeds import Readers
from server.faults_processes import check_well
from server.processes import PATIENCE, Table, served

HOUR = 3600.0


@pytest.mark.parametrize("shift", [-HOUR, HOUR], ids=["back", "forward"])
def test_a_clock_that_is_set_changes_nothing_but_the_times(shift: float, tmp_path: Path) -> None:
    wrapper = (faults_clock.__file__,)
    with served(tmp_path, "--rate", "0", wrapper=wrapper) as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        readers = Readers(table, 3)
        readers.wait_for(6)
        writers = [Writer(f"writer {number}", server.url, [table]) for number in range(2)]
        with writing(writers):
            wait_for_more(writers, 3)
            faults_clock.set_clock(tmp_path, shift)
            wait_for_more(writers, 3)
        done = table.do({"type": "Note", "text": "later"})
        entries = table.get("entries")
        assert [entry["seq"] for entry in entries] == list(range(1, done["last"] + 1))
        times = [datetime.fromisoformat(entry["at"]) for entry in entries]
        assert HOUR - PATIENCE < abs((times[-1] - times[0]).total_seconds()) < HOUR + 3 * PATIENCE
        readers.wait_for(done["last"])
        readers.end()
        founded = Table(client, server.host, "ben")
        assert founded.get("state", "ben")["entries"] == 1
        listed = [one["session"] for one in client.get("/v1/sessions", headers=server.host).json()]
        assert listed == [founded.session, table.session]
        assert table.get("audit")
        check_well(server, table)


def test_a_clock_that_is_set_shuts_nobody_out(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "5", wrapper=(faults_clock.__file__,)) as server, server.client() as client:
        for shift in (-HOUR, HOUR, 0.0):
            while client.get("/v1/rulesets").status_code == 200:
                pass
            faults_clock.set_clock(tmp_path, shift)
            answers = [client.get("/v1/rulesets").status_code for _ in range(10)]
            assert 429 in answers
            while client.get("/v1/rulesets").status_code == 429:
                pass
