"""Steps 6 and 7: armor and damage."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger import dice
from ledger.events import Event, FigureFound, ModifierApplied, RollRequested
from ledger.modifier import listed, total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.eclipse_phase.family.damage import DAMAGE, DAMAGE_DICE, LESS, is_rolled_already, less_roll
from machines.eclipse_phase.family.edition import ARMOR, DV
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
"""Figure of the dice that an Excellent Success adds, if it adds dice."""
_MARGIN = "Excellent Success"
"""Prefix of the figures of damage dice, and the label of the margin's dice."""


# ------------------------------------------------------------------------------------------------ 6


def modify_armor(combat: Combat) -> Deed:
    """Computes the armor that counts: of the right kind, less Armor Penetration; 0 if defeated."""
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
    """Returns the note that armor cannot be negative, if AP exceeds it."""
    return ", at least 0" if SUBTRACTS[profile(combat).armor_piercing] and value + ap < 0 else ""


SUBTRACTS: Mapping[str, bool] = {"subtract": True, "halve": False}
"""Whether Armor Penetration is subtracted from armor, by the profile's field."""


PIERCED: Mapping[str, Callable[[int, int], int]] = {
    "subtract": lambda value, ap: max(0, value + ap),
    "halve": lambda value, ap: -(-value // 2) if ap else value,
}
"""Armor after Armor Penetration, by the profile's field."""


def _parts(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the parts of the damage: figures for dice, modifiers for additions."""
    key = now.role(DAMAGE)
    yield from ADDED[now.kind.adds](combat, now, key)
    for notation, why, source in _damage_dice(combat, now):
        found = DAMAGE_DICE[why].found(key, notation, why, source, who=now.by)
        if why == _MARGIN:
            yield from of_hit(combat, now, found)
        else:
            yield found


def of_hit(combat: Combat, now: Attack, found: FigureFound) -> Iterator[Event]:
    """Yields a figure marked as depending on the margin, which may be hidden."""
    if now.hit in combat.rolls.rolls:
        yield from of_roll(combat, now.hit, (found,))
    else:
        yield found


def _som(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    som = sheet(combat, now.by).aptitudes.som
    if not now.weapon.no_som:
        yield ModifierApplied(key, som // 10, f"SOM {som} / 10", "EP1 207 Damage Value")


def _wil(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    if not now.weapon.adds_wil:
        return
    wil = aptitude(combat, now.by, "wil")
    yield ModifierApplied(key, -(-wil // 10), f"WIL {wil} / 10, rounded up", "EP1 228 Psychic Stab")


ADDED: Mapping[str, Callable[[Combat, Attack, str], Iterator[Event]]] = {
    "nothing": lambda *_: iter(()),
    "som": _som,
    "wil": _wil,
}
"""Additions of the attacker's aptitude, by the column of the table of attack kinds."""


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
    """Returns the dice of a hit: the weapon's, the firing mode's, the cone's and the margin's."""
    first, *others = map(dice.parse, DAMAGE_DICE.at(combat, attack(combat).role(DAMAGE)))
    if not others:
        return str(first)
    thrown = msgspec.structs.replace(first, divide=1)  # halves are taken when the dice are read
    for each in others:
        thrown = thrown.plus(each)
    return str(thrown)


def damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the damage dice, once for all victims of a blast, and the dice to subtract."""
    now = attack(combat)
    if not is_rolled_already(combat, now):
        yield RollRequested(now.role(DAMAGE), now.by, damage_dice(combat), f"damage of {now.name}", now.key)
    yield from less_roll(now, dice_less(combat, now))


def dice_less(combat: Combat, now: Attack) -> dice.Dice:
    """Returns the dice to subtract: of a cone at long range, and of weak ammunition."""
    row = AMMUNITION.get(now.terms.ammunition)
    less = [band(combat, now).cone_less] if now.weapon.cone else []
    less += [row.damage[1:]] if row is not None and row.damage.startswith("-") and "d" in row.damage else []
    thrown = dice.Dice(())
    for notation in filter(None, less):
        thrown = thrown.plus(dice.parse(notation))
    return thrown


def rolled(combat: Combat, now: Attack) -> tuple[int, str]:
    """Returns the total of the dice and additions, and its derivation.

    Source: EP1 192 Step 7, 207 Damage Value; Ruling: EP1-C3, EP1-N5
    """
    key = now.role(DAMAGE)
    roll, parts = combat.rolls[key], combat.rolls.modifiers(key)
    weapon = dice.parse(DAMAGE_DICE.at(combat, key)[0])
    own = sum(roll.faces[: len(weapon.sides)]) + weapon.add
    halved = HALVED[profile(combat).halved_damage](own, weapon.divide)
    rolled = halved + roll.total + dice.parse(roll.dice).add - own
    why = f"{roll.dice} is {rolled}{listed(parts)}"
    return rolled + total(parts), why


def changes(combat: Combat, now: Attack, dv: int) -> Iterator[tuple[int, str]]:
    """Yields each multiplication or reduction of the damage, in order.

    Source: EP1 192 Step 7, 193 Area Effect Weapons; Ruling: EP1-C3
    """
    less = combat.rolls[now.role(LESS)]
    if less.is_rolled:
        dv -= less.total
        yield dv, f"less {less.total}"
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
"""Meters for which a blast loses 2 DV each, by kind of blast (EP1 193 Area Effect Weapons)."""

HALVED: Mapping[str, Callable[[int, int], int]] = {
    "up": lambda total, divisor: -(-total // divisor),
    "down": lambda total, divisor: total // divisor,
}
"""Rounding of divided dice, by the profile's field."""


def take_damage(combat: Combat) -> Deed:
    """Applies the damage that armor does not stop."""
    now = attack(combat)
    dv, left = DV.at(combat, now.role(DAMAGE)), ARMOR.at(combat, now.place)
    if DV.is_at(combat, now.role("shock")):
        dv = DV.at(combat, now.role("shock"))
    return (yield from suffer(combat, now.place, now.at, dv, left, now.weapon.harms))
