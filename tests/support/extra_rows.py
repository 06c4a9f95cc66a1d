"""Checks that open tables can be extended: an additional valid row in any of them fails no test.

A contributor may add a weapon, a spell or a ready sheet; tests state what every row must satisfy, never how many rows there are.
Run this file, outside of a plain run of the tests:

    python tests/support/extra_rows.py                    # each table in turn, with the tests of its ruleset's tables
    python tests/support/extra_rows.py --all tests/cli    # all the rows at once, with any tests of the repository

It works on a copy of the repository. Each row is added right after the row that it resembles.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from places import ROOT
from ruleset_packages import folder_of


class Extra(NamedTuple):
    """A row to add."""

    table: str
    like: str
    name: str
    columns: Mapping[str, str] = {}
    """The columns that differ from the row that it resembles, as TOML; an empty text removes a column."""
    needs: str = ""
    """Another additional row that it depends on."""


EXTRAS: Mapping[str, Sequence[Extra]] = {
    "eclipse_phase_1e": (
        Extra("weapons", "medium pistol", "dueling pistol", {"damage": '"2d10+3"', "ammo": "2"}),
        Extra(
            "weapons",
            "railgun medium pistol",
            "railgun dueling pistol",
            {"damage": '"2d10+5"', "ammo": "2"},
            needs="dueling pistol",
        ),
        Extra("weapons", "knife", "stiletto", {"ap": "-2"}),
        Extra("weapons", "unarmed", "hooves"),
        Extra("weapons", "laser pulser", "mining laser", {"damage": '"3d10"', "ammo": "40"}),
        Extra("weapons", "frag grenade", "shrapnel grenade", {"damage": '"4d10"'}),
        Extra("weapons", "frag minimissile", "bunker minimissile", {"ap": "-8"}),
        Extra("weapons", "thrown knife", "throwing star", {"damage": '"1d10"'}),
        Extra("weapons", "torch", "flamethrower"),
        Extra("weapons", "psychic stab", "mind spike", {"damage": '"2d10"'}),
        Extra("weapon_ranges", "medium pistol", "dart pistol"),
        Extra("ammunition", "hollow-point", "frangible", {"damage": '"+1d10"'}),
        Extra("armor", "armor vest", "padded jacket", {"energy": "2", "kinetic": "3"}),
        Extra("armor", "light helmet", "riot visor"),
        Extra("morphs", "splicer", "deep diver"),
        Extra("morphs", "case", "loader"),
        Extra("traits", "ambidextrous", "steady nerves"),
        Extra("derangements", "anxiety", "restlessness"),
        Extra("objects", "desk", "workbench"),
        Extra("stressful_experiences", "helplessness", "lost in space"),
        Extra("skills", "blades", "improvised blades"),
        Extra("healing_rates", "nanobandage", "first-aid swarm"),
        Extra("sheets", "thug", "smuggler"),
    ),
    "eclipse_phase_2e": (
        Extra("weapons", "medium pistol", "dueling pistol", {"damage": '"2d10+2"', "ammo": "2"}),
        Extra(
            "weapons",
            "railgun medium pistol",
            "railgun dueling pistol",
            {"damage": '"2d10+2"', "ammo": "4"},
            needs="dueling pistol",
        ),
        Extra("weapons", "claws", "talons"),
        Extra("weapons", "knife", "stiletto"),
        Extra("weapons", "unarmed", "hooves"),
        Extra("weapons", "laser pulser", "mining laser"),
        Extra("weapons", "torch", "flamethrower"),
        Extra("weapons", "seeker rifle", "seeker cannon"),
        Extra("weapons", "frag grenade", "shrapnel grenade"),
        Extra("weapons", "superthermite charge", "demolition charge"),
        Extra("weapons", "psychic stab", "mind spike"),
        Extra("ammunition", "hollow-point", "frangible"),
        Extra("ammunition", "frag minimissile", "bunker minimissile"),
        Extra("armor", "armor coat", "padded jacket"),
        Extra("armor", "helmet", "riot visor"),
        Extra("morphs", "splicer", "deep diver"),
        Extra("morphs", "case", "loader"),
        Extra("traits", "danger sense", "sixth sense"),
        Extra("weapon_traits", "concealable", "collapsible"),
        Extra("conditions", "dazed", "seasick"),
        Extra("objects", "polymer door", "paper door"),
        Extra("stressful_experiences", "asphyxiation", "lost in space"),
        Extra("skills", "athletics", "acrobatics"),
        Extra("movement", "roller", "skater"),
        Extra("healing_rates", "meds", "first-aid swarm"),
        Extra("sheets", "thug", "smuggler"),
    ),
    "gurps_3e": (
        Extra("ammunition", "hollow point", "frangible"),
        Extra("shields", "large shield", "pavise"),
        Extra("parries", "staff", "main-gauche"),
        Extra("attack_kinds", "bow", "sling", {"moving": "2"}),
        Extra("attack_kinds", "melee", "polearm"),
        Extra("sheets", "trooper", "scout"),
    ),
    "shadowrun_4e": (
        Extra("firearms", "ares predator iv", "ares predator v"),
        Extra("firearms", "yamaha pulsar", "yamaha stinger"),
        Extra("melee_weapons", "katana", "odachi", {"reach": "2", "source": '"SR4 305 Blades"', "confidence": "60"}),
        Extra("melee_weapons", "bottle", "brick", {"source": '"SR4 305 Improvised"', "confidence": "60"}),
        Extra("projectile_weapons", "shuriken", "boomerang", {"source": '"SR4 306 Thrown"', "confidence": "60"}),
        Extra("grenades", "fragmentation", "shrapnel", {"source": '"SR4 313 Grenades"', "confidence": "60"}),
        Extra("grenades", "gas", "tear gas", {"source": '"SR4 313 Grenades"', "confidence": "60"}),
        Extra("ammunition", "apds", "tungsten"),
        Extra("weapon_ranges", "heavy pistol", "machine revolver", {"source": '"SR4 304 Ranges"', "confidence": "60"}),
        Extra("barriers", "heavy material", "thick glass", {"source": '"SR4 157 Barriers"', "confidence": "60"}),
        Extra("devices", "average", "refurbished", {"source": '"SR4 214 Devices"', "confidence": "60"}),
        Extra("handling", "car", "limousine", {"source": '"SR4 341 Vehicles"', "confidence": "60"}),
        Extra("skills", "archery", "slings", {"source": '"SR4 110 Skills"', "confidence": "60"}),
        Extra("spells", "manabolt", "mana dart"),
        Extra("spells", "powerball", "power wave"),
        Extra("programs", "attack", "area attack"),
        Extra("traditions", "hermetic", "runic"),
        Extra("sheets", "ganger", "bouncer"),
        Extra("sheets", "security-door", "blast-door"),
    ),
}
"""Additional rows of open tables, by ruleset. Not of closed tables: printed modifiers, locations, results of dice, words of charts; nor of
printings, each of which some scenario must play."""


def place_of(game: str) -> Path:
    """Returns the folder of a ruleset, from the project's root."""
    return folder_of(game).relative_to(ROOT)


