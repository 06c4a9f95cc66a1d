"""Computes the odds of an open roll or a declaration: its possible results and their probabilities.

The rules that decide a fight are run on all faces at once (`replays.odds.engine`). So the probabilities are exact
fractions, even for a hundred-sided die against another with damage, wounds and the tests that wounds require. Where
that would take more runs than the budget allows, fights are sampled with thrown dice instead. Then each probability has
the half-width of its 95 % interval, and the report has the number of fights and the seed. Nothing is written.

The budget is 2,000 runs, as steps of work that take about as long count. Almost all attacks of shipped sheets take
less, and so do Shadowrun's pools of up to 20 dice each for attack, defense and resistance (590 runs). Larger pools
(24 dice each), automatic fire in GURPS (the trooper's rifle), and a blast that catches many combatants at once are
sampled only.

A caller may receive a sampled answer first: within 0.2 seconds, if the final answer takes longer (`first`).

A run ends with the roll's exchange; without one, when everything open is answered. At a choice, also an open one, the
given option is taken, else the default, else the first legal one; the report lists these assumptions. A resource that a
default declines to spend is not offered again.

For a seat everything is computed from what that seat sees. Where the exchange depends on something hidden, such as an
attacker who joined in secret, the odds of the roll alone are returned, if its whole target is visible (`roll_alone`).

>>> from ledger.commands import BeginCombat, Declare, Join, TypeDice
>>> from replays import Session
>>> session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
>>> for who in ("ann", "bob"):
...     entry = session.perform(Join(who, {
...         "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 50},
...         "weapons": {"fist": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}},
...     }))
>>> entry = session.perform(BeginCombat())
>>> for who, face in (("ann", 80), ("bob", 10)):
...     entry = session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
>>> found = odds(session.game, session.combat, Declare("attack", "ann", {"at": "bob", "using": "fist"}))
>>> found.exact, [(each.what, str(each.chance)) for each in found.outcome]
(True, [('miss', '5797/10000'), ('hit', '4203/10000')])
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Declare
from ledger.errors import Refused
from machines.contract.refusals import UnknownStep
from machines.contract.ruleset import Ruleset
from machines.engine.framing import check_open
from machines.engine.options import Unknown
from projections.combat import Combat
from replays.odds.engine.branches import Branch, spread
from replays.odds.engine.dice_space import TooMany
from replays.odds.engine.explorer import RESTS_ON_HIDDEN, Assumed, Explorer, Secret
from replays.odds.known_state import STOPPED, marked
from replays.odds.roll_alone import RollAlone, roll_alone
from replays.sessions.lookup import open_key

BUDGET = 2_000
"""Runs of the rules; this many take about two seconds."""
SAMPLES = 1_500
_PATIENCE = 0.09
"""Seconds of exact computation after which a first, sampled answer is computed."""
_SAMPLING = 0.08
"""Seconds for that answer."""
_FINE = 10**6
"""Errors are given in millionths, rounded up."""


class NoOpenRoll(Refused):
    """No roll is open."""

    slug = "odds/no-open-roll"


class UnknownKey(Refused):
    """No open roll has that key."""

    slug = "odds/unknown-key"


class Chance(msgspec.Struct, frozen=True):
    """The probability of a result."""

    what: str | int
    chance: Fraction
    error: Fraction = msgspec.field(default_factory=Fraction)
    """Half of the 95 % interval's width; 0 where the chance is exact."""


class Tested(msgspec.Struct, frozen=True):
    """A test on the way."""

    key: str
    by: str
    purpose: str
    dice: str
    """The dice, such as `1d100`."""
    target: int | None
    """The target, where it is the same in all branches."""
    outcomes: tuple[Chance, ...]
    """Their sum is below 1 where the test is not always rolled."""


class Harm(msgspec.Struct, frozen=True):
    """The harm that a combatant suffers."""

    who: str
    what: str
    """The track, or the game's word for wounds."""
    counted: str
    """``track`` for harm on a track, ``wounds`` for wounds."""
    mean: Fraction
    """The mean of the amounts."""
    amounts: tuple[Chance, ...]
    """Every amount, including 0; their sum is 1."""


class Gained(msgspec.Struct, frozen=True):
    """A condition that a combatant may gain."""

    who: str
    condition: str
    chance: Chance


class Odds(msgspec.Struct, frozen=True):
    """The possible results of a roll or a declaration."""

    key: str
    """The key of the roll, or of the exchange that would be declared."""
    exact: bool
    """Whether the probabilities are exact, and not sampled."""
    runs: int
    """How often the rules were run."""
    samples: int
    """How many fights were sampled; 0 where the probabilities are exact."""
    seed: int
    """The seed of the dice for sampling; 0 where the probabilities are exact."""
    outcome: tuple[Chance, ...]
    """The outcomes of the exchange; empty for a roll outside any exchange."""
    tests: tuple[Tested, ...]
    """The tests on the way, in their order."""
    harm: tuple[Harm, ...]
    """The harm that combatants may suffer."""
    conditions: tuple[Gained, ...]
    """The conditions that combatants may gain."""
    assumed: tuple[Assumed, ...]
    """The options that were assumed for choices on the way."""
    is_roll_alone: bool = False
    """Whether only the roll itself is covered, because what follows depends on something hidden from the viewer."""


