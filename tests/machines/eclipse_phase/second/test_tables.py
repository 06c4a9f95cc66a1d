"""The printed tables of Eclipse Phase, 2nd edition: rows name existing rows, and a second typing of the tables agrees with the first."""

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

import machines.eclipse_phase.second as game
from ledger.dice import parse as dice
from ledger.source import parse as source
from machines.eclipse_phase.second.sheet.sheet import Sheet, half_up

HERE = Path(str(game.__file__)).parent
TYPED = Path(__file__).with_name("tables.txt").read_text()

Line = Mapping[str, Any]


def table(name: str) -> list[Line]:
    rows: list[Line] = tomllib.loads((HERE / "tables" / f"{name}.toml").read_text())["row"]
    return rows


def named(name: str) -> dict[str, Line]:
    return {row["name"]: row for row in table(name)}


SHEETS: dict[str, Line] = tomllib.loads((HERE / "sheets.toml").read_text())
TABLES = sorted(path.stem for path in (HERE / "tables").glob("*.toml"))
WEAPONS, AMMUNITION, ARMOR, TRAITS = named("weapons"), named("ammunition"), named("armor"), named("traits")
MODIFIERS, MORPHS = named("modifiers"), named("morphs")
RAILGUNS = sorted(name for name in WEAPONS if name.startswith("railgun "))

# ------------------------------------------------------------------------------------------------ every table


@pytest.mark.parametrize("name", TABLES)
def test_the_names_of_a_table_are_unique(name: str) -> None:
    names = [row["name"] for row in table(name)]
    expected = sorted(set(names))

    assert expected == sorted(names)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_cites_its_page(name: str) -> None:
    expected = {row["code"] for row in tomllib.loads((HERE / "books.toml").read_text())["book"]}

    cited = [source(row["source"]) for row in table(name)]

    assert {each.book for each in cited} <= expected
    assert all(each.heading for each in cited)


@pytest.mark.parametrize(
    ("column", "of"),
    [("kind", "attack_kinds"), ("modes", "firing_modes"), ("traits", "weapon_traits"), ("load", "ammunition")],
)
def test_what_a_weapon_names_is_a_row_of_its_table(column: str, of: str) -> None:
    expected = set(named(of))

    values = [row.get(column, ()) for row in WEAPONS.values()]
    used = {each for value in values for each in ([value] if isinstance(value, str) else value)}

    assert used <= expected


def test_a_uniform_blast_has_a_radius_and_nothing_else_has() -> None:
    for rows in (WEAPONS, AMMUNITION):
        expected = {name for name, row in rows.items() if row.get("area") == "uniform"}

        assert expected == {name for name, row in rows.items() if row.get("radius")}


def test_only_beams_are_unaffected_by_gravity() -> None:
    printed = {OURS.get(name, name) for name in second("beam weapons")}

    beams = {name: row for name, row in WEAPONS.items() if not row.get("gravity", True)}

    assert printed <= set(beams)
    assert {("ranged", "energy")} == {(row["kind"], row["armor"]) for row in beams.values()}


def test_bodies_follow_the_rules_for_wound_threshold_and_death_rating() -> None:
    times = {"biomorph": Fraction(3, 2), "pod": Fraction(3, 2), "uplift": Fraction(3, 2), "synthmorph": Fraction(2)}

    for row in MORPHS.values():
        rating = row["durability"] * times[row["type"]]
        expected = half_up(row["durability"], 5), half_up(rating.numerator, rating.denominator)

        assert expected == (row["wound_threshold"], row["death_rating"])


def test_falling_distances_have_no_gap_and_increasing_damage() -> None:
    rows = table("falling")
    expected = [row["to_meters"] + 1 for row in rows[:-1]]

    assert expected == [row["from_meters"] for row in rows[1:]]
    assert [1, 2, 3, 3] == [len(dice(row["damage"]).sides) for row in rows]


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_a_ready_sheet_is_valid_and_names_existing_rows(name: str) -> None:
    sheet = SHEETS[name]
    weapons = sheet["weapons"]
    expected = set(WEAPONS), set(ARMOR), set(TRAITS), set(named("skills"))

    assert isinstance(msgspec.convert(sheet, Sheet), Sheet)
    assert {
        each for each in (weapons.values() if isinstance(weapons, dict) else weapons) if isinstance(each, str)
    } <= expected[0]
    assert set(sheet["armor"]["worn"]) <= expected[1]
    assert set(sheet.get("traits", ())) <= expected[2]
    assert {skill.partition(":")[0] for skill in sheet["skills"]} <= expected[3]


