"""Describes entries in plain sentences."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from ledger import events as e
from ledger.commands import ApplyModifier, Note
from ledger.dice import parse, read
from ledger.entry import Entry
from ledger.key import UNSEEN, moment_of_acting, role
from machines.contract.dice_reading import counts_in_words
from projections.combat import Combat, evolve
from projections.views.released import Withheld
from projections.views.stand_ins import HIDDEN, RESULT, without_stand_ins
from replays.corrections.change import in_words, kind_in_words
from replays.sessions.wording import wording

Sentence = Callable[[Any, "_Around"], str]
_OF_TESTS = e.ModifierApplied | e.FigureFound | e.TestResolved | e.RollRequested


class _Around:
    """The context of an entry's sentences: names, and who rolls or chooses what."""

    def __init__(self, entry: Entry, before: Combat) -> None:
        self.wording = wording(before.session)
        self.words = self.wording.vocabulary
        self.is_written = isinstance(entry.command, Note)
        self._names = {who: one.name for who, one in before.roster.who.items()}
        self._names |= {event.who: event.name for event in entry.events if isinstance(event, e.CombatantJoined)}
        self._names |= {event.who: event.name for event in entry.events if isinstance(event, e.NameGiven)}
        self._asked = {rest.key: (rest.by, rest.purpose) for rest in before.path.asked}
        self._asked |= {key: (roll.by, roll.purpose) for key, roll in before.rolls.rolls.items()}
        self._defaults = {rest.key: rest.default for rest in before.path.asked}
        requests = (event for event in entry.events if isinstance(event, e.RollRequested | e.ChoiceRequested))
        self._asked |= {event.key: (event.by, event.purpose) for event in requests}
        self._dice = {rest.key: rest.dice for rest in before.path.asked}
        self._dice |= {key: roll.dice for key, roll in before.rolls.rolls.items()}
        self._degrees = {
            event.key
            for event in entry.events
            if isinstance(event, e.FigureFound) and event.name == self.words.sums.degree
        }
        tests = {key for event in entry.events if isinstance(event, _OF_TESTS) and (key := event.key) in self._asked}
        self.modified = entry.command.key if isinstance(entry.command, ApplyModifier) else ""
        """The roll to which the entry gives a modifier."""
        self._shared = {label for label, count in Counter(map(_last, tests)).items() if count > 1}

    def name(self, who: str) -> str:
        """Returns the displayed name of a combatant."""
        if who.startswith(UNSEEN) and who not in self._names:
            return "someone"
        return "the gamemaster" if who == "gm" else self._names.get(who, who)

    def label(self, key: str) -> str:
        """Returns the subject of a key; with the roller's name, where several roll for the same."""
        label = _last(key)
        return f"{self.asked(key)[0]}, {label.lower()}" if label in self._shared else label

    def has_degree(self, key: str) -> bool:
        """Returns whether a figure already states how well a test went."""
        return key in self._degrees

    def tells_ending(self, key: str) -> bool:
        """Returns whether the end of this key's exchange is worth a sentence."""
        return self.words.tells_ending(key.rpartition("/")[2])

    def default(self, key: str) -> str | None:
        """Returns the default option of a choice."""
        return self._defaults.get(key)

    def read(self, key: str, number: int) -> str:
        """Returns a number as it is read off the dice of a roll: off a hundred-sided die in two digits."""
        return read(self._dice.get(key, ""), number)

    def pool(self, key: str) -> int:
        """Returns the number of dice of a test, with the dice that were added to it; 0 if it is not known."""
        dice = self._dice.get(key, "")
        added = (self._dice.get(role(key, word), "") for word in self.wording.added_rolls)
        return sum(len(parse(each).sides) for each in (dice, *added) if each) if dice else 0

    def asked(self, key: str) -> tuple[str, str]:
        """Returns who rolls or chooses, and for what."""
        by, purpose = self._asked.get(key, ("", ""))
        whose = next((part for part in key.split("/")[1:2] if part in self._names or part.startswith(UNSEEN)), "")
        return self.name(by or whose) if by or whose else "someone", purpose or _last(key).lower()


def narrate(entry: Entry, before: Combat) -> Iterator[str]:
    """Yields the sentences of an entry.

    Args:
        entry: The entry.
        before: The state before it.
    """
    return (text for _, text in told(entry, before))


