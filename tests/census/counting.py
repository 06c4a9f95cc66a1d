"""Common parts of the censuses: runs `decide` over all faces, words results, and reads the d100 of both editions.

`PYTHONPATH=tests python tests/census/test_eclipse_phase_1e.py` prints what `decide` gives now, as it is recorded in the file beside it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import factorial, prod
from pathlib import Path
from typing import Any

import msgspec

from ledger import events as said
from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold

Counts = dict[str, Any]
Told = tuple[said.Event, ...]

ALL_FACES = range(100)
SOME_DEFENSES = (0, 11, 29, 30, 31, 44, 98, 99)
"""Where the attack's target lies outside the dice these will do: critical, plain, exact and failed defenses."""


def key_of(who: str, name: str) -> str:
    """Returns the key of a roll or choice of a combatant's first attack."""
    return f"r1/{who}/a1/attack/{name}"


# ------------------------------------------------------------------------------------------------ what `decide` gives


class Census:
    """A game, played from the beginning of a fight.

    Args:
        game: Its name.
        fighters: Sheets by name, in the order of joining.
    """

    def __init__(self, game: str, fighters: Mapping[str, Any]) -> None:
        self.game = ruleset(game)
        self.fighters = fighters

    def after(self, combat: Combat, *commands: Command) -> tuple[Combat, Told]:
        """Returns the state after these commands, and the events of the last."""
        told: Told = ()
        for command in commands:
            told = decide(self.game, combat, command)
            combat = fold(told, combat)
        return combat, told

    def attacked(
        self, by: str, at: str, defense: str = "", profile: str = "", before: Sequence[Command] = (), **terms: Any
    ) -> Combat:
        """Returns the state after the declaration of an attack and of the defense, if any: the opposed rolls are open.

        Args:
            by: Who attacks.
            at: The target.
            defense: What is chosen for it.
            profile: The printing.
            before: What is done in the fight before it.
            **terms: Of the declaration.
        """
        begun, _ = self.after(
            Combat(), OpenSession("census", self.game.name, profile),
            *(Join(who, self.fighters[who]) for who in (by, at)), BeginCombat(),
            *(TypeDice(f"r1/{who}/initiative", (5,)) for who in (by, at)), *before,
        )  # fmt: skip
        declared, _ = self.after(begun, Declare("attack", by, {"at": at, **terms}))
        return self.after(declared, Choose(key_of(by, "defense"), defense))[0] if defense else declared

    def opposed(
        self, start: Combat, by: str, defenses: Sequence[int] = ALL_FACES
    ) -> Iterator[tuple[int, int, Combat, Told]]:
        """Every pair of faces to hit and to defend."""
        for attack in ALL_FACES:
            thrown, _ = self.after(start, TypeDice(key_of(by, "to-hit"), (attack,)))
            for defense in defenses:
                yield attack, defense, *self.after(thrown, TypeDice(key_of(by, "defend"), (defense,)))

    def faced(self, start: Combat, *keys: str) -> Iterator[tuple[tuple[int, ...], Combat, Told]]:
        """Every face of one d100 after the other."""
        key, *others = keys
        for face in ALL_FACES:
            combat, told = self.after(start, TypeDice(key, (face,)))
            if not others:
                yield (face,), combat, told
                continue
            for faces, then, last in self.faced(combat, *others):
                yield (face, *faces), then, last


def figures(told: Told) -> dict[str, int | str]:
    """By name, what figures were found last."""
    return {event.name: event.value for event in told if isinstance(event, said.FigureFound)}


def resolved(told: Told) -> dict[str, said.TestResolved]:
    """By key, how tests went at last."""
    return {event.key: event for event in told if isinstance(event, said.TestResolved)}


def versus(told: Told, by: str) -> str:
    """How an opposed test went, in words."""
    found = {key: test.outcome for key, test in resolved(told).items()}
    against = found.get(key_of(by, "defend"), "no defense")
    return f"{figures(told)['outcome']}: {found[key_of(by, 'to-hit')]} against {against}"


def harm_of(told: Told, *conditions: str) -> str:
    """How much harm was done, and to which of these conditions it led at once."""
    damage = sum(event.amount for event in told if isinstance(event, said.DamageTaken))
    wounds = sum(event.count for event in told if isinstance(event, said.WoundSuffered))
    gained = [event.condition for event in told if isinstance(event, said.ConditionGained)]
    return ", ".join([f"{damage} damage, {wounds} wounds", *(each for each in gained if each in conditions)])


def ways(faces: Sequence[int]) -> int:
    """In how many orders faces of the same dice may fall."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


# ------------------------------------------------------------------------------------------------ by the books


def is_double(roll: int) -> bool:
    """00, 11 … 99 (EP1 117; EP2 03/01 Criticals)."""
    return roll // 10 == roll % 10


def read(roll: int, target: int) -> tuple[bool, bool]:
    """(success, critical): d100 at or under the target; 00 always, 99 never; doubles are critical (EP1 115, 117; EP2 03/01)."""
    return roll == 0 or (roll <= target and roll != 99), is_double(roll)


def worded(success: bool, critical: bool) -> str:
    """The word for how a test went."""
    return ("critical " if critical else "") + ("success" if success else "failure")


def strikes(attack: tuple[int, bool, bool], defense: tuple[int, bool, bool]) -> bool | None:
    """Does an attack hit? Each side: (roll, success, critical). None: two equal critical successes (EP1 118, 192; EP2 03/02, 12/01 Step 5)."""
    (rolled, hits, sharp), (against, dodges, deft) = attack, defense
    if not hits:
        return False  # a failure misses
    if not dodges:
        return True  # a success hits against a failure
    if sharp != deft:
        return sharp  # a critical success beats a plain one
    return None if sharp and rolled == against else rolled > against  # the higher roll hits


def wounds_of(damage: int, threshold: int) -> int:
    """A wound for each time that damage equals or exceeds the Wound Threshold (EP1 192 step 8, 207; EP2 12/01 Step 9)."""
    wounds = 0
    while damage >= threshold * (wounds + 1):
        wounds += 1
    return wounds


# ------------------------------------------------------------------------------------------------ what was recorded


def recorded_beside(test: str) -> Counts:
    """The counts in the file beside a census: ``eclipse_phase_1e.json``."""
    path = Path(test)
    return dict(msgspec.json.decode(path.with_name(path.stem.removeprefix("test_") + ".json").read_bytes()))


def check_same(recorded: Counts, counted: Counts) -> None:
    """The same things were counted, in the same order, and each came to the same."""
    assert list(recorded) == list(counted)
    for what, counts in recorded.items():
        assert counted[what] == counts, what


def printed(counts: Counts) -> str:
    """As they are recorded."""
    return msgspec.json.format(msgspec.json.encode(counts), indent=1).decode()