# ------------------------------------------------------------------------------------------------ typed twice

MODES = {"SS": "single", "SA": "semi", "BF": "burst", "FA": "full"}
KINDS = {"E": "energy", "K": "kinetic", "-": "none", "as swarm": "none", "as payload": "none"}
OURS = {
    "unarmed (biomorph)": "unarmed",
    "laser pulser (lethal)": "laser pulser",
    "mw agonizer (pain)": "microwave agonizer",
    "mw agonizer (roast)": "microwave agonizer (roast)",
}
"""Rows that have another name with us."""
NO_NOTES = {
    "+2d10 dv in vac/deep sea with superior success": "a row of its own: wasp knife (gas), for the single use of it",
    "armor-piercing/+2d10 dv when sawing": "a row of its own: vibroblade (sawing); the text has both for sawing only",
}
"""Notes that are no traits of the row."""
AS_TRAITS = {"reach (+20)": "long reach", "pain (biomorphs only)": "pain"}
"""Notes that have another name with us."""
UNPRINTED = {
    "battle laser": {
        "knockdown": "its cell in errata 1.4 has that, earlier ones have the two others: all three are taken"
    },
    "freezer": {"foam": "its text: -30 to get out of it"},
    "plasma rifle": {"fire": "its text: a superior success sets on fire"},
    "torch": {"fire": "its text: a superior success sets on fire"},
    "seeker rifle (mini)": dict.fromkeys(
        ("no close", "long", "two-handed"), "the second line of one cell: the rifle's"
    ),
}
"""Traits that the notes do not have, and why."""


def second(heading: str) -> dict[str, list[str]]:
    """Returns a table of the second typing: columns by the name of the line."""
    block = TYPED.partition(f"\n[{heading}")[2].partition("\n")[2].partition("\n[")[0]
    lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines() if line.strip()]
    return {name: columns for name, *columns in lines}


def weapon(name: str) -> Line:
    return WEAPONS[OURS.get(name, name)]


def printed_traits(name: str, notes: str) -> set[str]:
    """Returns the traits that a row has by its printed notes, and the unprinted ones."""
    said = set() if notes == "-" or notes in NO_NOTES else set(notes.split(", "))
    return {AS_TRAITS.get(note, note) for note in said} | set(UNPRINTED.get(name, ()))


def modes(codes: str) -> list[str]:
    return [MODES[code] for code in codes.split("/")]


def damage(text: str) -> str:
    """Returns the damage in a cell; empty where the weapon has none, or its payload has it."""
    return "" if text in {"-", "as swarm", "as payload"} else text.rstrip("*")


def agrees(name: str, expected: Line, notes: str) -> None:
    """Checks the figures and traits of a weapon."""
    row = weapon(name)

    assert dict(expected) == {key: row.get(key, "") for key in expected}
    assert printed_traits(name, notes) == set(row.get("traits", ()))


UNARMED = {"": "1d6", " (shell)": "2d6"}


def by_hand(name: str) -> list[tuple[str, str]]:
    """Returns the row or rows of a weapon that adds to unarmed damage."""
    return [(f"{name}{whose}", own) for whose, own in UNARMED.items()]


@pytest.mark.parametrize(("name", "columns"), second("melee weapons").items())
def test_melee_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    base, _, more = columns[0].partition("+")
    rows = by_hand(name) if base == "unarmed" else [(name, damage(columns[0]))]

    for row, own in rows:
        agrees(row, {"damage": f"{own}+{more}" if base == "unarmed" and more else own}, columns[1])


@pytest.mark.parametrize(
    ("base", "how", "trait"), [("vibroblade", "sawing", "armor-piercing"), ("wasp knife", "gas", "single-use")]
)
def test_a_vibroblade_that_saws_and_a_wasp_knife_with_gas_do_two_dice_more(base: str, how: str, trait: str) -> None:
    more = dice(WEAPONS[base]["damage"]).plus(dice("2d10"))
    expected = sorted(more.sides), more.add, [trait]

    row = WEAPONS[f"{base} ({how})"]

    assert expected == (sorted(dice(row["damage"]).sides), dice(row["damage"]).add, row["traits"])


@pytest.mark.parametrize(("name", "columns"), second("improvised weapons").items())
def test_improvised_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    agrees(name, {"damage": columns[0], "skill": "melee"}, columns[1])


