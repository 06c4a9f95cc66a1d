"""The printed tables of Shadowrun, 4th edition: what a row names is there, and a second typing of the tables agrees with the first."""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
import pytest

import machines.shadowrun_4e as game
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, TypeDice
from ledger.dice import parse as dice
from ledger.events import ActionSpent, DamageTaken, ModifierApplied
from ledger.source import parse as source
from machines.contract.tables import Row
from machines.shadowrun_4e.actions.terms import AttackTerms
from machines.shadowrun_4e.attack.modifiers import COVER, SIGHTS
from machines.shadowrun_4e.attack.shooting import BANDS
from machines.shadowrun_4e.harm.blast import LAUNCHED
from machines.shadowrun_4e.profile import PROFILES, Profile
from machines.shadowrun_4e.sheet.printed_codes import AP, Band, parse_band, parse_damage, penetrated
from machines.shadowrun_4e.sheet.sheet import Sheet
from machines.shadowrun_4e.sheet.sheet_access import MATRIX_STATS, arms
from machines.shadowrun_4e.tables import tables as t
from replays.api.session import Session

HERE = Path(str(game.__file__)).parent
TYPED = Path(__file__).with_name("tables.txt").read_text()

Line = Mapping[str, Any]


def table(name: str) -> list[Line]:
    """The lines of a table file as they are typed."""
    rows: list[Line] = tomllib.loads((HERE / "tables" / f"{name}.toml").read_text())["row"]
    return rows


def rows(name: str) -> list[Any]:
    """The same as rows, in order."""
    return list(t.TABLES[name].values())


TABLES = sorted(path.stem for path in (HERE / "tables").glob("*.toml"))
RULINGS = {row["id"]: row for row in tomllib.loads((HERE / "rulings.toml").read_text())["ruling"]}
SHEETS: dict[str, Line] = tomllib.loads((HERE / "sheets.toml").read_text())
FIELDS = {field.name for field in msgspec.structs.fields(Profile)}
WEAPON_TABLES = ("melee_weapons", "projectile_weapons", "grenades", "firearms")
ATTRIBUTES = {
    "body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower", "magic", "resonance", *MATRIX_STATS,
}  # fmt: skip

# ------------------------------------------------------------------------------------------------ every table


@pytest.mark.parametrize("name", TABLES)
def test_the_names_of_a_table_are_unique(name: str) -> None:
    expected: Counter[str] = Counter()

    counted = Counter(row["name"] for row in table(name))

    assert expected == counted - Counter(set(counted))


def test_every_table_file_is_read_and_has_all_its_rows() -> None:
    expected = {name: [row["name"] for row in table(name)] for name in TABLES}

    assert expected == {name: list(found) for name, found in t.TABLES.items()}


def test_no_two_weapon_tables_have_a_row_of_the_same_name() -> None:
    expected = sorted(row["name"] for name in WEAPON_TABLES for row in table(name))

    assert expected == sorted(t.WEAPONS)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_cites_its_page(name: str) -> None:
    expected = {row["code"] for row in tomllib.loads((HERE / "books.toml").read_text())["book"]}

    cited = [source(row["source"]) for row in table(name)]

    assert {each.book for each in cited} <= expected
    assert all(each.heading for each in cited)


CERTAIN = {"glitches": {"nothing"}}
"""Rows of a book that are certain: that nothing happens is no figure."""
OPEN = {
    "ammunition", "barriers", "devices", "firearms", "grenades", "handling", "melee_weapons", "programs", "projectile_weapons", "skills",
    "spells", "traditions", "weapon_ranges",
}  # fmt: skip
"""Tables that no page closes: another weapon or spell is a row more, as sure as its own source."""


@pytest.mark.parametrize("name", sorted(set(TABLES) - OPEN))
def test_only_what_the_screen_prints_is_certain(name: str) -> None:
    """The screen was read, the books were not."""
    expected = CERTAIN.get(name, set())

    certain = {row["name"]: source(row["source"]).book for row in table(name) if row.get("confidence", 100) == 100}

    assert expected == {each for each, book in certain.items() if book != "SR4S"}


def test_confidence_below_seventy_is_only_on_what_the_screen_does_not_print() -> None:
    expected: list[str] = []

    unsure = [
        f"{name}: {row['name']}"
        for name in TABLES
        for row in table(name)
        if row.get("confidence", 100) < 70 and (source(row["source"]).book == "SR4S" or name in SCREEN - OPEN)
    ]

    assert expected == unsure


@pytest.mark.parametrize("name", TABLES)
def test_a_ruling_that_a_row_names_exists(name: str) -> None:
    expected = set(RULINGS)

    assert {row["ruling"] for row in table(name) if "ruling" in row} <= expected


def test_a_ruling_names_a_profile_field_and_every_field_has_a_ruling() -> None:
    # These differ between the printings: ruling SR4-C11 names one for all of them.
    printings = {"cover", "fragmentation_ap", "object_resistance"}
    expected = FIELDS - printings - {"name", "source", "confidence", "ruling"} | {"cover"}

    assert expected == {row["field"] for row in RULINGS.values() if "field" in row}


def test_a_ruling_that_the_code_names_exists() -> None:
    expected = set(RULINGS)

    named = {each for path in HERE.rglob("*.py") for each in re.findall(r"SR4-[A-Z]\d+", path.read_text())}

    assert named <= expected


# ------------------------------------------------------------------------------------------------ what a row names

SKILLS, RANGES = set(t.SKILLS), set(t.WEAPON_RANGES)


@pytest.mark.parametrize("name", WEAPON_TABLES)
def test_what_a_weapon_names_is_a_row_of_its_table(name: str) -> None:
    expected = (
        SKILLS,
        RANGES | {""},
        set(t.DAMAGE),
        set(t.BARRIER_DAMAGE),
        {""} | {mode for row in rows("firing_modes") for mode in row.codes},
    )

    for row in rows(name):
        assert {row.skill, getattr(row, "other_skill", "") or row.skill} <= expected[0], row.name
        assert getattr(row, "range", "") in expected[1], row.name
        assert row.kind in expected[2], row.name
        assert row.barrier in expected[3], row.name
        assert set(getattr(row, "modes", ())) <= expected[4], row.name


