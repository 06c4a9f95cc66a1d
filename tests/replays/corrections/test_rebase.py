"""Commands on an earlier state, decided by a stand-in: numbers of drafts, authors of overrulings, what is left."""

from collections.abc import Mapping
from typing import cast

import msgspec
import pytest
from written_log import WrittenLog

from ledger import events as e
from ledger.commands import Choose, Command, Note, Overrule, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import BadCommand
from ledger.events import Event
from machines.engine.decide import Decision
from projections.combat import Combat, fold
from replays.corrections.answer_index import AnswerIndex, RecordedAnswer
from replays.corrections.deferred import NOTHING, Deferred
from replays.corrections.diff import Aside
from replays.corrections.rebase import Rebase, _one_per_figure, finds_figure, rebased
from replays.corrections.recorded_answers import RecordedAnswers
from replays.sessions.drafts import Drafting
from replays.sessions.intent import Intent, intended
from replays.sessions.log import Draft

GM, KIRA = Who("gm", Seat.GM), Who("kira", Seat.PLAYER)
ATTACK = "r1/ann/a1/attack"
TO_HIT = f"{ATTACK}/to-hit"
DV, ARMOR, BASE = (
    Overrule(key, figure, 1, "x") for key, figure in ((ATTACK, "dv"), (ATTACK, "armor"), (TO_HIT, "base"))
)
ROLL, OTHER = TypeDice(TO_HIT, (25,)), TypeDice("r1/bob/initiative", (3,))
BEFORE, LAST = 4, 20


def figure(word: Overrule, why: str = "p. 1") -> e.FigureFound:
    return e.FigureFound(word.key, word.figure, 7, why, "p. 1", "exchange", "")


def overruled(word: Overrule) -> e.Overruled:
    return e.Overruled(word.key, word.figure, 7, word.value, word.why)


class Rules:
    """Decides commands by a list of what each finds, with the gamemaster's word behind each figure."""

    def __init__(self, found: Mapping[Command, tuple[Event, ...]]) -> None:
        self._found = list(found.items()) if isinstance(found, dict) else list(found)
        self.named_at: list[Combat] = []

    def named(self, asked: Intent, combat: Combat) -> Intent:
        self.named_at.append(combat)
        return asked

    def draft(self, asked: Intent, combat: Combat, after: int, known: Decision | None = None) -> Draft:
        assert known is None, "nothing was decided before"
        events: list[Event] = []
        for event in next((found for command, found in self._found if command == asked.decided), ()):
            events.append(event)
            if isinstance(event, e.FigureFound):
                said = [word for word in asked.overrules if (word.key, word.figure) == (event.key, event.name)]
                events += map(overruled, said)
        return Draft(asked.command, tuple(events), asked.by, after, 1, asked.origin)

    def first_author(self, word: Overrule, otherwise: Who) -> Who:
        assert otherwise == GM
        return KIRA


def rebase(
    *found: tuple[Command, tuple[Event, ...]],
    waited: Deferred = NOTHING,
    moved: Mapping[int, tuple[Overrule, ...]] = {},
    state: Combat = Combat(),  # noqa: B008  it is frozen
) -> tuple[Rebase, Rules]:
    rules = Rules(found)  # type: ignore[arg-type]
    return Rebase(state, cast(Drafting, rules), BEFORE, LAST, waited, moved), rules


def made(of: Rebase) -> list[tuple[int, Command, Who, int | None]]:
    return [(draft.after, draft.command, draft.by, draft.origin) for draft in of.drafts]


def recorded(*commands: Command) -> RecordedAnswers:
    log = WrittenLog()
    return RecordedAnswers([log.entry(log.add(command)) for command in commands], log.entry)


def overruling(*words: Overrule, command: Command = ROLL, origin: int = 7) -> Intent:
    """An entry whose command is the last of these words."""
    return Intent(words[-1], GM, command, words, origin)


# ------------------------------------------------------------------------------------------------ drafts


