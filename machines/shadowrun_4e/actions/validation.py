"""What may be declared beside attacks, by whom and when."""

from machines.contract import refusals as no
from machines.contract.toolkit import check_another, check_here, check_in_a_fight, one_of
from machines.shadowrun_4e.actions import terms as t
from machines.shadowrun_4e.actions.action_costs import check_left, free_left
from machines.shadowrun_4e.actions.actions import allowance, is_shot, moved
from machines.shadowrun_4e.attack.attack_context import SPOILED, SUPPRESSES, attack_of, suppressive
from machines.shadowrun_4e.attack.modifiers import FULL_DEFENSE, PRONE
from machines.shadowrun_4e.attack.targeting import check_caught, check_usable, check_victims
from machines.shadowrun_4e.harm.injury import thrown_out
from machines.shadowrun_4e.magic.drain import sustaining
from machines.shadowrun_4e.magic.spellcasting import dice_left, spells_left
from machines.shadowrun_4e.sheet.printed_codes import parse_damage
from machines.shadowrun_4e.sheet.sheet import Spell
from machines.shadowrun_4e.sheet.sheet_access import (
    arms,
    attribute,
    both,
    check_able,
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
)
from machines.shadowrun_4e.success_tests import test_terms as tt
from machines.shadowrun_4e.success_tests.pools import SUSTAINING
from machines.shadowrun_4e.tables.tables import GRENADES, OBJECT_RESISTANCE, PLANES, TRADITIONS
from projections.combat import Combat


def _may_act(combat: Combat, by: str, action: str) -> None:
    check_able(combat, by, "end")
    check_left(combat, by, action)


# ------------------------------------------------------------------------------------------------ lesser actions


def check_free(combat: Combat, by: str, _: t.FreeTerms) -> None:
    """A Free Action, in one's own phase or in any later one of the Combat Turn."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    own = combat.turn.who == by
    if own:
        check_left(combat, by, "free")
    elif free_left(combat, by) < 1:
        raise no.ActionUsedUp(f"{by} has no Free Action left", where="kind", accepts="their next Action Phase")


def check_simple(combat: Combat, by: str, terms: t.SimpleTerms) -> None:
    """A Simple Action; only one's own weapons are seen to."""
    _may_act(combat, by, "simple")
    one_of(terms.repair, ("", *spoiled_arms(combat, by)), "repair")
    if terms.stand and not combat.conditions.has(by, PRONE):
        raise no.CannotAct(f"{by} is on their feet", where="stand", accepts="false")


def spoiled_arms(combat: Combat, who: str) -> tuple[str, ...]:
    """The conditions of somebody whose weapons are broken, dropped or jammed.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    endings = tuple(f"_{word}" for word in SPOILED)
    return tuple(name for name in combat.conditions.of(who) if name.endswith(endings))


def check_complex(combat: Combat, by: str, _: t.ComplexTerms) -> None:
    """A Complex Action."""
    _may_act(combat, by, "complex")


def check_aim(combat: Combat, by: str, terms: t.AimTerms) -> None:
    """Aiming at somebody, with something that shoots."""
    _may_act(combat, by, "simple")
    check_another(combat, by, terms.at)
    if surprises(combat, terms.at, by):
        raise no.CannotAct(f"{by} is surprised by {terms.at}", where="at", accepts="the second Initiative Pass")
    shot = tuple(name for name, weapon in arms(combat, by).items() if is_shot(weapon))
    one_of(terms.using, ("", *shot), "using")
    if not shot:
        raise no.CannotAct(f"{by} has nothing to aim with", where="kind", accepts="a weapon that shoots")


def check_reload(combat: Combat, by: str, terms: t.ReloadTerms) -> None:
    """A weapon whose rounds are counted and that is not full."""
    _may_act(combat, by, "complex")
    one_of(terms.weapon, tuple(name for name, weapon in arms(combat, by).items() if weapon.ammo), "weapon")
    magazine = combat.resources.resource(by, terms.weapon)
    if magazine.left >= magazine.of:
        raise no.CannotAct(f"{by}'s {terms.weapon} is full", where="weapon", accepts="another weapon")


def check_move(combat: Combat, by: str, terms: t.MoveTerms) -> None:
    """As far as the rate leaves in this Combat Turn; nobody prone walks."""
    check_able(combat, by, "end")
    if combat.conditions.has(by, PRONE):
        raise no.CannotAct(f"{by} is prone", where="how", accepts="simple with stand = true first")
    if plane(combat, by).virtual:
        raise no.CannotAct(f"{by}'s body lies still", where="how", accepts="shift to physical first")
    left = allowance(combat, by, terms.how) - moved(combat, by)
    if left <= 0:
        raise no.ActionUsedUp(f"{by} has moved {moved(combat, by)} m in this turn", where="how", accepts="end")
    if terms.meters is not None and terms.meters > left:
        raise no.BadTerms(f"{by} cannot {terms.how} {terms.meters} m", where="meters", accepts=f"0 to {left}")


def check_delay(combat: Combat, by: str, _: t.NoTerms) -> None:
    """Delaying comes before doing anything."""
    check_able(combat, by, "end")
    if combat.turn.spent:
        raise no.ActionUsedUp(f"{by} has begun to act", where="kind", accepts="end")


def check_full_defense(combat: Combat, by: str, _: t.NoTerms) -> None:
    """In one's own phase for a Complex Action; out of it for the next phase."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    if combat.conditions.has(by, FULL_DEFENSE):
        raise no.CannotAct(f"{by} defends fully already", where="by", accepts="somebody else")
    if combat.turn.who == by:
        check_left(combat, by, "complex")


