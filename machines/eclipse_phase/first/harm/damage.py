"""Steps 6 and 7: armor and damage."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger import dice
from ledger.events import Event, FigureFound, ModifierApplied, RollRequested
from ledger.modifier import listed, total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.eclipse_phase.family.damage import DAMAGE, LESS, is_rolled_already, less_roll
from machines.eclipse_phase.family.figure_names import ARMOR, DV
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.first.attack.attack_context import Attack, attack
from machines.eclipse_phase.first.attack.modifiers import steadies
from machines.eclipse_phase.first.attack.ranges import band
from machines.eclipse_phase.first.figure_names import ARMOR_DEFEATED, BEAM_KEPT_ON, DAMAGE_DOUBLED, DAMAGE_HALVED
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, armor, sheet
from machines.eclipse_phase.first.tables.tables import AMMUNITION
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

MARGIN_DICE = FigureName("dice of the margin", str)
"""The figure with what an Excellent Success adds, where it adds dice."""
_DICE = FigureNames("dice: ", str)
_MARGIN = "Excellent Success"
"""The figures that begin so are dice of the damage."""


# ------------------------------------------------------------------------------------------------ 6


def modify_armor(combat: Combat) -> Deed:
    """The right kind of armor, for minds the mental one, less Armor Penetration; nothing where it was defeated."""
    now = attack(combat)
    against = "mental" if now.kind.minds else now.weapon.armor
    value = armor(sheet(combat, now.at).armor, against)
    left = PIERCED[profile(combat).armor_piercing](value, now.weapon.ap)
    why = f"{against} armor {value}, AP {now.weapon.ap}" + spent(combat, value, now.weapon.ap)
    if ARMOR_DEFEATED.is_at(combat, now.place):
        left, why = 0, f"defeated by a {ARMOR_DEFEATED.at(combat, now.place)}"
    combat = yield ARMOR.found(now.place, left, why, HERE, who=now.at)
    yield from _parts(combat, now)
    return None


def spent(combat: Combat, value: int, ap: int) -> str:
    """The part of a sum that says that armor is never less than none, where AP is more than there is of it."""
    return ", at least 0" if SUBTRACTS[profile(combat).armor_piercing] and value + ap < 0 else ""


SUBTRACTS: Mapping[str, bool] = {"subtract": True, "halve": False}
"""Is Armor Penetration subtracted from armor, by the profile's field?"""


