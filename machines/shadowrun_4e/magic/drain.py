"""Steps 6 and 7 of spellcasting: Drain, and spells that are kept up."""

from collections.abc import Iterator

from ledger.events import (
    ConditionGained,
    ConditionLost,
    RollRequested,
)
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import down, floored, frame, key_of
from machines.shadowrun_4e.actions.terms import DropTerms
from machines.shadowrun_4e.attack.attack import OUTCOME
from machines.shadowrun_4e.harm.blows import PHYSICAL, STUN
from machines.shadowrun_4e.harm.injury import take
from machines.shadowrun_4e.magic.spell_context import casting
from machines.shadowrun_4e.magic.spellcasting import CAST
from machines.shadowrun_4e.sheet.sheet_access import UNABLE, attribute, both, sheet
from machines.shadowrun_4e.success_tests.pools import SUSTAINING, asked, hits, prepare, resolved
from machines.shadowrun_4e.tables.tables import TRADITIONS
from projections.combat import Combat

DRAIN_BOXES = FigureName("drain boxes", int)

DRAIN = FigureName("drain", int)
DRAIN_TYPE = FigureName("drain type", str)
"""The role of the roll and the Drain Value; Physical or Stun."""
_STEPS = "SR4S Spellcasting By The Numbers"
_DRAIN = "SR4 173 Drain"


def find_drain(combat: Combat) -> Deed:
    """Half the Force, rounded down, and the spell's own; one more for each further spell cast with it."""
    now = casting(combat)
    own, more = now.spell.drain, now.terms.spells - 1
    value = max(1, down(now.terms.force, 2) + own + more)
    why = f"half of Force {now.terms.force} {own:+d}" + (f" {more:+d} for spells at once" if more else "")
    over = now.terms.force > attribute(combat, now.by, "magic")
    combat = yield DRAIN.found(now.key, value, why, _DRAIN, who=now.by)
    yield DRAIN_TYPE.found(now.key, PHYSICAL if over else STUN, "overcasting" if over else "", _DRAIN, who=now.by)
    return None


def prepare_drain(combat: Combat) -> Deed:
    """Willpower and the tradition's attribute; neither wounds nor spells kept up count."""
    now = frame(combat)
    start = both(combat, now.by, "willpower", TRADITIONS[sheet(combat, now.by).tradition].attribute)
    yield from prepare(combat, key_of(combat, DRAIN.name), now.by, start, HERE, ails=False)
    return None


def drain_roll(combat: Combat) -> Iterator[RollRequested]:
    """Against Drain."""
    yield from asked(combat, key_of(combat, DRAIN.name), frame(combat).by, "resist Drain")


def read_drain(combat: Combat) -> Deed:
    """The hits."""
    yield from resolved(combat, key_of(combat, DRAIN.name))
    return None


def suffer_drain(combat: Combat) -> Deed:
    """Each hit takes one from the Drain Value; the rest are boxes."""
    now = frame(combat)
    value, resisted = DRAIN.at(combat, now.key), hits(combat, key_of(combat, DRAIN.name))
    left, why = floored(value - resisted, f"Drain {value} less {resisted} hits")
    combat = yield DRAIN_BOXES.found(now.key, left, why, HERE, who=now.by)
    boxes = DRAIN_BOXES.at(combat, now.key)
    if boxes:
        yield from take(combat, now.by, DRAIN_TYPE.at(combat, now.key, STUN), boxes, now.key, "Drain")
    return None


def ongoing(combat: Combat) -> Deed:
    """A spell that is kept up takes two dice from everything else."""
    now = casting(combat)
    places = (now.key, *(f"{now.key}/t{nth}" for nth in range(2, len(now.targets) + 1)))
    works = any(OUTCOME.at(combat, place) == "works" for place in places)
    if works and now.terms.sustain and not combat.conditions.has(now.by, *UNABLE):
        name, level = sustaining(now.terms.spell), hits(combat, role(now.key, CAST))
        yield ConditionGained(now.by, name, level, "dropped", now.key, f"Force {now.terms.force}", _STEPS)
    return "works" if works else "fails"


def sustaining(spell: str) -> str:
    """The condition of whoever keeps up a spell.

    Source: SR4S Spellcasting By The Numbers 7
    """
    return SUSTAINING + spell.replace(" ", "_")


def drop_spell(combat: Combat) -> Deed:
    """A spell is let go."""
    now = frame(combat)
    yield ConditionLost(now.by, sustaining(typed(now.terms, DropTerms).spell), "dropped")
    return None
