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
    "tcp_user_timeout": 30_000,  # the same for a query that was sent and never received
}
"""Options of the connection that the address does not set."""

_SEVERAL: Mapping[str, str | int] = {
    **_DEFAULTS,
    # One of the hosts is the primary, and becomes a standby when another one takes its place.
    "target_session_attrs": "read-write",
    "connect_timeout": 3,
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""The same for an address with several hosts."""


class Address(msgspec.Struct, frozen=True):
    """The address of a database."""

    name: str
    """The address without password and options, for messages."""
    options: Mapping[str, str | int]
    """The options of the connection, with libpq's names."""

    @property
    def place(self) -> str:
        """The hosts, their ports and the database, to be compared with those of another address."""
        database = self.options.get("dbname", self.options.get("user", ""))
        given = {"host": str(self.options.get("host", "")), "port": str(self.options.get("port", 5432))}
        return f"{_hosts(given)}/{database}"

    @property
    def has_several(self) -> bool:
        """Whether it has several hosts, any of which may be the primary."""
        return "," in str(self.options.get("host", self.options.get("hostaddr", "")))


def parse(url: str) -> Address:
    """Parses an address.

    Args:
        url: Any address that libpq accepts, such as ``postgresql://user:password@host:5432/database``. Of several
            hosts, as in ``postgresql://user@one:5432,two:5432/database``, the one that accepts writes is used.

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
    address = Address(_name(options), options)
    defaults = _SEVERAL if address.has_several else _DEFAULTS
    return Address(address.name, {**defaults, **options})


def _malformed() -> UnknownStore:
    return UnknownStore(
        "this is not a PostgreSQL address, or a special character in it is not percent-encoded (@ as %40)",
        where="ledger",
        accepts="postgresql://user:password@host:5432/database",
    )


def _name(options: Mapping[str, str]) -> str:
    user = options["user"] + "@" if "user" in options else ""
    return f"postgresql://{user}{_hosts(options)}/{options.get('dbname', '')}"


def _hosts(options: Mapping[str, str]) -> str:
    """Returns the hosts, each with its port; libpq has one list of the hosts and one of the ports."""
    hosts, ports = options.get("host", "").split(","), options.get("port", "").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    return ",".join(f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=False))
