"""Figures of the second edition: Initiative, actions, surprise, movement."""

from collections.abc import Callable
from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    GAME,
    ROWS,
    STURDY,
    Cases,
    Table,
    attacker,
    person,
)

from ledger.events import ActionSpent, TurnBegan, TurnEnded
from machines.eclipse_phase.family.spans import TURN
from machines.eclipse_phase.second.harm.effects import MINUTE
from machines.eclipse_phase.second.turn.initiative import stat
from machines.eclipse_phase.second.turn.movement import rates

CASES = Cases()
SHOT: dict[str, Any] = {"at": "bob", "using": "it"}

# ------------------------------------------------------------------------------------------------ who acts when


def init(**figures: Any) -> int:
    sheet = {key: value for key, value in person(**figures).items() if key != "init"}
    return stat(Table(ann=sheet).combat, "ann")


def score(wounds: int = 0, traumas: int = 0) -> int:
    table = Table(ann=person()).adjust("ann", "wounds", wounds).adjust("ann", "traumas", traumas)
    return table.begin(ann=4).combat.initiative.scores["ann"]


def three(**pools: Any) -> Table:
    """Begins a fight with Ann at 11, Bob at 9 and Cyd at 8."""
    sheets = {"ann": person(init=7), "bob": person(init=5), "cyd": person(init=4)}
    for who, points in pools.items():
        sheets[who] = {**sheets[who], "pools": points}
    return Table(**sheets).begin(ann=4, bob=4, cyd=4)


VIGOR = {"vigor": 3}


def movers(table: BaseTable, turn: int, kind: type[TurnBegan | TurnEnded] = TurnEnded) -> list[str]:
    """Returns the combatants whose turns ended or began in an Action Turn, in order."""
    found, now = [], 0
    for event in table.events:
        now = getattr(event, "round", now)
        if isinstance(event, kind) and now == turn:
            found.append(event.who)
    return found


def going_first(*payers: str) -> tuple[list[str], list[str]]:
    """Returns the order of this and the next Action Turn, where payers pay for going first."""
    table = three(bob=VIGOR, cyd=VIGOR)
    for who in payers:
        table.declare("take_initiative", who).end(who)
    table.next_turn().next_turn()
    return movers(table, 1), movers(table, 2)


def attacks_first(pool: str) -> bool:
    """Returns whether a combatant who goes first by a point of a pool may attack."""
    table = Table(ann=person(init=9), bob=attacker(60, "melee", pools={pool: 1})).begin()
    table.declare("take_initiative", "bob", pool=pool)
    return not refused(lambda: table.declare("attack", "bob", {}, at="ann", using="it"))


def hit_at_once() -> list[str]:
    """Returns the order after Ann, at 11, takes two wounds; Bob is at 10."""
    table = Table(ann=person(init=7, **{**STURDY, "wound_threshold": 7}), bob=person(init=6)).begin(ann=4, bob=4)
    return table.suffer("ann", 14, {"consciousness": 1}).order()


def tied(how: str) -> list[str]:
    """Returns the order of two combatants at 11; the second has the higher REF, and a lower roll-off."""
    sheets = {"ann": person(aptitudes={"ref": 15}), "bob": person(aptitudes={"ref": 25})}
    table = Table(options={"initiative_ties": how}, **sheets).begin(ann=4, bob=4)
    for rest in [rest for rest in table.combat.rests if rest.dice]:
        table.answer({f"{rest.by}/roll-off": {"ann": 5, "bob": 3}[rest.by]})
    return table.order()


CASES.row("INI01", [7, 7, 8], lambda: [init(aptitudes={"int": value, "ref": 20}) for value in (15, 17, 18)])
CASES.row("INI02", 11, score)
CASES.row("INI03", 8, lambda: score(2, 1))
CASES.row("INI04", 2, lambda: Table(ann=person(), bob=person()).begin().next_turn().asked("initiative"))
CASES.row("INI05", ["bob", "ann"], hit_at_once)
CASES.row("INI06", [["bob", "ann"], ["ann", "bob"]], lambda: [tied(how) for how in ("reflexes", "roll_off")])
CASES.row("INI07", (["bob", "ann", "cyd"], ["ann", "bob", "cyd"]), lambda: going_first("bob"))
CASES.row("INI08", (["bob", "cyd", "ann"], ["ann", "bob", "cyd"]), lambda: going_first("bob", "cyd"))
CASES.row("INI09", [False, True], lambda: [attacks_first(pool) for pool in ("insight", "vigor")])

# ------------------------------------------------------------------------------------------------ extra actions


