"""Recorded answers by themselves: what an entry answered, where it fits, how many of its dice are used, what is older."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from written_log import WrittenLog

from ledger.commands import Choose, Command, Declare, DrawDice, Note, Overrule, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.events import Chosen, Declared, Event, Option, RollRequested
from machines.contract.refusals import TooManyEvents
from machines.contract.ruleset import Ruleset
from machines.engine.decide import Decision
from projections.clock import Clock
from projections.combat import Combat, fold
from projections.path import Path, Rest
from replays.corrections import recorded_answers
from replays.corrections.answer_index import RecordedAnswer
from replays.corrections.recorded_answers import (
    RecordedAnswers,
    matched,
    older_answers,
    recorded_answer,
    reissue,
    trim_faces,
    underlying,
)
from replays.sessions.intent import Intent

GM = Who("gm", Seat.GM)
GAME = cast(Ruleset, SimpleNamespace())
DV, ARMOR, HIGHER = (Overrule("a", figure, value, "x") for figure, value in (("dv", 1), ("armor", 2), ("dv", 9)))
ROLL, DRAWN = TypeDice("k", (1, 2, 3)), DrawDice("k", (1, 2, 3), ("drawn", "recorded", "drawn"))
ACT = "r1/ann/p1/act"


def rest(key: str, dice: str = "", *, by: str = "ann", options: tuple[str, ...] = ()) -> Rest:
    return Rest(key, by, "", dice, tuple(Option(each, each) for each in options))


def waiting(*rests: Rest, period: str = "r1") -> Combat:
    return Combat(path=Path(asked=rests), clock=Clock(round=int(period.removeprefix("r"))))


def plainly(command: Command, origin: int | None = 7) -> Intent:
    return Intent(command, GM, command, (), origin)


def recorded(command: Command, **fields: Any) -> RecordedAnswer:
    return RecordedAnswer(plainly(command), **fields)


# ------------------------------------------------------------------------------------------------ what was recorded


def test_beneath_its_overrulings_an_entry_has_what_the_rules_were_asked() -> None:
    log = WrittenLog()
    log.add(ROLL)
    log.add(DV, origin=2)
    log.add(ARMOR, origin=3)
    log.add(HIGHER, origin=4)

    assert underlying(log.entry(2), log.entry) == (ROLL, ())
    assert underlying(log.entry(4), log.entry) == (ROLL, (DV, ARMOR))
    assert underlying(log.entry(5), log.entry) == (ROLL, (HIGHER, ARMOR))
    assert reissue(log.entry(5), log.entry) == Intent(HIGHER, GM, ROLL, (HIGHER, ARMOR), 5)
    assert [log.log.original(log.entry(seq)).seq for seq in (2, 3, 5, 5, 3)] == [2, 2, 2, 2, 2]


def answered(command: Command, *events: Event) -> tuple[str, str, str]:
    log = WrittenLog()
    seq = log.add(command, *events)
    found = recorded_answer(log.entry(seq), log.entry)
    assert found.intent == Intent(command, GM, command, (), 2)
    return found.key, found.moment, found.period


def test_an_entry_answered_a_roll_a_choice_or_a_moment() -> None:
    declared, chosen = Declared("r1/ann/a1/attack", "attack", "ann", {}), Chosen(f"{ACT}/2", "attack", "")

    assert answered(ROLL) == answered(DRAWN) == ("k", "", "")
    assert answered(Note("x", about="k")) == ("", "", "")
    assert answered(Choose("r1/x", "fray")) == ("r1/x", "", "")
    assert answered(Choose(f"{ACT}/2", "end")) == (f"{ACT}/2", ACT, "")
    assert answered(Declare("attack", "ann"), chosen, declared) == ("r1/ann/a1/attack", ACT, "r1")
    assert answered(Declare("attack", "ann", given_at="r1/x"), chosen, declared) == ("r1/ann/a1/attack", "", "r1")
    assert answered(Declare("attack", "ann")) == ("", "", "")


def test_an_answer_is_frozen() -> None:
    with pytest.raises(AttributeError):
        recorded(ROLL).key = "j"  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------ where it fits


@pytest.mark.parametrize("roll", [ROLL, DRAWN], ids=["typed", "drawn"])
def test_dice_fit_an_open_roll_of_their_key(roll: TypeDice | DrawDice) -> None:
    one = recorded(roll)

    assert matched(one, waiting(rest("j", "1d6"), rest("k", "3d6"))) == one.intent
    fewer = matched(one, waiting(rest("k", "2d6")))
    assert fewer is not None
    assert fewer.decided == trim_faces(roll, waiting(rest("k", "2d6")))
    assert matched(one, waiting(rest("j", "3d6"))) is None
    assert matched(one, waiting(rest("k"))) is None
    assert matched(one, waiting(rest("k"), rest("j", "3d6"))) is None
    assert matched(one, waiting()) is None


def test_a_choice_fits_its_own_rest_else_a_later_one_of_the_same_moment() -> None:
    one = recorded(Choose(f"{ACT}/2", "end"), moment=ACT)
    own, later = rest(f"{ACT}/2", options=("end",)), rest(f"{ACT}/3", options=("end",))

    assert matched(one, waiting(later, own)) is one.intent
    moved = Choose(f"{ACT}/3", "end")
    assert matched(one, waiting(rest("k", "1d6"), later)) == Intent(moved, GM, moved, (), 7)
    assert matched(one, waiting(rest(f"{ACT}/2"), rest("j", options=("x",)))) is None
    assert matched(one, waiting(rest(f"{ACT}/3"))) is None
    assert matched(one, waiting(rest("r1/bob/p1/act", options=("end",)))) is None
    assert matched(recorded(Choose("j", "fray")), waiting(rest("k", options=("fray",)))) is None
    overruled = msgspec.structs.replace(one, intent=Intent(DV, GM, one.intent.decided, (DV,), 7))
    assert matched(overruled, waiting(later)) == Intent(moved, GM, moved, (DV,), 7)


def test_a_declaration_fits_its_moment_whichever_of_its_rests_is_open() -> None:
    one = recorded(Declare("attack", "ann"), moment=ACT, period="r1")

    assert matched(one, waiting(rest("k", "1d6"), rest(f"{ACT}/4", options=("attack",)))) is one.intent
    assert matched(one, waiting(rest(f"{ACT}/4", options=("attack",), by="bob"))) is None
    assert matched(one, waiting(rest(f"{ACT}/4"))) is None
    assert matched(one, waiting(rest("r2/ann/p1/act", options=("attack",)))) is None
    assert matched(one, waiting()) is None


def test_what_was_declared_in_between_fits_its_round_and_the_rest_it_was_given_at() -> None:
    one = recorded(Declare("moxie", "ann", given_at="k"), period="r1")

    assert matched(one, waiting(rest("j"), rest("k"))) is one.intent
    assert matched(one, waiting()) is one.intent
    assert matched(one, waiting(rest("j"))) is None
    assert matched(one, waiting(rest("k"), period="r2")) is None
    free = recorded(Declare("moxie", "ann"), period="r1")
    assert matched(free, waiting(rest("j"))) is free.intent
    early = recorded(Declare("moxie", "ann"))
    assert matched(early, waiting(period="r2")) is early.intent


def test_a_hidden_exchange_does_not_delay_what_everyone_sees() -> None:
    """For those who do not see the exchange, the rest at which a note was given is open all the time."""
    outer, inner = rest("r1/ann/initiative"), RollRequested("r1/bob/a1/test/test", "bob", "1d6", "", "", seen_by=())
    for_all = recorded(Note("x", given_at=outer.key))
    for_gm = recorded(Note("x", given_at=outer.key, seen_by=()))
    for seen_by, for_all_fits in (((), True), (None, False)):
        combat = fold((Declared("r1/bob/a1/test", "test", "bob", {}, seen_by=seen_by), inner), waiting(outer))

        assert [each.key for each in combat.rests] == [inner.key]
        assert (matched(for_all, combat) is not None) is for_all_fits
        assert matched(for_gm, combat) is None


def test_what_answers_nothing_comes_where_it_was_given_or_where_nothing_is_open() -> None:
    note, free = recorded(Note("x", given_at="k")), recorded(Note("x"))

    assert matched(note, waiting(rest("j"), rest("k"))) is note.intent
    assert matched(note, waiting()) is note.intent
    assert matched(note, waiting(rest("j"))) is None
    assert matched(free, waiting(rest("j"))) is free.intent


# ------------------------------------------------------------------------------------------------ how many dice


@pytest.mark.parametrize(
    ("dice", "faces"),
    [("4d6", (1, 2, 3)), ("3d6", (1, 2, 3)), ("2d6", (1, 2)), ("1d6", (1,)), ("1d6+1d8", (1, 2, 3))],
)
def test_a_smaller_pool_has_the_first_faces_unless_its_dice_differ(dice: str, faces: tuple[int, ...]) -> None:
    combat = waiting(rest("j", "1d6"), rest("k", dice))

    for command in (ROLL, DRAWN):
        whence = command.provenance[: len(faces)]
        assert trim_faces(command, combat) == msgspec.structs.replace(command, faces=faces, provenance=whence)


def test_what_is_not_asked_for_or_no_roll_is_left_as_it_is() -> None:
    combat, choice = waiting(rest("k", "1d6")), Choose("k", "x")

    assert trim_faces(TypeDice("j", (1, 2)), combat) == TypeDice("j", (1, 2))
    assert trim_faces(choice, combat) is choice
    assert trim_faces(ROLL, waiting()) is ROLL


def test_beneath_an_overruling_the_dice_alone_are_fewer() -> None:
    combat, one = waiting(rest("k", "1d6")), TypeDice("k", (1,))

    assert matched(recorded(ROLL), combat) == plainly(one)
    assert matched(RecordedAnswer(Intent(DV, GM, ROLL, (DV,), 7)), combat) == Intent(DV, GM, one, (DV,), 7)


# ------------------------------------------------------------------------------------------------ in their order


@pytest.fixture
def illegal(monkeypatch: pytest.MonkeyPatch) -> dict[Command, Exception]:
    """What the rules refuse, and how; anything else they allow."""
    found: list[tuple[Command, Exception]] = []

    class Refusals(dict[Command, Exception]):
        def __setitem__(self, command: Command, refusal: Exception) -> None:
            found.append((command, refusal))

    def decision(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...]) -> Decision:
        assert game is GAME
        for each, refusal in found:
            if each == command:
                raise refusal
        return Decision(combat, command, overrules, (), combat)

    monkeypatch.setattr(recorded_answers, "decision", decision)
    return Refusals()


def written(*commands: Command) -> tuple[list[Entry], Callable[[int], Entry]]:
    log = WrittenLog()
    return [log.entry(log.add(command)) for command in commands], log.entry


def test_the_first_that_fits_and_is_legal_comes_next_and_once(illegal: dict[Command, Exception]) -> None:
    first, second, third = TypeDice("a", (1,)), TypeDice("b", (2,)), TypeDice("c", (3,))
    found = RecordedAnswers(*written(first, second, third))
    illegal[second] = Refused("no", where="here")
    combat = waiting(rest("c", "1d6"), rest("b", "1d6"))

    assert found.next(GAME, combat) == plainly(third, 4)
    assert [each.key for each in found.left] == ["a", "b"]
    assert found.next(GAME, combat) is None
    assert found.faces == {2: (1,), 3: (2,), 4: (3,)}


def test_what_is_too_much_for_the_rules_is_told(illegal: dict[Command, Exception]) -> None:
    one = TypeDice("a", (1,))
    illegal[one] = TooManyEvents("too many", accepts="fewer")

    with pytest.raises(TooManyEvents):
        RecordedAnswers(*written(one)).next(GAME, waiting(rest("a", "1d6")))
    with pytest.raises(AssertionError):
        RecordedAnswers(*written(one)).next(None, waiting(rest("a", "1d6")))


def test_where_the_stretch_has_nothing_something_older_comes_once_but_to_no_rest_that_waited_all_the_same(
    illegal: dict[Command, Exception],
) -> None:
    entries, of = written(TypeDice("a", (1,)), TypeDice("b", (2,)), TypeDice("c", (3,)))
    older = dict(zip("abc", entries, strict=True))
    combat = waiting(rest("x", "1d6"), rest("c", "1d6"), rest("b", "1d6"), rest("a", "1d6"))
    illegal[TypeDice("b", (2,))] = Refused("no", where="here")
    found = RecordedAnswers((), of, lambda: older, frozenset("c"))

    assert found.next(GAME, combat) == plainly(TypeDice("a", (1,)), 2)
    assert found.next(GAME, combat) is None
    assert RecordedAnswers((), of, lambda: older).next(GAME, combat) == plainly(TypeDice("c", (3,)), 4)


def test_what_was_recorded_wrongly_is_put_right(illegal: dict[Command, Exception]) -> None:
    found = RecordedAnswers(*written(TypeDice("a", (1,))))

    found.correct(lambda asked: plainly(TypeDice("a", (6,)), asked.origin))

    assert found.next(GAME, waiting(rest("a", "1d6"))) == plainly(TypeDice("a", (6,)), 2)
    assert illegal == {}


@pytest.mark.parametrize(
    ("dice", "is_known"),
    [("4d6", True), ("3d6", False), ("2d6", False), ("2d6+2d8", False), ("", False)],
)
def test_dice_lie_that_are_fewer_than_are_asked_for(dice: str, is_known: bool) -> None:
    entries, of = written(Note("k"), TypeDice("j", (6,)), ROLL)
    expected = ROLL if is_known else None

    assert RecordedAnswers(entries, of).known(rest("k", dice)) == expected
    assert RecordedAnswers((), of, lambda: {"k": entries[2]}).known(rest("k", dice)) == expected
    assert RecordedAnswers(entries, of, lambda: {"k": entries[1]}).known(rest("k", dice)) == expected
    assert RecordedAnswers(entries[:2], of, lambda: {"x": entries[2]}).known(rest("k", dice)) is None


# ------------------------------------------------------------------------------------------------ older answers


def test_older_is_what_was_answered_since_and_no_longer_stands_the_latest_of_each_key() -> None:
    class Kept(WrittenLog):
        @property
        def last(self) -> int:
            return len(self._entries)

    log = Kept()
    log.add(TypeDice("early", (1,)))
    changed = log.add(TypeDice("changed", (1,)))
    log.add(Note("x"))
    for key in ("a", "b", "stands"):
        log.add(TypeDice(key, (1,)))
    log.add(Choose("c", "x"))
    log.add(Choose(f"{ACT}/2", "x"))
    log.add(DrawDice("b", (2,)))
    log.add(Declare("attack", "ann"))
    last = log.add(TypeDice("changed", (2,)), origin=changed)
    standing = log.entries_of((1, 7))

    found = older_answers(log.log, standing, log.entry(last))

    assert {key: entry.seq for key, entry in found.items()} == {"changed": last, "a": 5, "b": 10, "c": 8}