def odds(
    game: Ruleset,
    combat: Combat,
    command: Declare | None = None,
    key: str | None = None,
    *,
    choices: Mapping[str, str] | None = None,
    eyes: Viewer = EVERYTHING,
    budget: int = BUDGET,
    samples: int = SAMPLES,
    seed: int = 1,
    first: Callable[[Odds], None] | None = None,
) -> Odds:
    """Returns the possible results of an open roll or a declaration, with their probabilities.

    Args:
        game: The rules.
        combat: The state, as the viewer may see it.
        command: A declaration, as if it were made now; by default an open roll is meant.
        key: The key of the open roll, or a shorthand; by default the open one, or else the exchange whose choice is
            open, as if its default were taken.
        choices: Options to choose on the way, by the key of the choice or a shorthand.
        eyes: The viewer.
        budget: The maximal number of runs of the rules before sampling.
        samples: The number of fights to sample.
        seed: The seed of the dice for sampling.
        first: Receives a sampled answer with its errors within 0.2 seconds, if the final answer takes longer. It covers
            the first fights of the seed, as many as there is time for.

    Raises:
        NoOpenRoll: There is neither a declaration nor an open roll.
        UnknownKey: No open roll has that key.
        Secret: The result depends on something hidden from the viewer, and so does the success of the roll itself.
        Refused: The declaration is illegal, or a given option cannot be chosen.
    """
    check_open(combat)
    combat = combat if eyes == EVERYTHING else marked(combat)
    about = _meant(combat, key) if command is None else ""
    unknown: Unknown = () if eyes == EVERYTHING else (Secret, *STOPPED, UnknownStep)  # a box on the way was hidden

    def task() -> _OddsTask:
        return _task(Explorer(game, combat, choices or {}, eyes), about, command)

    early = None if first is None else _Early(lambda: _sampled_briefly(task(), seed), first, unknown)
    try:
        return _computed(task(), budget, samples, seed, early)
    except unknown as stopped:
        alone = roll_alone(game, combat, about) if about in combat.rolls.rolls else None
        if alone is None:
            raise Secret(RESTS_ON_HIDDEN, where="odds", accepts="ask the gamemaster") from stopped
        return Odds(about, True, alone.throws, 0, seed, (), (_alone(combat, about, alone),), (), (), (), True)


def _alone(combat: Combat, key: str, alone: RollAlone) -> Tested:
    roll = combat.rolls[key]
    chances = sorted(alone.outcomes.items(), key=lambda pair: -pair[1])
    outcomes = tuple(Chance(word, chance) for word, chance in chances)
    return Tested(key, roll.by, roll.purpose, roll.dice, alone.target, outcomes)


class _OddsTask(msgspec.Struct, frozen=True):
    """A roll or a declaration, and the branch that begins with it."""

    explorer: Explorer
    about: str
    """The key of the roll, or of the exchange."""
    start: Branch


def _task(explorer: Explorer, about: str, command: Declare | None) -> _OddsTask:
    if command is None:
        return _OddsTask(explorer, about, explorer.from_rolls(about))
    start = explorer.from_declaring(command)
    return _OddsTask(explorer, explorer.frame or "", start)


class _Early:
    """Hands out a first answer once the final one takes long.

    Args:
        answer: Computes the first answer.
        first: Receives it.
        unknown: What `answer` raises where something on the way is hidden; then there is no first answer.
    """

    def __init__(self, answer: Callable[[], Odds], first: Callable[[Odds], None], unknown: Unknown) -> None:
        self._answer, self._first, self._unknown = answer, first, unknown
        self._due = perf_counter() + _PATIENCE
        self._is_given = False

    def give_if_due(self, *, is_late: bool = False) -> None:
        """Hands out the first answer once, after some time, or at once if the final answer is known to be late."""
        if self._is_given or not (is_late or perf_counter() > self._due):
            return
        self._is_given = True
        try:
            found = self._answer()
        except self._unknown:
            return
        self._first(found)


def _computed(task: _OddsTask, budget: int, samples: int, seed: int, early: _Early | None) -> Odds:
    explorer, on_spending = task.explorer, None if early is None else early.give_if_due
    try:
        found = _Distributions(explorer.all_ways(task.start, budget, on_spending))
    except TooMany:
        if early is not None:
            early.give_if_due(is_late=True)
        random = Random(seed)  # noqa: S311  these dice decide nothing
        played = [explorer.one_way(task.start, random) for _ in range(samples)]
        found = _Distributions(played, samples, seed)
    return _report(explorer, task.about, found)


