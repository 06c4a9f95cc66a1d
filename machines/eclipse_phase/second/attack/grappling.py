"""Holds: keeping one up, choking and hurting the held, and breaking free."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, ConditionLost, Event, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame, key_of, modified
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.family.d100 import attacker_prevails
from machines.eclipse_phase.family.edition import DV
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import d100_request, passed
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
"""Figure of a holder: the last Action Turn for which the hold is kept up."""
DRAGS = FigureName("drags", int, scope="round")
"""Figure of a holder who moves the held combatant, at half their rate."""
DRAGGING = {"": False, "choke": False, "damage": False, "knockdown": False, "move": True}
"""Whether the held combatant is moved, by what is done."""


def held_by(combat: Combat, who: str) -> str:
    """Returns the combatant who holds this one; empty if there is none.

    Source: EP2 12/02 Grappling
    """
    return _here(combat, HELD_BY.of(combat, who))


def held_combatant(combat: Combat, holder: str) -> str:
    """Returns the combatant held by a holder; empty if there is none.

    Source: EP2 12/02 Grappling
    """
    return _here(combat, HOLDS.of(combat, holder))


def _here(combat: Combat, who: str) -> str:
    return who if who in combat.roster.here() else ""


def hold(combat: Combat, by: str, who: str, key: str) -> Iterator[Event]:
    """Yields the events of a new hold; an earlier hold of the holder ends.

    Source: EP2 12/02 Grappling
    """
    if held_combatant(combat, by) != who:
        yield from ends_hold(combat, by, "grapples somebody else")
    yield ConditionGained(who, "grappled", None, "breaking free", key, f"held by {by}", _GRAPPLING)
    yield ConditionGained(by, "grappling", None, "letting go", key, f"holds {who}", _GRAPPLING)
    yield HELD_BY.found(key, by, "grapple", _GRAPPLING, who=who)
    yield HOLDS.found(key, who, "grapple", _GRAPPLING, who=by)
    yield KEPT.found(key, combat.clock.period, "", _GRAPPLING, who=by)


def ends_hold(combat: Combat, holder: str, why: str) -> Iterator[Event]:
    """Yields the end of a hold for both combatants.

    Source: EP2 12/02 Grappling
    """
    held = held_combatant(combat, holder)
    if combat.conditions.has(holder, "grappling"):
        yield ConditionLost(holder, "grappling", why)
    if held and held_by(combat, held) == holder and combat.conditions.has(held, "grappled"):
        yield ConditionLost(held, "grappled", why)


def has_let_go(combat: Combat, who: str) -> bool:
    """Returns whether the holder of a combatant is out or gone.

    Source: EP2 12/02 Grappling
    """
    holder = held_by(combat, who)
    lets_go = combat.conditions.has(holder, *UNABLE) or not combat.conditions.has(holder, "grappling")
    return not holder or lets_go or held_combatant(combat, holder) != who


def holds_end(combat: Combat, who: str) -> Iterator[Event]:
    """Yields the end of holds when a moment ends: those not kept up, and those whose holder is out.

    Source: EP2 12/02 Grappling
    """
    if not combat.conditions.has(who, DELAYING):
        yield from not_kept_up(combat, who)
    if combat.conditions.has(who, "grappled") and has_let_go(combat, who):
        yield ConditionLost(who, "grappled", "nobody holds them any more")


def not_kept_up(combat: Combat, holder: str) -> Iterator[Event]:
    """Yields the end of a hold that was not kept up in time; a holder who delays may still keep it up.

    Source: EP2 12/02 Grappling, 03/04 Delaying Actions
    """
    if combat.conditions.has(holder, "grappling") and not is_kept_up(combat, holder):
        yield from ends_hold(combat, holder, "not kept up")


def is_kept_up(combat: Combat, holder: str) -> bool:
    """Returns whether the holder has kept up, or begun, the hold in this Action Turn.

    Source: EP2 12/02 Grappling
    """
    return KEPT.of(combat, holder) == combat.clock.period


# ------------------------------------------------------------------------------------------------ keeping hold


def keep_hold(combat: Combat) -> Deed:
    """Keeps up a hold with a Complex Action; the held combatant may be choked, hurt, knocked down or moved."""
    now = frame(combat)
    terms = typed(now.terms, HoldTerms)
    held = held_combatant(combat, now.by)
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
"""Checks of the held combatant, by what is done."""


def choke_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the held combatant's check to stay conscious or on their feet."""
    now = frame(combat)
    yield d100_request(combat, key_of(combat, "choke"), held_combatant(combat, now.by), "withstand the hold")


def read_choke(combat: Combat) -> Deed:
    """Reads the check of the held combatant."""
    yield from read(combat, key_of(combat, "choke"))
    return None


def give_way(combat: Combat) -> Deed:
    """Applies a failed check: unconscious or prone."""
    now = frame(combat)
    held = held_combatant(combat, now.by)
    condition, until = SUCCUMB[typed(now.terms, HoldTerms).do]
    if not passed(combat, key_of(combat, "choke")):
        yield ConditionGained(held, condition, None, until, now.key, "in a hold", HERE)
    return None


SUCCUMB = {"choke": ("unconscious", "woken"), "knockdown": ("prone", "standing up")}
"""Condition after a failed check, and what ends it."""


def squeeze_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the unarmed damage of a hold; there is no defense."""
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
    """Applies the damage of a hold, reduced by kinetic armor and by the holder's small size."""
    now = frame(combat)
    held, key = held_combatant(combat, now.by), key_of(combat, "damage")
    dv, why = harm_of(combat, key, _unarmed(combat, now.by))
    for changed, reason in by_size(combat, now.by, dv):
        dv, why = changed, f"{why}, {reason}"
    combat = yield DV.found(key, dv, why, HERE)
    return (yield from suffer(combat, now.key, held, dv, armor(combat, held, "kinetic"), "damage"))


# ------------------------------------------------------------------------------------------------ breaking free


def prepare_struggle(combat: Combat) -> Deed:
    """Prepares breaking free with a Complex Action: Melee or a SOM Check against the holder; SOM alone if entangled."""
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
    """Ends the hold if the held combatant wins; a superior success allows a counter-hold."""
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
    """Asks whether a superior success is used to hold the holder."""
    now = frame(combat)
    options = (Option("free", "just get free"), Option("grapple", f"grapple {held_by(combat, now.by)}"))
    return ChoiceRequested(key_of(combat, "turning"), now.by, options, "free", "turn the tables?")


def turn_tables(combat: Combat) -> Deed:
    """Begins the counter-hold."""
    now = frame(combat)
    yield from hold(combat, now.by, held_by(combat, now.by), now.key)
    return None
