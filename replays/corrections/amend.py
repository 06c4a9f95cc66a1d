"""Amends an entry: decides it again as corrected, replays what followed with the recorded dice, reports the changes.

The log goes back to before the entry and the corrected command is decided. Recorded answers follow: at each rest the
answer that was given under its key, if it is still legal. Nothing is rewritten. The correction is appended as one
batch, and the old line stays readable beside it.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import msgspec

from ledger import codec, dice
from ledger.audience import shared
from ledger.commands import Amend, Command, Overrule, TellDice
from ledger.entry import Entry, Who
from ledger.errors import Refused
from ledger.events import DiceTold
from machines.contract.dice_reading import check_counts
from machines.contract.refusals import CountNeeded
from projections.combat import Combat
from projections.views.document import State
from replays.corrections.change import (
    AMENDABLE,
    BadChange,
    Change,
    audience,
    change_of,
    corrected,
    plain,
    rerolled,
)
from replays.corrections.deferred import deferred, repeatable
from replays.corrections.diff import Report
from replays.corrections.misread_dice import misread, resolved
from replays.corrections.rebase import MovedOverrules, Rebase, rebased
from replays.corrections.recorded_answers import (
    ANY_ROLL,
    ROLLS,
    RecordedAnswers,
    entry_in_its_place,
    older_answers,
    recorded_answer,
    reissue,
)
from replays.corrections.redecide import Redeciding, Today
from replays.corrections.report import Corrected, report
from replays.corrections.unchanged import check_changed
from replays.scripts.format import one_step
from replays.scripts.scripted_answers import Scripted
from replays.sessions.drafts import Drafting, game_of
from replays.sessions.hidden_names import Names
from replays.sessions.intent import intended
from replays.sessions.log import Draft, Log


class Drifted(Refused):
    """Today's rules decide the entries to be corrected differently from the record."""

    slug = "amend/drift"


class PreparedCorrection(NamedTuple):
    """A correction that is not written yet."""

    drafts: list[Draft]
    report: Report


class _Stretch(NamedTuple):
    """The standing entries from the corrected one on."""

    before: int
    """The entry that they stand on."""
    line: list[Entry]
    today: Redeciding
    """Decides them by today's rules."""