def sentences(entry: Entry, before: Combat) -> Iterator[str]:
    """Yields the sentences of an entry; if there are none, one in their place.

    Args:
        entry: The entry as the viewer may see it.
        before: The state before it.
    """
    lines = list(narrate(entry, before))
    yield from lines or [no_sentence(entry, is_seen=not isinstance(entry.command, Withheld))]


def no_sentence(entry: Entry, *, is_seen: bool) -> str:
    """Returns the sentence for an entry that has no other.

    Args:
        entry: The entry.
        is_seen: Whether the viewer may see its command.
    """
    return f"{kind_in_words(entry.command).capitalize()}: nothing to tell." if is_seen else "Out of sight."


def told(entry: Entry, before: Combat) -> Iterator[tuple[e.Event | None, str]]:
    """Yields the sentences of an entry, each with its event; None for a sentence about the entry itself.

    Args:
        entry: The entry.
        before: The state before it.
    """
    around = _Around(entry, before)
    if entry.origin is not None:
        yield None, f"Entry {entry.origin} is performed again."
    events = [*without_stand_ins(entry.events)]
    for event, after in zip_longest(events, events[1:]):
        if _is_twin(event, after):
            continue
        sentence = _SENTENCES.get(type(event))
        text = sentence(event, around) if sentence is not None else ""
        if text:
            yield event, text[0].upper() + text[1:]


def _is_twin(event: e.Event, after: e.Event | None) -> bool:
    """Returns whether an event is the public stand-in of the event that follows."""
    if after is None or after.seen_by is None:
        return False
    if isinstance(event, e.Noted):
        return isinstance(after, e.Declared) and event.about == after.key
    same = isinstance(event, e.OrderFixed | e.DiceRolled | e.ConditionGained) and type(event) is type(after)
    whose = [(getattr(each, "who", ""), getattr(each, "key", "")) for each in (event, after)]
    return same and whose[0] == whose[1]


def paths(entry: Entry, before: Combat) -> Iterator[str]:
    """Yields the boxes of exchanges that ended with this entry, by their printed numbers.

    Args:
        entry: The entry.
        before: The state before it.
    """
    if not any(isinstance(event, e.ExchangeEnded) for event in entry.events):
        return
    combat = before
    for event in entry.events:
        combat = evolve(combat, event)
        if isinstance(event, e.ExchangeEnded) and len(combat.path.last) > 2:
            yield f"Path: {'-'.join(printed(combat.path.last))}."


def printed(path: Iterable[str]) -> list[str]:
    """Returns boxes by the numbers that the page prints, without the letters of their parts.

    >>> printed(("14", "14b", "21", "3A", "3Ab", "23", "23b", "23c", "hit"))
    ['14', '21', '3A', '23', 'hit']
    """
    numbers = [re.sub(_PART, "", box) for box in path]
    return [number for number, before in zip(numbers, ["", *numbers], strict=False) if number != before]


_PART = r"(?<=[0-9A-Z])[a-z]$"


def _opened(event: e.SessionOpened, _: _Around) -> str:
    return f"{event.title}: {event.ruleset}, {event.profile}."


def _declared(event: e.Declared, around: _Around) -> str:
    terms = {name: value for name, value in event.terms.items() if value not in ("", (), [], False)}
    deed = terms.get(around.words.terms.deed)
    if deed is not None:
        return f"{around.name(event.by)} {deed} ({_words(event.kind)} action)."
    said = "".join(
        f", {_words(name)} {value if name in around.words.terms.things else _term(value, around)}"
        for name, value in terms.items()
    )
    return f"{around.name(event.by)} declares: {_words(event.kind)}{said}."


def _chosen(event: e.Chosen, around: _Around) -> str:
    by, purpose = around.asked(event.key)
    passed = event.option == around.default(event.key) and not event.words
    if not event.option or moment_of_acting(event.key):
        return ""
    if passed:
        return f"{by}: {_words(event.option)}."
    purpose = purpose.rstrip("?")
    return f"{by} chooses {purpose}: {_words(event.option)}{f', {event.words}' if event.words else ''}."


