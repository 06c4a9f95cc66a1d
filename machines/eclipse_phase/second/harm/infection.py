"""The cost of psi: strain, and the infection."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, Option, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import NotOffered
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE, CRITICAL_SUCCESS
from machines.eclipse_phase.family.edition import DV, TARGET
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import base, d100_request, passed
from machines.eclipse_phase.second.attack.attack_context import attack
from machines.eclipse_phase.second.figure_names import STRAINS
from machines.eclipse_phase.second.sheet.sheet_access import sheet
from machines.eclipse_phase.second.success_tests.pools import fitting, pay, purse
from machines.eclipse_phase.second.success_tests.roles import TO_HIT
from machines.eclipse_phase.second.success_tests.success import read
from machines.eclipse_phase.second.tables.tables import POOLS
from projections.combat import Combat

EFFECT = FigureName("effect", int)

RATING = FigureName("infection rating", int, scope="combatant")
"""Figure of an async: the present Infection Rating."""
INFECTION, INFLUENCE, STRAIN = "infection", "influence", "strain"
IMMUNE = "free_of_influence"


def rating(combat: Combat, who: str) -> int:
    """Returns the Infection Rating: ten times the level of the Psi trait, plus what sleights have added.

    Source: EP2 14/01 Infection Rating, 14/04 Infection Modifiers
    """
    return RATING.of(combat, who, sheet(combat, who).psi * 10)


def _is_pushed(combat: Combat) -> bool:
    return bool(attack(combat).terms.push)


# ------------------------------------------------------------------------------------------------ Moxie

SPARED = FigureName("harm spared", str)
NEGATED = FigureName("test negated", str)


def can_control(combat: Combat) -> bool:
    """Returns whether a point of Moxie is available and there is something to control."""
    now = attack(combat)
    return bool(_pools_for_control(combat, now.by)) and (now.weapon.infection > 0 or _is_pushed(combat))


def _pools_for_control(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the pools whose points can control the infection."""
    return tuple(pool for pool in fitting(combat, who, "wil") if POOLS[pool].controls)


def offer_control(combat: Combat) -> ChoiceRequested:
    """Asks whether a point of Moxie prevents the test, or the harm of a pushed sleight; two prevent both."""
    now = attack(combat)
    pushed, pool = _is_pushed(combat), _pools_for_control(combat, now.by)[0]
    options = [Option("test", "take what comes")]
    options.append(Option("control", "a point of Moxie: no harm" if pushed else "a point of Moxie: no test"))
    if pushed and combat.resources.resource(purse(combat, now.by)[pool], pool).left >= 2:
        options.append(Option("negate", "two points of Moxie: no harm and no test"))
    return ChoiceRequested(role(now.key, "control"), now.by, tuple(options), "test", "control the infection?")


def control(combat: Combat) -> Deed:
    """Spends one or two points of Moxie, which prevent the test, or the harm of a pushed sleight, or both."""
    now = attack(combat)
    points = 2 if combat.exchange.chosen[role(now.key, "control")] == "negate" else 1
    pools = _pools_for_control(combat, now.by)
    if not pools or combat.resources.resource(purse(combat, now.by)[pools[0]], pools[0]).left < points:
        raise NotOffered(f"{now.by} has no {points} point(s) left", where="option", accepts="test")
    combat = yield pay(combat, now.by, pools[0], now.key, "control the infection", points)
    if _is_pushed(combat):
        combat = yield SPARED.found(now.key, "yes", "Moxie", HERE)
    if points > 1 or not _is_pushed(combat):
        yield NEGATED.found(now.key, "yes", "Moxie", "EP2 14/04 Infection Test")
    return None


# ------------------------------------------------------------------------------------------------ strain


def is_strain_due(combat: Combat) -> bool:
    """Returns whether strain is due for a critical failure or a push and was not yet taken."""
    return _strains_suffered(combat) < _strains_due(combat)


def _strains_suffered(combat: Combat) -> int:
    """Returns the number of strains of this attack that are already applied."""
    return STRAINS.at(combat, attack(combat).key)


def _strains_due(combat: Combat) -> int:
    """Returns the number of strains that this attack causes: for a critical failure, and for a push."""
    now = attack(combat)
    failed = combat.rolls[role(now.key, TO_HIT)].outcome == CRITICAL_FAILURE
    return int(failed) + (_is_pushed(combat) and not SPARED.is_at(combat, now.key))


