"""The attack being resolved is that of the present state, although the boxes of a chart share what they read of it."""

from typing import Any

import msgspec
import pytest

from machines.eclipse_phase.first.attack import attack_context as first
from machines.eclipse_phase.second.attack import attack_context as second
from projections.combat import Combat
from projections.combatants.roster import Combatant, Roster
from projections.exchange import Exchange, Frame
from projections.figures import Figures

KEY = "r1/ann/a1/attack"
BOTH = pytest.mark.parametrize("edition", [first, second], ids=["first", "second"])


def attacking(damage: str, *, using: str = "it", **figures: int | str) -> Combat:
    weapon = {"kind": "ranged", "skill": "guns", "damage": damage, "modes": ["semi"]}
    sheet = msgspec.json.encode(
        {"durability": 30, "aptitudes": {"som": 20}, "weapons": {"it": weapon, "other": weapon}}
    ).decode()
    terms = msgspec.json.encode({"at": ["bob", "cem"], "using": using}).decode()
    return Combat(
        roster=Roster({"ann": Combatant("Ann", sheet=sheet)}),
        exchange=Exchange((Frame(KEY, "attack", "ann", terms),)),
        figures=Figures({f"{KEY} {name.replace('_', ' ')}": value for name, value in figures.items()}),
    )


@BOTH
def test_an_attack_is_made_with_the_weapon_of_the_present_sheet(edition: Any) -> None:
    for damage in ("1d10", "2d10", "1d10"):
        assert edition.attack(attacking(damage)).weapon.damage == damage


@BOTH
def test_an_attack_is_that_of_the_present_declaration(edition: Any) -> None:
    assert edition.attack(attacking("1d10")).name == "it"
    assert edition.attack(attacking("1d10", using="other")).name == "other"


@BOTH
def test_a_further_target_has_its_own_keys_and_shares_the_roll_to_hit(edition: Any) -> None:
    earlier, later = edition.attack(attacking("1d10")), edition.attack(attacking("1d10", nth_target=2))

    assert (earlier.at, earlier.place, earlier.hit) == ("bob", KEY, f"{KEY}/to-hit")
    assert (later.at, later.place, later.hit) == ("cem", f"{KEY}/t2", f"{KEY}/to-hit")
    assert later.dealing_with(1) == earlier


def test_a_touch_stays_a_touch_whichever_target_is_looked_at() -> None:
    touching = first.attack(attacking("1d10")).with_touch()

    for nth in (1, 2):
        again = touching.dealing_with(nth)
        assert (again.place, again.hit, again.kind.name) == (f"{KEY}/touch", f"{KEY}/touch/to-hit", "melee")
