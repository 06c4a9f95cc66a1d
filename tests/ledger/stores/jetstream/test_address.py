"""Addresses of ledgers in JetStream."""

import pytest

from ledger.errors import UnknownStore
from ledger.stores import open_store
from ledger.stores.jetstream.servers.address import parse


def test_an_address_has_servers_a_ledger_a_user_and_options() -> None:
    address = parse(
        "nats://ann:p%40ss@one,two:4333,[::1]:4444/evenings?replicas=1&shards=8&monitoring=http://a:1,http://b:2"
    )

    assert address.servers == ("one:4222", "two:4333", "[::1]:4444")
    assert (address.ledger, address.user, address.password) == ("evenings", "ann", "p@ss")
    assert (address.replicas, address.shards, address.is_trusted) == (1, 8, False)
    assert address.monitoring == ("http://a:1", "http://b:2")
    assert address.name == "nats://one:4222,two:4333,[::1]:4444/evenings"


def test_an_address_needs_only_a_server() -> None:
    address = parse("nats://one")

    assert (address.servers, address.ledger, address.user, address.replicas) == (("one:4222",), "affray", None, 3)
    assert (address.shards, address.is_encrypted, address.monitoring) == (None, False, ())


def test_tls_is_demanded_by_the_scheme_or_an_authority() -> None:
    assert parse("tls://one").is_encrypted
    assert parse("nats://one?ca=/etc/ssl/ours.pem").is_encrypted


@pytest.mark.parametrize(
    "wrong",
    [
        "nats://", "nats://one,/x", "nats://one:port/x", "nats://one/a.b", "nats://one/a*", "nats://one?shards=0",
        "nats://one?shards=many", "nats://one?replicas=6", "nats://one?fsync=never", "nats://one?fsnyc=trusted",
        "nats://ann:se@cret@one", "nats://ann:se:cret@one", "nats://one?replicas",
    ],
)  # fmt: skip
def test_a_malformed_address_is_refused_without_its_password(wrong: str) -> None:
    with pytest.raises(UnknownStore) as refused:
        open_store(wrong)
    assert refused.value.accepts
    assert "cret" not in str(refused.value)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownStore, match="fsnyc") as refused:
        parse("nats://one?fsnyc=trusted")
    assert "fsync" in str(refused.value.accepts)
