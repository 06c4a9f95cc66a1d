"""Eclipse Phase, 1st edition: every face of one attack, counted, as chess programs count the positions of a few moves.

The counts in `eclipse_phase_1e.json` are what `decide` gives. They are counted a second time here by the words of the seeds alone:
steps 3 to 8 of seed 000 (EP1 191-192), and what they refer to (`rules/ep.md` 1.1 Dice and the basic test, 1.2 Opposed test, 1.10
Health, 1.11 Shock). Nothing of that second count is taken from `machines`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

import pytest
from census.counting import (
    ALL_FACES,
    SOME_DEFENSES,
    Census,
    Counts,
    Told,
    check_same,
    figures,
    harm_of,
    key_of,
    printed,
    read,
    recorded_beside,
    strikes,
    versus,
    ways,
    worded,
    wounds_of,
)

from ledger import events as said
from ledger.commands import TypeDice
from projections.combat import Combat

# The fight: ann shoots once at bob with 55 + 10 for the smartlink at short range, or clubs him with 40; he has Fray 60 and Blades 48.
# Or against all odds (a hidden target, in melee: only 60 of 80 counts), or with Gunnery 99 and a smartlink, which cannot miss but for 99.
SKILL, SMARTLINK, CLUBS, GUNNERY = 55, 10, 40, 99
HOPELESS, AT_MOST = ("target hidden", "in melee"), 60
FRAY, BLADES = 60, 48
DICE, SIDES, PLUS, PENETRATION = 3, 10, 2, 2
ARMOR, DURABILITY, THRESHOLD, SOM = 6, 35, 7, 20
STUNNER_SIDES, STUNNER_HALVED, ENERGY_ARMOR = 10, 2, 4

ANN = {
    "init": 60,
    "durability": 30,
    "aptitudes": {"som": 15},
    "skills": {"kinetic weapons": SKILL, "beam weapons": SKILL, "clubs": CLUBS, "gunnery": GUNNERY, "fray": 10},
    "weapons": {
        "rifle": {"kind": "ranged", "skill": "kinetic weapons", "damage": f"{DICE}d{SIDES}+{PLUS}", "ap": -PENETRATION,
                  "modes": ["single"], "smartlink": True},
        "cannon": {"kind": "ranged", "skill": "gunnery", "damage": f"{DICE}d{SIDES}+{PLUS}", "ap": -PENETRATION,
                   "modes": ["single"], "smartlink": True},
        "club": {"kind": "melee", "skill": "clubs", "damage": "1d10"},
        "stunner": {"kind": "ranged", "skill": "beam weapons", "damage": f"1d{STUNNER_SIDES}/{STUNNER_HALVED}", "armor": "energy",
                    "modes": ["semi"], "shock": True},
    },
}  # fmt: skip
BOB = {
    "init": 40,
    "durability": DURABILITY,
    "wound_threshold": THRESHOLD,
    "aptitudes": {"som": SOM},
    "skills": {"fray": FRAY, "blades": BLADES},
    "armor": {"energy": ENERGY_ARMOR, "kinetic": ARMOR},
}
TARGET, DODGE = SKILL + SMARTLINK, FRAY // 2
TO_HIT, DEFEND, DAMAGE, SHOCK, KNOCKDOWN, CONSCIOUSNESS = (
    key_of("ann", name) for name in ("to-hit", "defend", "damage", "shock", "knockdown", "consciousness")
)

CENSUS = Census("eclipse_phase_1e", {"ann": ANN, "bob": BOB})


# ------------------------------------------------------------------------------------------------ what `decide` gives


@lru_cache(maxsize=8)
def _attacked(using: str, defense: str, profile: str = "second printing", modifiers: tuple[str, ...] = ()) -> Combat:
    """The opposed rolls are open."""
    at = {} if using == "club" else {"range": "short"}
    return CENSUS.attacked("ann", "bob", defense, profile, using=using, modifiers=modifiers, **at)


def _kind_of(told: Told) -> str:
    """How an opposed test went, in words."""
    armor = f", DV +{_bonus(told)}, armor {figures(told)['armor']}" if figures(told)["outcome"] == "hit" else ""
    return versus(told, "ann") + armor


def _bonus(told: Told) -> int:
    return sum(event.value for event in told if isinstance(event, said.ModifierApplied) and event.key == DAMAGE)


def _opposed_counts(start: Combat, defenses: Sequence[int] = ALL_FACES) -> Counts:
    return dict(Counter(_kind_of(told) for *_, told in CENSUS.opposed(start, "ann", defenses)))


HITS = {(armor, bonus): None for armor in (ARMOR - PENETRATION, 0) for bonus in (0, 5, 10)}
"""What a hit may be like: armor that is left, what is added to the DV."""


@lru_cache(maxsize=1)
def _hits() -> Mapping[tuple[int, int], Combat]:
    """For each kind of hit the first that there is, with the damage roll open."""
    found: dict[tuple[int, int], Combat] = {}
    start = _attacked("rifle", "fray")
    for attack in range(TARGET, -1, -1):
        combat, told = CENSUS.after(start, TypeDice(TO_HIT, (attack,)), TypeDice(DEFEND, (98,)))
        found.setdefault((int(figures(told)["armor"]), _bonus(told)), combat)
    return found


def _damage_counts(armor: int, bonus: int) -> Counts:
    counts: Counter[str] = Counter()
    for faces in combinations_with_replacement(range(1, SIDES + 1), DICE):
        _, told = CENSUS.after(_hits()[armor, bonus], TypeDice(DAMAGE, faces))
        counts[harm_of(told, "incapacitated")] += ways(faces)
    return dict(counts)


def _wounds_counts(damage: tuple[int, ...], *keys: str) -> Counts:
    """A plain hit that rolls so: all faces of the tests that follow."""
    start, _ = CENSUS.after(_hits()[ARMOR - PENETRATION, 0], TypeDice(DAMAGE, damage))
    return dict(Counter(_gained(told) for *_, told in CENSUS.faced(start, *keys)))


def _gained(told: Told) -> str:
    return ", ".join(event.condition for event in told if isinstance(event, said.ConditionGained)) or "stands"


def _shock_counts() -> Counts:
    """A plain hit with the stunner: all faces of its damage and of the test against it."""
    counts: Counter[str] = Counter()
    hit, _ = CENSUS.after(_attacked("stunner", "fray"), TypeDice(TO_HIT, (SKILL - 1,)), TypeDice(DEFEND, (98,)))
    for face in range(1, STUNNER_SIDES + 1):
        rolled, _ = CENSUS.after(hit, TypeDice(DAMAGE, (face,)))
        for *_, told in CENSUS.faced(rolled, SHOCK):
            out = [
                event.until
                for event in told
                if isinstance(event, said.ConditionGained) and event.condition == "incapacitated"
            ]
            counts[f"{harm_of(told).split(',')[0]}, " + (f"out until {out[0]}" if out else "shaken")] += 1
    return dict(counts)


def decided() -> Counts:
    """Everything, as `decide` gives it."""
    counts: Counts = {
        f"rifle {TARGET} against fray {DODGE}": _opposed_counts(_attacked("rifle", "fray")),
        f"club {CLUBS} against blades {BLADES}": _opposed_counts(_attacked("club", "blades")),
        f"hopeless {SKILL - AT_MOST}": _opposed_counts(_attacked("rifle", "fray", modifiers=HOPELESS), SOME_DEFENSES),
        f"certain {GUNNERY + SMARTLINK}": _opposed_counts(_attacked("cannon", "fray"), SOME_DEFENSES),
    }
    for armor, bonus in HITS:
        counts[f"{DICE}d{SIDES}+{PLUS}, DV +{bonus}, armor {armor}"] = _damage_counts(armor, bonus)
    third = _attacked("rifle", "fray", "third printing")
    counts[f"third printing: {TARGET} against {DODGE}"] = _opposed_counts(third)
    counts["one wound"] = _wounds_counts((1, 4, 5), KNOCKDOWN)  # 8 damage
    counts["two wounds"] = _wounds_counts((1, 7, 9), KNOCKDOWN, CONSCIOUSNESS)  # 15 damage
    counts["stunned"] = _shock_counts()
    counts["lines of the rifle's attack"] = _lines(counts)
    return counts


def _lines(counts: Counts) -> int:
    """How many ways there are to play the rifle's attack to its end, die by die."""
    lines = 0
    for kind, count in counts[f"rifle {TARGET} against fray {DODGE}"].items():
        if kind.startswith("miss"):
            # A defender's critical success leaves the gamemaster four benefits to choose from (seed 004 Step 5).
            lines += count * (4 if kind.endswith("against critical success") else 1)
            continue
        of_damage = counts[f"{DICE}d{SIDES}+{PLUS}, {kind.partition(', ')[2]}"]
        lines += count * sum(each * _wound_tests(harm) for harm, each in of_damage.items())
    return lines


