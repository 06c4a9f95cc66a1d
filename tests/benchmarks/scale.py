"""How much a run of the benchmarks measures: all of it, or so little that it is over in a minute."""

import msgspec


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes and numbers of rounds of one run; every row stands in the table of each."""

    rounds: int = 7
    finer: int = 49
    """Rounds where each ends in commits: more and shorter ones, as the disk is now faster, now slower."""
    short: int = 1_000
    """Entries, or events, of a session as one plays it."""
    long: int = 100_000
    """Of one that is as long as any."""
    commits: int = 60
    """Of a round of appending."""
    commands: int = 200
    """Of a round on a live fight."""
    moves: int = 20_000
    """That the chess board is given."""
    hands: int = 50
    """Of poker."""
    copies: int = 25
    """Of each shipped fight."""
    kills: int = 1_000
    seconds: float = 2.0
    """That writers write side by side, a round."""


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
