"""Boxes 46 to 50: unconsciousness and death at 0 hit points and below."""

from collections.abc import Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, frame
from machines.gurps_3e.attack.attack_context import attack, blow
from machines.gurps_3e.harm.damage import CAPPED, figure_of
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet_access import (
    DEAD,
    HALVED,
    LOW,
    UNABLE,
    UNCONSCIOUS,
    health,
    hits_left,
    sheet,
    toughness,
)
from machines.gurps_3e.success_rolls.success import (
    TARGET,
    modifier_events,
    passed,
    prepare,
    request_roll,
    resolve_rolls,
)
from projections.combat import Combat

CONSCIOUSNESS, DEATH = "consciousness", "death"
ROLLED = FigureName("thresholds rolled", int, scope="combatant")
"""Figure of a combatant: the number of death thresholds that were rolled for."""
DUE = FigureName("death rolls due", int)
"""Figure of hit points that the gamemaster set: the number of HT rolls that they call for."""
STEP = 5
"""Hits between two thresholds below -HT (B 126)."""
CERTAIN = 5
"""How many times HT below 0 death is certain (B 126)."""
_INJURY = "B 126 General Injury"


def is_at_zero(combat: Combat) -> bool:
    """Returns whether the blow left 0 hit points or fewer.

    Ruling: G3-F20
    """
    struck = blow(combat)
    return figure_of(combat, struck, CAPPED) > 0 and hits_left(combat, struck.foe) <= 0


def prepare_consciousness(combat: Combat, key: str, who: str) -> Telling:
    """Prepares an HT roll with Strong or Weak Will."""
    owner = sheet(combat, who)
    return (
        yield from prepare(
            combat, key, who, owner.ht, f"HT {owner.ht}", _INJURY, modifier_events(key, _INJURY, {"Will": owner.will})
        )
    )


def stay_conscious(combat: Combat) -> Deed:
    """Prepares the HT roll where the profile has it made at once.

    Ruling: G3-F19
    """
    struck = blow(combat)
    if AT_ONCE[profile(combat).first_consciousness_roll] and not combat.conditions.has(struck.foe, *UNABLE):
        yield from prepare_consciousness(combat, attack(combat).role(CONSCIOUSNESS), struck.foe)
    return None


AT_ONCE: Mapping[str, bool] = {"at_once": True, "own_turn": False}
"""Whether the roll is made at once, by the value of the profile's field."""


def consciousness_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT with Will, where it was prepared."""
    key = attack(combat).role(CONSCIOUSNESS)
    if TARGET.is_at(combat, key):
        yield request_roll(combat, key, blow(combat).foe, "stay conscious")


def read_consciousness(combat: Combat) -> Deed:
    """Reads the roll to stay conscious."""
    yield from faint(combat, attack(combat).role(CONSCIOUSNESS), blow(combat).foe)
    return None


def faint(combat: Combat, key: str, who: str) -> Telling:
    """Reads a roll to stay conscious; a failure makes unconscious."""
    combat = yield from resolve_rolls(combat, key)
    if combat.rolls[key].outcome and not passed(combat, key):
        combat = yield ConditionGained(who, UNCONSCIOUS, None, "more than 0 hit points", key, "HT roll failed", _INJURY)
    return combat


def at_minus_health(combat: Combat) -> bool:
    """Returns whether the blow left -HT or less.

    Ruling: G3-F20, G3-N31
    """
    struck = blow(combat)
    return figure_of(combat, struck, CAPPED) > 0 and hits_left(combat, struck.foe) <= -toughness(combat, struck.foe)


def thresholds(ht: int, left: int) -> int:
    """Returns the number of death thresholds that were reached: -HT, and each further 5 below it, down to -5 x HT.

    Args:
        ht: HT, or the number of hit points that takes its place.
        left: Hit points, below 0.

    Source: CII 48-51 Flowchart box 49, B 126 General Injury; Ruling: G3-F21

    >>> thresholds(10, -9), thresholds(10, -10), thresholds(10, -20), thresholds(10, -99)
    (0, 1, 3, 9)
    """
    return 0 if left > -ht else 1 + (min(-left, CERTAIN * ht) - ht) // STEP


def rolls_for_life(combat: Combat) -> Deed:
    """Prepares an HT roll for each threshold that was never rolled for.

    Ruling: G3-F20, G3-F21
    """
    struck = blow(combat)
    done, reached = (
        thresholds_rolled(combat, struck.foe),
        thresholds(toughness(combat, struck.foe), hits_left(combat, struck.foe)),
    )
    ht, most = health(combat, struck.foe), toughness(combat, struck.foe)
    for nth in range(done + 1, reached + 1):
        key = life_key(combat, nth)
        combat = yield from prepare(combat, key, struck.foe, ht, f"HT {ht}, at {-most - STEP * (nth - 1)}", HERE)
    if reached > done:
        yield ROLLED.found(struck.place, reached, "", HERE, who=struck.foe)
    return None


def thresholds_rolled(combat: Combat, who: str) -> int:
    """Returns the number of thresholds that a combatant has ever rolled for.

    Source: CII 48-51 Flowchart box 49
    """
    return ROLLED.of(combat, who)


def life_key(combat: Combat, nth: int) -> str:
    """Returns the key of the roll at one threshold."""
    return attack(combat).role(f"{DEATH}-{nth}")


def life_keys(combat: Combat) -> list[str]:
    """Returns the keys of the rolls that this blow calls for."""
    most = thresholds_rolled(combat, blow(combat).foe)
    keys = (life_key(combat, nth) for nth in range(1, most + 1))
    return [key for key in keys if TARGET.is_at(combat, key)]


def death_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT for each threshold."""
    for key in life_keys(combat):
        yield request_roll(combat, key, blow(combat).foe, "stay alive")


