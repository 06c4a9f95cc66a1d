"""Opens connections to NATS servers as the ledger needs them, and records why that fails."""

import asyncio
import importlib.util
import ssl
import time
from contextlib import suppress
from pathlib import Path
from re import search
from typing import Any

from nats.aio.client import Client, Srv
from nats.errors import Error

from ledger.errors import Unusable
from ledger.stores.jetstream.servers.address import NatsAddress
from ledger.stores.jetstream.servers.failures import (
    BAD_KEY,
    HTTP,
    NO_TLS,
    NOT_NATS,
    ConnectionFailure,
    failure_of,
    refused_by_server,
)

_CONNECTING = 4
"""Seconds for a connection to one server."""
_PROBING = 1.0
"""Seconds for the answer of an HTTP server, which does not greet."""
_OF_AUTHORITY = "the certificate of an authority"
_OF_CREDENTIALS = "the file of a NATS user, as nsc writes it"
_PARTS = (b"BEGIN NATS USER JWT", b"BEGIN USER NKEY SEED")
"""The parts of a file of credentials."""


class _NoTlsError(Error):
    """The address demands TLS, and the server does not offer it."""


class NatsClient(Client):
    """The library's client, which sends nothing to a server without TLS where the address demands it.

    Attributes:
        failures: Why servers could not be connected to, by their addresses.
        where: The address of the connected server.
        greeting: What the connected server reported when it was connected to.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failures: dict[str, ConnectionFailure] = {}
        self.where = ""
        self.greeting: dict[str, Any] = {}
        self._is_greeted = False
        self._denied: dict[str, float] = {}
        """When a server last refused to let this user make a request, by its subject in small letters."""

    def is_denied(self, subject: str, since: float) -> bool:
        """Returns whether a server has refused since then to let this user make a request of the JetStream API."""
        return self._denied.get(subject.lower(), -1.0) >= since

    async def notice(self, error: Exception) -> None:
        """Records the refusals of a server; the callers receive all other errors as exceptions."""
        found = search(r'permissions violation for publish to "(\$js\.api\.[^"]+)"', str(error).lower())
        if found is not None:
            self._denied[found[1]] = time.monotonic()

    async def _connect_to_server(self, s: Srv) -> None:
        self._is_greeted = False
        try:
            await super()._connect_to_server(s)
        except Exception as error:
            self.failures[s.uri.netloc] = failure_of(error)
            raise

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        if initial_connection:
            self._is_greeted, self.greeting = True, info
            if "tls" in self.options and not info.get("tls_required"):
                raise _NoTlsError("the address demands TLS, and the server does not offer it")
        await super()._process_info(info, initial_connection)

    async def _process_connect_init(self) -> None:
        server = self._current_server
        assert server is not None
        is_first = not self.where
        try:
            await super()._process_connect_init()
            if is_first and not self.is_connected:
                raise Error("it was closed")
        except Exception as error:
            failure, is_mute = self._failure_of(error), isinstance(error, TimeoutError) and not self._is_greeted
            if is_mute and is_first and not server.reconnects and await self._is_http():
                failure = HTTP
                server.reconnects += 1  # it is not tried again
            self.failures[server.uri.netloc] = failure
            if isinstance(error, ssl.SSLError) and self._transport is not None:
                self._transport.close()  # type: ignore[no-untyped-call]
                self._transport = None  # the library would wait without end for a connection that never had TLS
            if isinstance(error, Error | OSError):
                raise
            raise Error("the server cannot be connected to") from error  # the library expects no other errors
        self.where = server.uri.netloc

    def _failure_of(self, error: Exception) -> ConnectionFailure:
        """Returns why a server cannot be used to which there is a connection."""
        if isinstance(error, _NoTlsError):
            return NO_TLS
        if not self._is_greeted:
            return NOT_NATS
        if isinstance(error, OSError):
            return failure_of(error)
        if isinstance(error, Error):
            return refused_by_server(str(error).removeprefix("nats: ").strip("' "))
        return NOT_NATS if self._user_credentials is None else BAD_KEY

    async def _is_http(self) -> bool:
        """Returns whether an HTTP server answers. Sends nothing where the address demands TLS."""
        if self._transport is None or "tls" in self.options:
            return False
        with suppress(OSError, ValueError):
            self._transport.write(b"GET / HTTP/1.0\r\n\r\n")
            await self._transport.drain()  # type: ignore[no-untyped-call]
            async with asyncio.timeout(_PROBING):
                return bool((await self._transport.readline()).startswith(b"HTTP/"))
        return False


def options(address: NatsAddress) -> dict[str, Any]:
    """Returns the arguments of the library for a connection.

    Raises:
        Unusable: A file that the address names is not what it has to be.
    """
    found: dict[str, Any] = {
        "servers": [f"nats://{server}" for server in address.servers],
        "name": "affray",
        "connect_timeout": _CONNECTING,
        "allow_reconnect": True,
        "max_reconnect_attempts": 1,
        "reconnect_time_wait": 0.25,
        "ping_interval": 2,
        "skip_subject_validation": True,  # all subjects are made by `names.py`
        "user": address.user,
        "password": address.password,
    }
    if address.credentials is not None:
        found["user_credentials"] = _credentials(address.credentials)
    if address.is_encrypted:
        found["tls"] = _authorities(address.ca)
    return {name: value for name, value in found.items() if value is not None}


def _credentials(file: Path) -> str:
    """Returns the path of a file of credentials. The library would read one that has no JWT without end."""
    content = _read(file, "credentials", _OF_CREDENTIALS)
    if not all(part in content for part in _PARTS):
        raise Unusable(f"{file} holds no credentials of a NATS user", where="credentials", accepts=_OF_CREDENTIALS)
    if importlib.util.find_spec("nkeys") is None:
        raise Unusable(
            "the library for files of credentials is not installed", where="credentials", accepts="pip install nkeys"
        )
    return str(file)


def _authorities(file: Path | None) -> ssl.SSLContext:
    """Returns what checks the certificates of servers."""
    if file is not None:
        _read(file, "ca", _OF_AUTHORITY)
    try:
        return ssl.create_default_context(cafile=file)
    except ssl.SSLError as error:
        raise Unusable(f"{file} holds no certificate", where="ca", accepts=_OF_AUTHORITY) from error


def _read(file: Path, where: str, accepts: str) -> bytes:
    try:
        if not file.is_file():
            raise Unusable(f"there is no file {file}", where=where, accepts=accepts)
        return file.read_bytes()
    except OSError as error:
        raise Unusable(f"the file {file} cannot be read: {error.strerror}", where=where, accepts=accepts) from error
