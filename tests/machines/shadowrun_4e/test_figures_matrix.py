"""Figures of Shadowrun: icons, programs, those behind them, dumpshock; alerts, searches, devices."""

from typing import Any

import pytest
from rules.figures import let, refused
from rules.fourth_edition import GAME, ROWS, Cases, Table, person

from ledger.events import Json

CASES = Cases()
NODE: Json = {"response": 4, "system": 4, "firewall": 3}

# ------------------------------------------------------------------------------------------------ attacks


def hacker(plane: str = "cold sim", **more: Any) -> Json:
    """Returns a sheet with each attacking program at 5."""
    programs = {"attack": 5, "black hammer": 5, "blackout": 5, "browse": 4}
    own = {"response": 9, "system": 4, "firewall": 4, "programs": programs}
    return person(**{"plane": plane, "matrix": own, "skills": {"cybercombat": 4, "data search": 4}, **more})


def icon(plane: str = "cold sim", programs: Json | None = None, **more: Any) -> Json:
    """Returns a combatant in the Matrix."""
    return person(**{"plane": plane, "matrix": {**NODE, "programs": programs or {}}, **more})


def strikes(
    bob: Json | None = None, net: int = 2, using: str = "attack", resisted: int = 0, *, full: bool = False, **ann: Any
) -> Table:
    """A hit with a program."""
    table = Table(ann=hacker(**ann), bob=bob or icon()).begin(ann=9 if not ann else 0).phase("ann")
    if full:
        table.declare("full_defense", "bob")
    answers = {"to-hit": net, "defend": 0, "resist": resisted, "dumpshock": 0}
    return table.declare("attack", "ann", answers, at="bob", using=using)


IC: Json = {"plane": "cold sim", "intuition": 1, "matrix": {"rating": 4, "firewall": 4, "programs": {"attack": 5}}}


def by_ic() -> int:
    table = Table(bob=IC, ann=icon()).begin().phase("bob")
    return table.declare("attack", "bob", {"to-hit": 0}, at="ann", using="attack").pool("to-hit")


def crashes(system: int, harm: int) -> bool:
    bob = icon(matrix={**NODE, "system": system})
    return Table(ann=hacker(), bob=bob).adjust("bob", "tracks.matrix", harm).has("bob", "crashed")


def kinds(using: str) -> list[str]:
    """Returns the type of damage to the person behind the icon, in hot and in cold sim."""
    return [strikes(icon(each), 2, using).figure("damage type") for each in ("hot sim", "cold sim")]


def filled(using: str, dv: int) -> tuple[int, int]:
    """Returns Stun and Physical boxes of a combatant with Willpower 3 and 8 boxes of Stun, struck in cold sim."""
    table = Table(ann=hacker(), bob=icon(willpower=3)).adjust("bob", "tracks.stun", 8).begin(ann=9).phase("ann")
    weak = {"to-hit": 1, "defend": 0, "resist": 5 + 1 - dv}
    table.declare("attack", "ann", weak, at="bob", using=using)
    assert table.figure("boxes") == dv
    return table.taken("bob", "stun"), table.taken("bob", "physical")


def hammered() -> tuple[int, int, str]:
    """Damage Value 4 in hot sim, against a filter of 5: what is compared, and what it comes to."""
    ann = hacker(matrix={"response": 9, "system": 4, "firewall": 4, "programs": {"black hammer": 3}})
    bob = icon("hot sim", {"biofeedback filter": 5})
    table = Table(ann=ann, bob=bob).begin(ann=9).phase("ann")
    table.declare("attack", "ann", {"to-hit": 1, "defend": 0, "resist": 0}, at="bob", using="black hammer")
    return table.figure("dv"), table.figure("armor"), table.figure("damage type")


CASES.row("MTX01", (9, 7), lambda: let(strikes(), lambda table: (table.pool("to-hit"), table.pool("defend"))))
CASES.row("MTX02", [10, 12], lambda: [
    strikes(each, 0, full=True).pool("defend") for each in (icon(skills={"hacking": 3}), IC)
])  # fmt: skip
CASES.row("MTX03", 7, lambda: strikes(net=2).figure("dv"))
CASES.row("MTX04", (7, 4), lambda: let(
    strikes(icon(programs={"armor": 3}), 2, resisted=3), lambda table: (table.figure("dv"), table.taken("bob", "matrix")),
))  # fmt: skip
CASES.row("MTX05", [False, True], lambda: [crashes(4, 9), crashes(4, 10)])
CASES.row(
    "MTX06", 7, lambda: strikes(icon(programs={"biofeedback filter": 3}, body=9), 2, "black hammer").pool("resist")
)
CASES.row("MTX07", ["stun", "stun"], lambda: kinds("blackout"))
CASES.row("MTX08", (10, 0), lambda: filled("blackout", 5))
CASES.row("MTX09", ["physical", "stun"], lambda: kinds("black hammer"))
CASES.row("MTX10", (10, 3), lambda: filled("black hammer", 5))
CASES.row("MTX11", (4, 5, "physical"), hammered)
CASES.row("MTX23", 9, by_ic)
CASES.row("RES05", 7, lambda: strikes(icon(programs={"armor": 3})).pool("resist"))

