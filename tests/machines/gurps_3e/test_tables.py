"""The tables of GURPS, third edition: rows name existing rows, and a second typing of the tables agrees with the first."""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import machines.gurps_3e as game
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join
from ledger.dice import parse as dice
from ledger.events import ExchangeEnded
from ledger.source import parse as source
from machines.contract.tables import Row
from machines.gurps_3e.attack import critical, firing, fumbling
from machines.gurps_3e.attack.ranges import opportunity, range_modifier
from machines.gurps_3e.defense.active_defense import WAYS
from machines.gurps_3e.defense.defense_outcome import FAILURES
from machines.gurps_3e.harm import damage, injury
from machines.gurps_3e.profile import PROFILES, Profile
from machines.gurps_3e.sheet import sheet_access
from machines.gurps_3e.sheet.sheet import Sheet, Situation
from machines.gurps_3e.success_rolls.success import outcome
from machines.gurps_3e.tables import tables as t
from machines.gurps_3e.tables.rows import part
from machines.gurps_3e.vocabulary import OUTCOMES
from replays.api.session import Session

HERE = Path(str(game.__file__)).parent
TYPED = Path(__file__).with_name("tables.txt").read_text()

Line = Mapping[str, Any]


def table(name: str) -> list[Line]:
    """Returns the rows of a table file as plain values."""
    rows: list[Line] = tomllib.loads((HERE / "tables" / f"{name}.toml").read_text())["row"]
    return rows


def rows(name: str) -> list[Any]:
    """Returns the rows of a table, in order."""
    return list(t.TABLES[name].values())


TABLES = sorted(path.stem for path in (HERE / "tables").glob("*.toml"))
RULINGS = {row["id"]: row for row in tomllib.loads((HERE / "rulings.toml").read_text())["ruling"]}
FIELDS = {field.name for field in msgspec.structs.fields(Profile)}
BY_DICE = {
    name: t.TABLES[name]
    for name in ("random_locations", "critical_hits", "critical_head_blows", *t.FUMBLES)
}  # fmt: skip
"""Tables that 3d are looked up in."""
CODE = "\n".join(path.read_text() for path in sorted(HERE.rglob("*.py")))

# ------------------------------------------------------------------------------------------------ every table


@pytest.mark.parametrize("name", TABLES)
def test_the_names_of_a_table_are_unique(name: str) -> None:
    expected: Counter[str] = Counter()

    counted = Counter(row["name"] for row in table(name))

    assert expected == counted - Counter(set(counted))


def test_every_table_file_is_read_and_has_all_its_rows() -> None:
    expected = {name: [row["name"] for row in table(name)] for name in TABLES}

    assert expected == {name: list(found) for name, found in t.TABLES.items()}


@pytest.mark.parametrize("name", TABLES)
def test_every_row_cites_its_page(name: str) -> None:
    expected = {book.code for book in t.BOOKS}

    cited = [source(row["source"]) for row in table(name)]

    assert {each.book for each in cited} <= expected
    assert all(each.heading for each in cited)


@pytest.mark.parametrize("name", sorted(BY_DICE))
def test_every_sum_of_three_dice_has_one_result(name: str) -> None:
    expected = list(range(3, 19))

    assert expected == sorted(rolled for row in BY_DICE[name].values() for rolled in row.rolls)


DOUBTFUL: Mapping[str, set[str]] = {
    "automatic_fire": {"made exactly", "made by 1 or 2", "made by 3 or more"},
    "damage_types": {
        "small bullet", "bullet", "large bullet", "very large bullet", "beam", "fireball", "lightning",
    },
    "hit_locations": {"jaw"},
    "attack_modifiers": {"weapon in close combat", "into close combat", "behind someone"},
    "maneuvers": {"all-out defense"},
    "recoil": {"automatic groups"},
    "standing_modifiers": {"ST below the minimum"},
    "shields": {"buckler", "small shield", "medium shield", "large shield"},
}  # fmt: skip
"""Rows that their sources call uncertain, or that only memory backs."""
OPEN = {"ammunition", "arms", "basic_damage", "attack_kinds", "parries", "shields"}
"""Tables that a page does not close: another weapon, shield or round is a row more, as sure as its own source."""


@pytest.mark.parametrize("name", TABLES)
def test_rows_from_memory_have_low_confidence(name: str) -> None:
    expected = DOUBTFUL.get(name, set())

    found = {row["name"] for row in table(name) if row.get("confidence", 100) < 70}

    assert expected <= found
    assert expected == found or name in OPEN


def test_only_a_groups_miss_by_1_has_full_confidence() -> None:
    """Box 18 of the flowchart prints it; the margins above it were found nowhere."""
    expected = ["missed by 1"]

    assert expected == [row.name for row in rows("automatic_fire") if row.confidence >= 70]


# ------------------------------------------------------------------------------------------------ rulings


def test_the_rulings_are_numbered_without_a_gap() -> None:
    """F answers the 26 defects of the flowchart, N where it is silent."""
    expected = [f"G3-F{nth}" for nth in range(1, 27)] + [f"G3-N{nth}" for nth in range(1, len(RULINGS) - 25)]

    assert expected == list(RULINGS)


@pytest.mark.parametrize("name", TABLES)
def test_a_ruling_that_a_row_names_exists(name: str) -> None:
    expected = set(RULINGS)

    assert {row["ruling"] for row in table(name) if "ruling" in row} <= expected


BESIDE = {"major_wound_by": "crippling_by"}
"""Fields of which the ruling names another: G3-F16 speaks of both."""


def test_a_ruling_names_a_profile_field_and_every_field_has_a_ruling() -> None:
    expected = FIELDS - {"name", "source", "confidence", "ruling"} - set(BESIDE)

    assert expected == {row["field"] for row in RULINGS.values() if "field" in row}
    assert set(BESIDE.values()) <= expected


def test_a_ruling_that_the_code_names_exists() -> None:
    expected = set(RULINGS)

    assert set(re.findall(r"G3-[A-Z]\d+", CODE)) <= expected


