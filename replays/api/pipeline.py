"""The way of every request into the log: load, prepare, decide, append, publish. No entry is added by another way."""

from collections.abc import Callable

import msgspec

from ledger.commands import Amend, ApplyModifier, Command, Overrule, Rewind
from ledger.entry import Entry
from ledger.entry import Request as OnRecord
from ledger.errors import Busy, Refused, Stale, Unsure
from projections.combat import fold
from replays.api.listeners import Listeners
from replays.api.prepare import Situation, prepared
from replays.api.repeats import answered
from replays.api.request import Request
from replays.api.seat_refusals import as_far_as_seen
from replays.corrections.amend import Amending
from replays.corrections.diff import Report
from replays.corrections.thrown_rolls import Thrown
from replays.corrections.waiting import Waiting
from replays.sessions import disclose, ports
from replays.sessions.asked import plainly
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft, Log
from replays.views.view_cache import Seeing

_RETRIES = 1000


class Decided(msgspec.Struct, frozen=True):
    """What a request will come to; nothing of it is written yet."""

    drafts: list[Draft]
    report: Report | None = None


class Handled(msgspec.Struct, frozen=True):
    """What a request came to."""

    entries: list[Entry]
    """Its own entry first, then what was performed again behind it."""
    report: Report | None = None
    """What an amendment has changed; None for any other request, and for one that is repeated."""


class Pipeline:
    """Handles the requests for one session.

    Args:
        log: The session's.
        seeing: What each seat sees of it, for the reasons of refusals.
        draw: Throws dice for `DrawDice`, where the session has committed to no seed.
        clock: Says when entries are appended.
    """

    def __init__(self, log: Log, seeing: Seeing, draw: ports.Drawer, clock: Callable[[], str]) -> None:
        self._log = log
        self._seeing = seeing
        self._clock = clock
        self.drafting = Drafting(log, draw)
        self.waiting = Waiting(log, self.drafting)
        self._amending = Amending(log, self.drafting)
        self._thrown = Thrown(log, self.drafting)
        self.listeners = Listeners()

    def handle(self, request: Request) -> Handled:
        """Performs a request; where others write meanwhile, again, on what they have written.

        Raises:
            Refused: It cannot be; nothing was written.
            Stale: Somebody else wrote after the entry that the caller expects to be the last.
            KeyReused: The idempotency key belongs to another request.
        """
        for _ in range(_RETRIES):
            # 1. Load: what was written for it before is the answer; else the log must be as the caller knows it.
            entries = answered(self._log, request)
            if entries:
                return Handled(entries)
            self._check_expected(request)
            try:
                with as_far_as_seen(self._log, self._seeing, request):
                    # 2. Prepare: the command is permitted and completed, step by step.
                    command = prepared(Situation(self._log, self.drafting, self.waiting, request))
                    # 3. Decide: by the rules, on what is so now; a correction decides again what followed.
                    decided = self._decided(command, request)
                # 4. Append: all of it or nothing.
                entries = self._append(decided.drafts, request)
            except Refused as refusal:
                self._check_others_have_written(refusal, request)
                continue
            # 5. Publish: those who listen are given what was written.
            self.waiting.appended()
            self.listeners.tell(entries)
            return Handled(entries, decided.report)
        raise Busy(f"others have written first {_RETRIES} times over", where="session", accepts="try again")

    # -------------------------------------------------------------------------------------------- load

    def _check_expected(self, request: Request) -> None:
        """Refuses where the log goes on behind the last entry that the caller knew."""
        expected = request.expected
        if expected is None or expected == self._log.last:
            return
        self._log.refresh()
        if expected != self._log.last:
            raise Stale(expected, self._log.last)

    def _check_others_have_written(self, refusal: Refused, request: Request) -> None:
        """Raises a refusal again, unless what is refused now may go well on what others have written meanwhile."""
        if isinstance(refusal, Unsure):  # it may have been written
            raise refusal
        news = self._log.refresh()
        if isinstance(refusal, Stale):
            if request.expected is not None:
                raise Stale(request.expected, refusal.actual) from refusal
        elif not news:
            raise refusal

    # -------------------------------------------------------------------------------------------- decide

    def _decided(self, command: Command, request: Request) -> Decided:
        by = request.by
        match command:
            case Overrule():
                return Decided(self._thrown.overruling(command, by))
            case ApplyModifier() if not any(rest.key == command.key for rest in self._log.combat.rests):
                return Decided(self._thrown.modifying(command, by))
            case Amend():
                return Decided(*self._amending.correction(command, by, consent=request.consent))
            case Rewind():
                return Decided([self.drafting.draft(plainly(command, by), self._log.combat, self._log.head)])
            case _:
                return Decided(self.waiting.continued(self._played(command, request)))

    def _played(self, command: Command, request: Request) -> list[Draft]:
        """A command that adds to what is so, and what is revealed with it."""
        log, by = self._log, request.by
        made = [self.drafting.draft(plainly(command, by), log.combat, log.head)]
        for more in disclose.beside(log, command):
            combat = fold((event for draft in made for event in draft.events), log.combat)
            made.append(self.drafting.draft(plainly(more, by), combat, log.last + len(made)))
        return made

    # -------------------------------------------------------------------------------------------- append

    def _append(self, drafts: list[Draft], request: Request) -> list[Entry]:
        secrets = [ports.new_secret() for _ in drafts]
        return self._log.append(drafts, self._clock(), secrets, _on_record(request, len(drafts)))


def _on_record(request: Request, entries: int) -> OnRecord | None:
    """What the first entry keeps of the request; None for a single entry that came without a key."""
    if request.batch is not None:
        return OnRecord(request.batch, request.fingerprint, entries)
    return OnRecord("", "", entries) if entries > 1 else None
