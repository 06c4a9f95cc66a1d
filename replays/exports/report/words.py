"""Lists decisions that override rules or undo entries: overrules, modifiers, adjustments, corrections; who and why."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ledger import events as e
from ledger.commands import ApplyModifier
from ledger.entry import Entry
from projections.combat import Combat
from replays.audit.event_index import person
from replays.corrections.change import in_words
from replays.sessions.wording import wording


class Word(msgspec.Struct, frozen=True):
    """One decision that overrides rules."""

    entry: int
    kind: str
    """Such as ``overruled``; its heading on the page."""
    what: str
    why: str
    by: str
    """The person and their seat."""


def words(entry: Entry, before: Combat) -> Iterator[tuple[e.Event, Word]]:
    """Yields the decisions of an entry that override rules, each with its event.

    Args:
        entry: The entry as the viewer may see it.
        before: The state before it.
    """
    for event in entry.events:
        tell = _WORDS.get(type(event))
        said = tell(event, before) if tell is not None else None
        if isinstance(event, e.ModifierApplied) and not isinstance(entry.command, ApplyModifier):
            continue
        if said is not None:
            kind, what, why = said
            yield event, Word(entry.seq, kind, what, why, person(entry))


_Said = tuple[str, str, str]


def _overruled(event: e.Overruled, before: Combat) -> _Said:
    figure = wording(before.session).figure(event)
    says = f"{figure} of {event.key}: the rule says {event.rule_says}, the gamemaster {event.gm_says}"
    return "Overruled", says, event.why


def _adjusted(event: e.Adjusted, before: Combat) -> _Said:
    was = "none" if event.before is None else event.before
    now = "none" if event.after is None else event.after
    what = event.what.rpartition(".")[2].replace("_", " ")
    return "Adjusted", f"{before.roster.name(event.who)}, {what}: from {was} to {now}", event.why


def _modified(event: e.ModifierApplied, _: Combat) -> _Said:
    return "Modifier", f"{event.value:+d} on {event.key}", event.why


def _amended(event: e.Amended, _: Combat) -> _Said:
    return "Corrected", f"entry {event.entry}: {in_words(event.change)}", event.why


def _disputed(event: e.DisputeOpened, _: Combat) -> _Said:
    return "Disputed", f"{event.about}{f': {event.claim}' if event.claim else ''}", event.why


def _settled(event: e.DisputeSettled, _: Combat) -> _Said:
    by = f" by entry {event.entry}" if event.entry is not None else ""
    return "Settled", f"dispute {event.dispute}: {event.ruling}{by}", event.why


def _rewound(event: e.Rewound, _: Combat) -> _Said:
    return "Rewound", f"entry {event.to} is the last that stands", event.why


_WORDS: Mapping[type[e.Event], Callable[[Any, Combat], _Said]] = {
    e.Overruled: _overruled,
    e.Adjusted: _adjusted,
    e.ModifierApplied: _modified,
    e.Amended: _amended,
    e.DisputeOpened: _disputed,
    e.DisputeSettled: _settled,
    e.Rewound: _rewound,
}
