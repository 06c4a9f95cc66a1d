"""Rejects illegal attacks: targets, weapons, their use, and sheets that lack a needed figure."""

from collections.abc import Iterable

from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct
from machines.contract.toolkit import check_another, check_here, one_of
from machines.shadowrun_4e.actions.action_costs import COMPLEX, check_left, free_left
from machines.shadowrun_4e.actions.assumptions import check_terms
from machines.shadowrun_4e.actions.terms import AttackTerms, Caught
from machines.shadowrun_4e.attack.attack import action_of, attack_base, foreseen
from machines.shadowrun_4e.attack.attack_context import (
    SHARES,
    TO_HIT,
    TOUCH,
    Attack,
    attack_of,
    held,
    modes,
    spoilings,
)
from machines.shadowrun_4e.attack.shooting import BANDS, TIMES_FIRED, band, reach_of
from machines.shadowrun_4e.harm.blast import scatters
from machines.shadowrun_4e.sheet.printed_codes import parse_damage
from machines.shadowrun_4e.sheet.sheet import Weapon
from machines.shadowrun_4e.sheet.sheet_access import (
    arms,
    attribute,
    check_able,
    fits,
    is_barrier,
    is_thing,
    lacking,
    plane,
    sheet,
    surprises,
)
from machines.shadowrun_4e.sheet.sheet_words import check_weapon_words
from machines.shadowrun_4e.success_tests.foresight import after, check_purchase
from machines.shadowrun_4e.tables.tables import (
    DAMAGE,
    DEFENSE_MODIFIERS,
    FIRING_MODES,
    MELEE_MODIFIERS,
    RANGED_MODIFIERS,
)
from projections.combat import Combat


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects an attack that cannot be made with what is left of the phase.

    Source: SR4S Combat Sequence 1
    """
    check_able(combat, by, "end")
    check_terms("attack", terms)
    check_weapon(combat, by, terms)
    now = attack_of(combat, "", by, terms)
    check_words(now)
    check_targets(combat, now)
    _check_split(combat, now)
    check_left(combat, by, action_of(now))
    _check_called(combat, now)
    for nth, (name, weapon) in enumerate(now.weapons, 1):
        check_usable(combat, by, name, weapon)
        _check_mode(combat, by, name, weapon, now, nth)
        _check_distance(combat, by, name, weapon, terms)
    check_struck(combat, now)
    if terms.buys:
        strikes = (now.strike(nth) for nth in range(1, now.strikes + 1))
        check_purchase(after(combat, foreseen(combat, now)), by, [strike.role(TO_HIT) for strike in strikes])


def check_weapon(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Rejects weapons that the attacker does not have, and a second weapon of another kind."""
    mine = arms(combat, by)
    if isinstance(terms.using, Weapon):
        check_weapon_words(terms.using, "using")
    else:
        one_of(terms.using, tuple(mine), "using")
    first = terms.using if isinstance(terms.using, Weapon) else mine[terms.using]
    alike = (name for name, each in mine.items() if DAMAGE[each.kind].test == DAMAGE[first.kind].test)
    one_of(terms.also, ("", *(name for name in alike if name != terms.using)), "also")


def check_words(now: Attack) -> None:
    """Rejects modifiers that do not belong to this type of attack."""
    if now.terms.harms and not now.test.astral:
        raise BadTerms("the type of damage is chosen only on the astral plane", where="harms", accepts="nothing")
    first = RANGED_MODIFIERS if now.ranged else MELEE_MODIFIERS
    own = tuple(name for name, row in first.items() if row.declared)
    lines = {**DEFENSE_MODIFIERS, **(MELEE_MODIFIERS if now.melee else {})}
    theirs = tuple(
        name for name, row in lines.items() if row.declared and name != TOUCH and (now.ranged or not row.ranged)
    )
    for name in now.terms.modifiers:
        one_of(name, own, "modifiers")
    for name in now.terms.theirs:
        one_of(name, theirs, "theirs")
    _check_fitting(now)


def _check_fitting(now: Attack) -> None:
    """Rejects terms that have no meaning with this weapon."""
    terms, weapon = now.terms, now.weapon
    launches = now.ranged and (bool(weapon.grenade) or scatters(weapon))
    for field, given, fits_ in (
        ("grenade", terms.grenade, launches),
        ("sensor", terms.sensor, now.grenade is not None),
        ("also", terms.also, now.grenade is None),
        ("ammunition", terms.ammunition, bool(weapon.modes)),
        ("wide", terms.wide, bool(weapon.modes)),
        ("distance", terms.distance is not None, now.ranged),
        ("friends", terms.friends, now.melee),
        ("enemies", terms.enemies, now.melee),
        ("charge", terms.charge, now.melee),
        ("through", terms.through and terms.through in now.aimed, False),
    ):
        if given and not fits_:
            raise BadTerms(f"{field} has no meaning with {now.name}", where=field, accepts="nothing")