@pytest.mark.parametrize(
    "name", sorted({row.disputed for row in (*rows("hit_locations"), *rows("critical_hits"))} - {""})
)
def test_where_transcriptions_differ_the_row_follows_the_first(name: str) -> None:
    disputed = {
        "jaw_penalty": t.HIT_LOCATIONS["jaw"].to_hit,
        "critical_14": {2: "double", 1: "normal"}[t.CRITICAL_HITS["crippled"].otherwise],
    }
    expected = disputed[name]

    assert expected == getattr(PROFILES[0], name)


# ------------------------------------------------------------------------------------------------ what a row names

PARTS = {"all", "arms", "eyes", "face", "feet", "groin", "hands", "head", "legs", "neck", "torso"}
PLACES, TYPES = set(t.HIT_LOCATIONS), set(t.DAMAGE_TYPES)
BLOWS = TYPES | {"bullet", "thrust", "swung", "missile"}
"""The kinds of blow that a hit location may distinguish: see `attack_context.is_type`."""


def test_a_random_location_is_one_or_two_places() -> None:
    expected = PLACES

    assert {place for row in rows("random_locations") for place in row.sides or (row.name,)} <= expected
    assert all(len(row.sides) in (0, 2) for row in rows("random_locations"))


@pytest.mark.parametrize("row", rows("hit_locations"), ids=lambda row: row.name)
def test_a_place_names_existing_rows(row: Any) -> None:
    effects = set(injury.TRIALS) | set(injury.AT_ONCE)
    factors = [each.rpartition(" ") for each in row.factors]

    assert {row.miss_by_one, row.goes_on_to} <= PLACES | {""}
    assert {*row.aimed_by, *row.misses, *row.goes_on} <= BLOWS
    assert set(row.effects) <= effects
    assert {word for word, _, _ in factors} <= TYPES | {damage.ANY, damage.BULLET}
    assert all(part(factor) > 0 for _, _, factor in factors)
    assert {row.disputed} <= FIELDS | {""}
    assert row.covered in PARTS
    assert all(part(text) > 0 for text in (row.cap, row.cripples) if text)
    assert {row.holds} <= {"", "weapons", "shield"}


def test_every_effect_of_a_place_occurs_in_the_table() -> None:
    expected = set(injury.TRIALS) | set(injury.AT_ONCE)

    assert expected == {effect for row in rows("hit_locations") for effect in row.effects}


def test_a_limb_loses_and_is_crippled_at_the_same_part_of_ht() -> None:
    limbs = [row for row in rows("hit_locations") if row.limb]

    assert [(row.cap, "all") for row in limbs] == [(row.cripples, row.capped) for row in limbs]
    assert {row.name for row in rows("hit_locations") if row.capped == "all" or row.cripples} == {
        row.name for row in limbs
    }


def test_places_of_the_head_use_the_table_of_head_blows() -> None:
    """Ruling G3-N11."""
    expected = {"brain", "eye", "head", "nose", "jaw"}

    assert expected == {row.name for row in rows("hit_locations") if row.head}


def test_a_blow_that_armor_stops_exactly_counts_as_box_35_states() -> None:
    expected = {"brain", "head", "nose", "jaw", "vitals", "groin", "kidneys"}

    assert expected == {row.name for row in rows("hit_locations") if row.vital}


@pytest.mark.parametrize("name", ["critical_hits", "critical_head_blows"])
def test_a_critical_hit_names_existing_rows(name: str) -> None:
    for row in rows(name):
        assert {row.effect, row.otherwise_effect} <= {"", *critical.EFFECTS}, row.name
        assert {row.at} <= {"", critical.LIMB, *PLACES}, row.name
        assert {row.only} <= {"", *TYPES}, row.name
        assert {row.disputed} <= {"", *FIELDS}, row.name


def test_every_effect_of_a_critical_hit_occurs_in_the_table() -> None:
    expected = set(critical.EFFECTS)
    found = {
        word
        for name in ("critical_hits", "critical_head_blows")
        for row in rows(name)
        for word in (row.effect, row.otherwise_effect)
    }

    assert expected == found - {""}


def test_every_effect_of_a_critical_miss_occurs_in_the_table_and_has_a_function() -> None:
    expected = set(fumbling.EFFECTS)

    assert expected == {row.effect for name in t.FUMBLES for row in rows(name)}
    assert {*fumbling.DETAILS, *fumbling.BREAKS, *fumbling.OWN_LIMB, *fumbling.FLYING, fumbling.DROPS} <= expected


def test_the_tables_of_critical_misses_are_those_that_kinds_of_attack_name() -> None:
    expected = set(t.FUMBLES)

    assert expected == {row.fumbles for row in rows("attack_kinds")}
    assert all(t.FUMBLES[name] is t.TABLES[name] for name in expected)


def test_kinds_of_attack_name_defenses_that_can_be_rolled() -> None:
    expected = set(t.DEFENSES)

    assert {each for row in rows("attack_kinds") for each in row.defenses} == expected
    assert expected == set(WAYS) == set(FAILURES)


def test_only_blows_are_parried_and_bullets_only_dodged() -> None:
    parried = {row.name for row in rows("attack_kinds") if "parry" in row.defenses}

    assert {"melee", "unarmed"} <= parried
    assert parried == {row.name for row in rows("attack_kinds") if not row.ranged}
    assert parried == {row.name for row in rows("attack_kinds") if row.retreat}
    assert t.ATTACK_KINDS["firearm"].firearm
    assert {("dodge",)} == {row.defenses for row in rows("attack_kinds") if row.firearm}


def test_a_modifier_names_a_place_and_a_field_of_the_sheet() -> None:
    expected = PLACES | {""}, set(Sheet.__struct_fields__) | {""}

    assert {row.location for row in rows("attack_modifiers")} <= expected[0]
    assert {row.spared for row in rows("attack_modifiers")} <= expected[1]


def test_a_posture_leads_to_postures_and_back() -> None:
    expected = set(t.POSTURES)

    assert all(set(row.to) < expected for row in rows("postures"))
    assert all(row.name not in row.to for row in rows("postures"))
    assert {each for row in rows("postures") for each in row.to} == expected
    assert next(iter(t.POSTURES)) == "standing"


