"""Where a PostgreSQL server is, and what it may be called before people: never with its password."""

from collections.abc import Mapping

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import UnknownStore

_DEFAULTS: Mapping[str, str | int] = {
    "application_name": "affray",
    "connect_timeout": 10,
    # A server whose machine is gone says nothing more; half a minute later it is noticed.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
}
"""Unless the address says otherwise."""


class Address(msgspec.Struct, frozen=True):
    """A database."""

    name: str
    """Its address without password and options."""
    options: Mapping[str, str | int]
    """Of the connection, as libpq has them."""


def parse(url: str) -> Address:
    """Read an address.

    Args:
        url: Such as ``postgresql://user:password@host:5432/database``; whatever libpq understands.

    Raises:
        UnknownStore: It is none. Nothing of it is repeated, for it may be a piece of the password.
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
        "this is no address of PostgreSQL, or a special character in it is not written as %40 and the like",
        where="ledger",
        accepts="postgresql://user:password@host:5432/database",
    )


def _name(options: Mapping[str, str]) -> str:
    user = options["user"] + "@" if "user" in options else ""
    port = ":" + options["port"] if "port" in options else ""
    return f"postgresql://{user}{options.get('host', '')}{port}/{options.get('dbname', '')}"
