"""`Blow`: the figures of steps 4 and 5 for attacks, blasts, spells and dumpshock."""

from collections.abc import Callable, Mapping

import msgspec

from ledger.key import role
from ledger.modifier import Modifier
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.shadowrun_4e.actions.terms import BlastTerms
from machines.shadowrun_4e.attack.attack import NET
from machines.shadowrun_4e.attack.attack_context import ROUNDS, Attack, attack
from machines.shadowrun_4e.attack.modifiers import armor_kind
from machines.shadowrun_4e.attack.shooting import burst
from machines.shadowrun_4e.harm.blast import Blast, meters_of, of_attack, of_row, of_terms, value_at, victim
from machines.shadowrun_4e.magic.spell_context import casting
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.printed_codes import HALF, parse_damage
from machines.shadowrun_4e.sheet.sheet_access import attribute, matrix, plane, sheet
from machines.shadowrun_4e.tables.tables import BARRIERS, GRENADES
from projections.combat import Combat

BLOW = FigureName("blow", str)
"""Figure of an exchange: the type of blow, if it is not that of the declaration."""
DUMPSHOCK = 5
PHYSICAL, STUN, MATRIX = "physical", "stun", "matrix"


class Blow(msgspec.Struct, frozen=True):
    """One blow on one victim."""

    place: str
    """The key under which its rolls and figures are recorded."""
    by: str
    at: str
    what: str
    base: int
    why: str
    source: str
    physical: bool = True
    adds: tuple[Modifier, ...] = ()
    autofire: int = 0
    """Counts in damage, not in the comparison with armor."""
    ap: str = ""
    armor: str = ""
    """The armor rating that helps; empty for none."""
    barrier_armor: int = 0
    """The Armor of a barrier in between."""
    through: str = ""
    """The barrier in between, if there is one."""
    bypasses: bool = False
    """Whether a called shot bypasses armor."""
    attribute: str = "body"
    electric: bool = False
    magical: bool = False
    """Whether it overcomes immunity to normal weapons."""
    icon: bool = False
    """Whether it harms an icon in the Matrix."""
    spills: bool = True
    """Whether Stun beyond the track becomes Physical."""
    compared: bool = True
    """Whether it is compared to armor, so that it may become Stun."""
    knockdown: int = 0
    """By how much Body counts as less for knockdown."""
    unresisted: bool = False
    """Whether there is no damage resistance test."""
    barrier_row: str = ""
    """The row of the Damaging Barriers Table."""
    shots: int = 1

    def role(self, name: str) -> str:
        """Returns the key of one of its rolls."""
        return role(self.place, name)


def blow(combat: Combat) -> Blow:
    """Returns the blow being resolved."""
    now = frame(combat)
    return BLOWS[BLOW.at(combat, now.key, now.kind)](combat)


# ------------------------------------------------------------------------------------------------ attacks


def _attacked(combat: Combat) -> Blow:
    now = attack(combat)
    if now.grenade is not None:
        return _from_blast(combat, now.key, now.by, of_attack(combat, now), _hits_add(combat, now))
    code = now.code
    base, why = BASES.get(now.damage.base, _by_formula)(combat, now)
    person = now.program is not None and now.program.person
    physical = _physical(combat, now)
    return Blow(
        now.place,
        now.by,
        now.at,
        now.name,
        base,
        why,
        "SR4S Combat Sequence 4A",
        physical,
        tuple(add for name in now.damage.adds for add in ADDS[name](combat, now)) + _called(now),
        autofire=0 if now.terms.wide or "autofire" not in now.damage.adds else burst(combat, now),
        ap=_ap(now),
        armor=now.damage.person_armor if person else armor_kind(now),
        barrier_armor=between(combat, now.terms.through),
        through=now.terms.through,
        bypasses=now.called is not None and now.called.does == "bypass",
        attribute=now.damage.person_attribute if person else now.damage.attribute,
        electric=code.electric,
        magical=now.weapon.focus > 0 or plane(combat, now.by).astral or bool(sheet(combat, now.by).force),
        icon=now.program is not None and not person,
        spills=now.program is None or now.program.spills,
        compared=not person,
        knockdown=now.ammunition.knockdown if now.ammunition else 0,
        barrier_row=now.weapon.barrier or BARRIER_ROWS[now.ranged, bool(now.weapon.modes)],
        shots=max(1, ROUNDS.at(combat, now.place, 1)),
    )


