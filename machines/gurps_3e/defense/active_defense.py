"""Box 23: the active defense, its modifiers, its roll, and a second defense."""

from collections.abc import Callable, Iterator, Mapping

from ledger.audience import shared
from ledger.events import Audience, ChoiceRequested, ConditionLost, Event, ModifierApplied, Option, RollRequested
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.attack.aiming import AIMING
from machines.gurps_3e.attack.attack_context import DEFEND, DEFENSE, PAGE, Attack, attack, location
from machines.gurps_3e.attack.spending import ALL_OUT
from machines.gurps_3e.harm.shields import is_stopped_by_shield
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import (
    NEXT_TURN,
    OFF_BALANCE,
    SHOCK,
    STUNNED,
    TORSO,
    UNABLE,
    halved,
    has_lost,
    has_shield,
    is_natural,
    item_of,
    kind_of,
    lacking_strength,
    location_named,
    pd,
    posture,
    sheet,
    shock,
    skill,
    unready_conditions,
    weapons_of,
)
from machines.gurps_3e.success_rolls.success import (
    PLAIN,
    TARGET,
    modifier_events,
    passed,
    prepare,
    request_roll,
    result_of,
)
from machines.gurps_3e.tables.rows import Defense, part
from machines.gurps_3e.tables.tables import DEFENSE_MODIFIERS, DEFENSES, PARRIES, POSTURES
from machines.secrecy.part_sources import audience_of_declaration, marked, of_condition, of_parts
from projections.combat import Combat

ALL_OUT_DEFENSE = "all_out_defense"
DODGE, PARRY, BLOCK = DEFENSES
NONE = "none"
RETREATING = " and retreat"
SECOND = FigureName("second defense", str)
"""Figure of a strike against which a second defense is tried."""
PASSIVE_DEFENSE, SHOCK_PAGE = "B 98 Passive Defense", "B 126 Shock"
BY = FigureName("defends by", str)
PARRIED_WITH = FigureName("parries with", str)
RETREATS_FROM = FigureName("retreats from", str, scope="turn")


# ------------------------------------------------------------------------------------------------ 23: what can be done


def role_of(combat: Combat, now: Attack, name: str) -> str:
    """Returns the key of the choice or roll of a defense, or of the second one.

    Source: B 105 All-Out Defense
    """
    return now.role(f"second-{name}" if SECOND.is_at(combat, now.place) else name)


def can_choose(combat: Combat) -> Deed:
    """Decides whether the target defends actively: not after an All-Out Attack, if surprised, or unable to act.

    Ruling: G3-F10, G3-N27
    """
    now = attack(combat)
    yield from ()
    helpless = combat.conditions.has(now.foe, *UNABLE, ALL_OUT)
    surprised = now.foe in now.terms.unaware if now.unintended else now.terms.surprise
    return "plain" if helpless or surprised else "chooses"


def offer_defense(combat: Combat) -> ChoiceRequested:
    """Offers dodge, parry and block, with and without a retreat, and passive defense alone."""
    now = attack(combat)
    options = [Option(name, label, value) for name, label, value in _options(combat, now)]
    options.append(Option(NONE, "passive defense alone"))
    choice = ChoiceRequested(role_of(combat, now, DEFENSE), now.foe, tuple(options), None, "how to defend")
    return of_parts(combat, choice, modifiers(combat, now))


def _options(combat: Combat, now: Attack) -> Iterator[tuple[str, str, int]]:
    more = sum(event.value for event in modifiers(combat, now) if isinstance(event, ModifierApplied))
    retreat = DEFENSE_MODIFIERS["retreat"].value if can_retreat(combat, now) else 0
    for name, (value, why) in defenses(combat, now).items():
        yield name, f"{why}", value + more
        if retreat:
            yield name + RETREATING, f"{why}, retreating", value + more + retreat


