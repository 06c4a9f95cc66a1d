"""Success tests of both editions: the base, the target, and the d100 that is requested."""

import re
from collections.abc import Callable, Mapping

from ledger.events import FigureFound, ModifierApplied, RollRequested
from ledger.key import meant
from ledger.modifier import total
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import NoSuchRoll
from machines.eclipse_phase.family.d100 import capped, succeeds
from machines.eclipse_phase.family.edition import BASE, TARGET, edition
from projections.combat import Combat

DIE = "1d100"
ASIDE = FigureName("modifiers set aside", str)
POOL_BONUS = FigureName("pool bonus", int)
"""Figures of a test: the modifiers set aside, and the bonus that a point added to its target."""
MOST_IGNORED = 3
"""Most wounds or traumas whose modifiers can be ignored (EP1 207 Wound Effects; EP2 12/16 Wound Effects)."""
IGNORED: Mapping[str, Callable[[int], bool]] = {
    "": lambda _: False,
    "all": lambda _: True,
    "negative": lambda value: value < 0,
}
"""Selects the modifiers that are set aside."""


def d100_request(combat: Combat, key: str, who: str, purpose: str) -> RollRequested:
    """Returns the request for the d100 of a test.

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    frame = combat.exchange.frame
    return RollRequested(key, who, DIE, purpose, frame.key if frame else "")


def base(key: str, value: int, why: str, source: str, who: str) -> FigureFound:
    """Returns the figure of a test's base, before modifiers.

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    return BASE.found(key, value, why, source, who=who)


def target(combat: Combat, key: str, who: str) -> FigureFound:
    """Returns the figure of a test's target.

    It is the base, plus modifiers limited to 60 either way, without those that a point sets aside.

    Source: EP1 116 Difficulty and Modifiers, 122 Moxie; EP2 03/01 Difficulty and Modifiers, 03/05 Using Pools
    """
    start, parts = BASE.at(combat, key), combat.rolls.modifiers(key)
    aside = IGNORED.get(ASIDE.at(combat, key), IGNORED[""])
    bonus = POOL_BONUS.at(combat, key)
    counted = capped(sum(part.value for part in parts if not aside(part.value)))
    why = " ".join([str(start), *(f"{part.value:+d}" for part in parts)])
    if counted != total(parts):
        why += f", of which {counted:+d} counts"
    why += f", pool +{bonus}" if bonus else ""
    return TARGET.found(key, start + counted + bonus, why, edition(combat).printed.modifiers, who=who)


def retarget(combat: Combat, key: str) -> Deed:
    """Recomputes the target of an open test; damage rolls have none.

    Source: EP1 116 Difficulty and Modifiers; EP2 03/01 Difficulty and Modifiers
    """
    if TARGET.is_at(combat, key):
        yield target(combat, key, combat.rolls[key].by)
    return None


def counted(combat: Combat, who: str, kind: str, more: int = 0) -> int:
    """Returns the wounds or traumas whose modifiers count, after adding more and without those ignored.

    Source: EP1 207 Wound Effects, 209 Trauma Effects; EP2 12/16 Wound Effects, 12/18 Trauma Effects
    """
    suffered = combat.wounds.count(who, kind) + more
    return suffered and max(0, suffered - min(MOST_IGNORED, edition(combat).ignored(combat, who, kind)))


def weight(combat: Combat, who: str) -> int:
    """Returns the wounds that high gravity counts as: one for each fifth of Earth's gravity above it.

    Source: EP1 199 High Gravity; EP2 12/28 High Gravity
    """
    here = edition(combat).sheets.situation(combat)
    return 0 if who in here.acclimated else max(0, here.gravity - 100) // 20


def is_of_wounds(part: ModifierApplied) -> bool:
    """Returns whether a modifier comes from the roller's wounds or traumas.

    Source: EP1 207 Wound Effects, 209 Trauma Effects; EP2 12/16 Wound Effects, 12/18 Trauma Effects
    """
    return bool(part.source) and _WOUNDS.fullmatch(part.why) is not None


_WOUNDS = re.compile(r"\d+ (?:wound|trauma)s?")


FULL_DEFENSE_PART = "full defense"


def is_own_part(part: ModifierApplied) -> bool:
    """Returns whether a modifier depends on the roller alone: wounds, traumas, or full defense.

    Source: EP1 198 Full Defense; EP2 12/21 Full Defense
    """
    return is_of_wounds(part) or (bool(part.source) and part.why == FULL_DEFENSE_PART)


def passed(combat: Combat, key: str) -> bool:
    """Returns whether a test succeeded.

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    return succeeds(combat.rolls[key].outcome)


def open_test(combat: Combat, by: str, key: str, figure: FigureName[int] | FigureName[str]) -> str:
    """Returns the key of the open test that a declaration means, or of the first open one.

    Args:
        combat: The state.
        by: The roller.
        key: Key of the roll, or a shorthand; empty for the first.
        figure: Figure that every test of this game has.

    Raises:
        NoSuchRoll: The combatant has no such open test, or the shorthand means several.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    mine = [rest.key for rest in combat.path.asked if rest.by == by and figure.is_at(combat, rest.key)]
    fitting = meant(key, [(each, by) for each in mine]) if key else mine[:1]
    if len(fitting) != 1:
        problem = f"{by} has no open test {key}".rstrip() if not fitting else f"{key} means more than one open test"
        raise NoSuchRoll(problem, where="roll", accepts=", ".join(fitting or mine) or "none is open")
    return fitting[0]
