"""Of an audit: what people decided beside the rules, with who, when and why.

The logs are as far as whoever asks can see (`replays.views.seat_log`), but where it is counted what they cannot.
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
    """Something that a person decided."""

    entry: int
    by: str
    at: str
    why: str
    stands: bool


class Overruling(Said, frozen=True, kw_only=True):
    """The gamemaster's word against the rule."""

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
    """Something that was set without a rule."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None


class Rewinding(Said, frozen=True, kw_only=True):
    """The head went back, or forward again."""

    head: int
    """Where it was."""
    to: int
    undone: int
    """Entries that stood before it, and did not after."""
    redone: int
    """Entries that stood after it, and had not before."""


class Correction(Said, frozen=True, kw_only=True):
    """An old fact that was corrected."""

    corrects: int
    """The entry."""
    change: Json


def _who(told: Told) -> Json:
    entry = told.entry
    why = getattr(entry.command, "why", "")
    return {"entry": entry.seq, "by": person(entry), "at": entry.at, "why": why, "stands": told.stands}


def overrulings(log: Log) -> Iterator[Overruling]:
    """The gamemaster's words against the rule, each with what the rule says."""
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
    """The gamemaster's modifiers on dice that lay already."""
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
    """What was set without a rule."""
    for told in said_first(log, Adjust):
        for event in told.entry.events:
            if isinstance(event, e.Adjusted):
                yield Adjustment(**_who(told), who=event.who, what=event.what, before=event.before, after=event.after)


def rewindings(log: Log) -> Iterator[Rewinding]:
    """Each going back, and forward again."""
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
    """The amendments."""
    for told in said_first(log, Amend):
        command = told.entry.command
        assert isinstance(command, Amend), "only these were asked for"
        if told.entry.events:
            yield Correction(**_who(told), corrects=command.entry, change=command.change)


def out_of_sight(log: Log, eyes: Viewer) -> int:
    """How many of the gamemaster's words these eyes may not see."""
    words = said_first(log, (Overrule, ApplyModifier, Adjust, Amend))
    return sum(not eyes.may_see(told.entry.command.seen_by) for told in words)