def _sampled_briefly(task: _OddsTask, seed: int) -> Odds:
    """Returns odds that are sampled for a short time, from at least one fight."""
    random, end = Random(seed), perf_counter() + _SAMPLING  # noqa: S311  these dice decide nothing
    played = [task.explorer.one_way(task.start, random)]
    while perf_counter() < end and len(played) < SAMPLES:
        played.append(task.explorer.one_way(task.start, random))
    return _report(task.explorer, task.about, _Distributions(played, len(played), seed))


def _meant(combat: Combat, key: str | None) -> str:
    """Returns the key of the open roll that a shorthand means; without either, of the open choice of an exchange."""
    waiting = [rest.key for rest in combat.rests if rest.dice]
    chosen = next((rest.key for rest in combat.rests if rest.options and rest.depth), None)
    if key is None and not waiting and chosen is not None:
        return chosen
    if not waiting:
        accepts = "a declaration; or wait until a roll is open"
        raise NoOpenRoll("no roll is open", where="key", accepts=accepts)
    found = waiting[0] if key is None else open_key(combat, key)
    if found is None:
        raise UnknownKey(f"no open roll fits {key!r}", where="key", accepts=", ".join(waiting))
    return found


def half_width(chance: Fraction, samples: int) -> Fraction:
    """Returns half the width of the 95 % interval of a sampled probability (Wilson's, so that 0 and 1 have one too).

    Args:
        chance: The sampled share.
        samples: The number of samples.

    >>> half_width(Fraction(1, 2), 1000), half_width(Fraction(0), 1000)
    (Fraction(7733, 250000), Fraction(3829, 1000000))
    """
    z = Fraction(196, 100)
    wide = z * z / samples
    root = Fraction(isqrt(int((chance * (1 - chance) / samples + wide / samples / 4) * _FINE**2)) + 1, _FINE)
    middle, around = (chance + wide / 2) / (1 + wide), z * root / (1 + wide)
    far = max(min(Fraction(1), middle + around) - chance, chance - max(Fraction(0), middle - around))
    return Fraction(-(-far.numerator * _FINE // far.denominator), _FINE)


# ------------------------------------------------------------------------------------------------ reporting


class _Distributions:
    """Adds up the tallies of branches: of all that exist, or of sampled ones."""

    def __init__(self, worlds: Iterable[Branch], samples: int = 0, seed: int = 0) -> None:
        self.samples, self.seed = samples, seed
        self.spread: dict[tuple[str, ...], dict[Any, Fraction]] = {}
        for world in worlds:
            whole = Fraction(1, samples) if samples else world.share
            for key in world.tally:
                mine = self.spread.setdefault(key, {})
                for value, share in spread(world.tally, key):
                    mine[value] = mine.get(value, Fraction(0)) + whole * share

    def chance(self, what: str | int, chance: Fraction) -> Chance:
        return Chance(what, chance, half_width(chance, self.samples) if self.samples else Fraction(0))

    def likeliest(self, shares: Mapping[Any, Fraction]) -> tuple[Chance, ...]:
        return tuple(self.chance(what, share) for what, share in sorted(shares.items(), key=lambda one: -one[1]))

    def of(self, kind: str) -> list[tuple[tuple[str, ...], dict[Any, Fraction]]]:
        return [(key[1:], shares) for key, shares in self.spread.items() if key[0] == kind]

    def outcomes(self) -> Mapping[tuple[str, ...], Mapping[Any, Fraction]]:
        return {key: shares for key, shares in self.spread.items() if key[0] == "test"}


def _report(going: Explorer, about: str, telling: _Distributions) -> Odds:
    exchange = telling.spread.get(("exchange", going.frame or ""), {})
    conditions = sorted(telling.of("condition"), key=lambda one: -one[1][True])
    outcomes = telling.outcomes() if telling.samples else going.outcomes
    return Odds(
        about, not telling.samples, going.runs, telling.samples, telling.seed, telling.likeliest(exchange),
        tuple(_test(going, telling, key, counted) for (_, key), counted in outcomes.items()),
        tuple(_harm(telling, kind, who, shares) for kind in ("track", "wounds") for who, shares in telling.of(kind)),
        tuple(Gained(who, what, telling.chance(what, shares[True])) for (who, what), shares in conditions),
        tuple(going.assumed.values()),
    )  # fmt: skip


def _test(going: Explorer, telling: _Distributions, key: str, counted: Mapping[str, Fraction]) -> Tested:
    asked = going.rolled.get(key)
    by, purpose, dice = (asked.by, asked.purpose, asked.dice) if asked is not None else ("", "", "")
    targets = list(telling.spread.get(("target", key), {}))
    return Tested(key, by, purpose, dice, targets[0] if len(targets) == 1 else None, telling.likeliest(counted))


def _harm(telling: _Distributions, counted: str, whose: tuple[str, ...], shares: Mapping[int, Fraction]) -> Harm:
    who, what = whose
    mean = sum((amount * share for amount, share in shares.items()), Fraction(0))
    filled = {**shares, 0: shares.get(0, Fraction(0)) + 1 - sum(shares.values())}
    amounts = tuple(telling.chance(amount, share) for amount, share in sorted(filled.items()) if share)
    return Harm(who, what, counted, mean, amounts)