def check_targets(combat: Combat, now: Attack) -> None:
    """Rejects targets that are missing, absent, repeated, beyond harm, or that the attacker is surprised by."""
    if not now.aimed and now.grenade is None:
        raise BadTerms("an attack needs a target", where="at", accepts="a combatant; an empty list for a grenade")
    if len(set(now.aimed)) != len(now.aimed):
        raise BadTerms("a target is named twice", where="at", accepts="each target once")
    for who in now.aimed:
        if who not in combat.roster or not combat.roster[who].thing:
            check_another(combat, now.by, who)
        if combat.conditions.has(who, "dead", "destroyed"):
            raise CannotAct(f"{who} cannot be harmed any more", where="at", accepts="another target")
        if surprises(combat, who, now.by):
            raise CannotAct(f"{now.by} is surprised by {who}", where="at", accepts="the second Initiative Pass")
    check_caught(combat, now.terms.caught)
    if now.terms.caught and now.grenade is None:
        raise BadTerms("the attack has no blast", where="caught", accepts="an attack with a grenade")
    if now.terms.through and now.grenade is not None:
        raise BadTerms("a blast goes off at a place", where="through", accepts="nothing")
    if now.terms.through and (now.terms.through not in combat.roster or not is_barrier(combat, now.terms.through)):
        walls = tuple(who for who in combat.roster.who if is_barrier(combat, who))
        raise BadTerms(
            f"{now.terms.through} is not a barrier", where="through", accepts=", ".join(walls) or "none is here"
        )


def check_caught(combat: Combat, caught: dict[str, Caught]) -> None:
    """Rejects victims of a blast who are not here."""
    for who in caught:
        check_here(combat, who, "caught")


def _check_called(combat: Combat, now: Attack) -> None:
    """Rejects called shots without a Free Action left, and those with long bursts, blasts or mental attacks."""
    if now.called is None:
        return
    if now.called.does == "disarm" and now.at:
        one_of(now.terms.spot, ("", *held(combat, now.at)), "spot")
    long = now.mode is not None and now.mode.rounds > 3
    if long or now.grenade is not None or not (now.melee or now.ranged):
        accepts = "single shots, short bursts and melee attacks"
        raise BadTerms("this attack cannot be a called shot", where="called", accepts=accepts)
    simple = combat.turn.spent.get("simple", 0)
    if free_left(combat, now.by) < 1 and (simple or action_of(now) == COMPLEX):
        raise ActionUsedUp(f"{now.by} has no Free Action left", where="called", accepts="an attack without it")


def _check_split(combat: Combat, now: Attack) -> None:
    """Rejects too many targets, and a division of the pool that does not fit the attack."""
    if now.shared_burst and (now.mode is None or len(now.aimed) not in SHARES or not _is_full(now)):
        raise BadTerms(
            "this attack cannot have so many targets", where="at", accepts="one; two or three by a full burst"
        )
    if len(now.weapons) > 1 and len(now.aimed) > len(now.weapons):
        raise BadTerms("two weapons cannot attack more than two targets", where="at", accepts="one or two")
    if not now.splits:
        if now.terms.split:
            raise BadTerms("the pool is not split", where="split", accepts="several targets, or a second weapon")
        return
    if not now.melee and len(now.weapons) == 1:
        raise BadTerms("only melee attacks and second weapons split a pool", where="at", accepts="one")
    whole = attack_base(combat, Attack(now.key, now.by, _terms_of_one_strike(now), now.weapons[:1])).value
    shares = now.terms.split
    if shares and (len(shares) != now.strikes or sum(shares) > whole):
        raise BadTerms("the shares do not fit", where="split", accepts=f"{now.strikes} shares of {whole} dice")


def _terms_of_one_strike(now: Attack) -> AttackTerms:
    """Returns the terms of an attack on the first target alone, from which the undivided pool is computed."""
    return AttackTerms(at=now.aimed[:1], using=now.terms.using)


def _is_full(now: Attack) -> bool:
    """Returns whether the declared mode is a full burst."""
    row = FIRING_MODES.get(now.terms.mode)
    return row is not None and row.burst and row.action == COMPLEX


def check_usable(combat: Combat, by: str, name: str, weapon: Weapon) -> None:
    """Rejects a weapon that is unusable, or of no use on the attacker's plane.

    Raises:
        CannotAct: The message names the problem.
    """
    for condition in spoilings(name):
        if combat.conditions.has(by, condition):
            problem = condition.replace("_", " ")
            raise CannotAct(f"{by}'s {problem}", where="using", accepts="another weapon, or simple with repair")
    if not fits(combat, by, weapon):
        accepts = ", ".join(each for each, mine in arms(combat, by).items() if fits(combat, by, mine)) or "nothing"
        raise CannotAct(f"{name} is of no use: {plane(combat, by).name}", where="using", accepts=accepts)


