"""An overruled figure of a test decides what follows, and is called by the game's own word."""

import pytest
from places import TESTS

from ledger import events as e
from ledger.entry import Seat, Who
from machines.contract.refusals import ImpossibleFigure, NoSuchFigure
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.overrides import slips
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse
from replays.scripts.format import examples, read

TO_HIT, DEFEND, ATTACK = "r1/slim/a1/attack/to-hit", "r1/slim/a1/attack/defend", "r1/slim/a1/attack"


def fight(name: str) -> Session:
    path = examples()[name]
    return perform(read(path.read_bytes(), path.name))


def found(session: Session, key: str, name: str) -> int | str:
    """A figure as it stands, of the latest entry that found it."""
    for entry in session.log.newest_first():
        for event in reversed(entry.events):
            if isinstance(event, e.Overruled) and (event.key, event.figure) == (key, name):
                return event.gm_says
            if isinstance(event, e.FigureFound) and (event.key, event.name) == (key, name):
                return event.value
    raise AssertionError(f"{key} has no {name}")


def test_of(session: Session, key: str) -> tuple[int, int, str]:
    """Hits, net hits and outcome of a test as it was read last."""
    tests = [
        event
        for entry in session.log.entries_of(session.log.timeline.line())
        for event in entry.events
        if isinstance(event, e.TestResolved) and event.key == key
    ]
    return tests[-1].rolled, tests[-1].margin, tests[-1].outcome


test_of.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("key", "figure", "value", "is_read", "ends"),
    [
        (TO_HIT, "outcome", "failure", (0, 0, "failure"), "miss"),
        (TO_HIT, "outcome", "success", (2, 2, "success"), "hit"),
        (TO_HIT, "outcome", "critical success", (4, 4, "critical success"), "hit"),
        (TO_HIT, "outcome", "critical glitch", (0, 0, "critical glitch"), "miss"),
        (TO_HIT, "hits", 0, (0, 0, "failure"), "miss"),
        (TO_HIT, "hits", 6, (6, 6, "success"), "hit"),
        (TO_HIT, "net hits", 5, (5, 5, "success"), "hit"),
        (DEFEND, "outcome", "success", (2, 0, "success"), "miss"),
        (DEFEND, "outcome", "critical success", (6, 4, "critical success"), "miss"),
        (DEFEND, "hits", 2, (2, 0, "success"), "miss"),
        (DEFEND, "net hits", -2, (0, -2, "failure"), "hit"),
        (DEFEND, "net hits", 1, (3, 1, "success"), "miss"),
    ],
)
def test_in_shadowrun_everything_follows_from_the_hits_that_an_overruled_test_has(
    key: str, figure: str, value: int | str, is_read: tuple[int, int, str], ends: str
) -> None:
    session = fight("street-fight")

    session.overrule(key, figure, value, why="so it was")

    assert test_of(session, key) == is_read
    assert found(session, ATTACK, "outcome") == ends
    mine, theirs = test_of(session, TO_HIT)[0], test_of(session, DEFEND)[0]
    assert found(session, ATTACK, "net hits") == max(0, mine - theirs)


def scenario(name: str) -> Session:
    path = TESTS / "scenarios" / "shadowrun_4e" / f"{name}.toml"
    return perform(read(path.read_bytes(), path.name))


def test_edge_dice_are_added_to_the_hits_that_the_gamemaster_gave() -> None:
    session, key = scenario("edge-dice-after-a-roll-that-are-not-enough"), "r0/ann/a1/test/test"
    edge = [session.log.entry(seq).command for seq in (5, 6)]
    assert test_of(session, key)[0] == 4
    session.rewind(4)
    session.overrule(key, "hits", 0, why="the lamp went out")

    for command in edge:
        session.perform(command)

    assert test_of(session, key)[0] == 2


@pytest.mark.parametrize(
    ("figure", "value", "net"),
    [("outcome", "success", 1), ("outcome", "failure", 0), ("net hits", 3, 3), ("hits", 5, 3)],
)
def test_a_test_that_is_read_twice_is_overruled_against_what_it_needs_in_the_end(
    figure: str, value: int | str, net: int
) -> None:
    session, key = scenario("edge-in-summoning-and-against-its-drain"), "r0/ann/a1/summon/summon"
    session.rewind(5)

    session.overrule(key, figure, value, why="the stars were right")

    hits, margin, outcome = test_of(session, key)
    assert hits - 2 == margin
    assert (max(0, margin), outcome == "success") == (net, net > 0)
    assert len(session.audit().overrules) == len(list(slips(session.log))) == 1


def test_a_test_cannot_have_fewer_hits_than_none() -> None:
    with pytest.raises(ImpossibleFigure, match=r"-3 net hits are fewer than no hits") as refused:
        fight("street-fight").overrule(DEFEND, "net hits", -3, why="x")

    assert refused.value.accepts == "-2 or more"


