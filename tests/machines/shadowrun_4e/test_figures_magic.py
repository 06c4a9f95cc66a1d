"""Figures of Shadowrun: spells, Drain, summoning, the astral plane."""

from collections.abc import Mapping
from typing import Any

import pytest
from rules.figures import Answer, let, refused
from rules.fourth_edition import ANNIVERSARY, ROWS, SCREEN, STURDY, Cases, Table, compared, person, suffers

from ledger.events import Json

CASES = Cases()
BOLT: Json = {"effect": "direct", "drain": 0}
STREAM: Json = {"effect": "indirect", "drain": 0, "ap": "-half"}

# ------------------------------------------------------------------------------------------------ spells


def mage(spell: Json | None = None, **more: Any) -> Json:
    """Magic 5, Spellcasting 4, Willpower 4, Logic 5, and one spell, ``it``."""
    skills = {"spellcasting": 4, "summoning": 4, "pistols": 5}
    usual = {"initiative": 20, "magic": 5, "willpower": 4, "logic": 5, "tradition": "hermetic"}
    return person(**{**usual, "skills": skills, "spells": {"it": spell or BOLT}, **more})


def casting(
    spell: Json | None = None,
    bob: Json | None = None,
    ann: Json | None = None,
    things: tuple[str, ...] = (),
    profile: str = "",
    **others: Json,
) -> Table:
    """Ann is about to cast."""
    theirs = (bob or {}) if things else person(**{**STURDY, **(bob or {})})
    table = Table(profile, None, things, ann=mage(spell, **(ann or {})), bob=theirs, **others)
    return table.begin().phase("ann")


def cast(
    force: int = 5,
    hits: int = 3,
    answers: Mapping[str, Answer] | None = None,
    terms: Json | None = None,
    **how: Any,
) -> Table:
    """Ann casts at Bob, with so many hits; he resists with none, and so does she the Drain."""
    said = {"cast": hits, "resist-spell": 0, "resist": 0, "drain": 0, "shock": 3, **(answers or {})}
    return casting(**how).declare("cast", "ann", said, **{"spell": "it", "force": force, "at": "bob", **(terms or {})})


def forces(*force: int) -> list[str]:
    """By Force: the kind of Drain, or that it is refused."""
    return ["refused" if refused(lambda each=each: cast(each)) else cast(each).figure("drain type") for each in force]


def drain(force: int, modifier: int) -> int:
    return int(cast(force, 1, spell={**BOLT, "drain": modifier}).figure("drain"))


def drained(force: int, modifier: int, hits: int) -> tuple[int, int]:
    """Boxes on the stun and the physical track."""
    table = cast(force, 1, {"drain": hits}, spell={**BOLT, "drain": modifier})
    return table.taken("ann", "stun"), table.taken("ann", "physical")


def told_of(table: Table) -> tuple[int, int, int]:
    """Net hits, Damage Value, boxes."""
    return table.figure("net hits"), table.figure("dv"), table.figure("boxes")


def fails(table: Table) -> bool:
    return not table.names() & {"dv", "boxes"} and table.figure("outcome") == "fails"


def protected() -> list[int]:
    """Returns the dice against an area spell of two targets with Body 4, protected by Counterspelling 3."""
    guard = person(initiative=30, magic=3, skills={"counterspelling": 3})
    cyd = person(body=4)
    table = Table(
        ann=mage({**BOLT, "area": True}),
        bob=person(body=4),
        cyd=cyd,
        guard=guard,
        options={"shared_counterspelling": "each"},
    )
    table.begin()
    table.phase("guard").declare("counterspell", "guard", protects=["bob", "cyd"]).phase("ann")
    answers = {"cast": 5, "resist-spell": 0, "drain": 0}
    return table.declare("cast", "ann", answers, spell="it", force=5, at=["bob", "cyd"]).pools("resist-spell")


def dodges(*, full: bool = False, **bob: Any) -> int:
    """The dice against an indirect spell."""
    table = casting(STREAM, bob)
    if full:
        table.declare("full_defense", "bob")
    return table.declare("cast", "ann", {"cast": 3}, spell="it", force=5, at="bob").pool("resist-spell")


