"""Shadowrun, 4th edition: small pools, every face of them, counted, as chess programs count the positions of a few moves.

The counts in `shadowrun_4e.json` are what `decide` gives. They are counted a second time here by the words of the seed alone: the Combat
Sequence, the Combat Turn, Spellcasting By The Numbers, the Scatter and the Random Alert Response Table of seed 001, and what they refer to
(`rules/sr4.md` 5.1 Dice, 5.2 Edge, 5.3 Initiative, 5.4 Condition monitors, 5.7 Firing modes, 5.8 Scatter, 5.10 Drain, 5.13 Matrix).
Nothing of that second count is taken from `machines`.

Where those words leave a question, it follows the ruling: an overflow of more than Body kills (SR4-C2); as many boxes
as Body knock down (SR4-C8); a glitch in Initiative comes after those it ties with, a critical one last, and costs a pass (SR4-C9); dice
of the rule of six are none of a glitch's (SR4-N2); the direction of scatter goes by the clock face, to the nearest meter (SR4-E7).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import comb, cos, hypot, pi, prod, sin
from typing import Any, NamedTuple

import pytest
from census.counting import (
    Census,
    Counts,
    Told,
    check_same,
    figures,
    key_of,
    printed,
    recorded_beside,
    resolved,
    ways,
)

from ledger import events as said
from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from projections.combat import Combat

# The fight: ann attacks bob. Her pools are two and three dice, his one to three; he has Body 2 and ballistic armor 3.
BODY, WILL, ARMOR, IMPACT, MYSTIC, FILTER = 2, 1, 3, 1, 1, 1
FIREARM = {"skill": "pistols", "damage": "2P", "barrier": "bullet"}
ARMS = {
    "pistol": {**FIREARM, "modes": ["SA"]},
    "smg": {**FIREARM, "modes": ["BF"], "recoil": 2},
    "cannon": {**FIREARM, "damage": "9P", "modes": ["SA"]},
    "taser": {**FIREARM, "damage": "11S", "armor": "impact", "modes": ["SA"]},
    "knife": {"kind": "melee", "skill": "blades", "damage": "(STR/2 + 1)P"},
    "bomb": {"skill": "throwing weapons", "grenade": "high explosive", "scatter": "standard grenade"},
    "canister": {"skill": "throwing weapons", "grenade": "high explosive", "scatter": "aerodynamic grenade"},
}
ATTRIBUTES = {
    "body": BODY,
    "agility": 1,
    "reaction": 1,
    "strength": 3,
    "intuition": 1,
    "charisma": 3,
    "willpower": WILL,
}
SKILLS = {"pistols": 2, "blades": 2, "throwing weapons": 2, "astral combat": 1, "unarmed combat": 1}
WORN = {"ballistic": ARMOR, "impact": IMPACT, "mystic": MYSTIC}
BOB = {**ATTRIBUTES, "skills": {"unarmed combat": 1, "astral combat": 1}, "armor": WORN}
HACKER = {
    "response": 1, "system": 1, "firewall": 1,
    "programs": {"attack": 2, "black hammer": 2, "armor": 1, "biofeedback filter": FILTER},
}  # fmt: skip
IN_ASTRAL, IN_MATRIX = {"plane": "astral", "magic": 2}, {"plane": "cold sim", "matrix": HACKER}
MAGIC, DRAINED_BY = 3, 1 + 2
FIGHTERS: dict[str, Any] = {
    "ann": {**ATTRIBUTES, "skills": SKILLS, "weapons": ARMS},
    "bob": BOB,
    "cyd": {**BOB, "initiative": 2, "reaction": 3},
    "eve": {**ATTRIBUTES, "skills": SKILLS, **IN_ASTRAL},
    "gil": {**BOB, **IN_ASTRAL},
    "hal": {**ATTRIBUTES, "skills": {"cybercombat": 1}, **IN_MATRIX},
    "ivy": {**BOB, **IN_MATRIX},
    "jo": {**BOB, **IN_MATRIX, "plane": "hot sim"},
    "kay": {
        **ATTRIBUTES, "logic": 2, "magic": MAGIC, "tradition": "hermetic", "skills": {"spellcasting": 1},
        "spells": {"dart": {"effect": "direct", "mana": True, "drain": 0}, "show": {"drain": -1}, "storm": {"drain": 3}},
    },
    "lou": {**BOB, "willpower": 2},
    "leo": {"reaction": 1, "intuition": 1, "passes": 2},
    "mia": {"reaction": 2, "intuition": 1},
    "ned": {"reaction": 1, "intuition": 2},
    "oz": {"reaction": 1, "intuition": 1, "passes": 3},
    "pam": {"initiative": 1, "agility": 1, "edge": 2, "skills": {"pistols": 1}},
    "quin": {"initiative": 1, "agility": 1, "edge": 1, "skills": {"pistols": 1}},
    **{f"pool-{count}": {"initiative": 1, "agility": count - 1, "skills": {"pistols": 1}} for count in range(1, 7)},
}  # fmt: skip
CENSUS = Census("shadowrun_4e", FIGHTERS)
UNCHOSEN = {"mishaps": "attacks"}
"""Options of a fight in which glitches outside attacks have no mishap to choose: only the dice are counted."""
AVERAGE, HOPED_FOR = 2, 4
"""Thresholds: of an average test, and of one that Edge is spent on."""


# ------------------------------------------------------------------------------------------------ what `decide` gives


def _faces(dice: int) -> Iterator[tuple[int, ...]]:
    """Everything that so many dice can show, whichever of them shows it."""
    return combinations_with_replacement(range(1, 7), dice)


def _kinds(dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Once each what so many dice can come to, fives, ones and twos, and in how many ways: for the side whose every face is seen elsewhere."""
    for roll, count in _rolls(dice):
        yield (5,) * roll.hits + (1,) * roll.ones + (2,) * (roll.dice - roll.hits - roll.ones), count


