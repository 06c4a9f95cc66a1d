"""Steps 6 and 7: armor, damage, and the test against shock that stands between rolling damage and taking it."""

from collections.abc import Callable, Iterator, Mapping

from ledger import dice
from ledger.events import (
    ConditionGained,
    DamageTaken,
    Event,
    FigureFound,
    ModifierApplied,
    RollRequested,
)
from ledger.key import moment_of
from ledger.modifier import total
from machines.chart import Deed
from machines.eclipse_phase_1e.profile import profile
from machines.eclipse_phase_1e.reading import Attack, attack, base, sheet, target
from machines.eclipse_phase_1e.success import DIE, passed, resolve
from machines.eclipse_phase_1e.tables import RANGES
from projections.combat import Combat

DAMAGE, SHOCK = "damage", "shock"
_DICE = "dice: "
"""The figures that begin so are dice of the damage."""
_STEP_7 = "EP1 192 Step 7"
_SHOCK = "EP1 204 Shock Attacks"


# ------------------------------------------------------------------------------------------------ 6, 7


def modify_armor(combat: Combat) -> Deed:
    """The right kind of armor, reduced by Armor Penetration; nothing where it was defeated.

    Source: EP1 192 Step 6
    """
    now = attack(combat)
    worn = sheet(combat, now.at).armor
    value = worn.energy if now.weapon.armor == "energy" else worn.kinetic
    left, why = max(0, value + now.weapon.ap), f"{now.weapon.armor} armor {value}, AP {now.weapon.ap}"
    if combat.figures.holds(now.key, "armor defeated"):
        left, why = 0, "defeated by a critical success"
    yield FigureFound(now.key, "armor", left, why, "EP1 192 Step 6", "exchange", now.at)
    key = now.role(DAMAGE)
    if now.kind.adds_som:
        som = sheet(combat, now.by).aptitudes.som
        yield ModifierApplied(key, som // 10, f"SOM {som} / 10", "EP1 207 Damage Value")
    parts = tuple(_damage_parts(combat, now))
    for notation, why, source in parts:
        yield FigureFound(key, _DICE + why, notation, why, source, "exchange", now.by)
    return None


def damage_dice(combat: Combat) -> str:
    """The dice of a hit: the weapon's, the firing mode's, the cone's."""
    thrown = dice.Dice(())
    for notation in combat.figures.words(attack(combat).role(DAMAGE), _DICE):
        thrown = thrown.plus(dice.parse(notation))
    return str(thrown)


def _damage_parts(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    yield now.weapon.damage, now.name, "EP1 207 Damage Value"
    if now.mode and now.mode.extra:
        extra: str = getattr(profile(combat), now.mode.extra)
        yield extra, f"{now.mode.name} at one target", now.mode.source
    band = RANGES.get(now.terms.range or "short")
    if now.weapon.cone and band and band.cone_dice:
        yield band.cone_dice, f"cone at {band.name} range", band.source


def damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """The attacker rolls the Damage Value.

    Source: EP1 192 Step 7
    """
    now = attack(combat)
    yield RollRequested(now.role(DAMAGE), now.by, damage_dice(combat), f"damage of {now.name}", now.key)


def read_damage(combat: Combat) -> Deed:
    """Dice, what the weapon adds, what the margin adds.

    Source: EP1 192 Step 7; Ruling: EP1-C3, EP1-N5
    """
    key = attack(combat).role(DAMAGE)
    roll, parts = combat.rolls[key], combat.rolls.modifiers(key)
    notation = dice.parse(roll.dice)
    rolled = HALVED[profile(combat).halved_damage](sum(roll.faces) + notation.add, notation.divide)
    why = " ".join([f"{roll.dice} is {rolled}", *(f"{part.value:+d} {part.why}" for part in parts)])
    yield FigureFound(key, "dv", max(0, rolled + total(parts)), why, _STEP_7, "exchange", "")
    return None


HALVED: Mapping[str, Callable[[int, int], int]] = {
    "up": lambda total, divisor: -(-total // divisor),
    "down": lambda total, divisor: total // divisor,
}
"""Rounding of dice that are divided, by the profile's field."""


def take_damage(combat: Combat) -> Deed:
    """What armor does not stop is taken; at Durability the target is out of the fight.

    Source: EP1 192 Step 7, 207 Durability and Health; Ruling: EP1-C10
    """
    now = attack(combat)
    dv, armor = combat.figures.number(now.role(DAMAGE), "dv"), combat.figures.number(now.key, "armor")
    if combat.figures.holds(now.role(SHOCK), "dv"):
        dv = combat.figures.number(now.role(SHOCK), "dv")
    why = f"DV {dv} less armor {armor}"
    combat = yield FigureFound(now.key, "damage", max(0, dv - armor), why, _STEP_7, "exchange", "")
    taken = combat.figures.number(now.key, "damage")
    if taken <= 0:
        return "unharmed"
    combat = yield DamageTaken(now.at, "damage", taken, now.key, why, _STEP_7)
    track = combat.health.track(now.at, "damage")
    if REACHES[profile(combat).incapacitated_at](track.taken, track.capacity):
        yield _incapacitated(now, "damage has reached Durability", "EP1 207 Durability and Health", "healed")
    return "harmed"


REACHES: Mapping[str, Callable[[int, int], bool]] = {
    "reached": lambda taken, durability: taken >= durability,
    "exceeded": lambda taken, durability: taken > durability,
}
"""When damage incapacitates, by the profile's field."""


def _incapacitated(now: Attack, why: str, source: str, until: str) -> ConditionGained:
    return ConditionGained(now.at, "incapacitated", None, until, now.key, why, source)


# ------------------------------------------------------------------------------------------------ shock


def is_shocking(combat: Combat) -> bool:
    """A shock weapon against somebody with nerves.

    Source: EP1 204 Shock Attacks
    """
    now = attack(combat)
    return now.weapon.shock and sheet(combat, now.at).morph != "synthmorph"


def prepare_shock(combat: Combat) -> Deed:
    """Durability and energy armor are the target.

    Source: EP1 204 Shock Attacks; Ruling: EP1-C4, EP1-C5
    """
    now = attack(combat)
    key, victim = now.role(SHOCK), sheet(combat, now.at)
    left = victim.durability - combat.health.track(now.at, "damage").taken
    left -= STILL_TO_COME[profile(combat).shock_durability](combat, now)
    combat = yield base(key, left, "Durability less damage taken", _SHOCK, now.at)
    defeated = combat.figures.holds(now.key, "armor defeated")
    if profile(combat).shock_armor_on_critical or not defeated:
        combat = yield ModifierApplied(key, victim.armor.energy, "energy armor", _SHOCK)
    yield target(combat, key, now.at)
    return None


def _this_hit(combat: Combat, now: Attack) -> int:
    return max(0, combat.figures.number(now.role(DAMAGE), "dv") - combat.figures.number(now.key, "armor"))


STILL_TO_COME: Mapping[str, Callable[[Combat, Attack], int]] = {
    "before_hit": lambda *_: 0,
    "after_hit": _this_hit,
}
"""How much of this hit counts as taken in the shock test, by the profile's field."""


def shock_roll(combat: Combat) -> Iterator[RollRequested]:
    """The target rolls against the shock.

    Source: EP1 204 Shock Attacks
    """
    now = attack(combat)
    yield RollRequested(now.role(SHOCK), now.at, DIE, "resist the shock", now.key)


def read_shock(combat: Combat) -> Deed:
    """Failing: out for an Action Turn for each full 10 of the margin, at least 3. Passing: half the DV, and shaken.

    Source: EP1 204 Shock Attacks; Ruling: EP1-N7, EP1-N8
    """
    now = attack(combat)
    key = now.role(SHOCK)
    combat = yield resolve(combat, key)
    yield from (_shaken if passed(combat, key) else _stunned)(combat, now)
    return None


def _stunned(combat: Combat, now: Attack) -> Iterator[Event]:
    turns = max(3, -combat.rolls[now.role(SHOCK)].margin // 10)
    why = f"shock, {turns} Action Turns"
    end = combat.clock.ahead(turns)
    if _is_longer(combat, now.at, "incapacitated", end):
        yield _incapacitated(now, why, _SHOCK, end)
    yield ConditionGained(now.at, "prone", None, "standing up", now.key, "shock", _SHOCK)
    yield ConditionGained(now.at, "shocked", 30, "10 less each minute", now.key, why, _SHOCK)


def _shaken(combat: Combat, now: Attack) -> Iterator[Event]:
    dv = combat.figures.number(now.role(DAMAGE), "dv")
    yield FigureFound(now.role(SHOCK), "dv", dv // 2, f"half of {dv}: shock resisted", _SHOCK, "exchange", "")
    end = combat.clock.ahead(2)
    if _is_longer(combat, now.at, "shocked", end):
        yield ConditionGained(now.at, "shocked", 30, end, now.key, "shock resisted", _SHOCK)


def _is_longer(combat: Combat, who: str, condition: str, until: str) -> bool:
    """Would the condition last longer so than it does already? What has no set end lasts longer than what has one."""
    has = combat.conditions.of(who).get(condition)
    if has is None:
        return True
    old, new = moment_of(has.until), moment_of(until)
    return old is not None and new is not None and new >= old
