"""Finds the recorded answers that may fit a state, without trying each of them.

An answer is filed under everything that a state can ask for it by: the key of a rest, a combatant's moment, a round. A
command that answers nothing may fit any state; of several such commands that are equal, only the first is tried,
because the rules decide the others alike.
"""

from bisect import insort
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import merge

import msgspec

from ledger.commands import Choose, Declare, DrawDice, TellDice, TypeDice
from ledger.key import around, moment_of_acting
from projections.combat import Combat
from replays.sessions.intent import Intent

_ANYWHERE = ""
"""Commands that may fit any state."""
_NO_REST = "no rest"
"""Commands that were given at a rest, and also fit where none is open."""
_IN_A_PERIOD = "in a period"
"""Declarations that fit in their round only; no state asks for them by this name."""


class RecordedAnswer(msgspec.Struct, frozen=True, gc=False):
    """A recorded command, and the rest that it answered."""

    intent: Intent
    key: str = ""
    """The key of the roll, choice or declaration."""
    moment: str = ""
    """The moment at which a combatant was asked for an action, where the key names it."""
    period: str = ""
    """The round in which a declaration was made."""
    dice: str = ""
    """The dice whose counts were recorded: they answer no roll of other dice. Empty for faces and corrected counts."""


class AnswerIndex:
    """Recorded answers that are not used yet, in the order of the log.

    Args:
        answers: The answers, in that order.
    """

    def __init__(self, answers: Iterable[RecordedAnswer] = ()) -> None:
        self.answers = dict(enumerate(answers))
        """The answers by their places, which are only read by others."""
        self._places: dict[str, list[int]] = {}
        """The places of the answers, in order, by what they are filed under."""
        self._equal: dict[bytes, deque[int]] = {}
        """The places of further commands equal to one that may fit any state, in order."""
        for place, answer in self.answers.items():
            for name in _filed_under(answer):
                if name != _ANYWHERE or self._is_first(place, answer):
                    self._places.setdefault(name, []).append(place)

    def __iter__(self) -> Iterator[RecordedAnswer]:
        return iter(self.answers.values())

    def candidates(self, combat: Combat) -> Iterable[int]:
        """Returns the places of the answers that may fit a state, in order; after `take`, ask anew."""
        names, places = {_ANYWHERE}, self._places
        for rest in combat.path.asked:
            names.add(rest.key)
            if rest.options:
                names.add(moment_of_acting(rest.key))
        if _IN_A_PERIOD in places:
            names.add(combat.clock.period)
        if _NO_REST in places and not combat.path.rests:
            names.add(_NO_REST)
        found = list(filter(None, map(places.get, names)))
        return found[0] if len(found) == 1 else merge(*found)

    def take(self, place: int) -> None:
        """Removes an answer; the next one that is equal to it may be tried."""
        answer = self.answers.pop(place)
        self.__dict__.pop("_around", None)
        for name in _filed_under(answer):
            self._places[name].remove(place)
            equal = self._equal.get(_content(answer)) if name == _ANYWHERE else None
            if equal:
                insort(self._places[name], equal.popleft())

    def is_any_within(self, key: str) -> bool:
        """Returns whether an answer belongs to a roll, a choice or an exchange."""
        return key in self._around

    @cached_property
    def _around(self) -> frozenset[str]:
        return frozenset(key for each in self for key in (each.key, *around(each.key)))

    def _is_first(self, place: int, answer: RecordedAnswer) -> bool:
        """Returns whether no equal command was filed before; if one was, keeps the place for later."""
        equal = self._equal.get(content := _content(answer))
        if equal is None:
            self._equal[content] = deque()
        else:
            equal.append(place)
        return equal is None


def _filed_under(answer: RecordedAnswer) -> set[str]:
    """Returns what states ask for an answer by: one of these at least, if it fits."""
    command = answer.intent.decided
    if isinstance(command, TypeDice | DrawDice | TellDice):
        return {command.key}
    if isinstance(command, Choose):
        return {command.key, answer.moment or command.key}
    if isinstance(command, Declare) and answer.moment:
        return {answer.moment}
    if isinstance(command, Declare) and answer.period:
        return {answer.period, _IN_A_PERIOD}
    return {_ANYWHERE} if command.given_at is None else {command.given_at, _NO_REST}


def _content(answer: RecordedAnswer) -> bytes:
    """Returns what decides whether a command fits a state and is legal there."""
    return msgspec.msgpack.encode((answer.intent.decided, answer.intent.overrules))
