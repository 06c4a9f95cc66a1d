"""The printed tables of Eclipse Phase, 1st edition: rows name existing rows, and figures follow the rules of the book."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

import machines.eclipse_phase.first as game
from ledger.commands import Join
from ledger.dice import parse as dice
from ledger.errors import Refused
from ledger.source import parse as source
from machines.contract.schemas import schemas
from machines.eclipse_phase.first.sheet.sheet import Sheet
from replays.api.session import Session

HERE = Path(str(game.__file__)).parent
BANDS = ("short", "medium", "long", "extreme")

Line = Mapping[str, Any]


def table(name: str) -> list[Line]:
    rows: list[Line] = tomllib.loads((HERE / "tables" / f"{name}.toml").read_text())["row"]
    return rows


def named(name: str) -> dict[str, Line]:
    return {row["name"]: row for row in table(name)}


SHEETS: dict[str, Line] = tomllib.loads((HERE / "sheets.toml").read_text())
TABLES = [
    "ammunition",
    "armor",
    "derangements",
    "falling",
    "healing_conditions",
    "healing_rates",
    "morphs",
    "objects",
    "stressful_experiences",
    "traits",
    "weapon_ranges",
    "weapons",
]
SKILLS, WEAPONS, RANGES = named("skills"), named("weapons"), named("weapon_ranges")
RAILGUNS = sorted(name for name in WEAPONS if name.startswith("railgun "))
"""What a railgun is for each firearm that has one: those in print all have, another may."""


def unread(texts: Iterable[str]) -> list[str]:
    """Returns the texts that are no dice."""
    bad = []
    for text in texts:
        try:
            dice(text)
        except ValueError:
            bad.append(text)
    return bad


# ------------------------------------------------------------------------------------------------ every table


@pytest.mark.parametrize("name", TABLES)
def test_the_names_of_a_table_are_unique_and_in_lower_case(name: str) -> None:
    names = [row["name"] for row in table(name)]
    expected = sorted(set(names))

    assert expected == sorted(names)
    assert [] == [each for each in names if not re.fullmatch(r"[a-z0-9-]+( [a-z0-9-]+)*", each)]


@pytest.mark.parametrize("name", TABLES)
def test_every_row_cites_its_page(name: str) -> None:
    expected = {row["code"] for row in tomllib.loads((HERE / "books.toml").read_text())["book"]}

    cited = [source(row["source"]) for row in table(name)]

    assert {each.book for each in cited} <= expected
    assert all(each.heading for each in cited)


@pytest.mark.parametrize("name", TABLES)
def test_no_row_states_a_default(name: str) -> None:
    expected: list[tuple[str, str]] = []
    spoken = {"wounds", "armor", "strain", "energy", "kinetic"}

    idle = [(row["name"], key) for row in table(name) for key, value in row.items() if not value and key not in spoken]

    assert expected == idle


# ------------------------------------------------------------------------------------------------ weapons


def test_damage_is_dice() -> None:
    expected: list[str] = []

    assert expected == unread(row["damage"] for row in WEAPONS.values())


@pytest.mark.parametrize(
    ("column", "of"),
    [("skill", "skills"), ("kind", "attack_kinds"), ("range_class", "weapon_ranges"), ("modes", "firing_modes")],
)
def test_what_a_weapon_names_is_a_row_of_its_table(column: str, of: str) -> None:
    expected = set(named(of))

    values = [row.get(column, ()) for row in WEAPONS.values()]
    used = {each for value in values for each in ([value] if isinstance(value, str) else value)}

    assert used <= expected


def test_weapons_are_wielded_with_the_skill_of_their_kind() -> None:
    melee = {"blades", "clubs", "exotic melee weapon", "unarmed combat"}
    expected = {"melee": melee, "thrown": {"throwing weapons"}, "psi": {"psi assault"}}

    for row in WEAPONS.values():
        assert row["skill"] in expected.get(row["kind"], set(SKILLS) - melee - {"throwing weapons", "psi assault"})


def test_fired_weapons_have_a_range_and_modes_with_semi_automatic_as_default() -> None:
    improvised = {"exotic ranged weapon"}
    fired = {name: row for name, row in WEAPONS.items() if row["kind"] == "ranged"}

    without = [row for row in fired.values() if "modes" not in row or "range_class" not in row]

    assert WEAPONS["plasma torch"] in without
    assert {row["skill"] for row in without} <= improvised
    assert all(row["modes"][0] == "semi" for row in fired.values() if "semi" in row.get("modes", ()))


def test_only_fired_weapons_have_modes_ammunition_or_a_beam() -> None:
    expected = {"ranged"}

    having = {row["kind"] for row in WEAPONS.values() if {"modes", "ammo", "beam", "cone"} & set(row)}

    assert expected == having


def test_armor_penetration_is_never_positive_and_ammunition_never_none() -> None:
    assert all(row.get("ap", 0) <= 0 for row in WEAPONS.values())
    assert all(row.get("ammo", 1) >= 1 for row in WEAPONS.values())


def test_beam_weapons_are_resisted_by_energy_armor_and_sleights_by_mental_armor() -> None:
    expected = {
        "beam weapons": {"energy"},
        "kinetic weapons": {"kinetic"},
        "psi assault": {"mental"},
        "blades": {"kinetic"},
    }

    for skill, armor in expected.items():
        assert armor == {row.get("armor", "kinetic") for row in WEAPONS.values() if row["skill"] == skill}


def test_a_uniform_blast_has_a_radius_and_nothing_else_has() -> None:
    expected = {name for name, row in WEAPONS.items() if row.get("area") == "uniform"}

    assert expected == {name for name, row in WEAPONS.items() if row.get("radius")}


def test_only_melee_weapons_give_reach_and_spray_weapons_are_those_with_a_cone() -> None:
    spray = {name for name, row in WEAPONS.items() if row["skill"] == "spray weapons"}

    assert {"melee"} == {row["kind"] for row in WEAPONS.values() if row.get("reach")}
    assert spray == {name for name, row in WEAPONS.items() if row.get("cone")}


# ------------------------------------------------------------------------------------------------ railguns


def test_there_is_a_railgun_of_every_printed_firearm() -> None:
    printed = [name for name in second("fired weapons") if WEAPONS[name]["skill"] == "kinetic weapons"]
    expected = {f"railgun {name.removeprefix('railgun ')}" for name in printed}

    assert expected
    assert expected <= set(RAILGUNS)


def test_a_railgun_is_of_a_firearm() -> None:
    firearms = {WEAPONS[name.removeprefix("railgun ")]["skill"] for name in RAILGUNS}

    assert firearms == {"kinetic weapons"}


@pytest.mark.parametrize("name", RAILGUNS)
def test_a_railgun_is_its_firearm_with_more_penetration_more_damage_and_other_ranges(name: str) -> None:
    firearm, railgun = WEAPONS[name.removeprefix("railgun ")], WEAPONS[name]
    expected = {
        **firearm,
        "name": name,
        "ap": firearm.get("ap", 0) - 3,
        "damage": str(dice(firearm["damage"]).plus(dice("2"))),
        "range_class": f"railgun {firearm['range_class']}",
        "source": railgun["source"],
    }

    assert expected == railgun


@pytest.mark.parametrize("name", sorted(name for name in RANGES if name.startswith("railgun ")))
def test_a_railgun_reaches_half_as_far_again_rounded_down(name: str) -> None:
    firearm = RANGES[name.removeprefix("railgun ")]
    expected = [str(int(firearm[band]) * 3 // 2) for band in BANDS]

    assert expected == [RANGES[name][band] for band in BANDS]


# ------------------------------------------------------------------------------------------------ munitions

SIZES = {
    "minigrenade": "grenade",
    "micromissile": "minimissile",
    "standard missile": "minimissile",
    "grenade": "minimissile",
}
"""What each size is measured by."""


def measured(size: str) -> list[tuple[Line, Line]]:
    """Returns pairs of munitions: one of a size, and the one that it is derived from; all printed ones, and others that exist."""
    names = [name.removesuffix(f" {size}") for name in WEAPONS if name.endswith(f" {size}")]
    both = [name for name in names if name in second("munitions") or f"{name} {SIZES[size]}" in WEAPONS]
    assert both
    return [(WEAPONS[f"{name} {size}"], WEAPONS[f"{name} {SIZES[size]}"]) for name in both]


@pytest.mark.parametrize("size", ["minigrenade", "micromissile"])
def test_small_munitions_do_a_die_less_over_half_the_radius(size: str) -> None:
    for row, base in measured(size):
        expected = str(dice(row["damage"]).plus(dice("1d10"))), base.get("radius", 0) // 2

        assert expected == (base["damage"], row.get("radius", 0))


def test_standard_missiles_do_twice_the_damage_over_twice_the_radius() -> None:
    for row, base in measured("standard missile"):
        listed, doubled = dice(base["damage"]), dice(row["damage"])
        expected = sum(listed.sides) * 2 // listed.divide, listed.add * 2, base.get("radius", 0) * 2

        assert expected == (sum(doubled.sides) // doubled.divide, doubled.add, row.get("radius", 0))


def test_a_grenade_is_the_minimissile_that_is_thrown() -> None:
    same = ("damage", "ap", "armor", "area", "radius")

    for row, base in measured("grenade"):
        assert [base.get(key) for key in same] == [row.get(key) for key in same]
        assert row.get("no_som")


# ------------------------------------------------------------------------------------------------ ranges


@pytest.mark.parametrize("name", sorted(RANGES))
def test_ranges_ascend_and_are_whole_meters_unless_in_parts_of_som(name: str) -> None:
    row = RANGES[name]
    bands = [Fraction(row[band]) for band in BANDS]
    expected = sorted(set(bands))

    assert expected == bands
    assert row.get("som") or all(band.denominator == 1 for band in bands)


def test_only_beams_are_unaffected_by_gravity() -> None:
    expected = {row["range_class"] for row in WEAPONS.values() if row["skill"] == "beam weapons"}

    assert expected == {name for name, row in RANGES.items() if row["gravity"] == "beam"}


# ------------------------------------------------------------------------------------------------ armor and ammunition


def test_armor_has_both_values_and_neither_is_negative() -> None:
    expected = [(int, int)] * len(table("armor"))

    assert expected == [(type(row["energy"]), type(row["kinetic"])) for row in table("armor")]
    assert all(row["energy"] >= 0 and row["kinetic"] >= 0 for row in table("armor"))


def test_no_frame_is_an_accessory() -> None:
    expected: list[str] = []

    assert expected == [row["name"] for row in table("armor") if row.get("frame") and row.get("accessory")]


def test_the_damage_of_ammunition_is_signed_dice() -> None:
    changes = [row["damage"] for row in table("ammunition") if "damage" in row]
    expected: list[str] = []

    assert expected == unread(change.lstrip("-+") for change in changes)
    assert all(change[0] in "+-" for change in changes)


# ------------------------------------------------------------------------------------------------ typed twice

MODES = {"SS": "single", "SA": "semi", "BF": "burst", "FA": "full"}
PARTS = {"SOM/5": "1/5", "SOM/2": "1/2", "SOM": "1", "SOMx2": "2", "SOMx3": "3"}


def second(heading: str) -> dict[str, list[str]]:
    """Returns a table of the second transcription: columns by the name of the line."""
    text = Path(__file__).with_name("tables.txt").read_text()
    block = text.partition(f"[{heading}")[2].partition("\n")[2].partition("\n[")[0]
    lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines() if line.strip()]
    return {name: columns for name, *columns in lines}


def number(text: str) -> int:
    return 0 if text == "-" else int(text)


def as_printed(row: Line) -> str:
    """Returns the damage of a weapon, with SOM where it is added."""
    adds = row["kind"] in ("melee", "thrown") and not row.get("no_som")
    return f"{row['damage']}{'+SOM' if adds else ''}"


@pytest.mark.parametrize(("name", "columns"), second("melee weapons").items())
def test_melee_weapons_agree_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = WEAPONS[name]
    expected = [number(columns[0]), columns[1], "shock" in columns]

    assert expected == [row.get("ap", 0), as_printed(row), row.get("shock", False)]


@pytest.mark.parametrize(("name", "columns"), second("fired weapons").items())
def test_fired_weapons_agree_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = WEAPONS[name]
    expected = [number(columns[0]), columns[1], [MODES[code] for code in columns[2].split(",")], number(columns[3])]

    assert expected == [row.get("ap", 0), row["damage"], row["modes"], row.get("ammo", 0)]


@pytest.mark.parametrize(("name", "columns"), second("munitions").items())
def test_munitions_agree_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = WEAPONS[f"{name} minimissile"]
    expected = [number(columns[0]), columns[1], {"E": "energy", "K": "kinetic"}[columns[2]]]

    assert expected == [row.get("ap", 0), row["damage"], row.get("armor", "kinetic")]


@pytest.mark.parametrize(("name", "columns"), second("improvised weapons").items())
def test_improvised_weapons_agree_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = WEAPONS[name]
    expected = [number(columns[0]), columns[1], columns[2]]

    assert expected == [row.get("ap", 0), as_printed(row), row["skill"]]


@pytest.mark.parametrize(("name", "columns"), second("weapon ranges").items())
def test_ranges_agree_with_the_second_transcription(name: str, columns: list[str]) -> None:
    expected = [PARTS.get(column, column.partition("-")[2]) for column in columns]

    assert expected == [RANGES[name][band] for band in BANDS]
    assert RANGES[name].get("som", False) == ("SOM" in columns)


@pytest.mark.parametrize(("name", "columns"), [*second("armor:").items(), *second("armor mods").items()])
def test_armor_agrees_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = named("armor")[name]
    expected = [int(column) for column in columns]

    assert expected == [row["energy"], row["kinetic"]]
    assert row.get("accessory", False) or not columns[0].startswith("+")


@pytest.mark.parametrize(("name", "columns"), second("kinetic ammunition").items())
def test_ammunition_agrees_with_the_second_transcription(name: str, columns: list[str]) -> None:
    row = named("ammunition")[name]
    expected = [number(columns[0]), columns[1]]

    assert expected == [row.get("ap", 0), "half" if row.get("half") else row.get("damage", "-")]


TYPED_TWICE = {
    "weapons": ("melee weapons", "fired weapons", "improvised weapons"),
    "weapon_ranges": ("weapon ranges",),
    "armor": ("armor:", "armor mods"),
    "ammunition": ("kinetic ammunition",),
}


@pytest.mark.parametrize("name", TYPED_TWICE)
def test_every_printed_row_exists(name: str) -> None:
    """There may be more: what other pages and other books have."""
    printed = {row for heading in TYPED_TWICE[name] for row in second(heading)}

    assert printed
    assert printed <= set(named(name))


NOT_TYPED = {
    "eelware": "the text of an implant",
    "neo-avian beak or claw": "the text of a morph",
    "novacrab claw": "the text of a morph",
    "octomorph beak": "the text of a morph",
    "synthmorph unarmed": "the text of synthetic morphs",
    "pneumatic limb": "the text of a modification",
    "psychic stab": "a sleight",
    "thrown knife": "a thrown weapon, from memory",
}
"""Weapons that no line of the second typing has, and why; explosives are made of two tables."""


def test_every_weapon_is_typed_twice_or_has_a_reason() -> None:
    typed = {row for heading in TYPED_TWICE["weapons"] for row in second(heading)}
    explosives = {name for name in named("weapons") if name.endswith(("grenade", "missile"))}

    assert set(named("weapons")) - typed - explosives == set(NOT_TYPED)


# ------------------------------------------------------------------------------------------------ bodies, minds, things


def test_bodies_follow_the_rules_for_wound_threshold_and_death_rating() -> None:
    times = {"biomorph": Fraction(3, 2), "pod": Fraction(3, 2), "synthmorph": Fraction(2)}

    for row in table("morphs"):
        expected = -(-row["durability"] // 5), -(-row["durability"] * times[row["type"]] // 1)

        assert expected == (row["wound_threshold"], row["death_rating"])


def test_armor_traits_and_weapons_of_bodies_are_rows() -> None:
    worn = named("armor")

    for row in table("morphs"):
        pieces = [worn[name] for name in row.get("armor", ())]
        expected = sum(each["energy"] for each in pieces), sum(each["kinetic"] for each in pieces)

        assert expected == (row.get("energy", 0), row.get("kinetic", 0))
        assert set(row.get("traits", ())) <= set(named("traits"))
        assert set(row.get("weapons", ())) <= set(WEAPONS)


def test_every_shell_filters_pain_and_no_other_body_does() -> None:
    expected = {row["name"] for row in table("morphs") if row["type"] == "synthmorph"}

    assert expected == {row["name"] for row in table("morphs") if "pain filter" in row.get("traits", ())}


def test_the_speed_of_a_body_follows_from_its_traits() -> None:
    traits = named("traits")
    expected = [sum(traits[each].get("speed", 0) for each in row.get("traits", ())) for row in table("morphs")]

    assert expected == [row.get("speed", 0) for row in table("morphs")]


def test_stress_values_are_dice() -> None:
    expected: list[str] = []

    assert expected == unread(row["sv"] for row in table("stressful_experiences"))


def test_every_level_has_at_least_the_printed_number_of_derangements() -> None:
    expected = {"minor": 9, "moderate": 8, "major": 7, "disorder": 18}

    levels = [row["level"] for row in table("derangements")]

    assert set(levels) == set(expected)
    assert all(levels.count(level) >= printed for level, printed in expected.items())


def test_falling_distances_have_no_gap_and_increasing_damage() -> None:
    rows = table("falling")
    expected = [row["to_meters"] + 1 for row in rows[:-1]]

    assert expected == [row["from_meters"] for row in rows[1:]]
    assert [1, 2, 3, 3] == [len(dice(row["damage"]).sides) for row in rows]
    assert "to_meters" not in rows[-1]


def test_wounds_heal_more_slowly_than_damage() -> None:
    assert all(row["wound_hours"] > row["hours"] > 0 for row in table("healing_rates"))


# ------------------------------------------------------------------------------------------------ ready sheets


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_a_ready_sheet_is_valid_and_names_existing_rows(name: str) -> None:
    sheet = SHEETS[name]
    weapons = sheet["weapons"]
    expected = set(WEAPONS), set(named("armor")), set(named("traits")), set(SKILLS)

    assert isinstance(msgspec.convert(sheet, Sheet), Sheet)
    assert set(weapons.values() if isinstance(weapons, dict) else weapons) <= expected[0]
    assert set(sheet["armor"]["worn"]) <= expected[1]
    assert set(sheet.get("traits", ())) <= expected[2]
    assert set(sheet["skills"]) <= expected[3]


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_a_ready_sheet_is_legal(name: str) -> None:
    sheet = SHEETS[name]
    expected = {"cog", "coo", "int", "ref", "sav", "som", "wil"}, {"fray", "perception", "infiltration", "freerunning"}

    assert expected[0] == set(sheet["aptitudes"])
    assert all(1 <= value <= 30 for value in sheet["aptitudes"].values())
    assert expected[1] <= set(sheet["skills"])
    assert all(20 <= value <= 70 for value in sheet["skills"].values())


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_a_ready_sheet_has_the_skills_of_its_weapons(name: str) -> None:
    sheet = SHEETS[name]
    weapons = sheet["weapons"]
    rows = [WEAPONS[each] for each in (weapons.values() if isinstance(weapons, dict) else weapons)]
    expected = {row["skill"] for row in rows}

    assert expected <= set(sheet["skills"])


# ------------------------------------------------------------------------------------------------ sheets


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ({"durability": 30, "aptitudes": {"som": 20}, "init": 60}, True),
        ({"durability": 30, "aptitudes": {"som": 20, "int": 15, "ref": 15}}, True),
        ({"durability": 30, "aptitudes": {"som": 20}}, False),
        ({"durability": 30, "aptitudes": {"som": 20, "int": 15}}, False),
        ({"durability": 30, "aptitudes": {"som": 20, "ref": 15}, "init": None}, False),
    ],
)
def test_the_schema_and_joining_agree_on_what_a_sheet_must_have(sheet: dict[str, Any], expected: bool) -> None:
    schema = schemas(game.RULESET)
    session = Session.create("memory://", ruleset=game.RULESET.name)

    valid = jsonschema_rs.is_valid({**schema["sheet"], "$defs": schema["$defs"]}, sheet)
    try:
        session.perform(Join("ann", sheet))
        joined = True
    except Refused:
        joined = False

    assert (expected, expected) == (valid, joined)