def _rolled(event: e.DiceRolled, around: _Around) -> str:
    by, purpose = around.asked(event.key)
    if not event.faces:
        return f"{by} rolls out of sight ({purpose})."
    faces = " ".join(around.read(event.key, face) for face in event.faces)
    return f"{by} rolls {faces} ({purpose}; {', '.join(dict.fromkeys(event.provenance))})."


def _counted_dice(event: e.DiceTold, around: _Around) -> str:
    by, purpose = around.asked(event.key)
    return f"{by} rolls {counts_in_words(event.counts, event.dice)} ({purpose}; {event.provenance})."


def _faces(faces: tuple[int, ...]) -> str:
    return f"{faces[0]:02d}" if len(faces) == 1 else " ".join(map(str, faces))


def _resolved(event: e.TestResolved, around: _Around) -> str:
    pool = around.pool(event.key) if around.wording.counts else 0
    against = around.wording.against(event, lambda rolled: around.read(event.key, rolled), pool)
    margin = "" if around.has_degree(event.key) else around.wording.margin(event)
    if margin and around.wording.counts:
        return f"{around.label(event.key)}: {against}: {margin}, {event.outcome}."
    return f"{around.label(event.key)}: {', '.join(filter(None, (against, event.outcome, margin)))}."


def _figure(event: e.FigureFound, around: _Around) -> str:
    if (
        not event.why
        or event.scope == "phase"
        or event.name in (*around.words.sums.goals, *around.words.untold)
        or around.words.sums.is_further(event.name)
    ):
        return ""
    if event.name == HIDDEN:
        return f"{around.label(event.key)}: hidden{f' {event.value:+d}' if isinstance(event.value, int) else ''}."
    if event.name == RESULT:
        return f"{around.label(event.key)}: {event.why}, {event.value}."
    lasts = event.who and (event.scope != "exchange" or not event.key)
    subject = around.name(event.who) if lasts else around.label(event.key)
    return f"{subject}, {event.name}: {event.value} ({around.wording.why(event)})."


def _damage(event: e.DamageTaken, around: _Around) -> str:
    return f"{around.name(event.who)} takes {event.amount} {_words(event.track)}."


def _wounds(event: e.WoundSuffered, around: _Around) -> str:
    return f"{around.name(event.who)} suffers {_counted(event.count, event.kind)}."


def _counted(count: int, kind: str) -> str:
    return f"{count} {_words(kind.removesuffix('s') if count == 1 else kind)}"


def _gained(event: e.ConditionGained, around: _Around) -> str:
    level = f" ({event.level})" if event.level is not None else ""
    until = f" until {event.until}" if event.until else ""
    return f"{around.name(event.who)} is {_words(event.condition)}{level}{until}{_because(event.why)}."


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _noted(event: e.Noted, around: _Around) -> str:
    """Returns a note: marked as one where a person wrote it, plain where it describes something hidden."""
    return f"Note: {event.text}" if around.is_written else event.text


def _order(event: e.OrderFixed, around: _Around) -> str:
    places = ((around.name(who), score) for who, score in event.order)
    return "Order: " + ", ".join(name if name == "someone" else f"{name} {score}" for name, score in places) + "."


def _overruled(event: e.Overruled, around: _Around) -> str:
    says = f"the rule says {event.rule_says}, the gamemaster {event.gm_says}"
    why = f": {event.why}" if event.why else ""
    return f"Overruled ({event.key} {around.wording.figure(event)}): {says}{why}."


def _adjusted(event: e.Adjusted, around: _Around) -> str:
    return f"Adjusted: {around.name(event.who)} {event.what} from {event.before} to {event.after}: {event.why}."


def _modifier(event: e.ModifierApplied, around: _Around) -> str:
    """A modifier; one of nothing only where the gamemaster gives it."""
    is_told = event.value or event.key == around.modified
    return f"{around.label(event.key)}: {event.value:+d} {event.why}." if is_told else ""


def _audience(to: e.Audience, around: _Around) -> str:
    return "everybody" if to is None else " and ".join(map(around.name, to)) or "nobody"


def _words(name: str) -> str:
    return name.replace("_", " ")


_TARGET = r"t\d+"
"""The part of a key that stands for one of several targets."""


