"""Drafts: what is written of a command, how secret it is, and what is drawn for it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    DrawDice,
    Join,
    Note,
    OpenSession,
    Overrule,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.events import Audience, Event
from machines.contract.refusals import UnknownVersion
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import Decision
from projections.combat import Combat, fold
from replays.api.session import GM, Session
from replays.sessions import drafts
from replays.sessions.drafts import Drafting, DrawsNothing, game_of
from replays.sessions.intent import Intent, intended
from replays.sessions.log import Draft

GAME = ruleset("eclipse_phase_1e")
KIRA = Who("kira", Seat.PLAYER)
FIRST = "r1/ann/initiative"
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
WORD, OTHER = Overrule("k", "dv", 9, "x"), Overrule("k", "armor", 0, "y")
Calls = list[tuple[Command, tuple[Overrule, ...]]]


@pytest.fixture
def session() -> Session:
    """Ann's sheet is hers alone."""
    session = Session.create("memory://", ruleset=GAME.name, draw=lambda *_: (42,))
    session.perform(Join("ann", SHEET, player="kira", sheet_seen_by=("ann",)))
    return session


@pytest.fixture
def begun(session: Session) -> Session:
    session.perform(BeginCombat())
    return session


def drafting(session: Session) -> Drafting:
    return Drafting(session.log, lambda key, dice: (len(key), len(dice)))


def draft(session: Session, asked: Intent) -> Draft:
    return drafting(session).draft(asked, session.combat, 17)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Calls]:
    """What the rules find for every command; returns what they were asked."""

    def find(*events: Event) -> Calls:
        calls: Calls = []

        def decision(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...] = ()) -> Decision:
            assert game is GAME
            calls.append((command, overrules))
            return Decision(combat, command, overrules, (*events, e.Noted(str(len(calls)), "")), combat)

        monkeypatch.setattr(drafts, "decision", decision)
        return calls

    return find


def secretly(command: Command, seen_by: Audience) -> Any:
    return msgspec.structs.replace(command, seen_by=seen_by)


def times(made: Draft) -> str:
    """After how many questions to the rules its events were found."""
    last = made.events[-1]
    assert isinstance(last, e.Noted)
    return last.text


# ------------------------------------------------------------------------------------------------ what is written


def test_a_draft_has_who_asked_where_it_stands_and_what_it_performs_again(session: Session) -> None:
    note = Note("x")

    made = draft(session, Intent(note, KIRA, note, (), 5))

    state = fold((e.Noted("x", ""),), session.combat)
    assert made == Draft(note, (e.Noted("x", ""),), KIRA, 17, GAME.version, 5, state)


def test_what_answers_no_rest_is_written_with_the_one_that_was_open(session: Session, begun: Session) -> None:
    closed = Session.create("memory://", ruleset=GAME.name)

    assert draft(begun, intended(Note("x"), GM)).command == Note("x", given_at=FIRST)
    assert draft(begun, intended(TypeDice(FIRST, (5,)), GM)).command == TypeDice(FIRST, (5,))
    assert draft(closed, intended(Note("x"), GM)).command == Note("x")


def test_a_session_is_opened_by_the_rules_that_it_names() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")

    made = drafting(session).draft(intended(OpenSession("t", "gurps_3e"), GM), Combat(), 0)

    assert made.rules_version == ruleset("gurps_3e").version
    assert isinstance(made.events[0], e.SessionOpened)
    assert game_of(session.combat) is ruleset("gurps_3e")


@pytest.mark.parametrize("ahead", [-1, 0, 1])
def test_what_newer_rules_have_decided_is_not_continued(session: Session, ahead: int) -> None:
    session.log.rules_version = GAME.version + ahead

    if ahead < 1:
        assert draft(session, intended(Note("x"), GM)).events
        return
    with pytest.raises(UnknownVersion, match=f"decided by version {GAME.version + 1} of {GAME.name}") as refusal:
        draft(session, intended(Note("x"), GM))
    assert (refusal.value.where, refusal.value.accepts) == ("rules_version", f"up to version {GAME.version}")


# ------------------------------------------------------------------------------------------------ names


