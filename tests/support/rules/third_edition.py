"""Plays short fights of GURPS, 3rd edition, from the figures of a row of ``gurps_3e_figures.txt``."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Self

from rules.figures import Answer, rows_of
from rules.figures import Cases as Subject
from rules.figures import Table as BaseTable

from ledger import dice
from ledger.commands import BeginCombat, Choose
from ledger.events import (
    DamageTaken,
    Declared,
    Event,
    ExchangeEnded,
    FigureFound,
    Json,
    RollRequested,
    StepEntered,
    TurnBegan,
)
from machines.contract.ruleset import ruleset
from machines.gurps_3e.sheet.sheet_access import kind_of, move, weapons_of
from projections.path import Rest

GAME = ruleset("gurps_3e")
FLOWCHART, BASIC = "flowchart", "basic set"
ROWS = rows_of("gurps_3e")
"""The rows by id."""
PERSON: Json = {"st": 10, "dx": 10, "ht": 10}
SAFELY: Mapping[str, Answer] = dict.fromkeys(
    ("stand", "knockdown", "special-effect", "consciousness", "death", "recover"), 3
)
"""Answers with which every roll because of wounds succeeds."""


def person(**figures: Any) -> Json:
    """Returns a sheet."""
    return {**PERSON, **figures}


def showing(notation: str, total: int) -> tuple[int, ...]:
    """Returns faces, as equal as possible, whose total with the adds is given."""
    rolled = dice.parse(notation)
    whole, over = divmod(total - rolled.add, len(rolled.sides))
    faces = tuple(whole + (nth < over) for nth in range(len(rolled.sides)))
    assert all(1 <= face <= sides for face, sides in zip(faces, rolled.sides, strict=True)), (
        f"{notation} is never {total}"
    )
    return faces


class Table(BaseTable):
    """A fight and its recorded events, before it begins.

    A number answers a roll with that total, a sequence with these faces; a combatant without an answer does not defend.
    """

    game = GAME
    usual = FLOWCHART

    def begin(self, situation: Json | None = None, **_: Answer) -> Self:
        """Begins a fight, with the turn of the combatant with the highest Move."""
        return self.do(BeginCombat(situation or {}))

    def answer_of(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """Returns the answer to a rest; None where there is none."""
        answer = answer_to(rest, answers)
        return showing(rest.dice, answer) if isinstance(answer, int) and not rest.options else answer

    def turn(self, who: str, answers: Mapping[str, Answer] | None = None) -> Self:
        """Lets all combatants do nothing until a combatant's next turn begins; all recover and stay conscious."""
        before = self.begun(who)
        for _ in range(60):
            self.answer({**SAFELY, **(answers or {})})
            if self.begun(who) > before:
                return self
            self.do(Choose(next(iter(self.combat.rests)).key, "end"))
        raise AssertionError(f"{who} does not act")

    def on(self, who: str) -> Self:
        """Plays up to a combatant's turn, which may be the present one."""
        return self if self.combat.turn.who == who else self.turn(who)

    def begun(self, who: str) -> int:
        """Returns the number of turns that a combatant has begun."""
        return sum(isinstance(event, TurnBegan) and event.who == who for event in self.events)

    # -------------------------------------------------------------------------------------------- recorded events

    def latest(self) -> list[Event]:
        """Returns the events since the last attack was declared."""
        attacks = [
            nth for nth, event in enumerate(self.events)
            if isinstance(event, Declared) and event.kind in ("attack", "opportunity")
        ]  # fmt: skip
        return self.events[attacks[-1] :]

    def path(self) -> str:
        """Returns the printed boxes that the last attack went through."""
        boxes = (event.box for event in self.latest() if isinstance(event, StepEntered) and event.chart == "attack")
        return "-".join(box for box, _ in groupby(re.sub(r"\D", "", box) for box in boxes))

    def goes(self, *parts: str) -> bool:
        """Returns whether the path contains these sequences of boxes, in this order."""
        return bool(re.search(".*".join(rf"\b{part}\b" for part in parts), self.path()))

    def ended(self) -> str:
        """Returns the outcome of the last declaration."""
        return next(event.outcome for event in reversed(self.events) if isinstance(event, ExchangeEnded))

    def roll(self, role: str) -> tuple[str, int]:
        """Returns the outcome and the margin of a role's latest roll."""
        found = self.test(role)
        return found.outcome, found.margin

    def found(self, name: str, default: Any = None) -> Any:
        """Returns the latest figure of a name in the last attack, or a default where there is none."""
        figures = [event.value for event in self.latest() if isinstance(event, FigureFound) and event.name == name]
        return figures[-1] if figures else default

    def all_found(self, name: str) -> list[Any]:
        """Returns all figures of a name in the last attack."""
        return [event.value for event in self.latest() if isinstance(event, FigureFound) and event.name == name]

    def targets(self, role: str) -> list[int]:
        """Returns all target numbers of a role's rolls, in order."""
        return [
            event.value for event in self.events
            if isinstance(event, FigureFound) and event.name == "target" and role in event.key.split("/")
        ]  # fmt: skip

    def rolls(self, role: str, among: Iterable[Event] | None = None) -> int:
        """Returns the number of a role's requested rolls, in the fight or among events; each roll counts."""
        events = self.events if among is None else among
        requested = (event.key.split("/") for event in events if isinstance(event, RollRequested))
        return sum(any(re.sub(r"-\d+$", "", part) == role for part in key) for key in requested)

    def lost(self) -> int:
        """Returns the hit points that the last attack cost."""
        return sum(event.amount for event in self.latest() if isinstance(event, DamageTaken))

    def hits(self, who: str) -> int:
        """Returns the hit points that a combatant has left."""
        track = self.combat.health.track(who, "hit_points")
        return track.capacity - track.taken

    def moves(self, who: str) -> int:
        """Returns Move, halved with 3 hit points or fewer."""
        return move(self.combat, who)