def _last(key: str) -> str:
    parts = key.split("/")
    if re.fullmatch(_TARGET, parts[-1]):
        return f"Target {parts[-1][1:]}"
    return _words(parts[-2] + " " + parts[-1] if parts[-1].isdigit() and len(parts) > 1 else parts[-1]).capitalize()


def _term(value: object, around: _Around) -> str:
    if isinstance(value, str):
        return around.name(value)
    if isinstance(value, list | tuple):
        return " and ".join(_term(each, around) for each in value)
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{name} {_term(each, around)}" for name, each in value.items()) + ")"
    return str(value).lower() if isinstance(value, bool) else str(value)


_SENTENCES: Mapping[type[e.Event], Sentence] = {
    e.SessionOpened: _opened,
    e.SessionClosed: lambda event, _: f"The session is closed. {event.why}".strip(),
    e.SessionRenamed: lambda event, _: f"The session is now called {event.title}.",
    e.CombatantJoined: lambda event, _: f"{event.name} joins, played by {event.player}.",
    e.CombatantLeft: lambda event, around: f"{around.name(event.who)} leaves. {event.why}".strip(),
    e.CombatBegan: lambda event, _: f"Combat {event.combat} begins.",
    e.CombatEnded: lambda event, _: f"The combat is over. {event.why}".strip(),
    e.Amended: lambda event, _: f"Entry {event.entry} is corrected: {in_words(event.change)}. {event.why}".strip(),
    e.NameGiven: lambda event, _: f"{event.who} is {event.name}.",
    e.Noted: _noted,
    e.RoundBegan: lambda event, _: f"Round {event.round} begins.",
    e.PassBegan: lambda event, _: f"Pass {event.number} begins.",
    e.InitiativeScored: lambda event, around: f"{around.name(event.who)}: initiative {event.score} ({event.why}).",
    e.OrderFixed: _order,
    e.TurnBegan: lambda event, around: f"{around.name(event.who)} acts.",
    e.TurnEnded: lambda event, around: f"{around.name(event.who)}'s turn is over.",
    e.TimePassed: lambda event, _: f"{event.amount} {event.unit} pass.",
    e.Declared: _declared,
    e.Chosen: _chosen,
    e.ExchangeEnded: lambda event, around: f"Outcome: {event.outcome}." if around.tells_ending(event.key) else "",
    e.DiceRolled: _rolled,
    e.DiceTold: _counted_dice,
    e.ReadingChanged: lambda event, _: (
        f"{_last(event.key)}: {_faces(event.before)} is read as {_faces(event.after)}: {event.why}."
    ),
    e.ModifierApplied: _modifier,
    e.TestResolved: _resolved,
    e.FigureFound: _figure,
    e.DamageTaken: _damage,
    e.DamageHealed: lambda event, around: f"{around.name(event.who)} heals {event.amount} {_words(event.track)}.",
    e.WoundSuffered: _wounds,
    e.WoundHealed: lambda event, around: f"{around.name(event.who)} loses {_counted(event.count, event.kind)}.",
    e.ConditionGained: _gained,
    e.ConditionLost: lambda event, around: (
        f"{around.name(event.who)} is no longer {_words(event.condition)}{_because(event.why)}."
    ),
    e.ResourceSpent: lambda event, around: f"{around.name(event.who)} spends {event.amount} {_words(event.resource)}.",
    e.ResourceGained: lambda event, around: f"{around.name(event.who)} gains {event.amount} {_words(event.resource)}.",
    e.Overruled: _overruled,
    e.Adjusted: _adjusted,
    e.NonceGiven: lambda event, _: f"{event.player}'s share in the dice: {event.nonce}.",
    e.SecretRevealed: lambda event, around: f"What entry {event.entry} hid is shown to {_audience(event.to, around)}.",
    e.SeedRevealed: lambda event, _: f"The dice's seed is revealed: {event.seed}.",
    e.Rewound: lambda event, _: f"Back to entry {event.to}. {event.why}".strip(),
    e.DisputeOpened: lambda event, _: (
        f"Dispute {event.dispute} about {event.about}: {event.why}"
        f"{f', says it should be: {event.claim}' if event.claim else ''}."
    ),
    e.DisputeSettled: lambda event, _: (
        f"Dispute {event.dispute} is settled, {event.ruling}"
        f"{f' by entry {event.entry}' if event.entry is not None else ''}: {event.why}."
    ),
}
