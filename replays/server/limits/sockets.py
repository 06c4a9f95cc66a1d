"""Limits WebSocket connections: malformed handshakes, floods of pings or empty frames, slow readers."""

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from replays.server.limits.shared_text import SharedText
from replays.server.limits.slow_readers import SlowReaderMixin

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class LimitedWebSocketProtocol(SlowReaderMixin, WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with limits: uvicorn never answers some clients and buffers too much for others."""

    transport: asyncio.Transport

    async def send(self, message: Any) -> None:
        """Sends a message of the application, unless the protocol has closed the connection meanwhile.

        Raises:
            TimeoutError: The reader is too slow: for `patience` seconds it had no room for the message.
            ClientDisconnected: The connection is closed: pings were not answered, or the client sent an invalid frame.
                uvicorn would report what is sent then as a mistake of the application.
        """
        if not self.writable.is_set():
            async with asyncio.timeout(self.patience):
                await self.writable.wait()
        if self.close_sent and self.transport.is_closing():
            raise ClientDisconnected
        text = message.get("text")
        if isinstance(text, SharedText) and self._is_plain:
            self.transport.write(_frame(text))
        else:
            await super().send(message)

    @property
    def _is_plain(self) -> bool:
        """Whether the connection is open for messages, and each is sent as it is: without compression."""
        return self.conn.state is State.OPEN and not (self.disconnected or self.close_sent or self.conn.extensions)

    def keepalive_timeout(self) -> None:
        """Closes the connection, and waits for a slow reader no longer than usual."""
        super().keepalive_timeout()
        self._check_later()

    def handle_parser_exception(self) -> None:
        """Closes the connection after an invalid frame, and waits for a slow reader no longer than usual."""
        super().handle_parser_exception()
        self._check_later()

    def data_received(self, data: bytes) -> None:
        """Parses bytes of the client; answers a malformed handshake with 400, because no valid one can follow."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    def handle_ping(self) -> None:
        """Answers a ping, unless earlier answers are still buffered."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Accepts a part of a message; ignores empty parts, of which a client could send any number."""
        if event.data or event.fin:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Passes a message to the application; closes the connection on invalid UTF-8, without a trace in the log."""
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.conn.send_close(1007)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


def _frame(text: SharedText) -> bytes:
    """Returns the frame of a text message."""
    if text.frame is None:
        text.frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    return text.frame


def _is_text(parts: list[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True
