"""Steps 1 to 3 of the Combat Sequence: declares the attack and the defense, builds both pools, compares hits."""

from collections.abc import Iterator, Mapping

from ledger.events import ChoiceRequested, ConditionLost, Event, Option, RollRequested
from machines.contract.assumptions import assume, given
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit, frame
from machines.secrecy.part_sources import of_roll
from machines.shadowrun_4e.actions.action_costs import COMPLEX, SIMPLE, spend, spend_free
from machines.shadowrun_4e.attack.attack_context import DEFEND, DEFENSE, NTH, TO_HIT, Attack, attack, modes, parrying
from machines.shadowrun_4e.attack.modifiers import (
    AIMED,
    AIMS_AT,
    SKILL,
    attack_modifiers,
    defended,
    defense_modifiers,
    net_reach,
)
from machines.shadowrun_4e.attack.shooting import fire
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.sheet_access import (
    UNABLE,
    Base,
    attribute,
    defaults,
    is_barrier,
    is_specialized,
    lacking,
    matrix,
    needed,
    plane,
    rating,
    sheet,
    stat,
    surprises,
)
from machines.shadowrun_4e.sheet.specializations import SPECIALIZATION, of_defense, of_weapon
from machines.shadowrun_4e.success_tests.pools import (
    POOL,
    TARGET,
    asked,
    begin,
    burned,
    buys,
    hits,
    pool,
    resolved,
)
from projections.combat import Combat

NET = FigureName("net hits", int)
OUTCOME = FigureName("outcome", str)
_1, _3 = "SR4S Combat Sequence 1", "SR4S Combat Sequence 3"


# ------------------------------------------------------------------------------------------------ 1


def declare_attack(combat: Combat) -> Deed:
    """Spends the action and the rounds."""
    now = attack(combat)
    if now.called is not None:
        combat = yield from spend_free(combat, now.by, now.key)
    combat = yield from spend(combat, now.by, action_of(now), now.key)
    combat = yield from emit(combat, _assumed(combat, now))
    yield from _begin_strike(combat, now)
    return _who_defends(combat, now)


