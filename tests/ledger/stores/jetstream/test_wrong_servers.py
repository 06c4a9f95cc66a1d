"""Wrong servers, users and addresses of monitoring are refused with the reason and with what would be accepted."""

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

import certifi
import pytest
from nats_servers import Servers, running
from nats_settings import JETSTREAM, Started, clustered, started

from ledger.errors import NotMigrated, ReadOnly, Refused, Unusable
from ledger.stores import migrate, open_store
from ledger.stores.jetstream.servers.address import parse
from ledger.stores.jetstream.servers.durability import ServerReports
from ledger.stores.jetstream.servers.errors import Answered, NotSent, refusal
from ledger.stores.jetstream.servers.failures import failure_of, reason
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.sending import Message

ACCOUNTS = """accounts {
    A { jetstream: enabled, users: [ { user: ann, password: secret } ] }
    B { users: [ { user: ben, password: secret } ] }
    $SYS { users: [ { user: system, password: secret } ] }
}"""
LATER = JETSTREAM.replace("always", "2m")
PATIENT = 240.0
"""Seconds for which only a store would wait that has no reason to refuse."""


@contextmanager
def greeting(words: bytes, answer: bytes = b"") -> Iterator[str]:
    """Yields the address of a program that greets each client with some words, may answer once, and closes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        connection.sendall(words)
                        if answer and connection.recv(4096):
                            connection.sendall(answer)

        Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


@contextmanager
def at_once() -> Iterator[None]:
    """Checks that something does not wait until the patience is used up."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < 20.0  # `migrate` has a patience of 30


def streams(url: str) -> list[str]:
    """Returns the names of a ledger's streams."""
    address = parse(url)
    with closing(Link(address, 20.0)) as link:
        answer = StreamReader(link).ask("STREAM.NAMES", {"subject": f"{address.ledger}.>"})
    return sorted(json.loads(answer).get("streams") or [])


@pytest.fixture(scope="module")
def guarded() -> Iterator[Started]:
    """A server alone with users, of which Ben's account has no JetStream."""
    with started(JETSTREAM, ACCOUNTS) as server:
        yield server


@pytest.fixture(scope="module")
def later() -> Iterator[Started]:
    """A server alone, which writes to disk now and then."""
    with started(LATER) as server:
        yield server


def test_servers_without_jetstream_are_refused_with_the_cause() -> None:
    with started() as server:
        for opened in (lambda: open_store(server.url(), patience=PATIENT), lambda: migrate(server.url())):
            with at_once(), pytest.raises(Unusable, match=f"has no JetStream: .*{server.client}") as refused:
                opened()
            assert "jetstream" in refused.value.accepts


def test_an_account_without_jetstream_is_refused_with_the_cause(guarded: Started) -> None:
    with pytest.raises(Unusable, match=r"the account .* has no JetStream") as refused:
        migrate(guarded.url("ben:secret@"))
    assert "jetstream: enabled" in refused.value.accepts


def test_a_ledger_is_used_through_a_server_without_jetstream_if_others_of_its_cluster_have_it() -> None:
    with clustered([f"{JETSTREAM}\n{ACCOUNTS}"] * 3 + [ACCOUNTS]) as servers:
        monitoring = ",".join(each.http for each in servers)
        url = servers[3].url("ann:secret@", replicas=3, monitoring=monitoring)
        deadline = time.monotonic() + 60
        while True:  # the servers find one another at first
            try:
                migrate(url)
                break
            except Refused:
                assert time.monotonic() < deadline
                time.sleep(0.2)
        system = f"nats://system:secret@{servers[3].client}"
        for each in (url, servers[3].url("ann:secret@", replicas=3, monitoring=system)):
            with closing(open_store(each)) as store:
                assert store.sessions() == []
        with pytest.raises(Unusable, match="has no JetStream"):
            migrate(servers[3].url("ben:secret@"))


