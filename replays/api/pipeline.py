"""Handles every request of a session: load, prepare, decide, append, publish. Nothing else appends entries."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ledger.commands import Amend, ApplyModifier, Command, Overrule, Reveal, Rewind
from ledger.entry import Entry, Who
from ledger.errors import BadCommand, Busy, Refused, Stale, Unsure
from projections.combat import Combat
from replays.api import batches
from replays.api.batches import on_record
from replays.api.listeners import Listeners
from replays.api.prepare import Situation, prepared
from replays.api.repeats import answered
from replays.api.request import Request
from replays.api.seat_refusals import with_visible_reason
from replays.corrections.amend import Amending
from replays.corrections.diff import Report
from replays.corrections.thrown_rolls import RollCorrections
from replays.corrections.waiting import Waiting
from replays.sessions import disclose, ports
from replays.sessions.drafts import Drafting
from replays.sessions.intent import intended
from replays.sessions.log import Draft, Log
from replays.views.view_cache import ViewCache

_RETRIES = 1000


class Decided(msgspec.Struct, frozen=True):
    """What a request will append; nothing of it is written yet."""

    drafts: list[Draft]
    report: Report | None = None


class Handled(msgspec.Struct, frozen=True):
    """The result of a request."""

    entries: list[Entry]
    """The request's own entry first, then those that were performed again after it."""
    report: Report | None = None
    """The report of an amendment; None for any other request, and for a repeated one."""
    drafts: tuple[Draft, ...] = ()
    """The entries as they were decided; none for a repeated request."""


