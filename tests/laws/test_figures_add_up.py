"""The parts that a figure shows combine, by the operations that its words name, to the figure."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from all_fights import GAMES, golden, played, scenarios
from arithmetic import MissingNumber, NotArithmetic, is_figure, possible_results
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from shown_sums import unexplained
from strategies import fights, rolls
from strategies import figures as found_figures

from ledger import events as e
from machines.contract.figures import Number, bounds_of
from machines.contract.refusals import ImpossibleFigure, NoSuchFigure, NoSuchRoll
from machines.contract.ruleset import ruleset
from replays.api.session import Session
from replays.sessions.wording import Wording, wording

FACTS = {
    "eclipse_phase_1e": (
        "attacks left", "hardened to .*", "task: .*", "dice", "hours", "wounds healed", "meters", "acts first in fight",
    ),
    "eclipse_phase_2e": (
        "hardened to .*", "infection rating", "roll-off", "superior successes", "task: .*", "dice", "timeframe", "meters",
        "traumas by .*",
    ),
    "gurps_3e": ("base", "death rolls due", "knockback", "no roll", "rounds", "rounds left", "yards"),
    "shadowrun_4e": ("bought hits", "force", "meters", "hits for .*", "taken by .*"),
}  # fmt: skip
"""Figures whose reasons have numbers that are facts of a rule or table, and not parts of a sum, by game."""
DAMAGE, SCORE = "taken by", "initiative"


def figures(session: Session) -> Iterator[tuple[str, int, str]]:
    """Yields name, value and reason of each number of a log, as it is shown."""
    told, entries = wording(session.combat.session), list(session.entries())
    is_overruled = any(isinstance(event, e.Overruled) for entry in entries for event in entry.events)
    for event in (event for entry in entries for event in entry.events):
        match event:
            case e.FigureFound(value=int(value)):
                yield event.name, value, told.why(event)
            case e.WoundSuffered() if (
                not is_overruled
            ):  # the gamemaster's value is recorded beside the value by the rules
                yield event.kind, event.count, told.why(event)
            case e.DamageTaken() if not is_overruled:
                yield f"{DAMAGE} {event.track}", event.amount, event.why
            case e.InitiativeScored() if not is_overruled:
                yield SCORE, event.score, event.why


COMPARED = re.compile(r"[+-]?\d+ against [+-]?\d+")
"""Figures that are the difference of two numbers, or 0."""


def wrong(session: Session, *, recorded: bool = False) -> Iterator[str]:
    """Returns the figures whose parts do not add up to them, or name no operation.

    Args:
        session: The fight.
        recorded: Whether the fight was recorded by older rules, which did not mention the minimum of 0.
    """
    facts = FACTS[session.combat.session.ruleset]
    for name, value, why in figures(session):
        if not re.search(r"\d", why) or "hidden" in why or any(re.fullmatch(each, name) for each in facts):
            continue
        try:
            combined = possible_results(why)
        except MissingNumber:
            continue
        except NotArithmetic as error:
            yield f"{name} {value}: {error}"
            continue
        if not is_figure(value, combined, floored=recorded or bool(COMPARED.fullmatch(why))):
            yield f"{name} {value} ({why}) comes to {', '.join(map(str, combined))}"


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_every_figure_of_every_scenario_add_up(game: str) -> None:
    assert sorted({each for session in played(game) for each in wrong(session)}) == []
    assert sorted({each for session in golden(game) for each in wrong(session, recorded=True)}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_fact_occurs(game: str) -> None:
    names = {name for session in scenarios(game) for name, _, why in figures(session) if re.search(r"\d", why)}

    assert [each for each in FACTS[game] if not any(re.fullmatch(each, name) for name in names)] == []


@settings(max_examples=examples(60))
@given(fights(secrets=True, most=60))
def test_the_parts_of_every_figure_of_any_fight_add_up(fight) -> None:
    assert sorted(set(wrong(fight.session))) == []


# ------------------------------------------------------------------------------------------------ sums of rolls


@pytest.mark.parametrize("game", GAMES)
def test_base_and_modifiers_add_up_to_the_target_or_a_reason_is_stated(game: str) -> None:
    assert [each for session in scenarios(game) for each in unexplained(session)] == []


@settings(max_examples=examples(30))
@given(fights(secrets=True))
def test_base_and_modifiers_of_any_fight_add_up_to_the_target_or_a_reason_is_stated(fight) -> None:
    assert unexplained(fight.session) == []


# ------------------------------------------------------------------------------------------------ the gamemaster's word


def overrule_some(session: Session, data: st.DataObject) -> None:
    """Overrules some numbers with other possible ones."""
    game = ruleset(session.combat.session.ruleset)
    numbers = sorted((each for each in found_figures(session) if isinstance(each[2], int)), key=str)
    for key, name, value in data.draw(st.permutations(numbers))[:3]:
        bounds = bounds_of(game.figures, name)
        if isinstance(bounds, Number):
            says = data.draw(st.integers(max(bounds.low, -20), min(bounds.high, 60)))
            with suppress(ImpossibleFigure, NoSuchFigure):
                session.overrule(key, name, says, why=f"not {value}")


@settings(max_examples=examples(40))
@given(fights(secrets=True), st.data())
def test_the_parts_of_every_figure_add_up_after_overrules(fight, data) -> None:
    session = fight.session
    overrule_some(session, data)
    for key, _ in data.draw(st.permutations(rolls(session)))[:2]:
        with suppress(NoSuchRoll):  # an earlier modifier may have left no dice
            session.modify(key, data.draw(st.integers(-40, 10)), why="it was dark")

    assert sorted(set(wrong(session))) == []
    assert unexplained(session) == []


# ------------------------------------------------------------------------------------------------ the record of old


@pytest.mark.parametrize(
    ("game", "rules", "name", "value", "recorded"),
    [
        ("gurps_3e", {"critical_multiplier": "dice"}, "damage", 11, "basic 5, x 3"),
        ("gurps_3e", {"critical_multiplier": "dice"}, "damage", 11, "basic 5 +2 strong all-out attack +1 silver, x 2"),
        ("gurps_3e", {"critical_multiplier": "dice"}, "damage", 3, "basic 7, x 1/2"),
        ("gurps_3e", {"critical_multiplier": "total"}, "damage", 15, "basic 5, x 3"),
        ("gurps_3e", {}, "DR", 1, "DR 0, against hollow point rounds 0"),
        ("shadowrun_4e", {}, "drain", 1, "half of Force 2 -1"),
        ("shadowrun_4e", {}, "drain", 2, "half of Force 2 -1 +2 for spells at once"),
        ("shadowrun_4e", {}, "drain", 2, "twice the spirit's 0 hits"),
        ("shadowrun_4e", {}, "armor", 5, "impact 5 + nonconductive 2, AP -half"),
        ("eclipse_phase_1e", {"armor_piercing": "halve"}, "armor", 4, "kinetic armor 7, AP -1"),
        ("eclipse_phase_1e", {"armor_piercing": "subtract"}, "armor", 6, "kinetic armor 7, AP -1"),
        ("eclipse_phase_1e", {}, "base", 29, "Durability 23 less damage taken, energy armor 6"),
        ("eclipse_phase_2e", {"wounded_at": "exceeded"}, "wounds", 1, "14 damage, Wound Threshold 7"),
        ("eclipse_phase_2e", {"wounded_at": "reached"}, "wounds", 2, "14 damage, Wound Threshold 7"),
    ],
)  # fmt: skip
def test_a_figure_with_an_incomplete_recorded_reason_is_shown_so_that_it_adds_up(
    game: str, rules: dict[str, str], name: str, value: int, recorded: str
) -> None:
    told = Wording(ruleset(game), rules).why(e.FigureFound("k", name, value, recorded, "", "exchange", ""))

    assert is_figure(value, possible_results(told)), told


def test_a_feint_that_misses_shows_no_sum() -> None:
    found = e.FigureFound("k", "feint", 0, "-1 against -4", "", "exchange", "")

    assert Wording(ruleset("gurps_3e"), {}).why(found) == "a feint that misses gains nothing"
