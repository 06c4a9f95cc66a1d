"""Figures of Shadowrun: firing modes and recoil."""

from typing import Any

import pytest
from rules.figures import refused
from rules.fourth_edition import ROWS, Cases, Table, attack, attacker, person, shot, table_of

CASES = Cases()
POOL = 40
MISSED = {"to-hit": 0, "defend": 0}

# ------------------------------------------------------------------------------------------------ recoil


def recoils(*modes: str, run: bool = False, **weapon: Any) -> list[int]:
    """What recoil takes from each of these, one after the other in one phase, and running with it."""
    before = [("move", {"how": "run"})] if run else []
    table = table_of(weapon=weapon, pool=POOL, before=before)
    for mode in modes:
        shot(table, {"mode": mode}, MISSED)
    return [pool - POOL for pool in table.pools("to-hit")]


def two_phases() -> list[int]:
    """A short burst in one phase, and one in the next."""
    table = shot(table_of(weapon={"recoil": 1}, pool=POOL), {"mode": "burst"}, MISSED)
    shot(table.next_turn("ann"), {"mode": "burst"}, MISSED)
    return [pool - POOL for pool in table.pools("to-hit")]


B, L, F, S = "burst", "long burst", "full burst", "semi"
CASES.row("RCL01", [-1, -4], lambda: recoils(B, B, recoil=1))
CASES.row("RCL02", [0, -3], lambda: recoils(B, B, recoil=2))
CASES.row("RCL03", [0, -2], lambda: recoils(B, B, recoil=3))
CASES.row("RCL04", [[0, 0], [0, 0]], lambda: [recoils(B, B, recoil=5), recoils(B, B, recoil=7)])
CASES.row("RCL05", [-2, -5], lambda: recoils(B, B))
CASES.row("RCL06", [[0, -1], [0, 0]], lambda: [recoils(S, S), recoils(S, S, recoil=1)])
CASES.row("RCL07", [0, -2], lambda: recoils(S, B, recoil=1))
CASES.row("RCL08", [[-5], [-3], [0], [0]], lambda: [recoils(L, recoil=rc) for rc in (0, 2, 5, 8)])
CASES.row("RCL09", [-3, -6], lambda: recoils(L, B, recoil=2))
CASES.row("RCL10", [0, -6], lambda: recoils(B, L, recoil=2))
CASES.row("RCL11", [-2, -8], lambda: recoils(B, L))
CASES.row("RCL12", [[-9], [-5], [0]], lambda: [recoils(F, recoil=rc) for rc in (0, 4, 9)])
CASES.row("RCL13", [-1, -1], two_phases)
CASES.row("RCL14", [0, -6], lambda: recoils(B, B, recoil=2, heavy=True))
CASES.row("RCL15", [-2, -8], lambda: recoils(B, B, recoil=1, heavy=True))
CASES.row("RCL16", [[-12], [0]], lambda: [recoils(F, recoil=rc, heavy=True) for rc in (3, 9)])
CASES.row("RCL17", [[-10], [0]], lambda: [recoils(L, recoil=rc, heavy=True) for rc in (0, 6)])
CASES.row("RCL18", [-4], lambda: recoils(F, recoil=2, gyro=3))
CASES.row("RCL19", [-1], lambda: recoils(B, run=True, gyro=3))
CASES.row("RCL20", [0, 0], lambda: recoils(B, B, gyro=5))

# ------------------------------------------------------------------------------------------------ rounds, actions


def fired(mode: str) -> int:
    """Rounds that it takes from a magazine."""
    table = table_of(weapon={"ammo": 50})
    if mode == "suppressive":
        table.declare("suppress", "ann", using="it")
    else:
        shot(table, {"mode": mode})
    return 50 - table.left("ann", "it")


def cost(mode: str) -> list[str]:
    """The actions that it takes."""
    if mode == "suppressive":
        return table_of().declare("suppress", "ann", using="it").spent("ann")
    return attack({"mode": mode}).spent("ann")


def in_a_phase(mode: str, then: str = "") -> tuple[int, bool]:
    """How often in one phase, until it is refused; and may something else go with it?"""
    table, count = table_of(), 0
    while not refused(lambda: shot(table, {"mode": mode}, MISSED)):
        count += 1
    beside = not refused(lambda: shot(table_of(before=[("attack", {**AT, "mode": mode})]), {"mode": then or mode}))
    return count, beside


AT = {"at": "bob", "using": "it"}


