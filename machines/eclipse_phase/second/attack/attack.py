"""Steps 1 and 2: declaring the attack and the defense."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ActionSpent,
    ChoiceRequested,
    ConditionGained,
    ModifierApplied,
    Option,
    ResourceSpent,
    RollRequested,
)
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.actions import HAS_SUPPRESSED, SINCE
from machines.eclipse_phase.family.attacks import assumed_use, dodges, spoiled
from machines.eclipse_phase.family.d100 import capped
from machines.eclipse_phase.family.edition import HAND
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.attack.modifiers import AGGRESSIVE, SHOT_AT, SHOT_AT_EACH, defense_modifiers
from machines.eclipse_phase.second.attack.ranges import assumed_range
from machines.eclipse_phase.second.figure_names import BLIND
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import Base, check, needed, skill, states
from machines.eclipse_phase.second.success_tests.roles import PERCEIVE
from machines.eclipse_phase.second.success_tests.success import SIGHTLESS, begin, prepare
from machines.secrecy.part_sources import of_parts
from projections.combat import Combat

CHANCE = FigureName("chance", str)
IN_VAIN = "in vain"
"""Value of the chance by which an attack misses."""
NEXT_MOMENT = "their next moment"
"""What ends a full defense, an aim and an aggressive attack."""
HANDS = FigureName("hands", int, scope="phase")
HANDS_LEFT = FigureName("hands left", str, scope="phase")
"""Figures of weapons fired at once: their number, and those still to be fired."""
FIRED = FigureNames("has fired in this turn: ", int, scope="round")
_STEP_1, _STEP_2 = "EP2 12/01 Step 1", "EP2 12/01 Step 2"
_HANDS = "EP2 12/15 Extra Ranged Weapons"


# ------------------------------------------------------------------------------------------------ 1


def declare_attack(combat: Combat) -> Deed:
    """Begins or continues a Complex Action with an attack: rounds and the attack skill."""
    now = attack(combat)
    if now.suppressing:
        combat = yield from _once_on_each(combat, now)
    else:
        combat = yield from _begin_action(combat, now)
        combat = yield from _fire(combat, now)
    combat = yield from emit(combat, (*assumed_range(now), *assumed_use(combat, now)))
    combat = yield from attack_skill(combat, now)
    if now.terms.aggressive:
        why, source = "an aggressive attack", "EP2 12/02 Aggressive Attacks"
        yield ConditionGained(now.by, AGGRESSIVE, None, NEXT_MOMENT, now.key, why, source)
    return None


def _once_on_each(combat: Combat, now: Attack) -> Telling:
    since, source = SINCE.of(combat, now.by), "EP2 12/04 Suppressive Fire"
    return (yield HAS_SUPPRESSED[now.at].found(now.key, since, "", source, who=now.by))


def attack_skill(combat: Combat, now: Attack) -> Telling:
    """Sets the base of the roll to hit. A specialization applies to a weapon, its ammunition or a called shot.

    Source: EP2 12/01 Step 1
    """
    start = needed(combat, now.by, now.weapon.skill, now.name, now.weapon.fires, now.terms.called)
    return (yield from begin(combat, now.hit, now.by, start, _STEP_1))


def _begin_action(combat: Combat, now: Attack) -> Telling:
    """Spends the action, or continues with the next of several weapons; a single shot is possible once a turn."""
    hands = HANDS.of(combat, now.by)
    left = HANDS_LEFT.of(combat, now.by)
    if now.name in left.split(", "):
        rest = ", ".join(name for name in left.split(", ") if name != now.name)
        nth = hands - len(left.split(", "))
        combat = yield HAND.found(now.key, nth, "weapons in other hands", _HANDS)
        combat = yield HANDS_LEFT.found(now.key, rest, "still to be fired", _HANDS, who=now.by)
    else:
        combat = yield ActionSpent(now.by, now.weapon.action, 1)
        if now.terms.also:
            names = ", ".join(now.terms.also)
            hands = 1 + len(now.terms.also)
            combat = yield HANDS.found(now.key, hands, "weapons fired at once", _HANDS, who=now.by)
            combat = yield HANDS_LEFT.found(now.key, names, "still to be fired", _HANDS, who=now.by)
    if now.mode is not None and now.mode.once:
        source = "EP2 12/04 Firing Modes"
        combat = yield FIRED[now.name].found(now.key, 1, "", source, who=now.by)
    return combat


def _fire(combat: Combat, now: Attack) -> Telling:
    """Spends the rounds; a single-use weapon is used up."""
    once = any(trait.once for trait in now.traits)
    if combat.resources.resource(now.by, now.name).of:
        rounds = now.mode.rounds if now.mode else 1
        why = f"{now.mode.name}: {rounds}" if now.mode else "used"
        combat = yield ResourceSpent(now.by, now.name, rounds, now.key, why)
    elif once:
        condition = spoiled(now.name, "used_up")
        combat = yield ConditionGained(
            now.by, condition, None, "replaced", now.key, "single-use", "EP2 12/12 Single-Use"
        )
    return combat


def is_blind(combat: Combat) -> bool:
    """Returns whether the target is out of sight, or the attacker blinded."""
    now = attack(combat)
    return now.terms.blind or (not now.kind.minds and combat.conditions.has(now.by, *SIGHTLESS))


def prepare_perceive(combat: Combat) -> Deed:
    """Prepares the Perceive Test to find the target by another sense."""
    now = attack(combat)
    key = now.role(PERCEIVE)
    modifiers = tuple(deaf(combat, now.by, key))
    yield from prepare(combat, key, now.by, needed(combat, now.by, PERCEIVE), HERE, modifiers)
    return None


def deaf(combat: Combat, who: str, key: str) -> Iterator[ModifierApplied]:
    """Yields the modifiers of conditions to perceiving.

    Source: EP2 12/21 Conditions
    """
    for row in states(combat, who):
        if row.perceive:
            yield ModifierApplied(key, row.perceive, row.name, row.source)


def find_target(combat: Combat) -> Deed:
    """Applies -30 for a perceived target, and a 50 % chance to miss for others, in place of it or in addition.

    Ruling: EP2-C18
    """
    now = attack(combat)
    found = passed(combat, now.role(PERCEIVE))
    harder = found or HARDER_EVEN_SO[profile(combat).blind_attack]
    why = "perceived" if found else "not perceived"
    yield BLIND.found(now.key, "harder" if harder else "left to chance", why, HERE)
    return "found" if found else "lost"


HARDER_EVEN_SO: Mapping[str, bool] = {"either": False, "both": True}
"""Whether the -30 also counts for a target that is not perceived, by the profile's field."""


