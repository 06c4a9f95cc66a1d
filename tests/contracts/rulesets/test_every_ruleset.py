"""Every ruleset that is installed keeps the contract: those of this project, and whatever else is installed beside it."""

from random import Random

import pytest
from all_fights import played
from contracts.rulesets.ruleset_contract import RulesetContract
from duels import met, play_on

from ledger.commands import Declare
from machines.contract.ruleset import installed
from replays.api.session import Session


class Installed(RulesetContract):
    """Played by its scenarios too, where there are some."""

    seeds = 3

    @classmethod
    def fights(cls) -> tuple[Session, ...]:
        shown = (SHOWN[cls.name](),) if cls.name in SHOWN else ()
        return (*super().fights(), *played(cls.name), *shown)


def knocked_down_and_wounded() -> Session:
    """A fight in which a weapon that knocks down leaves a wound, too."""
    session, dice = play_on(met("eclipse_phase_2e"), Random(6), 2), Random(6)
    who, at = ("ann", "bob") if session.combat.turn.who == "ann" else ("bob", "ann")
    hammer = {"kind": "melee", "skill": "melee", "damage": "8", "traits": ["knockdown"]}
    session.perform(Declare("attack", who, {"at": at, "using": hammer}))
    while session.combat.exchange.frame is not None:
        play_on(session, dice, 1)
    return session


KEYS_USED_TWICE = {"eclipse_phase_2e": frozenset({"knockdown"})}
"""A weapon with that trait asks for SOM x 3, and the wound that it leaves asks for it once more under the same key."""
SHOWN = {"eclipse_phase_2e": knocked_down_and_wounded}
"""Makes a fight that shows such a fault."""

for _name in installed():
    _class = f"Test{_name.title().replace('_', '')}"
    globals()[_class] = type(
        _class,
        (Installed,),
        {"name": _name, "keys_used_twice": KEYS_USED_TWICE.get(_name, frozenset()), "__module__": __name__},
    )


@pytest.mark.parametrize("name", installed())
def test_the_contract_is_inherited(name: str) -> None:
    assert any(isinstance(each, type) and getattr(each, "name", "") == name for each in globals().values())
