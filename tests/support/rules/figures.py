"""Short fights of Eclipse Phase 1st edition from figures: what a row of ``eclipse_phase_1e_figures.txt`` needs to be played."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from ledger.commands import Adjust, BeginCombat, Choose, Command, Declare, Join, OpenSession, PassTime, TypeDice
from ledger.errors import Refused
from ledger.events import Event, FigureFound, Json, RollRequested, TestResolved, TurnBegan, TurnEnded
from machines.contract.ruleset import Ruleset, ruleset
from machines.eclipse_phase.first.actions.terms import AttackTerms
from machines.eclipse_phase.first.attack.attack_context import Attack
from machines.eclipse_phase.first.sheet.sheet_access import arms
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.path import Rest

GAME = ruleset("eclipse_phase_1e")
SECOND, FIRST, THIRD = "second printing", "first printing", "third printing"
APTITUDES = {"cog": 15, "coo": 15, "int": 15, "ref": 20, "sav": 15, "som": 20, "wil": 16}
PERSON: Json = {"init": 60, "durability": 30, "aptitudes": APTITUDES}
Answer = int | str | Sequence[int]
T = TypeVar("T")


def person(**figures: Any) -> Json:
    """A sheet; aptitudes are added to the usual ones."""
    return {**PERSON, **figures, "aptitudes": {**APTITUDES, **figures.get("aptitudes", {})}}


class Table:
    """A fight at its beginning, and its recorded events.

    Args:
        profile: A printing.
        options: Fields of it set otherwise.
        things: Who of them are things.
        sheets: By combatant; the first acts first by default.
    """

    game: ClassVar[Ruleset] = GAME
    usual: ClassVar[str] = SECOND
    """The printing where none is named."""

    def __init__(
        self, profile: str = "", options: Json | None = None, things: Sequence[str] = (), **sheets: Json
    ) -> None:
        self.combat = Combat()
        self.told: list[Event] = []
        self.do(OpenSession("Figures", self.game.name, profile or self.usual, options or {}))
        for who, sheet in sheets.items():
            self.do(Join(who, sheet, thing=who in things))

    def do(self, *commands: Command) -> Self:
        """Ask for something that must be legal."""
        for command in commands:
            events = decide(self.game, self.combat, command)
            self.told += events
            self.combat = fold(events, self.combat)
        return self

    def begin(self, situation: Json | None = None, **dice: Answer) -> Self:
        """A fight begins; Initiative dice by combatant, or each lower than the one before."""
        self.do(BeginCombat(situation or {}))
        return self.rolled(**dice)

    def rolled(self, **dice: Answer) -> Self:
        """Initiative."""
        for nth, rest in enumerate([each for each in self.combat.rests if each.key.endswith("/initiative")]):
            self.do(TypeDice(rest.key, faces(dice.get(rest.by, self.falling(rest, nth)))))
        return self

    def falling(self, rest: Rest, nth: int) -> int:
        """Initiative dice, the first 90, then 80, and so on (d10: 9, 8 …)."""
        return 90 - 10 * nth if rest.dice == "1d100" else 9 - nth

    def says(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """What is answered to a rest."""
        return told(rest, answers)

    def declare(self, kind: str, by: str, answers: Mapping[str, Answer] | None = None, /, **terms: Any) -> Self:
        """A declaration, and answers by the last part of a rest's key."""
        self.do(Declare(kind, by, terms))
        return self.answer(answers or {})

    def answer(self, answers: Mapping[str, Answer]) -> Self:
        """Answers open rests as long as there are answers; Moxie is kept without an answer."""
        while True:
            for rest in self.combat.rests:
                said = self.says(rest, answers)
                if said is not None:
                    self.do(Choose(rest.key, str(said)) if rest.options else TypeDice(rest.key, faces(said)))
                    break
            else:
                return self

    def end(self, *whose: str) -> Self:
        """These end their moments, one after the other."""
        for who in whose:
            rest = next(rest for rest in self.combat.rests if rest.by == who)
            self.do(Choose(rest.key, "end"))
        return self

    def adjust(self, who: str, what: str, value: int | str | None) -> Self:
        """Something is so."""
        return self.do(Adjust(who, what, value, "so it is"))

    def suffer(self, who: str, amount: int, answers: Mapping[str, Answer] | None = None, **terms: Any) -> Self:
        """So much harm at once, past any armor."""
        said = {"armor": "none", **terms}
        return self.declare("explosion", who, answers, caught={who: 0}, damage=str(amount), **said)

    def passes(self, amount: int, unit: str) -> Self:
        """Time between fights."""
        return self.do(PassTime(amount, unit))

    # -------------------------------------------------------------------------------------------- recorded events

    def target(self, role: str) -> int:
        """The latest target number of such a roll."""
        return self.figure("target", role)

    def figure(self, name: str, role: str = "") -> Any:
        """The latest figure of that name; of one role's rolls only, where one is named."""
        return next(
            event.value
            for event in reversed(self.told)
            if isinstance(event, FigureFound) and event.name == name and event.key.endswith(role)
        )

    def figures(self, name: str) -> list[Any]:
        """All figures of that name, in order."""
        return [event.value for event in self.told if isinstance(event, FigureFound) and event.name == name]

    def dice(self, role: str = "damage") -> str:
        """The dice that were last asked for under such a role."""
        return next(
            event.dice
            for event in reversed(self.told)
            if isinstance(event, RollRequested) and event.key.endswith("/" + role)
        )

    def asked(self, role: str) -> int:
        """How often such a roll was asked for."""
        return sum(isinstance(event, RollRequested) and event.key.endswith("/" + role) for event in self.told)

    def test(self, role: str) -> TestResolved:
        """The latest test of that role."""
        return next(
            event for event in reversed(self.told) if isinstance(event, TestResolved) and event.key.endswith("/" + role)
        )

    def has(self, who: str, *conditions: str) -> bool:
        return self.combat.conditions.has(who, *conditions)

    def until(self, who: str, condition: str) -> str:
        return self.combat.conditions.of(who)[condition].until

    def level(self, who: str, condition: str) -> int | None:
        found = self.combat.conditions.of(who).get(condition)
        return found.level if found else 0

    def taken(self, who: str, track: str = "damage") -> int:
        return self.combat.health.track(who, track).taken

    def wounds(self, who: str, kind: str = "wounds") -> int:
        return self.combat.wounds.count(who, kind)

    def order(self) -> list[str]:
        return [who for who, _ in self.combat.initiative.order]

    def moments(self) -> Iterator[str]:
        return (event.who for event in self.told if isinstance(event, TurnBegan))

    def over(self) -> list[str]:
        """Whose moments are over, in this order."""
        return [event.who for event in self.told if isinstance(event, TurnEnded)]

    def offered(self) -> set[str]:
        """The options of the choice that is open."""
        return {option.option for rest in self.combat.rests for option in rest.options}


