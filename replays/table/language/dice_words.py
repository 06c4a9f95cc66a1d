"""Parses thrown dice as people read them: faces, a run of digits, hits and ones, a total.

Counts are named by the first letters of their names: ``4h`` are four hits, ``4h2`` four hits and two of what is
counted next, ``4h 2o 1s`` names all three, ``h4`` is ``4h``. A bare number for a pool is its first count. A number for
several dice of which the sum is read may be their total.
"""

import re
from collections.abc import Iterator, Sequence

from ledger import dice
from ledger.commands import TellDice, TypeDice
from ledger.errors import Refused
from machines.contract.refusals import ImpossibleCount
from projections.rolls import TOTAL
from replays.table.language.grammar import Ambiguous
from replays.table.language.questions import OpenRoll

Answer = TypeDice | TellDice
_FACES = r"[0-9]{1,60}(?:[\s,]+[0-9]{1,60})*,?"
_PART = r"[0-9]+|[a-z]+|[^0-9a-z\s,]"
_SUM = r"([0-9]{1,9})\s+(on the dice|in all)"
_LONGEST = 60
THROWN = (
    r"[0-9]+\s+(?:on the dice|in all)(?!\w)|[0-9]+[a-zA-Z][0-9a-zA-Z]*(?:\s+[0-9]+[a-zA-Z][0-9a-zA-Z]*)*|[0-9][0-9\s,]*"
)
"""A pattern of thrown dice that begin with a number, to find them within a line."""
ON_THE_DICE, IN_ALL = "on the dice", "in all"


def is_faces(text: str) -> bool:
    """Returns whether a text lists faces."""
    return re.fullmatch(_FACES, text) is not None


def numbers(text: str, sides: Sequence[int]) -> list[int]:
    """Returns the faces that a text lists; one word of digits may list a face of each of several dice: ``3615``."""
    if text.isdecimal() and len(text) == len(sides) > 1 and "0" not in text and max(sides) < 100:
        return [int(digit) for digit in text]
    return [int(face) for face in re.findall("[0-9]+", text)]


def thrown(roll: OpenRoll, text: str) -> Answer | None:
    """Returns the answer to a roll that a text means; None if it is neither faces nor counts of that roll.

    Args:
        roll: The open roll.
        text: Such as ``3 4 5``, ``345``, ``4h2``, ``11``, ``11 in all``.

    Raises:
        Ambiguous: A number may be faces, what the dice show, or what it is with the addition of the roll.
        Refused: The dice cannot show it.
    """
    if is_faces(text):
        return _meant(roll, text.strip())
    counts = _of_sum(roll, text) or counts_in(text, roll.counts)
    return None if counts is None else TellDice(roll.key, counts)


def counts_in(text: str, names: Sequence[str]) -> dict[str, int] | None:
    """Returns the counts of a text by name; None if it names none.

    Args:
        text: Such as ``4h2``.
        names: The counts of the roll; a number without a name is the first of them that is not named.

    >>> counts_in("4h2", ("hits", "ones", "sixes")), counts_in("h4", ("hits", "ones")), counts_in("4x", ("hits",))
    ({'hits': 4, 'ones': 2}, {'hits': 4}, None)
    """
    pairs = _pairs(text.strip().lower())
    named = {name: number for number, word in pairs if word and (name := _named(word, names))}
    bare = [number for number, word in pairs if not word]
    left = [name for name in names if name not in named]
    if not named or len(named) + len(bare) < len(pairs) or len(bare) > len(left):
        return None
    return named | dict(zip(left, bare, strict=False))


def _pairs(text: str) -> list[tuple[int, str]]:
    """Returns the numbers of a text, each with its word, which may be empty; nothing if there is anything else.

    Words come after their numbers, or before them if the text begins with a word.
    """
    parts = re.findall(_PART, text) if len(text) <= _LONGEST else []
    is_named_before = text[:1].isalpha()
    pairs: list[tuple[int, str]] = []
    for part in reversed(parts) if is_named_before else parts:
        if part.isdecimal():
            pairs.append((int(part), ""))
        elif part.isalpha() and pairs and not pairs[-1][1]:
            pairs[-1] = pairs[-1][0], part
        else:
            return []
    return pairs[::-1] if is_named_before else pairs


