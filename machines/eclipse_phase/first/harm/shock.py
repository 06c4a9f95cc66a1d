"""Shock weapons: the test between rolling and taking damage."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, Event, RollRequested
from ledger.key import moment_of
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.edition import ARMOR, DV
from machines.eclipse_phase.family.success import base, d100_request, passed, target
from machines.eclipse_phase.first.attack.attack_context import Attack, attack
from machines.eclipse_phase.first.figure_names import ARMOR_DEFEATED
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import armor, sheet, traits
from machines.eclipse_phase.first.success_tests.success import resolve
from projections.combat import Combat

SHOCK = "shock"
FADES = FigureName("shock fades every", int, scope="combatant")
"""Figure of the Action Turns in which 10 of a shock fade: 20 (a minute), or 1."""
FULL = 30
"""Modifier of a fresh shock to all actions."""
_MINUTE = 20
_SHOCK = "EP1 204 Shock Attacks"


def is_shocking(combat: Combat) -> bool:
    """Returns whether a shock weapon hit a target with nerves."""
    now = attack(combat)
    return now.weapon.shock and not sheet(combat, now.at).synthetic


def prepare_shock(combat: Combat) -> Deed:
    """Prepares the shock test: Durability plus energy armor.

    Ruling: EP1-C4, EP1-C5
    """
    now = attack(combat)
    key, victim = now.role(SHOCK), sheet(combat, now.at)
    taken, coming = (
        combat.health.track(now.at, "damage").taken,
        STILL_TO_COME[profile(combat).shock_durability](combat, now),
    )
    counts = profile(combat).shock_armor_on_critical or not ARMOR_DEFEATED.is_at(combat, now.place)
    worn = armor(victim.armor, "energy") if counts else 0
    proof = sum(trait.shock for trait in traits(combat, now.at))
    why = f"Durability {victim.durability}" + (f" less {taken} damage taken" if taken else "")
    why += (f" less {coming} of this hit" if coming else "") + f", energy armor {worn}"
    why += f", shock-proof {proof}" if proof else ""
    combat = yield base(key, victim.durability - taken - coming + worn + proof, why, HERE, now.at)
    yield target(combat, key, now.at)
    return None


def _this_hit(combat: Combat, now: Attack) -> int:
    return max(0, DV.at(combat, now.role("damage")) - ARMOR.at(combat, now.place))


STILL_TO_COME: Mapping[str, Callable[[Combat, Attack], int]] = {
    "before_hit": lambda *_: 0,
    "after_hit": _this_hit,
}
"""Damage of this hit that counts as taken in the shock test, by the profile's field."""


def shock_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the target's shock test."""
    now = attack(combat)
    yield d100_request(combat, now.role(SHOCK), now.at, "resist the shock")


def read_shock(combat: Combat) -> Deed:
    """Reads the shock test."""
    yield resolve(combat, attack(combat).role(SHOCK))
    return None


def be_shocked(combat: Combat) -> Deed:
    """Applies the shock test.

    Failure incapacitates for one Action Turn for each full 10 of the margin, at least 3. Success halves the DV.

    Ruling: EP1-N7, EP1-N8
    """
    now = attack(combat)
    yield from (_shaken if passed(combat, now.role(SHOCK)) else _stunned)(combat, now)
    return None


def _stunned(combat: Combat, now: Attack) -> Iterator[Event]:
    turns = max(3, -combat.rolls[now.role(SHOCK)].margin // 10)
    why = f"shock, {turns} Action Turns"
    end = combat.clock.ahead(turns)
    if _is_longer(combat, now.at, "incapacitated", end):
        yield ConditionGained(now.at, "incapacitated", None, end, now.key, why, _SHOCK)
    yield ConditionGained(now.at, "prone", None, "standing up", now.key, "shock", _SHOCK)
    fades = combat.clock.ahead(turns + _MINUTE)
    yield ConditionGained(now.at, "shocked", FULL, fades, now.key, f"{why}, then 10 less each minute", _SHOCK)
    yield FADES.found(now.key, _MINUTE, "", _SHOCK, who=now.at)


def _shaken(combat: Combat, now: Attack) -> Iterator[Event]:
    dv = DV.at(combat, now.role("damage"))
    yield DV.found(now.role(SHOCK), dv // 2, f"half of {dv}: shock resisted", _SHOCK)
    end = combat.clock.ahead(2)
    if _is_longer(combat, now.at, "shocked", end) or _has_faded(combat, now.at):
        yield ConditionGained(now.at, "shocked", FULL, end, now.key, "shock resisted", _SHOCK)
        yield FADES.found(now.key, 1, "", _SHOCK, who=now.at)


def _is_longer(combat: Combat, who: str, condition: str, until: str) -> bool:
    """Returns whether the condition would last longer than it does; one without a set end lasts longest."""
    has = combat.conditions.of(who).get(condition)
    if has is None:
        return True
    old, new = moment_of(has.until), moment_of(until)
    return old is not None and new is not None and new >= old


def _has_faded(combat: Combat, who: str) -> bool:
    """Returns whether an earlier shock has faded below a new one, which then restores the full modifier."""
    has = combat.conditions.of(who).get("shocked")
    return has is not None and (has.level or 0) < FULL


def fade(combat: Combat, who: str) -> Telling:
    """Reduces a shock by 10 when its time has come.

    Source: EP1 204 Shock Attacks
    """
    shocked = combat.conditions.of(who).get("shocked")
    if shocked is None or not combat.clock.has_come(shocked.until):
        return combat
    if (shocked.level or 0) <= 10:
        return (yield ConditionLost(who, "shocked", "it has faded"))
    every = FADES.of(combat, who) or 1
    until, level = combat.clock.ahead(every), (shocked.level or 0) - 10
    return (yield ConditionGained(who, "shocked", level, until, "", "fades by 10", _SHOCK))
