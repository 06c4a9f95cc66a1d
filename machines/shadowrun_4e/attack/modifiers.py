"""Step 2 of the Combat Sequence: the modifiers of the attacker's and the defender's pool."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ledger.events import Event, ModifierApplied
from ledger.modifier import Modifier
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit, modified
from machines.secrecy.part_sources import of_condition, of_sheet
from machines.shadowrun_4e.attack.attack_context import Attack, parrying
from machines.shadowrun_4e.attack.shooting import burst, distance, moving, recoil
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.sheet_access import (
    feels,
    is_barrier,
    is_specialized,
    plane,
    rating,
    sheet,
    situation,
    worn,
)
from machines.shadowrun_4e.sheet.specializations import SPECIALIZATION, of_defense
from machines.shadowrun_4e.tables.rows import Situation
from machines.shadowrun_4e.tables.tables import (
    DEFENSE_MODIFIERS,
    MELEE_MODIFIERS,
    RANGED_MODIFIERS,
    VISIBILITY,
)
from projections.combat import Combat

RUNNING, PRONE, FULL_DEFENSE = "running", "prone", "full_defense"
AIMS_AT = FigureName("aims at", str, scope="combatant")
AIMED = FigureName("aims taken", int, scope="combatant")
SHOT_AT = FigureName("shot at in this phase", str, scope="phase")
"""Figure of a combatant: the targets they shot at in this Action Phase."""
DEFENDED = FigureName("attacks defended against", int, scope="turn")
"""Figure of a combatant: the attacks they defended against since their last action."""
SKILL = FigureName("defends with", str)
"""Figure of a defense: the skill it uses."""
COVER = ("target has partial cover", "target has good cover")
"""The rows for cover, which the profile may apply to the defender instead."""
OFF_HAND = ("attacker using off-hand weapon", "character using off-hand weapon")
"""The rows that, of two weapons, count for the second."""
_RANGED, _DEFENSE = "SR4S Ranged Combat Modifiers Table", "SR4S Defense Modifiers Table"


def row(key: str, line: Situation, times: int = 1) -> ModifierApplied:
    """Returns a row of a modifiers table as a modifier, multiplied and capped at the row's maximum."""
    value = line.value * times
    value = min(value, line.most) if line.most else value
    return ModifierApplied(key, value, line.name, line.source)


# ------------------------------------------------------------------------------------------------ the attacker


def attack_modifiers(combat: Combat, now: Attack, key: str) -> Telling:
    """Applies the attacker's modifiers, except those for wounds and conditions.

    Source: SR4S Ranged Combat Modifiers Table, Melee Modifiers Table, Visibility Modifiers
    """
    combat = yield from emit(combat, KINDS[now.ranged](combat, now, key))
    combat = yield from emit(combat, _always(combat, now, key))
    if now.ranged:
        combat = yield from recoil(combat, now, key)
        combat = yield from _remember(combat, now)
    return combat


