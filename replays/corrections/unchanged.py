"""Rejects an amendment that changes nothing."""

from collections.abc import Sequence

import msgspec

from ledger.commands import Command
from replays.corrections.change import BadChange, Change, changed
from replays.corrections.misread_dice import Misread
from replays.corrections.recorded_answers import ROLLS


def check_changed(command: Command, change: Change, rolls: Sequence[Misread]) -> None:
    """Rejects a change that sets only values and dice that are recorded already.

    Args:
        command: The recorded command.
        change: Its correction.
        rolls: Each roll with corrected dice, with its faces or counts before and after.

    Raises:
        BadChange: Nothing is changed.
    """
    if change.drop or change.insert or any(roll.before != roll.after for roll in rolls):
        return
    fields = {path: value for path, value in change.set.items() if not (isinstance(command, ROLLS) and path == "faces")}
    right = changed(command, Change(set=fields))
    if _written(right) == _written(command):
        raise BadChange("nothing is changed", where="change", accepts="a value or dice other than those recorded")


def _written(command: Command) -> bytes:
    return msgspec.json.encode(command, order="sorted")