class Amending:
    """Amends entries of one session's log.

    Args:
        log: The session's log.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting

    def correction(self, amendment: Amend, by: Who, *, consent: bool) -> PreparedCorrection:
        """Decides an entry as it should have been, and again everything that followed it.

        Args:
            amendment: The amendment.
            by: The gamemaster who amends.
            consent: Whether today's rules may decide what followed, even where they decide it differently than before.

        Raises:
            BadChange: The change is empty, or cannot be applied to this entry.
            Drifted: Today's rules differ from the record, and consent is not given.
            Refused: The rules refuse the corrected command.
        """
        change = change_of(Names(self._log.combat).plain(amendment.change))
        named = self._log.entry(amendment.entry)
        entry = self._entry(named, change)
        change = resolved(self._log, entry, self._of_roll(entry, change))
        amendment = msgspec.structs.replace(amendment, change=plain(change))
        before = self._log.timeline.after(entry.seq)
        line = list(self._log.entries_of(self._log.timeline.line(since=before)))
        rolls = self._of_misread(line, change)
        seen_by = shared([amendment.seen_by, audience(entry.command, change), *(roll.seen_by for roll in rolls)])
        amendment = msgspec.structs.replace(amendment, seen_by=seen_by)
        stretch = _Stretch(before, line, Redeciding(self._log, before, line))
        if change.insert:  # inserted steps may draw dice
            _undrifted(stretch, consent=consent)
        try:
            rebase = rebased(lambda moved: self._rebased(amendment, change, by, entry, stretch, moved))
        except Refused:
            _undrifted(stretch, consent=consent)
            raise
        was = _undrifted(stretch, consent=consent)
        wrong = misread(self._log, entry, change)
        check_changed(entry.command, change, wrong)
        found = report(self._log, Corrected(named, before, amendment.change, amendment.why), was, rebase)
        return PreparedCorrection(rebase.drafts, msgspec.structs.replace(found, misread=wrong))

    def _entry(self, named: Entry, change: Change) -> Entry:
        """Returns the entry to correct: the named one, or the overrule in its place where the named roll is dropped."""
        seq, timeline = named.seq, self._log.timeline
        standing = seq if timeline.stands(seq) else entry_in_its_place(self._log, seq, timeline.line())
        if standing is None or (standing != seq and not change.drop):
            raise BadChange(f"entry {seq} no longer stands", where="entry", accepts="one that stands, or rewind to it")
        entry = self._log.entry(standing)
        if not isinstance(entry.command, AMENDABLE):
            kind = type(entry.command).__name__
            raise BadChange(f"entry {seq} is {kind}, which cannot be amended", where="entry", accepts="a later entry")
        if not (change.set or change.insert or change.drop or change.dice):
            raise BadChange("nothing is changed", where="change", accepts="set, insert, drop, dice")
        if change.drop and change.set:
            raise BadChange("a dropped entry has no fields to set", where="drop", accepts="drop or set, not both")
        return entry

    def _of_roll(self, entry: Entry, change: Change) -> Change:
        """Returns the change with the faces of an overruled roll given as dice, so that the overrule stays in force."""
        command, faces = reissue(entry, self._log.entry).decided, change.set.get("faces")
        if not isinstance(entry.command, Overrule) or not isinstance(command, ROLLS) or change.dice:
            return change
        if not isinstance(faces, list) or not all(type(face) is int for face in faces):
            return change
        others = {path: value for path, value in change.set.items() if path != "faces"}
        return msgspec.structs.replace(change, set=others, dice={command.key: tuple(faces)})

    def _of_misread(self, line: list[Entry], change: Change) -> Iterator[Command]:
        """Yields the rolls whose dice are corrected; rejects a wrong number of dice."""
        if not change.dice:
            return
        commands = {key: (entry, command) for entry, key, command in self._thrown(line)}
        game = game_of(self._log.combat)
        for key, thrown in change.dice.items():
            entry, command = commands[key]
            state = self._log.state(entry.after)
            rest = next(rest for rest in state.rests if rest.key == key)
            if isinstance(thrown, dict):
                check_counts(rest.dice, game.reading(state, key), thrown)
            else:
                dice.check(rest.dice, thrown)
            yield command

    def _thrown(self, line: list[Entry]) -> Iterator[tuple[Entry, str, Command]]:
        for entry in line:
            command = reissue(entry, self._log.entry).decided
            if isinstance(command, ANY_ROLL):
                yield entry, command.key, command

    # -------------------------------------------------------------------------------------------- performing

    def _rebased(  # noqa: PLR0917
        self, amendment: Amend, change: Change, by: Who, entry: Entry, stretch: _Stretch, moved: MovedOverrules
    ) -> Rebase:
        log, waited = self._log, deferred(self._log)
        before, line, today = stretch
        later = repeatable(each for each in line if each.seq != entry.seq)
        rebase = Rebase(log.state(before), self._drafting, before, log.last, waited, moved)
        rebase.perform(intended(amendment, by))
        for number, step in enumerate(change.insert):
            script = one_step(step, f"insert[{number}]")
            rebase.go_on(Scripted(script, by, _no_state, _no_way_back, rebase.state))
        if not change.drop:
            right = corrected(reissue(entry, log.entry), change)
            codec.check_command(right.by, right.command)
            _check_counted_dice(entry, right.decided, rebase.state)
            rebase.perform(right)
        resting = frozenset(rest.key for rest in log.combat.rests)
        named = log.entry(amendment.entry)
        if named.seq != entry.seq:  # the roll is dropped as well, not only the overrule of its figure
            resting |= {recorded_answer(named, log.entry).key}
        older = partial(older_answers, log, line, entry)
        rebase.recorded = RecordedAnswers((*later, *waited.entries), log.entry, older, resting, today.decision)
        if change.dice:
            rebase.recorded.correct(lambda each: rerolled(each, change.dice))
        rebase.go_on(rebase.recorded)
        if change.drop:
            rebase.dropped = (named,) if named.seq == entry.seq else (named, entry)
        return rebase


def _undrifted(stretch: _Stretch, *, consent: bool) -> Today:
    """Returns a stretch as today's rules decide it.

    Raises:
        Drifted: They decide an entry differently from the record, and consent is not given.
    """
    was = stretch.today.finish()
    if was.drift and not consent:
        numbers = ", ".join(map(str, was.drift[:5]))
        raise Drifted(
            f"today's rules decide entry {numbers} differently from the record",
            where="entry",
            accepts="an amendment with consent to today's rules",
        )
    return was


def _check_counted_dice(entry: Entry, command: Command, combat: Combat) -> None:
    """Rejects counts of a corrected entry that are of other dice than its roll has now.

    Raises:
        CountNeeded: The dice of the roll have changed, and the correction has none of them.
    """
    counted = next((event for event in entry.events if isinstance(event, DiceTold)), None)
    if counted is None or not isinstance(command, TellDice) or command.counts != counted.counts:
        return
    rest = next((rest for rest in combat.rests if rest.key == command.key), None)
    if rest is not None and rest.dice and rest.dice != counted.dice:
        problem = f"the counts are of {counted.dice}, but {rest.dice} are rolled now"
        raise CountNeeded(problem, where="dice", accepts=f"dice = {{ {command.key} = … }} in the same correction")


def _no_state() -> State:
    raise BadChange(
        "an inserted step cannot be an expectation",
        where="insert",
        accepts="declare, choose, dice, modify, adjust, note",
    )


def _no_way_back(_: object) -> Command:
    raise BadChange(
        "an inserted step cannot rewind", where="insert", accepts="declare, choose, dice, modify, adjust, note"
    )


class Amendment(msgspec.Struct, frozen=True):
    """A correction that was written."""

    report: Report
    entries: tuple[Entry, ...]