def _assumed(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields what is assumed for omitted terms: distance, mode, called damage, the use of Reach, shares of a pool."""
    declared = given(frame(combat))
    if now.ranged and now.weapon.range and now.terms.distance is None and not now.weapon.magnification:
        yield assume(now.key, "distance", "short range", "SR4S Weapon Range Table")
    if now.mode is not None and not now.terms.mode and len(modes(now.weapon)) > 1:
        yield assume(now.key, "mode", now.mode.name, "SR4 142 Firing Modes")
    if now.called is not None and now.called.does == "damage" and "called_for" not in declared:
        yield assume(now.key, "called_for", str(now.terms.called_for), now.called.source)
    if now.melee and net_reach(combat, now) and "reach" not in declared:
        yield assume(now.key, "reach", now.terms.reach, "SR4S Melee Modifiers Table")
    if now.splits and not now.terms.split:
        yield assume(now.key, "split", "equal shares", "SR4S Melee Modifiers Table")


def action_of(now: Attack) -> str:
    """Returns the action that an attack takes: that of its firing mode; otherwise Simple if ranged, Complex in melee.

    Source: SR4 142 Firing Modes, SR4 147 Melee Combat
    """
    if now.shared_burst:
        return COMPLEX
    if now.mode is not None:
        return now.mode.action
    return SIMPLE if now.ranged else COMPLEX


def _begin_strike(combat: Combat, now: Attack) -> Telling:
    return (yield from fire(combat, now)) if now.mode is not None else combat


def _who_defends(combat: Combat, now: Attack) -> str:
    return "choice" if now.melee and can_defend(combat, now) and len(_skills(combat, now)) > 1 else "plain"


def can_defend(combat: Combat, now: Attack) -> bool:
    """Returns whether the target can defend: not a thing, incapacitated, unaware, defenseless, or surprised.

    Source: SR4S Defense Modifiers Table, SR4 155 Surprise; Ruling: SR4-N47
    """
    who = now.at
    if (
        not who
        or combat.roster[who].thing
        or _lies_still(combat, now)
        or is_barrier(combat, who)
        or combat.conditions.has(who, *UNABLE)
        or now.terms.unaware
        or now.terms.defenseless
    ):
        return False
    return not surprises(combat, now.by, who)


def _lies_still(combat: Combat, now: Attack) -> bool:
    """Returns whether the target's body lies still because its mind is in the Matrix or on the astral plane."""
    there = plane(combat, now.at)
    left = there.virtual or (there.astral and not sheet(combat, now.at).force)
    return left and now.test.defense in BODILY_DEFENSES


BODILY_DEFENSES = ("reaction",)
"""Attributes that cannot defend a body whose mind is elsewhere."""


def _skills(combat: Combat, now: Attack) -> tuple[str, ...]:
    """Returns the skills that the target may defend with in melee: those on the sheet, or else Dodge."""
    held = parrying(combat, now)
    words = (held[1].skill if held and name == "weapon" else name for name in now.test.defense_skills)
    names = tuple(dict.fromkeys(word for word in words if word != "weapon"))
    return tuple(name for name in names if rating(combat, now.at, name) is not None) or names[-1:]


def offer_defense(combat: Combat) -> ChoiceRequested:
    """Asks with which skill the target defends in melee; the best one is the default."""
    now = attack(combat)
    names = sorted(_skills(combat, now), key=lambda name: -_defense(combat, now, name).value)
    options = tuple(Option(name, name, _defense(combat, now, name).value) for name in names)
    return ChoiceRequested(now.role(DEFENSE), now.at, options, names[0], "defense")


def _defense(combat: Combat, now: Attack, name: str) -> Base:
    """Returns the attribute and skill of a defense."""
    test, who = now.test, now.at
    value = attribute(combat, who, test.defense)
    if not name:
        return Base(value, f"{test.defense} {value}", (test.defense,))
    rated = stat(combat, who, name) if name == "firewall" else rating(combat, who, name)
    if rated is None:
        less = -1 if defaults(name) else -value
        return Base(value + less, f"{test.defense} {value}, defaulting on {name} {less}", (test.defense,))
    special = SPECIALIZATION if is_specialized(combat, who, name, of_defense("melee")) else 0
    more = f" + {special} specialization" if special else ""
    return Base(value + rated + special, f"{test.defense} {value} + {name} {rated}{more}", (test.defense,), rated)


# ------------------------------------------------------------------------------------------------ 2


def apply_modifiers(combat: Combat) -> Deed:
    """Builds both pools with all modifiers."""
    now = attack(combat)
    key = now.role(TO_HIT)
    combat = yield from _attack_pool(combat, now)
    if now.terms.buys:
        combat = yield buys(combat, key, now.by)
    if combat.conditions.has(now.by, "aiming") and now.ranged:
        combat = yield ConditionLost(now.by, "aiming", "attacks")
        combat = yield AIMS_AT.found(key, "", "", HERE, who=now.by)
        combat = yield AIMED.found(key, 0, "", HERE, who=now.by)
    if can_defend(combat, now):
        yield from _prepare_defense(combat, now)
    return None


def foreseen(combat: Combat, now: Attack) -> Telling:
    """Builds the attacker's pools of all strikes on a state that is not recorded: to check a purchase of hits."""
    for nth in range(1, now.strikes + 1):
        strike = now.strike(nth)
        combat = yield from _begin_strike(combat, strike)
        combat = yield from _attack_pool(combat, strike)
    return combat


def _attack_pool(combat: Combat, now: Attack) -> Telling:
    key = now.role(TO_HIT)
    combat = yield from begin(combat, key, now.by, attack_base(combat, now), _3)
    combat = yield from attack_modifiers(combat, now, key)
    return (yield pool(combat, key, now.by))


def _prepare_defense(combat: Combat, now: Attack) -> Telling:
    key = now.role(DEFEND)
    only = "" if now.ranged else _skills(combat, now)[0] if now.melee else now.test.defense_skills[0]
    skill = combat.exchange.chosen.get(now.role(DEFENSE), only)
    start = _defense(combat, now, skill)
    combat = yield from begin(combat, key, now.at, start, _3)
    combat = yield SKILL.found(key, skill, "", _3)
    combat = yield from emit(combat, defense_modifiers(combat, now, key, skill))
    return (yield pool(combat, key, now.at))


def attack_base(combat: Combat, now: Attack) -> Base:
    """Returns the attribute and skill of the attack, or this strike's share if the pool is split.

    Source: SR4S Combat Sequence 3A, Melee Modifiers Table, Ranged Combat Modifiers Table
    """
    test = now.test
    skill = now.weapon.skill if test.skill == "weapon" else test.skill
    if test.attribute == "program":
        program, rated = matrix(combat, now.by).programs.get(now.name), rating(combat, now.by, skill)
        if program is None:
            raise lacking(now.by, f"program {now.name}", f"matrix.programs.{now.name}")
        start = Base(program + (rated or 0), f"{now.name} {program} + {skill} {rated or 0}", (), rated or 0)
    else:
        uses = _uses(combat, now)
        start = _better(combat, now, needed(combat, now.by, skill, test.attribute, *uses))
    return _share(now, start) if now.splits else start


def _uses(combat: Combat, now: Attack) -> tuple[str, ...]:
    """Returns the words under which the weapon counts for a specialization."""
    return of_weapon(sheet(combat, now.by), now.name, now.weapon)


def _better(combat: Combat, now: Attack, start: Base) -> Base:
    """Returns the base by the weapon's other skill if that is better."""
    other = now.weapon.other_skill
    if not other or rating(combat, now.by, other) is None:
        return start
    return max(
        start, needed(combat, now.by, other, now.test.attribute, *_uses(combat, now)), key=lambda base: base.value
    )


def _share(now: Attack, start: Base) -> Base:
    """Returns the dice of this strike: as declared, or an equal share; the first shares are the larger ones."""
    shares = now.terms.split or equal_shares(start.value, now.strikes)
    mine = shares[now.nth - 1]
    return Base(mine, f"{mine} of {start.value}: {start.why}", start.uses, start.rated)


def equal_shares(dice: int, strikes: int) -> tuple[int, ...]:
    """Returns a pool split as evenly as possible, the larger shares first.

    Source: SR4S Melee Modifiers Table; Ruling: SR4-N7

    >>> equal_shares(11, 2)
    (6, 5)
    """
    return tuple(dice // strikes + (1 if nth < dice % strikes else 0) for nth in range(strikes))


# ------------------------------------------------------------------------------------------------ 3


def attack_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the attacker's dice (3A)."""
    now = attack(combat)
    yield from asked(combat, now.role(TO_HIT), now.by, f"hit with {now.name}")


def read_attack(combat: Combat) -> Deed:
    """Reads the attacker's hits."""
    yield from resolved(combat, attack(combat).role(TO_HIT))
    return None


def defense_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the defender's dice (3B), if the target can defend."""
    now = attack(combat)
    yield from asked(combat, now.role(DEFEND), now.at, "defend")


def read_defense(combat: Combat) -> Deed:
    """Reads the defender's hits against the attacker's, and counts the attack for later defenses."""
    now = attack(combat)
    key = now.role(DEFEND)
    if POOL.is_at(combat, key):
        goal = TARGET.found(key, hits(combat, now.role(TO_HIT)), "the attacker's hits", _3, who=now.at)
        combat = yield from emit(combat, of_roll(combat, now.role(TO_HIT), [goal]))
        combat = yield from resolved(combat, key)
        yield from defended(combat, now.at, now.place)
    return None


def compare(combat: Combat) -> Deed:
    """Compares hits (3C): more than the defender's hit, a tie may graze, a blast goes off in any case.

    Ruling: SR4-N38
    """
    now = attack(combat)
    theirs = hits(combat, now.role(DEFEND))
    combat = yield from burned(combat, now.role(TO_HIT), theirs, now.role(DEFEND))
    mine = hits(combat, now.role(TO_HIT))
    defended = POOL.is_at(combat, now.role(DEFEND))
    why = f"{mine} against {theirs}" if defended else f"{mine}, no defense"
    combat = yield NET.found(now.place, max(0, mine - theirs), why, HERE)
    if now.grenade is not None:
        return "area"
    least = GRAZES[profile(combat).grazing]
    grazes = defended and mine == theirs and least is not None and mine >= least
    word = "hit" if mine > theirs else "graze" if grazes else "miss"
    combat = yield OUTCOME.found(now.place, word, why, HERE)
    found = OUTCOME.at(combat, now.place)
    if found != "hit":
        return found
    if now.called is not None and now.called.does == "disarm":
        return "disarm"
    return "graze" if now.touches else "hit"


GRAZES: Mapping[str, int | None] = {"off": None, "on": 1, "without_hits": 0}
"""The hits from which on a tie is a grazing hit, by the value of `grazing`; None: never."""


def next_strike(combat: Combat) -> Deed:
    """Moves on to the next target or to the second weapon."""
    now = frame(combat)
    strike = attack(combat)
    if strike.grenade is not None or strike.nth >= strike.strikes:
        return "nobody"
    combat = yield NTH.found(now.key, strike.nth + 1, "", _1)
    yield from _begin_strike(combat, attack(combat))
    return _who_defends(combat, attack(combat))
