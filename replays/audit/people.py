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
from replays.audit.decisions import DecisionEntry, first_decisions
from replays.audit.event_index import person
from replays.sessions.log import Log
from replays.sessions.undo import branches, rewound_to
from replays.sessions.wording import wording


class PersonalDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of every decision of a person that overrides the rules."""

    entry: int
    by: str
    at: str
    why: str
    stands: bool


class Overruling(PersonalDecision, frozen=True, kw_only=True):
    """An overrule of a figure."""

    key: str
    figure: str
    rule_says: int | str
    gm_says: int | str


class LateModifier(PersonalDecision, frozen=True, kw_only=True):
    """A gamemaster's modifier on dice that lay already."""

    key: str
    value: int
    dice: int
    """The entry in which they were thrown."""


class Adjustment(PersonalDecision, frozen=True, kw_only=True):
    """A value that was set without a rule."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None


class Rewinding(PersonalDecision, frozen=True, kw_only=True):
    """A rewind: an undo or a redo."""

    head: int
    """The head before it."""
    to: int
    undone: int
    """Entries that stood before it, and not after."""
    redone: int
    """Entries that stood after it, and not before."""


class Correction(PersonalDecision, frozen=True, kw_only=True):
    """An amendment of an entry."""

    corrects: int
    """The number of the entry."""
    change: Json


def _fields(decision: DecisionEntry) -> Json:
    """Returns the fields that all decisions have."""
    entry = decision.entry
    why = getattr(entry.command, "why", "")
    return {"entry": entry.seq, "by": person(entry), "at": entry.at, "why": why, "stands": decision.stands}


def overrulings(log: Log) -> Iterator[Overruling]:
    """Yields the overrules of figures, each with the rule's value."""
    words = wording(log.combat.session)
    for decision in first_decisions(log, Overrule):
        command = decision.entry.command
        assert isinstance(command, Overrule), "only these were asked for"
        for event in without_stand_ins(decision.entry.events):
            if isinstance(event, e.Overruled) and (event.key, event.figure) == (command.key, command.figure):
                yield Overruling(
                    **_fields(decision),
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
            if isinstance(event, e.DiceRolled | e.DiceTold):
                thrown.setdefault(event.key, entry.seq)
    for decision in first_decisions(log, ApplyModifier):
        command = decision.entry.command
        assert isinstance(command, ApplyModifier), "only these were asked for"
        dice = thrown.get(command.key, decision.entry.seq)
        if dice < decision.entry.seq and any(isinstance(event, e.ModifierApplied) for event in decision.entry.events):
            yield LateModifier(**_fields(decision), key=command.key, value=command.value, dice=dice)


def adjustments(log: Log) -> Iterator[Adjustment]:
    """Yields the values that were set without a rule."""
    for decision in first_decisions(log, Adjust):
        for event in decision.entry.events:
            if isinstance(event, e.Adjusted):
                yield Adjustment(
                    **_fields(decision), who=event.who, what=event.what, before=event.before, after=event.after
                )


def rewindings(log: Log) -> Iterator[Rewinding]:
    """Yields each undo and redo."""
    timeline = log.timeline
    for entry in log.entries():
        to = rewound_to(entry)
        if to is None or not entry.events:
            continue
        head = timeline.head_at(entry.seq - 1)
        undone, redone = branches(timeline, head, to)
        fields = _fields(DecisionEntry(entry, stands=True))
        yield Rewinding(**fields, head=head, to=to, undone=len(undone), redone=len(redone))


def corrections(log: Log) -> Iterator[Correction]:
    """Yields the amendments."""
    for decision in first_decisions(log, Amend):
        command = decision.entry.command
        assert isinstance(command, Amend), "only these were asked for"
        if decision.entry.events:
            yield Correction(**_fields(decision), corrects=command.entry, change=command.change)


def out_of_sight(log: Log, eyes: Viewer) -> int:
    """Returns how many of the gamemaster's decisions are hidden from a viewer."""
    decisions = first_decisions(log, (Overrule, ApplyModifier, Adjust, Amend))
    return sum(not eyes.may_see(decision.entry.command.seen_by) for decision in decisions)
