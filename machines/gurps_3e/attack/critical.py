"""Boxes 21 and 22: critical hits to the body and to the head."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, Event, RollRequested
from machines.contract.chart import Deed
from machines.contract.dice_reading import pure
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit
from machines.gurps_3e.attack.attack_context import FACTOR, WHERE, Attack, attack, location
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet_access import (
    DEAD,
    STUNNED,
    UNCONSCIOUS,
    is_natural,
    item_of,
    limb_condition,
    type_of,
    unready_condition,
    unready_conditions,
    weapons_of,
)
from machines.gurps_3e.success_rolls.success import looked_up, request_roll
from machines.gurps_3e.tables.rows import CriticalHit, HitLocation
from machines.gurps_3e.tables.tables import CRITICAL_HEAD_BLOWS, CRITICAL_HITS
from machines.gurps_3e.vocabulary import CRITICAL_SUCCESS
from projections.combat import Combat

CRITICAL_ROUND = FigureName("critical round", str)
IGNORED = FigureName("armor ignored", str)
FIXED = FigureName("fixed damage", int)
MAXIMUM = FigureName("maximum damage", str)
"""Figures of a strike: armor does not count, the hits are fixed, the dice count as sixes."""
CRITICAL_HIT = "critical-hit"
HALF_AN_HOUR = "an HT roll, every 30 minutes"
AFTERWARDS = "an HT roll"
USELESS_FOR = 6
"""The number of turns for which a funny bone makes an arm useless."""
ONLY_DEFENDS = "only_defends"


def is_critical_hit(combat: Combat) -> bool:
    """Returns whether the attack succeeded critically."""
    return combat.rolls[attack(combat).hit].outcome == CRITICAL_SUCCESS


def critical_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 3d on the table of critical hits, to the body or to the head, where the profile uses it."""
    now = attack(combat)
    if TABLES_USED[profile(combat).critical_tables]:
        yield request_roll(combat, now.role(CRITICAL_HIT), now.by, "critical hit")


def read_critical(combat: Combat) -> Deed:
    """Applies the immediate effects of the table's row.

    Without the tables, a roll to hit of 3 or 4 does maximum damage.

    Ruling: G3-N4, G3-F9, G3-N11, G3-N32
    """
    now = attack(combat)
    if not TABLES_USED[profile(combat).critical_tables]:
        yield from _maximum(combat, now)
        return None
    where = location(combat, now.place)
    rolled = looked_up(combat, now.role(CRITICAL_HIT))
    row = _row_at(rolled, head=where.head)
    combat = yield CRITICAL_ROUND.found(now.place, row.name, f"rolled {rolled}", row.source)
    combat = yield from emit(combat, _happens(combat, now, row, where))
    return None


@pure
def _row_at(rolled: int, *, head: bool) -> CriticalHit:
    """Returns the row of the table for a sum of dice."""
    rows = CRITICAL_HEAD_BLOWS if head else CRITICAL_HITS
    return next(row for row in rows.values() if rolled in row.rolls)


TABLES_USED: Mapping[str, bool] = {"used": True, "off": False}
"""By the value of the profile's field."""
BEST = 4
"""The highest roll to hit that does maximum damage where the tables are off (B 98)."""


def _maximum(combat: Combat, now: Attack) -> Iterator[Event]:
    rolled = combat.rolls[now.hit].rolled
    if rolled <= BEST:
        yield MAXIMUM.found(now.place, "yes", f"rolled {rolled}", "B 98 Critical Hits")


def _happens(combat: Combat, now: Attack, row: CriticalHit, where: HitLocation) -> Iterator[Event]:
    there = not row.at or row.at == where.name or (row.at == LIMB and where.limb)
    meant = not row.only or row.only == type_of(now.weapon).name
    effect = row.effect if meant else row.otherwise_effect
    factor = row.factor if there else elsewhere(combat, row)
    if factor != 1:
        yield FACTOR.found(now.place, str(factor), row.name, row.source)
    if row.fixed and not meant:
        yield FIXED.found(now.place, row.fixed, row.name, row.source)
    if effect and there:
        yield from EFFECTS[effect](combat, now, row)


LIMB = "limb"


def elsewhere(combat: Combat, row: CriticalHit) -> int:
    """Returns the factor of the damage where the row's effect does not apply; one row is disputed.

    Source: GCT Critical Hit Table; Ruling: G3-N4
    """
    counts = DISPUTED[getattr(profile(combat), row.disputed)] if row.disputed else True
    return row.otherwise if counts else 1


DISPUTED: Mapping[str, bool] = {"double": True, "normal": False}
"""Whether the row's other factor counts, by the value of the profile's field."""


# ------------------------------------------------------------------------------------------------ effects

Effect = Callable[[Combat, Attack, CriticalHit], Iterator[Event]]


def gains(condition: str, until: str = "", level: int | None = None) -> Effect:
    """Returns an effect that gives the target a condition."""

    def effect(_: Combat, now: Attack, row: CriticalHit) -> Iterator[Event]:
        yield ConditionGained(now.foe, condition, level, until, now.place, row.name, row.source)

    return effect


def both(*effects: Effect) -> Effect:
    """Returns an effect that applies several effects."""

    def effect(combat: Combat, now: Attack, row: CriticalHit) -> Iterator[Event]:
        for each in effects:
            yield from each(combat, now, row)

    return effect


def _armor_ignored(_: Combat, now: Attack, row: CriticalHit) -> Iterator[Event]:
    yield IGNORED.found(now.place, "yes", row.name, row.source)


def _limb(word: str, turns: int = 0) -> Effect:
    def effect(combat: Combat, now: Attack, row: CriticalHit) -> Iterator[Event]:
        limb = WHERE.at(combat, now.place)
        until = combat.clock.ahead(turns) if turns else ""
        yield ConditionGained(now.foe, limb_condition(limb, word), None, until, now.place, row.name, row.source)

    return effect


def held(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the items that a combatant holds and can drop.

    Source: GCT Critical Hit Table
    """
    mine = ((name, each) for name, each in weapons_of(combat, who).items() if not is_natural(each))
    return tuple(dict.fromkeys(item_of(name, each) for name, each in mine if not unready_conditions(combat, who, name)))


def _disarmed(combat: Combat, now: Attack, row: CriticalHit) -> Iterator[Event]:
    for name in held(combat, now.foe)[:1]:
        yield ConditionGained(
            now.foe, unready_condition(name, "dropped"), None, "readied", now.place, row.name, row.source
        )


EFFECTS: Mapping[str, Effect] = {
    "knocked_out": gains(UNCONSCIOUS, HALF_AN_HOUR),
    "stunned": gains(STUNNED, AFTERWARDS),
    "armor_ignored": _armor_ignored,
    "useless": _limb("useless", USELESS_FOR),
    "crippled": _limb("crippled"),
    "disarmed": _disarmed,
    "killed": gains(DEAD),
    "blinded_both": both(gains("blinded"), gains(STUNNED, AFTERWARDS), gains("dx_reduced", "the end of the fight", 10)),
    "blinded_one": both(
        gains("one_eye_blinded"), gains(STUNNED, AFTERWARDS), gains("dx_reduced", "the end of the fight", 2)
    ),
    "only_defends": gains(ONLY_DEFENDS, "the end of their next turn"),
    "deaf_for_a_day": gains("deaf", "24 hours"),
    "deaf_for_good": gains("deaf"),
    "scarred": gains("scarred"),
    "badly_scarred": gains("badly_scarred"),
}
"""The effect of each result, by its word in the table."""
