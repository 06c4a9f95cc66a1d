"""Figures of the second edition: pools, stress and its consequences."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    attacker,
    opposed,
    person,
    to_hit,
)

from ledger.commands import TypeDice
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.second.sheet.sheet_access import check, sheet, skill

CASES = Cases()

# ------------------------------------------------------------------------------------------------ a point for a roll


def before(use: str, *names: str, **how: Any) -> int:
    """Returns the target after a point is spent before the roll."""
    table = attack({"modifiers": names}, ann={"pools": {"vigor": 1}}, **how)
    return int(table.declare("pool", "ann", use=use).target("to-hit"))


def uses(goal: int, rolled: int, **pools: int) -> set[str]:
    """Returns the options for spending a point of Vigor."""
    table = attack({}, {}, skill=goal, kind="melee", ann={"pools": pools or {"vigor": 2}}, bob=STURDY)
    return table.do(TypeDice(table.combat.rests[0].key, (rolled,))).offered() - {"pass"}


def spent(goal: int, rolled: int, use: str) -> tuple[str, int, int]:
    """Returns outcome, superior results and changed roll after a point is spent."""
    answers = {"to-hit/pool": f"{use}_vigor"}
    test = opposed(goal, rolled, ann={"pools": {"vigor": 2}}, answers=answers).test("to-hit")
    return test.outcome, abs(test.margin), test.rolled


def twice() -> set[str]:
    """Returns the offered flips by a second point after +20 before the roll."""
    table = attack({}, skill=60, ann={"pools": {"vigor": 2}}, bob=STURDY).declare("pool", "ann", use="bonus")
    return {option for option in table.answer({"to-hit": 96}).offered() if option.startswith("flip")}


def for_will(**pools: int) -> set[str]:
    """Returns the points that can change a failed WIL Check of 91 against 45."""
    table = Table(ann=person(pools=pools)).declare("stress", "ann", what="helplessness", sv="2")
    return table.do(TypeDice(table.combat.rests[0].key, (91,))).offered() - {"pass"}


CASES.row("POL01", 60, lambda: before("ignore", "superior position", "defender in major cover"))
CASES.row("POL02", 50, lambda: before("bonus", "defender in major cover"))
CASES.row("POL03", 110, lambda: capped())  # noqa: PLW0108  defined below
CASES.row("POL04", [38, 17, 58, 69, 50, 3], lambda: [d100.flipped(roll) for roll in (83, 71, 85, 96, 5, 30)])
CASES.row("POL05", ("success", 2, 69), lambda: spent(70, 96, "flip"))
CASES.row("POL06", ([1, 2], set()), lambda: (
    [spent(98, rolled, "raise")[1] for rolled in (20, 45)], {use for use in uses(98, 67) if use.startswith("raise")}
))  # fmt: skip
CASES.row("POL07", [False, False], lambda: [
    any(use.startswith("raise") for use in uses(60, 98)), any("critical" in use for use in uses(60, 45))
])  # fmt: skip
CASES.row("POL08", [("failure", 0), ("failure", 0)], lambda: [
    spent(goal, rolled, "soften")[:2] for goal, rolled in ((60, 77), (120, 99))
])  # fmt: skip
CASES.row("POL09", (set(), True), lambda: (twice(), refused(
    lambda: attack({}, ann={"pools": {"vigor": 2}}).declare("pool", "ann").declare("pool", "ann")
)))  # fmt: skip
CASES.row("POL10", [set(), {"flip_flex"}], lambda: [for_will(vigor=2), for_will(flex=1)])


def capped() -> int:
    """Returns the target of Guns 30 with a sum of +60 and a point."""
    table = Table(ann=attacker(30, pools={"vigor": 1}), bob=person(size="very large")).begin()
    table.declare("aim", "ann", at="bob", complex=True).next_turn("ann")
    said = {"at": "bob", "using": "it", "modifiers": ["superior position"]}
    table.declare("attack", "ann", {"defense": "none"}, **said)
    return table.declare("pool", "ann", use="bonus").target("to-hit")


# ------------------------------------------------------------------------------------------------ points that last


def boosted(points: int) -> int:
    return to_hit(ann={"pools": {"vigor": 2}}, before=[("ongoing", {"aptitude": "ref", "points": points})])


def ignoring(what: str, pool: str) -> int:
    """Returns the target of Guns 60 with two wounds or traumas, one of which is ignored by a point."""
    kind = {"wound": "wounds", "trauma": "traumas"}[what]
    return to_hit(ann={"pools": {pool: 1}}, adjust=[("ann", kind, 2)], before=[("ignore", {"what": what})])


def shared() -> tuple[int, int]:
    """Returns Ann's remaining Threat and Bob's target, after he used it for a flip and for +20."""
    sheets = {"ann": person(pools={"threat": 3}, group="them"), "bob": attacker(group="them"), "cyd": person()}
    table = Table(**sheets).declare(
        "stress", "bob", {"willpower": 91, "willpower/pool": "flip_threat"}, what="x", sv="2"
    )
    table.begin(ann=1, bob=6, cyd=1)
    table.moment("bob").declare("attack", "bob", {"defense": "none"}, at="cyd", using="it")
    table.declare("pool", "bob", use="bonus")
    return table.combat.resources.resource("ann", "threat").left, table.target("to-hit")


WARE = ["neurachem", "mrdr", "kick", "phlo", "adrenal surge"]
CASES.row("POL11", [65, 70], lambda: [boosted(points) for points in (1, 2)])
CASES.row(
    "POL12",
    True,
    lambda: refused(lambda: Table(ann=person(pools={"flex": 2})).declare("ongoing", "ann", aptitude="ref")),
)
CASES.row("POL13", 8, lambda: Table(ann=person(pools={"vigor": 3}, traits=WARE)).left("ann", "vigor"))
CASES.row("POL14", 50, lambda: ignoring("wound", "vigor"))
CASES.row("POL15", 50, lambda: ignoring("trauma", "moxie"))
CASES.row("POL24", (1, 80), shared)

# ------------------------------------------------------------------------------------------------ recharging


def tired(vigor: int, spent: int, **figures: Any) -> Table:
    return Table(ann=person(pools={"vigor": vigor}, **figures)).adjust("ann", "resources.vigor", vigor - spent)


def recharged(table: BaseTable, *dice: int) -> BaseTable:
    for die in dice:
        table.declare("recharge", "ann", {"points": die})
    return table


def hours(*, long: bool, **figures: Any) -> float:
    """Returns the hours of a recharge."""
    table = tired(3, 3, **figures).declare("recharge", "ann", {"points": 1}, long=long)
    passed = table.combat.clock.passed
    return passed.get("hours", 0) + passed.get("minutes", 0) / 60


def ignored_then() -> list[int]:
    """Returns the wounds that count after one of them is ignored, and after a recharge."""
    table = Table(ann=attacker(pools={"vigor": 1}), bob=person()).adjust("ann", "wounds", 1).declare("ignore", "ann")
    found = []
    for recharges in (False, True):
        if recharges:
            table.declare("recharge", "ann", {"points": 1})
        found.append((60 - fired(table)) // 10)
    return found


def fired(table: BaseTable) -> int:
    """Returns the target of a stress test plus 15, as for Guns 60 outside a fight."""
    table.declare("stress", "ann", {"willpower": 1}, what="x", sv="1")
    return table.target("willpower") + 15


CASES.row("POL16", 3, lambda: recharged(tired(3, 3), 6).combat.resources.resource("ann", "vigor").left)
CASES.row("POL17", 2, lambda: recharged(tired(5, 5), 2).combat.resources.resource("ann", "vigor").left)
CASES.row("POL18", True, lambda: let(recharged(tired(3, 3), 1, 1), lambda t: refused(lambda: recharged(t, 1))))
CASES.row("POL19", [10 / 60, 4, 8], lambda: [hours(long=False), hours(long=True), hours(long=True, biomods=False)])
CASES.row("POL21", True, lambda: let(
    tired(3, 3).declare("recharge", "ann", long=True), lambda t: refused(lambda: t.declare("recharge", "ann", long=True))
))  # fmt: skip
CASES.row("POL22", [0, 1], ignored_then)

# ------------------------------------------------------------------------------------------------ stress

ANSWERS = {"willpower": 98, "disorientation": 1, "acute-stress": "roll", "response": 1, "breakdown": 3}


def minded(*names: str, **figures: Any) -> tuple[int, ...]:
    combat = Table(ann=person(**figures)).combat
    return tuple(getattr(sheet(combat, "ann"), name) for name in names)


def shocked(sv: str, table: BaseTable | None = None, answers: Any = None, **terms: Any) -> BaseTable:
    """Causes stress to a combatant with WIL 15 whose check fails."""
    table = table or Table(ann=person())
    return table.declare(
        "stress", "ann", {**ANSWERS, "sv": (), **(answers or {})}, **{"what": "something", "sv": sv, **terms}
    )


def stress(sv: str, rolled: int, die: int | tuple[int, ...] = (), even_so: str = "") -> int:
    return shocked(sv, answers={"willpower": rolled, "sv": die}, even_so=even_so).taken("ann", "stress")


def target_of(**adjusted: int) -> int:
    """Returns the target of the WIL Check."""
    table = Table(ann=person())
    for what, value in adjusted.items():
        table.adjust("ann", what, value)
    return shocked("1", table).target("willpower")


def acute(die: int) -> list[str]:
    """Returns the acute conditions after two traumas at once and a failed check."""
    table = shocked("12", answers={"disorientation": 98, "response": die})
    return [name for name in ("fighting", "fleeing", "detached") if table.has("ann", name)]


def broken(total: int) -> tuple[bool, bool, str]:
    """Returns whether the last point of stress makes a combatant catatonic and disordered, and until when."""
    table = Table(ann=person(trauma_threshold=1000)).adjust("ann", "tracks.stress", total - 1)
    shocked("1", table)
    catatonic = table.has("ann", "catatonic")
    return catatonic, table.has("ann", "disorder"), table.until("ann", "catatonic") if catatonic else ""


def lost(total: int) -> bool:
    table = Table(ann=person(trauma_threshold=1000)).adjust("ann", "tracks.stress", total - 1)
    return shocked("1", table).has("ann", "mind_lost")


def initiative(traumas: int) -> int:
    table = Table(ann=person()).adjust("ann", "traumas", traumas).begin(ann=1)
    return int(table.combat.initiative.scores["ann"]) - 8


def used_to(times: int, category: str, **figures: Any) -> BaseTable:
    """Causes a number of traumas of a category, and heals them."""
    table = Table(ann=person(lucidity=1000, trauma_threshold=6, **figures))
    for _ in range(times):
        shocked("6", table, category=category)
    return table.adjust("ann", "traumas", 0)


def hardened(times: int, category: str = "violence", **figures: Any) -> bool:
    """Returns whether another shock of the category needs no check after a number of traumas."""
    table = used_to(times, category, **figures)
    asked = table.asked("willpower")
    return shocked("6", table, category=category).asked("willpower") == asked


def price(count: int) -> tuple[int, int]:
    """Returns the base of the WIL Check with WIL 15, and Persuade 50, with a number of hardenings."""
    kinds = ["hardening (violence)", "hardening (helplessness)"][:count]
    combat = Table(ann=person(skills={"persuade": 50}, traits=kinds)).combat
    persuade = skill(combat, "ann", "persuade")
    return check(combat, "ann", "wil").value, persuade.value if persuade else 0


def fights_on() -> int:
    return to_hit(adjust=[("ann", "traumas", 2), ("ann", "conditions.fighting", "")])


def numb() -> int:
    """Returns the target of Guns 60 with five traumas, two ignored by drugs, and two attempts to ignore more by Moxie."""
    return to_hit(
        ann={"traits": ["orbital hash", "tgs"], "pools": {"moxie": 2}}, adjust=[("ann", "traumas", 5)],
        before=[("ignore", {"what": "trauma"})] * 2,
    )  # fmt: skip


CASES.row("MND01", [(30, 6, 60), (32, 6, 64), (34, 7, 68), (40, 8, 80)], lambda: [
    minded("lucid", "trauma", "insanity", aptitudes={"wil": wil}) for wil in (15, 16, 17, 20)
])  # fmt: skip
CASES.row("MND02", [45, 35], lambda: [target_of(), target_of(traumas=1)])
CASES.row("MND03", 0, lambda: stress("1d6", 1))
CASES.row("MND04", 1, lambda: stress("1d10", 1, even_so="1"))
CASES.row("MND05", [3, 6], lambda: [stress("1d6+2", rolled, 4, "half") for rolled in (1, 98)])
CASES.row("MND06", 4, lambda: stress("1d10", 1, 7, "half"))
CASES.row("MND07", (6, 1, 35), lambda: let(shocked("1d6+2", answers={"willpower": 95, "sv": 4}, even_so="half"), lambda t: (
    t.taken("ann", "stress"), t.wounds("ann", "traumas"), t.target("disorientation"),
)))  # fmt: skip
CASES.row("MND08", 0, lambda: stress("1d6-2", 98, 1))
CASES.row(
    "MND09", [0, 1, 1, 2, 3], lambda: [shocked(sv).wounds("ann", "traumas") for sv in ("5", "6", "11", "12", "18")]
)
CASES.row("MND10", (35, True, False), lambda: let(shocked("6", answers={"disorientation": 36}), lambda t: (
    t.target("disorientation"), t.has("ann", "disoriented"),
    t.begin().declare("complex", "ann", regain=True).has("ann", "disoriented"),
)))  # fmt: skip
CASES.row("MND11", (25, True, True), lambda: (
    shocked("12").target("disorientation"), shocked("12").has("ann", "disoriented"),
    shocked("12", answers={"disorientation": 26}).has("ann", "fighting"),
))  # fmt: skip
CASES.row("MND12", [["fighting"], ["fleeing"], ["fleeing"], ["detached"]], lambda: [acute(die) for die in (2, 3, 4, 5)])
CASES.row("MND13", 60, fights_on)
CASES.row("MND15", [(False, False, ""), (True, True, "3 hours")], lambda: [broken(total) for total in (29, 30)])
CASES.row("MND16", [False, True], lambda: [lost(total) for total in (59, 60)])
CASES.row("MND17", 40, numb)
CASES.row("MND18", -2, lambda: initiative(2))
CASES.row("MND19", [False, True], lambda: [hardened(times) for times in (4, 5)])
CASES.row("MND20", [False, True], lambda: [hardened(5, "the unknown", psi=psi) for psi in (0, 1)])
CASES.row("MND21", [(35, 40), (25, 30)], lambda: [price(count) for count in (1, 2)])
CASES.row("MND22", (0, 0), lambda: let(
    shocked("6", Table(ann=person(traits=["hardening (violence)"])), category="violence"),
    lambda t: (t.asked("willpower"), t.taken("ann", "stress")),
))  # fmt: skip
CASES.row("MND23", 35, lambda: target_of(wounds=1))
CASES.row("MND24", (7, 70), lambda: minded("trauma", "insanity", lucidity=35))
CASES.row("MND25", True, lambda: refused(lambda: shocked("12", Table(ann=person(stress=False)))))


def test_hardening_in_play_has_the_same_penalty_as_on_the_sheet() -> None:
    expected = 35

    table = used_to(5, "violence")

    assert expected == shocked("1", table, category="alienation").target("willpower")


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
