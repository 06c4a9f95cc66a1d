"""Performs changes one on top of the other, on a copy of the log in memory; nothing is written."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ledger.chain import SECRET
from ledger.commands import Amend, Choose, Command, Declare, TellDice, TypeDice
from ledger.entry import Who
from ledger.errors import Refused
from replays.api import batches
from replays.api.prepare import STEPS, WHAT_IF, PreparationStep, Situation, prepared
from replays.api.request import Request, amendment_request, by_hand
from replays.corrections.amend import Amending
from replays.corrections.change import BadChange, Change, EntryChange, summary
from replays.corrections.diff import Aside, Report
from replays.corrections.kept_dice import DiceKept, dice_kept
from replays.corrections.waiting import Waiting
from replays.sessions import permissions
from replays.sessions.drafts import Drafting
from replays.sessions.intent import intended
from replays.sessions.log import Draft, Log

MOST = 40
"""Maximum number of changes of a branch."""
_WHY = "what if"
_GOES_ON = (TypeDice, TellDice, Choose, Declare)
"""The commands that a branch can go on with."""


class _PerformedChange(NamedTuple):
    """A change that was performed on the copy."""

    first: int
    """The number of its first entry."""
    before: int
    """The entry that its first entry stands on."""
    report: Report | None
    """None where commands go on without a change."""
    dice: DiceKept | None


class Branching:
    """A copy of a log in memory, on which changes are performed.

    The time and the secrets of its entries are always the same, so that equal changes make equal branches.

    Args:
        log: The session's log.
        by: The gamemaster.
        upto: The last entry of the copy; by default the last of the log.

    Raises:
        NotAllowed: The seat may not correct entries.
        NoSuchEntry: There is no entry of that number.
    """

    def __init__(self, log: Log, by: Who, upto: int | None = None) -> None:
        permissions.check_type(by, by_hand(Amend(1, {}, _WHY), by))
        if upto is not None:
            log.check(upto)
        self.upto = log.last if upto is None else upto
        self.log = batches.copy_of(log, self.upto)
        self.performed: list[_PerformedChange] = []
        self._by = by
        self._drafting = Drafting(self.log, None)
        self._waiting = Waiting(self.log, self._drafting)
        self._at = log.entry(self.upto).at

    def perform_all(self, changes: Sequence[EntryChange]) -> None:
        """Performs changes, each on top of the one before.

        Raises:
            BadChange: They are too many, or one of them is none, or cannot be applied to its entry.
            Refused: The rules refuse one of them.
        """
        if not isinstance(changes, list | tuple) or len(changes) > MOST:
            raise BadChange("these are no changes of a branch", where="changes", accepts=f"a list of 0 to {MOST}")
        for place, each in enumerate(changes, 1):
            try:
                self._perform(each)
            except Refused as refusal:
                if len(changes) > 1:
                    refusal.message = f"change {place} of the branch: {refusal.message}"
                    refusal.where = f"changes.{place}.{refusal.where}".rstrip(".")
                raise

    def _perform(self, given: EntryChange) -> None:
        if not isinstance(given, EntryChange):
            raise BadChange(f"{type(given).__name__} is no change", where="changes", accepts="an EntryChange")
        if not isinstance(given.then, list | tuple) or (given.entry is None and not given.then):
            raise BadChange("a change names an entry, or has commands", where="entry", accepts="entry, then, or both")
        if given.entry is None:
            self.performed.append(_PerformedChange(self.log.last + 1, self.log.head, None, None))
        else:
            self._amend(given.entry, given.change)
        for place, command in enumerate(given.then, 1):
            self._go_on(command, f"then.{place}")

    def _amend(self, entry: int | str, change: Change) -> None:
        """Performs an amendment on the copy."""
        log, by = self.log, self._by
        command = self._prepared(amendment_request(entry, change, why=_WHY, seen_by=None, by=by), WHAT_IF)
        assert isinstance(command, Amend), "a step returns the command that it was given"
        made = Amending(log, self._drafting).correction(command, by, consent=True)
        before, first = made.drafts[0].after, log.last + 1
        was = list(log.entries_of(log.timeline.line(since=before)))
        self._append(made.drafts)
        now = log.entries_of(log.timeline.line(since=before))
        report = msgspec.structs.replace(made.report, kind="what if")
        self.performed.append(_PerformedChange(first, before, report, dice_kept(was, now, report)))

    def _go_on(self, given: Command, where: str) -> None:
        """Performs a command at the end of the branch, with the recorded answers that can follow it."""
        if not isinstance(given, _GOES_ON):
            kinds = ", ".join(kind.__name__ for kind in _GOES_ON)
            raise BadChange("a branch does not go on with this", where=where, accepts=kinds)
        command = self._prepared(Request(by_hand(given, self._by), self._by), STEPS)
        draft = self._drafting.draft(intended(command, self._by), self.log.combat, self.log.head)
        drafts = self._waiting.continued([draft])
        self._append(drafts)
        self._waiting.appended(drafts)

    def _prepared(self, request: Request, steps: tuple[PreparationStep, ...]) -> Command:
        return prepared(Situation(self.log, self.log.combat, self._drafting, self._waiting, request), steps)

    def _append(self, drafts: list[Draft]) -> None:
        self.log.append(drafts, self._at, [bytes(SECRET)] * len(drafts))

    def line(self, since: int | None = None) -> list[int]:
        """Returns the entries of the branch from its first change on, in order; without a change from the first on.

        Args:
            since: The entry of the record that the line begins with, unless a change is earlier.

        Raises:
            NoSuchEntry: The record has no entry of that number.
            BadChange: That entry does not stand in the record.
        """
        before = [each.before for each in self.performed if each.before <= self.upto]
        if since is not None:
            before.append(self._before(since))
        return self.log.timeline.line(since=min(before, default=0))

    def _before(self, since: int) -> int:
        timeline = self.log.timeline
        self.log.check(since)
        if since > self.upto or since not in timeline.line(timeline.head_at(self.upto)):
            raise BadChange(f"entry {since} does not stand", where="since", accepts="an entry that stands")
        return timeline.after(since)

    def waits(self) -> tuple[Aside, ...]:
        """Returns the recorded answers that wait at the end of the branch."""
        return tuple(Aside(entry.seq, summary(entry.command)) for entry in self._waiting.entries())