def _here(*who: str) -> Combat:
    joined = (Join(each, FIGHTERS[each]) for each in who)
    return CENSUS.after(Combat(), OpenSession("census", CENSUS.game.name, "", UNCHOSEN), *joined)[0]


def _dice(combat: Combat, key: str) -> int:
    """How many dice an open roll asks for; none where it is not open."""
    return next((int(rest.dice.partition("d")[0]) for rest in combat.rests if rest.key == key), 0)


def _begun(*who: str) -> Combat:
    """In a fight, in the order of these."""
    combat = CENSUS.after(_here(*who), BeginCombat())[0]
    for place, each in enumerate(who):
        key = f"r1/{each}/initiative"
        count = _dice(combat, key)
        hits = count if not place else 0
        combat, _ = CENSUS.after(combat, TypeDice(key, (5,) * hits + (2,) * (count - hits)))
    return combat


def _declared(kind: str, by: str, *others: str, **terms: Any) -> Combat:
    return CENSUS.after(_begun(by, *others), Declare(kind, by, terms))[0]


def _attacked(by: str, at: str, using: str, **terms: Any) -> Combat:
    return _declared("attack", by, at, at=at, using=using, **terms)


def _glitch(told: Told) -> str:
    """How a test went wrong, in words."""
    found = [event.value for event in told if isinstance(event, said.FigureFound) and event.name == "glitch"]
    return f" with a {found[-1]}" if found and found[-1] != "none" else ""


def _pools() -> Counts:
    """Tests of one to six dice against an average threshold."""
    counts: Counts = {}
    for dice in range(1, 7):
        who, found = f"pool-{dice}", Counter[str]()
        test = Declare("test", who, {"skill": "pistols", "threshold": AVERAGE})
        start, key = CENSUS.after(_here(who), test)[0], f"r0/{who}/a1/test/test"
        for faces in _faces(dice):
            _, told = CENSUS.after(start, TypeDice(key, faces))
            found[_tested(told, key)] += ways(faces)
        counts[f"{dice} dice against {AVERAGE}"] = dict(sorted(found.items()))
    return counts


def _tested(told: Told, key: str) -> str:
    test = resolved(told)[key]
    more = "" if test.outcome == "critical glitch" else _glitch(told)
    return f"{test.rolled} hits, {test.outcome}{more}"


def _opposed(by: str, at: str, using: str, **terms: Any) -> Counts:
    """Every face of the attacker, and all that the defender can come to: what strikes, or whether a miss is to be ruled on."""
    start, counts = _attacked(by, at, using, **terms), Counter[str]()
    to_hit, defend = key_of(by, "to-hit"), key_of(by, "defend")
    for faces in _faces(_dice(start, to_hit)):
        thrown, told = CENSUS.after(start, TypeDice(to_hit, faces))
        dice = _dice(thrown, defend)
        if not dice:
            counts[_struck(thrown, told, by)] += ways(faces)
            continue
        for others, count in _kinds(dice):
            combat, then = CENSUS.after(thrown, TypeDice(defend, others))
            counts[_struck(combat, then, by)] += ways(faces) * count
    return dict(sorted(counts.items()))


def _struck(combat: Combat, told: Told, by: str) -> str:
    found = figures(told)
    if found["outcome"] == "miss":
        rulings = [rest.key.rpartition("/")[2] for rest in combat.rests if rest.by == "gm"]
        return "miss" + (", to be ruled on" if rulings else "")
    resist = _dice(combat, key_of(by, "resist"))
    return f"hit by {found['net hits']}: {found['dv']} {found['damage type']} against {resist} dice"


def _harm(by: str, at: str, using: str, hits: int) -> Counts:
    """Counts all results of the damage resistance test against a surprise attack with a number of hits."""
    start = _attacked(by, at, using, unaware=True)
    to_hit, resist = key_of(by, "to-hit"), key_of(by, "resist")
    dice, counts = _dice(start, to_hit), Counter[str]()
    start, _ = CENSUS.after(start, TypeDice(to_hit, (5,) * hits + (2,) * (dice - hits)))
    for faces, count in _kinds(_dice(start, resist)):
        combat, _ = CENSUS.after(start, TypeDice(resist, faces))
        counts[_state(combat, at)] += count
    return dict(sorted(counts.items()))


