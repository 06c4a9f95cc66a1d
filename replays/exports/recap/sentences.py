"""Writes a recap as plain sentences in sections, for any output that shows text."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from replays.exports.recap.model import (
    CombatantSwing,
    Drop,
    FightTime,
    HarmSwing,
    Measured,
    Recap,
    RecapCorrection,
    TurningPoint,
)
from replays.odds.luck import Faces, Luck, Successes

_PERCENT = 100
_SHOWN = Fraction(1, 20)
"""The smallest swing of a combatant that is put in words, and the smallest chance of an escape."""


class RecapLine(msgspec.Struct, frozen=True):
    """A sentence or some, with the entry that they are about."""

    text: str
    entry: int = 0
    """0 where they are about no single entry."""


class RecapSection(msgspec.Struct, frozen=True):
    """A part of a recap."""

    title: str
    lines: tuple[RecapLine, ...]
    note: str = ""
    """What the figures mean."""


def lead(recap: Recap) -> str:
    """Returns the first sentences: how long the fight took, and who is still up."""
    rounds = "No round has begun." if not recap.rounds else f"{_count(recap.rounds, 'round')}"
    if recap.rounds:
        rounds += ", and the fight goes on." if recap.fighting else "."
    up = f" Still up: {_listed(recap.standing)}." if recap.standing else ""
    down = f" Down: {_listed(recap.down)}." if recap.down else ""
    return rounds + up + down


def sections(recap: Recap) -> Iterator[RecapSection]:
    """Yields the sections of a recap that have something to show."""
    several = _has_several_fights(recap)
    parts = (
        RecapSection("Who went down", tuple(_drop(each, several) for each in recap.drops)),
        RecapSection(
            "Turning points",
            tuple(_turning_point(each, several) for each in recap.turning_points),
            _note(recap.measured),
        ),
        RecapSection("Dice and luck", tuple(_luck(recap.luck))),
        RecapSection("Corrections", tuple(_correction(each, several) for each in recap.corrections)),
    )
    return (part for part in parts if part.lines)


def text_lines(recap: Recap) -> Iterator[str]:
    """Yields a recap as lines of text, without markup."""
    yield lead(recap)
    for part in sections(recap):
        yield part.title
        for line in part.lines:
            yield f"  {line.text}" + (f" [{line.entry}]" if line.entry else "")


def _has_several_fights(recap: Recap) -> bool:
    times = [each.when for each in recap.drops]
    times += [each.when for each in recap.turning_points] + [each.when for each in recap.corrections]
    return len({when.combat for when in times}) > 1


def _when(when: FightTime, several: bool) -> str:
    if not when.round:
        return "Before the fight"
    return f"Combat {when.combat}, round {when.round}" if several else f"Round {when.round}"


# ------------------------------------------------------------------------------------------------ drops


def _drop(drop: Drop, several: bool) -> RecapLine:
    condition = _words(drop.condition)
    deed, name = drop.deed, drop.name
    using = f" with {deed.using}" if deed is not None and deed.using else ""
    if deed is None:
        happened = f"{name} went down: {condition}{f' ({drop.why})' if drop.why else ''}"
    elif deed.by == name:
        happened = f"{name} went down through {deed.about}{using}: {condition}"
    else:
        happened = f"{deed.by} put {name} down{using}: {condition}"
    further = "".join(
        f"; {_words(each.condition)}" + (f" with entry {each.entry}" if each.entry != drop.entry else "")
        for each in drop.further
    )
    up = f"; up again with entry {drop.up}" if drop.up else ""
    return RecapLine(f"{_when(drop.when, several)}: {happened}{further}{up}.", drop.entry)


# ------------------------------------------------------------------------------------------------ turning points


def _turning_point(point: TurningPoint, several: bool) -> RecapLine:
    using = f" with {point.deed.using}" if point.deed.using else ""
    about = "about " if point.samples else ""
    chance = f", which none of {point.samples} sampled fights had" if point.samples else ""
    if point.chance is not None:
        chance = f", a chance of {about}{percent(point.chance.chance)}"
    told = [_combatant(each, about) for each in point.combatants if each.swing >= _SHOWN]
    what = (
        f"{_when(point.when, several)}: {point.deed.by}'s {point.deed.about}{using}: {_words(point.outcome)}{chance}."
    )
    return RecapLine(" ".join([what, *told]), point.entry)


def _combatant(swing: CombatantSwing, about: str) -> str:
    parts = [_harm(each) for each in swing.harm if each.taken or each.expected >= _SHOWN * each.capacity]
    if swing.gained or swing.chance >= _SHOWN:
        escaped = "" if swing.gained else "not "
        parts.insert(0, f"{escaped}{_words(swing.condition)} ({about}{percent(swing.chance)})")
    return f"{_capital(swing.name)}: {', '.join(parts)}."


def _harm(harm: HarmSwing) -> str:
    return f"{harm.taken} {_words(harm.track)} ({_decimal(harm.expected)} expected)"


def _note(measured: Measured) -> str:
    """Returns what swings are, and which exchanges were measured."""
    every = measured.measured == measured.exchanges
    which = (
        f"all {measured.exchanges} exchanges with dice"
        if every
        else f"{measured.measured} of {measured.exchanges} exchanges with dice, those with most harm first"
    )
    return (
        "The exchanges whose results lay farthest from what was to be expected before their dice were thrown. "
        f"Measured: {which}{f', {measured.sampled} of them sampled' if measured.sampled else ''}."
    )


# ------------------------------------------------------------------------------------------------ luck


def _luck(luck: Luck | None) -> Iterator[RecapLine]:
    """Yields a line for each person: tests and faces beside their expectations."""
    if luck is None:
        return
    faces: dict[str, list[Faces]] = {}
    for each in luck.faces:
        if each.by == "person":
            faces.setdefault(each.who, []).append(each)
    tests = {each.who: each for each in luck.successes}
    for person in dict.fromkeys([*tests, *faces]):
        parts = [_successes(tests[person])] if person in tests else []
        parts += [_faces(each) for each in faces.get(person, ())]
        name = "The gamemaster" if person == "gm" else person
        yield RecapLine(f"{name}: {'; '.join(parts)}.")


def _successes(tests: Successes) -> str:
    more = tests.successes - tests.expected
    beside = "as expected"
    if abs(more) >= _SHOWN:
        beside = f"{_decimal(abs(more))} {'more' if more > 0 else 'fewer'} than expected"
    unusual = ", which is unusual" if tests.unusual else ""
    return f"{tests.successes} of {_count(tests.tests, 'test')} succeeded, {beside}{unusual}"


def _faces(faces: Faces) -> str:
    unusual = ", which is unusual" if faces.unusual else ""
    return f"{faces.dice}d{faces.sides} averaging {_decimal(faces.mean)} ({_decimal(faces.expected)} expected){unusual}"


# ------------------------------------------------------------------------------------------------ corrections


def _correction(one: RecapCorrection, several: bool) -> RecapLine:
    by = "the gamemaster" if one.by == "gm" else one.by
    changes = f"; {', '.join(one.changes)}" if one.changes else ""
    effects = f". {_capital('; '.join(one.effects))}" if one.effects else ""
    why = f' ("{one.why}")' if one.why else ""
    undone = f" Taken back with entry {one.undone}." if one.undone else ""
    head = f"{_when(one.when, several)}: {by} {one.kind} {one.about}{changes}{why}{effects}."
    return RecapLine(head + undone, one.entry)


# ------------------------------------------------------------------------------------------------ words and figures


def percent(chance: Fraction) -> str:
    """Returns a chance in percent.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 500)), percent(Fraction(499, 500))
    ('33 %', 'less than 1 %', 'more than 99 %')
    """
    if 0 < chance < Fraction(1, 2 * _PERCENT):
        return "less than 1 %"
    if Fraction(2 * _PERCENT - 1, 2 * _PERCENT) < chance < 1:
        return "more than 99 %"
    return f"{round(chance * _PERCENT)} %"


def _decimal(value: Fraction) -> str:
    return f"{float(value):.1f}".removesuffix(".0")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _listed(names: Sequence[str]) -> str:
    """Returns names as a list; with semicolons where a name has a comma."""
    if any("," in name for name in names):
        return "; ".join(names)
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