def test_names_of_the_hidden_are_theirs_who_know_them(session: Session) -> None:
    session.perform(Join("bob", SHEET, unseen=True))
    (bob,) = session.combat.roster.hidden()
    makes, adjusts = drafting(session), Adjust("bob", "wounds", 1, "x")

    named = makes.named(Intent(adjusts, GM, adjusts, (), 5), session.combat)
    assert (named.command, named.by, named.origin) == (Adjust(bob, "wounds", 1, "x"), GM, 5)
    assert named.decided is named.command
    for asked in (intended(adjusts, KIRA), intended(Note("x"), GM), Intent(WORD, GM, adjusts, (WORD,), 5)):
        assert makes.named(asked, session.combat) is asked
    assert makes.names(GM, session.combat).of("bob") == bob
    assert makes.names(KIRA, session.combat).of("bob") == "bob"


def test_who_overruled_first_is_found_by_roll_figure_and_value(session: Session) -> None:
    session.perform(BeginCombat())
    session.perform(TypeDice(FIRST, (5,)))
    for nth, value in enumerate((99, 50, 99)):
        session.overrule(FIRST, "score", value, why="x", by=Who(f"gina {nth}"))

    makes = drafting(session)
    for nth, value in enumerate((99, 50)):
        assert makes.first_author(Overrule(FIRST, "score", value, "why"), KIRA) == Who(f"gina {nth}")
    for other in (Overrule("k", "score", 99, "x"), Overrule(FIRST, "score", 98, "x"), Overrule(FIRST, "luck", 99, "x")):
        assert makes.first_author(other, KIRA) is KIRA


# ------------------------------------------------------------------------------------------------ dice


def test_an_open_roll_is_drawn_and_nothing_else(begun: Session) -> None:
    makes, combat = drafting(begun), begun.combat
    elsewhere, faces = DrawDice("r1/bob/initiative"), (len(FIRST), len("1d100"))

    assert makes.with_faces(DrawDice(FIRST), combat) == DrawDice(FIRST, faces)
    assert makes.with_faces(elsewhere, combat) is elsewhere
    begun.perform(TypeDice(FIRST, (5,)))
    choice = DrawDice(begun.rests[0].key)
    assert makes.with_faces(choice, begun.combat) is choice


def test_what_is_drawn_already_is_not_drawn_again(begun: Session) -> None:
    assert draft(begun, intended(DrawDice(FIRST, (7,)), GM)).command == DrawDice(FIRST, (7,))
    makes = Drafting(begun.log, lambda *_: (42,))
    assert makes.draft(intended(DrawDice(FIRST), GM), begun.combat, 3).command == DrawDice(FIRST, (42,))

    entry = begun.perform(DrawDice(FIRST))
    makes.draw_again([entry])
    assert makes.dice.draw(FIRST, "1d100") == entry.command.faces
    assert makes.dice.known == {FIRST: entry.command.faces}


def test_a_preview_draws_nothing_but_what_is_known(begun: Session) -> None:
    makes = Drafting(begun.log, None)

    with pytest.raises(DrawsNothing, match="1d100 would be drawn for ann: initiative") as refusal:
        makes.with_faces(DrawDice(FIRST), begun.combat)
    assert refusal.value.where == FIRST
    assert refusal.value.accepts == "typed faces; or omit the step, so that the roll stays open; or amend, which draws"
    with pytest.raises(AssertionError, match="k is not drawn for drafts that are never written"):
        makes.dice.draw("k", "1d6")
    makes.dice.known = {FIRST: (7,)}
    assert makes.with_faces(DrawDice(FIRST), begun.combat) == DrawDice(FIRST, (7,))


# ------------------------------------------------------------------------------------------------ secrets


@pytest.mark.parametrize(
    ("asked", "found", "written"),
    [
        (None, None, None),
        (None, ("ann",), ("ann",)),
        (("bob",), ("ann",), ()),
        (("bob",), ("ann", "bob"), ("bob",)),
        (("bob",), None, ("bob",)),
        ((), ("ann",), ()),
    ],
)
def test_a_word_on_a_figure_is_at_least_as_secret_as_the_figure(
    session: Session, rules: Callable[..., Calls], asked: Audience, found: Audience, written: Audience
) -> None:
    word, roll = secretly(WORD, asked), TypeDice("k", (1,))
    calls = rules(e.Overruled("k", "dv", 1, 9, "x", seen_by=found), e.Overruled("k", "armor", 1, 9, "x", seen_by=()))

    made = draft(session, Intent(word, GM, roll, (OTHER, word), 5))

    assert made.command == secretly(WORD, written)
    again = [(roll, (OTHER, secretly(WORD, written)))] * (asked != written)
    assert calls == [(roll, (OTHER, word)), *again]
    assert times(made) == str(len(calls))


