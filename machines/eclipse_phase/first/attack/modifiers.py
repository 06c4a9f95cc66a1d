"""Step 3: modifiers of the roll to hit and of the defense."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import Event, ModifierApplied
from machines.contract.figure_names import FigureName
from machines.eclipse_phase.family.actions import AIMS_AT
from machines.eclipse_phase.family.edition import HAND
from machines.eclipse_phase.family.situations import Applying, applied
from machines.eclipse_phase.first.attack.attack_context import Attack
from machines.eclipse_phase.first.attack.ranges import band, psi_distance
from machines.eclipse_phase.first.figure_names import SHOT_AT, SWEEPS
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import sheet, traits
from machines.eclipse_phase.first.success_tests.success import burdens, hurt
from machines.eclipse_phase.first.tables.tables import SITUATIONS
from machines.secrecy.part_sources import of_condition
from projections.combat import Combat

OFF_HAND = "off-hand"
COVER, COVER_FROM = "in_cover", FigureName("in cover from", str, scope="combatant")
"""Condition of a defender who reached cover by a critical defense, and the figure of the attacker."""
POSITION, POSITION_OVER = "superior_position", FigureName("superior position over", str, scope="combatant")
"""Condition of a defender who gained a superior position by a critical defense, and the figure of the attacker."""
MAJOR_COVER = "target in major cover"
SUPERIOR_POSITION, DEFENDERS_POSITION = "superior position", "superior position of the defender"
_FULL_DEFENSE = 30
_PODS = 30


def attack_modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the modifiers of the roll to hit.

    Source: EP1 192 Step 3, 193 Combat Modifiers
    """
    key = now.hit
    yield from hurt(combat, now.by, key)
    if now.suppressing:  # only range, wounds and full defense count (EP1 204 Suppressive Fire)
        yield from _distance(combat, now, key)
        return
    yield from burdens(combat, now.by, key)
    yield from _declared(combat, now, key)
    yield from _automatic(combat, now, key)
    yield from _distance(combat, now, key)
    if now.kind.minds and sheet(combat, now.by).half_machine:
        yield ModifierApplied(key, -_PODS, "a brain that is half a machine", "EP1 222 Morphs and Psi")


