"""A pool of connections to PostgreSQL, shared by threads, that reconnects after the server was unreachable."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.errors import ReadOnlySqlTransaction
from psycopg_pool import ConnectionPool, PoolTimeout

from ledger.stores.postgres.address import Address
from ledger.stores.postgres.connecting import configure, connect, options
from ledger.stores.postgres.errors import Lost, is_end

Values = Sequence[bytes | int | list[bytes] | list[int] | None]
Rows = list[tuple[Any, ...]]

CONNECTIONS = 8
"""The maximum for each open store; an idle store has none."""

# Keeps the pool's messages about lost connections off the screen unless the program configures logging.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Connections:
    """Runs queries on pooled connections. Threads may share it.

    A connection that broke while idle is detected before it is used: its socket is examined, which costs no round trip.
    If one breaks during a query, `Lost` is raised, and the caller decides whether to repeat the query.

    Args:
        address: The database.
        patience: Seconds to wait for a connection, and for an answer.
        size: The maximum number of connections.
    """

    def __init__(self, address: Address, patience: float, size: int = CONNECTIONS) -> None:
        self._address = address
        self._patience = patience
        self._pool: ConnectionPool[psycopg.Connection] = ConnectionPool(
            kwargs=options(address), min_size=0, max_size=size, timeout=patience,
            reconnect_timeout=patience, num_workers=1, configure=lambda each: configure(each, patience),
            check=self._check, open=True,
        )  # fmt: skip

    def ask(self, query: str, values: Values = (), *, seconds: float | None = None) -> Rows:
        """Runs a query once.

        Args:
            query: The query.
            values: The values of its placeholders.
            seconds: The time to wait for a connection; by default the pool's patience.

        Raises:
            Lost: The connection was lost before the answer came.
            psycopg.Error: The query failed.
        """
        try:
            with self._connection(seconds) as connection:
                return _answer(connection, query, values)
        except ReadOnlySqlTransaction:
            # Nothing was executed: its server has become a standby, or is one for good. Another one may be the primary.
            self._pool.drain()
            with self._connection(seconds) as connection:
                return _answer(connection, query, values)

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection]:
        """Returns a context manager that yields a connection in a transaction, which is committed at the end.

        Raises:
            Lost: The connection was lost; whether the transaction was committed is unknown.
            psycopg.Error: The transaction failed.
        """
        with self._connection(None) as connection, _losses(connection), connection.transaction():
            yield connection

    @contextmanager
    def _connection(self, seconds: float | None) -> Iterator[psycopg.Connection]:
        try:
            connection = self._pool.getconn(seconds)
        except PoolTimeout:
            # Either all connections are in use or none can be opened; the pool does not distinguish these.
            connect(self._address, self._patience).close()
            raise
        try:
            yield connection
        finally:
            self._pool.putconn(connection)

    def insist(self, query: str, values: Values = (), *, again: Callable[[], None] = lambda: None) -> Rows:
        """Runs an idempotent query, and repeats it after a lost connection.

        Args:
            query: The query.
            values: The values of its placeholders.
            again: Called before each repetition.

        Raises:
            Lost: There was no answer in time. Whether the query was executed is unknown.
        """
        deadline = time.monotonic() + self._patience
        lost: Lost | None = None
        while lost is None or time.monotonic() < deadline:
            try:
                return self.ask(query, values, seconds=deadline - time.monotonic())
            except Lost as error:
                lost = error
                again()
            except psycopg.OperationalError as error:
                if lost is not None:
                    raise lost from error
                raise
        raise lost

    def look(self, query: str, values: Values = ()) -> Rows:
        """Runs a query that only reads."""
        try:
            return self.insist(query, values)
        except Lost as lost:
            raise lost.error from lost

    def close(self) -> None:
        """Closes all connections; those in use when they are returned."""
        self._pool.close()

    def _check(self, connection: psycopg.Connection) -> None:
        try:
            # The first call reads the server's last message, the second one the end of the stream.
            connection.pgconn.consume_input()
            connection.pgconn.consume_input()
        except psycopg.Error:
            self._pool.drain()  # if one idle connection broke, the others probably broke, too
            raise


def _answer(connection: psycopg.Connection, query: str, values: Values) -> Rows:
    with _losses(connection):
        return connection.execute(query, values, binary=True).fetchall()


@contextmanager
def _losses(connection: psycopg.Connection) -> Iterator[None]:
    """Returns a context manager that raises the loss of a connection as `Lost`, and closes the connection."""
    try:
        yield
    except psycopg.Error as error:
        if connection.closed or is_end(error):
            connection.close()
            raise Lost(error) from error
        if isinstance(error, ReadOnlySqlTransaction):
            connection.close()
        raise
