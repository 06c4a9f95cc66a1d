"""Turns the steps of a script into commands, in order.

Shorthands are resolved against the open rests when their step is due. Choices with a default that the script omits are
answered with the default.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any

import msgspec

from ledger import codec
from ledger.commands import (
    Adjust,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    Declare,
    EndCombat,
    Join,
    Leave,
    Note,
    Overrule,
    PassTime,
    Reveal,
    TellDice,
    TypeDice,
)
from ledger.entry import Provenance, Seat, Who
from ledger.errors import Refused
from ledger.events import Audience
from machines.contract.refusals import NoSuchChoice, NotAskedFor
from machines.contract.ruleset import Ruleset, ruleset
from projections.combat import Combat
from projections.path import Rest
from projections.views.document import State
from replays.scripts.expectations import check
from replays.scripts.format import (
    AdjustStep,
    AmendStep,
    EndStep,
    JoinStep,
    LeaveStep,
    ModifyStep,
    OverruleStep,
    Player,
    RevealStep,
    RewindStep,
    Script,
    ScriptFaces,
    Secret,
    Step,
    TimeStep,
    WordedChoice,
)
from replays.scripts.stock_answers import DrawnAnswers
from replays.sessions.hidden_names import Names
from replays.sessions.intent import Intent, intended
from replays.sessions.lookup import open_key

Steps = Generator[Intent, Combat, Combat]
"""Yields what to perform, receives the state after it, and returns the last state."""

Rewinding = Callable[[RewindStep | AmendStep], Command]


def _text(value: object) -> str:
    """Returns the book's value as text, without brackets."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    return " and ".join(map(_text, value)) if isinstance(value, list | tuple) else str(value)


class Scripted:
    """The answers of a script.

    Args:
        script: The script.
        by: The gamemaster; a combatant whose player the script names is played by that player.
        state: Returns the present state document, for expectations.
        back: Makes the command of a rewinding or amending step, which requires the log.
        start: The state before the first step.
    """

    def __init__(
        self, script: Script, by: Who, state: Callable[[], State], back: Rewinding, start: Combat | None = None
    ) -> None:
        self._by = by
        self._state = state
        self._back = back
        self._steps = self._all(script, start or Combat())
        self._begun = False
        self._secret: Audience = None
        self.step = 0
        """The number of the step being performed, from 1; 0 before the first."""

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """Returns the script's next command.

        Raises:
            BadCommand: A value has a type that the log cannot hold, such as a fraction.
        """
        try:
            intent = self._steps.send(combat if self._begun else None)  # type: ignore[arg-type]  # a generator starts with None
        except StopIteration:
            return None
        self._begun = True
        codec.check_command(intent.by, intent.command)
        return intent

    def _all(self, script: Script, combat: Combat) -> Steps:
        for who, one in script.combatants.items():
            combat = yield intended(join(who, one), self._by)
        for self.step, step in enumerate(script.play, 1):
            self._secret = audience(step.secret)
            if step.book_says is not None:
                combat = yield intended(Note(f"the book says {_text(step.book_says)}."), self._by)
            combat = yield from _STEPS[step.verb](self, combat, getattr(step, step.verb))
        return combat

    # -------------------------------------------------------------------------------------------- answers to rests

    def _dice(self, combat: Combat, faces: Mapping[str, ScriptFaces]) -> Steps:
        for short, given in faces.items():
            rest, combat = yield from self._meant(combat, short, rolls=True)
            command = _thrown(rest.key, given, self._secret)
            combat = yield intended(command, self._person(combat, rest.by))
        return combat

    def _draw(self, combat: Combat, what: object) -> Steps:
        shorts = (what,) if isinstance(what, str) else what if isinstance(what, tuple) else ()
        keys = []
        for short in shorts:
            rest, combat = yield from self._meant(combat, short, rolls=True)
            keys.append(rest.key)
        waiting = frozenset(keys or (rest.key for rest in combat.rests if rest.dice))
        drawn = DrawnAnswers(self._person, waiting)
        while (intent := drawn.next(None, combat)) is not None:
            combat = yield intended(msgspec.structs.replace(intent.command, seen_by=self._secret), intent.by)
        return combat

    def _choose(self, combat: Combat, chosen: Mapping[str, str | WordedChoice]) -> Steps:
        for short, given in chosen.items():
            choice = WordedChoice(option=given) if isinstance(given, str) else given
            rest, combat = yield from self._meant(combat, short, rolls=False)
            command = Choose(rest.key, choice.option, choice.words, seen_by=self._secret)
            combat = yield intended(command, self._person(combat, rest.by))
        return combat

    def _declare(self, combat: Combat, declared: Mapping[str, Any]) -> Steps:
        terms = {name: value for name, value in declared.items() if name not in ("kind", "by")}
        command = Declare(declared["kind"], Names(combat).of(declared["by"]), terms, seen_by=self._secret)
        if not _is_possible_anytime(combat, command.kind):
            combat = yield from self._defaults(combat, lambda so: _may_act(so, command.by))
        return (yield intended(command, self._person(combat, command.by)))

    def _meant(self, combat: Combat, short: str, *, rolls: bool) -> Generator[Intent, Combat, tuple[Rest, Combat]]:
        combat = yield from self._defaults(combat, lambda so: open_key(so, short, rolls=rolls) is not None)
        key = open_key(combat, short, rolls=rolls)
        for rest in combat.rests:
            if rest.key == key:
                return rest, combat
        problem = NotAskedFor if rolls else NoSuchChoice
        waiting = ", ".join(rest.key for rest in combat.rests if bool(rest.dice) == rolls)
        raise problem(f"nothing open fits {short!r}", where=short or "key", accepts=waiting or "nothing is open")

    def _defaults(self, combat: Combat, fits: Callable[[Combat], bool]) -> Steps:
        """Answers choices with their defaults until the step fits; where none leads there, the step will be refused."""
        for _ in range(_MOST_DEFAULTS):
            rest = next((rest for rest in combat.rests if rest.default is not None), None)
            if fits(combat) or rest is None or rest.default is None:
                break
            combat = yield intended(Choose(rest.key, rest.default), self._person(combat, rest.by))
        return combat

    def _person(self, combat: Combat, who: str) -> Who:
        player = combat.roster[who].player if who in combat.roster else "gm"
        return self._by if player == "gm" else Who(player, Seat.PLAYER)

    # -------------------------------------------------------------------------------------------- all else

    def _expect(self, combat: Combat, expected: Mapping[str, Any]) -> Steps:
        check(self._state(), Names(combat).plain(dict(expected)), self.step)
        return (yield from _no_steps(combat))

    def _rewind(self, _: Combat, step: RewindStep | AmendStep) -> Steps:
        return (yield intended(self._back(step), self._by))

    def _command(self, _: Combat, step: Any) -> Steps:
        command = _COMMANDS[type(step)](step)
        if self._secret is not None:
            command = msgspec.structs.replace(command, seen_by=self._secret)
        return (yield intended(command, self._by))

    def _begin(self, _: Combat, situation: dict[str, Any]) -> Steps:
        return (yield intended(BeginCombat(situation), self._by))


