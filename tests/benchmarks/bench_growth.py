"""How the cost of each piece of work grows with the length of a session: flat, or linear where it reads the whole log."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.audience import Viewer
from ledger.chain import Record
from ledger.commands import Declare, Note
from ledger.entry import Seat
from ledger.stores.sqlite import SqliteStore
from replays import Session
from replays.corrections.change import Change

SHORT, FLAT = 100, 1.5
LENGTHS = (SHORT, 1_000, 10_000, 100_000)
OTHERWISE = Change(set={"terms.range": "medium"})
PLAYER = Viewer(Seat.PLAYER, frozenset({"stoya"}))


class Fight(NamedTuple):
    """A live session of some length."""

    session: Session
    fighters: fights.Fighters
    declarations: Sequence[int]
    """The first and the last declaration that stand."""
    places: Iterator[int]
    """Counts the states that were asked for."""


Work = Callable[[Fight], object]


@pytest.fixture(scope="module")
def by_length(
    scale: Scale, records: Sequence[Record], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[int, Fight]]:
    """Live sessions by their length, each in a separate file."""
    folder: Path = tmp_path_factory.mktemp("lengths")
    with ExitStack() as opened:
        found = {}
        for length in LENGTHS:
            if length <= scale.long:
                store = opened.enter_context(closing(SqliteStore(str(folder / f"{length}.db"))))
                session = fights.after_an_exchange(store, records, length)
                standing = session.log.entries_of(session.log.timeline.line())
                declared = [entry.seq for entry in standing if isinstance(entry.command, Declare)]
                found[length] = Fight(session, fights.Fighters(seed=length), (declared[0], declared[-1]), count(0))
        yield found


def perform(fight: Fight) -> None:
    fight.session.perform(fight.fighters.command(fight.session.combat))


def perform_three(fight: Fight) -> None:
    fight.session.perform_all([Note("one"), Note("two"), Note("three")])


def undo(fight: Fight) -> None:
    fight.session.undo("step")
    fight.session.redo()


def state_then(fight: Fight) -> None:
    """The state at an entry in the middle that was not asked for before."""
    fight.session.state(at=fight.session.log.last // 2 - next(fight.places))


def options(fight: Fight) -> None:
    fight.session.options()


def feed(fight: Fight) -> None:
    """What a live reader gets for one more entry: the entry, and the state as the seat sees it."""
    perform(fight)
    list(fight.session.entries(fight.session.log.last - 1))
    fight.session.state(eyes=PLAYER)


def preview_the_last(fight: Fight) -> None:
    fight.session.preview(fight.declarations[-1], OTHERWISE, consent=True)


def preview_the_first(fight: Fight) -> None:
    fight.session.preview(fight.declarations[0], OTHERWISE, consent=True)


def explain(fight: Fight) -> None:
    fight.session.why("stoya.damage")


def audit(fight: Fight) -> None:
    fight.session.audit()


def outline(fight: Fight) -> None:
    fight.session.outline(PLAYER)


def steps(fight: Fight) -> None:
    """A page of 50 steps in the middle, as a player sees it, that was not asked for before."""
    fight.session.steps(fight.session.log.last // 2 - next(fight.places) % 40, 50, PLAYER)


@pytest.mark.parametrize(
    ("what", "work"),
    [
        ("a command, FULL", perform), ("three commands together, FULL", perform_three), ("an undo and a redo, FULL", undo), ("the state at an old entry", state_then),
        ("the options", options), ("a command, FULL, and what a live reader gets", feed),
        ("a preview of the last declaration", preview_the_last), ("a page of a replay", steps),
    ],
)  # fmt: skip
def test_flat(benchmark, scale: Scale, by_length: Mapping[int, Fight], rows: list[Row], what: str, work: Work) -> None:
    seconds = _measured(benchmark, by_length, work, scale.finer)
    rows += [
        Row(
            what=f"{what}, at {length:,} entries", ours=seconds[length] * 1e3, unit="ms",
            beside=f"at {SHORT}", theirs=seconds[SHORT] * 1e3, goal=at_most(FLAT),
        )
        for length in seconds if length != SHORT
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "work", "most"),
    [
        ("why has she so much damage?", explain, 100_000), ("an audit", audit, 100_000),
        ("the outline of a replay", outline, 100_000),
        ("a preview of the first declaration", preview_the_first, 100_000),
    ],
)  # fmt: skip
def test_linear(
    benchmark, scale: Scale, by_length: Mapping[int, Fight], rows: list[Row], what: str, work: Work, most: int
) -> None:
    lengths = {length: fight for length, fight in by_length.items() if 1_000 <= length <= most}
    seconds = _measured(benchmark, lengths, work, scale.rounds)
    per_entry = {length: seconds[length] * 1e6 / lengths[length].session.log.last for length in lengths}
    shortest = min(lengths)
    rows += [
        Row(
            what=f"{what} {length:,} entries, for each", ours=per_entry[length], unit="us",
            beside=f"of {shortest:,}", theirs=per_entry[shortest], goal=at_most(FLAT),
        )
        for length in lengths if length != shortest
    ]  # fmt: skip


def _measured(benchmark, by_length: Mapping[int, Fight], work: Work, rounds: int) -> Mapping[int, float]:
    """Returns the seconds that a piece of work takes, by the length of the session."""
    shortest, *longer = sorted(by_length)
    for fight in by_length.values():
        work(fight)
    others = {str(length): (lambda length=length: work(by_length[length])) for length in longer}
    took = interleaved(benchmark, lambda: work(by_length[shortest]), rounds=rounds, **others)
    return {shortest: took["ours"], **{length: took[str(length)] for length in longer}}
