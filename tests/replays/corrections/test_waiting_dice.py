"""Dice that lie already and those that are missing, and what comes behind a command, with what waits written down."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from written_log import GM, WrittenLog

from ledger.commands import Command, DrawDice, Note, Overrule, TypeDice
from ledger.events import RollRequested
from projections.combat import Combat, fold
from projections.history.draws import FRESH, STICKY
from projections.path import Rest
from replays.corrections import waiting as module
from replays.corrections.deferred import NOTHING, Deferred
from replays.corrections.waiting import Waiting
from replays.sessions.drafts import Drafting
from replays.sessions.intent import Intent
from replays.sessions.log import Draft

KEY, OTHER = "r1/ann/a1/attack/to-hit", "r1/bob/initiative"
OPEN = fold((RollRequested(OTHER, "bob", "1d6", "", ""), RollRequested(KEY, "ann", "4d6", "hit", "")), Combat())
WORD = Overrule(KEY, "base", 3, "x")


class MovedLog(WrittenLog):
    """A log whose head a test moves."""

    moved: int | None = None

    @property
    def head(self) -> int:
        return self.moved or super().head


class Table:
    """A log in which some rolls wait, and a drafting that draws sixes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *rolls: Command, policy: str = STICKY) -> None:
        log = MovedLog()
        for roll in rolls:
            log.add(roll)
        self.log: Any = log
        self.waits = Deferred(tuple(log.entry(seq) for seq in range(2, 2 + len(rolls))), ())
        self.looked_up = 0
        for name, value in {"combat": OPEN, "last": 30, "draws": SimpleNamespace(policy=policy)}.items():
            setattr(log, name, value)
        monkeypatch.setattr(module, "deferred", self._deferred)
        self.waiting = Waiting(self.log, cast(Drafting, self))

    def _deferred(self, log: Any) -> Deferred:
        assert log is self.log
        self.looked_up += 1
        return self.waits

    def with_faces(self, command: DrawDice, combat: Combat) -> DrawDice:
        assert combat is OPEN
        return DrawDice(command.key, (5, 6, 6, 6), seen_by=command.seen_by)


def completed(monkeypatch: pytest.MonkeyPatch, lying: Command, command: Command, policy: str = STICKY) -> Command:
    return Table(monkeypatch, lying, policy=policy).waiting.completed(command)


# ------------------------------------------------------------------------------------------------ dice that are missing


@pytest.mark.parametrize(
    ("lying", "given", "provenance"),
    [
        (TypeDice(KEY, (1, 2)), (), ("typed",) * 4),
        (TypeDice(KEY, (1, 2), ("scripted", "typed")), ("typed", "scripted"), ("scripted", "typed", "typed", "scripted")),
        (TypeDice(KEY, (1, 2)), ("scripted",) * 4, ("typed", "typed", "scripted", "scripted")),
        (DrawDice(KEY, (1, 2)), (), ("drawn", "drawn", "typed", "typed")),
    ],
)  # fmt: skip
def test_faces_that_are_typed_come_behind_those_that_lie(
    monkeypatch: pytest.MonkeyPatch, lying: Command, given: tuple[str, ...], provenance: tuple[str, ...]
) -> None:
    found = completed(monkeypatch, lying, TypeDice(KEY, (3, 4), given, seen_by=("ann",)))

    assert found == TypeDice(KEY, (1, 2, 3, 4), provenance, seen_by=("ann",))


def test_faces_that_are_drawn_are_the_last_of_a_draw_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = completed(monkeypatch, TypeDice(KEY, (1, 2, 3)), DrawDice(KEY, seen_by=()))

    assert found == DrawDice(KEY, (1, 2, 3, 6), ("typed", "typed", "typed", "drawn"), seen_by=())


def test_of_a_pool_of_which_one_die_lies_the_other_three_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    found = completed(monkeypatch, TypeDice(KEY, (1,)), DrawDice(KEY))

    assert found == DrawDice(KEY, (1, 6, 6, 6), ("typed", "drawn", "drawn", "drawn"))


@pytest.mark.parametrize(
    ("lying", "policy", "whence"),
    [
        (DrawDice(KEY, (1, 2)), STICKY, ("drawn", "drawn")),
        (DrawDice(KEY, (1, 2)), FRESH, ("recorded", "recorded")),
        (DrawDice(KEY, (1, 2), ("typed", "drawn")), FRESH, ("typed", "recorded")),
        (TypeDice(KEY, (1, 2)), FRESH, ("typed", "typed")),
    ],
)
def test_faces_of_an_earlier_draw_are_recorded_where_each_draw_is_a_new_one(
    monkeypatch: pytest.MonkeyPatch, lying: Command, policy: str, whence: tuple[str, str]
) -> None:
    found = completed(monkeypatch, lying, TypeDice(KEY, (3, 4)), policy)

    assert isinstance(found, TypeDice)
    assert found.provenance == (*whence, "typed", "typed")


@pytest.mark.parametrize(
    ("lying", "command"),
    [
        (TypeDice(KEY, (1, 2, 3, 4)), TypeDice(KEY, (3, 4))),
        (TypeDice("r1/zoe/initiative", (1, 2)), TypeDice(KEY, (3, 4))),
        (TypeDice("r1/zoe/initiative", (1, 2)), TypeDice("r1/zoe/initiative", (3, 4))),
        (TypeDice(KEY, (1, 2)), TypeDice(OTHER, (3,))),
        (TypeDice(KEY, (1, 2)), Note(KEY)),
    ],
)
def test_whatever_else_is_given_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, lying: Command, command: Command
) -> None:
    assert completed(monkeypatch, lying, command) is command


