"""The sheets that a line can name: those of the game, shipped fights, and files of this machine."""

import os

from machines.contract.documents.nearest import did_you_mean
from machines.contract.ruleset import Ruleset
from replays.scripts.format import Player, examples
from replays.scripts.sheet_files import NoSuchSheet, id_of_name, read_combatants, read_file
from replays.table.language.grammar import one_of, plain

MOST = 50
"""Maximum number of combatants with the same sheet that can be added at once."""


class KnownSheets:
    """The sheets that a line can name.

    Args:
        game: The ruleset.
        files: Whether files of this machine can be named, too: not for a person on another machine.
    """

    def __init__(self, game: Ruleset, *, files: bool = True) -> None:
        self.game = game
        self._files = files

    def found(self, what: str) -> dict[str, Player]:
        """Returns the combatants of a sheet, a file or an example, by id.

        Raises:
            NoSuchSheet: There is no such sheet and no such file.
            BadFile: The file has no combatant, or combatants of another ruleset.
        """
        shipped = self._shipped(what)
        if shipped is not None:
            return {id_of_name(shipped): Player(sheet=dict(self.game.sheets[shipped]))}
        fight = examples().get(what)
        if fight is None or self._is_file(what):
            return self._of_file(what)
        return read_combatants(self.game, fight.read_bytes(), fight.name)

    def is_known(self, what: str) -> bool:
        """Returns whether a word names a sheet, a file or an example."""
        return self._shipped(what) is not None or self._exists(os.path.expanduser(what)) or what in examples()

    def _shipped(self, what: str) -> str | None:
        exact = [name for name in self.game.sheets if plain(name) == plain(what)]
        return exact[0] if exact else None if self._exists(what) else one_of(what, self.game.sheets)

    def _exists(self, path: str) -> bool:
        return self._files and os.path.exists(path)

    def _is_file(self, path: str) -> bool:
        return self._files and os.path.isfile(os.path.expanduser(path))

    def _of_file(self, what: str) -> dict[str, Player]:
        sheet, colon, count = what.rpartition(":")
        if colon and self._shipped(sheet) is not None:
            raise NoSuchSheet(f"{count!r} is not a number of combatants", where="add", accepts=f"1 to {MOST}")
        if not self._files:
            message = f"there is no sheet {what!r}{did_you_mean(what, self.game.sheets)}"
            raise NoSuchSheet(message, where="add", accepts=", ".join(self.game.sheets))
        try:
            raw, file = read_file(what)
        except NoSuchSheet as error:
            message = f"there is no sheet or file {what!r}{did_you_mean(what, self.game.sheets)}"
            raise NoSuchSheet(message, where="add", accepts=", ".join([*self.game.sheets, "a file.toml"])) from error
        return read_combatants(self.game, raw, file)
