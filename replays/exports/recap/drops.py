"""Collects the combatants who were put out of the fight: by which action, when, and with which condition."""

from collections.abc import Mapping

import msgspec

from ledger import events as e
from machines.registry import vocabulary_of
from projections.combat import Combat
from replays.exports.recap.deeds import OpenAction, action_of, deed_of, name_of, names_in, time_at, with_actions
from replays.exports.recap.model import Deed, Drop, FurtherCondition
from replays.views.frames import ReplayFrame

_CONDITIONS = "conditions."
"""How the gamemaster's adjustments name conditions."""


class DropCollector:
    """Collects drops from the standing entries, in order.

    A drop begins with a condition of `Vocabulary.down` that a combatant gains while having none of them, by the rules
    or by an adjustment of the gamemaster, and ends when the last of them is lost.
    """

    def __init__(self) -> None:
        self._drops: list[Drop] = []
        self._last: dict[str, int] = {}
        """The index of the latest drop of each combatant."""

    def add(self, frame: ReplayFrame) -> None:
        """Adds an entry."""
        before, words = frame.before, vocabulary_of(frame.combat.session.ruleset).down
        having: dict[str, set[str]] = {}
        for event, actions in with_actions(frame.entry, before):
            gained, lost = _condition(event)
            if not isinstance(event, e.ConditionGained | e.ConditionLost | e.Adjusted) or not {gained, lost} & {*words}:
                continue
            mine = having.setdefault(event.who, _down(before, event.who, words))
            if gained and gained not in mine:
                self._gained(frame, event, gained, actions, is_first=not mine)
            mine.discard(lost)
            mine.update({gained} - {""})
            if lost and not mine:
                self._up(event.who, frame.entry.seq)

    def drops(self) -> tuple[Drop, ...]:
        """Returns all drops, in order."""
        return tuple(self._drops)

    def _gained(
        self,
        frame: ReplayFrame,
        event: e.ConditionGained | e.ConditionLost | e.Adjusted,
        condition: str,
        actions: tuple[OpenAction, ...],
        *,
        is_first: bool,
    ) -> None:
        seq = frame.entry.seq
        if not is_first and event.who in self._last:
            place = self._last[event.who]
            known = self._drops[place]
            further = (*known.further, FurtherCondition(condition, seq))
            self._drops[place] = msgspec.structs.replace(known, further=further)
            return
        names = names_in(frame.combat)
        self._last[event.who] = len(self._drops)
        when = time_at(event, frame.entry, frame.before)
        deed = _deed(event, actions, names, frame.combat.session.ruleset)
        name = name_of(event.who, names)
        self._drops.append(Drop(event.who, name, condition, seq, when, deed, getattr(event, "why", "")))

    def _up(self, who: str, seq: int) -> None:
        place = self._last.pop(who, None)
        if place is not None:
            self._drops[place] = msgspec.structs.replace(self._drops[place], up=seq)


def _down(combat: Combat, who: str, words: tuple[str, ...]) -> set[str]:
    return {name for name in words if combat.conditions.has(who, name)}


def _condition(event: e.Event) -> tuple[str, str]:
    """Returns the condition that an event adds, and the one that it removes; empty where there is none."""
    match event:
        case e.ConditionGained():
            return event.condition, ""
        case e.ConditionLost():
            return "", event.condition
        case e.Adjusted() if event.what.startswith(_CONDITIONS):
            name = event.what.removeprefix(_CONDITIONS)
            return ("", name) if event.after is None else (name, "")
        case _:
            return "", ""


def _deed(event: e.Event, actions: tuple[OpenAction, ...], names: Mapping[str, str], ruleset: str) -> Deed | None:
    """Returns the action in which a condition was gained; None for an adjustment, and outside any action."""
    if not isinstance(event, e.ConditionGained):
        return None
    action = action_of(event.key, actions)
    return deed_of(action, names, ruleset) if action is not None else None
