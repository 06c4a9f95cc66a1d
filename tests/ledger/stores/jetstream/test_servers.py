"""Servers that would lose what they acknowledge are refused."""

import json
import platform
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import certifi
import pytest
from ledger_records import fill
from nats_servers import Servers, check_program, running

from ledger.errors import Damaged, Newer, NotMigrated, Refused, StoreRefused, UnknownStore, Unusable
from ledger.stores import migrate, open_store
from ledger.stores.jetstream.servers.address import parse
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.names import LedgerNames
from ledger.stores.jetstream.servers.reading import StreamReader


@pytest.fixture(scope="module")
def alone() -> Iterator[Servers]:
    """A server alone, which writes to disk now and then."""
    with running(1, sync="2m") as servers:
        yield servers


@contextmanager
def pretended(version: str, received: list[bytes] | None = None) -> Iterator[str]:
    """Yields the address of something that greets as a server of a version; collects what it receives."""
    greeting = {"server_id": "X", "server_name": "x", "version": version, "max_payload": 1_048_576, "headers": True}
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(f"INFO {json.dumps(greeting)}\r\n".encode())
                while read := connection.recv(4096):
                    if received is not None:
                        received.append(read)
                    if b"PING" in read:
                        connection.sendall(b"PONG\r\n")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield f"nats://127.0.0.1:{listening.getsockname()[1]}/x"
        thread.join(10)


@pytest.mark.parametrize("version", ["2.9.10", "2.11.3"])
def test_servers_before_2_12_are_refused(version: str) -> None:
    with pretended(version) as url, pytest.raises(Unusable, match=version.rpartition(".")[0]) as refused:
        open_store(url)
    assert "2.12" in str(refused.value.accepts)


@pytest.mark.parametrize("change", ["scheme", "ca"])
def test_nothing_is_sent_without_tls_where_the_address_demands_it(change: str) -> None:
    received = list[bytes]()
    with pretended("2.12.0", received) as url:
        where = url.replace("nats://", "tls://ann:secret@" if change == "scheme" else "nats://ann:secret@")
        with pytest.raises(StoreRefused):
            open_store(where if change == "scheme" else f"{where}?ca={_authority()}", patience=2.0)
    assert received == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nats://127.0.0.1:99999/evenings", "server 1 of the address is not of the form host or host:port"),
        ("nats://127.0.0.1,b:x/evenings", "server 2 of the address is not of the form host or host:port"),
        ("nats://[::1/evenings", "not the address"),
        ("nats://127.0.0.1/evenings?fsync", "an option of the address is not of the form name=value"),
        ("nats://ann:pa?ss@127.0.0.1/evenings", "special character in the password"),
        ("nats://127.0.0.1/evenings?fsync=trusted#x", "no part behind #"),
        ("nats://127.0.0.1:9/evenings?credentials=/nowhere", "no file /nowhere"),
        ("nats://127.0.0.1:9/evenings?ca=/nowhere", "no file /nowhere"),
    ],
)
def test_an_address_with_a_mistake_is_refused_with_its_reason(address: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        open_store(address)


def _authority() -> str:
    return certifi.where()


def test_a_server_that_writes_to_disk_later_is_refused_unless_it_is_trusted(alone: Servers) -> None:
    with pytest.raises(Unusable, match="before they are on its disk") as refused:
        migrate(alone.empty(shards=1))
    assert "sync_interval: always" in str(refused.value.accepts)
    trusted = alone.empty(shards=1, fsync="trusted")
    migrate(trusted)
    open_store(trusted).close()


def test_an_address_without_monitoring_is_refused_unless_the_servers_are_trusted(nats: Servers) -> None:
    url = nats.ledger().partition("?")[0]
    with pytest.raises(Unusable, match="is not known") as refused:
        open_store(url)
    assert "fsync=trusted" in str(refused.value.accepts)
    open_store(f"{url}?fsync=trusted").close()


def test_each_server_that_stores_the_ledger_has_to_report_its_settings(nats: Servers) -> None:
    url = nats.ledger().partition("?")[0]
    some = f"http://127.0.0.1:{nats.nodes[0].http}"
    with pytest.raises(Unusable, match=r"node[23]"):
        open_store(f"{url}?monitoring={some}")


def test_the_system_account_reports_the_settings_of_all_servers(nats: Servers) -> None:
    url = nats.ledger().partition("?")[0]
    system = f"nats://system:system@127.0.0.1:{nats.nodes[1].port}"
    open_store(f"{url}?monitoring={system}").close()


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [("ftp://127.0.0.1", UnknownStore), ("http://127.0.0.1:9", Unusable), ("nats://127.0.0.1:9", Unusable)],
)
def test_an_address_of_monitoring_where_nothing_answers_is_refused(
    nats: Servers, wrong: str, kind: type[StoreRefused]
) -> None:
    url = nats.ledger().partition("?")[0]
    with pytest.raises(kind):
        open_store(f"{url}?monitoring={wrong}", patience=1.0)


def test_fewer_than_three_copies_are_refused_unless_the_address_asks_for_them(alone: Servers) -> None:
    url = alone.empty(shards=1, fsync="trusted")
    migrate(url)
    with pytest.raises(Unusable, match="1 of 3 copies") as refused:
        open_store(url.replace("replicas=1", "replicas=3"))
    assert "replicas=1" in str(refused.value.accepts)


def test_a_ledger_without_streams_is_refused_before_it_is_migrated(nats: Servers) -> None:
    with pytest.raises(NotMigrated):
        open_store(nats.empty())


