"""Figures of Shadowrun: modifiers of ranged attacks, and range bands."""

from typing import Any

import pytest
from rules.figures import refused
from rules.fourth_edition import (
    ANNIVERSARY,
    ROWS,
    SCREEN,
    Cases,
    attack,
    cells,
    numbers,
    person,
    shot,
    table_of,
    to_hit,
)

CASES = Cases()
STEADY = {"recoil": 30}
"""A weapon whose recoil is compensated, whatever it fires."""

# ------------------------------------------------------------------------------------------------ the table


def covered(name: str, **how: Any) -> tuple[int, int]:
    """The attacker's pool, and the defender's."""
    table = attack({"modifiers": [name]}, bob={"reaction": 5}, **how)
    return table.pool("to-hit"), table.pool("defend")


def running(**weapon: Any) -> int:
    return to_hit(before=[("move", {"how": "run"})], weapon=weapon)


def seen_at(*meters: int, **weapon: Any) -> list[int]:
    return [to_hit(terms={"distance": each}, weapon={"range": "light pistol", **weapon}) for each in meters]


def two_firearms(*modifiers: str, **terms: Any) -> list[int]:
    """The pools of both weapons."""
    weapon = {"skill": "automatics", "damage": "5P", "modes": ["SS"], "recoil": 1}
    said = {"also": "other", "modifiers": modifiers, **terms}
    return attack(said, {"to-hit": 0, "defend": 0}, weapon=weapon, ann={"weapons": {"other": weapon}}).pools("to-hit")


def both_sights() -> tuple[int, bool]:
    """The pool with a smartlink, and whether a laser sight is refused beside it."""
    weapon = {"sight": "smartlink"}
    name = "attacker using laser sight"
    return to_hit(weapon=weapon), refused(lambda: to_hit(name, weapon=weapon))


def aimed(times: int, **how: Any) -> int:
    """The pool after so many Simple Actions of aiming."""
    table = table_of(**how)
    for nth in range(times):
        table.declare("aim", "ann", at="bob")
        if nth % 2:
            table.next_turn("ann")
    return shot(table).pool("to-hit")


def three_targets() -> list[int]:
    others = {"cyd": person(), "dan": person()}
    terms = {"at": ["bob", "cyd", "dan"], "mode": "full burst"}
    return attack(terms, {"to-hit": 0, "defend": 0}, weapon=STEADY, others=others).pools("to-hit")


def traced(mode: str) -> int:
    return to_hit(terms={"mode": mode}, weapon={"load": "tracer", **STEADY})


def fired(*modes: str, pool: int = 40, options: Any = None, **weapon: Any) -> list[int]:
    """The pools of these, one after the other in one phase."""
    table = table_of(weapon=weapon, pool=pool, options=options)
    for mode in modes:
        shot(table, {"mode": mode}, {"to-hit": 0, "defend": 0})
    return table.pools("to-hit")


def kicks(*modes: str) -> list[int]:
    """The recoil of each by itself."""
    return [pool - 40 for pool in fired(*modes, options={"recoil": "each_attack"})]


def blindly(pool: int, edge: int) -> Any:
    """Dice that are rolled for it, and what may be done about it."""
    table = attack({"modifiers": ["target hidden (blind fire)"], "unaware": True}, pool=pool)
    assert table.pool("to-hit") == 0
    answers = {"to-hit/edge": "long_shot"}
    edgy = attack({"modifiers": ["target hidden (blind fire)"]}, answers, pool=pool, ann={"edge": edge})
    return table.asked("to-hit"), edgy.dice("edge-dice")


CASES.row("RNG01", 8, running)
CASES.alike(to_hit, {
    "RNG02": (7, {"terms": {"modifiers": ["attacker in melee combat"]}}),
    "RNG03": (7, {"terms": {"modifiers": ["attacker in a moving vehicle"]}}),
    "RNG06": (4, {"terms": {"modifiers": ["target hidden (blind fire)"]}}),
    "RNG07": (9, {"terms": {"modifiers": ["attacker firing from cover"]}}),
    "RNG08": (7, {"adjust": [("ann", "tracks.physical", 6), ("ann", "tracks.stun", 3)]}),
    "RNG09": (11, {"weapon": {"sight": "laser sight"}}),
    "RNG10": (12, {"weapon": {"sight": "smartlink"}}),
    "RNG16": (8, {"terms": {"modifiers": ["attacker using off-hand weapon"]}}),
    "RNG20": (6, {"terms": {"called": "more damage", "called_for": 4}}),
    "RNG30": (10, {"terms": {"mode": "burst"}, "weapon": {"recoil": 2}}),
    "RNG32": (8, {"terms": {"visibility": "partial light"}}),
    "RNG33": (5, {
        "terms": {"modifiers": ["target has good cover"], "distance": 40}, "before": [("move", {"how": "run"})],
        "weapon": {"sight": "smartlink", "range": "smg"},
    }),
})  # fmt: skip
for _row, _name, _each in (
    ("RNG04", "target has partial cover", [(8, 5), (10, 7)]),
    ("RNG05", "target has good cover", [(6, 5), (10, 9)]),
):
    CASES.row(_row, _each, lambda name=_name: [covered(name, profile=printing) for printing in (SCREEN, ANNIVERSARY)])