@pytest.mark.parametrize(
    ("asked", "found", "written"), [(None, None, None), (None, ("ann",), ("ann",)), (("bob",), ("ann",), ())]
)
def test_a_modifier_is_at_least_as_secret_as_what_it_modifies(
    session: Session, rules: Callable[..., Calls], asked: Audience, found: Audience, written: Audience
) -> None:
    command = ApplyModifier("k", 5, "x", seen_by=asked)
    calls = rules(e.ModifierApplied("k", 5, "x", "", seen_by=found), e.ModifierApplied("j", 5, "x", "", seen_by=()))

    made = draft(session, intended(command, GM))

    assert made.command == secretly(command, written)
    assert calls == [(command, ()), *[(secretly(command, written), ())] * (asked != written)]
    assert times(made) == str(len(calls))


def test_of_several_figures_that_a_word_is_on_the_most_secret_counts(
    session: Session, rules: Callable[..., Calls]
) -> None:
    rules(*(e.Overruled("k", "dv", 1, 9, "x", seen_by=each) for each in (("ann", "bob"), None, ("bob", "zoe"))))

    assert draft(session, Intent(WORD, GM, Note("x"), (WORD,), 5)).command == secretly(WORD, ("bob",))


@pytest.mark.parametrize("command", [Note("x"), Choose("k", "dv"), TypeDice("k", (1,))])
def test_no_other_command_is_as_secret_as_figures_that_are_overruled(
    session: Session, rules: Callable[..., Calls], command: Command
) -> None:
    calls = rules(e.Overruled("k", "dv", 1, 9, "x", seen_by=()), e.ModifierApplied("k", 5, "x", "", seen_by=()))

    assert draft(session, intended(command, GM)).command == command
    assert calls == [(command, ())]


@pytest.mark.parametrize(
    ("command", "seen_by"),
    [
        (AmendSheet("ann", SHEET), ("ann",)),
        (AmendSheet("ann", SHEET, seen_by=()), ()),
        (AmendSheet("zoe", SHEET), None),
        (Adjust("ann", "wounds", 1, "x"), None),
    ],
)
def test_a_new_sheet_is_as_secret_as_the_old_one(
    session: Session, rules: Callable[..., Calls], command: Command, seen_by: Audience
) -> None:
    calls = rules()

    assert draft(session, intended(command, GM)).command == secretly(command, seen_by)
    assert calls == [(command, ())]


def test_a_secret_about_who_is_hidden_is_decided_as_secret_as_they_are(
    session: Session, rules: Callable[..., Calls]
) -> None:
    session.perform(Join("bob", SHEET, unseen=True))
    (bob,) = session.combat.roster.hidden()
    open_, secret = (Adjust(bob, "wounds", 1, "x", seen_by=seen_by) for seen_by in (None, ("ann",)))
    calls = rules()

    assert draft(session, intended(secret, GM)).command == secretly(secret, ())
    assert calls == [(secretly(secret, ()), ())]
    calls = rules()
    assert draft(session, intended(open_, GM)).command == secretly(open_, ())
    assert calls == [(open_, ())]


# ------------------------------------------------------------------------------------------------ known decisions


def test_a_command_is_not_decided_twice_on_the_same_state(session: Session, rules: Callable[..., Calls]) -> None:
    asked, intent, combat = rules(), intended(Note("x"), GM), session.combat
    known = Decision(combat, intent.decided, (), (e.Noted("known", ""),), Combat())

    made = drafting(session).draft(intent, combat, 17, known)

    assert (made.events, made.state, asked) == (known.events, known.after, [])


@pytest.mark.parametrize("other", ["combat", "command", "overrules"])
def test_the_decision_of_something_else_is_not_used(session: Session, rules: Callable[..., Calls], other: str) -> None:
    asked, intent, combat = rules(), intended(Note("x"), GM), session.combat
    known = Decision(
        Combat() if other == "combat" else combat,
        Note("y") if other == "command" else intent.decided,
        (WORD,) if other == "overrules" else (),
        (e.Noted("known", ""),),
        Combat(),
    )

    made = drafting(session).draft(intent, combat, 17, known)

    assert times(made) == "1"
    assert asked == [(Note("x"), ())]
