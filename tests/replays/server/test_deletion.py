"""A session that is deleted, or found to be cut, while a server runs: it is refused, and the others continue."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from server.processes import PATIENCE, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ledger.entry import Who
from ledger.stores import open_store
from ledger.tombstone import Deletion


def test_a_session_that_is_deleted_while_it_is_served_is_refused_and_others_go_on(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        doomed, other = Table(client, server.host), Table(client, server.host)
        with connect(f"ws://127.0.0.1:{server.port}{doomed.path}/feed") as reader:
            reader.send(json.dumps({"token": doomed.issued["spectator"]["token"]}))
            reader.recv(timeout=PATIENCE)
            with closing(open_store(server.ledger)) as store:
                store.delete(doomed.session, Deletion(Who("ana"), "2024-11-04T09:00:00.000Z", "The player asked."))
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    reader.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, "session/deleted")
        for answer in (
            client.get(f"{doomed.path}/state", headers=doomed.as_("gm")),
            doomed.ask({"type": "Note", "text": "Is anybody there?"}),
        ):
            assert (answer.status_code, answer.json()["slug"]) == (404, "session/deleted")
            assert "ana (gm) at 2024-11-04T09:00:00.000Z: The player asked." in answer.json()["detail"]
        other.do({"type": "Note", "text": "We are."})
        listed = client.get("/v1/sessions", headers=server.host).text
        assert other.session in listed
        assert doomed.session not in listed


def test_a_server_signs_the_heads_and_serves_all_but_the_session_that_was_cut(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        tables = [Table(client, server.host), Table(client, server.host)]
        for table in tables:
            table.do({"type": "Note", "text": "One more."})
    lines = [json.loads(line) for line in (tmp_path / "affray.db-heads").read_bytes().split(b"\n") if line]
    assert all(line["mac"] for line in lines)
    with closing(sqlite3.connect(tmp_path / "affray.db", isolation_level=None)) as shell:
        shell.execute("DROP TRIGGER entries_no_DELETE")
        shell.execute("DELETE FROM entries WHERE id = (SELECT max(id) FROM entries WHERE id < 2 * 4294967296)")
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        cut, whole = tables
        answer = client.get(f"{cut.path}/state", headers=cut.as_("gm"))
        assert (answer.status_code, answer.json()["slug"]) == (500, "log/cut")
        assert "1 entry of" in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
        answer = client.get(f"{whole.path}/state", headers=whole.as_("gm"))
        assert answer.status_code == 200
