"""WebSockets, guarded: against those who greet in no known way, ask to be answered without end, or read nothing."""

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from replays.server.limits.slow_readers import Paced

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class GuardedSocket(Paced, WebSocketsSansIOProtocol):
    """uvicorn's protocol, which has nothing to say to some and too much to others."""

    transport: asyncio.Transport

    async def send(self, message: Any) -> None:
        """Sends what the application says, unless the protocol has closed the connection meanwhile.

        Raises:
            ClientDisconnected: It has: pings were not answered, or something came that is no frame. uvicorn takes what
                is sent then for a mistake of the application.
        """
        await self.writable.wait()
        if self.close_sent and self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def keepalive_timeout(self) -> None:
        """Closes, and waits no longer than for others until what was written before is taken in."""
        super().keepalive_timeout()
        self._look_later()

    def handle_parser_exception(self) -> None:
        """Closes likewise."""
        super().handle_parser_exception()
        self._look_later()

    def data_received(self, data: bytes) -> None:
        """Something comes in: the whole head first, and one that cannot be read is never followed by a better one."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    def handle_ping(self) -> None:
        """Answer a ping, if the last answers were taken in."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message; of empty ones there could be any number."""
        if event.data or event.fin:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; what should be text and is none is their fault, and not worth a trace in the log."""
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.conn.send_close(1007)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


def _is_text(parts: list[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True
