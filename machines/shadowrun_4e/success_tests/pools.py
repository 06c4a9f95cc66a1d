"""Success tests: dice pools, hits on 5 and 6, glitches and outcomes."""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.dice import NO_DICE, parse
from ledger.events import Chosen, Event, FigureFound, ModifierApplied, RollRequested, TestResolved
from ledger.key import role, role_of
from ledger.modifier import total
from machines.contract.chart import Deed
from machines.contract.dice_reading import EACH, DiceCount, DiceReading, pure
from machines.contract.figure_names import FigureName
from machines.contract.refusals import NoSuchRoll
from machines.contract.toolkit import Telling, emit, floored
from machines.secrecy.part_sources import of_condition, of_conditions, of_roll, of_wounds
from machines.shadowrun_4e.sheet.sheet_access import Base, encumbrance, feels, felt_wounds
from machines.shadowrun_4e.tables.tables import BUYING_HITS
from machines.shadowrun_4e.vocabulary import CRITICAL_GLITCH, CRITICAL_SUCCESS, FAILURE, SUCCESS, VOCABULARY
from projections.combat import Combat
from projections.rolls import Roll

BASE = FigureName("base", int)

POOL = FigureName(VOCABULARY.sums.total, int)
TARGET = FigureName("target", int)
GLITCH = FigureName("glitch", str)
"""Figures of a test: its dice, the hits it needs, its glitch."""
ROLLER = FigureName("roller", str)
"""Figure of a test: its roller, also if nothing was rolled."""
CLOSED = FigureName("closed", str)
LIMIT = FigureName("limit", int)
EDGE_SPENT = FigureName("edge spent", str)
EXPLODES = FigureName("explodes", str)
NEGATED = FigureName("glitch negated", str)
BOUGHT = FigureName("bought hits", int)
EDGE_DICE = FigureName("edge dice", int)  # fmt: skip
OPPOSED = FigureName("must be exceeded", str)
BURNED = FigureName("burned", str)
"""Figures of a test: that it needs more hits than its target; that Edge was burned for it."""
OVERRULED_BY = FigureName("hits by the gamemaster's word", int)
"""Figure of a test: the difference between overruled hits and those of the dice."""
HIT = 5
DICE_FOR_A_HIT = 4
"""The dice that a bought hit costs (SR4S Buying Hits)."""
CRITICAL = 4
"""The net hits of a critical success (SR4 65 Critical Success)."""
SUSTAINING = "sustaining_"
"""The prefix of the condition for a sustained spell."""
FOCUSED = "focused_"
"""The prefix of the condition for a spell that a sustaining focus sustains."""
WOUND_MODIFIERS = "SR4 153 Wound Modifiers"
_TESTS = "SR4 61 Success Tests"


def in_words(margin: int) -> str:
    """Returns a margin in words.

    Source: SR4 61 Success Tests

    >>> in_words(2), in_words(-1)
    ('2 net hits', '1 hit short')
    """
    hits = "hit" if abs(margin) == 1 else "hits"
    return f"{margin} net {hits}" if margin > 0 else f"{-margin} {hits} short"


# ------------------------------------------------------------------------------------------------ what is rolled


def begin(  # noqa: PLR0917
    combat: Combat, key: str, who: str, start: Base, source: str, ails: bool = True, wounds: int | None = None
) -> Telling:
    """Begins a test: records its base and roller, and applies wounds and conditions.

    Args:
        combat: The state.
        key: The key of the roll.
        who: The roller.
        start: Attribute and skill.
        source: Where the test is printed.
        ails: Whether wounds and conditions count; they do not when damage or Drain is resisted.
        wounds: The wound modifier that counts; None: the present one.

    Source: SR4 61 Success Tests, SR4 153 Wound Modifiers
    """
    combat = yield BASE.found(key, start.value, start.why, source, who=who)
    combat = yield ROLLER.found(key, who, "", source)
    combat = yield from emit(combat, ailing(combat, who, key, start.uses, wounds) if ails else ())
    return combat


