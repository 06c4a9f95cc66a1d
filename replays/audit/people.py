"""Audits decisions of people that override the rules, with who, when and why.

The logs are those that the viewer may see (`replays.views.seat_log`), except for the count of what they may not.
"""

from collections.abc import Iterator

import msgspec

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Adjust, Amend, ApplyModifier, Overrule
from ledger.events import Json
from projections.views.stand_ins import without_stand_ins
from replays.audit.decisions import Told, said_first
from replays.audit.event_index import person
from replays.sessions.log import Log
from replays.sessions.undo import rewound_to
from replays.sessions.wording import wording


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of a person."""

    entry: int
    by: str
    at: str
    why: str
    stands: bool


class Overruling(Said, frozen=True, kw_only=True):
    """An overrule of a figure."""

    key: str
    figure: str
    rule_says: int | str
    gm_says: int | str


class LateModifier(Said, frozen=True, kw_only=True):
    """A gamemaster's modifier on dice that lay already."""

    key: str
    value: int
    dice: int
    """The entry in which they were thrown."""


class Adjustment(Said, frozen=True, kw_only=True):
    """A value that was set without a rule."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None


class Rewinding(Said, frozen=True, kw_only=True):
    """A rewind: an undo or a redo."""

    head: int
    """The head before it."""
    to: int
    undone: int
    """Entries that stood before it, and not after."""
    redone: int
    """Entries that stood after it, and not before."""


class Correction(Said, frozen=True, kw_only=True):
    """An amendment of an entry."""

    corrects: int
    """The number of the entry."""
    change: Json


def _who(told: Told) -> Json:
    entry = told.entry
    why = getattr(entry.command, "why", "")
    return {"entry": entry.seq, "by": person(entry), "at": entry.at, "why": why, "stands": told.stands}


def overrulings(log: Log) -> Iterator[Overruling]:
    """Yields the overrules of figures, each with the rule's value."""
    words = wording(log.combat.session)
    for told in said_first(log, Overrule):
        command = told.entry.command
        assert isinstance(command, Overrule), "only these were asked for"
        for event in without_stand_ins(told.entry.events):
            if isinstance(event, e.Overruled) and (event.key, event.figure) == (command.key, command.figure):
                yield Overruling(
                    **_who(told),
                    key=event.key,
                    figure=words.figure(event),
                    rule_says=event.rule_says,
                    gm_says=event.gm_says,
                )
                break  # a test that is read once more is overruled once more


def late_modifiers(log: Log) -> Iterator[LateModifier]:
    """Yields the gamemaster's modifiers on dice that lay already."""
    thrown: dict[str, int] = {}
    for entry in log.entries():
        for event in entry.events:
            if isinstance(event, e.DiceRolled):
                thrown.setdefault(event.key, entry.seq)
    for told in said_first(log, ApplyModifier):
        command = told.entry.command
        assert isinstance(command, ApplyModifier), "only these were asked for"
        dice = thrown.get(command.key, told.entry.seq)
        if dice < told.entry.seq and any(isinstance(event, e.ModifierApplied) for event in told.entry.events):
            yield LateModifier(**_who(told), key=command.key, value=command.value, dice=dice)


def adjustments(log: Log) -> Iterator[Adjustment]:
    """Yields the values that were set without a rule."""
    for told in said_first(log, Adjust):
        for event in told.entry.events:
            if isinstance(event, e.Adjusted):
                yield Adjustment(**_who(told), who=event.who, what=event.what, before=event.before, after=event.after)


def rewindings(log: Log) -> Iterator[Rewinding]:
    """Yields each undo and redo."""
    timeline = log.timeline
    for entry in log.entries():
        to = rewound_to(entry)
        if to is None or not entry.events:
            continue
        head = timeline.head_at(entry.seq - 1)
        was, now = set(timeline.line(head)), set(timeline.line(to))
        who = _who(Told(entry, stands=True))
        yield Rewinding(**who, head=head, to=to, undone=len(was - now), redone=len(now - was))


def corrections(log: Log) -> Iterator[Correction]:
    """Yields the amendments."""
    for told in said_first(log, Amend):
        command = told.entry.command
        assert isinstance(command, Amend), "only these were asked for"
        if told.entry.events:
            yield Correction(**_who(told), corrects=command.entry, change=command.change)


def out_of_sight(log: Log, eyes: Viewer) -> int:
    """Returns how many of the gamemaster's decisions are hidden from a viewer."""
    words = said_first(log, (Overrule, ApplyModifier, Adjust, Amend))
    return sum(not eyes.may_see(told.entry.command.seen_by) for told in words)
