"""Deciding a command: the events that follow, and refusals with what would be accepted."""

import msgspec
import pytest

from ledger import events as e
from ledger.commands import (
    Adjust,
    Amend,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    GiveNonce,
    Join,
    Leave,
    Note,
    OpenDispute,
    OpenSession,
    Overrule,
    Rewind,
    TellDice,
    TypeDice,
)
from ledger.errors import Refused
from machines.contract.refusals import (
    AlreadyOpen,
    BadTerms,
    FacesNeeded,
    NoSuchChoice,
    NoSuchRoll,
    NotAskedFor,
    NotFighting,
    NotOffered,
    NotOpen,
    NotYourTurn,
    UnknownCombatant,
    Unsupported,
)
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide, decided
from projections.combat import Combat, fold
from replays.api.run_script import perform
from replays.scripts.format import find_script, read

GAME = ruleset("eclipse_phase_1e")
SHEET = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20, "wil": 15}, "skills": {"clubs": 50, "fray": 40}, "moxie": 2,
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
FIRST, SECOND = "r1/ann/initiative", "r1/bob/initiative"
ACT, ATTACK = "r1/ann/p1/act", "r1/ann/a1/attack"
TO_HIT = f"{ATTACK}/to-hit"
STRIKE = Declare("attack", "ann", {"at": "bob", "using": "club"})
STRESS = Declare("stress", "bob", {"what": "gruesome murder scene"})


def after(combat: Combat, *commands: Command) -> Combat:
    for command in commands:
        combat = fold(decide(GAME, combat, command), combat)
    return combat


CLOSED = Combat()
HERE = after(CLOSED, OpenSession("t", GAME.name), Join("ann", SHEET), Join("bob", SHEET))
BEGUN = after(HERE, BeginCombat())
ROLLED = after(BEGUN, TypeDice(FIRST, (30,)), TypeDice(SECOND, (20,)))
STRUCK = after(ROLLED, STRIKE)
DODGED = after(STRUCK, Choose(f"{ATTACK}/defense", "fray"))


def refused(combat: Combat, command: Command) -> tuple[type[Refused], str, str]:
    with pytest.raises(Refused) as refusal:
        decide(GAME, combat, command)
    return type(refusal.value), refusal.value.where, refusal.value.accepts


def kinds(combat: Combat, command: Command) -> list[type[e.Event]]:
    return [type(event) for event in decide(GAME, combat, command)]


# ------------------------------------------------------------------------------------------------ refusals

NONE, BOTH = "nothing is open", f"{FIRST}, {SECOND}"
OPTIONS = "attack, full_defense, suppress, task, aim, reload, move, delay, complex, quick, end"
EXITS = "attack, quick, complex, task, full_defense, aim, reload, move, suppress, break_free, delay, end"
WHENCE = "drawn, recorded, scripted, typed"


