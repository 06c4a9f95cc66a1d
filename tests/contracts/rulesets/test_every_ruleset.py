"""Every ruleset that is installed keeps the contract: those of this project, and whatever else is installed beside it."""

import pytest
from all_fights import played
from contracts.rulesets.ruleset_contract import RulesetContract

from machines.contract.ruleset import installed
from replays.api.session import Session


class Installed(RulesetContract):
    """Played by its scenarios too, where there are some."""

    seeds = 3

    @classmethod
    def fights(cls) -> tuple[Session, ...]:
        return (*super().fights(), *played(cls.name))


KEYS_USED_TWICE = {"eclipse_phase_2e": frozenset({"knockdown"})}
"""A weapon with that trait asks for SOM x 3, and the wound that it leaves asks for it once more under the same key."""

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
