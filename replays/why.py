"""Why a number is what it is: each part with its reason, its page, the entry that has it, and the person who said it.

From a roll's or an exchange's key, or backwards from health: ``stoya.damage``, ``stoya.wounds``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.key import meant
from machines.refusals import NoSuchRoll, UnknownCombatant
from replays.log import Log

Fact = tuple[Entry, e.Event]


class NothingThere(Refused):
    """Nothing of that name ever changed."""

    slug = "why/nothing"


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


class Why(msgspec.Struct, frozen=True):
    """An explanation."""

    subject: str
    """A key, or ``who.what``."""
    title: str
    parts: tuple[Part, ...]
    leads_to: tuple["Why", ...] = ()
    """What it is made of, or came from, explained in turn."""


def why(log: Log, subject: str, eyes: Viewer = EVERYTHING) -> Why:
    """Explain a roll, an exchange, or a figure of somebody's health.

    Args:
        log: The session.
        subject: A key or a shorthand of one (the latest is meant), or ``who.what``.
        eyes: Who asks; what they may not see is left out.

    Raises:
        NoSuchRoll: No such key stands.
        UnknownCombatant: Nobody of that id.
        NothingThere: That figure never changed.
    """
    facts = [
        (entry, event)
        for entry in log.entries_of(log.timeline.line())
        for event in entry.events
        if eyes.may_see(event.seen_by)
    ]
    who, dot, what = subject.partition(".")
    if dot and "/" not in subject:
        return _of_health(log, facts, who, what)
    key = _key(facts, subject)
    if any(isinstance(event, e.Declared) and event.key == key for _, event in facts):
        return _of_exchange(facts, key)
    return _of_roll(facts, key)


def _key(facts: list[Fact], subject: str) -> str:
    asked = {event.key: event.by for _, event in facts if isinstance(event, _ASKING)}
    keys = [key for _, event in reversed(facts) if (key := getattr(event, "key", ""))]
    found = meant(subject, ((key, asked.get(key, "")) for key in keys))
    if not found:
        accepts = ", ".join(list(asked)[-6:]) or "nothing was rolled yet"
        raise NoSuchRoll(f"nothing that stands has the key {subject!r}", where="key", accepts=accepts)
    return found[0]


_ASKING = (e.Declared, e.RollRequested, e.ChoiceRequested)


# ------------------------------------------------------------------------------------------------ rolls and exchanges


def _of_roll(facts: Iterable[Fact], key: str) -> Why:
    mine = [(entry, event) for entry, event in facts if _is_of(event, key)]
    asking = [event for _, event in mine if isinstance(event, e.RollRequested | e.ChoiceRequested)]
    asked = asking[-1] if asking else None  # a pool that changed while it was open was asked for again
    does = f"rolls {asked.dice}" if isinstance(asked, e.RollRequested) else "chooses"
    return Why(key, f"{asked.by} {does}: {asked.purpose}" if asked else key, tuple(_parts(mine)))


def _is_of(event: e.Event, key: str) -> bool:
    """Is it of this roll, or dice that were rolled for it later?"""
    mine = getattr(event, "key", "")
    return bool(mine == key or (isinstance(event, e.DiceRolled) and mine.startswith(key + "/")))


def _of_exchange(facts: list[Fact], key: str) -> Why:
    mine = [(entry, event) for entry, event in facts if getattr(event, "key", None) == key]
    asked = (event.key for _, event in facts if isinstance(event, e.RollRequested) and event.of == key)
    inside = list(dict.fromkeys(asked))
    declared = next(event for _, event in mine if isinstance(event, e.Declared))
    return Why(
        key,
        f"{declared.by} declares {declared.kind}",
        tuple(_parts(mine)),
        tuple(_of_roll(facts, one) for one in inside),
    )


def _parts(facts: Collection[Fact]) -> Iterator[Part]:
    in_words = {event.key for _, event in facts if isinstance(event, e.FigureFound) and event.name == "degree"}
    asked = (event for _, event in facts if isinstance(event, e.RollRequested))
    hundred = {event.key for event in asked if event.dice.startswith("1d100")}
    for entry, event in facts:
        part = (_OF_A_HUNDRED if getattr(event, "key", "") in hundred else _PARTS).get(type(event))
        if part is not None and not _is_bookkeeping(event):
            what, value, reason, source = part(_once(event, in_words))
            yield Part(what, value, reason, source, entry.seq, person(entry))


def _once(event: e.Event, in_words: set[str]) -> e.Event:
    """A margin is left out where it is said in words how well it went."""
    said = isinstance(event, e.TestResolved) and event.key in in_words
    return msgspec.structs.replace(event, margin=0) if said else event


def _is_bookkeeping(event: e.Event) -> bool:
    return isinstance(event, e.FigureFound) and not event.why


def person(entry: Entry) -> str:
    """Who an entry is from: a name and a seat."""
    return f"{entry.by.name} ({entry.by.seat.value})" if entry.by.name != entry.by.seat else entry.by.name


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


def _declared(event: e.Declared) -> _Told:
    return "declared", event.kind, ", ".join(f"{name} {value}" for name, value in event.terms.items()), ""


_PARTS: Mapping[type[e.Event], Callable[[Any], _Told]] = {
    e.Declared: _declared,
    e.FigureFound: lambda event: (event.name, event.value, event.why, event.source),
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
    e.ConditionGained: lambda event: (f"{event.who} is", event.condition, event.why, event.source),
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


# ------------------------------------------------------------------------------------------------ health


def _of_health(log: Log, facts: list[Fact], who: str, what: str) -> Why:
    roster = log.combat.roster
    if who not in roster:
        raise UnknownCombatant(f"there is no {who!r}", where="who", accepts=", ".join(roster.who) or "nobody is here")
    mine = [(entry, event) for entry, event in facts if getattr(event, "who", None) == who and _is_about(event, what)]
    if not mine:
        names = sorted({name for _, event in facts if getattr(event, "who", None) == who for name in _about(event)})
        raise NothingThere(f"{who} has no {what}", where="what", accepts=", ".join(names) or "nothing changed yet")
    causes = dict.fromkeys(key for _, event in mine if (key := getattr(event, "key", "")))
    explained = tuple(_of_exchange(facts, key) for key in causes if _is_exchange(facts, key))
    return Why(
        f"{who}.{what}", f"{roster.name(who)}: {what} {_now(log, who, what)}".rstrip(), tuple(_parts(mine)), explained
    )


def _is_exchange(facts: list[Fact], key: str) -> bool:
    return any(isinstance(event, e.Declared) and event.key == key for _, event in facts)


def _is_about(event: e.Event, what: str) -> bool:
    return what in _about(event)


def _about(event: e.Event) -> tuple[str, ...]:
    match event:
        case e.DamageTaken() | e.DamageHealed():
            return (event.track,)
        case e.WoundSuffered() | e.WoundHealed():
            return (event.kind,)
        case e.ConditionGained() | e.ConditionLost():
            return (event.condition, "conditions")
        case e.ResourceSpent() | e.ResourceGained():
            return (event.resource,)
        case e.Adjusted():
            return (event.what.rpartition(".")[2],)
        case _:
            return ()


def _now(log: Log, who: str, what: str) -> str:
    combat = log.combat
    if what in combat.health.tracks.get(who, {}):
        track = combat.health.track(who, what)
        return f"{track.taken} of {track.capacity}"
    spent = combat.resources.resource(who, what)
    if spent.of:
        return f"{spent.left} of {spent.of}"
    return str(combat.wounds.count(who, what)) if what in combat.wounds.counts.get(who, {}) else ""