def test_the_first_stands_on_the_entry_before_and_each_other_on_the_one_that_will_be_written() -> None:
    one, rules = rebase((ROLL, (e.Noted("a", ""), e.RoundBegan(3))))

    state = one.perform(intended(Note("a"), GM))
    assert state is one.state
    one.perform(intended(ROLL, KIRA))
    one.perform(Intent(Note("b"), GM, Note("b"), (), 9))

    assert made(one) == [(4, Note("a"), GM, None), (21, ROLL, KIRA, None), (22, Note("b"), GM, 9)]
    assert one.state == fold((e.Noted("a", ""), e.RoundBegan(3)), Combat())
    assert len(rules.named_at) == 2  # what is recorded has its ids already


def test_what_was_recorded_before_there_were_bounds_is_performed_again() -> None:
    long = Note("x" * 10_000_000)
    one, _ = rebase()

    one.perform(Intent(long, GM, long, (), 9))
    with pytest.raises(BadCommand):
        one.perform(intended(long, GM))
    assert len(one.drafts) == 1


# ------------------------------------------------------------------------------------------------ words


def test_a_word_that_waits_is_said_by_whom_said_it_behind_what_finds_its_figure() -> None:
    one, _ = rebase((ROLL, (figure(DV),)), waited=Deferred((), (DV, ARMOR)))
    assert one.pending_overrules == (DV, ARMOR)

    one.perform(intended(Note("a"), GM))
    one.perform(Intent(ROLL, GM, ROLL, (), 9))

    assert made(one) == [(4, Note("a"), GM, None), (21, ROLL, GM, 9), (21, DV, KIRA, 22)]
    assert [draft.events for draft in one.drafts[1:]] == [(figure(DV),), (figure(DV), overruled(DV))]
    assert one.pending_overrules == (ARMOR,)


def test_words_that_wait_are_said_one_beneath_the_other() -> None:
    one, _ = rebase((ROLL, (figure(DV), figure(ARMOR))), waited=Deferred((), (ARMOR, DV)))

    one.perform(Intent(ROLL, GM, ROLL, (), 9))

    assert made(one) == [(4, ROLL, GM, 9), (4, ARMOR, KIRA, 21), (4, DV, KIRA, 22)]
    assert one.drafts[1].events == (figure(DV), figure(ARMOR), overruled(ARMOR))
    assert one.drafts[2].events == (figure(DV), overruled(DV), figure(ARMOR), overruled(ARMOR))
    assert one.pending_overrules == ()


def test_an_overruling_whose_figures_are_all_found_is_performed_again_as_it_stands() -> None:
    one, _ = rebase((ROLL, (figure(DV), figure(ARMOR))))

    one.perform(overruling(ARMOR, DV))

    assert made(one) == [(4, DV, GM, 7)]
    assert one.drafts[0].events == (figure(DV), overruled(DV), figure(ARMOR), overruled(ARMOR))


@pytest.mark.parametrize(("found", "lost"), [(DV, ARMOR), (ARMOR, DV)])
def test_of_two_words_the_one_whose_figure_is_found_is_said_and_the_other_waits(
    found: Overrule, lost: Overrule
) -> None:
    one, _ = rebase((ROLL, (figure(found),)))

    one.perform(overruling(ARMOR, DV))

    assert made(one) == [(4, ROLL, GM, 7), (4, found, GM, 21)]
    assert one.pending_overrules == (lost,)


def test_an_overruling_whose_figure_is_not_found_leaves_what_it_overruled() -> None:
    one, _ = rebase((ROLL, (figure(DV, "p. 2"), e.Noted("x", ""))))

    one.perform(overruling(BASE))

    assert made(one) == [(4, ROLL, GM, 7)]
    assert one.pending_overrules == (BASE,)


@pytest.mark.parametrize(("origin", "said"), [(7, [ROLL, DV]), (8, [ROLL]), (None, [ROLL])])
def test_a_word_that_was_moved_is_said_where_it_belongs_now(origin: int | None, said: list[Command]) -> None:
    one, _ = rebase((ROLL, (figure(DV),)), moved={7: (DV,), 1: (DV,), -1: (DV,)})

    one.perform(Intent(ROLL, GM, ROLL, (), origin))

    assert [draft.command for draft in one.drafts] == said