def _state(combat: Combat, who: str) -> str:
    """Returns the tracks, wounds and conditions of a combatant."""
    tracks = (
        f"{taken} {name}"
        for name in ("matrix", "stun", "physical", "overflow")
        if (taken := combat.health.track(who, name).taken)
    )
    words = [*tracks, f"{combat.wounds.count(who)} wounds", *sorted(combat.conditions.of(who))]
    return ", ".join(words)


def _initiative(first: str, second: str) -> Counts:
    """All that both can come to: scores, who is first, how many passes each has."""
    counts, start = Counter[str](), CENSUS.after(_here(first, second), BeginCombat())[0]
    one, other = f"r1/{first}/initiative", f"r1/{second}/initiative"
    for faces, count in _kinds(_dice(start, one)):
        thrown, _ = CENSUS.after(start, TypeDice(one, faces))
        for others, times in _kinds(_dice(start, other)):
            combat, _ = CENSUS.after(thrown, TypeDice(other, others))
            order = ", then ".join(f"{who} {score}" for who, score in combat.initiative.order)
            passes = " and ".join(str(combat.figures.of(who, "passes")) for who in (first, second))
            counts[f"{order}; {passes} passes"] += count * times
    return dict(sorted(counts.items()))


def _cast() -> Counts:
    """A direct spell against a mind: every face of the caster, and all that the mind can come to."""
    start, counts = _declared("cast", "kay", "lou", spell="dart", force=2, at="lou"), Counter[str]()
    cast, resist = "r1/kay/a1/cast/cast", "r1/kay/a1/cast/resist-spell"
    for faces in _faces(_dice(start, cast)):
        thrown, _ = CENSUS.after(start, TypeDice(cast, faces))
        for others, count in _kinds(_dice(thrown, resist)):
            _, told = CENSUS.after(thrown, TypeDice(resist, others))
            found = figures(told)
            more = f": {found['dv']} {found['damage type']}" if found["outcome"] == "works" else ""
            counts[f"{found['outcome']}{more}"] += ways(faces) * count
    return dict(sorted(counts.items()))


def _drain(spell: str, force: int) -> Counts:
    """A spell without a target: every face against its Drain."""
    start, counts = _declared("cast", "kay", spell=spell, force=force), Counter[str]()
    cast, drain = "r1/kay/a1/cast/cast", "r1/kay/a1/cast/drain"
    start, _ = CENSUS.after(start, TypeDice(cast, (5,) + (2,) * (_dice(start, cast) - 1)))
    for faces in _faces(_dice(start, drain)):
        combat, _ = CENSUS.after(start, TypeDice(drain, faces))
        counts[_state(combat, "kay")] += ways(faces)
    return dict(sorted(counts.items()))


def _edge_test(who: str, *commands: Command) -> tuple[Combat, str]:
    test = Declare("test", who, {"skill": "pistols", "threshold": HOPED_FOR})
    return CENSUS.after(_here(who), test, *commands)[0], f"r0/{who}/a1/test/test"


def _rule_of_six(who: str) -> Counts:
    """Edge before the roll: every face of the roll and of up to two throws of its sixes."""
    start, key = _edge_test(who, Declare("edge", who))
    counts = Counter[str]()
    for faces in _faces(_dice(start, key)):
        combat, told = CENSUS.after(start, TypeDice(key, faces))
        _again(combat, told, key, 1, ways(faces), counts)
    return dict(sorted(counts.items()))


def _again(combat: Combat, told: Told, key: str, nth: int, count: int, counts: Counter[str]) -> None:
    sixes = f"{key}/sixes" + (f"/{nth}" if nth > 1 else "")
    dice = _dice(combat, sixes)
    if not dice or nth > 2:
        more = f", {dice} to be rolled again" if dice else ""
        counts[f"{_tested(told, key)} after {nth} throws{more}"] += count
        return
    for faces in _faces(dice):
        then, last = CENSUS.after(combat, TypeDice(sixes, faces))
        # A throw without a six leaves the last result of the test, in which it is recorded.
        _again(then, last, key, nth + 1, count * ways(faces), counts)


def _edge_after(use: str) -> Counts:
    """Edge after the roll: every face of the roll, of the dice that it buys, and of one throw of their sixes."""
    start, key = _edge_test("pam")
    counts = Counter[str]()
    for faces in _faces(_dice(start, key)):
        thrown, _ = CENSUS.after(start, TypeDice(key, faces))
        options = [option.option for rest in thrown.rests if rest.key == f"{key}/edge" for option in rest.options]
        if use not in options:
            counts["not offered"] += ways(faces)
            continue
        chosen, _ = CENSUS.after(thrown, Choose(f"{key}/edge", use))
        more = f"{key}/{'again' if use == 'again' else 'edge-dice'}"
        for others in _faces(_dice(chosen, more)):
            combat, told = CENSUS.after(chosen, TypeDice(more, others))
            dice = _dice(combat, f"{key}/sixes")
            words = _tested(told, key) + (f", {dice} to be rolled again" if dice else "")
            counts[words] += ways(faces) * ways(others)
    return dict(sorted(counts.items()))


