"""How fast this machine is just now, beside how fast it was when the goals were set: what to make of the absolute ones."""

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from benchmarks.report import Row
from benchmarks.timing import FINER, interleaved

THEN = {"digests": 2_610_000, "commits": 6_627}
"""Of sha256 over 32 + 200 bytes, and of rows of 200 bytes at FULL, a second."""
DIGESTS, COMMITS = 100_000, 100


def test_of_digests_and_commits(benchmark, folder: Path, rows: list[Row]) -> None:
    body = b"." * 200
    with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as connection:
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE rows (body BLOB)"):
            connection.execute(statement)

        def digests() -> None:
            digest = bytes(32)
            for _ in range(DIGESTS):
                digest = sha256(digest + body).digest()

        def commits() -> None:
            for _ in range(COMMITS):
                connection.execute("INSERT INTO rows VALUES (?)", (body,))

        took = interleaved(benchmark, digests, rounds=FINER, commits=commits)
    found = {"digests": DIGESTS / took["ours"], "commits": COMMITS / took["commits"]}
    rows += [
        Row(
            what=f"this machine now: {name}",
            ours=found[name],
            unit=f"{name}/s",
            beside="when goals were set",
            theirs=THEN[name],
        )
        for name in found
    ]
