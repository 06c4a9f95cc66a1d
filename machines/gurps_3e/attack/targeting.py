"""What refuses an attack: targets, places, weapons, and how they are used."""

from machines.contract import refusals as no
from machines.contract.toolkit import check_another, check_here, check_in_a_fight, one_of
from machines.gurps_3e.actions.terms import AttackTerms
from machines.gurps_3e.attack.attack_context import Attack, as_declared, is_type
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
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import (
    BROKEN,
    DEAD,
    arms,
    check_able,
    has_lost,
    kind_of,
    location_named,
    needed,
    spoilings,
    thing,
)
from machines.gurps_3e.tables.rows import HitLocation
from machines.gurps_3e.tables.tables import ATTACK_MODIFIERS, HIT_LOCATIONS
from projections.combat import Combat


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """An attack that can be made in one's own turn."""
    _check_whole(combat, by, terms)
    left = attacks_left(combat, by)
    if not left and combat.turn.spent.get(MANEUVER):
        raise no.ActionUsedUp(f"{by}'s maneuver is used", where="kind", accepts="end")
    if left:
        _check_further(combat, by, terms)
    elif terms.all_out == AFTER_FEINT:
        raise no.BadTerms("the feint comes first", where="all_out", accepts="feint with all_out = true")
    if terms.watching is not None:
        raise no.BadTerms("nobody watches in their own turn", where="watching", accepts="wait, then opportunity")


def check_opportunity(combat: Combat, by: str, terms: AttackTerms) -> None:
    """An attack of whoever waits, in somebody else's turn, while nothing else is resolved."""
    check_in_a_fight(combat)
    _check_whole(combat, by, terms)
    if combat.turn.who in (None, by):
        raise no.NotYourTurn("it comes in somebody else's turn", where="by", accepts="attack")
    fires = FIRES.of(combat, by) and attacks_left(combat, by)
    if not combat.conditions.has(by, WAITING) and not fires:
        raise no.NotYourTurn(f"{by} does not wait", where="by", accepts="wait first, in one's own turn")
    if fires:
        _check_further(combat, by, terms)
    if combat.exchange.frame is not None:
        now = combat.exchange.frame
        raise no.StillNeeded(f"{now.by}'s {now.kind} is being resolved", where=now.key, accepts="when it is over")
    watches = WATCHES.of(combat, by)
    if terms.watching is not None and str(terms.watching) != watches:
        raise no.BadTerms(f"{by} watches {watches}", where="watching", accepts=watches or "nothing")
    if terms.all_out:
        raise no.BadTerms("nobody attacks all out from waiting", where="all_out", accepts="nothing")


def _check_whole(combat: Combat, by: str, terms: AttackTerms) -> None:
    check_able(combat, by)
    one_of(terms.using, tuple(arms(combat, by)), "using")
    check_another(combat, by, terms.at)
    if combat.conditions.has(terms.at, DEAD):
        raise no.CannotAct(f"{terms.at} is dead", where="at", accepts="somebody alive")
    now = as_declared(combat, "", by, terms)
    check_weapon(combat, by, terms.using)
    needed(combat, by, now.weapon.skill)
    _check_words(combat, now)
    _check_place(now)
    _check_fitting(now)
    _check_rounds(combat, now)
    if now.weapon.max is not None and effective_range(now) > now.weapon.max:
        raise no.CannotAct(f"{now.name} reaches {now.weapon.max} yards", where="distance", accepts="less")


def check_weapon(combat: Combat, by: str, name: str) -> None:
    """Refuse a weapon that is not ready, or whose hand is not.

    Raises:
        CannotAct: With what would make it ready.
    """
    weapon = arms(combat, by)[name]
    gone = spoilings(combat, by, name)
    if gone:
        accepts = "another weapon" if gone[0].endswith(BROKEN) else f"ready with repair = {gone[0]!r}"
        raise no.CannotAct(f"{by}'s {name}: {gone[0].replace('_', ' ')}", where="using", accepts=accepts)
    if not weapon.natural and has_lost(combat, by, "weapons"):
        raise no.CannotAct(f"{by}'s weapon arm is out of use", where="using", accepts="what is part of the body")


