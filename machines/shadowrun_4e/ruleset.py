"""The `Ruleset` object of Shadowrun, fourth edition. The charts are in `chart`: read that first."""

from collections.abc import Iterator

from ledger.events import Event, ModifierApplied, ResourceOpened, TrackOpened
from machines.contract.ruleset import Ruleset
from machines.shadowrun_4e.actions.kinds import ACTIONS, words
from machines.shadowrun_4e.conditions import CONDITIONS_OF_THE_RULES
from machines.shadowrun_4e.figures import FIGURES, HITS, NET_HITS
from machines.shadowrun_4e.harm.injury import OVERFLOW, STRUCTURE, follow_tracks
from machines.shadowrun_4e.profile import PROFILES, Profile
from machines.shadowrun_4e.sheet.sheet import Sheet, Situation
from machines.shadowrun_4e.sheet.sheet_access import arms, sheet
from machines.shadowrun_4e.sheet.sheet_words import DEMANDS, check_owner
from machines.shadowrun_4e.success_tests.edge import ADD, EDGE, ROLLED
from machines.shadowrun_4e.success_tests.explained_figures import reword
from machines.shadowrun_4e.success_tests.overruled import reread
from machines.shadowrun_4e.success_tests.pools import (
    BASE,
    BOUGHT,
    EDGE_DICE,
    GLITCH,
    LIMIT,
    OVERRULED_BY,
    POOL,
    TARGET,
    WOUND_MODIFIERS,
    in_words,
    pool,
    reading,
    retarget,
)
from machines.shadowrun_4e.success_tests.stakes import stakes
from machines.shadowrun_4e.tables import tables
from machines.shadowrun_4e.turn.initiative import SCORE, in_order, initiative, waiting
from machines.shadowrun_4e.turn.turn_chart import TURN
from machines.shadowrun_4e.vocabulary import VOCABULARY
from projections.combat import Combat

__all__ = ("RULESET",)


def _open_sheet(combat: Combat, who: str) -> Iterator[Event]:
    """Opens the tracks, Edge, and the magazine of each weapon whose rounds are counted."""
    owner = sheet(combat, who)
    check_owner(who, owner)
    if not combat.roster[who].thing:
        initiative(combat, who)
    yield from _tracks(who, owner)
    edge = combat.resources.resource(who, EDGE)
    if owner.edge and edge.of != owner.edge:
        yield ResourceOpened(who, EDGE, owner.edge, owner.edge)
    for name, weapon in arms(combat, who).items():
        if weapon.ammo and combat.resources.resource(who, name).of != weapon.ammo:
            yield ResourceOpened(who, name, weapon.ammo, weapon.ammo)


def _tracks(who: str, owner: Sheet) -> Iterator[Event]:
    body = owner.value("body") or 0
    structure = owner.structure or (tables.BARRIERS[owner.material].structure if owner.material else 0)
    lives = not owner.vehicle and not owner.force
    for track, capacity in (
        ("physical", owner.physical_track),
        ("stun", owner.stun_track),
        (OVERFLOW, body if lives else 0),
        ("matrix", owner.icon_track),
        (STRUCTURE, structure),
    ):
        if capacity:
            yield TrackOpened(who, track, capacity)


def _is_own_part(part: ModifierApplied) -> bool:
    """Returns whether a modifier depends on the roller alone: on their wounds, or on their full defense."""
    fully = bool(part.source) and part.why.startswith("full defense: ")
    return fully or part.source == WOUND_MODIFIERS


RULESET = Ruleset(
    name="shadowrun_4e",
    title="Shadowrun, 4th edition",
    version=4,
    books=tables.BOOKS,
    profile=Profile,
    profiles=PROFILES,
    sheet=Sheet,
    sheet_also=DEMANDS,
    sheets=tables.SHEETS,
    situation=Situation,
    turn=TURN,
    kinds=ACTIONS,
    tables={name: tuple(rows.values()) for name, rows in tables.TABLES.items()},
    rulings=tables.RULINGS,
    conditions=CONDITIONS_OF_THE_RULES,
    open_sheet=_open_sheet,
    is_thing=lambda given: bool(given.get("material") or given.get("structure")),
    retarget=retarget,
    reading=reading,
    summed=pool,
    own_figures=tuple(
        figure.name for figure in (BASE, POOL, TARGET, GLITCH, LIMIT, EDGE_DICE, BOUGHT, SCORE, OVERRULED_BY)
    ),
    own_part=_is_own_part,
    stakes=stakes,
    roll_questions={EDGE: "a point of Edge?"},
    reorder=in_order,
    follow=follow_tracks,
    words=words,
    waiting=waiting,
    perceived={"attack": "attacks", "suppress": "lays down suppressive fire", "suppressed": "fires at"},
    endings={"miss": "misses {other}", "grazing hit": "grazes {other}"},
    vocabulary=VOCABULARY,
    counted=HITS.name,
    added_rolls=(ROLLED[ADD],),
    margin=in_words,
    margin_name=NET_HITS.name,
    figures=FIGURES,
    reread=reread,
    reword=reword,
)