def check_shift(combat: Combat, by: str, terms: t.ShiftTerms) -> None:
    """Another plane, which one can reach."""
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
    """A weapon that fires fully automatically, with rounds enough."""
    line = suppressive()
    _may_act(combat, by, line.action)
    able = tuple(name for name, weapon in arms(combat, by).items() if set(weapon.modes) & set(line.codes))
    one_of(terms.using, able, "using")
    check_usable(combat, by, terms.using, arms(combat, by)[terms.using])
    magazine = combat.resources.resource(by, terms.using)
    if magazine.of and magazine.left < line.rounds:
        problem = f"{by}'s {terms.using} has {magazine.left} of the {line.rounds} rounds"
        raise no.CannotAct(problem, where="using", accepts="another weapon, or reload")
    needed(combat, by, attack_of(combat, "", by, t.AttackTerms(at=(), using=terms.using)).weapon.skill, "agility")


def check_suppressed(combat: Combat, by: str, terms: t.SuppressedTerms) -> None:
    """Somebody in an area under this one's fire, each time that they move through it."""
    check_in_a_fight(combat)
    if not combat.conditions.has(by, "suppressing"):
        raise no.CannotAct(f"{by} lays down no suppressive fire", where="by", accepts="whoever does")
    check_another(combat, by, terms.at)
    one_of(SUPPRESSES.of(combat, by), tuple(arms(combat, by)), "using")
    for name in ("reaction", "body", "willpower"):
        attribute(combat, terms.at, name)


# ------------------------------------------------------------------------------------------------ magic


def check_cast(combat: Combat, by: str, terms: t.CastTerms) -> None:
    """A spell that somebody knows, at a Force of up to twice their Magic, at whom it can harm."""
    check_able(combat, by, "end")
    if not (terms.spells > 1 and spells_left(combat, by)):
        check_left(combat, by, "complex")
    one_of(terms.spell, tuple(spells(combat, by)), "spell")
    _check_magician(combat, by)
    needed(combat, by, "spellcasting", "magic")
    magic = attribute(combat, by, "magic")
    if terms.force > 2 * magic:
        raise no.BadTerms(f"Force {terms.force} is beyond {by}", where="force", accepts=f"1 to {2 * magic}")
    _check_split(combat, by, terms)
    spell = spells(combat, by)[terms.spell]
    if terms.sustain and not spell.sustained:
        raise no.BadTerms(f"{terms.spell} is not kept up", where="sustain", accepts="false")
    _check_targets(combat, by, terms, spell)


def _check_magician(combat: Combat, by: str) -> None:
    """What Drain is resisted with."""
    if not sheet(combat, by).magic:
        raise lacking(by, "Magic", "magic")
    if not sheet(combat, by).tradition:
        raise lacking(by, "tradition", ", ".join(TRADITIONS))
    both(combat, by, "willpower", TRADITIONS[sheet(combat, by).tradition].attribute)


def _check_split(combat: Combat, by: str, terms: t.CastTerms) -> None:
    whole = dice_left(combat, by, needed(combat, by, "spellcasting", "magic", terms.spell).value)
    if terms.split is not None and (terms.spells < 2 or terms.split > whole):
        accepts = f"1 to {whole} dice, of 2 spells or more"
        raise no.BadTerms("the pool is not split so", where="split", accepts=accepts)


def _check_targets(combat: Combat, by: str, terms: t.CastTerms, spell: Spell) -> None:
    targets = (terms.at,) if isinstance(terms.at, str) else terms.at
    things = [who for who in targets if who in combat.roster and is_thing(combat, who)]
    if targets and terms.object_resistance and not things:
        raise no.BadTerms("nobody among them is a thing", where="object_resistance", accepts="nothing")
    if spell.effect != "other" and not targets and not terms.object_resistance:
        raise no.BadTerms(f"{terms.spell} needs a target", where="at", accepts="somebody, or object_resistance")
    if len(targets) > 1 and not spell.area:
        raise no.BadTerms(f"{terms.spell} is no area spell", where="at", accepts="one")
    if len(set(targets)) != len(targets):
        raise no.BadTerms("somebody is named twice", where="at", accepts="each once")
    for who in targets:
        if who not in combat.roster or not combat.roster[who].here:
            check_here(combat, who, "at")
        if who == by and spell.effect != "other":
            check_another(combat, by, who)
        if surprises(combat, who, by):
            raise no.CannotAct(f"{by} is surprised by {who}", where="at", accepts="the second Initiative Pass")
        _check_victim(combat, by, who, spell, terms)