_MOST_DEFAULTS = 100


def _thrown(key: str, given: ScriptFaces, seen_by: Audience) -> TypeDice | TellDice:
    """Returns the answer to a roll with the faces, or the counts in their place, that a script has."""
    if isinstance(given, dict):
        return TellDice(key, given, seen_by=seen_by)
    faces = (given,) if isinstance(given, int) else given
    return TypeDice(key, faces, (Provenance.SCRIPTED.value,) * len(faces), seen_by=seen_by)


def _may_act(combat: Combat, who: str) -> bool:
    """Returns whether a combatant is asked for an action, and not only for a detail."""
    if not combat.session.is_open or not any(rest.by == who and rest.options for rest in combat.rests):
        return False
    game = ruleset(combat.session.ruleset)
    chart, number = combat.path.levels[-1]
    return any(label in game.kinds for label in game.charts[chart][number].exits)


def _is_possible_anytime(combat: Combat, kind: str) -> bool:
    """Returns whether a declaration may be made at any rest, so that no default has to be chosen first."""
    kinds = ruleset(combat.session.ruleset).kinds if combat.session.is_open else {}
    return kind in kinds and kinds[kind].anytime


def _no_steps(combat: Combat) -> Steps:
    yield from ()
    return combat


_STEPS: Mapping[str, Callable[[Scripted, Combat, Any], Steps]] = {
    "begin": Scripted._begin,
    "dice": Scripted._dice,
    "draw": Scripted._draw,
    "declare": Scripted._declare,
    "choose": Scripted._choose,
    "expect": Scripted._expect,
    "rewind": Scripted._rewind,
    "amend": Scripted._rewind,
    **dict.fromkeys(
        ("overrule", "modify", "adjust", "note", "pass_time", "join", "leave", "reveal", "end"), Scripted._command
    ),
}

_COMMANDS: Mapping[type, Callable[[Any], Command]] = {
    OverruleStep: lambda step: Overrule(step.key, step.figure, step.value, step.why),
    ModifyStep: lambda step: ApplyModifier(step.key, step.value, step.why),
    AdjustStep: lambda step: Adjust(step.who, step.what, step.value, step.why),
    str: Note,
    TimeStep: lambda step: PassTime(step.amount, step.unit, step.why),
    JoinStep: lambda step: join(step.who, step),
    LeaveStep: lambda step: Leave(step.who, step.why),
    RevealStep: lambda step: Reveal(step.entry, to=step.to or None, who=step.who),
    EndStep: lambda step: EndCombat(step.why),
}


def join(who: str, one: Player) -> Join:
    """Returns the command that adds a script's combatant."""
    return Join(who, one.sheet, one.name, one.player, one.thing, side=one.side, seen_by=audience(one.secret))


def audience(secret: Secret) -> Audience:
    """Returns the audience of a secret step."""
    return None if secret is False else () if secret is True else secret


__all__ = ("Refused", "Scripted", "Step", "join")