@pytest.mark.parametrize("name", [*WEAPON_TABLES, "ammunition", "spells"])
def test_every_code_of_damage_and_armor_penetration_can_be_read(name: str) -> None:
    for row in rows(name):
        codes = [
            text for text in (getattr(row, "damage", ""), getattr(row, "code", "")) if text and isinstance(text, str)
        ]
        aps = [row.ap] if row.ap else []

        assert all(parse_damage(code) for code in codes)
        assert all(re.fullmatch(AP, ap) and penetrated(20, ap) >= 0 for ap in aps)


def test_a_weapon_without_damage_says_why() -> None:
    expected = {"flash-pak": "special", "gas": "chemical", "smoke": "", "thermal smoke": ""}

    harmless = {name: row for name, row in t.WEAPONS.items() if not row.damage}

    assert expected.items() <= {name: getattr(row, "says", None) for name, row in harmless.items()}.items()
    assert set(harmless) <= set(t.GRENADES)
    assert all(row.says or row.radius for row in harmless.values())


def test_electricity_meets_impact_armor_and_halves_it() -> None:
    electric = {name: row for name, row in t.WEAPONS.items() if row.damage.endswith("(e)")}

    assert electric
    assert {"-half"} == {row.ap for row in electric.values()}
    assert {"impact"} == {row.armor for row in electric.values() if hasattr(row, "armor")}


def test_flechette_meets_impact_armor() -> None:
    expected = {"impact"}

    assert expected == {getattr(row, "armor", "") for row in t.WEAPONS.values() if row.damage.endswith("(f)")}


def test_a_heavy_weapon_is_one_of_the_skill_of_that_name() -> None:
    expected = {name for name, row in t.FIREARMS.items() if row.skill == "heavy weapons"}

    assert expected == {name for name, row in t.FIREARMS.items() if row.heavy}


def test_a_line_of_the_grid_names_an_opposed_test_that_names_skills_and_attributes() -> None:
    expected = set(t.OPPOSED_TESTS)

    assert {row.test for row in rows("damage")} == expected
    for row in rows("opposed_tests"):
        assert {row.attribute, row.defense} <= ATTRIBUTES | {"program"}
        assert {row.skill, row.full_defense, *row.defense_skills} <= SKILLS | {"weapon", "firewall"}


def test_a_firing_mode_names_a_line_of_the_defense_modifiers_that_takes_what_its_rounds_do() -> None:
    bursts = [row for row in rows("firing_modes") if row.burst]
    expected = [1 - row.rounds for row in bursts]

    assert expected == [t.DEFENSE_MODIFIERS[row.wide].value for row in bursts]
    assert {""} == {row.wide for row in rows("firing_modes") if not row.burst}


def test_a_burst_recoils_by_the_printed_figures() -> None:
    lines = {"burst": "recoil burst", "long burst": "recoil long burst", "full burst": "recoil full auto"}
    expected = {mode: 1 - t.FIRING_MODES[mode].rounds for mode in lines}

    assert expected == {mode: t.RANGED_MODIFIERS[line].value for mode, line in lines.items()}


def test_tracer_rounds_add_the_printed_dice() -> None:
    lines = {"burst": "short burst", "long burst": "long burst", "full burst": "full auto"}
    expected = {mode: t.RANGED_MODIFIERS[f"tracer rounds with {line}"].value for mode, line in lines.items()}

    assert expected == {row.name: row.tracer for row in rows("firing_modes") if row.tracer}


def test_what_counts_with_rows_by_name_names_rows() -> None:
    expected = set(t.RANGED_MODIFIERS)

    assert {*SIGHTS.values(), *COVER} <= expected
    assert set(LAUNCHED) <= RANGES
    assert set(LAUNCHED.values()) <= set(t.SCATTER)


def test_every_kind_of_spell_has_a_line_that_says_how_it_is_resisted() -> None:
    expected = {(row.effect, row.mana) for row in rows("spell_effects")}

    direct = {(row.effect, row.mana) for row in rows("spells") if row.effect == "direct"}

    assert direct <= expected
    assert {row.effect for row in rows("spells")} <= {effect for effect, _ in expected}
    assert {row.attribute for row in rows("spell_effects")} <= ATTRIBUTES | {""}


def test_attributes_that_other_rows_name_are_attributes() -> None:
    expected = ATTRIBUTES

    assert {row.attribute for name in ("skills", "traditions") for row in rows(name)} <= expected
    assert {each for row in rows("planes") for each in row.attributes} <= expected
    assert {each for row in rows("social") for each in (row.attribute, row.target_attribute)} <= expected


def test_a_social_test_names_skills() -> None:
    expected = SKILLS

    assert {each for row in rows("social") for each in (row.skill, *row.target_skills)} <= expected


def test_where_printings_differ_the_row_has_what_the_first_one_says() -> None:
    expected = {
        "fragmentation_ap": t.GRENADES["fragmentation"].ap,
        "object_resistance": rows("object_resistance")[-1].threshold,
    }

    named = {row.ap_by for row in rows("grenades")} | {row.threshold_by for row in rows("object_resistance")}

    assert set(expected) == named - {""}
    assert expected == {name: getattr(PROFILES[0], name) for name in expected}


def test_each_band_of_a_range_begins_where_the_one_before_ends() -> None:
    for row in rows("weapon_ranges"):
        bands = [parse_band(getattr(row, name)) for name in BANDS]
        expected: list[int | None] = [None if band.strength else band.high + 1 for band in bands[:-1]]

        assert expected == [band.low for band in bands[1:]], row.name
        assert all(near.high < far.high for near, far in pairwise(bands)), row.name


