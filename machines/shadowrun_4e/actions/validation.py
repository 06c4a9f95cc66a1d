"""Rejects illegal declarations other than attacks."""

from machines.contract.refusals import ActionUsedUp, BadTerms, CannotAct, NotYourTurn
from machines.contract.toolkit import check_another, check_here, check_in_a_fight, one_of
from machines.shadowrun_4e.actions import terms as t
from machines.shadowrun_4e.actions.action_costs import check_left, free_left
from machines.shadowrun_4e.actions.actions import allowance, is_shot, moved
from machines.shadowrun_4e.actions.assumptions import check_terms
from machines.shadowrun_4e.attack.attack_context import SPOILED, SUPPRESSES, attack_of, suppressive
from machines.shadowrun_4e.attack.modifiers import FULL_DEFENSE, PRONE
from machines.shadowrun_4e.attack.targeting import check_caught, check_usable, check_victims
from machines.shadowrun_4e.harm.injury import thrown_out
from machines.shadowrun_4e.magic.spellcasting import dice_left, spells_left
from machines.shadowrun_4e.sheet.printed_codes import parse_damage
from machines.shadowrun_4e.sheet.sheet import Spell
from machines.shadowrun_4e.sheet.sheet_access import (
    arms,
    attribute,
    both,
    check_able,
    feels,
    is_barrier,
    is_thing,
    lacking,
    matrix,
    needed,
    plane,
    rating,
    sheet,
    spells,
    surprises,
    uses_of_spell,
)
from machines.shadowrun_4e.success_tests import test_terms as tt
from machines.shadowrun_4e.success_tests.pools import FOCUSED, SUSTAINING
from machines.shadowrun_4e.tables.tables import GRENADES, OBJECT_RESISTANCE, PLANES, TRADITIONS
from projections.combat import Combat


def _may_act(combat: Combat, by: str, action: str) -> None:
    check_able(combat, by, "end")
    check_left(combat, by, action)


# ------------------------------------------------------------------------------------------------ lesser actions


def check_free(combat: Combat, by: str, _: t.FreeTerms) -> None:
    """Rejects a Free Action if none is left in this Combat Turn."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    own = combat.turn.who == by
    if own:
        check_left(combat, by, "free")
    elif free_left(combat, by) < 1:
        raise ActionUsedUp(f"{by} has no Free Action left", where="kind", accepts="their next Action Phase")


def check_simple(combat: Combat, by: str, terms: t.SimpleTerms) -> None:
    """Rejects a Simple Action if none is left, or if it repairs or stands up for no reason."""
    _may_act(combat, by, "simple")
    one_of(terms.repair, ("", *spoiled_arms(combat, by)), "repair")
    if terms.stand and not combat.conditions.has(by, PRONE):
        raise CannotAct(f"{by} is on their feet", where="stand", accepts="false")


def spoiled_arms(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns a combatant's conditions that make weapons unusable.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    endings = tuple(f"_{word}" for word in SPOILED)
    return tuple(name for name in combat.conditions.of(who) if name.endswith(endings))


def check_complex(combat: Combat, by: str, _: t.ComplexTerms) -> None:
    """Rejects a Complex Action if none is left."""
    _may_act(combat, by, "complex")


def check_aim(combat: Combat, by: str, terms: t.AimTerms) -> None:
    """Rejects aiming at an impossible target, or without a weapon that shoots."""
    _may_act(combat, by, "simple")
    check_another(combat, by, terms.at)
    if surprises(combat, terms.at, by):
        raise CannotAct(f"{by} is surprised by {terms.at}", where="at", accepts="the second Initiative Pass")
    shot = tuple(name for name, weapon in arms(combat, by).items() if is_shot(weapon))
    one_of(terms.using, ("", *shot), "using")
    if not shot:
        raise CannotAct(f"{by} has nothing to aim with", where="kind", accepts="a weapon that shoots")


def check_reload(combat: Combat, by: str, terms: t.ReloadTerms) -> None:
    """Rejects reloading a weapon without a counted magazine, or a full one."""
    _may_act(combat, by, "complex")
    one_of(terms.weapon, tuple(name for name, weapon in arms(combat, by).items() if weapon.ammo), "weapon")
    magazine = combat.resources.resource(by, terms.weapon)
    if magazine.left >= magazine.of:
        raise CannotAct(f"{by}'s {terms.weapon} is full", where="weapon", accepts="another weapon")


def check_move(combat: Combat, by: str, terms: t.MoveTerms) -> None:
    """Rejects moving while prone or in full sim, and farther than the rate allows."""
    check_able(combat, by, "end")
    if feels(combat, by, PRONE):
        raise CannotAct(f"{by} is prone", where="how", accepts="simple with stand = true first")
    if plane(combat, by).virtual:
        raise CannotAct(f"{by}'s body lies still", where="how", accepts="shift to physical first")
    left = allowance(combat, by, terms.how) - moved(combat, by)
    if left <= 0:
        raise ActionUsedUp(f"{by} has moved {moved(combat, by)} m in this turn", where="how", accepts="end")
    if terms.meters is not None and terms.meters > left:
        raise BadTerms(f"{by} cannot {terms.how} {terms.meters} m", where="meters", accepts=f"0 to {left}")


def check_delay(combat: Combat, by: str, _: t.NoTerms) -> None:
    """Rejects delaying after an action was spent."""
    check_able(combat, by, "end")
    if combat.turn.spent:
        raise ActionUsedUp(f"{by} has begun to act", where="kind", accepts="end")


def check_full_defense(combat: Combat, by: str, _: t.NoTerms) -> None:
    """Rejects full defense that is already in force, or without a Complex Action in the own phase."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    if combat.conditions.has(by, FULL_DEFENSE):
        raise CannotAct(f"{by} is on full defense already", where="by", accepts="another combatant")
    if combat.turn.who == by:
        check_left(combat, by, "complex")


