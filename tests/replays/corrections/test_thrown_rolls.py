"""A modifier or an overruling of a roll that was thrown: what is performed again, and what a preview reports."""

from typing import Any

import msgspec
import pytest

from ledger.commands import ApplyModifier, BeginCombat, Choose, Command, Declare, Join, Note, Overrule, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.events import Overruled
from machines.contract.refusals import ImpossibleFigure, NoSuchFigure, NoSuchRoll
from replays.api.session import GM, Session
from replays.corrections import thrown_rolls as module
from replays.corrections.change import Change
from replays.corrections.deferred import Deferred
from replays.corrections.diff import RollReport
from replays.corrections.thrown_rolls import RollCorrections
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft

CO_GM = Who("zoe", Seat.GM)
SHEET: dict[str, Any] = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
ANN, BOB, ATTACK = "r1/ann/initiative", "r1/bob/initiative", "r1/ann/a1/attack"
TO_HIT, DEFEND = f"{ATTACK}/to-hit", f"{ATTACK}/defend"
HIT, DODGE = TypeDice(TO_HIT, (97,)), TypeDice(DEFEND, (78,))
SLOW = Overrule(BOB, "score", 3, "slow")


def play(session: Session, *commands: Command) -> Session:
    for command in commands:
        session.perform(command)
    return session