def test_hits_are_bought_by_fours() -> None:
    expected = [(low, low // 4) for low in range(1, 40)]

    assert expected == [(low, row.hits) for row in rows("buying_hits") for low in range(row.low, row.high + 1)]


def test_a_glitch_leads_to_something_that_ends() -> None:
    expected = {row.name for row in rows("glitches") if row.condition}

    assert expected == {row.name for row in rows("glitches") if row.until}


# ------------------------------------------------------------------------------------------------ ready sheets


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_a_ready_sheet_is_valid_and_names_existing_rows(name: str) -> None:
    sheet = msgspec.convert(SHEETS[name], Sheet)
    expected = set(t.WEAPONS), set(t.SPELLS), SKILLS, {"", *t.TRADITIONS}

    weapons = sheet.weapons.values() if isinstance(sheet.weapons, dict) else sheet.weapons
    spells = sheet.spells.values() if isinstance(sheet.spells, dict) else sheet.spells

    assert {each for each in weapons if isinstance(each, str)} <= expected[0]
    assert {each for each in spells if isinstance(each, str)} <= expected[1]
    assert {skill.partition(":")[0] for skill in sheet.skills} <= expected[2]
    assert sheet.tradition in expected[3]
    assert {sheet.material} <= {"", *t.BARRIERS}
    assert sheet.plane in t.PLANES


THINGS = sorted(name for name, sheet in SHEETS.items() if sheet.get("material"))
"""Ready-made sheets of things, which are attacked and never attack."""
FIGHTERS = sorted(set(SHEETS) - set(THINGS))


def opponent(name: str) -> str:
    """A ready sheet that is in the same place as this one: in the Matrix, or outside of it."""
    matrix = t.PLANES[msgspec.convert(SHEETS[name], Sheet).plane].matrix
    usual, other = ("hacker", "black-ic") if matrix else ("ganger", "street-samurai")
    return other if name == usual else usual


STRIKES = ("attack", "cast")


def drawn(seed: int) -> Callable[[str, str], tuple[int, ...]]:
    throw = random.Random(seed)
    return lambda _, text: tuple(throw.randint(1, 6) for _ in dice(text).sides)


def fought(one: str, other: str) -> Session:
    """Both join, and the first strikes whenever it can, until the other is harmed."""
    session = Session.create("memory://", ruleset="shadowrun_4e", draw=drawn(1))
    session.perform(Join("one", dict(SHEETS[one])))
    session.perform(Join("other", dict(SHEETS[other])))
    session.perform(BeginCombat())
    for _ in range(600):
        if harmed(session, "other"):
            break
        options = [each for each in session.options() if not each.refused and each.key]
        strikes = [each for each in options if isinstance(each.command, Declare) and each.command.kind in STRIKES]
        mine = [each for each in strikes if each.by == "one"]
        first = (mine or [each for each in options if each.command is None] or options)[0]
        session.perform(DrawDice(first.key) if first.command is None else first.command)
    return session


def harmed(session: Session, who: str) -> list[str]:
    """Returns the tracks on which a combatant has boxes."""
    found = [event for entry in session.entries() for event in entry.events if isinstance(event, DamageTaken)]
    return [event.track for event in found if event.who == who]


@pytest.mark.parametrize("name", FIGHTERS)
def test_a_ready_sheet_joins_and_fights(name: str) -> None:
    session = fought(name, opponent(name))

    acted = [event.who for entry in session.entries() for event in entry.events if isinstance(event, ActionSpent)]

    assert "one" in acted
    assert harmed(session, "other")


@pytest.mark.parametrize("name", THINGS)
def test_a_ready_barrier_joins_as_a_thing_and_is_damaged(name: str) -> None:
    expected = ["structure"]
    breaker = {**SHEETS["street-samurai"], "strength": 40}
    session = Session.create("memory://", ruleset="shadowrun_4e", draw=drawn(2))
    session.perform(Join("one", breaker))
    session.perform(Join("other", dict(SHEETS[name]), thing=True))
    session.perform(BeginCombat())

    for _ in range(60):
        rest = session.rests[0]
        if harmed(session, "other"):
            break
        if rest.dice:
            session.perform(TypeDice(rest.key, tuple(5 if rest.by == "one" else 2 for _ in dice(rest.dice).sides)))
        elif any(option.option == "attack" for option in rest.options):
            session.perform(Declare("attack", "one", {"at": "other", "using": "katana"}))
        else:
            session.perform(Choose(rest.key, rest.default or rest.options[0].option))

    assert expected == harmed(session, "other")


def test_there_are_ready_sheets_that_fight_and_things_that_are_struck() -> None:
    assert {"street-samurai", "ganger", "mage", "hacker", "black-ic", "spirit-of-fire"} <= set(FIGHTERS)
    assert "security-door" in THINGS


def test_bare_hands_are_the_row_of_that_name_and_the_will_does_half_of_charisma() -> None:
    expected = t.MELEE_WEAPONS["unarmed"]
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("one", dict(SHEETS["mage"])))

    found = arms(session.combat, "one")

    same = ("skill", "kind", "damage", "ap", "reach", "innate", "barrier")
    assert [getattr(expected, name) for name in same] == [getattr(found["unarmed"], name) for name in same]
    assert t.DAMAGE["astral"].base == found["astral combat"].damage.rstrip("PS")


# ------------------------------------------------------------------------------------------------ typed twice

NONE = "none"


def second(heading: str) -> list[list[str]]:
    """The lines of one table of the second typing, cell by cell."""
    block = TYPED.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.split(" | ") for line in block.splitlines() if line and not line.startswith("#")]


def columns(heading: str) -> list[str]:
    """The columns that it has."""
    block = TYPED.partition(f"\n## {heading}\n")[2]
    return block.partition("# columns: ")[2].partition("\n")[0].split(" | ")


def number(text: str) -> int:
    """A printed figure; ``-`` alone is none."""
    return int(text.removesuffix("+"))


def more(text: str) -> dict[str, int | bool]:
    """A printed threshold: ``16+`` is open-ended."""
    return {"threshold": number(text), "more": text.endswith("+")}


def empty(text: str) -> str:
    """A cell that prints only a dash."""
    return "" if text == NONE else text


def split(text: str) -> tuple[str, ...]:
    """Examples, which are printed in one cell."""
    return tuple(each.casefold() for each in re.split(r"[,/] ?", text))


class Read(NamedTuple):
    """How a table of the second typing is read."""

    ours: str
    cells: Callable[..., Line]
    """(cells): what our row has to have."""
    names: Mapping[str, str] = {}
    """Printed names that are otherwise with us than in small letters."""
    named: int = 0
    """The cell with the name."""


UNITS = {
    "Initiative Pass": "passes",
    "Combat Turn": "turns",
    "Minute": "minutes",
    "Minutes": "minutes",
    "Hour": "hours",
    "hours": "hours",
    "Day": "days",
    "day": "days",
    "days": "days",
    "Week": "weeks",
    "week": "weeks",
    "Month": "months",
}


def interval(text: str) -> Line:
    amount, _, unit = text.partition(" ")
    return {"amount": int(amount), "unit": UNITS[unit]}


# T02, T03, T06, T07


def visibility(_: str, *cells: str) -> Line:
    return dict(zip(("normal", "low_light", "thermographic", "ultrasound"), map(number, cells), strict=True))


METATYPES = {"Humans, Elves, Orks": ("human", "elf", "ork"), "Dwarfs": ("dwarf",), "Trolls": ("troll",)}


