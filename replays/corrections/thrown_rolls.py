"""Corrects rolls after they were thrown: adds a modifier, or overrules a figure.

The dice stay as they lie. The log goes back to before the roll, the roll is decided again with the modifier or the
overrule, and the recorded entries after it are rebased.
"""

from functools import partial
from typing import NamedTuple

import msgspec

from ledger.audience import shared
from ledger.commands import ApplyModifier, Command, Overrule
from ledger.entry import Entry, Who
from ledger.events import Json
from replays.corrections.deferred import Deferred, deferred, repeatable
from replays.corrections.diff import RollReport, about
from replays.corrections.rebase import MovedOverrules, Rebase, rebased
from replays.corrections.recorded_answers import RecordedAnswers, older_answers, reissue
from replays.corrections.redecide import Redeciding
from replays.corrections.report import Corrected, report
from replays.sessions.drafts import Drafting
from replays.sessions.intent import Intent, intended
from replays.sessions.log import Draft, Log
from replays.sessions.lookup import entry_of_figure, entry_of_roll, open_key
from replays.sessions.wording import Wording, wording


class _Redecided(NamedTuple):
    """A roll that is decided again, and the rebased entries after it."""

    command: ApplyModifier | Overrule
    """The command with the full key."""
    entry: Entry
    """The entry that threw the dice, or found the figure."""
    rebase: Rebase


class RollCorrections:
    """Corrects thrown rolls of one session's log.

    Args:
        log: The session's log.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting

    def overruling(self, command: Overrule, by: Who) -> list[Draft]:
        """Decides the entry that found a figure again with an overrule, and rebases what followed.

        Raises:
            NoSuchFigure: No figure of that name stands under that key.
            ImpossibleFigure: The figure cannot have that value.
        """
        return self._overruled(command, by).rebase.drafts

    def modifying(self, command: ApplyModifier, by: Who) -> list[Draft]:
        """Decides a thrown roll again with a modifier, and rebases what followed.

        Raises:
            NoSuchRoll: There is no roll of that key.
        """
        return self._modified(command, by).rebase.drafts

    def preview(self, command: ApplyModifier | Overrule, by: Who) -> RollReport | None:
        """Returns the effects of a modifier or overrule; None for a modifier of an open roll.

        Raises:
            NoSuchRoll: There is no roll of that key.
            NoSuchFigure: No figure of that name stands under that key.
            ImpossibleFigure: The figure cannot have that value.
        """
        if isinstance(command, Overrule):
            return self._report(self._overruled(command, by))
        if open_key(self._log.combat, command.key):
            return None
        return self._report(self._modified(command, by))

    # -------------------------------------------------------------------------------------------- deciding again

    def _overruled(self, command: Overrule, by: Who) -> _Redecided:
        key, entry, figure = entry_of_figure(self._log, command.key, command.figure)
        command = msgspec.structs.replace(command, key=key, figure=figure)
        intent = reissue(entry, self._log.entry)
        others = tuple(each for each in intent.overrules if (each.key, each.figure) != (key, command.figure))
        first = Intent(command, by, intent.decided, (*others, command), entry.seq)
        return _Redecided(command, entry, self._rebased(self._log.timeline.after(entry.seq), first, entry, entry.seq))

    def _modified(self, command: ApplyModifier, by: Who) -> _Redecided:
        key, entry = entry_of_roll(self._log, command.key)
        seen_by = shared([command.seen_by, reissue(entry, self._log.entry).decided.seen_by])
        command = msgspec.structs.replace(command, key=key, seen_by=seen_by)
        before = self._log.timeline.after(entry.seq)
        return _Redecided(command, entry, self._rebased(before, intended(command, by), entry, before))

    def _rebased(self, before: int, first: Intent, changed: Entry, since: int) -> Rebase:
        """Decides a command on an earlier state, then rebases what was recorded after an entry."""
        return rebased(lambda moved: self._rebase(before, first, changed, since, moved))

    def _rebase(self, before: int, first: Intent, changed: Entry, since: int, moved: MovedOverrules) -> Rebase:
        log, waited = self._log, deferred(self._log)
        rebase = Rebase(log.state(before), self._drafting, before, log.last, _without(waited, first.command), moved)
        rebase.perform(first)
        later = repeatable(log.entries_of(log.timeline.line(since=since)))
        resting = frozenset(rest.key for rest in log.combat.rests)
        older = partial(older_answers, log, later, changed)
        rebase.recorded = RecordedAnswers((*later, *waited.entries), log.entry, older, resting)
        rebase.go_on(rebase.recorded)
        return rebase

    # -------------------------------------------------------------------------------------------- comparing

    def _report(self, made: _Redecided) -> RollReport:
        log, command, entry = self._log, made.command, made.entry
        before = log.timeline.after(entry.seq)
        was = Redeciding(log, before, list(log.entries_of(log.timeline.line(since=before)))).finish()
        change = _plain(command, wording(log.combat.session))
        found = report(log, Corrected(entry, before, change, command.why), was, made.rebase)
        by, purpose = about(command.key, was.events, log.state(before))
        fields = {name: getattr(found, name) for name in found.__struct_fields__}
        return RollReport(**fields, key=command.key, by=by, purpose=purpose)


def _without(waited: Deferred, command: Command) -> Deferred:
    """Returns what is deferred, without an earlier overrule of the same figure."""
    if not isinstance(command, Overrule):
        return waited
    others = (word for word in waited.words if (word.key, word.figure) != (command.key, command.figure))
    return waited._replace(words=tuple(others))


def _plain(command: ApplyModifier | Overrule, words: Wording) -> Json:
    """Returns the change of a roll as the report has it."""
    if isinstance(command, ApplyModifier):
        return {"modify": {"key": command.key, "value": command.value}}
    return {"overrule": {"key": command.key, "figure": words.figure(command), "value": command.value}}
