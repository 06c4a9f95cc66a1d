"""The table of a person who is elsewhere: it keeps up with other pages, and goes on after the lines of others."""

from collections.abc import Sequence

from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Rewind, TellDice, TypeDice
from ledger.entry import Entry, Who
from replays.api.session import Session
from replays.table import settings
from replays.table.playing_on import drawn_on
from replays.table.table import Table

_PLAYED = (BeginCombat, Choose, Declare, DrawDice, TellDice, TypeDice)
"""Commands with which a fight goes on."""


class RemoteTable(Table):
    """The table of a person who is elsewhere.

    Args:
        session: The session.
        who: The person, with the seat.
    """

    def __init__(self, session: Session, who: Who) -> None:
        super().__init__(session, who, files=False)
        self._known = session.log.last
        """The last entry whose settings are known."""

    @property
    def asks_for_all(self) -> bool:
        """Whether the settings ask for each roll, and for each choice that matters."""
        return (self.dice, self.defaults) in settings.ASKING

    def keep_up(self) -> None:
        """Takes settings that this person has changed elsewhere since."""
        if settings.has_changed(self.session.log, self.who, self._known):
            self.dice, self.defaults = settings.kept(self.session.log, self.who)
        self._known = self.session.log.last

    def heard(self, line: Sequence[Entry]) -> None:
        """Pauses after an undo, and ends the pause when the fight goes on.

        Args:
            line: The entries that a line of any person wrote.
        """
        if any(isinstance(entry.command, Rewind) for entry in line):
            self.is_paused = True
        elif any(isinstance(entry.command, _PLAYED) for entry in line):
            self.is_paused = False

    def go_on(self) -> None:
        """Draws and passes what the settings do not ask for, unless this is paused."""
        if not self.is_paused:
            self.is_paused = bool(drawn_on(self))
