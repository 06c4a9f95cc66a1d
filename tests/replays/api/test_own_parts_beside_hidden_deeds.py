"""A part that depends on the roller alone is visible to them, whatever a hidden combatant has done."""

import pytest
from ambush import KIRA, WHO, acts, ambush, go_on, harmed, sentences, strike

from ledger.commands import Adjust, Choose, TypeDice
from ledger.dice import parse
from ledger.events import ModifierApplied
from machines.contract.ruleset import ruleset
from machines.registry import installed
from projections.views.seen import viewer


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
def test_what_ones_own_wounds_take_from_a_roll_after_a_hidden_attack_is_shown(game: str) -> None:
    session = harmed(game, "")
    told = sentences(session, viewer(KIRA, session.combat))

    assert [line for line in told if line.startswith("Consciousness: -") and "wounds" in line]
    assert not [line for line in told if line.startswith("Consciousness:") and "hidden" in line]


def test_a_critical_for_initiative_is_shown_to_whoever_rolled_it_though_somebody_hidden_is_there() -> None:
    session = ambush("eclipse_phase_1e")
    while session.rests[0].dice == "1d100":
        rest = session.rests[0]
        session.perform(TypeDice(rest.key, tuple(22 if rest.by == "bob" else 41 for _ in parse(rest.dice).sides)))

    assert [line for line in sentences(session, viewer(KIRA, session.combat)) if "critical (22)" in line]


@pytest.mark.parametrize("game", sorted(installed()))
@pytest.mark.parametrize(
    "why",
    [
        "full defense",
        "full defense: dodge",
        "passive defense",
        "retreat",
        "2 wounds",
        "wound modifier",
        "wounds",
        "shock",
        "1 trauma",
    ],
)
def test_what_somebody_gives_by_hand_is_nobodys_own_part(game: str, why: str) -> None:
    assert not ruleset(game).own_part(ModifierApplied("r1/bob/a1/attack/defend", -2, why, ""))


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e"])
def test_what_ones_own_full_defense_adds_against_a_hidden_attack_is_shown(game: str) -> None:
    session = ambush(game, others={"skills": {"fray": 40}} if game != "shadowrun_4e" else {"skills": {"dodge": 3}})
    go_on(session, acts(WHO))
    session.perform(Adjust("bob", "conditions.full_defense", 1, "declared before"))
    strike(session)
    well = {WHO: 5 if game == "shadowrun_4e" else 11}
    go_on(session, lambda rest: rest.key.endswith(("/defense", "/defend")), well)
    (asked,) = session.rests
    if asked.options:
        session.perform(Choose(asked.key, next(each.option for each in asked.options if each.option != "none")))
        go_on(session, lambda rest: rest.key.endswith("/defend"), well)

    mine = session.why("bob/defend", viewer(KIRA, session.combat)).parts

    assert [part.why for part in mine if part.why.startswith("full defense")]
    assert not [part.what for part in mine if part.what == "hidden"]
