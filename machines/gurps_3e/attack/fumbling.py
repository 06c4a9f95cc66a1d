"""The results of the critical miss tables: of attacks in box 16, of parries in box 27."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import ChoiceRequested, ConditionGained, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.gurps_3e.attack.aiming import AIMED, AIMING
from machines.gurps_3e.attack.attack_context import Attack, attack, is_type
from machines.gurps_3e.attack.ending import queue, strike_queued
from machines.gurps_3e.defense.active_defense import PARRIED_WITH
from machines.gurps_3e.defense.defense_outcome import FUMBLER
from machines.gurps_3e.harm.damage import CRUSHING, prepare_dexterity
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import fall
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import (
    NEXT_TURN,
    OFF_BALANCE,
    UNABLE,
    is_natural,
    item_of,
    kind_of,
    limb_condition,
    sheet,
    unready_condition,
    weapons_of,
)
from machines.gurps_3e.success_rolls.success import looked_up, passed, request_roll, resolve_rolls
from machines.gurps_3e.tables.rows import AttackKind, CriticalMiss
from machines.gurps_3e.tables.tables import ATTACK_KINDS, FUMBLES
from projections.combat import Combat

CRITICAL_MISS = FigureName("critical miss", str)
FLIES = FigureName("flies", int)
HOURS_OF_REPAIR = FigureName("hours of repair", int)

MISS, AGAIN, DETAIL, STANDS, KEEP = (
    "critical-miss",
    "critical-miss-again",
    "critical-miss-detail",
    "who-stands-there",
    "dx",
)
NOBODY = "nobody"
HALF_AN_HOUR = "30 minutes"
LOST, ONESELF, GOES_ON = "lost", "oneself", "goes_on"
"""The exits: the weapon is lost, the fumbler is struck, or neither."""


class Fumble(msgspec.Struct, frozen=True):
    """A critical miss: the combatant, the weapon, and whether it was a parry."""

    now: Attack
    who: str
    name: str
    weapon: Weapon
    parried: bool

    @property
    def kind(self) -> AttackKind:
        """The row of attack kinds of the weapon."""
        return kind_of(self.weapon)

    @property
    def held(self) -> str:
        """The item that the weapon is a line of."""
        return item_of(self.name, self.weapon)

    def role(self, name: str) -> str:
        """Returns the key of one of its rolls."""
        return self.now.role(f"parry-{name}" if self.parried else name)


def fumble(combat: Combat) -> Fumble:
    """Returns the critical miss that is being resolved: the attacker's, or that of the target's parry."""
    now = attack(combat)
    parried = FUMBLER.is_at(combat, now.place)
    who = now.foe if parried else now.by
    name = PARRIED_WITH.at(combat, now.place) if parried else now.name
    return Fumble(now, who, name, weapons_of(combat, who)[name], parried)


def row_for(combat: Combat, key: str, miss: Fumble) -> CriticalMiss:
    """Returns the row of the table that a roll selects."""
    rolled = looked_up(combat, key)
    return next(row for row in FUMBLES[_table_of(miss)].values() if rolled in row.rolls)


def _table_of(miss: Fumble) -> str:
    """Returns the name of the table: for natural weapons that strike, that of unarmed attacks."""
    natural = is_natural(miss.weapon) and not miss.kind.ranged
    return NATURAL.fumbles if natural else miss.kind.fumbles


NATURAL = next(row for row in ATTACK_KINDS.values() if row.natural)
"""The attack kind of natural weapons."""


def result(combat: Combat, miss: Fumble) -> tuple[str, CriticalMiss]:
    """Returns the effect that applies, and its row: some results count only if they are rolled twice.

    Source: GCT Critical Miss Table
    """
    row = row_for(combat, miss.role(MISS), miss)
    again = miss.role(AGAIN)
    if not combat.rolls[again].is_rolled:
        return row.effect, row
    second = row_for(combat, again, miss)
    if row.effect in BREAKS:
        return (row.effect, row) if second.effect in BREAKS else (DROPS, row)
    return second.effect, second


BREAKS, OWN_LIMB, DROPS = ("breaks",), ("own_limb", "own_limb_half"), "drops"


def miss_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 3d on the table of the weapon's kind."""
    miss = fumble(combat)
    yield request_roll(combat, miss.role(MISS), miss.who, "critical miss")


def read_miss(_: Combat) -> Deed:
    """Does nothing: the roll is read in box f3, when it is known whether it counts."""
    yield from ()
    return None