def test_where_nothing_waits_a_roll_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    roll = TypeDice(KEY, (3, 4))

    assert Table(monkeypatch).waiting.completed(roll) is roll


def test_of_what_is_no_roll_nothing_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, TypeDice(KEY, (1, 2)))

    table.waiting.completed(Note(KEY))
    assert table.waiting.known_faces(Rest("r1/ann/act", "ann", "", "")) == ()
    assert table.looked_up == 0


# ------------------------------------------------------------------------------------------------ dice that lie


def lying(table: Table, key: str) -> tuple[int, ...]:
    return table.waiting.known_faces(next(rest for rest in OPEN.rests if rest.key == key))


def test_the_faces_that_lie_of_an_open_roll_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, TypeDice(OTHER, (3,)), DrawDice(KEY, (1, 2)))

    assert (lying(table, KEY), lying(table, OTHER)) == ((1, 2), ())
    assert lying(Table(monkeypatch), KEY) == ()


# ------------------------------------------------------------------------------------------------ what comes behind


class FakeRebase:
    """Stands in for what performs drafts again: remembers what it was given, and adds a draft behind them."""

    def __init__(self, *given: Any) -> None:
        self.given = given
        self.performed: list[Intent] = []
        self.drafts: list[Any] = []
        self.recorded: Any = None
        MADE.append(self)

    def perform(self, asked: Intent) -> None:
        self.performed.append(asked)
        self.drafts.append(asked)

    def go_on(self, answers: Any) -> None:
        assert answers is self.recorded
        self.drafts += [each.intent for each in answers.left]

    def remaining(self, waited: Deferred) -> Deferred:
        return Deferred(waited.entries[1:], ())


MADE: list[FakeRebase] = []
DRAFTS = [Draft(command, (), GM, 7, 1, origin) for command, origin in ((Note("a"), None), (Note("b"), 3))]


@pytest.fixture
def rebase(monkeypatch: pytest.MonkeyPatch) -> list[FakeRebase]:
    MADE.clear()
    monkeypatch.setattr(module, "Rebase", FakeRebase)
    return MADE


def test_where_nothing_waits_drafts_stay_as_they_are(monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase]) -> None:
    table = Table(monkeypatch)
    table.waits = NOTHING

    assert table.waiting.continued(DRAFTS) is DRAFTS
    assert rebase == []


@pytest.mark.parametrize("words", [(), (WORD,)])
def test_behind_drafts_comes_what_waits_for_them(
    monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase], words: tuple[Overrule, ...]
) -> None:
    table = Table(monkeypatch, TypeDice(KEY, (1, 2)))
    table.waits = Deferred(table.waits.entries, words)

    found = table.waiting.continued(DRAFTS)

    (made,) = rebase
    assert made.given == (OPEN, table, table.log.head, 30, table.waits)
    assert made.performed == [Intent(Note("a"), GM, Note("a"), (), None), Intent(Note("b"), GM, Note("b"), (), 3)]
    assert found is made.drafts
    assert [each.command for each in made.drafts[2:]] == [TypeDice(KEY, (1, 2))]  # type: ignore[attr-defined]


def test_words_alone_are_waited_for_too(monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase]) -> None:
    table = Table(monkeypatch)
    table.waits = Deferred((), (WORD,))

    assert table.waiting.continued(DRAFTS) is not DRAFTS
    assert len(rebase) == 1


def test_what_waits_is_looked_up_once_for_each_head_and_known_after_what_was_written(
    monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase]
) -> None:
    table = Table(monkeypatch, TypeDice(KEY, (1, 2)), TypeDice(OTHER, (3,)))
    first, second = table.waits.entries

    assert table.waiting.entries() == table.waiting.entries() == (first, second)
    assert table.looked_up == 1
    drafts = table.waiting.continued(DRAFTS)
    assert table.waiting.entries() == (first, second)  # nothing is written yet
    table.log.moved = 34  # two drafts and the two behind them
    table.waiting.appended(drafts)
    assert table.waiting.entries() == (second,)
    assert table.looked_up == 1
    table.log.moved = 35
    assert table.waiting.entries() == (first, second)
    assert table.looked_up == 2


def test_where_nothing_is_deferred_nothing_is_looked_up_after_a_command(
    monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase]
) -> None:
    table = Table(monkeypatch)
    table.waits = NOTHING

    for head in (32, 34, 36):
        drafts = table.waiting.continued(list(DRAFTS))
        table.log.moved = head
        table.waiting.appended(drafts)
    assert table.looked_up == 1

    table.log.moved = 37
    table.waiting.appended([])  # a correction: its drafts are not those of the last command
    assert table.waiting.entries() == ()
    assert table.looked_up == 2


def test_drafts_that_were_not_appended_leave_what_is_deferred(
    monkeypatch: pytest.MonkeyPatch, rebase: list[FakeRebase]
) -> None:
    table = Table(monkeypatch, TypeDice(KEY, (1, 2)), TypeDice(OTHER, (3,)))
    table.waiting.continued(DRAFTS)  # refused by the store, for example

    table.log.moved = 33
    table.waiting.appended(list(DRAFTS))

    assert table.waiting.entries() == table.waits.entries
