"""Steps 4 and 5 of the Combat Sequence for every type of blow: compares damage to armor and resists it."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import RollRequested
from ledger.modifier import total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, floored
from machines.shadowrun_4e.attack.attack_context import RESIST
from machines.shadowrun_4e.harm.blows import MATRIX, PHYSICAL, STUN, Blow, barrier_armor, blow
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.printed_codes import is_used_up, penetrated
from machines.shadowrun_4e.sheet.sheet_access import BODILY, Base, attribute, is_barrier, plane, sheet, worn
from machines.shadowrun_4e.success_tests.pools import asked, hits, prepare, resolved
from machines.shadowrun_4e.tables.tables import BARRIER_DAMAGE
from projections.combat import Combat

_ARMOR = "SR4S Combat Sequence 4B"
DV = FigureName("dv", int)
AUTOFIRE = FigureName("autofire", int)
ARMOR = FigureName("armor", int)
TYPE = FigureName("damage type", str)
HARD = FigureName("hardened armor", int)
BOXES = FigureName("boxes", int)
"""Figures of a blow: Damage Value, the autofire in it, armor after AP, type, hardened armor, boxes."""


# ------------------------------------------------------------------------------------------------ 4


def modified_dv(combat: Combat) -> Deed:
    """Records the modified Damage Value (4A)."""
    now = blow(combat)
    why = "".join([f"{now.base} {now.why}", *(f" {each.value:+d} {each.why}" for each in now.adds)])
    value = now.base + total(now.adds)
    if now.autofire:
        why += f" {now.autofire:+d} autofire"
        combat = yield AUTOFIRE.found(now.place, now.autofire, "", HERE)
    yield DV.found(now.place, value + now.autofire, why, now.source, who=now.at)
    return None


def modified_armor(combat: Combat) -> Deed:
    """Records the modified Armor Value (4B), and hardened armor if there is any."""
    yield from record_armor(combat, blow(combat))
    return None


def record_armor(combat: Combat, now: Blow) -> Telling:
    """Records the modified Armor Value of a blow, and hardened armor if there is any.

    Source: SR4S Combat Sequence 4B, SR4 154 Electricity Damage
    """
    if is_barrier(combat, now.at):
        own = barrier_armor(combat, now.at)
        value, why, whole = penetrated(own, now.ap), f"barrier {own}", own
    else:
        value, why, whole = _armor(combat, now)
    if now.ap not in ("", "+0"):
        why += f", AP {now.ap}" + (", at least 0" if is_used_up(whole, now.ap) else "")
    combat = yield ARMOR.found(now.place, value, why, _ARMOR, who=now.at)
    hard = _hardened(combat, now)
    if hard:
        left = penetrated(hard, LOWERS[profile(combat).immunity_ap](now.ap))
        combat = yield HARD.found(now.place, left, "", _ARMOR)
    return combat


LOWERS: Mapping[str, Callable[[str], str]] = {"lowers": lambda ap: ap, "ignored": lambda _: ""}
"""The armor penetration that counts against hardened armor, by the value of `immunity_ap`."""


def _armor(combat: Combat, now: Blow) -> tuple[int, str, int]:
    """Returns the armor after AP, its explanation, and the armor that AP counts against."""
    if now.bypasses or not now.armor:
        return 0, "no armor" if not now.bypasses else "armor is bypassed", 0
    owner = sheet(combat, now.at)
    own, why = worn(combat, now.at, now.armor), now.armor
    if now.electric and owner.armor.metal:
        own, why = 0, "metal does not help"
    hard, more = _hardened(combat, now), owner.armor.nonconductive if now.electric else 0
    value = penetrated(own + hard + now.barrier_armor, now.ap) + more
    parts = ((hard, "hardened"), (more, "nonconductive"), (now.barrier_armor, "the barrier between"))
    parts_of_it = f"{why} {own}" + "".join(f" + {what} {part}" for part, what in parts if part)
    return value, parts_of_it, own + hard + now.barrier_armor


def _hardened(combat: Combat, now: Blow) -> int:
    """Returns hardened armor, including that of immunity to normal weapons.

    Source: SR4A 295 Hardened Armor, Immunity
    """
    owner = sheet(combat, now.at)
    immune = owner.immune and not now.magical and plane(combat, now.at).name == BODILY
    return owner.hardened + (2 * owner.force if immune else 0)


def compare_armor(combat: Combat) -> Deed:
    """Compares damage to armor (4C): Stun if it does not exceed it, nothing if it does not pierce hardened armor."""
    now = blow(combat)
    dv, armor = DV.at(combat, now.place), ARMOR.at(combat, now.place)
    compared = dv - AUTOFIRE.at(combat, now.place)
    if is_barrier(combat, now.at) and now.unresisted:
        return "direct"
    if is_barrier(combat, now.at):
        return "barrier" if now.physical and pierces(combat, compared, armor) else "bounces"
    word, why = _type(combat, now, compared, armor)
    combat = yield TYPE.found(now.place, word, why, HERE, who=now.at)
    if dv <= 0 or TYPE.at(combat, now.place) == NOTHING:
        return "bounces"
    return "direct" if now.unresisted else "resists"


NOTHING = "none"
"""The damage type of a blow that does not get through at all."""


def _type(combat: Combat, now: Blow, compared: int, armor: int) -> tuple[str, str]:
    """Returns the type of damage and its explanation."""
    if now.barrier_armor and not pierces(combat, compared, penetrated(now.barrier_armor, now.ap)):
        return NOTHING, f"{compared} does not pierce the barrier"
    if HARD.is_at(combat, now.place) and compared <= HARD.at(combat, now.place):
        return NOTHING, f"{compared} does not exceed hardened armor"
    unarmored = now.bypasses or not now.armor or now.unresisted or not now.compared
    word = MATRIX if now.icon else PHYSICAL if now.physical and (compared > armor or unarmored) else STUN
    return word, f"{compared} against {armor}" if now.physical and not unarmored else "as it is"


def pierces(combat: Combat, compared: int, armor: int) -> bool:
    """Returns whether damage pierces a barrier with this Armor.

    Source: SR4 157 Barriers; Ruling: SR4-C10
    """
    return compared > armor or (compared == armor and PIERCED[profile(combat).pierced_at])


PIERCED: Mapping[str, bool] = {"exceeded": False, "reached": True}
"""Whether damage equal to a barrier's Armor pierces it, by the value of `pierced_at`."""


