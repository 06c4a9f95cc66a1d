"""Steps 6 and 7 of spellcasting: Drain and sustained spells."""

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
from machines.shadowrun_4e.success_tests.pools import FOCUSED, SUSTAINING, asked, hits, prepare, resolved
from machines.shadowrun_4e.tables.tables import TRADITIONS
from projections.combat import Combat

DRAIN_BOXES = FigureName("drain boxes", int)

DRAIN = FigureName("drain", int)
DRAIN_TYPE = FigureName("drain type", str)
"""The role of the roll, which is also the figure of the Drain Value; and the figure of its type."""
_STEPS = "SR4S Spellcasting By The Numbers"
_DRAIN = "SR4 173 Drain"


def find_drain(combat: Combat) -> Deed:
    """Records the Drain Value: half the Force rounded down, the spell's modifier, 1 for each further spell."""
    now = casting(combat)
    own, more = now.spell.drain, now.terms.spells - 1
    value = max(1, down(now.terms.force, 2) + own + more)
    why = f"half of Force {now.terms.force} {own:+d}" + (f" {more:+d} for spells at once" if more else "")
    over = now.terms.force > attribute(combat, now.by, "magic")
    combat = yield DRAIN.found(now.key, value, why, _DRAIN, who=now.by)
    yield DRAIN_TYPE.found(now.key, PHYSICAL if over else STUN, "overcasting" if over else "", _DRAIN, who=now.by)
    return None


def prepare_drain(combat: Combat) -> Deed:
    """Prepares Willpower + the tradition's attribute, without wound or sustaining modifiers."""
    now = frame(combat)
    start = both(combat, now.by, "willpower", TRADITIONS[sheet(combat, now.by).tradition].attribute)
    yield from prepare(combat, key_of(combat, DRAIN.name), now.by, start, HERE, ails=False)
    return None


def drain_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice that resist Drain."""
    yield from asked(combat, key_of(combat, DRAIN.name), frame(combat).by, "resist Drain")


def read_drain(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, key_of(combat, DRAIN.name))
    return None


def suffer_drain(combat: Combat) -> Deed:
    """Fills boxes: the Drain Value less the hits."""
    now = frame(combat)
    value, resisted = DRAIN.at(combat, now.key), hits(combat, key_of(combat, DRAIN.name))
    left, why = floored(value - resisted, f"Drain {value} less {resisted} hits")
    combat = yield DRAIN_BOXES.found(now.key, left, why, HERE, who=now.by)
    boxes = DRAIN_BOXES.at(combat, now.key)
    if boxes:
        yield from take(combat, now.by, DRAIN_TYPE.at(combat, now.key, STUN), boxes, now.key, "Drain")
    return None


def ongoing(combat: Combat) -> Deed:
    """Gives the caster the condition of a sustained spell, if it works and is sustained.

    Ruling: SR4-N48
    """
    now = casting(combat)
    places = (now.key, *(f"{now.key}/t{nth}" for nth in range(2, len(now.targets) + 1)))
    works = any(OUTCOME.at(combat, place) == "works" for place in places)
    if works and now.terms.sustain and (now.terms.focus or not combat.conditions.has(now.by, *UNABLE)):
        name = sustaining(now.terms.spell, FOCUSED if now.terms.focus else SUSTAINING)
        level = hits(combat, role(now.key, CAST))
        yield ConditionGained(now.by, name, level, "dropped", now.key, f"Force {now.terms.force}", _STEPS)
    return "works" if works else "fails"


def sustaining(spell: str, prefix: str = SUSTAINING) -> str:
    """Returns the caster's condition for a sustained spell.

    Source: SR4S Spellcasting By The Numbers 7
    """
    return prefix + spell.replace(" ", "_")


def drop_spell(combat: Combat) -> Deed:
    """Ends a sustained spell."""
    now = frame(combat)
    spell = typed(now.terms, DropTerms).spell
    name = next(each for each in (sustaining(spell), sustaining(spell, FOCUSED)) if combat.conditions.has(now.by, each))
    yield ConditionLost(now.by, name, "dropped")
    return None