def test_of_a_server_that_is_not_known_by_name_the_settings_are_needed_too(guarded: Started) -> None:
    ServerReports(parse(guarded.url())).check(set(), most_away=1)
    with started() as without:
        reports = ServerReports(parse(without.url()))
    with pytest.raises(Unusable, match="no address reports the settings of a server with JetStream"):
        reports.check(set(), most_away=1)


@pytest.mark.parametrize(("replicas", "accepts"), [(3, "three servers"), (5, "five servers")])
def test_a_server_alone_is_refused_for_several_copies(later: Started, replicas: int, accepts: str) -> None:
    url = later.url(replicas=replicas, fsync="trusted")
    with pytest.raises(Unusable, match=f"one server alone, and {replicas} copies") as refused:
        migrate(url)
    assert accepts in refused.value.accepts
    assert "replicas=1 in the address for a ledger that may be lost" in refused.value.accepts


def test_five_copies_need_five_servers(nats: Servers) -> None:
    url = nats.empty(shards=1, replicas=5)
    with pytest.raises(Unusable, match="five servers") as refused:
        migrate(url)
    assert "five servers" in refused.value.accepts
    assert streams(url) == []


def test_a_ledger_with_fewer_copies_than_the_address_demands_is_refused(nats: Servers) -> None:
    with pytest.raises(Unusable, match="3 of 5 copies") as refused:
        open_store(nats.ledger(shards=1).replace("replicas=3", "replicas=5"))
    assert "five servers" in refused.value.accepts


@pytest.mark.parametrize("user", ["ann:wrong-secret@", "eve:wrong-secret@", "ann@", ""])
def test_a_wrong_user_is_refused_with_the_cause(guarded: Started, user: str) -> None:
    with pytest.raises(ReadOnly, match="the user or the password is refused") as refused:
        open_store(guarded.url(user))
    assert "nats://user:password@host" in refused.value.accepts
    assert "secret" not in str(refused.value)


def test_a_host_that_is_not_known_is_refused_with_the_cause() -> None:
    with pytest.raises(Unusable, match=r"the name no\.such\.host\.invalid cannot be resolved") as refused:
        open_store("nats://no.such.host.invalid/x")
    assert "the name of a host" in refused.value.accepts


def test_a_port_at_which_nothing_listens_is_refused_with_the_cause() -> None:
    for host in ("127.0.0.1:9", "localhost:9"):
        with pytest.raises(Unusable, match=f"nothing listens at {host}") as refused:
            open_store(f"nats://{host}/x")
        assert "4222" in refused.value.accepts


def test_an_http_port_is_refused_with_the_cause(guarded: Started) -> None:
    http = guarded.http.removeprefix("http://")
    with pytest.raises(Unusable, match=f"an HTTP server answers at {http}") as refused:
        open_store(f"nats://{http}/x")
    assert "monitoring=" in refused.value.accepts


@pytest.mark.parametrize("words", [b"SSH-2.0-OpenSSH_9.2\r\n", b"INFO\r\n", b"INFO {\r\n", b"", b"x" * 100_000])
def test_another_program_than_a_nats_server_is_refused_with_the_cause(words: bytes) -> None:
    with greeting(words) as where, pytest.raises(Unusable, match=f"no NATS server greets at {where}") as refused:
        open_store(f"nats://{where}/x")
    assert "4222" in refused.value.accepts


def test_a_server_that_closes_the_connection_is_refused_with_its_address() -> None:
    with (
        greeting(b'INFO {"version": "2.12.0"}\r\n') as where,
        pytest.raises(Unusable, match=f"reached: {where} ") as refused,
    ):
        open_store(f"nats://{where}/x")
    assert refused.value.accepts


def test_a_server_without_tls_is_refused_with_the_cause(guarded: Started) -> None:
    for url in (guarded.url().replace("nats://", "tls://"), guarded.url(ca=certifi.where())):
        with pytest.raises(Unusable, match=f"TLS is demanded, and is not offered by {guarded.client}") as refused:
            open_store(url)
        assert "nats://" in refused.value.accepts


