"""Figures of Shadowrun: Initiative, actions, surprise, movement."""

from typing import Any

import pytest
from rules.figures import let, refused
from rules.fourth_edition import ROWS, Cases, Table, attacker, person, shot, table_of

from ledger.commands import BeginCombat, TypeDice
from ledger.events import Json, PassBegan, TurnBegan

CASES = Cases()
QUICK: Json = {"reaction": 4, "intuition": 3}

# ------------------------------------------------------------------------------------------------ the score


def initiative(hits: int = 2, plane: str = "physical", harm: int = 0, **figures: Any) -> tuple[int, int, int]:
    """Dice, score, passes."""
    sheet = person(**{**QUICK, "plane": plane, "passes": 1, **figures})
    table = Table(ann=sheet).adjust("ann", "tracks.physical", harm).begin(ann=hits)
    return table.pool("initiative"), table.score("ann"), table.figure("passes")


def mid_turn() -> tuple[int, int]:
    """The score of 9 before and after six boxes of Stun."""
    table = Table(ann=person(**QUICK, willpower=6)).begin(ann=2)
    return table.score("ann"), table.adjust("ann", "tracks.stun", 6).score("ann")


def acts_at(stun: int) -> tuple[int, bool]:
    """A score of 2, less what so many boxes take; does he act?"""
    slow = person(reaction=1, intuition=1, willpower=6)
    table = Table(ann=person(), bob=slow).adjust("bob", "tracks.stun", stun).begin(ann=5, bob=0)
    table.next_turn(ann=5, bob=0)
    return table.figures("score")[1], table.phases("bob") == 1


def passes(own: int, *, paid: bool = False) -> tuple[int, int]:
    """Returns a combatant's Action Phases in one Combat Turn, and the Edge spent on one more, if it was possible."""
    table = Table(ann=person(passes=own, edge=1), bob=person()).begin()
    if paid and not refused(lambda: table.declare("extra_pass", "ann")):
        assert table.left("ann", "edge") == 0
    table.next_turn()
    return table.phases("ann") - (table.combat.turn.who == "ann"), 1 - table.left("ann", "edge")


def paying() -> list[str]:
    """Returns the order of scores 9 and 7 when the second pays Edge before the first phase."""
    ann, bob = person(**QUICK), person(**QUICK, edge=1)
    table = Table(ann=ann, bob=bob).do(BeginCombat({})).declare("go_first", "bob")
    for rest in table.combat.rests:
        table.do(TypeDice(rest.key, table.dice_for(rest, {"ann": 2, "bob": 0}[rest.by])))
    table.answer({}).end("bob", "ann")
    assert [table.figures("score")[nth] for nth in (0, 1)] == [9, 7]
    return list(table.moments())[:2]


def in_the_second_pass() -> list[str]:
    ann, bob = person(reaction=6, intuition=6), person(reaction=4, intuition=4, passes=2)
    table = Table(ann=ann, bob=bob).begin(ann=0, bob=0).next_turn()
    number, found = 0, []
    for event in table.events:
        number = event.number if isinstance(event, PassBegan) else number
        if isinstance(event, TurnBegan) and number == 2:
            found.append(event.who)
    return found


def tie(one: Json, other: Json, ties: str = "broken", **hits: Any) -> tuple[list[int], list[str]]:
    """The scores; who acts first."""
    table = Table(options={"initiative_ties": ties}, ann=person(**one), bob=person(**other)).begin(**hits)
    return sorted(table.combat.initiative.scores.values()), table.order()


def tied_in_score() -> tuple[list[int], list[str], list[str]]:
    """Where nothing hangs on the order it is that in which they came, whatever their Edge."""
    one, other = {**QUICK, "edge": 2}, {**QUICK, "edge": 3}
    found = tie(one, other, "simultaneous", ann=2, bob=2)
    table = Table(options={"initiative_ties": "simultaneous"}, ann=person(**one), bob=person(**other)).begin(
        ann=2, bob=2
    )
    table.end("ann", "bob")
    return *found, list(table.moments())[:2]


GLITCHED = (1, 1, 1, 1, 5, 5, 2)
"""Two hits, and four ones of seven dice."""


def glitches(**options: str) -> list[str]:
    ann, bob = person(**QUICK), person(**QUICK)
    return Table(options=options, ann=ann, bob=bob).begin(ann=GLITCHED, bob=2).order()


def critically(**options: str) -> tuple[int, list[str], int]:
    """Returns the score of a critical glitch, the order, and the phases in the turn."""
    ann = person(reaction=6, intuition=6, passes=2)
    bob, cyd = person(reaction=4, intuition=3), person(reaction=4, intuition=2)
    table = Table(options=options, ann=ann, bob=bob, cyd=cyd).begin(ann=(1,) * 12, bob=2, cyd=2)
    score, order = table.score("ann"), table.order()
    while table.combat.clock.round == 1:
        table._pass()
    return score, order, table.phases("ann")


