"""Refuses addresses of a pooler, such as PgBouncer, that shares a server's connection between clients."""

from contextlib import closing

import psycopg

from ledger.errors import Unusable
from ledger.stores.postgres.address import Address
from ledger.stores.postgres.connecting import configure, options

_ORDER = (0, 1, 0, 0, 1, 1, 0, 1)
"""Which of two connections asks next. No rotation over two processes answers as if each had its own."""


def connect_unshared(address: Address, patience: float) -> psycopg.Connection:
    """Opens a program's first connection, with the check that it has one process of the server for itself.

    That is so directly, and in PgBouncer's session mode. The check comes before the connection is configured: settings
    in a shared process would remain for other programs.

    Raises:
        Unusable: A pooler gives a connection another process for each transaction.
        psycopg.Error: The server cannot be reached.
    """
    connection = psycopg.connect(**options(address))
    try:
        _check_not_shared(connection, address)
        configure(connection, patience)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_not_shared(first: psycopg.Connection, address: Address) -> None:
    # A server sends the number of its process to each client that connects; a pooler sends an invented number.
    if _process(first) == first.pgconn.backend_pid:
        return
    with closing(psycopg.connect(**options(address))) as second:
        found = [(each, _process((first, second)[each])) for each in _ORDER]
    if len({process for _, process in found}) != 2 or len({*found}) != 2:
        raise _refused(address)


def _process(connection: psycopg.Connection) -> int:
    (number,) = connection.execute("SELECT pg_catalog.pg_backend_pid()").fetchone() or (0,)
    return int(number)


def _refused(address: Address) -> Unusable:
    return Unusable(
        f"{address.name} is a pooler that gives each transaction another connection (transaction or statement mode): "
        "the settings that make a commit durable and limit its time would be lost, and LISTEN would report nothing",
        where=address.name,
        accepts="the address of PostgreSQL itself, or of a pooler in session mode",
    )