def _check_further(combat: Combat, by: str, terms: AttackTerms) -> None:
    """A further blow or shot of the same maneuver."""
    with_ = ATTACKS_WITH.of(combat, by)
    mine = arms(combat, by)
    if terms.using != with_ and any(kind_of(mine[name]).ranged for name in (terms.using, with_) if name in mine):
        raise no.ActionUsedUp(f"{by} attacks with {with_} in this turn", where="using", accepts=with_)
    begun = FORM.of(combat, by)
    again = begun if begun in (TWO_ATTACKS, AFTER_FEINT) else ""
    if terms.all_out not in ("", again):
        raise no.BadTerms("it was begun otherwise", where="all_out", accepts=again or "nothing")


def _check_words(combat: Combat, now: Attack) -> None:
    ours = tuple(name for name, row in ATTACK_MODIFIERS.items() if not (row.melee if now.kind.ranged else row.ranged))
    for name in now.terms.modifiers:
        one_of(name, ours, "modifiers")
        row = ATTACK_MODIFIERS[name]
        if row.location and row.location != now.terms.location:
            raise no.BadTerms(f"{name} is for the {row.location}", where="modifiers", accepts=row.location)
    for field in ("behind", "near", "melee"):
        for who in getattr(now.terms, field):
            check_here(combat, who, field)
    for field in ("modifiers", "theirs", "behind", "near", "melee"):
        _check_once(field, getattr(now.terms, field))
    for who in now.terms.distances:
        check_here(combat, who, "distances")


def _check_once(field: str, words: tuple[str, ...]) -> None:
    for word in words:
        if words.count(word) > 1:
            raise no.BadTerms(f"{word} is named twice", where=field, accepts="each once")


def aims_at(weapon: Weapon, where: HitLocation) -> bool:
    """Can such a weapon be aimed there?

    Source: CII 53 Hit Locations
    """
    return not where.aimed_by or is_type(weapon, where.aimed_by)


def _check_place(now: Attack) -> None:
    able = tuple(name for name, row in HIT_LOCATIONS.items() if aims_at(now.weapon, row))
    one_of(now.terms.location, ("", *able), "location")
    if location_named(now.terms.location).from_behind and not now.terms.from_behind:
        raise no.BadTerms(f"the {now.terms.location} are struck from behind", where="from_behind", accepts="true")
    if now.terms.location and (now.terms.wild or now.terms.random):
        raise no.BadTerms("3d say where it strikes", where="location", accepts="nothing")
    if now.terms.wild and now.kind.ranged:
        raise no.BadTerms("only blows are wild swings", where="wild", accepts="false")


def _check_fitting(now: Attack) -> None:
    """Refuse what means nothing with such a weapon."""
    terms, ranged = now.terms, now.kind.ranged
    for field, said, fits in (
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
        if said and not fits:
            raise no.BadTerms(f"{field} means nothing with {now.name}", where=field, accepts="nothing")
    if terms.all_out == TWO_ATTACKS and now.weapon.needs_readying:
        raise no.BadTerms(f"{now.name} has to be readied in between", where="all_out", accepts="to_hit, damage")
    if terms.all_out == TWO_ATTACKS and ranged:
        raise no.BadTerms(f"nobody shoots twice all out with {now.name}", where="all_out", accepts="to_hit, damage")


def _check_rounds(combat: Combat, now: Attack) -> None:
    left = attacks_left(combat, now.by) or now.weapon.rof
    most = min(GROUP, left) if now.weapon.automatic else 1
    if now.terms.rounds is not None and now.terms.rounds > most:
        raise no.BadTerms(f"{now.name} has {left} rounds left in this turn", where="rounds", accepts=f"1 to {most}")
    magazine = combat.resources.resource(now.by, thing(now.name, now.weapon))
    wanted = rounds_of(combat, now.by, now.name, now.terms.rounds)
    if magazine.of and magazine.left < wanted:
        accepts = "fewer rounds, or ready with reload"
        raise no.CannotAct(f"{now.by}'s {now.name} has {magazine.left} left", where="rounds", accepts=accepts)
