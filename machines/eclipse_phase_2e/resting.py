"""Recovery: damage heals in time, by the body itself and by one technology, and wounds when there is none left."""

from collections.abc import Iterator, Mapping

import msgspec

from ledger.dice import parse
from ledger.events import RollRequested
from ledger.modifier import total
from machines import refusals as no
from machines.boxes import check_not_lost, check_quiet, figure, frame, key_of, one_of, thrown
from machines.chart import Deed
from machines.eclipse_phase_2e.body_rows import HealingRate
from machines.eclipse_phase_2e.elapsing import spend
from machines.eclipse_phase_2e.healing import HEALING, is_shell
from machines.eclipse_phase_2e.reading import sheet
from machines.eclipse_phase_2e.recovery import mend, recover
from machines.eclipse_phase_2e.tables import HEALING_CONDITIONS, HEALING_RATES
from machines.eclipse_phase_2e.terms import RestTerms
from machines.ruleset import typed
from projections.combat import Combat

_REST = "EP2 12/17 Recovery"
MENDED = "wounds healed"
MOST_DICE = 500
NATURAL: Mapping[bool, str] = {True: "biomods", False: "no biomods"}
"""What a body does by itself, by whether it has biomods."""


def check_rest(combat: Combat, by: str, terms: RestTerms) -> None:
    """Refuse rest to the dead, while somebody bleeds, and by means that do nothing for such a body."""
    check_quiet(combat)
    check_not_lost(combat, by, "dead")
    for condition in ("bleeding", "needs_surgery"):
        if combat.conditions.has(by, condition):
            accepts = "stabilize, first_aid or surgery first"
            raise no.CannotAct(f"{by} is {condition.replace('_', ' ')}", where="by", accepts=accepts)
    shell = is_shell(combat, by)
    fitting = tuple(
        name for name, row in HEALING_RATES.items() if not row.natural and (row.shells if shell else row.flesh)
    )
    one_of(terms.means, ("" if not shell else fitting[0], *fitting), "means")
    one_of(terms.conditions, ("", *HEALING_CONDITIONS), "conditions")


class Healing(msgspec.Struct, frozen=True):
    """What heals somebody, and how often in the time."""

    row: HealingRate
    times: int
    wounds: int


def _sources(combat: Combat) -> list[Healing]:
    """The body itself, and one technology, for as long as it works.

    Source: EP2 12/17 Recovery
    """
    now = frame(combat)
    terms = typed(now.terms, RestTerms)
    slow = HEALING_CONDITIONS[terms.conditions].times if terms.conditions else 1
    names = [] if is_shell(combat, now.by) else [NATURAL[sheet(combat, now.by).biomods]]
    rows = [HEALING_RATES[name] for name in (*names, terms.means) if name]
    found = []
    for row in rows:
        hours = min(terms.hours, row.lasts or terms.hours)
        found.append(Healing(row, hours // (row.hours * slow), row.wound_hours * slow))
    return found


def _dice(combat: Combat) -> str:
    """All the dice of the time; no more than there is damage."""
    taken = combat.health.track(frame(combat).by, "damage").taken
    count = sum(parse(each.row.dice).groups[0][0] * each.times for each in _sources(combat))
    return f"{min(count, taken, MOST_DICE)}d10" if min(count, taken) > 0 else ""


def find_rates(combat: Combat) -> Deed:
    """How many dice the time is worth.

    Source: EP2 12/17 Recovery
    """
    now = frame(combat)
    why = ", ".join(f"{each.row.name}: {each.times} x {each.row.dice}" for each in _sources(combat)) or "nothing heals"
    yield figure(now.key, "dice", _dice(combat) or "none", why, _REST)
    return None


def rest_roll(combat: Combat) -> Iterator[RollRequested]:
    """All of them at once.

    Source: EP2 12/17 Recovery
    """
    if _dice(combat):
        yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, _dice(combat), "damage healed")


def heal_in_time(combat: Combat) -> Deed:
    """Damage heals first; what is left of the time is for wounds.

    Source: EP2 12/17 Recovery; Ruling: EP2-N19
    """
    now, key = frame(combat), key_of(combat, HEALING)
    taken = combat.health.track(now.by, "damage").taken
    healed = sum(combat.rolls[key].faces) + total(combat.rolls.modifiers(key))
    why = f"{healed} of {taken} damage"
    combat = yield figure(key, "healed", max(0, min(healed, taken)), why, _REST, who=now.by)
    combat = yield figure(key, MENDED, _wounds(combat, healed, taken), "in the rest of the time", _REST, who=now.by)
    combat = yield from mend(
        combat, now.by, combat.figures.number(key, "healed"), combat.figures.number(key, MENDED), _REST
    )
    yield from recover(combat, now.by)
    return None


def _wounds(combat: Combat, healed: int, taken: int) -> int:
    """Wounds that the rest of the time heals, by whatever heals them fastest, once there is no damage."""
    if healed < taken:
        return 0
    hours = typed(frame(combat).terms, RestTerms).hours
    share = 1 - (taken / healed if healed else 0)
    rates = [each.wounds for each in _sources(combat) if each.wounds]
    return int(hours * share) // min(rates) if rates else 0


def pass_the_time(combat: Combat) -> Deed:
    """The hours pass, for everybody.

    Source: EP2 12/17 Recovery
    """
    yield from spend(combat, typed(frame(combat).terms, RestTerms).hours * 60)
    return None
