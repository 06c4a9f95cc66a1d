"""Suppressive fire: one roll for an area, and the test of each combatant in it against those hits."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ResourceSpent, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame, key_of, modified
from machines.secrecy.part_sources import of_figure
from machines.shadowrun_4e.actions.action_costs import spend
from machines.shadowrun_4e.actions.terms import AttackTerms, SuppressTerms
from machines.shadowrun_4e.attack.attack import NET, OUTCOME, attack_base
from machines.shadowrun_4e.attack.attack_context import (
    DEFEND,
    SUPPRESSES,
    TO_HIT,
    attack,
    attack_of,
    suppressive,
)
from machines.shadowrun_4e.attack.modifiers import FULL_DEFENSE, seeing
from machines.shadowrun_4e.attack.shooting import moving
from machines.shadowrun_4e.sheet.sheet_access import UNABLE, Base, attribute, rating
from machines.shadowrun_4e.success_tests.pools import (
    TARGET,
    asked,
    begin,
    hits,
    pool,
    prepare,
    resolved,
    succeeded,
)
from machines.shadowrun_4e.turn.turn import NEXT_PHASE
from projections.combat import Combat

SUPPRESSED = FigureName("suppressed", str, scope="round")

HITS = FigureName("hits of suppressive fire", int, scope="combatant")


def begin_suppression(combat: Combat) -> Deed:
    """Spends the action and twenty rounds, and builds the shooter's pool."""
    now = frame(combat)
    using, line = typed(now.terms, SuppressTerms).using, suppressive()
    combat = yield from spend(combat, now.by, line.action, now.key)
    if combat.resources.resource(now.by, using).of:
        combat = yield ResourceSpent(now.by, using, line.rounds, now.key, "suppressive fire")
    shot = attack_of(combat, now.key, now.by, AttackTerms(at=(), using=using))
    key = key_of(combat, TO_HIT)
    combat = yield from begin(combat, key, now.by, attack_base(combat, shot), HERE)
    for event in (
        *seeing(combat, now.by, "", key),
        *modified(key, -moving(combat, shot), "attacker running", HERE),
    ):
        combat = yield event
    yield pool(combat, key, now.by)
    return None


def suppression_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the shooter's one roll."""
    yield from asked(combat, key_of(combat, TO_HIT), frame(combat).by, "suppressive fire")


def read_suppression(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, key_of(combat, TO_HIT))
    return None


def suppress(combat: Combat) -> Deed:
    """Keeps the area under fire until the shooter's next phase."""
    now = frame(combat)
    terms = typed(now.terms, SuppressTerms)
    rolled = hits(combat, key_of(combat, TO_HIT))
    combat = yield SUPPRESSES.found(now.key, terms.using, "", HERE, who=now.by)
    combat = yield HITS.found(now.key, rolled, "", HERE, who=now.by)
    yield ConditionGained(now.by, "suppressing", None, NEXT_PHASE, now.key, terms.area or "an area", HERE)
    return None


# ------------------------------------------------------------------------------------------------ under fire


def prepare_dive(combat: Combat) -> Deed:
    """Prepares Reaction + Edge, with Dodge on full defense, against the shooter's hits."""
    now = attack(combat)
    key, who = now.role(DEFEND), now.at
    if combat.conditions.has(who, *UNABLE):
        return None
    own, edge = attribute(combat, who, "reaction"), attribute(combat, who, "edge")
    dodge = (rating(combat, who, "dodge") or 0) if combat.conditions.has(who, FULL_DEFENSE) else 0
    why = f"reaction {own} + edge {edge}" + (f" + dodge {dodge}" if dodge else "")
    combat = yield from prepare(combat, key, who, Base(own + edge + dodge, why, ("reaction",)), HERE)
    goal = HITS.of(combat, now.by)
    yield from of_figure(combat, now.by, HITS.name, [TARGET.found(key, goal, "the shooter's hits", HERE, who=who)])
    return None


def dive_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of the combatant under fire."""
    now = attack(combat)
    yield from asked(combat, now.role(DEFEND), now.at, "get clear of suppressive fire")


def read_dive(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, attack(combat).role(DEFEND))
    return None


def is_caught(combat: Combat) -> Deed:
    """Decides whether the combatant is struck: by fewer hits than the shooter's, for base damage only.

    Ruling: SR4-N20
    """
    now = attack(combat)
    key, goal = now.role(DEFEND), HITS.of(combat, now.by)
    clear = succeeded(combat, key) or goal == 0
    why = f"{hits(combat, key)} against {goal}"
    combat = yield NET.found(now.place, 0, "", HERE)
    yield SUPPRESSED.found(now.place, now.key, "", HERE, who=now.at)
    combat = yield OUTCOME.found(now.place, "miss" if clear else "hit", why, HERE)
    return OUTCOME.at(combat, now.place)
