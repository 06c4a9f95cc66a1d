"""What may be declared, by whom and when; and what is worth offering."""

from collections.abc import Iterator

from ledger.commands import Declare
from ledger.dice import parse
from machines import refusals as no
from machines.eclipse_phase_1e.reading import UNABLE, attack_of, attacks_left, sheet, skill, weapon_of
from machines.eclipse_phase_1e.sheet import AttackTerms, ComplexTerms, NoTerms, QuickTerms, Sheet, Weapon
from machines.eclipse_phase_1e.tables import ATTACK_KINDS, FIRING_MODES, MISHAPS, RANGES, SITUATIONS, SKILLS
from machines.eclipse_phase_1e.turn import complex_left, quick_left
from projections.combat import Combat


def check_attack(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Refuse an attack on nobody, with nothing, beyond the actions there are, or with words that no table has."""
    _check_complex(combat, by, another=attacks_left(combat, by) > 0)
    _check_target(combat, by, terms)
    owner = sheet(combat, by)
    weapon = _check_weapon(combat, by, owner, terms)
    _check_way(combat, by, terms)
    _one_of(terms.mode or next(iter(weapon.modes), ""), (*weapon.modes, *([] if weapon.modes else [""])), "mode")
    _one_of(terms.range or "short", tuple(RANGES), "range")
    fitting = tuple(name for name, row in SITUATIONS.items() if weapon.kind in row.kinds)
    for name in terms.modifiers:
        _one_of(name, fitting, "modifiers")
    if skill(owner, weapon.skill) is None:
        raise no.Incomplete(
            f"{by}'s sheet has neither {weapon.skill} nor the aptitude linked to it", where=f"combatants.{by}.sheet",
            accepts=f"skills.{weapon.skill} or aptitudes.{SKILLS[weapon.skill].aptitude}",
        )  # fmt: skip


def _check_target(combat: Combat, by: str, terms: AttackTerms) -> None:
    others = tuple(who for who, one in combat.roster.who.items() if one.here and who != by)
    if terms.at not in others:
        raise no.UnknownCombatant(f"{by} cannot attack {terms.at!r}", where="at", accepts=", ".join(others) or "nobody")
    defends = not terms.surprised and not combat.conditions.has(terms.at, *UNABLE)
    if defends and skill(sheet(combat, terms.at), "fray") is None:
        raise no.Incomplete(
            f"{terms.at}'s sheet has neither fray nor ref", where=f"combatants.{terms.at}.sheet",
            accepts="skills.fray or aptitudes.ref",
        )  # fmt: skip


def _check_weapon(combat: Combat, by: str, owner: Sheet, terms: AttackTerms) -> Weapon:
    try:
        weapon, name = weapon_of(owner, terms)
    except KeyError:
        names = ", ".join(owner.weapons) or "none"
        raise no.BadTerms(f"{by} has no weapon {terms.using!r}", where="using", accepts=names) from None
    _one_of(weapon.kind, tuple(ATTACK_KINDS), "using.kind")
    _one_of(weapon.skill, tuple(SKILLS), "using.skill")
    for mode in weapon.modes:
        _one_of(mode, tuple(FIRING_MODES), "using.modes")
    parse(weapon.damage)
    for mishap in MISHAPS:
        if combat.conditions.has(by, f"{name}_{mishap}".replace(" ", "_")):
            raise no.CannotAct(f"{by}'s {name} is {mishap}", where="using", accepts="another weapon, or put it right")
    return weapon


def _check_way(combat: Combat, by: str, terms: AttackTerms) -> None:
    """Refuse to finish a Complex Action otherwise than it was begun.

    Source: EP1 198 Firing Modes
    """
    begun = combat.figures.of(by, "attacks with")
    if attacks_left(combat, by) and attack_of(combat, "", by, terms).way != begun:
        raise no.ActionUsedUp(f"what is left of {by}'s Complex Action is {begun}", where="using", accepts=str(begun))


def _check_able(combat: Combat, by: str) -> None:
    if combat.conditions.has(by, *UNABLE):
        state = next(name for name in UNABLE if combat.conditions.has(by, name))
        raise no.CannotAct(f"{by} is {state}", where="by", accepts="end")


def check_quick(combat: Combat, by: str, _: QuickTerms) -> None:
    """Refuse more Quick Actions than the phase has."""
    _check_able(combat, by)
    if quick_left(combat) < 1:
        raise no.ActionUsedUp(f"{by} has no Quick Action left", where="kind", accepts="end")


def check_complex(combat: Combat, by: str, _: ComplexTerms | NoTerms) -> None:
    """Refuse a second Complex Action."""
    _check_complex(combat, by, another=False)


def _check_complex(combat: Combat, by: str, *, another: bool) -> None:
    _check_able(combat, by)
    if another:
        return
    if not complex_left(combat):
        raise no.ActionUsedUp(f"{by} has used up what a Complex Action takes", where="kind", accepts="quick or end")


def _one_of(word: str, words: tuple[str, ...], where: str) -> None:
    if word not in words:
        raise no.BadTerms(f"{where} cannot be {word!r}", where=where, accepts=", ".join(filter(None, words)) or "none")


def check_owner(who: str, owner: Sheet) -> None:
    """Refuse a sheet whose weapons use words that no table has.

    Raises:
        BadSheet: With the path of the field.
    """
    for name, weapon in owner.weapons.items():
        where = f"combatants.{who}.sheet.weapons.{name}"
        for field, word, words in (("kind", weapon.kind, ATTACK_KINDS), ("skill", weapon.skill, SKILLS)):
            if word not in words:
                raise no.BadSheet(
                    f"{who}'s {name}: no {field} {word!r}", where=f"{where}.{field}", accepts=", ".join(words)
                )
        unknown = [mode for mode in weapon.modes if mode not in FIRING_MODES]
        if unknown:
            raise no.BadSheet(
                f"{who}'s {name}: no mode {unknown[0]!r}", where=f"{where}.modes", accepts=", ".join(FIRING_MODES)
            )
        parse(weapon.damage)


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """Each weapon at each other combatant, in its usual mode; full defense; getting up."""
    for other in combat.roster.here():
        if other != who:
            for weapon in sheet(combat, who).weapons:
                yield Declare("attack", who, {"at": other, "using": weapon})
    yield Declare("full_defense", who)
    yield Declare("complex", who, {"what": "does something that takes the whole phase"})
    yield Declare("quick", who, {"what": "does something quick"})
    if combat.conditions.has(who, "prone"):
        yield Declare("quick", who, {"what": "stand up", "stand": True})
