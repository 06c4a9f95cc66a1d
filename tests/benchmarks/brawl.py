"""A street-level fight of Eclipse Phase 1e with fixed dice: two people with pistols, one attack after the other."""

from random import Random

from ledger.commands import BeginCombat, Choose, Command, Declare, Join, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.stores import Store
from projections.path import Rest
from replays import Session
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse

_SHEET = {
    "init": 60,
    "durability": 30,
    "aptitudes": {"som": 20, "wil": 15},
    "skills": {"fray": 40, "kinetic weapons": 50},
    "armor": {"name": "armor vest", "energy": 6, "kinetic": 6},
    "weapons": {"pistol": {"kind": "ranged", "skill": "kinetic weapons", "damage": "2d10", "modes": ["semi"]}},
}
_TARGETS = {"ann": "bob", "bob": "ann"}
_OTHERWISE = Change(set={"terms.range": "medium"})
_ROUNDS = 2


class Brawl:
    """A session of such a fight.

    Args:
        store: The store for the session.
        session: The id of the session.
    """

    def __init__(self, store: Store, session: str) -> None:
        self._random = Random(20)
        self._session = Session.create(store, ruleset="eclipse_phase_1e", title="A brawl", session=session)
        for who in _TARGETS:
            self._session.perform(Join(who, _SHEET))
        self._session.perform(BeginCombat())
        while not self._session.combat.turn.who:
            self._go_on()
        self._first = self._session.log.last + 1

    @property
    def followed(self) -> int:
        """The number of entries after the first attack."""
        return self._session.log.last - self._first

    def declare(self) -> None:
        """Declares the first attack."""
        command = self._answer(self._session.rests[0])
        assert isinstance(command, Declare)
        self._session.perform(command)

    def answer(self) -> None:
        """Gives the answers that resolve the attack: the defense, and both rolls."""
        for _ in range(3):
            self._go_on()

    def play_on(self) -> None:
        """Plays some rounds."""
        while self._session.combat.clock.round <= _ROUNDS:
            self._go_on()

    def preview(self) -> None:
        """Previews that the first attack was made from farther away."""
        self._session.preview(self._first, _OTHERWISE)

    def amend(self) -> None:
        """Corrects the first attack."""
        self._session.amend(self._first, _OTHERWISE, why="she stood farther away")

    def rehearse(self) -> None:
        """Decides the whole fight again."""
        assert not list(rehearse(self._session.log))

    def _go_on(self) -> None:
        self._session.perform(self._answer(self._session.rests[0]))

    def _answer(self, rest: Rest) -> Command:
        if rest.dice:
            sides = parse(rest.dice).sides
            return TypeDice(rest.key, tuple(self._random.randint(lowest(each), highest(each)) for each in sides))
        options = [each.option for each in rest.options]
        if "attack" in options:
            return Declare("attack", rest.by, {"at": _TARGETS[rest.by], "using": "pistol", "range": "short"})
        return Choose(rest.key, rest.default or options[0])