SECOND_SETTING = {"laser pulser (stun)": "laser pulser (lethal)", "mw agonizer (roast)": "mw agonizer (pain)"}
"""A setting with empty cells has the figures of the first one: it is one weapon with one battery."""


@pytest.mark.parametrize(("name", "columns"), second("beam weapons").items())
def test_beam_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    shots, far = second("beam weapons")[SECOND_SETTING.get(name, name)][2:4]
    area = re.search(r"area effect \((\w+), (\d+) m\), ", columns[4])
    expected = {
        "damage": damage(columns[0]), "modes": modes(columns[1]), "ammo": int(shots), "range": int(far), "armor": "energy",
        "area": area[1] if area else "", "radius": int(area[2]) if area else "",
    }  # fmt: skip

    agrees(name, expected, columns[4].replace(area[0], "") if area else columns[4])


@pytest.mark.parametrize(("name", "columns"), second("spray weapons").items())
def test_spray_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    area, dv, codes, shots, far, armor, notes = columns
    expected = {
        "area": area, "damage": damage(dv), "modes": modes(codes), "ammo": int(shots), "range": int(far), "armor": KINDS[armor],
    }  # fmt: skip

    agrees(name, expected, notes)


AS_ANOTHER = {"polygun pistol", "polygun rifle", "railguns"}
"""Rows that refer to other rows: a polygun has the values of the weapon that it has turned into."""


@pytest.mark.parametrize(("name", "columns"), second("kinetic weapons").items())
def test_kinetic_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    if name in AS_ANOTHER:
        assert all(column.startswith(("as ", "x")) for column in columns)
        return
    ammo, chamber = (int(each) for each in columns[2].split("+"))
    expected = {
        "damage": columns[0], "modes": modes(columns[1]), "ammo": ammo, "chamber": chamber, "range": int(columns[3]), "fires": "firearm",
    }  # fmt: skip

    agrees(name, expected, columns[4])


@pytest.mark.parametrize("name", RAILGUNS)
def test_a_railgun_is_its_firearm_with_twice_the_shots_half_the_range_more_and_piercing_armor(name: str) -> None:
    shots, far = second("kinetic weapons")["railguns"][2:4]
    firearm, railgun = WEAPONS[name.removeprefix("railgun ")], WEAPONS[name]
    times = Fraction(far.lstrip("x")) * firearm["range"]
    expected = {
        **firearm,
        "name": name,
        "ammo": firearm["ammo"] * int(shots.lstrip("x")),
        "range": half_up(times.numerator, times.denominator),
        "traits": [*firearm.get("traits", ()), "armor-piercing"],
        "fires": "railgun",
    }

    assert expected == railgun


def test_there_is_a_railgun_of_every_printed_firearm() -> None:
    """Another firearm may have one."""
    expected = {f"railgun {name}" for name in second("kinetic weapons") if name not in AS_ANOTHER}

    assert expected
    assert expected <= set(RAILGUNS)


CARRIES = {"standard": "missile", "micro": "micromissile", "mini": "minimissile"}


@pytest.mark.parametrize(("name", "columns"), second("seeker weapons").items())
def test_seeker_weapons_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    shots, size = columns[1].split()
    expected = {"modes": modes(columns[0]), "ammo": int(shots), "fires": CARRIES[size], "range": int(columns[2])}

    agrees(name, expected, columns[3])


# ------------------------------------------------------------------------------------------------ ammunition, munitions

BULLETS = {
    "armor-piercing": {"traits": ["armor-piercing"]},
    "steady": {"traits": ["steady"]},
    "shock": {"traits": ["shock"]},
    "stun (biomorphs only)": {"traits": ["stun"], "only_flesh": True},
    "extra dv only vs. biomorphs": {"only_flesh": True},
    "indirect fire or +10 to hit": {"homes": 10},
    "dv 1d10 on miss": {"on_miss": "1d10"},
    "-": {},
}
CHANGES = {
    "-": {},
    "as type": {},
    "no damage": {"none": True},
    "÷2": {"half": True},
    "-1d10": {"less": "1d10"},
    "+1d6": {"dice": "1d6"},
}


@pytest.mark.parametrize(("name", "columns"), second("ammunition").items())
def test_ammunition_agrees_with_the_second_typing(name: str, columns: list[str]) -> None:
    expected = {
        "name": name,
        "fits": "railgun" if name == "railgun" else "firearm",
        **CHANGES[columns[0]],
        **BULLETS[columns[1]],
    }

    assert expected == {key: value for key, value in AMMUNITION[name].items() if key != "source"}


