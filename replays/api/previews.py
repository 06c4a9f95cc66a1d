"""What corrections of a session would come to; nothing here is ever written."""

import msgspec

from ledger.commands import Amend, ApplyModifier, Command, Overrule
from ledger.entry import Who
from replays.api.consistency import consistently
from replays.api.prepare import ALLOWED, PREVIEW, WHAT_IF, Situation, Step, prepared
from replays.api.reading import Reading
from replays.api.request import Request, amending, by_hand
from replays.corrections.amend import Amending
from replays.corrections.change import Change
from replays.corrections.diff import Report, RollReport
from replays.corrections.thrown_rolls import Thrown
from replays.corrections.waiting import Waiting
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.permissions import GM


class Previews(Reading):
    """A session's log, and what corrections of it would come to.

    Args:
        log: The session's.
    """

    def __init__(self, log: Log) -> None:
        super().__init__(log)
        self._unwritten = Drafting(log, None)

    @consistently
    def check_allowed(self, command: Command, *, by: Who = GM) -> None:
        """Refuses what may not be asked from a seat; nothing is decided, and nothing is written.

        Args:
            command: What would be asked for; combatants may be named, and a shorthand of a key will do.
            by: Who would ask.

        Raises:
            NotAllowed: The gamemaster must, or another player.
            BadCommand: A field is of a wrong type, or beyond its bound.
        """
        self._prepared(Request(by_hand(command, by), by), ALLOWED)

    @consistently
    def preview(
        self, entry: int | str, change: Change, *, why: str = "", by: Who = GM, consent: bool = False
    ) -> Report:
        """What an amendment would come to; nothing is written, and no die is drawn.

        Arguments and refusals are those of `amend`, and one more.

        Raises:
            DrawsNothing: Dice would have to be drawn for a step that is inserted.
        """
        request = amending(entry, change, why=why, seen_by=None, by=by)
        return self._reported(self._prepared(request, PREVIEW), by, consent=consent)

    @consistently
    def preview_roll(self, command: ApplyModifier | Overrule, *, by: Who = GM) -> RollReport | None:
        """What a modifier or an overruling would come to; nothing is written.

        Args:
            command: What would be performed; a shorthand of the key will do.
            by: The gamemaster.

        Returns:
            What would flip, change, be asked and be set aside; None for a modifier of a roll that is still open.

        Raises:
            NoSuchRoll: There is no roll of that key.
            NoSuchFigure: Nothing of that name was found under that key.
            ImpossibleFigure: It cannot be that.
            NotOpen: The session is closed.
        """
        prepared_ = self._prepared(Request(by_hand(command, by), by), PREVIEW)
        assert isinstance(prepared_, ApplyModifier | Overrule), "a step returns the command that it was given"
        return Thrown(self.log, self._unwritten).preview(prepared_, by)

    @consistently
    def whatif(self, entry: int | str, change: Change, *, by: Who = GM) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record.

        It is answered also where the session is closed. Refusals are those of `preview`.
        """
        request = amending(entry, change, why="what if", seen_by=None, by=by)
        report = self._reported(self._prepared(request, WHAT_IF), by, consent=True)
        return msgspec.structs.replace(report, kind="what if")

    def _prepared(self, request: Request, steps: tuple[Step, ...]) -> Command:
        """The command that is asked about, as far as a preview needs it."""
        waiting = Waiting(self.log, self._unwritten)
        return prepared(Situation(self.log, self._unwritten, waiting, request), steps)

    def _reported(self, command: Command, by: Who, *, consent: bool) -> Report:
        assert isinstance(command, Amend), "a step returns the command that it was given"
        return Amending(self.log, self._unwritten).correction(command, by, consent=consent).report
