"""Plays short fights of Eclipse Phase 2nd edition from the figures of a row of ``eclipse_phase_2e_figures.txt``."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.figures import Answer, rows_of
from rules.figures import Cases as Subject
from rules.figures import Table as BaseTable

from ledger.commands import Choose
from ledger.events import Json
from machines.contract.ruleset import ruleset
from projections.path import Rest

GAME = ruleset("eclipse_phase_2e")
CORE, ERRATA = "core rulebook", "errata 1.4"
ROWS = rows_of("eclipse_phase_2e")
"""The rows by id."""
APTITUDES = {"cog": 20, "int": 15, "ref": 20, "sav": 15, "som": 20, "wil": 15}
PERSON: Json = {"init": 7, "durability": 30, "aptitudes": APTITUDES}
STURDY: Json = {"durability": 300, "wound_threshold": 1000}
"""A combatant with tracks so long that harm has no consequences."""


def person(**figures: Any) -> Json:
    """Returns a sheet; its aptitudes replace default ones."""
    return {**PERSON, **figures, "aptitudes": {**APTITUDES, **figures.get("aptitudes", {})}}


class Table(BaseTable):
    """A fight and its recorded events, before it begins; no pool is spent without an answer."""

    game = GAME
    usual = CORE

    def falling(self, rest: Rest, nth: int) -> int:
        """Returns the default Initiative dice: the first 6, then 5, and so on."""
        return max(1, 6 - nth)

    def answer_of(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """Returns the answer to a rest; None where there is none."""
        return answer_to(rest, answers)

    def next_turn(self, who: str = "") -> "Table":
        """Ends all turns and passes extra actions until a new Action Turn has begun; then plays up to a combatant's turn."""
        before = self.combat.clock.round
        while self.combat.clock.round == before:
            self._pass()
        while who and self.combat.turn.who != who:
            self._pass()
        return self

    def _pass(self) -> None:
        rest = self.combat.rests[0]
        options = [each.option for each in rest.options]
        self.do(Choose(rest.key, "end" if "end" in options else "none"))

    def moment(self, who: str) -> "Table":
        """Plays up to a combatant's turn in this Action Turn."""
        while self.combat.turn.who != who:
            self._pass()
        return self

    def left(self, who: str, resource: str) -> int:
        """Returns the amount of a combatant's resource."""
        return self.combat.resources.resource(who, resource).left


def answer_to(rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
    """Returns the answer for the last part of the key that is no number, with or without the combatant; no pool is spent by default."""
    *_, before, last = (part for part in rest.key.split("/") if not part.isdigit())
    if last == "pool":
        return answers.get(f"{before}/pool", "pass")
    return answers.get(f"{rest.by}/{last}", answers.get(last))


class Cases(Subject):
    """The rows of one subject of this game."""

    rows = ROWS


# ------------------------------------------------------------------------------------------------ one attack

SKILLS = {"melee": "melee", "ranged": "guns", "thrown": "athletics", "psi": "psi"}
USUAL: dict[str, Json] = {
    "melee": {"damage": "1d10"},
    "ranged": {"damage": "2d10", "range": 30, "modes": ["semi", "burst", "full"]},
    "thrown": {"damage": "2d10"},
    "psi": {"damage": "2d10", "armor": "mental"},
}


def attacker(skill: int = 60, kind: str = "ranged", weapon: Json | str | None = None, **more: Any) -> Json:
    """Returns a combatant with one weapon, ``it``, from a row or from fields, and the skill and the trait for it."""
    if isinstance(weapon, str):
        row = next(row for row in GAME.tables["weapons"] if row.name == weapon)
        known, armed = row.skill, {"it": weapon}
    else:
        own = {"kind": kind, "skill": SKILLS[kind], **USUAL[kind], **(weapon or {})}
        known, armed = own["skill"], {"it": own}
    able = {"psi": 2} if known == "psi" else {}
    return person(
        **{"weapons": armed, **able, **more, "skills": {known: skill, "perceive": 50, **more.get("skills", {})}}
    )


def attack(
    terms: Json | None = None,
    answers: Mapping[str, Answer] | None = None,
    *,
    skill: int = 60,
    kind: str = "ranged",
    weapon: Json | str | None = None,
    ann: Json | None = None,
    bob: Json | None = None,
    others: Mapping[str, Json] | None = None,
    profile: str = CORE,
    options: Json | None = None,
    situation: Json | None = None,
    things: Sequence[str] = (),
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
        others: Who else is there.
        profile: A printing.
        options: Fields of it set otherwise.
        situation: In which the fight begins.
        things: Who of them are things.
        adjust: Adjustments before the attack: who, what, value.
        before: What Ann declares before, in the same moment: kind and terms.
    """
    sheets = {"ann": attacker(skill, kind, weapon, **(ann or {})), "bob": person(**(bob or {})), **(others or {})}
    table = Table(profile, options, things, **sheets)
    table.begin(situation)
    for who, what, value in adjust:
        table.adjust(who, what, value)
    for name, terms_before in before:
        table.declare(name, "ann", **terms_before)
    given = {"at": "bob", "using": "it", **(terms or {})}
    return table.declare("attack", "ann", {"defense": "none", **(answers or {})}, **given)


def to_hit(*modifiers: str, **how: Any) -> int:
    """Returns the target number of the attack."""
    terms = {"modifiers": modifiers, **how.pop("terms", {})}
    return attack(terms, **how).target("to-hit")


def to_defend(*modifiers: str, terms: Json | None = None, defense: str = "fray", **how: Any) -> int:
    """Returns the target number of the defense."""
    return attack({"modifiers": modifiers, **(terms or {})}, {"defense": defense}, **how).target("defend")


def opposed(skill: int, rolled: int, defense: int | None = None, defended: int = 0, **how: Any) -> Table:
    """Plays a blow of 1d10, a 5, against Fray and its consequences; without a number, without a defense."""
    bob = {**STURDY, **({} if defense is None else {"skills": {"fray": defense}}), **how.pop("bob", {})}
    usual = {"defense": "none" if defense is None else "fray", "to-hit": rolled, "defend": defended}
    answers = {**usual, "critical-ruling": "nothing", **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, skill=skill, kind=how.pop("kind", "melee"), bob=bob, **how)


def struck(dv: int, armor: int = 0, rolled: int = 32, **how: Any) -> Table:
    """Plays a certain hit with an amount of damage against kinetic armor."""
    weapon = {"damage": str(dv), **how.pop("weapon", {})}
    bob = {"armor": {"kinetic": armor}, **STURDY, **how.pop("bob", {})}
    answers = {"to-hit": rolled, **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, weapon=weapon, bob=bob, **how)


def dice_of(terms: Json | None = None, rolled: int = 31, **how: Any) -> str:
    """Returns the damage dice of a hit without a superior success."""
    answers = {"to-hit": rolled, **how.pop("answers", {})}
    return attack(terms, answers, **how).dice()