def check_shift(combat: Combat, by: str, terms: t.ShiftTerms) -> None:
    """Rejects going to a plane that the combatant cannot reach."""
    one_of(terms.plane, tuple(name for name in PLANES if name != plane(combat, by).name), "plane")
    there = PLANES[terms.plane]
    _may_act(combat, by, there.action)
    owner = sheet(combat, by)
    if there.astral and not (owner.magic or owner.force):
        raise lacking(by, "Magic", "magic")
    if there.matrix:
        matrix(combat, by)
    for name in there.attributes:
        attribute(combat, by, name)


# ------------------------------------------------------------------------------------------------ suppressive fire


def check_suppress(combat: Combat, by: str, terms: t.SuppressTerms) -> None:
    """Rejects suppressive fire without a fully automatic weapon and enough rounds."""
    line = suppressive()
    _may_act(combat, by, line.action)
    able = tuple(name for name, weapon in arms(combat, by).items() if set(weapon.modes) & set(line.codes))
    one_of(terms.using, able, "using")
    check_usable(combat, by, terms.using, arms(combat, by)[terms.using])
    magazine = combat.resources.resource(by, terms.using)
    if magazine.of and magazine.left < line.rounds:
        problem = f"{by}'s {terms.using} has {magazine.left} of the {line.rounds} rounds"
        raise CannotAct(problem, where="using", accepts="another weapon, or reload")
    needed(combat, by, attack_of(combat, "", by, t.AttackTerms(at=(), using=terms.using)).weapon.skill, "agility")


def check_suppressed(combat: Combat, by: str, terms: t.SuppressedTerms) -> None:
    """Rejects a test against suppressive fire that is not laid down, or of an incomplete sheet."""
    check_in_a_fight(combat)
    if not combat.conditions.has(by, "suppressing"):
        raise CannotAct(f"{by} is not laying down suppressive fire", where="by", accepts="a combatant who is")
    check_another(combat, by, terms.at)
    one_of(SUPPRESSES.of(combat, by), tuple(arms(combat, by)), "using")
    for name in ("reaction", "body", "willpower"):
        attribute(combat, terms.at, name)


# ------------------------------------------------------------------------------------------------ magic


