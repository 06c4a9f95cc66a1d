"""Figures of Shadowrun: the tests of the screen's other tables, each played."""

from collections.abc import Sequence
from typing import Any

import pytest
from rules.figures import let, refused
from rules.fourth_edition import GAME, ROWS, Cases, Table, person

from ledger.events import Json

CASES = Cases()
ABLE: Json = {"agility": 5, "reaction": 5, "intuition": 5, "logic": 5, "charisma": 5}
SKILLS = ("perception", "palming", "negotiation", "hardware", "assensing", "locksmith", "pilot ground craft")


def played(
    kind: str, answers: Any = None, /, skills: Json | None = None, bob: Json | None = None, **terms: Any
) -> Table:
    """A test with pools of ten, outside of fights."""
    sheet = terms.pop("ann", {})
    ann = person(**{**ABLE, "skills": {**dict.fromkeys(SKILLS, 5), **(skills or {})}, **sheet})
    return Table(ann=ann, bob=person(**(bob or {}))).declare(kind, "ann", answers or {}, **terms)


def needs(kind: str, **terms: Any) -> int:
    """The hits that it takes."""
    return played(kind, **terms).target("test")


def pool(kind: str, **terms: Any) -> int:
    return played(kind, **terms).pool("test")


def in_turn(kind: str, *hits: int, **terms: Any) -> tuple[str, list[tuple[int, str]]]:
    """An extended test with these hits one after the other: how it ends, and the time that it took."""
    table = played(kind, **terms)
    for nth, count in enumerate(hits, 1):
        table.answer({"test" if nth == 1 else f"test/{nth}": count, "go-on": "again"})
    return table.ended(), table.passed()


def reached(kind: str, needed: int, /, **terms: Any) -> tuple[str, str]:
    """How an extended test ends with a hit less than that, and with as many."""
    able = dict.fromkeys(SKILLS, 55)
    found = [
        played(kind, {"test": each, "go-on": "stop"}, skills=able, **terms).ended() for each in (needed - 1, needed)
    ]
    return found[0], found[1]


UNTIL = ("goes on", "success")

# ------------------------------------------------------------------------------------------------ senses, people


def notices(*modifiers: str, **terms: Any) -> int:
    return pool("perception", modifiers=modifiers, **terms)


SOCIAL_LINES: dict[str, tuple[Json, Json, Json, Json]] = {
    "con": ({"con": 4}, {"charisma": 5}, {"con": 2, "negotiation": 3}, {"charisma": 3}),
    "etiquette": ({"etiquette": 3}, {"charisma": 4}, {"perception": 4}, {"charisma": 3}),
    "intimidation": ({"intimidation": 4}, {"charisma": 4}, {"intimidation": 1}, {"willpower": 5}),
    "leadership": ({"leadership": 3}, {"charisma": 5}, {}, {"willpower": 4}),
    "negotiation": ({"negotiation": 4}, {"charisma": 5}, {"negotiation": 3}, {"charisma": 4}),
}


def people(test: str, answers: Json | None = None) -> Table:
    mine, ann, theirs, bob = SOCIAL_LINES[test]
    bob = {**bob, "skills": theirs}
    return played("social", answers, skills=mine, ann=ann, bob=bob, at="bob", test=test)


def both_pools(test: str) -> tuple[int, int]:
    return people(test).pool("test"), people(test).pool("oppose")