def test_a_server_whose_tls_fails_is_refused_at_once() -> None:
    words = b'INFO {"version": "2.12.0", "max_payload": 1024, "tls_required": true}\r\n'
    with (
        at_once(),
        greeting(words, b"no TLS\r\n") as where,
        pytest.raises(Unusable, match=f"TLS cannot be begun with {where}") as refused,
    ):
        open_store(f"nats://{where}/x", patience=PATIENT)
    assert "certificate" in refused.value.accepts


def test_a_certificate_that_is_not_accepted_is_named() -> None:
    error = ssl.SSLCertVerificationError(1, "raw text")
    error.verify_message = "certificate has expired"
    assert (
        reason({"one:4222": failure_of(error)})
        == "the certificate of one:4222 is not accepted (certificate has expired)"
    )


def test_several_servers_are_refused_with_the_cause_of_each() -> None:
    with pytest.raises(Unusable) as refused:
        open_store("nats://127.0.0.1:9,no.such.host.invalid,127.0.0.1:11/x")
    assert refused.value.message == (
        "no server of nats://127.0.0.1:9,no.such.host.invalid:4222,127.0.0.1:11/x can be reached: "
        "the name no.such.host.invalid cannot be resolved; nothing listens at 127.0.0.1:9 and 127.0.0.1:11"
    )
    assert refused.value.where == "ledger"


def test_of_many_servers_only_the_causes_are_named() -> None:
    hosts = ",".join(f"127.0.0.1:{port}" for port in range(9, 14))
    with pytest.raises(Unusable, match=r"nothing listens at 127\.0\.0\.1:9 and 4 others"):
        open_store(f"nats://{hosts}/x")


@pytest.mark.parametrize(
    ("option", "content", "words"),
    [("credentials", "rubbish\n", "holds no credentials of a NATS user"), ("ca", "rubbish\n", "holds no certificate")],
)
def test_a_file_with_something_else_is_refused(tmp_path: Path, option: str, content: str, words: str) -> None:
    file = tmp_path / "rubbish"
    file.write_text(content)
    for path in (file, tmp_path):
        with pytest.raises(Unusable, match=words if path == file else "there is no file") as refused:
            open_store(f"nats://127.0.0.1:9/x?{option}={path}")
        assert (refused.value.where, bool(refused.value.accepts)) == (option, True)


@pytest.mark.parametrize(
    ("monitoring", "words"),
    [
        ("http://127.0.0.1:9", "nothing listens at 127.0.0.1:9"),
        ("http://no.such.host.invalid:8222", "the name no.such.host.invalid cannot be resolved"),
        ("http://CLIENT", "something else than the settings of a NATS server"),
        ("http://HTTP/nowhere", "HTTP 404"),
        ("nats://system:secret@127.0.0.1:9", "nothing listens at 127.0.0.1:9"),
        ("nats://system:wrong-secret@CLIENT", "the user or the password is refused"),
        ("nats://ann:secret@CLIENT", "not a user of the system account"),
    ],
)
def test_an_address_of_monitoring_without_settings_is_refused(guarded: Started, monitoring: str, words: str) -> None:
    ledger = guarded.url("ann:secret@", fsync="trusted")
    migrate(ledger)
    where = monitoring.replace("CLIENT", guarded.client).replace("HTTP", guarded.http.removeprefix("http://"))
    with pytest.raises(Unusable, match=words) as refused:
        open_store(guarded.url("ann:secret@", monitoring=where))
    assert re.sub(":[a-z-]*secret@", ":…@", where) in refused.value.message
    assert (refused.value.where, "monitoring=" in refused.value.accepts) == ("ledger", True)
    assert not re.search("secret|urlopen|Errno", str(refused.value))


def test_a_server_alone_that_reports_nothing_is_refused(later: Started) -> None:
    trusted = later.url(fsync="trusted").replace("/x?", "/alone?")
    migrate(trusted)
    with pytest.raises(Unusable, match="nothing listens at"):
        open_store(later.url(monitoring="http://127.0.0.1:9").replace("/x?", "/alone?"))