def test_initial_postures_are_rows() -> None:
    fields = {field.name: field.type for field in msgspec.structs.fields(Situation)}
    _, words = fields["postures"].__args__
    expected = set(t.POSTURES) - {"standing"}

    assert expected == set(words.__args__)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (r'standing\([\w.]+, "([^"]+)"\)', "standing_modifiers"),
        (r'STANDING_MODIFIERS\["([^"]+)"\]', "standing_modifiers"),
        (r'DEFENSE_MODIFIERS\["([^"]+)"\]', "defense_modifiers"),
        (r'_row\([^"]*?, "([^"]+)"\)', "defense_modifiers"),
        (r'where="([a-z ]+)", kind=CRUSHING', "hit_locations"),
        (r'_itself\(where="([a-z ]+)"', "hit_locations"),
        (r'"(near \w+|far \w+)"', "hit_locations"),
    ],
)
def test_a_row_that_the_code_names_exists(pattern: str, name: str) -> None:
    expected = set(t.TABLES[name])

    named = set(re.findall(pattern, CODE))

    assert named
    assert named <= expected


def test_every_automatic_row_is_named_by_the_code() -> None:
    expected = set(t.STANDING_MODIFIERS)

    assert expected == {name for name in expected if f'"{name}"' in CODE}


def test_the_distances_increase_from_line_to_line() -> None:
    for name in ("speed_and_range", "sizes"):
        yards = [part(row.yards) for row in rows(name)]

        assert all(near < far for near, far in pairwise(yards)), name
        assert {1, -1} >= {far.value - near.value for near, far in pairwise(rows(name))}, name


# ------------------------------------------------------------------------------------------------ ready sheets


@pytest.mark.parametrize("name", sorted(t.SHEETS))
def test_a_ready_sheet_is_valid_and_names_existing_rows(name: str) -> None:
    owner = msgspec.convert(t.SHEETS[name], Sheet)

    for weapon in owner.weapons.values():
        assert weapon.kind in t.ATTACK_KINDS
        assert weapon.type in TYPES
        assert weapon.ammunition in t.AMMUNITION
        assert weapon.skill in owner.skills
        assert len(dice(weapon.damage.replace("d", "d6", 1)).sides) > 0
    assert owner.shield is None or owner.shield.kind in t.SHIELDS
    assert owner.shield is None or owner.shield.skill in owner.skills
    assert set(owner.armor) <= PARTS
    assert {word for each in owner.armor.values() for word in each.against} <= TYPES


def drawn(seed: int) -> Callable[[str, str], tuple[int, ...]]:
    throw = random.Random(seed)
    return lambda _, text: tuple(throw.randint(1, side) for side in dice(text).sides)


MEETINGS = list(pairwise([*t.SHEETS, next(iter(t.SHEETS))]))
"""Each ready sheet meets the one after it."""


@pytest.mark.parametrize(("one", "other"), MEETINGS)
def test_a_ready_sheet_can_be_played_to_its_first_attack(one: str, other: str) -> None:
    session = Session.create("memory://", ruleset="gurps_3e", draw=drawn(3))
    session.perform(Join("one", dict(t.SHEETS[one])))
    session.perform(Join("other", dict(t.SHEETS[other])))
    session.perform(BeginCombat())

    for _ in range(60):
        ended = [each for entry in session.entries() for each in entry.events if isinstance(each, ExchangeEnded)]
        if ended:
            break
        options = [each for each in session.options() if not each.refused]
        mine = [each for each in options if isinstance(each.command, Declare) and each.command.kind == "attack"]
        attack = next((each for each in mine if each.by == "one"), None)
        rest = session.rests[0]
        if attack is not None:
            assert attack.command is not None
            session.perform(attack.command)
        elif rest.dice:
            session.perform(DrawDice(rest.key))
        else:
            session.perform(Choose(rest.key, rest.default or rest.options[0].option))

    assert [True] == [each.key.startswith("r1/one/a1/attack") for each in ended]


# ------------------------------------------------------------------------------------------------ typed twice

UNKNOWN = "?"
"""A cell that neither source of the second typing has: it is not compared."""


def second(heading: str) -> list[list[str]]:
    """Returns the lines of a table of the second typing as cells."""
    block = TYPED.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.split(" | ") for line in block.splitlines() if line and not line.startswith("#")]


def columns(heading: str) -> list[str]:
    """Returns the columns of a table of the second typing."""
    block = TYPED.partition(f"\n## {heading}\n")[2]
    return block.partition("# columns: ")[2].partition("\n")[0].split(" | ")


HEADINGS = re.findall(r"^## (.+)$", TYPED, flags=re.MULTILINE)


def each_line(heading: str) -> pytest.MarkDecorator:
    """Parametrizes a test with every line of a table of the second typing."""
    lines = second(heading)
    return pytest.mark.parametrize("cells", lines, ids=[cells[0] for cells in lines])


def summed(text: str) -> range:
    """Returns the numbers of a printed range of 3d such as ``9-11``."""
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def times(text: str) -> Fraction:
    """Returns a printed factor such as ``x1.5``."""
    return Fraction(text.removeprefix("x"))


def said(row: Any, expected: Line) -> Line:
    """Returns the columns of a row that are expected."""
    return {key: getattr(row, key) for key in expected}


@pytest.mark.parametrize("heading", HEADINGS)
def test_every_line_of_the_second_typing_has_all_its_columns(heading: str) -> None:
    expected = {len(columns(heading))}

    assert expected == {len(cells) for cells in second(heading)}


# ---- 3d

SIDES: Mapping[str, tuple[str, ...]] = {
    "far (shield) arm": ("far arm",),
    "near (weapon) arm": ("near arm",),
    "hand": ("near hand", "far hand"),
    "foot": ("near foot", "far foot"),
}


@each_line("random locations")
def test_a_random_location_agrees_with_the_second_typing(cells: list[str]) -> None:
    rolls, name = cells
    expected = tuple(summed(rolls)), SIDES.get(name, (name,))

    row = next(row for row in rows("random_locations") if summed(rolls)[0] in row.rolls)

    assert expected == (row.rolls, row.sides or (row.name,))


def test_the_random_locations_stand_in_printed_order() -> None:
    expected = [tuple(summed(rolls)) for rolls, _ in second("random locations")]

    assert expected == [row.rolls for row in rows("random_locations")]


