"""An attack is typed with its target first; the weapon used last, and any unique words in any order, are understood."""

from collections.abc import Sequence

import pytest
from strategies import clock

from ledger import events as e
from ledger.commands import BeginCombat, Join
from ledger.dice import parse
from ledger.entry import Who
from ledger.events import Json
from machines.contract.ruleset import ruleset
from projections.combatants.roster import Combatant, Roster
from replays.api.session import Session
from replays.table.done import LineResult
from replays.table.language.grammar import Ambiguous
from replays.table.language.targets import named_briefly, named_exactly
from replays.table.table import Table

GM = Who("gm")


def level(_: str, dice: str) -> tuple[int, ...]:
    """Draws 40 on a hundred-sided die, otherwise 2, so that the order of joining decides who acts first."""
    return tuple(40 if sides == 100 else 2 for sides in parse(dice).sides)


def table(game: str, first: str, other: str, *, foes: int = 4) -> Table:
    """The gamemaster's table, with dice drawn: Kade, who acts first, Lena, and Thug 1 to 4, a player's."""
    session = Session.create("memory://", ruleset=game, clock=clock, draw=level)
    sheets = ruleset(game).sheets
    session.perform(Join("kade", sheets[first], "Kade"))
    session.perform(Join("lena", sheets[other], "Lena Ruiz"))
    for number in range(1, foes + 1):
        session.perform(Join(f"thug-{number}", sheets[other], f"Thug {number}", player="ben"))
    session.perform(BeginCombat())
    at = Table(session, GM)
    for _ in range(20):
        if session.combat.turn.who is None:
            submitted(at, "")
    assert session.combat.turn.who == "kade"
    return at


@pytest.fixture
def soldiers() -> Table:
    return table("eclipse_phase_1e", "soldier", "thug")


def submitted(at: Table, line: str) -> LineResult:
    result = at.submit(line)
    assert result.refused is None, f"{line}: {result.refused}"
    return result


def declared(result: LineResult) -> Sequence[tuple[str, Json]]:
    return [
        (each.kind, each.terms) for entry in result.entries for each in entry.events if isinstance(each, e.Declared)
    ]


BURST = {"at": "thug-3", "using": "automatic rifle", "mode": "burst", "distance": 8}


@pytest.mark.parametrize(
    "line",
    [
        "thug-3 automatic rifle burst distance=8",
        "t3 rifle burst 8m",
        "T3 8M Burst RIFLE",
        "Thug 3 burst 8m rifle",
        '"thug 3" mode=burst 8m using="automatic rifle"',
        "th3 burst 8m auto",
    ],
)
def test_words_are_understood_in_any_case_and_order(soldiers: Table, line: str) -> None:
    assert declared(submitted(soldiers, line)) == [("attack", BURST)]


def test_without_a_word_the_first_weapon_that_is_offered_is_used(soldiers: Table) -> None:
    assert declared(submitted(soldiers, "t2")) == [("attack", {"at": "thug-2", "using": "automatic rifle"})]


def test_the_weapon_and_mode_used_last_are_used_until_another_is_named(soldiers: Table) -> None:
    submitted(soldiers, "t3 heavy pistol semi 8m")
    for line in ("thug-3: none", "", ""):
        submitted(soldiers, line)
    while soldiers.question().rest is not None and soldiers.session.combat.exchange.frame is not None:
        submitted(soldiers, "")

    again = submitted(soldiers, "t1 12m")
    assert declared(again) == [("attack", {"at": "thug-1", "using": "heavy pistol", "mode": "semi", "distance": 12})]


def test_an_ambiguous_target_and_word_are_asked_with_the_candidates(soldiers: Table) -> None:
    asked = submitted(soldiers, "thu rifle 8m cover")
    assert asked.done.lines == ("  1  thug-1", "  2  thug-2", "  3  thug-3", "  4  thug-4")
    assert asked.done.asks == "thu: which one? 1 to 4 [1]"
    assert not asked.entries

    asked = submitted(soldiers, "3")
    assert asked.done.lines[:2] == ('  1  modifiers="behind cover"', '  2  modifiers="target in minor cover"')
    assert asked.done.asks == "cover: which one? 1 to 4 [1]"
    assert soldiers.submit("9").refused is not None
    assert not soldiers.asks

    submitted(soldiers, "thu rifle 8m cover")
    submitted(soldiers, "thug-4")
    attacked = declared(submitted(soldiers, "2"))
    terms = {"at": "thug-4", "using": "automatic rifle", "distance": 8, "modifiers": ["target in minor cover"]}
    assert attacked == [("attack", terms)]


