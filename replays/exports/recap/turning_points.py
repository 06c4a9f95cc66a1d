"""Finds turning points: the exchanges whose results lay farthest from what the odds led one to expect.

An exchange is measured from the state in which its first roll was open, so its declaration and the choices made before
are known, and all its dice are not. `replays.odds` computes the chances from there to its end. For each combatant two
numbers from 0 to 1 are compared with what then happened:

* Being put down. If the combatant gained a condition of `Vocabulary.down`: 1 minus the chance of that condition (of the
  likeliest, if there were several). If not: the chance of the likeliest one, which was escaped. Conditions that the
  combatant had already do not count.
* Harm. For each track, the distance between the damage taken and its mean, as a share of the track's capacity. Damage
  that a full track cannot hold does not count, in either number.

The swing of a combatant is the larger number; the swing of an exchange is the sum over its combatants. Its unit is one
combatant: 1 is a combatant lost, or saved, against all odds. Choices after the first roll are expected as `odds`
expects them: the default. Rolls outside any exchange are not measured.

Cost: at most `RUNS` runs of the rules in all, about one millisecond each, and those of one more exchange. Exchanges are
measured in this order: those in which a combatant was put down, then those with most harm, then the others, the
earliest first. An exchange that takes more than `EXACT` runs is sampled with `SAMPLES` fights, always with the same
seed, and so are all later ones of the same combatant with the same weapon; one whose odds are refused counts as
`REFUSED` runs. Exchanges beyond the runs are not measured, only counted. So the result depends only on what the viewer
sees, never on the speed of the machine.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ledger.audience import Viewer
from ledger.errors import Refused
from machines.contract.refusals import UnknownRuleset
from machines.contract.ruleset import Ruleset, ruleset
from machines.registry import vocabulary_of
from projections.combat import Combat
from replays.exports.recap.deeds import name_of, names_in
from replays.exports.recap.exchanges import FoughtExchange
from replays.exports.recap.model import CombatantSwing, HarmSwing, Measured, TurningPoint
from replays.odds.engine.dice_space import TooMany
from replays.odds.odds import Odds, odds

RUNS = 2_500
"""Runs of the rules in all, before the rest is not measured."""
EXACT = 250
"""Runs of the rules for an exchange, before it is sampled."""
SAMPLES = 50
REFUSED = 50
"""Runs that an exchange without odds counts as."""
MOST = 5
"""Turning points at most."""
LEAST = Fraction(1, 10)
"""The smallest swing of a turning point."""


def find_turning_points(
    exchanges: Iterable[FoughtExchange], eyes: Viewer, runs: int = RUNS
) -> tuple[tuple[TurningPoint, ...], Measured]:
    """Returns the turning points, largest first, and how many exchanges were measured.

    Args:
        exchanges: All exchanges with dice that ended.
        eyes: The viewer, whose log they are from.
        runs: Runs of the rules, before the rest is not measured.
    """
    found: list[TurningPoint] = []
    ordered = sorted(exchanges, key=_promise, reverse=True)
    left, unknown = runs, 0
    long = set[tuple[str, str]]()
    for one in ordered:
        if left <= 0:
            break
        arm = one.deed.by, one.deed.using
        chances = _chances(one, eyes, 0 if arm in long else EXACT)
        if chances is None:
            unknown += 1
            left -= REFUSED
            continue
        left -= chances.runs
        long |= set() if chances.exact else {arm}
        found.append(_measured(one, chances))
    sampled = sum(point.samples > 0 for point in found)
    largest = sorted((point for point in found if point.swing >= LEAST), key=lambda one: (-one.swing, one.entry))
    return tuple(largest[:MOST]), Measured(len(ordered), len(found), sampled, unknown)


def _promise(one: FoughtExchange) -> tuple[int, Fraction, int]:
    """Returns the order in which exchanges are measured, without computing odds."""
    words = vocabulary_of(one.before.session.ruleset).down
    fell = sum(key[0] == "condition" and key[2] in words for key in one.tally)
    tracks = ((key[1], key[2], amount) for key, amount in one.tally.items() if key[0] == "track")
    harm = (_share(amount, _capacity(one, who, track)) for who, track, amount in tracks)
    return fell, sum(harm, Fraction(0)), -one.entry


def _chances(one: FoughtExchange, eyes: Viewer, budget: int) -> Odds | None:
    """Returns the odds before the first roll; None where there are none, or only those of the roll alone."""
    game = _game(one.before)
    if game is None:
        return None
    try:
        found = odds(game, one.before, key=one.roll, eyes=eyes, budget=budget, samples=SAMPLES)
    except (Refused, TooMany):
        return None
    return None if found.is_roll_alone else found


def _game(combat: Combat) -> Ruleset | None:
    try:
        return ruleset(combat.session.ruleset)
    except UnknownRuleset:
        return None


def _measured(one: FoughtExchange, chances: Odds) -> TurningPoint:
    swings = [swing for swing in _swings(one, chances) if swing.swing]
    swings.sort(key=lambda swing: -swing.swing)
    total = sum((swing.swing for swing in swings), Fraction(0))
    chance = next((each for each in chances.outcome if each.what == one.outcome), None)
    return TurningPoint(one.deed, one.entry, one.when, one.outcome, chance, total, tuple(swings), chances.samples)


def _swings(one: FoughtExchange, chances: Odds) -> Iterator[CombatantSwing]:
    who = dict.fromkeys(key[1] for key in one.tally if key[0] in {"track", "condition"})
    who |= dict.fromkeys([each.who for each in chances.harm] + [each.who for each in chances.conditions])
    names = names_in(one.after)
    for each in who:
        harm = tuple(_harm(one, chances, each))
        condition, gained, chance = _down(one, chances, each)
        moved = 1 - chance if gained else chance
        swing = max([moved, *(part.swing for part in harm)])
        yield CombatantSwing(each, name_of(each, names), swing, harm, condition, gained, chance)


def _harm(one: FoughtExchange, chances: Odds, who: str) -> Iterator[HarmSwing]:
    expected = {each.what: each for each in chances.harm if each.who == who and each.counted == "track"}
    taken = {key[2]: amount for key, amount in one.tally.items() if key[:2] == ("track", who)}
    for track in dict.fromkeys([*taken, *expected]):
        amount, capacity, free = taken.get(track, 0), _capacity(one, who, track), _free(one, who, track)
        mean = held = Fraction(0)
        if track in expected:
            mean = expected[track].mean
            held = sum((min(int(each.what), free) * each.chance for each in expected[track].amounts), Fraction(0))
        yield HarmSwing(track, amount, mean, _share(abs(min(amount, free) - held), capacity), capacity)


def _down(one: FoughtExchange, chances: Odds, who: str) -> tuple[str, bool, Fraction]:
    """Returns the condition that put a combatant down, or else the likeliest escaped one; whether; and its chance."""
    had = one.before.conditions
    words = [word for word in vocabulary_of(one.before.session.ruleset).down if not had.has(who, word)]
    likely = {each.condition: each.chance.chance for each in chances.conditions if each.who == who}
    gained = [word for word in words if ("condition", who, word) in one.tally]
    word = max(gained or words, key=lambda each: likely.get(each, Fraction(0)), default="")
    chance = likely.get(word, Fraction(0))
    return (word if gained or chance else ""), bool(gained), chance


def _free(one: FoughtExchange, who: str, track: str) -> int:
    """Returns how much more a track could hold before the exchange."""
    having = one.before.health.tracks.get(who, {}).get(track)
    return max(0, having.capacity - having.taken) if having is not None else 0


def _capacity(one: FoughtExchange, who: str, track: str) -> int:
    """Returns the capacity of a track; 0 where it is unknown."""
    having = one.after.health.tracks.get(who, {}).get(track) or one.before.health.tracks.get(who, {}).get(track)
    return having.capacity if having is not None else 0


def _share(amount: Fraction | int, capacity: int) -> Fraction:
    """Returns an amount as a share of a capacity, at most 1; 0 where the capacity is unknown."""
    return min(Fraction(1), Fraction(amount) / capacity) if capacity > 0 else Fraction(0)
