"""Rejects attacks that cannot be made: target, location, weapon, and terms that do not fit."""

from collections.abc import Mapping

from ledger.key import role
from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct, NotYourTurn, StillNeeded
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_another, check_here, check_in_a_fight, one_of
from machines.gurps_3e.actions.terms import AttackTerms
from machines.gurps_3e.attack.attack_context import TO_HIT, Attack, as_declared, is_strict, is_type
from machines.gurps_3e.attack.firing import GROUP
from machines.gurps_3e.attack.ranges import effective_range
from machines.gurps_3e.attack.spending import (
    AFTER_FEINT,
    ATTACKS_WITH,
    FIRES,
    FORM,
    MANEUVER,
    TWO_ATTACKS,
    WAITING,
    WATCHES,
    attacks_left,
    rounds_of,
)
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import (
    BROKEN,
    DEAD,
    check_able,
    has_lost,
    is_natural,
    item_of,
    kind_of,
    location_named,
    required_skill,
    unready_conditions,
    weapons_of,
)
from machines.gurps_3e.tables.rows import HitLocation
from machines.gurps_3e.tables.tables import ATTACK_MODIFIERS, HIT_LOCATIONS
from projections.combat import Combat
from projections.exchange import Frame


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects an attack that cannot be made in the attacker's turn."""
    _check_declaration(combat, by, terms)
    left = attacks_left(combat, by)
    if not left and combat.turn.spent.get(MANEUVER):
        raise ActionUsedUp(f"{by}'s maneuver is used", where="kind", accepts="end")
    if left:
        _check_further(combat, by, terms)
    elif terms.all_out == AFTER_FEINT:
        raise BadTerms("the feint comes first", where="all_out", accepts="feint with all_out = true")
    if terms.watching is not None:
        raise BadTerms("opportunity fire is for another's turn", where="watching", accepts="wait, then opportunity")