def _wound_tests(harm: str) -> int:
    wounds = int(harm.split(", ")[1].split()[0])
    return 100 ** min(wounds, 2)


# ------------------------------------------------------------------------------------------------ by the seeds


def _by_the_seed_opposed(
    target: int, defense_target: int, kind: Callable[[int, bool], str], defenses: Sequence[int] = ALL_FACES
) -> Counts:
    counts: Counter[str] = Counter()
    for attack, defense in product(ALL_FACES, defenses):
        (hits, sharp), (dodges, deft) = read(attack, target), read(defense, defense_target)
        struck = strikes((attack, hits, sharp), (defense, dodges, deft))
        words = f"{'hit' if struck else 'miss'}: {worded(hits, sharp)} against {worded(dodges, deft)}"
        counts[words + (kind(target - attack, sharp) if struck else "")] += 1
    return dict(counts)


def _solid(margin: int, bonus: int) -> int:
    """ "MoS of 30+ … +5. If the MoS is 60+ … +10." """
    return bonus + (10 if margin >= 60 else 5 if margin >= 30 else 0)


def _of_the_rifle(margin: int, critical: bool) -> str:
    """ "the defender's armor is bypassed completely" by a critical; else AP reduces it."""
    return f", DV +{_solid(margin, 0)}, armor {0 if critical else max(0, ARMOR - PENETRATION)}"


