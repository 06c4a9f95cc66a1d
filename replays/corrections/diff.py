"""What a correction changes: outcomes that flip, figures of everybody touched, what needs a person, dice set aside."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from ledger import events as e
from ledger.events import Event, Json
from machines.contract.ruleset import vocabulary_of
from projections.combat import Combat
from projections.initiative import SCORE
from projections.views.document import ConditionView, State
from replays.corrections.misread_dice import Misread

Told = Iterable[tuple[int, Event]]
"""Events with the entries that have them."""


class Flip(msgspec.Struct, frozen=True):
    """A test, an attack or whatever else came out otherwise."""

    key: str
    about: str
    """In words: who, and what for."""
    before: str
    """Empty: it was not made before."""
    after: str
    """Empty: it is not made any more; `WAITS`: nobody knows before somebody has answered."""


WAITS = "waits"
_NOTHING = Combat()


class Shift(msgspec.Struct, frozen=True):
    """A figure of the state that is another one now."""

    who: str
    """A combatant; empty for the fight itself."""
    what: str
    before: Any
    after: Any


class Aside(msgspec.Struct, frozen=True):
    """Dice or words that lie unused."""

    entry: int
    """That has them; 0 for the gamemaster's word on a figure that was not found again."""
    what: str


class Needed(msgspec.Struct, frozen=True):
    """What the table waits for after the correction, and did not before."""

    key: str
    by: str
    purpose: str
    dice: str = ""
    known: tuple[int, ...] = ()
    """Faces that lie already; the others are needed."""
    options: tuple[str, ...] = ()


class Reread(msgspec.Struct, frozen=True):
    """A roll that is now read for somebody else."""

    key: str
    before: str
    after: str


class Report(msgspec.Struct, frozen=True):
    """What a correction comes to."""

    kind: Literal["preview", "amendment", "what if"]
    entry: int
    """The entry that is corrected."""
    what: str
    """It in a few words."""
    change: Json
    why: str
    flips: tuple[Flip, ...]
    shifts: tuple[Shift, ...]
    needs_a_person: tuple[Needed, ...]
    waits: tuple[Aside, ...]
    """Answers that are used once somebody has answered what is needed."""
    set_aside: tuple[Aside, ...]
    """Answers that are not used."""
    reread: tuple[Reread, ...]
    drift: tuple[int, ...]
    """Entries that today's rules decide otherwise than they were decided then; flips are measured against today's."""
    before: State
    after: State
    misread: tuple[Misread, ...] = ()
    """The rolls whose dice are corrected."""

    @property
    def dice_needed(self) -> tuple[Needed, ...]:
        """The rolls among what needs a person."""
        return tuple(each for each in self.needs_a_person if each.dice)

    @property
    def changes_nothing(self) -> bool:
        """Does everything stay as it was?"""
        return not (self.flips or self.shifts or self.needs_a_person or self.set_aside or self.reread)


class RollReport(Report, frozen=True, kw_only=True):
    """What a modifier of a thrown roll, or the gamemaster's word on a figure, comes to."""

    key: str
    """Of the roll; of the exchange, where the figure belongs to that."""
    by: str
    """Whose it is."""
    purpose: str
    """What for; of an exchange, its kind."""

    @property
    def reaches(self) -> bool:
        """Does it change an outcome, a figure of somebody, what else is asked, or what is used?"""
        needed = [each for each in self.needs_a_person if each.key != self.key]
        return bool(self.flips or self.shifts or needed or self.waits or self.set_aside or self.reread or self.drift)


# ------------------------------------------------------------------------------------------------ outcomes


def never(_: str) -> bool:
    """Nothing is left open."""
    return False


def flips(before: Told, after: Told, open_: Callable[[str], bool] = never, state: Combat = _NOTHING) -> Iterator[Flip]:
    """Outcomes by key that are not the same, in the order in which they are made now; then those that are gone.

    Args:
        before: What was told.
        after: What is told now.
        open_: May the outcome of a key be found yet, once somebody has answered?
        state: What was so before all that.
    """
    was, now = _outcomes(before), _outcomes(after)
    now |= {key: WAITS for key in was if key not in now and open_(key)}
    at = vocabulary_of(state.session.ruleset).terms.at
    whose = _whose_in(state, at) | _whose(before, at) | _whose(after, at)
    for key in [*now, *(key for key in was if key not in now)]:
        old, new = was.get(key, ""), now.get(key, "")
        if old != new:
            yield Flip(key, ": ".join(whose.get(key, (key,))), old, new)