# ------------------------------------------------------------------------------------------------ dumpshock


def cut_off(plane: str, hits: int = 0, filtered: int = 2, **ann: int) -> Table:
    sheet = icon(plane, {"biofeedback filter": filtered}, **ann)
    return Table(ann=sheet, bob=person()).begin().declare("dumpshock", "ann", {"resist": hits})


def shocks(plane: str) -> str | tuple[int, str]:
    if refused(lambda: cut_off(plane)):
        return "none"
    return cut_off(plane).figure("dv"), cut_off(plane).figure("damage type")


def disoriented(willpower: int) -> tuple[int, int]:
    """What it takes from everything, and for how many minutes of twenty Combat Turns."""
    table = cut_off("cold sim", hits=5, willpower=willpower, filtered=5)
    turns = int(table.until("ann", "dumpshocked").removeprefix("r")) - 1
    return table.declare("test", "ann", skill="pistols").pool("test") - 4, turns // 20


CASES.row("MTX12", [(5, "physical"), (5, "stun"), "none"], lambda: [
    shocks(each) for each in ("hot sim", "cold sim", "augmented reality")
])  # fmt: skip
CASES.row("MTX13", (6, 3), lambda: let(
    cut_off("cold sim", 2, willpower=4), lambda table: (table.pool("resist"), table.taken("ann", "stun")),
))  # fmt: skip
CASES.row("MTX14", [(-2, 6), (-2, 3)], lambda: [disoriented(4), disoriented(7)])
CASES.row("RES06", (7, 7), lambda: (
    strikes(icon(programs={"biofeedback filter": 3}, body=9), 2, "black hammer").pool("resist"),
    cut_off("cold sim", filtered=3, willpower=4, body=9).pool("resist"),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ tables


def searches(*hits: int, plane: str = "cold sim", **terms: Any) -> Table:
    """A search outside of fights, with these hits one after the other."""
    table = Table(ann=hacker(plane)).declare("search", "ann", **terms)
    for nth, count in enumerate(hits, 1):
        table.answer({"test" if nth == 1 else f"test/{nth}": count, "go-on": "again"})
    return table


def threshold(difficulty: str) -> tuple[bool, bool]:
    """Returns whether the search succeeds with one hit less than the row's threshold, and with as many."""
    needs = {"easy": 2, "average": 4, "hard": 8, "extreme": 16}[difficulty]
    found = []
    for count in (needs - 1, needs):
        ann = hacker(skills={"data search": 20})
        table = Table(ann=ann).declare("search", "ann", {"test": count, "go-on": "stop"}, difficulty=difficulty)
        found.append(table.ended() == "success")
    return found[0], found[1]


def alerted(face: int) -> str:
    return str(Table(ann=person()).declare("alert", "ann", {"response": (face,)}).figure("response"))


def rating(device: str) -> float:
    """Half the dice that a device has by itself."""
    return Table(ann=person()).declare("device", "ann", device=device).pool("test") / 2


def of_example(words: str) -> float:
    """The rating of the row that names it."""
    row = next(row for row in GAME.tables["devices"] if any(words in each for each in row.examples))
    return rating(row.name)


CASES.row("MTX15", [10, 8], lambda: [searches(plane=each).pool("test") for each in ("hot sim", "cold sim")])
CASES.row("MTX16", ["launch track ic", "launch attack ic", "launch blackout or black hammer ic"], lambda: [
    alerted(each) for each in (1, 2, 3)
])  # fmt: skip
CASES.row("MTX17", ["scramble security hacker", "terminate connection", "system reset or shutdown"], lambda: [
    alerted(each) for each in (4, 5, 6)
])  # fmt: skip
CASES.row("MTX18", [(False, True)] * 4, lambda: [threshold(each) for each in ("easy", "average", "hard", "extreme")])
CASES.row("MTX19", [[(1, "passes")], [(1, "turns")], [(1, "minutes")]], lambda: [
    searches(8, difficulty="hard", area=each).passed() for each in ("same device", "same network", "entire matrix")
])  # fmt: skip
CASES.row("MTX20", ("success", [(1, "minutes")] * 3), lambda: let(
    searches(3, 3, 2, difficulty="hard"), lambda table: (table.ended(), table.passed()),
))  # fmt: skip
CASES.row("MTX21", [1, 2, 3, 4, 5, 6], lambda: [
    rating(each) for each in ("dumb", "simple", "average", "complex", "smart", "cutting-edge")
])  # fmt: skip
CASES.row("MTX22", [3, 4, 5, 6, 4, 5, 6], lambda: [
    of_example(each)
    for each in ("home", "security vehicle", "military vehicle", "credstick", "alphaware", "betaware", "deltaware")
])  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
