"""Puts the change of an amendment in words: the new facts beside the old ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger import events as e
from ledger.commands import AmendSheet, Declare, Join
from ledger.dice import read
from ledger.entry import Entry
from machines.registry import vocabulary_of
from projections.combat import Combat
from replays.corrections.change import shown, thrown_in_words
from replays.exports.recap.deeds import Names, name_of

_INSIDE: Mapping[type, str] = {Declare: "terms", Join: "sheet", AmendSheet: "sheet"}
"""The field in which a path begins by default."""


class ChangeWords:
    """Words the change of one entry.

    Args:
        command: The command that is corrected.
        lost: The entries that no longer stand, with the corrected one.
        before: The state before the amendment.
        names: The names of the combatants, by id.
    """

    def __init__(self, command: Any, lost: Sequence[Entry], before: Combat, names: Names) -> None:
        self._command, self._before, self._names = command, before, names
        events = [event for entry in lost for event in entry.events]
        faces = {event.key: event.faces for event in events if isinstance(event, e.DiceRolled)}
        self._thrown = faces | {event.key: event.counts for event in events if isinstance(event, e.DiceTold)}
        self._dice = {event.key: event.dice for event in events if isinstance(event, e.RollRequested)}

    def facts(self, change: Mapping[str, Any]) -> Iterator[str]:
        """Yields the new facts, each beside the old one where it is known.

        Args:
            change: The change in its form in the log.
        """
        for path, value in change.get("set", {}).items():
            yield self._field(path, value)
        for each in ("modify", "overrule"):
            if each in change:
                given = change[each]
                figure = given.get("figure", "")
                yield f"{figure} was {given['value']}" if figure else f"a modifier of {given['value']:+d}"
        for key, faces in change.get("dice", {}).items():
            yield self._dice_thrown(key, faces, self._thrown.get(key))
        for step in change.get("insert", ()):
            yield f"before it: {shown(step)}"
        if change.get("drop"):
            yield "it did not happen"

    def _field(self, path: str, value: Any) -> str:
        inside = _INSIDE.get(type(self._command), "")
        parts = path.removeprefix(f"{inside}.").split(".")
        old = _value(self._command, [inside, *parts] if inside else parts)
        if parts in (["faces"], ["counts"]):
            return self._dice_thrown(getattr(self._command, "key", ""), value, old)
        was = "" if old in (None, "", []) else f", not {_words(old, self._names)}"
        verb = "were" if isinstance(value, list | tuple) else "was"
        return f"{self._label(parts)} {verb} {_words(value, self._names)}{was}"

    def _label(self, parts: Sequence[str]) -> str:
        """Returns the words for a field: of a declaration by its role, else by its name."""
        terms = vocabulary_of(self._before.session.ruleset).terms
        roles = {terms.at: "the target", terms.things[0]: "the weapon"}
        if isinstance(self._command, Declare) and len(parts) == 1 and parts[0] in roles:
            return roles[parts[0]]
        return f"the {' '.join(parts)}".replace("_", " ")

    def _dice_thrown(self, key: str, thrown: Any, old: Any) -> str:
        """Returns the words for thrown dice, by faces or counts, beside the old ones."""
        dice = self._dice.get(key) or self._before.rolls[key].dice
        was = f", not {_read(old, dice)}" if old else ""
        return f"the dice were {_read(thrown, dice)}{was}"


def _words(value: Any, names: Names) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return name_of(value, names)
    if isinstance(value, list | tuple):
        return " and ".join(_words(each, names) for each in value) or "none"
    return shown(value)


def _value(command: Any, path: Sequence[str]) -> Any:
    """Returns the value of a command at a path; None where there is none."""
    value: Any = msgspec.to_builtins(command)
    for part in path:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def _read(thrown: Any, dice: str) -> str:
    if isinstance(thrown, dict):
        return thrown_in_words(thrown)
    faces = thrown if isinstance(thrown, list | tuple) else [thrown]
    return " ".join(read(dice, face) if isinstance(face, int) else str(face) for face in faces)
