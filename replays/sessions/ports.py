"""Ports to the outside world: clock, system dice, secrets, seeds and ids. No other module below uses them."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from ledger.chain import SECRET
from ledger.dice import highest, lowest, parse
from ledger.draw import SEED

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

Drawer = Callable[[str, str], tuple[int, ...]]
"""Returns the faces drawn for a key and its dice."""


def now() -> str:
    """Returns the present time as entries have it: RFC 3339 in UTC, to the millisecond."""
    return _written(datetime.now(UTC))


def seconds() -> float:
    """Returns the present time in seconds since 1970."""
    return time.time()


def moment(seconds: float, timespec: str = "milliseconds") -> str:
    """Returns a time in seconds since 1970 as RFC 3339 in UTC; by default to the millisecond, as entries have it."""
    return _written(datetime.fromtimestamp(seconds, UTC), timespec)


def _written(instant: datetime, timespec: str = "milliseconds") -> str:
    return instant.isoformat(timespec=timespec).replace("+00:00", "Z")


def new_session_id() -> str:
    """Returns a ULID: 26 letters and digits that sort by time."""
    number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def new_secret() -> bytes:
    """Returns the secret of one entry."""
    return secrets.token_bytes(SECRET)


def new_seed() -> bytes:
    """Returns the seed of a session's dice."""
    return secrets.token_bytes(SEED)


def new_nonce() -> str:
    """Returns a nonce for a player who gives none."""
    return secrets.token_hex(16)


def draw(_: str, dice: str) -> tuple[int, ...]:
    """Draws dice from the system's generator, for a session that has committed to no seed."""
    return tuple(lowest(s) + secrets.randbelow(highest(s) - lowest(s) + 1) for s in parse(dice).sides)