def _check_victim(combat: Combat, by: str, who: str, spell: Spell, terms: t.CastTerms) -> None:
    if spell.effect == "other":
        return
    if is_thing(combat, who):
        if spell.mana:
            raise no.CannotAct(f"{who} has no mind", where="at", accepts="somebody alive")
        if spell.effect == "direct" and not terms.object_resistance:
            accepts = ", ".join(OBJECT_RESISTANCE)
            raise no.BadTerms(f"{who} resists as a thing does", where="object_resistance", accepts=accepts)
    if is_barrier(combat, who):
        return
    if plane(combat, by).astral and not (plane(combat, who).astral or sheet(combat, who).force):
        raise no.CannotAct(f"{who} is not on the astral plane", where="at", accepts="somebody who is")
    if not any(combat.health.track(who, name).capacity for name in ("physical", "stun")):
        raise no.CannotAct(f"{who} has no body", where="at", accepts="somebody alive, or a thing")
    for name in ("willpower", "body"):
        if not (sheet(combat, who).vehicle and name == "willpower"):
            attribute(combat, who, name)
    if spell.effect == "indirect":
        attribute(combat, who, "response" if sheet(combat, who).vehicle else "reaction")


def check_summon(combat: Combat, by: str, terms: t.SummonTerms) -> None:
    """A spirit of a Force of up to twice one's Magic."""
    check_able(combat, by, "end")
    if combat.clock.fighting and combat.turn.who != by:
        raise no.NotYourTurn(f"it is not {by}'s Action Phase", where="by", accepts="their own, or no fight")
    if combat.clock.fighting:
        check_left(combat, by, "complex")
    _check_magician(combat, by)
    needed(combat, by, "summoning", "magic")
    magic = attribute(combat, by, "magic")
    if terms.force > 2 * magic:
        raise no.BadTerms(f"Force {terms.force} is beyond {by}", where="force", accepts=f"1 to {2 * magic}")


def check_counterspell(combat: Combat, by: str, terms: t.CounterspellTerms) -> None:
    """A Free Action of whoever has Counterspelling, for those who are here."""
    check_free(combat, by, t.FreeTerms())
    if not rating(combat, by, "counterspelling"):
        raise lacking(by, "Counterspelling", "skills.counterspelling")
    if not terms.protects:
        raise no.BadTerms("nobody is protected", where="protects", accepts="who is")
    for who in terms.protects:
        check_here(combat, who, "protects")


def check_drop(combat: Combat, by: str, terms: t.DropTerms) -> None:
    """A spell that is kept up."""
    one_of(sustaining(terms.spell).removeprefix(SUSTAINING), kept_spells(combat, by), "spell")


def kept_spells(combat: Combat, who: str) -> tuple[str, ...]:
    """The spells that somebody keeps up.

    Source: SR4 173 Sustained Spells
    """
    return tuple(name.removeprefix(SUSTAINING) for name in combat.conditions.of(who) if name.startswith(SUSTAINING))


# ------------------------------------------------------------------------------------------------ other harm


def check_explosion(combat: Combat, _: str, terms: t.BlastTerms) -> None:
    """Those who are here, and can resist it."""
    if not terms.caught:
        raise no.BadTerms("it catches nobody", where="caught", accepts="who, and how far away")
    check_caught(combat, terms.caught)
    code = GRENADES[terms.grenade].damage if terms.grenade else terms.damage
    check_victims(combat, terms.caught, electric=bool(code) and parse_damage(code).electric)
    if not terms.grenade and parse_damage(terms.damage).attribute:
        raise no.BadTerms("nobody's Strength is in a blast", where="damage", accepts="a number, such as 12P(f)")


def check_dumpshock(combat: Combat, by: str, _: t.NoTerms) -> None:
    """Somebody who is wholly in the Matrix."""
    if not thrown_out(combat, by):
        raise no.CannotAct(f"{by} is not wholly in the Matrix", where="by", accepts="somebody in cold or hot sim")
    attribute(combat, by, "willpower")


def check_alert(_: Combat, __: str, ___: tt.AlertTerms) -> None:
    """At any time."""


def check_signal(combat: Combat, by: str, terms: tt.SignalTerms) -> None:
    """Both need a Signal rating."""
    attribute(combat, by, "signal")
    if terms.at:
        check_another(combat, by, terms.at)
        attribute(combat, terms.at, "signal")
