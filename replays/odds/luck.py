"""Measures luck: compares the dice of a session with their expectation. It is a measurement, not a verdict.

* Faces are compared with their mean, separately for each kind of die: by person (who plays the roller), by die, by
  provenance. Whether high is good depends on the roll (low hits, high hurts), so nothing is concluded about that.
* Successes are compared with the sum of their exact probabilities. The probability of each test is computed by running
  the rules on all its faces from the state in which the roll was open (`replays.odds.engine`), with the dice thrown
  beside it as they fell. A success is an outcome that the game defines as one (`Ruleset.vocabulary`). What was spent on
  the roll afterwards does not count. Significance treats tests as independent; two opposed tests of one person are not.
* A roll of which only counts or a total were given has no faces to compare; its success counts as that of any other.
* Dice count once: those on the standing line. A roll that was overruled, modified or corrected stands once, with its
  dice. The number of dice that no longer stand is reported separately, because undoing bad rolls looks like luck.
* Groups of fewer than `FEWEST_DICE` dice or `FEWEST_TESTS` tests have no significance. The others are tested two-sided;
  the error rate of the whole table is one in twenty (Bonferroni), so more groups require a larger deviation.
* Secret rolls count only for viewers who may see them.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import erfc, sqrt

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.dice import highest, lowest, parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import DiceRolled, DiceTold, RollRequested, TestResolved
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.options import Unknown
from projections.combat import Combat
from replays.odds.engine.dice_space import TooMany
from replays.odds.engine.explorer import Explorer
from replays.odds.known_state import STOPPED, marked
from replays.sessions.log import Log
from replays.views.frames import ReplayFrame, frames
from replays.views.seat_log import seen_log

FEWEST_DICE = 30
FEWEST_TESTS = 20
_MISTAKES = Fraction(1, 20)
_FINE = 10_000
_BUDGET = 2_000


class NoDice(Refused):
    """No dice were thrown, or none that the viewer may see."""

    slug = "luck/no-dice"


class Faces(msgspec.Struct, frozen=True):
    """Faces of dice of one kind."""

    by: str
    """The grouping: ``person``, ``die``, ``provenance``."""
    who: str
    """The person or provenance; empty for all."""
    sides: int
    """The sides of the dice."""
    dice: int
    """The number of dice."""
    mean: Fraction
    """The mean of their faces."""
    expected: Fraction
    """The mean of fair dice."""
    z: Fraction | None
    """Standard deviations of the mean above its expectation; None for small samples."""
    p: Fraction | None
    """The probability that fair dice deviate as far, either way; None for small samples."""
    unusual: bool
    """Whether the deviation is significant despite the number of groups."""


class Successes(msgspec.Struct, frozen=True):
    """Successes of one person's tests."""

    who: str
    tests: int
    """The number of tests whose probability is known."""
    successes: int
    """How many of them succeeded."""
    expected: Fraction
    """The sum of their probabilities."""
    p: Fraction | None
    """The probability that fair dice deviate as far, either way; None for small samples."""
    unusual: bool
    """Whether the deviation is significant despite the number of groups."""


class Luck(msgspec.Struct, frozen=True):
    """The dice of a session beside their expectation."""

    dice: int
    """The number of dice that stand."""
    not_standing: int
    """Dice that were thrown and no longer stand."""
    faces: tuple[Faces, ...]
    """The faces by person, by die and by provenance."""
    successes: tuple[Successes, ...]
    """The successes of each person's tests."""
    comparisons: int
    """Groups that were large enough to be tested, over which the error rate is shared."""
    fewest_dice: int
    """The number of dice from which on a group is tested."""
    fewest_tests: int
    """The number of tests from which on a person's successes are tested."""
    unreckoned: int
    """Tests whose probability could not be computed."""


class _RolledFace(msgspec.Struct, frozen=True):
    person: str
    sides: int
    face: int
    provenance: str


class _TestChance(msgspec.Struct, frozen=True):
    person: str
    success: bool
    chance: Fraction | None


class DiceOnRecord(msgspec.Struct, frozen=True):
    """The dice and the tests of one session, as far as a viewer may see them."""

    thrown: tuple[_RolledFace, ...]
    tested: tuple[_TestChance, ...]
    not_standing: int
    """Dice that were thrown and no longer stand."""