def movement(name: str, walking: str, running: str) -> Line:
    return {"metatypes": METATYPES[name], "walking": number(walking), "running": number(running)}


def perceived(name: str, threshold: str) -> Line:
    first, *others = name.casefold().split("/")
    return {"name": first, "threshold": number(threshold), "more": False, "examples": tuple(others)}


def perceiving(_: str, cell: str) -> Line:
    rating = cell == "+rating"
    return {"modifier": 0 if rating else number(cell), "rating": rating, "says": cell if rating else ""}


PERCEIVING = {
    "Perceiver is distracted": "distracted",
    "Perceiver is actively looking/listening for it": "actively looking or listening",
    "Object/sound not in immediate vicinity": "not in the immediate vicinity",
    "Object/sound far away": "far away",
    "Object/sound stands out in some way": "stands out",
    "Interfering sight/odor/sound": "interfering sight, odor or sound",
    "Perceiver has active enhancements": "active enhancements",
    "Perceiver using virtual reality": "using virtual reality",
}

# T09 to T15


def threshold(_: str, cell: str) -> Line:
    return more(cell)


def bought(pool: str, hits: str) -> Line:
    low, _, high = pool.partition("-")
    return {"low": int(low), "high": int(high), "hits": 0 if hits == "not possible" else int(hits)}


def responding(roll: str, _: str) -> Line:
    return {"roll": int(roll)}


def searched(cell: str, _: str) -> Line:
    return more(cell)


def area(cell: str, _: str) -> Line:
    return interval(cell)


def concealed(cell: str, examples: str) -> Line:
    return {"modifier": number(cell), "examples": split(examples)}


COSTS = {
    "Up to 100¥": "up to 100",
    "101 to 1000¥": "101 to 1000",
    "1001 to 10000¥": "1001 to 10000",
    "10001¥+": "10001 and more",
}


def available(cost: str, cell: str) -> Line:
    return {**interval(cell), "upto": 0 if cost.endswith("+") else int(re.findall(r"\d+", cost)[-1])}


# T16


def ranges(group: str, _: str, *bands: str) -> Line:
    return {"group": grouped(group), **dict(zip(BANDS, bands, strict=True))}


def grouped(cell: str) -> str:
    return cell.removeprefix("group: ").casefold()


# T17 to T19

SITUATIONS: Mapping[str, Line] = {
    "-wound modifiers (see p. 153)": {"value": -1, "per": "wound modifier"},
    "-wound modifier (see p. 153)": {"value": -1, "per": "wound modifier"},
    "+1*": {"value": 1},
    "+2*": {"value": 2},
    "eliminates range modifiers (see p. 139)": {"says": "eliminates range modifiers"},
    "splits dice pool": {"says": "splits the dice pool"},
    "+1 per Simple Action": {"value": 1, "per": "Simple Action"},
    "-variable (see Called Shots, p. 149)": {"says": "variable"},
    "variable (see Called Shots, p. 149)": {"says": "variable"},
    "-2 per additional target that Action Phase": {"value": -2, "per": "additional target"},
    "-1 for second shot that Action Phase": {"value": -1, "says": "second shot"},
    "-2 (first burst), -3 (second)": {"value": -2, "says": "second: -3"},
    "-5 (first burst), -6 (second)": {"value": -5, "says": "second: -6"},
    "2 x uncompensated recoil": {"says": "2 x uncompensated recoil"},
    "Reduces recoil modifier": {"says": "reduces the recoil modifier"},
    "Reduces recoil or movement modifier": {"says": "reduces the recoil or movement modifier"},
    "See Visibility Table": {"says": "see the visibility table"},
    "+1 per friend (max. +4)": {"value": 1, "per": "friend", "most": 4},
    "+1 per point of net Reach*": {"value": 1, "per": "point of net Reach"},
    "No defense possible": {"says": "no defense possible"},
    "-1 per additional defense": {"value": -1, "per": "additional defense"},
}
"""Cells that are no plain number: what our row has. The notes behind a star are ours in the code, see the tests of the figures."""


def situation(_: str, cell: str) -> Line:
    plain = {"value": 0, "per": "", "most": 0, "says": "", "ranged": False}
    return {**plain, **(SITUATIONS[cell] if cell in SITUATIONS else {"value": number(cell)})}


def defending(group: str, name: str, cell: str) -> Line:
    return {**situation(name, cell), "ranged": {"none": False, "ranged attacks only": True}[grouped(group)]}


# T21 to T24


def scattering(_: str, cell: str) -> Line:
    printed = re.fullmatch(r"(\dD6) meters - (\d) per net hit( \(- Sensor rating\))?", cell)
    assert printed is not None, cell
    return {"dice": printed[1].lower(), "less": int(printed[2]), "sensor": bool(printed[3])}


GROUPS: Mapping[str, Line] = {
    "blades": {"group": "blades", "skill": "blades"},
    "clubs": {"group": "clubs", "skill": "clubs"},
    "cyberware (blades or exotic melee)": {
        "group": "cyberware",
        "skill": "blades",
        "other_skill": "exotic melee weapon",
        "innate": True,
    },
    "cyberware (unarmed)": {"group": "cyberware unarmed", "skill": "unarmed combat", "kind": "unarmed", "innate": True},
    "exotic melee weapons": {"group": "exotic melee weapons", "skill": "exotic melee weapon"},
    "unarmed": {"group": "unarmed", "skill": "unarmed combat", "kind": "unarmed"},
    "sample improvised weapons": {"group": "improvised weapons"},
}
"""By the printed group: what all of it has."""
IMPROVISED: Mapping[str, tuple[str, Line]] = {
    "Bottle (unbroken: Clubs, broken: Blades)": ("bottle", {"skill": "clubs", "other_skill": "blades"}),
    "Chain/Whip (Exotic Melee)": (
        "chain or whip",
        {"skill": "exotic melee weapon", "barrier": "whip or monofilament whip"},
    ),
    "Chair (Clubs)": ("chair", {"skill": "clubs"}),
    "Frying Pan (Clubs)": ("frying pan", {"skill": "clubs"}),
    "Metahuman Body (Unarmed Combat)": ("metahuman body", {"skill": "unarmed combat"}),
    "Pistol/Rifle Butt (Clubs)": ("pistol or rifle butt", {"skill": "clubs"}),
    "Pool Cue (Clubs, breaks after first hit)": ("pool cue", {"skill": "clubs", "breaks": True}),
}
"""Rows whose printed name contains their skill: our name, and that part."""
WITH_BARRIERS: Mapping[str, Line] = {
    "Monofilament Whip": {"barrier": "whip or monofilament whip"},
    "Unarmed": {"innate": True},
}
"""Names that contain more than the other cells."""


