"""Plays short fights of Eclipse Phase 1st edition from the figures of a row of ``eclipse_phase_1e_figures.txt``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from ledger.commands import Adjust, BeginCombat, Choose, Command, Declare, Join, OpenSession, PassTime, TypeDice
from ledger.errors import Refused
from ledger.events import Event, FigureFound, Json, RollRequested, TestResolved, TurnBegan, TurnEnded
from machines.contract.ruleset import Ruleset, ruleset
from machines.eclipse_phase.first.actions.terms import AttackTerms
from machines.eclipse_phase.first.attack.attack_context import Attack, attack_of
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
    """Returns a sheet; its aptitudes replace default ones."""
    return {**PERSON, **figures, "aptitudes": {**APTITUDES, **figures.get("aptitudes", {})}}


class Table:
    """A fight and its recorded events, before it begins.

    Args:
        profile: The printing.
        options: Changed fields of the profile.
        things: The ids of those that are things.
        sheets: The sheets by combatant; by default the first acts first.
    """

    game: ClassVar[Ruleset] = GAME
    usual: ClassVar[str] = SECOND
    """The default printing."""

    def __init__(
        self, profile: str = "", options: Json | None = None, things: Sequence[str] = (), **sheets: Json
    ) -> None:
        self.combat = Combat()
        self.events: list[Event] = []
        self.do(OpenSession("Figures", self.game.name, profile or self.usual, options or {}))
        for who, sheet in sheets.items():
            self.do(Join(who, sheet, thing=who in things))

    def do(self, *commands: Command) -> Self:
        """Performs commands that must be legal."""
        for command in commands:
            events = decide(self.game, self.combat, command)
            self.events += events
            self.combat = fold(events, self.combat)
        return self

    def begin(self, situation: Json | None = None, **dice: Answer) -> Self:
        """Begins a fight; Initiative dice by combatant, by default each lower than the one before."""
        self.do(BeginCombat(situation or {}))
        return self.rolled(**dice)

    def rolled(self, **dice: Answer) -> Self:
        """Rolls Initiative, by default each roll lower than the one before."""
        for nth, rest in enumerate([each for each in self.combat.rests if each.key.endswith("/initiative")]):
            self.do(TypeDice(rest.key, faces(dice.get(rest.by, self.falling(rest, nth)))))
        return self

    def falling(self, rest: Rest, nth: int) -> int:
        """Returns the default Initiative dice: the first 90, then 80, and so on (d10: 9, 8 …)."""
        return 90 - 10 * nth if rest.dice == "1d100" else 9 - nth

    def answer_of(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """Returns the answer to a rest; None where there is none."""
        return answer_to(rest, answers)

    def declare(self, kind: str, by: str, answers: Mapping[str, Answer] | None = None, /, **terms: Any) -> Self:
        """Declares an action, and gives answers by the last part of a rest's key."""
        self.do(Declare(kind, by, terms))
        return self.answer(answers or {})

    def answer(self, answers: Mapping[str, Answer]) -> Self:
        """Answers open rests while there are answers; spends no Moxie without an answer."""
        while True:
            for rest in self.combat.rests:
                answer = self.answer_of(rest, answers)
                if answer is not None:
                    self.do(Choose(rest.key, str(answer)) if rest.options else TypeDice(rest.key, faces(answer)))
                    break
            else:
                return self

    def end(self, *whose: str) -> Self:
        """Ends the Action Phases of combatants, one after the other."""
        for who in whose:
            rest = next(rest for rest in self.combat.rests if rest.by == who)
            self.do(Choose(rest.key, "end"))
        return self

    def adjust(self, who: str, what: str, value: int | str | None) -> Self:
        """Sets a value."""
        return self.do(Adjust(who, what, value, "so it is"))

    def suffer(self, who: str, amount: int, answers: Mapping[str, Answer] | None = None, **terms: Any) -> Self:
        """Causes an amount of damage that no armor reduces."""
        more = {"armor": "none", **terms}
        return self.declare("explosion", who, answers, caught={who: 0}, damage=str(amount), **more)

    def passes(self, amount: int, unit: str) -> Self:
        """Lets time pass between fights."""
        return self.do(PassTime(amount, unit))

    # -------------------------------------------------------------------------------------------- recorded events

    def target(self, role: str) -> int:
        """Returns the latest target number of a role's rolls."""
        return self.figure("target", role)

    def figure(self, name: str, role: str = "") -> Any:
        """Returns the latest figure of a name, of any role by default."""
        return next(
            event.value
            for event in reversed(self.events)
            if isinstance(event, FigureFound) and event.name == name and event.key.endswith(role)
        )

    def figures(self, name: str) -> list[Any]:
        """Returns all figures of a name, in order."""
        return [event.value for event in self.events if isinstance(event, FigureFound) and event.name == name]

    def dice(self, role: str = "damage") -> str:
        """Returns the dice of the latest request of a role."""
        return next(
            event.dice
            for event in reversed(self.events)
            if isinstance(event, RollRequested) and event.key.endswith("/" + role)
        )

    def asked(self, role: str) -> int:
        """Returns the number of requested rolls of a role."""
        return sum(isinstance(event, RollRequested) and event.key.endswith("/" + role) for event in self.events)

    def test(self, role: str) -> TestResolved:
        """Returns the latest test of a role."""
        return next(
            event
            for event in reversed(self.events)
            if isinstance(event, TestResolved) and event.key.endswith("/" + role)
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
        return (event.who for event in self.events if isinstance(event, TurnBegan))

    def over(self) -> list[str]:
        """Returns the combatants whose Action Phases have ended, in this order."""
        return [event.who for event in self.events if isinstance(event, TurnEnded)]

    def offered(self) -> set[str]:
        """Returns the options of the open choice."""
        return {option.option for rest in self.combat.rests for option in rest.options}


def faces(answer: Answer) -> tuple[int, ...]:
    return (answer,) if isinstance(answer, int) else tuple(answer)  # type: ignore[return-value,arg-type]


def refused(ask: Callable[[], Any]) -> bool:
    """Returns whether a command is refused."""
    try:
        ask()
    except Refused:
        return True
    return False


def let(table: T, found: Callable[[T], Any]) -> Any:
    """Returns what a function finds at a table."""
    return found(table)


def answer_to(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """Returns the answer for the last part of the key, with or without the combatant; no Moxie is spent by default."""
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
        terms: The terms of the declaration.
        answers: By the last part of a rest's key.
        skill: Ann's.
        kind: Of the attack.
        weapon: The name of a row, or fields.
        ann: More of her sheet.
        bob: More of his.
        profile: The printing.
        options: Changed fields of the profile.
        situation: In which the fight begins.
        adjust: Adjustments before the attack: who, what, value.
        before: What Ann declares before, in the same Action Phase: kind and terms.
    """
    table = Table(profile, options, ann=attacker(skill, kind, weapon, **(ann or {})), bob=person(**(bob or {})))
    table.begin(situation)
    for who, what, value in adjust:
        table.adjust(who, what, value)
    for name, terms_before in before:
        table.declare(name, "ann", **terms_before)
    return table.declare(
        "attack", "ann", {"defense": "none", **(answers or {})}, **{"at": "bob", "using": "it", **(terms or {})}
    )


def to_hit(*modifiers: str, **how: Any) -> int:
    """Returns the target number of the attack."""
    terms = {**how.pop("terms", {}), "modifiers": modifiers}
    return attack(terms, **how).target("to-hit")


def to_defend(*modifiers: str, terms: Json | None = None, **how: Any) -> int:
    """Returns the target number of the defense."""
    defense = how.pop("defense", "fray")
    return attack({**(terms or {}), "modifiers": modifiers}, {"defense": defense}, **how).target("defend")


def opposed(skill: int, rolled: int, defense: int | None = None, defended: int = 0, **how: Any) -> Table:
    """Plays a blow against Fray with its consequences; the damage dice are 5 and 5."""
    bob = {"skills": {"fray": defense}, "durability": 200, **how.pop("bob", {})} if defense is not None else {}
    usual = {"defense": "none" if defense is None else "fray", "to-hit": rolled, "defend": defended, "damage": (5, 5)}
    return attack({}, {**usual, **how.pop("answers", {})}, skill=skill, kind=how.pop("kind", "melee"), bob=bob, **how)


def hits(table: Table) -> str:
    """Returns the outcome of step 5."""
    return str(table.figure("outcome"))


def struck(dv: int, armor: int = 0, ap: int = 0, **how: Any) -> Table:
    """Plays a certain hit with an amount of damage."""
    weapon = {"damage": str(dv), "ap": ap, **how.pop("weapon", {})}
    bob = {"armor": {"kinetic": armor}, "durability": 200, **how.pop("bob", {})}
    answers = {"to-hit": 43, "damage": (), **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, weapon=weapon, bob=bob, **how)


def an_attack(table: Table, by: str, **terms: Any) -> Attack:
    """Returns an attack before it is declared, for functions that take one."""
    declared = AttackTerms(**{"at": "bob", "using": "it", **terms})
    return attack_of(table.combat.roster[by].sheet, "", by, declared)


Case = tuple[Any, Callable[[], Any]]
"""The expected value of a row, and the function that finds it."""


def rows_of(name: str) -> dict[str, str]:
    """Returns the rows of a file of figures beside this module, by id."""
    lines = (Path(__file__).parent / f"{name}_figures.txt").read_text().splitlines()
    return {line.split(" | ")[0]: line for line in lines if line and not line.startswith("#")}


class Cases(dict[str, Case]):
    """The rows of one subject: the expected value of each, and the function that finds it."""

    rows: ClassVar[Mapping[str, str]]

    def row(self, row: str, expected: Any, found: Callable[[], Any]) -> None:
        """Adds a row."""
        assert row in self.rows, row
        assert row not in self, row
        self[row] = expected, found

    def alike(self, find: Callable[..., Any], rows: Mapping[str, tuple[Any, Json]]) -> None:
        """Adds rows that share a function: for each row the expected value and the arguments."""
        for row, (expected, how) in rows.items():
            self.row(row, expected, lambda how=how: find(**how))