def chance_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the roll for the 50 % chance."""
    now = attack(combat)
    yield RollRequested(now.role(CHANCE.name), now.by, "1d100", "50 % chance to miss: 00-49 does", now.key)


def read_chance(combat: Combat) -> Deed:
    """Reads the chance: 00 to 49 misses.

    Ruling: EP2-N4
    """
    now = attack(combat)
    rolled = combat.rolls[now.role(CHANCE.name)].faces[0]
    word = IN_VAIN if rolled < 50 else "it may hit"
    yield CHANCE.found(now.key, word, f"{rolled:02d} of 00-49", HERE)
    return None


# ------------------------------------------------------------------------------------------------ 2


def is_on_guard(combat: Combat, now: Attack) -> bool:
    """Returns whether the target can defend against this attack.

    Source: EP2 12/01 Step 2, 12/21 Conditions
    """
    able = all(row.defends in GUARDS[now.kind.minds] for row in states(combat, now.at))
    return able and not now.terms.surprised and not combat.roster[now.at].thing


GUARDS: Mapping[bool, tuple[str, ...]] = {False: ("yes", "outsiders"), True: ("yes", "outsiders", "mind")}
"""Values of a condition's column that allow a defense of the body, or of the mind."""


def offer_defense(combat: Combat) -> ChoiceRequested:
    """Asks for the defense: Fray, in melee also Melee, a WIL Check against psi, or none."""
    now = attack(combat)
    options = [
        Option(name, f"{each.why} {each.value}", each.value + _changed(combat, now, name))
        for name, each in defenses(combat, now).items()
    ]
    options.append(Option("none", "no defense"))
    choice = ChoiceRequested(now.role("defense"), now.at, tuple(options), None, "how to defend")
    return of_parts(
        combat, choice, (part for name in defenses(combat, now) for part in defense_modifiers(combat, now, name))
    )


def _changed(combat: Combat, now: Attack, skill: str) -> int:
    return capped(sum(e.value for e in defense_modifiers(combat, now, skill) if isinstance(e, ModifierApplied)))


def begin_defense(combat: Combat, key: str, who: str, chosen: Base) -> Telling:
    """Sets the base of the defense."""
    return (yield from begin(combat, key, who, chosen, _STEP_2))


def defenses(combat: Combat, now: Attack) -> dict[str, Base]:
    """Returns the possible defenses: their base by name.

    Source: EP2 12/01 Step 2, 12/21 Full Defense
    """
    if now.weapon.area and not now.kind.minds:
        return dict(_half_fray(combat, now))
    found = dict(DEFENSES[now.kind.defense](combat, now))
    if now.kind.parry:
        parry = skill(combat, now.at, "melee")
        found |= {"melee": parry} if parry else {}
    return found


def _whole_fray(combat: Combat, now: Attack) -> Iterator[tuple[str, Base]]:
    for name in dodges(combat, now.at):
        known = skill(combat, now.at, name, now.weapon.skill, *_wholly(combat, now.at))
        if known is not None:
            yield name, known


def _wholly(combat: Combat, who: str) -> tuple[str, ...]:
    return ("full defense",) if combat.conditions.has(who, "full_defense") else ()


def _half_fray(combat: Combat, now: Attack) -> Iterator[tuple[str, Base]]:
    for name, known in _whole_fray(combat, now):
        why = f"{known.why}, divided by 2"
        yield name, Base(half_up(known.value, 2), why, known.aptitude, known.physical, known.defaulted, known.boosted)


def _will(combat: Combat, now: Attack) -> Iterator[tuple[str, Base]]:
    start = check(combat, now.at, "wil")
    if now.terms.push == "power":
        start = Base(half_up(start.value, 2), f"{start.why}, divided by 2: pushed", start.aptitude, start.physical)
    yield "will", start


DEFENSES: Mapping[str, Callable[[Combat, Attack], Iterator[tuple[str, Base]]]] = {
    "fray": _whole_fray,
    "half_fray": _half_fray,
    "will": _will,
}
"""Defense skills, by the column of the table of attack kinds."""


def remember_target(combat: Combat, now: Attack) -> Telling:
    """Records the target of a shot, for homing rounds."""
    source = "EP2 12/09 Homing"
    for name in (SHOT_AT, SHOT_AT_EACH[now.at]):
        combat = yield name.found(now.key, now.at, "", source, who=now.by)
    return combat