def prepare(  # noqa: PLR0917
    combat: Combat,
    key: str,
    who: str,
    start: Base,
    source: str,
    modifiers: Iterable[Event] = (),
    *,
    ails: bool = True,
    wounds: int | None = None,
) -> Telling:
    """Prepares a test completely: base, wounds and conditions, modifiers, pool.

    Source: SR4 61 Success Tests
    """
    combat = yield from begin(combat, key, who, start, source, ails, wounds)
    combat = yield from emit(combat, modifiers)
    return (yield pool(combat, key, who))


def pool(combat: Combat, key: str, who: str) -> FigureFound:
    """Returns the pool of a test: base plus modifiers, at least 0, plus Edge dice.

    Source: SR4 61 Success Tests
    """
    start, parts = BASE.at(combat, key), combat.rolls.modifiers(key)
    more = EDGE_DICE.at(combat, key)
    dice, why = floored(start + total(parts), " ".join([str(start), *(f"{part.value:+d}" for part in parts)]))
    return POOL.found(key, dice + more, why + (f" {more:+d} Edge" if more else ""), _TESTS, who=who)


def retarget(combat: Combat, key: str) -> Deed:
    """Recalculates the pool of an open roll and requests that many dice; other rolls stay unchanged."""
    roll = combat.rolls[key]
    if POOL.is_at(combat, key):
        combat = yield pool(combat, key, roll.by)
        if POOL.at(combat, key) > 0 and dice(combat, key) != roll.dice:
            yield RollRequested(key, roll.by, dice(combat, key), roll.purpose, within(combat, key))
        if POOL.at(combat, key) <= 0:
            yield Chosen(key, NO_DICE, "")
    return None


def dice(combat: Combat, key: str) -> str:
    """Returns the dice notation of a test.

    Raises:
        BadNotation: More than can be thrown.
    """
    return str(parse(f"{POOL.at(combat, key)}d6"))


def within(combat: Combat, key: str) -> str:
    """Returns the key of the exchange that a roll belongs to; empty for rolls of the Combat Turn."""
    frames = (each.key for each in reversed(combat.exchange.frames) if key.startswith(each.key + "/"))
    return next(frames, "")


def roller(combat: Combat, key: str) -> str:
    """Returns the roller of a test."""
    return ROLLER.at(combat, key)


def asked(combat: Combat, key: str, who: str, purpose: str) -> Iterator[RollRequested]:
    """Requests the dice of a test, unless its pool is 0 or its hits were bought.

    Source: SR4 61 Success Tests, SR4S Buying Hits
    """
    if POOL.at(combat, key) > 0 and not BOUGHT.is_at(combat, key):
        yield RollRequested(key, who, dice(combat, key), purpose, within(combat, key))


def ailing(combat: Combat, who: str, key: str, uses: Iterable[str], felt: int | None = None) -> Iterator[Event]:
    """Yields the modifiers for wounds, sustained spells, shock and encumbrance.

    Source: SR4 153 Wound Modifiers, SR4S Spellcasting By The Numbers 7, SR4 149 Armor and Encumbrance
    """
    wounds = felt_wounds(combat, who) if felt is None else felt
    if wounds:
        hindered = ModifierApplied(key, -wounds, "wound modifier", WOUND_MODIFIERS)
        yield from of_wounds(combat, who, "wounds", [hindered])
    kept = [name for name in combat.conditions.of(who) if name.startswith(SUSTAINING)]
    if kept:
        strain = ModifierApplied(key, -2 * len(kept), "sustaining", "SR4S Spellcasting By The Numbers")
        yield from of_conditions(combat, who, kept, [strain])
    for name, source in AILMENTS.items():
        if feels(combat, who, name):
            yield from of_condition(combat, who, name, [ModifierApplied(key, -2, name, source)])
    heavy = encumbrance(combat, who)
    if heavy and set(uses) & {"agility", "reaction"}:
        yield ModifierApplied(key, -heavy, "encumbered by armor", "SR4 149 Armor and Encumbrance")


AILMENTS = {"shocked": "SR4 154 Electricity Damage", "dumpshocked": "SR4 237 Dumpshock"}
"""Conditions that cost two dice in every test, with their sources."""


# ------------------------------------------------------------------------------------------------ what it came to