def test_all_ammunition_fits_a_fired_weapon() -> None:
    expected = {row["fires"] for row in WEAPONS.values() if "fires" in row}

    assert {row["fits"] for row in AMMUNITION.values()} <= expected


TWO_OF_ONE = {"gas/smoke": ("gas", "smoke")}
NO_GRENADE = {"heap": "there is none as a grenade (EP2 12/10 High-Explosive Armor-Piercing)"}
NOT_TOLD = {
    "disables radios": "no column: radios are for the table to say",
    "3d10 (nanoswarms only)": "no column: nanoswarms are for the table to say",
}
"""Cells that no column records, or only in part, and the reason."""
MUNITIONS = [
    (name, columns)
    for names, columns in second("grenades and seekers").items()
    for name in TWO_OF_ONE.get(names, (names,))
]
SIZES = {
    "minigrenade": "",
    "grenade": "standard grenade",
    "micromissile": "",
    "minimissile": "minimissile",
    "missile": "standard missile",
}
"""By the word with us: the line of the sizes that changes it; the baseline has none."""


def changed(columns: list[str], size: str) -> tuple[str, str, int]:
    """Returns area, damage and radius of a munition of a size."""
    area, reach, dv = columns[0], columns[1], "" if columns[2] in NOT_TOLD else damage(columns[2])
    radius = int(reach.split()[0]) if reach.endswith(" m") else 0
    if size and area != "-":
        by = {
            "uniform": second("grenade and seeker sizes")[size][0],
            "centered": second("grenade and seeker sizes")[size][1],
        }[area]
        if by == "x2 (uniform)":
            radius *= 2
        elif by == "x2 (centered)":
            dv = str(dice(dv).plus(dice(dv)))
        else:
            dv = str(dice(dv).plus(dice("1d10")))
    return "" if area == "-" else area, dv, radius


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "columns"), MUNITIONS, ids=[name for name, _ in MUNITIONS])
def test_grenades_and_missiles_of_every_size_agree_with_the_second_typing(
    name: str, columns: list[str], size: str
) -> None:
    rows = WEAPONS if size.endswith("grenade") else AMMUNITION
    if name in NO_GRENADE and rows is WEAPONS:
        assert f"{name} {size}" not in rows
        return
    row = rows[f"{name} {size}"]
    area, dv, radius = changed(columns, SIZES[size])
    within = re.search(r" \((\d+) meter radius\)", columns[4])
    notes = set((columns[4].replace(within[0], "") if within else columns[4]).split(", ")) - {"-", *NOT_TOLD}
    expected = area, dv, radius, KINDS[columns[3]], notes, int(within[1]) if within else None

    traits = set(row.get("traits", ()))
    found = row.get("area", ""), row.get("damage", ""), row.get("radius", 0), row["armor"], traits, row.get("within")

    assert expected == found


def test_the_other_columns_of_the_sizes_change_nothing() -> None:
    expected = {"as above"}

    assert expected == {column for columns in second("grenade and seeker sizes").values() for column in columns[2:]}
    assert {"standard grenade", "minimissile", "standard missile"} == set(second("grenade and seeker sizes"))


# ------------------------------------------------------------------------------------------------ modifiers, accessories

BLOWS: dict[str, list[tuple[str, int, str]]] = {
    "aggressive": [("aggressive", 10, ""), ("aggressive before", -10, "")],
    "charging": [("charging", -10, "1d6")],
    "extra weapon (attack)": [("extra weapon", 0, "1d6")],
    "extra weapon (defense)": [
        ("extra weapon of the defender", 10, ""),
        ("two extra weapons of the defender", 20, ""),
        ("three extra weapons of the defender", 30, ""),
    ],
    "grappling, smaller-size opponent": [("smaller opponent in a grapple", 20, "")],
    "grappling, larger-size opponent": [("larger opponent in a grapple", -20, "")],
    "grappling, 2+ limbs advantage": [("more limbs in a grapple", 20, "")],
    "grappling, 2+ limbs disadvantage": [("fewer limbs in a grapple", -20, "")],
    "multiple targets": [("extra target", -20, "")],
    "reach": [("reach advantage", 10, ""), ("long reach advantage", 20, ""), ("larger than the opponent", 10, "")],
    "touch-only": [("touch-only", 20, "")],
}
"""By the printed line: our rows with their figures, to hit and to the damage."""