def again_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests a second roll where a result counts only twice: a sturdy weapon breaks, a thrust hits its owner."""
    miss = fumble(combat)
    row = row_for(combat, miss.role(MISS), miss)
    itself = row.effect in OWN_LIMB and (is_type(miss.weapon, ("impaling",)) or miss.kind.ranged)
    if itself or (row.effect in BREAKS and miss.weapon.sturdy):
        yield request_roll(combat, miss.role(AGAIN), miss.who, "critical miss, again")


def detail_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the dice of the result: arm or leg, where a weapon flies, hours of repair."""
    miss = fumble(combat)
    effect, _ = result(combat, miss)
    dice, why = DETAILS.get(effect, ("", ""))
    if dice and (effect not in FLYING or _flies(miss)) and (effect not in BREAKS or miss.kind.firearm):
        yield RollRequested(miss.role(DETAIL), miss.who, dice, why, miss.now.key)


DETAILS: Mapping[str, tuple[str, str]] = {
    "own_limb": ("1d6", "arm 1-3, leg 4-6"),
    "own_limb_half": ("1d6", "arm 1-3, leg 4-6"),
    "flies": ("2d6", "yards; forward 1-3, back 4-6"),
    "breaks": ("1d6", "hours of repair"),
}
"""Dice and their purpose, by effect."""
FLYING = ("flies",)


def _flies(miss: Fumble) -> bool:
    return not (miss.kind.ranged or is_type(miss.weapon, ("impaling",)))


def suffer(combat: Combat) -> Deed:
    """Applies the result.

    Ruling: G3-F4
    """
    miss = fumble(combat)
    effect, row = result(combat, miss)
    rolled = looked_up(combat, miss.role(MISS))
    combat = yield CRITICAL_MISS.found(miss.now.place, row.name, f"rolled {rolled}", row.source, who=miss.who)
    return (yield from EFFECTS[effect](combat, miss, row))


# ------------------------------------------------------------------------------------------------ effects

Effect = Callable[[Combat, Fumble, CriticalMiss], Deed]