def check_cast(combat: Combat, by: str, terms: t.CastTerms) -> None:
    """Rejects a spell that is unknown, at a Force above twice Magic, or at an impossible target."""
    check_able(combat, by, "end")
    if not (terms.spells > 1 and spells_left(combat, by)):
        check_left(combat, by, "complex")
    one_of(terms.spell, tuple(spells(combat, by)), "spell")
    check_terms("cast", terms)
    _check_magician(combat, by)
    needed(combat, by, "spellcasting", "magic")
    magic = attribute(combat, by, "magic")
    if terms.force > 2 * magic:
        raise BadTerms(f"Force {terms.force} is beyond {by}", where="force", accepts=f"1 to {2 * magic}")
    _check_split(combat, by, terms)
    spell = spells(combat, by)[terms.spell]
    if terms.sustain and not spell.sustained:
        raise BadTerms(f"{terms.spell} cannot be sustained", where="sustain", accepts="false")
    _check_focus(terms)
    _check_targets(combat, by, terms, spell)


def _check_focus(terms: t.CastTerms) -> None:
    """Rejects a sustaining focus that is too weak, or has no spell to sustain."""
    if terms.focus and not terms.sustain:
        raise BadTerms("the focus has no spell to sustain", where="focus", accepts="sustain = true, or no focus")
    if terms.focus and terms.force > terms.focus:
        problem = f"a focus of Force {terms.focus} cannot sustain a spell of Force {terms.force}"
        raise BadTerms(problem, where="focus", accepts=f"{terms.force} or more")


def _check_magician(combat: Combat, by: str) -> None:
    """Rejects casters whose sheet lacks Magic, a tradition, or what resists Drain."""
    if not sheet(combat, by).magic:
        raise lacking(by, "Magic", "magic")
    if not sheet(combat, by).tradition:
        raise lacking(by, "tradition", ", ".join(TRADITIONS))
    both(combat, by, "willpower", TRADITIONS[sheet(combat, by).tradition].attribute)


def _check_split(combat: Combat, by: str, terms: t.CastTerms) -> None:
    whole = dice_left(
        combat, by, needed(combat, by, "spellcasting", "magic", *uses_of_spell(combat, by, terms.spell)).value
    )
    if terms.split is not None and (terms.spells < 2 or terms.split > whole):
        accepts = f"1 to {whole} dice, of 2 spells or more"
        raise BadTerms("these shares do not fit the pool", where="split", accepts=accepts)


def _check_targets(combat: Combat, by: str, terms: t.CastTerms, spell: Spell) -> None:
    targets = (terms.at,) if isinstance(terms.at, str) else terms.at
    things = [who for who in targets if who in combat.roster and is_thing(combat, who)]
    if targets and terms.object_resistance and not things:
        raise BadTerms("no target is an object", where="object_resistance", accepts="nothing")
    if spell.effect != "other" and not targets and not terms.object_resistance:
        raise BadTerms(f"{terms.spell} needs a target", where="at", accepts="a combatant, or object_resistance")
    if len(targets) > 1 and not spell.area:
        raise BadTerms(f"{terms.spell} is no area spell", where="at", accepts="one")
    if len(set(targets)) != len(targets):
        raise BadTerms("a target is named twice", where="at", accepts="each target once")
    for who in targets:
        if who not in combat.roster or not combat.roster[who].here:
            check_here(combat, who, "at")
        if who == by and spell.effect != "other":
            check_another(combat, by, who)
        if surprises(combat, who, by):
            raise CannotAct(f"{by} is surprised by {who}", where="at", accepts="the second Initiative Pass")
        _check_victim(combat, by, who, spell, terms)