def read_death(combat: Combat) -> Deed:
    """Reads the rolls: alive, or dead."""
    keys, struck = life_keys(combat), blow(combat)
    combat = yield from resolve_rolls(combat, *keys)
    if all(passed(combat, key) for key in keys):
        return "alive"
    yield ConditionGained(struck.foe, DEAD, None, "", struck.place, "HT roll failed", HERE)
    return "dead"


def is_beyond_help(combat: Combat) -> Deed:
    """Decides whether -5 x HT is reached, which is death.

    Ruling: G3-F21
    """
    struck = blow(combat)
    if hits_left(combat, struck.foe) > -CERTAIN * toughness(combat, struck.foe):
        return "no"
    yield ConditionGained(struck.foe, DEAD, None, "", struck.place, "-5 x HT", HERE)
    return "yes"


# ------------------------------------------------------------------------------------------------ hit points set


def death_rolls_due(combat: Combat, who: str) -> int:
    """Returns the number of thresholds that a living combatant has reached and never rolled for.

    Source: B 126 General Injury; Ruling: G3-N37
    """
    if combat.conditions.has(who, DEAD):
        return 0
    return max(0, thresholds(toughness(combat, who), hits_left(combat, who)) - thresholds_rolled(combat, who))


def prepare_survival(combat: Combat) -> Deed:
    """Prepares an HT roll for each threshold that hit points reached when they were set.

    Ruling: G3-N37
    """
    now = frame(combat)
    done, due = thresholds_rolled(combat, now.by), death_rolls_due(combat, now.by)
    ht = health(combat, now.by)
    for nth in range(done + 1, done + due + 1):
        combat = yield from prepare(combat, role(now.key, f"{DEATH}-{nth}"), now.by, ht, f"HT {ht}", HERE)
    yield ROLLED.found(now.key, done + due, "", HERE, who=now.by)
    return None


def _survival_keys(combat: Combat) -> list[str]:
    now = frame(combat)
    keys = (role(now.key, f"{DEATH}-{nth}") for nth in range(1, thresholds_rolled(combat, now.by) + 1))
    return [key for key in keys if TARGET.is_at(combat, key)]


def survival_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT for each threshold."""
    for key in _survival_keys(combat):
        yield request_roll(combat, key, frame(combat).by, "stay alive")


def read_survival(combat: Combat) -> Deed:
    """Reads the rolls: alive, or dead."""
    keys = _survival_keys(combat)
    combat = yield from resolve_rolls(combat, *keys)
    if all(passed(combat, key) for key in keys):
        return "alive"
    yield ConditionGained(frame(combat).by, DEAD, None, "", frame(combat).key, "HT roll failed", HERE)
    return "dead"


def follow_track(combat: Combat, who: str) -> Deed:
    """Applies what follows from hit points that the gamemaster set, and records the death rolls that they call for.

    Source: B 126 General Injury
    """
    left = hits_left(combat, who)
    slowed = combat.conditions.has(who, HALVED)
    if left <= LOW and not slowed:
        combat = yield ConditionGained(
            who, HALVED, None, "more than 3 hit points", "", f"{left} hit points left", _INJURY
        )
    if left > LOW and slowed:
        combat = yield ConditionLost(who, HALVED, f"{left} hit points left")
    fainted = combat.conditions.of(who).get(UNCONSCIOUS)
    if left > 0 and fainted is not None and fainted.until == "more than 0 hit points":
        combat = yield ConditionLost(who, UNCONSCIOUS, f"{left} hit points left")
    if left <= -CERTAIN * toughness(combat, who) and not combat.conditions.has(who, DEAD):
        combat = yield ConditionGained(who, DEAD, None, "", "", "-5 x HT", _INJURY)
    due = death_rolls_due(combat, who)
    if due:
        yield DUE.found("", due, f"{left} hit points left; declare survive", _INJURY, who=who)
    return None
