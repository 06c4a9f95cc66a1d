"""Decides fights again with other throws, or with counts, that a ruleset's rules do not distinguish, as it declares."""

from collections.abc import Iterator
from random import Random

import msgspec
from counting import counts_of

from ledger.commands import Choose, Command, Declare, DrawDice, TellDice, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Entry
from ledger.events import DiceRolled, DiceTold, Event, ReadingChanged
from machines.contract.dice_reading import DiceReading
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import fold
from replays.api.session import Session
from replays.views.frames import ReplayFrame, frames

_LATER = 12
"""How many entries are decided again after a throw."""
Faces = tuple[int, ...]


def distinguished(game: Ruleset, session: Session, random: Random) -> Iterator[tuple[str, Faces, Faces]]:
    """Yields rolls of a session that are declared alike and decided differently: key, recorded and other faces."""
    steps = list(frames(session.log))
    for place, frame in enumerate(steps):
        key, faces = _thrown(frame.entry)
        rest = next((rest for rest in frame.before.rests if rest.key == key and rest.dice), None)
        if rest is None:
            continue
        other = alike(faces, rest.dice, game.reading(frame.before, key), random)
        if other != faces and _is_distinguished(game, steps[place : place + _LATER], TypeDice(key, other)):
            yield key, faces, other


def distinguished_from_counts(game: Ruleset, session: Session) -> Iterator[tuple[str, dict[str, int]]]:
    """Yields rolls of a session that are decided otherwise if their counts are given, and the counts."""
    steps = list(frames(session.log))
    for place, frame in enumerate(steps):
        key, faces = _thrown(frame.entry)
        rest = next((rest for rest in frame.before.rests if rest.key == key and rest.dice), None)
        counts = counts_of(game, frame.before, rest.dice, key, faces) if rest is not None else {}
        if counts and _is_distinguished(game, steps[place : place + _LATER], TellDice(key, counts)):
            yield key, counts


def _thrown(entry: Entry) -> tuple[str, Faces]:
    """Returns the key and the faces of an entry that answers a roll; empty for any other."""
    if not isinstance(entry.command, TypeDice | DrawDice):
        return "", ()
    return next(((event.key, event.faces) for event in entry.events if isinstance(event, DiceRolled)), ("", ()))


def _is_distinguished(game: Ruleset, steps: list[ReplayFrame], first: TypeDice | TellDice) -> bool:
    mine = theirs = steps[0].before
    replaced: Command | None = first
    for step in steps:
        command = _command(step.entry)
        if command is None:
            break
        own, others = decide(game, mine, command), decide(game, theirs, replaced or command)
        if list(map(_without_faces, own)) != list(map(_without_faces, others)):
            return True
        mine, theirs, replaced = fold(own, mine), fold(others, theirs), None
    return False


def _command(entry: Entry) -> Command | None:
    """Returns the command that decides an entry again; None for one that no rest waits for."""
    key, faces = _thrown(entry)
    if key:
        return TypeDice(key, faces)
    return entry.command if isinstance(entry.command, Choose | Declare) else None


def _without_faces(event: Event) -> Event:
    if isinstance(event, DiceRolled | DiceTold):
        return DiceRolled(event.key, (), ("typed",), seen_by=event.seen_by)
    return msgspec.structs.replace(event, before=(), after=()) if isinstance(event, ReadingChanged) else event


def alike(faces: Faces, notation: str, reading: DiceReading, random: Random) -> Faces:
    """Returns a random throw that a reading does not distinguish from another.

    >>> alike((1, 5, 6), "3d6", DiceReading(order=False), Random(2))
    (6, 5, 1)
    """
    changed = list(faces)
    if not reading.order:
        begin = 0
        for count, _ in parse(notation).groups:
            part = changed[begin : begin + count]
            random.shuffle(part)
            changed[begin : begin + count] = part
            begin += count
    sides = parse(notation).sides
    for place, face in enumerate(changed):
        possible = range(lowest(sides[place]), highest(sides[place]) + 1)
        same = [each for alike in reading.alike if face in alike for each in alike if each in possible]
        changed[place] = random.choice(same or [face])
    return _with_the_same_sum(changed, sides, random) if reading.summed else tuple(changed)


def _with_the_same_sum(faces: list[int], sides: tuple[int, ...], random: Random) -> Faces:
    for _ in range(10 * len(faces)):
        one, other = random.randrange(len(faces)), random.randrange(len(faces))
        if one != other and faces[one] > lowest(sides[one]) and faces[other] < highest(sides[other]):
            faces[one], faces[other] = faces[one] - 1, faces[other] + 1
    return tuple(faces)
