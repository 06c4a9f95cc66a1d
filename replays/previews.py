"""What corrections of a session would come to; nothing here is ever written."""

import msgspec

from ledger import codec
from ledger.commands import Amend, ApplyModifier, Overrule
from ledger.entry import Who
from replays import seats
from replays.amending import Amending
from replays.changes import Change, checked, plain
from replays.consistency import consistently
from replays.doors import Drawer
from replays.drafting import Drafting
from replays.flips import Report, RollReport
from replays.log import Log
from replays.reading import Reading
from replays.seats import GM
from replays.thrown import Thrown
from replays.which_entry import meant
from replays.writing import ANYWHERE


class Previews(Reading):
    """A session's log, and what corrections of it would come to.

    Args:
        log: The session's.
        draw: Throws dice for `DrawDice`, where the session has committed to no seed.
    """

    def __init__(self, log: Log, draw: Drawer) -> None:
        super().__init__(log)
        self._drafting = Drafting(log, draw)
        self._amending = Amending(log, self._drafting)
        self._thrown = Thrown(log, self._drafting)

    @consistently
    def preview(
        self, entry: int | str, change: Change, *, why: str = "", by: Who = GM, consent: bool = False
    ) -> Report:
        """What an amendment would come to; nothing is written. Arguments and refusals are those of `amend`."""
        change = checked(change)
        seats.check(self.combat, by, Amend(ANYWHERE, {}, why))
        command = Amend(meant(self.log, entry), plain(change), why)
        codec.check_command(by, command)
        return self._amending.correction(command, change, by, consent=consent).report

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
        """
        codec.check_command(by, command)
        return self._thrown.preview(command, by)

    def whatif(self, entry: int | str, change: Change, *, by: Who = GM) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record."""
        report = self.preview(entry, change, why="what if", by=by, consent=True)
        return msgspec.structs.replace(report, kind="what if")
