"""Every installed ruleset keeps the contract: those of this project and any others."""

from pathlib import Path
from random import Random

import pytest
from all_fights import played
from contracts.rulesets.ruleset_contract import RulesetContract
from duels import met, play_on
from omissions import Omitted, read_omitted

from ledger.commands import Declare
from machines.registry import installed
from replays.api.session import Session


class Installed(RulesetContract):
    """The contract, also with the scenarios of the ruleset."""

    seeds = 3

    @classmethod
    def fights(cls) -> tuple[Session, ...]:
        shown = (SHOWN[cls.name](),) if cls.name in SHOWN else ()
        return (*super().fights(), *played(cls.name), *shown)

    @classmethod
    def omitted(cls) -> Omitted:
        path = Path(__file__).parent / "omitted" / f"{cls.name}.toml"
        return read_omitted(path) if path.exists() else super().omitted()


def knocked_down_and_wounded() -> Session:
    """A fight in which a weapon that knocks down also wounds."""
    session, dice = play_on(met("eclipse_phase_2e"), Random(6), 2), Random(6)
    who, at = ("ann", "bob") if session.combat.turn.who == "ann" else ("bob", "ann")
    hammer = {"kind": "melee", "skill": "melee", "damage": "8", "traits": ["knockdown"]}
    session.perform(Declare("attack", who, {"at": at, "using": hammer}))
    while session.combat.exchange.frame is not None:
        play_on(session, dice, 1)
    return session


KEYS_USED_TWICE = {"eclipse_phase_2e": frozenset({"knockdown"})}
"""A weapon with that trait requests SOM x 3, and the wound requests it again with the same key."""
SHOWN = {"eclipse_phase_2e": knocked_down_and_wounded}
"""The fights that show these faults."""

for _name in installed():
    _class = f"Test{_name.title().replace('_', '')}"
    globals()[_class] = type(
        _class,
        (Installed,),
        {
            "name": _name,
            "keys_used_twice": KEYS_USED_TWICE.get(_name, frozenset()),
            "__module__": __name__,
        },
    )


@pytest.mark.parametrize("name", installed())
def test_the_contract_is_inherited(name: str) -> None:
    assert any(isinstance(each, type) and getattr(each, "name", "") == name for each in globals().values())