def melee(group: str, name: str, reach: str, code: str, ap: str) -> Line:
    usual = {"other_skill": "", "kind": "melee", "innate": False, "breaks": False, "barrier": "melee or unarmed"}
    said = IMPROVISED.get(name, ("", {}))[1]
    figures = {"reach": 0 if reach == NONE else number(reach), "damage": code.removesuffix("*"), "ap": empty(ap)}
    return {**usual, **GROUPS[grouped(group)], **said, **WITH_BARRIERS.get(name, {}), **figures}


SHOT = {
    "Bow": ("archery", "bow"),
    "Light Crossbow": ("archery", "light crossbow"),
    "Medium Crossbow": ("archery", "medium crossbow"),
    "Heavy Crossbow": ("archery", "heavy crossbow"),
    "Shuriken": ("throwing weapons", "shuriken"),
    "Throwing knife": ("throwing weapons", "thrown knife"),
}
"""The skill, and the line of the Weapon Range Table."""


def shot(name: str, code: str, ap: str) -> Line:
    skill, reach = SHOT[name]
    return {"skill": skill, "range": reach, "damage": code, "ap": empty(ap)}


def blasting(_: str, code: str, ap: str, blast: str) -> Line:
    words = {"Special": "special", "Chemical": "chemical", NONE: ""}
    falls, wide = re.fullmatch(r"-(\d)/m", blast), re.fullmatch(r"(\d+)m Radius", blast)
    return {
        "damage": "" if code in words else code,
        "says": words.get(code, ""),
        "ap": empty(ap),
        "blast": blast,
        "falloff": int(falls[1]) if falls else 0,
        "radius": int(wide[1]) if wide else 0,
    }


# T25 to T38


def sociable(_: str, acting: str, target: str) -> Line:
    skill, attribute = acting.lower().split(" + ")
    skills, theirs = target.lower().split(" + ")
    return {
        "skill": skill, "attribute": attribute, "target_skills": tuple(skills.strip("()").split(" or ")), "target_attribute": theirs,
    }  # fmt: skip


def signal(rating: str, reach: str) -> Line:
    count, _, unit = reach.partition(" ")
    return {"rating": int(rating), "meters": int(count) * {"m": 1, "km": 1000}[unit]}


def barrier(_: str, armor: str, structure: str) -> Line:
    assert armor.endswith("+") == structure.endswith("+")
    return {"armor": number(armor), "structure": number(structure), "more": armor.endswith("+")}


DOES: Mapping[str, Line] = {
    "No change": {"does": "keeps", "value": 0, "per": ""},
    "DV of 1": {"does": "sets", "value": 1, "per": ""},
    "DV of 1 per projectile": {"does": "sets", "value": 1, "per": "projectile"},
    "DV of 2 per bullet": {"does": "sets", "value": 2, "per": "bullet"},
    "base DV x 2": {"does": "multiplies", "value": 2, "per": ""},
    "base DV x 3": {"does": "multiplies", "value": 3, "per": ""},
}


def breaking(_: str, cell: str) -> Line:
    return DOES[cell]


def building(name: str, cell: str) -> Line:
    first, example = name.casefold().split("/")
    return {"name": first, **more(cell), "examples": (example,)}


CONDITIONS: Mapping[tuple[str, str], str] = {
    ("working conditions", "Distracting"): "distracting conditions",
    ("working conditions", "Poor"): "poor conditions",
    ("working conditions", "Bad"): "bad conditions",
    ("working conditions", "Terrible"): "terrible conditions",
    ("working conditions", "Superior"): "superior conditions",
    ("tools and parts", "Inadequate"): "inadequate tools",
    ("tools and parts", "Unavailable"): "unavailable tools",
    ("tools and parts", "Superior"): "superior tools",
    ("plans or reference material", "Available"): "plans available",
    ("plans or reference material", "Augmented Reality Enhanced"): "plans augmented reality enhanced",
    ("working from memory", "Logic 5+"): "logic 5+",
    ("working from memory", "Logic 1-4"): "logic 1-4",
}
BUILD_GROUPS = {"tools and/or parts are": "tools and parts"}
BUILD_CELLS: Mapping[str, Line] = {
    "-4 or not allowed": {"modifier": -4, "says": "or not allowed"},
    "+1 or more": {"modifier": 1, "more": True},
    "-(5 - Logic)": {"modifier": 0, "says": "-(5 - Logic)"},
}


def modifying(group: str, name: str, cell: str) -> Line:
    own = BUILD_GROUPS.get(grouped(group), grouped(group))
    plain = {"more": False, "says": ""}
    figures = BUILD_CELLS[cell] if cell in BUILD_CELLS else {"modifier": number(cell)}
    return {"name": CONDITIONS[own, name], "group": own, **plain, **figures}


RESISTING = {
    "natural objects": ("Natural Objects (Trees, Soil, Unprocessed Water)", ""),
    "manufactured low-tech objects": ("Manufactured Low-Tech Objects and Materials (Brick, Leather, Simple Plastics)", ""),
    "manufactured high-tech objects": (
        "Manufactured High-Tech Objects and Materials (Advanced Plastics, Alloys, Electronic Equipment)", "",
    ),
    "highly processed objects": (
        "Highly Processed Objects (Computers, Complex Toxic Wastes, Drones, Vehicles)", "object_resistance",
    ),
}  # fmt: skip
"""By our name: the printed one, and the profile's field where printings differ."""


def resisting(name: str, cell: str) -> Line:
    field = next(by for printed, by in RESISTING.values() if printed == name)
    return {**more(cell), "examples": split(name.partition(" (")[2].rstrip(")")), "threshold_by": field}


def valued(_: str, cell: str) -> Line:
    return {"value": number(cell)}


SIGNATURES = {
    "Large and oversized vehicles (trains, construction vehicles, zeppelins, tractor-trailers, airliners)": "large and oversized vehicles",
    "Electric-powered (EP) vehicles": "electric-powered vehicles",
    "Metahumans, critters": "metahumans and critters",
}


def device(_: str, rating: str, examples: str) -> Line:
    words = examples.casefold().split(", ")
    return {
        "rating": number(rating),
        "examples": tuple(each.replace("home/business", "home and business") for each in words),
    }


