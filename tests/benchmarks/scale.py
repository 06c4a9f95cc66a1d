"""The sizes of a run of the benchmarks: full, or quick (about a minute)."""

import msgspec


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes and numbers of rounds of one run; every run prints all rows."""

    rounds: int = 7
    finer: int = 49
    """Rounds of benchmarks that commit: more and shorter ones, because the speed of the disk varies."""
    short: int = 1_000
    """Entries, or events, of a usual session."""
    long: int = 100_000
    """Entries, or events, of a very long session."""
    commits: int = 60
    """Commits in one round of appending."""
    commands: int = 200
    """Commands in one round on a live fight."""
    moves: int = 20_000
    """Moves pushed on the chess board."""
    hands: int = 50
    """Hands of poker."""
    copies: int = 25
    """Copies of each shipped fight."""
    kills: int = 1_000
    seconds: float = 2.0
    """Seconds that parallel writers write, in each round."""


FULL = Scale()
QUICK = Scale(
    rounds=3,
    finer=5,
    short=300,
    long=10_000,
    commits=20,
    commands=50,
    moves=4_000,
    hands=10,
    copies=2,
    kills=20,
    seconds=0.3,
)
