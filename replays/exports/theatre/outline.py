"""The outline of a record: where rounds, turns and exchanges begin, what was undone, and health over time."""

from collections.abc import Iterator

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Amend, ApplyModifier, Overrule, Rewind
from ledger.entry import Entry
from machines.contract.refusals import UnknownRuleset
from machines.contract.ruleset import ruleset
from projections.combat import Combat
from projections.views.stand_ins import without_stand_ins
from replays.exports.narrative import told
from replays.exports.recap.deeds import OpenAction, deed_of, names_in
from replays.exports.report.timeline import round_title
from replays.exports.report.tracker import TrackHistory
from replays.exports.theatre.model import (
    CorrectedEntry,
    Outline,
    OutlinedBranch,
    OutlinedCombatant,
    OutlinedExchange,
    OutlinedMark,
    OutlinedRound,
    OutlinedTurn,
    TrackLine,
    TrackPoint,
    UndoneStretch,
)  # fmt: skip
from replays.exports.theatre.walk import WalkedEntry, walk
from replays.sessions.log import Log
from replays.sessions.wording import wording
from replays.views.down import down_in
from replays.views.fallen import fallen
from replays.views.seat_log import seen_log

_UNDOING = (Amend, ApplyModifier, Overrule, Rewind)
"""The commands that undo entries."""
_TELLING = frozenset({e.RoundBegan, e.TurnBegan, e.SecretRevealed, e.Declared, e.Amended, e.WoundSuffered})
"""The events that an outline is made of; none of them is ever a stand-in."""


def outline(log: Log, eyes: Viewer = EVERYTHING) -> Outline:
    """Returns the outline of a record.

    Args:
        log: The session's log.
        eyes: The viewer; nothing hidden from them is in the outline.
    """
    log = seen_log(log, eyes)
    found = _Gathered(log)
    timeline, info = log.timeline, log.state(log.head).session
    branches = (
        OutlinedBranch(seq, after) for seq, after in zip(timeline.branches, timeline.forks, strict=True) if seq > 1
    )
    return Outline(
        session=log.session, title=info.title, ruleset=info.ruleset, game=game_title(info.ruleset),
        profile=info.profile, entries=log.last, digest=log.digest.hex(), disclosures=found.disclosures,
        branches=tuple(branches),
        rounds=tuple(found.rounds), turns=tuple(found.turns), exchanges=tuple(found.exchanges),
        undone=tuple(_undone(log)), corrected=tuple(found.corrected), people=tuple(found.people.values()),
        health=tuple(_health(found.tracks)), marks=tuple(found.marks),
    )  # fmt: skip


class _Gathered:
    """What one walk along the record finds."""

    def __init__(self, log: Log) -> None:
        self.disclosures = 0
        self.rounds: list[OutlinedRound] = []
        self.turns: list[OutlinedTurn] = []
        self.exchanges: list[OutlinedExchange] = []
        self.corrected: list[CorrectedEntry] = []
        self.people: dict[str, OutlinedCombatant] = {}
        self.marks: list[OutlinedMark] = []
        self.tracks = TrackHistory()
        last = Combat()
        for walked in walk(log):
            self._events(walked)
            self._state(walked.entry.seq, last, walked.shown)
            last = walked.shown

    def _events(self, walked: WalkedEntry) -> None:
        entry = walked.entry
        for event in entry.events:
            if type(event) not in _TELLING:  # most are not
                continue
            match event:
                case e.RoundBegan():
                    title = round_title(max(1, walked.shown.clock.combat), event.round)
                    self.rounds.append(OutlinedRound(entry.seq, title))
                case e.SecretRevealed():
                    self.disclosures += 1
                case e.TurnBegan():
                    self.turns.append(OutlinedTurn(entry.seq, event.who))
                case e.Declared():
                    self.exchanges.append(_exchange(entry, event, walked.before))
                case e.Amended():
                    self.corrected.append(CorrectedEntry(event.entry, entry.seq, entry.by.name, event.why))
                case e.WoundSuffered():
                    said = next((line for each, line in told(entry, walked.before) if each is event), "")
                    self.marks.append(OutlinedMark(entry.seq, event.who, "wound", said.removesuffix(".")))
                case _:
                    pass

    def _state(self, seq: int, before: Combat, now: Combat) -> None:
        """Adds what the state after an entry shows; most entries change nothing of it."""
        if now.roster is not before.roster:
            self.people |= {who: OutlinedCombatant(who, one.name, one.player) for who, one in now.roster.who.items()}
        if now.roster is not before.roster or now.health is not before.health:
            self.tracks.add(seq, now)
        if now.conditions is not before.conditions:
            self.marks += _marks(seq, before, now)


def _exchange(entry: Entry, event: e.Declared, before: Combat) -> OutlinedExchange:
    name = before.session.ruleset
    deed = deed_of(OpenAction(event.key, event.by, event.kind, event.terms), names_in(before), name)
    is_attack = bool(event.terms.get(wording(before.session).vocabulary.terms.at))
    return OutlinedExchange(entry.seq, event.key, event.by, event.kind, deed.about, is_attack)


def _marks(seq: int, before: Combat, now: Combat) -> Iterator[OutlinedMark]:
    """Yields who went down, and who is up again."""
    for who, one in now.roster.who.items():
        was, down = down_in(before, who), down_in(now, who)
        if down and not was:
            yield OutlinedMark(seq, who, "down", f"{one.name} is {down[0].replace('_', ' ')}")
        elif was and not down:
            yield OutlinedMark(seq, who, "up", f"{one.name} is up again")


def _undone(log: Log) -> Iterator[UndoneStretch]:
    """Yields the stretches of entries that do not stand; undos themselves are not part of them."""
    open_stretch: UndoneStretch | None = None
    for seq, by in sorted(fallen(log.timeline).items()):
        if not by:
            continue
        if open_stretch is not None and (open_stretch.last, open_stretch.by) == (seq - 1, by):
            open_stretch = UndoneStretch(open_stretch.first, seq, by, open_stretch.who, open_stretch.why)
            continue
        if open_stretch is not None:
            yield open_stretch
        entry = log.disclosures.entry(log.entry(by))
        open_stretch = UndoneStretch(seq, seq, by, entry.by.name, _reason(entry))
    if open_stretch is not None:
        yield open_stretch


def _reason(entry: Entry) -> str:
    """Returns the reason of an entry that undid others; empty where it is hidden, or where there is none."""
    if isinstance(entry.command, _UNDOING):
        return entry.command.why
    events = (event for event in without_stand_ins(entry.events) if isinstance(event, e.Rewound | e.Amended))
    return next((event.why for event in events), "")


def _health(tracks: TrackHistory) -> Iterator[TrackLine]:
    for one in tracks.series():
        if (one.was_harmed or one.is_first) and any(point.capacity for point in one.points):
            points = (TrackPoint(each.at, each.taken, each.capacity) for each in one.points)
            yield TrackLine(one.who, one.track, one.harm, tuple(points))


def game_title(name: str) -> str:
    """Returns the title of a game; its name where it is not installed, because a record can be read without it."""
    try:
        return ruleset(name).title
    except UnknownRuleset:
        return name
