"""Puts corrections in words: undo, redo, amendments, and decisions of the gamemaster about rolls that were thrown.

Each is an append that made another entry the head than the one before it. The words name what was corrected, the new
facts beside the old ones, and what was different afterwards: outcomes of actions, who was down, and tracks.
"""

from collections.abc import Iterator, Sequence

from ledger import events as e
from ledger.commands import ApplyModifier, Overrule
from ledger.entry import Entry
from projections.combat import Combat
from projections.views.released import Withheld
from replays.exports.recap.changes import ChangeWords
from replays.exports.recap.deeds import Names, OpenAction, deed_of, name_of, names_in, open_actions, time_of
from replays.exports.recap.model import RecapCorrection
from replays.sessions.log import Log
from replays.views.down import down_in
from replays.views.fallen import fallen

_MOST = 3
"""Actions and outcomes that are listed at most."""


def corrections_of(log: Log) -> Iterator[RecapCorrection]:
    """Yields the corrections that a viewer may see, in the order in which they were made.

    Args:
        log: The log as the viewer may see it.
    """
    timeline = log.timeline
    undone = {seq: by for seq, by in fallen(timeline).items() if by in timeline.rewinds}
    for seq in sorted({*timeline.branches, *timeline.rewinds}):
        head = timeline.head_at(seq - 1)
        if seq not in timeline.rewinds and (timeline.after(seq) == head or seq == 1):
            continue
        entry = log.disclosures.entry(log.entry(seq))
        if isinstance(entry.command, Withheld) or timeline.replaces_draft(entry):
            continue
        found = _Lines(log, entry, head).correction(undone.get(seq, 0))
        if found is not None:
            yield found