def test_a_ledger_is_made_once_and_keeps_the_number_of_its_shards(nats: Servers) -> None:
    url = nats.empty(shards=2)

    assert len(migrate(url)) == 4
    assert migrate(url) == ()
    with pytest.raises(Unusable, match="2 shards"):
        open_store(url.replace("shards=2", "shards=3"))


def _lose(url: str, stream: str) -> str:
    name = f"{parse(url).ledger}-{stream}"
    with closing(Link(parse(url), 20.0)) as link:
        StreamReader(link).ask(f"STREAM.DELETE.{name}", {})
    return name


def test_a_stream_of_checkpoints_that_is_missing_is_made_again(nats: Servers) -> None:
    url = nats.ledger(shards=2)
    lost = _lose(url, "checkpoints")
    with pytest.raises(NotMigrated, match=f"has no stream {lost}"):
        open_store(url)
    assert migrate(url) == (lost,)
    open_store(url).close()


@pytest.mark.parametrize(
    ("stream", "left"),
    [(f"log-{LedgerNames('', 3).shard_of('doors')}", []), ("ledger", ["doors"])],
    ids=["log", "ledger"],
)
def test_a_lost_stream_is_reported_and_made_anew_only_if_its_loss_is_accepted(
    nats: Servers, stream: str, left: list[str]
) -> None:
    url = nats.ledger(shards=3)
    with closing(open_store(url)) as store:
        fill(store, 3)
    lost, anywhere = _lose(url, stream), url.replace("&shards=3", "")
    for use in (open_store, migrate):
        with pytest.raises(Damaged, match=f"{lost} .* is missing") as refused:
            use(anywhere)
        assert "lost=accepted" in refused.value.accepts
    assert migrate(f"{anywhere}&lost=accepted") == (lost,)
    with closing(open_store(url)) as store:  # with as many shards as before
        assert store.sessions() == left


def test_a_ledger_that_has_lost_the_number_of_its_shards_accepts_no_other(nats: Servers) -> None:
    url = nats.ledger(shards=3)
    with closing(open_store(url)) as store:
        for number in range(20):
            store.create(f"session {number}")
        sessions = store.sessions()
    _lose(url, "ledger")
    for wrong in (1, 2, 4):
        with pytest.raises(Unusable, match=f"was not made with {wrong} shards") as refused:
            migrate(url.replace("shards=3", f"shards={wrong}&lost=accepted"))
        assert "shards=" in refused.value.accepts
    migrate(f"{url}&lost=accepted")
    with closing(open_store(url)) as store:
        assert store.sessions() == sessions


def test_what_an_interrupted_migration_made_is_completed(nats: Servers) -> None:
    url = nats.ledger(shards=3)
    lost = {_lose(url, stream) for stream in ("log-2", "checkpoints", "ledger")}
    with pytest.raises(NotMigrated, match="has no streams yet"):
        open_store(url)
    assert {*migrate(url)} == lost


def test_migrate_refuses_a_ledger_with_fewer_copies_than_the_address_demands(alone: Servers) -> None:
    url = alone.empty(shards=1, fsync="trusted")
    migrate(url)
    with pytest.raises(Unusable, match="1 of 3 copies"):
        migrate(url.replace("replicas=1", "replicas=3"))


@pytest.mark.parametrize("change", [{"max_age": 3_600_000_000_000}, {"max_msgs": 1_000}, {"discard": "old"}])
def test_a_stream_that_would_lose_messages_is_refused(nats: Servers, change: dict[str, object]) -> None:
    url = nats.ledger(shards=1)
    _change(url, "log-0", change)
    with pytest.raises(Damaged, match=next(iter(change))):
        open_store(url)


def test_a_ledger_of_a_newer_affray_is_refused(nats: Servers) -> None:
    url = nats.ledger(shards=1)
    _change(url, "ledger", {"metadata": {"affray-layout": "2", "affray-shards": "1"}})
    with pytest.raises(Newer):
        open_store(url)


def _change(url: str, stream: str, change: dict[str, object]) -> None:
    name = f"{parse(url).ledger}-{stream}"
    with closing(Link(parse(url), 20.0)) as link:
        reader = StreamReader(link)
        config = json.loads(reader.ask(f"STREAM.INFO.{name}", {}))["config"]
        answer = json.loads(reader.ask(f"STREAM.UPDATE.{name}", {**config, **change}))
        assert "error" not in answer, answer


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="no program is known for it")
def test_tests_run_the_known_program_and_no_other(tmp_path: Path) -> None:
    other = tmp_path / "nats-server"
    other.write_bytes(b"another program")

    with pytest.raises(RuntimeError, match="is not the program"):
        check_program(other)


def test_a_ledger_is_opened_while_one_of_three_servers_is_away_and_not_while_two_are() -> None:
    with running() as servers:
        url = servers.ledger()
        system = f"{url.partition('?')[0]}?monitoring=nats://system:system@127.0.0.1:{servers.nodes[0].port}"
        with closing(open_store(url)) as store:
            store.create("S")
        servers.nodes[2].kill()
        nowhere = f"http://127.0.0.1:{servers.nodes[0].http}/nowhere"
        for wrong, kind in (("ftp://127.0.0.1", UnknownStore), (nowhere, Unusable)):
            with pytest.raises(kind):
                open_store(f"{url.rpartition(',')[0]},{wrong}{url[url.index('&') :]}")
        for each in (url, system):
            with closing(open_store(each)) as store:
                assert store.sessions() == ["S"]
                store.keep_checkpoint("S", b"kept")
        servers.nodes[1].kill()
        for each in (url, system):
            with pytest.raises(Refused):
                open_store(each, patience=3.0)
