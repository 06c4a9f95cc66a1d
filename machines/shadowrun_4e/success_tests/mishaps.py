"""Mishaps of glitches outside attacks: which rolls have them, the gamemaster's choice, and its effect."""

from collections.abc import Iterator, Mapping

from ledger.events import ChoiceRequested, ConditionGained, Option
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureNames
from machines.contract.toolkit import Telling, frame
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.success_tests.pools import CLOSED, GLITCH, open_tests, roller
from machines.shadowrun_4e.tables.rows import Glitch
from machines.shadowrun_4e.tables.tables import GLITCHES
from projections.combat import Combat

GLITCH_RULING = "glitch-ruling"
"""The role of the gamemaster's choice."""
MISHAPS = FigureNames("mishap of ", str)
"""What came of a glitch, by combatant."""
ALL: Mapping[str, bool] = {"all": True, "attacks": False}
"""Whether glitches outside attacks have mishaps, by the value of `mishaps`."""


def close(combat: Combat) -> Deed:
    """Closes the tests of this exchange, unless a glitch still needs a mishap."""
    if next(_glitched(combat), ""):
        return "mishap"
    yield from close_all(combat)
    return "done"


def close_all(combat: Combat) -> Telling:
    """Closes the open tests, so that Edge no longer changes them."""
    for key in open_tests(combat):
        combat = yield CLOSED.found(key, "yes", "", "SR4 67 Edge")
    return combat


def _glitched(combat: Combat) -> Iterator[str]:
    """Yields the open tests with a glitch and without a mishap yet.

    Ruling: SR4-N43
    """
    now = combat.exchange.frame
    if now is None or now.kind in OWN_BOX or not ALL[profile(combat).mishaps]:
        return
    for key in open_tests(combat):
        went_wrong = GLITCH.at(combat, key, "none") != "none"
        is_open = not MISHAPS[roller(combat, key)].is_at(combat, key)
        if went_wrong and is_open and key.rpartition("/")[2] not in WITHOUT:
            yield key


OWN_BOX = ("attack", "suppressed")
"""Kinds of declarations without mishaps here: attacks have theirs in box 7."""
WITHOUT = ("resist", "shock")
"""The roles of tests that only resist: a glitch there does nothing more."""


def offer_mishap(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster which mishap a glitch leads to; those of weapons are not offered."""
    key = next(_glitched(combat))
    options = tuple(Option(each.name, each.label) for each in _offered())
    purpose = f"what {roller(combat, key)}'s {GLITCH.at(combat, key)} leads to"
    return ChoiceRequested(role(key, GLITCH_RULING), "gm", options, next(iter(GLITCHES)), purpose)


def _offered() -> Iterator[Glitch]:
    return (line for line in GLITCHES.values() if not line.of_weapon)


def suffer_mishap(combat: Combat) -> Deed:
    """Applies the chosen mishap to the roller of the first test with a glitch."""
    key = next(_glitched(combat))
    who, line = roller(combat, key), GLITCHES[combat.exchange.chosen[role(key, GLITCH_RULING)]]
    combat = yield MISHAPS[who].found(key, line.name, line.label, HERE, who=who)
    if line.condition and who in combat.roster.who and not combat.conditions.has(who, line.condition):
        yield ConditionGained(who, line.condition, None, line.until, frame(combat).key, line.label, line.source)
    return None
