"""Counterspelling and summoning."""

from collections.abc import Iterator

from ledger.events import (
    ConditionGained,
    ResourceOpened,
    RollRequested,
)
from machines.contract.chart import HERE, Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame, key_of
from machines.shadowrun_4e.actions.action_costs import spend, spend_free
from machines.shadowrun_4e.actions.terms import CounterspellTerms, SummonTerms
from machines.shadowrun_4e.attack.attack import NET
from machines.shadowrun_4e.harm.blows import PHYSICAL, STUN
from machines.shadowrun_4e.magic.drain import DRAIN, DRAIN_TYPE
from machines.shadowrun_4e.magic.spellcasting import PROTECTED, PROTECTOR
from machines.shadowrun_4e.sheet.sheet_access import Base, attribute, needed, rating
from machines.shadowrun_4e.sheet.specializations import of_spirit
from machines.shadowrun_4e.success_tests.pools import against, asked, hits, prepare, resolved
from projections.combat import Combat

SUMMON, SPIRIT = "summon", "spirit"
"""The roles of the rolls."""
_DRAIN = "SR4 173 Drain"


# ------------------------------------------------------------------------------------------------ counterspelling


def protect(combat: Combat) -> Deed:
    """Spends a Free Action and gives each named combatant the magician's Counterspelling dice."""
    now = frame(combat)
    combat = yield from spend_free(combat, now.by, now.key)
    dice, source = rating(combat, now.by, "counterspelling") or 0, "SR4 175 Counterspelling"
    for who in typed(now.terms, CounterspellTerms).protects:
        key = f"{now.key}/{who}"
        combat = yield ConditionGained(who, PROTECTED, dice, "dropped", now.key, f"protected by {now.by}", source)
        combat = yield PROTECTOR.found(key, now.by, "", source, who=who)
    return None


# ------------------------------------------------------------------------------------------------ summoning


def prepare_summoning(combat: Combat) -> Deed:
    """Prepares Magic + Summoning against the spirit's Force."""
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    if combat.clock.fighting:
        combat = yield from spend(combat, now.by, "complex", now.key)
    start = needed(combat, now.by, "summoning", "magic", *of_spirit(terms.spirit))
    combat = yield from prepare(combat, key_of(combat, SUMMON), now.by, start, HERE)
    spirit = Base(terms.force, f"Force {terms.force}")
    yield from prepare(combat, key_of(combat, SPIRIT), "gm", spirit, HERE, ails=False)
    return None


def summoning_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of summoner and spirit."""
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    yield from asked(combat, key_of(combat, SUMMON), now.by, f"summon {terms.spirit}")
    yield from asked(combat, key_of(combat, SPIRIT), "gm", f"{terms.spirit} resists")


def read_summoning(combat: Combat) -> Deed:
    """Reads both rolls."""
    for name in (SPIRIT, SUMMON):
        key = key_of(combat, name)
        combat = yield from resolved(combat, key)
        if name == SUMMON:
            spirit = key_of(combat, SPIRIT)
            combat = yield from against(combat, key, hits(combat, spirit), spirit, "the spirit's hits", HERE)
    return None


def services(combat: Combat) -> Deed:
    """Records the services (net hits) and the Drain (from the spirit's hits; Physical if Force exceeds Magic)."""
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    theirs = hits(combat, key_of(combat, SPIRIT))
    net = max(0, hits(combat, key_of(combat, SUMMON)) - theirs)
    combat = yield NET.found(now.key, net, "services", HERE, who=now.by)
    over = terms.force > attribute(combat, now.by, "magic")
    combat = yield DRAIN.found(now.key, max(2, 2 * theirs), f"twice the spirit's {theirs} hits", _DRAIN, who=now.by)
    kind = PHYSICAL if over else STUN
    combat = yield DRAIN_TYPE.found(now.key, kind, "Force above Magic" if over else "", _DRAIN, who=now.by)
    net = NET.at(combat, now.key)
    if net:
        yield ResourceOpened(now.by, f"services of {terms.spirit}", net, net)
    return None


def is_spirit_summoned(combat: Combat) -> bool:
    """Returns whether the spirit comes: the summoner has net hits."""
    return NET.at(combat, frame(combat).key) > 0