@pytest.mark.parametrize(
    ("name", "key", "accepts"),
    [
        ("street-fight", TO_HIT, "base, hits, net hits, outcome, pool"),
        ("jinx", "jinx/a1/attack/to-hit", "base, degree, outcome, superior results, target"),
        ("stoya", "r1/assassin/a1/attack/to-hit", "base, degree, margin, outcome, target"),
        ("crossed-swords", "a1/attack/to-hit", "base, margin, outcome, target"),
    ],
)
def test_what_can_be_overruled_of_a_test_is_listed_in_the_words_of_the_game(name: str, key: str, accepts: str) -> None:
    with pytest.raises(NoSuchFigure) as refused:
        fight(name).overrule(key, "zzz", 1, why="x")

    assert set(accepts.split(", ")) - {"degree"} <= set(refused.value.accepts.split(", "))
    assert ("margin" in refused.value.accepts) == ("margin" in accepts)
    assert "rolled" not in refused.value.accepts


def test_the_word_of_the_game_is_what_the_record_is_told_in() -> None:
    session = fight("street-fight")
    session.overrule(TO_HIT, "net hits", 5, why="point blank")
    why = [(part.what, part.value) for part in session.why(TO_HIT).parts]

    assert ("net hits overruled", 5) in why
    assert [slip.figure for slip in slips(session.log)] == ["net hits"]


def test_superior_successes_that_were_overruled_say_so() -> None:
    session = fight("jinx")
    session.overrule("jinx/a1/attack/to-hit", "superior results", 1, why="a lamp")
    told = [
        event.why
        for entry in session.log.entries_of(session.log.timeline.line())
        for event in entry.events
        if isinstance(event, e.FigureFound) and event.name == "superior successes"
    ]

    assert told[0] == "as the gamemaster says"


@pytest.mark.parametrize(
    ("name", "key", "figure", "value"),
    [
        ("street-fight", ATTACK, "damage type", "foo"), ("street-fight", ATTACK, "boxes", -3),
        ("street-fight", ATTACK, "rounds", -50), ("street-fight", ATTACK, "net hits", -1),
        ("stoya", "assassin/damage", "dv", -7), ("stoya", "r1/assassin/a2/attack", "wounds", -2),
        ("stoya", "r1/assassin/a2/attack", "damage", -7), ("stoya", "assassin/initiative", "score", -7_000),
        ("stoya", "assassin/to-hit", "degree", "zzz"), ("stoya", "assassin", "shot at", "zzz"),
        ("stoya", "assassin", "attacks with", "zzz"), ("jinx", "jinx/a1/attack/to-hit", "superior results", 7),
    ],
)  # fmt: skip
def test_what_a_figure_cannot_be_is_refused(name: str, key: str, figure: str, value: int | str) -> None:
    session = fight(name)
    head = session.log.head

    with pytest.raises(ImpossibleFigure) as refused:
        session.overrule(key, figure, value, why="x")

    assert refused.value.accepts
    assert session.log.head == head


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [(TO_HIT, -3, "8 -1 -2 -1 -2 -3, at least 0"), ("r1/razor/a4/attack/to-hit", -30, ", at least 0 +3 Edge")],
)
def test_a_pool_below_zero_names_its_floor(key: str, value: int, why: str) -> None:
    session = fight("street-fight")

    session.modify(key, value, why="smoke")

    (pool,) = [part for part in session.why(key).parts if part.what == "pool"][-1:]
    assert pool.why.endswith(why)


def test_durability_is_told_whole_and_the_damage_taken_from_it() -> None:
    session = fight("stoya")
    adjusted = {"who": "assassin", "what": "tracks.damage", "value": 12, "why": "fell"}

    session.amend(24, Change(insert=({"adjust": adjusted},)), why="z")

    base = next(part for part in session.why("assassin/shock").parts if part.what == "base")
    assert (base.value, base.why) == (29, "Durability 35 less 12 damage taken, energy armor 6")


def test_a_word_whose_entry_is_not_performed_again_is_said_where_its_figure_is_found_now() -> None:
    """The net hits were found when Razor declined to spend Edge; without Edge he is not offered that choice."""
    session = fight("street-fight")
    session.overrule(ATTACK, "net hits", 3, why="he stood against the wall", by=Who("gina", Seat.GM))

    session.amend(2, Change(set={"edge": 0}), why="no Edge left")

    line = list(session.log.entries_of(session.log.timeline.line()))
    said = [(entry, event) for entry in line for event in entry.events if isinstance(event, e.Overruled)]
    assert [(event.key, event.figure, event.gm_says, entry.by.name) for entry, event in said] == [
        (ATTACK, "net hits", 3, "gina")
    ]
    assert not list(rehearse(session.log))