COLD: Json = {"matrix": {"response": 5, "system": 3, "firewall": 3}, "intuition": 3}
CASES.row("INI01", (7, 9, 1), initiative)
CASES.row("INI02", (7, 7, 1), lambda: initiative(0))
CASES.row("INI03", (7, 9, 3), lambda: initiative(plane="augmented reality", passes=3, **COLD))
CASES.row("INI04", (8, 10, 2), lambda: initiative(plane="cold sim", **COLD))
CASES.row("INI05", (9, 11, 3), lambda: initiative(plane="hot sim", **COLD))
CASES.row("INI06", (8, 10, 3), lambda: initiative(plane="astral", intuition=4, magic=4))
CASES.row("INI07", (7, 8), lambda: initiative(harm=3)[:2])
CASES.row("INI08", (9, 7), mid_turn)
CASES.row("INI09", [(0, False), (-1, False), (1, True)], lambda: [acts_at(each) for each in (6, 9, 3)])
CASES.row("INI10", [1, 3, 4], lambda: [passes(1)[0], passes(3)[0], passes(4, paid=True)[0]])
CASES.row("INI11", [(2, 1), (4, 0)], lambda: [passes(1, paid=True), passes(4, paid=True)])
CASES.row("INI12", ["bob", "ann"], paying)
CASES.row("INI13", ["bob"], in_the_second_pass)
CASES.row("INI14", ([9, 9], ["ann", "bob"], ["ann", "bob"]), tied_in_score)
CASES.row("INI15", ([9, 9], ["bob", "ann"]), lambda: tie({**QUICK, "edge": 2}, {**QUICK, "edge": 3}, ann=2, bob=2))
CASES.row("INI16", ([10, 10], ["bob", "ann"]), lambda: tie(
    {"reaction": 4, "intuition": 3, "edge": 3}, {"reaction": 4, "intuition": 4, "edge": 3}, ann=3, bob=2
))  # fmt: skip
CASES.row("INI17", ([10, 10], ["bob", "ann"]), lambda: tie(
    {"reaction": 4, "intuition": 4, "edge": 3}, {"reaction": 5, "intuition": 3, "edge": 3}, ann=2, bob=2
))  # fmt: skip
CASES.row("INI18", [["bob", "ann"], ["ann", "bob"]], lambda: [
    glitches(initiative_glitch=how) for how in ("used", "ignored")
])  # fmt: skip
CASES.row("INI19", [(12, ["bob", "cyd", "ann"], 1), (12, ["ann", "bob", "cyd"], 2)], lambda: [
    critically(initiative_glitch=how) for how in ("used", "ignored")
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ actions


def may(*kinds: str) -> list[bool]:
    """Is each of these, one after the other in one phase, granted?"""
    table = table_of()
    return [not refused(lambda kind=kind: table.declare(kind, "ann")) for kind in kinds]


def free_later() -> list[bool]:
    """A Free Action in Bob's phase, another; one in the next turn before one's own phase, one in it."""
    table = Table(ann=person(), bob=person(passes=2)).begin().end("ann")
    found = [not refused(lambda: table.declare("free", "ann")) for _ in range(2)]
    kept = Table(ann=person(), bob=person()).begin().next_turn(ann=2, bob=5)
    assert kept.combat.turn.who == "bob"
    return [*found, *(not refused(lambda who=who: kept.phase(who).declare("free", "ann")) for who in ("bob", "ann"))]


def a_minute() -> int:
    """Returns the Combat Turns for which Willpower 9 is disoriented: one minute."""
    table = Table(ann=person(willpower=9, matrix={"response": 3}, plane="cold sim"), bob=person()).begin()
    table.declare("dumpshock", "ann", {"resist": 0})
    return int(table.until("ann", "dumpshocked").removeprefix("r")) - 1


CASES.row("INI20", ([True, True, False], [True, False], [True, False], [True, False]), lambda: (
    may("simple", "simple", "simple"), may("complex", "complex"), may("complex", "simple"), may("simple", "complex"),
))  # fmt: skip
CASES.row("INI21", [True, False, False, True], free_later)
CASES.row("INI22", (2, 20), lambda: (Table(ann=person()).begin().next_turn().asked("initiative"), a_minute()))

# ------------------------------------------------------------------------------------------------ surprise


def pool_of(who: str, *how: str) -> int:
    """Returns the surprise pool in a situation."""
    situation = {"surprise": True, **{each: [who] for each in how}}
    table = Table(bob=person(), ann=person(**QUICK)).begin(situation, ann_surprise=0, bob_surprise=0)
    return table.figure("pool", f"{who}/surprise")


def met(ambushers: tuple[str, ...] = (), **hits: int) -> Table:
    """These meet, with so many hits each; Ann, whose score is the highest, acts."""
    situation = {"surprise": True, "ambushers": list(ambushers)}
    sheets = {who: attacker(kind="melee", reaction=6, skills={"dodge": 3}) for who in hits}
    first = next(iter(hits))
    sheets[first]["initiative"] = 20
    return Table(**sheets).begin(situation, **{f"{who}_surprise": each for who, each in hits.items()})


def by_whom(table: Table) -> dict[str, str]:
    """Returns who surprised each combatant."""
    return {who: str(table.combat.figures.of(who, "surprised by") or "") for who in table.combat.roster.who}


def defended(table: Table, by: str, at: str) -> bool:
    """Returns whether a defense is rolled."""
    before = table.asked("defend")
    table.phase(by).declare("attack", by, {"to-hit": 1, "defense": "dodge"}, at=at, using="it")
    return table.asked("defend") > before


def partly() -> list[tuple[bool, bool]]:
    """Cyd against Ann, and against Bob: may they attack, and defend?

    Bob, who is surprised by Cyd, cannot attack them: Dan, who is not surprised by Cyd, attacks in his place.
    """
    hits = {"cyd": 3, "ann": 4, "bob": 2, "dan": 3}
    return [
        (
            not refused(lambda at=at: met(**hits).declare("attack", "cyd", at=at, using="it")),
            defended(met(**hits), by, "cyd"),
        )
        for at, by in (("ann", "ann"), ("bob", "dan"))
    ]


def in_pass_two() -> tuple[bool, bool]:
    """Bob was surprised by Ann: may he attack her in the second pass, and defend?"""
    sheets = {who: attacker(kind="melee", passes=2, skills={"dodge": 3}) for who in ("ann", "bob")}
    table = Table(**sheets).begin({"surprise": True}, ann_surprise=3, bob_surprise=2).end("ann", "bob")
    assert table.combat.clock.number == 2
    answers = {"to-hit": 0, "defend": 0, "defense": "dodge"}
    table.declare("attack", "ann", answers, at="bob", using="it").end("ann")
    found = table.asked("defend") == 1
    return not refused(lambda: table.declare("attack", "bob", answers, at="ann", using="it")), found


CASES.row("SUR01", [7, 10, 13], lambda: [pool_of("ann"), pool_of("ann", "alert"), pool_of("ann", "ambushers")])
CASES.row("SUR02", 13, lambda: pool_of("ann", "alert", "ambushers"))
CASES.row("SUR03", {"ann": "", "bob": "ann"}, lambda: by_whom(met(ann=3, bob=2)))
CASES.row("SUR04", {"ann": "", "bob": ""}, lambda: by_whom(met(ann=3, bob=3)))
CASES.row("SUR05", {"ann": "", "bob": "ann, cyd", "cyd": "ann"}, lambda: by_whom(met(ann=4, bob=2, cyd=3)))
CASES.row("SUR06", [(False, False), (True, True)], partly)
CASES.row("SUR07", {"ann": "", "bob": ""}, lambda: by_whom(met(("ann",), ann=1, bob=4)))
CASES.row("SUR08", (False, 1), lambda: let(
    met(ann=3, bob=2), lambda table: (defended(table, "ann", "bob"), table.figure("net hits")),
))  # fmt: skip
CASES.row("SUR09", (True, True), in_pass_two)

# ------------------------------------------------------------------------------------------------ movement

METATYPES = ("human", "elf", "ork", "dwarf", "troll")


def moves(metatype: str, how: str) -> int:
    return int(table_of(ann={"metatype": metatype}, before=[("move", {"how": how})]).figure("meters"))


def in_each_pass() -> tuple[int, bool]:
    """A human with two passes runs: all of it in the first, and may they run in the second?"""
    table = Table(ann=person(passes=2), bob=person()).begin().declare("move", "ann", how="run")
    first = table.figure("meters")
    return first, refused(lambda: table.end("ann", "bob").declare("move", "ann", how="run"))


def on_the_run() -> tuple[int, int]:
    """The attack with ten dice, the defense with Reaction 5."""
    table = table_of(before=[("move", {"how": "run"})], bob={"initiative": 10})
    shoots = shot(table, {}, {"to-hit": 0}).pool("to-hit")
    other = table_of(bob={"reaction": 5, "initiative": 30}, ann={"initiative": 1})
    other.next_turn("bob").declare("move", "bob", how="run")
    return shoots, shot(other.phase("ann")).pool("defend")


CASES.row("MOV01", [10, 10, 10, 8, 15], lambda: [moves(each, "walk") for each in METATYPES])
CASES.row("MOV02", [25, 25, 25, 20, 35], lambda: [moves(each, "run") for each in METATYPES])
CASES.row("MOV03", (25, True), in_each_pass)
CASES.row("MOV04", (8, 7), on_the_run)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
