"""Previews corrections of a session without writing them."""

import msgspec

from ledger.commands import Amend, ApplyModifier, Command, Overrule
from ledger.entry import Who
from replays.api.consistency import consistently
from replays.api.prepare import ALLOWED, PREVIEW, WHAT_IF, PreparationStep, Situation, prepared
from replays.api.reading import SessionReader
from replays.api.request import Request, amendment_request, by_hand
from replays.corrections.amend import Amending
from replays.corrections.change import Change
from replays.corrections.diff import Report, RollReport
from replays.corrections.thrown_rolls import RollCorrections
from replays.corrections.waiting import Waiting
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.permissions import GM


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

    def _prepared(self, request: Request, steps: tuple[PreparationStep, ...]) -> Command:
        """Returns a request's command, prepared as far as a preview needs."""
        waiting = Waiting(self.log, self._unwritten)
        return prepared(Situation(self.log, self.log.combat, self._unwritten, waiting, request), steps)

    def _reported(self, command: Command, by: Who, *, consent: bool) -> Report:
        assert isinstance(command, Amend), "a step returns the command that it was given"
        return Amending(self.log, self._unwritten).correction(command, by, consent=consent).report
