"""The `Ruleset` object of GURPS, third edition. The charts are in `chart`: read that first."""

from collections.abc import Iterator

from ledger.events import Event, ResourceOpened, TrackOpened
from machines.contract.ruleset import Ruleset
from machines.gurps_3e.actions.kinds import ACTIONS, words
from machines.gurps_3e.attack.adjusted_roll import reading, retarget
from machines.gurps_3e.conditions import CONDITIONS_OF_THE_RULES
from machines.gurps_3e.defense.active_defense import is_own_part
from machines.gurps_3e.figures import FIGURES
from machines.gurps_3e.harm.dying import follow_track
from machines.gurps_3e.harm.shields import open_shield
from machines.gurps_3e.profile import PROFILES, Profile
from machines.gurps_3e.sheet.sheet import Sheet, Situation
from machines.gurps_3e.sheet.sheet_access import FATIGUE, HIT_POINTS, item_of, sheet, weapons_of
from machines.gurps_3e.success_rolls.explained_figures import reword
from machines.gurps_3e.success_rolls.success import BASE, MOST, TARGET, in_words, result_of, target
from machines.gurps_3e.tables import tables
from machines.gurps_3e.turn.after_combat import elapse
from machines.gurps_3e.turn.turn import in_order
from machines.gurps_3e.turn.turn_chart import TURN
from machines.gurps_3e.vocabulary import VOCABULARY
from projections.combat import Combat

__all__ = ("RULESET",)


def _open_sheet(combat: Combat, who: str) -> Iterator[Event]:
    """Opens tracks for hit points and fatigue, and a full magazine for each weapon whose shots are counted."""
    owner = sheet(combat, who)
    yield TrackOpened(who, HIT_POINTS, owner.most_hits)
    yield TrackOpened(who, FATIGUE, owner.st if owner.fatigue is None else owner.fatigue)
    yield from open_shield(combat, who, owner)
    for name, weapon in weapons_of(combat, who).items():
        held = item_of(name, weapon)
        if weapon.shots and combat.resources.resource(who, held).of != weapon.shots:
            yield ResourceOpened(who, held, weapon.shots, weapon.shots)


RULESET = Ruleset(
    name="gurps_3e",
    title="GURPS, 3rd edition",
    version=4,
    books=tables.BOOKS,
    profile=Profile,
    profiles=PROFILES,
    sheet=Sheet,
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
    own_figures=(BASE.name, TARGET.name, MOST.name),
    reorder=in_order,
    follow=follow_track,
    words=words,
    elapse=elapse,
    own_part=is_own_part,
    unnoticed=("feint",),
    perceived={"attack": "attacks", "opportunity": "attacks"},
    endings={"missed": "misses {other}", "no effect": "hits {other}, and does no harm"},
    vocabulary=VOCABULARY,
    margin=in_words,
    figures=FIGURES,
    reword=reword,
    read_alone=result_of,
)
