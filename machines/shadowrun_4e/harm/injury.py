"""Step 6 and its consequences: tracks, wounds, unconsciousness, death, knockdown, electricity, dumpshock."""

from collections.abc import Iterator, Mapping

from ledger.events import (
    ConditionGained,
    ConditionLost,
    DamageHealed,
    DamageTaken,
    RollRequested,
    WoundHealed,
    WoundSuffered,
)
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, down, frame
from machines.shadowrun_4e.attack.attack import NET
from machines.shadowrun_4e.attack.modifiers import PRONE
from machines.shadowrun_4e.harm.blows import BLOW, MATRIX, PHYSICAL, STUN, VICTIM_OF_SHOCK, Blow, blow
from machines.shadowrun_4e.harm.damage import BOXES, TYPE
from machines.shadowrun_4e.profile import DEADLY, profile
from machines.shadowrun_4e.sheet.sheet_access import (
    ACTS_IN,
    BODILY,
    UNABLE,
    Base,
    attribute,
    is_barrier,
    is_thing,
    plane,
    sheet,
    worn,
)
from machines.shadowrun_4e.success_tests.pools import SUSTAINING, TARGET, asked, prepare, resolved, succeeded
from machines.shadowrun_4e.turn.initiative import follow_wounds
from projections.combat import Combat

OVERFLOW, STRUCTURE = "overflow", "structure"
UNTIL_HEALED = "boxes are healed"
SHOCK = "shock"
"""The role of the secondary test of electricity."""
WOUNDS_BEFORE = FigureName("wound modifier before the blow", int)
"""Figure of an electric blow: the victim's wound modifier before it."""
BEFORE: Mapping[str, bool] = {"counted": False, "before": True}
"""Whether only wounds before the blow count in the secondary test, by the value of `shock_wounds`."""
_WOUNDS, _DYING = "SR4 153 Wound Modifiers", "SR4 153 Exceeding the Condition Monitor"


# ------------------------------------------------------------------------------------------------ 6


def apply_damage(combat: Combat) -> Deed:
    """Fills one box for each point of damage left."""
    now = blow(combat)
    amount = BOXES.at(combat, now.place)
    if now.electric and BEFORE[profile(combat).shock_wounds]:
        wounds = combat.wounds.count(now.at)
        combat = yield WOUNDS_BEFORE.found(now.place, wounds, "", HERE, who=now.at)
    combat = yield from strike(combat, now, amount)
    return "harmed" if amount else "unharmed"


def strike(combat: Combat, now: Blow, amount: int) -> Telling:
    """Fills boxes of the track that a blow harms."""
    if not amount:
        return combat
    if is_barrier(combat, now.at):
        room = combat.health.track(now.at, STRUCTURE)
        left = min(amount, max(0, room.capacity - room.taken))
        combat = yield from fill(combat, now.at, STRUCTURE, left, now.place, now.what)
        return (yield from limits(combat, now.at, now.place))
    track = TYPE.at(combat, now.place, STUN)
    return (yield from take(combat, now.at, track, amount, now.place, now.what, spills=now.spills))


def take(  # noqa: PLR0917
    combat: Combat, who: str, track: str, amount: int, key: str, why: str, *, spills: bool = True
) -> Telling:
    """Fills boxes; Stun beyond its track becomes Physical, Physical beyond its track becomes overflow.

    Source: SR4 153 Exceeding the Condition Monitor
    """
    room = combat.health.track(who, track)
    if not room.capacity:
        return combat
    here = min(amount, max(0, room.capacity - room.taken))
    combat = yield from fill(combat, who, track, here, key, why)
    beyond = SPILLS.get(track) if spills else None
    if beyond and amount > here:
        combat = yield from fill_beyond(combat, who, beyond, amount - here, key, f"{why}, beyond the {track} track")
    combat = yield from wounds_follow(combat, who, key)
    return (yield from limits(combat, who, key))


SPILLS: Mapping[str, str] = {STUN: PHYSICAL, PHYSICAL: OVERFLOW}
"""The track that is filled after another one is full."""


def fill(combat: Combat, who: str, track: str, amount: int, key: str, why: str) -> Telling:  # noqa: PLR0917
    """Fills boxes of one track; does nothing for 0."""
    if amount > 0:
        combat = yield DamageTaken(who, track, amount, key, why, "SR4S Combat Sequence 6")
    return combat


def fill_beyond(combat: Combat, who: str, track: str, amount: int, key: str, why: str) -> Telling:  # noqa: PLR0917
    """Fills boxes beyond a full track."""
    room = combat.health.track(who, track)
    here = amount if track not in SPILLS else min(amount, max(0, room.capacity - room.taken))
    combat = yield from fill(combat, who, track, here, key, why)
    if amount > here:
        combat = yield from fill_beyond(combat, who, SPILLS[track], amount - here, key, why)
    return combat


# ------------------------------------------------------------------------------------------------ wounds, limits