def narrow(mode: str, left: int | None = None) -> tuple[int, int, int]:
    """What a narrow burst adds to the damage, the defense against 10, recoil."""
    return _burst(mode, left, wide=False)


def wide(mode: str, left: int | None = None) -> tuple[int, int, int]:
    """The same of a wide one."""
    return _burst(mode, left, wide=True)


def _burst(mode: str, left: int | None, *, wide: bool) -> tuple[int, int, int]:
    weapon = {} if left is None else {"ammo": 40}
    adjust = [] if left is None else [("ann", "resources.it", left)]
    answers = {"to-hit": 3, "defend": 0}
    table = attack({"mode": mode, "wide": wide}, answers, weapon=weapon, adjust=adjust, pool=POOL, bob={"reaction": 10})
    damage = table.figure("dv") - table.figure("net hits")
    return damage, table.pool("defend"), table.pool("to-hit") - POOL


def short_of(mode: str, left: int) -> tuple[int, int, int]:
    """With so many rounds left: recoil; what a narrow one adds to the damage; what a wide one takes."""
    recoil = narrow(mode, left)[2]
    assert recoil == wide(mode, left)[2]
    assert narrow(mode, left)[1] == 10
    assert wide(mode, left)[0] == 5
    return recoil, narrow(mode, left)[0] - 5, wide(mode, left)[1] - 10


CASES.row("RCL21", [1, 1, 3, 6, 10, 20], lambda: [fired(mode) for mode in ("single", S, B, L, F, "suppressive")])
CASES.row("RCL22", [["simple"]] * 4 + [["complex"]] * 2, lambda: [
    cost(mode) for mode in ("single", S, B, L, F, "suppressive")
])  # fmt: skip
CASES.row("RCL23", [1, 2, 2, 1, True], lambda: [
    *(in_a_phase(mode)[0] for mode in ("single", S, B, L)), in_a_phase(L, B)[1],
])  # fmt: skip
CASES.row("RCL24", False, lambda: in_a_phase(L)[1])
CASES.row("RCL25", [(7, 10), (10, 10), (14, 10)], lambda: [narrow(mode)[:2] for mode in (B, L, F)])
CASES.row("RCL26", [(5, 8), (5, 5), (5, 1)], lambda: [wide(mode)[:2] for mode in (B, L, F)])
CASES.row("RCL27", (-1, 1, -1), lambda: short_of(B, 2))
CASES.row("RCL28", (0, 0, 0), lambda: short_of(B, 1))
CASES.row("RCL29", [(-4, 4, -4), (-3, 3, -3)], lambda: [short_of(L, 5), short_of(L, 4)])
CASES.row("RCL30", (True, (-2, 2, -2)), lambda: (refused(lambda: narrow(L, 3)), short_of(B, 3)))
CASES.row("RCL31", [(-8, 8, -8), (-7, 7, -7)], lambda: [short_of(F, 9), short_of(F, 8)])
CASES.row("RCL32", (True, -5), lambda: (refused(lambda: narrow(F, 7)), narrow(L, 7)[2]))
CASES.row("RCL33", [12, 11, 9, 6], lambda: [
    attack({"mode": mode}, weapon={"load": "tracer"}, pool=12).pool("to-hit") for mode in ("single", B, L, F)
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ at several


def suppressed(dodged: int, *, full: bool = False) -> Table:
    """Returns the test of a combatant with a number of hits against three hits of suppressive fire."""
    bob = {"reaction": 4, "edge": 3, "skills": {"dodge": 2}}
    table = table_of(weapon={"damage": "6P"}, bob=bob).declare("suppress", "ann", {"to-hit": 3}, using="it")
    if full:
        table.declare("full_defense", "bob")
    return table.declare("suppressed", "ann", {"defend": dodged}, at="bob")


def shared(*at: str) -> list[int]:
    """The rounds of each part of a full burst at several."""
    others = {"cyd": person(), "dan": person(), "eve": attacker()}
    return attack({"at": at, "mode": F}, MISSED, others=others).figures("rounds")


CASES.row("RCL34", [("hit", 6), ("miss", None)], lambda: [
    (table.figure("outcome"), table.found("dv")) for table in (suppressed(2), suppressed(3))
])  # fmt: skip
CASES.row("RCL35", [7, 9], lambda: [suppressed(2, full=each).pool("defend") for each in (False, True)])
CASES.row("RCL36", ([6, 3], [3, 3, 3], True), lambda: (
    shared("bob", "cyd"), shared("bob", "cyd", "dan"), refused(lambda: shared("bob", "cyd", "dan", "eve")),
))  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
