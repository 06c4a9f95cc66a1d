"""Clients that send raw bytes instead of HTTP."""

import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from server.processes import PATIENCE, Served, Table, served

TEXT, BINARY, CLOSE, PING, CONTINUED = 1, 2, 8, 9, 0


@contextmanager
def dialed(server: Served, *, buffer: int | None = None) -> Iterator[socket.socket]:
    """Connects; `buffer` is about how many bytes this side keeps unread."""
    with socket.socket() as made:
        if buffer is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.settimeout(PATIENCE)
        made.connect(("127.0.0.1", server.port))
        yield made


def rest(made: socket.socket) -> bytes:
    """Returns what is received until the other side disconnects."""
    heard = b""
    try:
        while more := made.recv(65_536):
            heard += more
    except ConnectionError:
        pass
    return heard


def said(server: Served, *parts: bytes) -> bytes:
    """Returns what a server answers until it disconnects."""
    with dialed(server) as made:
        try:
            for part in parts:
                made.sendall(part)
        except ConnectionError:  # it has disconnected already
            pass
        return rest(made)


def head(table: Table, what: str = "POST", path: str = "/commands", **headers: str) -> bytes:
    """Returns a request line and headers, with the end of the headers."""
    lines = [f"{what} {table.path}{path} HTTP/1.1", "Host: x", f"Authorization: {table.as_('gm')['Authorization']}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def upgrade(table: Table, what: str = "GET", **headers: str) -> bytes:
    """Returns the head of a WebSocket handshake."""
    asked = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
    return head(table, what, "/feed", **asked, Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==", **headers)


def framed(kind: int, content: bytes, *, final: bool = True, length: int | None = None) -> bytes:
    """Returns a masked frame; its stated length may be wrong."""
    told, mask = len(content) if length is None else length, os.urandom(4)
    size = bytes([0x80 | told]) if told < 126 else b"\xff" + struct.pack("!Q", told)
    padded = mask * (len(content) // 4 + 1)
    masked = (int.from_bytes(content, "big") ^ int.from_bytes(padded[: len(content)], "big")).to_bytes(
        len(content), "big"
    )
    return bytes([(0x80 if final else 0) | kind]) + size + mask + masked


@contextmanager
def socketed(server: Served, table: Table, *, buffer: int | None = None) -> Iterator[socket.socket]:
    """Yields a WebSocket that was accepted and has not sent its first message."""
    with dialed(server, buffer=buffer) as made:
        made.sendall(upgrade(table))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += made.recv(1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        yield made


def greeting(table: Table, after: int = 0) -> bytes:
    """Returns the first message in a frame."""
    return framed(TEXT, f'{{"token": "{table.issued["gm"]["token"]}", "after": {after}}}'.encode())


def check_others_are_answered_while_made(folder: Path, path: str) -> None:
    """Checks that a server answers others while it makes the document at a path."""
    with served(folder, "--rate", "0") as server, server.client() as client, dialed(server) as first:
        assert client.get("/health").status_code == 200
        first.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        time.sleep(0.1)  # until it is being made
        assert client.get("/health").status_code == 200
        first.setblocking(False)
        with pytest.raises(BlockingIOError):
            first.recv(1)
        first.settimeout(PATIENCE)
        assert rest(first).startswith(b"HTTP/1.1 200 OK")
