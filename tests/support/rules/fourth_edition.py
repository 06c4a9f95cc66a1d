"""Plays short fights of Shadowrun, 4th edition, from the figures of a row of ``shadowrun_4e_figures.txt``."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

from rules.figures import Answer, rows_of
from rules.figures import Cases as Subject
from rules.figures import Table as BaseTable

from ledger import dice
from ledger.commands import BeginCombat, Choose, TypeDice
from ledger.events import ActionSpent, ExchangeEnded, FigureFound, Json, TimePassed, TurnBegan
from machines.contract.ruleset import ruleset
from projections.path import Rest

GAME = ruleset("shadowrun_4e")
SCREEN, ANNIVERSARY = "fourth edition", "anniversary edition"
ROWS = rows_of("shadowrun_4e")
"""The rows by id."""
PERSON: Json = {
    "body": 4, "agility": 5, "reaction": 5, "strength": 5, "charisma": 3, "intuition": 3, "logic": 5, "willpower": 4,
}  # fmt: skip
STURDY: Json = {"body": 60, "willpower": 60}
"""A sheet with tracks so long that harm has no consequences."""


def person(**figures: Any) -> Json:
    """Returns a sheet."""
    return {**PERSON, **figures}


def showing(notation: str, hits: int) -> tuple[int, ...]:
    """Returns faces with a number of hits and no ones."""
    count = len(dice.parse(notation).sides)
    assert hits <= count, f"{notation} cannot show {hits} hits"
    return (5,) * hits + (2,) * (count - hits)


class Table(BaseTable):
    """A fight and its recorded events, before it begins.

    A number answers a roll with that many hits, a sequence with these faces; no Edge is spent without an answer, and
    other choices are answered by their default.
    """

    game = GAME
    usual = SCREEN

    def begin(self, situation: Json | None = None, **hits: Answer) -> Self:
        """Begins a fight: surprise as ``ann_surprise``, Initiative by combatant, by default each lower than the one before."""
        self.do(BeginCombat(situation or {}))
        self.answer({f"{name.removesuffix('_surprise')}/surprise": answer for name, answer in hits.items()})
        return self.rolled(**hits)

    def rolled(self, **hits: Answer) -> Self:
        """Rolls Initiative."""
        for nth, rest in enumerate([each for each in self.combat.rests if each.key.endswith("/initiative")]):
            usual = max(0, min(5 - nth, len(dice.parse(rest.dice).sides)))
            self.do(TypeDice(rest.key, self.dice_for(rest, hits.get(rest.by, usual))))
        return self.answer({})

    def dice_for(self, rest: Rest, answer: Answer) -> tuple[int, ...]:
        """Returns the faces that answer a roll."""
        return showing(rest.dice, answer) if isinstance(answer, int) else tuple(answer)

    def answer_of(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """Returns the answer to a rest; None where there is none."""
        answer = answer_to(rest, answers)
        return answer if answer is None or rest.options else self.dice_for(rest, answer)

    def _pass(self) -> None:
        self.answer({})
        rest = next(iter(self.combat.rests))
        if rest.options:
            self.do(Choose(rest.key, rest.default or "end"))
        else:
            self.do(TypeDice(rest.key, self.dice_for(rest, 0)))

    def next_turn(self, who: str = "", **hits: Answer) -> Self:
        """Ends all phases until a new Combat Turn has begun; then plays up to a combatant's phase."""
        before = self.combat.clock.round
        while self.combat.clock.round == before:
            self._pass()
        self.rolled(**hits)
        return self.phase(who) if who else self

    def turns(self, count: int) -> Self:
        """Plays a number of Combat Turns without actions."""
        for _ in range(count):
            self.next_turn()
        return self

    def phase(self, who: str) -> Self:
        """Plays up to a combatant's Action Phase."""
        for _ in range(40):
            if self.combat.turn.who == who:
                return self
            self._pass()
        raise AssertionError(f"{who} does not act")

    # -------------------------------------------------------------------------------------------- recorded events

    def pools(self, role: str) -> list[int]:
        """Returns all pools of a role's rolls, in order."""
        return [
            event.value
            for event in self.events
            if isinstance(event, FigureFound) and event.name == "pool" and event.key.endswith("/" + role)
        ]

    def pool(self, role: str) -> int:
        """Returns the latest pool of a role's rolls."""
        return self.pools(role)[-1]

    def found(self, name: str, role: str = "", default: Any = None) -> Any:
        """Returns the latest figure of a name, or a default where there is none."""
        return self.figure(name, role) if name in self.names(role) else default

    def names(self, role: str = "") -> set[str]:
        return {event.name for event in self.events if isinstance(event, FigureFound) and event.key.endswith(role)}

    def spent(self, who: str) -> list[str]:
        """Returns the actions that a combatant has spent."""
        return [event.action for event in self.events if isinstance(event, ActionSpent) and event.who == who]

    def ended(self) -> str:
        """Returns the outcome of the last declaration."""
        return next(event.outcome for event in reversed(self.events) if isinstance(event, ExchangeEnded))

    def passed(self) -> list[tuple[int, str]]:
        """Returns the time that passed outside of turns."""
        return [(event.amount, event.unit) for event in self.events if isinstance(event, TimePassed)]

    def phases(self, who: str) -> int:
        """Returns the number of Action Phases a combatant has begun."""
        return sum(isinstance(event, TurnBegan) and event.who == who for event in self.events)

    def left(self, who: str, resource: str) -> int:
        return self.combat.resources.resource(who, resource).left

    def boxes(self, who: str, track: str) -> int:
        return self.combat.health.track(who, track).capacity

    def score(self, who: str) -> int:
        return self.combat.initiative.scores[who]