def test_an_empty_answer_takes_the_first_meaning(soldiers: Table) -> None:
    submitted(soldiers, "thu rifle 8m")
    assert declared(submitted(soldiers, ""))[0][1]["at"] == "thug-1"


@pytest.mark.parametrize("line", ["ted rifle", "t9", "t3 blaster", "t3 burst full 8m knife"])
def test_what_names_no_target_or_means_nothing_is_refused_and_changes_nothing(soldiers: Table, line: str) -> None:
    before = soldiers.session.log.digest
    refused = soldiers.submit(line).refused
    assert refused is not None
    assert soldiers.session.log.digest == before


def test_the_word_of_an_option_is_never_a_target(soldiers: Table) -> None:
    session = soldiers.session
    session.perform(Join("full", ruleset(session.game.name).sheets["thug"], "Move"))
    assert declared(submitted(soldiers, "move walk")) == [("move", {"how": "walk"})]


@pytest.mark.parametrize(
    ("game", "first", "other", "line", "terms"),
    [
        ("eclipse_phase_2e", "soldier", "thug", "t1 rifle burst 8m", {"using": "assault rifle", "mode": "burst"}),
        ("shadowrun_4e", "street-samurai", "ganger", "t1 predator 8m fog", {"using": "ares predator iv"}),
        ("gurps_3e", "guard", "guard", "t1 8yd", {"using": "pistol", "distance": 8}),
    ],
)
def test_every_game_understands_a_target_first(game: str, first: str, other: str, line: str, terms: Json) -> None:
    at = table(game, first, other)
    result = at.submit(line)
    if result.done.asks:
        result = at.submit("")
    assert result.refused is None, result.refused
    ((kind, found),) = declared(result)
    assert (kind, found["at"]) == ("attack", "thug-1")
    assert terms.items() <= found.items()


def test_natural_weapons_are_offered_last() -> None:
    """A fist is never the weapon at hand where there is a pistol."""
    at = table("gurps_3e", "guard", "guard")
    offers = [each for each in at.game.offers(at.session.combat, "kade") if each.kind == "attack"]
    assert [each.terms["using"] for each in offers[:2]] == ["pistol", "fist"]


# ------------------------------------------------------------------------------------------------ names

ROSTER = Roster({
    who: Combatant(name)
    for who, name in {
        "thug-1": "Thug 1", "thug-13": "Thug 13", "troll-3": "Old Troll", "kira": "Kira Solveig", "kirk": "Kirk",
    }.items()
})  # fmt: skip


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("thug-1 x", ("thug-1", 1)),
        ("Thug 1 x", ("thug-1", 2)),
        ("THUG_13", ("thug-13", 1)),
        ("old troll burst", ("troll-3", 2)),
        ("kira", ("kira", 1)),
        ("kira solveig knife", ("kira", 2)),
        ("thug", None),
        ("", None),
    ],
)
def test_whole_names(line: str, found: tuple[str, int] | None) -> None:
    assert named_exactly(line.split(), ROSTER, list(ROSTER.who)) == found


@pytest.mark.parametrize(
    ("word", "found"),
    [("t1", "thug-1"), ("t13", "thug-13"), ("t3", "troll-3"), ("kirk", "kirk"), ("kiras", None), ("old", "troll-3")],
)
def test_abbreviated_names(word: str, found: str | None) -> None:
    assert named_briefly(word, ROSTER, list(ROSTER.who)) == found


@pytest.mark.parametrize(("word", "candidates"), [("kir", ("kira", "kirk")), ("thug", ("thug-1", "thug-13"))])
def test_names_that_fit_several(word: str, candidates: tuple[str, ...]) -> None:
    with pytest.raises(Ambiguous) as refused:
        named_briefly(word, ROSTER, list(ROSTER.who))
    assert refused.value.candidates == candidates


def test_a_word_of_a_value_that_is_named_already_adds_nothing(soldiers: Table) -> None:
    attacked = declared(submitted(soldiers, "t4 cover minor 8m"))
    terms = {"at": "thug-4", "using": "automatic rifle", "distance": 8, "modifiers": ["target in minor cover"]}
    assert attacked == [("attack", terms)]
