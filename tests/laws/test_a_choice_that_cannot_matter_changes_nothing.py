"""A choice that a ruleset reports as one that cannot matter leads to the same harm, conditions and outcome with every
option.

Random fights are played in each game. Where a choice cannot matter, the exchange is continued with each option in turn,
and with the same faces for the same rolls, several times.
"""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import BeginCombat, Choose, Command, Declare, TypeDice
from ledger.dice import parse
from ledger.errors import Refused
from ledger.events import ExchangeEnded
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from machines.engine.options import options
from projections.combat import Combat, fold
from projections.path import Rest
from replays.api.session import Session
from replays.table.language.joining import joins
from replays.table.language.known_sheets import KnownSheets

FIGHTS = {
    "eclipse_phase_1e": ("kade=firewall-agent@sam", "mira=space-pirate@lee", "thug:2"),
    "eclipse_phase_2e": ("kade=firewall-agent@sam", "mira=firewall-agent@lee", "thug:2"),
    "shadowrun_4e": ("kade=street-samurai@sam", "mira=mage@lee", "thug=ganger:2"),
    "gurps_3e": ("kade=swordsman@sam", "mira=fencer@lee", "thug=guard:2"),
}
LONGEST, SAMPLES = 60, 3


def begun(name: str) -> tuple[Ruleset, Combat]:
    session = Session.create("memory://", ruleset=name)
    for command in (*joins(KnownSheets(session.game), FIGHTS[name], ()), BeginCombat()):
        session.perform(command)
    return session.game, session.combat


def faces(seed: object, rest: Rest) -> tuple[int, ...]:
    """Returns faces that depend on the seed and the roll alone."""
    dice = Random(f"{seed} {rest.key}")
    return tuple(dice.randrange(100) if sides == 100 else dice.randint(1, sides) for sides in parse(rest.dice).sides)


def is_declaring(game: Ruleset, rest: Rest) -> bool:
    return any(option.option in game.kinds for option in rest.options)


def answered(rest: Rest, seed: object) -> Command:
    """Returns an answer that depends on the seed and the question alone."""
    if rest.dice:
        return TypeDice(rest.key, faces(seed, rest))
    ranked = sorted(rest.options, key=lambda each: Random(f"{seed} {rest.key} {each.option}").random())
    return Choose(rest.key, ranked[0].option)


def passed_on(rest: Rest, seed: object) -> Command:
    """Returns an answer that spends no point: a spent one would be missing in a later choice, which may matter."""
    return answered(rest, seed) if rest.default is None else Choose(rest.key, rest.default)


def performed(game: Ruleset, combat: Combat, command: Command) -> tuple[Combat, str]:
    events = decide(game, combat, command)
    ends = [event.outcome for event in events if isinstance(event, ExchangeEnded)]
    return fold(events, combat), " ".join(ends)


def harm_after(game: Ruleset, combat: Combat, first: Command, seed: object) -> object:
    """Returns the harm to all, their conditions and the outcome, at the end of the exchange."""
    combat, outcome = performed(game, combat, first)
    for _ in range(LONGEST):
        rest = next(iter(combat.rests), None)
        if rest is None or combat.exchange.frame is None or is_declaring(game, rest):
            break
        combat, ended = performed(game, combat, passed_on(rest, seed))
        outcome = ended or outcome
    return combat.health, combat.wounds, combat.conditions.having, outcome


def next_deed(game: Ruleset, combat: Combat, rest: Rest, dice: Random) -> Command:
    """Returns an attack or a spell, or else the end of the turn."""
    found = [each.command for each in options(game, combat, (rest.by,)) if not each.refused and each.key == rest.key]
    deeds = [each for each in found if isinstance(each, Declare) and each.kind in ("attack", "cast")]
    return dice.choice(deeds) if deeds else Choose(rest.key, rest.default or rest.options[-1].option)


def choices(game: Ruleset, combat: Combat, seed: int, steps: int) -> Iterator[tuple[Combat, Rest]]:
    """Yields the choices of a random fight that are not what to do, with the state in which each is open."""
    dice = Random(seed)
    for _ in range(steps):
        rest = next(iter(combat.rests), None)
        if rest is None:
            return
        if is_declaring(game, rest):
            command = next_deed(game, combat, rest, dice)
        else:
            command = answered(rest, seed)
            if rest.options:
                yield combat, rest
        try:
            combat, _ = performed(game, combat, command)
        except Refused:
            combat, _ = performed(game, combat, Choose(rest.key, rest.default or rest.options[-1].option))


def check(name: str, seed: int, steps: int) -> tuple[int, int]:
    """Plays a fight and compares; returns how many choices cannot matter, and how many may."""
    game, combat = begun(name)
    passed = asked = 0
    for state, rest in choices(game, combat, seed, steps):
        if game.stakes(state, rest).matters:
            asked += 1
            continue
        passed += 1
        for sample in range(SAMPLES):
            found = {
                each.option: harm_after(game, state, Choose(rest.key, each.option), (seed, sample))
                for each in rest.options
            }
            expected = found[rest.default]
            assert all(each == expected for each in found.values()), (rest.purpose, found)
    return passed, asked


@pytest.mark.parametrize("name", FIGHTS)
@given(seed=st.integers(0, 2**32))
def test_every_option_of_a_choice_that_cannot_matter_leads_to_the_same_harm(name: str, seed: int) -> None:
    check(name, seed, 60)


@pytest.mark.parametrize("name", ["eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e"])
def test_random_fights_have_choices_of_both_sorts(name: str) -> None:
    counts = [check(name, seed, 80) for seed in range(12)]

    assert all(sum(each) > 0 for each in zip(*counts, strict=True)), counts