def defenses(combat: Combat, now: Attack) -> dict[str, tuple[int, str]]:
    """Returns the defenses that the target has left: by name, the value and its explanation.

    Source: B 98 Active Defense
    """
    able = [row for row in DEFENSES.values() if row.name in now.kind.defenses and _is_left(combat, now.foe, row)]
    found = {name: each for row in able for name, each in WAYS[row.name](combat, now.foe)}
    tried = BY.at(combat, now.place)
    return {name: each for name, each in found.items() if kind_of_defense(name) != kind_of_defense(tried)}


def kind_of_defense(name: str) -> str:
    """Returns the row of the defenses that an option belongs to: ``parry knife and retreat`` is a parry.

    Source: B 98 Active Defense
    """
    return name.partition(" ")[0]


def _is_left(combat: Combat, who: str, row: Defense) -> bool:
    most = row.all_out if combat.conditions.has(who, ALL_OUT_DEFENSE) else row.limit
    return not most or times_tried(row.name).of(combat, who) < most


def times_tried(kind: str) -> FigureName[int]:
    """Returns the name of the figure that counts a kind of defense until the defender's next turn: ``parry tried``.

    Source: B 99 Parry, 98 Block
    """
    return FigureName(f"{kind} tried", int, scope="turn")


def _dodge(combat: Combat, who: str) -> Iterator[tuple[str, tuple[int, str]]]:
    value = halved(combat, who, sheet(combat, who).full_dodge)
    yield DODGE, (value, f"Dodge {value}")


def _parry(combat: Combat, who: str) -> Iterator[tuple[str, tuple[int, str]]]:
    for nth, (name, value) in enumerate(parries(combat, who).items()):
        yield (PARRY if not nth else f"{PARRY} {name}"), (value, f"parry {value} with {name}")


def parries(combat: Combat, who: str) -> dict[str, int]:
    """Returns the value of a parry by weapon, the best first; of an item with several lines, the best line.

    Source: B 99 Parry
    """
    able = {name: each for name, each in weapons_of(combat, who).items() if _can_parry(combat, who, name, each)}
    ranked = sorted(able, key=lambda name: -parry(combat, who, able[name]))
    best = {item_of(name, able[name]): name for name in reversed(ranked)}
    return {name: parry(combat, who, able[name]) for name in ranked if best[item_of(name, able[name])] == name}


def _can_parry(combat: Combat, who: str, name: str, weapon: Weapon) -> bool:
    usual = PARRY in kind_of(weapon).defenses
    able = usual if weapon.parries is None else weapon.parries
    lost = has_lost(combat, who, "weapons") and not is_natural(weapon)
    return (
        able and not lost and not unready_conditions(combat, who, name) and skill(combat, who, weapon.skill) is not None
    )


def parry(combat: Combat, who: str, weapon: Weapon) -> int:
    """Returns the value of a parry: half of the skill, or two thirds, without fractions.

    Source: B 99 Parry
    """
    row = PARRIES.get(weapon.skill)
    known = (skill(combat, who, weapon.skill) or 0) - lacking_strength(combat, who, weapon)
    value = max(0, known) * part(row.part if row else "1/2")
    return int(value) + weapon.parry_bonus