PIERCED: Mapping[str, Callable[[int, int], int]] = {
    "subtract": lambda value, ap: max(0, value + ap),
    "halve": lambda value, ap: -(-value // 2) if ap else value,
}
"""What Armor Penetration leaves of armor, by the profile's field."""


def _parts(combat: Combat, now: Attack) -> Iterator[Event]:
    """What the damage is made of: figures for the dice, modifiers for what is added."""
    key = now.role(DAMAGE)
    yield from ADDED[now.kind.adds](combat, now, key)
    for notation, why, source in _damage_dice(combat, now):
        found = _DICE[why].found(key, notation, why, source, who=now.by)
        if why == _MARGIN:
            yield from of_hit(combat, now, found)
        else:
            yield found


def of_hit(combat: Combat, now: Attack, found: FigureFound) -> Iterator[Event]:
    """Marks what the margin goes into, or may go into: whether it does is as hidden as the margin."""
    if now.hit in combat.rolls.rolls:
        yield from of_roll(combat, now.hit, (found,))
    else:
        yield found


def _som(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    som = sheet(combat, now.by).aptitudes.som
    if not now.weapon.no_som:
        yield ModifierApplied(key, som // 10, f"SOM {som} / 10", "EP1 207 Damage Value")


def _wil(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    wil = aptitude(combat, now.by, "wil")
    yield ModifierApplied(key, -(-wil // 10), f"WIL {wil} / 10, rounded up", "EP1 228 Psychic Stab")


ADDED: Mapping[str, Callable[[Combat, Attack, str], Iterator[Event]]] = {
    "nothing": lambda *_: iter(()),
    "som": _som,
    "wil": _wil,
}
"""What the attacker adds to the damage, by the column of the table of attack kinds."""


def _damage_dice(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    yield now.weapon.damage, now.name, "EP1 207 Damage Value"
    margin = MARGIN_DICE.at(combat, now.role(DAMAGE))
    if margin:
        yield margin, _MARGIN, "EP1 192 Step 5"
    if now.suppressing:  # as a single shot (EP1 204 Suppressive Fire)
        return
    alone = now.mode is not None and now.mode.extra and now.aimed == 1
    if alone and now.mode is not None and not steadies(combat, now):
        extra: str = getattr(profile(combat), now.mode.extra)
        yield extra, f"{now.mode.name} at one target", now.mode.source
    if now.weapon.cone and band(combat, now).cone_dice:
        row = band(combat, now)
        yield row.cone_dice, f"cone at {row.name} range", row.source
    for situation in now.situations:
        if situation.damage:
            yield situation.damage, situation.name, situation.source
    if now.terms.extra_weapons and now.aimed == 1:
        yield f"{now.terms.extra_weapons}d10", "further weapons", "EP1 206 Extra Melee Weapons"


# ------------------------------------------------------------------------------------------------ 7


def damage_dice(combat: Combat) -> str:
    """The dice of a hit: the weapon's, the firing mode's, the cone's, the margin's."""
    first, *others = map(dice.parse, _DICE.at(combat, attack(combat).role(DAMAGE)))
    if not others:
        return str(first)
    thrown = msgspec.structs.replace(first, divide=1)  # what is halved of it is halved when it is read
    for each in others:
        thrown = thrown.plus(each)
    return str(thrown)


def damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """The attacker rolls the Damage Value, once for all that one blast catches; a far cone takes a die away."""
    now = attack(combat)
    if not is_rolled_already(combat, now):
        yield RollRequested(now.role(DAMAGE), now.by, damage_dice(combat), f"damage of {now.name}", now.key)
    yield from less_roll(now, dice_less(combat, now))


def dice_less(combat: Combat, now: Attack) -> dice.Dice:
    """Dice that are taken away: a cone's far off, and those of weak ammunition."""
    row = AMMUNITION.get(now.terms.ammunition)
    less = [band(combat, now).cone_less] if now.weapon.cone else []
    less += [row.damage[1:]] if row is not None and row.damage.startswith("-") and "d" in row.damage else []
    thrown = dice.Dice(())
    for notation in filter(None, less):
        thrown = thrown.plus(dice.parse(notation))
    return thrown


def rolled(combat: Combat, now: Attack) -> tuple[int, str]:
    """What the dice show, with what is added, and how.

    Source: EP1 192 Step 7, 207 Damage Value; Ruling: EP1-C3, EP1-N5
    """
    key = now.role(DAMAGE)
    roll, parts = combat.rolls[key], combat.rolls.modifiers(key)
    weapon = dice.parse(_DICE.at(combat, key)[0])
    own = sum(roll.faces[: len(weapon.sides)]) + weapon.add
    halved = HALVED[profile(combat).halved_damage](own, weapon.divide)
    rolled = halved + sum(roll.faces) + dice.parse(roll.dice).add - own
    why = f"{roll.dice} is {rolled}{listed(parts)}"
    return rolled + total(parts), why


def changes(combat: Combat, now: Attack, dv: int) -> Iterator[tuple[int, str]]:
    """What multiplies or lessens the whole, one after the other.

    Source: EP1 192 Step 7, 193 Area Effect Weapons; Ruling: EP1-C3
    """
    less = combat.rolls[now.role(LESS)].faces
    if less:
        dv -= sum(less)
        yield dv, f"less {sum(less)}"
    if DAMAGE_DOUBLED.is_at(combat, now.place):
        dv *= 2
        yield dv, "doubled by a critical success"
    if BEAM_KEPT_ON.is_at(combat, now.place):
        dv = -(-dv * 3 // 2)
        yield dv, "x 1.5, rounded up: the beam kept on"
    if DAMAGE_HALVED.is_at(combat, now.place):
        dv //= 2
        yield dv, "halved, rounded down: disarming"
    away = FALLOFF[now.weapon.area](now.meters, now.weapon.radius)
    if away:
        yield dv - 2 * away, f"-{2 * away} at {now.meters} m"


FALLOFF: Mapping[str, Callable[[int, int], int]] = {
    "": lambda *_: 0,
    "blast": lambda meters, _: meters,
    "uniform": lambda meters, radius: max(0, meters - radius),
}
"""Meters for which a blast loses 2 DV each, by its kind (EP1 193 Area Effect Weapons)."""

HALVED: Mapping[str, Callable[[int, int], int]] = {
    "up": lambda total, divisor: -(-total // divisor),
    "down": lambda total, divisor: total // divisor,
}
"""Rounding of dice that are divided, by the profile's field."""


def take_damage(combat: Combat) -> Deed:
    """What armor does not stop is taken."""
    now = attack(combat)
    dv, left = DV.at(combat, now.role(DAMAGE)), ARMOR.at(combat, now.place)
    if DV.is_at(combat, now.role("shock")):
        dv = DV.at(combat, now.role("shock"))
    return (yield from suffer(combat, now.place, now.at, dv, left, now.weapon.harms))
