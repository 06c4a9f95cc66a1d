"""Gathers a report from the record as one seat may see it, entry by entry."""

from collections.abc import Callable

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from machines.contract.refusals import UnknownRuleset
from machines.contract.ruleset import Ruleset, ruleset
from projections.combat import Combat
from projections.views.released import Withheld
from replays.audit.event_index import person
from replays.exports.narrative import no_sentence, told
from replays.exports.recap import Recap, recap
from replays.exports.recap.turning_points import RUNS
from replays.exports.report.citing import Citations
from replays.exports.report.health import DownMark
from replays.exports.report.model import CitedSentence, Fallen, FightReport, ReportHeader, ReportLine
from replays.exports.report.sums import ReportRoll, sums
from replays.exports.report.timeline import EntryText, RoundGrouper
from replays.exports.report.tracker import TrackHistory
from replays.exports.report.words import Word, words
from replays.sessions.log import Log
from replays.sessions.wording import wording
from replays.views.fallen import fallen
from replays.views.frames import ReplayFrame, frames
from replays.views.seat_log import seen_log


def gather(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm", runs: int = RUNS) -> FightReport:
    """Returns the report of a session.

    Args:
        log: The session's log.
        eyes: The viewer; nothing hidden from them is in the report.
        seat: The seat's name on the page.
        runs: Runs of the rules for the recap's turning points.
    """
    return _Gathering(log, eyes).report(seat, recap(log, eyes, runs))


class _Gathering:
    """One pass over the record."""

    def __init__(self, log: Log, eyes: Viewer) -> None:
        self._log = log = seen_log(log, eyes)
        self._line = set(log.timeline.line())
        self._sums = sums(log.entries_of(log.timeline.line()), wording(log.combat.session))
        self._settled: dict[int, list[ReportRoll]] = {}
        for one in self._sums.values():
            self._settled.setdefault(one.entry, []).append(one)
        self._rounds = RoundGrouper()
        self._tracks = TrackHistory()
        self._citations = Citations()
        self._words: list[Word] = []
        self._fallen: list[Fallen] = []
        self._people: dict[str, None] = {}
        self._days: list[str] = []
        self._opened = e.SessionOpened("", "", "", {}, {}, "", "")

    def report(self, seat: str, recapped: Recap) -> FightReport:
        """Returns the whole report.

        Args:
            seat: The seat's name on the page.
            recapped: The recap for the same viewer.
        """
        because, combat = fallen(self._log.timeline), Combat()
        for frame in frames(self._log, everything=True):
            entry = frame.entry
            self._people[person(entry)] = None
            self._days.append(entry.at[:10])
            if entry.seq in self._line:
                self._stands(frame, entry)
                combat = frame.combat
            else:
                self._fallen.append(Fallen(self._whole_line(entry, frame), because.get(entry.seq, 0)))
        game = _game(combat.session.ruleset)
        return FightReport(
            head=self._head(combat, game, seat),
            rounds=self._rounds.rounds(combat),
            names={who: one.name for who, one in combat.roster.who.items()},
            series=tuple(self._tracks.series()),
            downs=self._downs(recapped),
            recap=recapped,
            words=tuple(self._words),
            fallen=tuple(self._fallen),
            cited=self._citations.by_book(game.books if game is not None else ()),
        )

    def _downs(self, recapped: Recap) -> dict[str, tuple[DownMark, ...]]:
        """Returns the moments at which each combatant went down."""
        place = {seq: at for at, seq in enumerate(self._log.timeline.line())}
        downs: dict[str, list[DownMark]] = {}
        for drop in recapped.drops:
            last = drop.further[-1].condition if drop.further else drop.condition
            downs.setdefault(drop.who, []).append(DownMark(place[drop.entry], last, is_lasting=not drop.up))
        return {who: tuple(marks) for who, marks in downs.items()}

    def _stands(self, frame: ReplayFrame, entry: Entry) -> None:
        text = self._text(entry, frame, is_summed=lambda event: self._is_summed(event, entry))
        self._words += [one for one in text.by_event.values() if isinstance(one, Word)]
        self._rounds.add(text)
        self._tracks.add(self._rounds.count - 1, frame.combat)
        self._citations.take(entry)
        self._opened = next((event for event in entry.events if isinstance(event, e.SessionOpened)), self._opened)

    def _text(self, entry: Entry, frame: ReplayFrame, is_summed: Callable[[e.Event], bool]) -> EntryText:
        """Returns the text of an entry; a substitute where there is none."""
        by_event = dict[int, CitedSentence | Word]()
        for event, text in told(entry, frame.before):
            if event is not None and not is_summed(event):
                by_event[id(event)] = CitedSentence(text, _source(event))
        by_event |= {id(event): word for event, word in words(entry, frame.before)}
        settled = self._settled.get(entry.seq, ())
        lead: tuple[CitedSentence, ...] = ()
        if not by_event and not settled:
            lead = (CitedSentence(no_sentence(entry, is_seen=not isinstance(entry.command, Withheld))),)
        return EntryText(entry, frame.before, by_event, settled, lead)

    def _is_summed(self, event: e.Event, entry: Entry) -> bool:
        """Returns whether an event is shown as a part of a roll."""
        one = self._sums.get(getattr(event, "key", ""))
        if one is None:
            return False
        if isinstance(event, e.TestResolved):
            return one.entry == entry.seq
        return isinstance(event, e.ModifierApplied | e.FigureFound | e.ReadingChanged)

    def _whole_line(self, entry: Entry, frame: ReplayFrame) -> ReportLine:
        text = self._text(entry, frame, is_summed=lambda _: False)
        ordered = (text.by_event[id(event)] for event in entry.events if id(event) in text.by_event)
        return ReportLine(entry.seq, entry.by.name, (*text.lead, *ordered))

    def _head(self, combat: Combat, game: Ruleset | None, seat: str) -> ReportHeader:
        played: dict[str, list[str]] = {}
        for one in combat.roster.who.values():
            played.setdefault(one.player, []).append(one.name)
        info = combat.session
        return ReportHeader(
            title=info.title,
            session=self._log.session,
            ruleset=game.title if game is not None else info.ruleset,
            profile=info.profile,
            source=self._opened.source,
            policies=info.policies,
            entries=self._log.last,
            standing=len(self._line),
            digest=self._log.digest.hex(),
            seat=seat,
            played=tuple((player, tuple(names)) for player, names in played.items()),
            wrote=tuple(self._people),
            dates=(self._days[0], self._days[-1]) if self._days else ("", ""),
        )


def _game(name: str) -> Ruleset | None:
    """Returns the game; None where it is not installed, because a record can be read without it."""
    try:
        return ruleset(name)
    except UnknownRuleset:
        return None


def _source(event: e.Event) -> str:
    """Returns the page that an event cites."""
    return "" if isinstance(event, e.SessionOpened) else str(getattr(event, "source", ""))
