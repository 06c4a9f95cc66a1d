"""Checks of an attack's targets, weapon and terms."""

from ledger.dice import parse
from machines.contract.refusals import BadTerms, CannotAct, Incomplete
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family.actions import enough_rounds, in_order
from machines.eclipse_phase.family.targeting import check_armed, check_hands, check_minds, check_targets
from machines.eclipse_phase.second.actions.terms import AttackTerms
from machines.eclipse_phase.second.actions.validation import check_struck, may_act, not_fired_yet, spend
from machines.eclipse_phase.second.attack.attack import HANDS_LEFT
from machines.eclipse_phase.second.attack.attack_context import Attack, attack_of
from machines.eclipse_phase.second.attack.modifiers import SHOT_AT, STEADY, concentrated
from machines.eclipse_phase.second.attack.ranges import POINT_BLANK, band, check_distance
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import SHEETS, at_hand, needed, sheet, size
from machines.eclipse_phase.second.success_tests.roles import PERCEIVE
from machines.eclipse_phase.second.tables.tables import AMMUNITION, CALLED_SHOTS, SITUATIONS
from projections.combat import Combat

STRIKES_BY_PSI = 2
"""Level of the Psi trait that sleights of mental attack require (EP2 14/06 Psi-Gamma)."""
CALLED_CONES = {"never": False, "point_blank": True}
"""Whether a cone can make called shots at point-blank range, by the profile's field."""


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects an attack without a valid target, weapon or action, or with terms that do not fit."""
    _check_weapon(combat, by, terms)
    now = attack_of(combat.roster.who[by].sheet, "", by, terms)
    may_act(combat, by, mental=now.kind.minds)
    if now.name not in HANDS_LEFT.of(combat, by).split(", "):
        spend(combat, by, now.weapon.action)
    check_targets(combat, now, most_targets(combat, now), now.terms.edge)
    _check_area(now)
    if now.kind.minds:
        check_minds(combat, now)
    _check_words(now)
    _check_called(combat, now)
    check_distance(combat, now)
    _check_way(combat, now)
    _check_skills(combat, now)


def _check_weapon(combat: Combat, by: str, terms: AttackTerms) -> None:
    check_armed(combat, by, terms)
    weapon, name = SHEETS.weapon_of(combat.roster.who[by].sheet, terms)
    if not isinstance(terms.using, str) and weapon.damage:
        parse(weapon.damage)
    fits = tuple(row.name for row in AMMUNITION.values() if row.fits == weapon.fires) if weapon.fires else ()
    one_of(terms.ammunition, ("", *fits), "ammunition")
    check_hands(combat, by, terms, weapon, begun=bool(HANDS_LEFT.of(combat, by)))
    in_order(combat, by, name)


def _check_area(now: Attack) -> None:
    if now.terms.edge and not now.weapon.area:
        raise BadTerms(f"{now.name} covers no area", where="edge", accepts="no combatants")
    if now.terms.push and not now.kind.minds:
        raise BadTerms("only sleights are pushed", where="push", accepts="none")


def most_targets(combat: Combat, now: Attack) -> int:
    """Returns the number of targets that an attack reaches: by firing mode, cone or push; in melee, all.

    Source: EP2 12/02 Multiple Targets, 12/04 Firing Modes, 12/15 Cone, 14/04 Pushing Sleights
    """
    if now.kind.strikes:
        return len(combat.roster.who)
    if now.kind.minds:
        return 2 if now.terms.push == "target" else 1
    by_cone = band(combat, now).row.cone_targets if now.weapon.area == "cone" else 1
    return max(by_cone, now.mode.targets if now.mode else 1)


def _check_words(now: Attack) -> None:
    terms, weapon = now.terms, now.weapon
    one_of(terms.mode or next(iter(weapon.modes), ""), weapon.modes or ("",), "mode")
    for name in terms.modifiers:
        fitting = (row.name for row in SITUATIONS.values() if weapon.kind in row.kinds and not row.automatic)
        one_of(name, tuple(fitting), "modifiers")
    if terms.aggressive and not now.kind.strikes:
        raise BadTerms("only a melee attack can be aggressive", where="aggressive", accepts="false, or a melee weapon")
    if STEADY[terms.bonus] and not (concentrated(now) or terms.aggressive):
        raise BadTerms("this attack adds nothing to hit", where="bonus", accepts="damage")
    if terms.extra_weapons and not now.kind.strikes:
        raise BadTerms("extra_weapons needs a melee attack", where="extra_weapons", accepts="0, or a melee weapon")
    if terms.radius is not None and (weapon.area != "uniform" or terms.radius > weapon.radius):
        accepts = f"up to {weapon.radius}" if weapon.area == "uniform" else "none"
        raise BadTerms(f"{now.name} has no such radius", where="radius", accepts=accepts)


def _check_called(combat: Combat, now: Attack) -> None:
    """Rejects called shots that this attack cannot make."""
    fitting = (name for name, row in CALLED_SHOTS.items() if now.weapon.kind in row.kinds)
    one_of(now.terms.called, ("", *fitting), "called")
    if now.called is None:
        return
    near = now.weapon.area == "cone" and band(combat, now).row.name == POINT_BLANK
    if now.weapon.area and not (near and CALLED_CONES[profile(combat).called_cones]):
        raise BadTerms("an area attack makes no called shots", where="called", accepts="none")
    if now.called.does == "disarm":
        if not at_hand(combat, now.at):
            raise CannotAct(f"{now.at} holds no weapon", where="called", accepts="a target who holds one")
        one_of(now.terms.spot, ("", *at_hand(combat, now.at)), "spot")
    if now.called.does == "grapple":
        steps = size(combat, now.at).rank - size(combat, now.by).rank
        if steps >= 2:
            raise CannotAct(f"{now.at} is too large to be held", where="called", accepts="up to one size larger")
        if now.aimed > 1:
            raise BadTerms("only one target can be grappled", where="at", accepts="one target")


def _check_way(combat: Combat, now: Attack) -> None:
    """Rejects fire without rounds, below minimum range, by a weapon that already fired, or at another target."""
    left = HANDS_LEFT.of(combat, now.by)
    if left and now.name in left.split(", ") and now.at != SHOT_AT.of(combat, now.by):
        at = SHOT_AT.of(combat, now.by)
        raise BadTerms("weapons in several hands are fired at the same target", where="at", accepts=at)
    nearest = max((trait.nearest for trait in now.traits), default=0)
    if now.kind.needs_range and nearest and _is_too_near(combat, now, nearest):
        raise CannotAct(f"{now.name} cannot be fired so near", where="distance", accepts=f"more than {nearest} m")
    if now.mode is None:
        if any(trait.once for trait in now.traits):
            enough_rounds(combat, now.by, now.name, 1)
        return
    if now.mode.suppresses:
        raise BadTerms("suppressive fire has no target", where="mode", accepts="declare suppress")
    if now.mode.once:
        not_fired_yet(combat, now.by, now.name)
    enough_rounds(combat, now.by, now.name, now.mode.rounds)


def _is_too_near(combat: Combat, now: Attack, nearest: int) -> bool:
    row = band(combat, now).row
    return row.upto is not None and row.upto <= nearest


def _check_skills(combat: Combat, now: Attack) -> None:
    if now.kind.minds and sheet(combat, now.by).psi < STRIKES_BY_PSI:
        where, accepts = f"combatants.{now.by}.sheet", f"psi = {STRIKES_BY_PSI} at the least"
        raise Incomplete(f"{now.by} has no trait for it", where=where, accepts=accepts)
    needed(combat, now.by, now.weapon.skill)
    if now.terms.blind:
        needed(combat, now.by, PERCEIVE)
    for nth in range(1, len(now.targets) + 1):
        check_struck(combat, now.dealing_with(nth))
