"""Figures of Shadowrun: success tests, glitches, Edge, bought hits, defaulting."""

from collections.abc import Sequence
from typing import Any

import pytest
from rules.figures import Answer, let, refused
from rules.fourth_edition import ROWS, Cases, Table, person

from ledger.events import Json

CASES = Cases()

# ------------------------------------------------------------------------------------------------ hits


def somebody(pool: int, **more: Any) -> Json:
    """A pool of so many dice with pistols."""
    return person(**{"agility": 1, "skills": {"pistols": pool - 1}, **more})


def rolls(faces: Answer, answers: Json | None = None, pool: int = 0, edge: int = 0, **terms: Any) -> Table:
    """A test with these faces."""
    dice = pool or (faces if isinstance(faces, int) else len(faces))
    table = Table(ann=somebody(dice, edge=edge), bob=person())
    return table.declare("test", "ann", {"test": faces, **(answers or {})}, **{"skill": "pistols", **terms})


def came(hits: int, threshold: int) -> tuple[str, int]:
    """The outcome of so many hits, and the net hits."""
    test = rolls(hits, pool=8, threshold=threshold).test("test")
    return test.outcome, test.margin


def opposed(mine: int, theirs: int) -> str:
    table = Table(ann=somebody(8), bob=somebody(8))
    table.declare("test", "ann", {"test": mine, "oppose": theirs}, skill="pistols", against="bob")
    return str(table.test("test").outcome)


def glitch(*faces: int) -> str:
    return str(rolls(faces).found("glitch", default="none"))


def whole(*faces: int, threshold: int = 0) -> tuple[str, str]:
    """Outcome and glitch."""
    table = rolls(faces, **({"threshold": threshold} if threshold else {}))
    return table.test("test").outcome, table.found("glitch", default="none")


G, C, N = "glitch", "critical glitch", "none"
CASES.row("TST01", 2, lambda: rolls((1, 2, 3, 4, 5, 6)).test("test").rolled)
CASES.row("TST02", ("success", 0), lambda: came(3, 3))
CASES.row("TST03", ("failure", -1), lambda: came(2, 3))
CASES.row("TST04", ("success", 2), lambda: came(5, 3))
CASES.row("TST05", [("success", 3), ("critical success", 4)], lambda: [came(4, 1), came(5, 1)])
CASES.row("TST06", "critical success", lambda: opposed(5, 1))
CASES.row("TST07", "failure", lambda: opposed(4, 4))
CASES.row("TST08", [1, 2, 3, 4], lambda: [
    rolls(0, pool=8, difficulty=each).target("test") for each in ("easy", "average", "hard", "extreme")
])  # fmt: skip
CASES.row("TST09", [G, N], lambda: [glitch(1, 1, 1, 5, 2, 2), glitch(1, 1, 5, 2, 2, 2)])
CASES.row("TST10", [G, N], lambda: [glitch(1, 1, 1, 5, 2), glitch(1, 1, 5, 2, 2)])
CASES.row("TST11", [G, N], lambda: [glitch(1, 1, 5, 2), glitch(1, 5, 2, 2)])
CASES.row("TST12", [G, N], lambda: [glitch(1, 1, 1, 1, 5, 2, 2), glitch(1, 1, 1, 5, 2, 2, 2)])
CASES.row("TST13", C, lambda: glitch(1))
CASES.row("TST14", (C, C), lambda: whole(1, 1, 1, 2, 3, 4))
CASES.row("TST15", ("success", G), lambda: whole(1, 1, 1, 5, 6, 2, threshold=2))
CASES.row("TST16", ("failure", G), lambda: whole(1, 1, 1, 5, 2, 3, threshold=2))
CASES.row("TST17", ("failure", N), lambda: whole(2, 3, 4, 2, 3, 4))

# ------------------------------------------------------------------------------------------------ bought hits


def buys(pool: int) -> int | None:
    """Hits that such a pool buys; None where it buys none."""
    agility = min(60, pool)
    ann = person(agility=agility, skills={"pistols": pool - agility})
    table = Table(ann=ann).declare("test", "ann", skill="pistols")
    if refused(lambda: table.declare("buy", "ann")):
        return None
    return int(table.test("test").rolled)


def unrolled() -> tuple[int, str, int]:
    """Returns the requested dice, glitch and hits of a declaration that buys hits."""
    table = Table(ann=somebody(8)).declare("test", "ann", skill="pistols", buys=True)
    return table.asked("test"), table.found("glitch", default=N), table.test("test").rolled


BOUGHT = {
    "TST18": (1, 3), "TST19": (4, 7), "TST20": (8, 11), "TST21": (12, 15), "TST22": (16, 19), "TST23": (20, 23),
    "TST24": (24, 27), "TST25": (28, 31), "TST26": (32, 35), "TST27": (36, 39), "TST28": (40, 40),
}  # fmt: skip
for _hits, (_row, _pools) in enumerate(BOUGHT.items()):
    CASES.row(_row, [_hits or None] * 2, lambda pools=_pools: [buys(each) for each in pools])
CASES.row("TST29", (0, N, 2), unrolled)

# ------------------------------------------------------------------------------------------------ Edge


def before(pool: int, edge: int, faces: Sequence[int], **answers: Answer) -> Table:
    """A point before the roll."""
    table = Table(ann=somebody(pool, edge=edge)).declare("test", "ann", skill="pistols").declare("edge", "ann")
    said = {"test": faces, **{name.replace("_", "/"): said for name, said in answers.items()}}
    return table.answer(said)


def after(use: str, faces: Sequence[int], edge: int = 2, **answers: Answer) -> Table:
    """A point after it."""
    said = {name.replace("_", "/"): each for name, each in answers.items()}
    return rolls(faces, {"test/edge": use, **said}, edge=edge)


