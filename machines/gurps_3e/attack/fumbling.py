"""Critical misses: the tables of box 16, for whoever attacks, and in box 27 for whoever parries."""

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
    arms,
    kind_of,
    lamed,
    sheet,
    spoiled,
    thing,
)
from machines.gurps_3e.success_rolls.success import asked, looked_up, passed, resolved
from machines.gurps_3e.tables.rows import AttackKind, CriticalMiss
from machines.gurps_3e.tables.tables import FUMBLES
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
"""How it leaves the page: the weapon is lost, whoever missed is struck, or neither."""


class Fumble(msgspec.Struct, frozen=True):
    """Who missed so badly, with what."""

    now: Attack
    who: str
    name: str
    weapon: Weapon
    parried: bool

    @property
    def kind(self) -> AttackKind:
        """How the weapon attacks."""
        return kind_of(self.weapon)

    @property
    def held(self) -> str:
        """The thing that the weapon is a line of."""
        return thing(self.name, self.weapon)

    def role(self, name: str) -> str:
        """The key of one of its rolls."""
        return self.now.role(f"parry-{name}" if self.parried else name)


def fumble(combat: Combat) -> Fumble:
    """The critical miss on the table: the attacker's, or that of the target's parry."""
    now = attack(combat)
    parried = FUMBLER.is_at(combat, now.place)
    who = now.foe if parried else now.by
    name = PARRIED_WITH.at(combat, now.place) if parried else now.name
    return Fumble(now, who, name, arms(combat, who)[name], parried)


def row_for(combat: Combat, key: str, one: Fumble) -> CriticalMiss:
    """The line that a roll says."""
    rolled = looked_up(combat, key)
    return next(row for row in FUMBLES[one.kind.fumbles].values() if rolled in row.rolls)


def result(combat: Combat, one: Fumble) -> tuple[str, CriticalMiss]:
    """The effect that holds in the end, and its line: some results count only where they come twice.

    Source: GCT Critical Miss Table
    """
    row = row_for(combat, one.role(MISS), one)
    again = one.role(AGAIN)
    if not combat.rolls[again].faces:
        return row.effect, row
    second = row_for(combat, again, one)
    if row.effect in BREAKS:
        return (row.effect, row) if second.effect in BREAKS else (DROPS, row)
    return second.effect, second


BREAKS, OWN_LIMB, DROPS = ("breaks",), ("own_limb", "own_limb_half"), "drops"


def miss_roll(combat: Combat) -> Iterator[RollRequested]:
    """3d on the table that fits the weapon."""
    one = fumble(combat)
    yield asked(combat, one.role(MISS), one.who, "critical miss")


def read_miss(_: Combat) -> Deed:
    """It is read where it is known whether it counts."""
    yield from ()
    return None


def again_roll(combat: Combat) -> Iterator[RollRequested]:
    """A sturdy weapon breaks, and a thrust or a missile strikes whoever made it, only on a second such result."""
    one = fumble(combat)
    row = row_for(combat, one.role(MISS), one)
    itself = row.effect in OWN_LIMB and (is_type(one.weapon, ("impaling",)) or one.kind.ranged)
    if itself or (row.effect in BREAKS and one.weapon.sturdy):
        yield asked(combat, one.role(AGAIN), one.who, "critical miss, again")


def detail_roll(combat: Combat) -> Iterator[RollRequested]:
    """What else a result rolls: arm or leg, how far a weapon flies and where to, hours of repair."""
    one = fumble(combat)
    effect, _ = result(combat, one)
    dice, why = DETAILS.get(effect, ("", ""))
    if dice and (effect not in FLYING or _flies(one)) and (effect not in BREAKS or one.kind.firearm):
        yield RollRequested(one.role(DETAIL), one.who, dice, why, one.now.key)


DETAILS: Mapping[str, tuple[str, str]] = {
    "own_limb": ("1d6", "arm 1-3, leg 4-6"),
    "own_limb_half": ("1d6", "arm 1-3, leg 4-6"),
    "flies": ("2d6", "yards; forward 1-3, back 4-6"),
    "breaks": ("1d6", "hours of repair"),
}
"""Dice, and what they say, by effect."""
FLYING = ("flies",)


def _flies(one: Fumble) -> bool:
    return not (one.kind.ranged or is_type(one.weapon, ("impaling",)))


def suffer(combat: Combat) -> Deed:
    """It happens.

    Ruling: G3-F4
    """
    one = fumble(combat)
    effect, row = result(combat, one)
    rolled = looked_up(combat, one.role(MISS))
    combat = yield CRITICAL_MISS.found(one.now.place, row.name, f"rolled {rolled}", row.source, who=one.who)
    return (yield from EFFECTS[effect](combat, one, row))


# ------------------------------------------------------------------------------------------------ effects

Effect = Callable[[Combat, Fumble, CriticalMiss], Deed]


def _spoils(word: str, *, cheap: str = "") -> Effect:
    def effect(_: Combat, one: Fumble, row: CriticalMiss) -> Deed:
        what = spoiled(one.held, cheap if cheap and one.weapon.cheap else word)
        until = "repaired" if what.endswith("broken") else "readied"
        yield ConditionGained(one.who, what, None, until, one.now.place, row.name, row.source)
        return LOST

    return effect