def _check_victim(combat: Combat, by: str, who: str, spell: Spell, terms: t.CastTerms) -> None:
    if spell.effect == "other":
        return
    if is_thing(combat, who):
        if spell.mana:
            raise CannotAct(f"{who} has no mind", where="at", accepts="a living target")
        if spell.effect == "direct" and not terms.object_resistance:
            accepts = ", ".join(OBJECT_RESISTANCE)
            raise BadTerms(f"{who} needs a threshold as an object", where="object_resistance", accepts=accepts)
    if is_barrier(combat, who):
        return
    if plane(combat, by).astral and not (plane(combat, who).astral or sheet(combat, who).force):
        raise CannotAct(f"{who} is not on the astral plane", where="at", accepts="a target who is")
    if not any(combat.health.track(who, name).capacity for name in ("physical", "stun")):
        raise CannotAct(f"{who} has no body", where="at", accepts="a living target, or an object")
    for name in ("willpower", "body"):
        if not (sheet(combat, who).vehicle and name == "willpower"):
            attribute(combat, who, name)
    if spell.effect == "indirect":
        attribute(combat, who, "response" if sheet(combat, who).vehicle else "reaction")


def check_summon(combat: Combat, by: str, terms: t.SummonTerms) -> None:
    """Rejects summoning above twice Magic, or outside the own phase."""
    check_able(combat, by, "end")
    if combat.clock.fighting and combat.turn.who != by:
        raise NotYourTurn(f"it is not {by}'s Action Phase", where="by", accepts="their own, or no fight")
    if combat.clock.fighting:
        check_left(combat, by, "complex")
    _check_magician(combat, by)
    needed(combat, by, "summoning", "magic")
    magic = attribute(combat, by, "magic")
    if terms.force > 2 * magic:
        raise BadTerms(f"Force {terms.force} is beyond {by}", where="force", accepts=f"1 to {2 * magic}")


def check_counterspell(combat: Combat, by: str, terms: t.CounterspellTerms) -> None:
    """Rejects counterspelling without the skill, a Free Action, or combatants to protect."""
    check_free(combat, by, t.FreeTerms())
    if not rating(combat, by, "counterspelling"):
        raise lacking(by, "Counterspelling", "skills.counterspelling")
    if not terms.protects:
        raise BadTerms("no combatant is named", where="protects", accepts="the combatants to protect")
    for who in terms.protects:
        check_here(combat, who, "protects")


def check_drop(combat: Combat, by: str, terms: t.DropTerms) -> None:
    """Rejects dropping a spell that is not sustained."""
    one_of(terms.spell.replace(" ", "_"), kept_spells(combat, by), "spell")


def kept_spells(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the spells that a combatant, or a focus of theirs, sustains.

    Source: SR4 173 Sustained Spells; Ruling: SR4-N48
    """
    prefixes = (SUSTAINING, FOCUSED)
    found = (name for name in combat.conditions.of(who) if name.startswith(prefixes))
    return tuple(name.removeprefix(SUSTAINING).removeprefix(FOCUSED) for name in found)


# ------------------------------------------------------------------------------------------------ other harm


def check_explosion(combat: Combat, _: str, terms: t.BlastTerms) -> None:
    """Rejects a blast without victims, or with victims who cannot resist it."""
    check_terms("explosion", terms)
    if not terms.caught:
        raise BadTerms("the blast has no victims", where="caught", accepts="combatants with their distances")
    check_caught(combat, terms.caught)
    code = GRENADES[terms.grenade].damage if terms.grenade else terms.damage
    check_victims(combat, terms.caught, electric=bool(code) and parse_damage(code).electric)
    if not terms.grenade and parse_damage(terms.damage).attribute:
        raise BadTerms("a blast has no attribute in its damage", where="damage", accepts="a number, such as 12P(f)")


def check_dumpshock(combat: Combat, by: str, _: t.NoTerms) -> None:
    """Rejects dumpshock of a combatant who is not in full sim."""
    if not thrown_out(combat, by):
        raise CannotAct(f"{by} is not wholly in the Matrix", where="by", accepts="a combatant in cold or hot sim")
    attribute(combat, by, "willpower")


def check_alert(_: Combat, __: str, ___: tt.AlertTerms) -> None:
    """Accepts every alert."""


def check_signal(combat: Combat, by: str, terms: tt.SignalTerms) -> None:
    """Rejects a signal if one side has no Signal rating."""
    check_terms("signal", terms)
    attribute(combat, by, "signal")
    if terms.at:
        check_another(combat, by, terms.at)
        attribute(combat, terms.at, "signal")