TELLS = {
    "None": (),
    "rough health": ("health, roughly",),
    "rough mood": ("mood",),
    "mundane or Awakened": ("mundane or Awakened",),
    "where cyberware sits": ("ordinary cyberware, and where",),
    "type of magic subject": ("which kind of magic it is",),
    "known aura recognized": ("an aura met before, whatever it looks like now",),
    "alphaware": ("alphaware, and where",),
    "Essence/Magic/Force compared with own": ("Essence and Magic against one's own", "Force against one's own Magic"),
    "rough illness": ("roughly what illness or toxin",),
    "signatures present": ("astral signatures on it",),
    "bioware and betaware": ("bioware and betaware, and where",),
    "exact Essence/Magic/Force": ("Essence, Magic and Force in numbers",),
    "exact disease or toxin": ("exactly what illness or toxin",),
    "remaining implants": ("every other implant",),
    "causes of mood and signatures": ("what, broadly, a feeling comes from", "what, broadly, left an astral signature"),
    "technomancer shown": ("a technomancer for what they are",),
}
"""Neither typing has the printed words: what each means in the other."""


def assensing(hits: str, cell: str) -> Line:
    told = tuple(each for word in cell.split(", ") for each in TELLS[word])
    return {"hits": number(hits), "more": hits.endswith("+"), "information": told}


TRACKED: Mapping[str, Line] = {
    "+1": {"value": 1, "per": "hour"},
    "+Force of barrier": {"value": 1, "per": "point of the barrier's Force"},
    "No modifier": {"value": 0, "per": ""},
    "+2": {"value": 2, "per": ""},
}


def tracking(group: str, _: str, cell: str) -> Line:
    return {"group": {"none": ""}.get(grouped(group), grouped(group)), **TRACKED[cell]}


READ: Mapping[str, Read] = {
    "T02 Visibility Modifiers": Read(
        "visibility", visibility, {"Light Fog/Mist/Rain/Smoke": "light fog", "Heavy Fog/Mist/Rain/Smoke": "heavy fog"},
    ),
    "T03 Movement Rate Table": Read("movement", movement),
    "T06 Perception Test Thresholds": Read(
        "perception_thresholds", perceived, {
            "Obvious/Large/Loud": "obvious", "Obscured/Small/Muffled": "obscured", "Hidden/Micro/Silent": "hidden",
        },
    ),
    "T07 Perception Test Modifiers": Read("perception_modifiers", perceiving, PERCEIVING),
    "T09 Difficulty Table": Read("difficulties", threshold),
    "T10 Buying Hits": Read("buying_hits", bought),
    "T11 interval": Read("extended_intervals", lambda _, cell: interval(cell)),
    "T11 threshold": Read("extended_thresholds", threshold),
    "T12 Random Alert Response": Read(
        "alert_responses", responding, {"System Reset/Shutdown": "system reset or shutdown"}, 1
    ),
    "T13 threshold": Read("search_thresholds", searched, named=1),
    "T13 interval": Read("search_areas", area, named=1),
    "T14 Concealability Table": Read("concealability", concealed),
    "T15 Availability Interval": Read("availability", available, COSTS),
    "T16 Weapon Range Table": Read(
        "weapon_ranges", ranges, {
            "Light Machine Guns": "light machine gun", "Medium/ Heavy Machine Gun": "medium or heavy machine gun",
            "Standard": "standard grenade", "Aerodynamic": "aerodynamic grenade",
        }, 1,
    ),
    "T17 Ranged Combat Modifiers Table": Read(
        "ranged_modifiers", situation, {
            "Recoil, semi-automatic": "recoil semi-automatic", "Recoil, burst": "recoil burst", "Recoil, long burst": "recoil long burst",
            "Recoil, full auto": "recoil full auto", "Recoil, heavy weapon": "recoil heavy weapon",
        },
    ),
    "T18 Melee Modifiers Table": Read("melee_modifiers", situation),
    "T19 Defense Modifiers Table": Read(
        "defense_modifiers", defending, {
            "Defender has defended against previous attacks since last action": "defender has defended against previous attacks",
            "Attacker using area attack weapon (grenade, missile)": "attacker using area attack weapon",
        }, 1,
    ),
    "T21 Scatter Table": Read("scatter", scattering),
    "T22 Melee Weapons Table": Read(
        "melee_weapons", melee,
        {"Taser Armor/Shield": "taser armor or shield", **{printed: ours for printed, (ours, _) in IMPROVISED.items()}}, 1,
    ),
    "T23 Projectile Weapons Table": Read("projectile_weapons", shot),
    "T24 Grenade Damage Table": Read("grenades", blasting),
    "T25 Charisma-Linked Opposed Tests": Read("social", sociable),
    "T26 Signal Rating Table": Read("signal", signal),
    "T27 Barrier Rating Table": Read("barriers", barrier, {"Armored/Reinforced Material": "armored or reinforced material"}),
    "T28 Damaging Barriers Table": Read(
        "barrier_damage", breaking, {
            "Whip/Monofilament whip": "whip or monofilament whip", "AV rocket/missile": "av rocket or missile",
        },
    ),
    "T29 threshold": Read(
        "build_thresholds", building, {
            "Simple/Malfunction": "simple", "Basic/Easy Fix": "basic", "Complex/Common Repair": "complex",
            "Intricate/Serious Damage": "intricate", "Exotic/Broken Beyond Repair": "exotic",
        },
    ),
    "T29 modifier": Read("build_modifiers", modifying, {printed: ours for (_, printed), ours in CONDITIONS.items()}, 1),
    "T30 Knowledge Skill Table": Read("knowledge", threshold),
    "T31 Object Resistance Table": Read(
        "object_resistance", resisting, {printed: ours for ours, (printed, _) in RESISTING.items()}
    ),
    "T32 Signature Table": Read("signature", valued, SIGNATURES),
    "T33 Sample Devices": Read("devices", device),
    "T34 Vehicle Test Threshold Table": Read("vehicle_thresholds", threshold),
    "T35 Terrain Table": Read("terrain", valued),
    "T36 Handling Rating Table": Read("handling", valued),
    "T37 Assensing Table": Read("assensing", assensing),
    "T38 Astral Tracking Modifiers": Read(
        "tracking", tracking, {
            "Each hour passed since astral link was active": "hours since the link was active",
            "Target behind mana barrier": "target behind a mana barrier",
        }, 1,
    ),
}  # fmt: skip
"""By the heading of the second typing: our table, and how its cells are read."""
LINES = [(heading, nth) for heading in READ for nth in range(len(second(heading)))]


