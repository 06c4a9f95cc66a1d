"""Grenades and other blasts: scatter, distance to each victim, and the damage left there."""

from collections.abc import Iterator, Mapping
from math import isqrt

import msgspec

from ledger.events import RollRequested
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import down, floored, thrown
from machines.shadowrun_4e.actions.terms import BlastTerms, Caught
from machines.shadowrun_4e.attack.attack import NET
from machines.shadowrun_4e.attack.attack_context import Attack, attack
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.printed_codes import DamageCode, parse_damage
from machines.shadowrun_4e.sheet.sheet import Weapon
from machines.shadowrun_4e.tables.rows import Grenade, Scatter
from machines.shadowrun_4e.tables.tables import SCATTER, WEAPON_RANGES
from projections.combat import Combat

SCATTERED = FigureName("scatter", int)
DIRECTION = FigureName("direction", int)
"""Figures of a blast: the distance from the intended place, and the direction on the diagram's clock face."""
_SCATTER = "SR4S Scatter Table"


class Blast(msgspec.Struct, frozen=True):
    """A blast, from a grenade or as declared."""

    code: DamageCode | None
    """None if it does no damage."""
    ap: str
    armor: str
    falloff: int
    """Damage Value lost with each meter."""
    radius: int
    """In meters; 0 if only the falloff limits it."""
    caught: Mapping[str, Caught]
    what: str
    source: str


def of_attack(combat: Combat, now: Attack) -> Blast:
    """Returns the blast of an attack with a grenade; its targets stand at the intended place.

    Source: SR4S Grenade Damage Table
    """
    assert now.grenade is not None, "nothing goes off"
    middle = {who: Caught(meters=0) for who in now.aimed if who}
    return of_row(combat, now.grenade, {**middle, **now.terms.caught})


def of_row(combat: Combat, row: Grenade, caught: Mapping[str, Caught]) -> Blast:
    """Returns the blast of a row of the grenades.

    Source: SR4S Grenade Damage Table, SR4A 324 Grenades
    """
    ap = getattr(profile(combat), row.ap_by) if row.ap_by else row.ap
    code = parse_damage(row.damage) if row.damage else None
    return Blast(code, ap, row.armor, row.falloff, row.radius, caught, row.name, row.source)


def of_terms(terms: BlastTerms) -> Blast:
    """Returns the blast that terms declare.

    Source: SR4S Grenade Damage Table
    """
    code = parse_damage(terms.damage)
    source = "SR4S Grenade Damage Table"
    return Blast(code, terms.ap, terms.armor, terms.falloff, terms.radius, terms.caught, terms.what, source)


# ------------------------------------------------------------------------------------------------ where


def scatter_of(now: Attack) -> Scatter:
    """Returns the row of the Scatter Table for an attack.

    Source: SR4S Scatter Table
    """
    return SCATTER[scatter_name(now)]


def scatter_name(now: Attack) -> str:
    """Returns the name of that row: the weapon's, or that of its range; missile launchers scatter as missiles.

    Source: SR4S Scatter Table
    """
    name = now.weapon.scatter or now.weapon.range
    return name if name in SCATTER else LAUNCHED.get(name, next(iter(SCATTER)))


def scatters(weapon: Weapon) -> bool:
    """Returns whether a weapon throws or launches something that scatters.

    Source: SR4S Scatter Table
    """
    return bool(weapon.scatter) or weapon.range in SCATTER or weapon.range in LAUNCHED


LAUNCHED: Mapping[str, str] = {"missile launcher": "missile"}
"""The row of the Scatter Table for range classes with another name."""
assert set(LAUNCHED) <= set(WEAPON_RANGES), "ranges of another name are ranges"


def scatter_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice for distance and direction.

    Ruling: SR4-E7
    """
    now = attack(combat)
    yield from thrown(combat, now.role(SCATTERED.name), now.by, scatter_of(now).dice, "scatter")
    yield from thrown(combat, now.role(DIRECTION.name), now.by, "1d6", "direction: 1 is straight on, then clockwise")


def read_scatter(combat: Combat) -> Deed:
    """Records distance and direction; net hits and, for some rows, a Sensor rating reduce the distance.

    Ruling: SR4-E7
    """
    now = attack(combat)
    line, net = scatter_of(now), NET.at(combat, now.place)
    rolled, steered = combat.rolls[now.role(SCATTERED.name)].total, now.terms.sensor if line.sensor else 0
    why = f"{line.dice} is {rolled}, {line.less} less for each of {net} net hits" + (
        f", Sensor {steered}" if steered else ""
    )
    meters, why = floored(rolled - line.less * net - steered, why)
    combat = yield SCATTERED.found(now.key, meters, why, line.source)
    direction = combat.rolls[now.role(DIRECTION.name)].faces[0]
    yield DIRECTION.found(now.key, direction, "clockwise from straight on", "SR4S Scatter Diagram")
    return None


def away(caught: Caught, meters: int, direction: int) -> int:
    """Returns a victim's distance from a blast that scattered, to the nearest meter.

    Source: SR4S Scatter Diagram; Ruling: SR4-E7

    >>> away(Caught(meters=0), 4, 2), away(Caught(meters=3, direction=1), 4, 4), away(Caught(meters=3), 3, 2)
    (4, 7, 3)
    """
    turn = (caught.direction - direction) % 6
    twice_cosine = (2, 1, -1, -2, -1, 1)[turn]
    square = caught.meters**2 + meters**2 - caught.meters * meters * twice_cosine
    return down(isqrt(4 * square) + 1, 2)


# ------------------------------------------------------------------------------------------------ distance, damage


def meters_of(combat: Combat, key: str, blast: Blast, who: str) -> int:
    """Returns a victim's distance from where the blast went off.

    Source: SR4S Scatter Table
    """
    meters, direction = SCATTERED.at(combat, key), DIRECTION.at(combat, key, 1)
    return away(blast.caught[who], meters, direction)


def value_at(blast: Blast, meters: int, rebounds: tuple[int, ...]) -> int:
    """Returns the Damage Value at a distance, plus that of each rebound off a wall.

    Source: SR4S Grenade Damage Table, SR4 145 Blasts in a Confined Space
    """
    if blast.code is None:
        return 0
    return sum(_at(blast, blast.code.add, each) for each in (meters, *rebounds))


def _at(blast: Blast, value: int, meters: int) -> int:
    reaches = not blast.radius or meters <= blast.radius
    return max(0, value - blast.falloff * meters) if reaches else 0


def next_victim(combat: Combat, key: str, blast: Blast) -> Deed:
    """Moves on to the next combatant in the blast.

    Source: SR4S Grenade Damage Table
    """
    nth = VICTIM.at(combat, key) + 1
    if nth > len(blast.caught):
        return "nobody"
    yield VICTIM.found(key, nth, "", _SCATTER)
    return "someone"


VICTIM = FigureName("nth victim", int)
"""Figure of a blast: the number of the current victim."""


def victim(combat: Combat, key: str, blast: Blast) -> str:
    """Returns the current victim."""
    return tuple(blast.caught)[VICTIM.at(combat, key, 1) - 1]


def goes_off(combat: Combat) -> Deed:
    """Moves on to the first combatant in a grenade's blast."""
    now = attack(combat)
    return (yield from next_victim(combat, now.key, of_attack(combat, now)))
