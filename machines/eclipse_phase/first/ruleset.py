"""The `Ruleset` object of Eclipse Phase, 1st edition. The charts are in `chart`: read that first."""

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
from machines.eclipse_phase.first.actions.kinds import ACTIONS
from machines.eclipse_phase.first.conditions import CONDITIONS_OF_THE_RULES
from machines.eclipse_phase.first.edition import EDITION
from machines.eclipse_phase.first.figures import FIGURES
from machines.eclipse_phase.first.profile import PROFILES, Profile
from machines.eclipse_phase.first.sheet.sheet import Sheet, Situation
from machines.eclipse_phase.first.sheet.sheet_access import arms, sheet
from machines.eclipse_phase.first.success_tests import moxie
from machines.eclipse_phase.first.success_tests.explained_figures import reword
from machines.eclipse_phase.first.success_tests.stakes import stakes
from machines.eclipse_phase.first.success_tests.success import in_words, resolve
from machines.eclipse_phase.first.tables import tables
from machines.eclipse_phase.first.turn.initiative import FIRST, in_order, stat
from machines.eclipse_phase.first.turn.turn import waiting
from machines.eclipse_phase.first.turn.turn_chart import TURN
from projections.combat import Combat

__all__ = ("RULESET",)


def _open_sheet(combat: Combat, who: str) -> Iterator[Event]:
    """Opens the tracks, Moxie and magazines of a combatant who joins."""
    owner = sheet(combat, who)
    for _, weapon in own_weapons(owner):
        parse(weapon.damage)
    stat(combat, who)
    yield TrackOpened(who, "damage", owner.durability)
    if owner.lucid:
        yield TrackOpened(who, "stress", owner.lucid)
    if owner.moxie:
        yield ResourceOpened(who, moxie.MOXIE, owner.moxie, owner.moxie)
    for name, weapon in arms(combat, who).items():
        if weapon.ammo:
            yield ResourceOpened(who, name, weapon.ammo, weapon.ammo)


RULESET = EclipsePhase(
    name="eclipse_phase_1e",
    title="Eclipse Phase, 1st edition",
    version=5,
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
    own_figures=(*OWN_FIGURES, FIRST["once"].name),
    own_part=is_own_part,
    stakes=stakes,
    roll_questions={moxie.MOXIE: "a point of Moxie?"},
    reorder=in_order,
    words=common_words,
    elapse=elapse,
    follow=follow_tracks,
    waiting=lambda combat: waiting(combat, combat.clock.number),
    perceived={"attack": "attacks", "suppress": "lays down suppressive fire", "suppressed": "fires at"},
    endings={"miss": "misses {other}", "hit without damage": "hits {other}, and does no harm"},
    vocabulary=VOCABULARY,
    margin=in_words,
    figures=FIGURES,
    reword=reword,
    edition=EDITION,
)
