"""The steps of an explanation: what each event says, with its reason, its page, its entry and its person."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec

from ledger import events as e
from projections.views.stand_ins import HIDDEN
from replays.facts import Fact, key_of, person


class Part(msgspec.Struct, frozen=True):
    """One step of an explanation."""

    what: str
    value: int | str | None
    why: str
    source: str
    """The page; empty where a person said so."""
    entry: int
    by: str
    """The person, and the seat they spoke from."""
    origin: int | None = None
    """The entry that was performed again in this one, if one was."""


def parts(facts: Collection[Fact]) -> Iterator[Part]:
    """What is worth telling of these facts, in their order."""
    in_words = {
        fact.event.key for fact in facts if isinstance(fact.event, e.FigureFound) and fact.event.name == "degree"
    }
    asked = (fact.event for fact in facts if isinstance(fact.event, e.RollRequested))
    hundred = {event.key for event in asked if event.dice.startswith("1d100")}
    for fact in facts:
        part = (_OF_A_HUNDRED if key_of(fact.event) in hundred else _PARTS).get(type(fact.event))
        if part is not None and not _is_bookkeeping(fact.event):
            told = part(_once(fact.event, in_words))
            yield Part(*told, fact.entry.seq, person(fact.first), fact.entry.origin)


def _once(event: e.Event, in_words: set[str]) -> e.Event:
    """A margin is left out where it is said in words how well it went."""
    said = isinstance(event, e.TestResolved) and event.key in in_words
    return msgspec.structs.replace(event, margin=0) if said else event


def _is_bookkeeping(event: e.Event) -> bool:
    return (isinstance(event, e.FigureFound) and not event.why) or (isinstance(event, e.Chosen) and not event.option)


_Told = tuple[str, int | str | None, str, str]


def _dice(event: e.DiceRolled) -> _Told:
    how = ", ".join(dict.fromkeys(event.provenance)) or "out of sight"
    return "dice", " ".join(map(str, event.faces)), how, ""


def _test(event: e.TestResolved) -> _Told:
    return "result", event.outcome, _against(event, str(event.rolled)), event.source


def _against(event: e.TestResolved, rolled: str) -> str:
    if not event.target and event.margin == event.rolled:
        return rolled
    return f"{rolled} against {event.target}" + (f", margin {event.margin:+d}" if event.margin else "")


def _hundred(event: e.DiceRolled) -> _Told:
    what, _, how, source = _dice(event)
    return what, " ".join(f"{face:02d}" for face in event.faces), how, source


def _hundred_test(event: e.TestResolved) -> _Told:
    return "result", event.outcome, _against(event, f"{event.rolled:02d}"), event.source


def _overruled(event: e.Overruled) -> _Told:
    return f"{event.figure} overruled", event.gm_says, f"{event.why} (the rule says {event.rule_says})", ""


def _figure(event: e.FigureFound) -> _Told:
    value: int | str | None = event.value
    if event.name == HIDDEN:
        value = f"{value:+d}" if isinstance(value, int) else None
    return event.name, value, event.why, event.source


def _declared(event: e.Declared) -> _Told:
    return "declared", event.kind, ", ".join(f"{name} {value}" for name, value in event.terms.items()), ""


def _gained(event: e.ConditionGained) -> _Told:
    return f"{event.who} is", event.condition, event.why, event.source


_PARTS: Mapping[type[e.Event], Callable[[Any], _Told]] = {
    e.Declared: _declared,
    e.FigureFound: _figure,
    e.ModifierApplied: lambda event: ("modifier", f"{event.value:+d}", event.why, event.source),
    e.DiceRolled: _dice,
    e.ReadingChanged: lambda event: ("read as", " ".join(map(str, event.after)), event.why, event.source),
    e.TestResolved: _test,
    e.Overruled: _overruled,
    e.ChoiceRequested: lambda event: ("options", ", ".join(each.option for each in event.options), event.purpose, ""),
    e.InitiativeScored: lambda event: (f"{event.who}'s initiative", event.score, event.why, event.source),
    e.Chosen: lambda event: ("chosen", event.option, event.words, ""),
    e.DamageTaken: lambda event: (f"{event.who} takes {event.track}", event.amount, event.why, event.source),
    e.DamageHealed: lambda event: (f"{event.who} heals {event.track}", event.amount, event.why, event.source),
    e.WoundSuffered: lambda event: (f"{event.who} suffers {event.kind}", event.count, event.why, event.source),
    e.WoundHealed: lambda event: (f"{event.who} loses {event.kind}", event.count, event.why, event.source),
    e.ConditionGained: _gained,
    e.ConditionLost: lambda event: (f"{event.who} is no longer", event.condition, event.why, ""),
    e.ResourceSpent: lambda event: (f"{event.who} spends {event.resource}", event.amount, event.why, ""),
    e.ResourceGained: lambda event: (f"{event.who} gains {event.resource}", event.amount, event.why, ""),
    e.ExchangeEnded: lambda event: ("outcome", event.outcome, "", ""),
    e.Adjusted: lambda event: (f"{event.who}.{event.what} set", event.after, event.why, ""),
}

_OF_A_HUNDRED: Mapping[type[e.Event], Callable[[Any], _Told]] = {
    **_PARTS,
    e.DiceRolled: _hundred,
    e.TestResolved: _hundred_test,
}
"""A hundred-sided die is read in two digits."""