def wound_modifier(combat: Combat, who: str) -> int:
    """Returns the wound modifier: one for every three full boxes, on each track separately.

    Source: SR4 153 Wound Modifiers
    """
    return sum(down(combat.health.track(who, track).taken, 3) for track in (PHYSICAL, STUN))


def wounds_follow(combat: Combat, who: str, key: str) -> Telling:
    """Adjusts the wound modifier to the tracks, and Initiative to the wound modifier.

    Source: SR4 153 Wound Modifiers
    """
    more = wound_modifier(combat, who) - combat.wounds.count(who)
    if more > 0:
        combat = yield WoundSuffered(who, PHYSICAL, more, "wounds", key, "three boxes each", _WOUNDS)
    elif more < 0:
        combat = yield WoundHealed(who, PHYSICAL, -more, "wounds", key, "three boxes each", _WOUNDS)
    return (yield from follow_wounds(combat, who, more, key)) if more else combat


def limits(combat: Combat, who: str, key: str) -> Telling:
    """Gives the conditions of full tracks and of overflow, and ends sustained spells.

    Source: SR4 153 Exceeding the Condition Monitor; Ruling: SR4-N51
    """
    for condition, until, why in _reached(combat, who):
        if not combat.conditions.has(who, condition, "dead"):
            combat = yield ConditionGained(who, condition, None, until, key, why, _DYING)
    if combat.conditions.has(who, *UNABLE):
        for name in [name for name in combat.conditions.of(who) if name.startswith(SUSTAINING)]:
            combat = yield ConditionLost(who, name, "they are out")
    return combat


def _reached(combat: Combat, who: str) -> Iterator[tuple[str, str, str]]:
    owner = sheet(combat, who)
    full = [track for track in (STUN, PHYSICAL) if is_full(combat, who, track)]
    if is_full(combat, who, STRUCTURE):
        yield "destroyed", "repaired", "its structure is used up"
    if is_full(combat, who, MATRIX):
        yield "crashed", "rebooted", "the icon's track is full"
    if full:
        word = "disrupted" if owner.force else "destroyed" if owner.vehicle else "unconscious"
        yield word, UNTIL_HEALED, f"the {full[0]} track is full"
    over = combat.health.track(who, OVERFLOW)
    if owner.force or owner.vehicle:
        return
    if over.taken:
        yield "dying", "stabilized", "beyond the physical track"
    if over.capacity and over.taken >= over.capacity + DEADLY[profile(combat).dies_at]:
        yield "dead", "", f"overflow {over.taken} against Body {over.capacity}"


BEYOND: Mapping[str, int] = {"exceeded": 1, "reached": 0}
"""Boxes beyond Body that knock down, by the value of `knockdown_at`."""


def is_full(combat: Combat, who: str, track: str) -> bool:
    """Returns whether a track is full.

    Source: SR4 153 Exceeding the Condition Monitor
    """
    room = combat.health.track(who, track)
    return room.capacity > 0 and room.taken >= room.capacity


def heal(combat: Combat, who: str, track: str, amount: int, key: str, why: str) -> Telling:  # noqa: PLR0917
    """Heals boxes, and ends wounds and conditions that depended on them.

    Source: SR4 242 Healing
    """
    for name in HEALS.get(track, (track,)):
        gone = min(amount, combat.health.track(who, name).taken)
        amount -= gone
        if gone:
            combat = yield DamageHealed(who, name, gone, key, why, "SR4 242 Healing")
    combat = yield from wounds_follow(combat, who, key)
    return (yield from recover(combat, who))


HEALS: Mapping[str, tuple[str, ...]] = {PHYSICAL: (OVERFLOW, PHYSICAL)}
"""The tracks in the order in which they heal: overflow before Physical."""


def recover(combat: Combat, who: str) -> Telling:
    """Ends the conditions of tracks that are no longer full.

    Source: SR4 153 Exceeding the Condition Monitor
    """
    full = any(is_full(combat, who, track) for track in (STUN, PHYSICAL))
    for name in ("unconscious", "disrupted", "destroyed"):
        condition = combat.conditions.of(who).get(name)
        if condition is not None and condition.until == UNTIL_HEALED and not full:
            combat = yield ConditionLost(who, name, UNTIL_HEALED)
    if combat.conditions.has(who, "dying") and not combat.health.track(who, OVERFLOW).taken:
        combat = yield ConditionLost(who, "dying", UNTIL_HEALED)
    return combat


def follow_tracks(combat: Combat, who: str) -> Deed:
    """Applies the consequences of a track that the gamemaster set: wounds and full tracks.

    Source: SR4 153 Wound Modifiers
    """
    combat = yield from wounds_follow(combat, who, "")
    combat = yield from limits(combat, who, "")
    yield from recover(combat, who)
    return None


# ------------------------------------------------------------------------------------------------ what follows


def aftermath(combat: Combat) -> Deed:
    """Applies knockdown, and decides whether electricity or dumpshock follows."""
    now = blow(combat)
    combat = yield from _knockdown(combat, now)
    if now.electric and _shocks(combat, now):
        return "shock"
    if now.icon and combat.conditions.has(now.at, "crashed") and thrown_out(combat, now.at):
        return "thrown"
    return "over"