HITS = DiceCount("hits", from_face=HIT)
ONES = DiceCount("ones", to_face=1, is_needed=False)
"""Ones that a person does not mention are fewer than a glitch takes (SR4-N52)."""
SIXES = DiceCount("sixes", from_face=6, is_needed=False)
POOLED = DiceReading(order=False, alike=((2, 3, 4),), counts=(HITS, ONES, SIXES))
"""Of a pool only the numbers of ones, fives and sixes are read."""
EXPLODING = DiceReading(
    order=False, alike=((2, 3, 4),), counts=(HITS, ONES, msgspec.structs.replace(SIXES, is_needed=True))
)
"""Sixes that are rolled again are needed."""


def reading(combat: Combat, key: str) -> DiceReading:
    """Returns what is read of a roll: of the dice of a test, and of those that Edge adds to it, ones and hits."""
    test, last = key.rpartition("/")[::2]
    tests = (key, test, test.rpartition("/")[0] if last.isdecimal() else "")
    if not any(POOL.is_at(combat, each) for each in tests):
        return EACH
    explodes = EXPLODES.is_at(combat, key) or role_of(key) in ROLLED_AGAIN
    return EXPLODING if explodes else POOLED


ROLLED_AGAIN = ("edge-dice", "sixes")
"""The roles of dice of a test whose sixes are rolled again, beside a test with Edge before the roll."""


def throws(combat: Combat, key: str) -> Iterator[Roll]:
    """Yields the throws of a test: the pool, what did not hit again, Edge dice, and rerolled sixes.

    Source: SR4 67 Edge
    """
    yield from (combat.rolls[each] for each in (key, role(key, "again"), role(key, "edge-dice")))
    yield from sixes_rolled(combat, key)


def sixes_rolled(combat: Combat, key: str) -> Iterator[Roll]:
    """Yields each throw of rerolled sixes.

    Source: SR4 67 The Rule of Six
    """
    nth = 1
    while combat.rolls[role(key, "sixes", nth)].is_rolled:
        yield combat.rolls[role(key, "sixes", nth)]
        nth += 1


def size_of(roll: Roll) -> int:
    """Returns the number of dice that were thrown for a roll; 0 before."""
    return len(roll.faces) or (len(parse(roll.dice).sides) if roll.counts else 0)


def hits_of(combat: Combat, key: str) -> int:
    """Returns the hits that count: rolled, limited, bought or burned, and adjusted by the gamemaster.

    Source: SR4 61 Success Tests, SR4 173 Spellcasting; Ruling: SR4-N36
    """
    return max(0, _hits_by_rule(combat, key) + OVERRULED_BY.at(combat, key))


def _hits_by_rule(combat: Combat, key: str) -> int:
    bought = BOUGHT.at(combat, key)
    if BURNED.is_at(combat, key):
        return max(bought, TARGET.at(combat, key) + CRITICAL)
    found = bought + sum(HITS.of(roll) for roll in throws(combat, key))
    return min(found, LIMIT.at(combat, key)) if LIMIT.is_at(combat, key) else found


def glitch_of(combat: Combat, key: str) -> str:
    """Returns ``glitch`` or ``critical glitch`` if at least half of the dice show ones; otherwise empty.

    Source: SR4 62 Glitches; Ruling: SR4-N2
    """
    own, edge, again = (combat.rolls[each] for each in (key, role(key, "edge-dice"), role(key, "again")))
    count = (HITS.of(own) + size_of(again) if again.is_rolled else size_of(own)) + size_of(edge)
    ones = ONES.of(again if again.is_rolled else own) + ONES.of(edge)
    if not count or 2 * ones < count or NEGATED.is_at(combat, key):
        return ""
    return GLITCH.name if hits_of(combat, key) else CRITICAL_GLITCH


def resolve(combat: Combat, key: str) -> Telling:
    """Reads a test: its hits against its target.

    Source: SR4 61 Success Tests, 62 Glitches, 65 Critical Success
    """
    hits, goal = hits_of(combat, key), TARGET.at(combat, key)
    exceeds = OPPOSED.is_at(combat, key)
    found, before = glitch_of(combat, key), GLITCH.at(combat, key)
    if found or before:
        own = combat.rolls[key]
        why = f"{ONES.of(own)} ones in {size_of(own)} dice" if found else "negated"
        combat = yield GLITCH.found(key, found or "none", why, "SR4 62 Glitches")
    result = outcome(hits, goal, GLITCH.at(combat, key), exceeds=exceeds)
    base = BASE.at(combat, key)
    return (yield TestResolved(key, base, goal, hits, hits - goal, result, _TESTS))