def extra(pool: str, points: int = 1) -> Table:
    """Plays up to Ann's extra action, after all have acted."""
    table = Table(ann=attacker(pools={pool: points}), bob=person()).begin().end("ann", "bob")
    return table.answer({"extra-action": pool})


Wish = tuple[str, dict[str, Any]]
FIRES: Wish = ("attack", {**SHOT})
ACTS: Wish = ("complex", {})
THINKS: Wish = ("complex", {"what": "thinks", "mental": True})
HURRIES: Wish = ("quick", {})


def may(make: Callable[[], Any], *wishes: Wish) -> list[bool]:
    """Returns whether each of these declarations, in order, is accepted."""
    table, found = make(), []
    for kind, terms in wishes:
        found.append(
            not refused(
                lambda kind=kind, terms=terms: table.declare(kind, "ann", {"defense": "none", "to-hit": 98}, **terms)
            )
        )
    return found


def extras_taken(points: int) -> int:
    """Returns the maximum number of extra actions in an Action Turn."""
    table = Table(ann=attacker(pools={"vigor": points}), bob=person()).begin().end("ann", "bob")
    count = 0
    while table.combat.clock.round == 1:
        count += 1
        table.answer({"extra-action": "vigor"}).end("ann")
    return count


def everybodys_extras() -> list[str]:
    table = three(ann={"vigor": 1}, bob={"vigor": 1}, cyd={"vigor": 1}).end("ann", "bob", "cyd")
    for who in ("ann", "bob", "cyd"):
        table.answer({f"{who}/extra-action": "vigor"}).end(who)
    return movers(table, 1)


def no_farther() -> bool:
    """Returns whether a move with an extra action is refused after a full move."""
    table = Table(ann=attacker(pools={"vigor": 1}), bob=person()).begin().declare("move", "ann", how="full")
    table.end("ann", "bob").answer({"extra-action": "vigor"})
    return refused(lambda: table.declare("move", "ann", how="full"))


def quicks(*before: Wish) -> int:
    """Returns the number of Quick Actions in one turn after other declarations."""
    table = Table(ann=attacker(), bob=person()).begin()
    for kind, terms in before:
        table.declare(kind, "ann", **terms)
    count = 0
    while not refused(lambda: table.declare("quick", "ann")):
        count += 1
    return count


TASK: Wish = ("task", {"what": "climbs", "turns": 3})
CASES.row("INI10", ([True, False], [True, True, False], [False], ["ann", "bob", "ann"]), lambda: (
    may(lambda: extra("vigor"), FIRES, HURRIES), may(lambda: extra("vigor"), HURRIES, HURRIES, HURRIES),
    may(lambda: extra("vigor"), THINKS), movers(extra("vigor"), 1, TurnBegan),
))  # fmt: skip
CASES.row("INI11", ([True, False], [True, True, False], [False, False]), lambda: (
    may(lambda: extra("insight"), THINKS, HURRIES), may(lambda: extra("insight"), HURRIES, HURRIES, HURRIES),
    may(lambda: extra("insight"), FIRES, ACTS),
))  # fmt: skip
CASES.row("INI12", [1, 2, 2], lambda: [extras_taken(points) for points in (1, 2, 3)])
CASES.row("INI13", ["ann", "bob", "cyd"] * 2, everybodys_extras)
CASES.row("INI14", True, no_farther)
CASES.row("INI15", [1, 1, 3], lambda: [quicks(ACTS), quicks(TASK), quicks()])
CASES.row("INI16", [True, False], lambda: may(lambda: Table(ann=attacker(), bob=person()).begin(), ACTS, TASK))
CASES.row("INI26", (3, 20), lambda: (TURN, MINUTE))

# ------------------------------------------------------------------------------------------------ waiting


def delayed() -> tuple[int, list[str]]:
    """Returns Ann's score after delaying from 11 to Cyd's turn at 8, and the order of the next Action Turn."""
    table = three().declare("delay", "ann").end("bob").declare("act", "ann").end("ann", "cyd")
    table.next_turn()
    return table.combat.initiative.scores["ann"], movers(table, 2)


def overnight() -> list[str]:
    """Returns the order of an Action Turn into which Cyd has delayed, to act before Ann."""
    table = three().end("ann", "bob").declare("delay", "cyd")
    table.declare("act", "cyd").end("cyd")
    table.next_turn()
    return movers(table, 2)