def _named(word: str, names: Sequence[str]) -> str:
    """Returns the count that a word means, by its beginning; empty if none or several."""
    fitting = [name for name in names if name.startswith(word)]
    return fitting[0] if len(fitting) == 1 else ""


# ------------------------------------------------------------------------------------------------ totals


def _of_sum(roll: OpenRoll, text: str) -> dict[str, int] | None:
    """Returns the total of ``11 on the dice`` or ``16 in all``."""
    found = re.fullmatch(_SUM, text.strip().lower())
    if found is None or TOTAL not in roll.counts:
        return None
    return {TOTAL: int(found[1]) - (dice.parse(roll.dice).add if found[2] == IN_ALL else 0)}


def _meant(roll: OpenRoll, text: str) -> Answer:
    """Returns the one meaning of numbers.

    Raises:
        Ambiguous: They have several.
        Refused: The dice cannot show any.
    """
    sums = list(_sums(roll, int(text))) if text.isdecimal() and len(text) < 10 else []
    faces = numbers(text, dice.parse(roll.missing).sides)
    if not sums:
        _check_total(roll, faces)
        return _first_count(roll, text) or typed(roll, faces)
    try:
        shown: list[str] = [" ".join(map(str, typed(roll, faces).faces))]
    except Refused:
        shown = []
    candidates = [*shown, *sums]
    if len(candidates) > 1:
        raise Ambiguous(text, candidates, "dice")
    return TellDice(roll.key, _of_sum(roll, candidates[0]) or {})


def _first_count(roll: OpenRoll, text: str) -> TellDice | None:
    """Returns a bare number as the first count of a pool: ``4`` are four hits; None if it may be faces, or no pool is.

    A run of as many digits as there are dice lists their faces.
    """
    most = len(dice.parse(roll.missing).sides)
    is_pool = most > 1 and bool(roll.counts) and TOTAL not in roll.counts
    is_count = text.isdecimal() and len(text) < min(most, _LONGEST) and int(text) <= most
    return TellDice(roll.key, {roll.counts[0]: int(text)}) if is_pool and is_count else None


def _check_total(roll: OpenRoll, faces: Sequence[int]) -> None:
    """Refuses one number for several dice whose sum is read: their sum is never so low or so high.

    Raises:
        ImpossibleCount: It is such a number.
    """
    sides = dice.parse(roll.dice).sides
    if len(faces) == 1 < len(sides) and TOTAL in roll.counts and not roll.known_count:
        low, high = sum(map(dice.lowest, sides)), sum(map(dice.highest, sides))
        problem = f"{roll.dice} cannot be {faces[0]} in all"
        raise ImpossibleCount(problem, where="dice", accepts=f"a total of {low} to {high}, or {len(sides)} faces")


def _sums(roll: OpenRoll, number: int) -> Iterator[str]:
    """Yields the sums that a number may be, as they could be typed."""
    parsed = dice.parse(roll.dice)
    if TOTAL not in roll.counts or len(parsed.sides) < 2:
        return
    low, high = sum(map(dice.lowest, parsed.sides)), sum(map(dice.highest, parsed.sides))
    if low <= number <= high:
        yield f"{number} {ON_THE_DICE}"
    if parsed.add and parsed.divide == 1 and low <= number - parsed.add <= high:
        yield f"{number} {IN_ALL}"


def typed(roll: OpenRoll, faces: Sequence[int]) -> TypeDice:
    """Returns the command that answers a roll with faces, of all its dice or of those that are missing.

    Raises:
        Refused: The dice cannot show these faces.
    """
    whole = len(faces) == len(dice.parse(roll.dice).sides)
    return TypeDice(roll.key, dice.check(roll.dice if whole else roll.missing, faces))


def forms(roll: OpenRoll) -> str:
    """Returns what may be typed for a roll."""
    counts = [name for name in roll.counts if name != TOTAL]
    words = [f"the faces of {roll.missing}"]
    if TOTAL in roll.counts:
        words.append("their total")
    if counts and TOTAL not in roll.counts:
        letter = counts[0][0]
        words.append(f"4{letter} ({counts[0]})" + (f", 4{letter}2 ({counts[0]}, {counts[1]})" if counts[1:] else ""))
    return ", ".join(words)
