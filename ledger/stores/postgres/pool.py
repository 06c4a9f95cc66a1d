"""Connections to PostgreSQL: few, shared by threads, and made anew when the server was away."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from ledger.stores.postgres.address import Address
from ledger.stores.postgres.errors import Lost, is_end

Values = Sequence[bytes | int | list[bytes] | list[int] | None]
Rows = list[tuple[Any, ...]]

CONNECTIONS = 8
"""At most, for each store that is open; none where nothing is asked."""

_SETTINGS = """SELECT set_config('search_path', 'pg_catalog, pg_temp', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('statement_timeout', %(patience)s, false),
    set_config('lock_timeout', %(patience)s, false),
    set_config('idle_in_transaction_session_timeout', %(patience)s, false),
    set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)"""

# Whoever wants the pool's own account of lost connections sets up logging; nobody else has it on the screen.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


def connect(address: Address, patience: float) -> psycopg.Connection:
    """A connection of one's own, in autocommit mode, durable and with nobody's search path."""
    connection = psycopg.connect(**_options(address))
    try:
        configure(connection, patience)
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: psycopg.Connection, patience: float) -> None:
    """Make a connection what the ledger needs, whatever the server's defaults are."""
    connection.execute(_SETTINGS, {"patience": f"{max(1, round(patience * 1000))}ms"})


class Connections:
    """What a store asks the server through. Threads may share it.

    A connection that died while nobody used it is noticed before it is used again: its socket is looked at, which costs
    no round trip. One that dies in use is `Lost`, and asking again is up to the caller.

    Args:
        address: The database.
        patience: Seconds to wait for a connection, and for an answer.
        size: How many connections there may be.
    """

    def __init__(self, address: Address, patience: float, size: int = CONNECTIONS) -> None:
        self._address = address
        self._patience = patience
        self._pool: ConnectionPool[psycopg.Connection] = ConnectionPool(
            kwargs=_options(address), min_size=0, max_size=size, timeout=patience, reconnect_timeout=patience,
            num_workers=1, configure=lambda connection: configure(connection, patience), check=self._check, open=True,
        )  # fmt: skip

    def ask(self, query: str, values: Values = (), *, seconds: float | None = None) -> Rows:
        """Ask once.

        Args:
            query: What is asked.
            values: What belongs into it.
            seconds: To wait for a connection; left out, as long as for anything.

        Raises:
            Lost: The connection went away, and with it the answer.
            psycopg.Error: It is refused.
        """
        try:
            with self._pool.connection(seconds) as connection:
                return _answer(connection, query, values)
        except PoolTimeout:
            # It may be that all are in use, or that none can be made; the pool does not tell.
            connect(self._address, self._patience).close()
            raise

    def insist(self, query: str, values: Values = (), *, again: Callable[[], None] = lambda: None) -> Rows:
        """Ask until there is an answer, for what may be asked twice.

        Args:
            query: What is asked.
            values: What belongs into it.
            again: Is told before it is asked once more.

        Raises:
            Lost: There was none in time. Whether the first time was heard remains unknown, whatever came then.
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
        """Ask for what only reads."""
        try:
            return self.insist(query, values)
        except Lost as lost:
            raise lost.error from lost

    def close(self) -> None:
        """Let go of all connections; those in use when they come back."""
        self._pool.close()

    def _check(self, connection: psycopg.Connection) -> None:
        try:
            # The server's last words, then the end.
            connection.pgconn.consume_input()
            connection.pgconn.consume_input()
        except psycopg.Error:
            self._pool.drain()  # one that died in its sleep did not die alone
            raise


def _options(address: Address) -> dict[str, Any]:
    # Preparing a statement would be a second round trip, if only once, and is not understood by every proxy.
    return {**address.options, "autocommit": True, "prepare_threshold": None}


def _answer(connection: psycopg.Connection, query: str, values: Values) -> Rows:
    try:
        return connection.execute(query, values, binary=True).fetchall()
    except psycopg.Error as error:
        if connection.closed or is_end(error):
            connection.close()
            raise Lost(error) from error
        raise
