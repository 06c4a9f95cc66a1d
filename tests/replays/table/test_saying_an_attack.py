"""An attack is typed with its target first; the weapon used last, and any unique words in any order, are understood."""

import io
from collections.abc import Sequence

import pytest
from nine_combatants import FIVE, FOUR, NINE, go_on, nine
from rich.console import Console
from strategies import clock

from ledger import events as e
from ledger.commands import ApplyModifier, BeginCombat, Declare, Join
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.events import Json
from machines.contract.ruleset import ruleset
from projections.combatants.roster import Combatant, Roster
from replays.api.session import Session
from replays.cli import narration
from replays.table.done import LineResult, VerbResult, which_meaning
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
        "t3 8 m burst rifle",
        "t3 burst 8 meters auto",
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
    assert asked.done.asks == "thu: which one? 1 to 4, n for none [1]"
    assert not asked.entries

    asked = submitted(soldiers, "3")
    assert asked.done.lines == (
        "  1  target in minor cover",
        "  2  target in moderate cover",
        "  3  target in major cover",
        "  4  behind cover",
    )
    assert asked.done.asks == "cover: which one? 1 to 4, n for none [1]"
    again = submitted(soldiers, "9")
    assert again.done.lines == ("'9' is not a meaning of 'cover'", *asked.done.lines)
    assert again.done.asks == asked.done.asks
    submitted(soldiers, "")
    submitted(soldiers, "undo exchange")
    if soldiers.asks:
        submitted(soldiers, "y")

    submitted(soldiers, "thu rifle 8m cover")
    submitted(soldiers, "thug-4")
    attacked = declared(submitted(soldiers, ""))
    terms = {"at": "thug-4", "using": "automatic rifle", "distance": 8, "modifiers": ["target in minor cover"]}
    assert attacked == [("attack", terms)]


@pytest.mark.parametrize("answer", ["4", "behind cover", "behind"])
def test_a_meaning_is_named_by_its_number_or_by_its_words(soldiers: Table, answer: str) -> None:
    submitted(soldiers, "t3 rifle 8m cover")
    assert declared(submitted(soldiers, answer))[0][1]["modifiers"] == ["behind cover"]


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


def test_a_target_means_an_attack_where_another_action_is_offered_first() -> None:
    async_ = table("eclipse_phase_2e", "async", "thug")
    offered = [each.command for each in async_.question().legal if isinstance(each.command, Declare)]
    assert "aim" == next(each.kind for each in offered if "at" in each.terms)

    declaration = async_.declaration("t1")
    assert declaration is not None
    assert ("attack", "thug-1") == (declaration.kind, declaration.terms["at"])


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


# ------------------------------------------------------------------------------------------------ modifiers


def modified(at: Table) -> list[tuple[str, int, str, int]]:
    """The gamemaster's modifiers that stand: key, value, reason, and the entry."""
    found = [entry for entry in at.session.log.newest_first() if isinstance(entry.command, ApplyModifier)]
    return [(each.command.key, each.command.value, each.command.why, each.seq) for each in reversed(found)]


@pytest.mark.parametrize("game", NINE)
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ('+10 "high ground"', [(10, "high ground")]),
        ("-2 dark alley", [(-2, "dark alley")]),
        ('+1 "high ground" -2 dark alley', [(1, "high ground"), (-2, "dark alley")]),
    ],
)
def test_a_modifier_with_its_reason_is_applied_to_the_roll_before_its_dice(
    game: str, typed: str, found: list[tuple[int, str]]
) -> None:
    at = nine(game)
    who = go_on(at)
    foe = FIVE[2] if who in FOUR else FOUR[2]
    submitted(at, f"{foe} {typed}")
    for _ in range(3):
        if modified(at):
            break
        submitted(at, "")
    assert [each[1:3] for each in modified(at)] == found
    rest = at.question().rest
    assert rest is not None
    assert rest.key.startswith(f"r1/{who}/")
    assert rest.key.endswith("/to-hit")
    total = at.game.vocabulary.sums.total
    changed = at.session.combat.figures.number(rest.key, total)
    at.session.undo("step")
    if len(found) == 2:
        at.session.undo("step")
    assert changed == at.session.combat.figures.number(rest.key, total) + sum(value for value, _ in found)


@pytest.mark.parametrize("game", NINE)
def test_the_attack_with_its_modifier_is_said_in_one_line_with_its_number(game: str) -> None:
    at = nine(game)
    who = go_on(at)
    foe, roster = (FIVE[2] if who in FOUR else FOUR[2]), at.session.combat.roster
    result = submitted(at, f'{foe} +1 "high ground"')
    lines = told(at, result)
    (line,) = [each for each in lines if "→" in each]
    assert line.lower().startswith(f"{roster.name(who)} → {roster.name(foe)}, "), line
    assert ", +1 high ground" in line
    number = line.rpartition(": ")[2]
    assert not [each for each in lines if "declares" in each or "assumed" in each.partition("→")[0]], lines
    for _ in range(3):
        rest = at.question().rest
        if rest is not None and rest.key.endswith("/to-hit"):
            break
        submitted(at, "")
    assert rest is not None
    total = at.session.combat.figures.number(rest.key, at.game.vocabulary.sums.total)
    assert number == (f"{total} dice" if game == "shadowrun_4e" else str(total))


