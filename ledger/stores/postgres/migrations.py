"""Creates the tables in PostgreSQL, migrates them, and checks their version."""

from collections.abc import Sequence
from contextlib import closing

import psycopg

from ledger.errors import ForeignFile, Newer, NotMigrated
from ledger.stores.postgres.address import Address, parse
from ledger.stores.postgres.errors import PostgresErrors
from ledger.stores.postgres.pooler import connect_unshared
from ledger.stores.postgres.schema import MIGRATIONS, Migration

PATIENCE = 60.0
"""Seconds to wait for another migration to finish."""

_LOCK = 0x4146_5259
"""``AFRY``: the advisory lock that a migration holds."""


def migrate(url: str, migrations: Sequence[Migration] = MIGRATIONS, *, patience: float = PATIENCE) -> tuple[str, ...]:
    """Applies the missing migrations, all or none. It is idempotent, also if two processes do it at once.

    Args:
        url: The database, which must exist.
        migrations: All migrations.
        patience: Seconds to wait for another migration to finish.

    Returns:
        The names of the applied migrations.

    Raises:
        Newer: The tables were created by a newer Affray.
        ForeignFile: There is a schema of that name that belongs to another program.
        StoreRefused: The migration failed for another reason; nothing was changed.
    """
    address = parse(url)
    with (
        PostgresErrors(address.name),
        closing(connect_unshared(address, patience)) as connection,
        connection.transaction(),
    ):
        connection.execute("SELECT set_config('statement_timeout', '0', true), pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(connection)
        _check_not_newer(version, len(migrations), address)
        if version == 0:
            _begin(connection, address)
        for number, migration in enumerate(migrations[version:], version + 1):
            _apply(connection, number, migration)
    return tuple(migration.name for migration in migrations[version:])


def check_version(connection: psycopg.Connection, address: Address) -> None:
    """Checks that the tables have the version that this Affray needs.

    Raises:
        NotMigrated: The tables are missing, or older.
        Newer: The tables are newer.
    """
    version, known = _version(connection), len(MIGRATIONS)
    _check_not_newer(version, known, address)
    if version < known:
        what = "has no tables yet" if version == 0 else f"has tables of an older Affray (version {version})"
        raise NotMigrated(
            f"{address.name} {what}: run affray migrate",
            where=address.name, accepts=f"affray --ledger '{address.name}' migrate",
        )  # fmt: skip


def _version(connection: psycopg.Connection) -> int:
    """Returns the number of the last applied migration; 0 if there is none."""
    there = connection.execute("SELECT to_regclass('affray.migrations') IS NOT NULL").fetchone()
    if there != (True,):
        return 0
    (version,) = connection.execute("SELECT coalesce(max(number), 0) FROM affray.migrations").fetchone() or (0,)
    return int(version)


def _check_not_newer(version: int, known: int, address: Address) -> None:
    if version > known:
        raise Newer(
            f"{address.name} was written by a newer Affray (version {version})", where=address.name, accepts=f"{known}"
        )


def _begin(connection: psycopg.Connection, address: Address) -> None:
    foreign = "SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('affray') LIMIT 1"
    if connection.execute(foreign).fetchone() is not None:
        raise ForeignFile(f"the schema affray in {address.name} belongs to another program", where=address.name)
    connection.execute("CREATE SCHEMA IF NOT EXISTS affray")
    connection.execute(
        "CREATE TABLE affray.migrations "
        "(number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )


def _apply(connection: psycopg.Connection, number: int, migration: Migration) -> None:
    for statement in migration.statements:
        connection.execute(statement.encode())
    connection.execute("INSERT INTO affray.migrations (number, name) VALUES (%s, %s)", (number, migration.name))
