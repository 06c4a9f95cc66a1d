"""An interrupt has a separate frame: the interrupted action waits, and continues after it."""

import msgspec
import pytest

from ledger.commands import BeginCombat, Declare, Join, OpenSession, TypeDice
from ledger.events import DiceRolled, ExchangeEnded, FigureFound, RollRequested, RoundBegan
from ledger.key import role
from machines.contract.action import Action
from machines.contract.chart import Chart, Do, End, Roll, Run
from machines.contract.refusals import NotAskedFor, NotYourTurn
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of shouting."""

    what: str = ""


def _shout(combat):
    frame = combat.exchange.frame
    yield FigureFound(frame.key, "volume", 11, "shouting", "EP1 1 Nowhere", "exchange", "")


def _two_dice(combat):
    for who in ("ann", "bob"):
        yield RollRequested(role(f"r1/{who}", "luck"), who, "1d6", "luck", "")


def _answer_all(combat):
    for rest in combat.path.asked:
        yield DiceRolled(rest.key, (6,), ("typed",))


def _begin(combat):
    yield RoundBegan(1)


def _read(combat):
    yield from ()
    return "done"


def _echo_roll(combat):
    frame = combat.exchange.frame
    yield RollRequested(role(frame.key, "echo"), frame.by, "1d6", "echo", frame.key)


SHOUT = Chart(
    "shout", "Shouting",
    Do("1", "Shout", _shout, goto="2"), Roll("2", "Echo", ask=_echo_roll, read=_read, done="end"), End("end", "Heard"),
    source="EP1 1 Nowhere",
)  # fmt: skip
FORTUNE = Chart(
    "fortune", "Fortune smiles", Do("1", "All dice show six", _answer_all, goto="end"), End("end", "Smiled"),
    source="EP1 1 Nowhere",
)  # fmt: skip
INNER = Chart(
    "inner", "Luck", Roll("1", "Luck", ask=_two_dice, read=_read, done="end"), End("end", "Lucky"),
    source="EP1 1 Nowhere",
)  # fmt: skip
TURN = Chart(
    "luck", "A turn", Do("1", "Begin", _begin, goto="2"), Run("2", "Luck", INNER, goto="3"), End("3", "Over"),
    source="EP1 1 Nowhere",
)  # fmt: skip


@pytest.fixture
def game() -> Ruleset:
    kinds = {
        "shout": Action(title="shout", chart=SHOUT, terms=Words, check=lambda *_: None, anytime=True),
        "smile": Action(title="smile", chart=FORTUNE, terms=Words, check=lambda *_: None, anytime=True),
        "wait": Action(title="wait", chart=SHOUT, terms=Words, check=lambda *_: None),
    }
    return msgspec.structs.replace(ruleset("eclipse_phase_1e"), turn=TURN, kinds=kinds)


@pytest.fixture
def combat(game: Ruleset) -> Combat:
    sheet = {"init": 1, "durability": 9, "aptitudes": {"som": 1}}
    combat = fold(decide(game, Combat(), OpenSession("x", game.name)))
    for command in (Join("ann", sheet), Join("bob", sheet), BeginCombat()):
        combat = fold(decide(game, combat, command), combat)
    return combat


def after(game, combat, *commands):
    for command in commands:
        combat = fold(decide(game, combat, command), combat)
    return combat


def keys(combat):
    return [rest.key for rest in combat.rests]


def test_a_box_is_left_when_all_its_rolls_are_answered(game, combat):
    assert ["r1/ann/luck", "r1/bob/luck"] == keys(combat)

    combat = after(game, combat, TypeDice("r1/bob/luck", (6,)))
    assert ["r1/ann/luck"] == keys(combat)

    combat = after(game, combat, TypeDice("r1/ann/luck", (1,)))
    assert ([], (), False) == (keys(combat), combat.path.levels, combat.clock.fighting)


def test_an_interrupt_is_resolved_first_and_then_the_table_waits_as_before(game, combat):
    waiting = after(game, combat, TypeDice("r1/ann/luck", (1,)))
    interrupted = after(game, waiting, Declare("shout", "ann", {"what": "duck"}))

    assert ["r1/ann/a1/shout/echo"] == keys(interrupted)
    with pytest.raises(NotAskedFor):
        decide(game, interrupted, TypeDice("r1/bob/luck", (1,)))

    events = decide(game, interrupted, TypeDice("r1/ann/a1/shout/echo", (3,)))
    resumed = fold(events, interrupted)

    assert [ExchangeEnded("r1/ann/a1/shout", "end")] == [event for event in events if isinstance(event, ExchangeEnded)]
    assert ["r1/bob/luck"] == keys(resumed)
    assert waiting.path.levels == resumed.path.levels
    assert ("1", "2", "end") == resumed.path.last


def test_an_interrupt_may_be_interrupted(game, combat):
    inner = after(game, combat, Declare("shout", "ann"), Declare("shout", "bob"))
    assert ["r1/bob/a1/shout/echo"] == keys(inner)

    outer = after(game, inner, TypeDice("r1/bob/a1/shout/echo", (1,)))
    assert ["r1/ann/a1/shout/echo"] == keys(outer)

    assert ["r1/ann/luck", "r1/bob/luck"] == keys(after(game, outer, TypeDice("r1/ann/a1/shout/echo", (1,))))


def test_what_an_interrupt_has_answered_is_read_when_it_is_over(game, combat):
    events = decide(game, combat, Declare("smile", "ann"))

    assert ExchangeEnded("r1/ann/a1/smile", "end") in events
    read = fold(events, combat)
    assert ([], (), False) == (keys(read), read.path.levels, read.clock.fighting)


def test_what_may_not_interrupt_is_refused(game, combat):
    with pytest.raises(NotYourTurn):
        decide(game, combat, Declare("wait", "ann"))


def test_what_may_be_declared_anytime_needs_no_fight(game, combat):
    sheet = {"init": 1, "durability": 9, "aptitudes": {"som": 1}}
    calm = after(game, fold(decide(game, Combat(), OpenSession("x", game.name))), Join("ann", sheet))
    shouted = after(game, calm, Declare("shout", "ann"))

    assert ["r0/ann/a1/shout/echo"] == keys(shouted)

    over = after(game, shouted, TypeDice("r0/ann/a1/shout/echo", (2,)))
    assert ((), "end") == (over.path.levels, over.exchange.last.outcome)