class Pipeline:
    """Handles the requests of one session.

    Args:
        log: The session's log.
        view_cache: What each seat sees of it, for the reasons of refusals.
        draw: Draws dice for `DrawDice`, where the session has committed to no seed.
        clock: Returns the time at which entries are appended.
    """

    def __init__(self, log: Log, view_cache: ViewCache, draw: ports.Drawer, clock: Callable[[], str]) -> None:
        self._log = log
        self._view_cache = view_cache
        self._draw = draw
        self._clock = clock
        self.drafting = Drafting(log, draw)
        self.waiting = Waiting(log, self.drafting)
        self._amending = Amending(log, self.drafting)
        self._thrown = RollCorrections(log, self.drafting)
        self.listeners = Listeners()
        self.next_key: tuple[str, tuple[Any, ...]] | None = None
        """The idempotency key of the next request, and what its fingerprint binds; None for what the request has."""

    def handle(self, request: Request) -> Handled:
        """Performs a request; where others have written meanwhile, performs it again on the newer log.

        Raises:
            Refused: The request is refused; nothing was written.
            Stale: The last entry is not the one that the caller expects.
            KeyReused: The idempotency key belongs to another request.
        """
        request = self._keyed(request)
        for _ in range(_RETRIES):
            # 1. Load: a repeated request returns its stored entries; otherwise the log must be as the caller expects.
            entries = answered(self._log, request)
            if entries:
                return Handled(entries)
            self._check_expected(request)
            combat = self._log.combat
            try:
                with with_visible_reason(self._log, self._view_cache, request):
                    # 2. Prepare: the command is permitted and completed, step by step.
                    command = prepared(Situation(self._log, combat, self.drafting, self.waiting, request))
                    # 3. Decide: by the rules, on the present state; a correction decides again what followed.
                    decided = self._decided(command, request, combat)
                # 4. Append: all entries or none.
                entries = self._append(decided.drafts, request)
            except Refused as refusal:
                self._check_others_have_written(refusal, request)
                continue
            self.next_key = None  # it is used once; a request that is refused may be made again under it
            # 5. Publish: listeners get the new entries.
            self.waiting.appended(decided.drafts)
            self.listeners.notify(tuple(entries))
            return Handled(entries, decided.report, tuple(decided.drafts))
        raise Busy(f"other writers came first {_RETRIES} times in a row", where="session", accepts="try again")

    def handle_batch(self, commands: Sequence[Command], whole: Request) -> list[Entry]:
        """Performs several commands, all or none, in one append; see `batches`.

        Args:
            commands: The commands, in order.
            whole: The request for all of them.

        Raises:
            Refused: One of them is refused; nothing was written.
        """
        whole = self._keyed(whole)
        requests = batches.requests_of(commands, whole)
        for _ in range(_RETRIES):
            entries = answered(self._log, whole)
            if entries:
                return entries
            self._check_expected(whole)
            try:
                drafts = self._decided_together(requests)
                secrets = [ports.new_secret() for _ in drafts]
                entries = self._log.append(drafts, self._clock(), secrets, on_record(whole, len(drafts)))
            except Refused as refusal:
                self._check_others_have_written(refusal, whole)
                continue
            self.next_key = None
            self.waiting.appended(drafts)
            self.listeners.notify(tuple(entries))
            return entries
        raise Busy(f"other writers came first {_RETRIES} times in a row", where="session", accepts="try again")

    def _decided_together(self, requests: Sequence[Request]) -> list[Draft]:
        """Returns the drafts of several requests, each decided on the state after the one before."""
        log = batches.copy_of(self._log)
        alone = Pipeline(log, ViewCache(log), self._draw, self._clock)
        drafts: list[Draft] = []
        for place, request in enumerate(requests, 1):
            try:
                drafts += alone.handle(request).drafts
            except Refused as refusal:
                raise batches.placed(refusal, place) from refusal
        return drafts

    # -------------------------------------------------------------------------------------------- load

    def _keyed(self, request: Request) -> Request:
        """Returns a request under the key that is set for it, if one is."""
        found = self.next_key
        return request if found is None else request._replace(batch=found[0], binds=found[1])

    def _check_expected(self, request: Request) -> None:
        """Rejects a request whose caller does not know the last entry."""
        expected = request.expected
        if expected is None:
            return
        if type(expected) is not int:
            problem = f"{type(expected).__name__} is not an entry's number"
            raise BadCommand(problem, where="expected", accepts="the number of the last entry that you know")
        if expected == self._log.last:
            return
        self._log.refresh()
        if expected != self._log.last:
            raise Stale(expected, self._log.last)

    def _check_others_have_written(self, refusal: Refused, request: Request) -> None:
        """Raises a refusal again, unless others have written meanwhile, so that the request may succeed now."""
        if isinstance(refusal, Unsure):  # it may have been written
            raise refusal
        news = self._log.refresh()
        if isinstance(refusal, Stale):
            if request.expected is not None:
                raise Stale(request.expected, refusal.actual) from refusal
        elif not news:
            raise refusal

    # -------------------------------------------------------------------------------------------- decide

    def _decided(self, command: Command, request: Request, combat: Combat) -> Decided:
        by = request.by
        match command:
            case Overrule():
                return Decided(self._thrown.overruling(command, by))
            case ApplyModifier() if not any(rest.key == command.key for rest in combat.rests):
                return Decided(self._thrown.modifying(command, by))
            case Amend():
                return Decided(*self._amending.correction(command, by, consent=request.consent))
            case Rewind():
                return Decided([self.drafting.draft(intended(command, by), combat, self._log.head)])
            case _:
                made = [self.drafting.draft(intended(command, by), combat, self._log.head)]
                if isinstance(command, Reveal):
                    self._disclose_beside(command, by, made, combat)
                return Decided(self.waiting.continued(made))

    def _disclose_beside(self, command: Reveal, by: Who, made: list[Draft], combat: Combat) -> None:
        """Adds drafts of what is disclosed with a combatant.

        Args:
            command: The disclosure.
            by: The caller.
            made: Its draft, to which the others are added.
            combat: The state before it.
        """
        for more in disclose.beside(self._log, command):
            combat = made[-1].state_on(combat)
            made.append(self.drafting.draft(intended(more, by), combat, self._log.last + len(made)))

    # -------------------------------------------------------------------------------------------- append

    def _append(self, drafts: list[Draft], request: Request) -> list[Entry]:
        secrets = [ports.new_secret() for _ in drafts]
        return self._log.append(drafts, self._clock(), secrets, on_record(request, len(drafts)))