BARRIER_ROWS: Mapping[tuple[bool, bool], str] = {
    (True, True): "bullet",
    (True, False): "projectile",
    (False, True): "melee or unarmed",
    (False, False): "melee or unarmed",
}
"""By (ranged, has firing modes): the row of the Damaging Barriers Table of a weapon that names none."""


def between(combat: Combat, barrier: str) -> int:
    """Returns the Armor of the barrier that is shot through; 0 for none.

    Source: SR4 157 Barriers
    """
    return barrier_armor(combat, barrier) if barrier else 0


def barrier_armor(combat: Combat, who: str) -> int:
    """Returns a barrier's Armor: that of its sheet, or its material's.

    Source: SR4S Barrier Rating Table
    """
    owner = sheet(combat, who)
    return owner.barrier_armor or (BARRIERS[owner.material].armor if owner.material else 0)


def _behind(combat: Combat) -> Blow:
    """Returns the blow of an attack on the barrier in between.

    Source: SR4 157 Barriers; Ruling: SR4-N39
    """
    now = _attacked(combat)
    place = f"{now.place}/{now.through}"
    return msgspec.structs.replace(now, place=place, at=now.through, barrier_armor=0, through="", bypasses=False)


BEHIND = "barrier in between"
"""The type of blow that strikes a barrier before the target behind it."""


def _by_weapon(combat: Combat, now: Attack) -> tuple[int, str]:
    """Returns the value of the weapon's code; in astral combat Charisma replaces Strength."""
    code, value = now.code, 0
    if code.attribute == "strength_minimum":
        value = now.weapon.strength_minimum
    elif code.attribute:
        astral = now.test.astral and code.attribute == "strength"
        value = attribute(combat, now.by, "charisma" if astral else code.attribute)
    return code.value(value), f"{now.code_text} of {now.name}"


def _by_program(combat: Combat, now: Attack) -> tuple[int, str]:
    value = matrix(combat, now.by).programs.get(now.name, 0)
    return value, f"{now.name} {value}"


def _by_formula(combat: Combat, now: Attack) -> tuple[int, str]:
    """Returns the value of the formula that the grid prints, with the attacker's attribute or Force."""
    code = parse_damage(f"{now.damage.base}S")
    return code.value(attribute(combat, now.by, code.attribute)), f"{now.damage.base} of {now.name}"


BASES: Mapping[str, Callable[[Combat, Attack], tuple[int, str]]] = {"program": _by_program, "weapon": _by_weapon}
"""By the `base` column of the damage grid; any other text there is a formula."""


def _physical(combat: Combat, now: Attack) -> bool:
    """Returns whether it causes Physical damage, before armor is compared."""
    if now.program is not None:
        way = now.program.hot if plane(combat, now.at).hot else now.program.cold
        return way == PHYSICAL
    if now.terms.harms:
        return now.terms.harms == PHYSICAL
    stuns = now.ammunition is not None and now.ammunition.stun
    return now.code.physical and not now.code.electric and not stuns


def _net(combat: Combat, now: Attack) -> tuple[Modifier, ...]:
    return (Modifier(NET.at(combat, now.place), "net hits", "SR4S Combat Sequence 4A"),)


def _rounds(_: Combat, now: Attack) -> tuple[Modifier, ...]:
    row = now.ammunition
    return (Modifier(row.damage, row.name, row.source),) if row is not None and row.damage else ()


ADDS: Mapping[str, Callable[[Combat, Attack], tuple[Modifier, ...]]] = {
    "net hits": _net,
    "ammunition": _rounds,
    "autofire": lambda *_: (),
}
"""By the words of the damage grid; autofire is recorded separately, since it is not compared to armor."""