class _Lines:
    """The line that a correction left, and the one that it began.

    Args:
        log: The log as the viewer may see it.
        entry: The entry of the correction.
        head: The head before it.
    """

    def __init__(self, log: Log, entry: Entry, head: int) -> None:
        self._log, self._entry = log, entry
        now = _last_of_append(log, entry.seq)
        fork = log.timeline.fork(head, now)
        self._base, self._before, self._after = log.state(fork), log.state(head), log.state(now)
        self._lost = self._entries(head, fork)
        self._won = self._entries(now, fork)
        self._names: Names = {**names_in(self._before), **names_in(self._after)}

    def _entries(self, head: int, fork: int) -> list[Entry]:
        return [self._log.disclosures.entry(each) for each in self._log.entries_of(self._log.timeline.line(head, fork))]

    def correction(self, undone: int) -> RecapCorrection | None:
        """Returns the correction in words; None where the viewer may not see what it was.

        Args:
            undone: The entry with which it was taken back; 0 where there is none.
        """
        facts = self._facts()
        if facts is None:
            return None
        kind, about, changes, why = facts
        effects = (*self._outcomes(), *self._fallen(), *self._harm()) if self._is_decided_again else ()
        when = time_of(self._base.clock)
        return RecapCorrection(
            self._entry.seq, kind, self._entry.by.name, when, about, changes, tuple(effects), why, undone
        )

    @property
    def _is_decided_again(self) -> bool:
        """Whether entries were decided anew, so that their results differ from the old ones by the correction alone."""
        return not any(isinstance(event, e.Rewound) for event in self._entry.events)

    def _facts(self) -> tuple[str, str, tuple[str, ...], str] | None:
        """Returns the kind, what is corrected, the new facts, and the reason."""
        for event in self._entry.events:
            match event:
                case e.Amended():
                    was = self._log.disclosures.entry(self._log.entry(event.entry))
                    about = self._of_entry(was)
                    words = ChangeWords(was.command, self._lost, self._before, self._names)
                    return "corrected", about, tuple(words.facts(event.change)), event.why
                case e.Rewound():
                    kind = "brought back" if len(self._won) > len(self._lost) else "took back"
                    return kind, self._of_entries(self._won or self._lost), (), event.why
                case _:
                    pass
        return self._decided_by_hand()

    def _decided_by_hand(self) -> tuple[str, str, tuple[str, ...], str] | None:
        command = self._entry.command
        if isinstance(command, Overrule):
            said = next((event for event in self._entry.events if isinstance(event, e.Overruled)), None)
            rule = f", where the rule says {said.rule_says}" if said is not None else ""
            fact = f"{command.figure} was {command.value}{rule}"
            return "overruled", self._of_key(command.key), (fact,), command.why
        if isinstance(command, ApplyModifier):
            return "modified", self._of_key(command.key), (f"a modifier of {command.value:+d}",), command.why
        return None

    # -------------------------------------------------------------------------------------------- what was corrected

    def _of_entry(self, entry: Entry) -> str:
        """Returns what an entry is about: its action, its roll, or its number."""
        keys = (getattr(event, "key", "") for event in entry.events)
        command = entry.command
        declared = next((event for event in entry.events if isinstance(event, e.Declared)), None)
        if declared is not None:
            return self._words(OpenAction(declared.key, declared.by, declared.kind, declared.terms))
        key = getattr(command, "key", "") or next((each for each in keys if each), "")
        return self._of_key(key) if key and not isinstance(command, Withheld) else f"entry {entry.seq}"

    def _of_key(self, key: str) -> str:
        """Returns what a key is about: the action itself, or the roller and the purpose of a roll."""
        asked = self._requests().get(key)
        if asked is not None:
            return f"{name_of(asked[0], self._names)}'s roll ({asked[1]})"
        action = next((each for each in self._actions() if each.key == key), None)
        return self._words(action) if action is not None else key

    def _requests(self) -> dict[str, tuple[str, str]]:
        found = {key: (roll.by, roll.purpose) for key, roll in self._base.rolls.rolls.items()}
        for entry in (*self._lost, *self._won):
            events = (each for each in entry.events if isinstance(each, e.RollRequested))
            found |= {each.key: (each.by, each.purpose) for each in events}
        return found

    def _actions(self) -> list[OpenAction]:
        declared = [
            OpenAction(event.key, event.by, event.kind, event.terms)
            for entry in (*self._lost, *self._won)
            for event in entry.events
            if isinstance(event, e.Declared)
        ]
        return [*open_actions(self._base), *declared]

    def _of_entries(self, entries: Sequence[Entry]) -> str:
        """Returns the actions of entries; how many entries there are, where none was declared."""
        own = {each.key for each in open_actions(self._base)}
        keys = (event.key for entry in entries for event in entry.events if isinstance(event, e.Declared))
        known = {each.key: each for each in self._actions()}
        deeds = [self._words(known[key]) for key in dict.fromkeys(keys) if key in known and key not in own]
        more = f" and {len(deeds) - _MOST} more" if len(deeds) > _MOST else ""
        count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
        return f"{count}: {', '.join(deeds[:_MOST])}{more}" if deeds else count

    def _words(self, action: OpenAction) -> str:
        deed = deed_of(action, self._names, self._before.session.ruleset)
        return f"{deed.by}'s {deed.about}"

    # -------------------------------------------------------------------------------------------- what was different

    def _outcomes(self) -> list[str]:
        """Returns the actions that ended otherwise."""
        was, now = _outcomes_of(self._lost), _outcomes_of(self._won)
        known = {each.key: each for each in self._actions()}
        found = [
            f"{self._words(known[key])}: {now[key]}, not {outcome}" if key in now
            else f"{self._words(known[key])} is open again" if key in {each.key for each in open_actions(self._after)}
            else f"{self._words(known[key])} did not happen"
            for key, outcome in was.items()
            if now.get(key) != outcome and key in known
        ]  # fmt: skip
        return found[:_MOST]

    def _fallen(self) -> Iterator[str]:
        for who, name in self._names.items():
            was, now = down_in(self._before, who), down_in(self._after, who)
            if was and not now:
                yield f"{name} is no longer {_condition(was[0])}"
            if now and not was:
                yield f"{name} is {_condition(now[0])}"

    def _harm(self) -> Iterator[str]:
        for who, name in self._names.items():
            was, now = _tracks(self._before, who), _tracks(self._after, who)
            for track in dict.fromkeys([*was, *now]):
                if was.get(track, 0) != now.get(track, 0) and was and now:
                    words = track.replace("_", " ")
                    yield f"{name} has {now.get(track, 0)} {words}, not {was.get(track, 0)}"


def _tracks(combat: Combat, who: str) -> dict[str, int]:
    return {track: has.taken for track, has in combat.health.tracks.get(who, {}).items()}


def _condition(name: str) -> str:
    return name.replace("_", " ")


def _outcomes_of(entries: Sequence[Entry]) -> dict[str, str]:
    events = (event for entry in entries for event in entry.events)
    return {event.key: event.outcome for event in events if isinstance(event, e.ExchangeEnded)}


def _last_of_append(log: Log, seq: int) -> int:
    """Returns the head after a correction with all that was performed for it."""
    timeline = log.timeline
    if seq in timeline.rewinds:
        return timeline.rewinds[seq]
    head = seq
    for following in range(seq + 1, timeline.last + 1):
        is_next = following not in timeline.rewinds and timeline.after(following) == head
        entry = log.entry(following)
        if entry.origin is None or not (is_next or timeline.replaces_draft(entry)):
            break
        head = following
    return head
