"""Estimates the chances that combatants are standing at the end of their fight.

The fight is played from a state to its end many times, in memory and with thrown dice; `policy` has how everything is
answered. It ends when those who stand are of one side, or after `ROUNDS` further rounds. Each chance has its 90 %
interval. It measures dice, not people: who plays better or worse than the policy has other chances.

Fights are played until there are enough of them, or until the budget of runs of the rules is used up: that takes a
second or two. The same state, seed and number of fights give the same chances.

For a seat everything is computed from what that seat sees. Where that is not enough to play the fight, because a sheet
or what is being asked is hidden, the estimate is refused.
"""

from collections import Counter
from math import sqrt
from random import Random
from time import thread_time
from typing import Annotated

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Refused
from machines.contract.refusals import NotFighting, UnknownStep
from machines.contract.ruleset import Ruleset
from machines.engine.options import Unknown
from projections.combat import Combat
from replays.odds.engine.explorer import RESTS_ON_HIDDEN, Secret
from replays.odds.fight.limits import ROUNDS, SAMPLES, SECONDS, STEPS
from replays.odds.fight.policy import POLICY
from replays.odds.fight.simulation import is_over, out_of, play
from replays.odds.known_state import STOPPED, marked

_Z = 1.6449
"""The standard normal deviate of a 90 % interval."""
_DIGITS = 6

Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]


class FightTooLong(Refused):
    """Not even one fight could be played to its end in the time that is allowed."""

    slug = "chances/too-long"


class StandingChance(msgspec.Struct, frozen=True):
    """The chance that a combatant is standing at the end of the fight, with its 90 % interval."""

    who: str
    """The combatant's id."""
    name: str
    chance: Chance
    """The share of the fights at whose end the combatant was standing."""
    low: Chance
    """The lower end of the 90 % interval."""
    high: Chance
    """The upper end of the 90 % interval."""


class FightChances(msgspec.Struct, frozen=True, kw_only=True):
    """Who is standing at the end of the fight, as estimated after an entry."""

    entry: int
    """The entry after which it is estimated; 0 for a state that is not of a record."""
    digest: str
    """The digest of that entry, in hexadecimal digits."""
    samples: int
    """How many fights were played; 0 where the fight is over, and nothing is left to chance."""
    seed: int
    """The seed of the dice."""
    rounds: int
    """For at most so many further rounds a fight was played."""
    combatants: tuple[StandingChance, ...]
    """The combatants who take part, in the order of joining."""
    policy: str
    """How the fights were played, in words."""


def fight_chances(
    game: Ruleset,
    combat: Combat,
    *,
    eyes: Viewer = EVERYTHING,
    seed: int = 1,
    samples: int = SAMPLES,
    steps: int = STEPS,
    seconds: float = SECONDS,
) -> FightChances:
    """Returns the chances that the combatants are standing at the end of the fight.

    Args:
        game: The rules.
        combat: The state, as the viewer may see it.
        eyes: The viewer.
        seed: The seed of the dice.
        samples: The number of fights.
        steps: The runs of the rules after which no further fight is begun.
        seconds: The seconds of processor time after which a fight is given up.

    Raises:
        NotFighting: No fight has begun.
        Secret: Something that the fight depends on is hidden from the viewer.
        FightTooLong: Not even one fight can be played in that time.
        Refused: The rules cannot go on from this state.
    """
    clock, out = combat.clock, out_of(combat)
    if not clock.fighting and not clock.round:
        raise NotFighting("no fight has begun", where="chances", accepts="an entry after the beginning of a fight")
    if is_over(combat, out):
        return _found(combat, 0, seed, Counter(), out)
    budget = _Budget(samples, steps, seconds)
    if eyes == EVERYTHING:
        fallen = _sampled(game, combat, seed, budget)
        return _found(combat, budget.played, seed, fallen, out)
    unknown: Unknown = (Secret, *STOPPED, UnknownStep)  # a box on the way was hidden
    try:
        _check_known(combat)
        fallen = _sampled(game, marked(combat), seed, budget)
    except unknown as stopped:
        raise Secret(RESTS_ON_HIDDEN, where="chances", accepts="ask the gamemaster") from stopped
    return _found(combat, budget.played, seed, fallen, out)


def _check_known(seen: Combat) -> None:
    """Rejects a state of which a seat sees too little: a sheet, or all that is asked, is hidden.

    Raises:
        Secret: It is.
    """
    if not seen.rests or not all(seen.roster[who].has_sheet for who in seen.roster.here()):
        raise Secret(RESTS_ON_HIDDEN, where="chances", accepts="ask the gamemaster")


class _Budget:
    """Counts fights, runs of the rules and processor time."""

    def __init__(self, samples: int, steps: int, seconds: float) -> None:
        self.played = 0
        self._samples, self._steps, self._end = samples, steps, thread_time() + seconds

    @property
    def has_more(self) -> bool:
        """Whether a further fight may be begun."""
        return not self.played or (self.played < self._samples and self._steps > 0)

    def spend(self) -> None:
        """Counts one run of the rules.

        Raises:
            FightTooLong: The processor time is used up.
        """
        self._steps -= 1
        if thread_time() > self._end:
            problem = "the fight is too long to be played to its end"
            raise FightTooLong(problem, where="chances", accepts="a later entry")


def _sampled(game: Ruleset, combat: Combat, seed: int, budget: _Budget) -> Counter[str]:
    """Plays fights; returns in how many of them each combatant was out at the end."""
    fallen = Counter[str]()
    while budget.has_more:
        random = Random(f"{seed}/{budget.played}")  # noqa: S311  these dice decide nothing
        try:
            fallen.update(play(game, combat, random, budget.spend))
        except FightTooLong:
            if not budget.played:
                raise
            break
        budget.played += 1
    return fallen


def _found(combat: Combat, played: int, seed: int, fallen: Counter[str], out: frozenset[str]) -> FightChances:
    roster = combat.roster
    combatants = (
        StandingChance(who, roster.name(who), *_interval(played - fallen[who], played, is_out=who in out))
        for who in roster.here()
    )
    return FightChances(
        entry=0, digest="", samples=played, seed=seed, rounds=ROUNDS, combatants=tuple(combatants), policy=POLICY
    )


def _interval(standing: int, played: int, *, is_out: bool) -> tuple[float, float, float]:
    """Returns the chance of standing with the ends of its interval; all three are the same where nothing is open."""
    if is_out or not played:
        return (0.0, 0.0, 0.0) if is_out else (1.0, 1.0, 1.0)
    low, high = wilson(standing, played)
    return round(standing / played, _DIGITS), low, high


def wilson(count: int, samples: int) -> tuple[float, float]:
    """Returns the ends of Wilson's 90 % interval of a sampled share.

    Args:
        count: How often it was so.
        samples: The number of samples.

    >>> wilson(50, 100), wilson(0, 100)
    ((0.418846, 0.581154), (0.0, 0.026344))
    """
    share, wide = count / samples, _Z * _Z / samples
    middle, around = (share + wide / 2) / (1 + wide), _Z * sqrt(share * (1 - share) / samples + wide / samples / 4)
    around /= 1 + wide
    low = 0.0 if not count else round(max(0.0, middle - around), _DIGITS)
    return low, 1.0 if count == samples else round(min(1.0, middle + around), _DIGITS)
