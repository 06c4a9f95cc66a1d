"""A table with nine combatants, four of players and five of the gamemaster, in each game."""

from collections.abc import Sequence
from random import Random

from strategies import clock

from ledger.dice import parse
from ledger.entry import Who
from replays.api.session import Session
from replays.table.table import Table

GM = Who("gm")
NINE = {
    "eclipse_phase_1e": ("lena=soldier@lea", "kade=firewall-agent@sam", "bolt=security-synth@bo", "mira=async@mi", "thug:5"),
    "eclipse_phase_2e": ("lena=soldier@lea", "kade=firewall-agent@sam", "bolt=reaper@bo", "mira=async@mi", "thug:5"),
    "shadowrun_4e": ("lena=street-samurai@lea", "kade=street-samurai@sam", "bolt=ganger@bo", "mira=mage@mi", "thug=ganger:5"),
    "gurps_3e": ("lena=swordsman@lea", "kade=trooper@sam", "bolt=archer@bo", "mira=fencer@mi", "thug=guard:5"),
}  # fmt: skip
"""Four players' combatants and five of the gamemaster's, by game."""
FOUR, FIVE = ["lena", "kade", "bolt", "mira"], [f"thug-{number}" for number in range(1, 6)]


def nine(game: str, sides: Sequence[str] = (), seed: int = 3) -> Table:
    """The gamemaster's table with nine combatants, in the turn of the one who acts first."""
    thrown = Random(seed)

    def drawn(_: str, dice: str) -> tuple[int, ...]:
        return tuple(thrown.randrange(100) if sides == 100 else thrown.randint(1, sides) for sides in parse(dice).sides)

    at = Table(Session.create("memory://", ruleset=game, clock=clock, draw=drawn), GM)
    at.add(NINE[game], sides)
    at.submit("begin")
    go_on(at)
    return at


def go_on(at: Table) -> str:
    """Draws and takes defaults until a combatant chooses what to do; returns the combatant."""
    for _ in range(60):
        rest = at.question().rest
        if rest is not None and rest.purpose == "what to do":
            return rest.by
        at.submit("~" if rest is not None and rest.dice else "")
    raise AssertionError("no combatant acts")