def check_opportunity(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects an attack from waiting that cannot be made now, in another combatant's turn."""
    check_in_a_fight(combat)
    _check_declaration(combat, by, terms)
    if combat.turn.who in (None, by):
        raise NotYourTurn("an attack from waiting comes in another combatant's turn", where="by", accepts="attack")
    fires = FIRES.of(combat, by) and attacks_left(combat, by)
    if not combat.conditions.has(by, WAITING) and not fires:
        raise NotYourTurn(f"{by} is not waiting", where="by", accepts="wait first, in {by}'s turn")
    if fires:
        _check_further(combat, by, terms)
    now = combat.exchange.frame
    if now is not None and not _can_come_before(combat, now):
        raise StillNeeded(f"{now.by}'s {now.kind} is being resolved", where=now.key, accepts="when it is over")
    watches = WATCHES.of(combat, by)
    if terms.watching is not None and str(terms.watching) != watches:
        raise BadTerms(f"{by} watches {watches}", where="watching", accepts=watches or "nothing")
    if terms.all_out:
        raise BadTerms("an attack from waiting cannot be all out", where="all_out", accepts="nothing")


def _can_come_before(combat: Combat, now: Frame) -> bool:
    """Returns whether an attack from waiting can come before what is being resolved.

    That is an All-Out Attack in its attacker's turn, as long as its first roll to hit is not thrown; by the profile.

    Source: B 106 Step and Wait; Ruling: G3-N19
    """
    first_roll = role(now.key, TO_HIT)
    if now.by != combat.turn.who or not any(rest.key == first_roll for rest in combat.rests):
        return False
    return INTERRUPTED[profile(combat).waiting_interrupts] and bool(typed(now.terms, AttackTerms).all_out)


INTERRUPTED: Mapping[str, bool] = {"nothing": False, "all_out_attack": True}
"""Whether an All-Out Attack is interrupted, by the value of the profile's field."""


def _check_declaration(combat: Combat, by: str, terms: AttackTerms) -> None:
    check_able(combat, by)
    one_of(terms.using, tuple(weapons_of(combat, by)), "using")
    check_another(combat, by, terms.at)
    if combat.conditions.has(terms.at, DEAD):
        raise CannotAct(f"{terms.at} is dead", where="at", accepts="a living combatant")
    now = as_declared(combat, "", by, terms)
    check_weapon(combat, by, terms.using)
    required_skill(combat, by, now.weapon.skill)
    _check_names(combat, now)
    _check_place(now)
    _check_fitting(now)
    _check_rounds(combat, now)
    if now.kind.ranged and terms.distance is None and is_strict(combat):
        raise BadTerms(f"the distance to {terms.at} is not known", where="distance", accepts="yards to the target")
    if now.weapon.max is not None and effective_range(now) > now.weapon.max:
        raise CannotAct(f"{now.name} reaches {now.weapon.max} yards", where="distance", accepts="less")


def check_weapon(combat: Combat, by: str, name: str) -> None:
    """Rejects a weapon that is not ready, or whose hand is out of use.

    Raises:
        CannotAct: With what would make it ready.
    """
    weapon = weapons_of(combat, by)[name]
    unready = unready_conditions(combat, by, name)
    if unready:
        accepts = "another weapon" if unready[0].endswith(BROKEN) else f"ready with repair = {unready[0]!r}"
        raise CannotAct(f"{by}'s {name}: {unready[0].replace('_', ' ')}", where="using", accepts=accepts)
    if not is_natural(weapon) and has_lost(combat, by, "weapons"):
        raise CannotAct(f"{by}'s weapon arm is out of use", where="using", accepts="a natural weapon")


def _check_further(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects a further blow or shot that does not fit the maneuver that was begun."""
    weapon = ATTACKS_WITH.of(combat, by)
    mine = weapons_of(combat, by)
    if terms.using != weapon and any(kind_of(mine[name]).ranged for name in (terms.using, weapon) if name in mine):
        raise ActionUsedUp(f"{by} attacks with {weapon} in this turn", where="using", accepts=weapon)
    form = FORM.of(combat, by)
    allowed = form if form in (TWO_ATTACKS, AFTER_FEINT) else ""
    if terms.all_out not in ("", allowed):
        raise BadTerms("the All-Out Attack was begun in another form", where="all_out", accepts=allowed or "nothing")


def _check_names(combat: Combat, now: Attack) -> None:
    fitting = tuple(
        name for name, row in ATTACK_MODIFIERS.items() if not (row.melee if now.kind.ranged else row.ranged)
    )
    for name in now.terms.modifiers:
        one_of(name, fitting, "modifiers")
        row = ATTACK_MODIFIERS[name]
        if row.location and row.location != now.terms.location:
            raise BadTerms(f"{name} is for the {row.location}", where="modifiers", accepts=row.location)
    for field in ("behind", "near", "melee"):
        for who in getattr(now.terms, field):
            check_here(combat, who, field)
    for who in now.terms.unaware:
        one_of(who, (*now.terms.behind, *now.terms.near, *now.terms.melee), "unaware")
    for field in ("modifiers", "theirs", "behind", "near", "melee", "unaware"):
        _check_once(field, getattr(now.terms, field))
    for who in now.terms.distances:
        check_here(combat, who, "distances")


def _check_once(field: str, names: tuple[str, ...]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadTerms(f"{name} is named twice", where=field, accepts="each once")


def aims_at(weapon: Weapon, where: HitLocation) -> bool:
    """Returns whether such a weapon can be aimed at a location.

    Source: CII 53 Hit Locations
    """
    return not where.aimed_by or is_type(weapon, where.aimed_by)


def _check_place(now: Attack) -> None:
    able = tuple(name for name, row in HIT_LOCATIONS.items() if aims_at(now.weapon, row))
    plain = not (now.kind.ranged or now.weapon.swung or now.weapon.thrust)
    if plain and now.terms.location in HIT_LOCATIONS and now.terms.location not in able:
        aimed_by = " or ".join(HIT_LOCATIONS[now.terms.location].aimed_by)
        why = f"the sheet has neither swung nor thrust of {now.name}; the {now.terms.location} needs a {aimed_by}"
        raise BadTerms(why, where="location", accepts=f"weapons.{now.name}.thrust = true on the sheet")
    one_of(now.terms.location, ("", *able), "location")
    if location_named(now.terms.location).from_behind and not now.terms.from_behind:
        raise BadTerms(f"the {now.terms.location} are struck from behind", where="from_behind", accepts="true")
    if now.terms.location and (now.terms.wild or now.terms.random):
        raise BadTerms("3d decide the location of such an attack", where="location", accepts="nothing")
    if now.terms.wild and now.kind.ranged:
        raise BadTerms("only melee attacks are wild swings", where="wild", accepts="false")


def _check_fitting(now: Attack) -> None:
    """Rejects terms that do not apply to such a weapon."""
    terms, ranged = now.terms, now.kind.ranged
    for field, value, fits in (
        ("distance", terms.distance, ranged),
        ("speed", terms.speed, ranged),
        ("uphill", terms.uphill, ranged),
        ("braced", terms.braced, ranged),
        ("pop_up", terms.pop_up, ranged and not now.kind.no_pop_up),
        ("watching", terms.watching, ranged),
        ("near", terms.near, ranged),
        ("rounds", terms.rounds, now.weapon.automatic),
        ("successive", terms.successive, now.weapon.automatic),
    ):
        if value and not fits:
            raise BadTerms(f"{field} does not apply to {now.name}", where=field, accepts="nothing")
    if terms.all_out == TWO_ATTACKS and now.weapon.needs_readying:
        raise BadTerms(f"{now.name} must be readied after each attack", where="all_out", accepts="to_hit, damage")
    if terms.all_out == TWO_ATTACKS and ranged:
        raise BadTerms(f"an All-Out Attack does not shoot {now.name} twice", where="all_out", accepts="to_hit, damage")


def _check_rounds(combat: Combat, now: Attack) -> None:
    left = attacks_left(combat, now.by) or now.weapon.rof
    most = min(GROUP, left) if now.weapon.automatic else 1
    if now.terms.rounds is not None and now.terms.rounds > most:
        raise BadTerms(f"{now.name} has {left} rounds left in this turn", where="rounds", accepts=f"1 to {most}")
    magazine = combat.resources.resource(now.by, item_of(now.name, now.weapon))
    wanted = rounds_of(combat, now.by, now.name, now.terms.rounds)
    if magazine.of and magazine.left < wanted:
        accepts = "fewer rounds, or ready with reload"
        raise CannotAct(f"{now.by}'s {now.name} has {magazine.left} left", where="rounds", accepts=accepts)
