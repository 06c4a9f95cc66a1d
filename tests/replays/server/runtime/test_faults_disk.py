"""The disk is full, or the ledger is gone: writing is refused and reading continues until there is space again."""

import resource
from pathlib import Path

import pytest
from server.faults_crowd import Writer, wait_for_more
from server.faults_feeds import Readers
from server.faults_processes import check_well
from server.processes import Served, Table, served


def limit(server: Served, size: int) -> None:
    """Limits the size of the files that the server writes."""
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def refused(table: Table) -> str:
    """Sends a command that cannot be written; returns the slug of the refusal."""
    answer = table.ask({"type": "Note", "text": "x" * 20_000}, Idempotency_Key="once")
    assert answer.status_code in (503, 507), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    slug: str = answer.json()["slug"]
    return slug


def test_a_full_disk_stops_writing_but_not_reading(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host).brawl()
        writers = [Writer("early", server.url, [table])]
        wait_for_more(writers, 5)
        writers[0].end()
        last = table.get("state")["entries"]
        readers = Readers(table, 2)
        limit(server, max((tmp_path / name).stat().st_size for name in ("affray.db-wal", "server.log")) + 9_000)
        for _ in range(5):
            assert refused(table) in ("store/full", "store/unusable")
            assert table.get("state")["entries"] == last
            assert len(table.get("entries")) == last
        asked = client.post("/v1/sessions", headers=server.host, json={"ruleset": "gurps_3e", "title": "x" * 200})
        assert asked.status_code in (201, 503, 507)
        limit(server, resource.RLIM_INFINITY)
        done = table.do({"type": "Note", "text": "x" * 20_000}, Idempotency_Key="once")
        assert done["last"] == last + 1
        readers.wait_for(last + 1)
        readers.end()
        check_well(server, table)


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_ledger_that_is_gone_is_not_written_into(how: str, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        ledger, away = tmp_path / "affray.db", tmp_path / "away.db"
        ledger.rename(away)
        if how == "replaced":
            ledger.write_bytes(b"")
        assert refused(table) == "store/unusable"
        assert table.get("state")["entries"] == 6
        spectator = table.issued["spectator"]["id"]
        revoked = client.delete(f"{table.path}/tokens/{spectator}", headers=table.as_("gm"))
        assert revoked.status_code == 503
        assert client.post("/v1/sessions", headers=server.host, json={"ruleset": "gurps_3e"}).status_code == 503
        ledger.unlink(missing_ok=True)
        away.rename(ledger)
        assert table.do({"type": "Note", "text": "x"})["last"] == 7
        assert table.get("state", "spectator")["entries"] == 7
        check_well(server, table)
