"""What the application sends to a WebSocket that the protocol has closed is not reported as a fault."""

import asyncio
import contextlib
import json
import socket
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import structlog
import uvicorn
from patience import BOUND
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from ledger.commands import Note
from replays.api.session import Session
from replays.server.app import create
from replays.server.callers.tokens import Scope
from replays.server.http import pages
from replays.server.limits.shared_text import SharedText
from replays.server.runtime.app_state import AppState
from replays.server.runtime.serving import LimitedWebSocketProtocol
from replays.server.runtime.settings import Settings

PATIENCE = 60.0
PINGS = 0.2
WARM_UP = "after which all readers wait for the next entry"


async def until(happened: Callable[[], Any]) -> Any:
    async with asyncio.timeout(PATIENCE):
        while not (found := happened()):
            await asyncio.sleep(0.01)
    return found


@contextlib.asynccontextmanager
async def serving(app_state: AppState, pings: float = PINGS) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """Yields the application behind the protocol, in this process; a ping is sent and answered within some seconds."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)  # as its connections then have it
    options: dict[str, Any] = {
        "ws_ping_interval": pings,
        "ws_ping_timeout": pings,
        "log_config": None,
        "lifespan": "on",
    }
    server = uvicorn.Server(uvicorn.Config(create(app_state), ws=LimitedWebSocketProtocol, access_log=False, **options))
    task = asyncio.ensure_future(server._serve(sockets=[listening]))
    await until(lambda: server.started)
    try:
        yield server, listening.getsockname()[1]
    finally:
        server.should_exit = True
        await task


@contextlib.asynccontextmanager
async def deaf(port: int, session: str, token: str) -> AsyncIterator[socket.socket]:
    """Yields a reader that has sent its first message, and then neither reads nor answers pings."""
    loop = asyncio.get_running_loop()
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        made.setblocking(False)
        await loop.sock_connect(made, ("127.0.0.1", port))
        lines = (
            f"GET /v1/sessions/{session}/feed HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
        )  # fmt: skip
        await loop.sock_sendall(made, "\r\n".join(lines).encode())
        while b"\r\n\r\n" not in await loop.sock_recv(made, 4_096):
            pass
        said = json.dumps({"token": token}).encode()
        await loop.sock_sendall(made, b"\x81\xfe" + len(said).to_bytes(2) + b"\0\0\0\0" + said)
        yield made


def test_an_entry_that_comes_when_pings_were_not_answered_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(LimitedWebSocketProtocol, "patience", PINGS)

    async def use() -> None:
        app_state = AppState(Settings(ledger="memory://", keys=("k" * 40,)))
        session = Session.create(app_state.store, ruleset="eclipse_phase_1e").id
        token = app_state.tokens.issue(session, Scope.GM, "gm").token

        async def write(text: str) -> None:
            await app_state.session_cache.run(session, lambda opened: opened.perform(Note(text)))
            app_state.feed.ring((session,))
            await asyncio.sleep(0.01)

        async with serving(app_state) as (server, port), deaf(port, session, token):
            protocol: Any = await until(
                lambda: next(
                    (each for each in server.server_state.connections if isinstance(each, LimitedWebSocketProtocol)),
                    None,
                )
            )
            while protocol.transport.get_write_buffer_size() < 20_000:  # more than the buffers hold
                await write("x" * 5_000)
            assert protocol.writable.is_set()
            await until(lambda: protocol.close_sent)
            assert not protocol.disconnected
            await write("one more")
            await until(lambda: len(app_state.feed) == 0)
            await until(lambda: protocol.disconnected)  # though what was written before is never received

    with structlog.testing.capture_logs() as told:
        asyncio.run(use())
    assert [line for line in told if line["log_level"] == "error"] == []
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize("compression", [None, "deflate"])
def test_messages_of_each_length_reach_every_reader_whole_with_and_without_compression(
    compression: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers of a session share the frame of a message, of which the head has three lengths, unless it is compressed."""
    made, shared, serialize = list[int](), list[weakref.ref[SharedText]](), Frame.serialize

    def counting(frame: Frame, *, mask: bool, **other: Any) -> bytes:
        if frame.opcode is Opcode.TEXT and not mask:  # a frame of the server
            made.append(len(frame.data))
        return serialize(frame, mask=mask, **other)

    def keeping(text: str) -> SharedText:
        made = SharedText(text)
        shared.append(weakref.ref(made))
        return made

    monkeypatch.setattr(Frame, "serialize", counting)
    monkeypatch.setattr(pages, "SharedText", keeping)
    texts = [letter * count for letter in "xé" for count in (1, 100, 1_000, 20_000)]

    async def use() -> None:
        app_state = AppState(Settings(ledger="memory://", keys=("k" * 40,)))
        session = Session.create(app_state.store, ruleset="eclipse_phase_1e").id
        token = app_state.tokens.issue(session, Scope.GM, "gm").token
        async with serving(app_state, PATIENCE) as (_, port), contextlib.AsyncExitStack() as stack:
            address = f"ws://127.0.0.1:{port}/v1/sessions/{session}/feed"
            readers = [await stack.enter_async_context(connect(address, compression=compression)) for _ in range(3)]
            for reader in readers:
                assert bool(reader.protocol.extensions) is (compression is not None)
                await reader.send(json.dumps({"token": token, "after": 1}))
            for text in [WARM_UP, *texts]:
                await app_state.session_cache.run(session, lambda opened, text=text: opened.perform(Note(text)))
                app_state.feed.ring((session,))
                got = [json.loads(await reader.recv()) for reader in readers]
                assert [each["command"]["text"] for each in got] == [text] * 3
                if text == WARM_UP:
                    made.clear()
            assert len(made) == (len(texts) if compression is None else 3 * len(texts))
            await until(lambda: not any(text() for text in shared))  # readers that wait keep nothing

    async def bounded() -> None:
        async with asyncio.timeout(BOUND):
            await use()

    asyncio.run(bounded())