@pytest.mark.parametrize(("name", "columns"), second("melee modifiers").items())
def test_melee_modifiers_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    expected = [(value, more) for _, value, more in BLOWS[name]]

    found = [(MODIFIERS[row]["value"], MODIFIERS[row].get("damage", "")) for row, _, _ in BLOWS[name]]
    printed = set(re.findall(r"[+-]\d+(?:d\d+)?", columns[0])) - {"+1d10"}

    assert expected == found
    assert printed <= {f"{value:+d}" for value, _ in expected} | {f"+{more}" for _, more in expected}


NO_TABLE = {
    "arm slide": "drawing is a Quick Action in words; with this nobody declares it",
    "extended magazine": "the sheet's own figure: `ammo`",
    "flash suppressor": "finding a shooter is for the table to say",
    "gyromount": "not built: whoever has one has the modifier overruled",
    "imaging scope": "around corners is for the table to say",
    "laser sight": "the modifier is `no smartlink`, for whoever has neither",
    "safety system": "who may use a weapon is for the table to say",
    "shock safety": "likewise",
    "silencer/sound suppressor": "finding a shooter is for the table to say",
    "smart magazine": "the sheet's own figure, and `ammunition` of the declaration",
    "smartlink": "the modifier is `no smartlink`, for whoever has neither",
}
"""Accessories: no table of ours has them, and why."""


def test_every_accessory_has_a_reason_for_being_in_no_table() -> None:
    expected = set(second("weapon accessories"))

    assert expected == set(NO_TABLE)


# ------------------------------------------------------------------------------------------------ armor

OF_ARMOR = {
    "concealable": "hiding it is for the table to say",
    "two-handed": "what else the hands do is for the table to say",
    "av 4/10 vs. head shots": "where a called shot hits is for the table to say",
    "shock, touch-only": "a row of the weapons: riot shield",
}
"""Notes on armor that no column records, and the reason."""
PLATES = {"crash suit (active)": ("crash suit",), "scale/carapace armor": ("scale armor", "carapace armor")}


@pytest.mark.parametrize(("name", "columns"), second("armor:").items())
def test_armor_agrees_with_the_second_typing(name: str, columns: list[str]) -> None:
    expected = [int(column) for column in columns[:2]], columns[0].startswith("+")

    for row in (ARMOR[each] for each in PLATES.get(name, (name,))):
        assert expected == ([row["energy"], row["kinetic"]], row.get("accessory", False))
    assert columns[2] == "-" or columns[2] in OF_ARMOR


def test_a_riot_shield_shocks_on_contact() -> None:
    expected = {"shock", "touch-only"}

    assert expected == set(WEAPONS["riot shield"]["traits"])


COATINGS = {
    "chameleon": "hiding is for the table to say",
    "immunogenic": "drugs and toxins are for the table to say",
    "lotus": "liquids are for the table to say",
    "offensive": "whoever touches it is shocked: for the table to say, as an attack with the riot shield",
    "self-healing": "armor has no damage of its own in the program",
}
"""Coatings without armor, and why no table has them."""
OTHER_COATINGS = {"medical/repair": {"ignores_wounds": 1}, "shock proof": {"shock": 20}}
"""Coatings without armor that are traits, and their figures."""
AS_COATED = {"medical/repair": ("medical coating", "repair coating")}


@pytest.mark.parametrize(("name", "columns"), second("armor mods").items())
def test_armor_mods_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    expected = [int(column) for column in columns[:2]]

    if expected != [0, 0]:
        assert expected == [ARMOR[name]["energy"], ARMOR[name]["kinetic"]]
        assert ARMOR[name]["accessory"]
    elif name in OTHER_COATINGS:
        rows = [TRAITS[each] for each in AS_COATED.get(name, (name,))]
        assert [OTHER_COATINGS[name]] * len(rows) == [{key: row[key] for key in OTHER_COATINGS[name]} for row in rows]
    else:
        assert name in COATINGS


# ------------------------------------------------------------------------------------------------ minds, healing, things

