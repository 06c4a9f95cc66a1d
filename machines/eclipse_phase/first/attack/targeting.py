"""Checks of an attack's targets, weapon and terms."""

from collections.abc import Mapping

from ledger.dice import parse
from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct
from machines.contract.toolkit import one_of
from machines.eclipse_phase.family.actions import enough_rounds, in_order, spend_complex
from machines.eclipse_phase.family.attacks import check_defense
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.family.targeting import check_armed, check_hands, check_minds, check_targets
from machines.eclipse_phase.first.actions.terms import AttackTerms
from machines.eclipse_phase.first.actions.validation import free_to_move
from machines.eclipse_phase.first.attack.attack import PERCEPTION
from machines.eclipse_phase.first.attack.attack_context import Attack, at_hand, attack_of, attacks_left
from machines.eclipse_phase.first.attack.modifiers import STEADY, concentrated, is_covered, targets_text
from machines.eclipse_phase.first.attack.ranges import band, check_distance
from machines.eclipse_phase.first.figure_names import ATTACKS_WITH, HANDS, SHOT_AT
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import SHEETS, aptitude, needed, sheet
from machines.eclipse_phase.first.tables.tables import CALLED_SHOTS, SITUATIONS, SKILLS
from projections.combat import Combat


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects an attack without a valid target, weapon or action, or with terms that do not fit."""
    free_to_move(combat, by)
    left = attacks_left(combat, by)
    if not left:
        spend_complex(combat, by)
    _check_weapon(combat, by, terms, begun=bool(left))
    now = attack_of(combat.roster.who[by].sheet, "", by, terms)
    check_targets(combat, now, most_targets(combat, now))
    if now.kind.minds:
        check_minds(combat, now)
    _check_cover(combat, now)
    for who in now.targets:
        check_can_be_harmed(combat, who, now.weapon.harms)
    _check_words(combat, now)
    if left:
        _check_rest_of_action(combat, now)
    _check_way(combat, now)
    _check_skills(combat, now)


NO_SHOT: Mapping[str, bool] = {"major_cover": False, "no_shot": True}
"""Whether cover from a critical defense prevents shots, by the profile's field."""


def _check_cover(combat: Combat, now: Attack) -> None:
    """Rejects a shot at a target who reached cover by a critical defense, if the profile has that rule."""
    for who in now.targets[: now.aimed] if NO_SHOT[profile(combat).reached_cover] else ():
        if is_covered(combat, now.dealing_with(now.targets.index(who) + 1)):
            raise CannotAct(f"{who} is in cover from {now.by}", where="at", accepts="another target, or a melee attack")


def _check_weapon(combat: Combat, by: str, terms: AttackTerms, *, begun: bool) -> None:
    check_armed(combat, by, terms)
    weapon, name = SHEETS.weapon_of(combat.roster.who[by].sheet, terms)
    if not isinstance(terms.using, str):
        parse(weapon.damage)
    if terms.ammunition and not (weapon.modes and weapon.armor == "kinetic"):
        raise BadTerms(f"{name} fires no kinetic ammunition", where="ammunition", accepts="none")
    check_hands(combat, by, terms, weapon, begun=begun)
    in_order(combat, by, name)


def most_targets(combat: Combat, now: Attack) -> int:
    """Returns the number of targets that an attack reaches: by firing mode and cone; in melee, all.

    Source: EP1 193 Area Effect Weapons, 198 Firing Modes, 202 Multiple Targets
    """
    if not now.shared and not now.kind.minds:
        return len(combat.roster.who)
    by_cone = band(combat, now).cone_targets if now.weapon.cone else 1
    return max(by_cone, now.mode.targets if now.mode else 1)


def _check_words(combat: Combat, now: Attack) -> None:
    terms, weapon = now.terms, now.weapon
    one_of(terms.mode or next(iter(weapon.modes), ""), weapon.modes or ("",), "mode")
    check_distance(combat, now)
    for name in terms.modifiers:
        fitting = (row.name for row in SITUATIONS.values() if now.weapon.kind in row.kinds and not row.automatic)
        one_of(name, tuple(fitting), "modifiers")
        if SITUATIONS[name].interrupting and not combat.turn.outer:
            raise CannotAct(f"{name} takes a delayed action", where="modifiers", accepts="act, in another's moment")
    if terms.called:
        fitting = (name for name, row in CALLED_SHOTS.items() if now.weapon.kind in row.kinds)
        one_of(terms.called, ("", *fitting), "called")
    if now.called is not None and now.called.disarms:
        _check_disarming(combat, now)
    if STEADY[terms.bonus] and not concentrated(combat, now):
        raise BadTerms("this fire adds nothing to hit", where="bonus", accepts="damage")
    if terms.extra_weapons and not now.kind.parry:
        raise BadTerms("extra_weapons needs a melee attack", where="extra_weapons", accepts="0, or a melee weapon")


def _check_disarming(combat: Combat, now: Attack) -> None:
    """Rejects disarming a target who holds no weapon, or not the named one."""
    for who in now.targets[: now.aimed]:
        held = at_hand(combat, who)
        if not held:
            raise CannotAct(f"{who} holds no weapon", where="called", accepts="a target who holds one")
        one_of(now.terms.spot, ("", *held), "spot")


def _check_way(combat: Combat, now: Attack) -> None:
    """Rejects suppressive fire at a target, and fire without enough rounds."""
    if now.mode is not None:
        if now.mode.suppresses:
            raise BadTerms("suppressive fire has no target", where="mode", accepts="declare suppress")
        enough_rounds(combat, now.by, now.name, now.mode.rounds)


def _check_rest_of_action(combat: Combat, now: Attack) -> None:
    """Rejects a changed weapon within a Complex Action, or other targets of several weapons."""
    begun, hands = ATTACKS_WITH.of(combat, now.by), HANDS.of(combat, now.by)
    ways = begun.split(", ") if hands else (begun,)
    if (now.name if hands else now.way) not in ways:
        problem = f"what is left of {now.by}'s Complex Action is {begun}"
        raise ActionUsedUp(problem, where="using", accepts=begun)
    if hands and targets_text(now) != SHOT_AT.of(combat, now.by):
        at = SHOT_AT.of(combat, now.by)
        raise BadTerms("weapons in several hands are fired at the same target", where="at", accepts=at)


def attack_skills(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the skills of a combatant's sheet that can be used to attack."""
    return tuple(name for name in sheet(combat, who).skills if name in SKILLS and SKILLS[name].attacks)


def _check_attack_skill(combat: Combat, now: Attack) -> None:
    """Rejects an attack without skill or aptitude, and a related skill that the attacker lacks or does not need."""
    related, mine = now.terms.related, sheet(combat, now.by).skills
    if not related:
        needed(combat, now.by, now.weapon.skill)
    elif now.weapon.skill in mine:
        problem = f"{now.by} has {now.weapon.skill}"
        raise BadTerms(problem, where="related", accepts="none: a related skill replaces a missing one")
    else:
        one_of(related, attack_skills(combat, now.by), "related")


def _check_skills(combat: Combat, now: Attack) -> None:
    _check_attack_skill(combat, now)
    if now.terms.blind:
        needed(combat, now.by, PERCEPTION)
    if now.kind.minds:
        aptitude(combat, now.by, "wil")
        needed(combat, now.by, "unarmed combat")
    for nth in range(1, now.aimed + 1):
        check_defense(combat, now.dealing_with(nth))