def _scatter(using: str, hits: int) -> Counts:
    """Counts where a thrown grenade explodes, and its damage to a target 3 m from the aim, at four o'clock."""
    start = _declared("attack", "ann", "bob", at=(), using=using, caught={"bob": {"meters": 3, "direction": 3}})
    to_hit, meters, direction = (key_of("ann", name) for name in ("to-hit", "scatter", "direction"))
    dice, counts = _dice(start, to_hit), Counter[str]()
    start, _ = CENSUS.after(start, TypeDice(to_hit, (5,) * hits + (2,) * (dice - hits)))
    for faces in _faces(_dice(start, meters)):
        thrown, _ = CENSUS.after(start, TypeDice(meters, faces))
        for face in range(1, 7):
            _, told = CENSUS.after(thrown, TypeDice(direction, (face,)))
            found = figures(told)
            harm = f"{found['dv']} {found['damage type']}" if found["dv"] else "out of it"
            counts[f"{found['scatter']} m to {found['direction']}: {harm}"] += ways(faces)
    return dict(sorted(counts.items()))


def _surprise(ambushers: tuple[str, ...], alert: tuple[str, ...]) -> Counts:
    """Counts which of three combatants surprise which others, for all numbers of hits."""
    names, counts = ("leo", "oz", "bob"), Counter[str]()
    situation = {"surprise": True, "ambushers": ambushers, "alert": alert}
    start = CENSUS.after(_here(*names), BeginCombat(situation))[0]
    keys = [f"r0/{who}/surprise" for who in names]
    dice = [_dice(start, key) for key in keys]
    for hits in product(*(range(each + 1) for each in dice)):
        rolls = zip(keys, dice, hits, strict=True)
        thrown = (TypeDice(key, (5,) * found + (2,) * (each - found)) for key, each, found in rolls)
        count = prod(comb(each, found) * 2**found * 4 ** (each - found) for each, found in zip(dice, hits, strict=True))
        counts[_surprised(CENSUS.after(start, *thrown)[0], names)] += count
    return dict(sorted(counts.items()))


def _surprised(combat: Combat, names: tuple[str, ...]) -> str:
    found = ((who, combat.figures.of(who, "surprised by")) for who in names if combat.conditions.has(who, "surprised"))
    return "; ".join(f"{who} by {others}" for who, others in found) or "nobody"


def _alert() -> Counts:
    start = CENSUS.after(_here("bob"), Declare("alert", "bob"))[0]
    key = "r0/bob/a1/alert/response"
    told = {face: CENSUS.after(start, TypeDice(key, (face,)))[1] for face in range(1, 7)}
    return {str(face): figures(each)["response"] for face, each in told.items()}


def _dumpshock(who: str) -> Counts:
    start, counts = CENSUS.after(_here(who), Declare("dumpshock", who))[0], Counter[str]()
    (key,) = (rest.key for rest in start.rests)
    for faces in _faces(_dice(start, key)):
        counts[_state(CENSUS.after(start, TypeDice(key, faces))[0], who)] += ways(faces)
    return dict(sorted(counts.items()))


def decided() -> Counts:
    """Everything, as `decide` gives it."""
    return {
        **_pools(),
        "pistol 2P, 3 dice against 1": _opposed("ann", "bob", "pistol"),
        "pistol 2P, 3 dice against 3": _opposed("ann", "cyd", "pistol"),
        "pistol 2P, 3 dice against nobody who knows": _opposed("ann", "bob", "pistol", unaware=True),
        "short burst 2P, 3 dice against 1": _opposed("ann", "bob", "smg"),
        "wide short burst 2P, 3 dice against 3 - 2": _opposed("ann", "cyd", "smg", wide=True),
        "knife 3P, 3 dice against 2": _opposed("ann", "bob", "knife"),
        "hands 2S, 2 dice against 2": _opposed("ann", "bob", "unarmed"),
        "will 2P, 2 dice against 2": _opposed("eve", "gil", "astral combat", harms="physical"),
        "will 2S, 2 dice against 2": _opposed("eve", "gil", "astral combat", harms="stun"),
        "attack 2, 3 dice against 2": _opposed("hal", "ivy", "attack"),
        "black hammer 2, 3 dice against 2, cold": _opposed("hal", "ivy", "black hammer"),
        "black hammer 2, 3 dice against 2, hot": _opposed("hal", "jo", "black hammer"),
        "pistol, 1 hit": _harm("ann", "bob", "pistol", 1),
        "pistol, 3 hits": _harm("ann", "bob", "pistol", 3),
        "smg, 2 hits": _harm("ann", "bob", "smg", 2),
        "cannon, 1 hit": _harm("ann", "bob", "cannon", 1),
        "cannon, 3 hits": _harm("ann", "bob", "cannon", 3),
        "taser, 1 hit": _harm("ann", "bob", "taser", 1),
        "taser, 3 hits": _harm("ann", "bob", "taser", 3),
        "initiative 2 and 2": _initiative("leo", "oz"),
        "initiative 3 and 3": _initiative("mia", "ned"),
        "dart at Force 2, 4 dice against 2": _cast(),
        **{f"drain {spell} at Force {force}": _drain(spell, force) for spell, force, *_ in SPELLS},
        "rule of six, 2 + 1 dice": _rule_of_six("quin"),
        "edge after 2 dice: 2 more": _edge_after("add"),
        "edge after 2 dice: again": _edge_after("again"),
        "edge after 2 dice: no glitch": _edge_negates(),
        **{f"scatter of a {using} with {hits} hits": _scatter(using, hits) for using, hits in THROWN},
        "surprise, 2, 2 and 2 dice": _surprise((), ()),
        "surprise, 2 + 3 on the alert": _surprise((), ("leo",)),
        "surprise, 2 + 6 in ambush": _surprise(("leo",), ()),
        "alert": _alert(),
        "dumpshock, cold": _dumpshock("ivy"),
        "dumpshock, hot": _dumpshock("jo"),
    }