def _of_the_club(margin: int, critical: bool) -> str:
    """A melee weapon adds SOM / 10, rounded down: 1."""
    return f", DV +{_solid(margin, 15 // 10)}, armor {0 if critical else ARMOR}"


def _by_the_seed_damage(armor: int, bonus: int) -> Counts:
    counts: Counter[str] = Counter()
    for faces in product(range(1, SIDES + 1), repeat=DICE):
        damage = max(0, sum(faces) + PLUS + bonus - armor)
        words = f"{damage} damage, {wounds_of(damage, THRESHOLD)} wounds"
        counts[words + (", incapacitated" if damage >= DURABILITY else "")] += 1
    return dict(counts)


def _by_the_seed_wounds(wounds: int, tests: int) -> Counts:
    """SOM x 3, less 10 for each wound; the new ones count."""
    counts: Counter[str] = Counter()
    for rolls in product(ALL_FACES, repeat=tests):
        failed = [not read(roll, SOM * 3 - 10 * wounds)[0] for roll in rolls]
        names = [name for name, out in zip(("prone", "unconscious"), failed, strict=False) if out]
        counts[", ".join(names) or "stands"] += 1
    return dict(counts)


def _by_the_seed_shock() -> Counts:
    """DUR + energy armor; failing: out for an Action Turn for each full 10 of the margin, at least 3; passing: half the DV."""
    counts: Counter[str] = Counter()
    target = DURABILITY + ENERGY_ARMOR
    for face, roll in product(range(1, STUNNER_SIDES + 1), ALL_FACES):
        dv = (face + STUNNER_HALVED - 1) // STUNNER_HALVED  # rounded up
        if read(roll, target)[0]:
            counts[f"{max(0, dv // 2 - ENERGY_ARMOR)} damage, shaken"] += 1
        else:
            turns = max(3, (roll - target) // 10)
            counts[f"{max(0, dv - ENERGY_ARMOR)} damage, out until r{1 + turns}"] += 1
    return dict(counts)


def by_the_seeds() -> Counts:
    """Returns all counts by the seeds."""
    counts: Counts = {
        f"rifle {TARGET} against fray {DODGE}": _by_the_seed_opposed(TARGET, DODGE, _of_the_rifle),
        f"club {CLUBS} against blades {BLADES}": _by_the_seed_opposed(CLUBS, BLADES, _of_the_club),
        f"hopeless {SKILL - AT_MOST}": _by_the_seed_opposed(SKILL - AT_MOST, DODGE, _of_the_rifle, SOME_DEFENSES),
        f"certain {GUNNERY + SMARTLINK}": _by_the_seed_opposed(
            GUNNERY + SMARTLINK, DODGE, _of_the_rifle, SOME_DEFENSES
        ),
    }
    for armor, bonus in HITS:
        counts[f"{DICE}d{SIDES}+{PLUS}, DV +{bonus}, armor {armor}"] = _by_the_seed_damage(armor, bonus)
    counts[f"third printing: {TARGET} against {DODGE}"] = _by_the_seed_opposed(
        TARGET, DODGE, lambda margin, sharp: _of_the_rifle(TARGET - margin, sharp)
    )  # there the margin is the roll itself
    counts["one wound"] = _by_the_seed_wounds(1, 1)
    counts["two wounds"] = _by_the_seed_wounds(2, 2)
    counts["stunned"] = _by_the_seed_shock()
    counts["lines of the rifle's attack"] = _lines(counts)
    return counts


# ------------------------------------------------------------------------------------------------ the tests


@pytest.fixture(scope="module")
def recorded() -> Counts:
    return recorded_beside(__file__)


def test_every_face_is_decided_as_it_was_recorded(recorded: Counts) -> None:
    check_same(recorded, decided())


def test_what_was_recorded_is_what_the_seeds_say(recorded: Counts) -> None:
    check_same(recorded, by_the_seeds())


def test_every_line_is_counted_once(recorded: Counts) -> None:
    for what, total in (("rifle", 100 * 100), ("third", 100 * 100), ("club", 100 * 100), ("hopeless", 100 * len(SOME_DEFENSES)), ("certain", 100 * len(SOME_DEFENSES)), (f"{DICE}d", SIDES**DICE), ("one", 100), ("two", 10_000),
                        ("stunned", STUNNER_SIDES * 100)):  # fmt: skip
        for name, counts in recorded.items():
            if name.startswith(what):
                assert sum(counts.values()) == total, name


def test_a_hit_without_wounds_ends_the_exchange_and_a_hit_with_wounds_waits_for_its_tests() -> None:
    _, grazed = CENSUS.after(_hits()[ARMOR - PENETRATION, 0], TypeDice(DAMAGE, (1, 1, 1)))
    pierced, _ = CENSUS.after(_hits()[ARMOR - PENETRATION, 0], TypeDice(DAMAGE, (1, 7, 9)))

    assert [event.outcome for event in grazed if isinstance(event, said.ExchangeEnded)] == ["hit"]
    assert [rest.key for rest in pierced.rests] == [KNOCKDOWN, CONSCIOUSNESS]


def test_a_defenders_critical_success_leaves_as_many_consequences_as_the_printing_lists() -> None:
    choices = {}
    for profile in ("second printing", "first printing"):
        start = _attacked("rifle", "fray", profile)
        combat, _ = CENSUS.after(start, TypeDice(TO_HIT, (98,)), TypeDice(DEFEND, (22,)))
        choices[profile] = [option.option for rest in combat.rests for option in rest.options]

    assert choices["second printing"] == ["flair", "cover", "position", "other"]
    assert choices["first printing"] == ["broken", "jammed", "stuck", "malfunctioning", "dropped"]


if __name__ == "__main__":
    print(printed(decided()))
