"""Converts errors of PostgreSQL to refusals. Only this module knows their codes."""

from collections.abc import Mapping

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from ledger.errors import Busy, Damaged, Full, Oversized, ReadOnly, StoreRefused, Unsure, Unusable
from ledger.stores.refusals import StoreErrors

_MEANINGS: Mapping[str, tuple[type[StoreRefused], str]] = {
    "25006": (ReadOnly, "{name} cannot be written: it is read-only, or a standby"),
    "28": (ReadOnly, "{name} may not be accessed"),
    "42501": (ReadOnly, "{name} may not be accessed"),
    "3F000": (Damaged, "the tables in {name} are not as Affray made them"),
    "42": (Damaged, "the tables in {name} are not as Affray made them"),
    "23": (Damaged, "the tables in {name} are not as Affray made them"),
    "40": (Busy, "another client wrote into {name} at the same time; nothing was written"),
    "53100": (Full, "the disk of {name} is full; nothing was written"),
    "53300": (Busy, "{name} has no connection left"),
    "54": (Oversized, "an id, a key or a name is too long for {name}; nothing was written"),
    "55P03": (Busy, "another client has held a lock in {name} for too long"),
    "57014": (Busy, "{name} took too long; nothing was written"),
    "57P": (Unusable, "the server of {name} is shutting down or starting"),
    "XX001": (Damaged, "the server says that {name} is damaged"),
    "XX002": (Damaged, "the server says that {name} is damaged"),
}
"""Refusals by SQLSTATE, by its first three characters or by its class."""


class Lost(Exception):
    """The connection was lost during a query: the query may have been executed or not.

    Attributes:
        error: The error of the connection.
    """

    def __init__(self, error: psycopg.Error) -> None:
        super().__init__(str(error))
        self.error = error


def is_end(error: psycopg.Error) -> bool:
    """Returns whether the server announced the end of the connection, which may still be open."""
    return (error.sqlstate or "").startswith(("08", "57P"))


def refusal(error: psycopg.Error | Lost, name: str) -> StoreRefused:
    """Returns the refusal for an error of the ledger called `name`."""
    if isinstance(error, Lost):
        return Unsure(f"the connection to {name} was lost: whether it was written is not known", where=name)
    if isinstance(error, PoolClosed):
        return Unusable(f"{name} cannot be used: it is closed", where=name)
    if isinstance(error, PoolTimeout):
        return Busy(f"all connections to {name} were in use for too long", where=name)
    code = error.sqlstate or ""
    meaning = _MEANINGS.get(code) or _MEANINGS.get(code[:3]) or _MEANINGS.get(code[:2])
    if meaning is not None:
        return meaning[0](meaning[1].format(name=name), where=name)
    return Unusable(f"{name} cannot be used: {_words(error)}", where=name)


class PostgresErrors(StoreErrors):
    """Raises errors of PostgreSQL and of the network as refusals."""

    def refusal(self, error: BaseException) -> StoreRefused | None:
        """Returns the refusal for an error of PostgreSQL."""
        return refusal(error, self._name) if isinstance(error, psycopg.Error | Lost) else None


def _words(error: psycopg.Error) -> str:
    """Returns the message of the server or of libpq in one line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return " ".join(line.strip() for line in lines[-2:] if line.strip())