def _edge_negates() -> Counts:
    """A point that undoes a glitch: every face."""
    start, key = _edge_test("pam")
    counts = Counter[str]()
    for faces in _faces(_dice(start, key)):
        thrown, _ = CENSUS.after(start, TypeDice(key, faces))
        options = [option.option for rest in thrown.rests if rest.key == f"{key}/edge" for option in rest.options]
        if "negate" in options:
            _, told = CENSUS.after(thrown, Choose(f"{key}/edge", "negate"))
            test = resolved(told)[key]
            counts[f"{test.rolled} hits, {test.outcome}"] += ways(faces)
        else:
            counts["not offered"] += ways(faces)
    return dict(sorted(counts.items()))


SPELLS = (("show", 1, 1), ("show", 4, 1), ("storm", 3, 4), ("storm", 4, 5), ("storm", 6, 6))
"""Spell, Force, and the Drain by half the Force, rounded down, and -1 or +3: one at the least. Magic is 3."""
THROWN = (("bomb", 0), ("bomb", 1), ("bomb", 2), ("canister", 0), ("canister", 1))


# ------------------------------------------------------------------------------------------------ by the seed


class Roll(NamedTuple):
    """What a pool shows: dice at 5 or 6, ones, and all of them."""

    hits: int
    ones: int
    dice: int

    @property
    def glitch(self) -> bool:
        """ "Number of 1s >= half of the dice rolled"."""
        return 2 * self.ones >= self.dice


def _rolls(dice: int) -> Iterator[tuple[Roll, int]]:
    """Every count of hits and ones, and in how many ways: two faces hit, one is a one, three are neither."""
    for hits in range(dice + 1):
        for ones in range(dice - hits + 1):
            count = comb(dice, hits) * comb(dice - hits, ones) * 2**hits * 3 ** (dice - hits - ones)
            yield Roll(hits, ones, dice), count


def _by_the_seed_word(hits: int, goal: int, glitch: bool) -> str:
    """A test against a threshold, in words."""
    if glitch and not hits:
        return f"{hits} hits, critical glitch"
    word = "failure" if hits < goal else "critical success" if hits - goal >= 4 else "success"
    return f"{hits} hits, {word}" + (" with a glitch" if glitch else "")


def _by_the_seed_pool(dice: int) -> Counts:
    counts = Counter[str]()
    for roll, count in _rolls(dice):
        counts[_by_the_seed_word(roll.hits, AVERAGE, roll.glitch)] += count
    return dict(sorted(counts.items()))


def _by_the_seed_opposed(
    dice: int, against: int, base: int, resist: tuple[int, int], kind: str = "compared", autofire: int = 0
) -> Counts:
    """Steps 3 and 4, for a base DV.

    Args:
        dice: Of the attacker.
        against: Dice of the defender; none without a defense.
        base: Damage Value.
        resist: Attribute and modified armor.
        kind: Is Physical damage compared to armor; else what it is in any case.
        autofire: Counts in damage, not in the comparison.
    """
    counts = Counter[str]()
    for (attack, one), (defense, other) in product(_rolls(dice), _rolls(against)):
        net = attack.hits - defense.hits
        if net <= 0:
            ruled = attack.glitch or (against > 0 and defense.glitch)
            counts["miss" + (", to be ruled on" if ruled else "")] += one * other
            continue
        word = ("physical" if base + net > resist[1] else "stun") if kind == "compared" else kind
        counts[f"hit by {net}: {base + net + autofire} {word} against {sum(resist)} dice"] += one * other
    return dict(sorted(counts.items()))