def _check_mode(  # noqa: PLR0917
    combat: Combat, by: str, name: str, weapon: Weapon, now: Attack, nth: int
) -> None:
    """Rejects a firing mode that the weapon lacks, was used up in this phase, or has too few rounds for."""
    one_of(now.terms.mode, ("", *modes(weapon)), "mode")
    if not weapon.modes or nth > len(now.weapons):
        return
    row = now.strike(nth).mode
    assert row is not None, "what has modes is fired"
    if now.shared_burst:
        row = FIRING_MODES[now.terms.mode]
    if TIMES_FIRED[f"{name}, {row.name}"].of(combat, by) >= row.most:
        raise ActionUsedUp(f"{row.name} has been fired {row.most} times", where="mode", accepts="another mode")
    if now.terms.wide and not row.burst:
        raise BadTerms("only bursts are wide", where="wide", accepts="false")
    magazine = combat.resources.resource(by, name)
    least = max(1, row.rounds - SHORT) if row.burst else row.rounds
    if magazine.of and magazine.left < least:
        accepts = "another mode, or reload"
        raise CannotAct(f"{by}'s {name} has {magazine.left} of the {row.rounds} rounds", where="mode", accepts=accepts)


SHORT = 2
"""The number of rounds that a burst may lack (SR4 142 Short Bursts)."""


def _check_distance(combat: Combat, by: str, name: str, weapon: Weapon, terms: AttackTerms) -> None:
    """Rejects a distance that is out of range."""
    if terms.distance is None or not weapon.range:
        return
    found = reach_of(combat, by, weapon)
    if not band(combat, by, weapon, terms.distance):
        accepts = f"{found.minimum} to {found.upto[len(BANDS) - 1]} m"
        raise BadTerms(f"{terms.distance} m is out of {name}'s range", where="distance", accepts=accepts)


# ------------------------------------------------------------------------------------------------ the sheets


def check_struck(combat: Combat, now: Attack) -> None:
    """Rejects an attack if a sheet lacks a figure that it needs.

    Raises:
        Incomplete: The message names the figure.
    """
    start = Attack(now.key, now.by, _terms_of_one_strike(now), now.weapons[:1])
    attack_base(combat, start)
    for _, weapon in now.weapons:
        _check_damage(combat, now.by, now, weapon)
    if now.grenade is not None:
        check_victims(combat, (*now.aimed, *now.terms.caught), now.grenade.damage.endswith("(e)"))
    for nth in range(1, now.strikes + 1):
        strike = now.strike(nth)
        if strike.at:
            _check_defender(combat, strike)


def _check_damage(combat: Combat, by: str, now: Attack, weapon: Weapon) -> None:
    """Rejects an attack if a sheet lacks the attribute from which its damage is computed."""
    if not weapon.damage or now.program is not None:
        return
    code = parse_damage(weapon.damage)
    if code.attribute == "strength_minimum":
        if not weapon.strength_minimum:
            raise lacking(by, "strength_minimum for its bow", "weapons.NAME.strength_minimum")
    elif code.attribute:
        astral = now.test.astral and code.attribute == "strength"
        attribute(combat, by, "charisma" if astral else code.attribute)


def _check_defender(combat: Combat, now: Attack) -> None:
    """Rejects a target that this attack cannot reach, or whose sheet lacks a figure that the attack needs."""
    who = now.at
    if is_barrier(combat, who):
        if now.program is not None or now.test.astral:
            raise CannotAct(f"{who} is a barrier", where="at", accepts="blows and shots")
        return
    person = now.program is not None and now.program.person
    if not combat.roster[who].thing:
        attribute(combat, who, now.test.defense)
    if now.test.astral and not (plane(combat, who).astral or sheet(combat, who).force):
        raise CannotAct(f"{who} is not on the astral plane", where="at", accepts="a target who is")
    if "firewall" in now.test.defense_skills:
        attribute(combat, who, "firewall")
    if person and not plane(combat, who).virtual:
        raise CannotAct(f"{who} is not wholly in the Matrix", where="at", accepts="a target in cold or hot sim")
    attribute(combat, who, now.damage.person_attribute if person else now.damage.attribute)
    track = "matrix" if now.program is not None and not person else "physical"
    _check_track(combat, who, track)
    if now.code.electric and not is_thing(combat, who):
        attribute(combat, who, "willpower")
    if person:
        _check_track(combat, who, "physical")


def _check_track(combat: Combat, who: str, track: str) -> None:
    """Rejects a target whose sheet lacks the condition monitor that the damage fills."""
    tracks = ("physical", "stun") if track == "physical" else (track,)
    if not any(combat.health.track(who, name).capacity for name in tracks):
        raise lacking(who, f"{track} track", "body and willpower, or matrix")


def check_victims(combat: Combat, caught: Iterable[str], electric: bool = False) -> None:
    """Rejects a blast if a victim's sheet lacks what resists it.

    Raises:
        Incomplete: The message names the figure.
    """
    for who in caught:
        if who and not is_barrier(combat, who):
            attribute(combat, who, "body")
            if electric and not is_thing(combat, who):
                attribute(combat, who, "willpower")
