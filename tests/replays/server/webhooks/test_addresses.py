"""Which addresses a webhook may have: public ones, however they are written, and those of the operator's networks."""

import asyncio
import socket

import pytest

from replays.server.webhooks.addresses import (
    LONGEST,
    HookAddress,
    NotPublic,
    check_resolved,
    parse_address,
    parse_networks,
)
from replays.server.webhooks.refusals import BadHookAddress, BadHookNetwork
from replays.server.webhooks.resolving import resolve

REFUSED = (
    "127.0.0.1", "127.8.9.10", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fe80::1%lo", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "100::1",
    "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
    "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    "2001:0:808:808:0:0:80ff:fffe",
)  # fmt: skip
"""IP addresses that are not public, or lead to one that is not."""
ACCEPTED = ("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1")
OTHER_SPELLINGS = (
    "2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "0x7f.1", "127.1", "127.0.1", "0", "0x0", "2852039166",
    "0xa9fea9fe", "0251.0376.0251.0376",
)  # fmt: skip
"""What the C library reads as an IPv4 address, too."""


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_not_public_is_refused_as_it_is_and_as_what_a_name_has(address: str) -> None:
    with pytest.raises(NotPublic):
        check_resolved([address])
    shown = f"[{address}]" if ":" in address else address
    for url in (f"http://{shown}/", f"https://{shown}:8443/hook"):
        with pytest.raises(BadHookAddress):
            parse_address(url)


@pytest.mark.parametrize("address", ACCEPTED)
def test_a_public_address_is_accepted(address: str) -> None:
    assert [str(each) for each in check_resolved([address])] == [str(check_resolved([address])[0])]
    shown = f"[{address}]" if ":" in address else address
    assert parse_address(f"https://{shown}/hook").host == address


@pytest.mark.parametrize("host", OTHER_SPELLINGS)
def test_other_spellings_of_an_ipv4_address_are_refused_and_resolve_to_what_is_refused(host: str) -> None:
    with pytest.raises(BadHookAddress):
        parse_address(f"http://{host}/")
    with pytest.raises(NotPublic):
        check_resolved(asyncio.run(resolve(host, 80)))


@pytest.mark.parametrize("found", [["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["8.8.8.8", "::1"], []])
def test_a_name_is_refused_if_any_of_its_addresses_is(found: list[str]) -> None:
    with pytest.raises(NotPublic):
        check_resolved(found)


@pytest.mark.parametrize(
    "url",
    [
        "", "bot.example", "//bot.example/", "ftp://bot.example/", "file:///etc/passwd", "gopher://bot.example/", "http://",
        "http:///hook", "http://user@bot.example/", "http://user:word@bot.example/", "http://bot.example@127.0.0.1/",
        "http://bot.example/#part", "http://bot.example:0/", "http://bot.example:70000/", "http://bot.example:x/",
        "http://[::1", "http://[fe80::1%25lo]/", "http://bot.example\\@127.0.0.1/", "http://bot.example/a b",
        "http://bot.example/\r\nHost: x", "http://bot.example/\x00", "http://böt.example/", "http://bot%2eexample/",
        "http://127.0.0.1/", "https://[::ffff:127.0.0.1]/", f"https://bot.example/{'a' * LONGEST}",
    ],
)  # fmt: skip
def test_a_malformed_address_is_refused(url: str) -> None:
    with pytest.raises(BadHookAddress) as refused:
        parse_address(url)
    assert refused.value.where == "address"


@pytest.mark.parametrize(
    ("url", "parsed"),
    [
        ("https://bot.example", HookAddress("https", "bot.example", 443, "/", "bot.example")),
        ("http://bot.example:80/a?b=c", HookAddress("http", "bot.example", 80, "/a?b=c", "bot.example")),
        ("https://bot.example:8443/a", HookAddress("https", "bot.example", 8443, "/a", "bot.example:8443")),
        ("http://[2606:4700::1]:81/", HookAddress("http", "2606:4700::1", 81, "/", "[2606:4700::1]:81")),
        ("HTTPS://BOT.example/A", HookAddress("https", "bot.example", 443, "/A", "bot.example")),
    ],
)
def test_an_address_is_parsed(url: str, parsed: HookAddress) -> None:
    assert parse_address(url) == parsed


def test_networks_of_the_operator_are_accepted_and_no_others() -> None:
    allowed = parse_networks(["10.0.0.0/8", "fd00::/8", "127.0.0.1"])

    for address in ("10.1.2.3", "fd00::1", "127.0.0.1", "::ffff:10.0.0.1", "8.8.8.8"):
        assert check_resolved([address], allowed)
    for address in ("192.168.0.1", "127.0.0.2", "169.254.169.254", "::1", "fe80::1", "::ffff:192.168.0.1"):
        with pytest.raises(NotPublic):
            check_resolved([address], allowed)
    assert parse_address("http://10.1.2.3/", allowed).host == "10.1.2.3"


@pytest.mark.parametrize("text", ["", "everything", "10.0.0.0/33", "10.0.0.1/8", "http://10.0.0.1"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(BadHookNetwork):
        parse_networks([text])


@pytest.mark.parametrize("host", ["bot.example", "a.b.invalid", "bot.example."])
def test_no_name_server_is_asked_for_domains_that_never_exist(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("asked"))
    with pytest.raises(socket.gaierror):
        asyncio.run(resolve(host, 443))


def test_a_name_that_cannot_be_encoded_is_no_fault() -> None:
    with pytest.raises((UnicodeError, OSError)):
        asyncio.run(resolve(f"{'a' * 64}.b" + "\udc80", 443))
