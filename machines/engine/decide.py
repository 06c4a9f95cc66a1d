"""Decides a command: from the state and the command to the events that follow by the rules, or to a refusal.

`decide` is pure: the same state, command and overrules yield the same events, and no argument is changed.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from ledger import dice
from ledger.commands import (
    Adjust,
    Amend,
    ApplyModifier,
    Choose,
    Command,
    Declare,
    DrawDice,
    Note,
    OpenSession,
    Overrule,
    Rewind,
    TellDice,
    TypeDice,
)
from ledger.entry import Provenance
from ledger.errors import WrongCount
from ledger.events import (
    Amended,
    Chosen,
    Declared,
    DiceRolled,
    DiceTold,
    Event,
    FigureFound,
    ModifierApplied,
    Noted,
    Rewound,
)
from machines.contract.action import Action
from machines.contract.chart import GOTO, Box, Deed
from machines.contract.dice_reading import check_counts
from machines.contract.refusals import (
    NoSuchChoice,
    NoSuchRoll,
    NotAskedFor,
    NotFighting,
    NotOffered,
    NotYourTurn,
    RuleRefused,
    Unsupported,
)
from machines.contract.ruleset import Ruleset, check_declared
from machines.engine import agreements, dispute_rules, framing
from machines.engine.adjustments import adjust, check_known
from machines.engine.framing import check_new, check_open
from machines.engine.walk import MOST_EVENTS, Walk
from machines.secrecy.hidden_names import with_own_secrecy
from machines.secrecy.visibility import hide
from projections.combat import Combat, fold
from projections.path import Rest

_OF_FACES = frozenset(Provenance) - {Provenance.TOLD}
"""The origins of faces; counted dice have no faces."""


class Decision(NamedTuple):
    """What follows by the rules from a command on a state."""

    before: Combat
    command: Command
    overrules: tuple[Overrule, ...]
    events: tuple[Event, ...]
    after: Combat
    """The state after the events."""

    def is_of(self, combat: Combat, command: Command, overrules: tuple[Overrule, ...]) -> bool:
        """Returns whether this is the decision of a command on a state, which need not be decided twice."""
        return self.command is command and self.overrules == overrules and self.before == combat


def decide(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...] = ()) -> tuple[Event, ...]:
    """Returns the events that follow from a command.

    Args:
        game: The rules.
        combat: The state.
        command: The command.
        overrules: The gamemaster's values for figures that this command's rules find.

    Raises:
        Refused: The command is not possible; the slug has the reason.
    """
    return hide(tuple(_walked(game, combat, command, overrules).events), command, combat, game)


def decided(
    game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...] = ()
) -> tuple[tuple[Event, ...], Combat]:
    """Returns the events that follow from a command, and the state after them, without folding them again."""
    walk = _walked(game, combat, command, overrules)
    found = tuple(walk.events)
    events = hide(found, command, combat, game)
    return events, walk.combat if events is found else fold(events, combat)


def decision(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...] = ()) -> Decision:
    """Returns the decision of a command; parameters and refusals are those of `decide`."""
    return Decision(combat, command, overrules, *decided(game, combat, command, overrules))


def _walked(game: Ruleset, combat: Combat, command: Command, overrules: tuple[Overrule, ...]) -> Walk:
    if isinstance(command, OpenSession):
        check_new(combat)
    else:
        check_open(combat)
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Unsupported(f"no rule handles {type(command).__name__}", where="command")
    words = tuple(with_own_secrecy(each, combat) for each in overrules)
    walk = Walk(combat, game.charts, words, game)
    handler(game, walk, command)
    return walk


# ------------------------------------------------------------------------------------------------ play


def _declare(game: Ruleset, walk: Walk, command: Declare) -> None:
    check_known(walk.combat, command.by)
    rest, box = _asked_to_act(game, walk.combat, command.by)
    kind = game.kinds.get(command.kind)
    if rest is not None and box is not None and command.kind in box.exits:
        _act(game, walk, command, kind, rest)
    elif kind is not None and kind.anytime:
        check_declared(game, walk.combat, command)
        depth = len(walk.combat.path.levels)
        _open_frame(walk, command, kind)
        walk.enter(kind.chart, kind.chart.first, depth)
        _go_on(walk)
    else:
        raise _why_not_declared(game, walk.combat, command, box)


def _go_on(walk: Walk) -> None:
    """Resumes the walk if nothing is open and the charts are not at their end."""
    if not walk.combat.path.rests and walk.combat.path.levels:
        walk.resume()


def _act(game: Ruleset, walk: Walk, command: Declare, kind: Action | None, rest: Rest) -> None:
    """Answers the choice of an action, and leaves its box by the exit of that kind."""
    if kind is not None:
        check_declared(game, walk.combat, command)
    _answer(walk, rest, command.kind, "")
    if kind is not None:
        _open_frame(walk, command, kind)
    walk.leave(command.kind)


def _open_frame(walk: Walk, command: Declare, kind: Action) -> None:
    """Records the declaration, and what is assumed for its omitted terms."""
    key = walk.combat.exchange.next_key(walk.combat.clock.period, command.by, command.kind)
    walk.tell(Declared(key, command.kind, command.by, command.terms))
    for event in kind.assumes(walk.combat):
        walk.tell(event)


def _asked_to_act(game: Ruleset, combat: Combat, who: str) -> tuple[Rest | None, Box | None]:
    """Returns the open choice of a combatant, and its box."""
    rest = next((rest for rest in combat.path.rests if rest.by == who and rest.options), None)
    if rest is None:
        return None, None
    chart, number = combat.path.levels[-1]
    return rest, game.charts[chart].boxes.get(number) if chart in game.charts else None


def _why_not_declared(game: Ruleset, combat: Combat, command: Declare, box: Box | None) -> RuleRefused:
    if box is not None:
        accepts = ", ".join(label for label in box.exits if label != GOTO) or "choose one of the options"
        return NotOffered(f"{command.kind!r} cannot be declared now", where="kind", accepts=accepts)
    if command.kind not in game.kinds:
        return NotOffered(f"{command.kind!r} cannot be declared", where="kind", accepts=", ".join(game.kinds))
    if not combat.clock.fighting:
        return NotFighting("no fight is going on", where="combat", accepts="begin a fight first")
    own = next((rest for rest in combat.path.rests if rest.by == command.by), None)
    if own is not None:
        problem = f"{command.by} must answer an open {'roll' if own.dice else 'choice'} first"
        return NotYourTurn(problem, where="by", accepts="its dice" if own.dice else "one of its options")
    waited = ", ".join(dict.fromkeys(rest.by for rest in combat.path.rests))
    accepts = f"an answer of {waited}" if waited else "nothing now"
    return NotYourTurn(f"it is not {command.by}'s turn to act", where="by", accepts=accepts)


def _choose(game: Ruleset, walk: Walk, command: Choose) -> None:
    rest = next((rest for rest in walk.combat.path.rests if rest.key == command.key), None)
    if rest is None or rest.dice:
        raise NoSuchChoice(
            f"no open choice has the key {command.key!r}", where="key", accepts=_open_keys(walk.combat, rolls=False)
        )
    if command.option in game.kinds:
        accepts = f"declare {command.option}"
        raise NotOffered(f"{command.option} needs terms: declare it", where="option", accepts=accepts)
    _answer(walk, rest, command.option, command.words)
    walk.leave(command.option)


def _answer(walk: Walk, rest: Rest, option: str, words: str) -> None:
    options = [each.option for each in rest.options]
    if option not in options:
        raise NotOffered(f"{option!r} is not offered to {rest.by}", where="option", accepts=", ".join(options))
    walk.tell(Chosen(rest.key, option, words))


def _open_roll(combat: Combat, key: str) -> Rest:
    """Returns the open roll of a key.

    Raises:
        NotAskedFor: There is none.
    """
    rest = next((rest for rest in combat.path.rests if rest.key == key), None)
    if rest is None or not rest.dice:
        raise NotAskedFor(f"no open roll has the key {key!r}", where="key", accepts=_open_keys(combat, rolls=True))
    return rest


def _tell(game: Ruleset, walk: Walk, command: TellDice) -> None:
    rest = _open_roll(walk.combat, command.key)
    check_counts(rest.dice, game.reading(walk.combat, command.key), command.counts)
    walk.tell(DiceTold(rest.key, rest.dice, command.counts, Provenance.TOLD.value, seen_by=command.seen_by))
    _go_on(walk)


def _roll(_: Ruleset, walk: Walk, command: TypeDice | DrawDice) -> None:
    rest = _open_roll(walk.combat, command.key)
    faces = dice.check(rest.dice, command.faces)
    usual = Provenance.TYPED if isinstance(command, TypeDice) else Provenance.DRAWN
    provenance = command.provenance or (usual.value,) * len(faces)
    if len(provenance) != len(faces) or not set(provenance) <= _OF_FACES:
        raise WrongCount("each face needs one provenance", where="provenance", accepts=", ".join(sorted(_OF_FACES)))
    walk.tell(DiceRolled(rest.key, faces, provenance, seen_by=command.seen_by))
    _go_on(walk)


def _modify(game: Ruleset, walk: Walk, command: ApplyModifier) -> None:
    if not any(rest.key == command.key and rest.dice for rest in walk.combat.path.asked):
        raise NoSuchRoll(
            f"no open roll has the key {command.key!r}", where="key", accepts=_open_keys(walk.combat, rolls=True)
        )
    before = walk.combat
    walk.tell(ModifierApplied(command.key, command.value, command.why, "", seen_by=command.seen_by))
    walk.perform(_retargeted(game, before, walk.combat, command))
    _go_on(walk)


def _retargeted(game: Ruleset, before: Combat, combat: Combat, command: ApplyModifier) -> Deed:
    """Yields the new figures of an open roll after a modifier, which is added to a figure set by the gamemaster."""
    by_rule = _found(game.retarget(before, command.key), before)
    anew = game.retarget(combat, command.key)
    try:
        event = next(anew)
        while True:
            says = before.figures.number(command.key, event.name) if isinstance(event, FigureFound) else None
            if isinstance(event, FigureFound) and says is not None and by_rule.get(event.name) != says:
                why = f"the gamemaster's {says} {command.value:+d}"
                event = msgspec.structs.replace(event, value=says + command.value, why=why)
            event = anew.send((yield event))
    except StopIteration:
        return None


def _found(deed: Deed, combat: Combat) -> dict[str, int | str]:
    """Returns the figures that a box function would find."""
    found: dict[str, int | str] = {}
    try:
        event = next(deed)
        for _ in range(MOST_EVENTS):
            if isinstance(event, FigureFound):
                found[event.name] = event.value
            event = deed.send(combat)
    except StopIteration:
        pass
    return found


def _note(_: Ruleset, walk: Walk, command: Note) -> None:
    walk.tell(Noted(command.text, command.about))


def _amend(_: Ruleset, walk: Walk, command: Amend) -> None:
    walk.tell(Amended(command.entry, command.change, command.why))


def _rewind(_: Ruleset, walk: Walk, command: Rewind) -> None:
    walk.tell(Rewound(command.to, command.why, seen_by=command.seen_by))


# ------------------------------------------------------------------------------------------------ shared


def _open_keys(combat: Combat, *, rolls: bool) -> str:
    return ", ".join(rest.key for rest in combat.path.rests if bool(rest.dice) == rolls) or "nothing is open"


_HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {
    Declare: _declare,
    Choose: _choose,
    TypeDice: _roll,
    DrawDice: _roll,
    TellDice: _tell,
    ApplyModifier: _modify,
    Adjust: adjust,
    Note: _note,
    Rewind: _rewind,
    Amend: _amend,
    **framing.HANDLERS,
    **agreements.HANDLERS,
    **dispute_rules.HANDLERS,
}
