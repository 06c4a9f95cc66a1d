"""Holds: keeping somebody in one, what can be done to them there, and getting out."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, ConditionLost, Event, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame, key_of, modified
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.family.d100 import attacker_prevails
from machines.eclipse_phase.family.figure_names import DV
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.second.actions.terms import BreakFreeTerms, HoldTerms
from machines.eclipse_phase.second.attack.modifiers import spend
from machines.eclipse_phase.second.harm.damage import by_size
from machines.eclipse_phase.second.harm.harm_dice import harm_dice, harm_of
from machines.eclipse_phase.second.sheet.sheet_access import (
    HELD_BY,
    HOLDS,
    UNABLE,
    Base,
    armor,
    arms,
    check,
    needed,
    sheet,
    size,
)
from machines.eclipse_phase.second.success_tests.roles import HOLD, STRUGGLE
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

_GRAPPLING = "EP2 12/02 Grappling"
KEPT = FigureName("keeps hold until", str, scope="combatant")
"""The figure of a holder: the last Action Turn for which the hold is kept up."""
DRAGS = FigureName("drags", int, scope="round")
"""The figure of a holder who moves whoever is held, at half their rate."""
DRAGGING = {"": False, "choke": False, "damage": False, "knockdown": False, "move": True}
"""Is whoever is held moved, by what is done to them?"""


def held_by(combat: Combat, who: str) -> str:
    """Who holds somebody; empty where there is nobody, or not any more.

    Source: EP2 12/02 Grappling
    """
    return _here(combat, HELD_BY.of(combat, who))


def whom(combat: Combat, holder: str) -> str:
    """Whom somebody holds; empty where there is nobody, or not any more.

    Source: EP2 12/02 Grappling
    """
    return _here(combat, HOLDS.of(combat, holder))


def _here(combat: Combat, found: int | str | None) -> str:
    return str(found) if found in combat.roster.here() else ""


def hold(combat: Combat, by: str, who: str, key: str) -> Iterator[Event]:
    """Somebody is held, and somebody holds; whom they held before they let go.

    Source: EP2 12/02 Grappling
    """
    if whom(combat, by) != who:
        yield from ends_hold(combat, by, "grapples somebody else")
    yield ConditionGained(who, "grappled", None, "breaking free", key, f"held by {by}", _GRAPPLING)
    yield ConditionGained(by, "grappling", None, "letting go", key, f"holds {who}", _GRAPPLING)
    yield HELD_BY.found(key, by, "grapple", _GRAPPLING, who=who)
    yield HOLDS.found(key, who, "grapple", _GRAPPLING, who=by)
    yield KEPT.found(key, combat.clock.period, "", _GRAPPLING, who=by)


def ends_hold(combat: Combat, holder: str, why: str) -> Iterator[Event]:
    """A hold is over: for whoever was held, and for whoever held.

    Source: EP2 12/02 Grappling
    """
    held = whom(combat, holder)
    if combat.conditions.has(holder, "grappling"):
        yield ConditionLost(holder, "grappling", why)
    if held and held_by(combat, held) == holder and combat.conditions.has(held, "grappled"):
        yield ConditionLost(held, "grappled", why)


def has_let_go(combat: Combat, who: str) -> bool:
    """Is somebody held by one who is out or gone?

    Source: EP2 12/02 Grappling
    """
    holder = held_by(combat, who)
    lets_go = combat.conditions.has(holder, *UNABLE) or not combat.conditions.has(holder, "grappling")
    return not holder or lets_go or whom(combat, holder) != who


def holds_end(combat: Combat, who: str) -> Iterator[Event]:
    """When somebody's moment is over: a hold that they have not kept up ends, and one by somebody who is out, too.

    Source: EP2 12/02 Grappling
    """
    if not combat.conditions.has(who, DELAYING):
        yield from not_kept_up(combat, who)
    if combat.conditions.has(who, "grappled") and has_let_go(combat, who):
        yield ConditionLost(who, "grappled", "nobody holds them any more")


def not_kept_up(combat: Combat, holder: str) -> Iterator[Event]:
    """A hold for which nothing was done in time ends; whoever delays may still do it.

    Source: EP2 12/02 Grappling, 03/04 Delaying Actions
    """
    if combat.conditions.has(holder, "grappling") and not is_kept_up(combat, holder):
        yield from ends_hold(combat, holder, "not kept up")


def is_kept_up(combat: Combat, holder: str) -> bool:
    """Has the holder spent a Complex Action in this Action Turn, or begun the hold in it?

    Source: EP2 12/02 Grappling
    """
    return KEPT.of(combat, holder) == combat.clock.period


# ------------------------------------------------------------------------------------------------ keeping hold


def keep_hold(combat: Combat) -> Deed:
    """A Complex Action: the hold goes on, and something may be done to whoever is in it."""
    now = frame(combat)
    terms = typed(now.terms, HoldTerms)
    held = whom(combat, now.by)
    combat = yield from spend(combat, now.by, "complex", now.key)
    combat = yield ConditionGained(now.by, "grappling", None, "letting go", now.key, f"holds {held}", HERE)
    combat = yield KEPT.found(now.key, combat.clock.period, "", HERE, who=now.by)
    if DRAGGING[terms.do]:
        combat = yield DRAGS.found(now.key, 1, "moves whoever is held", HERE, who=now.by)
    if terms.do in CHECKS:
        yield from CHECKS[terms.do](combat, held)
    return terms.do or "only"


def _prepare_breath(combat: Combat, held: str) -> Telling:
    return (yield from prepare(combat, key_of(combat, "choke"), held, check(combat, held, "som"), _GRAPPLING))


def _prepare_stance(combat: Combat, held: str) -> Telling:
    key = key_of(combat, "choke")
    start = max((_grip(combat, held, "melee"), check(combat, held, "som")), key=lambda each: each.value)
    return (
        yield from prepare(combat, key, held, start, _GRAPPLING, tuple(modified(key, -30, "in a hold", _GRAPPLING)))
    )


CHECKS = {"choke": _prepare_breath, "knockdown": _prepare_stance}
"""What the held rolls, by what is done to them."""


def choke_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever is held rolls to stay conscious, or on their feet."""
    now = frame(combat)
    yield asked(combat, key_of(combat, "choke"), whom(combat, now.by), "withstand the hold")