def answer_to(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """Returns the answer to a rest: by the end of its key, with its number, with the combatant, or whole; else no defense."""
    parts = rest.key.split("/")
    nth = parts.pop() if parts[-1].isdigit() else "1"
    last = parts[-1]
    if rest.options and last == "act":
        return None
    plain = re.sub(r"-\d+$", "", last)
    usual = "none" if last.endswith("defense") else rest.default
    names = [f"{last}/{nth}", f"{rest.by}/{last}", last, plain]
    answer = next((answers[name] for name in names if name in answers), usual if rest.options else None)
    return None if answer == "" else answer


class Cases(Subject):
    """The rows of one subject of this game."""

    rows = ROWS


def cells(row: str) -> list[str]:
    """Returns the cells of a row."""
    return ROWS[row].split(" | ")


def line(table: str, name: str) -> Any:
    """Returns a row of one of the game's tables."""
    return next(each for each in GAME.tables[table] if each.name == name)


# ------------------------------------------------------------------------------------------------ one attack

WEAPONS: dict[str, Json] = {
    "sword": {"skill": "broadsword", "damage": "2d+1", "type": "cutting", "swung": True},
    "spear": {"skill": "spear", "damage": "1d+2", "type": "impaling", "thrust": True},
    "club": {"skill": "axe", "damage": "1d+2", "type": "crushing", "swung": True},
    "fist": {"kind": "unarmed", "skill": "brawling", "damage": "1d", "type": "crushing", "natural": True},
    "pistol": {"kind": "firearm", "skill": "guns", "damage": "2d", "type": "bullet"},
    "rifle": {"kind": "firearm", "skill": "guns", "damage": "5d", "type": "bullet"},
    "machine gun": {"kind": "firearm", "skill": "guns", "damage": "5d", "type": "bullet", "automatic": True, "rof": 4},
    "bow": {"kind": "bow", "skill": "bow", "damage": "1d+2", "type": "impaling"},
}
"""Weapons by name; none has an SS number above the skill unless a row states one."""


def attacker(weapon: str = "sword", skill: int = 14, own: Json | None = None, **more: Any) -> Json:
    """Returns a combatant with one weapon, ``it``, and a skill, who acts first."""
    held = {**WEAPONS[weapon], **(own or {})}
    skills = {held["skill"]: skill, **more.pop("skills", {})}
    return person(**{"move": 12, **more, "skills": skills, "weapons": {"it": held, **more.get("weapons", {})}})


def table_of(
    weapon: str = "sword",
    skill: int = 14,
    *,
    own: Json | None = None,
    ann: Json | None = None,
    bob: Json | None = None,
    others: Mapping[str, Json] | None = None,
    profile: str = "",
    options: Json | None = None,
    situation: Json | None = None,
    adjust: Sequence[tuple[str, str, int | str | None]] = (),
    aimed: int = 0,
) -> Table:
    """Returns a table at which Ann is about to attack Bob.

    Args:
        weapon: Ann's weapon, a name in `WEAPONS`.
        skill: Ann's skill with it.
        own: Changed fields of the weapon.
        ann: More of her sheet.
        bob: More of his.
        others: Who else is there.
        profile: A way of reading the page.
        options: Fields of it set otherwise.
        situation: In which the fight begins.
        adjust: Adjustments before: who, what, value.
        aimed: Turns that she has aimed at him before.
    """
    table = Table(
        profile,
        options,
        ann=attacker(weapon, skill, own, **(ann or {})),
        bob=person(**{"move": 5, **(bob or {})}),
        **(others or {}),
    )
    table.begin(situation)
    for _ in range(aimed):
        table.declare("aim", "ann", at="bob", using="it").turn("ann")
    for who, what, value in adjust:
        table.adjust(who, what, value)
    return table


def attack(terms: Json | None = None, answers: Mapping[str, Answer] | None = None, /, **how: Any) -> Table:
    """Plays Ann's attack on Bob, up to the first rest without an answer."""
    return strike(table_of(**how), terms, answers)


def strike(
    table: Table, terms: Json | None = None, answers: Mapping[str, Answer] | None = None, by: str = "ann"
) -> Table:
    """Plays Ann's attack on Bob at a given table."""
    held = weapons_of(table.combat, by).get((terms or {}).get("using", "it"))
    near = {"distance": 0} if held is not None and kind_of(held).ranged else {}
    given = {"at": "bob" if by == "ann" else "ann", "using": "it", **near, **(terms or {})}
    return table.declare("attack", by, answers or {}, **given)


def to_hit(*modifiers: str, **how: Any) -> int:
    """Returns the effective skill of the attack."""
    return attack({"modifiers": modifiers, **how.pop("terms", {})}, how.pop("answers", {}), **how).target("to-hit")


def to_defend(*theirs: str, defense: str = "dodge", **how: Any) -> int:
    """Returns the target number of the defense against an ordinary hit."""
    answers = {"to-hit": 10, "defense": defense, **how.pop("answers", {})}
    return attack({"theirs": theirs, **how.pop("terms", {})}, answers, **how).target("defend")


def harmed(damage: int, where: str = "torso", **how: Any) -> Table:
    """Plays an ordinary hit with an amount of basic damage, without a die of 6; every following roll succeeds."""
    own = {"damage": f"1d{damage - 1:+d}", **how.pop("own", {})}
    answers = {"to-hit": 10, "defend": 18, "damage": damage, **SAFELY, **how.pop("answers", {})}
    return attack({"location": where, **how.pop("terms", {})}, answers, skill=how.pop("skill", 30), own=own, **how)


def critically(rolled: int, where: str = "torso", **how: Any) -> Table:
    """Plays a critical hit with a given roll on its table; every following roll succeeds."""
    answers = {"to-hit": 3, "critical-hit": rolled, "damage": (3, 4), **SAFELY, **how.pop("answers", {})}
    return attack({"location": where, **how.pop("terms", {})}, answers, **how)


def fumbled(rolled: int, weapon: str = "sword", **how: Any) -> Table:
    """Plays a critical miss with a given roll on its table."""
    answers = {"to-hit": 18, "critical-miss": rolled, **SAFELY, **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, weapon=weapon, **how)
