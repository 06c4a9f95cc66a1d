"""Finds the entry that a number, key or shorthand names; rejects ambiguous ones."""

import re
from collections.abc import Iterator

from ledger.events import Chosen, Declared, DiceRolled, DiceTold
from ledger.key import is_meant
from machines.contract.refusals import NoSuchRoll
from replays.corrections.change import BadChange
from replays.corrections.recorded_answers import overruled_entry
from replays.sessions.hidden_names import Names
from replays.sessions.log import Log
from replays.sessions.lookup import entry_of_roll, is_of_no_dice, is_the_roll

_DIGITS = 20
"""A limit on digits: no entry has so large a number, and Python does not parse thousands of digits."""
_SHOWN = 8
"""How many candidates a refusal lists."""
_COUNTS = r"^(?:c\d+)?r\d+/|(?<=/)a\d+/|/\d+$"
"""The parts of a key that only count: the round, the nth action, the nth roll."""

Candidate = tuple[str, int]
"""A key that a shorthand fits, and the entry that has it."""


def dropped_entry_number(log: Log, entry: int | str) -> int:
    """Returns the number of the entry to drop, as `entry_number` finds it.

    A key means the roll under it, even where an overrule stands in its place. An overrule is named by its number.
    """
    seq = entry_number(log, entry)
    is_number = isinstance(entry, int) or entry.isdecimal()
    return seq if is_number else overruled_entry(log.entry(seq), log.entry).seq


def entry_number(log: Log, entry: int | str) -> int:
    """Returns the number of an entry, which is given by that number or by the key of its declaration or roll.

    ``WHO/roll`` means the latest roll of that kind by that combatant, as everywhere. Of several declarations of one
    kind by one combatant the latest is meant. A shorthand that names a declaration and a roll, such as ``bob/cast``,
    means the declaration. A combatant's id alone is refused where that combatant has declared or rolled more than
    once, and so is a shorthand that fits several combatants or kinds.

    Raises:
        NoSuchEntry: There is no entry of that number.
        NoSuchRoll: No roll or declaration stands under that key.
        BadChange: It is neither a number nor a key, or it is ambiguous.
    """
    if isinstance(entry, bool) or not isinstance(entry, int | str):
        raise BadChange(f"{type(entry).__name__} names no entry", where="entry", accepts="a number, or a key")
    if isinstance(entry, int) or (entry.isascii() and entry.isdecimal() and len(entry) < _DIGITS):
        log.check(int(entry))
        return int(entry)
    entry = Names(log.combat).key(entry)
    declared = list(_fitting_declarations(log, entry))
    if not declared and entry.partition("/")[0] in log.combat.roster:
        return (
            entry_of_roll(log, entry)[1].seq
            if "/" in entry
            else _entry_of_only(log, entry, list(_fitting_rolls(log, entry)))
        )
    return _entry_of_only(log, entry, declared or list(_fitting_rolls(log, entry)))


def _fitting_declarations(log: Log, short: str) -> Iterator[Candidate]:
    """Yields the declarations that a shorthand fits, and the choice with that key, latest first."""
    for one in log.newest_first():
        for event in one.events:
            if isinstance(event, Declared) and is_meant(short, event.key, event.by):
                yield event.key, one.seq
            if isinstance(event, Chosen) and short == event.key:
                yield event.key, one.seq


def _fitting_rolls(log: Log, short: str) -> Iterator[Candidate]:
    """Yields the rolls that a shorthand fits, latest first."""
    for one in log.newest_first():
        for event in reversed(one.events):
            key = event.key if isinstance(event, DiceRolled | DiceTold) or is_of_no_dice(event) else ""
            if key and is_the_roll(log, one, short, key):
                yield key, one.seq


def _entry_of_only(log: Log, short: str, fitting: list[Candidate]) -> int:
    """Returns the entry of the first candidate; rejects ambiguous candidates."""
    if not fitting:
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts="a roll on record, such as kade/to-hit")
    entries = dict(reversed(fitting))
    if short not in entries and len(entries) > 1:
        kinds = {re.sub(_COUNTS, "", key) for key in entries}
        if short in log.combat.roster or len(kinds) > 1:
            shown = [f"{seq} ({key})" for key, seq in sorted(entries.items(), key=lambda each: -each[1])]
            accepts = ", ".join(shown[:_SHOWN]) + (" …" if shown[_SHOWN:] else "")
            raise BadChange(f"{short!r} may be {len(entries)} entries", where="entry", accepts=accepts)
    return fitting[0][1]