def thrown_out(combat: Combat, who: str) -> bool:
    """Returns whether a person in full sim is behind an icon; agents have no body.

    Source: SR4 237 Dumpshock
    """
    found = sheet(combat, who).matrix
    return plane(combat, who).virtual and not (found is not None and found.rating)


def _knockdown(combat: Combat, now: Blow) -> Telling:
    who, boxes = now.at, BOXES.at(combat, now.place)
    body = sheet(combat, who).value("body")
    if body is None or sheet(combat, who).vehicle or now.icon or plane(combat, who).name != BODILY:
        return combat
    enough = max(1, body - now.knockdown + BEYOND[profile(combat).knockdown_at])
    if boxes >= min(enough, 10) and not combat.conditions.has(who, PRONE, "dead"):
        why = f"{boxes} boxes against Body {body}"
        combat = yield ConditionGained(who, PRONE, None, "standing up", now.place, why, "SR4 151 Knockdown")
    return combat


def _shocks(combat: Combat, now: Blow) -> bool:
    """Returns whether electricity calls for the secondary test: not for things, nor for an unconscious victim."""
    harmed = BOXES.at(combat, now.place) > 0
    out = combat.conditions.has(now.at, "dead", "unconscious", "disrupted")
    able = not is_thing(combat, now.at) and not out
    return able and (harmed or EVERY_HIT[profile(combat).electricity])


EVERY_HIT: Mapping[str, bool] = {"every_hit": True, "harmed": False}
"""Whether electricity calls for the test if no box got through, by the value of `electricity`."""


def prepare_shock(combat: Combat) -> Deed:
    """Prepares Body + Willpower + half of the impact armor, against a threshold of 3.

    Ruling: SR4-N41
    """
    now = blow(combat)
    key, who = now.role(SHOCK), now.at
    body, will = attribute(combat, who, "body"), attribute(combat, who, "willpower")
    owner = sheet(combat, who)
    armor = 0 if owner.armor.metal else down(worn(combat, who, "impact"), 2) + owner.armor.nonconductive
    start = Base(body + will + armor, f"body {body} + willpower {will} + half of the impact armor {armor}")
    felt = WOUNDS_BEFORE.at(combat, now.place) if WOUNDS_BEFORE.is_at(combat, now.place) else None
    combat = yield from prepare(combat, key, who, start, HERE, wounds=felt)
    yield TARGET.found(key, 3, "electricity", HERE, who=who)
    return None


def shock_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of the secondary test."""
    now = blow(combat)
    yield from asked(combat, now.role(SHOCK), now.at, "withstand the shock")


def read_shock(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, blow(combat).role(SHOCK))
    return None


def suffer_shock(combat: Combat) -> Deed:
    """Incapacitates the victim, or costs two dice after a success; for 2 Combat Turns plus one for each net hit."""
    now = blow(combat)
    turns = 2 + NET.at(combat, now.place)
    until = combat.clock.ahead(turns)
    if succeeded(combat, now.role(SHOCK)):
        yield ConditionGained(now.at, "shocked", None, until, now.place, "electricity", HERE)
        return None
    combat = yield ConditionGained(now.at, "incapacitated", None, until, now.place, "electricity", HERE)
    if not combat.conditions.has(now.at, PRONE):
        yield ConditionGained(now.at, PRONE, None, "standing up", now.place, "electricity", HERE)
    return None


def throw_out(combat: Combat) -> Deed:
    """Makes the person behind a crashed icon the victim of dumpshock."""
    now, key = blow(combat), frame(combat).key
    combat = yield VICTIM_OF_SHOCK.found(key, now.at, "", HERE)
    yield BLOW.found(key, "dumpshock", "", HERE)
    return None


def dumpshocked(combat: Combat) -> Deed:
    """Costs two dice for (10 - Willpower) minutes and returns the victim to the body.

    Ruling: SR4-N9
    """
    now = blow(combat)
    minutes = max(1, 10 - (sheet(combat, now.at).value("willpower") or 0))
    until = combat.clock.ahead(minutes * 20)
    combat = yield ConditionGained(now.at, "dumpshocked", None, until, now.place, f"{minutes} minutes", HERE)
    combat = yield from leave_matrix(combat, now.at, now.place)
    key = frame(combat).key
    yield BLOW.found(key, frame(combat).kind, "", HERE)
    return None


def leave_matrix(combat: Combat, who: str, key: str) -> Telling:
    """Returns a combatant from the Matrix to the body.

    Source: SR4 237 Dumpshock
    """
    source = "SR4 237 Dumpshock"
    combat = yield ACTS_IN.found(key, BODILY, "out of the Matrix", source, who=who)
    if combat.conditions.has(who, "crashed"):
        combat = yield ConditionLost(who, "crashed", "they are in their body")
    return combat
