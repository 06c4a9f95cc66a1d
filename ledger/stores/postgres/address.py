"""Parses the address of a PostgreSQL database, and formats it without its password."""

from collections.abc import Mapping

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import UnknownStore

_DEFAULTS: Mapping[str, str | int] = {
    "application_name": "affray",
    "connect_timeout": 10,
    # A server whose machine has failed sends nothing more; keepalives detect that within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
}
"""Options of the connection that the address does not set."""


class Address(msgspec.Struct, frozen=True):
    """The address of a database."""

    name: str
    """The address without password and options, for messages."""
    options: Mapping[str, str | int]
    """The options of the connection, with libpq's names."""


def parse(url: str) -> Address:
    """Parses an address.

    Args:
        url: Any address that libpq accepts, such as ``postgresql://user:password@host:5432/database``.

    Raises:
        UnknownStore: The address is malformed. The message repeats no part of it, which could be part of the password.
    """
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise _malformed() from None
    options = {name: str(value) for name, value in given.items() if value is not None}
    # An @ or / in a password that is not written as %40 or %2F makes a part of it a host, a port or a database.
    before, at, behind = url.partition("://")[2].partition("@")
    ports = options.get("port", "").replace(",", "")
    if "@" in behind or (at and "/" in before) or not (ports.isdecimal() or not ports):
        raise _malformed()
    return Address(_name(options), {**_DEFAULTS, **options})


def _malformed() -> UnknownStore:
    return UnknownStore(
        "this is not a PostgreSQL address, or a special character in it is not percent-encoded (@ as %40)",
        where="ledger",
        accepts="postgresql://user:password@host:5432/database",
    )


def _name(options: Mapping[str, str]) -> str:
    user = options["user"] + "@" if "user" in options else ""
    port = ":" + options["port"] if "port" in options else ""
    return f"postgresql://{user}{options.get('host', '')}{port}/{options.get('dbname', '')}"
