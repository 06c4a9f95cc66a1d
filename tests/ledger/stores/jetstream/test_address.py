"""Addresses of ledgers in JetStream."""

import pytest

from ledger.errors import UnknownStore
from ledger.stores import open_store
from ledger.stores.jetstream.servers.address import parse, with_shards


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
        "nats://ann:se@cret@one", "nats://ann:se:cret@one", "nats://one?replicas", "nats://ann:12#cret@one",
        "nats://ann:12?cret=4@one/x", "nats://ann:12?a=1&b=cret@one/x", "nats://ann:12?cret@b=4", "nats://ann:12/cret@one",
        "nats://ann:cret@one?monitoring=x", "nats://one?monitoring=nats://sys:se:cret@one",
        "nats://one?monitoring=http://ann:cret@one:8222", "nats://ann:cret@one?shards=2&shards=3",
    ],
)  # fmt: skip
def test_a_malformed_address_is_refused_without_its_password(wrong: str) -> None:
    with pytest.raises(UnknownStore) as refused:
        open_store(wrong)
    assert refused.value.accepts
    assert "cret" not in str(refused.value)
    assert "12" not in str(refused.value)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownStore, match="fsnyc") as refused:
        parse("nats://one?fsnyc=trusted")
    assert "fsync" in str(refused.value.accepts)


@pytest.mark.parametrize("replicas", [1, 3, 5])
def test_one_three_or_five_copies_are_kept_of_each_entry(replicas: int) -> None:
    assert parse(f"nats://one?replicas={replicas}").replicas == replicas


@pytest.mark.parametrize(
    ("replicas", "words"),
    [
        ("2", "while one of two servers is missing: the other one is no majority"),
        ("4", "two of four servers are no majority"),
        ("0", "replicas is 1, 3 or 5"),
        ("6", "replicas is 1, 3 or 5"),
        ("three", "replicas is 1, 3 or 5"),
    ],
)
def test_another_number_of_copies_is_refused_with_its_reason(replicas: str, words: str) -> None:
    with pytest.raises(UnknownStore, match=words) as refused:
        parse(f"nats://one?replicas={replicas}")
    assert "replicas=3" in refused.value.accepts
    assert "replicas=1 in the address for a ledger that may be lost" in refused.value.accepts


@pytest.mark.parametrize(
    ("address", "words", "accepts"),
    [
        (f"nats://one?shards={'9' * 5_000}", "shards is a number from 1 to 1024", "shards=64"),
        ("nats://one?shards=2&shards=3", "the option shards is there twice", "shards once"),
        ("nats://one?monitoring=http://a:1&monitoring=http://b:1", "the option monitoring is there twice", "commas"),
        ("nats://one?shards=0", "shards is a number from 1 to 1024", "shards=64"),
        ("nats://one?fsync=never", "fsync can only be 'trusted'", "fsync=trusted"),
        ("nats://one?ca=", "the option ca is empty", "ca=FILE"),
        ("nats://one/a.b", "the name of a ledger", "/evenings"),
    ],
)
def test_a_mistake_is_refused_with_what_is_accepted_in_its_place(address: str, words: str, accepts: str) -> None:
    with pytest.raises(UnknownStore, match=words) as refused:
        parse(address)
    assert accepts in refused.value.accepts


@pytest.mark.parametrize(
    "wrong",
    ["x", "ftp://one", "http://", "http://one:99999", "http://a b", "http://ann:secret@one:8222", "nats://one:x"],
)
def test_a_malformed_address_of_monitoring_is_refused_like_any_other(wrong: str) -> None:
    with pytest.raises(UnknownStore, match="monitoring") as refused:
        parse(f"nats://one?monitoring=http://one:8222,{wrong}")
    assert (refused.value.where, refused.value.slug) == ("ledger", "store/unknown")
    assert "monitoring=http://host:8222" in refused.value.accepts


def test_an_address_is_shown_as_it_was_given_but_without_its_passwords() -> None:
    given = "nats://ann:p%40ss@one,two:4333/evenings?monitoring=http://one:8222,nats%3A%2F%2Fsys%3Apass@two&shards=8"
    shown = "nats://ann:…@one,two:4333/evenings?monitoring=http://one:8222,nats://sys:…@two&shards=8"

    assert parse(given).shown == shown
    assert parse("tls://one?ca=/it's here.pem").shown == "tls://one?ca=/it%27s%20here.pem"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("nats://one,two,three/affray", "nats://one,two,three/affray?shards=16"),
        ("nats://u:p%40@one/affray?fsync=trusted", "nats://u:p%40@one/affray?fsync=trusted&shards=16"),
        ("nats://one/affray?", "nats://one/affray?shards=16"),
        ("nats://one/affray?shards=16&replicas=1", "nats://one/affray?shards=16&replicas=1"),
    ],
)
def test_the_number_of_shards_is_added_to_an_address(url: str, expected: str) -> None:
    assert with_shards(url, 16) == expected
    assert parse(expected).shards == 16