@pure
def outcome(hits: int, goal: int, glitch: str, *, exceeds: bool = False) -> str:
    """Returns the outcome of a test.

    Args:
        hits: The hits that count.
        goal: The hits it needs.
        glitch: Its glitch; empty for none.
        exceeds: Whether it must exceed the goal, as in an opposed test.

    Source: SR4 61 Success Tests, 62 Glitches, 65 Critical Success

    >>> outcome(3, 2, ""), outcome(5, 1, ""), outcome(0, 0, "critical glitch"), outcome(1, 2, "glitch")
    ('success', 'critical success', 'critical glitch', 'failure')
    """
    if glitch == CRITICAL_GLITCH:
        return CRITICAL_GLITCH
    if hits < max(1, goal + exceeds):
        return FAILURE
    return CRITICAL_SUCCESS if (goal or exceeds) and hits - goal >= CRITICAL else SUCCESS


def succeeded(combat: Combat, key: str) -> bool:
    """Returns whether a test succeeded.

    Source: SR4 61 Success Tests
    """
    return VOCABULARY.is_success(combat.rolls[key].outcome)


def hits(combat: Combat, key: str) -> int:
    """Returns the recorded hits of a test.

    Source: SR4 61 Success Tests
    """
    return combat.rolls[key].rolled


def resolved(combat: Combat, *keys: str) -> Telling:
    """Reads those of the tests that were prepared; one without dice has no hits."""
    for key in keys:
        if POOL.is_at(combat, key):
            combat = yield from resolve(combat, key)
    return combat


def against(combat: Combat, key: str, count: int, other: str, why: str, source: str) -> Telling:  # noqa: PLR0917
    """Reads a test against the hits of an opponent's test, which it must exceed.

    Source: SR4 63 Opposed Tests
    """
    combat = yield from emit(combat, of_roll(combat, other, [TARGET.found(key, count, why, source)]))
    combat = yield OPPOSED.found(key, "yes", "", source)
    return (yield from resolve(combat, key))


def burned(combat: Combat, key: str, count: int, other: str) -> Telling:
    """Reads a test with burned Edge again, now that the opponent's hits are known.

    Source: SR4 68 Burning Edge; Ruling: SR4-N3
    """
    if BURNED.is_at(combat, key):
        combat = yield from against(combat, key, count, other, "the other's hits", "SR4 68 Burning Edge")
    return combat


def bought(dice_pool: int) -> int:
    """Returns the hits that a pool buys: one for every four dice, also beyond the table.

    Source: SR4S Buying Hits

    >>> bought(3), bought(12), bought(40)
    (0, 3, 10)
    """
    lines = (line.hits for line in BUYING_HITS.values() if line.low <= dice_pool <= line.high)
    return next(lines, dice_pool // DICE_FOR_A_HIT)


def buys(combat: Combat, key: str, who: str) -> FigureFound:
    """Returns the hits that a roller buys with a test's pool.

    Source: SR4S Buying Hits
    """
    count = POOL.at(combat, key)
    return BOUGHT.found(key, bought(count), f"{count} dice", "SR4S Buying Hits", who=who)


# ------------------------------------------------------------------------------------------------ open tests


def open_tests(combat: Combat) -> tuple[str, ...]:
    """Returns the tests of the current exchange that Edge can still change."""
    within = combat.exchange.frame.key if combat.exchange.frame else combat.clock.period
    keys = POOL.keys(combat)
    mine = (key for key in keys if key.startswith(within + "/") and combat.rolls[key].outcome)
    return tuple(key for key in mine if not CLOSED.is_at(combat, key))


def open_roll(combat: Combat, by: str, key: str) -> str:
    """Returns the open test that a key names, or the roller's first one.

    Raises:
        NoSuchRoll: The roller has no such open test.
    """
    mine = [rest.key for rest in combat.path.asked if rest.by == by and POOL.is_at(combat, rest.key)]
    if not mine or (key and key not in mine):
        accepts = ", ".join(mine) or "none is open"
        raise NoSuchRoll(f"{by} has no open test {key}".rstrip(), where="roll", accepts=accepts)
    return key or mine[0]
