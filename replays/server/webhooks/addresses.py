"""Parses the address of a webhook, and decides which IP addresses may be connected to.

A webhook makes the server call an address that a stranger chose. So the address must be public: a name is resolved
once for each delivery, each IP address that it has is checked, and the connection goes to a checked IP address, not to
the name. Addresses that contain an IPv4 address (mapped, 6to4, Teredo, NAT64) are checked by that one as well.
"""

import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

import msgspec

from replays.server.webhooks.refusals import BadHookAddress, BadHookNetwork

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

LONGEST = 2_000
"""Maximum length of an address, in characters."""
ACCEPTED = "https://host/path or http://host/path, without a name and password, at a public address"
_PRINTABLE = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
"""ASCII without blanks, control characters and the backslash, which programs read in different ways."""
_PORTS = {"http": 80, "https": 443}
_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")
_SPECIAL = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24")))
"""Networks of protocols, which `is_global` accepts in part."""


class NotPublic(Exception):
    """The name has an IP address that webhooks may not have."""


class HookAddress(msgspec.Struct, frozen=True):
    """The parsed address of a webhook."""

    scheme: str
    host: str
    """The name or the IP address, without brackets."""
    port: int
    target: str
    """The path and the query."""
    authority: str
    """The value of the header Host."""


def parse_address(text: str, allowed: Sequence[IPNetwork] = ()) -> HookAddress:
    """Returns a parsed address; an IP address in it is checked at once, and a name only when something is delivered.

    Args:
        text: The address.
        allowed: Networks that webhooks may have although they are not public.

    Raises:
        BadHookAddress: The address is malformed, or its IP address is not public.
    """
    parts = _split(text)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    literal = _literal(host)
    if literal is not None and not is_allowed(literal, allowed):
        raise _bad(f"webhooks may not be sent to {literal}")
    shown = f"[{host}]" if ":" in host else host
    authority = shown if port == _PORTS[parts.scheme] else f"{shown}:{port}"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return HookAddress(parts.scheme, host, port, target, authority)


def _split(text: str) -> SplitResult:
    if len(text) > LONGEST or not _PRINTABLE.fullmatch(text):
        raise _bad(f"the address is not made of 1 to {LONGEST} printable ASCII characters")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _bad(f"malformed address: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname or port == 0:
        raise _bad("the address has no scheme, host or port that webhooks may have")
    if "@" in parts.netloc or "%" in parts.netloc or "#" in text:
        raise _bad("the address has a user, a password, a zone or a fragment")
    return parts


def _bad(reason: str) -> BadHookAddress:
    return BadHookAddress(reason, where="address", accepts=ACCEPTED)


def _literal(host: str) -> IPAddress | None:
    """Returns the IP address that a host is; None for a name. Systems also accept decimal and octal IPv4 addresses."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


# ------------------------------------------------------------------------------------------------ IP addresses


def check_resolved(found: Iterable[str], allowed: Sequence[IPNetwork] = ()) -> list[IPAddress]:
    """Returns the IP addresses of a name, after each of them was checked; the order is kept, without repeats.

    Raises:
        NotPublic: Any of them is not public, or there is none.
    """
    addresses = list(dict.fromkeys(map(ip_address, found)))
    if not addresses or not all(is_allowed(each, allowed) for each in addresses):
        raise NotPublic
    return addresses


def is_allowed(address: IPAddress, allowed: Sequence[IPNetwork] = ()) -> bool:
    """Returns whether webhooks may be sent to an IP address: it is public, or in one of the allowed networks."""
    return all(_is_public(each) or any(each in network for network in allowed) for each in _meant(address))


def _meant(address: IPAddress) -> Iterator[IPAddress]:
    """Yields the addresses that a connection to an address may lead to: its own, and an IPv4 address within it."""
    if isinstance(address, IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    if address in _NAT64:
        yield IPv4Address(address.packed[-4:])
        return
    yield address
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo


def _is_public(address: IPAddress) -> bool:
    if isinstance(address, IPv6Address) and (address.scope_id or address not in _UNICAST):
        return False
    is_special = any(address in network for network in _SPECIAL)
    return address.is_global and not (address.is_multicast or address.is_reserved or is_special)


def parse_networks(texts: Iterable[str]) -> tuple[IPNetwork, ...]:
    """Returns networks, such as ``10.0.0.0/8`` or a single address.

    Raises:
        BadHookNetwork: A text is not a network.
    """
    return tuple(map(_network, texts))


def _network(text: str) -> IPNetwork:
    try:
        return ip_network(text)
    except ValueError as error:
        message = f"{text!r} is not a network: {error}"
        raise BadHookNetwork(message, where="--hook-private", accepts="such as 10.0.0.0/8 or fd00::/8") from error