def _declared(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields the declared modifiers. The off-hand modifier counts once, and never for the ambidextrous."""
    either_hand = any(trait.offhand for trait in traits(combat, now.by))
    counts_already = HAND.at(combat, now.key) or (now.terms.extra_weapons and not now.shared)
    idle = (OFF_HAND,) if either_hand or counts_already else ()
    rows = [row for row in now.situations if ATTACKERS[row.applies] and row.name not in idle]
    if is_covered(combat, now):
        yield from of_condition(combat, now.at, COVER, [_row(key, MAJOR_COVER)])
        rows = [row for row in rows if row.group != SITUATIONS[MAJOR_COVER].group]
    yield from applied(key, rows)


def _automatic(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    if now.called is not None and now.called.modifier:
        yield ModifierApplied(key, now.called.modifier, f"called shot: {now.called.name}", now.called.source)
    if now.terms.related and not now.touching:
        yield _row(key, "related skill")
    if now.terms.blind and now.touching == now.by_touch:  # a touched mind counts as found
        yield _row(key, "blind attack")
    if combat.conditions.has(now.by, "running"):
        rows = (_row(key, name) for name in _RUNNING if _fits(now, name))
        yield from of_condition(combat, now.by, "running", rows)
    yield from _aimed(combat, now, key)
    yield from _further_targets(combat, now, key)
    yield from _other_hands(combat, now, key)
    if has_position(combat, now.by, now.at) and SUPERIOR_POSITION not in now.terms.modifiers:
        yield from of_condition(combat, now.by, POSITION, [_row(key, SUPERIOR_POSITION)])


def is_covered(combat: Combat, now: Attack) -> bool:
    """Returns whether a critical defense brought the target into cover from this attacker's shots.

    Source: EP1 192 Step 5
    """
    covered = combat.conditions.has(now.at, COVER) and COVER_FROM.of(combat, now.at) == now.by
    return covered and now.kind.needs_range


def has_position(combat: Combat, who: str, over: str) -> bool:
    """Returns whether a combatant gained a superior position over another by a critical defense.

    Source: EP1 192 Step 5
    """
    return combat.conditions.has(who, POSITION) and POSITION_OVER.of(combat, who) == over


ATTACKERS: Mapping[str, bool] = {"attack": True, "defense": False}
"""Whether a row modifies the attacker's roll, by its column."""
_RUNNING = ("running", "running in melee")
"""Rows for running attackers, by kind of attack; a charge has its own row."""


def _fits(now: Attack, name: str) -> bool:
    declared = {row.name for row in now.situations}
    return now.kind.name in SITUATIONS[name].kinds and not declared & {name, "charging"}


_row = Applying(SITUATIONS)


def _aimed(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields modifiers for aim at this target, a swept beam, and fire concentrated to hit."""
    aim = AIMS_AT.of(combat, now.by)
    aiming = combat.conditions.of(now.by).get("aiming")
    if now.shared and aiming is not None and aim == now.at:
        yield _row(key, {10: "quick aim", 30: "complex aim"}[aiming.level or 10])
    if SWEEPS.of(combat, now.by) == now.at and now.weapon.beam:
        yield _row(key, "sweep")
    if steadies(combat, now) and now.mode is not None:
        yield ModifierApplied(key, concentrated(combat, now), f"{now.mode.name} at one target", now.mode.source)


def concentrated(combat: Combat, now: Attack) -> int:
    """Returns the bonus to hit that fire at one target may have in place of damage; 0 if there is no choice.

    Source: EP1 198 Firing Modes
    """
    one = now.mode is not None and now.mode.aim and now.aimed == 1
    return getattr(profile(combat), now.mode.aim) if one and now.mode is not None else 0


def steadies(combat: Combat, now: Attack) -> bool:
    """Returns whether fire at one target adds to hit in place of damage.

    Source: EP1 198 Firing Modes
    """
    return concentrated(combat, now) > 0 and STEADY[now.terms.bonus]


STEADY: Mapping[str, bool] = {"damage": False, "aim": True}
"""Whether fire adds to hit, by the attacker's choice."""


def _further_targets(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields the modifiers for several targets in melee, and for a second shot at another target."""
    if not now.shared and now.aimed > 1:
        times = MELEE_TARGETS[profile(combat).melee_targets](now.aimed)
        yield _row(key, "extra target", times)
    before = SHOT_AT.of(combat, now.by)
    if now.shared and before and not {*targets_text(now).split(", ")} <= {*before.split(", ")}:
        yield _row(key, "extra target")


MELEE_TARGETS: Mapping[str, Callable[[int], int]] = {
    "each_extra": lambda targets: targets - 1,
    "every_one": lambda targets: targets,
}
"""Number of times that the modifier counts in an attack on several targets, by the profile's field."""


def targets_text(now: Attack) -> str:
    """Returns the targets of a shot as text."""
    return now.terms.at if isinstance(now.terms.at, str) else ", ".join(now.terms.at)


def _other_hands(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    """Yields -20 for the second of several weapons fired at once, -40 for the third; less for ambidextrous limbs."""
    hand = HAND.at(combat, now.key) - sum(trait.offhand for trait in traits(combat, now.by))
    if hand > 0:
        yield _row(key, OFF_HAND, hand)


def _distance(combat: Combat, now: Attack, key: str) -> Iterator[Event]:
    if now.kind.needs_range:
        row = band(combat, now)
        yield ModifierApplied(key, row.modifier, f"{row.name} range", row.source)
    elif psi_distance(now):
        yield ModifierApplied(key, psi_distance(now), f"{now.terms.distance} meters", "EP1 222 Psi Range")


def defense_modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    """Yields the modifiers of the defense.

    Source: EP1 191 Step 2, 192 Step 3, 193 Combat Modifiers
    """
    key = now.role("defend")
    yield from hurt(combat, now.at, key)
    condition, source = FULL_DEFENSE[now.kind.defense]
    if combat.conditions.has(now.at, condition):
        more = ModifierApplied(key, _FULL_DEFENSE, "full defense", source)
        yield from of_condition(combat, now.at, condition, [more])
    if now.suppressing:
        return
    yield from burdens(combat, now.at, key)
    if now.kind.defense == "will" and sheet(combat, now.at).half_machine:
        yield ModifierApplied(key, _PODS, "a brain that is half a machine", "EP1 222 Psi Defense")
    yield from applied(key, (row for row in now.situations if not ATTACKERS[row.applies]))
    if has_position(combat, now.at, now.by) and DEFENDERS_POSITION not in now.terms.modifiers:
        yield from of_condition(combat, now.at, POSITION, [_row(key, DEFENDERS_POSITION)])


FULL_DEFENSE: Mapping[str, tuple[str, str]] = {
    "fray": ("full_defense", "EP1 198 Full Defense"),
    "half_fray": ("full_defense", "EP1 198 Full Defense"),
    "will": ("mental_defense", "EP1 191 Step 2"),
}
"""Condition of full defense and its citation, by kind of defense."""