FIGURES_ONLY = {
    "first aid": "the rule is played: rows HEA11 to HEA14 of the figures",
    "physical repair": "the rule is played: rows HEA18 to HEA20 of the figures",
}
"""Tables of one line that are a rule, and no table of ours."""
EXPERIENCES = {
    "resleeving alienation/continuity loss/lack": "resleeving, loss of continuity or lack",
    "extensive lack": "extensive lack",
    "encountering inexplicably lost memories": "memories lost for no known reason",
    "extended isolation (per week)": "a week of isolation",
    "unwillingly controlled via puppet sock": "controlled by puppet sock",
    "mind-controlled": "mind controlled",
    "forced to act opposite to motivation": "forced to act against a motivation",
    "asphyxiation": "asphyxiation",
    "set on fire": "set on fire",
    "awareness of imminent death": "imminent death",
    "betrayal by a trusted friend": "betrayal by a friend",
    "cyberbrain hacked": "cyberbrain hacked",
    "drugged against your will": "drugged by others",
    "losing a loved one": "loss of a loved one",
    "watching a loved one die": "death of a loved one seen",
    "being responsible for the death of a loved one": "death of a loved one caused",
    "suffering moderate torture": "torture moderate",
    "suffering severe torture": "torture severe",
    "encountering unusual non-sapient alien life": "aliens without minds",
    "encountering sapient alien life": "aliens with minds",
    "encountering highly advanced technology": "highly advanced technology",
    "pandora gate in operation": "pandora gate working",
    "encountering exsurgent-infected transhumans": "exsurgent transhumans",
    "encountering full exsurgents": "full exsurgents",
    "witnessing async sleights": "async sleights seen",
    "witnessing psi-epsilon sleights": "psi-epsilon sleights seen",
    "encountering a gruesome corpse or murder scene": "gruesome corpse or murder scene",
    "viewing extreme violence/torture": "extreme violence or torture seen",
    "committing violence in self-defense": "violence done in self-defense",
    "killing in self-defense": "killing in self-defense",
    "committing offensive violence": "violence done unprovoked",
    "murdering in cold blood": "murder in cold blood",
    "harming an innocent": "an innocent harmed",
    "killing an innocent": "an innocent killed",
    "experiencing death via xp": "death by xp",
    "popping a cortical stack": "cortical stack cut out",
    "remembering your death": "own death remembered",
}
VARIES = {"exsurgent virus infection": "no figure: it varies with the strain"}


@pytest.mark.parametrize(("name", "columns"), second("stressful experiences").items())
def test_stressful_experiences_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    if name in VARIES:
        assert columns[1] == "varies"
        return
    row = named("stressful_experiences")[EXPERIENCES[name]]
    sv, _, even_so = columns[1].partition("/")
    expected = columns[0], sv, even_so

    assert expected == (row["category"], row["sv"], row.get("even_so", ""))


HOURS = {"hour": 1, "12 hours": 12, "day": 24, "2 hours": 2, "3 days": 72, "week": 168, "1 day": 24, "5 days": 120}
HEALERS = {
    "morph without biomods": ("no biomods",),
    "morph with biomods": ("biomods",),
    "healing spray/repair spray": ("healing spray", "repair spray"),
    "healing vat/nanofabber": ("healing vat", "nanofabber"),
}
SLOWED = {"poor conditions": "poor", "harsh conditions": "harsh"}


@pytest.mark.parametrize(("name", "columns"), second("healing rates").items())
def test_healing_rates_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    if name in SLOWED:
        times = named("healing_conditions")[SLOWED[name]]["times"]
        assert [f"x{times}"] * 2 == columns[:2]
        return
    thrown, _, every = columns[0].partition(" per ")
    wound = 0 if columns[1] == "-" else HOURS[columns[1].partition(" per ")[2]]
    expected = thrown, HOURS[every], wound, None if columns[2] == "-" else HOURS[columns[2]]

    for row in (named("healing_rates")[each] for each in HEALERS.get(name, (name,))):
        assert expected == (row["dice"], row["hours"], row.get("wound_hours", 0), row.get("lasts"))


THINGS = {
    "airlock door (standard, 2 person)": "airlock door",
    "airlock door (service, 10 person)": "service airlock door",
    "cortical stacks": "cortical stack",
    "dome, inflated (spiderweave, 3 × 3 m²)": "inflated dome",
    "dome, structural (3 × 3 m²)": "structural dome",
    "door (polymer)": "polymer door",
    "door (metallic foam)": "metallic foam door",
    "furniture (polymer)": "polymer furniture",
    "hull, aerostat/light (metallic foam)": "light hull",
    "hull, standard (advanced composites)": "standard hull",
    "hull, heavy (reinforced)": "heavy hull",
    "wall (aerogel, 3 × 3 m²)": "aerogel wall",
    "wall (concrete, 3 × 3 m²)": "concrete wall",
    "wall (metal alloys, 3 × 3 m²)": "metal alloy wall",
    "wall, reinforced (metal alloys, 3 × 3 m²)": "reinforced wall",
    "window (aerogel, 1 × 3 m²)": "aerogel window",
    "window (transparent aluminum, 1 × 3 m²)": "transparent aluminum window",
}