def read_choke(combat: Combat) -> Deed:
    """Against its target."""
    yield from read(combat, key_of(combat, "choke"))
    return None


def give_way(combat: Combat) -> Deed:
    """Failing, they lose consciousness, or their footing."""
    now = frame(combat)
    held = whom(combat, now.by)
    condition, until = SUCCUMB[typed(now.terms, HoldTerms).do]
    if not passed(combat, key_of(combat, "choke")):
        yield ConditionGained(held, condition, None, until, now.key, "in a hold", HERE)
    return None


SUCCUMB = {"choke": ("unconscious", "woken"), "knockdown": ("prone", "standing up")}
"""What befalls whoever fails, and what ends it."""


def squeeze_roll(combat: Combat) -> Iterator[RollRequested]:
    """Unarmed damage, without defense."""
    now = frame(combat)
    yield from harm_dice(combat, key_of(combat, "damage"), now.by, _unarmed(combat, now.by), "damage in the hold")


def _unarmed(combat: Combat, who: str) -> str:
    using = typed(frame(combat).terms, HoldTerms).using
    mine = arms(combat, who)
    usual = "2d6" if sheet(combat, who).synthetic else "1d6"
    dice = mine[using].damage if using in mine and mine[using].damage else usual
    more = size(combat, who).dice
    return f"{dice}+{more}" if more else dice


def squeeze(combat: Combat) -> Deed:
    """Kinetic armor protects; a small holder does less."""
    now = frame(combat)
    held, key = whom(combat, now.by), key_of(combat, "damage")
    dv, why = harm_of(combat, key, _unarmed(combat, now.by))
    for changed, reason in by_size(combat, now.by, dv):
        dv, why = changed, f"{why}, {reason}"
    combat = yield DV.found(key, dv, why, HERE)
    return (yield from suffer(combat, now.key, held, dv, armor(combat, held, "kinetic"), "damage"))


# ------------------------------------------------------------------------------------------------ breaking free


def prepare_struggle(combat: Combat) -> Deed:
    """A Complex Action: Melee or a SOM Check against the holder's; out of foam, a SOM Check alone."""
    now = frame(combat)
    combat = yield from spend(combat, now.by, "complex", now.key)
    by, key = typed(now.terms, BreakFreeTerms).using, key_of(combat, STRUGGLE)
    foam = combat.conditions.of(now.by).get("entangled")
    start = check(combat, now.by, "som") if foam else _grip(combat, now.by, by)
    harder = tuple(modified(key, -(foam.level or 0), "entangled", "EP2 12/12 Entangling")) if foam else ()
    combat = yield from prepare(combat, key, now.by, start, HERE, harder)
    holder = held_by(combat, now.by)
    if not foam and not has_let_go(combat, now.by):
        mine, som = _grip(combat, holder, "melee"), check(combat, holder, "som")
        best = max((mine, som), key=lambda each: each.value)
        yield from prepare(combat, key_of(combat, HOLD), holder, best, HERE)
    return None


def _grip(combat: Combat, who: str, by: str) -> Base:
    return check(combat, who, "som") if by == "som" else needed(combat, who, "melee", "grapple")


def struggle(combat: Combat) -> Deed:
    """Whoever wins the opposed test is free, or keeps hold; with a superior success the tables may be turned."""
    now = frame(combat)
    mine, theirs = combat.rolls[key_of(combat, STRUGGLE)], combat.rolls[key_of(combat, HOLD)]
    opposing = (theirs.outcome, theirs.rolled) if theirs.outcome else None
    if not attacker_prevails((mine.outcome, mine.rolled), opposing):
        return "held"
    holder = held_by(combat, now.by)
    foam = combat.conditions.has(now.by, "entangled")
    if foam:
        yield ConditionLost(now.by, "entangled", "breaks free")
        return "free"
    combat = yield ConditionLost(now.by, "grappled", "breaks free")
    if holder and combat.conditions.has(holder, "grappling"):
        combat = yield ConditionLost(holder, "grappling", "they broke free")
    return "turns" if mine.margin > 0 and holder and not combat.conditions.has(holder, *UNABLE) else "free"


def offer_turning(combat: Combat) -> ChoiceRequested:
    """A superior success: hold the holder."""
    now = frame(combat)
    options = (Option("free", "just get free"), Option("grapple", f"grapple {held_by(combat, now.by)}"))
    return ChoiceRequested(key_of(combat, "turning"), now.by, options, "free", "turn the tables?")


def turn_tables(combat: Combat) -> Deed:
    """The holder is held."""
    now = frame(combat)
    yield from hold(combat, now.by, held_by(combat, now.by), now.key)
    return None
