"""Decides `Adjust`: values that the gamemaster sets without a rule."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase

from ledger.commands import Adjust
from ledger.events import Adjusted
from machines.contract.refusals import CannotAdjust, UnknownCombatant
from machines.contract.ruleset import Ruleset
from machines.engine.walk import Walk
from projections.combat import Combat
from projections.initiative import SCORE

_WORD = r"[a-z0-9][a-z0-9_-]*"
_NAMES = "lower-case letters, digits, - and _"


def adjust(game: Ruleset, walk: Walk, command: Adjust) -> None:
    """Sets a track, wounds, a resource, a condition or Initiative to the gamemaster's value.

    Raises:
        UnknownCombatant: No combatant with that id takes part.
        CannotAdjust: The combatant has no such value, or it cannot be set to that.
    """
    check_known(walk.combat, command.who)
    before = _adjustable(game, walk.combat, command)
    walk.tell(Adjusted(command.who, command.what, before, command.value, command.why))
    if command.what == SCORE and walk.combat.clock.fighting:
        for event in game.reorder(walk.combat):
            walk.tell(event)
    if command.what.startswith("tracks."):
        walk.perform(game.follow(walk.combat, command.who))


def is_word(text: str) -> bool:
    """Returns whether a text may be an id or the name of a condition."""
    return re.fullmatch(_WORD, text) is not None


def _adjustable(game: Ruleset, combat: Combat, command: Adjust) -> int | str | None:
    kind, _, name = command.what.partition(".")
    counted: Mapping[str, int | None]
    if kind == "conditions" and name:
        if not is_word(name):
            raise CannotAdjust(f"{name!r} is not the name of a condition", where="what", accepts=_NAMES)
        condition = combat.conditions.of(command.who).get(name)
        return None if condition is None else (condition.level if condition.level is not None else condition.until)
    counted = {f"tracks.{track}": each.taken for track, each in combat.health.tracks.get(command.who, {}).items()}
    counted |= {f"resources.{one}": each.left for one, each in combat.resources.having.get(command.who, {}).items()}
    counted |= {one: combat.wounds.count(command.who, one) for one in game.vocabulary.counters}
    counted[SCORE] = combat.initiative.scores.get(command.who)
    if command.what not in counted:
        accepts = ", ".join([*counted, "conditions.NAME"])
        raise CannotAdjust(f"{command.who} has no {command.what}", where="what", accepts=accepts)
    if not isinstance(command.value, int) or (command.value < 0 and kind != SCORE):
        raise CannotAdjust(f"{command.what} must be a number", where="value", accepts="0 or more")
    return counted[command.what]


def free_condition(game: Ruleset, what: str) -> str:
    """Returns a remark on an adjusted condition that rules do not know, with the nearest known one; else an empty text.

    Args:
        game: The ruleset.
        what: The adjusted value, such as ``conditions.prone``.
    """
    kind, _, name = what.partition(".")
    if kind != "conditions" or not game.conditions or any(fnmatchcase(name, known) for known in game.conditions):
        return ""
    nearest = get_close_matches(name, [known for known in game.conditions if "*" not in known], 1)
    return f"{name} is free: no rule knows it" + "".join(f"; did you mean {known}?" for known in nearest)


def check_known(combat: Combat, who: str) -> None:
    """Checks that a combatant takes part.

    Raises:
        UnknownCombatant: It does not; `accepts` lists those who do.
    """
    if who not in combat.roster or not combat.roster[who].here:
        accepts = ", ".join(one for one, each in combat.roster.who.items() if each.here) or "nobody has joined"
        raise UnknownCombatant(f"there is no {who!r} here", where="who", accepts=accepts)