def _spoils(word: str, *, cheap: str = "") -> Effect:
    def effect(_: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
        what = unready_condition(miss.held, cheap if cheap and miss.weapon.cheap else word)
        until = "repaired" if what.endswith("broken") else "readied"
        yield ConditionGained(miss.who, what, None, until, miss.now.place, row.name, row.source)
        return LOST

    return effect


def _breaks(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    hours = combat.rolls[miss.role(DETAIL)].faces
    if hours:
        combat = yield HOURS_OF_REPAIR.found(miss.now.place, hours[0], "Armoury", row.source, who=miss.who)
    if miss.kind.fizzles:
        return LOST
    return (yield from _spoils("broken")(combat, miss, row))


def _loses_balance(_: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    yield ConditionGained(miss.who, OFF_BALANCE, None, NEXT_TURN, miss.now.place, row.name, row.source)
    return GOES_ON


def _falls(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    if miss.kind.ranged:
        return (yield from _loses_balance(combat, miss, row))
    yield from fall(combat, miss.who, miss.now.place, row.name, row.source)
    return GOES_ON


def _shoulder(_: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    arm = limb_condition("near arm", "useless")
    yield ConditionGained(miss.who, arm, None, HALF_AN_HOUR, miss.now.place, row.name, row.source)
    return GOES_ON


def _itself(*, where: str = "", factor: str = "", kind: str = "", dice: str = "") -> Effect:
    """Returns an effect by which the weapon hits its owner."""

    def effect(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
        faces = combat.rolls[miss.role(DETAIL)].faces
        limb = where or (("near arm" if faces[0] <= 3 else "near leg") if faces else "near arm")
        combat = yield from queue(
            combat, miss.now, miss.who, row.name,
            of=miss.who, using=miss.name, where=limb, type=kind, factor=factor, dice=dice,
        )  # fmt: skip
        if not miss.parried:
            yield from strike_queued(combat)
        return ONESELF

    return effect


def _recoil(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    if miss.kind.recoilless or miss.weapon.recoilless:
        return GOES_ON
    return (yield from _loses_balance(combat, miss, row))


def _knocked_down(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    """Knocks down an attacker who is not strong enough for the recoil, and who then rolls DX to keep the weapon."""
    if miss.kind.recoilless or miss.weapon.recoilless:
        return GOES_ON
    enough = miss.weapon.st + STRONGER if miss.weapon.st else STRONG
    if sheet(combat, miss.who).st >= enough:
        return (yield from _loses_balance(combat, miss, row))
    combat = yield from fall(combat, miss.who, miss.now.place, row.name, row.source)
    yield from prepare_dexterity(combat, miss.role(KEEP), miss.who, row.source)
    return "dx"


STRONGER, STRONG = 5, 12
"""ST that withstands recoil: so much above the weapon's, or the fixed value where it lists none."""


def _dud(combat: Combat, _: Fumble, __: CriticalMiss) -> Deed:
    yield from ()
    return DUDS[profile(combat).dud]


DUDS: Mapping[str, str] = {"goes_on": GOES_ON, "stops": LOST}
"""The exit of a dud, by the value of the profile's field."""


def _explodes(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    what = unready_condition(miss.held, "broken")
    combat = yield ConditionGained(miss.who, what, None, "repaired", miss.now.place, row.name, row.source)
    if combat.conditions.has(miss.who, AIMING) or AIMED.at(combat, miss.now.key):
        combat = yield ConditionGained(miss.who, "blinded", None, "5 minutes", miss.now.place, row.name, row.source)
    return (yield from _itself(where="torso", kind=CRUSHING)(combat, miss, row))


def _flies_away(combat: Combat, miss: Fumble, row: CriticalMiss) -> Deed:
    faces = combat.rolls[miss.role(DETAIL)].faces
    combat = yield ConditionGained(
        miss.who, unready_condition(miss.held, "dropped"), None, "readied", miss.now.place, row.name, row.source
    )
    if not faces:
        return LOST
    where = f"{'forward' if faces[1] <= 3 else 'back'}"
    yield FLIES.found(miss.now.place, faces[0], f"yards {where}", row.source, who=miss.who)
    return "flies"


EFFECTS: Mapping[str, Effect] = {
    "breaks": _breaks,
    "own_limb": _itself(),
    "own_limb_half": _itself(factor="1/2"),
    "off_balance": _loses_balance,
    "turns": _spoils("turned"),
    "drops": _spoils("dropped", cheap="broken"),
    "flies": _flies_away,
    "shoulder": _shoulder,
    "falls": _falls,
    "hurts_limb": _itself(where="near arm", kind=CRUSHING, dice="1d-3"),
    "own_leg": _itself(where="near leg"),
    "own_foot": _itself(where="near foot"),
    "recoil": _recoil,
    "dud": _dud,
    "jams": _spoils("jammed"),
    "knocked_down": _knocked_down,
    "explodes": _explodes,
}
"""The effect of each result, by its word in the table."""


# ------------------------------------------------------------------------------------------------ flying weapons


def offer_bystander(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster who is where the weapon comes down."""
    miss = fumble(combat)
    others = (Option(who, combat.roster[who].name) for who in combat.roster.here() if who != miss.who)
    options = (*others, Option(NOBODY, "nobody stands there"))
    return ChoiceRequested(miss.role(STANDS), "gm", options, NOBODY, "who stands where the weapon comes down")


def endangered(combat: Combat) -> Deed:
    """Prepares the DX roll of the combatant who is there."""
    miss = fumble(combat)
    who = combat.exchange.chosen[miss.role(STANDS)]
    if who == NOBODY:
        return LOST
    if combat.conditions.has(who, *UNABLE):
        yield from queue(combat, miss.now, who, "a weapon flew", of=miss.who, using=miss.name, factor="1/2")
        return LOST
    yield from prepare_dexterity(combat, miss.role(KEEP), who, HERE)
    return "dx"


def dexterity_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests DX, to keep hold of a weapon or to get out of the way of miss."""
    miss = fumble(combat)
    endangered_ = combat.exchange.chosen.get(miss.role(STANDS))
    purpose = "get out of the way" if endangered_ else "keep hold of the weapon"
    yield request_roll(combat, miss.role(KEEP), endangered_ or miss.who, purpose)


def read_dexterity(combat: Combat) -> Deed:
    """Reads the roll: the weapon is kept or lost; the bystander is clear, or struck for half damage."""
    miss = fumble(combat)
    combat = yield from resolve_rolls(combat, miss.role(KEEP))
    ok, struck = passed(combat, miss.role(KEEP)), combat.exchange.chosen.get(miss.role(STANDS))
    if struck:
        if not ok:
            yield from queue(combat, miss.now, struck, "a weapon flew", of=miss.who, using=miss.name, factor="1/2")
        return LOST
    if ok:
        return GOES_ON
    _, row = result(combat, miss)
    return (yield from _spoils("dropped")(combat, miss, row))
