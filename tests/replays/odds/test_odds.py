"""Odds agree with closed forms and brute force on all four rulesets; rules can calculate with dice not yet thrown."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb, trunc
from typing import Any

import pytest
from census.counting import read, strikes

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Seat
from ledger.errors import Refused
from ledger.key import moment_of
from machines.contract.dice_reading import EACH, SUM, UNORDERED, DiceReading, pure
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from projections.clock import Clock
from projections.combat import Combat, fold
from projections.figures import Figures
from replays import Session
from replays.odds.engine import explorer
from replays.odds.engine.dice_space import TooMany, ways
from replays.odds.engine.explorer import Secret
from replays.odds.engine.forgotten import HiddenValueRead
from replays.odds.engine.joint_table import JointTable
from replays.odds.engine.relevance import HiddenValues, forget
from replays.odds.engine.symbolic import Chances, Unthrown, mark_in
from replays.odds.luck import chance_of
from replays.odds.odds import NoOpenRoll, Odds, UnknownKey, half_width, odds

ATTACK = "r1/ann/a1/attack"

EP1 = {
    "init": 60, "durability": 30, "wound_threshold": 6, "aptitudes": {"som": 15}, "skills": {"kinetic weapons": 60, "fray": 44},
    "armor": {"name": "vest", "energy": 3, "kinetic": 3},
    "weapons": {"gun": {"kind": "ranged", "skill": "kinetic weapons", "damage": "2d10+5", "modes": ["semi"]}},
}  # fmt: skip
SR4 = {
    "body": 1,
    "agility": 3,
    "reaction": 4,
    "strength": 3,
    "intuition": 1,
    "willpower": 1,
    "charisma": 1,
    "skills": {"pistols": 3},
}
GURPS = {
    "st": 10, "dx": 12, "ht": 10, "move": 5, "dodge": 7, "skills": {"broadsword": 12},
    "weapons": {"sword": {"skill": "broadsword", "damage": "1d+1", "type": "cutting", "swung": True}},
}  # fmt: skip


class Fight:
    """A fight in memory, without a log."""

    def __init__(self, game: str, *sheets: Mapping[str, Any], faces: Mapping[str, int] | None = None) -> None:
        self.game = ruleset(game)
        self.combat = Combat()
        self.do(
            OpenSession("odds", game),
            *(Join(who, dict(s)) for who, s in zip(("ann", "bob"), sheets, strict=True)),
            BeginCombat(),
        )
        while self.combat.rests and self.combat.rests[0].dice:
            rest = self.combat.rests[0]
            face = (faces or {}).get(rest.by, 3)
            self.do(TypeDice(rest.key, tuple(face for _ in parse(rest.dice).sides)))

    def do(self, *commands: Command) -> Combat:
        for command in commands:
            self.combat = fold(decide(self.game, self.combat, command), self.combat)
        return self.combat

    def odds(self, *arguments: Any, **options: Any) -> Odds:
        return odds(self.game, self.combat, *arguments, **options)


def shares(chances: Any) -> dict[str | int, Fraction]:
    return {one.what: one.chance for one in chances}


def outcomes_of(said: Odds, role: str) -> dict[str | int, Fraction]:
    return next(shares(test.outcomes) for test in said.tests if test.key.endswith("/" + role))


def harm_of(said: Odds, who: str, what: str) -> dict[str | int, Fraction]:
    return next(shares(each.amounts) for each in said.harm if (each.who, each.what) == (who, what))


def brute(game: Ruleset, combat: Combat, frame: str, faces: Callable[[str], Any]) -> Counter[tuple[str, Any, Any]]:
    """Everything counted face by face: (kind, whose, what) with its chance; the same choices as odds takes."""
    found: Counter[tuple[str, Any, Any]] = Counter()
    for share, told in _ways(game, combat, frame, faces):
        tests, harm = {}, Counter[tuple[str, str, str]]()
        for event in told:
            match event:
                case e.TestResolved():
                    tests[event.key] = event.outcome
                case e.DamageTaken():
                    harm["track", event.who, event.track] += event.amount
                case e.WoundSuffered():
                    harm["wounds", event.who, event.kind] += event.count
                case e.ExchangeEnded(key=key) if key == frame:
                    found["outcome", "", event.outcome] += share
        for key, outcome in tests.items():
            found["test", key, outcome] += share
        for (kind, who, what), amount in harm.items():
            found[kind, (who, what), amount] += share
        gained = {(event.who, event.condition) for event in told if isinstance(event, e.ConditionGained)}
        for who, condition in gained:
            found["condition", who, condition] += share
    return found


def _ways(
    game: Ruleset, combat: Combat, frame: str, faces: Callable[[str], Any], told: tuple[e.Event, ...] = ()
) -> Iterator[tuple[Fraction, tuple[e.Event, ...]]]:
    for nth, event in enumerate(told):
        if isinstance(event, e.ExchangeEnded) and event.key == frame:
            yield Fraction(1), told[: nth + 1]
            return
    rest = combat.rests[0]
    if not rest.dice:
        option = rest.default or rest.options[0].option
        more = decide(game, combat, Choose(rest.key, option))
        yield from _ways(game, fold(more, combat), frame, faces, told + more)
        return
    throws = list(faces(rest.dice))
    whole = sum(number for _, number in throws)
    for thrown, number in throws:
        more = decide(game, combat, TypeDice(rest.key, thrown))
        for share, all_told in _ways(game, fold(more, combat), frame, faces, told + more):
            yield share * Fraction(number, whole), all_told


def told_by(said: Odds) -> Counter[tuple[str, Any, Any]]:
    """Returns the chances in odds, counted as `brute` counts them."""
    found: Counter[tuple[str, Any, Any]] = Counter()
    for one in said.outcome:
        found["outcome", "", one.what] += one.chance
    for test in said.tests:
        for one in test.outcomes:
            found["test", test.key, one.what] += one.chance
    for each in said.harm:
        for one in each.amounts:
            if one.what:
                found[each.counted, (each.who, each.what), one.what] += one.chance
    for gained in said.conditions:
        found["condition", gained.who, gained.condition] += gained.chance.chance
    return found


def something(counted: Counter[tuple[str, Any, Any]]) -> Counter[tuple[str, Any, Any]]:
    return Counter({key: share for key, share in counted.items() if key[2] != 0})


def by_sum(notation: str) -> list[tuple[tuple[int, ...], int]]:
    """One throw for each sum: GURPS reads nothing else."""
    counts = Counter[int]()
    first: dict[int, tuple[int, ...]] = {}
    for thrown in product(*(range(1, sides + 1) for sides in parse(notation).sides)):
        counts[sum(thrown)] += 1
        first.setdefault(sum(thrown), thrown)
    return [(first[total], number) for total, number in counts.items()]


# ---------------------------------------------------------------------------------------- Eclipse Phase


def opposed(attack: int, defense: int, *, ties: bool = False) -> Fraction:
    """In how many of 10,000 throws one hundred-sided die hits against another (EP1 118, EP2 03/02).

    Args:
        attack: What the attack is rolled against.
        defense: What the defense is.
        ties: Does the attack hit with two equal criticals, by the higher skill?
    """
    found = Counter(strikes((a, *read(a, attack)), (d, *read(d, defense))) for a, d in product(range(100), repeat=2))
    return Fraction(found[True] + ties * found[None], 10_000)


def test_a_shot_against_a_dodge_is_what_ten_thousand_throws_count():
    fight = Fight("eclipse_phase_1e", EP1, EP1, faces={"ann": 80, "bob": 10})
    said = fight.odds(Declare("attack", "ann", {"at": "bob", "using": "gun"}))

    assert said.exact
    assert shares(said.outcome)["hit"] == opposed(60, 22)
    assert outcomes_of(said, "to-hit") == {
        "success": Fraction(55, 100), "failure": Fraction(35, 100), "critical success": Fraction(6, 100), "critical failure": Fraction(4, 100),
    }  # fmt: skip
    assert said.runs < 1_000


def damaged(fight: Fight, attack: int, defense: int) -> Combat:
    fight.do(Declare("attack", "ann", {"at": "bob", "using": "gun"}))
    fight.do(Choose(f"{ATTACK}/defense", "fray"))
    fight.do(TypeDice(f"{ATTACK}/to-hit", (attack,)), TypeDice(f"{ATTACK}/defend", (defense,)))
    while fight.combat.rests[0].options:
        fight.do(Choose(fight.combat.rests[0].key, "pass"))
    return fight.combat


def test_damage_is_the_sum_of_two_dice_and_five_less_the_armor():
    fight = Fight("eclipse_phase_1e", EP1, EP1, faces={"ann": 80, "bob": 10})
    damaged(fight, 52, 90)
    said = fight.odds()
    counted = Counter(max(0, a + b + 5 - 3) for a, b in product(range(1, 11), repeat=2))

    assert harm_of(said, "bob", "damage") == {amount: Fraction(n, 100) for amount, n in counted.items()}
    wounds = Counter(max(0, a + b + 2) // 6 for a, b in product(range(1, 11), repeat=2))
    assert harm_of(said, "bob", "wounds") == {amount: Fraction(n, 100) for amount, n in wounds.items()}
    assert said.harm[0].mean == 13
    assert said.exact


def test_what_follows_a_wound_is_what_is_counted_face_by_face():
    weak = {**EP1, "weapons": {"gun": {**EP1["weapons"]["gun"], "damage": "1d10+8"}}}
    fight = Fight(
        "eclipse_phase_1e", weak, {**EP1, "wound_threshold": 10, "durability": 60}, faces={"ann": 80, "bob": 10}
    )
    damaged(fight, 52, 90)
    counted = brute(fight.game, fight.combat, ATTACK, lambda dice: ways(dice, 1000))
    said = fight.odds()

    assert told_by(said) == something(counted)
    assert any(test.key.endswith("knockdown") for test in said.tests)
    assert {one.condition for one in said.conditions} == {"prone"}


@pytest.mark.parametrize("who", ["soldier", "space-pirate", "exsurgent-brute"])
def test_sampled_chances_of_an_attack_lie_within_their_error_of_the_exact_ones(who):
    game = ruleset("eclipse_phase_1e")
    fight = Fight("eclipse_phase_1e", game.sheets[who], game.sheets["thug"], faces={"ann": 99, "bob": 1})
    using = next(iter(game.sheets[who]["weapons"]))
    command = Declare("attack", "ann", {"at": "bob", "using": using})
    exact, sampled = told_by(fight.odds(command)), fight.odds(command, budget=0, samples=800, seed=7)

    assert (sampled.exact, sampled.samples, sampled.seed) == (False, 800, 7)
    counted = told_by(sampled)
    outside = [key for key in exact | counted if abs(exact[key] - counted[key]) > 2 * half_width(counted[key], 800)]
    assert not outside
    assert all(one.error == half_width(one.chance, 800) for one in sampled.outcome)


def test_the_second_edition_is_reckoned_exactly_with_superior_successes_and_wounds():
    game = ruleset("eclipse_phase_2e")
    fight = Fight("eclipse_phase_2e", game.sheets["soldier"], game.sheets["thug"], faces={"ann": 6, "bob": 1})
    said = fight.odds(Declare("attack", "ann", {"at": "bob", "using": "heavy pistol"}))
    targets = {test.key.rpartition("/")[2]: test.target for test in said.tests}

    assert said.exact
    hits = sum((one.chance for one in said.outcome if str(one.what).startswith("hit")), Fraction(0))
    assert hits == opposed(targets["to-hit"], targets["defend"], ties=True)
    sampled = fight.odds(
        Declare("attack", "ann", {"at": "bob", "using": "heavy pistol"}), budget=0, samples=600, seed=3
    )
    exact, counted = told_by(said), told_by(sampled)
    assert not [key for key in exact | counted if abs(exact[key] - counted[key]) > 2 * half_width(counted[key], 600)]


# ---------------------------------------------------------------------------------------- Shadowrun


def hits_of(pool: int) -> dict[int, Fraction]:
    return {n: Fraction(comb(pool, n) * 2 ** (pool - n), 3**pool) for n in range(pool + 1)}


def shot(agility: int, reaction: int, **armor: int) -> Fight:
    gun = {"skill": "pistols", "damage": "2P", "barrier": "bullet", "modes": ["SA"]}
    ann = {**SR4, "agility": agility, "weapons": {"gun": gun}}
    return Fight("shadowrun_4e", ann, {**SR4, "initiative": 1, "reaction": reaction, "armor": armor})


def test_six_dice_against_four_hit_where_they_have_more_hits():
    fight = shot(3, 4)
    said = fight.odds(Declare("attack", "ann", {"at": "bob", "using": "gun"}))
    six, four = hits_of(6), hits_of(4)

    assert said.exact
    assert {test.key.rpartition("/")[2]: test.dice for test in said.tests}["to-hit"] == "6d6"
    hit = sum(p * q for (a, p), (b, q) in product(six.items(), four.items()) if a > b)
    assert shares(said.outcome)["hit"] == hit
    # Without hits it is a failure, or a critical glitch where three or more of six show ones.
    none = product(range(1, 5), repeat=6)
    glitches = Fraction(sum(faces.count(1) >= 3 for faces in none), 6**6)
    assert outcomes_of(said, "to-hit")["critical glitch"] == glitches


def test_a_shot_with_small_pools_is_what_is_counted_face_by_face():
    fight = shot(1, 1)
    fight.do(Declare("attack", "ann", {"at": "bob", "using": "gun"}))
    while fight.combat.rests[0].options:
        rest = fight.combat.rests[0]
        fight.do(Choose(rest.key, rest.default or rest.options[0].option))
    counted = brute(fight.game, fight.combat, ATTACK, pooled)

    assert told_by(fight.odds()) == something(counted)


def pooled(notation: str) -> list[tuple[tuple[int, ...], int]]:
    """Throws of a pool that differ in hits and ones; two and four are read alike."""
    counts = Counter[tuple[int, ...]]()
    for thrown in product((1, 2, 5), repeat=len(parse(notation).sides)):
        counts[tuple(sorted(thrown))] += 3 ** thrown.count(2) * 2 ** thrown.count(5)
    return list(counts.items())


# ---------------------------------------------------------------------------------------- GURPS


def test_three_dice_against_twelve_succeed_in_160_of_216():
    fight = Fight("gurps_3e", GURPS, GURPS)
    by = fight.combat.rests[0].by
    fight.do(Declare("attack", by, {"at": {"ann": "bob", "bob": "ann"}[by], "using": "sword"}))

    assert chance_of(fight.game, fight.combat, f"r1/{by}/a1/attack/to-hit") == Fraction(160, 216)


def test_a_blow_is_what_is_counted_sum_by_sum():
    stout = {**GURPS, "ht": 14}
    fight = Fight("gurps_3e", GURPS, stout)
    who = fight.combat.rests[0].by
    at = {"ann": "bob", "bob": "ann"}[who]
    frame = f"r1/{who}/a1/attack"
    fight.do(Declare("attack", who, {"at": at, "using": "sword"}))
    while fight.combat.rests[0].options:
        rest = fight.combat.rests[0]
        fight.do(Choose(rest.key, rest.default or rest.options[0].option))
    fight.do(TypeDice(fight.combat.rests[0].key, (3, 3, 3)))
    while fight.combat.rests[0].options:
        rest = fight.combat.rests[0]
        fight.do(Choose(rest.key, rest.default or rest.options[0].option))
    counted = brute(fight.game, fight.combat, frame, by_sum)
    said = fight.odds(budget=10_000)

    assert said.exact
    assert told_by(said) == something(counted)


# ---------------------------------------------------------------------------------------- shipped sheets, all games

SHIPPED = [
    ("eclipse_phase_1e", "soldier", "automatic rifle", 90),
    ("eclipse_phase_1e", "security-guard", "shock baton", 240),
    ("eclipse_phase_2e", "soldier", "frag minigrenade", 180),
    ("eclipse_phase_2e", "firewall-agent", "stun minigrenade", 360),
    ("gurps_3e", "swordsman", "thrust", 160),
    ("gurps_3e", "swordsman", "swing", 360),
    ("gurps_3e", "brawler", "punch", 260),
    ("shadowrun_4e", "street-samurai", "ingram smartgun x", 210),
]
"""An attack of a sheet against its like, and the walks that it takes at most: with 12 and 13 dice, too."""


def shipped(game: str, name: str, using: str) -> tuple[Fight, Declare]:
    """Both roll so that the same combatant acts first; choices take their default."""
    sheet = ruleset(game).sheets[name]
    fight = Fight(game, sheet, sheet, faces={"ann": 6, "bob": 1})
    while not any(option.option == "attack" for option in fight.combat.rests[0].options):
        fight.do(Choose(fight.combat.rests[0].key, fight.combat.rests[0].default or ""))
    who = fight.combat.rests[0].by
    return fight, Declare("attack", who, {"at": {"ann": "bob", "bob": "ann"}[who], "using": using})


@pytest.mark.parametrize(("game", "name", "using", "most"), SHIPPED)
def test_a_fight_of_shipped_sheets_is_exact_in_few_walks_and_sampling_agrees(game, name, using, most):
    fight, command = shipped(game, name, using)
    exact, sampled = fight.odds(command), fight.odds(command, budget=0, samples=400, seed=11)

    assert exact.exact
    assert exact.runs <= most
    assert sum((one.chance for one in exact.outcome), Fraction(0)) == 1
    one, other = told_by(exact), told_by(sampled)
    assert not [key for key in one | other if abs(one[key] - other[key]) > 2 * half_width(other[key], 400)]


@pytest.mark.parametrize(("game", "name", "using"), [
    ("eclipse_phase_1e", "soldier", "unarmed"), ("eclipse_phase_2e", "soldier", "claws"),
    ("eclipse_phase_1e", "security-guard", "shock baton"), ("eclipse_phase_2e", "hacker", "microwave agonizer"),
    ("eclipse_phase_2e", "firewall-agent", "stun minigrenade"), ("gurps_3e", "swordsman", "swing"),
    ("gurps_3e", "brawler", "punch"), ("shadowrun_4e", "ganger", "club"),
])  # fmt: skip
def test_hiding_what_no_rule_reads_changes_no_chance(game, name, using, monkeypatch):
    fight, command = shipped(game, name, using)
    hiding = fight.odds(command)
    monkeypatch.setattr(explorer, "forget", lambda combats, _: combats)
    plainly = fight.odds(command, budget=50_000)

    assert hiding.exact
    assert plainly.exact
    assert told_by(hiding) == told_by(plainly)


# ---------------------------------------------------------------------------------------- what is asked, and what not


def session() -> Session:
    made = Session.create("memory://", ruleset="eclipse_phase_1e", title="odds")
    for who in ("ann", "bob"):
        made.perform(Join(who, EP1))
    made.perform(BeginCombat())
    return made


def test_nothing_is_written():
    fight = session()
    before, combat = fight.log.last, fight.combat
    odds(fight.game, fight.combat)

    assert (before, combat) == (fight.log.last, fight.combat)


def test_an_open_roll_is_meant_by_its_key_or_a_shorthand_of_it():
    fight = session()

    assert odds(fight.game, fight.combat, key="bob/initiative").key == "r1/bob/initiative"
    assert odds(fight.game, fight.combat).key == "r1/ann/initiative"


def test_an_unknown_key_is_refused_with_those_that_are_open():
    fight = session()
    with pytest.raises(UnknownKey) as refusal:
        odds(fight.game, fight.combat, key="eve")

    assert ("odds/unknown-key", "key") == (refusal.value.slug, refusal.value.where)
    assert "r1/ann/initiative" in refusal.value.accepts


def test_where_no_dice_are_waited_for_there_are_no_odds():
    fight = Fight("eclipse_phase_1e", EP1, EP1, faces={"ann": 80, "bob": 10})
    with pytest.raises(NoOpenRoll):
        fight.odds()


def test_what_cannot_be_declared_is_refused_as_ever():
    fight = Fight("eclipse_phase_1e", EP1, EP1, faces={"ann": 80, "bob": 10})
    with pytest.raises(Refused) as refusal:
        fight.odds(Declare("attack", "bob", {"at": "ann", "using": "gun"}))

    assert refusal.value.slug == "turn/not-yours"


def test_choices_are_as_given_or_the_default_or_the_first_and_the_report_says_which():
    game = ruleset("eclipse_phase_1e")
    fight = Fight("eclipse_phase_1e", game.sheets["soldier"], game.sheets["thug"], faces={"ann": 99, "bob": 1})
    using = Declare("attack", "ann", {"at": "bob", "using": "heavy pistol"})
    assumed = {each.key: (each.option, each.how) for each in fight.odds(using).assumed}

    assert assumed[f"{ATTACK}/to-hit/moxie"] == ("pass", "default")
    given = fight.odds(using, choices={"ann/to-hit/moxie": "pass"}).assumed
    assert {each.how for each in given if each.key == f"{ATTACK}/to-hit/moxie"} == {"given"}


def test_who_may_not_see_what_happens_on_the_way_is_not_told_the_odds_of_it():
    made = Session.create("memory://", ruleset="eclipse_phase_1e", title="odds")
    made.perform(Join("ann", EP1, player="kira"))
    made.perform(Join("bob", EP1, sheet_seen_by=()))
    made.perform(BeginCombat())
    with pytest.raises(Secret):
        odds(made.game, made.combat, eyes=Viewer(Seat.PLAYER, frozenset({"ann"})))

    assert odds(made.game, made.combat).exact


# ---------------------------------------------------------------------------------------- open numbers


def explored(action: Callable[[Any], Any]) -> dict[Any, Fraction]:
    """What comes of something done with an open six-sided die, and how likely each of it is."""
    chances = Chances(1_000)
    table = JointTable([1] * 6)
    die = chances.open(table, [1, 2, 3, 4, 5, 6])
    found: dict[Any, Fraction] = {}
    for result, path in chances.explore(lambda known: action(known(die)), lambda text: mark_in(str(text))):
        found[result] = found.get(result, Fraction(0)) + path.share
    return found


def test_an_if_splits_an_open_number_and_nothing_else_does():
    assert explored(lambda die: "high" if die * 2 > 8 else "low") == {"high": Fraction(1, 3), "low": Fraction(2, 3)}
    assert explored(lambda die: type(die + 1).__name__) == {"Unthrown": Fraction(1)}


def test_an_open_number_passes_for_a_number_wherever_a_rule_may_ask():
    assert explored(lambda die: isinstance(die, int)) == {True: Fraction(1)}
    assert explored(lambda die: int(max(die, 5))) == {5: Fraction(5, 6), 6: Fraction(1, 6)}
    assert explored(lambda die: "abcdefg"[die]) == {letter: Fraction(1, 6) for letter in "bcdefg"}
    assert explored(lambda die: len(range(die))) == {n: Fraction(1, 6) for n in range(1, 7)}
    assert explored(lambda die: type(trunc(die * Fraction(1, 2))).__name__) == {"Unthrown": Fraction(1)}
    assert explored(lambda die: [0, -1, -2, -3][-trunc(die * Fraction(-1, 2))]) == {-n: Fraction(2, 6) for n in (1, 2)} | {
        0: Fraction(1, 6), -3: Fraction(1, 6),
    }  # fmt: skip
    assert explored(lambda die: divmod(10, die)[0] >= 5) == {True: Fraction(1, 3), False: Fraction(2, 3)}
    assert explored(lambda die: bool(-die // 2 < -2)) == {True: Fraction(1, 3), False: Fraction(2, 3)}


def test_what_can_do_with_no_open_number_is_decided_with_each_value():
    names = {1: "one", 6: "six"}

    assert explored(lambda die: names.get(die, "some")) == {
        "one": Fraction(1, 6), "six": Fraction(1, 6), "some": Fraction(4, 6),
    }  # fmt: skip
    assert explored(lambda die: names.get(die + 0, "some"))["six"] == Fraction(1, 6)


def test_a_text_that_counts_is_told_once_for_each_value():
    assert explored(lambda die: f"r{die + 1}") == {f"r{n}": Fraction(1, 6) for n in range(2, 8)}


def test_a_period_ahead_is_read_by_rules_and_is_therefore_known():
    clock = Clock(combat=1, round=2)

    assert explored(lambda die: moment_of(clock.ahead(die))) == {(1, 2 + n): Fraction(1, 6) for n in range(1, 7)}


def test_two_open_numbers_of_different_dice_are_compared_in_pairs():
    chances = Chances(100)
    one, other = (chances.open(JointTable([1] * 6), [1, 2, 3, 4, 5, 6]) for _ in range(2))
    found = chances.explore(lambda _: bool(one > other), lambda _: "")

    assert {result: path.share for result, path in found} == {True: Fraction(15, 36), False: Fraction(21, 36)}
    assert type(one) is Unthrown


def test_what_worlds_differ_in_is_put_out_of_sight_until_it_is_looked_at():
    combats = [Combat(figures=Figures({"a word": word, "a same": 1})) for word in ("hit", "miss")]
    sight = HiddenValues()
    one, other = forget(combats, sight)

    assert one.figures.exchange["a same"] == 1
    assert bool(one.figures.exchange["a word"])  # both are something
    with pytest.raises(HiddenValueRead) as needed:
        _ = other.figures.exchange["a word"] == "hit"
    assert needed.value.where == ("figure", "a word")
    sight.keep(needed.value.where)
    assert forget(combats, sight) == combats


def test_a_value_is_kept_up_to_the_stage_where_it_was_read_and_for_good_after_the_second_time():
    sight = HiddenValues()
    where = ("figure", "a word")
    kept = []
    for read_at in (2, 5):
        sight.stage = read_at
        sight.put_out(where)
        sight.keep(where)
        for stage in (read_at, read_at + 1):
            sight.stage = stage
            kept.append(sight.is_kept(where))

    assert kept == [True, False, True, True]


def test_figures_of_one_blow_are_kept_together_and_anything_else_for_good_at_once():
    sight = HiddenValues()
    blow, foe, other = (("entry", f"r1/ann/a1/attack/{name}") for name in ("blow/2 foe", "blow/2 with", "blow foe"))
    sight.keep(blow)
    assert [sight.is_kept(each) for each in (blow, foe, other)] == [True, True, False]

    outcome = "roll", "r1/ann/a1/attack/to-hit", "outcome"
    sight.keep(outcome)
    sight.stage = 9
    assert [sight.is_kept(each) for each in (blow, outcome)] == [False, True]


def test_what_a_hidden_value_does_not_concern_is_not_played_again(monkeypatch):
    played: list[tuple[int, str]] = []
    step = explorer.Explorer._step

    def counted(self, chances, world):
        played.append((id(world), self._next(world.combat).key))
        return step(self, chances, world)

    monkeypatch.setattr(explorer.Explorer, "_step", counted)
    fight, command = shipped("gurps_3e", "swordsman", "swing")
    fight.odds(command)

    again = Counter(key.rpartition("/")[2] for _, key in played)
    assert again["critical-hit"] == 1  # it waits beside the defense, whose values are hidden and kept several times


def test_whether_something_is_there_at_all_is_noticed_when_it_is_asked_for():
    combats = [Combat(figures=Figures({"a word": "hit"})), Combat(figures=Figures())]
    one, other = forget(combats, HiddenValues())

    for combat in (one, other):
        for ask in (lambda f: f.holds("a", "word"), lambda f: f.word("a", "word")):
            with pytest.raises(HiddenValueRead):
                ask(combat.figures)
        assert not combat.figures.holds("a", "number")


def test_a_pure_function_is_continued_with_once_for_each_result():
    @pure
    def word(number: int, more: int = 0) -> str:
        return "low" if number + more < 4 else "high" if number + more != 5 else "low"

    assert explored(lambda die: str(word(die)) if word(die) == "low" else "else") == {
        "low": Fraction(4, 6), "else": Fraction(2, 6),
    }  # fmt: skip
    assert explored(lambda die: type(word(die, more=1)).__name__) == {"Unthrown": Fraction(1)}
    assert explored(lambda die: {"low": 1, "high": 2}[word(die, more=1)]) == {1: Fraction(3, 6), 2: Fraction(3, 6)}


def test_a_pure_function_of_two_dice_is_applied_to_pairs():
    chances = Chances(100)
    one, other = (chances.open(JointTable([1] * 6), [1, 2, 3, 4, 5, 6]) for _ in range(2))
    higher = pure(lambda mine, theirs: mine > theirs)
    found = chances.explore(lambda _: bool(higher(one, other)), lambda _: "")

    assert {result: path.share for result, path in found} == {True: Fraction(15, 36), False: Fraction(21, 36)}


def test_a_rule_that_cannot_use_an_open_word_is_decided_with_each_word():
    word = pure(lambda number: "low" if number < 3 else "high")

    assert explored(lambda die: ",".join([word(die)])) == {"low": Fraction(1, 3), "high": Fraction(2, 3)}


def test_more_ways_than_the_budget_has_are_too_many():
    chances = Chances(3)
    die = chances.open(JointTable([1] * 6), [1, 2, 3, 4, 5, 6])
    with pytest.raises(TooMany):
        chances.explore(lambda _: int(die), lambda _: "")


POOLED = DiceReading(order=False, alike=((2, 3, 4),))


def test_only_throws_that_rules_tell_apart_are_enumerated():
    assert len(ways("2d10", 1000)) == 100
    assert all(number == 1 for _, number in ways("3d10/2", 1000))
    assert len(ways("10d6", 5000, UNORDERED)) == 3003
    assert len(ways("20d6", 5000, POOLED)) == comb(23, 3)
    assert len(ways("3d6", 100, SUM)) == 16
    with pytest.raises(TooMany):
        ways("10d6", 1000, UNORDERED)


@pytest.mark.parametrize("notation", ["1d100", "1d6", "4d6", "2d6+1d10"])
@pytest.mark.parametrize(
    ("reading", "what"),
    [
        (EACH, lambda faces: faces),
        (SUM, sum),
        (UNORDERED, lambda faces: tuple(sorted(faces))),
        (POOLED, lambda faces: tuple(sorted(3 if face in {2, 4} else face for face in faces))),
        (DiceReading(alike=((5, 6), (2, 4))), lambda faces: tuple({6: 5, 4: 2}.get(face, face) for face in faces)),
    ],
    ids=["each", "sum", "unordered", "pooled", "alike in order"],
)
def test_throws_stand_for_as_many_as_there_are(notation, reading, what):
    if not reading.order and notation == "2d6+1d10":
        what = {sum: sum}.get(what, lambda faces, by=what: (by(faces[:2]), by(faces[2:])))
    counted = Counter(
        what(faces) for faces in product(*(range(lowest(sides), highest(sides) + 1) for sides in parse(notation).sides))
    )
    found = ways(notation, 100_000, reading)

    assert len({what(faces) for faces, _ in found}) == len(found)
    assert {what(faces): number for faces, number in found} == counted
