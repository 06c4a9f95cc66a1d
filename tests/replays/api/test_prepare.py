"""Each step of preparing: what it checks or completes, and which commands it leaves alone."""

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from ledger.commands import (
    COMMANDS,
    Amend,
    ApplyModifier,
    BeginCombat,
    Choose,
    CloseSession,
    Command,
    DrawDice,
    GiveNonce,
    Join,
    Note,
    OpenDispute,
    Overrule,
    Reveal,
    Rewind,
    SettleDispute,
    TellDice,
    TypeDice,
)
from ledger.entry import Seat, Who
from machines.contract.refusals import NoSuchRoll, NotAllowed, NotOpen
from replays.api import prepare
from replays.api.prepare import PREVIEW, STEPS, WHAT_IF, PreparationStep, Situation, prepared
from replays.api.request import Request
from replays.api.session import GM, Session
from replays.corrections.waiting import Waiting
from replays.sessions import ports
from replays.sessions.disclose import NothingHidden
from replays.sessions.drafts import Drafting

KIRA = Who("kira", Seat.PLAYER)
FIRST, SECOND = "r1/ann/initiative", "r1/bob/initiative"
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}


@pytest.fixture
def session() -> Session:
    """Kira plays Ann; a sniper is here (4) in secret; a note (5) for the gamemaster alone."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET, player="kira"))
    session.perform(Join("bob", SHEET))
    session.perform(Join("sniper", SHEET, unseen=True, seen_by=()))
    session.perform(Note("hush", seen_by=()))
    return session


def met(session: Session, request: Request, **other: Any) -> Situation:
    drafting = Drafting(session.log, ports.draw)
    return Situation(
        session.log, session.combat, drafting, other.get("waiting", Waiting(session.log, drafting)), request
    )


def ready(session: Session, command: Command, by: Who = GM, **how: Any) -> Command:
    return prepared(met(session, Request(command, by, **how)))


# ------------------------------------------------------------------------------------------------ order


def test_the_steps_are_taken_one_after_the_other_each_with_what_the_one_before_has_made(session: Session) -> None:
    seen: list[Command] = []

    def step(_: Situation, command: Command) -> Command:
        seen.append(command)
        return Note(f"{len(seen)}")

    assert prepared(met(session, Request(Note("0"))), (PreparationStep(step),) * 2) == Note("2")
    assert seen == [Note("0"), Note("1")]
    assert prepared(met(session, Request(Note("0"))), ()) == Note("0")


def test_a_step_is_taken_for_the_commands_that_it_concerns(session: Session) -> None:
    def step(_: Situation, command: Command) -> Command:
        return Note("completed")

    of_notes, of_others = PreparationStep(step, (Reveal, Note)), PreparationStep(step, (Reveal,))

    assert prepared(met(session, Request(Note("0"))), (of_others,)) == Note("0")
    assert prepared(met(session, Request(Note("0"))), (of_others, of_notes)) == Note("completed")


def test_names_are_ids_before_rights_are_checked_and_rights_before_all_else() -> None:
    names = [step.perform.__name__ for step in STEPS]

    allowed = ["_check_seat", "_with_ids", "_with_open_rest", "_check_permission"]
    assert [step.perform.__name__ for step in WHAT_IF] == [*allowed, "_with_entry"]
    assert [step.perform.__name__ for step in PREVIEW] == names[:6] == [*allowed, "_check_session_open", "_with_entry"]
    assert names[6:] == [
        "_with_audience_of_rewind", "_with_open_roll", "_with_waiting_dice",
        "_with_seed", "_with_disclosed_parts", "_with_dispute",
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------ checks


def test_what_others_hide_is_named_by_id_and_only_for_who_knows_it(session: Session) -> None:
    unseen = next(who for who in session.combat.roster.who if who.startswith("unseen-"))

    assert ready(session, Reveal(who="sniper", to=())).who == unseen  # type: ignore[attr-defined]


def test_who_may_not_ask_is_refused_before_anything_is_looked_up(session: Session) -> None:
    with pytest.raises(NotAllowed):
        ready(session, Rewind(99), KIRA)
    assert ready(session, Note("x"), KIRA) == Note("x")


@pytest.mark.parametrize("who", ["sniper", "nobody", "ann"])
@pytest.mark.parametrize("by", [KIRA, Who("wes", Seat.SPECTATOR)], ids=str)
def test_who_may_not_let_a_combatant_join_does_not_learn_which_names_are_taken_in_secret(
    session: Session, by: Who, who: str
) -> None:
    with pytest.raises(NotAllowed) as refusal:
        ready(session, Join(who, SHEET), by)
    assert str(refusal.value).startswith(f"seat/not-allowed: {by.name} ({by.seat.value}) may not ask for Join here")


def test_in_a_closed_session_nothing_is_prepared_and_nothing_looked_up(session: Session) -> None:
    session.perform(CloseSession())

    for command in (Note("x"), Rewind(99)):
        with pytest.raises(NotOpen):
            ready(session, command)


# ------------------------------------------------------------------------------------------------ what is meant


def test_what_a_request_means_is_looked_up_on_the_log(session: Session) -> None:
    def meant(log: Any) -> int:
        assert log is session.log
        return 3

    assert ready(session, Rewind(0, "x", seen_by=()), entry_meant=meant) == Rewind(3, "x", seen_by=())
    assert ready(session, Note("x")) == Note("x")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (Rewind(4, "why"), Rewind(4, "why", seen_by=())),
        (Rewind(4), Rewind(4)),
        (Rewind(4, seen_by=("kira",)), Rewind(4, seen_by=("kira",))),
        (Rewind(4, "why", seen_by=("kira",)), Rewind(4, "why", seen_by=())),
        (Rewind(3, "why"), Rewind(3, "why", seen_by=())),
        (Rewind(2, "why"), Rewind(2, "why")),
        (Rewind(2, "why", seen_by=("kira",)), Rewind(2, "why", seen_by=("kira",))),
    ],
)
def test_a_reason_is_as_secret_as_what_it_takes_back(session: Session, command: Rewind, expected: Rewind) -> None:
    assert ready(session, command) == expected


def test_back_to_an_entry_that_was_a_rewinding_means_what_stood_then(session: Session) -> None:
    session.rewind(3)

    assert ready(session, Rewind(6)) == Rewind(3)


def test_a_modifier_is_of_the_open_roll_that_its_shorthand_means(session: Session) -> None:
    session.perform(BeginCombat())

    assert ready(session, ApplyModifier("ann/initiative", 1, "x", seen_by=())) == ApplyModifier(
        FIRST, 1, "x", seen_by=()
    )
    assert ready(session, ApplyModifier("zoe/luck", 1, "x")) == ApplyModifier("zoe/luck", 1, "x")
    assert ready(session, Overrule("ann/initiative", "score", 1, "x")) == Overrule("ann/initiative", "score", 1, "x")
    with pytest.raises(NoSuchRoll):
        ready(session, ApplyModifier("initiative", 1, "x"))


def test_of_a_roll_of_which_dice_lie_only_the_others_are_given(session: Session) -> None:
    class Lying:
        def completed(self, command: Command) -> Command:
            assert isinstance(command, TypeDice)
            return msgspec.structs.replace(command, faces=(1, *command.faces))

    request = Request(TypeDice(FIRST, (3,)))

    assert prepared(met(session, request, waiting=cast(Waiting, Lying()))) == TypeDice(FIRST, (1, 3))


# ------------------------------------------------------------------------------------------------ what only a session knows


def test_the_seed_is_filled_in_where_it_is_revealed(session: Session) -> None:
    found = ready(session, Reveal())

    assert isinstance(found, Reveal)
    assert len(bytes.fromhex(found.seed)) > 0
    assert ready(session, GiveNonce("kira", "x"), KIRA) == GiveNonce("kira", "x")


def test_the_parts_that_are_revealed_are_filled_in(session: Session) -> None:
    found = ready(session, Reveal(5))

    assert isinstance(found, Reveal)
    assert found.parts
    with pytest.raises(NothingHidden):
        ready(session, Reveal(2))


def test_a_dispute_is_counted_and_what_it_is_about_is_found_for_who_asks(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.perform(BeginCombat())
    session.perform(TypeDice(FIRST, (3,)))

    assert ready(session, OpenDispute("ann/initiative", "x"), KIRA) == OpenDispute(FIRST, "x", dispute="d1")
    asked: list[Any] = []
    completer = SimpleNamespace(completed=lambda *given: asked.append(given) or given[1])
    monkeypatch.setattr(prepare, "register", completer)
    for command in (Note("x"), OpenDispute("ann/initiative", "x")):
        ready(session, command, KIRA)
    assert asked == [(session.log, OpenDispute("ann/initiative", "x"), KIRA)]


# ------------------------------------------------------------------------------------------------ all types of command

CONCERN = {
    "_with_entry": {Amend, Rewind},
    "_with_audience_of_rewind": {Rewind},
    "_with_open_roll": {ApplyModifier},
    "_with_open_rest": {TypeDice, DrawDice, TellDice, Choose},
    "_with_waiting_dice": {TypeDice, DrawDice, TellDice},
    "_with_seed": {GiveNonce, Reveal},
    "_with_disclosed_parts": {Reveal},
    "_with_dispute": {OpenDispute, SettleDispute},
}
"""The types of command that each step concerns; all other steps concern all types."""


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_each_step_concerns_its_types_of_command(kind: type[Command]) -> None:
    concerned = {step.perform.__name__ for step in STEPS if issubclass(kind, step.commands)}

    assert concerned == {step.perform.__name__ for step in STEPS} - {
        name for name, kinds in CONCERN.items() if kind not in kinds
    }


def test_a_player_is_refused_what_concerns_another_players_combatant(session: Session) -> None:
    session.perform(BeginCombat())

    assert ready(session, TypeDice(FIRST, (3,)), KIRA) == TypeDice(FIRST, (3,))
    with pytest.raises(NotAllowed):
        ready(session, TypeDice(SECOND, (3,)), KIRA)
    with pytest.raises(NotAllowed):
        ready(session, TypeDice(FIRST, (3,)), only=frozenset({"bob"}))
