"""Checks of declarations."""

from collections.abc import Callable, Mapping

from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct
from machines.contract.toolkit import check_another, check_in_a_fight, one_of
from machines.eclipse_phase.family.actions import spend_complex, spend_quick, suppressing_weapon
from machines.eclipse_phase.family.attacks import check_defense
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.family.turn import meters_moved
from machines.eclipse_phase.second.actions.actions import EXTRA, MENTAL_ONLY, STOOD_UP
from machines.eclipse_phase.second.actions.terms import (
    AimTerms,
    BreakFreeTerms,
    ComplexTerms,
    FullDefenseTerms,
    HoldTerms,
    MoveTerms,
    QuickTerms,
    ReloadTerms,
    SuppressedTerms,
)
from machines.eclipse_phase.second.attack.attack import FIRED
from machines.eclipse_phase.second.attack.attack_context import Attack, attack_of, suppressed
from machines.eclipse_phase.second.attack.grappling import has_let_go, held_by, held_combatant
from machines.eclipse_phase.second.attack.ranges import check_distance
from machines.eclipse_phase.second.harm.effects import EFFECTS
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet import Weapon
from machines.eclipse_phase.second.sheet.sheet_access import (
    HELD,
    arms,
    check,
    check_able,
    needed,
    sheet,
    states,
    weapon_traits,
)
from machines.eclipse_phase.second.success_tests.roles import RUSH
from machines.eclipse_phase.second.tables.tables import ATTACK_KINDS
from machines.eclipse_phase.second.turn.movement import AT_LENGTH, DROP, EFFORTS, MOVES, allowance, maneuver, way
from projections.combat import Combat

SPOILED = ("broken", "dropped", "used_up")
"""What can make a weapon unusable."""


# ------------------------------------------------------------------------------------------------ permitted actions


def may_act(
    combat: Combat, by: str, *, mental: bool = False, flees: bool = False, regains: bool = False, quick: bool = False
) -> None:
    """Rejects actions that a combatant's conditions, or the kind of their extra action, do not allow.

    Raises:
        CannotAct: Names what is allowed instead.

    Source: EP2 12/21 Conditions, 12/18 Trauma Effects, 03/04 Extra Actions
    """
    check_able(combat, by, "end")
    allowed = {"all": True, "mental": mental, "flee": flees, "regain": regains, "none": False}
    for row in states(combat, by):
        if not allowed[row.acts]:
            raise CannotAct(f"{by} is {row.name.replace('_', ' ')}", where="by", accepts=INSTEAD[row.acts])
    if not quick:
        _of_the_right_kind(combat, by, mental=mental)


INSTEAD: Mapping[str, str] = {
    "mental": "break_free, or what needs no body",
    "flee": "move",
    "regain": "complex with regain = true",
    "none": "move, or end",
}
"""What a condition still allows, by its column."""


def _of_the_right_kind(combat: Combat, by: str, *, mental: bool) -> None:
    """Rejects physical actions of a combatant who acts by Insight, and mental ones of one who acts by Vigor."""
    kind = "mental" if MENTAL_ONLY.of(combat, by) else (EXTRA.of(combat, by) or "any")
    if kind != "any" and (kind == "mental") != mental:
        raise CannotAct(f"{by}'s action is a {kind} one", where="by", accepts=f"a {kind} action, or end")


def spend(combat: Combat, by: str, action: str) -> None:
    """Rejects an action of which none is left."""
    _SPENT[action](combat, by)


_SPENT: Mapping[str, Callable[[Combat, str], None]] = {"quick": spend_quick, "complex": spend_complex}


# ------------------------------------------------------------------------------------------------ actions


def check_quick(combat: Combat, by: str, terms: QuickTerms) -> None:
    """Checks a Quick Action. A held combatant may take one, but cannot stand up."""
    may_act(combat, by, mental=not terms.stand, flees=True, quick=not terms.stand)
    spend_quick(combat, by)


