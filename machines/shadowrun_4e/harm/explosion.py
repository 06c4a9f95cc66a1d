"""Harm without an attack roll: declared blasts, and dumpshock by a cut connection."""

from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import emit, frame
from machines.shadowrun_4e.actions.assumptions import assumed
from machines.shadowrun_4e.actions.terms import BlastTerms
from machines.shadowrun_4e.harm.blast import VICTIM, next_victim
from machines.shadowrun_4e.harm.blows import VICTIM_OF_SHOCK, blast_of
from projections.combat import Combat


def next_caught(combat: Combat) -> Deed:
    """Moves on to the next combatant in the blast; records what is assumed before the first."""
    now = frame(combat)
    if not VICTIM.is_at(combat, now.key):
        terms = typed(now.terms, BlastTerms)
        combat = yield from emit(combat, assumed(now, terms, "SR4S Grenade Damage Table"))
    return (yield from next_victim(combat, frame(combat).key, blast_of(combat)))


def cut_off(combat: Combat) -> Deed:
    """Marks the declaring combatant as the victim of dumpshock."""
    now = frame(combat)
    yield VICTIM_OF_SHOCK.found(now.key, now.by, "", HERE)
    return None
