"""Figures of Shadowrun: modifiers in melee and of defenses, what defends, visibility."""

from collections.abc import Sequence
from typing import Any

import pytest
from rules.figures import Answer, refused
from rules.fourth_edition import ROWS, Cases, Table, attack, attacker, defends, person, shot, table_of, to_hit

from ledger.events import Json

CASES = Cases()
MELEE: dict[str, Any] = {"kind": "melee"}

# ------------------------------------------------------------------------------------------------ melee


def reaches(mine: int, his: int, whose: str = "attacker", pool: int = 10) -> tuple[int, int]:
    """Both pools: the reach of his weapon, with which he defends with 8."""
    held = {"kind": "melee", "skill": "blades", "damage": "4P", "reach": his}
    bob = {"reaction": 5, "skills": {"blades": 3}, "weapons": {"own": held}}
    table = attack({"reach": whose}, {"defense": "blades"}, weapon={"reach": mine}, bob=bob, pool=pool, **MELEE)
    return table.pool("to-hit"), table.pool("defend")


def parries(answers: Json | None = None, **how: Any) -> int:
    """Returns the defense pool of a combatant who dodges with 8."""
    how.setdefault("bob", {"reaction": 5, "skills": {"dodge": 3}})
    return attack(how.pop("terms", {}), answers or {}, **MELEE, **how).pool("defend")


def several(count: int, *split: int) -> list[int]:
    """The pools of blows at so many at once, nine dice in all."""
    at = ["bob", "cyd", "dan"][:count]
    terms = {"at": at, **({"split": split} if split else {})}
    others = {"cyd": person(), "dan": person()}
    return attack(terms, {"to-hit": 0, "defend": 0}, pool=9, others=others, **MELEE).pools("to-hit")


def with_each(*skills: str) -> tuple[int, list[int]]:
    """Blades 4 against Reaction 4: the attack, and the defense with each of these."""
    bob = {
        "reaction": 4,
        "skills": {"blades": 3, "unarmed combat": 2, "dodge": 5},
        "weapons": {"own": {"kind": "melee", "skill": "blades", "damage": "4P"}},
    }
    ann = {"agility": 5, "skills": {"blades": 4}}
    tables = [attack({}, {"defense": each}, ann=ann, bob=bob, **MELEE) for each in skills]
    return tables[0].pool("to-hit"), [table.pool("defend") for table in tables]


CASES.alike(to_hit, {
    "MEL02": (8, {"adjust": [("ann", "tracks.physical", 3), ("ann", "tracks.stun", 3)], **MELEE}),
    "MEL08": (8, {"terms": {"modifiers": ["character using off-hand weapon"]}, **MELEE}),
    "MEL10": (12, {"terms": {"modifiers": ["character has superior position"]}, **MELEE}),
    "MEL11": (13, {"adjust": [("bob", "conditions.prone", "")], **MELEE}),
    "MEL13": (12, {"terms": {"charge": True}, **MELEE}),
    "MEL16": (7, {"terms": {"called": "more damage", "called_for": 3}, **MELEE}),
    "MEL17": (12, {"terms": {"modifiers": ["touch-only attack"]}, **MELEE}),
    "MEL18": (15, {
        "terms": {"charge": True, "friends": 2, "modifiers": ["character has superior position"]},
        "adjust": [("ann", "tracks.stun", 3)], **MELEE,
    }),
})  # fmt: skip
CASES.row("MEL01", [11, 14, 14], lambda: [to_hit(terms={"friends": each}, **MELEE) for each in (1, 4, 6)])
CASES.row("MEL03", (12, 8), lambda: reaches(2, 0))
CASES.row("MEL04", 11, lambda: reaches(2, 1)[0])
CASES.row("MEL05", [10, 10], lambda: [reaches(1, 1)[0], reaches(0, 2)[0]])
CASES.row("MEL06", (10, 6), lambda: reaches(2, 0, "defender"))
CASES.row("MEL07", 9, lambda: reaches(1, 2)[1])
CASES.row("MEL09", ([5, 4], [3, 3, 3], [7, 2], True), lambda: (
    several(2), several(3), several(2, 7, 2), refused(lambda: several(2, 7, 3)),
))  # fmt: skip
CASES.row("MEL12", (13, 6), lambda: (
    to_hit(adjust=[("bob", "conditions.prone", "")], **MELEE), parries(adjust=[("bob", "conditions.prone", "")]),
))  # fmt: skip
CASES.row("MEL14", 9, lambda: parries(terms={"charge": True}))
CASES.row("MEL15", [4, 7], lambda: [
    to_hit(terms={"visibility": "full darkness"}, ann={"vision": [sense]}, **MELEE)
    for sense in ("low-light", "thermographic")
])  # fmt: skip
CASES.row("MEL19", (9, [7, 6, 9]), lambda: with_each("blades", "unarmed combat", "dodge"))
CASES.row("MEL20", 10, lambda: parries(terms={"enemies": 2}))

