"""The maneuvers other than attacks: feints, all-out defense, waiting, postures, moving, concentrating."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, Event, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, emit, frame
from machines.gurps_3e.actions.terms import FeintTerms, MoveTerms, PostureTerms, WaitTerms
from machines.gurps_3e.attack.aiming import AIMED_IN, AIMING
from machines.gurps_3e.attack.spending import (
    AFTER_FEINT,
    ALL_OUT,
    ATTACKS_LEFT,
    ATTACKS_WITH,
    FORM,
    WAITING,
    WATCHES,
    use_maneuver,
)
from machines.gurps_3e.defense.active_defense import ALL_OUT_DEFENSE, feinted_by, feinted_in
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import take_posture
from machines.gurps_3e.sheet.sheet_access import (
    NEXT_TURN,
    SHOCK,
    THIS_TURN,
    kind_of,
    move,
    required_skill,
    sheet,
    shock,
    skill,
    weapons_of,
)
from machines.gurps_3e.success_rolls.success import modifier_events, prepare, request_roll, resolve_rolls
from machines.secrecy.part_sources import of_condition, of_roll
from projections.combat import Combat
from projections.exchange import Frame

YARDS = FigureName("yards", int)

SEES_THROUGH = "see-through"
FEINT = FigureName("feint", int)


def end_aim(combat: Combat, who: str) -> Iterator[Event]:
    """Ends the aim of a combatant who does anything but aim, wait or attack."""
    if combat.conditions.has(who, AIMING):
        yield ConditionLost(who, AIMING, "another maneuver")


def begin_maneuver(combat: Combat, now: Frame) -> Telling:
    """Spends the maneuver and ends an aim."""
    combat = yield from use_maneuver(now)
    combat = yield from emit(combat, end_aim(combat, now.by))
    return combat


def defend_all_out(combat: Combat) -> Deed:
    """Allows two defenses against each attack, until the next turn."""
    now = frame(combat)
    combat = yield from begin_maneuver(combat, now)
    source = "B 105 All-Out Defense"
    yield ConditionGained(now.by, ALL_OUT_DEFENSE, None, NEXT_TURN, now.key, "defends all out", source)
    return None


def wait(combat: Combat) -> Deed:
    """Waits for a target to come within reach or sight; an aim is kept."""
    now = frame(combat)
    combat = yield from use_maneuver(now)
    watching, source = str(typed(now.terms, WaitTerms).watching), "B 106 Step and Wait"
    if combat.conditions.has(now.by, AIMING):  # one hex may be aimed at while waiting
        combat = yield AIMED_IN.found(now.key, combat.clock.period, "", source, who=now.by)
    combat = yield WATCHES.found(now.key, watching, "", source, who=now.by)
    yield ConditionGained(now.by, WAITING, None, NEXT_TURN, now.key, f"watches {watching}", source)
    return None


def change_posture(combat: Combat) -> Deed:
    """Changes posture by one step."""
    now = frame(combat)
    combat = yield from begin_maneuver(combat, now)
    yield from take_posture(combat, now.by, typed(now.terms, PostureTerms).to, now.key, "changes posture", HERE)
    return None


def move_yards(combat: Combat) -> Deed:
    """Moves: the declared yards, or as far as Move allows."""
    now = frame(combat)
    combat = yield from begin_maneuver(combat, now)
    yards, most = typed(now.terms, MoveTerms).yards, move(combat, now.by)
    yield YARDS.found(now.key, most if yards is None else yards, f"Move {most}", HERE, who=now.by)
    return None


def concentrate(combat: Combat) -> Deed:
    """Concentrates on a spell or another mental task."""
    yield from begin_maneuver(combat, frame(combat))
    return None


# ------------------------------------------------------------------------------------------------ feints


def begin_feint(combat: Combat) -> Deed:
    """Prepares both rolls of a feint; shock counts for both."""
    now = frame(combat)
    terms = typed(now.terms, FeintTerms)
    combat = yield from begin_maneuver(combat, now)
    if terms.all_out:
        combat = yield from _all_out(now, terms)
    weapon = weapons_of(combat, now.by)[terms.using]
    for key, who, name in (
        (f"{now.key}/{FEINT.name}", now.by, weapon.skill),
        (f"{now.key}/{SEES_THROUGH}", terms.at, best_skill(combat, terms.at)),
    ):
        value = required_skill(combat, who, name)
        felt = of_condition(
            combat, who, SHOCK, modifier_events(key, "B 126 Shock", {SHOCK: -shock(combat, who, THIS_TURN)})
        )
        combat = yield from prepare(combat, key, who, value, f"{name} {value}", "B 105 Feint", felt)
    return None


def _all_out(now: Frame, terms: FeintTerms) -> Telling:
    source = "B 105 All-Out Attack"
    words = f"attacks all out: {AFTER_FEINT}"
    yield ConditionGained(now.by, ALL_OUT, None, NEXT_TURN, now.key, words, source)
    yield ATTACKS_LEFT.found(now.key, 1, "", source, who=now.by)
    yield ATTACKS_WITH.found(now.key, terms.using, "", source, who=now.by)
    return (yield FORM.found(now.key, AFTER_FEINT, "", source, who=now.by))


def best_skill(combat: Combat, who: str) -> str:
    """Returns the skill that resists a feint: the best of melee weapons, shield and DX.

    Source: B 105 Feint; Ruling: G3-N3
    """
    owner = sheet(combat, who)
    names = [each.skill for each in weapons_of(combat, who).values() if not kind_of(each).ranged]
    names += [owner.shield.skill] if owner.shield else []
    return max(["dx", *names], key=lambda name: skill(combat, who, name) or 0)


def feint_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests both rolls."""
    now = frame(combat)
    at = typed(now.terms, FeintTerms).at
    yield request_roll(combat, f"{now.key}/{FEINT.name}", now.by, "feint")
    yield request_roll(combat, f"{now.key}/{SEES_THROUGH}", at, "see through the feint")


COUNTED: Mapping[str, Callable[[int], int]] = {
    "difference": lambda margin: margin,
    "own_margin": lambda margin: max(0, margin),
}
"""What counts of the target's margin, by the value of the profile's field."""


def read_feint(combat: Combat) -> Deed:
    """Records how much worse the target's next defense against this attacker is.

    Ruling: G3-N3
    """
    now = frame(combat)
    at, mine, theirs = typed(now.terms, FeintTerms).at, f"{now.key}/{FEINT.name}", f"{now.key}/{SEES_THROUGH}"
    combat = yield from resolve_rolls(combat, mine, theirs)
    margin = combat.rolls[mine].margin
    against = COUNTED[profile(combat).feint_penalty](combat.rolls[theirs].margin)
    better, why = margin - against, f"{margin:+d} against {against:+d}"
    combat = yield FEINT.found(now.key, better if margin >= 0 else 0, why, HERE, who=at)
    level = FEINT.at(combat, now.key)
    if level <= 0:
        return "lost"
    source = "B 105 Step and Feint"
    combat = yield feinted_in(now.by).found(now.key, combat.clock.period, "", source, who=at)
    fooled = ConditionGained(at, feinted_by(now.by), level, f"the end of {now.by}'s next turn", now.key, why, source)
    yield from of_roll(combat, mine, of_roll(combat, theirs, [fooled]))
    return "won"