def told(at: Table, result: LineResult) -> list[str]:
    text = io.StringIO()
    narration.line_result(Console(file=text, width=200), at, result)
    return [line[6:] for line in text.getvalue().splitlines()]


def test_the_line_names_weapon_mode_distance_and_cover_and_replaces_what_was_told_before(soldiers: Table) -> None:
    result = submitted(soldiers, 't3 burst 8m "target in minor cover" +10 "high ground"')
    assert told(soldiers, result) == [
        "Kade → Thug 3, automatic rifle, burst, 8 m, target in minor cover, +10 high ground: 75",
        "Kade spends 3 automatic rifle.",
    ]


def test_a_modifier_without_a_reason_asks_for_it(soldiers: Table) -> None:
    asked = submitted(soldiers, "t3 8m +10")
    assert (asked.done.asks, asked.entries) == ("why", ())
    submitted(soldiers, "high ground")
    submitted(soldiers, "")
    assert [each[1:3] for each in modified(soldiers)] == [(10, "high ground")]


@pytest.mark.parametrize("line", ["t3 8m +10 dark\ud800", "t3 8m blaster +10 high ground"])
def test_an_attack_and_its_modifier_are_performed_together_or_not_at_all(soldiers: Table, line: str) -> None:
    before = soldiers.session.log.digest
    assert soldiers.submit(line).refused is not None
    assert soldiers.session.log.digest == before


def test_a_player_may_not_add_a_modifier(soldiers: Table) -> None:
    session = soldiers.session
    session.perform(Join("ben", ruleset(session.game.name).sheets["thug"], "Ben", player="ben"))
    mine = Table(session, Who("ben", Seat.PLAYER))
    assert mine.submit("ben: attack kade +10 high ground").refused is not None
    assert not modified(soldiers)


def test_a_modifier_of_an_attack_that_is_undone_is_forgotten(soldiers: Table) -> None:
    submitted(soldiers, "t3 8m +10 high ground")
    submitted(soldiers, "undo")
    submitted(soldiers, "t3 8m")
    submitted(soldiers, "")
    assert modified(soldiers) == []


def test_a_modifier_of_an_attack_is_applied_again_after_a_redo(soldiers: Table) -> None:
    submitted(soldiers, "t3 8m +10 high ground")
    submitted(soldiers, "undo")
    submitted(soldiers, "redo")
    submitted(soldiers, "")
    assert [(10, "high ground")] == [(each[1], each[2]) for each in modified(soldiers)]


@pytest.mark.parametrize(("correction", "left"), [("remove {} wrong", []), ("amend {} value=5 smaller", [5])])
def test_a_modifier_of_an_attack_that_is_corrected_is_not_applied_again(
    soldiers: Table, correction: str, left: list[int]
) -> None:
    submitted(soldiers, "t3 8m +10 high ground")
    submitted(soldiers, "")
    applied = next(
        each.seq for each in reversed(list(soldiers.session.entries())) if isinstance(each.command, ApplyModifier)
    )
    submitted(soldiers, correction.format(applied))
    while soldiers.asks:
        submitted(soldiers, "y")

    standing = soldiers.session.log.entries_of(soldiers.session.log.timeline.line())
    assert left == [each.command.value for each in standing if isinstance(each.command, ApplyModifier)]


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        ("thug-8 8", "8", "thug-8 8 in all"),
        ("Thu +10 thunder", "thu", "8 in all +10 thunder"),
        ("t8 8", "8", "t8 8 in all"),
    ],
)
def test_the_meaning_stands_in_the_place_of_the_whole_word(line: str, word: str, expected: str) -> None:
    done: list[str] = []
    asked = which_meaning(
        Ambiguous(word, ["8 in all", "8 on the dice"], "dice"), line, lambda each: done.append(each) or VerbResult()
    )
    assert asked.then is not None
    asked.then("1")
    assert [expected] == done


def test_words_after_a_choice_are_no_modifier(soldiers: Table) -> None:
    submitted(soldiers, "t3 8m")
    submitted(soldiers, "fray +10 she says")
    assert modified(soldiers) == []


def in_turn_of(game: str, who: str) -> Table:
    at = nine(game)
    while go_on(at) != who:
        submitted(at, "end")
    return at


def narrated(at: Table, line: str) -> str:
    result, console = submitted(at, line), Console(file=io.StringIO(), width=100)
    narration.line_result(console, at, result)
    return console.file.getvalue()


@pytest.mark.parametrize("line", ["t1 feint", "feint t1", "thug-1 feint rapier"])
def test_a_feint_is_said_in_one_line(line):
    assert "Mira → thug 1, feint, rapier: 15" in narrated(in_turn_of("gurps_3e", "mira"), line)