def _block(combat: Combat, who: str) -> Iterator[tuple[str, tuple[int, str]]]:
    held = sheet(combat, who).shield
    known = skill(combat, who, held.skill) if held is not None and has_shield(combat, who) else None
    if known is not None:
        yield BLOCK, (known // 2, f"block {known // 2}")


WAYS: Mapping[str, Callable[[Combat, str], Iterator[tuple[str, tuple[int, str]]]]] = {
    DODGE: _dodge,
    PARRY: _parry,
    BLOCK: _block,
}
"""The function that yields the options of each kind of defense."""


def can_retreat(combat: Combat, now: Attack) -> bool:
    """Returns whether the target may retreat: from a blow, from one foe in a turn, upright, not stunned.

    Source: B 109 Retreat; Ruling: G3-N9
    """
    before = RETREATS_FROM.of(combat, now.foe)
    upright = posture(combat, now.foe).defense == 0
    dazed = combat.conditions.has(now.foe, STUNNED)
    return now.kind.retreat and upright and not dazed and before in ("", now.by)


# ------------------------------------------------------------------------------------------------ 23: what changes it


def modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the modifiers of a defense: passive defense, position, stun, angle, elevation, feints, wounds.

    Source: CII 48-51 Flowchart box 23
    """
    key, foe = role_of(combat, now, DEFEND), now.foe
    worn, elsewhere = passive_defense(combat, now, key)
    yield from modifier_events(key, PASSIVE_DEFENSE, {"passive defense": worn})
    yield from elsewhere
    lies = posture(combat, foe)
    yield from of_condition(combat, foe, lies.name, modifier_events(key, lies.source, {lies.name: lies.defense}))
    for condition, name in ((STUNNED, "stunned"), (OFF_BALANCE, "off balance")):
        if combat.conditions.has(foe, condition):
            yield from of_condition(combat, foe, condition, [_row(key, name)])
    if not now.unintended:
        yield from (_row(key, name) for name in now.terms.theirs)
        yield from modifier_events(key, "B 123 Relative Elevation", {"elevation": now.terms.their_elevation})
        yield from modifier_events(key, "", now.terms.their_other)
    yield from _since_their_turn(combat, now, key)


def passive_defense(combat: Combat, now: Attack, key: str) -> tuple[int, tuple[Event, ...]]:
    """Returns the passive defense that is disclosed, and the hidden difference at a location aimed at in secret.

    Where the target may not know the location, the first value is that of the torso, so that it discloses nothing.

    Source: B 98 Passive Defense
    """
    where, aimed = location(combat, now.place), _audience_of_place(combat, now, key)
    worn = pd(combat, now.foe, where)
    if aimed is None:
        return worn, ()
    usual = pd(combat, now.foe, location_named(TORSO))
    more = modifier_events(key, PASSIVE_DEFENSE, {f"passive defense of the {where.name}": worn - usual})
    return usual, tuple(marked(more, aimed))


def _audience_of_place(combat: Combat, now: Attack, key: str) -> Audience:
    """Returns the audience of a strike's location, which was declared or rolled for."""
    rolled = (roll.seen_by for each in _OF_PLACE if (roll := combat.rolls.rolls.get(now.role(each))))
    return shared([audience_of_declaration(combat, key, now.foe), *rolled])


_OF_PLACE = ("location", "side")
"""The rolls that decide the location."""


def is_own_part(part: ModifierApplied) -> bool:
    """Returns whether a modifier discloses only facts about the roller: shock, armor, shield, posture, retreat.

    Source: B 126 Shock, 98 Passive Defense, 203 Positions, 109 Retreat
    """
    by_source = part.source in (SHOCK_PAGE, PASSIVE_DEFENSE)
    return by_source or (bool(part.source) and part.why in _OWN)


_OWN = ("stunned", "off balance", "retreat", *POSTURES)


def _row(key: str, name: str) -> ModifierApplied:
    row = DEFENSE_MODIFIERS[name]
    return ModifierApplied(key, row.value, row.name, row.source)


def _since_their_turn(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields the modifiers for feints and wounds since the target's last turn."""
    feinted = combat.conditions.of(now.foe).get(feinted_by(now.by))
    if feinted is not None:
        worse = modifier_events(key, "B 105 Feint", {"feinted": -(feinted.level or 0)})
        yield from of_condition(combat, now.foe, feinted_by(now.by), worse)
    if WOUNDS_COUNT[profile(combat).wounds_in_defense]:
        felt = modifier_events(key, SHOCK_PAGE, {"wounds": -shock(combat, now.foe, NEXT_TURN)})
        yield from of_condition(combat, now.foe, SHOCK, felt)


WOUNDS_COUNT: Mapping[str, bool] = {"count": True, "ignored": False}
"""Whether wounds count, by the value of the profile's field."""


def prepare_defense(combat: Combat) -> Deed:
    """Prepares the roll of the chosen defense, or of passive defense alone; an active defense may end an aim.

    Ruling: G3-N20
    """
    now = attack(combat)
    chosen = combat.exchange.chosen.get(role_of(combat, now, DEFENSE), NONE)
    name = chosen.removesuffix(RETREATING)
    known = defenses(combat, now).get(name)
    if known is None:
        yield from _passive(combat, now)
        return None
    combat = yield from emit(combat, _counts(combat, now, name))
    value, why = known
    more = [*modifiers(combat, now)]
    if chosen != name:
        more.append(_row(role_of(combat, now, DEFEND), "retreat"))
        combat = yield RETREATS_FROM.found(now.place, now.by, "", "B 109 Retreat", who=now.foe)
    combat = yield from prepare(combat, role_of(combat, now, DEFEND), now.foe, value, why, PAGE, more)
    if ENDS_AIM[profile(combat).defense_while_aiming] and combat.conditions.has(now.foe, AIMING):
        yield ConditionLost(now.foe, AIMING, "defends")
    return None


ENDS_AIM: Mapping[str, bool] = {"keeps_aim": False, "ends_aim": True}
"""Whether an active defense ends an aim, by the value of the profile's field."""


def _passive(combat: Combat, now: Attack) -> Telling:
    """Prepares a roll against passive defense alone, which has no criticals."""
    key = role_of(combat, now, DEFEND)
    if not pd(combat, now.foe, location(combat, now.place)):
        return combat
    worn, elsewhere = passive_defense(combat, now, key)
    combat = yield PLAIN.found(key, "yes", "", PAGE)
    return (yield from prepare(combat, key, now.foe, worn, f"passive defense {worn}", PASSIVE_DEFENSE, elsewhere))


def _counts(combat: Combat, now: Attack, name: str) -> Iterator[Event]:
    """Counts a defense that is tried, and records what it is done with."""
    kind = kind_of_defense(name)
    tried = times_tried(kind).of(combat, now.foe) + 1
    yield times_tried(kind).found(now.place, tried, "", DEFENSES[kind].source, who=now.foe)
    yield BY.found(now.place, name, "", PAGE)
    if kind == PARRY:
        best = next(iter(parries(combat, now.foe)))
        yield PARRIED_WITH.found(now.place, name.removeprefix(PARRY).strip() or best, "", PAGE)


def defense_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 3d, unless there is nothing to defend with."""
    now = attack(combat)
    key = role_of(combat, now, DEFEND)
    if TARGET.is_at(combat, key):
        yield request_roll(combat, key, now.foe, BY.at(combat, now.place) or "passive defense")


def read_defense(combat: Combat) -> Deed:
    """Reads the roll: defended, struck, or a second defense of an All-Out Defense."""
    now = attack(combat)
    key = role_of(combat, now, DEFEND)
    if combat.rolls[key].is_rolled:
        combat = yield result_of(combat, key)
    if passed(combat, key):
        combat = yield from _feint_is_used(combat, now)
        return "shield" if is_stopped_by_shield(combat, now, key) else "succeeds"
    again = combat.conditions.has(now.foe, ALL_OUT_DEFENSE) and not SECOND.is_at(combat, now.place)
    if again and BY.at(combat, now.place) and defenses(combat, now):
        yield SECOND.found(now.place, "yes", "all-out defense", "B 105 All-Out Defense")
        return "second"
    yield from _feint_is_used(combat, now)
    return "fails"


def _feint_is_used(combat: Combat, now: Attack) -> Telling:
    """Ends a feint, which counts for one attack and all defenses against it."""
    if combat.conditions.has(now.foe, feinted_by(now.by)):
        combat = yield ConditionLost(now.foe, feinted_by(now.by), "was attacked")
    return combat


def feinted_by(who: str) -> str:
    """Returns the condition of a combatant who was deceived by a feint of the named one.

    Source: B 105 Feint
    """
    return f"feinted_by_{who}"


def feinted_in(who: str) -> FigureName[str]:
    """Returns the name of the figure of a combatant who fell for this one's feint: the turn in which they did."""
    return FigureName(f"{feinted_by(who)} in", str, scope="combatant")