PLAIN: Line = {
    "at": "", "factor": 1, "otherwise": 1, "effect": "", "otherwise_effect": "", "only": "", "fixed": 0, "disputed": "",
}  # fmt: skip


def _hit(**columns: Any) -> Line:
    return {**PLAIN, **columns}


HITS: Mapping[str, Line] = {
    "torso: normal damage and knocked out, HT every 30 minutes to wake; elsewhere triple damage": _hit(
        at="torso", effect="knocked_out", otherwise=3
    ),
    "armor ignored, normal damage": _hit(effect="armor_ignored"),
    "triple damage": _hit(factor=3),
    "double damage": _hit(factor=2),
    "normal damage, stunned until an HT roll": _hit(effect="stunned"),
    "limb: normal damage and useless for 6 turns; elsewhere normal damage": _hit(at="limb", effect="useless"),
    "normal damage": _hit(),
    "limb: crippled whatever the damage; elsewhere double damage": _hit(
        at="limb", effect="crippled", otherwise=2, disputed="critical_14"
    ),
    "normal damage, the target drops his weapon": _hit(effect="disarmed"),
    # at the head
    "killed": _hit(effect="killed"),
    "knocked out": _hit(effect="knocked_out"),
    "both eyes blinded, stunned, -10 DX for the rest of the fight": _hit(effect="blinded_both"),
    "one eye blinded, stunned, -2 DX": _hit(effect="blinded_one"),
    "off balance, may only defend next turn; normal damage": _hit(effect="only_defends"),
    "crushing: normal damage, deaf 24 hours; cutting or impaling: 1 hit and a scar": _hit(
        effect="deaf_for_a_day", otherwise_effect="scarred", only="crushing", fixed=1
    ),
    "crushing: normal damage, perhaps deaf for good; else 2 hits and a bad scar": _hit(
        effect="deaf_for_good", otherwise_effect="badly_scarred", only="crushing", fixed=2
    ),
    "normal damage, drops a weapon": _hit(effect="disarmed"),
    "normal damage, stunned": _hit(effect="stunned"),
}
"""By the cell: what our row has."""
RESULTS = [
    (name, cells)
    for name, heading in (("critical_hits", "critical hits"), ("critical_head_blows", "critical head blows"))
    for cells in second(heading)
]


@pytest.mark.parametrize(("name", "cells"), RESULTS, ids=[f"{name}-{cells[0]}" for name, cells in RESULTS])
def test_a_critical_hit_agrees_with_the_second_typing(name: str, cells: list[str]) -> None:
    rolls, text = cells
    expected = HITS[text]

    for rolled in summed(rolls):
        row = next(row for row in rows(name) if rolled in row.rolls)

        assert expected == said(row, expected)


def test_a_struck_funny_bone_is_useless_for_the_printed_turns() -> None:
    cell = dict(map(tuple, second("critical hits")))["8"]
    expected = int(re.findall(r"for (\d+) turns", cell)[0])

    assert expected == critical.USELESS_FOR


MISSES: Mapping[str, str] = {
    "weapon breaks": "breaks",
    "hits own arm or leg (even chances)": "own_limb",
    "hits own arm or leg (even chances), half damage": "own_limb_half",
    "balance lost: nothing until next turn, defenses -2": "off_balance",
    "weapon turns, 1 turn to ready it": "turns",
    "weapon dropped, a cheap one breaks": "drops",
    "weapon flies 1d yards ahead or behind (even chances); whoever stands there: DX or half damage; impaling and ranged only drop": "flies",
    "shoulder strained, arm useless 30 minutes": "shoulder",
    "falls down (ranged: as 7)": "falls",
    "falls down": "falls",
    "1d-3 to the limb": "hurts_limb",
    "weapon breaks, 1d6 hours of Armoury; a grenade fizzles": "breaks",
    "own leg, normal damage": "own_leg",
    "own foot": "own_foot",
    "recoil: off balance, nothing until next turn, defenses -2; not for recoilless or grenade": "recoil",
    "dud": "dud",
    "jam: Guns-4 or Armoury to clear, cheap -3": "jams",
    "dropped, a cheap one breaks": "drops",
    "recoil knocks him down, DX to keep the gun; ST 5 above the minimum, or 12 if none is listed: as 7; recoilless: nothing": "knocked_down",
    "explodes: weapon damage as crushing; blind 5 minutes if aiming": "explodes",
}
"""By the cell: our word."""
BLUNDERS = [
    (name, cells)
    for name in t.FUMBLES
    for cells in second(name.replace("_", " "))
]  # fmt: skip


@pytest.mark.parametrize(("name", "cells"), BLUNDERS, ids=[f"{name}-{cells[0]}" for name, cells in BLUNDERS])
def test_a_critical_miss_agrees_with_the_second_typing(name: str, cells: list[str]) -> None:
    rolls, text = cells
    expected = {MISSES[text]}

    assert expected == {row.effect for row in rows(name) if set(summed(rolls)) & set(row.rolls)}


def test_recoil_requires_the_printed_strength() -> None:
    cell = dict(map(tuple, second("firearm critical misses")))["15"]
    expected = tuple(map(int, re.findall(r"ST (\d+) above the minimum, or (\d+)", cell)[0]))

    assert expected == (fumbling.STRONGER, fumbling.STRONG)


def test_being_off_balance_reduces_defenses_by_the_printed_amount() -> None:
    cell = dict(map(tuple, second("critical misses")))["7"]
    expected = int(re.findall(r"defenses (-\d)", cell)[0])

    assert expected == t.DEFENSE_MODIFIERS["off balance"].value


# ---- places