def drone() -> int:
    """The dice of a drone with Response 3."""
    own = {"body": 4, "reaction": 6, "intuition": 3, "vehicle": True, "matrix": {"response": 3}}
    table = Table(ann=mage(STREAM), bob=own).begin().phase("ann")
    return table.declare("cast", "ann", {"cast": 3}, spell="it", force=5, at="bob").pool("resist-spell")


def burnt(impact: int, force: int = 3, net: int = 1, **bob: Any) -> Table:
    return cast(force, net, spell=STREAM, bob={"armor": {"impact": impact}, **bob})


def resistance(line: str, profile: str = SCREEN) -> int:
    terms = {"object_resistance": line, "at": []}
    return int(cast(5, 4, terms=terms, profile=profile).figure("object resistance"))


def at_a_brick() -> tuple[int, int, int, int]:
    """Net hits, Damage Value, boxes; rolls of the brick."""
    how: dict[str, Any] = {"bob": {"structure": 20, "barrier_armor": 2}, "things": ("bob",)}
    table = cast(5, 4, terms={"object_resistance": "manufactured low-tech objects"}, **how)
    return *told_of(table), table.asked("resist-spell") + table.asked("resist")


def at_once(*spells: tuple[int, int]) -> list[tuple[int, int]]:
    """Spells cast at once, by their dice and Drain modifiers: the dice and the Drain Value of each."""
    known = {f"s{nth}": {**BOLT, "drain": each} for nth, (_, each) in enumerate(spells)}
    table, found = casting(ann={"spells": known}), []
    for nth, (dice, _) in enumerate(spells):
        terms = {"spell": f"s{nth}", "split": dice, "spells": len(spells), "force": 4, "at": "bob"}
        table.declare("cast", "ann", {"cast": 1, "resist-spell": 0, "drain": 9}, **terms)
        found.append((table.pool("cast"), table.figure("drain")))
    return found


def sustaining(count: int, **more: Any) -> Table:
    """Returns a combatant who sustains a number of spells."""
    known = {f"s{nth}": {"effect": "other", "drain": -3, "sustained": True} for nth in range(count)}
    table = casting(ann={"spells": known, **more})
    for name in known:
        table.declare("cast", "ann", {"cast": 1, "drain": 4}, spell=name, force=1, sustain=True).next_turn("ann")
    assert not table.taken("ann", "stun")
    return table


def beside(count: int) -> int:
    return sustaining(count).declare("test", "ann", skill="pistols").pool("test")


def unmoved() -> tuple[int, int]:
    """Resisting Drain and damage while two spells are kept up."""
    table = suffers(sustaining(2, body=4, armor={"impact": 6}), "ann", 1, hits=1)
    table.declare("cast", "ann", {"cast": 1}, spell="s0", force=1)
    return table.pool("drain"), table.pool("resist")


