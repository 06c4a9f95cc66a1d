"""Corrects rolls after they were thrown: a modifier that was forgotten, the gamemaster's word on a figure.

The dice stay as they lie. The log goes back to before the roll, it is decided again with the modifier or the word, and
what was recorded after it is pulled.
"""

from typing import NamedTuple

import msgspec

from ledger.audience import shared
from ledger.commands import ApplyModifier, Command, Overrule
from ledger.entry import Entry, Who
from ledger.events import Json
from replays.corrections.deferred import Deferred, deferred, repeatable
from replays.corrections.diff import RollReport, about
from replays.corrections.rebase import Pulled, Words, with_moved_words
from replays.corrections.recorded_answers import Recorded, again, older_answers
from replays.corrections.report import Corrected, report, today
from replays.sessions.asked import Asked, plainly
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft, Log
from replays.sessions.lookup import entry_of_figure, entry_of_roll, open_key
from replays.sessions.wording import Wording, wording


class _Again(NamedTuple):
    """A roll that is decided again, and what followed on it."""

    command: ApplyModifier | Overrule
    """With the whole key."""
    entry: Entry
    """That threw it, or found the figure."""
    pulled: Pulled


class Thrown:
    """Corrects rolls of one session's log after they were thrown.

    Args:
        log: The session's.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting

    def overruling(self, command: Overrule, by: Who) -> list[Draft]:
        """The entry that found a figure, decided again with the gamemaster's word, and what followed on it.

        Raises:
            NoSuchFigure: Nothing of that name was found under that key.
            ImpossibleFigure: It cannot be that.
        """
        return self._overruled(command, by).pulled.drafts

    def modifying(self, command: ApplyModifier, by: Who) -> list[Draft]:
        """A modifier on dice that lie already: it goes before them, and they are read again.

        Raises:
            NoSuchRoll: There is no roll of that key.
        """
        return self._modified(command, by).pulled.drafts

    def preview(self, command: ApplyModifier | Overrule, by: Who) -> RollReport | None:
        """What a modifier or an overruling would come to; None for a modifier of a roll that is still open.

        Raises:
            NoSuchRoll: There is no roll of that key.
            NoSuchFigure: Nothing of that name was found under that key.
            ImpossibleFigure: It cannot be that.
        """
        if isinstance(command, Overrule):
            return self._report(self._overruled(command, by))
        if open_key(self._log.combat, command.key):
            return None
        return self._report(self._modified(command, by))

    # -------------------------------------------------------------------------------------------- deciding again

    def _overruled(self, command: Overrule, by: Who) -> _Again:
        key, entry, figure = entry_of_figure(self._log, command.key, command.figure)
        command = msgspec.structs.replace(command, key=key, figure=figure)
        asked = again(entry, self._log.entry)
        others = tuple(each for each in asked.overrules if (each.key, each.figure) != (key, command.figure))
        first = Asked(command, by, asked.decided, (*others, command), entry.seq)
        return _Again(command, entry, self._pulled(self._log.timeline.after(entry.seq), first, entry, entry.seq))

    def _modified(self, command: ApplyModifier, by: Who) -> _Again:
        key, entry = entry_of_roll(self._log, command.key)
        seen_by = shared([command.seen_by, again(entry, self._log.entry).decided.seen_by])
        command = msgspec.structs.replace(command, key=key, seen_by=seen_by)
        before = self._log.timeline.after(entry.seq)
        return _Again(command, entry, self._pulled(before, plainly(command, by), entry, before))

    def _pulled(self, before: int, first: Asked, changed: Entry, since: int) -> Pulled:
        """Perform a command on an earlier state, then pull what was recorded after an entry."""
        return with_moved_words(lambda moved: self._pull(before, first, changed, since, moved))

    def _pull(self, before: int, first: Asked, changed: Entry, since: int, moved: Words) -> Pulled:
        log, waited = self._log, deferred(self._log)
        pulled = Pulled(log.state(before), self._drafting, before, log.last, _without(waited, first.command), moved)
        pulled.perform(first)
        later = repeatable(log.entries_of(log.timeline.line(since=since)))
        resting = frozenset(rest.key for rest in log.combat.rests)
        older = older_answers(log, later, changed)
        pulled.recorded = Recorded((*later, *waited.entries), log.entry, older, resting)
        pulled.go_on(pulled.recorded)
        return pulled

    # -------------------------------------------------------------------------------------------- comparing

    def _report(self, made: _Again) -> RollReport:
        log, command, entry = self._log, made.command, made.entry
        before = log.timeline.after(entry.seq)
        was = today(log, before, list(log.entries_of(log.timeline.line(since=before))))
        change = _plain(command, wording(log.combat.session))
        found = report(log, Corrected(entry, before, change, command.why), was, made.pulled)
        by, purpose = about(command.key, was.told, log.state(before))
        fields = {name: getattr(found, name) for name in found.__struct_fields__}
        return RollReport(**fields, key=command.key, by=by, purpose=purpose)


def _without(waited: Deferred, command: Command) -> Deferred:
    """What waits, without an earlier word on the figure that is overruled now."""
    if not isinstance(command, Overrule):
        return waited
    others = (word for word in waited.words if (word.key, word.figure) != (command.key, command.figure))
    return waited._replace(words=tuple(others))


def _plain(command: ApplyModifier | Overrule, words: Wording) -> Json:
    """What is changed of a roll, as the report has it."""
    if isinstance(command, ApplyModifier):
        return {"modify": {"key": command.key, "value": command.value}}
    return {"overrule": {"key": command.key, "figure": words.figure(command), "value": command.value}}