def our_name(heading: str, cells: list[str]) -> str:
    read, printed = READ[heading], cells[READ[heading].named]
    return read.names.get(printed, printed.casefold())


def row_of(heading: str, cells: list[str]) -> str:
    """The name of our row for a line of the second typing."""
    return str(READ[heading].cells(*cells).get("name", our_name(heading, cells)))


@pytest.mark.parametrize("heading", READ)
def test_a_table_has_the_rows_of_the_second_typing_in_printed_order(heading: str) -> None:
    read = READ[heading]
    expected = [row_of(heading, cells) for cells in second(heading)]

    found = [row["name"] for row in table(read.ours)]

    assert expected == [name for name in found if name in expected]
    assert expected == found or read.ours in OPEN


def plainly(value: object) -> object:
    """Examples are compared without capitals: RFID tag, SMG."""
    return (
        tuple(each.casefold() if isinstance(each, str) else each for each in value)
        if isinstance(value, tuple)
        else value
    )


@pytest.mark.parametrize(
    ("heading", "nth"), LINES, ids=[f"{heading[:3]}-{second(heading)[nth]}" for heading, nth in LINES]
)
def test_a_row_has_the_figures_of_the_second_typing(heading: str, nth: int) -> None:
    cells = second(heading)[nth]
    row = t.TABLES[READ[heading].ours][row_of(heading, cells)]
    expected = {key: plainly(value) for key, value in READ[heading].cells(*cells).items()}

    assert expected == {key: plainly(getattr(row, key)) for key in expected}


@pytest.mark.parametrize("heading", READ)
def test_every_name_that_is_otherwise_with_us_is_printed(heading: str) -> None:
    expected = {cells[READ[heading].named] for cells in second(heading)}

    assert set(READ[heading].names) <= expected


@pytest.mark.parametrize("heading", READ)
def test_every_column_is_read(heading: str) -> None:
    expected = {len(columns(heading))}

    assert expected == {len(cells) for cells in second(heading)}


OURS_ONLY: Mapping[str, set[str]] = {
    "ranged_modifiers": {"declared"},
    "melee_modifiers": {"declared"},
    "defense_modifiers": {"declared"},
    "grenades": {"ap_by", "kind", "skill", "range", "armor", "barrier"},
    "projectile_weapons": {"kind", "barrier", "armor"},
    "perception_modifiers": {"group", "more"},
    "build_modifiers": {"rating"},
    "perception_thresholds": {"threshold_by"},
    "difficulties": {"threshold_by", "examples"},
    "extended_thresholds": {"threshold_by", "examples"},
    "search_thresholds": {"threshold_by", "examples"},
    "build_thresholds": {"threshold_by"},
    "knowledge": {"threshold_by", "examples"},
    "vehicle_thresholds": {"threshold_by", "examples"},
    "extended_intervals": {"upto"},
    "search_areas": {"upto"},
}
"""Columns that no printed cell has: what a declaration may name, what a thrown thing is, and columns of such rows that stay empty here."""
EMPTY = {"threshold_by", "upto", "group"}


@pytest.mark.parametrize("heading", READ)
def test_no_column_of_ours_is_left_out_without_a_word(heading: str) -> None:
    read = READ[heading]
    ours = set(rows(read.ours)[0].__struct_fields__) - set(Row.__struct_fields__) - {"name"}
    expected = ours - set(read.cells(*second(heading)[0]))

    assert expected == OURS_ONLY.get(read.ours, set())
    assert not any(getattr(row, column) for column in expected & EMPTY for row in rows(read.ours))


# ------------------------------------------------------------------------------------------------ the four parts of the first table

TESTS: Mapping[str, str] = {
    "Willpower/Force": "willpower",
    "attack program": "program",
    "Agility": "agility",
    "Astral Combat/Force": "astral combat",
    "Cybercombat": "cybercombat",
    "combat skill": "weapon",
    "Intuition/Force": "intuition",
    "Response": "response",
    "Reaction": "reaction",
    "+Dodge/Force": "dodge",
    "+Hacking/rating": "hacking",
    "+Dodge": "dodge",
}
"""A spirit's Force and an agent's rating stand in the place of what their sheets do not have: see `Sheet.value`, `reading.rating`."""
DEFENSES: Mapping[str, tuple[str, ...]] = {
    "Astral Combat/Force": ("astral combat",),
    "Firewall": ("firewall",),
    "combat skill/Unarmed/Dodge": ("weapon", "unarmed combat", "dodge"),
    NONE: (),
}


def test_attackers_roll_what_the_second_typing_says() -> None:
    expected = [(name.lower(), TESTS[attribute], TESTS[skill]) for name, attribute, skill in second("T01 attacker")]

    assert expected == [(row.name, row.attribute, row.skill) for row in rows("opposed_tests")]


def test_defenders_roll_what_the_second_typing_says() -> None:
    lines = second("T01 defender")
    expected = [
        (name.lower(), TESTS[attribute], DEFENSES[skill], TESTS[full]) for name, attribute, skill, full in lines
    ]

    assert expected == [(row.name, row.defense, row.defense_skills, row.full_defense) for row in rows("opposed_tests")]


STRIKING: Mapping[str, tuple[str, str]] = {
    "Astral": ("astral", "astral"),
    "Matrix": ("matrix", "matrix"),
    "Astral w/weapon focus": ("weapon focus", "astral"),
    "Melee (armed)": ("melee", "melee"),
    "Melee (unarmed)": ("unarmed", "melee"),
    "Ranged": ("ranged", "ranged"),
}
"""Our row, and its row of the opposed tests."""
BASES = {
    "(Charisma/Force) ÷ 2": "(CHA/2)",
    "attack program": "program",
    "by weapon": "weapon",
    "Strength ÷ 2": "weapon",
}
"""What is half of Strength is the code of the line of bare hands, which the row leaves it to."""
ADDED = {"net hits": "net hits", "ammo type": "ammunition", "autofire*": "autofire"}


def test_damage_is_what_the_second_typing_says() -> None:
    lines = second("T01 damage")
    expected = {
        STRIKING[name][0]: (STRIKING[name][1], BASES[base], tuple(ADDED[each] for each in adds.split(", ")))
        for name, base, adds in lines
    }

    assert expected == {row.name: (row.test, row.base, row.adds) for row in rows("damage")}
    assert set(STRIKING) == {name for name, _, _ in lines}
    assert parse_damage(t.MELEE_WEAPONS["unarmed"].damage).attribute == "strength"
    assert parse_damage(t.MELEE_WEAPONS["unarmed"].damage).halved