def least(text: str) -> int:
    """Returns the minimum of an open-ended figure: hulls and trees have no maximum size."""
    return int(text.rstrip("+").replace(",", ""))


@pytest.mark.parametrize(("name", "columns"), second("objects and structures").items())
def test_objects_agree_with_the_second_typing(name: str, columns: list[str]) -> None:
    row = named("objects")[THINGS.get(name, name)]
    energy, kinetic = (least(each) for each in columns[0].split("/"))
    expected = energy, kinetic, least(columns[1]), None if columns[2] == "-" else least(columns[2])

    assert expected == (row["energy"], row["kinetic"], row["durability"], row.get("wound_threshold"))


# ------------------------------------------------------------------------------------------------ bodies

BODIES = {
    "common biomorphs": "biomorph",
    "pod biomorphs": "pod",
    "uplift biomorphs": "uplift",
    "synthmorphs": "synthmorph",
    "flexbot modules": "synthmorph",
}
MORPHS_TYPED = [(kind, name, columns) for heading, kind in BODIES.items() for name, columns in second(heading).items()]
TWO_BODIES = {"neo-bonobo/neo-chimpanzee": ("neo-bonobo", "neo-chimpanzee")}
WAYS = {"swim": "swimmer", "thrust vector (gas jet)": "gas_jet"}
COMBAT = {
    "bioweave armor (+2/+3)": "bioweave",
    "carapace armor (+6/+7)": "carapace armor",
    "light frame (armor 6/4)": "light frame",
    "medium frame (armor 8/6)": "medium frame",
    "heavy frame (armor 12/10)": "heavy frame",
    **{name: name for name in ("claws", "eelware", "pneumatics", "anti-glare")},
}
"""What is printed about a body, and the row that it has."""
NOT_OF_THE_BODY = {
    "chameleon skin": "hiding is for the table to say",
    "radar absorbent": "likewise",
    "limberness (level 1)": "out of bonds it helps: for the table to say",
    "limberness (level 2)": "likewise",
    "claw attack (dv 2d10)": "a weapon of one's own on the sheet",
    "beak/claw attack (dv 2d6)": "likewise",
    "beak attack (dv 1d10)": "likewise",
    "ink attack": "likewise",
    "swarm attack": "for the table to say: an explosion",
    "8 prehensile arms": "the sheet's own figure: `limbs`",
    "reach (+10)": "declared: `reach advantage`",
    "inherent flaws": "for the table to say",
    "stress control": "for the table to say",
    "weapon mount": "what is mounted is for the table to say",
}
"""What is printed about a body but missing from its row, and the reason."""
OUR_WARE = {
    "pain filter": "every shell has one (EP2 04/25)",
    "swarm": "immune to shock and the like (EP2 16/20)",
    "enhanced vision": "its list of ware, which is not the line of combat",
}
"""What our rows have beside it."""


def told(combat: str) -> set[str]:
    """Returns the combat notes of a body, without parentheses that are no armor."""
    if combat == "-":
        return set()
    text = re.sub(r" \((?:use|dv 1d6|articulated|2\b)[^)]*\)", "", combat)
    return set(text.split(", ")) - {"small size"}


@pytest.mark.parametrize(("kind", "name", "columns"), MORPHS_TYPED, ids=[name for _, name, _ in MORPHS_TYPED])
def test_bodies_agree_with_the_second_typing(kind: str, name: str, columns: list[str]) -> None:
    durability, threshold, rating, pools, ways, combat = columns
    rates = {
        WAYS.get(way, way): [int(each) for each in rate.split("/")]
        for way, rate in re.findall(r"([^,]+?) (\d+/\d+)(?:, |$)", ways)
    }
    size = "small" if "small size" in combat else "medium"
    printed = [int(durability), int(rating), *(int(each) for each in pools.split("/"))]
    expected = kind, printed, rates, size, {COMBAT[each] for each in told(combat) if each in COMBAT}

    for row in (MORPHS[each] for each in TWO_BODIES.get(name, (name,))):
        has = {*row.get("armor", ()), *row.get("traits", ()), *row.get("weapons", ())} - set(OUR_WARE)
        figures = [
            row["durability"],
            row["death_rating"],
            *(row.get(pool, 0) for pool in ("insight", "moxie", "vigor", "flex")),
        ]

        assert expected == (row["type"], figures, dict(row["movement"]), row.get("size", "medium"), has)
        assert threshold in {"-", str(row["wound_threshold"])}
    assert {each for each in told(combat) if each not in COMBAT} <= set(NOT_OF_THE_BODY)