# ------------------------------------------------------------------------------------------------ defenses


def unawares(hits: int) -> tuple[int, str, int]:
    """Rolls of the defender, how it ends, net hits."""
    table = attack({"unaware": True}, {"to-hit": hits})
    return table.asked("defend"), table.figure("outcome"), table.figure("net hits")


def against(mine: int, theirs: int, **how: Any) -> Table:
    """So many hits against so many."""
    how.setdefault("bob", {"reaction": 8})
    return attack({}, {"to-hit": mine, "defend": theirs, "resist": 0, "shock": 3}, **how)


def one_after_another() -> tuple[list[int], int]:
    """Ann shoots twice, Cyd once, Bob acts, Dan shoots: the defenses before he acts, and after."""
    others = {"cyd": attacker(), "dan": attacker()}
    table = Table(ann=attacker(), bob=person(reaction=8, intuition=0), **others).begin(ann=5, cyd=4, bob=3, dan=2)
    missed = {"to-hit": 0, "defend": 0}
    shot(table, {"mode": "semi"}, missed)
    shot(table, {"mode": "semi"}, missed)
    table.phase("cyd").declare("attack", "cyd", missed, at="bob", using="it")
    before = table.pools("defend")
    table.phase("dan").declare("attack", "dan", missed, at="bob", using="it")
    return before, table.pool("defend")


def runs(kind: str, **bob: Any) -> int:
    """Returns the defense pool of a combatant who ran in his phase."""
    ann = attacker(10, kind)
    table = Table(bob=person(initiative=20, **bob), ann=ann).begin().declare("move", "bob", how="run").phase("ann")
    return shot(table).pool("defend")


def wide(mode: str, own: int) -> Table:
    return attack({"mode": mode, "wide": True}, {"to-hit": 3}, bob={"reaction": own}, pool=30)


def blown_up(**weapon: Any) -> int:
    own = {"skill": "throwing weapons", "grenade": "high explosive", "modes": [], "damage": "", **weapon}
    return attack({}, bob={"reaction": 6}, weapon=own).pool("defend")


def spread_twice() -> int:
    """Running, shot at once, and then by a wide short burst."""
    table = table_of(bob={"reaction": 6}, pool=30, adjust=[("bob", "conditions.running", "")])
    shot(table, {"mode": "semi"}, {"to-hit": 0, "defend": 0})
    return shot(table, {"mode": "burst", "wide": True}).pool("defend")


def fully(kind: str = "ranged", defense: str = "dodge", options: Json | None = None, **bob: Any) -> list[int]:
    """Returns the usual defense pool, and that on full defense."""
    found = []
    for full in (False, True):
        table = table_of(kind=kind, bob=bob, options=options)
        if full:
            table.declare("full_defense", "bob")
        found.append(shot(table, {}, {"defense": defense}).pool("defend"))
    return found


def lasts() -> tuple[list[str], bool, bool]:
    """What full defense takes in one's own phase; whether it holds until the next one, and in it."""
    table = Table(ann=person(), bob=person()).begin().declare("full_defense", "ann").end("ann")
    until = table.has("ann", "full_defense")
    return table.spent("ann"), until, table.next_turn("ann").has("ann", "full_defense")


def grazes(weapon: str, **options: str) -> tuple[str, int, int]:
    """A tie: how it ends, boxes of damage, tests against electricity."""
    table = against(3, 3, weapon=weapon, options=options, bob={"reaction": 8, "skills": {"dodge": 2}})
    return table.figure("outcome"), table.found("boxes", default=0), table.asked("shock")


