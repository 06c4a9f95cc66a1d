"""Previews corrections of a session without writing them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ledger.commands import Amend, ApplyModifier, Command, Overrule
from ledger.entry import Who
from replays.api.branching import Branching
from replays.api.consistency import consistently
from replays.api.prepare import ALLOWED, PREVIEW, WHAT_IF, PreparationStep, Situation, prepared
from replays.api.reading import SessionReader
from replays.api.reading_arguments import check_number
from replays.api.request import Request, amendment_request, by_hand
from replays.corrections.amend import Amending
from replays.corrections.change import Change, EntryChange
from replays.corrections.diff import Report, RollReport
from replays.corrections.thrown_rolls import RollCorrections
from replays.corrections.waiting import Waiting
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.permissions import GM
from replays.views.state_document import document

if TYPE_CHECKING:
    from replays.exports.theatre.branch import BranchLine

_ENTRY = "the number of an entry"


class Previews(SessionReader):
    """A session's log, with previews of corrections.

    Args:
        log: The session's log.
    """

    def __init__(self, log: Log) -> None:
        super().__init__(log)
        self._unwritten = Drafting(log, None)

    @consistently
    def check_allowed(self, command: Command, *, by: Who = GM) -> None:
        """Rejects a command that a seat may not give; decides and writes nothing.

        Args:
            command: The command; names of combatants and a shorthand of a key are accepted.
            by: The caller.

        Raises:
            NotAllowed: The command belongs to the gamemaster, or to another player.
            BadCommand: A field is of a wrong type, or beyond its bound.
        """
        self._prepared(Request(by_hand(command, by), by), ALLOWED)

    @consistently
    def preview(
        self, entry: int | str, change: Change, *, why: str = "", by: Who = GM, consent: bool = False
    ) -> Report:
        """Returns the report of an amendment; writes nothing and draws no dice.

        Arguments and refusals are those of `amend`, and one more.

        Raises:
            DrawsNothing: An inserted step would have to draw dice.
        """
        request = amendment_request(entry, change, why=why, seen_by=None, by=by)
        return self._reported(self._prepared(request, PREVIEW), by, consent=consent)

    @consistently
    def preview_roll(self, command: ApplyModifier | Overrule, *, by: Who = GM) -> RollReport | None:
        """Returns the effects of a modifier or an overrule; writes nothing.

        Args:
            command: The modifier or overrule; a shorthand of the key is accepted.
            by: The gamemaster.

        Returns:
            The outcomes that flip, figures that change, and answers that are needed or set aside; None for a modifier
                of an
            open roll.

        Raises:
            NoSuchRoll: There is no roll of that key.
            NoSuchFigure: No figure of that name stands under that key.
            ImpossibleFigure: The figure cannot have that value.
            NotOpen: The session is closed.
        """
        prepared_ = self._prepared(Request(by_hand(command, by), by), PREVIEW)
        assert isinstance(prepared_, ApplyModifier | Overrule), "a step returns the command that it was given"
        return RollCorrections(self.log, self._unwritten).preview(prepared_, by)

    @consistently
    def whatif(self, entry: int | str, change: Change, *, by: Who = GM) -> Report:
        """Returns a preview that is marked as a what-if, so that it cannot be mistaken for a correction.

        It is allowed in a closed session. Refusals are those of `preview`.
        """
        request = amendment_request(entry, change, why="what if", seen_by=None, by=by)
        report = self._reported(self._prepared(request, WHAT_IF), by, consent=True)
        return msgspec.structs.replace(report, kind="what if")

    @consistently
    def branch(
        self,
        changes: Sequence[EntryChange] = (),
        *,
        by: Who = GM,
        upto: int | None = None,
        since: int | None = None,
        after: int = 0,
        size: int | None = None,
    ) -> "BranchLine":
        """Returns the line that some changes lead to, each on top of the one before; nothing is written.

        It is allowed in a closed session. Without a change it is the line that stands. Refusals are those of `preview`.

        Args:
            changes: The changes, in order; each may name entries that the ones before it lead to.
            by: The gamemaster.
            upto: The last entry of the record that the branch is based on; by default the last of all.
            since: The entry of the record that the steps begin with; by default, and at the latest, the first changed.
            after: The number of the step before the first one that is returned; 0 for all.
            size: The bytes of JSON after which there are no further steps; None for no such bound.

        Raises:
            NoSuchEntry: There is no entry of a number.
            BadArgument: An argument has a wrong type.
        """
        from replays.exports.theatre.branch import BranchLine, branch_steps  # noqa: PLC0415  a fight is played without it

        check_number(after, "after", _ENTRY)
        for value, where in ((upto, "upto"), (since, "since")):
            if value is not None:
                check_number(value, where, _ENTRY)
        made = Branching(self.log, by, upto)
        made.perform_all(changes)
        log, last = made.log, made.performed[-1] if made.performed else None
        line = [seq for seq in made.line(since) if seq > after]
        steps = tuple(branch_steps(log, line, made.upto, size))
        state = document(log.combat, self.id, entries=log.last, head=log.head, digest=log.digest)
        return BranchLine(
            made.upto, last.first if last else 0, last and last.report, last and last.dice,
            steps, len(steps) == len(line), state, made.waits(),
        )  # fmt: skip

    def _prepared(self, request: Request, steps: tuple[PreparationStep, ...]) -> Command:
        """Returns a request's command, prepared as far as a preview needs."""
        waiting = Waiting(self.log, self._unwritten)
        return prepared(Situation(self.log, self.log.combat, self._unwritten, waiting, request), steps)

    def _reported(self, command: Command, by: Who, *, consent: bool) -> Report:
        assert isinstance(command, Amend), "a step returns the command that it was given"
        return Amending(self.log, self._unwritten).correction(command, by, consent=consent).report