@pytest.mark.parametrize("line", ["t1 manabolt", "cast t1 manabolt", "t1 cast manabolt"])
def test_a_spell_is_said_in_one_line(line):
    said = narrated(in_turn_of("shadowrun_4e", "mira"), line)

    assert "Mira → thug 1, cast a spell, force 5, manabolt spell: 10 dice" in said


def test_a_kind_before_a_brief_target_is_understood():
    assert "Mira → thug 1, rapier: 15" in narrated(in_turn_of("gurps_3e", "mira"), "attack t1")


@pytest.mark.parametrize(
    ("game", "line", "expected"),
    [
        ("eclipse_phase_2e", "t1 holdout full", "no mode full with holdout (accepted: modes: semi, burst)"),
        ("shadowrun_4e", "t1 streetline burst", "no mode burst with streetline special (accepted: modes: single)"),
        ("eclipse_phase_1e", "t1 psychic stab burst", "no mode burst with psychic stab (accepted: no mode)"),
    ],
)
def test_a_mode_that_the_weapon_lacks_is_refused_with_its_modes(game, line, expected):
    refused = in_turn_of(game, "mira").submit(line).refused

    assert str(refused).endswith(expected), refused


@pytest.mark.parametrize("who", ["lena", "mira", "bolt"])
def test_the_menu_of_shadowrun_shows_the_pools_that_are_rolled(who):
    at = in_turn_of("shadowrun_4e", who)
    shown = [each for each in at.question().legal if each.target is not None]
    assert {each.word for each in shown} >= {"attack"}
    for option in shown[:: max(1, len(shown) // 6)]:
        copy = at.session.state().head
        said = narrated(at, option.label)
        if option.word in ("attack", "cast"):
            assert f": {option.target} dice" in said, (option.label, said)
        at.rewind(copy, "another")
        at.submit("note go on")


def test_a_word_that_is_like_a_known_one_is_refused_with_that():
    refused = in_turn_of("gurps_3e", "mira").submit("t1 fient").refused

    assert str(refused).endswith("'fient' is not understood here; did you mean 'feint'? (accepted: feint)")


@pytest.mark.parametrize("seed", range(3, 8))
def test_a_beginning_of_an_allys_name_asks_before_it_attacks(seed: int) -> None:
    at = nine("eclipse_phase_2e", seed=seed)
    who = go_on(at)
    ally = next(each for each in (FOUR if who in FOUR else FIVE) if each != who)
    asked = submitted(at, ally[0] if who in FOUR else ally.replace("thug-", "t"))

    assert not asked.entries
    assert (
        asked.done.asks
        == f"{at.seen.roster.name(ally)} is on the side of {at.seen.roster.name(who)}; attack {ally}? y/n"
    )
    assert declared(submitted(at, "y"))[0][1]["at"] == ally


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
def test_a_beginning_means_a_target_rather_than_an_action_that_is_not_offered(game: str) -> None:
    at = nine(game, seed=3)
    while go_on(at) not in FIVE:
        submitted(at, "end")

    assert "break_free" in at.game.kinds
    assert "break_free" not in at.question().kinds
    assert declared(submitted(at, "b"))[0][1]["at"] == "bolt"


def test_the_whole_name_of_an_ally_is_attacked_without_a_question() -> None:
    at = nine("eclipse_phase_2e")
    who = go_on(at)
    ally = next(each for each in (FOUR if who in FOUR else FIVE) if each != who)

    assert declared(submitted(at, ally))[0][1]["at"] == ally


def test_the_weapon_at_hand_is_refused_with_the_reason_rather_than_replaced_by_a_fist() -> None:
    session = Session.create("memory://", ruleset="gurps_3e", clock=clock, draw=level)
    at = Table(session, GM)
    at.add(["like", "guard", "guns=5", "as", "gus@sam"])
    at.add(["thug=guard:2"])
    submitted(at, "begin")
    go_on(at)
    if at.question().rest.by != "gus":
        submitted(at, "")
    refused = at.submit("t1").refused

    assert refused is not None
    assert "fist" not in str(refused)
    assert not declared(at.submit("t1"))


def test_a_question_is_left_by_no_by_another_line_and_by_quit(soldiers: Table) -> None:
    asked = submitted(soldiers, "t3 8m cover")
    assert asked.done.asks == "cover: which one? 1 to 4, n for none [1]"
    assert submitted(soldiers, "n").done.lines == ("nothing is changed",)

    submitted(soldiers, "t3 8m cover")
    assert declared(submitted(soldiers, "t2 9m"))[0][1] == {"at": "thug-2", "using": "automatic rifle", "distance": 9}

    submitted(soldiers, "undo")
    if soldiers.asks:
        submitted(soldiers, "y")
    submitted(soldiers, "t3 8m cover")
    assert submitted(soldiers, "quit").done.over