def answer_to(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """Returns the answer for the end of the key, with or without the combatant; otherwise no Edge and the default option."""
    parts = rest.key.split("/")
    *_, before, last = [part for part in parts if not part.isdigit()]
    if rest.options and last.startswith("act"):
        return None
    if rest.options and last == "edge":
        return answers.get(f"{before}/edge", "pass")
    if rest.options:
        return answers.get(f"{rest.by}/{last}", answers.get(last, rest.default))
    names = ["edge-dice"] if last == "edge-dice" else ["/".join(parts[-2:]), f"{rest.by}/{last}", last]
    return next((answers[name] for name in names if name in answers), None)


class Cases(Subject):
    """The rows of one subject of this game."""

    rows = ROWS


def numbers(text: str) -> list[int]:
    """Returns the numbers in a cell of a row, in order."""
    return [int(each) for each in re.findall(r"[+-]?\d+", text)]


def cells(row: str) -> list[str]:
    """Returns the cells of a row."""
    return ROWS[row].split(" | ")


def line(table: str, name: str) -> Any:
    """Returns a row of one of the game's tables."""
    return next(each for each in GAME.tables[table] if each.name == name)


def filled(table: str, name: str, **more: Any) -> Json:
    """Returns a weapon of a table row, with changed fields."""
    row = line(table, name)
    wanted = ("skill", "damage", "ap", "range", "kind", "barrier", "armor", "reach", "modes")
    return {**{field: getattr(row, field) for field in wanted if getattr(row, field, "")}, **more}


# ------------------------------------------------------------------------------------------------ one attack

USUAL: dict[str, Json] = {
    "melee": {"kind": "melee", "skill": "blades", "damage": "5P"},
    "ranged": {"skill": "automatics", "damage": "5P", "modes": ["SS", "SA", "BF", "FA"]},
    "thrown": {"skill": "throwing weapons", "damage": "4P"},
}


def attacker(
    pool: int = 10,
    kind: str = "ranged",
    weapon: Json | str | None = None,
    weapons: Mapping[str, Json | str] | None = None,
    **more: Any,
) -> Json:
    """Returns a combatant with one weapon, ``it``, from a table row or from fields, and its dice."""
    if isinstance(weapon, str):
        tables = ("melee_weapons", "projectile_weapons", "grenades", "firearms")
        row = next(row for table in tables for row in GAME.tables[table] if row.name == weapon)
        known, armed = row.skill, weapon
    else:
        own = {**USUAL[kind], **(weapon or {})}
        known, armed = own["skill"], own
    agility = more.pop("agility", min(5, pool))
    skills = {known: pool - agility, **more.pop("skills", {})}
    return person(**{**more, "agility": agility, "skills": skills, "weapons": {"it": armed, **(weapons or {})}})


def table_of(
    *,
    pool: int = 10,
    kind: str = "ranged",
    weapon: Json | str | None = None,
    ann: Json | None = None,
    bob: Json | None = None,
    others: Mapping[str, Json] | None = None,
    profile: str = "",
    options: Json | None = None,
    situation: Json | None = None,
    things: Sequence[str] = (),
    adjust: Sequence[tuple[str, str, int | str | None]] = (),
    before: Sequence[tuple[str, Json]] = (),
) -> Table:
    """Returns a table at which Ann is about to attack Bob.

    Args:
        pool: Ann's pool.
        kind: The kind of attack.
        weapon: A row's name, or the fields of a weapon.
        ann: More of her sheet.
        bob: More of his; all of it, if he is a thing.
        others: Who else is there.
        profile: A printing.
        options: Fields of it set otherwise.
        situation: In which the fight begins.
        things: Who of them are things.
        adjust: Adjustments made before: who, what, value.
        before: What Ann declares before, in the same phase: kind and terms.
    """
    theirs = (bob or {}) if "bob" in things else person(**(bob or {}))
    first = attacker(pool, kind, weapon, **{"initiative": 20, **(ann or {})})
    table = Table(profile, options, things, ann=first, bob=theirs, **(others or {}))
    table.begin(situation).phase("ann")
    for who, what, value in adjust:
        table.adjust(who, what, value)
    for name, terms_before in before:
        table.declare(name, "ann", {"to-hit": 0, "defend": 0}, **terms_before)
    return table


def attack(terms: Json | None = None, answers: Mapping[str, Answer] | None = None, /, **how: Any) -> Table:
    """Plays Ann's attack on Bob, up to the first rest without an answer."""
    return shot(table_of(**how), terms, answers)


def shot(table: Table, terms: Json | None = None, answers: Mapping[str, Answer] | None = None) -> Table:
    """Plays Ann's attack on Bob at a given table."""
    return table.declare("attack", "ann", answers or {}, **{"at": "bob", "using": "it", **(terms or {})})


def to_hit(*modifiers: str, **how: Any) -> int:
    """Returns the pool of the attack."""
    return attack({"modifiers": modifiers, **how.pop("terms", {})}, how.pop("answers", {}), **how).pool("to-hit")


def defends(*theirs: str, **how: Any) -> int:
    """Returns the pool of the defense with a given Reaction."""
    bob = {"reaction": how.pop("own", 5), **how.pop("bob", {})}
    terms = {"theirs": theirs, **how.pop("terms", {})}
    return attack(terms, how.pop("answers", {}), bob=bob, **how).pool("defend")


def struck(net: int, damage: str = "5P", ap: str = "", armor: Json | None = None, **how: Any) -> Table:
    """Plays a hit with a number of net hits on an unaware target who resists with no hits."""
    weapon = {"damage": damage, "ap": ap, **how.pop("weapon", {})}
    bob = {"armor": armor or {}, **STURDY, **how.pop("bob", {})}
    terms = {"unaware": True, **how.pop("terms", {})}
    answers = {"to-hit": net, "resist": 0, **how.pop("answers", {})}
    return attack(terms, answers, weapon=weapon, bob=bob, pool=how.pop("pool", 20), **how)


def compared(table: Table) -> tuple[int, int, str]:
    """Returns the compared Damage Value without autofire, the armor, and the damage type."""
    return table.figure("dv") - table.found("autofire", default=0), table.figure("armor"), table.figure("damage type")


def suffers(table: Table, who: str, amount: int, kind: str = "P", hits: int = 0, **answers: Answer) -> Table:
    """Plays harm without an attack, against worn armor only."""
    given = {"resist": hits, "shock": 3, **answers}
    return table.declare("explosion", who, given, caught={who: {"meters": 0}}, damage=f"{amount}{kind}")
