"""Refuses an amendment that leaves everything as it is."""

from collections.abc import Sequence

import msgspec

from ledger.commands import Command
from replays.corrections.change import BadChange, Change, changed
from replays.corrections.misread_dice import Misread
from replays.corrections.recorded_answers import ROLLS


def check_changed(command: Command, change: Change, rolls: Sequence[Misread]) -> None:
    """Refuses a change to the values, and the dice, that are recorded already.

    Args:
        command: What is corrected, as it was recorded.
        change: What is said to be right.
        rolls: Each roll whose dice are said to be others, with those that lie and those that are right.

    Raises:
        BadChange: Nothing is changed.
    """
    if change.drop or change.insert or any(tuple(roll.before) != tuple(roll.after) for roll in rolls):
        return
    fields = {path: value for path, value in change.set.items() if not (isinstance(command, ROLLS) and path == "faces")}
    right = changed(command, Change(set=fields))
    if _written(right) == _written(command):
        raise BadChange("nothing is changed", where="change", accepts="a value, or dice, that are not recorded already")


def _written(command: Command) -> bytes:
    return msgspec.json.encode(command, order="sorted")
