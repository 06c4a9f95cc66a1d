"""Sends one message: resolves the name once, connects to a checked IP address, and reads the status.

There are no redirects, no proxies and no cookies; only the head of the response is read, and not more of it than
`HEAD_BYTES`. TLS verifies the certificate of the name.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import IPv4Address

import httptools
import msgspec

from replays.server.webhooks.addresses import HookAddress, IPAddress, IPNetwork, NotPublic, check_resolved

WHOLE = 15.0
"""Seconds within which a message must be delivered, from resolving the name to the status."""
CONNECT = 5.0
"""Seconds to wait for a connection to one IP address."""
HEAD_BYTES = 16_384
"""Maximum bytes that are read of a response."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host."""


class PostResult(msgspec.Struct, frozen=True):
    """The result of sending a message."""

    status: int = 0
    """The HTTP status; 0 if there was none."""
    problem: str = ""
    """The reason why the message was not delivered; empty if it was."""
    retry_after: float = 0.0
    """Seconds that the receiver has asked for."""

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver has accepted the message."""
        return not self.problem


class Poster:
    """Sends messages.

    Args:
        resolve: Resolves names.
        allowed: Networks that webhooks may have although they are not public.
        tls: The TLS context; by default one that trusts the certificates of the system.
        seconds: Seconds within which a message must be delivered.
    """

    def __init__(
        self,
        resolve: Resolve,
        allowed: Sequence[IPNetwork] = (),
        tls: ssl.SSLContext | None = None,
        seconds: float = WHOLE,
    ) -> None:
        self._resolve = resolve
        self._allowed = allowed
        self._tls = tls
        self._seconds = seconds

    async def post(self, address: HookAddress, headers: Mapping[str, str], body: bytes) -> PostResult:
        """Sends one message; a failure is a result, not an exception.

        Args:
            address: The address of the webhook.
            headers: The headers of the signature.
            body: The body, JSON.
        """
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(address, _request(address, headers, body))
        except TimeoutError:
            return PostResult(problem=f"no answer within {self._seconds:g} s")
        except NotPublic:
            return PostResult(problem="the name has an address that webhooks may not be sent to")
        except (socket.gaierror, UnicodeError):
            return PostResult(problem="the name cannot be resolved")
        except ssl.SSLCertVerificationError:
            return PostResult(problem="the certificate is not valid for this name")
        except ssl.SSLError:
            return PostResult(problem="TLS failed")
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            return PostResult(problem="the answer is not HTTP")
        except OSError:
            return PostResult(problem="no connection")

    async def _post(self, address: HookAddress, request: bytes) -> PostResult:
        found = check_resolved(await self._resolve(address.host, address.port), self._allowed)
        reader, writer = await self._connected(address, found)
        try:
            writer.write(request)
            await writer.drain()
            return await _answered(reader)
        finally:
            writer.transport.abort()

    async def _connected(
        self, address: HookAddress, found: Sequence[IPAddress]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connects to the first of the checked IP addresses that answers."""
        opened = await _dialed(found, address.port)
        try:
            if address.scheme == "http":
                return await asyncio.open_connection(sock=opened)
            if self._tls is None:
                self._tls = ssl.create_default_context()
            return await asyncio.open_connection(sock=opened, ssl=self._tls, server_hostname=address.host)
        except BaseException:
            opened.close()
            raise


async def _dialed(found: Sequence[IPAddress], port: int) -> socket.socket:
    """Returns a socket that is connected to the first of some IP addresses that answers.

    Raises:
        OSError: None of them answers.
    """
    failure: OSError = ConnectionError()
    for each in found:
        try:
            return await _dialed_one(each, port)
        except OSError as error:
            failure = error
    raise failure


async def _dialed_one(address: IPAddress, port: int) -> socket.socket:
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setblocking(False)
    try:
        async with asyncio.timeout(CONNECT):
            await asyncio.get_running_loop().sock_connect(made, (str(address), port))
    except BaseException:
        made.close()
        raise
    return made


def _request(address: HookAddress, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {address.target} HTTP/1.1", f"Host: {address.authority}", "User-Agent: affray",
        "Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]  # fmt: skip
    return "\r\n".join((*lines, "", "")).encode("ascii") + body


# ------------------------------------------------------------------------------------------------ the response


class _ResponseHead:
    """Collects the head of a response, as httptools reports it."""

    def __init__(self) -> None:
        self.is_complete = False
        self.retry_after = 0.0
        self.parser = httptools.HttpResponseParser(self)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after" and value.isdigit():
            self.retry_after = float(value[:9])

    def on_headers_complete(self) -> None:
        self.is_complete = self.parser.get_status_code() >= 200  # others only announce the response


async def _answered(reader: asyncio.StreamReader) -> PostResult:
    """Returns what the head of a response means."""
    head, size = _ResponseHead(), 0
    while not head.is_complete and size < HEAD_BYTES:
        data = await reader.read(4_096)
        if not data:
            return PostResult(problem="the connection was closed without an answer")
        size += len(data)
        try:
            head.parser.feed_data(data)
        except httptools.HttpParserError:
            if not head.is_complete:  # only the body is malformed
                raise
    if not head.is_complete:
        return PostResult(problem="the head of the answer is too long")
    status = head.parser.get_status_code()
    return PostResult(status, "" if 200 <= status < 300 else f"status {status}", head.retry_after)