AIMED: Mapping[str, Line] = {
    "any": {"aimed_by": (), "from_behind": False},
    "impaling or missile for the brain; thrust or missile through a slit": {
        "aimed_by": ("impaling", "thrust", "missile"), "goes_on": ("impaling", "missile"), "goes_on_to": "brain",
    },
    "cutting": {"aimed_by": ("cutting",), "from_behind": False},
    "missile or thrust": {"aimed_by": ("missile", "thrust"), "from_behind": False},
    "missile or thrust, from behind": {"aimed_by": ("missile", "thrust"), "from_behind": True},
}  # fmt: skip
BARE: Line = {"natural_dr": 0, "factors": (), "effects": (), "cripples": ""}
SUFFERS: Mapping[str, Line] = {
    "natural DR 2; every type x4; above HT/3 stunned, above HT/2 knocked out; crushing, even at 0 damage, HT or knocked out": {
        **BARE, "natural_dr": 2, "factors": ("all 4",), "effects": ("brain",), "vital": True,
    },
    "more than 2 hits blind it; impaling or missile goes on to the brain without skull and helm DR": {
        **BARE, "effects": ("eye",), "goes_on_to": "brain", "goes_on": ("impaling", "missile"), "covered": "eyes",
    },
    "no factor; critical hits use the head table; exactly 0 damage: HT or knocked out": {
        **BARE, "effects": ("head",), "head": True, "vital": True,
    },
    "HT-1 or stunned; the plain HT roll failed as well: knocked out": {**BARE, "effects": ("nose",), "vital": True},
    "HT less the damage (at least 2) or stunned; plain HT failed: knocked out": {**BARE, "effects": ("jaw",), "vital": True},
    "crushing x1.5, cutting x2, impaling x2; above HT/3 stunned; cutting of HT or more: HT or beheaded": {
        **BARE, "factors": ("crushing 3/2", "cutting 2", "impaling 2"), "effects": ("neck",),
    },
    "none": BARE,
    "above HT/2 crippled": {**BARE, "cripples": "1/2", "limb": True},
    "above HT/3 crippled": {**BARE, "cripples": "1/3", "limb": True},
    "impaling and bullets x3; crushing: HT or knocked out": {
        **BARE, "factors": ("impaling 3", "bullet 3"), "effects": ("vitals",), "vital": True,
    },
    UNKNOWN: {},
}  # fmt: skip
CAPS: Mapping[str, Line] = {
    "none": {"cap": ""},
    "HT": {"cap": "1", "capped": "through"},
    "3 x HT": {"cap": "3", "capped": "through"},
    "HT/2": {"cap": "1/2", "capped": "all"},
    "HT/3": {"cap": "1/3", "capped": "all"},
    UNKNOWN: {},
}
BESIDE_IT: Mapping[str, Line] = {
    "none": {"miss_by_one": "", "misses": ()},
    "head": {"miss_by_one": "head", "misses": ()},
    "torso": {"miss_by_one": "torso", "misses": ()},
    "torso (swung)": {"miss_by_one": "torso", "misses": ("swung",)},
    "torso (bullet, impaling)": {"miss_by_one": "torso", "misses": ("bullet", "impaling")},
    UNKNOWN: {},
}
"""By the cells of a place: what our row has."""
OF_TWO: Mapping[str, tuple[str, ...]] = {
    "arm": ("near arm", "far arm"),
    "shield arm": ("far arm",),
    "leg": ("near leg", "far leg"),
    "hand": ("near hand", "far hand"),
    "shield hand": ("far hand",),
    "foot": ("near foot", "far foot"),
    "radial or femoral artery": ("limb artery",),
    "jugular or carotid": ("neck artery",),
}
"""Lines that are otherwise with us: our rows."""
SLIT = "-9, -10 through a helm slit"


@each_line("hit locations")
def test_a_place_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, penalty, aimed, suffers, cap, beside = cells
    column = "with_shield" if name.startswith("shield") else "to_hit"
    expected = {
        **AIMED[aimed], **SUFFERS[suffers], **CAPS[cap], **BESIDE_IT[beside], column: int(penalty.removesuffix(SLIT[2:])),
    }  # fmt: skip

    for ours in OF_TWO.get(name, (name,)):
        row = t.HIT_LOCATIONS[ours]

        assert expected == said(row, expected), ours


def test_the_modifier_of_a_helm_slit_agrees_with_the_second_typing() -> None:
    cell = {cells[0]: cells[1] for cells in second("hit locations")}["eye"]
    expected = -10

    assert SLIT == cell
    assert expected == t.HIT_LOCATIONS["eye"].to_hit + t.ATTACK_MODIFIERS["through a helm slit"].value


def test_no_place_is_missing_from_the_second_typing() -> None:
    expected = PLACES

    assert expected == {ours for cells in second("hit locations") for ours in OF_TWO.get(cells[0], (cells[0],))}
    assert {"far arm", "far hand"} == {row.name for row in rows("hit_locations") if row.with_shield is not None}


def test_beams_have_double_limits_and_weapons_with_many_dice_have_none() -> None:
    """The lines above the second typing of the places."""
    doubled, most = "Beam, fireball and lightning: twice", "Above 15 dice no cap"
    expected = {"beam", "fireball", "lightning"}, 15

    assert doubled in TYPED
    assert most in TYPED
    assert expected == ({row.name for row in rows("damage_types") if row.cap_times == 2}, damage.MANY_DICE)


# ---- damage

BULLETS = {"small": "small bullet", "normal": "bullet", "large": "large bullet", "very large": "very large bullet"}


@pytest.mark.parametrize("cells", [*second("damage types"), *second("bullet sizes")], ids=lambda cells: cells[0])
def test_a_type_of_damage_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, factor = cells
    row = t.DAMAGE_TYPES[BULLETS.get(name, name)]
    expected = times(factor), name in BULLETS

    assert expected == (part(row.factor), row.bullet)


def test_bullets_cuts_and_thrusts_do_at_least_one_hit() -> None:
    """Box 28 of the flowchart."""
    expected = {"cutting", "impaling", *BULLETS.values()}

    assert expected == {row.name for row in rows("damage_types") if row.minimum == 1}
    assert {0, 1} == {row.minimum for row in rows("damage_types")}


def test_only_crushing_and_cutting_damage_knocks_back() -> None:
    """Box 30 of the flowchart; ruling G3-F13."""
    expected = {"crushing", "cutting"}

    assert expected == {row.name for row in rows("damage_types") if row.knockback}


def test_damage_that_blows_through_is_neither_crushing_nor_cutting() -> None:
    expected = TYPES - {"crushing", "cutting"}

    assert expected == {row.name for row in rows("damage_types") if row.blows_through}