@pytest.mark.parametrize(
    ("allowed", "denied"), [("x.>", "STREAM.INFO.x-ledger"), ("$JS.API.STREAM.INFO.>", "STREAM.CREATE.x-log-0")]
)
def test_a_user_without_permissions_is_refused_with_the_first_that_is_missing(allowed: str, denied: str) -> None:
    user = f'{{ user: ann, password: secret, permissions: {{ publish: "{allowed}" }} }}'
    with started(JETSTREAM, f"authorization {{ users: [ {user} ] }}") as server:
        with pytest.raises(ReadOnly, match=rf"may not publish to \$JS\.API\.{denied}") as refused:
            migrate(server.url("ann:secret@"))
        assert "$JS.API.>" in refused.value.accepts


def test_a_name_whose_subjects_another_stream_has_is_refused(later: Started) -> None:
    url = later.url(fsync="trusted").replace("/x?", "/taken?")
    with closing(Link(parse(url), 20.0)) as link:
        StreamReader(link).ask("STREAM.CREATE.other", {"name": "other", "subjects": ["taken.>"]})
    with pytest.raises(Unusable, match="has subjects which begin with taken") as refused:
        migrate(url)
    assert "another name" in refused.value.accepts


def test_an_account_with_room_for_fewer_streams_is_refused_with_the_cause() -> None:
    account = "A { jetstream: { max_streams: 2 }, users: [ { user: ann, password: secret } ] }"
    with started(JETSTREAM, f"accounts {{ {account} }}") as server:
        with pytest.raises(Unusable, match="may have no more streams") as refused:
            migrate(server.url("ann:secret@"))
        assert "3 streams" in refused.value.accepts


def test_a_ledger_without_streams_is_refused_with_the_command_that_creates_them(guarded: Started) -> None:
    url = guarded.url("ann:secret@").replace("/x?", "/none?")
    with pytest.raises(NotMigrated, match="has no streams yet: run affray migrate") as refused:
        open_store(url)
    assert refused.value.accepts == f"affray --ledger '{url.replace('secret', '…')}' migrate"


def test_servers_that_lose_entries_are_refused_before_streams_are_created(later: Started) -> None:
    with pytest.raises(Unusable, match="before they are on its disk"):
        migrate(later.url())
    assert streams(later.url()) == []


def test_a_refused_call_ends_with_its_first_stream_and_the_next_one_completes_it(nats: Servers) -> None:
    url = nats.empty(shards=2, monitoring=f"http://127.0.0.1:{nats.nodes[0].http}")
    with pytest.raises(Unusable, match=r"node[23]"):
        migrate(url)
    ledger = parse(url).ledger
    assert streams(url) == [f"{ledger}-log-0"]
    assert len(migrate(nats.url(ledger, shards=2))) == 3


def test_a_refused_call_removes_no_stream_that_another_one_has_created(nats: Servers) -> None:
    good, bad = (nats.empty(shards=2), f"http://127.0.0.1:{nats.nodes[0].http}")
    with ThreadPoolExecutor(2) as threads:
        refused = threads.submit(migrate, nats.url(parse(good).ledger, shards=2, monitoring=bad))
        migrate(good)
        with pytest.raises(Unusable, match=r"node[23]"):
            refused.result()
    with closing(open_store(good)) as store:
        assert store.sessions() == []


def test_only_a_write_is_refused_with_the_clause_that_nothing_was_written() -> None:
    with running(1) as servers, closing(Link(parse(servers.empty()), 1.0)) as link:
        servers.nodes[0].kill()
        with pytest.raises(NotSent) as read:
            StreamReader(link).last("x", "x")
        with pytest.raises(NotSent) as write:  # by now the client has noticed that the connection is lost
            link.write([Message("x", b"")], 1.0)
    assert refusal(write.value, "nats://x").message.endswith("answer now; nothing was written")
    assert refusal(read.value, "nats://x").message.endswith("answer now")


def test_a_write_that_the_servers_refuse_for_the_moment_is_refused_in_plain_words() -> None:
    raw = Answered({"err_code": 10008, "description": "JetStream system temporarily unavailable"})
    assert refusal(raw, "nats://x").message == "nats://x is busy; nothing was written"
