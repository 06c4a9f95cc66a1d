"""A whole command on a live fight: look at the rests, decide, append durably, fold."""

from collections.abc import Sequence
from contextlib import closing
from itertools import cycle
from pathlib import Path

from benchmarks import fights
from benchmarks.floors import Floor
from benchmarks.report import Row, at_least
from benchmarks.timing import ROUNDS, interleaved

from ledger.chain import Record
from ledger.commands import Command
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays import Session

COMMANDS = 200
"""A round."""
SEED = 7


class Playing:
    """A live session and what is performed on it, a round's worth at a time."""

    def __init__(self, store: SqliteStore, records: Sequence[Record]) -> None:
        self._commands = iter(fights.next_commands(records, COMMANDS * ROUNDS, SEED))
        self._session = Session(fights.keep(store, records), fights.SESSION, draw=fights.Fighters(SEED).draw)

    def some(self) -> list[Command]:
        return [next(self._commands) for _ in range(COMMANDS)]

    def perform(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._session.perform(command)


def test_command_on_a_live_fight(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    entries = cycle(fights.entries_of(records[:2000]))
    with (
        closing(SqliteStore(str(folder / "short.db"))) as near,
        closing(SqliteStore(str(folder / "long.db"))) as far,
        closing(Floor(folder / "floor.db")) as floor,
    ):
        short = Playing(near, fights.between_fights(records, 1_000))
        long = Playing(far, fights.between_fights(records, 100_000))

        def plain() -> None:
            for _ in range(COMMANDS):
                floor.append(next(entries))

        took = interleaved(
            benchmark,
            lambda: short.perform(short.some()),
            rounds=ROUNDS,
            at_100_000=lambda: long.perform(long.some()),
            floor=plain,
        )
    a_second = {name: COMMANDS / seconds for name, seconds in took.items()}
    what, unit = "command on a live fight, FULL", "commands/s"
    rows += [
        Row(what=f"{what}, at 1,000 entries", ours=a_second["ours"], unit=unit, goal=at_least(3_000)),
        Row(
            what=f"{what}, at 100,000 entries", ours=a_second["at_100_000"], unit=unit,
            beside="at 1,000", theirs=a_second["ours"], goal=at_least(0.9),
        ),
        Row(what=f"{what}, at 1,000 entries", ours=a_second["ours"], unit=unit, beside="floor: write", theirs=a_second["floor"]),
    ]  # fmt: skip


def test_command_in_memory(benchmark, records: Sequence[Record], rows: list[Row]) -> None:
    begun = fights.between_fights(records, 1_000)
    commands = fights.next_commands(begun, 1_000, SEED)
    sessions: list[Session] = []

    def ready() -> None:
        draw = fights.Fighters(SEED).draw
        sessions.append(Session(fights.keep(MemoryStore(), begun), fights.SESSION, draw=draw))

    def ours() -> None:
        for command in commands:
            sessions[-1].perform(command)

    took = interleaved(benchmark, ours, ready=ready)
    rows.append(Row(what="command on a live fight, in memory", ours=len(commands) / took["ours"], unit="commands/s"))
