"""Odds: every attack of the shipped sheets against their like, and Shadowrun pools of 12 to 30 dice.

CPU seconds are measured, because the work is all in one process; the walks of the rules are exact counts. The goals are
those of the game's dice: 0.2 s for a hundred-sided die and for three dice, 2 s for pools. In `tests`,
`PYTHONPATH=.:support:.. python -m benchmarks.bench_odds` prints one line for each attack.
"""

from collections.abc import Iterator
from statistics import median
from time import process_time

import msgspec
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from shipped_attacks import Attacked, shipped_attacks, shot_of_pools

from replays.odds.odds import odds

GOALS = {"eclipse_phase_1e": 0.2, "eclipse_phase_2e": 0.2, "gurps_3e": 0.2, "shadowrun_4e": 2.0}
"""The most CPU seconds for one attack."""
_POOLS = (12, 16, 20, 24, 30)


class Measured(msgspec.Struct, frozen=True):
    """The odds of one attack."""

    what: str
    seconds: float
    walks: int
    is_exact: bool

    def __str__(self) -> str:
        how = "exact" if self.is_exact else "sampled"
        return f"{self.what:62} {self.seconds:6.3f} CPU-s {self.walks:5} walks, {how}"


def measured(what: str, attacked: Attacked, rounds: int = 3) -> Measured:
    """Returns the median of some rounds, after one that is not measured."""
    game, combat, command = attacked
    seconds = []
    found = odds(game, combat, command)
    for _ in range(rounds):
        began = process_time()
        found = odds(game, combat, command)
        seconds.append(process_time() - began)
    return Measured(what, median(seconds), found.runs, found.exact)


def of_game(game: str, rounds: int) -> Iterator[Measured]:
    """Yields each attack of the shipped sheets of a game."""
    for name, using, attacked in shipped_attacks(game):
        yield measured(f"{game} {name}, {using}", attacked, rounds)


def test_odds(rows: list[Row], scale: Scale) -> None:
    rounds = 1 if scale.rounds < 7 else 3
    for game, goal in GOALS.items():
        found = sorted(of_game(game, rounds), key=lambda each: each.seconds)
        exact, over = sum(each.is_exact for each in found), sum(each.seconds > goal for each in found)
        what = f"odds of {len(found)} attacks, {game}: {exact} exact, {over} over the goal"
        for which, each in (("median", found[len(found) // 2]), ("slowest", found[-1])):
            words = f"{what}; {which}: {each.walks} walks"
            rows.append(Row(what=words, ours=each.seconds, unit="CPU-s", beside="goal", theirs=goal, goal=at_most(1)))
    for dice in _POOLS:
        each = measured("", shot_of_pools(dice), rounds)
        words = f"odds of three pools of {dice} dice: {each.walks} walks, {'exact' if each.is_exact else 'sampled'}"
        goal = at_most(1) if dice <= 20 else None
        rows.append(Row(what=words, ours=each.seconds, unit="CPU-s", beside="goal", theirs=2.0, goal=goal))


if __name__ == "__main__":
    for name in GOALS:
        for line in of_game(name, 1):
            print(line)
    for dice in _POOLS:
        print(measured(f"shadowrun_4e, three pools of {dice} dice", shot_of_pools(dice), 1))