def luck(log: Log, eyes: Viewer = EVERYTHING) -> Luck:
    """Compares the dice of a session with their expectation.

    Args:
        log: The session's log.
        eyes: The viewer.

    Raises:
        NoDice: There are no dice that the viewer may see.
    """
    return compared([dice_on_record(log, eyes)])


def dice_on_record(log: Log, eyes: Viewer = EVERYTHING) -> DiceOnRecord:
    """Returns the standing dice and tests of a session, with the probability of each test; see `luck`."""
    log = seen_log(log, eyes)
    reading = _LuckCollector(log, eyes)
    for frame in frames(log):
        reading.add(frame)
    return DiceOnRecord(tuple(reading.thrown), tuple(reading.tested), reading.not_standing())


def compared(sessions: Iterable[DiceOnRecord]) -> Luck:
    """Compares the dice of several sessions with their expectation, as if they were one session's.

    Args:
        sessions: The dice of each session; a person is the same in all of them.

    Raises:
        NoDice: There are no dice.
    """
    records = list(sessions)
    thrown = [each for record in records for each in record.thrown]
    tested = [each for record in records for each in record.tested]
    if not thrown:
        where = "this session" if len(records) == 1 else "these sessions"
        raise NoDice(f"no dice were thrown in {where}", where="session", accepts="a session with dice")
    known = [test for test in tested if test.chance is not None]
    faces = list(_groups(thrown))
    people = _by_person(known)
    large = sum(len(group) >= FEWEST_DICE for _, group in faces)
    large += sum(len(tests) >= FEWEST_TESTS for tests in people.values())
    return Luck(
        len(thrown), sum(record.not_standing for record in records), tuple(_faces(*each, large) for each in faces),
        tuple(_successes(person, tests, large) for person, tests in people.items()), large, FEWEST_DICE, FEWEST_TESTS,
        len(tested) - len(known),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ reading the log


class _LuckCollector:
    """Collects dice and tests of the standing entries."""

    def __init__(self, log: Log, eyes: Viewer) -> None:
        self.thrown: list[_RolledFace] = []
        self.tested: list[_TestChance] = []
        self._log, self._eyes = log, eyes
        self._rolls: dict[str, RollRequested] = {}
        self._open: dict[str, Combat] = {}
        """The state when the dice of an unread test were thrown, by key."""
        self._faces: dict[str, tuple[int, ...]] = {}
        self._standing: set[tuple[str, tuple[int, ...]]] = set()

    def add(self, frame: ReplayFrame) -> None:
        for event in frame.entry.events:
            match event:
                case RollRequested():
                    self._rolls[event.key] = event
                case DiceRolled() if event.faces:
                    self._dice(frame, event)
                case DiceTold() if event.key in self._rolls:
                    self._open[event.key] = frame.before
                case TestResolved() if event.key in self._open:
                    self._test(frame, event, self._open.pop(event.key))

    def _dice(self, frame: ReplayFrame, event: DiceRolled) -> None:
        self._standing.add((event.key, event.faces))
        self._faces[event.key] = event.faces
        asked = self._rolls.get(event.key)
        if asked is None:
            return
        person = _person(frame.before, asked.by)
        sides = parse(asked.dice).sides
        for face, of, provenance in zip(event.faces, sides, event.provenance, strict=False):
            self.thrown.append(_RolledFace(person, of, face, provenance))
        self._open[event.key] = frame.before

    def _test(self, frame: ReplayFrame, event: TestResolved, before: Combat) -> None:
        game = ruleset(before.session.ruleset)
        person = _person(frame.before, self._rolls[event.key].by)
        others = {rest.key: self._faces[rest.key] for rest in before.rests if rest.key in self._faces}
        others.pop(event.key, None)
        chance = chance_of(game, before, event.key, others, self._eyes)
        self.tested.append(_TestChance(person, game.vocabulary.is_success(event.outcome), chance))

    def not_standing(self) -> int:
        line = set(self._log.timeline.line())
        return sum(
            len(event.faces)
            for entry in self._log.entries()
            if entry.seq not in line and entry.origin is None
            for event in _dice_of(entry)
            if (event.key, event.faces) not in self._standing
        )


def _dice_of(entry: Entry) -> Iterator[DiceRolled]:
    return (event for event in entry.events if isinstance(event, DiceRolled))


def _person(combat: Combat, who: str) -> str:
    return combat.roster[who].player if who in combat.roster else "gm"


def chance_of(
    game: Ruleset,
    combat: Combat,
    key: str,
    others: Mapping[str, tuple[int, ...]] | None = None,
    eyes: Viewer = EVERYTHING,
) -> Fraction | None:
    """Returns the probability that an open roll succeeds; None where it cannot be computed.

    Args:
        game: The rules.
        combat: The state, as the viewer may see it; the roll is open.
        key: The key of the roll.
        others: Known faces of other open rolls; the rest range over all faces.
        eyes: The viewer.
    """
    unknown: Unknown = () if eyes == EVERYTHING else STOPPED
    going = Explorer(game, combat if eyes == EVERYTHING else marked(combat), {}, eyes, others)
    try:
        going.all_ways(going.from_rolls(key, only=True), _BUDGET)
    except (TooMany, Refused):
        return None
    except unknown:
        return None
    found = going.outcomes.get(("test", key), {})
    good = game.vocabulary.is_success
    return sum((share for outcome, share in found.items() if good(outcome)), Fraction(0)) if found else None


# ------------------------------------------------------------------------------------------------ measuring


def _groups(thrown: Iterable[_RolledFace]) -> list[tuple[tuple[str, str, int], list[int]]]:
    groups: dict[tuple[str, str, int], list[int]] = {}
    order = ("person", "die", "provenance")
    for one in thrown:
        for by, who in zip(order, (one.person, "", one.provenance), strict=True):
            groups.setdefault((by, who, one.sides), []).append(one.face)
    return sorted(groups.items(), key=lambda each: (order.index(each[0][0]), *each[0][1:]))


def _by_person(tested: Iterable[_TestChance]) -> Mapping[str, list[_TestChance]]:
    people: dict[str, list[_TestChance]] = {}
    for test in tested:
        people.setdefault(test.person, []).append(test)
    return dict(sorted(people.items()))


def _faces(group: tuple[str, str, int], faces: list[int], comparisons: int) -> Faces:
    by, who, sides = group
    count = len(faces)
    expected = Fraction(lowest(sides) + highest(sides), 2)
    mean = Fraction(sum(faces), count)
    enough = count >= FEWEST_DICE and sides > 1
    z = float(mean - expected) / sqrt((sides * sides - 1) / 12 / count) if enough else 0.0
    p = erfc(abs(z) / sqrt(2))
    unusual = enough and p * comparisons < _MISTAKES
    known = (_fine(z), _fine(p)) if enough else (None, None)
    return Faces(by, who, sides, count, mean, expected, known[0], known[1], unusual)


def _successes(person: str, tests: list[_TestChance], comparisons: int) -> Successes:
    chances = tuple(test.chance for test in tests if test.chance is not None)
    count, succeeded = len(tests), sum(test.success for test in tests)
    enough = count >= FEWEST_TESTS
    p = two_sided(chances, succeeded) if enough else 1.0
    unusual = enough and p * comparisons < _MISTAKES
    return Successes(person, count, succeeded, sum(chances, Fraction(0)), _fine(p) if enough else None, unusual)


def two_sided(chances: Iterable[Fraction], successes: int) -> float:
    """Returns the two-sided p-value of a number of successes: twice the smaller tail.

    >>> round(two_sided([Fraction(1, 2)] * 10, 1), 4)
    0.0215
    """
    ways = [1.0]
    for chance in map(float, chances):
        missed, hit = [*(way * (1 - chance) for way in ways), 0.0], [0.0, *(way * chance for way in ways)]
        ways = [one + other for one, other in zip(missed, hit, strict=True)]
    return min(1.0, 2 * min(sum(ways[: successes + 1]), sum(ways[successes:])))


def _fine(value: float) -> Fraction:
    return Fraction(round(value * _FINE), _FINE)
