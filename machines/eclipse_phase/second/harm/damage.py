"""Steps 6 to 8: damage dice, armor, and the damage taken."""

from collections.abc import Callable, Iterator, Mapping

from ledger import dice
from ledger.events import RollRequested
from ledger.modifier import listed, total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.eclipse_phase.family.damage import DAMAGE, DAMAGE_DICE, LESS, is_rolled_already, less_roll
from machines.eclipse_phase.family.edition import ARMOR, DV
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.attack.modifiers import FULL_MOVE, STEADY, concentrated, steadies
from machines.eclipse_phase.second.attack.outcome import DODGED, DOUBLED, SUPERIORS
from machines.eclipse_phase.second.attack.ranges import band
from machines.eclipse_phase.second.harm.harm_dice import STATIC, average
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import armor, sheet, situation, size
from machines.eclipse_phase.second.tables.tables import SITUATIONS
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

BYPASSED = FigureName("armor bypassed", str)
HALVED = FigureName("damage halved", str)
WHOLE = FigureName("whole damage", str)
SPENT_SUPERIOR = FigureName("superior spent", int)
"""Figures of a called shot: armor bypassed, damage halved, damage not halved, superior successes used up."""
_STEP_5, _STEP_6 = "EP2 12/01 Step 5", "EP2 12/01 Step 6"


# ------------------------------------------------------------------------------------------------ 6


def gather_damage(combat: Combat) -> Deed:
    """Records the damage dice; an attack that only touches, or whose weapon has no damage, has none."""
    now = attack(combat)
    if now.touches or not now.weapon.damage:
        yield DV.found(now.role(DAMAGE), 0, "it only touches" if now.touches else "no damage", HERE)
        return "none"
    for notation, why, source in damage_dice(combat, now):
        found = DAMAGE_DICE[why].found(now.role(DAMAGE), notation, why, source, who=now.by)
        combat = yield next(of_roll(combat, now.hit, (found,))) if source == _STEP_5 else found
    return "damage"