def strain_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 for each cause; two causes wound separately."""
    now = attack(combat)
    key = role(now.key, STRAIN, _strains_suffered(combat) + 1)
    yield RollRequested(key, now.by, "1d6", f"what {now.name} costs", now.key)


def take_strain(combat: Combat) -> Deed:
    """Applies the strain; no armor reduces it."""
    now = attack(combat)
    nth = _strains_suffered(combat) + 1
    key = role(now.key, STRAIN, nth)
    combat = yield STRAINS.found(now.key, nth, "", "EP2 14/04 Pushing Sleights")
    combat = yield DV.found(key, combat.rolls[key].total, "the sleight's cost", "EP2 14/04 Pushing Sleights")
    return (yield from suffer(combat, key, now.by, DV.at(combat, key), 0, "damage"))


# ------------------------------------------------------------------------------------------------ infection


def raise_rating(combat: Combat) -> Deed:
    """Raises the Infection Rating by the sleight's modifier, doubled if pushed."""
    now = attack(combat)
    more = now.weapon.infection * (2 if _is_pushed(combat) else 1)
    before = rating(combat, now.by)
    why = f"{before} +{more} by {now.name}"
    yield RATING.found(now.key, before + more, why, HERE, who=now.by)
    negated = NEGATED.is_at(combat, now.key)
    return "quiet" if not more or negated or combat.conditions.has(now.by, IMMUNE) else "test"


def infection_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the Infection Test against the Infection Rating."""
    now = attack(combat)
    yield d100_request(combat, role(now.key, INFECTION), now.by, "Infection Test: failing is good")


def prepare_test(combat: Combat) -> Deed:
    """Prepares the Infection Test: the rating is the target, and no pool changes it."""
    now = attack(combat)
    key = role(now.key, INFECTION)
    value = rating(combat, now.by)
    combat = yield base(key, value, "Infection Rating", HERE, now.by)
    yield TARGET.found(key, value, f"{value}", HERE)
    return None


def read_infection(combat: Combat) -> Deed:
    """Reads the Infection Test. A success lets the infection act; a critical failure ends its influence for now."""
    now = attack(combat)
    key = role(now.key, INFECTION)
    combat = yield from read(combat, key)
    if combat.rolls[key].outcome == CRITICAL_SUCCESS:
        return "chosen"
    if passed(combat, key):
        return "takes_hold"
    if combat.rolls[key].outcome == CRITICAL_FAILURE:
        yield ConditionGained(now.by, IMMUNE, None, "a recharge", now.key, "the virus loses its grip", HERE)
    return "quiet"


def influence_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 on the list of the sub-strain."""
    now = attack(combat)
    yield RollRequested(role(now.key, INFLUENCE), now.by, "1d6", "influence of the infection", now.key)


def read_influence(combat: Combat) -> Deed:
    """Adds one for each superior success of the infection."""
    now = attack(combat)
    key = role(now.key, INFLUENCE)
    more = max(0, combat.rolls[role(now.key, INFECTION)].margin)
    value = combat.rolls[key].faces[0] + more
    yield EFFECT.found(key, value, f"{combat.rolls[key].faces[0]} +{more}", HERE)
    return None


def offer_influence(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster for the effect on the async's list."""
    now = attack(combat)
    nth = EFFECT.at(combat, role(now.key, INFLUENCE))
    which = f"influence effect {nth}" if nth else "an influence effect of the gamemaster's choice"
    options = (
        Option("urge", "a behavior, a motivation or another effect, in words"),
        Option("damage", "physical damage, 1d6"),
    )
    return ChoiceRequested(role(now.key, "influence-effect"), "gm", options, "urge", which)


def be_influenced(combat: Combat) -> Deed:
    """Applies the influence until the urge is satisfied."""
    now = attack(combat)
    source = "EP2 14/04 The Infection's Influence"
    yield ConditionGained(now.by, "influenced", None, "the urge is satisfied", now.key, "the infection", source)
    return None


def influence_damage_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 damage."""
    now = attack(combat)
    yield RollRequested(role(now.key, "hemorrhage"), now.by, "1d6", "damage of the infection", now.key)


def bleed_inside(combat: Combat) -> Deed:
    """Applies the damage; no armor reduces it."""
    now = attack(combat)
    key = role(now.key, "hemorrhage")
    return (yield from suffer(combat, key, now.by, combat.rolls[key].total, 0, "damage"))