def _always(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    yield from seeing(combat, now.by, now.terms.visibility, key)
    if now.called is not None:
        less = CALLED[now.called.does](combat, now)
        harder = modified(key, less, f"called shot: {now.called.name}", now.called.source)
        yield from of_sheet(combat, now.at if now.called.does == "bypass" else now.by, harder)
    if now.weapon.focus:
        yield ModifierApplied(key, now.weapon.focus, "weapon focus", "SR4 191 Weapon Foci")
    here = plane(combat, now.by)
    if now.program is not None and here.dice:
        yield ModifierApplied(key, here.dice, here.name, here.source)


CALLED: Mapping[str, Callable[[Combat, Attack], int]] = {
    "bypass": lambda combat, now: -worn(combat, now.at, armor_kind(now)),
    "damage": lambda _, now: -now.terms.called_for,
    "disarm": lambda _, now: now.called.modifier if now.called else 0,
}
"""The dice a called shot costs, by its effect (SR4 149 Called Shots)."""


def armor_kind(now: Attack) -> str:
    """Returns the armor rating that an attack meets: that of the grid, the ammunition or the weapon.

    Source: SR4S Combat Sequence 5
    """
    loaded = now.ammunition.armor if now.ammunition else ""
    if now.code.flechette:
        return "impact"
    return (loaded or now.weapon.armor) if now.damage.armor == "weapon" else now.damage.armor


def _ranged(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    table = RANGED_MODIFIERS
    less = max(0, moving(combat, now) - now.weapon.gyro)
    if less:
        yield ModifierApplied(key, -less, "attacker running", _RANGED)
    yield from distance(combat, now, key)
    yield from _declared(combat, now, key, table)
    sight = SIGHTS.get(now.weapon.sight)
    if sight:
        yield row(key, table[sight])
    if aims_at(combat, now.by, now.at):
        taken = AIMED.of(combat, now.by)
        yield row(key, table["aimed shot"], taken)
    others = _others_shot_at(combat, now)
    if others:
        yield row(key, table["multiple targets"], others)
    if now.ammunition is not None and now.ammunition.tracer and now.mode is not None and now.mode.tracer:
        yield ModifierApplied(key, now.mode.tracer, f"tracer rounds, {now.mode.name}", _RANGED)


SIGHTS: Mapping[str, str] = {
    "laser sight": "attacker using laser sight",
    "smartlink": "attacker using smartlinked weapon",
}
"""The row of each sight; a weapon has one, since sights are not cumulative."""


def aims_at(combat: Combat, by: str, at: str) -> bool:
    """Returns whether a combatant has taken aim at this target.

    Source: SR4S Ranged Combat Modifiers Table
    """
    return combat.conditions.has(by, "aiming") and AIMS_AT.of(combat, by) == at


def _declared(combat: Combat, now: Attack, key: str, table: Mapping[str, Situation]) -> Iterator[Event]:
    """Yields the declared rows; cover only if the profile applies it to the attacker."""
    for name in declared_rows(now.terms.modifiers):
        hand = name not in OFF_HAND or now.nth == len(now.weapons) or len(now.weapons) == 1
        if name in table and hand and (name not in COVER or COVERS[profile(combat).cover][0]):
            yield row(key, table[name])


def declared_rows(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the declared rows without duplicates; of partial and good cover only the better.

    Source: SR4S Ranged Combat Modifiers Table; Ruling: SR4-N34
    """
    found = tuple(dict.fromkeys(names))
    return tuple(name for name in found if name != COVER[0] or COVER[1] not in found)


COVERS: Mapping[str, tuple[bool, bool]] = {"attacker": (True, False), "defender": (False, True)}
"""Whether cover takes dice from the attacker, and whether it gives them to the defender, by the value of `cover`."""


def _others_shot_at(combat: Combat, now: Attack) -> int:
    """Returns the number of other targets shot at in this Action Phase."""
    before = SHOT_AT.of(combat, now.by).split(", ")
    return len([who for who in before if who and who != now.at])


def _remember(combat: Combat, now: Attack) -> Telling:
    before = [who for who in SHOT_AT.of(combat, now.by).split(", ") if who]
    names = ", ".join(dict.fromkeys([*before, now.at]))
    return (yield SHOT_AT.found(now.place, names, "", _RANGED, who=now.by))


def _melee(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    table = MELEE_MODIFIERS
    if now.melee:
        yield from _blow(combat, now, key)
        yield from _reach(combat, now, key, attacker=True)
    yield from _declared(combat, now, key, table)


def _blow(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    table = MELEE_MODIFIERS
    if now.terms.friends:
        yield row(key, table["friends in the melee"], now.terms.friends)
    if now.terms.charge:
        yield row(key, table["attacker making charging attack"])
    if combat.conditions.has(now.at, PRONE):
        yield from of_condition(combat, now.at, PRONE, [row(key, table["opponent prone"])])


KINDS: Mapping[bool, Callable[[Combat, Attack, str], Iterator[Event]]] = {True: _ranged, False: _melee}
"""By whether the attack is ranged; astral and Matrix attacks have only declared modifiers."""


def net_reach(combat: Combat, now: Attack) -> int:
    """Returns the attacker's Reach less the defender's.

    Source: SR4S Melee Modifiers Table
    """
    return 0 if is_barrier(combat, now.at) else now.weapon.reach - defending_reach(combat, now)


def defending_reach(combat: Combat, now: Attack) -> int:
    """Returns the Reach of the weapon the defender parries with; 0 without one.

    Source: SR4S Melee Modifiers Table
    """
    held = parrying(combat, now)
    return held[1].reach if held else 0


def _reach(combat: Combat, now: Attack, key: str, *, attacker: bool) -> Iterator[Event]:
    """Yields the Reach modifier: a bonus for the longer reach, or the same penalty for the shorter one."""
    net = net_reach(combat, now) * (1 if attacker else -1)
    given = REACHES[now.terms.reach](net)
    if given:
        line = MELEE_MODIFIERS["character has longer reach"]
        why = line.name if given > 0 else "opponent has longer reach"
        longer = ModifierApplied(key, given, why, line.source)
        yield from of_sheet(combat, now.at if attacker else now.by, [longer])


REACHES: Mapping[str, Callable[[int], int]] = {"attacker": lambda net: max(0, net), "defender": lambda net: min(0, net)}
"""The net Reach that counts, by whether the attacker's or the defender's pool changes."""


def seeing(combat: Combat, who: str, declared: str, key: str) -> Iterator[Event]:
    """Yields the modifier for impaired visibility on the physical plane.

    Source: SR4S Visibility Modifiers
    """
    here = plane(combat, who)
    if not here.astral and not here.virtual:
        for part in sight(combat, who, declared):
            yield ModifierApplied(key, part.value, part.why, part.source)


def sight(combat: Combat, who: str, declared: str) -> tuple[Modifier, ...]:
    """Returns the visibility modifier for a combatant's best sense; the declared visibility overrides the fight's.

    Source: SR4S Visibility Modifiers
    """
    name = declared or situation(combat).visibility
    if not name:
        return ()
    line = VISIBILITY[name]
    best = max(getattr(line, sense.replace("-", "_")) for sense in sheet(combat, who).vision)
    return (Modifier(best, f"visibility: {name}", line.source),) if best else ()


# ------------------------------------------------------------------------------------------------ the defender


def defense_modifiers(combat: Combat, now: Attack, key: str, skill: str) -> Iterator[Event]:
    """Yields the defender's modifiers, except those for wounds and conditions.

    Source: SR4S Defense Modifiers Table, Melee Modifiers Table; Ruling: SR4-N49
    """
    table, who = DEFENSE_MODIFIERS, now.at
    yield from hampered(combat, who, key)
    for name in dict.fromkeys(now.terms.theirs):
        if name in table:
            yield row(key, table[name])
    yield from _FURTHER[now.ranged](combat, now, key)
    if combat.conditions.has(who, FULL_DEFENSE):
        yield from of_condition(combat, who, FULL_DEFENSE, fully(combat, now, key, skill))


def hampered(combat: Combat, who: str, key: str) -> Iterator[Event]:
    """Yields the penalties of every defense: for previous attacks, and for being prone.

    Source: SR4S Defense Modifiers Table
    """
    table, before = DEFENSE_MODIFIERS, DEFENDED.of(combat, who)
    if before:
        yield row(key, table["defender has defended against previous attacks"], before)
    if feels(combat, who, PRONE):
        yield from of_condition(combat, who, PRONE, [row(key, table["defender prone"])])


def on_the_run(combat: Combat, who: str, key: str) -> Iterator[Event]:
    """Yields the defender's bonus for running.

    Source: SR4S Defense Modifiers Table
    """
    if combat.conditions.has(who, RUNNING):
        yield from of_condition(combat, who, RUNNING, [row(key, DEFENSE_MODIFIERS["defender running"])])


def defended(combat: Combat, who: str, key: str) -> Telling:
    """Counts one more attack defended against since the combatant's last action.

    Source: SR4S Defense Modifiers Table
    """
    count = DEFENDED.of(combat, who) + 1
    return (yield DEFENDED.found(key, count, "", _DEFENSE, who=who))


def _at_range(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    table = DEFENSE_MODIFIERS
    yield from on_the_run(combat, now.at, key)
    if now.terms.wide and now.mode is not None and burst(combat, now):
        yield ModifierApplied(key, -burst(combat, now), now.mode.wide, _DEFENSE)
    if now.grenade is not None:
        yield row(key, table["attacker using area attack weapon"])
    yield from covered(combat, now.terms.modifiers, key)


def covered(combat: Combat, names: Iterable[str], key: str) -> Iterator[Event]:
    """Yields the defender's bonus for cover, if the profile applies cover to the defender.

    Source: SR4A 160 Cover
    """
    if COVERS[profile(combat).cover][1]:
        for name in (each for each in declared_rows(names) if each in COVER):
            yield ModifierApplied(key, -RANGED_MODIFIERS[name].value, name, "SR4A 160 Cover")


def _hand_to_hand(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    if not now.melee:
        return
    table = MELEE_MODIFIERS
    if now.terms.enemies:
        yield row(key, table["friends in the melee"], now.terms.enemies)
    if now.terms.charge:
        yield row(key, table["defender receiving a charge"])
    if feels(combat, now.by, PRONE):
        yield from of_condition(combat, now.by, PRONE, [row(key, table["opponent prone"])])
    for name in dict.fromkeys(now.terms.theirs):
        if name in table:
            yield row(key, table[name])
    yield from _reach(combat, now, key, attacker=False)
    yield from seeing(combat, now.at, now.terms.visibility, key)


_FURTHER: Mapping[bool, Callable[[Combat, Attack, str], Iterator[Event]]] = {True: _at_range, False: _hand_to_hand}


def fully(combat: Combat, now: Attack, key: str, skill: str) -> Iterator[Event]:
    """Yields the full-defense skill; the profile decides whether Dodge counts a second time when dodging.

    Source: SR4S Combat Sequence 3B
    """
    name = now.test.full_defense
    value = rating(combat, now.at, name) or 0
    if value and is_specialized(combat, now.at, name, of_defense("ranged" if now.ranged else "melee")):
        value += SPECIALIZATION
    if value and (skill != name or TWICE[profile(combat).dodging_twice]):
        yield ModifierApplied(key, value, f"full defense: {name}", "SR4S Combat Sequence")


TWICE: Mapping[str, bool] = {"once": False, "twice": True}
"""Whether Dodge counts twice when dodging on full defense, by the value of `dodging_twice`."""