CASES.row("DEF01", (0, "hit", 3), lambda: unawares(3))
CASES.row("DEF02", [(0, "miss", 0), (0, "hit", 1)], lambda: [unawares(0), unawares(1)])
CASES.alike(defends, {
    "DEF03": (6, {"own": 8, "adjust": [("bob", "tracks.physical", 6)]}),
    "DEF04": (8, {"terms": {"theirs": ["defender inside a moving vehicle"]}}),
    "DEF07": (6, {"own": 8, "adjust": [("bob", "conditions.prone", "")]}),
    "DEF09": (2, {"terms": {"theirs": ["defender in melee targeted by ranged attack"]}}),
    "DEF13": (4, {"own": 6, "terms": {"theirs": ["attacker firing shotgun on medium spread"]}}),
    "DEF14": (2, {"own": 6, "terms": {"theirs": ["attacker firing shotgun on wide spread"]}}),
})  # fmt: skip
CASES.row("DEF05", [8, 7, 6], lambda: one_after_another()[0])
CASES.row("DEF06", 8, lambda: one_after_another()[1])
CASES.row("DEF08", [7, 5], lambda: [runs("ranged", reaction=5), runs("melee", reaction=3, skills={"dodge": 2})])
CASES.row("DEF10", 4, lambda: wide("burst", 6).pool("defend"))
CASES.row("DEF11", 1, lambda: wide("long burst", 6).pool("defend"))
CASES.row("DEF12", 1, lambda: wide("full burst", 10).pool("defend"))
CASES.row("DEF15", [4, 4], lambda: [blown_up(), blown_up(skill="heavy weapons", range="missile launcher")])
CASES.row("DEF16", 5, spread_twice)
CASES.row("DEF17", [5, 8], lambda: fully(reaction=5, skills={"dodge": 3}))
CASES.row("DEF18", [9, 12], lambda: fully(
    "melee", "blades", reaction=5, skills={"blades": 4, "dodge": 3}, weapons={"own": "knife"}
))  # fmt: skip
CASES.row("DEF19", [11, 8], lambda: [
    fully("melee", options={"dodging_twice": how}, reaction=5, skills={"dodge": 3})[1] for how in ("twice", "once")
])  # fmt: skip
CASES.row("DEF20", (["complex"], True, False), lasts)
CASES.row("DEF21", [("miss", 0), ("graze", 0)], lambda: [
    (against(3, 3, options={"grazing": how}).figure("outcome"), against(3, 3, options={"grazing": how}).taken("bob", "stun"))
    for how in ("off", "on")
])  # fmt: skip
CASES.row("DEF22", ([("miss", 0, 0)] * 2, [("graze", 5, 1), ("graze", 0, 0)]), lambda: tuple(
    [grazes(weapon, grazing=how) for weapon in ("shock glove", "knife")] for how in ("off", "on")
))  # fmt: skip
CASES.row("DEF23", ("hit", 1), lambda: (against(4, 3).figure("outcome"), against(4, 3).figure("net hits")))
CASES.row("DEF24", (0, 0), lambda: (wide("long burst", 5).pool("defend"), wide("long burst", 5).asked("defend")))

# ------------------------------------------------------------------------------------------------ visibility

SENSES = ("normal", "low-light", "thermographic", "ultrasound")


def sees(visibility: str, *vision: str) -> int:
    return to_hit(terms={"visibility": visibility}, ann={"vision": vision})


def by_sense(visibility: str) -> Sequence[Answer]:
    return [sees(visibility, sense) for sense in SENSES]


CASES.alike(by_sense, {
    "VIS01": ([4, 4, 7, 7], {"visibility": "full darkness"}),
    "VIS02": ([8, 10, 8, 9], {"visibility": "partial light"}),
    "VIS03": ([9, 9, 9, 10], {"visibility": "glare"}),
    "VIS04": ([8, 9, 10, 9], {"visibility": "light fog"}),
    "VIS05": ([6, 8, 8, 8], {"visibility": "heavy fog"}),
    "VIS06": ([6, 8, 4, 8], {"visibility": "thermal smoke"}),
})  # fmt: skip
CASES.row("VIS07", 10, lambda: sees("partial light", "low-light", "thermographic"))
CASES.row("VIS08", [8, 8], lambda: [sees("partial light", "normal"), sees("light fog", "normal")])


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