RESISTED: Mapping[str, tuple[tuple[str, ...], Line]] = {
    "Astral": (("astral", "weapon focus"), {"attribute": "willpower", "armor": "mystic"}),
    "Matrix": (("matrix",), {
        "attribute": "system", "armor": "armor", "person_attribute": "willpower", "person_armor": "biofeedback filter",
    }),
    "Melee": (("melee", "unarmed"), {"attribute": "body", "armor": "impact"}),
    "Ranged": (("ranged",), {"attribute": "body", "armor": "weapon"}),
}  # fmt: skip
"""Our rows of a printed line, and what they have."""
WORDS = {
    "Willpower": "willpower", "System/Willpower": "system willpower", "Body": "body", "Mystic": "mystic", "Impact": "impact",
    "Armor/Biofeedback Filter": "armor biofeedback filter", "Ballistic or Impact": "weapon",
}  # fmt: skip
"""By the printed cell: ours, and what a person behind an icon has."""


@pytest.mark.parametrize("cells", second("T01 resistance"), ids=lambda cells: cells[0])
def test_damage_is_resisted_with_what_the_second_typing_says(cells: list[str]) -> None:
    names, said = RESISTED[cells[0]]
    expected = [WORDS[cell] for cell in cells[1:]]

    assert expected == [f"{said[key]} {said.get(f'person_{key}', '')}".strip() for key in ("attribute", "armor")]
    for name in names:
        row = t.DAMAGE[name]
        assert {"person_attribute": "", "person_armor": "", **said} == {
            key: getattr(row, key) for key in ("attribute", "armor", "person_attribute", "person_armor")
        }


def test_all_that_strikes_is_resisted() -> None:
    expected = sorted(t.DAMAGE)

    assert expected == sorted(name for names, _ in RESISTED.values() for name in names)
    assert [cells[0] for cells in second("T01 resistance")] == list(RESISTED)


# ------------------------------------------------------------------------------------------------ skills, by name

OUR_SPECIFIC = {"interests knowledge", "street knowledge", "academic knowledge", "professional knowledge", "language"}
"""Skills with a specific field after a colon, which the list does not print."""


@pytest.mark.parametrize(("printed", "attribute", "default"), second("T08 Skills And Linked Attributes"))
def test_a_skill_agrees_with_the_second_typing(printed: str, attribute: str, default: str) -> None:
    name = printed.removesuffix(" (Specific)").casefold()
    expected = attribute.casefold(), {"yes": True, "no": False}[default], printed.endswith(" (Specific)")

    row = t.SKILLS[name]

    assert expected == (row.attribute, row.default, row.specific and name not in OUR_SPECIFIC)


def test_every_skill_that_is_printed_is_there() -> None:
    expected = {cells[0].removesuffix(" (Specific)").casefold() for cells in second("T08 Skills And Linked Attributes")}

    assert expected
    assert expected <= set(t.SKILLS)
    assert OUR_SPECIFIC <= {name for name, row in t.SKILLS.items() if row.specific}


# ------------------------------------------------------------------------------------------------ all of it

COMPARED = {"T01 attacker", "T01 defender", "T01 damage", "T01 resistance", "T08 Skills And Linked Attributes"}
MISSING = {"T20 Scatter Diagram": "the printed text has lost it: ruling SR4-E7"}
SCREEN = {"opposed_tests", "damage", "skills", *(read.ours for read in READ.values())}
"""Our tables that the screen prints."""
OF_THE_BOOK = {
    "firing_modes", "called_shots", "planes", "programs", "firearms", "ammunition", "spells", "spell_effects", "traditions", "glitches",
    "specializations",
}  # fmt: skip
"""Tables of ours that the screen does not print, and the second typing does not have."""


def test_every_table_of_the_second_typing_is_compared() -> None:
    expected = set(re.findall(r"^## (.+)$", TYPED, flags=re.MULTILINE))

    assert expected == {*READ, *COMPARED, *MISSING}
    assert not any(second(heading) for heading in MISSING)


def test_every_table_of_ours_was_typed_twice_or_is_of_the_book() -> None:
    expected = set(TABLES)

    assert expected == SCREEN | OF_THE_BOOK
    assert not SCREEN & OF_THE_BOOK


@pytest.mark.parametrize("name", sorted(OF_THE_BOOK - {"programs"}))
def test_what_the_screen_does_not_print_does_not_cite_it(name: str) -> None:
    assert "SR4S" not in {source(row["source"]).book for row in table(name)}


def test_a_band_costs_what_the_head_of_its_column_says() -> None:
    heads = [re.fullmatch(r"(\w+) \(([+-]\d)\)", head) for head in columns("T16 Weapon Range Table")[2:]]
    expected = [(head[1], int(head[2])) for head in heads if head]

    assert expected == [(name, -n) for n, name in enumerate(BANDS)]


@pytest.mark.parametrize("row", rows("weapon_ranges"), ids=lambda row: row.name)
def test_a_star_is_a_minimum_range(row: Any) -> None:
    expected = row.name in {"grenade launcher", "missile launcher"}
    bands = [parse_band(getattr(row, name)) for name in BANDS]

    assert [expected, False, False, False] == [band.minimum for band in bands]
    assert all(isinstance(band, Band) for band in bands)


@pytest.mark.parametrize(("logic", "expected"), [(1, [-4]), (2, [-3]), (4, [-1]), (5, [])])
def test_working_from_memory_takes_what_logic_lacks(logic: int, expected: list[int]) -> None:
    """The one cell that is a formula: -(5 - Logic)."""
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("one", {**SHEETS["hacker"], "logic": logic, "plane": "physical", "skills": {"hardware": 3}}))
    row = "logic 1-4" if logic < 5 else "logic 5+"
    session.perform(Declare("build", "one", {"skill": "hardware", "item": "simple", "modifiers": [row]}))

    found = [event.value for entry in session.entries() for event in entry.events if isinstance(event, ModifierApplied)]

    assert expected == found


def test_a_called_shot_adds_at_most_what_its_row_says() -> None:
    expected = t.CALLED_SHOTS["more damage"].most
    _, accepted = get_args(get_type_hints(AttackTerms, include_extras=True)["called_for"])

    assert expected == accepted.le
