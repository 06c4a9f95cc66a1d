"""Scripted answers: the steps of a script as commands, one after the other.

Shorthands are resolved against what the table waits for when a step's turn comes; choices with a default that the
script leaves out are taken on the way.
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
    Faces,
    JoinStep,
    LeaveStep,
    ModifyStep,
    OverruleStep,
    Player,
    RevealStep,
    RewindStep,
    Said,
    Script,
    Secret,
    Step,
    TimeStep,
)
from replays.scripts.stock_answers import Drawn
from replays.sessions.hidden_names import Names
from replays.sessions.intent import Intent, intended
from replays.sessions.lookup import open_key

Asking = Generator[Intent, Combat, Combat]
"""Yields what is asked for, is sent what is so then, returns the last of it."""

Rewinding = Callable[[RewindStep | AmendStep], Command]


def _spoken(said: object) -> str:
    """What the book says, without brackets."""
    if isinstance(said, Mapping):
        return ", ".join(f"{name} {_spoken(value)}" for name, value in said.items())
    return " and ".join(map(_spoken, said)) if isinstance(said, list | tuple) else str(said)


class Scripted:
    """A script's answers.

    Args:
        script: The fight.
        by: The gamemaster; a combatant's own player speaks for it where the script names one.
        state: Says what is so, for expectations.
        back: Makes a rewinding or an amendment of a step, which only whoever has the log can.
        start: What is so before the first step.
    """

    def __init__(
        self, script: Script, by: Who, state: Callable[[], State], back: Rewinding, start: Combat | None = None
    ) -> None:
        self._by = by
        self._state = state
        self._back = back
        self._asking = self._all(script, start or Combat())
        self._begun = False
        self._secret: Audience = None
        self.step = 0
        """The step being performed, from 1; 0 before the first."""

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """What the script says next.

        Raises:
            BadCommand: A value is of a type that the log cannot hold, such as a fraction.
        """
        try:
            asked = self._asking.send(combat if self._begun else None)  # type: ignore[arg-type]  # the first is started
        except StopIteration:
            return None
        self._begun = True
        codec.check_command(asked.by, asked.command)
        return asked

    def _all(self, script: Script, combat: Combat) -> Asking:
        for who, one in script.combatants.items():
            combat = yield intended(join(who, one), self._by)
        for self.step, step in enumerate(script.play, 1):
            self._secret = audience(step.secret)
            if step.book_says is not None:
                combat = yield intended(Note(f"the book says {_spoken(step.book_says)}."), self._by)
            combat = yield from _STEPS[step.verb](self, combat, getattr(step, step.verb))
        return combat

    # -------------------------------------------------------------------------------------------- answers to rests

    def _dice(self, combat: Combat, faces: Mapping[str, Faces]) -> Asking:
        for short, given in faces.items():
            thrown = (given,) if isinstance(given, int) else given
            rest, combat = yield from self._meant(combat, short, rolls=True)
            provenance = (Provenance.SCRIPTED.value,) * len(thrown)
            command = TypeDice(rest.key, thrown, provenance, seen_by=self._secret)
            combat = yield intended(command, self._person(combat, rest.by))
        return combat

    def _draw(self, combat: Combat, what: object) -> Asking:
        shorts = (what,) if isinstance(what, str) else what if isinstance(what, tuple) else ()
        keys = []
        for short in shorts:
            rest, combat = yield from self._meant(combat, short, rolls=True)
            keys.append(rest.key)
        waiting = frozenset(keys or (rest.key for rest in combat.rests if rest.dice))
        drawn = Drawn(self._person, waiting)
        while (asked := drawn.next(None, combat)) is not None:
            combat = yield intended(msgspec.structs.replace(asked.command, seen_by=self._secret), asked.by)
        return combat

    def _choose(self, combat: Combat, chosen: Mapping[str, str | Said]) -> Asking:
        for short, given in chosen.items():
            said = Said(option=given) if isinstance(given, str) else given
            rest, combat = yield from self._meant(combat, short, rolls=False)
            command = Choose(rest.key, said.option, said.words, seen_by=self._secret)
            combat = yield intended(command, self._person(combat, rest.by))
        return combat

    def _declare(self, combat: Combat, said: Mapping[str, Any]) -> Asking:
        terms = {name: value for name, value in said.items() if name not in ("kind", "by")}
        command = Declare(said["kind"], Names(combat).of(said["by"]), terms, seen_by=self._secret)
        if not _breaks_in(combat, command.kind):
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
        raise problem(f"nothing open is meant by {short!r}", where=short or "key", accepts=waiting or "none is open")

    def _defaults(self, combat: Combat, fits: Callable[[Combat], bool]) -> Asking:
        """Take defaults until the step fits; where none leads there, the step is refused as it stands."""
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

    def _expect(self, combat: Combat, expected: Mapping[str, Any]) -> Asking:
        check(self._state(), Names(combat).plain(dict(expected)), self.step)
        return (yield from _asking_nothing(combat))

    def _rewind(self, _: Combat, step: RewindStep | AmendStep) -> Asking:
        return (yield intended(self._back(step), self._by))

    def _command(self, _: Combat, step: Any) -> Asking:
        command = _COMMANDS[type(step)](step)
        if self._secret is not None:
            command = msgspec.structs.replace(command, seen_by=self._secret)
        return (yield intended(command, self._by))

    def _begin(self, _: Combat, situation: dict[str, Any]) -> Asking:
        return (yield intended(BeginCombat(situation), self._by))


_MOST_DEFAULTS = 100


def _may_act(combat: Combat, who: str) -> bool:
    """Is somebody asked what to do, and not only about a detail?"""
    if not combat.session.is_open or not any(rest.by == who and rest.options for rest in combat.rests):
        return False
    game = ruleset(combat.session.ruleset)
    chart, number = combat.path.levels[-1]
    return any(label in game.kinds for label in game.charts[chart][number].exits)


def _breaks_in(combat: Combat, kind: str) -> bool:
    """Is it declared beside what the table waits for, so that nothing has to be passed first?"""
    kinds = ruleset(combat.session.ruleset).kinds if combat.session.is_open else {}
    return kind in kinds and kinds[kind].anytime


def _asking_nothing(combat: Combat) -> Asking:
    yield from ()
    return combat


_STEPS: Mapping[str, Callable[[Scripted, Combat, Any], Asking]] = {
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
    """A script's combatant as a command."""
    return Join(who, one.sheet, one.name, one.player, one.thing, seen_by=audience(one.secret))


def audience(secret: Secret) -> Audience:
    """Who sees what a script does in secret."""
    return None if secret is False else () if secret is True else secret


__all__ = ("Refused", "Scripted", "Step", "join")
