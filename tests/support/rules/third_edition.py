"""Short fights of GURPS, 3rd edition, from figures: what a row of ``gurps_3e_figures.txt`` needs to be played."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Self

from rules.figures import Answer, rows_of
from rules.figures import Cases as Subject
from rules.figures import Table as Told

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
from machines.gurps_3e.sheet.sheet_access import arms, kind_of, move
from projections.path import Rest

GAME = ruleset("gurps_3e")
FLOWCHART, BASIC = "flowchart", "basic set"
ROWS = rows_of("gurps_3e")
"""By its id: the whole row."""
PERSON: Json = {"st": 10, "dx": 10, "ht": 10}
SAFELY: Mapping[str, Answer] = dict.fromkeys(
    ("stand", "knockdown", "special-effect", "consciousness", "death", "recover"), 3
)
"""Every roll that wounds call for succeeds."""


def person(**figures: Any) -> Json:
    """A sheet."""
    return {**PERSON, **figures}


def showing(notation: str, total: int) -> tuple[int, ...]:
    """Faces that come to a total, adds and all, as even as can be."""
    rolled = dice.parse(notation)
    whole, over = divmod(total - rolled.add, len(rolled.sides))
    faces = tuple(whole + (nth < over) for nth in range(len(rolled.sides)))
    assert all(1 <= face <= sides for face, sides in zip(faces, rolled.sides, strict=True)), (
        f"{notation} is never {total}"
    )
    return faces


class Table(Told):
    """A fight at its beginning, and its recorded events.

    A number answers a roll with such a total, a sequence with these faces; a combatant without an answer does not defend.
    """

    game = GAME
    usual = FLOWCHART

    def begin(self, situation: Json | None = None, **_: Answer) -> Self:
        """Begins a fight, with the turn of the combatant with the highest Move."""
        return self.do(BeginCombat(situation or {}))

    def says(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """What is answered to a rest."""
        said = told(rest, answers)
        return showing(rest.dice, said) if isinstance(said, int) and not rest.options else said

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
        return sum(isinstance(event, TurnBegan) and event.who == who for event in self.told)

    # -------------------------------------------------------------------------------------------- recorded events

    def latest(self) -> list[Event]:
        """What has happened since the last attack was declared."""
        attacks = [
            nth for nth, event in enumerate(self.told)
            if isinstance(event, Declared) and event.kind in ("attack", "opportunity")
        ]  # fmt: skip
        return self.told[attacks[-1] :]

    def path(self) -> str:
        """The boxes of the page that the last attack went through."""
        boxes = (event.box for event in self.latest() if isinstance(event, StepEntered) and event.chart == "attack")
        return "-".join(box for box, _ in groupby(re.sub(r"\D", "", box) for box in boxes))

    def goes(self, *parts: str) -> bool:
        """Does the path lead through these boxes, each part in one piece, in this order?"""
        return bool(re.search(".*".join(rf"\b{part}\b" for part in parts), self.path()))

    def ended(self) -> str:
        """How what was declared last came out."""
        return next(event.outcome for event in reversed(self.told) if isinstance(event, ExchangeEnded))

    def roll(self, role: str) -> tuple[str, int]:
        """How the latest roll of that kind came out, and by how much."""
        found = self.test(role)
        return found.outcome, found.margin

    def found(self, name: str, default: Any = None) -> Any:
        """The latest figure of that name in the last attack, or what there is where none was found."""
        figures = [event.value for event in self.latest() if isinstance(event, FigureFound) and event.name == name]
        return figures[-1] if figures else default

    def all_found(self, name: str) -> list[Any]:
        """All figures of that name in the last attack."""
        return [event.value for event in self.latest() if isinstance(event, FigureFound) and event.name == name]

    def targets(self, role: str) -> list[int]:
        """All target numbers of such rolls, in order."""
        return [
            event.value for event in self.told
            if isinstance(event, FigureFound) and event.name == "target" and role in event.key.split("/")
        ]  # fmt: skip

    def rolls(self, role: str, among: Iterable[Event] | None = None) -> int:
        """How often such a roll was asked for, ever or among these events; of several rolls at once, each."""
        told = self.told if among is None else among
        asked = (event.key.split("/") for event in told if isinstance(event, RollRequested))
        return sum(any(re.sub(r"-\d+$", "", part) == role for part in key) for key in asked)

    def lost(self) -> int:
        """Hit points that the last attack cost."""
        return sum(event.amount for event in self.latest() if isinstance(event, DamageTaken))

    def hits(self, who: str) -> int:
        """Returns the hit points that a combatant has left."""
        track = self.combat.health.track(who, "hit_points")
        return track.capacity - track.taken

    def moves(self, who: str) -> int:
        """Returns Move, halved with 3 hit points or fewer."""
        return move(self.combat, who)


def told(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """Returns the answer to a rest: by the end of its key, with its number, with the combatant, or whole; else no defense."""
    parts = rest.key.split("/")
    nth = parts.pop() if parts[-1].isdigit() else "1"
    last = parts[-1]
    if rest.options and last == "act":
        return None
    plain = re.sub(r"-\d+$", "", last)
    usual = "none" if last.endswith("defense") else rest.default
    names = [f"{last}/{nth}", f"{rest.by}/{last}", last, plain]
    said = next((answers[name] for name in names if name in answers), usual if rest.options else None)
    return None if said == "" else said


class Cases(Subject):
    """The rows of one subject of this game."""

    rows = ROWS


def cells(row: str) -> list[str]:
    """A row's cells."""
    return ROWS[row].split(" | ")


