"""A census of GURPS, third edition: every throw of a blow, of its defense, its damage and what follows, counted as chess counts moves.

The counts are recorded in the file beside this one, and found anew from the seed's boxes, which know nothing of our code.
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from census.counting import Census, Counts, Told, check_same, figures, printed, recorded_beside, resolved

from ledger import events as said
from ledger.commands import BeginCombat, Choose, Declare, Join, OpenSession, TypeDice
from projections.combat import Combat

SKILL, DODGE, PD, DR, HT = 14, 6, 2, 2, 11
ADDS, GUN_SKILL, YARDS, RANGE = 2, 12, 20, -6
ATTACK = "r1/ann/a1/attack"

CENSUS = Census(
    "gurps_3e",
    {
        "ann": {
            "st": 12, "dx": 13, "ht": 12, "move": 7, "skills": {"broadsword": SKILL, "guns": GUN_SKILL},
            "weapons": {
                "sword": {"skill": "broadsword", "damage": f"1d+{ADDS}", "type": "cutting", "swung": True},
                "spear": {"skill": "broadsword", "damage": "2d", "type": "impaling", "thrust": True},
                "smg": {"kind": "firearm", "skill": "guns", "damage": "2d", "type": "bullet", "ss": 5, "rof": 4, "automatic": True},
            },
        },
        "bob": {"st": 10, "dx": 10, "ht": HT, "move": 5, "dodge": DODGE, "armor": {"torso": {"pd": PD, "dr": DR}}},
    },
)  # fmt: skip

TRIPLES: Counter[int] = Counter(map(sum, product(range(1, 7), repeat=3)))
"""In how many ways three dice come to a sum."""


def dice(total: int) -> tuple[int, int, int]:
    """Three faces of a sum."""
    first = min(6, total - 2)
    second = min(6, total - first - 1)
    return first, second, total - first - second


# ------------------------------------------------------------------------------------------------ what `decide` gives


def _attacked(**terms: Any) -> Combat:
    begun, _ = CENSUS.after(
        Combat(), OpenSession("census", "gurps_3e", ""), *(Join(who, CENSUS.fighters[who]) for who in ("ann", "bob")), BeginCombat()
    )  # fmt: skip
    return CENSUS.after(begun, Declare("attack", "ann", {"at": "bob", **terms}))[0]


def _walked(told: Told) -> list[str]:
    return [event.box for event in told if isinstance(event, said.StepEntered) and event.chart == "attack"]


def _blows() -> Counts:
    """Every throw to hit with the sword, and every throw of a dodge."""
    counts: Counter[str] = Counter()
    start = _attacked(using="sword")
    for hit, ways in TRIPLES.items():
        thrown, told = CENSUS.after(start, TypeDice(f"{ATTACK}/to-hit", dice(hit)))
        if not thrown.rests[0].key.endswith("/defense"):
            word = {"16": "16 critical miss", "22": "22 critical hit"}
            box = next((box for box in _walked(told) if box in word), "52")
            counts[word.get(box, "52 missed")] += ways * 216
            continue
        ready, _ = CENSUS.after(thrown, Choose(f"{ATTACK}/defense", "dodge"))
        for dodge, more in TRIPLES.items():
            _, last = CENSUS.after(ready, TypeDice(f"{ATTACK}/defend", dice(dodge)))
            walked = _walked(last)
            way = (
                "16 critical dodge"
                if "16" in walked
                else "52 dodged"
                if "52" in walked
                else "27 fell"
                if "27" in walked
                else "28 hit"
            )
            counts[way] += ways * more
    return dict(sorted(counts.items()))


def _hurt(start: Combat, sides: int) -> Counts:
    """Every throw of damage, and how it ended, or what it came to wait for."""
    counts: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=sides):
        after, _told = CENSUS.after(start, TypeDice(f"{ATTACK}/damage", faces))
        lost = after.health.track("bob", "hit_points").taken
        stunned = ", stunned" if after.conditions.has("bob", "stunned") else ""
        waits = (
            ", ".join(rest.key.rpartition("/")[2] for rest in after.rests if rest.dice) or after.exchange.last.outcome
        )  # type: ignore[union-attr]
        counts[f"{lost} lost{stunned}: {waits}"] += 1
    return dict(counts)


def _struck(using: str, **terms: Any) -> Combat:
    start = _attacked(using=using, surprise=True, **terms)
    hit, _ = CENSUS.after(start, TypeDice(f"{ATTACK}/to-hit", dice(8)))
    return CENSUS.after(hit, TypeDice(f"{ATTACK}/defend", dice(12)))[0] if hit.rests[0].key.endswith("defend") else hit


def _bursts() -> Counts:
    """Every throw of a burst of four: how many rounds hit."""
    counts: Counter[str] = Counter()
    start = _attacked(using="smg", distance=YARDS, surprise=True)
    for hit, ways in TRIPLES.items():
        _, told = CENSUS.after(start, TypeDice(f"{ATTACK}/to-hit", dice(hit)))
        outcome = resolved(told)[f"{ATTACK}/to-hit"].outcome
        counts[f"{outcome}: {figures(told).get('rounds left', 0)} rounds"] += ways
    return dict(sorted(counts.items()))


def _lives() -> Counts:
    """At -HT and two thresholds more: every throw of the three rolls for life."""
    counts: Counter[str] = Counter()
    start = _attacked(using="spear", location="vitals", surprise=True)
    hit, _ = CENSUS.after(start, TypeDice(f"{ATTACK}/to-hit", dice(8)))
    if hit.rests[0].key.endswith("defend"):
        hit, _ = CENSUS.after(hit, TypeDice(f"{ATTACK}/defend", dice(12)))
    ready, _ = CENSUS.after(
        hit,
        TypeDice(f"{ATTACK}/damage", (6, 6)),
        TypeDice(f"{ATTACK}/knockdown", dice(9)),
        TypeDice(f"{ATTACK}/consciousness", dice(9)),
    )
    keys = [rest.key for rest in ready.rests]
    for totals in product(TRIPLES, repeat=len(keys)):
        after, _ = CENSUS.after(ready, *(TypeDice(key, dice(total)) for key, total in zip(keys, totals, strict=True)))
        ways = 1
        for total in totals:
            ways *= TRIPLES[total]
        counts[f"{len(keys)} rolls: {after.exchange.last.outcome}"] += ways  # type: ignore[union-attr]
    return dict(counts)


def decided() -> Counts:
    """Everything, as `decide` gives it."""
    return {
        f"sword {SKILL} against dodge {DODGE} + {PD}": _blows(),
        f"sword 1d+{ADDS} against DR {DR}, HT {HT}": _hurt(_struck("sword"), 1),
        f"spear 2d against DR {DR}, HT {HT}": _hurt(_struck("spear"), 2),
        f"burst of 4, skill {GUN_SKILL}, {YARDS} yards": _bursts(),
        "a thrust to the vitals, dice 6 and 6": _lives(),
    }


# ------------------------------------------------------------------------------------------------ by the seed


def _result(rolled: int, skill: int) -> str:
    """3 and 4, 5 from 15, 6 from 16 are critical; 18, 17 up to 15, and a miss by 10 are, too."""
    if rolled <= 4 or (rolled == 5 and skill >= 15) or (rolled == 6 and skill >= 16):
        return "critical success"
    if rolled == 18 or (rolled == 17 and skill <= 15) or rolled - skill >= 10:
        return "critical failure"
    return "success" if rolled <= min(skill, 16) else "failure"


def _by_the_seed_blows() -> Counts:
    """Boxes 14 to 27."""
    counts: Counter[str] = Counter()
    for hit, ways in TRIPLES.items():
        first = {"critical success": "22 critical hit", "critical failure": "16 critical miss", "failure": "52 missed"}
        result = _result(hit, SKILL)
        if result in first:
            counts[first[result]] += ways * 216
            continue
        second = {
            "critical success": "16 critical dodge",
            "success": "52 dodged",
            "failure": "28 hit",
            "critical failure": "27 fell",
        }
        for dodge, more in TRIPLES.items():
            counts[second[_result(dodge, DODGE + PD)]] += ways * more
    return dict(sorted(counts.items()))


def _by_the_seed_hurt(sides: int, adds: int, factor: Fraction, cap: int | None, least: int) -> Counts:
    """Boxes 28 to 48: through, times the factor, at most what stays in the body; more than HT/2 stuns.

    What has no cap is a cut, which knocks back from 8 points on: DX is rolled first.
    """
    counts: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=sides):
        through = max(least, sum(faces) + adds) - DR
        if cap is None and through + DR >= 8:
            counts["0 lost: stand"] += 1
            continue
        if through <= 0:
            counts["0 lost: no effect"] += 1  # at exactly 0, too: no flexible armor, no vital place
            continue
        injury = max(1, int(through * factor))
        lost = injury if cap is None else min(injury, cap)
        if 2 * lost > HT:
            counts[f"{lost} lost, stunned: knockdown"] += 1
        else:
            counts[f"{lost} lost: {'slightly' if HT - lost >= 4 else 'severely'} injured"] += 1
    return dict(counts)


def _by_the_seed_bursts() -> Counts:
    """Box 14, 18 and the table of hits: missed by 1 one, made exactly two, by 1 or 2 three, by more four."""
    counts: Counter[str] = Counter()
    skill = GUN_SKILL + RANGE
    for hit, ways in TRIPLES.items():
        result, margin = _result(hit, skill), skill - hit
        rounds = (1 if margin == -1 else 0) if "failure" in result else (2 if margin <= 0 else 3 if margin <= 2 else 4)
        counts[f"{result}: {rounds} rounds"] += ways
    return dict(sorted(counts.items()))


def _by_the_seed_lives() -> Counts:
    """12 less 2 is 10 through, three times that 30; 11 - 30 is -19: past -11 and -16, but not -21."""
    left = HT - (12 - DR) * 3
    rolls = sum(left <= -HT - 5 * nth for nth in range(20))
    lives = sum(ways for total, ways in TRIPLES.items() if "success" in _result(total, HT))
    return {f"{rolls} rolls: critically injured": lives**rolls, f"{rolls} rolls: dead": 216**rolls - lives**rolls}


def by_the_seed() -> Counts:
    """Returns all counts by the boxes of the seed."""
    return {
        f"sword {SKILL} against dodge {DODGE} + {PD}": _by_the_seed_blows(),
        f"sword 1d+{ADDS} against DR {DR}, HT {HT}": _by_the_seed_hurt(1, ADDS, Fraction(3, 2), None, 1),
        f"spear 2d against DR {DR}, HT {HT}": _by_the_seed_hurt(2, 0, Fraction(2), HT, 1),
        f"burst of 4, skill {GUN_SKILL}, {YARDS} yards": _by_the_seed_bursts(),
        "a thrust to the vitals, dice 6 and 6": _by_the_seed_lives(),
    }


# ------------------------------------------------------------------------------------------------ the tests


@pytest.fixture(scope="module")
def recorded() -> Counts:
    return recorded_beside(__file__)


def test_every_throw_is_decided_as_it_was_recorded(recorded: Counts) -> None:
    check_same(recorded, decided())


def test_what_was_recorded_is_what_the_seed_says(recorded: Counts) -> None:
    check_same(recorded, by_the_seed())


def test_every_throw_is_counted_once(recorded: Counts) -> None:
    expected = {"sword 14": 216 * 216, "sword 1d": 6, "spear": 36, "burst": 216, "a thrust": 216 * 216}

    found = {name: sum(counts.values()) for name, counts in recorded.items()}

    assert sorted(expected.values()) == sorted(found.values())
    for name, total in found.items():
        assert next(each for start, each in expected.items() if name.startswith(start)) == total


if __name__ == "__main__":
    print(printed(decided()))