ROUNDS: Mapping[str, Line] = {
    "doubled, 0 becomes 1": {"dr": "2", "least_dr": 1},
    "halved, rounded up": {"dr": "1/2", "least_dr": 0},
    "x1.5": {"factor": "3/2"},
    "x0.5, rounded down, at least 1": {"factor": "1/2"},
}


@each_line("ammunition")
def test_rounds_agree_with_the_second_typing(cells: list[str]) -> None:
    name, dr, factor = cells
    expected = {**ROUNDS[dr], **ROUNDS[factor]}

    assert expected == said(t.AMMUNITION[name], expected)


# ---- distances


@pytest.mark.parametrize(("heading", "name"), [("speed and range", "speed_and_range"), ("size", "sizes")])
def test_distances_agree_with_the_second_typing(heading: str, name: str) -> None:
    expected = [(Fraction(yards), int(value)) for yards, value in second(heading)]

    assert expected == [(part(row.yards), row.value) for row in rows(name)]


def test_between_two_lines_the_larger_one_applies() -> None:
    lines = [(Fraction(yards), int(value)) for yards, value in second("speed and range")]
    expected = [next(value for most, value in lines if yards <= most) for yards in range(1501)]

    assert expected == [range_modifier(yards) for yards in range(1501)]
    assert -9 == range_modifier(50)


WATCHED = {"1": ["1"], "2": ["2"], "3-4": ["3", "4"], "5-6": ["5", "6"], "7-10": ["7", "8", "9", "10"], "more": ["11", "500"], "a line": ["line"]}  # fmt: skip


@each_line("opportunity fire")
def test_opportunity_fire_agrees_with_the_second_typing(cells: list[str]) -> None:
    """Whether the line of a single hex counts is a field of the profile."""
    name, value = cells
    expected = [int(value)] * len(WATCHED[name])

    found = [opportunity(watching) for watching in WATCHED[name]]

    assert int(value) == t.OPPORTUNITY_FIRE[name].value
    assert expected == [row.value if row else None for row in found]


# ---- modifiers

DECLARED = "a number of the declaration"
OUR_LINES: Mapping[str, tuple[str, str]] = {
    "total darkness": ("attack_modifiers", "total darkness"),
    "blind suddenly": ("attack_modifiers", "blind suddenly"),
    "blind and used to it": ("attack_modifiers", "blind and used to it"),
    "walking": ("attack_modifiers", "walking"),
    "running": ("attack_modifiers", "running"),
    "off hand": ("attack_modifiers", "off hand"),
    "unfamiliar weapon": ("attack_modifiers", "unfamiliar weapon"),
    "wild swing": ("standing_modifiers", "wild swing"),
    "man dodging at half Move": ("attack_modifiers", "dodging at half Move"),
    "man evading": ("attack_modifiers", "evading"),
    "pop-up": ("standing_modifiers", "pop-up attack"),
    "snap shot": ("standing_modifiers", "snap shot"),
    "all-out attack, one at +4": ("standing_modifiers", "all-out attack"),
    "retreat (active defense)": ("defense_modifiers", "retreat"),
    "stunned (active defense)": ("defense_modifiers", "stunned"),
}
"""Lines of the second typing, and our row of the same figure."""
IN_WORDS: Mapping[str, str] = {
    "bad footing": f"{DECLARED}, or of the place: `footing`",
    "darkness": f"{DECLARED}, or of the place: `darkness`",
    "still or 1 hex": "what costs nothing has no row",
    "erratic target": "two rows, and what no table has: `other`",
    "uphill shot": "a yard more for each: `ranges.effective_range`",
    "recoil, single shots": "how Rcl counts: table recoil",
    "unintended target": "a limit: standing_modifiers",
    "shock": "the condition: `sheet_access.shock`",
    "side or above (active defense)": "two rows: from the side, from above",
}
"""Lines that are no row with one figure."""


@each_line("attack modifiers")
def test_a_modifier_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, cell = cells
    if name in IN_WORDS:
        assert name not in OUR_LINES
        return
    ours, row = OUR_LINES[name]
    expected = int(re.findall(r"^[+-]?\d+", cell)[0])

    assert expected == t.TABLES[ours][row].value


def test_figures_beside_printed_modifiers_agree() -> None:
    cells = dict(map(tuple, second("attack modifiers")))
    most = t.STANDING_MODIFIERS["unintended target"].value
    moving = next(line for line in TYPED.splitlines() if "x3 for a crossbow, x6 for a bow" in line)

    assert [most, most] == [
        int(re.findall(r"at most (\d+)", cells[name])[0]) for name in ("wild swing", "unintended target")
    ]
    assert "0 if ambidextrous" in cells["off hand"]
    assert "ambidextrous" == t.ATTACK_MODIFIERS["off hand"].spared
    assert moving
    assert (3, 6) == (t.ATTACK_KINDS["crossbow"].moving, t.ATTACK_KINDS["bow"].moving)
    assert all(row.moving >= 1 and row.ranged for row in rows("attack_kinds") if row.moving != 1)
    assert {"walking", "running"} == {row.name for row in rows("attack_modifiers") if row.moving}
    assert {-2} == {t.DEFENSE_MODIFIERS[name].value for name in ("from the side", "from above")}
    assert "-2" == cells["side or above (active defense)"]
    assert f"snap shot {t.STANDING_MODIFIERS['snap shot'].value}" in cells["pop-up"]
    assert all(-4 <= t.ATTACK_MODIFIERS[name].value <= 0 for name in ("dodging at half Move", "evading"))


COVER = {"only head": "only the head"}


@each_line("cover")
def test_cover_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, cell = cells
    expected = int(cell), "6", True

    row = t.ATTACK_MODIFIERS[COVER.get(name, name)]

    assert expected == (row.value, row.box, row.ranged)


POSTURES = {"crouch": "crouching", "kneel": "kneeling", "sit": "sitting", "crawl": "crawling", "lie": "prone"}


@each_line("postures")
def test_a_posture_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, *figures = cells
    expected = list(map(int, figures))

    row = t.POSTURES[POSTURES[name]]

    assert expected == [row.attack, row.defense, row.as_target]


