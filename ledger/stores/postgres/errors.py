"""PostgreSQL's errors as refusals with a plain sentence. Only this module knows their codes."""

from collections.abc import Mapping
from types import TracebackType

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from ledger.errors import Busy, Damaged, Full, Oversized, ReadOnly, StoreRefused, Unsure, Unusable

_MEANINGS: Mapping[str, tuple[type[StoreRefused], str]] = {
    "25006": (ReadOnly, "{name} cannot be written: it is read-only, or a standby"),
    "28": (ReadOnly, "{name} may not be accessed"),
    "42501": (ReadOnly, "{name} may not be accessed"),
    "3F000": (Damaged, "the tables in {name} are not as Affray made them"),
    "42": (Damaged, "the tables in {name} are not as Affray made them"),
    "23": (Damaged, "the tables in {name} are not as Affray made them"),
    "40": (Busy, "others wrote into {name} at the same time; nothing was written"),
    "53100": (Full, "no room is left for {name}; nothing was written"),
    "53300": (Busy, "{name} has no connection left"),
    "54": (Oversized, "an id, a key or a name is too long for {name}; nothing was written"),
    "55P03": (Busy, "somebody else has held {name} for too long"),
    "57014": (Busy, "{name} took too long; nothing was written"),
    "57P": (Unusable, "the server of {name} is shutting down or starting"),
    "XX001": (Damaged, "the server says that {name} is damaged"),
    "XX002": (Damaged, "the server says that {name} is damaged"),
}
"""By SQLSTATE, its first three signs or its class."""


class Lost(Exception):
    """The connection went away while it was used: what was asked for may have been done, or not.

    Attributes:
        error: How it went away.
    """

    def __init__(self, error: psycopg.Error) -> None:
        super().__init__(str(error))
        self.error = error


def is_end(error: psycopg.Error) -> bool:
    """Whether the server says that it ends the connection, which may not have happened yet."""
    return (error.sqlstate or "").startswith(("08", "57P"))


def refusal(error: psycopg.Error | Lost, name: str) -> StoreRefused:
    """What an error means to somebody who wants to use the ledger called `name`."""
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


class Plainly:
    """``with plainly:`` — errors of PostgreSQL and of the network leave as refusals, chained to what they were.

    Args:
        name: What the sentences call the ledger.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, psycopg.Error | Lost):
            raise refusal(error, self._name) from error


def _words(error: psycopg.Error) -> str:
    """What the server or libpq say, in one line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return " ".join(line.strip() for line in lines[-2:] if line.strip())
