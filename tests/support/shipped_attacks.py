"""Attacks with the weapons of shipped sheets, and with large dice pools, whose odds are computed."""

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from ledger.dice import parse
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold

Attacked = tuple[Ruleset, Combat, Declare]
"""The rules, a state, and an attack that can be declared in it."""
_OTHER = {"ann": "bob", "bob": "ann"}
_FIRST_FACE = {"ann": 6, "bob": 1}
_TERMS: tuple[Mapping[str, Any], ...] = ({}, {"distance": 10})
"""Terms that are tried, beside the target and the weapon."""
_MOST_RESTS = 50


def shipped_attack(game: str, name: str, using: str) -> Attacked:
    """Returns the attack of a shipped sheet against its like.

    Raises:
        Refused: The weapon cannot be used at the beginning of a fight.
    """
    sheet = ruleset(game).sheets[name]
    return _declared(game, sheet, using)


def shipped_attacks(game: str) -> Iterator[tuple[str, str, Attacked]]:
    """Yields the attacks of all shipped sheets: the sheet, the weapon, the attack."""
    for name, sheet in ruleset(game).sheets.items():
        for using in sheet.get("weapons", {}):
            try:
                yield name, using, shipped_attack(game, name, using)
            except Refused:
                continue


def shot_of_pools(dice: int) -> Attacked:
    """Returns a shot in Shadowrun where attack, defense and resistance are pools of so many dice, at least 8."""
    gun = {"skill": "pistols", "damage": "6P", "barrier": "bullet", "modes": ["SA"]}
    figures = dict.fromkeys(("strength", "intuition", "willpower", "charisma"), 3)
    sheet = {
        **figures, "agility": dice - 6, "body": dice - 6, "reaction": dice, "initiative": 10,
        "skills": {"pistols": 6}, "weapons": {"gun": gun}, "armor": {"ballistic": 6, "impact": 6},
    }  # fmt: skip
    return _declared("shadowrun_4e", sheet, "gun")


def _declared(game: str, sheet: Mapping[str, Any], using: str) -> Attacked:
    rules, combat = ruleset(game), _begun(game, sheet)
    who = combat.rests[0].by
    for more in _TERMS:
        command = Declare("attack", who, {"at": _OTHER[who], "using": using, **more})
        try:
            decide(rules, combat, command)
        except Refused:
            if more is _TERMS[-1]:
                raise
        else:
            return rules, combat, command
    raise AssertionError("no terms are tried")


def _begun(game: str, sheet: Mapping[str, Any]) -> Combat:
    """Returns a fight of two alike, in which one of them chooses an action."""
    rules, combat = ruleset(game), Combat()

    def do(command: Command) -> None:
        nonlocal combat
        combat = fold(decide(rules, combat, command), combat)

    for command in (OpenSession("odds", game), Join("ann", dict(sheet)), Join("bob", dict(sheet)), BeginCombat()):
        do(command)
    for _ in range(_MOST_RESTS):
        rest = combat.rests[0]
        if rest.dice:
            do(TypeDice(rest.key, tuple(_FIRST_FACE[rest.by] for _ in parse(rest.dice).sides)))
        elif any(option.option == "attack" for option in rest.options):
            return combat
        else:
            do(Choose(rest.key, rest.default or rest.options[0].option))
    raise AssertionError("no attack is offered")