def test_words_that_were_lost_with_their_entry_move_to_what_finds_their_figures() -> None:
    one, _ = rebase((OTHER, (figure(DV), figure(BASE))), (Note("n"), (figure(ARMOR), figure(DV))))
    one.recorded.left = AnswerIndex(
        [RecordedAnswer(overruling(DV, BASE), "x"), RecordedAnswer(overruling(ARMOR, origin=8), "y")]
    )
    assert one.overrules_to_move() == {}
    one.perform(intended(Note("n"), GM))
    assert one.overrules_to_move() == {}

    one.perform(Intent(OTHER, GM, OTHER, (), 9))

    assert one.overrules_to_move() == {9: (DV, BASE)}
    one.perform(Intent(Note("n"), GM, Note("n"), (), 10))
    assert one.overrules_to_move() == {10: (DV, ARMOR), 9: (BASE,)}


def test_a_word_that_was_said_in_the_meantime_is_not_lost() -> None:
    one, _ = rebase((OTHER, (figure(DV), figure(ARMOR))), waited=Deferred((), (DV,)))
    one.recorded.left = AnswerIndex([RecordedAnswer(overruling(DV, ARMOR), "x")])

    one.perform(Intent(OTHER, GM, OTHER, (), LAST))

    assert [draft.origin for draft in one.drafts] == [LAST, LAST + 1]
    assert one.overrules_to_move() == {LAST: (ARMOR,)}


@pytest.mark.parametrize(("found", "asked"), [(DV, [{}, {9: (DV,)}]), (ARMOR, [{}])])
def test_it_is_pulled_once_more_where_words_were_moved_and_else_once(
    found: Overrule, asked: list[Mapping[int, tuple[Overrule, ...]]]
) -> None:
    calls: list[tuple[Mapping[int, tuple[Overrule, ...]], Rebase]] = []

    def pull(moved: Mapping[int, tuple[Overrule, ...]]) -> Rebase:
        one, _ = rebase((OTHER, (figure(found),)))
        one.recorded.left = AnswerIndex([RecordedAnswer(overruling(DV), "x")])
        one.perform(Intent(OTHER, GM, OTHER, (), 9))
        calls.append((moved, one))
        return one

    assert rebased(pull) is calls[-1][1]
    assert [moved for moved, _ in calls] == asked


@pytest.mark.parametrize(
    ("event", "is_found"),
    [
        (figure(BASE), True),
        (figure(BASE, ""), False),
        (figure(DV), False),
        (e.FigureFound(TO_HIT, "target", 7, "x", "y", "exchange", ""), False),
        (e.FigureFound(ATTACK, "base", 7, "x", "y", "exchange", ""), False),
        (e.TestResolved(TO_HIT, 1, 1, 1, 1, "x", "y"), False),
        (e.Noted("x", ""), False),
    ],
)
def test_a_figure_is_found_under_its_key_and_name_where_a_rule_says_why(event: Event, is_found: bool) -> None:
    assert finds_figure(event, TO_HIT, "base") is is_found


def test_a_test_finds_its_outcome_and_its_margin() -> None:
    event = e.TestResolved(TO_HIT, 1, 1, 1, 1, "x", "y")

    assert [finds_figure(event, TO_HIT, name) for name in ("outcome", "margin", "armor")] == [True, True, False]
    assert [finds_figure(event, ATTACK, name) for name in ("outcome", "armor")] == [False, False]
    assert finds_figure(e.Noted("x", ""), TO_HIT, "outcome") is False


# ------------------------------------------------------------------------------------------------ what is left

IN_ATTACK, PAST, FREE = TypeDice(TO_HIT, (1,)), TypeDice("r1/x", (2,)), Choose("r3/bob/defense", "fray")
ENDED = (Note("over"), (e.ExchangeEnded(ATTACK, "miss"),))