def test_standing_has_no_modifier() -> None:
    row = t.POSTURES["standing"]

    assert (0, 0, 0) == (row.attack, row.defense, row.as_target)
    assert {"standing", *POSTURES.values()} == set(t.POSTURES)


OURS_ONLY = {
    "weapon in close combat": "B 111, of which neither source has the figure",
    "into close combat": "B 114, likewise",
    "through a helm slit": "the line of the eye",
}
"""Modifiers that no line of the second typing is about."""


def test_every_modifier_is_in_the_second_typing_or_has_a_reason() -> None:
    typed = {row for name, row in OUR_LINES.values() if name == "attack_modifiers"}
    cover = {COVER.get(cells[0], cells[0]) for cells in second("cover")}
    expected = typed | cover | set(OURS_ONLY)

    assert expected == set(t.ATTACK_MODIFIERS)
    assert not (typed | cover) & set(OURS_ONLY)


@each_line("aim")
def test_aiming_agrees_with_the_second_typing(cells: list[str]) -> None:
    turns, cell = cells
    longer = t.STANDING_MODIFIERS["most by aiming longer"].value
    more = {
        "braced": t.STANDING_MODIFIERS["braced"].value,
        **{str(nth): min(longer, nth - 1) for nth in range(1, 4)},
        "4 or more": min(longer, 99),
    }
    expected = int(cell.removeprefix("Acc") or 0)

    assert expected == more[turns]


# ---- automatic fire


def rounds(fired: int, margin: int) -> int:
    """Returns the rounds of a group that hit; a miss by 1 counts for three or more (box 18)."""
    if margin < 0:
        return min(fired, t.AUTOMATIC_FIRE["missed by 1"].hits) if fired >= firing.ENOUGH else 0
    return min(fired, max(row.hits for row in rows("automatic_fire") if margin >= row.margin))


MARGINS = {"-1": [-1], "0": [0], "1-2": [1, 2], "0 or more": [0, 1, 2, 3, 9], "3 or more": [3, 4, 9]}


@each_line("automatic fire")
def test_automatic_fire_agrees_with_the_second_typing(cells: list[str]) -> None:
    fired, margin, hits = cells
    if hits == UNKNOWN:
        return
    expected = [int(hits)] * len(MARGINS[margin])

    assert expected == [rounds(int(fired), each) for each in MARGINS[margin]]


def test_recoil_counts_once_for_shots_and_adds_up_for_groups() -> None:
    assert {"single shots": False, "automatic groups": True} == {row.name: row.adds_up for row in rows("recoil")}


# ---- maneuvers and defenses

MOVES: Mapping[str, Line] = {
    "a step": {"moves": "step", "most": None},
    "half Move": {"moves": "half", "most": None},
    "half Move, at most 2": {"moves": "half", "most": 2},
    "full Move": {"moves": "whole", "most": None},
    "none": {"moves": "none", "most": None},
    UNKNOWN: {},
}


@each_line("maneuvers")
def test_a_maneuver_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, _, movement, _ = cells
    expected = MOVES[movement]

    assert expected == said(t.MANEUVERS[name.partition(",")[0]], expected)


def test_modifiers_of_maneuvers_agree_with_the_second_typing() -> None:
    what = {cells[0]: (cells[1], cells[3]) for cells in second("maneuvers")}

    assert f"+{t.STANDING_MODIFIERS['all-out attack'].value}" in what["all-out attack, to hit"][0]
    assert f"+{t.STANDING_MODIFIERS['strong all-out attack'].value}" in what["all-out attack, damage"][0]
    assert f"+{t.STANDING_MODIFIERS['most by aiming longer'].value}" in what["aim"][0]
    assert "two blocks, two parries" in what["all-out defense"][1]
    assert {"parry", "block"} == {row.name for row in rows("defenses") if row.all_out == 2}
    assert {name.partition(",")[0] for name in what} == set(t.MANEUVERS)


LIMITS = {"no limit": (0, 0), "1, All-Out Defense 2": (1, 2)}


@each_line("defenses")
def test_a_defense_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, how, limit = cells
    if name == "PD alone":
        assert limit == "no limit"
        assert name not in t.DEFENSES
        return
    row = t.DEFENSES[name.partition(",")[0]]
    expected = LIMITS[limit]

    assert expected == (row.limit, row.all_out)
    assert ("2/3" in how) == (name != row.name)


def test_the_skills_that_parry_with_two_thirds_are_those_of_the_second_typing() -> None:
    line = next(line for line in TYPED.splitlines() if "is 2/3 of the skill" in line)
    expected = {"fencing", "staff", "karate", "judo"}

    assert all(word in line for word in expected)
    assert {(name, Fraction(2, 3)) for name in expected} <= {(row.name, part(row.part)) for row in rows("parries")}


def test_a_skill_that_does_not_parry_with_half_parries_with_more() -> None:
    assert all(Fraction(1, 2) < part(row.part) <= 1 for row in rows("parries"))


@each_line("shields")
def test_a_shield_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, worn, broken = cells
    row = t.SHIELDS[name if name in t.SHIELDS else f"{name} shield"]
    expected: Line = {"pd": int(worn), "dr": 3}
    if broken != UNKNOWN:
        expected = {**expected, **dict(zip(("penetrated", "destroyed"), map(int, broken.split("/")), strict=True))}

    assert expected == said(row, expected)


# ---- rolls and injury


def second_outcome(rolled: int, skill: int) -> str:
    """Returns the outcome of a roll by the second typing alone."""
    word = {cells[0]: cells[1] for cells in second("success rolls")}
    assert word["17"] == "critical failure at skill 15 or less, ordinary failure at 16 or more"
    least = {int(key): int(re.findall(r"skill (\d+)", word[key])[0]) for key in ("5", "6")}
    if rolled in summed("3-4") or (rolled in least and skill >= least[rolled]):
        return word["3-4"]
    if rolled == 18 or (rolled == 17 and skill <= 15) or rolled >= skill + 10:
        return word["18"]
    return "success" if rolled <= min(skill, 16) else "failure"