def _by_the_seed_harm(value: int, armor: int, *, physical: bool, autofire: int = 0) -> Counts:
    """Steps 5 and 6: each hit of Body and armor takes one from the DV; each point left is a box."""
    counts = Counter[str]()
    kind = "physical" if physical and value > armor else "stun"
    for roll, count in _rolls(BODY + armor):
        counts[_by_the_seed_boxes(max(0, value + autofire - roll.hits), kind)] += count
    return dict(sorted(counts.items()))


def _by_the_seed_boxes(boxes: int, kind: str, *, blow: bool = True, more: str = "") -> str:
    """Tracks of 8 and half of Body or Willpower, rounded up; Stun spills into Physical, and that into overflow, which kills beyond Body.

    Three boxes of a track are a wound; a full track makes unconscious; a blow of as many boxes as Body knocks down.
    """
    room = {"stun": 8 + (WILL + 1) // 2, "physical": 8 + (BODY + 1) // 2}
    stun = min(boxes, room["stun"]) if kind == "stun" else 0
    physical = min(boxes - stun, room["physical"])
    beyond = boxes - stun - physical
    conditions = {
        "unconscious": stun == room["stun"] or physical == room["physical"],
        "dying": beyond > 0,
        "dead": beyond > BODY,
        "prone": blow and boxes >= BODY and beyond <= BODY,
    }
    tracks = [
        f"{taken} {name}" for name, taken in (("stun", stun), ("physical", physical), ("overflow", beyond)) if taken
    ]
    wounds = f"{stun // 3 + physical // 3} wounds"
    names = sorted([*(name for name, so in conditions.items() if so), *([more] if more else [])])
    return ", ".join([*tracks, wounds, *names])


def _by_the_seed_initiative(one: tuple[str, int, int], other: tuple[str, int, int]) -> Counts:
    """Score = attribute + hits. Each: a name, the attribute, passes; the first of the two wins what is left of a tie."""
    counts = Counter[str]()
    for (first, count), (second, times) in product(_rolls(one[1]), _rolls(other[1])):
        places, passes = [], []
        for nth, ((name, attribute, usual), roll) in enumerate(((one, first), (other, second))):
            last = roll.glitch and not roll.hits
            places.append(((last, -(attribute + roll.hits), roll.glitch, nth), f"{name} {attribute + roll.hits}"))
            passes.append(str(max(1, usual - last)))
        order = ", then ".join(words for _, words in sorted(places))
        counts[f"{order}; {' and '.join(passes)} passes"] += count * times
    return dict(sorted(counts.items()))


def _by_the_seed_cast(dice: int, against: int, force: int) -> Counts:
    """Hits are capped at the Force; a net hit is needed; DV = Force + net hits, without armor."""
    counts = Counter[str]()
    for (cast, one), (resist, other) in product(_rolls(dice), _rolls(against)):
        net = min(cast.hits, force) - resist.hits
        counts[f"works: {force + net} physical" if net > 0 else "fails"] += one * other
    return dict(sorted(counts.items()))


def _by_the_seed_drain(value: int, force: int) -> Counts:
    """Willpower + Logic; Physical if Force > Magic."""
    counts = Counter[str]()
    for roll, count in _rolls(DRAINED_BY):
        kind = "physical" if force > MAGIC else "stun"
        counts[_by_the_seed_boxes(max(0, value - roll.hits), kind, blow=False)] += count
    return dict(sorted(counts.items()))


def _sixes(dice: int) -> Iterator[tuple[int, int, int, int]]:
    """Of so many dice: fives, sixes, ones, and in how many ways."""
    for fives, sixes, ones in product(range(dice + 1), repeat=3):
        left = dice - fives - sixes - ones
        if left >= 0:
            yield fives, sixes, ones, comb(dice, fives) * comb(dice - fives, sixes) * comb(left + ones, ones) * 3**left


def _by_the_seed_rule_of_six(dice: int) -> Counts:
    """ "6s are counted and re-rolled", here up to twice; the dice of the first throw alone make a glitch."""
    counts = Counter[str]()

    def throw(dice: int, nth: int, hits: int, glitch: bool, count: int) -> None:
        """So many dice, as the nth throw."""
        for fives, sixes, ones, times in _sixes(dice):
            found, wrong = hits + fives + sixes, 2 * ones >= dice if nth == 1 else glitch
            if sixes and nth < 3:
                throw(sixes, nth + 1, found, wrong, count * times)
            else:
                more = f", {sixes} to be rolled again" if sixes else ""
                counts[f"{_by_the_seed_word(found, HOPED_FOR, wrong)} after {nth} throws{more}"] += count * times

    throw(dice, 1, 0, False, 1)
    return dict(sorted(counts.items()))


def _by_the_seed_added(dice: int, edge: int) -> Counts:
    """Edge dice after the roll: only they explode; all count in a glitch."""
    counts = Counter[str]()
    for (roll, one), (fives, sixes, ones, other) in product(_rolls(dice), _sixes(edge)):
        glitch = 2 * (roll.ones + ones) >= dice + edge
        words = _by_the_seed_word(roll.hits + fives + sixes, HOPED_FOR, glitch)
        counts[words + (f", {sixes} to be rolled again" if sixes else "")] += one * other
    return dict(sorted(counts.items()))


def _by_the_seed_again(dice: int) -> Counts:
    """ "Re-roll every die that is not a hit": the ones that count are those that lie there then."""
    counts = Counter[str]()
    for roll, one in _rolls(dice):
        if roll.hits == dice:
            counts["not offered"] += one
            continue
        for then, other in _rolls(dice - roll.hits):
            glitch = 2 * then.ones >= dice
            counts[_by_the_seed_word(roll.hits + then.hits, HOPED_FOR, glitch)] += one * other
    return dict(sorted(counts.items()))


def _by_the_seed_negated(dice: int) -> Counts:
    counts = Counter[str]()
    for roll, count in _rolls(dice):
        counts[_by_the_seed_word(roll.hits, HOPED_FOR, False) if roll.glitch else "not offered"] += count
    return dict(sorted(counts.items()))


def _by_the_seed_scatter(using: str, hits: int) -> Counts:
    """ "1D6 meters - 2 per net hit", "2D6 meters - 4 per net hit"; 10P, AP -2, -2/m against impact armor."""
    dice, less = {"bomb": (1, 2), "canister": (2, 4)}[using]
    counts = Counter[str]()
    for *thrown, direction in product(range(1, 7), repeat=dice + 1):
        meters = max(0, sum(thrown) - less * hits)
        turn, theirs = pi / 3 * direction, pi / 3 * 3
        away = round(hypot(meters * cos(turn) - 3 * cos(theirs), meters * sin(turn) - 3 * sin(theirs)))
        value = max(0, 10 - 2 * away)
        harm = f"{value} {'physical' if value > max(0, IMPACT - 2) else 'stun'}" if value else "out of it"
        counts[f"{meters} m to {direction}: {harm}"] += 1
    return dict(sorted(counts.items()))


def _by_the_seed_surprise(first: int, *, ambush: bool = False) -> Counts:
    """ "You are surprised by each character with more hits than you"; ambushers are never surprised."""
    names, counts = ("leo", "oz", "bob"), Counter[str]()
    spread = [[comb(dice, hits) * 2**hits * 4 ** (dice - hits) for hits in range(dice + 1)] for dice in (first, 2, 2)]
    for hits in product(*(range(len(each)) for each in spread)):
        found = []
        for who, mine in zip(names, hits, strict=True):
            by = [other for other, theirs in zip(names, hits, strict=True) if theirs > mine]
            if by and not (ambush and who == names[0]):
                found.append(f"{who} by {', '.join(by)}")
        counts["; ".join(found) or "nobody"] += spread[0][hits[0]] * spread[1][hits[1]] * spread[2][hits[2]]
    return dict(sorted(counts.items()))


def _by_the_seed_dumpshock(kind: str) -> Counts:
    """DV 5, by Willpower + Biofeedback Filter; then -2."""
    counts = Counter[str]()
    for roll, count in _rolls(WILL + FILTER):
        counts[_by_the_seed_boxes(max(0, 5 - roll.hits), kind, blow=False, more="dumpshocked")] += count
    return dict(sorted(counts.items()))


def by_the_seed() -> Counts:
    """Returns all counts by the seed."""
    shot, mind, person = (BODY, ARMOR), (WILL, MYSTIC), (WILL, FILTER)
    return {
        **{f"{dice} dice against {AVERAGE}": _by_the_seed_pool(dice) for dice in range(1, 7)},
        "pistol 2P, 3 dice against 1": _by_the_seed_opposed(3, 1, 2, shot),
        "pistol 2P, 3 dice against 3": _by_the_seed_opposed(3, 3, 2, shot),
        "pistol 2P, 3 dice against nobody who knows": _by_the_seed_opposed(3, 0, 2, shot),
        "short burst 2P, 3 dice against 1": _by_the_seed_opposed(3, 1, 2, shot, autofire=2),
        "wide short burst 2P, 3 dice against 3 - 2": _by_the_seed_opposed(3, 1, 2, shot),
        "knife 3P, 3 dice against 2": _by_the_seed_opposed(3, 2, 3, (BODY, IMPACT)),
        "hands 2S, 2 dice against 2": _by_the_seed_opposed(2, 2, 2, (BODY, IMPACT), "stun"),
        "will 2P, 2 dice against 2": _by_the_seed_opposed(2, 2, 2, mind),
        "will 2S, 2 dice against 2": _by_the_seed_opposed(2, 2, 2, mind, "stun"),
        "attack 2, 3 dice against 2": _by_the_seed_opposed(3, 2, 2, (1, 1), "matrix"),
        "black hammer 2, 3 dice against 2, cold": _by_the_seed_opposed(3, 2, 2, person, "stun"),
        "black hammer 2, 3 dice against 2, hot": _by_the_seed_opposed(3, 2, 2, person, "physical"),
        "pistol, 1 hit": _by_the_seed_harm(2 + 1, ARMOR, physical=True),
        "pistol, 3 hits": _by_the_seed_harm(2 + 3, ARMOR, physical=True),
        "smg, 2 hits": _by_the_seed_harm(2 + 2, ARMOR, physical=True, autofire=2),
        "cannon, 1 hit": _by_the_seed_harm(9 + 1, ARMOR, physical=True),
        "cannon, 3 hits": _by_the_seed_harm(9 + 3, ARMOR, physical=True),
        "taser, 1 hit": _by_the_seed_harm(11 + 1, IMPACT, physical=False),
        "taser, 3 hits": _by_the_seed_harm(11 + 3, IMPACT, physical=False),
        "initiative 2 and 2": _by_the_seed_initiative(("leo", 2, 2), ("oz", 2, 3)),
        "initiative 3 and 3": _by_the_seed_initiative(("mia", 3, 1), ("ned", 3, 1)),
        "dart at Force 2, 4 dice against 2": _by_the_seed_cast(4, 2, 2),
        **{f"drain {spell} at Force {force}": _by_the_seed_drain(value, force) for spell, force, value in SPELLS},
        "rule of six, 2 + 1 dice": _by_the_seed_rule_of_six(3),
        "edge after 2 dice: 2 more": _by_the_seed_added(2, 2),
        "edge after 2 dice: again": _by_the_seed_again(2),
        "edge after 2 dice: no glitch": _by_the_seed_negated(2),
        **{f"scatter of a {using} with {hits} hits": _by_the_seed_scatter(using, hits) for using, hits in THROWN},
        "surprise, 2, 2 and 2 dice": _by_the_seed_surprise(2),
        "surprise, 2 + 3 on the alert": _by_the_seed_surprise(2 + 3),
        "surprise, 2 + 6 in ambush": _by_the_seed_surprise(2 + 6, ambush=True),
        "alert": {
            "1": "launch track ic", "2": "launch attack ic", "3": "launch blackout or black hammer ic",
            "4": "scramble security hacker", "5": "terminate connection", "6": "system reset or shutdown",
        },
        "dumpshock, cold": _by_the_seed_dumpshock("stun"),
        "dumpshock, hot": _by_the_seed_dumpshock("physical"),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ the tests


@pytest.fixture(scope="module")
def recorded() -> Counts:
    return recorded_beside(__file__)


def test_every_face_is_decided_as_it_was_recorded(recorded: Counts) -> None:
    check_same(recorded, decided())


def test_what_was_recorded_is_what_the_seed_says(recorded: Counts) -> None:
    check_same(recorded, by_the_seed())


def test_every_line_is_counted_once(recorded: Counts) -> None:
    resisted, drained, filtered = BODY + ARMOR, DRAINED_BY, WILL + FILTER
    dice = {
        **{f"{count} dice": count for count in range(1, 7)}, "pistol 2P, 3 dice against 1": 4, "pistol 2P, 3 dice against 3": 6,
        "pistol 2P, 3 dice against nobody": 3, "short burst": 4, "wide short burst": 4, "knife": 5, "hands": 4, "will": 4, "attack": 5,
        "black hammer": 5, "pistol, ": resisted, "smg, ": resisted, "cannon, ": resisted, "taser, ": BODY + IMPACT, "initiative 2": 4,
        "initiative 3": 6, "dart": 6, "drain": drained, "edge after 2 dice: no glitch": 2, "edge after 2 dice: 2 more": 4,
        "scatter of a bomb": 2, "scatter of a canister": 3, "surprise, 2, 2": 6, "surprise, 2 + 3": 9, "surprise, 2 + 6": 12,
        "dumpshock": filtered,
    }  # fmt: skip
    for name, counts in recorded.items():
        known = [each for each in dice if name.startswith(each)]
        if known:
            assert sum(counts.values()) == 6 ** dice[max(known, key=len)], name
        else:
            assert name in ("alert", "rule of six, 2 + 1 dice", "edge after 2 dice: again"), name


def test_a_hit_without_boxes_ends_the_exchange_and_a_glitch_is_the_gamemasters() -> None:
    to_hit, defend, resist = (key_of("ann", name) for name in ("to-hit", "defend", "resist"))
    start, _ = CENSUS.after(_attacked("ann", "bob", "pistol"), TypeDice(to_hit, (5, 2, 2)), TypeDice(defend, (2,)))
    hit, _ = CENSUS.after(start, TypeDice(resist, (5, 5, 5, 2, 2)))
    glitched, _ = CENSUS.after(
        _attacked("ann", "bob", "pistol"),
        TypeDice(to_hit, (1, 1, 5)),
        TypeDice(defend, (2,)),
        TypeDice(resist, (5, 5, 5, 2, 2)),
    )

    assert not hit.exchange.frames
    assert [rest.by for rest in glitched.rests] == ["gm"]


if __name__ == "__main__":
    print(printed(decided()))