def test_every_reason_about_a_body_names_a_printed_value() -> None:
    expected = {each for _, _, columns in MORPHS_TYPED for each in told(columns[5])}

    assert expected == set(NOT_OF_THE_BODY) | set(COMBAT)


def test_only_a_swarm_has_no_wound_threshold_in_print() -> None:
    expected = {"swarmanoid"}

    assert expected == {name for _, name, columns in MORPHS_TYPED if columns[1] == "-"}


# ------------------------------------------------------------------------------------------------ all of it

COMPARED = {
    "melee weapons", "melee modifiers", "improvised weapons", "beam weapons", "spray weapons", "kinetic weapons", "ammunition",
    "seeker weapons", "grenades and seekers", "grenade and seeker sizes", "armor", "armor mods", "weapon accessories",
    "stressful experiences", "healing rates", "objects and structures", *BODIES,
}  # fmt: skip


def test_every_table_of_the_second_typing_is_compared() -> None:
    expected = set(re.findall(r"^\[([^:\]]+)", TYPED, flags=re.MULTILINE))

    assert expected == COMPARED | set(FIGURES_ONLY)


WIELDED = ("melee weapons", "improvised weapons", "beam weapons", "spray weapons", "kinetic weapons", "seeker weapons")
PRINTED = {
    "weapons": {OURS.get(name, name) for heading in WIELDED for name in second(heading)} - AS_ANOTHER,
    "ammunition": set(second("ammunition")),
    "armor": {each for name in second("armor:") for each in PLATES.get(name, (name,))}
    | {name for name, columns in second("armor mods").items() if columns[:2] != ["+0", "+0"]},
    "morphs": {each for _, name, _ in MORPHS_TYPED for each in TWO_BODIES.get(name, (name,))},
    "objects": {THINGS.get(name, name) for name in second("objects and structures")},
    "stressful_experiences": set(EXPERIENCES.values()),
}
"""By table: our names of the rows that were typed twice."""


@pytest.mark.parametrize("name", PRINTED)
def test_every_printed_row_exists(name: str) -> None:
    """There may be more: what other chapters and other books have."""
    assert PRINTED[name]
    assert PRINTED[name] <= set(named(name))


NOT_TYPED = {
    "densiplast gloves (shell)": "the same line, for a synthetic body",
    "eelware (shell)": "the same line, for a synthetic body",
    "shock glove (shell)": "the same line, for a synthetic body",
    "vibroblade (sawing)": "the second value of the line's damage",
    "wasp knife (gas)": "the second value of the line's damage",
    "throwing knife": "a thrown weapon, stated in the text",
    "thrown baseball": "a thrown weapon, stated in the text",
    "superthermite charge": "another chapter",
    "riot shield": "a line of the armor table",
    "psychic stab": "a sleight", "nightmare": "a sleight", "pain": "a sleight", "short circuit": "a sleight",
}  # fmt: skip
"""Weapons that no line of the second typing has, and why."""


def test_every_weapon_is_typed_twice_or_has_a_reason() -> None:
    """Grenades, railguns and placed charges are made of other lines; tests above compare them."""
    made = {name for name in WEAPONS if name.endswith("grenade") or name.startswith(("placed ", "railgun "))}

    assert set(WEAPONS) - PRINTED["weapons"] - made == set(NOT_TYPED)


def test_every_name_of_a_printed_experience_belongs_to_a_line() -> None:
    expected = set(second("stressful experiences"))

    assert expected == {*EXPERIENCES, *VARIES}


@pytest.mark.parametrize("name", sorted(name for name in WEAPONS if name.startswith("placed ")))
def test_a_placed_explosive_equals_the_thrown_grenade(name: str) -> None:
    thrown = WEAPONS[name.removeprefix("placed ")]
    expected = {**thrown, "name": name, "kind": "placed", "skill": "hardware: demolitions"}

    assert expected == WEAPONS[name]


@pytest.mark.parametrize("row", table("sizes"), ids=lambda row: row["name"])
def test_the_modifier_to_hit_a_size_is_a_row_of_the_modifiers(row: Line) -> None:
    expected = row["target"]
    modifiers = named("modifiers")

    assert expected == modifiers.get(f"{row['name']} target", {"value": 0})["value"]
