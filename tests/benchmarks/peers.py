"""The peers: `eventsourcing`, `chess` and `pokerkit`."""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import chess
import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from pokerkit import Automation, NoLimitTexasHoldem

from ledger.events import Event

_Words = tuple[str, str, str, int, str]


class MinimalFight(Aggregate):
    """A fight as a minimal aggregate of `eventsourcing`."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    @event("Happened")
    def happen(self, kind: str, key: str, who: str, value: int, why: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1


class EventStore:
    """`eventsourcing` with its defaults on SQLite."""

    def __init__(self, path: Path) -> None:
        self._application: Application[UUID] = Application(
            env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
        )
        self._fight = MinimalFight()
        self._application.save(self._fight)

    def append(self, words: _Words) -> None:
        """Saves one event."""
        self._fight.happen(*words)
        self._application.save(self._fight)

    def keep(self, many: Iterable[_Words]) -> None:
        """Saves many events, a thousand at a time."""
        coming = iter(many)
        while some := list(islice(coming, 1000)):
            for words in some:
                self._fight.happen(*words)
            self._application.save(self._fight)

    def load(self) -> int:
        """Rebuilds the aggregate and returns its version."""
        fight: MinimalFight = self._application.repository.get(self._fight.id)
        return fight.version

    def close(self) -> None:
        self._application.close()


def words_of(event: Event) -> _Words:
    """The facts of one Affray event in five plain fields."""
    fields = msgspec.structs.asdict(event)
    words = [value for value in fields.values() if isinstance(value, str)]
    numbers = [value for value in fields.values() if isinstance(value, int)]
    first, second, *rest = [*words, "", ""]
    return type(event).__name__, first, second, next(iter(numbers), 0), " ".join(rest)


def chess_moves(count: int) -> Callable[[], Any]:
    """Pushes prepared legal moves, without checking them."""
    random, board = Random(1), chess.Board()
    games: list[list[chess.Move]] = [[]]
    for _ in range(2000):
        if board.is_game_over() or len(games[-1]) >= 120:
            board.reset()
            games.append([])
        games[-1].append(random.choice(list(board.legal_moves)))
        board.push(games[-1][-1])

    def push() -> None:
        left = count
        while left > 0:
            for game in games:
                fresh = chess.Board()
                for move in game:
                    fresh.push(move)
            left -= 2000

    return push


_AUTOMATIC = (
    Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING, Automation.CHIPS_PUSHING, Automation.CHIPS_PULLING,
)  # fmt: skip


def poker_hands(count: int) -> Callable[[], int]:
    """Plays hands in which all players check until the showdown, and returns the number of logged operations."""

    def play() -> int:
        return sum(_hand() for _ in range(count))

    return play


def _hand() -> int:
    state = NoLimitTexasHoldem.create_state(_AUTOMATIC, True, 0, (1, 2), 2, 200, 3)
    for cards in ("AcAs", "KdKh", "7c2d"):
        state.deal_hole(cards)
    for burned, board in ((None, None), ("2h", "Jc3d5c"), ("3h", "4h"), ("4d", "Jh")):
        if burned and board:
            state.burn_card(burned)
            state.deal_board(board)
        while state.actor_index is not None:
            state.check_or_call()
    return len(state.operations)