CASES.row("PER01", [1, 2, 3, 4], lambda: [
    needs("perception", noticing=each) for each in ("obvious", "normal", "obscured", "hidden")
])  # fmt: skip
CASES.row("PER02", [8, 13, 8, 7], lambda: [
    notices(each)
    for each in ("distracted", "actively looking or listening", "not in the immediate vicinity", "far away")
])  # fmt: skip
CASES.row("PER03", [12, 8, 4], lambda: [
    notices(each) for each in ("stands out", "interfering sight, odor or sound", "using virtual reality")
])  # fmt: skip
CASES.row("PER04", 13, lambda: notices("active enhancements", rating=3))
CASES.row("PER05", 8, lambda: notices(
    "actively looking or listening", "far away", "interfering sight, odor or sound"
))  # fmt: skip
CASES.row("SOC01", (9, 6), lambda: both_pools("con"))
CASES.row("SOC02", (7, 7), lambda: both_pools("etiquette"))
CASES.row("SOC03", (8, 6), lambda: both_pools("intimidation"))
CASES.row("SOC04", (8, 3), lambda: both_pools("leadership"))
CASES.row("SOC05", (9, 7), lambda: both_pools("negotiation"))
CASES.row(
    "SOC06", ["failure", "success"], lambda: [people("con", {"test": each, "oppose": 3}).ended() for each in (3, 4)]
)

# ------------------------------------------------------------------------------------------------ extended tests

DONE: dict[str, Any] = {"threshold": 1, "skill": "hardware"}


def takes(*intervals: str) -> list[tuple[int, str]]:
    """The time that one roll takes."""
    return [in_turn("extended", 1, interval=each, **DONE)[1][0] for each in intervals]


def task(interval: str, difficulty: str, *hits: int) -> tuple[str, list[tuple[int, str]]]:
    return in_turn("extended", *hits, skill="hardware", interval=interval, difficulty=difficulty)


def later_pools() -> list[int]:
    table = played("extended", {"test": 1, "go-on": "again"}, skill="hardware", threshold=20, skills={"hardware": 3})
    return table.pools("test") + table.pools("test/2")


def for_sale(*costs: int) -> list[tuple[int, str]]:
    return [in_turn("availability", 1, threshold=1, cost=each)[1][0] for each in costs]