CASES.row("SPL01", 9, lambda: cast().pool("cast"))
CASES.row("SPL02", ["stun", "physical", "physical", "refused", "refused"], lambda: forces(5, 6, 10, 11, 0))
CASES.row("SPL03", ["stun", "physical"], lambda: forces(5, 6))
CASES.row("SPL04", 3, lambda: cast(3, 5).test("cast").rolled)
CASES.row("SPL05", 5, lambda: drain(5, 3))
CASES.row("SPL06", [1, 4, 3], lambda: [drain(4, -1), drain(6, 1), drain(7, 0)])
CASES.row("SPL07", [1, 1], lambda: [drain(2, -2), drain(1, 0)])
CASES.row("SPL08", [9, 7], lambda: [
    cast(ann=each).pool("drain") for each in ({}, {"tradition": "shamanic", "charisma": 3})
])  # fmt: skip
CASES.row("SPL09", (2, 0), lambda: drained(5, 3, 3))
CASES.row("SPL10", (0, 3), lambda: drained(8, 1, 2))
CASES.row("SPL11", ((2, 7, 7), 0, 3), lambda: let(
    cast(5, 4, {"resist-spell": 2}, bob={"body": 3}),
    lambda table: (told_of(table), table.asked("resist"), table.pool("resist-spell")),
))  # fmt: skip
CASES.row("SPL12", 3, lambda: cast(spell={**BOLT, "mana": True}, bob={"body": 6, "willpower": 3}).pool("resist-spell"))
CASES.row("SPL13", ((2, 7, 7), "physical"), lambda: let(
    cast(5, 2, bob={"armor": {"impact": 12, "ballistic": 12}}), lambda table: (told_of(table), table.figure("damage type")),
))  # fmt: skip
CASES.row("SPL14", True, lambda: fails(cast(5, 3, {"resist-spell": 3})))
CASES.row("SPL15", (1, 4), lambda: told_of(cast(3, 6, {"resist-spell": 2}))[:2])
CASES.row("SPL16", [7, 7], protected)
CASES.row("SPL17", [5, 3], lambda: [dodges(reaction=5, skills={"dodge": 4}), drone()])
CASES.row("SPL18", 7, lambda: cast(5, 4, {"resist-spell": 2}, spell=STREAM).figure("dv"))
CASES.row("SPL19", 8, lambda: burnt(7, body=4).pool("resist"))
CASES.row("SPL20", [(4, 4, "stun"), (4, 4, "stun"), (4, 3, "physical")], lambda: [
    compared(burnt(each)) for each in (7, 8, 6)
])  # fmt: skip
CASES.row("SPL21", 9, lambda: dodges(full=True, reaction=5, skills={"dodge": 4}))
CASES.row("SPL22", [1, 2, 3], lambda: [
    resistance(each)
    for each in ("natural objects", "manufactured low-tech objects", "manufactured high-tech objects")
])  # fmt: skip
CASES.row("SPL23", [4, 5], lambda: [resistance("highly processed objects", each) for each in (SCREEN, ANNIVERSARY)])
CASES.row("SPL24", (2, 7, 7, 0), at_a_brick)
CASES.row("SPL25", True, lambda: fails(
    cast(5, 3, terms={"object_resistance": "manufactured high-tech objects", "at": []})
))  # fmt: skip
CASES.row("SPL26", [(5, 6), (4, 4)], lambda: at_once((5, 3), (4, 1)))
CASES.row("SPL27", [(3, 7), (3, 5), (3, 4)], lambda: at_once((3, 3), (3, 1), (3, 0)))
CASES.row("SPL28", [8, 6, 4], lambda: [beside(each) for each in (1, 2, 3)])
CASES.row("SPL29", (9, 10), unmoved)
CASES.row("SPL30", [(5, 3), (9, 7)], lambda: [
    let(
        cast(terms={"modifiers": ["target has good cover"]}, bob={"body": 3}, profile=each),
        lambda table: (table.pool("cast"), table.pool("resist-spell")),
    )
    for each in (SCREEN, ANNIVERSARY)
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ summoning


def summons(mine: int = 3, theirs: int = 0, force: int = 4) -> Table:
    answers = {"summon": mine, "spirit": theirs, "drain": 0}
    return casting().declare("summon", "ann", answers, force=force)


def services(mine: int, theirs: int) -> tuple[str, int]:
    table = summons(mine, theirs)
    return table.ended(), table.left("ann", "services of a spirit")


def manifest(dv: int, ap: str = "", **options: str) -> Table:
    """A blow at a spirit of Force 4 that has a body of 4."""
    spirit = {"force": 4, "body": 4, "reaction": 4, "intuition": 4, "immune": True}
    ann = person(
        initiative=20,
        skills={"blades": 5},
        weapons={"it": {"kind": "melee", "skill": "blades", "damage": f"{dv - 1}P", "ap": ap}},
    )
    table = Table(options=options, ann=ann, bob=spirit).begin().phase("ann")
    return table.declare("attack", "ann", {"to-hit": 1, "resist": 0}, at="bob", using="it", unaware=True)


def harmed(table: Table) -> tuple[bool, int]:
    """Is it resisted at all; the armor that counts."""
    return table.asked("resist") > 0, table.figure("armor")


CASES.row("SUM01", [9, 4], lambda: let(summons(), lambda table: [table.pool("summon"), table.pool("spirit")]))
CASES.row("SUM02", [("summoned", 2), ("no spirit", 0), ("no spirit", 0)], lambda: [
    services(4, 2), services(2, 2), services(1, 2),
])  # fmt: skip
CASES.row("SUM03", [2, 2, 6], lambda: [summons(4, each).figure("drain") for each in (0, 1, 3)])
CASES.row("SUM04", ["stun", "physical"], lambda: [summons(force=each).figure("drain type") for each in (5, 6)])
CASES.row("SUM05", [False, True], lambda: [refused(lambda each=each: summons(force=each)) for each in (10, 11)])
CASES.row("SUM06", (6, "no spirit"), lambda: let(summons(2, 3), lambda table: (table.figure("drain"), table.ended())))
CASES.row("SUM07", (False, (True, 8)), lambda: (harmed(manifest(8))[0], harmed(manifest(9))))
CASES.row("SUM08", 12, lambda: manifest(9).pool("resist"))
CASES.row("SUM09", [(True, 7), False], lambda: [
    harmed(manifest(8, "-1", immunity_ap="lowers")), harmed(manifest(8, "-1", immunity_ap="ignored"))[0],
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ the astral plane

ASTRAL: Json = {"plane": "astral", "magic": 4}


def projecting(**more: Any) -> Json:
    return person(**{**ASTRAL, "skills": {"astral combat": 3}, **more})


def meets(
    ann: Json, bob: Json, net: int = 1, *, full: bool = False, using: str = "astral combat", **terms: Any
) -> Table:
    """An attack on the astral plane."""
    table = Table(ann=ann, bob=bob).begin().phase("ann")
    if full:
        table.declare("full_defense", "bob")
    answers = {"to-hit": net, "defend": 0, "resist": 0}
    return table.declare("attack", "ann", answers, at="bob", using=using, **terms)


SPIRIT: Json = {"force": 5, "plane": "astral"}


def base(ann: Json) -> int:
    return int(meets(ann, projecting(), 1).figure("dv")) - 1


def focused(damage: str, net: int, **ann: int) -> int:
    weapon = {"kind": "weapon focus", "skill": "astral combat", "damage": damage, "focus": 1}
    return int(meets(projecting(weapons={"it": weapon}, **ann), projecting(), net, using="it").figure("dv"))


CASES.row("AST01", 7, lambda: meets(projecting(willpower=4), projecting()).pool("to-hit"))
CASES.row("AST02", [5, 8], lambda: [
    meets(projecting(), projecting(intuition=3, skills={"astral combat": 2, "dodge": 3}), full=each).pool("defend")
    for each in (False, True)
])  # fmt: skip
CASES.row("AST03", (10, 10, 15, 5), lambda: (
    meets(SPIRIT, projecting()).pool("to-hit"), meets(projecting(), SPIRIT).pool("defend"),
    meets(projecting(), SPIRIT, full=True).pool("defend"), meets(projecting(), SPIRIT).pool("resist"),
))  # fmt: skip
CASES.row("AST04", ([2, 2, 3], [3, 3]), lambda: (
    [base(projecting(charisma=each)) for each in (3, 4, 5)], [base({**SPIRIT, "force": each}) for each in (5, 6)],
))  # fmt: skip
CASES.row("AST05", 5, lambda: meets(projecting(charisma=4), projecting(), 3).figure("dv"))
CASES.row("AST06", 7, lambda: focused("5P", 2, charisma=2))
CASES.row("AST07", 6, lambda: focused("(STR/2 + 3)P", 1, strength=4, charisma=6) - 1)
CASES.row("AST08", ["stun", "physical"], lambda: [
    meets(projecting(), projecting(), harms=each).figure("damage type") for each in ("stun", "physical")
])  # fmt: skip
CASES.row("AST09", (5, 6, "stun"), lambda: compared(
    meets(projecting(charisma=4), projecting(armor={"mystic": 6}), 3, harms="physical")
))  # fmt: skip
CASES.row("RES04", [4, 7], lambda: [
    meets(projecting(), projecting(willpower=4, armor={"ballistic": 8, "impact": 8, "mystic": each})).pool("resist")
    for each in (0, 3)
])  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