def line(table: str, name: str) -> Any:
    """A line of one of the game's tables."""
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
"""No weapon has an SS number above the skill unless a row states one."""


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
    """Ann is about to attack Bob.

    Args:
        weapon: Hers, one of those above.
        skill: With it.
        own: Fields of the weapon, otherwise.
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
    """Ann attacks Bob; it stops where nothing is answered."""
    return strike(table_of(**how), terms, answers)


def strike(
    table: Table, terms: Json | None = None, answers: Mapping[str, Answer] | None = None, by: str = "ann"
) -> Table:
    """Ann attacks Bob at a table that stands."""
    held = arms(table.combat, by).get((terms or {}).get("using", "it"))
    near = {"distance": 0} if held is not None and kind_of(held).ranged else {}
    said = {"at": "bob" if by == "ann" else "ann", "using": "it", **near, **(terms or {})}
    return table.declare("attack", by, answers or {}, **said)


def to_hit(*modifiers: str, **how: Any) -> int:
    """The effective skill of the attack."""
    return attack({"modifiers": modifiers, **how.pop("terms", {})}, how.pop("answers", {}), **how).target("to-hit")


def to_defend(*theirs: str, defense: str = "dodge", **how: Any) -> int:
    """The number of the defense against a plain hit."""
    answers = {"to-hit": 10, "defense": defense, **how.pop("answers", {})}
    return attack({"theirs": theirs, **how.pop("terms", {})}, answers, **how).target("defend")


def harmed(damage: int, where: str = "torso", **how: Any) -> Table:
    """A plain hit with so much basic damage, and no die of it a 6; every roll that follows succeeds."""
    own = {"damage": f"1d{damage - 1:+d}", **how.pop("own", {})}
    answers = {"to-hit": 10, "defend": 18, "damage": damage, **SAFELY, **how.pop("answers", {})}
    return attack({"location": where, **how.pop("terms", {})}, answers, skill=how.pop("skill", 30), own=own, **how)


def critically(rolled: int, where: str = "torso", **how: Any) -> Table:
    """A critical hit, looked up with such a roll; every roll that follows succeeds."""
    answers = {"to-hit": 3, "critical-hit": rolled, "damage": (3, 4), **SAFELY, **how.pop("answers", {})}
    return attack({"location": where, **how.pop("terms", {})}, answers, **how)


def fumbled(rolled: int, weapon: str = "sword", **how: Any) -> Table:
    """A critical miss, looked up with such a roll."""
    answers = {"to-hit": 18, "critical-miss": rolled, **SAFELY, **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, weapon=weapon, **how)