def hopeless(modifier: int, edge: int = 0, **answers: Answer) -> Table:
    """A test of four dice with a modifier that leaves none."""
    said = {name.replace("_", "/"): each for name, each in answers.items()}
    if edge:
        said |= {"test/edge": "long_shot", "edge-dice": answers["dice"]}
    return Table(ann=somebody(4, edge=edge)).declare("test", "ann", said, skill="pistols", modifier=modifier)


def costs(table: Table) -> tuple[int, bool]:
    """The points that went, of two; and is nothing more to be had, once they are gone?"""
    used = 2 - table.left("ann", "edge")
    table.adjust("ann", "resources.edge", 0).declare("test", "ann", skill="pistols")
    return used, refused(lambda: table.declare("edge", "ann"))


def undone(*faces: int) -> str:
    """The glitch, after a point against it."""
    table = after("negate", faces)
    assert table.figures("glitch")[0] != N
    return str(table.figure("glitch"))


def burned() -> tuple[int, int]:
    """What is left of the attribute, and of its points."""
    table = (
        Table(ann=somebody(8, edge=3)).declare("test", "ann", skill="pistols").declare("burn", "ann", use="critical")
    )
    return table.combat.resources.resource("ann", "edge").of, table.left("ann", "edge")


def twice() -> tuple[bool, bool]:
    """Two points before a roll; one before and one after it: are they refused, or not offered?"""
    table = Table(ann=somebody(4, edge=3)).declare("test", "ann", skill="pistols").declare("edge", "ann")
    again = refused(lambda: table.declare("edge", "ann"))
    table.answer({"test": (1, 1, 1, 1, 2, 2, 2)})
    return again, not table.offered()


CASES.row("TST30", (3, 0), lambda: let(rolls((6, 6, 5, 1)), lambda t: (t.test("test").rolled, t.asked("sixes"))))
CASES.row("TST31", 5, lambda: before(4, 2, (6, 6, 5, 1, 2, 3), sixes=(5, 6), sixes_2=(2,)).test("test").rolled)
CASES.row("TST32", 4, lambda: after("add", (6, 5, 1, 2), **{"edge-dice": (6, 3), "sixes": (5,)}).test(
    "test"
).rolled)  # fmt: skip
CASES.row("TST33", (4, 0), lambda: let(
    after("again", (5, 6, 1, 2, 3, 4), again=(5, 1, 2, 6)), lambda t: (t.test("test").rolled, t.asked("sixes")),
))  # fmt: skip
CASES.row("TST34", [(0, 0), (0, 0)], lambda: [
    let(hopeless(each), lambda t: (t.pool("test"), t.asked("test"))) for each in (-4, -6)
])  # fmt: skip
CASES.row("TST35", ("3d6", 3), lambda: let(
    hopeless(-6, 3, dice=(6, 5, 1), sixes=(6,), sixes_2=(2,)), lambda t: (t.dice("edge-dice"), t.test("test").rolled),
))  # fmt: skip
CASES.row("TST36", ("4d6", True), lambda: let(
    hopeless(-5, 4, dice=(1, 2, 2, 2)), lambda t: (t.dice("edge-dice"), t.asked("test") == 0),
))  # fmt: skip
CASES.row("TST37", [(1, True)] * 5, lambda: [costs(table) for table in (
    before(4, 2, (1, 2, 2, 2, 2, 2)), after("add", (5, 2, 2, 2), **{"edge-dice": (2, 2)}),
    after("again", (5, 2, 2, 2), again=(2, 2, 2)), after("negate", (1, 1, 2, 5)),
    hopeless(-5, 2, dice=(2, 2)),
)])  # fmt: skip
CASES.row("TST38", [N, N], lambda: [undone(1, 1, 5, 2), undone(1, 1, 2, 2)])
CASES.row("TST39", (2, 2), burned)
CASES.row("TST40", (True, True), twice)
CASES.row("TST41", N, lambda: let(
    after("add", (1, 1, 5, 2), **{"edge-dice": (2, 2)}), lambda t: t.found("glitch", default=N),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ attributes

APART = {
    "body": 11, "agility": 12, "reaction": 13, "strength": 14, "charisma": 15, "intuition": 16, "logic": 17,
    "willpower": 18, "magic": 19, "resonance": 20,
}  # fmt: skip
"""An attribute with a distinctive value."""


def linked(skill: str, *, rated: bool = True) -> str:
    """The attribute behind a skill of 3; or behind none."""
    sheet = person(**APART, skills={skill: 3} if rated else {})
    value = Table(ann=sheet).declare("test", "ann", skill=skill).pool("test") - (3 if rated else -1)
    return next(name[:3].upper() for name, each in APART.items() if each == value)


def defaulted(skill: str) -> str:
    return "refused" if refused(lambda: linked(skill, rated=False)) else linked(skill, rated=False)


CASES.row("TST42", ["LOG", "LOG", "WIL", "REA"], lambda: [
    defaulted(each) for each in ("cybercombat", "computer", "survival", "pilot ground craft")
])  # fmt: skip
CASES.row("TST43", ["refused"] * 6, lambda: [
    defaulted(each)
    for each in ("hardware", "astral combat", "assensing", "pilot aircraft", "spellcasting", "compiling")
])  # fmt: skip
CASES.row("TST44", 4, lambda: Table(ann=person(agility=5)).declare("test", "ann", skill="pistols").pool("test"))
CASES.row("TST45", ["STR", "REA", "BOD", "AGI", "CHA", "INT", "LOG", "WIL"], lambda: [
    linked(each)
    for each in ("climbing", "dodge", "diving", "forgery", "etiquette", "perception", "cybercombat", "survival")
])  # fmt: skip
CASES.row("TST46", "LOG", lambda: defaulted("academic knowledge: history"))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
