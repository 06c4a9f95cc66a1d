"""The values that each figure may take when the gamemaster overrules it."""

from collections.abc import Iterable, Mapping

from ledger.events import FigureFound
from machines.contract.figures import MODIFIED, OF_A_TEST, PEOPLE, YES, Bounds, Named, Number, Settled, Words
from machines.shadowrun_4e.harm.blows import MATRIX, PHYSICAL, STUN, blow
from machines.shadowrun_4e.harm.damage import NOTHING
from machines.shadowrun_4e.success_tests.pools import CRITICAL_GLITCH, GLITCH
from machines.shadowrun_4e.tables.tables import ALERT_RESPONSES, PLANES
from projections.combat import Combat


def _harms(combat: Combat, _: FigureFound) -> Iterable[str]:
    """Yields the damage types of a blow: Stun, Physical or none; against an icon, Matrix damage or none."""
    return (MATRIX, NOTHING) if blow(combat).icon else (STUN, PHYSICAL, NOTHING)


def _ends(_: Combat, found: FigureFound) -> Iterable[str]:
    """Returns the outcomes of a spell (works, fails) or of an attack (hit, graze, miss)."""
    return _OF_SPELLS if found.value in _OF_SPELLS else ("hit", "graze", "miss")


_OF_SPELLS = ("works", "fails")

FIGURES: Mapping[str, Bounds] = {
    # Tests: each result is a number of hits
    "base": MODIFIED, "pool": Number(), "target": Number(), "hits": Number(), "net hits" + OF_A_TEST: MODIFIED,
    "bought hits": Number(), "glitch": Words(("none", GLITCH.name, CRITICAL_GLITCH)), "object resistance": Number(),
    "assumed *": Settled("another declaration: amend it"), "hits for *": Number(),
    "mishap of *": Settled("another choice: amend it"),
    # Attacks and spells
    "net hits": Number(), "outcome": Named(_ends), "contact": YES, "rounds": Number(),
    "force": Settled("another declaration: amend it"), "drain": Number(), "drain type": Words((STUN, PHYSICAL)),
    "drain boxes": Number(), "direction": Number(1, 6), "scatter": Number(),
    # Damage
    "dv": Number(), "armor": Number(), "damage type": Named(_harms), "boxes": Number(),
    # The turn
    "score": MODIFIED, "goes first in pass": Number(1, 4), "extra passes": Number(0, 4), "surprised by": PEOPLE,
    "acts in": Words(tuple(PLANES)), "meters": Number(), "response": Words(tuple(ALERT_RESPONSES)),
}  # fmt: skip