def two_wait() -> tuple[bool, list[str]]:
    """Returns whether Ann may interrupt where both she and Bob delay and Bob acts, and the order in which turns end."""
    table = three().declare("delay", "ann").declare("delay", "bob").declare("act", "bob")
    may_break_in = not refused(lambda: table.declare("act", "ann"))
    return may_break_in, table.end("ann", "bob", "cyd").over()[-3:]


CASES.row("INI17", (8, ["bob", "ann", "cyd"]), delayed)
CASES.row("INI18", ["cyd", "ann", "bob"], overnight)
CASES.row("INI19", (True, ["ann", "bob", "cyd"]), two_wait)

# ------------------------------------------------------------------------------------------------ surprise

LURKER = attacker(60, "melee", skills={"infiltrate": 60}, pools={"vigor": 2})
WATCHER = {"skills": {"perceive": 50, "fray": 40}, "pools": {"vigor": 2}}


def ambush(lurks: int, *notices: int, alert: tuple[str, ...] = ()) -> BaseTable:
    """Begins a fight with Ann in ambush; each roll is that of one ambushed combatant: Bob, Cyd."""
    names = ("bob", "cyd")[: len(notices)]
    table = Table(ann=LURKER, **{who: person(**WATCHER) for who in names})
    table.begin({"ambushers": ["ann"], "alert": list(alert)})
    rolls = {f"{who}/notice": rolled for who, rolled in zip(names, notices, strict=True)}
    return table.answer({"ambush": lurks, **rolls})


def scores(table: BaseTable) -> list[int]:
    """Returns the Initiative of the ambushed, with Initiative 7 and a die of 1."""
    table.rolled(ann=6, bob=1, cyd=1)
    found = table.combat.initiative.scores
    return [found[who] for who in ("bob", "cyd") if who in found]


def lost() -> tuple[bool, list[str], int, bool, list[int]]:
    """Returns surprise, who acts before Initiative, defenses then, whether an extra action is offered after it, and Initiative."""
    table = ambush(45, 31)
    surprised, moments = table.has("bob", "surprised"), list(table.moments())
    table.declare("attack", "ann", {"to-hit": 98}, at="bob", using="it")
    defended = table.asked("defend")
    table.end("ann")
    return (
        surprised,
        moments,
        defended,
        any(rest.key.endswith("extra-action") for rest in table.combat.rests),
        scores(table),
    )


def noticed() -> tuple[bool, list[int], int]:
    """Returns surprise, Initiative, and the target of the defense."""
    table = ambush(10, 25)
    surprised, found = table.has("bob", "surprised"), scores(table)
    table.moment("ann").declare("attack", "ann", {"defense": "fray"}, at="bob", using="it")
    return surprised, found, table.target("defend")


def mixed() -> tuple[list[int], list[str], bool, int, int]:
    """Returns Initiative, order, surprise, Bob's defenses and offered extra actions, where Cyd notices and Bob does not."""
    table = ambush(15, 98, 20, alert=("cyd",))
    found, surprised = scores(table), table.has("bob", "surprised")
    table.moment("ann").declare("attack", "ann", {"to-hit": 98}, at="bob", using="it")
    defended = table.asked("defend")
    table.next_turn()
    return (
        found,
        movers(table, 1),
        surprised,
        defended,
        sum("extra-action" in getattr(event, "key", "") for event in table.events),
    )


CASES.row("INI20", (True, ["ann"], 0, False, [8]), lost)
CASES.row("INI21", (False, [5], 40), noticed)
CASES.row("INI22", 50, lambda: ambush(45, 31, alert=("bob",)).target("notice"))
CASES.row("INI23", ([5, 5], ["ann", "cyd"], True, 0, 0), mixed)
CASES.row(
    "INI24", [False, False], lambda: [ambush(25, 25).has("bob", "surprised"), ambush(70, 60).has("bob", "surprised")]
)
CASES.row("INI25", 9, lambda: init(aptitudes={"int": 15, "ref": 20}, traits=["predictive boost"]))


def boosted() -> bool:
    """Returns whether a second point for the same test is refused, after a point raised the skills of REF."""
    table = Table(ann=attacker(pools={"vigor": 2}), bob=person()).begin().declare("ongoing", "ann", aptitude="ref")
    table.declare("attack", "ann", {"defense": "none"}, **SHOT)
    return refused(lambda: table.declare("pool", "ann"))


CASES.row("INI27", True, boosted)

# ------------------------------------------------------------------------------------------------ moving

ATHLETE = {"athletics": 70}


def runner(**figures: Any) -> Table:
    return Table(ann=attacker(skills=ATHLETE, **figures), bob=person()).begin()


