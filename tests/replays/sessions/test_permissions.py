"""Which commands each seat may give: of every type, about their own combatants and others', and when limited."""

import pytest

from ledger.commands import (
    COMMANDS,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    GiveNonce,
    Join,
    Note,
    OpenDispute,
    TellDice,
    TypeDice,
)
from ledger.entry import Seat, Who
from machines.contract.refusals import NotAllowed
from projections.combat import Combat
from replays.api.session import Session
from replays.sessions.permissions import GM, check, check_type

KIRA, BEN, ZOE = Who("kira", Seat.PLAYER), Who("ben", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
ANNS, BOBS = "r1/ann/initiative", "r1/bob/initiative"
THEIRS = {Note, OpenDispute, GiveNonce, Declare, TypeDice, DrawDice, TellDice, Choose}
"""The types of command that a player may give at all."""
ANSWERS = (lambda key: TypeDice(key, (3,)), DrawDice, lambda key: Choose(key, "dodge"))


@pytest.fixture(scope="module")
def combat() -> Combat:
    """Ann is Kira's, Bob the gamemaster's; both have an initiative roll to answer."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for command in (Join("ann", SHEET, player="kira"), Join("bob", SHEET), BeginCombat()):
        session.perform(command)
    return session.combat


def of_type(kind: type[Command]) -> Command:
    """Returns a command of a type, with a placeholder in each field that has no default."""
    return kind(*["x"] * (len(kind.__struct_fields__) - len(kind.__struct_defaults__)))


def is_allowed(combat: Combat, by: Who, command: Command, only: frozenset[str] | None = None) -> bool:
    try:
        check(combat, by, command, only)
    except NotAllowed:
        return False
    return True


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_player_may_give_few_types_the_gamemaster_all_and_a_spectator_none(kind: type[Command]) -> None:
    command = of_type(kind)
    check_type(GM, command)
    with pytest.raises(NotAllowed, match=rf"zoe \(spectator\) may not ask for {kind.__name__} here"):
        check_type(ZOE, command)
    if kind in THEIRS:
        check_type(KIRA, command)
    else:
        with pytest.raises(NotAllowed, match=rf"kira \(player\) may not ask for {kind.__name__} here") as refused:
            check_type(KIRA, command)
        assert (refused.value.where, refused.value.accepts) == ("by", "the gm's seat")


@pytest.mark.parametrize("command", [Note("hm"), OpenDispute("e3", "why?"), Declare("attack", "ann")])
def test_a_player_may_note_dispute_and_declare_for_their_own(combat: Combat, command: Command) -> None:
    assert is_allowed(combat, KIRA, command)
    assert is_allowed(combat, GM, command)
    assert not is_allowed(combat, ZOE, command)


def test_only_the_own_player_and_the_gamemaster_declare_for_a_combatant(combat: Combat) -> None:
    assert not is_allowed(combat, BEN, Declare("attack", "ann"))
    assert not is_allowed(combat, KIRA, Declare("attack", "bob"))
    assert not is_allowed(combat, KIRA, Declare("attack", "stranger"))
    assert is_allowed(combat, GM, Declare("attack", "bob"))


@pytest.mark.parametrize("answer", ANSWERS)
def test_only_the_own_player_and_the_gamemaster_answer_for_a_combatant(combat: Combat, answer: type[DrawDice]) -> None:
    assert is_allowed(combat, KIRA, answer(ANNS))
    assert not is_allowed(combat, KIRA, answer(BOBS))
    assert not is_allowed(combat, KIRA, answer("r1/ann/other"))
    assert not is_allowed(combat, BEN, answer(ANNS))
    assert not is_allowed(combat, ZOE, answer(ANNS))
    assert is_allowed(combat, GM, answer(BOBS))


def test_a_player_may_not_give_what_is_the_gamemasters(combat: Combat) -> None:
    with pytest.raises(NotAllowed, match=r"kira \(player\) may not ask for BeginCombat here"):
        check(combat, KIRA, BeginCombat())


# ------------------------------------------------------------------------------------------------ nonces


def test_a_player_gives_their_own_nonce_only(combat: Combat) -> None:
    assert is_allowed(combat, KIRA, GiveNonce("kira", "abc"))
    assert not is_allowed(combat, KIRA, GiveNonce("ben", "abc"))
    assert not is_allowed(combat, KIRA, GiveNonce("ben", "abc", agreed=True))


def test_the_gamemaster_gives_a_players_nonce_if_the_table_agreed(combat: Combat) -> None:
    assert is_allowed(combat, GM, GiveNonce("gm", "abc"))
    assert is_allowed(combat, Who("maria"), GiveNonce("maria", "abc"))
    assert is_allowed(combat, Who("maria"), GiveNonce("gm", "abc"))
    assert is_allowed(combat, GM, GiveNonce("kira", "abc", agreed=True))
    with pytest.raises(NotAllowed, match="kira gives their own share in the dice") as refused:
        check(combat, GM, GiveNonce("kira", "abc"))
    assert refused.value.where == "player"
    assert refused.value.accepts == "from kira, or agreed: the table wants it so"


# ------------------------------------------------------------------------------------------- limited callers


def test_a_limited_caller_commands_only_the_named_combatants(combat: Combat) -> None:
    ann = frozenset({"ann"})
    assert is_allowed(combat, GM, Declare("attack", "ann"), ann)
    assert not is_allowed(combat, GM, Declare("attack", "bob"), ann)
    assert not is_allowed(combat, KIRA, Declare("attack", "ann"), frozenset({"bob"}))
    assert not is_allowed(combat, KIRA, Declare("attack", "ann"), frozenset())
    for answer in ANSWERS:
        assert is_allowed(combat, GM, answer(ANNS), ann)
        assert not is_allowed(combat, GM, answer(BOBS), ann)
        assert not is_allowed(combat, GM, answer("r1/ann/other"), ann)
    with pytest.raises(NotAllowed, match="only ann, cid may be played from here") as refused:
        check(combat, GM, Declare("attack", "bob"), ("ann", "cid"))
    assert (refused.value.where, refused.value.accepts) == ("by", "their commands")


def test_a_limit_leaves_what_is_about_no_combatant(combat: Combat) -> None:
    assert is_allowed(combat, GM, BeginCombat(), frozenset())
    assert is_allowed(combat, KIRA, Note("hm"), frozenset())
    assert not is_allowed(combat, KIRA, BeginCombat(), frozenset({"ann"}))