CASES.row("EXT01", [(1, "turns"), (1, "minutes"), (10, "minutes"), (30, "minutes")], lambda: takes(
    "fast", "quick", "short", "average"
))  # fmt: skip
CASES.row("EXT02", [(1, "hours"), (1, "days"), (1, "weeks"), (1, "months")], lambda: takes(
    "long", "consuming", "exhaustive", "mammoth"
))  # fmt: skip
CASES.row("EXT03", [UNTIL] * 5, lambda: [
    *(reached("extended", threshold, skill="hardware", difficulty=name)
      for name, threshold in (("easy", 4), ("average", 8), ("hard", 12), ("extreme", 16))),
    reached("extended", 20, skill="hardware", difficulty="extreme", threshold=20),
])  # fmt: skip
CASES.row("EXT04", ("success", [(1, "hours")] * 3), lambda: task("long", "average", 3, 3, 2))
CASES.row("EXT05", ("success", [(10, "minutes")] * 3), lambda: task("short", "hard", 4, 4, 4))
CASES.row("EXT06", [8, 8], later_pools)
CASES.row("AVL01", [(12, "hours"), (12, "hours"), (1, "days"), (1, "days")], lambda: for_sale(1, 100, 101, 1000))
CASES.row("AVL02", [(2, "days"), (2, "days"), (1, "weeks"), (1, "weeks")], lambda: for_sale(
    1001, 10000, 10001, 500000
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ things


def hides(*items: str) -> list[int]:
    """Returns the dice that each item takes from the searcher, or adds."""
    return [pool("conceal", at="bob", item=each, bob={"skills": {"palming": 3}}) - 10 for each in items]


TINY = ("RFID tag", "bug", "slap patch", "micro-electronics", "micro-drone")
SMALL = ("hold-out pistol", "monowhip", "ammo", "credstick", "chips", "softs", "sequencer", "passkey")
HANDY = ("light pistol", "knife", "sap", "microgrenade", "flash-pak", "jammer", "minidrone")
USUAL = ("heavy pistol", "taser", "grenade", "goggles", "commlink")


def builds(*modifiers: str, logic: int = 5) -> int:
    """Returns a pool that would be ten without modifiers."""
    skill = {"hardware": 10 - logic}
    return pool("build", skill="hardware", item="simple", modifiers=modifiers, skills=skill, ann={"logic": logic})


CASES.row("CON01", ([-6] * 5, [-4] * 8), lambda: (hides(*TINY), hides(*SMALL)))
CASES.row("CON02", ([-2] * 7, [0] * 5), lambda: (hides(*HANDY), hides(*USUAL)))
CASES.row("CON03", ([2] * 3, [4] * 3, [6] * 2), lambda: (
    hides("machine pistol", "medkit", "club"), hides("SMG", "stun baton", "sword"), hides("assault rifle", "katana"),
))  # fmt: skip
CASES.row("CON04", 4, lambda: pool("conceal", at="bob", item="hold-out pistol", skills={"perception": 3}))
CASES.row("BLD01", [UNTIL] * 6, lambda: [
    *(reached("build", threshold, skill="hardware", item=name) for name, threshold in (
        ("simple", 2), ("basic", 4), ("complex", 8), ("intricate", 12), ("exotic", 16),
    )),
    reached("build", 18, skill="hardware", item="exotic", threshold=18),
])  # fmt: skip
CASES.row("BLD02", [9, 8, 7, 6, 11], lambda: [
    builds(f"{each} conditions") for each in ("distracting", "poor", "bad", "terrible", "superior")
])  # fmt: skip
CASES.row("BLD03", [8, 6, 11], lambda: [builds(f"{each} tools") for each in ("inadequate", "unavailable", "superior")])
CASES.row("BLD04", [11, 12], lambda: [builds("plans available"), builds("plans augmented reality enhanced")])
CASES.row("BLD05", [10, 10, 9, 8, 7, 6], lambda: [
    builds(MEMORY, logic=each) for each in (7, 5, 4, 3, 2, 1)
])  # fmt: skip
CASES.row("BLD06", 7, lambda: builds("bad conditions", "inadequate tools", "plans augmented reality enhanced"))
CASES.row("BLD07", 12, lambda: builds("plans available", "plans augmented reality enhanced"))
CASES.row("BLD08", ("success", [(1, "hours")] * 3), lambda: in_turn(
    "build", 3, 3, 3, skill="hardware", item="complex", modifiers=["terrible conditions"]
))  # fmt: skip
MEMORY = next(row.name for row in GAME.tables["build_modifiers"] if row.rating)
CASES.row("KNW01", [1, 2, 3, 4], lambda: [
    needs("knowledge", skill="academic knowledge: history", knowledge=f"{each} knowledge")
    for each in ("general", "detailed", "intricate", "obscure")
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ signals, vehicles


def reaches(mine: int, meters: int, theirs: int = 9) -> bool:
    sheet = {"matrix": {"signal": mine}}
    return played("signal", ann=sheet, distance=meters, signal=theirs).ended() == "in range"


def just(signals: Sequence[int], meters: Sequence[int]) -> list[tuple[bool, bool]]:
    """Does each reach so far, and a meter farther?"""
    return [(reaches(mine, far), reaches(mine, far + 1)) for mine, far in zip(signals, meters, strict=True)]


def senses(*signatures: str) -> list[int]:
    """The pool of a Sensor of 5, with Perception 5."""
    return [pool("sensor", sensor=5, signature=each) for each in signatures]


def drives(difficulty: str = "easy", terrain: str = "open") -> int:
    return needs("drive", skill="pilot ground craft", difficulty=difficulty, terrain=terrain)


def handles(*vehicles: str, skill: int = 5) -> list[int]:
    """The pool of Reaction 5 and this skill in each."""
    skills = {"pilot ground craft": skill}
    return [pool("drive", skill="pilot ground craft", vehicle=each, skills=skills) for each in vehicles]


def driven(*vehicles: str) -> list[int]:
    return [each - 10 for each in handles(*vehicles)]


REACH = (True, False)
CASES.row("SIG01", [REACH] * 5, lambda: just(range(5), (3, 40, 100, 400, 1000)))
CASES.row("SIG02", [REACH] * 5, lambda: just(range(5, 10), (4000, 10_000, 40_000, 100_000, 400_000)))
CASES.row("SIG03", [False, True], lambda: [reaches(3, 200, theirs=1), reaches(3, 200, theirs=3)])
CASES.row("SIG04", [13, 7, 7, 7, 4], lambda: senses(
    "large and oversized vehicles", "electric-powered vehicles", "metahumans and critters", "drones", "micro-drones"
))  # fmt: skip
CASES.row("SIG05", (-3, True), lambda: (senses("drones")[0] - 10, refused(
    lambda: pool("sensor", sensor=5, signature=["drones", "electric-powered vehicles"])
)))  # fmt: skip
CASES.row("VEH01", [1, 2, 3, 4], lambda: [drives(each) for each in ("easy", "average", "hard", "extreme")])
CASES.row("VEH02", [0, 1, 2, 3], lambda: [
    drives(terrain=each) - drives() for each in ("open", "light", "restricted", "tight")
])  # fmt: skip
CASES.row("VEH03", [2, 0, 3, -1, -3, 2], lambda: driven(
    "motorcycle", "car", "sports car", "truck", "18-wheeler", "autogyro"
))  # fmt: skip
CASES.row("VEH04", [0, 3, 0, -3, 3, 0], lambda: driven(
    "utility helicopter", "combat helicopter", "single-engine airplane", "jumbo jet", "jet fighter", "t-bird"
))  # fmt: skip
CASES.row("VEH05", 6, lambda: drives("hard", "tight"))
CASES.row("VEH06", [12, 8], lambda: handles("sports car", "truck", skill=4))

# ------------------------------------------------------------------------------------------------ auras


def told(hits: int) -> list[str]:
    """Returns what a number of hits reveals."""
    return str(played("assense", {"test": hits}, at="bob").figure("result")).split("; ")


def more(hits: int) -> list[str]:
    """Returns what a number of hits reveals beyond one hit less."""
    assert set(told(hits - 1)) - {"nothing"} <= set(told(hits))
    return [each for each in told(hits) if each not in told(hits - 1)]


def says(words: Sequence[str], *about: str) -> bool:
    """Is there something about each of these, and as many things as are named?"""
    return all(any(each.lower() in word.lower() for word in words) for each in about)


def follows(**terms: Any) -> int:
    """What is added to a threshold of 5: with one hit less than that it goes on."""
    sheet = {"intuition": 20}
    for extra in range(20):
        answers = {"test": 5 + extra, "go-on": "stop"}
        if played("track", answers, ann=sheet, skills={"assensing": 20}, threshold=5, **terms).ended() == "success":
            return extra
    raise AssertionError("never found")


CASES.row("ASS01", (["nothing"], True, 3), lambda: (
    told(0), says(told(1), "health", "mood", "mundane or awakened"), len(told(1)),
))  # fmt: skip
CASES.row("ASS02", (True, 3), lambda: (says(more(2), "cyberware", "kind of magic", "aura met before"), len(more(2))))
CASES.row("ASS03", True, lambda: says(more(3), "alphaware", "Essence and Magic", "Force", "illness", "signatures"))
CASES.row("ASS04", True, lambda: says(more(4), "bioware and betaware", "Essence, Magic and Force", "exactly"))
CASES.row("ASS05", (True, []), lambda: (
    says(more(5), "other implant", "feeling", "signature", "technomancer"), [each for each in told(7) if each not in told(5)],
))  # fmt: skip
CASES.row("TRC01", [1, 3, 0], lambda: [follows(hours=each) for each in (1, 3, 0)])
CASES.row("TRC02", 4, lambda: follows(barrier=4))
CASES.row("TRC03", [0, 2], lambda: [follows(spirit=f"{each} spirit") for each in ("bound", "unbound")])
CASES.row("TRC04", 9, lambda: follows(hours=3, barrier=4, spirit="unbound spirit"))
CASES.row("TRC05", [True, True], lambda: [
    let(played("track", {"test": each, "go-on": "stop"}, threshold=each), lambda table: table.ended() == "success")
    for each in (2, 7)
])  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