def _called(now: Attack) -> tuple[Modifier, ...]:
    if now.called is None or now.called.does != "damage":
        return ()
    return (Modifier(now.terms.called_for, f"called shot: {now.called.name}", now.called.source),)


def _ap(now: Attack) -> str:
    """Returns the armor penetration of weapon plus ammunition; "-half" of either one replaces the sum."""
    loaded = now.ammunition.ap if now.ammunition else ""
    if HALF in (loaded, now.weapon.ap):
        return HALF
    return f"{int(now.weapon.ap or 0) + int(loaded or 0):+d}"


# ------------------------------------------------------------------------------------------------ blasts


def _hits_add(combat: Combat, now: Attack) -> tuple[Modifier, ...]:
    """Returns net hits as added damage, if the profile adds them to a grenade's damage. Ruling: SR4-C4."""
    return _net(combat, now) if HITS_ADD[profile(combat).grenade_hits] else ()


HITS_ADD = {"accuracy": False, "damage": True}
"""Whether net hits add to a blast's damage, by the value of `grenade_hits`."""


def _from_blast(combat: Combat, key: str, by: str, blast: Blast, adds: tuple[Modifier, ...] = ()) -> Blow:
    who = victim(combat, key, blast)
    meters, rebounds = meters_of(combat, key, blast, who), blast.caught[who].rebounds
    value = value_at(blast, meters, rebounds)
    code = blast.code
    armor = "impact" if code is not None and code.flechette else blast.armor
    why = f"{blast.what} at {meters} m" + (f", thrown back over {', '.join(map(str, rebounds))} m" if rebounds else "")
    return Blow(
        f"{key}/{who}",
        by,
        who,
        blast.what,
        value,
        why,
        blast.source,
        code is not None and code.physical,
        adds if value else (),
        ap=blast.ap,
        armor=armor,
        electric=code is not None and code.electric,
        barrier_row="explosive",
    )


def blast_of(combat: Combat) -> Blast:
    """Returns the blast that was declared."""
    terms = typed(frame(combat).terms, BlastTerms)
    return of_row(combat, GRENADES[terms.grenade], terms.caught) if terms.grenade else of_terms(terms)


def _exploded(combat: Combat) -> Blow:
    now = frame(combat)
    return _from_blast(combat, now.key, now.by, blast_of(combat))


# ------------------------------------------------------------------------------------------------ spells, shocks


def _cast(combat: Combat) -> Blow:
    now = casting(combat)
    net, spell = NET.at(combat, now.place), now.spell
    direct = spell.effect == "direct"
    return Blow(
        now.place,
        now.by,
        now.at,
        now.terms.spell,
        now.terms.force,
        f"Force {now.terms.force}",
        "SR4 196 Combat Spells",
        not spell.stun and not spell.electric,
        (Modifier(net, "net hits", "SR4 196 Combat Spells"),),
        ap=spell.ap,
        armor="" if direct else spell.armor,
        electric=spell.electric,
        magical=True,
        unresisted=direct,
        barrier_row="combat spell",
    )


def _shocked(combat: Combat) -> Blow:
    """Returns dumpshock as a blow: Damage Value 5, Physical in hot sim.

    Source: SR4 237 Dumpshock
    """
    now = frame(combat)
    who = VICTIM_OF_SHOCK.at(combat, now.key, now.by)
    return Blow(
        role(f"{now.key}/{who}", "dumpshock"),
        now.by,
        who,
        "dumpshock",
        DUMPSHOCK,
        "thrown out of the Matrix",
        "SR4 237 Dumpshock",
        plane(combat, who).hot,
        armor="biofeedback filter",
        attribute="willpower",
        compared=False,
    )


VICTIM_OF_SHOCK = FigureName("thrown out", str)
"""Figure of an exchange: who suffers dumpshock."""


BLOWS: Mapping[str, Callable[[Combat], Blow]] = {
    "attack": _attacked,
    BEHIND: _behind,
    "suppressed": _attacked,
    "explosion": _exploded,
    "cast": _cast,
    "dumpshock": _shocked,
}
"""By the kind of declaration, or by the figure `BLOW`."""
