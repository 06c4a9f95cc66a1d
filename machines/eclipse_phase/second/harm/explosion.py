"""Harm that is not an attack: a blast, a fall, a fire. One damage roll counts for all victims."""

from collections.abc import Iterator

from ledger.dice import parse
from ledger.events import RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import BadTerms
from machines.contract.toolkit import check_here, emit, floored, frame, key_of, one_of
from machines.eclipse_phase.family.damage import BLAST, DAMAGE, Blast, blast_from, caught
from machines.eclipse_phase.family.edition import ARMOR, DV, NTH_TARGET
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.family.success import d100_request, passed, target
from machines.eclipse_phase.second.actions.terms import ExplosionTerms
from machines.eclipse_phase.second.actions.validation import check_struck
from machines.eclipse_phase.second.attack.attack import defenses, is_on_guard
from machines.eclipse_phase.second.attack.attack_context import attack, blast_of
from machines.eclipse_phase.second.attack.modifiers import defense_modifiers
from machines.eclipse_phase.second.harm.damage import lost
from machines.eclipse_phase.second.harm.harm_dice import harm_of
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import armor, row_as_weapon, situation, weapon_traits
from machines.eclipse_phase.second.success_tests.roles import DEFEND
from machines.eclipse_phase.second.success_tests.success import begin, read
from projections.combat import Combat


def check_explosion(combat: Combat, by: str, terms: ExplosionTerms) -> None:
    """Rejects harm without victims, to absent combatants, and to sheets that lack what its tests need."""
    if not terms.caught:
        raise BadTerms("no victims are named", where="caught", accepts="victims, with their meters from the center")
    harm = declared_blast(terms)
    if harm.damage:
        parse(harm.damage)
    elif not any(trait.effect for trait in weapon_traits(row_as_weapon(terms.weapon))):
        raise BadTerms(f"{terms.weapon} has no effect", where="weapon", accepts="a weapon with damage or an effect")
    for who in terms.edge:
        one_of(who, tuple(terms.caught), "edge")
    for who in terms.caught:
        check_here(combat, who, "caught")
        check_can_be_harmed(combat, who, harm.harms, wounds=terms.wounds)
    if terms.weapon or terms.area:
        now = blast_of("", by, terms)
        for nth in range(1, len(terms.caught) + 1):
            check_struck(combat, now.dealing_with(nth))


def declared_blast(terms: ExplosionTerms) -> Blast:
    """Returns the blast of a declaration: its own figures, or those of the weapon that it names."""
    if not terms.weapon:
        return blast_from(terms, int(terms.pierces), half=terms.half_armor)
    row = row_as_weapon(terms.weapon)
    return blast_from(row, int(any(trait.pierces for trait in weapon_traits(row))))


def read_blast(combat: Combat) -> Deed:
    """Computes the Damage Value."""
    key, does = key_of(combat, BLAST.name), caught(combat).does
    value, why = harm_of(combat, key, does.damage) if does.damage else (0, "no damage")
    yield BLAST.found(key, value, why, HERE)
    return None


def next_caught(combat: Combat) -> Deed:
    """Continues with the next victim."""
    now = caught(combat)
    if now.nth >= len(now.terms.caught):
        return "nobody"
    yield NTH_TARGET.found(frame(combat).key, now.nth + 1, "", HERE)
    return "someone"


# ------------------------------------------------------------------------------------------------ dodging


def can_dodge(combat: Combat) -> bool:
    """Returns whether the victim can dodge the blast."""
    now = caught(combat)
    return bool(now.does.area) and is_on_guard(combat, attack(combat))


def prepare_dodge(combat: Combat) -> Deed:
    """Prepares the dodge: half of Fray with its modifiers."""
    now, key = attack(combat), caught(combat).role(DEFEND)
    name, start = max(defenses(combat, now).items(), key=lambda each: each[1].value)
    combat = yield from begin(combat, key, now.at, start, HERE)
    combat = yield from emit(combat, defense_modifiers(combat, now, name))
    yield target(combat, key, now.at)
    return None


def dodge_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the victim's dodge."""
    now = caught(combat)
    yield d100_request(combat, now.role(DEFEND), now.who, "dodge the blast")


def read_dodge(combat: Combat) -> Deed:
    """Reads the victim's dodge."""
    yield from read(combat, caught(combat).role(DEFEND))
    return None


# ------------------------------------------------------------------------------------------------ effects


def lose_force(combat: Combat) -> Deed:
    """Reduces damage by distance and halves it after a dodge; at the edge a dodge avoids it."""
    now = caught(combat)
    dv = BLAST.at(combat, key_of(combat, BLAST.name))
    away = lost(now.does.area, now.meters, now.does.radius, now.terms.falloff, vacuum=situation(combat).vacuum)
    dv, why = floored(dv - away, f"{dv} - {away} at {now.meters} m" if away else f"{dv}")
    dodged = passed(combat, now.role(DEFEND))
    if dodged and now.who in now.terms.edge:
        return "clear"
    if dodged:
        dv, why = half_up(dv, 2), f"{why}, halved: dodged"
    yield DV.found(now.role(DAMAGE), dv, why, HERE, who=now.who)
    return "effects" if now.terms.weapon else "plain"


def apply_armor(combat: Combat) -> Deed:
    """Computes the armor that counts: of the right kind, halved if pierced or in a fall."""
    now = caught(combat)
    value = armor(combat, now.who, now.does.armor)
    left, why = value, f"{now.does.armor} armor {value}"
    if now.does.half or now.does.pierces:
        left, why = half_up(value, 2), f"half of {why}"
    yield ARMOR.found(now.place, left, why, HERE, who=now.who)
    return None