def add(root: Path, game: str, extra: Extra) -> None:
    """Adds a row to a table, or to the ready sheets, of the copy."""
    folder = root / place_of(game)
    path = folder / f"{extra.table}.toml" if extra.table == "sheets" else folder / "tables" / f"{extra.table}.toml"
    text = path.read_text()
    added = _sheet(text, extra) if extra.table == "sheets" else _row(text, extra)
    path.write_text(added)


def _row(text: str, extra: Extra) -> str:
    row = rf'^\[\[row\]\]\nname = "{re.escape(extra.like)}"\n(?:[^\n]+\n)*'
    found = re.search(row, text, flags=re.MULTILINE)
    if found is None:
        raise SystemExit(f"{extra.table} has no row {extra.like!r}")
    lines = [line for line in found[0].splitlines() if line.partition(" = ")[0] not in extra.columns]
    lines[1] = f'name = "{extra.name}"'
    lines += [f"{column} = {value}" for column, value in extra.columns.items() if value]
    return text[: found.end()] + "\n" + "\n".join(lines) + "\n\n" + text[found.end() :].lstrip("\n")


def _sheet(text: str, extra: Extra) -> str:
    """Adds a copy of a sheet with its nested tables, under another name."""
    part = rf"^\[{re.escape(extra.like)}(\.[^\]]*)?\]\n(?:(?!\[)[^\n]*\n)*"
    found = [match[0] for match in re.finditer(part, text + "\n", flags=re.MULTILINE)]
    if not found:
        raise SystemExit(f"there is no ready sheet {extra.like!r}")
    return text + "\n" + "\n".join(each.replace(f"[{extra.like}", f"[{extra.name}", 1) for each in found)


def copied(to: Path) -> Path:
    """Copies the files that the tests need."""
    root = to / "affray"
    kept = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis", ".benchmarks")
    shutil.copytree(ROOT, root, ignore=kept)
    return root


def tested(root: Path, *arguments: str) -> str:
    """Runs tests of the copy, and returns the lines about failures."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", *arguments]
    here = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=here, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "E  "))]
    return "\n".join(lines or [done.stdout[-2000:] + done.stderr[-2000:]])


def near(game: str) -> list[str]:
    """Returns the tests of a ruleset's tables."""
    return [f"tests/{place_of(game)}/test_tables.py", "tests/machines/contract/test_tables.py"]


def in_turn(folder: Path) -> bool:
    """Adds one row after the other; prints how the near tests went, and returns whether they all passed."""
    root, well = copied(folder), True
    for game, extras in EXTRAS.items():
        kept = folder / game
        shutil.copytree(root / place_of(game), kept)
        for extra in extras:
            for each in (*(one for one in extras if one.name == extra.needs), extra):
                add(root, game, each)
            failed = tested(root, *near(game))
            well = well and not failed
            print(f"{'FAILED' if failed else 'passed'}  {game:17} {extra.table:22} {extra.name}", flush=True)
            if failed:
                print(failed)
            shutil.copytree(kept, root / place_of(game), dirs_exist_ok=True)
    return well


def at_once(folder: Path, tests: Sequence[str]) -> bool:
    """Adds all rows and runs these tests; prints what failed, and returns whether they all passed."""
    root = copied(folder)
    for game, extras in EXTRAS.items():
        for extra in extras:
            add(root, game, extra)
    failed = tested(root, *tests)
    print(failed or "passed")
    return not failed


if __name__ == "__main__":
    first, *others = sys.argv[1:] or [""]
    with tempfile.TemporaryDirectory() as made:
        sys.exit(not (at_once(Path(made), others) if first == "--all" else in_turn(Path(made))))
