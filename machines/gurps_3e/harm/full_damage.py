"""Box 29: adds extra damage, and multiplies by critical hits and rounds before armor."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from ledger.dice import parse
from machines.contract.chart import Deed
from machines.contract.toolkit import floored
from machines.gurps_3e.attack.attack_context import PAGE, Blow, attack, blow
from machines.gurps_3e.attack.critical import FIXED
from machines.gurps_3e.harm.damage import BASIC, DEALT, figure_event, figure_of, least_of
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet_access import sheet
from machines.gurps_3e.tables.rows import part
from machines.gurps_3e.tables.tables import AMMUNITION, STANDING_MODIFIERS
from projections.combat import Combat

DAMAGE_BONUS = "damage"
"""The form of an All-Out Attack for more damage."""


def full_damage(combat: Combat) -> Deed:
    """Records the damage with extras and multipliers that apply before DR.

    Ruling: G3-F12, G3-F5
    """
    struck = blow(combat)
    factor = part(struck.factor) * part(AMMUNITION[struck.weapon.ammunition].before_dr)
    multiplied = MULTIPLIED[profile(combat).critical_multiplier] if factor > 1 else _total
    value, why = multiplied(combat, struck, factor)
    value, why = floored(value, why)
    yield figure_event(struck, DEALT, value, why, PAGE)
    return None


def _total(combat: Combat, struck: Blow, factor: Fraction) -> tuple[int, str]:
    """Returns the sum of basic damage and extras, times the factor.

    Source: CII 48-51 Flowchart box 29
    """
    rolled, extra = figure_of(combat, struck, BASIC), dict(_extra(combat, struck))
    why = _added(f"basic {rolled}", extra.items()) + (f", x {factor}" if factor != 1 else "")
    return int((rolled + sum(extra.values())) * factor), why


def _dice(combat: Combat, struck: Blow, factor: Fraction) -> tuple[int, str]:
    """Returns the dice times the factor, plus adds and extras; at least basic damage plus extras.

    Source: GCT Critical Hit Table; Ruling: G3-F12
    """
    if FIXED.is_at(combat, struck.place):
        return _total(combat, struck, factor)
    rolled, extra = figure_of(combat, struck, BASIC), dict(_extra(combat, struck))
    adds = [(f"of {struck.dice}", parse(struck.dice).add), *_modifiers(combat, struck)]
    added = sum(value for _, value in adds)
    was_raised = rolled == least_of(struck)
    dice = combat.rolls[struck.key].total if was_raised else rolled - added
    times = int(dice * factor) + added
    why = _added(f"{dice} on the dice, x {factor}", ((name, value) for name, value in adds if value))
    why += f", at least {rolled}" if times < rolled else ""
    return max(rolled, times) + sum(extra.values()), _added(why, extra.items())


def _modifiers(combat: Combat, struck: Blow) -> Iterator[tuple[str, int]]:
    return ((each.why, each.value) for each in combat.rolls.modifiers(struck.key))


def _added(why: str, parts: Iterable[tuple[str, int]]) -> str:
    return " ".join([why, *(f"{value:+d} {name}" for name, value in parts)])


def _extra(combat: Combat, struck: Blow) -> Iterator[tuple[str, int]]:
    now = attack(combat)
    if FIXED.is_at(combat, struck.place):
        return
    meant = struck.of == now.by and struck.foe != now.by
    if meant and now.terms.all_out == DAMAGE_BONUS:
        row = STANDING_MODIFIERS["strong all-out attack"]
        yield row.name, row.value
    if meant:
        yield from now.terms.extra_damage.items()
    weak = sheet(combat, struck.foe).vulnerable.get(struck.type.name, 0)
    if weak:
        yield "vulnerable", weak


MULTIPLIED: Mapping[str, Callable[[Combat, Blow, Fraction], tuple[int, str]]] = {"total": _total, "dice": _dice}
"""By the value of the profile's field, the function that returns the damage and its explanation."""
