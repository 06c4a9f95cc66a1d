"""Finds the entry that a number, a key or a shorthand names; refuses where several may be meant."""

import re
from collections.abc import Iterator

from ledger.events import Chosen, Declared, DiceRolled
from ledger.key import is_meant
from machines.contract.refusals import NoSuchRoll
from replays.corrections.change import BadChange
from replays.corrections.recorded_answers import overruled
from replays.sessions.hidden_names import Names
from replays.sessions.log import Log
from replays.sessions.lookup import entry_of_roll, is_of_no_dice, is_the_roll

_DIGITS = 20
"""No entry's number has so many; nor does Python read thousands of them."""
_SHOWN = 8
"""So many candidates are named."""
_COUNTS = re.compile(r"^(?:c\d+)?r\d+/|(?<=/)a\d+/|/\d+$")
"""What in a key only counts: the round, which of several actions, which of several rolls."""

Fit = tuple[str, int]
"""A key that a shorthand fits, and the entry it stands in."""


def dropped(log: Log, entry: int | str) -> int:
    """Returns the entry that is meant to have never happened, as `meant` finds it.

    A key means the roll under it, even where the gamemaster's word on a figure of it stands in its place; the number
    of such a word's entry means the word.
    """
    seq = meant(log, entry)
    is_number = isinstance(entry, int) or entry.isdecimal()
    return seq if is_number else overruled(log.entry(seq), log.entry).seq


def meant(log: Log, entry: int | str) -> int:
    """Returns the entry that is meant: by its number, or as the one that declared or rolled under a key.

    ``WHO/roll`` means the latest roll of that kind of theirs, as everywhere; of one person's declarations of one kind
    the latest is meant. An id alone says less: it is refused where its combatant has declared, or rolled, more than
    once; so is what may be of different people or kinds.

    Raises:
        NoSuchEntry: There is none of that number.
        NoSuchRoll: Nothing stands under that key.
        BadChange: It is neither, or may be several.
    """
    if isinstance(entry, bool) or not isinstance(entry, int | str):
        raise BadChange(f"{type(entry).__name__} names no entry", where="entry", accepts="a number, or a key")
    if isinstance(entry, int) or (entry.isascii() and entry.isdecimal() and len(entry) < _DIGITS):
        log.check(int(entry))
        return int(entry)
    entry = Names(log.combat).key(entry)
    declared = list(_declared(log, entry))
    if not declared and entry.partition("/")[0] in log.combat.roster:
        return entry_of_roll(log, entry)[1].seq if "/" in entry else _only(log, entry, list(_rolled(log, entry)))
    return _only(log, entry, declared or list(_rolled(log, entry)))


def _declared(log: Log, short: str) -> Iterator[Fit]:
    """The declarations that a shorthand fits, and the choice that it is the key of, latest first."""
    for one in log.upwards():
        for event in one.events:
            if isinstance(event, Declared) and is_meant(short, event.key, event.by):
                yield event.key, one.seq
            if isinstance(event, Chosen) and short == event.key:
                yield event.key, one.seq


def _rolled(log: Log, short: str) -> Iterator[Fit]:
    """The rolls that a shorthand fits, latest first."""
    for one in log.upwards():
        for event in reversed(one.events):
            key = event.key if isinstance(event, DiceRolled) or is_of_no_dice(event) else ""
            if key and is_the_roll(log, one, short, key):
                yield key, one.seq


def _only(log: Log, short: str, fitting: list[Fit]) -> int:
    """The entry of the first that fits, unless others may be meant as well."""
    if not fitting:
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts="a key that `affray log --json` shows")
    entries = dict(reversed(fitting))
    if short not in entries and len(entries) > 1:
        kinds = {_COUNTS.sub("", key) for key in entries}
        if short in log.combat.roster or len(kinds) > 1:
            shown = [f"{seq} ({key})" for key, seq in sorted(entries.items(), key=lambda each: -each[1])]
            accepts = ", ".join(shown[:_SHOWN]) + (" …" if shown[_SHOWN:] else "")
            raise BadChange(f"{short!r} may be {len(entries)} entries", where="entry", accepts=accepts)
    return fitting[0][1]
