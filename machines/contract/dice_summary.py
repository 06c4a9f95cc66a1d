"""Checks counts that a person gives in place of the faces of a roll: four hits and two ones, a total of eleven."""

from collections.abc import Iterator, Mapping, Sequence

from ledger.dice import highest, lowest, parse
from machines.contract.dice_reading import Count, DiceReading
from machines.contract.refusals import CountNeeded, FacesNeeded, ImpossibleCount
from projections.rolls import TOTAL


def summary_of(notation: str, reading: DiceReading) -> tuple[Count, ...]:
    """Returns the counts that suffice in place of the faces of a roll; none for a single die whose sum is read.

    Args:
        notation: The dice.
        reading: What is read of them.
    """
    is_one_die = len(parse(notation).sides) == 1
    return () if is_one_die and any(each.name == TOTAL for each in reading.summary) else reading.summary


def check_counts(notation: str, reading: DiceReading, counts: Mapping[str, int]) -> None:
    """Checks that counts suffice for a roll, and that its dice can show them.

    Args:
        notation: The dice.
        reading: What is read of them.
        counts: The counts by name.

    Raises:
        FacesNeeded: The rules read the faces.
        CountNeeded: A count is missing that the rules read.
        ImpossibleCount: There is no such count, or the dice cannot show it.
    """
    known = {each.name: each for each in summary_of(notation, reading)}
    if not known:
        raise FacesNeeded(f"the rules read the faces of this {notation}", where="counts", accepts="its faces")
    names = ", ".join(known)
    for name in counts:
        if name not in known:
            raise ImpossibleCount(f"{name!r} is not counted on this {notation}", where=f"counts.{name}", accepts=names)
    for name, each in known.items():
        if each.is_needed and name not in counts:
            raise CountNeeded(f"the {name} of this {notation} are needed", where=f"counts.{name}", accepts=names)
    sides = parse(notation).sides
    _check_numbers(sides, [(known[name], count) for name, count in counts.items() if name != TOTAL])
    if TOTAL in counts:
        _check_total(notation, sides, counts, known)


def _check_numbers(sides: Sequence[int], given: Sequence[tuple[Count, int]]) -> None:
    """Rejects counts that no throw has: those of faces within others, and of different faces beside each other."""
    shown = [(each.faces(sides[0]), n) for each, n in given]
    outer = [(faces, n) for faces, n in shown if not any(faces < others for others, _ in shown)]
    for each, count in given:
        faces = each.faces(sides[0])
        within = [n for others, n in shown if others < faces]
        beside = [n for others, n in outer if not others & faces]
        least, most = max(within, default=0), len(sides) - sum(beside)
        if not least <= count <= most:
            problem = f"{len(sides)} dice cannot show {count} {each.name}" + (" beside the others" if beside else "")
            raise ImpossibleCount(problem, where=f"counts.{each.name}", accepts=f"{least} to {max(least, most)}")


def _check_total(notation: str, sides: Sequence[int], counts: Mapping[str, int], known: Mapping[str, Count]) -> None:
    """Rejects a total that no throw with these counts has."""
    ranges = [(lowest(each), highest(each)) for each in sides]
    low, high = sum(least for least, _ in ranges), sum(most for _, most in ranges)
    for name, count in counts.items():
        shown = known[name].faces(sides[0])
        if shown:
            others = [face for face in range(lowest(sides[0]), highest(sides[0]) + 1) if face not in shown]
            low = max(low, count * min(shown) + (len(sides) - count) * min(others))
            high = min(high, count * max(shown) + (len(sides) - count) * max(others))
    if not low <= counts[TOTAL] <= high:
        problem = f"the dice of {notation} cannot show a total of {counts[TOTAL]}"
        raise ImpossibleCount(problem, where=f"counts.{TOTAL}", accepts=f"{low} to {high}")


def counts_in_words(counts: Mapping[str, int], dice: str = "") -> str:
    """Returns counts of dice in words.

    Args:
        counts: The counts by name.
        dice: The dice; empty if they are not known.

    >>> counts_in_words({"hits": 4, "ones": 1}, "12d6"), counts_in_words({"total": 11}, "3d6")
    ('4 hits and 1 one of 12 dice', 'a total of 11 on 3d6')
    """
    if TOTAL in counts:
        parts = [f"a total of {counts[TOTAL]}", *_named({name: n for name, n in counts.items() if name != TOTAL})]
        return " and ".join(parts) + (f" on {dice}" if dice else "")
    many = len(parse(dice).sides) if dice else 0
    of = (f" of {many} dice" if many != 1 else " of 1 die") if dice else ""
    return " and ".join(_named(counts)) + of


def _named(counts: Mapping[str, int]) -> Iterator[str]:
    for name, count in counts.items():
        singular = name[:-2] if name.endswith("xes") else name.removesuffix("s")
        yield f"{count} {singular if count == 1 else name}"