def moved(how: str) -> tuple[int, int]:
    """Returns the meters of a move, and the target of Guns 60 after it."""
    table = runner().declare("move", "ann", how=how)
    meters = table.figure("meters")
    return meters, table.declare("attack", "ann", {"defense": "none"}, **SHOT).target("to-hit")


def rushed(rolled: int, *, lying: bool = False) -> tuple[int, bool]:
    """Returns the meters of a rush, and whether it impedes."""
    table = runner()
    if lying:
        table.adjust("ann", "conditions.prone", "").declare("quick", "ann", stand=True)
    table.declare("move", "ann", {"rush": rolled}, how="rush")
    return table.figure("meters"), table.has("ann", "on_the_move")


def walks(gravity: int) -> tuple[int, int]:
    return rates(Table(ann=person()).begin({"gravity": gravity}).combat, "ann", "")


def complex_actions(table: BaseTable) -> int:
    return sum(isinstance(event, ActionSpent) and event.action == "complex" for event in table.events)


def in_two_parts() -> tuple[int, list[Any]]:
    """Returns the target of an attack between moves of 5 and 15 meters, and the meters."""
    table = runner().declare("move", "ann", how="full", meters=5)
    table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, **SHOT).declare(
        "move", "ann", how="full", meters=15
    )
    return table.target("to-hit"), table.figures("meters")


def after_acting() -> int:
    table = Table(ann=attacker(movement={"winged": (8, 32)}, skills=ATHLETE), bob=person()).begin()
    table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, **SHOT)
    return int(table.declare("move", "ann", how="base").figure("meters"))


def fall(meters: int) -> tuple[str, int]:
    """Returns the damage dice of a fall, and the added damage."""
    rows = GAME.tables["falling"]
    row: Any = next(row for row in rows if row.from_meters <= meters <= (row.to_meters or meters))
    return row.damage, row.per_meter * (meters - row.from_meters + 1)


def harmed(dv: int, worn: dict[str, int], **how: Any) -> BaseTable:
    table = Table(ann=person(**STURDY, armor=worn))
    return table.declare("explosion", "ann", {}, caught={"ann": 0}, damage=str(dv), **how)


def charge() -> tuple[int, int, str]:
    """Returns meters, target and damage dice of a blow after moving 18 meters."""
    table = Table(ann=attacker(60, "melee"), bob=person(**STURDY)).begin().declare("move", "ann", how="full", meters=18)
    meters = table.figure("meters")
    table.declare("attack", "ann", {"defense": "none", "to-hit": 31}, **SHOT)
    return meters, table.target("to-hit"), table.dice()


CASES.row("MOV01", [(4, 60), (20, 40)], lambda: [moved(how) for how in ("base", "full")])
CASES.row("MOV02", [(24, True), (28, True), (32, True)], lambda: [rushed(rolled) for rolled in (31, 45, 67)])
CASES.row(
    "MOV03",
    (20, True, 1),
    lambda: (*rushed(98), complex_actions(runner().declare("move", "ann", {"rush": 98}, how="rush"))),
)
CASES.row("MOV04", ((2, 10), 2), lambda: let(
    runner().adjust("ann", "conditions.prone", "").declare("quick", "ann", stand=True),
    lambda t: (rates(t.combat, "ann", ""), 3 - sum(isinstance(event, ActionSpent) for event in t.events)),
))  # fmt: skip
CASES.row("MOV05", 12, lambda: rushed(31, lying=True)[0])
CASES.row("MOV06", (4, 1), lambda: let(
    runner().declare("move", "ann", how="other"), lambda t: (t.figure("meters"), complex_actions(t))
))  # fmt: skip
CASES.row("MOV15", (4, 10), lambda: walks(50))
CASES.row("MOV16", (2, 10), lambda: walks(0))
CASES.row("MOV17", (4, 20), lambda: walks(120))
CASES.row("MOV20", (40, [5, 15]), in_two_parts)
CASES.row("MOV21", 8, after_acting)
CASES.row(
    "MOV22",
    [("1d10", 0), ("2d10", 0), ("2d10", 0), ("3d10", 0), ("3d10", 0), ("3d10", 1), ("3d10", 2)],
    lambda: [fall(meters) for meters in (2, 3, 5, 6, 8, 9, 10)],
)
CASES.row(
    "MOV23", [4, 5], lambda: [harmed(9, {"kinetic": value}, half_armor=True).figure("armor") for value in (7, 10)]
)
CASES.row("MOV28", 1, lambda: harmed(5, {"energy": 4}, armor="energy").taken("ann"))
CASES.row("MOV30", (18, 50, "1d10+1d6"), charge)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