def faces(said: Answer) -> tuple[int, ...]:
    return (said,) if isinstance(said, int) else tuple(said)  # type: ignore[return-value,arg-type]


def refused(ask: Callable[[], Any]) -> bool:
    """Returns whether a command is refused."""
    try:
        ask()
    except Refused:
        return True
    return False


def let(table: T, found: Callable[[T], Any]) -> Any:
    """What is found at a table that was played once."""
    return found(table)


def told(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """What is answered: by the last part of the key, with or without the person; Moxie is passed."""
    *_, last = rest.key.split("/")
    if last == "moxie" and f"{rest.key.split('/')[-2]}/moxie" in answers:
        return answers[f"{rest.key.split('/')[-2]}/moxie"]
    if last == "moxie":
        return "pass"
    return answers.get(f"{rest.by}/{last}", answers.get(last))


# ------------------------------------------------------------------------------------------------ one attack

SKILLS = {"melee": "blades", "ranged": "kinetic weapons", "thrown": "throwing weapons", "psi": "psi assault"}


def attacker(skill: int = 60, kind: str = "ranged", weapon: Json | str | None = None, **more: Any) -> Json:
    """Returns a combatant with one weapon, ``it``, and the skill for it."""
    own: Json = {"kind": kind, "skill": SKILLS[kind], "damage": "2d10"}
    if kind == "psi":
        own["armor"] = "mental"
    if isinstance(weapon, str):
        row = arms_row(weapon)
        return person(**{"skills": {row.skill: skill, "perception": 50}, "weapons": {"it": weapon}, **more})
    own |= weapon or {}
    return person(
        **{"skills": {own["skill"]: skill, "perception": 50, "unarmed combat": 40}, "weapons": {"it": own}, **more}
    )


def arms_row(name: str) -> Any:
    return next(row for row in GAME.tables["weapons"] if row.name == name)  # type: ignore[attr-defined]


def attack(
    terms: Json | None = None,
    answers: Mapping[str, Answer] | None = None,
    *,
    skill: int = 60,
    kind: str = "ranged",
    weapon: Json | str | None = None,
    ann: Json | None = None,
    bob: Json | None = None,
    profile: str = SECOND,
    options: Json | None = None,
    situation: Json | None = None,
    adjust: Sequence[tuple[str, str, int | str | None]] = (),
    before: Sequence[tuple[str, Json]] = (),
) -> Table:
    """Lets Ann attack Bob; by default without a defense, up to the first rest without an answer.

    Args:
        terms: Of the declaration.
        answers: By the last part of a rest's key.
        skill: Ann's.
        kind: Of the attack.
        weapon: The name of a row, or fields.
        ann: More of her sheet.
        bob: More of his.
        profile: A printing.
        options: Fields of it set otherwise.
        situation: In which the fight begins.
        adjust: Adjustments before the attack: who, what, value.
        before: What Ann declares before, in the same Action Phase: kind and terms.
    """
    table = Table(profile, options, ann=attacker(skill, kind, weapon, **(ann or {})), bob=person(**(bob or {})))
    table.begin(situation)
    for who, what, value in adjust:
        table.adjust(who, what, value)
    for name, said in before:
        table.declare(name, "ann", **said)
    return table.declare(
        "attack", "ann", {"defense": "none", **(answers or {})}, **{"at": "bob", "using": "it", **(terms or {})}
    )


def to_hit(*modifiers: str, **how: Any) -> int:
    """The target number of the attack."""
    terms = {**how.pop("terms", {}), "modifiers": modifiers}
    return attack(terms, **how).target("to-hit")


def to_defend(*modifiers: str, terms: Json | None = None, **how: Any) -> int:
    """The target number of the defense."""
    defense = how.pop("defense", "fray")
    return attack({**(terms or {}), "modifiers": modifiers}, {"defense": defense}, **how).target("defend")


def opposed(skill: int, rolled: int, defense: int | None = None, defended: int = 0, **how: Any) -> Table:
    """A blow against Fray, up to what it leads to; damage dice are 5 and 5."""
    bob = {"skills": {"fray": defense}, "durability": 200, **how.pop("bob", {})} if defense is not None else {}
    said = {"defense": "none" if defense is None else "fray", "to-hit": rolled, "defend": defended, "damage": (5, 5)}
    return attack({}, {**said, **how.pop("answers", {})}, skill=skill, kind=how.pop("kind", "melee"), bob=bob, **how)


def hits(table: Table) -> str:
    """The word of step 5."""
    return str(table.figure("outcome"))


def struck(dv: int, armor: int = 0, ap: int = 0, **how: Any) -> Table:
    """A sure hit with so much damage."""
    weapon = {"damage": str(dv), "ap": ap, **how.pop("weapon", {})}
    bob = {"armor": {"kinetic": armor}, "durability": 200, **how.pop("bob", {})}
    answers = {"to-hit": 43, "damage": (), **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, weapon=weapon, bob=bob, **how)


def an_attack(table: Table, by: str, **terms: Any) -> Attack:
    """An attack as it would be declared, for functions that look at one."""
    said = AttackTerms(**{"at": "bob", "using": "it", **terms})
    return Attack("", by, said, arms(table.combat, by)["it"], "it")


Case = tuple[Any, Callable[[], Any]]
"""The expected value of a row, and the function that finds it."""


def rows_of(name: str) -> dict[str, str]:
    """The rows of a file of figures beside this one, by id: the whole row."""
    lines = (Path(__file__).parent / f"{name}_figures.txt").read_text().splitlines()
    return {line.split(" | ")[0]: line for line in lines if line and not line.startswith("#")}


class Cases(dict[str, Case]):
    """The rows of one subject: the expected value of each, and the function that finds it."""

    rows: ClassVar[Mapping[str, str]]

    def row(self, row: str, expected: Any, found: Callable[[], Any]) -> None:
        """One more."""
        assert row in self.rows, row
        assert row not in self, row
        self[row] = expected, found

    def alike(self, find: Callable[..., Any], rows: Mapping[str, tuple[Any, Json]]) -> None:
        """Adds rows with a common function: by row, the expected value and the arguments."""
        for row, (expected, how) in rows.items():
            self.row(row, expected, lambda how=how: find(**how))
