"""A whole command on a live fight: read the rests, decide, append durably, fold."""

from collections.abc import Sequence
from contextlib import closing
from itertools import cycle
from pathlib import Path

from benchmarks import fights
from benchmarks.floors import Floor
from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.audience import EVERYTHING
from ledger.chain import Record
from ledger.commands import Command
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays import Session
from replays.corrections.redecide import Redeciding
from replays.server.callers.changes import changes

SEED = 7


class Playing:
    """A live session, and the commands to perform on it, one round of the benchmark at a time."""

    def __init__(self, store: SqliteStore, records: Sequence[Record], scale: Scale) -> None:
        self._some = scale.commands
        self._commands = iter(fights.next_commands(records, scale.commands * scale.rounds, SEED))
        self._session = Session(fights.keep(store, records), fights.SESSION, draw=fights.Fighters(SEED).draw)

    def some(self) -> list[Command]:
        return [next(self._commands) for _ in range(self._some)]

    def perform(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._session.perform(command)

    def perform_with_changes(self, commands: Sequence[Command]) -> None:
        """Performs them as a server does: with the merge patch of the state and the sentences of each."""
        for command in commands:
            changes(self._session, [self._session.perform(command)], EVERYTHING)


def test_command_on_a_live_fight(
    benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    entries = cycle(fights.entries_of(records[:2000]))
    with (
        closing(SqliteStore(str(folder / "short.db"))) as near,
        closing(SqliteStore(str(folder / "long.db"))) as far,
        closing(SqliteStore(str(folder / "told.db"))) as beside,
        closing(Floor(folder / "floor.db")) as floor,
    ):
        short = Playing(near, fights.between_fights(records, scale.short), scale)
        told = Playing(beside, fights.between_fights(records, scale.long), scale)
        long = Playing(far, fights.between_fights(records, scale.long), scale)

        def plain() -> None:
            for _ in range(scale.commands):
                floor.append(next(entries))

        took = interleaved(
            benchmark,
            lambda: short.perform(short.some()),
            rounds=scale.rounds,
            long=lambda: long.perform(long.some()),
            told=lambda: told.perform_with_changes(told.some()),
            floor=plain,
        )
    a_second = {name: scale.commands / seconds for name, seconds in took.items()}
    what, unit = "command on a live fight, FULL", "commands/s"
    rows += [
        Row(
            what=f"{what}, at {scale.short:,} entries", ours=a_second["ours"], unit=unit,
            beside="floor: write", theirs=a_second["floor"], goal=at_least(0.75),
        ),
        Row(
            what=f"{what}, at {scale.long:,} entries", ours=a_second["long"], unit=unit,
            beside=f"at {scale.short:,}", theirs=a_second["ours"], goal=at_least(0.9),
        ),
        Row(
            what=f"the same, with patch and narration, at {scale.long:,}", ours=a_second["told"], unit=unit,
            beside="without them", theirs=a_second["long"],
        ),
    ]  # fmt: skip


def test_command_in_memory(benchmark, scale: Scale, records: Sequence[Record], rows: list[Row]) -> None:
    begun = fights.between_fights(records, scale.short)
    commands = fights.next_commands(begun, scale.short, SEED)
    sessions: list[Session] = []

    def ready() -> None:
        draw = fights.Fighters(SEED).draw
        sessions.append(Session(fights.keep(MemoryStore(), begun), fights.SESSION, draw=draw))

    def ours() -> None:
        for command in commands:
            sessions[-1].perform(command)

    ready()
    ours()
    log = sessions[-1].log
    line = list(log.entries(len(begun)))

    took = interleaved(
        benchmark, ours, rounds=scale.rounds, ready=ready, decided=lambda: Redeciding(log, len(begun), line).finish()
    )
    a_second = {name: len(commands) / seconds for name, seconds in took.items()}
    rows.append(
        Row(
            what="command on a live fight, in memory", ours=a_second["ours"], unit="commands/s",
            beside="floor: decided", theirs=a_second["decided"], goal=at_least(0.25),
        )
    )  # fmt: skip
