"""Opens connections to PostgreSQL as the ledger needs them: durable commits, time limits, a fixed search path."""

from typing import Any

import psycopg

from ledger.stores.postgres.address import Address

_SETTINGS = """SELECT set_config('search_path', 'pg_catalog, pg_temp', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('statement_timeout', %(patience)s, false),
    set_config('lock_timeout', %(patience)s, false),
    set_config('idle_in_transaction_session_timeout', %(patience)s, false),
    set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)"""


def connect(address: Address, patience: float) -> psycopg.Connection:
    """Opens a connection outside the pool, configured like those in the pool."""
    connection = psycopg.connect(**options(address))
    try:
        configure(connection, patience)
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: psycopg.Connection, patience: float) -> None:
    """Configures a connection as the ledger needs it: durable commits, time limits and a fixed search path."""
    connection.execute(_SETTINGS, {"patience": f"{max(1, round(patience * 1000))}ms"})


def options(address: Address) -> dict[str, Any]:
    """Returns the arguments of psycopg for a connection."""
    # Preparing a statement would cost a second round trip, if only once, and not every proxy supports it.
    return {**address.options, "autocommit": True, "prepare_threshold": None}
