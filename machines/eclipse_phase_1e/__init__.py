"""Eclipse Phase, 1st edition. The charts are in `chart`: read that first."""

from collections.abc import Iterator

from ledger.events import Event, TrackOpened
from machines.eclipse_phase_1e import declaring, tables
from machines.eclipse_phase_1e.chart import ATTACK, COMPLEX, FULL_DEFENSE, QUICK, TURN
from machines.eclipse_phase_1e.profile import PROFILES, Profile
from machines.eclipse_phase_1e.reading import sheet, target
from machines.eclipse_phase_1e.sheet import AttackTerms, ComplexTerms, NoTerms, QuickTerms, Sheet, Situation
from machines.eclipse_phase_1e.turn import in_order
from machines.eclipse_phase_common.d100 import OUTCOMES
from machines.ruleset import Kind, Ruleset
from projections.combat import Combat

__all__ = ("RULESET",)


def _open_sheet(combat: Combat, who: str) -> Iterator[Event]:
    """A track of damage as long as Durability."""
    owner = sheet(combat, who)
    declaring.check_owner(who, owner)
    yield TrackOpened(who, "damage", owner.durability)


def _retarget(combat: Combat, key: str) -> Iterator[Event]:
    """The target of an open test, counted anew; damage has none."""
    if combat.figures.holds(key, "target"):
        yield target(combat, key, combat.rolls[key].by)


RULESET = Ruleset(
    name="eclipse_phase_1e",
    title="Eclipse Phase, 1st edition",
    version=1,
    books=tables.BOOKS,
    profile=Profile,
    profiles=PROFILES,
    sheet=Sheet,
    sheets={},
    situation=Situation,
    turn=TURN,
    kinds={
        "attack": Kind(title="attack", chart=ATTACK, terms=AttackTerms, check=declaring.check_attack),
        "full_defense": Kind(title="full defense", chart=FULL_DEFENSE, terms=NoTerms, check=declaring.check_complex),
        "complex": Kind(title="Complex Action", chart=COMPLEX, terms=ComplexTerms, check=declaring.check_complex),
        "quick": Kind(title="Quick Action", chart=QUICK, terms=QuickTerms, check=declaring.check_quick),
    },
    tables={
        "attack_kinds": tuple(tables.ATTACK_KINDS.values()),
        "benefits": tuple(tables.BENEFITS.values()),
        "firing_modes": tuple(tables.FIRING_MODES.values()),
        "mishaps": tuple(tables.MISHAPS.values()),
        "modifiers": tuple(tables.SITUATIONS.values()),
        "ranges": tuple(tables.RANGES.values()),
        "skills": tuple(tables.SKILLS.values()),
    },
    rulings=tables.RULINGS,
    open_sheet=_open_sheet,
    retarget=_retarget,
    reorder=in_order,
    offers=declaring.offers,
    words=lambda *_: {},
    elapse=lambda *_: iter(()),
    outcomes=OUTCOMES,
)