@pytest.mark.parametrize(
    ("combat", "command", "kind", "where", "accepts"),
    [
        (CLOSED, Note("x"), NotOpen, "session", "a session that is open"),
        (HERE, OpenSession("t", GAME.name), AlreadyOpen, "session", ""),
        (HERE, TellDice("k", {"total": 3}), NotAskedFor, "key", NONE),
        (BEGUN, TellDice(FIRST, {"total": 3}), FacesNeeded, "counts", "its faces"),
        (HERE, Command(), Unsupported, "command", ""),
        (HERE, Declare("attack", "zoe"), UnknownCombatant, "who", "ann, bob"),
        (HERE, STRIKE, NotFighting, "combat", "begin a fight first"),
        (HERE, Declare("fly", "ann"), NotOffered, "kind", ", ".join(GAME.kinds)),
        (BEGUN, STRIKE, NotYourTurn, "by", "its dice"),
        (ROLLED, Declare("attack", "bob", STRIKE.terms), NotYourTurn, "by", "an answer of ann"),
        (ROLLED, Declare("fly", "ann"), NotOffered, "kind", EXITS),
        (ROLLED, Declare("attack", "ann", {"at": "bob", "using": "gun"}), BadTerms, "using", "club"),
        (ROLLED, Declare("stress", "bob", {"what": "rain"}), BadTerms, "what", None),
        (STRUCK, STRIKE, NotYourTurn, "by", "an answer of bob"),
        (HERE, Choose("k", "x"), NoSuchChoice, "key", NONE),
        (BEGUN, Choose(FIRST, "x"), NoSuchChoice, "key", NONE),
        (ROLLED, Choose("k", "x"), NoSuchChoice, "key", ACT),
        (ROLLED, Choose(ACT, "attack"), NotOffered, "option", "declare attack"),
        (ROLLED, Choose(ACT, "fly"), NotOffered, "option", OPTIONS),
        (STRUCK, Choose(f"{ATTACK}/defense", "fly"), NotOffered, "option", "fray, clubs, none"),
        (HERE, TypeDice(FIRST, (3,)), NotAskedFor, "key", NONE),
        (BEGUN, TypeDice("k", (3,)), NotAskedFor, "key", BOTH),
        (ROLLED, TypeDice(ACT, (3,)), NotAskedFor, "key", NONE),
        (BEGUN, TypeDice(FIRST, (3,), ("told",)), Refused, "provenance", WHENCE),
        (BEGUN, TypeDice(FIRST, (3,), ("typed", "typed")), Refused, "provenance", WHENCE),
        (BEGUN, ApplyModifier("k", 1, "x"), NoSuchRoll, "key", BOTH),
        (ROLLED, ApplyModifier(ACT, 1, "x"), NoSuchRoll, "key", NONE),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    combat: Combat, command: Command, kind: type[Refused], where: str, accepts: str | None
) -> None:
    found = refused(combat, command)

    assert issubclass(found[0], kind)
    assert found[1] == where
    assert accepts in (found[2], None)


def test_where_nobody_is_waited_for_that_is_said() -> None:
    combat = msgspec.structs.replace(ROLLED, path=msgspec.structs.replace(ROLLED.path, levels=(), asked=()))

    assert refused(combat, STRIKE) == (NotYourTurn, "by", "nothing now")


# ------------------------------------------------------------------------------------------------ declaring and choosing


def test_who_is_asked_to_act_goes_on_by_the_exit_of_what_they_declare() -> None:
    chosen, declared, *rest = decide(GAME, ROLLED, STRIKE)

    assert chosen == e.Chosen(ACT, "attack", "")
    assert declared == e.Declared(ATTACK, "attack", "ann", STRIKE.terms)
    assert e.StepEntered("attack", "1", 2) in rest
    assert kinds(ROLLED, Declare("end", "ann"))[:2] == [e.Chosen, e.StepEntered]
    assert e.Declared not in kinds(ROLLED, Declare("end", "ann"))


def test_what_may_be_declared_at_any_time_opens_a_level_of_its_own() -> None:
    outside, inside = decide(GAME, HERE, STRESS), decide(GAME, ROLLED, STRESS)

    assert outside[:2] == (
        e.Declared("r0/bob/a1/stress", "stress", "bob", STRESS.terms),
        e.StepEntered("stress", "1", 0),
    )
    assert inside[:2] == (
        e.Declared("r1/bob/a1/stress", "stress", "bob", STRESS.terms),
        e.StepEntered("stress", "1", 2),
    )
    assert [rest.key for rest in fold(inside, ROLLED).rests] == ["r1/bob/a1/stress/willpower"]


def test_a_choice_is_recorded_with_its_words_and_goes_on() -> None:
    chosen, step, *_ = decide(GAME, ROLLED, Choose(ACT, "end", "bye"))

    assert chosen == e.Chosen(ACT, "end", "bye")
    assert isinstance(step, e.StepEntered)
    assert after(ROLLED, Choose(ACT, "end")).turn.who == "bob"


# ------------------------------------------------------------------------------------------------ dice


@pytest.mark.parametrize(
    ("command", "provenance"),
    [
        (TypeDice(FIRST, (3,)), "typed"),
        (DrawDice(FIRST, (3,)), "drawn"),
        *((TypeDice(FIRST, (3,), (whence,)), whence) for whence in WHENCE.split(", ")),
    ],
)
def test_dice_are_recorded_with_where_they_came_from(command: Command, provenance: str) -> None:
    assert decide(GAME, BEGUN, command) == (e.DiceRolled(FIRST, (3,), (provenance,)),)


def test_faces_may_have_come_from_everywhere_at_once() -> None:
    game, whence = ruleset("shadowrun_4e"), tuple(WHENCE.split(", "))
    combat = Combat()
    for command in (OpenSession("t", game.name), Join("ann", {"reaction": 2, "intuition": 2}), BeginCombat()):
        combat = fold(decide(game, combat, command), combat)

    assert e.DiceRolled(FIRST, (1, 2, 3, 4), whence) in decide(game, combat, TypeDice(FIRST, (1, 2, 3, 4), whence))


def test_when_the_last_roll_is_made_all_are_read() -> None:
    found = kinds(after(BEGUN, TypeDice(FIRST, (30,))), TypeDice(SECOND, (20,)))

    assert found[0] is e.DiceRolled
    assert found.count(e.InitiativeScored) == 2


def test_dice_in_secret_are_there_for_everybody_and_their_faces_for_few() -> None:
    found = decide(GAME, DODGED, TypeDice(TO_HIT, (3,), seen_by=("ann",)))

    assert found == (e.DiceRolled(TO_HIT, (), ()), e.DiceRolled(TO_HIT, (3,), ("typed",), seen_by=("ann",)))


def test_what_is_read_of_a_secret_roll_is_as_secret_as_it_was_asked_to_be() -> None:
    """The same roll in the open discloses the score to everyone."""
    before = after(BEGUN, TypeDice(FIRST, (30,)))

    def scores(seen_by: tuple[str, ...] | None) -> dict[str, set[tuple[str, ...] | None]]:
        found: dict[str, set[tuple[str, ...] | None]] = {"ann": set(), "bob": set()}
        for event in decide(GAME, before, TypeDice(SECOND, (20,), seen_by=seen_by)):
            if isinstance(event, e.FigureFound) and event.name == "score":
                found[event.who].add(event.seen_by)
        return found

    assert scores(None) == {"ann": {None}, "bob": {None}}
    assert scores(("bob",)) == {"ann": {None}, "bob": {("bob",)}}


# ------------------------------------------------------------------------------------------------ modifiers


def targets(events: tuple[e.Event, ...]) -> list[tuple[int | str, str]]:
    return [(event.value, event.why) for event in events if isinstance(event, e.FigureFound) and event.name == "target"]


def test_a_modifier_finds_the_target_anew() -> None:
    found = decide(GAME, DODGED, ApplyModifier(TO_HIT, -10, "dark"))

    assert found[0] == e.ModifierApplied(TO_HIT, -10, "dark", "")
    assert targets(found) == [(40, "50 -10")]
    assert decide(GAME, BEGUN, ApplyModifier(FIRST, 1, "x")) == (e.ModifierApplied(FIRST, 1, "x", ""),)


def test_a_modifier_in_secret_is_seen_by_those_who_may() -> None:
    events, combat = decided(GAME, DODGED, ApplyModifier(TO_HIT, -10, "dark", seen_by=("ann",)))

    assert e.ModifierApplied(TO_HIT, -10, "dark", "", seen_by=("ann",)) in events
    assert combat == fold(events, DODGED)


def test_a_modifier_in_secret_that_leaves_no_dice_leads_on_in_secret() -> None:
    """Razor would be asked about Edge at once."""
    session = perform(read(find_script("street-fight")[1]))
    combat, key = session.log.state(10), "r1/razor/a1/attack/to-hit"

    def steps(seen_by: tuple[str, ...] | None) -> set[tuple[str, ...] | None]:
        found = decide(session.game, combat, ApplyModifier(key, -40, "dark", seen_by=seen_by))
        return {event.seen_by for event in found if isinstance(event, e.StepEntered) and event.chart == "edge"}

    assert steps(None) == {None}
    assert () in steps(())


def test_a_target_that_the_gamemaster_has_said_is_modified_from_there() -> None:
    said = fold((e.Overruled(TO_HIT, "target", 50, 70, "x"),), DODGED)
    as_by_rule = fold((e.Overruled(TO_HIT, "target", 50, 50, "x"),), DODGED)

    assert targets(decide(GAME, said, ApplyModifier(TO_HIT, -10, "dark"))) == [(60, "the gamemaster's 70 -10")]
    assert targets(decide(GAME, said, ApplyModifier(TO_HIT, 10, "light"))) == [(80, "the gamemaster's 70 +10")]
    assert targets(decide(GAME, as_by_rule, ApplyModifier(TO_HIT, -10, "dark"))) == [(40, "50 -10")]


# ------------------------------------------------------------------------------------------------ history and words


def test_each_kind_of_command_is_answered_by_its_own_rules() -> None:
    assert decide(GAME, HERE, Adjust("ann", "wounds", 1, "x")) == (e.Adjusted("ann", "wounds", 0, 1, "x"),)
    assert decide(GAME, HERE, OpenDispute("k", "why")) == (e.DisputeOpened("d1", "k", "", "why"),)
    assert refused(HERE, GiveNonce("kira", "x"))[1] == "session"
    assert decide(GAME, HERE, Leave("bob")) == (e.CombatantLeft("bob", ""),)


def test_notes_and_history_are_recorded_as_they_were_said() -> None:
    assert decide(GAME, HERE, Note("x", "k")) == (e.Noted("x", "k"),)
    assert decide(GAME, HERE, Amend(3, {"drop": True}, "x")) == (e.Amended(3, {"drop": True}, "x"),)
    assert decide(GAME, HERE, Rewind(3, "x")) == (e.Rewound(3, "x"),)
    assert decide(GAME, HERE, Rewind(3, "x", seen_by=())) == (e.Rewound(3, ""), e.Rewound(3, "x", seen_by=()))


@pytest.mark.parametrize("command", [Note("x"), STRIKE, Rewind(3, "x", seen_by=()), TypeDice(FIRST, (3,), seen_by=())])
def test_with_the_events_comes_the_state_that_they_lead_to(command: Command) -> None:
    before = ROLLED if command == STRIKE else BEGUN

    events, combat = decided(GAME, before, command)

    assert events == decide(GAME, before, command)
    assert combat == fold(events, before)


def test_the_gamemasters_word_stands_behind_what_it_overrules() -> None:
    word = Overrule(SECOND, "score", 99, "x")
    last = TypeDice(SECOND, (20,))

    found = decide(GAME, after(BEGUN, TypeDice(FIRST, (30,))), last, (word,))

    assert e.Overruled(SECOND, "score", 80, 99, "x") in found
    assert decided(GAME, after(BEGUN, TypeDice(FIRST, (30,))), last, (word,))[0] == found
