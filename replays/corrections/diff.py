"""Compares a corrected line with the old one: outcomes that flip, figures that change, what is needed and set aside."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from ledger import events as e
from ledger.events import Event, Json
from machines.registry import vocabulary_of
from projections.combat import Combat
from projections.initiative import SCORE
from projections.views.document import ConditionView, State
from replays.corrections.misread_dice import Misread

NumberedEvents = Iterable[tuple[int, Event]]
"""Events, each with the number of its entry."""


class Flip(msgspec.Struct, frozen=True):
    """A test, an attack or another exchange with a different outcome."""

    key: str
    about: str
    """In words: the combatant, and the purpose."""
    before: str
    """Empty where it did not happen before."""
    after: str
    """Empty where it no longer happens; `WAITS` while an answer is pending."""


WAITS = "waits"
_NOTHING = Combat()


class Shift(msgspec.Struct, frozen=True):
    """A figure of the state that has changed."""

    who: str
    """A combatant; empty for the fight itself."""
    what: str
    before: Any
    after: Any


class Aside(msgspec.Struct, frozen=True):
    """Unused dice or another unused answer."""

    entry: int
    """The entry that has it; 0 for an unused overrule."""
    what: str


class Needed(msgspec.Struct, frozen=True):
    """A roll or choice that is open after the correction and was not before."""

    key: str
    by: str
    purpose: str
    dice: str = ""
    known: tuple[int, ...] = ()
    """Faces that already lie on the table; the others are needed."""
    options: tuple[str, ...] = ()


class Reread(msgspec.Struct, frozen=True):
    """A roll that now has another roller."""

    key: str
    before: str
    after: str


class Report(msgspec.Struct, frozen=True):
    """The effects of a correction."""

    kind: Literal["preview", "amendment", "what if"]
    entry: int
    """The entry that is corrected."""
    what: str
    """A short description of that entry."""
    change: Json
    why: str
    flips: tuple[Flip, ...]
    shifts: tuple[Shift, ...]
    needs_a_person: tuple[Needed, ...]
    waits: tuple[Aside, ...]
    """Answers that are used once the open rolls and choices are answered."""
    set_aside: tuple[Aside, ...]
    """Answers that are not used."""
    reread: tuple[Reread, ...]
    drift: tuple[int, ...]
    """Entries that today's rules decide differently from the record; flips are measured against today's rules."""
    before: State
    after: State
    misread: tuple[Misread, ...] = ()
    """The rolls whose dice are corrected."""
    numbers: tuple[Shift, ...] = ()
    """The tests with another result or another target, whatever their outcome."""

    @property
    def dice_needed(self) -> tuple[Needed, ...]:
        """The needed answers that are rolls."""
        return tuple(each for each in self.needs_a_person if each.dice)

    @property
    def changes_nothing(self) -> bool:
        """Whether the correction has no effect."""
        return not (self.flips or self.shifts or self.needs_a_person or self.set_aside or self.reread)


class RollReport(Report, frozen=True, kw_only=True):
    """The effects of a modifier on a thrown roll, or of an overrule."""

    key: str
    """The key of the roll; of the exchange, where the figure belongs to an exchange."""
    by: str
    """The roller, or the combatant who declared."""
    purpose: str
    """The purpose of the roll, or the kind of exchange."""

    @property
    def reaches(self) -> bool:
        """Whether it changes an outcome, a combatant's figure, what else is asked, or which answers are used."""
        needed = [each for each in self.needs_a_person if each.key != self.key]
        return bool(self.flips or self.shifts or needed or self.waits or self.set_aside or self.reread or self.drift)


# ------------------------------------------------------------------------------------------------ outcomes

_COMPARED = frozenset({e.TestResolved, e.ExchangeEnded, e.Overruled, e.RollRequested, e.Declared})


def compared(seq: int, events: Iterable[Event]) -> list[tuple[int, Event]]:
    """Returns an entry's events by which outcomes and rollers are compared; most events are of other kinds."""
    return [(seq, event) for event in events if type(event) in _COMPARED]


def is_never_pending(_: str) -> bool:
    """Returns False: no outcome is pending."""
    return False


def flips(
    before: NumberedEvents,
    after: NumberedEvents,
    open_: Callable[[str], bool] = is_never_pending,
    state: Combat = _NOTHING,
) -> Iterator[Flip]:
    """Yields outcomes that differ, in their new order; then those that no longer happen.

    Args:
        before: The events of the old line.
        after: The events of the corrected line.
        open_: Returns whether the outcome of a key is still pending.
        state: The state before both.
    """
    was, now = outcomes(before), outcomes(after)
    now |= {key: WAITS for key in was if key not in now and open_(key)}
    at = vocabulary_of(state.session.ruleset).terms.at
    whose = _whose_in(state, at) | _whose(before, at) | _whose(after, at)
    for key in [*now, *(key for key in was if key not in now)]:
        old, new = was.get(key, ""), now.get(key, "")
        if old != new:
            yield Flip(key, ": ".join(whose.get(key, (key,))), old, new)


def outcomes(events: NumberedEvents) -> dict[str, str]:
    """Returns the outcomes of tests and exchanges, by key; an overruled one as the gamemaster gave it."""
    found: dict[str, str] = {}
    for _, event in events:
        match event:
            case e.TestResolved(key=key, outcome=outcome) | e.ExchangeEnded(key=key, outcome=outcome):
                found[key] = outcome
            case e.Overruled(key=key, figure="outcome", gm_says=value):
                found[key] = str(value)
            case _:
                pass
    return found