def damage_barrier(combat: Combat) -> Deed:
    """Replaces the Damage Value by that of the Damaging Barriers Table."""
    now = blow(combat)
    line, dv = BARRIER_DAMAGE[now.barrier_row], DV.at(combat, now.place)
    value = {
        "keeps": dv,
        "sets": line.value * (now.shots if line.per else 1),
        "multiplies": now.base * line.value,
    }[line.does]
    yield DV.found(now.place, value, f"{line.name}: {dv} becomes {value}", line.source, who=now.at)
    return None


# ------------------------------------------------------------------------------------------------ 5


def resist_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice that resist damage."""
    now = blow(combat)
    yield from asked(combat, now.role(RESIST), now.at, "resist damage")


def prepare_resist(combat: Combat) -> Deed:
    """Prepares attribute + armor, or a barrier's Armor alone; wound modifiers do not count."""
    now = blow(combat)
    if is_barrier(combat, now.at):
        rated = barrier_armor(combat, now.at)
        start = Base(rated, f"armor {rated}")
    else:
        armor = ARMOR.at(combat, now.place)
        own = attribute(combat, now.at, now.attribute)
        start = Base(own + armor, f"{now.attribute} {own} + armor {armor}")
    yield from prepare(combat, now.role(RESIST), now.at, start, HERE, ails=False)
    return None


def read_resist(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, blow(combat).role(RESIST))
    return None


def boxes_left(combat: Combat) -> Deed:
    """Records the boxes: the Damage Value less the hits."""
    now = blow(combat)
    dv = DV.at(combat, now.place)
    resisted = 0 if now.unresisted else hits(combat, now.role(RESIST))
    left, why = floored(dv - resisted, f"{dv} less {resisted} hits" if resisted else f"{dv}")
    yield BOXES.found(now.place, left, why, "SR4S Combat Sequence 6", who=now.at)
    return None