def _outcomes(told: Told) -> dict[str, str]:
    found: dict[str, str] = {}
    for _, event in told:
        match event:
            case e.TestResolved(key=key, outcome=outcome) | e.ExchangeEnded(key=key, outcome=outcome):
                found[key] = outcome
            case e.Overruled(key=key, figure="outcome", gm_says=says):
                found[key] = str(says)
            case _:
                pass
    return found


def _whose(told: Told, at: str) -> dict[str, tuple[str, str]]:
    """Of rolls and exchanges by key: whose, and what for."""
    found: dict[str, tuple[str, str]] = {}
    for _, event in told:
        match event:
            case e.RollRequested(key=key, by=by, purpose=purpose):
                found[key] = by, purpose
            case e.Declared(key=key, by=by, kind=kind, terms=terms):
                found[key] = by, _at(kind, terms, at)
            case _:
                pass
    return found


def _whose_in(state: Combat, at: str) -> dict[str, tuple[str, str]]:
    """The same of the rolls and exchanges of which something is open."""
    found = {
        frame.key: (frame.by, _at(frame.kind, msgspec.json.decode(frame.terms), at)) for frame in state.exchange.frames
    }
    return found | {key: (roll.by, roll.purpose) for key, roll in state.rolls.rolls.items()}


def _at(kind: str, terms: Json, at: str) -> str:
    whom = terms.get(at, "")
    return f"{kind} at {whom}" if isinstance(whom, str) and whom else kind


def about(key: str, told: Told, before: Combat) -> tuple[str, str]:
    """Whose a roll or an exchange is, and what for.

    Args:
        key: Of the roll or the exchange.
        told: What was told since.
        before: What was so before that.
    """
    at = vocabulary_of(before.session.ruleset).terms.at
    return (_whose_in(before, at) | _whose(told, at)).get(key, ("", ""))


def reread(before: Told, after: Told) -> Iterator[Reread]:
    """Rolls of the same key that somebody else rolls now."""
    was = {event.key: event.by for _, event in before if isinstance(event, e.RollRequested)}
    for _, event in after:
        if isinstance(event, e.RollRequested) and was.get(event.key, event.by) != event.by:
            yield Reread(event.key, was[event.key], event.by)


# ------------------------------------------------------------------------------------------------ figures


def shifts(before: State, after: State) -> Iterator[Shift]:
    """Figures of everybody, and of the fight, that are not the same."""
    everybody = list(dict.fromkeys([*before.combatants, *after.combatants]))
    for who in everybody:
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
    """Everything that is told of somebody, by name."""
    one = state.combatants.get(who)
    if one is None:
        return {}
    found: dict[str, Any] = {name: track.taken for name, track in one.tracks.items()}
    found |= {word: one.count(word) for word in vocabulary_of(state.ruleset).counters}
    found |= {name: each.left for name, each in one.resources.items()}
    for name, each in _conditions(one.conditions):
        found[name] = each.level if each.level is not None else "yes"
    scores = dict(state.initiative)
    return found | ({SCORE: scores[who]} if who in scores else {})


def _details(state: State, who: str) -> dict[str, Any]:
    """What is told beside those figures, and matters only where the figure is there before and after."""
    one = state.combatants.get(who)
    if one is None:
        return {}
    found: dict[str, Any] = {f"{name}, of": track.capacity for name, track in one.tracks.items()}
    found |= {f"{name}, of": each.of for name, each in one.resources.items()}
    found |= {f"{name}, until": each.until for name, each in _conditions(one.conditions)}
    return found | {"name": one.name, "played by": one.player}


def _conditions(conditions: Iterable[ConditionView]) -> Iterator[tuple[str, ConditionView]]:
    """Each by its name, several of one name with numbers."""
    times = Counter[str]()
    for each in conditions:
        times[each.name] += 1
        yield each.name if times[each.name] == 1 else f"{each.name} {times[each.name]}", each


def needed(before: Combat, after: Combat, known: Mapping[str, tuple[int, ...]]) -> Iterator[Needed]:
    """What is waited for now and was not before."""
    asked = {(rest.key, rest.dice, rest.by) for rest in before.rests}
    for rest in after.rests:
        if (rest.key, rest.dice, rest.by) not in asked:
            options = tuple(each.option for each in rest.options)
            yield Needed(rest.key, rest.by, rest.purpose, rest.dice, known.get(rest.key, ()), options)