def over() -> Combat:
    """The third round."""
    return fold((e.CombatBegan(1, {}), e.RoundBegan(3)), Combat())


def test_what_belongs_to_what_is_over_lies_aside_and_all_else_may_come() -> None:
    one, _ = rebase(ENDED, state=over())
    one.recorded = recorded(IN_ATTACK, PAST, FREE, Note("x"))
    in_exchange, free, note = Aside(2, f"1 for {TO_HIT}"), Aside(4, "fray for r3/bob/defense"), Aside(5, "note")
    one.pending_overrules = (DV, Overrule("r3/bob/defense", "x", 1, "y"))
    assert list(one.set_aside()) == [in_exchange, Aside(3, "2 for r1/x"), Aside(0, f"overrule dv of {ATTACK}: 1")]

    one.perform(Intent(Note("over"), GM, Note("over"), (), 30))

    assert list(one.left()) == [free, note, Aside(0, "overrule x of r3/bob/defense: 1")]


def test_an_exchange_that_is_over_again_takes_its_answers_along() -> None:
    one, _ = rebase(ENDED)
    one.recorded = recorded(IN_ATTACK, FREE)
    one.pending_overrules = (DV,)
    assert len(list(one.left())) == 3
    assert list(one.set_aside()) == []

    one.perform(Intent(Note("over"), GM, Note("over"), (), 30))

    assert list(one.left()) == [Aside(3, "fray for r3/bob/defense")]
    assert list(one.set_aside()) == [Aside(2, f"1 for {TO_HIT}"), Aside(0, f"overrule dv of {ATTACK}: 1")]


def test_what_waited_already_is_not_told_again_but_waits_on() -> None:
    log = WrittenLog()
    old, new = log.entry(log.add(FREE)), log.entry(log.add(Choose("r3/bob/x", "y")))
    other = Overrule("r3/bob/defense", "x", 1, "y")
    one, _ = rebase(ENDED, waited=Deferred((old,), (DV, other)))
    one.recorded = RecordedAnswers((new, old), log.entry)
    one.pending_overrules = (DV, other, ARMOR)

    assert list(one.left()) == [Aside(3, "y for r3/bob/x"), Aside(0, f"overrule armor of {ATTACK}: 1")]
    assert one.remaining(Deferred((old, new), (DV,))) == Deferred((old, new), (DV, other, ARMOR))
    assert one.remaining(Deferred((old,), ())) == Deferred((old,), (DV, other, ARMOR))
    one.perform(Intent(Note("over"), GM, Note("over"), (), new.seq))
    assert one.remaining(Deferred((old, new), ())) == Deferred((old,), (other,))
    one.recorded.left = AnswerIndex([each for each in one.recorded.left if each.intent.origin != old.seq])
    assert one.remaining(Deferred((old,), ())).entries == ()


def test_what_waits_in_an_exchange_that_is_over_waits_no_more() -> None:
    log = WrittenLog()
    entry = log.entry(log.add(IN_ATTACK))
    one, _ = rebase(ENDED, waited=Deferred((entry,), ()))
    one.recorded = RecordedAnswers((entry,), log.entry)
    assert one.remaining(Deferred((entry,), ())).entries == (entry,)

    one.perform(Intent(Note("over"), GM, Note("over"), (), 30))

    assert one.remaining(Deferred((entry,), ())).entries == ()


def test_what_never_happened_lies_aside_first_and_words_beneath_what_lies_aside() -> None:
    one, _ = rebase(ENDED)
    dropped: Entry = WrittenLog().entry(1)
    one.dropped = (msgspec.structs.replace(dropped, seq=3, command=Note("x")),)
    one.recorded.left = AnswerIndex([
        RecordedAnswer(overruling(BASE, DV, command=IN_ATTACK), TO_HIT), RecordedAnswer(intended(IN_ATTACK, GM), TO_HIT),
        RecordedAnswer(Intent(DV, GM, IN_ATTACK, (DV,)), TO_HIT),
    ])  # fmt: skip
    one.perform(Intent(Note("over"), GM, Note("over"), (), 30))

    roll, dv = f"1 for {TO_HIT}", f"overrule dv of {ATTACK}: 1"
    assert list(one.set_aside()) == [
        Aside(3, "note"), Aside(7, roll), Aside(7, f"overrule base of {TO_HIT}: 1"), Aside(7, dv), Aside(0, roll),
        Aside(0, roll), Aside(0, dv),
    ]  # fmt: skip
    one.recorded.left = AnswerIndex([RecordedAnswer(intended(FREE, GM), FREE.key)])
    assert list(one.left()) == [Aside(0, "fray for r3/bob/defense")]