@pytest.fixture
def brawl() -> Session:
    """Initiative of Ann (5) and Bob (6); Ann attacks (7), Bob is to dodge (8); she misses (9), he need not (10)."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    play(session, Join("ann", SHEET), Join("bob", SHEET), BeginCombat())
    play(session, TypeDice(ANN, (90,)), TypeDice(BOB, (10,)))
    play(session, Declare("attack", "ann", {"at": "bob", "using": "club"}), Choose(f"{ATTACK}/defense", "fray"))
    return play(session, HIT, DODGE)


def thrown(session: Session) -> RollCorrections:
    return RollCorrections(session.log, Drafting(session.log, lambda *_: (1,)))


def made(drafts: list[Draft]) -> list[tuple[Command, int, int | None]]:
    return [(msgspec.structs.replace(each.command, given_at=None), each.after, each.origin) for each in drafts]


def preview(session: Session, command: ApplyModifier | Overrule) -> RollReport:
    found = thrown(session).preview(command, GM)
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------------ what is performed again


def test_behind_a_word_on_a_figure_comes_what_followed_on_the_entry_that_found_it(brawl: Session) -> None:
    drafts = thrown(brawl).overruling(Overrule("ann/to-hit", "target", 99, "easy"), CO_GM)

    assert made(drafts)[0] == (Overrule(TO_HIT, "target", 99, "easy"), 7, 8)
    assert made(drafts)[1:] == [(HIT, 11, 9), (DODGE, 12, 10)]
    assert [draft.by for draft in drafts] == [CO_GM, GM, GM]


def test_behind_a_modifier_comes_the_roll_itself_and_what_followed(brawl: Session) -> None:
    drafts = thrown(brawl).modifying(ApplyModifier("ann/to-hit", 30, "light"), CO_GM)

    assert made(drafts) == [(ApplyModifier(TO_HIT, 30, "light"), 8, None), (HIT, 11, 9), (DODGE, 12, 10)]
    assert [draft.by for draft in drafts] == [CO_GM, GM, GM]


def test_a_word_takes_the_place_of_an_earlier_one_on_the_same_figure_and_stands_beside_others(brawl: Session) -> None:
    play(brawl, Note("x"))
    brawl.overrule(TO_HIT, "target", 99, why="easy")
    brawl.overrule(DEFEND, "base", 60, why="strong")

    found = thrown(brawl).overruling(Overrule(TO_HIT, "target", 98, "not so easy"), GM)

    (first, *_) = found
    said = [(event.figure, event.gm_says) for event in first.events if isinstance(event, Overruled)]
    assert sorted(said) == [("base", 60), ("target", 98)]
    assert [each.command for each in found if isinstance(each.command, Overrule)] == [first.command]


def test_of_the_words_that_wait_only_one_on_the_same_figure_of_the_same_roll_gives_way(
    brawl: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = Overrule(BOB, "score", 5, "old"), Overrule(ANN, "score", 99, "old"), Overrule(DEFEND, "base", 60, "old")
    monkeypatch.setattr(module, "deferred", lambda log: Deferred((), older))

    def said(drafts: list[Draft]) -> set[tuple[str, str, int | str]]:
        events = [event for draft in drafts for event in draft.events if isinstance(event, Overruled)]
        return {(event.key, event.figure, event.gm_says) for event in events}

    others = {(ANN, "score", 99), (DEFEND, "base", 60)}
    assert said(thrown(brawl).overruling(SLOW, GM)) == {(BOB, "score", 3), *others}
    assert said(thrown(brawl).modifying(ApplyModifier(BOB, 0, "x"), GM)) == {(BOB, "score", 5), *others}


def test_an_earlier_word_on_the_same_figure_is_not_written_down_again_beside_one_that_waited(
    brawl: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    brawl.overrule(TO_HIT, "target", 99, why="easy")
    waits = Overrule(DEFEND, "base", 60, "old")
    monkeypatch.setattr(module, "deferred", lambda log: Deferred((), (waits,)))

    drafts = thrown(brawl).overruling(Overrule(TO_HIT, "target", 98, "not so easy"), GM)

    assert [each.command.value for each in drafts if isinstance(each.command, Overrule)] == [98, 60]


def test_recorded_answers_that_wait_come_where_they_are_asked_for(
    brawl: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    brawl.rewind(8)
    entries = tuple(map(brawl.log.entry, (9, 10)))
    monkeypatch.setattr(module, "deferred", lambda log: Deferred(entries, ()))

    again = [each for each, _, _ in made(thrown(brawl).overruling(Overrule(TO_HIT, "target", 99, "x"), GM))]

    assert again[1:] == [HIT, DODGE]


@pytest.mark.parametrize(
    ("asked", "roll", "seen_by"),
    [(None, None, None), (None, ("ann",), ("ann",)), (("ann", "bob"), ("bob",), ("bob",)), (("ann",), None, ("ann",))],
)
def test_a_modifier_is_as_secret_as_its_roll_and_as_it_is_asked_to_be(asked: Any, roll: Any, seen_by: Any) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    play(session, Join("ann", SHEET), BeginCombat(), TypeDice(ANN, (90,), seen_by=roll))

    (first, *_) = thrown(session).modifying(ApplyModifier("ann", 1, "x", seen_by=asked), GM)

    assert first.command.seen_by == seen_by


def test_an_amendment_that_stood_behind_is_not_performed_again_and_what_it_put_right_is(brawl: Session) -> None:
    brawl.amend(9, Change(dice={"to-hit": (98,)}), why="misread")

    again = [each for each, _, _ in made(thrown(brawl).modifying(ApplyModifier(BOB, 1, "x"), GM))]

    assert [type(each) for each in again[:2]] == [ApplyModifier, TypeDice]
    assert TypeDice(TO_HIT, (98,)) in again
    assert HIT not in again
    assert not any(type(each).__name__ == "Amend" for each in again)


def test_what_was_taken_back_lies_where_it_is_needed_again_and_not_where_the_table_waits_for_it(brawl: Session) -> None:
    brawl.rewind(9)
    assert DODGE not in [each for each, _, _ in made(thrown(brawl).overruling(Overrule(TO_HIT, "target", 99, "x"), GM))]

    brawl.rewind(8)
    play(brawl, Note("x"))
    waiting = [each for each, _, _ in made(thrown(brawl).overruling(Overrule(TO_HIT, "target", 99, "x"), GM))]
    assert HIT not in waiting


def test_what_cannot_be_is_refused(brawl: Session) -> None:
    cases: list[tuple[ApplyModifier | Overrule, type[Refused]]] = [
        (Overrule(TO_HIT, "charm", 3, "x"), NoSuchFigure), (Overrule(TO_HIT, "target", "high", "x"), ImpossibleFigure),
        (ApplyModifier("zoe/luck", 3, "x"), NoSuchRoll),
    ]  # fmt: skip
    for command, kind in cases:
        with pytest.raises(kind):
            thrown(brawl).preview(command, GM)


# ------------------------------------------------------------------------------------------------ previews


def test_of_a_word_it_is_told_on_which_figure_of_what_and_what_comes_of_it(brawl: Session) -> None:
    found = preview(brawl, Overrule("ann/to-hit", "target", 99, "easy"))

    assert (found.key, found.by, found.purpose) == (TO_HIT, "ann", "hit with club")
    assert found.change == {"overrule": {"key": TO_HIT, "figure": "target", "value": 99}}
    assert (found.kind, found.entry, found.why, found.drift) == ("preview", 8, "easy", ())
    assert [flip.key for flip in found.flips] == [TO_HIT, ATTACK]
    assert found.before.head == brawl.log.head


def test_of_a_modifier_it_is_told_of_which_roll_and_what_comes_of_it(brawl: Session) -> None:
    found = preview(brawl, ApplyModifier("ann/to-hit", 40, "light"))

    assert (found.key, found.by, found.purpose) == (TO_HIT, "ann", "hit with club")
    assert found.change == {"modify": {"key": TO_HIT, "value": 40}}
    assert (found.entry, found.why) == (9, "light")
    assert thrown(brawl).preview(ApplyModifier(ANN, 0, "x"), GM) is not None


def test_of_an_exchange_it_is_told_whose_it_is_and_of_which_kind(brawl: Session) -> None:
    found = preview(brawl, Overrule(ATTACK, "outcome", "hit", "x"))

    assert (found.key, found.by, found.purpose) == (ATTACK, "ann", "attack at bob")


def test_a_modifier_of_a_roll_that_is_still_open_changes_nothing_that_was_thrown(brawl: Session) -> None:
    brawl.rewind(8)

    assert thrown(brawl).preview(ApplyModifier("ann/to-hit", 40, "light"), GM) is None


def test_a_figure_of_a_test_is_told_in_the_words_of_its_game() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e")
    play(session, Join("ann", {"reaction": 3, "intuition": 4}), BeginCombat(), TypeDice(ANN, (5, 5, 1, 1, 1, 2, 2)))

    found = preview(session, Overrule(ANN, "hits", 3, "x"))

    assert found.change == {"overrule": {"key": ANN, "figure": "hits", "value": 3}}
    assert made(thrown(session).overruling(Overrule(ANN, "hits", 3, "x"), GM))[0][0] == Overrule(ANN, "rolled", 3, "x")
