"""Parses the corrected dice of a roll, as people read them: faces, ``4h2`` (hits, ones), a total."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ledger.commands import TellDice
from ledger.dice import parse
from ledger.entry import Entry
from ledger.errors import NoSuchEntry
from ledger.events import DiceRolled, DiceTold
from machines.contract.dice_reading import summary_of
from projections.rolls import TOTAL
from replays.corrections.change import Change
from replays.table.at_table import TableContext
from replays.table.correcting.typed_correction import TypedCorrection, check_allowed, entry_meant
from replays.table.language.dice_words import forms, is_faces, numbers, thrown
from replays.table.language.grammar import NotUnderstood, unquoted
from replays.table.language.questions import OpenRoll

_DIGITS = 20
"""More digits than a face of a die can have."""
_MOST_ROLLS = 6
"""How many of the latest rolls a refusal names."""
_FEW = 3
"""The most dice whose sum people read as one number."""


def with_faces(table: TableContext, named: str, text: str, why: str) -> TypedCorrection:
    """Returns the correction of a roll's faces, or of the counts in their place.

    Args:
        table: The table.
        named: The entry of the roll, or its key.
        text: The dice as people read them: faces, ``4h2``, a total.
        why: The reason; may be empty.

    Raises:
        NotUnderstood: The entry is not a roll, or the text is not what its dice show.
        Ambiguous: A number reads several ways.
        Refused: There is no such entry.
    """
    check_allowed(table)
    try:
        seq = entry_meant(table, named)
    except NoSuchEntry as refused:
        raise _like_a_face(table, named, refused.message) or refused from refused
    entry = table.session.log.entry(seq)
    event = next(_thrown(entry), None)
    if event is None:
        problem = f"entry {seq} is not a roll"
        rolls = (f"{each_seq} ({each.key})" for each_seq, each in _rolls(table))
        accepts = ", ".join(islice(rolls, _MOST_ROLLS)) or "a roll first"
        raise _like_a_face(table, named, problem) or NotUnderstood(problem, where="entry", accepts=accepts)
    return TypedCorrection(
        str(seq), _of_dice(_as_asked(table, entry, event), text.strip(), event), unquoted(why.strip())
    )


def _rolls(table: TableContext) -> Iterator[tuple[int, DiceRolled | DiceTold]]:
    """Yields the rolls that stand with their entries, the latest first."""
    return ((entry.seq, each) for entry in table.session.log.newest_first() for each in islice(_thrown(entry), 1))


def _like_a_face(table: TableContext, named: str, problem: str) -> NotUnderstood | None:
    """Returns the refusal of a number that is no roll, but is what the dice of a roll show; None for another one."""
    shown = [seq for seq, each in _rolls(table) if isinstance(each, DiceRolled) and _are(each.faces, named)]
    if not shown:
        return None
    accepts = ", ".join(f"{seq} was …" for seq in shown[:_MOST_ROLLS])
    return NotUnderstood(f"{problem}; entry {shown[0]} shows {named}", where="entry", accepts=accepts)


def _are(faces: Sequence[int], text: str) -> bool:
    """Returns whether a text is the face of a single die, or the sum of a few."""
    return text.isdecimal() and len(text) < _DIGITS and len(faces) <= _FEW and int(text) == sum(faces)


def _of_dice(roll: OpenRoll, text: str, event: DiceRolled | DiceTold) -> Change:
    """Returns the change of a roll to the dice that a text describes."""
    if isinstance(event, DiceRolled) and is_faces(text) and TOTAL not in roll.counts:
        return Change(set={"faces": numbers(text, parse(roll.dice).sides)})
    right = thrown(roll, text)
    if right is None:
        raise NotUnderstood(f"{text!r} is not what these dice show", where="dice", accepts=forms(roll))
    return Change(dice={event.key: right.counts if isinstance(right, TellDice) else right.faces})


def _as_asked(table: TableContext, entry: Entry, event: DiceRolled | DiceTold) -> OpenRoll:
    """Returns the roll that an entry answered, as it was open."""
    before = table.session.log.state(entry.after)
    rest = next(rest for rest in before.path.asked if rest.key == event.key)
    counts = tuple(each.name for each in summary_of(rest.dice, table.game.reading(before, rest.key)))
    return OpenRoll(rest.key, rest.key, rest.by, rest.by, rest.purpose, rest.dice, None, counts=counts)


def _thrown(entry: Entry) -> Iterator[DiceRolled | DiceTold]:
    yield from (event for event in entry.events if isinstance(event, DiceRolled | DiceTold))
