"""Outcomes of an attack other than damage: grazes, disarming, glitches, further victims, and the summary."""

from ledger.events import ChoiceRequested, ConditionGained, Event, Option
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit, frame
from machines.shadowrun_4e.attack.attack import OUTCOME
from machines.shadowrun_4e.attack.attack_context import (
    DEFEND,
    TO_HIT,
    Attack,
    attack,
    held,
    parrying,
    spoiled,
)
from machines.shadowrun_4e.harm.blast import next_victim, of_attack
from machines.shadowrun_4e.harm.blows import blow
from machines.shadowrun_4e.sheet.sheet_access import is_barrier
from machines.shadowrun_4e.success_tests.mishaps import GLITCH_RULING, MISHAPS
from machines.shadowrun_4e.success_tests.pools import GLITCH
from machines.shadowrun_4e.tables.tables import GLITCHES
from projections.combat import Combat

CONTACT = FigureName("contact", str)


def disarm(combat: Combat) -> Deed:
    """Knocks a weapon out of the target's hands, without damage."""
    now = attack(combat)
    parried = parrying(combat, now)
    mine = held(combat, now.at)
    usual = parried[0] if parried and parried[0] in mine else next(iter(mine), "")
    name = now.terms.spot or usual
    if name:
        condition = spoiled(name, "dropped")
        yield ConditionGained(now.at, condition, None, "picked up", now.key, "knocked away", HERE)
    return None


def graze(combat: Combat) -> Deed:
    """Records contact without damage; electricity does its full damage, with no net hits.

    Ruling: SR4-N37
    """
    now = attack(combat)
    yield CONTACT.found(now.place, "yes", "a tie", HERE, who=now.at)
    return "shock" if blow(combat).electric and not is_barrier(combat, now.at) else "contact"


def next_caught(combat: Combat) -> Deed:
    """Moves on to the next victim of a blast; any other attack has none."""
    now = attack(combat)
    if now.grenade is None:
        combat = yield from emit(combat, _breaks(combat))
        return "nobody"
    return (yield from next_victim(combat, now.key, of_attack(combat, now)))


def _breaks(combat: Combat) -> tuple[Event, ...]:
    """Returns the broken condition of a weapon that breaks after its first hit."""
    now = attack(combat)
    if not now.weapon.breaks:
        return ()
    condition = spoiled(now.name, "broken")
    return (ConditionGained(now.by, condition, None, "", now.key, "it struck", "SR4S Melee Weapons Table"),)


# ------------------------------------------------------------------------------------------------ glitches


def _glitches(combat: Combat) -> list[tuple[str, str]]:
    """Returns who glitched in this strike and how, without those whose mishap is already chosen."""
    now = attack(combat)
    rolls = ((now.by, now.role(TO_HIT)), (now.at, now.role(DEFEND)))
    found = ((who, GLITCH.at(combat, key, "none")) for who, key in rolls)
    left = ((who, word) for who, word in found if word != "none")
    return [(who, word) for who, word in left if not MISHAPS[who].is_at(combat, now.place)]


def _ruling(now: Attack, who: str) -> str:
    return role(now.place, GLITCH_RULING, 1 if who == now.by else 2)


def has_glitched(combat: Combat) -> bool:
    """Returns whether a glitch of this strike still needs a mishap."""
    return bool(_glitches(combat))


def offer_glitch(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster which mishap a glitch leads to."""
    now = attack(combat)
    options = tuple(Option(each.name, each.label) for each in GLITCHES.values())
    who, word = _glitches(combat)[0]
    purpose = f"what {who}'s {word} leads to"
    return ChoiceRequested(_ruling(now, who), "gm", options, next(iter(GLITCHES)), purpose)


def suffer_glitch(combat: Combat) -> Deed:
    """Applies the chosen mishap to the first combatant who glitched."""
    now = attack(combat)
    who, _ = _glitches(combat)[0]
    line = GLITCHES[combat.exchange.chosen[_ruling(now, who)]]
    combat = yield MISHAPS[who].found(now.place, line.name, line.label, HERE, who=who)
    parried = parrying(combat, now) if who == now.at else None
    used = now.name if who == now.by else parried[0] if parried else ""
    if line.of_weapon and used not in held(combat, who):
        return None
    if line.condition and not combat.conditions.has(who, line.condition):
        name = spoiled(used, line.condition) if line.of_weapon else line.condition
        yield ConditionGained(who, name, None, line.until, now.key, line.label, line.source)
    return None


def sum_up(combat: Combat) -> Deed:
    """Returns the best outcome of all strikes."""
    now, strikes = frame(combat), attack(combat)
    if strikes.grenade is not None:
        yield OUTCOME.found(now.key, "hit", "", "SR4S Grenade Damage Table")
        return "hit"
    places = (now.key, *(f"{now.key}/t{nth}" for nth in range(2, strikes.strikes + 1)))
    found = [OUTCOME.at(combat, place) for place in places]
    return next((word for word in ("hit", "graze") if word in found), "miss")