def damage_dice(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    """Yields the dice of a hit: the weapon's, and all additions.

    Source: EP2 12/01 Step 5, Step 6, 12/02 Melee Modifiers, 12/04 Firing Modes
    """
    own, fewer = _own_dice(combat, now)
    yield own, now.name + fewer, _STEP_6
    count = SUPERIORS.at(combat, now.place) - SPENT_SUPERIOR.at(combat, now.place)
    if count > 0 and now.weapon.harms:
        rolled = times(profile(combat).superior_dice, count)
        yield rolled, f"{count} superior success{'es' if count > 1 else ''}", _STEP_5
    if not now.suppressing:  # as a single shot (EP2 12/04 Suppressive Fire)
        yield from _of_fire(now)
    yield from _of_distance(combat, now)
    yield from _of_ammunition(combat, now)
    if now.kind.strikes:
        yield from _of_blows(combat, now)


def _own_dice(combat: Combat, now: Attack) -> tuple[str, str]:
    """Returns the weapon's dice, without those lost to distance or ammunition, and a note if some are lost.

    Source: EP2 12/04 Range, 12/09 Kinetic Ammunition, 12/12 Armor-Piercing; Ruling: EP2-N25
    """
    own = dice.parse(now.weapon.damage)
    left, _ = without(own, _dice_less(combat, now))
    fewer = ", a die fewer" if left.groups != own.groups else ""
    return str(left), fewer


def without(own: dice.Dice, less: dice.Dice) -> tuple[dice.Dice, dice.Dice]:
    """Returns dice without others of the same sides, and those that are still to be rolled and subtracted.

    >>> tuple(map(str, without(dice.parse("2d10+2"), dice.parse("1d10"))))
    ('1d10+2', '0')
    >>> tuple(map(str, without(dice.parse("2d6"), dice.parse("1d10"))))
    ('2d6', '1d10')
    """
    wanted = {sides: count for count, sides in less.groups}
    kept = []
    for count, sides in own.groups:
        gone = min(count, wanted.get(sides, 0))
        wanted[sides] = wanted.get(sides, 0) - gone
        kept.append((count - gone, sides))
    still = tuple((count, sides) for sides, count in wanted.items() if count > 0)
    return dice.Dice(tuple(pair for pair in kept if pair[0]), own.add, own.divide), dice.Dice(still)


def times(notation: str, count: int) -> str:
    """Returns dice, multiplied.

    >>> times("1d6", 2)
    '2d6'
    """
    rolled = dice.Dice(())
    for _ in range(count):
        rolled = rolled.plus(dice.parse(notation))
    return str(rolled)


def _of_fire(now: Attack) -> Iterator[tuple[str, str, str]]:
    if now.mode is not None and concentrated(now) and not steadies(now):
        yield now.mode.dice, f"{now.mode.name} at one target", now.mode.source


def _of_distance(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    row = band(combat, now).row if now.kind.needs_range else None
    if row is not None and now.weapon.area == "cone" and row.cone_dice:
        yield row.cone_dice, f"cone at {row.name}", row.source


def _of_ammunition(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    row = now.ammunition
    hard = sheet(combat, now.at).synthetic or combat.roster[now.at].thing
    if row is not None and row.dice and not (row.only_flesh and hard):
        yield row.dice, f"{row.name} ammunition", row.source


def _of_blows(combat: Combat, now: Attack) -> Iterator[tuple[str, str, str]]:
    if now.terms.aggressive and not STEADY[now.terms.bonus]:
        yield "1d10", "an aggressive attack", "EP2 12/02 Aggressive Attacks"
    if combat.conditions.has(now.by, FULL_MOVE):
        row = SITUATIONS["charging"]
        yield row.damage, row.name, row.source
    if now.terms.extra_weapons and now.aimed == 1:
        row = SITUATIONS["extra weapon"]
        yield times(row.damage, now.terms.extra_weapons), "further weapons", row.source
    if size(combat, now.by).dice:
        yield size(combat, now.by).dice, f"{size(combat, now.by).name} size", size(combat, now.by).source


def all_dice(combat: Combat) -> str:
    """Returns all dice in one notation; halves are taken when the dice are read."""
    first, *others = (dice.parse(text) for text in DAMAGE_DICE.at(combat, attack(combat).role(DAMAGE)))
    thrown = dice.Dice(first.groups, first.add)
    for each in others:
        thrown = thrown.plus(each)
    return str(thrown)


def damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the damage dice, once for all victims of a blast, and the dice to subtract."""
    now = attack(combat)
    if is_rolled_already(combat, now) or STATIC[profile(combat).damage]:
        return
    notation = all_dice(combat)
    if dice.parse(notation).sides:
        yield RollRequested(now.role(DAMAGE), now.by, notation, f"damage of {now.name}", now.key)
    yield from less_roll(now, dice_less(combat, now))


def dice_less(combat: Combat, now: Attack) -> dice.Dice:
    """Returns the dice to roll and subtract, if the weapon has none of the kind to lose.

    Source: EP2 12/04 Range, 12/09 Kinetic Ammunition; Ruling: EP2-N25
    """
    return without(dice.parse(now.weapon.damage), _dice_less(combat, now))[1]


def _dice_less(combat: Combat, now: Attack) -> dice.Dice:
    """Returns the dice lost at long range outside a vacuum, and by armor-piercing rounds."""
    weakens = now.weapon.area == "cone" or is_slug(now)
    far = now.kind.needs_range and weakens and not situation(combat).vacuum
    less = [band(combat, now).row.less] if far else []
    less += [now.ammunition.less] if now.ammunition else []
    thrown = dice.Dice(())
    for notation in filter(None, less):
        thrown = thrown.plus(dice.parse(notation))
    return thrown


def is_slug(now: Attack) -> bool:
    """Returns whether a slug is fired, rather than a beam, missile, blast or thrown weapon.

    Source: EP2 12/04 Range, 12/09 Kinetic Weapons
    """
    fired = now.kind.needs_range and not now.kind.by_som and now.weapon.gravity
    warhead = now.ammunition is not None and bool(now.ammunition.damage)
    return fired and now.weapon.armor == "kinetic" and not warhead and not now.weapon.area


def rolled(combat: Combat, now: Attack) -> tuple[int, str]:
    """Returns the total of the dice, rolled or average, and its derivation.

    Dice to subtract are subtracted, and the weapon's own are halved if so marked.

    Source: EP2 12/01 Step 6, 12/16 Damage Value
    """
    key = now.role(DAMAGE)
    roll, parts, less = combat.rolls[key], combat.rolls.modifiers(key), combat.rolls[now.role(LESS)]
    weapon, notation = dice.parse(DAMAGE_DICE.at(combat, key)[0]), all_dice(combat)
    if not roll.is_rolled:
        dv, taken = average(notation), average(str(dice_less(combat, now))) if dice_less(combat, now).groups else 0
        own = average(str(dice.Dice(weapon.groups, weapon.add)))
        how = f"{notation} is {dv} on the average"
    else:
        dv, taken = roll.total + dice.parse(notation).add, less.total
        own = sum(roll.faces[: len(weapon.sides)]) + weapon.add
        how = f"{notation} is {dv}"
    if weapon.divide > 1:
        dv += half_up(own, weapon.divide) - own
        how += f", the weapon's {own} halved"
    how += f", less {taken}" if taken else ""
    why = f"{how}{listed(parts)}"
    return dv - taken + total(parts), why


def changes(combat: Combat, now: Attack, dv: int) -> Iterator[tuple[int, str]]:
    """Yields each multiplication or reduction of the damage, in order.

    Source: EP2 12/01 Step 6, 12/15 Area-effect Attacks, 12/21 Size; Ruling: EP2-N8
    """
    if DOUBLED.is_at(combat, now.place):
        dv *= 2
        yield dv, "doubled by a critical success"
    if now.kind.strikes:
        for changed, why in by_size(combat, now.by, dv):
            dv = changed
            yield dv, why
    away = lost(now.weapon.area, now.meters, _radius(now), now.terms.falloff, vacuum=situation(combat).vacuum)
    if away:
        dv -= away
        yield dv, f"-{away} at {now.meters} m"
    disarms = HALVED.is_at(combat, now.place) and not WHOLE.is_at(combat, now.place)
    for holds, why in ((disarms, "halved: disarming"), (DODGED.is_at(combat, now.place), "halved: dodged")):
        if holds:
            dv = half_up(dv, 2)
            yield dv, why


def by_size(combat: Combat, who: str, dv: int) -> Iterator[tuple[int, str]]:
    """Yields the reduction of a small body's melee damage, with the reason.

    Source: EP2 12/21 Size
    """
    row = size(combat, who)
    if row.half:
        yield half_up(dv, 2), f"halved: {row.name} size"
    if row.most is not None:
        yield min(dv, row.most), f"at the most {row.most}: {row.name} size"


def _radius(now: Attack) -> int:
    return now.weapon.radius if now.terms.radius is None else now.terms.radius


def lost(area: str, meters: int, radius: int, falloff: int, *, vacuum: bool) -> int:
    """Returns the damage that a blast loses: by meters from its center, or outside the radius of a uniform one.

    Source: EP2 12/15 Centered Blast, Uniform Blast, 12/10 Adjusting Blast Radius

    >>> lost("centered", 3, 0, 2, vacuum=False), lost("uniform", 12, 10, 2, vacuum=True)
    (6, 20)
    """
    return FALLOFF[area](meters, radius, falloff, 10 if vacuum else 2)


FALLOFF: Mapping[str, Callable[[int, int, int, int], int]] = {
    "": lambda *_: 0,
    "cone": lambda *_: 0,
    "centered": lambda meters, _, falloff, __: meters * falloff,
    "uniform": lambda meters, radius, _, outside: max(0, meters - radius) * outside,
}
"""Damage lost by area: (meters, radius, loss per meter of a centered blast, loss per meter outside a uniform one)."""


# ------------------------------------------------------------------------------------------------ 7, 8


def apply_armor(combat: Combat) -> Deed:
    """Computes the armor that counts: of the right kind, halved at most once if pierced or bypassed.

    Ruling: EP2-N9
    """
    now = attack(combat)
    value = armor(combat, now.at, now.weapon.armor)
    left, why = value, f"{now.weapon.armor} armor {value}"
    reasons = {
        "pierced": any(trait.pierces for trait in now.traits),
        "bypassed": BYPASSED.is_at(combat, now.place),
    }
    reason = next((word for word, holds in reasons.items() if holds), "")
    if reason:
        left, why = half_up(value, 2), f"{why}, halved: {reason}"
    elif now.terms.push == "penetration":  # a Psi Shield is halved, Psi Armor is not (EP2 14/04 Pushing Sleights)
        shield = sheet(combat, now.at).armor.mental
        left, why = value - shield + half_up(shield, 2), f"{why}, the shield's {shield} halved: pushed"
    yield ARMOR.found(now.place, left, why, HERE, who=now.at)
    return None


def take_damage(combat: Combat) -> Deed:
    """Applies the damage that armor does not stop; a slug does half of it to an object."""
    now = attack(combat)
    dv, left = DV.at(combat, now.role(DAMAGE)), ARMOR.at(combat, now.place)
    if combat.roster[now.at].thing and is_slug(now) and dv > left:  # EP2 12/26 Ranged Attacks
        dv = left + half_up(dv - left, 2)
    most = _least(combat, now)
    return (yield from suffer(combat, now.place, now.at, dv, left, now.weapon.harms, most))


def _least(combat: Combat, now: Attack) -> int | None:
    """Returns the most damage that some creatures take, as if each die showed a 1; None for others."""
    if now.weapon.armor not in sheet(combat, now.at).minimum_damage or not DAMAGE_DICE.at(combat, now.role(DAMAGE)):
        return None
    rolled = dice.parse(all_dice(combat))
    return len(rolled.sides) + rolled.add