def test_of_a_smaller_pool_the_tail_lies_aside() -> None:
    one, _ = rebase()
    one.recorded = recorded(TypeDice("a", (1, 2, 3)), TypeDice("b", (4, 5)), Choose("c", "x"))

    for command, origin in ((TypeDice("a", (1,)), 2), (TypeDice("b", (4, 5)), 3), (Choose("c", "x"), 4), (ROLL, None)):
        one.perform(Intent(command, GM, command, (), origin))

    assert list(one.set_aside()) == [Aside(2, "2 3 of a")]
    one.recorded.faces = {None: (1, 2)}
    one.perform(intended(TypeDice("d", (1,)), GM))
    assert list(one.set_aside()) == [Aside(2, "2 3 of a"), Aside(0, "2 of d")]


def test_faces_lie_of_open_rolls_that_need_more() -> None:
    rolls = (e.RollRequested("a", "ann", "3d6", "x", ""), e.RollRequested("b", "bob", "1d6", "x", ""))
    one, _ = rebase(state=fold(rolls, Combat()))
    assert [rest.key for rest in one.state.rests] == ["a", "b"]
    assert one.known() == {}
    one.recorded = recorded(TypeDice("a", (1, 2)), TypeDice("b", (3,)))

    assert one.known() == {"a": (1, 2)}


def test_an_outcome_may_come_where_answers_wait_or_dice_lie_unread_unless_it_is_over() -> None:
    asked, read = e.RollRequested(TO_HIT, "ann", "1d100", "x", ""), e.TestResolved(TO_HIT, 1, 1, 1, 1, "x", "y")

    def may_come(key: str, *events: Event, answers: tuple[Command, ...] = ()) -> bool:
        one, _ = rebase(ENDED, state=fold(events, Combat()))
        one.recorded = recorded(*answers)
        return one.is_pending(key)

    assert may_come(TO_HIT, asked) is True
    assert may_come(TO_HIT, asked, read) is False
    assert may_come(TO_HIT) is False
    assert may_come(TO_HIT, asked, read, answers=(IN_ATTACK,)) is True
    assert may_come(ATTACK, answers=(IN_ATTACK,)) is True
    assert may_come(ATTACK, answers=(TypeDice(f"{ATTACK}2/to-hit", (1,)), FREE)) is False
    one, _ = rebase(ENDED)
    one.recorded = recorded(IN_ATTACK)
    one.perform(intended(Note("over"), GM))
    assert [one.is_pending(key) for key in (ATTACK, TO_HIT)] == [False, False]
    late, _ = rebase(state=over())
    late.recorded = recorded(IN_ATTACK)
    assert late.is_pending(TO_HIT) is False


def test_a_line_without_answers_waits_for_none() -> None:
    one, _ = rebase()

    assert (list(one.left()), list(one.set_aside()), one.known(), one.remaining(NOTHING)) == ([], [], {}, NOTHING)


def test_of_several_words_on_one_figure_that_of_what_is_performed_goes_first() -> None:
    mine, waited = Overrule("r1/ann/a", "outcome", "hit", "mine"), Overrule("r1/ann/a", "outcome", "miss", "waited")
    other = Overrule("r1/ann/a", "dv", 3, "other")

    assert _one_per_figure((mine, other, waited)) == (mine, other)
    assert _one_per_figure((other, waited, mine)) == (other, waited)
    assert _one_per_figure(()) == ()