def check_complex(combat: Combat, by: str, terms: ComplexTerms) -> None:
    """Checks a Complex Action. A disoriented combatant can only regain their wits."""
    may_act(combat, by, mental=terms.mental or terms.regain, regains=terms.regain)
    one_of(terms.repair, ("", *spoiled_arms(combat, by)), "repair")
    one_of(terms.extinguish, ("", *burning(combat)), "extinguish")
    spend_complex(combat, by)


def spoiled_arms(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the conditions of a combatant's broken, dropped or used-up weapons.

    Source: EP2 12/12 Fragile, Single-Use, 12/15 Disarm
    """
    endings = tuple(f"_{word}" for word in SPOILED)
    return tuple(name for name in combat.conditions.of(who) if name.endswith(endings))


def burning(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants on fire.

    Source: EP2 12/06 Spray Weapons
    """
    return tuple(who for who in combat.roster.here() if combat.conditions.has(who, "on_fire"))


def check_full_defense(combat: Combat, by: str, terms: FullDefenseTerms) -> None:
    """Checks full defense; a held combatant may still defend their mind."""
    may_act(combat, by, mental=terms.mental)
    spend_complex(combat, by)


def check_aim(combat: Combat, by: str, terms: AimTerms) -> None:
    """Checks aiming."""
    may_act(combat, by)
    check_another(combat, by, terms.at)
    spend(combat, by, "complex" if terms.complex else "quick")


def check_reload(combat: Combat, by: str, terms: ReloadTerms) -> None:
    """Checks that the weapon's shots are counted and that it is not full."""
    may_act(combat, by)
    counted = tuple(name for name, weapon in arms(combat, by).items() if weapon.ammo and not _is_spent_once(weapon))
    one_of(terms.weapon, counted, "weapon")
    magazine, weapon = combat.resources.resource(by, terms.weapon), arms(combat, by)[terms.weapon]
    if magazine.left >= (weapon.ammo or 0) + min(weapon.chamber, magazine.left):
        raise CannotAct(f"{by}'s {terms.weapon} is full", where="weapon", accepts="another weapon")
    spend_complex(combat, by)


def _is_spent_once(weapon: Weapon) -> bool:
    """Returns whether a weapon can be used only once.

    Source: EP2 12/12 Single-Use
    """
    return any(trait.once for trait in weapon_traits(weapon))


def check_move(combat: Combat, by: str, terms: MoveTerms) -> None:
    """Checks moving: one way in an Action Turn, effort before other actions, not in a hold."""
    check_able(combat, by, "end")
    if MENTAL_ONLY.of(combat, by):
        raise CannotAct(f"{by} has gone first by Insight", where="by", accepts="mental actions, or end")
    if terms.how == DROP:
        _check_drop(combat, by)
        return
    one_of(way(combat, by, terms.way), tuple(sheet(combat, by).movement), "way")
    for row in states(combat, by):
        if row.moves == "none" or (row.moves == "base" and terms.how != "base"):
            raise CannotAct(f"{by} is {row.name.replace('_', ' ')}", where="how", accepts=_may_move(row.moves))
    if combat.conditions.has(by, "prone") and terms.how != "other":
        raise CannotAct(f"{by} is prone", where="how", accepts="other: crawl, or quick with stand = true first")
    _check_order(combat, by, terms)
    _check_distance(combat, by, terms)
    if terms.how in AT_LENGTH:
        may_act(combat, by, flees=True)
        maneuver(combat, by, terms.way)
        spend_complex(combat, by)


def _check_drop(combat: Combat, by: str) -> None:
    if combat.conditions.has(by, "prone"):
        raise CannotAct(f"{by} is prone", where="how", accepts="another way, or end")


def _may_move(moves: str) -> str:
    return "a base move" if moves == "base" else "no movement"


def _check_order(combat: Combat, by: str, terms: MoveTerms) -> None:
    """Rejects full moves and rushes after other actions, and also base moves if the profile has that rule."""
    first = terms.how in EFFORTS or BASE_FIRST[profile(combat).moves]
    spent, stood = sum(combat.turn.spent.values()), 1 if STOOD_UP.of(combat, by) else 0
    if first and spent > stood and not MOVES.of(combat, by):
        raise CannotAct(f"{by} has begun to act", where="how", accepts="a base move" if terms.how != "base" else "end")


BASE_FIRST: Mapping[str, bool] = {"base_at_any_time": False, "first": True}
"""Whether a base move is also declared before other actions, by the profile's field."""


def _check_distance(combat: Combat, by: str, terms: MoveTerms) -> None:
    before, how = meters_moved(combat, by), MOVES.of(combat, by)
    if how and how != terms.how:
        raise ActionUsedUp(f"{by} moves otherwise in this turn: {how}", where="how", accepts=how)
    left = allowance(combat, by, terms.how, terms.way) - before
    if terms.meters is not None and terms.how != RUSH and terms.meters > left > 0:
        raise BadTerms(f"{by} cannot move {terms.meters} m", where="meters", accepts=f"0-{left}")
    if before and left <= 0:
        raise ActionUsedUp(f"{by} has moved {before} m in this turn", where="how", accepts="end")


def not_fired_yet(combat: Combat, by: str, weapon: str) -> None:
    """Rejects a second single shot in one Action Turn."""
    if FIRED[weapon].of(combat, by):
        raise ActionUsedUp(f"{weapon} has fired in this turn", where="using", accepts="the next Action Turn")


def check_suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> None:
    """Checks suppressive fire at a combatant who leaves cover: once on each, within the weapon's range."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    shot = suppressed(suppressing_weapon(combat, by, terms.at), terms)
    now = attack_of(combat.roster.who[by].sheet, "", by, shot)
    check_distance(combat, now)
    check_struck(combat, now)


def check_struck(combat: Combat, now: Attack) -> None:
    """Rejects an attack on a combatant whose sheet lacks what the tests of a hit need.

    Raises:
        Incomplete: The sheet lacks an aptitude, or a defense.
    """
    check_can_be_harmed(combat, now.at, now.weapon.harms)
    effects = (EFFECTS[trait.effect] for trait in now.traits if trait.effect)
    for name in dict.fromkeys(effect.aptitude for effect in effects if effect.aptitude):
        check(combat, now.at, name)
    if now.kind.minds:
        check(combat, now.at, "wil")
    check_defense(combat, now)


def check_hold(combat: Combat, by: str, terms: HoldTerms) -> None:
    """Checks keeping a hold; only a breathing combatant can be choked."""
    may_act(combat, by)
    held = held_combatant(combat, by)
    if not combat.conditions.has(by, "grappling") or not held:
        raise CannotAct(f"{by} holds no combatant", where="by", accepts="a grapple first: attack, called = grapple")
    if terms.do == "choke" and sheet(combat, held).synthetic:
        raise CannotAct(f"{held} does not breathe", where="do", accepts="damage, knockdown or move")
    if terms.using != "unarmed":
        fists = tuple(name for name, weapon in arms(combat, by).items() if ATTACK_KINDS[weapon.kind].strikes)
        one_of(terms.using, ("unarmed", *fists), "using")
    spend_complex(combat, by)


WITH: Mapping[str, Callable[[Combat, str], object]] = {
    "melee": lambda combat, by: needed(combat, by, "melee"),
    "som": lambda combat, by: check(combat, by, "som"),
}
"""Requirement of breaking free, by what is rolled."""


def check_break_free(combat: Combat, by: str, terms: BreakFreeTerms) -> None:
    """Checks breaking free: held or entangled."""
    check_able(combat, by, "end")
    if not combat.conditions.has(by, *HELD):
        raise CannotAct(f"{by} is not held", where="by", accepts="a combatant who is held")
    if combat.conditions.has(by, "disoriented"):
        raise CannotAct(f"{by} is disoriented", where="by", accepts=INSTEAD["regain"])
    if combat.conditions.has(by, "grappled"):
        WITH[terms.using](combat, by)
    if not has_let_go(combat, by):
        check(combat, held_by(combat, by), "som")
    spend_complex(combat, by)
