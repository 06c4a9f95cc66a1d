"""One token may have a limited number of live feeds: others are not affected, and closing a feed makes room."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from server.processes import PATIENCE, Served, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

MOST = 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server that allows three feeds for each token."""
    with served(tmp_path_factory.mktemp("feeds"), "--rate", "0", "--feeds", f"{MOST}") as server:
        yield server


def reading(server: Served, table: Table, stack: ExitStack, seat: str = "gm") -> ClientConnection:
    """Returns a feed over a WebSocket that has received its first entry."""
    socket = stack.enter_context(connect(f"ws://127.0.0.1:{server.port}{table.path}/feed"))
    socket.send(f'{{"token": "{table.issued[seat]["token"]}"}}')
    return socket


def test_one_feed_too_many_is_refused_and_the_others_read_on(server: Served, table: Table) -> None:
    with ExitStack() as stack:
        sockets = [reading(server, table, stack) for _ in range(MOST)]
        assert all('"seq":1,' in str(socket.recv(PATIENCE)) for socket in sockets)
        more = reading(server, table, stack)
        with pytest.raises(ConnectionClosed) as closed:
            more.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, "feed/too-many")
        answer = table.client.get(f"{table.path}/feed", headers=table.as_("gm"))
        assert (answer.status_code, answer.json()["slug"]) == (429, "feed/too-many")
        assert '"seq":1,' in str(reading(server, table, stack, "spectator").recv(PATIENCE))
        table.do({"type": "Note", "text": "x"})
        assert all('"seq":2,' in str(socket.recv(PATIENCE)) for socket in sockets)


def test_a_feed_that_is_closed_makes_room(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    for _ in range(4 * MOST):
        with ExitStack() as stack:
            for _ in range(50):  # the server may still be closing the previous one
                try:
                    assert '"seq":1,' in str(reading(server, table, stack).recv(PATIENCE))
                except ConnectionClosed:
                    continue
                break
            else:
                raise AssertionError("no feed is open, and none may be opened")