def numbers(before: NumberedEvents, after: NumberedEvents, state: Combat = _NOTHING) -> Iterator[Shift]:
    """Yields the tests of both lines with another result or another target, in words: ``20 against 70``.

    Args:
        before: The events of the old line.
        after: The events of the corrected line.
        state: The state before both.
    """
    was, now = _tests(before), _tests(after)
    at = vocabulary_of(state.session.ruleset).terms.at
    whose = _whose_in(state, at) | _whose(before, at) | _whose(after, at)
    for key in was:
        if key in now and was[key] != now[key]:
            yield Shift(*whose.get(key, ("", key)), was[key], now[key])


def _tests(events: NumberedEvents) -> dict[str, str]:
    found = [event for _, event in events if isinstance(event, e.TestResolved)]
    return {each.key: f"{each.rolled} against {each.target}" if each.target else str(each.rolled) for each in found}


def _whose(events: NumberedEvents, at: str) -> dict[str, tuple[str, str]]:
    """Returns the combatant and the purpose of each roll and exchange, by key."""
    found: dict[str, tuple[str, str]] = {}
    for _, event in events:
        match event:
            case e.RollRequested(key=key, by=by, purpose=purpose):
                found[key] = by, purpose
            case e.Declared(key=key, by=by, kind=kind, terms=terms):
                found[key] = by, _at(kind, terms, at)
            case _:
                pass
    return found


def _whose_in(state: Combat, at: str) -> dict[str, tuple[str, str]]:
    """Returns the combatant and the purpose of each roll and exchange that is open in a state, by key."""
    found = {
        frame.key: (frame.by, _at(frame.kind, msgspec.json.decode(frame.terms), at)) for frame in state.exchange.frames
    }
    return found | {key: (roll.by, roll.purpose) for key, roll in state.rolls.rolls.items()}


def _at(kind: str, terms: Json, at: str) -> str:
    target = terms.get(at, "")
    return f"{kind} at {target}" if isinstance(target, str) and target else kind


def about(key: str, events: NumberedEvents, before: Combat) -> tuple[str, str]:
    """Returns the combatant and the purpose of a roll or exchange.

    Args:
        key: The key of the roll or exchange.
        events: The events since.
        before: The state before them.
    """
    at = vocabulary_of(before.session.ruleset).terms.at
    return (_whose_in(before, at) | _whose(events, at)).get(key, ("", ""))


def reread(before: NumberedEvents, after: NumberedEvents) -> Iterator[Reread]:
    """Yields rolls of the same key that have another roller."""
    was = {event.key: event.by for _, event in before if isinstance(event, e.RollRequested)}
    for _, event in after:
        if isinstance(event, e.RollRequested) and was.get(event.key, event.by) != event.by:
            yield Reread(event.key, was[event.key], event.by)


# ------------------------------------------------------------------------------------------------ figures


def shifts(before: State, after: State) -> Iterator[Shift]:
    """Yields figures of combatants and of the fight that differ."""
    everyone = list(dict.fromkeys([*before.combatants, *after.combatants]))
    for who in everyone:
        was, now = _figures(before, who), _figures(after, who)
        for what in dict.fromkeys([*was, *now]):
            if was.get(what) != now.get(what):
                yield Shift(who, what, was.get(what), now.get(what))
        was, now = _details(before, who), _details(after, who)
        for what in was:
            if what in now and was[what] != now[what]:
                yield Shift(who, what, was[what], now[what])
    for what in ("round", "number", "active"):
        old, new = getattr(before, what), getattr(after, what)
        if old != new:
            yield Shift("", "pass" if what == "number" else what, old, new)
    orders = [[who for who, _ in state.initiative] for state in (before, after)]
    if orders[0] != orders[1]:
        yield Shift("", "order", ", ".join(orders[0]), ", ".join(orders[1]))


def _figures(state: State, who: str) -> Mapping[str, Any]:
    """Returns all figures of a combatant, by name."""
    combatant = state.combatants.get(who)
    if combatant is None:
        return {}
    found: dict[str, Any] = {name: track.taken for name, track in combatant.tracks.items()}
    found |= {word: combatant.count(word) for word in vocabulary_of(state.ruleset).counters}
    found |= {name: each.left for name, each in combatant.resources.items()}
    for name, each in _conditions(combatant.conditions):
        found[name] = each.level if each.level is not None else "yes"
    scores = dict(state.initiative)
    return found | ({SCORE: scores[who]} if who in scores else {})


def _details(state: State, who: str) -> dict[str, Any]:
    """Returns details of a combatant that are compared only where they exist before and after."""
    combatant = state.combatants.get(who)
    if combatant is None:
        return {}
    found: dict[str, Any] = {f"{name}, of": track.capacity for name, track in combatant.tracks.items()}
    found |= {f"{name}, of": each.of for name, each in combatant.resources.items()}
    found |= {f"{name}, until": each.until for name, each in _conditions(combatant.conditions)}
    return found | {"name": combatant.name, "played by": combatant.player}


def _conditions(conditions: Iterable[ConditionView]) -> Iterator[tuple[str, ConditionView]]:
    """Yields conditions by name; several of one name are numbered."""
    times = Counter[str]()
    for each in conditions:
        times[each.name] += 1
        yield each.name if times[each.name] == 1 else f"{each.name} {times[each.name]}", each


def needed(before: Combat, after: Combat, known: Mapping[str, tuple[int, ...]]) -> Iterator[Needed]:
    """Yields the rolls and choices that are open now and were not before."""
    asked = {(rest.key, rest.dice, rest.by) for rest in before.rests}
    for rest in after.rests:
        if (rest.key, rest.dice, rest.by) not in asked:
            options = tuple(each.option for each in rest.options)
            yield Needed(rest.key, rest.by, rest.purpose, rest.dice, known.get(rest.key, ()), options)
