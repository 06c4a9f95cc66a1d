"""Amending: correct an old fact, keep every die ever rolled, decide again all that followed, say what flipped.

The log goes back to before the entry, the corrected command is performed, and what was recorded after it is pulled: at
each rest the answer that was given under its key, if it is still legal. Nothing is rewritten: the correction stands
beside the old line, whole, as one append.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ledger import codec, dice
from ledger.audience import shared
from ledger.commands import Amend, Command, Overrule
from ledger.entry import Entry, Who
from ledger.errors import Refused
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
from replays.corrections.rebase import Pulled, Words, with_moved_words
from replays.corrections.recorded_answers import ROLLS, Recorded, again, answer, in_its_place, older_answers
from replays.corrections.report import Corrected, report, today
from replays.corrections.unchanged import check_changed
from replays.scripts.format import one_step
from replays.scripts.scripted_answers import Scripted
from replays.sessions.asked import plainly
from replays.sessions.drafts import Drafting
from replays.sessions.hidden_names import Names
from replays.sessions.log import Draft, Log


class Drifted(Refused):
    """Today's rules already decide differently what is to be corrected."""

    slug = "amend/drift"


class Correction(NamedTuple):
    """A correction that is not written yet."""

    drafts: list[Draft]
    report: Report


class Amending:
    """Corrects one session's log.

    Args:
        log: The session's.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting

    def correction(self, asked: Amend, by: Who, *, consent: bool) -> Correction:
        """An entry as it should have been, and all that followed.

        Args:
            asked: The amendment.
            by: The gamemaster, who amends.
            consent: May today's rules decide what followed, even where they decide it otherwise than then?

        Raises:
            BadChange: There is nothing to change, or not so.
            Drifted: Today's rules differ from the record, and nobody has consented.
            Refused: The corrected command cannot be.
        """
        change = change_of(Names(self._log.combat).plain(asked.change))
        named = self._log.entry(asked.entry)
        entry = self._entry(named, change)
        change = resolved(self._log, entry, self._of_roll(entry, change))
        asked = msgspec.structs.replace(asked, change=plain(change))
        before = self._log.timeline.after(entry.seq)
        line = list(self._log.entries_of(self._log.timeline.line(since=before)))
        rolls = self._of_misread(line, change)
        seen_by = shared([asked.seen_by, audience(entry.command, change), *(roll.seen_by for roll in rolls)])
        asked = msgspec.structs.replace(asked, seen_by=seen_by)
        was = today(self._log, before, line)
        if was.drift and not consent:
            numbers = ", ".join(map(str, was.drift[:5]))
            raise Drifted(
                f"today's rules decide entry {numbers} otherwise", where="entry", accepts="consent, or not at all"
            )
        pulled = with_moved_words(lambda moved: self._pulled(asked, change, by, entry, before, line, moved))
        wrong = misread(self._log, entry, change)
        check_changed(entry.command, change, wrong)
        found = report(self._log, Corrected(named, before, asked.change, asked.why), was, pulled)
        return Correction(pulled.drafts, msgspec.structs.replace(found, misread=wrong))

    def _entry(self, named: Entry, change: Change) -> Entry:
        """The entry that stands: the one that is named, or the gamemaster's word on a roll that never happened."""
        seq, line = named.seq, self._log.timeline.line()
        standing = in_its_place(self._log, seq, line)
        if standing is None or (standing != seq and not change.drop):
            raise BadChange(f"entry {seq} no longer stands", where="entry", accepts="one that stands, or rewind to it")
        entry = self._log.entry(standing)
        if not isinstance(entry.command, AMENDABLE):
            kind = type(entry.command).__name__
            raise BadChange(f"entry {seq} is {kind}, which is not amended", where="entry", accepts="a later entry")
        if not (change.set or change.insert or change.drop or change.dice):
            raise BadChange("nothing is changed", where="change", accepts="set, insert, drop, dice")
        if change.drop and change.set:
            raise BadChange("what never happened has no figures", where="drop", accepts="drop or set")
        return entry

    def _of_roll(self, entry: Entry, change: Change) -> Change:
        """A change in which the faces of an overruled roll are dice, so that the gamemaster's word stays."""
        command, faces = again(entry, self._log.entry).decided, change.set.get("faces")
        if not isinstance(entry.command, Overrule) or not isinstance(command, ROLLS) or change.dice:
            return change
        if not isinstance(faces, list) or not all(type(face) is int for face in faces):
            return change
        others = {path: value for path, value in change.set.items() if path != "faces"}
        return msgspec.structs.replace(change, set=others, dice={command.key: tuple(faces)})

    def _of_misread(self, line: list[Entry], change: Change) -> Iterator[Command]:
        """The rolls whose dice are said to be others; they must be as many."""
        thrown = {key: (entry, command) for entry, key, command in self._thrown(line)}
        for key, faces in change.dice.items():
            entry, command = thrown[key]
            rest = next(rest for rest in self._log.state(entry.after).rests if rest.key == key)
            dice.check(rest.dice, faces)
            yield command

    def _thrown(self, line: list[Entry]) -> Iterator[tuple[Entry, str, Command]]:
        for entry in line:
            command = again(entry, self._log.entry).decided
            if isinstance(command, ROLLS):
                yield entry, command.key, command

    # -------------------------------------------------------------------------------------------- performing

    def _pulled(  # noqa: PLR0917
        self, asked: Amend, change: Change, by: Who, entry: Entry, before: int, line: list[Entry], moved: Words
    ) -> Pulled:
        log, waited = self._log, deferred(self._log)
        later = repeatable(each for each in line if each.seq != entry.seq)
        pulled = Pulled(log.state(before), self._drafting, before, log.last, waited, moved)
        pulled.perform(plainly(asked, by))
        for number, step in enumerate(change.insert):
            script = one_step(step, f"insert[{number}]")
            pulled.go_on(Scripted(script, by, _no_state, _no_way_back, pulled.state))
        if not change.drop:
            right = corrected(again(entry, log.entry), change)
            codec.check_command(right.by, right.command)
            pulled.perform(right)
        resting = frozenset(rest.key for rest in log.combat.rests)
        older = older_answers(log, line, entry)
        named = log.entry(asked.entry)
        if named.seq != entry.seq:  # not only the gamemaster's word on a roll never happened, but the roll
            older.pop(answer(named, log.entry).key, None)
        pulled.recorded = Recorded((*later, *waited.entries), log.entry, older, resting)
        pulled.recorded.correct(lambda each: rerolled(each, change.dice))
        pulled.go_on(pulled.recorded)
        if change.drop:
            pulled.dropped = (named,) if named.seq == entry.seq else (named, entry)
        return pulled


def _no_state() -> State:
    raise BadChange(
        "an amendment expects nothing", where="insert", accepts="declare, choose, dice, modify, adjust, note"
    )


def _no_way_back(_: object) -> Command:
    raise BadChange(
        "an amendment does not rewind", where="insert", accepts="declare, choose, dice, modify, adjust, note"
    )


class Amendment(msgspec.Struct, frozen=True):
    """A correction that was written."""

    report: Report
    entries: tuple[Entry, ...]