CASES.row("RNG11", (12, True), both_sights)
CASES.row("RNG12", [10, 10, 10, 10], lambda: seen_at(5, 15, 30, 50, magnification=True))
CASES.row("RNG13", [10, 9, 8, 7], lambda: seen_at(5, 15, 30, 50))
CASES.row("RNG14", [5, 5], two_firearms)
CASES.row("RNG15", ([6, 4], True), lambda: (two_firearms(split=[6, 4]), refused(lambda: two_firearms(split=[6, 5]))))
CASES.row("RNG17", [5, 3], lambda: two_firearms("attacker using off-hand weapon"))
CASES.row("RNG18", [11, 12], lambda: [aimed(1), aimed(2)])
CASES.row("RNG19", [16, 13], lambda: [aimed(6), aimed(6, options={"aiming": "half_skill"})])
CASES.row("RNG21", [10, 8, 6], three_targets)
CASES.row("RNG22", 11, lambda: traced("burst"))
CASES.row("RNG23", 12, lambda: traced("long burst"))
CASES.row("RNG24", 13, lambda: traced("full burst"))
CASES.row("RNG25", [10, 9], lambda: fired("semi", "semi", pool=10))
CASES.row("RNG26", [-2, -3], lambda: kicks("burst", "burst"))
CASES.row("RNG27", [-5, -6], lambda: [kicks("long burst")[0], kicks("burst", "long burst")[1]])
CASES.row("RNG28", [1], lambda: fired("full burst", pool=10))
CASES.row("RNG29", [[6], [8], [10]], lambda: [fired("burst", pool=10, heavy=True, recoil=rc) for rc in (0, 1, 2)])
CASES.row("RNG31", 10, lambda: running(gyro=3))
CASES.row("RNG34", [(0, "3d6"), (0, "3d6")], lambda: [blindly(pool, 3) for pool in (6, 5)])

# ------------------------------------------------------------------------------------------------ range bands

BANDS = {
    "BND01": "taser", "BND02": "hold-out pistol", "BND03": "light pistol", "BND04": "heavy pistol",
    "BND05": "machine pistol", "BND06": "smg", "BND07": "assault rifle", "BND08": "shotgun (flechette)",
    "BND09": "shotgun (slug)", "BND10": "sporting rifle", "BND11": "sniper rifle", "BND12": "light machine gun",
    "BND13": "medium or heavy machine gun", "BND14": "assault cannon", "BND15": "grenade launcher",
    "BND16": "missile launcher", "BND17": "bow", "BND18": "light crossbow", "BND19": "medium crossbow",
    "BND20": "heavy crossbow", "BND21": "thrown knife", "BND22": "shuriken", "BND23": "standard grenade",
    "BND24": "aerodynamic grenade",
}  # fmt: skip
"""By row: the line of the Weapon Range Table."""


def at_range(name: str, meters: int, strength: int = 4, **weapon: Any) -> int | str:
    """What the distance takes; out of range where it is refused."""
    own = {"range": name, **weapon}

    def pool() -> int:
        return to_hit(terms={"distance": meters}, kind="thrown", weapon=own, ann={"strength": strength})

    return "out" if refused(pool) else pool() - 10


for _row, _name in BANDS.items():
    _, _, _meters, _less, _ = cells(_row)
    CASES.row(
        _row,
        [each if each == "out" else int(each) for each in _less.split(" / ")],
        lambda name=_name, meters=_meters: [at_range(name, each) for each in numbers(meters)],
    )
CASES.row("BND25", ["out", "out"], lambda: [at_range("grenade launcher", 4), at_range("missile launcher", 19)])
CASES.row("BND26", -1, lambda: at_range("bow", 60, strength=6, strength_minimum=4))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
