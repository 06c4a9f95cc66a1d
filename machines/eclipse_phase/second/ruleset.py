"""The `Ruleset` object of Eclipse Phase, second edition. The charts are in `chart`: read that first."""

from collections.abc import Iterator

from ledger.dice import parse
from ledger.events import Event, ResourceOpened, TrackOpened
from machines.eclipse_phase.family.d100 import VOCABULARY
from machines.eclipse_phase.family.damage import OWN_FIGURES, reading
from machines.eclipse_phase.family.edition import EclipsePhase
from machines.eclipse_phase.family.harm import follow_tracks
from machines.eclipse_phase.family.menu import common_words
from machines.eclipse_phase.family.sheets import INIT_OR_APTITUDES
from machines.eclipse_phase.family.success import is_own_part, retarget, target
from machines.eclipse_phase.family.targeting import own_weapons
from machines.eclipse_phase.family.turn import elapse
from machines.eclipse_phase.second.actions.kinds import ACTIONS
from machines.eclipse_phase.second.conditions import CONDITIONS_OF_THE_RULES
from machines.eclipse_phase.second.edition import EDITION
from machines.eclipse_phase.second.figures import FIGURES, SUPERIOR_RESULTS
from machines.eclipse_phase.second.profile import PROFILES, Profile
from machines.eclipse_phase.second.sheet.sheet import Sheet, Situation
from machines.eclipse_phase.second.sheet.sheet_access import arms, sheet, traits
from machines.eclipse_phase.second.success_tests.explained_figures import reword
from machines.eclipse_phase.second.success_tests.pools import POOL, group
from machines.eclipse_phase.second.success_tests.stakes import stakes
from machines.eclipse_phase.second.success_tests.success import in_words, resolve
from machines.eclipse_phase.second.tables import tables
from machines.eclipse_phase.second.turn.initiative import in_order, stat
from machines.eclipse_phase.second.turn.turn_chart import TURN
from projections.combat import Combat

__all__ = ("RULESET",)

MOST_BONUS = 5
"""Most points that ware adds to a pool (EP2 03/05 Using Pools)."""


def _open_sheet(combat: Combat, who: str) -> Iterator[Event]:
    """Opens the tracks, pools and magazines of a combatant who joins."""
    owner = sheet(combat, who)
    for _, weapon in own_weapons(owner):
        if weapon.damage:
            parse(weapon.damage)
    if not combat.roster[who].thing:
        stat(combat, who)
    yield TrackOpened(who, "damage", owner.durability)
    if owner.lucid:
        yield TrackOpened(who, "stress", owner.lucid)
    shared = any(combat.resources.resource(one, "threat").of for one in group(combat, who) if one != who)
    for pool in tables.POOLS:
        more = min(MOST_BONUS, sum(trait.pools.get(pool, 0) for trait in traits(combat, who)))
        points = getattr(owner.pools, pool) + more
        if points and not (shared and pool == "threat"):
            yield ResourceOpened(who, pool, points, points)
    for name, weapon in arms(combat, who).items():
        if weapon.ammo:
            rounds = weapon.ammo + weapon.chamber
            yield ResourceOpened(who, name, rounds, rounds)


RULESET = EclipsePhase(
    name="eclipse_phase_2e",
    title="Eclipse Phase, second edition",
    version=4,
    books=tables.BOOKS,
    profile=Profile,
    profiles=PROFILES,
    sheet=Sheet,
    sheet_also=INIT_OR_APTITUDES,
    sheets=tables.SHEETS,
    situation=Situation,
    turn=TURN,
    kinds=ACTIONS,
    tables={name: tuple(rows.values()) for name, rows in tables.TABLES.items()},
    rulings=tables.RULINGS,
    conditions=CONDITIONS_OF_THE_RULES,
    open_sheet=_open_sheet,
    retarget=retarget,
    reading=reading,
    summed=target,
    read_alone=resolve,
    own_figures=OWN_FIGURES,
    own_part=is_own_part,
    stakes=stakes,
    roll_questions={POOL: "a point of a pool?"},
    reorder=in_order,
    words=common_words,
    elapse=elapse,
    follow=follow_tracks,
    perceived={"attack": "attacks", "suppress": "lays down suppressive fire", "suppressed": "fires at"},
    endings={"miss": "misses {other}", "hit without damage": "hits {other}, and does no harm"},
    vocabulary=VOCABULARY,
    margin=in_words,
    margin_name=SUPERIOR_RESULTS.name,
    figures=FIGURES,
    reword=reword,
    edition=EDITION,
)
