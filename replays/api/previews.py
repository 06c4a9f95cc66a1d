"""What corrections of a session would come to; nothing here is ever written."""

import msgspec

from ledger import codec
from ledger.commands import Amend, ApplyModifier, Overrule
from ledger.entry import Who
from machines.engine.framing import check_open
from replays.api.consistency import consistently
from replays.api.reading import Reading
from replays.corrections.amend import Amending
from replays.corrections.change import Change, checked, plain
from replays.corrections.diff import Report, RollReport
from replays.corrections.thrown_rolls import Thrown
from replays.corrections.which_entry import meant
from replays.sessions import permissions
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.permissions import GM
from replays.sessions.writer import ANYWHERE


class Previews(Reading):
    """A session's log, and what corrections of it would come to.

    Args:
        log: The session's.
    """

    def __init__(self, log: Log) -> None:
        super().__init__(log)
        self._unwritten = Drafting(log, None)

    @consistently
    def preview(
        self, entry: int | str, change: Change, *, why: str = "", by: Who = GM, consent: bool = False
    ) -> Report:
        """What an amendment would come to; nothing is written, and no die is drawn.

        Arguments and refusals are those of `amend`, and one more.

        Raises:
            DrawsNothing: Dice would have to be drawn for a step that is inserted.
        """
        command = self._meant(entry, change, why, by)
        check_open(self.combat)
        return self._reported(command, change, by, consent=consent)

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
        codec.check_command(by, command)
        permissions.check(self.combat, by, command)
        check_open(self.combat)
        return Thrown(self.log, self._unwritten).preview(command, by)

    @consistently
    def whatif(self, entry: int | str, change: Change, *, by: Who = GM) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record.

        It is answered also where the session is closed. Refusals are those of `preview`.
        """
        command = self._meant(entry, change, "what if", by)
        return msgspec.structs.replace(self._reported(command, change, by, consent=True), kind="what if")

    def _meant(self, entry: int | str, change: Change, why: str, by: Who) -> Amend:
        """The amendment that is asked about."""
        change = checked(change)
        permissions.check(self.combat, by, Amend(ANYWHERE, {}, why))
        command = Amend(meant(self.log, entry), plain(change), why)
        codec.check_command(by, command)
        return command

    def _reported(self, command: Amend, change: Change, by: Who, *, consent: bool) -> Report:
        return Amending(self.log, self._unwritten).correction(command, checked(change), by, consent=consent).report
