"""Rebuilding the state: from the file, with the chain verified, from memory, and by redeciding."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.floors import Floor
from benchmarks.peers import EventStore, chess_moves, poker_hands, words_of
from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.codec import decode
from ledger.events import Event
from ledger.stores.sqlite import SqliteStore
from projections.combat import fold
from replays.corrections.redecide import rehearse
from replays.sessions.log import Log


def _events(records: Sequence[Record]) -> Iterator[Event]:
    """Yields the events one by one: large lists would fragment the memory that the benchmark uses."""
    return (event for record in records for event in decode(record.line).events)


def test_load_and_rebuild(
    benchmark, scale: Scale, many_events: Sequence[Record], kept: SqliteStore, folder: Path, rows: list[Row]
) -> None:
    count = sum(1 for _ in _events(many_events))
    with closing(Floor(folder / "floor.db")) as floor, closing(EventStore(folder / "peer.db")) as peer:
        floor.keep(many_events)
        peer.keep(words_of(event) for event in _events(many_events))
        took = interleaved(
            benchmark,
            lambda: Log(kept, fights.SESSION),
            rounds=scale.rounds,
            verified=lambda: Log.folded(kept, fights.SESSION),
            floor=floor.load,
            hashed=floor.load_hashed,
            peer=peer.load,
        )
    a_second = {name: count / seconds for name, seconds in took.items()}
    loaded, unit = f"load {scale.long:,} events", "events/s"
    verified = f"{loaded}, chain verified"
    rows += [
        Row(
            what=loaded, ours=a_second["ours"], unit=unit,
            beside="floor: read, counted", theirs=a_second["floor"], goal=at_least(0.5),
        ),
        Row(what=loaded, ours=a_second["ours"], unit=unit, beside="eventsourcing", theirs=a_second["peer"]),
        Row(
            what=verified, ours=a_second["verified"], unit=unit,
            beside="floor: read, hashed", theirs=a_second["hashed"], goal=at_least(0.8),
        ),
        Row(
            what=verified, ours=a_second["verified"], unit=unit,
            beside="eventsourcing, unverified", theirs=a_second["peer"], goal=at_least(8),
        ),
    ]  # fmt: skip


def test_fold_in_memory(benchmark, scale: Scale, many_events: Sequence[Record], rows: list[Row]) -> None:
    events, moves = list(_events(many_events)), scale.moves
    hands = poker_hands(scale.hands)
    logged = hands()
    took = interleaved(
        benchmark, lambda: fold(events), rounds=scale.rounds, chess=chess_moves(moves), poker=hands,
    )  # fmt: skip
    ours, what, unit = len(events) / took["ours"], "fold in memory", "events/s"
    rows += [
        Row(what=what, ours=ours, unit=unit, beside="chess.Board.push", theirs=moves / took["chess"], goal=at_least(7)),
        Row(what=what, ours=ours, unit=unit, beside="pokerkit operations", theirs=logged / took["poker"]),
    ]


def test_rehearsal(benchmark, scale: Scale, many_events: Sequence[Record], kept: SqliteStore, rows: list[Row]) -> None:
    log = Log(kept, fights.SESSION)
    count = sum(1 for _ in _events(many_events))
    assert list(rehearse(log)) == []
    hands = poker_hands(scale.hands)
    logged = hands()
    took = interleaved(benchmark, lambda: list(rehearse(log)), rounds=scale.rounds, poker=hands)
    rows.append(
        Row(
            what="rehearsal", ours=count / took["ours"], unit="events/s",
            beside="pokerkit operations", theirs=logged / took["poker"], goal=at_least(2),
        )
    )  # fmt: skip