@pytest.mark.parametrize("skill", range(-5, 30))
def test_every_outcome_agrees_with_the_second_typing(skill: int) -> None:
    expected = [second_outcome(rolled, skill) for rolled in range(3, 19)]

    assert expected == [outcome(rolled, skill) for rolled in range(3, 19)]


def test_the_words_for_outcomes_are_those_of_the_table() -> None:
    expected = {row.outcome for row in rows("success_rolls")}

    assert expected == {OUTCOMES[0], OUTCOMES[-1]}


INJURIES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "3, 2, 1": ("3 or fewer", "3", ("half Move and Dodge",)),
    "0": ("0 or fewer", "0", ("HT", "Will", "unconscious", "each turn")),
    "-HT and each further -5": ("-HT and each 5 below", "-HT", ("HT", "dead", "once at each")),
    "-5 x HT": ("-5 x HT", "-5 x HT", ("dead",)),
    "above HT/2 in one blow": ("more than HT/2 in one blow", "any", ("stunned", "HT or knocked down")),
}
"""Our row, its hit points, and words that both typings have."""
NO_ROW = {"any wound": "shock: `sheet_access.shock`", "knockback": "`damage.KNOCKBACK`", "blunt trauma": "box 35"}


@each_line("injury")
def test_injury_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, cell = cells
    if name in NO_ROW:
        assert name not in INJURIES
        return
    ours, points, words = INJURIES[name]
    row = t.INJURY[ours]

    assert points == row.hit_points
    assert all(word in row.effect for word in words)
    assert all(word in cell for word in words if word != "once at each")


def test_printed_figures_of_injury_agree() -> None:
    cells = dict(map(tuple, second("injury")))

    assert f"1 hex per full {damage.KNOCKBACK} points" in cells["knockback"]
    assert sheet_access.LOW == max(int(each) for each in next(iter(cells)).split(", "))
    assert "defenses -4" in cells["above HT/2 in one blow"]
    assert -4 == t.DEFENSE_MODIFIERS["stunned"].value
    assert set(INJURIES) | set(NO_ROW) == set(cells)
    assert {ours for ours, _, _ in INJURIES.values()} == set(t.INJURY)


@each_line("shock by size")
def test_shock_by_size_agrees_with_the_second_typing(cells: list[str]) -> None:
    name, points = cells
    least, most = (int(each) for each in SIZES_IN_WORDS.get(name, name).split("-"))

    for hit_points in (least, most):
        row = next(row for row in t.SHOCK_BY_SIZE.values() if hit_points <= row.hit_points)
        assert int(points) == row.points


SIZES_IN_WORDS = {"30 or less": "1-30", "201+": "201-10000"}
"""Ranges of hit points that the table prints in words."""


# ------------------------------------------------------------------------------------------------ all of it


class Compared(NamedTuple):
    """Lists where each table of the second typing is compared."""

    ours: tuple[str, ...]


COMPARED: Mapping[str, Compared] = {
    "random locations": Compared(("random_locations",)),
    "hit locations": Compared(("hit_locations",)),
    "damage types": Compared(("damage_types",)),
    "bullet sizes": Compared(("damage_types",)),
    "ammunition": Compared(("ammunition",)),
    "critical hits": Compared(("critical_hits",)),
    "critical head blows": Compared(("critical_head_blows",)),
    "critical misses": Compared(("critical_misses",)),
    "unarmed critical misses": Compared(("unarmed_critical_misses",)),
    "firearm critical misses": Compared(("firearm_critical_misses",)),
    "speed and range": Compared(("speed_and_range",)),
    "size": Compared(("sizes",)),
    "attack modifiers": Compared(("attack_modifiers", "standing_modifiers", "defense_modifiers", "recoil")),
    "postures": Compared(("postures",)),
    "cover": Compared(("attack_modifiers",)),
    "opportunity fire": Compared(("opportunity_fire",)),
    "aim": Compared(("standing_modifiers",)),
    "automatic fire": Compared(("automatic_fire",)),
    "maneuvers": Compared(("maneuvers", "standing_modifiers")),
    "defenses": Compared(("defenses", "parries")),
    "shields": Compared(("shields",)),
    "success rolls": Compared(("success_rolls",)),
    "injury": Compared(("injury",)),
    "shock by size": Compared(("shock_by_size",)),
}
OURS_ALONE = {
    "attack_kinds": "how kinds of weapons attack: no table of the book, but what its boxes ask",
    "arms": "from memory: no source that was read lists weapons",
    "basic_damage": "from memory: no source that was read has it",
}


def test_every_table_of_the_second_typing_is_compared() -> None:
    expected = HEADINGS

    assert expected == list(COMPARED)


def test_every_table_was_typed_twice_or_has_a_reason() -> None:
    expected = set(TABLES)

    typed = {name for each in COMPARED.values() for name in each.ours}

    assert expected == typed | set(OURS_ALONE)
    assert not typed & set(OURS_ALONE)


def test_every_line_of_the_second_typing_is_compared_or_has_a_reason() -> None:
    expected = {cells[0] for cells in second("attack modifiers")}

    assert expected == set(OUR_LINES) | set(IN_WORDS)
    assert not set(OUR_LINES) & set(IN_WORDS)
    assert {cells[0] for cells in second("maneuvers")} >= {"attack", "all-out defense"}


def test_values_without_a_source_are_listed() -> None:
    """Checks the list of cells that are not compared."""
    expected = {
        ("hit locations", "neck"), ("hit locations", "radial or femoral artery"), ("hit locations", "jugular or carotid"),
        ("hit locations", "heart"), ("hit locations", "kidneys"), ("hit locations", "groin"), ("automatic fire", "2"),
        ("automatic fire", "3"), ("maneuvers", "all-out defense"), ("shields", "medium"),
    }  # fmt: skip

    assert expected == {(heading, cells[0]) for heading in HEADINGS for cells in second(heading) if UNKNOWN in cells}


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_a_row_is_read(name: str) -> None:
    """Each column is read by a rule."""
    columns = {column for row in rows(name) for column in row.__struct_fields__} - set(Row.__struct_fields__) - {"name"}

    read = {column for column in columns if re.search(rf"\.{column}\b|where=\"{column}\"", CODE)}
    assert columns == read
