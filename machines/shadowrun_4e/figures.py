"""The values that each figure may take when the gamemaster overrules it."""

from collections.abc import Iterable, Mapping

from ledger.events import FigureFound
from machines.contract.assumptions import ASSUMED_VALUES
from machines.contract.figures import (
    MODIFIED,
    PEOPLE,
    YES,
    Bounds,
    FigureOfTest,
    Named,
    Number,
    Settled,
    Words,
    bounds_by_name,
)
from machines.shadowrun_4e.actions.actions import METERS
from machines.shadowrun_4e.actions.alerts import RESPONSE
from machines.shadowrun_4e.attack.attack import NET, OUTCOME
from machines.shadowrun_4e.attack.attack_context import ROUNDS
from machines.shadowrun_4e.attack.outcome import CONTACT
from machines.shadowrun_4e.harm.blast import DIRECTION, SCATTERED
from machines.shadowrun_4e.harm.blows import MATRIX, PHYSICAL, STUN, blow
from machines.shadowrun_4e.harm.damage import ARMOR, BOXES, DV, NOTHING, TYPE
from machines.shadowrun_4e.magic.drain import DRAIN, DRAIN_BOXES, DRAIN_TYPE
from machines.shadowrun_4e.magic.spellcasting import FORCE, NEEDED_HITS
from machines.shadowrun_4e.sheet.sheet_access import ACTS_IN, SURPRISED_BY
from machines.shadowrun_4e.success_tests.edge import EXTRA_PASSES, FIRST_IN
from machines.shadowrun_4e.success_tests.mishaps import MISHAPS
from machines.shadowrun_4e.success_tests.pools import BASE, BOUGHT, GLITCH, POOL, TARGET
from machines.shadowrun_4e.success_tests.resolve import HITS_FOR
from machines.shadowrun_4e.tables.tables import ALERT_RESPONSES, PLANES
from machines.shadowrun_4e.turn.initiative import SCORE
from machines.shadowrun_4e.vocabulary import CRITICAL_GLITCH
from projections.combat import Combat


def _harms(combat: Combat, _: FigureFound) -> Iterable[str]:
    """Yields the damage types of a blow: Stun, Physical or none; against an icon, Matrix damage or none."""
    return (MATRIX, NOTHING) if blow(combat).icon else (STUN, PHYSICAL, NOTHING)


def _ends(_: Combat, found: FigureFound) -> Iterable[str]:
    """Returns the outcomes of a spell (works, fails) or of an attack (hit, graze, miss)."""
    return _OF_SPELLS if found.value in _OF_SPELLS else ("hit", "graze", "miss")


HITS = FigureOfTest("hits")
NET_HITS = FigureOfTest("net hits")
_OF_SPELLS = ("works", "fails")

FIGURES: Mapping[str, Bounds] = bounds_by_name({
    # Tests: each result is a number of hits
    BASE: MODIFIED, POOL: Number(), TARGET: Number(), HITS: Number(), NET_HITS: MODIFIED,
    BOUGHT: Number(), GLITCH: Words(("none", GLITCH.name, CRITICAL_GLITCH)), NEEDED_HITS: Number(),
    ASSUMED_VALUES: Settled("another declaration: amend it"), HITS_FOR: Number(),
    MISHAPS: Settled("another choice: amend it"),
    # Attacks and spells
    NET: Number(), OUTCOME: Named(_ends), CONTACT: YES, ROUNDS: Number(),
    FORCE: Settled("another declaration: amend it"), DRAIN: Number(), DRAIN_TYPE: Words((STUN, PHYSICAL)),
    DRAIN_BOXES: Number(), DIRECTION: Number(1, 6), SCATTERED: Number(),
    # Damage
    DV: Number(), ARMOR: Number(), TYPE: Named(_harms), BOXES: Number(),
    # The turn
    SCORE: MODIFIED, FIRST_IN: Number(1, 4), EXTRA_PASSES: Number(0, 4), SURPRISED_BY: PEOPLE,
    ACTS_IN: Words(tuple(PLANES)), METERS: Number(), RESPONSE: Words(tuple(ALERT_RESPONSES)),
})  # fmt: skip