def _breaks(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    hours = combat.rolls[one.role(DETAIL)].faces
    if hours:
        combat = yield HOURS_OF_REPAIR.found(one.now.place, hours[0], "Armoury", row.source, who=one.who)
    if one.kind.fizzles:
        return LOST
    return (yield from _spoils("broken")(combat, one, row))


def _loses_balance(_: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    yield ConditionGained(one.who, OFF_BALANCE, None, NEXT_TURN, one.now.place, row.name, row.source)
    return GOES_ON


def _falls(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    if one.kind.ranged:
        return (yield from _loses_balance(combat, one, row))
    yield from fall(combat, one.who, one.now.place, row.name, row.source)
    return GOES_ON


def _shoulder(_: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    arm = lamed("near arm", "useless")
    yield ConditionGained(one.who, arm, None, HALF_AN_HOUR, one.now.place, row.name, row.source)
    return GOES_ON


def _itself(*, where: str = "", factor: str = "", kind: str = "", dice: str = "") -> Effect:
    """Whoever missed is struck by their own weapon."""

    def effect(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
        faces = combat.rolls[one.role(DETAIL)].faces
        limb = where or (("near arm" if faces[0] <= 3 else "near leg") if faces else "near arm")
        combat = yield from queue(
            combat, one.now, one.who, row.name,
            of=one.who, using=one.name, where=limb, type=kind, factor=factor, dice=dice,
        )  # fmt: skip
        if not one.parried:
            yield from strike_queued(combat)
        return ONESELF

    return effect


def _recoil(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    if one.kind.recoilless or one.weapon.recoilless:
        return GOES_ON
    return (yield from _loses_balance(combat, one, row))


def _knocked_down(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    """Recoil knocks down whoever is not strong enough, and they must keep hold of the weapon."""
    if one.kind.recoilless or one.weapon.recoilless:
        return GOES_ON
    enough = one.weapon.st + STRONGER if one.weapon.st else STRONG
    if sheet(combat, one.who).st >= enough:
        return (yield from _loses_balance(combat, one, row))
    combat = yield from fall(combat, one.who, one.now.place, row.name, row.source)
    yield from prepare_dexterity(combat, one.role(KEEP), one.who, row.source)
    return "dx"


STRONGER, STRONG = 5, 12
"""ST that withstands recoil: above the weapon's, or where it lists none."""


def _dud(combat: Combat, _: Fumble, __: CriticalMiss) -> Deed:
    yield from ()
    return DUDS[profile(combat).dud]


DUDS: Mapping[str, str] = {"goes_on": GOES_ON, "stops": LOST}
"""By the profile's field."""


def _explodes(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    what = spoiled(one.held, "broken")
    combat = yield ConditionGained(one.who, what, None, "repaired", one.now.place, row.name, row.source)
    if combat.conditions.has(one.who, AIMING) or AIMED.at(combat, one.now.key):
        combat = yield ConditionGained(one.who, "blinded", None, "5 minutes", one.now.place, row.name, row.source)
    return (yield from _itself(where="torso", kind=CRUSHING)(combat, one, row))


def _flies_away(combat: Combat, one: Fumble, row: CriticalMiss) -> Deed:
    faces = combat.rolls[one.role(DETAIL)].faces
    combat = yield ConditionGained(
        one.who, spoiled(one.held, "dropped"), None, "readied", one.now.place, row.name, row.source
    )
    if not faces:
        return LOST
    where = f"{'forward' if faces[1] <= 3 else 'back'}"
    yield FLIES.found(one.now.place, faces[0], f"yards {where}", row.source, who=one.who)
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
"""What a result does, by its word."""


# ------------------------------------------------------------------------------------------------ flying weapons


def offer_bystander(combat: Combat) -> ChoiceRequested:
    """Who stands where the weapon comes down: the gamemaster says."""
    one = fumble(combat)
    others = (Option(who, combat.roster[who].name) for who in combat.roster.here() if who != one.who)
    options = (*others, Option(NOBODY, "nobody stands there"))
    return ChoiceRequested(one.role(STANDS), "gm", options, NOBODY, "who stands where the weapon comes down")


def endangered(combat: Combat) -> Deed:
    """Whoever stands there rolls DX."""
    one = fumble(combat)
    who = combat.exchange.chosen[one.role(STANDS)]
    if who == NOBODY:
        return LOST
    if combat.conditions.has(who, *UNABLE):
        yield from queue(combat, one.now, who, "a weapon flew", of=one.who, using=one.name, factor="1/2")
        return LOST
    yield from prepare_dexterity(combat, one.role(KEEP), who, HERE)
    return "dx"


def dexterity_roll(combat: Combat) -> Iterator[RollRequested]:
    """DX, to keep hold of a weapon, or to get out of the way of one."""
    one = fumble(combat)
    endangered_ = combat.exchange.chosen.get(one.role(STANDS))
    purpose = "get out of the way" if endangered_ else "keep hold of the weapon"
    yield asked(combat, one.role(KEEP), endangered_ or one.who, purpose)


def read_dexterity(combat: Combat) -> Deed:
    """Held or lost; out of the way, or struck for half damage."""
    one = fumble(combat)
    combat = yield from resolved(combat, one.role(KEEP))
    ok, struck = passed(combat, one.role(KEEP)), combat.exchange.chosen.get(one.role(STANDS))
    if struck:
        if not ok:
            yield from queue(combat, one.now, struck, "a weapon flew", of=one.who, using=one.name, factor="1/2")
        return LOST
    if ok:
        return GOES_ON
    _, row = result(combat, one)
    return (yield from _spoils("dropped")(combat, one, row))
