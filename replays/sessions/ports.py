"""What only a door may do: read the clock, throw dice, make secrets and names. Nothing below it does."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from ledger.chain import SECRET
from ledger.dice import highest, lowest, parse
from ledger.draw import SEED

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

Drawer = Callable[[str, str], tuple[int, ...]]
"""(key, dice) -> faces."""


def now() -> str:
    """The time as entries have it: RFC 3339 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_session_id() -> str:
    """A ULID: 26 letters and digits that sort by time."""
    number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def new_secret() -> bytes:
    """The secret of one entry."""
    return secrets.token_bytes(SECRET)


def new_seed() -> bytes:
    """The seed of a session's dice."""
    return secrets.token_bytes(SEED)


def new_nonce() -> str:
    """A nonce for a player who has none of their own."""
    return secrets.token_hex(16)


def draw(_: str, dice: str) -> tuple[int, ...]:
    """Throw dice with the system's generator, where a session has committed to no seed."""
    return tuple(lowest(s) + secrets.randbelow(highest(s) - lowest(s) + 1) for s in parse(dice).sides)
