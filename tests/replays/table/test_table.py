"""The table without its terminal: what a line means, what it does, and what it does not change."""

from pathlib import Path

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect
from strategies import clock, drawn

from ledger.commands import BeginCombat, Declare, Note
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import BadSheet, UnknownStep
from machines.contract.ruleset import ruleset
from projections.path import Rest
from replays.api.session import Session
from replays.table import start
from replays.table.completion import completions
from replays.table.done import LineResult
from replays.table.language import answers, grammar
from replays.table.language.joining import joins
from replays.table.language.known_sheets import KnownSheets
from replays.table.language.outside_combat import declarable_outside_combat
from replays.table.language.questions import Question
from replays.table.table import Table
from replays.table.verbs import VERBS

GAME = "eclipse_phase_1e"
ANN = Who("ann")
GUARD = """
aptitudes  = { som = 15, wil = 15 }
durability = 30
init       = 50
skills     = { "kinetic weapons" = 40, fray = 30 }
[weapons.pistol]
kind   = "ranged"
skill  = "kinetic weapons"
damage = "2d10"
modes  = ["semi"]
"""
FAY = 'name = "Fay Ray"\nplayer = "kira"\n[sheet]' + GUARD.replace("[weapons", "[sheet.weapons").replace(
    "pistol", "rifle"
)


@pytest.fixture(autouse=True)
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("guard.toml").write_text(GUARD)
    Path("fay.toml").write_text(FAY)


def opened() -> Session:
    return Session.create(MemoryStore(), ruleset=GAME, title="Alley", session="FIGHT", clock=clock, draw=drawn)


def at_table(*lines: str, who: Who = ANN) -> Table:
    """Returns a table after these lines, none of which was refused."""
    table = Table(opened(), who)
    for line in lines:
        said(table, line)
    return table


def said(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def undone(table: Table, line: str = "undo") -> None:
    """Undoes, and confirms it if the table asks."""
    said(table, line)
    if table.asks:
        said(table, "y")
    assert not table.asks


def refused(table: Table, line: str) -> str:
    """Returns the slug of a refusal that changed nothing."""
    before = table.session.log.last, table.session.log.digest, table.session.combat
    reply = table.submit(line)
    assert reply.refused is not None, line
    assert before == (table.session.log.last, table.session.log.digest, table.session.combat)
    return reply.refused.slug


ACTING = ("add guard.toml:2", "add fay.toml", "", "10 20 99")
"""Returns a table at which Fay is to act."""


def names(table: Table) -> list[str]:
    return list(table.session.combat.roster.who)


def words(table: Table, before: str) -> list[str]:
    return [word.text for word in completions(table, before)]


# ---------------------------------------------------------------------------------------- the grammar of a line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b", ["a", "b"]),
        ("what='draws a gun' x", ["what='draws a gun'", "x"]),
        ('a=["x y", 2] b={c = 1, d = "e f"}', ['a=["x y", 2]', 'b={c = 1, d = "e f"}']),
        ("don't stop", ["don't", "stop"]),
        ('an "open quote', ["an", '"open', "quote"]),
        ("", []),
    ],
)
def test_quotes_and_brackets_keep_words_together(line, expected):
    assert expected == grammar.words(line)


STR, INT, BOOL = inspect.StrType(), inspect.IntType(), inspect.BoolType()


@pytest.mark.parametrize(
    ("raw", "kind", "expected"),
    [
        ("full", STR, "full"),
        ("7", STR, "7"),
        ("7", INT, 7),
        ("-7", inspect.UnionType((INT, inspect.NoneType())), -7),
        ("yes", BOOL, True),
        ("running,smartlink", inspect.VarTupleType(STR), ["running", "smartlink"]),
        ("running", inspect.VarTupleType(STR), ["running"]),
        ("ann", inspect.UnionType((STR, inspect.VarTupleType(STR))), "ann"),
        ("ann,bob", inspect.UnionType((STR, inspect.VarTupleType(STR))), ["ann", "bob"]),
        ("ann:2,bob:3", inspect.DictType(STR, INT), {"ann": 2, "bob": 3}),
        ('["a", 1]', inspect.AnyType(), ["a", 1]),
        ("true", inspect.AnyType(), True),
        ('"a b"', STR, "a b"),
    ],
)
def test_a_value_is_read_by_the_type_of_its_field(raw, kind, expected):
    assert expected == grammar.value(raw, kind)


@pytest.mark.parametrize("raw", ["[1.5]", "[", "{a = 2020-01-01}", "[" * 3000, "[99999999999999999999]"])
def test_a_value_that_no_log_can_hold_is_refused(raw):
    with pytest.raises(grammar.BadValue):
        grammar.value(raw, inspect.AnyType())


# ---------------------------------------------------------------------------------------- setting up


def test_several_of_a_kind_get_numbers_and_later_ones_the_next():
    table = at_table("add guard.toml:3", "add guard.toml:2", "add guard.toml", "add guard.toml boss=guard.toml@kira")

    expected = ["guard-1", "guard-2", "guard-3", "guard-4", "guard-5", "guard", "guard-6", "boss"]
    assert expected == names(table)
    assert "kira" == table.session.combat.roster["boss"].player
    assert "guard 3" == table.session.combat.roster["guard-3"].name


def test_an_own_sheet_brings_its_name_and_player():
    table = at_table("add fay.toml")

    one = table.session.combat.roster["fay-ray"]
    assert ("Fay Ray", "kira") == (one.name, one.player)


def test_a_script_brings_all_of_its_combatants():
    table = at_table("add stoya")

    assert ["assassin", "stoya"] == names(table)


def test_a_shipped_sheet_is_added_by_its_name_or_the_beginning_of_it():
    sheet = {"aptitudes": {"som": 10}, "durability": 20, "init": 40}
    game = msgspec.structs.replace(ruleset(GAME), sheets={"Nova Guard": sheet, "drone": sheet})

    assert ["nova-guard"] == [join.who for join in joins(KnownSheets(game), ["nova"], ())]
    assert ["nova-guard-2"] == [join.who for join in joins(KnownSheets(game), ["Nova Guard"], ("nova-guard",))]
    expected = [("drone-1", "drone 1", "ben"), ("drone-2", "drone 2", "ben")]
    assert expected == [(join.who, join.name, join.player) for join in joins(KnownSheets(game), ["drone:2@ben"], ())]


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("add", "table/not-understood"),
        ("add nobody", "sheet/unknown"),
        ("add nobody.toml", "sheet/unknown"),
        ("add bad.toml", "sheet/file"),
        ("add wrong.toml", "sheet/invalid"),
        ("add other.toml", "sheet/file"),
        ("add guard.toml:0", "sheet/unknown"),
        ("add guard.toml:9999", "sheet/unknown"),
        ("add stoya:2", "sheet/file"),
        ("add guard.toml gm=guard.toml", "combatant/bad-id"),
        ("begin", "combat/nobody"),
        ("begin weather=rain", "situation/invalid"),
        ("begin now", "table/not-understood"),
        ("attack", "table/not-understood"),
        ("leave nobody", "combatant/unknown"),
    ],
)
def test_what_cannot_be_set_up_is_refused_whole(line, slug):
    Path("bad.toml").write_bytes(b"\xff = [")
    Path("wrong.toml").write_text(GUARD.replace("durability", "durable"))
    Path("other.toml").write_text('ruleset = "chess"\n' + GUARD)
    table = Table(opened(), ANN)
    if slug == "situation/invalid":
        said(table, "add guard.toml:2")

    assert slug == refused(table, line)


def test_an_empty_line_begins_the_first_fight_and_no_later_one():
    table = at_table("add guard.toml:2", "")
    assert table.session.combat.clock.fighting

    said(table, "/end enough")
    said(table, "")
    assert not table.session.combat.clock.fighting


# ---------------------------------------------------------------------------------------- dice


def test_faces_are_for_the_first_roll_or_for_all_in_turn():
    expected = {"r1/guard-1/initiative": (10,), "r1/guard-2/initiative": (20,)}
    table = at_table("add guard.toml:2", "", "10")
    assert ["r1/guard-2/initiative"] == [rest.key for rest in table.session.rests]

    undone(table)
    reply = said(table, "10, 20")
    faces = {event.key: event.faces for entry in reply.entries for event in entry.events if hasattr(event, "faces")}
    assert expected == faces


@pytest.mark.parametrize(
    "line", ["guard-2 7", "guard-2=7", "guard-2: 7", "guard-2/initiative 7", "guard-2/initiative=7"]
)
def test_a_roll_is_answered_by_whoever_rolls(line):
    table = at_table("add guard.toml:2", "", line)

    assert ["r1/guard-1/initiative"] == [rest.key for rest in table.session.rests]


def test_several_rolls_are_answered_at_once_or_not_at_all():
    table = at_table("add guard.toml:2", "")

    assert "dice/impossible-face" == refused(table, "guard-1=7 guard-2=100")
    assert "table/not-understood" == refused(table, "guard-1=7 guard-1=8")
    assert "dice/wrong-count" == refused(table, "1 2 3")
    said(table, "guard-1=7 guard-2=8")
    assert 1 == table.session.combat.clock.number


def test_several_rolls_are_answered_by_name_one_after_the_other():
    table = at_table("add guard.toml:4", "")
    said(table, "guard-1 7 guard-3 99 GUARD-2 ~")
    assert ["guard-4"] == [rest.by for rest in table.session.rests]


def test_a_wrong_answer_among_several_is_named_and_the_others_are_kept():
    table = at_table("add guard.toml:4", "")
    reply = said(table, "guard-1 7 guard-9 12 guard-2 100 guard-3 5")

    assert ["guard-2", "guard-4"] == [rest.by for rest in table.session.rests]
    assert reply.done.lines == (
        "✗ guard-9 12: dice/not-asked-for: 'guard-9' means no open roll (accepted: guard-1, guard-2, guard-3, guard-4)",
        "✗ guard-2 100: dice/impossible-face: a d100 has no face 100 (accepted: 0 to 99; 00 for 100)",
    )
    assert "table/not-understood" == refused(table, "guard-9 12 guard-8 7")
    assert "table/not-understood" == refused(table, "guard-4 12 guard-4 7")


@pytest.mark.parametrize("line", ["guard-1 555511112222", "555511112222", "5 5 5 5 1 1 1 1 2 2 2 2"])
def test_digits_without_gaps_are_the_faces_of_several_dice(line):
    rolls = (answers.OpenRoll("r1/guard-1/hit", "guard-1", "guard-1", "Guard", "hit", "12d6", None),)
    meaning = answers._dice(Question(Rest("r1/guard-1/hit", "guard-1", "hit", "12d6"), rolls=rolls), line)
    assert [command.faces for command in meaning.commands] == [(5, 5, 5, 5, 1, 1, 1, 1, 2, 2, 2, 2)]


def test_an_empty_line_draws_one_and_a_tilde_or_a_star_all():
    for everything in "~*":
        table = at_table("add guard.toml:3", "", "")
        assert 2 == len(table.session.rests)
        said(table, everything)
        assert "guard" == table.session.combat.turn.who[:5]


def test_the_gamemaster_s_dice_may_be_drawn_at_once_while_players_are_asked():
    table = at_table("dice auto", *ACTING[:3])

    assert ["fay-ray"] == [rest.by for rest in table.session.rests]


def test_everybody_s_dice_may_be_drawn_at_once_or_nobody_s():
    assert at_table("dice draw", *ACTING[:3]).session.combat.clock.number == 1

    table = at_table("dice typed", *ACTING[:3])
    assert "table/not-understood" == refused(table, "")
    said(table, "*")


def test_choices_with_a_default_may_be_passed_over_but_never_somebody_s_own_moment(monkeypatch):
    table = at_table("defaults all", *ACTING)
    rest = table.session.rests[0]

    assert rest.default
    assert any(option.option in table.game.kinds for option in rest.options)
    before = table.session.log.last
    said(table, "defaults")
    assert before == table.session.log.last
    monkeypatch.setattr(Table, "game", msgspec.structs.replace(table.game, kinds={}))
    said(table, "defaults auto")
    assert (rest,) == table.session.rests[:1]
    said(table, "defaults all")
    assert rest not in table.session.rests


def test_what_was_drawn_at_once_is_not_drawn_again_after_an_undo():
    table = at_table("add guard.toml:2", "", "dice draw")
    assert table.session.combat.turn.who

    undone(table)
    assert 2 == len(table.session.rests)
    said(table, "show")
    assert 2 == len(table.session.rests)


def test_a_signed_number_modifies_the_open_roll():
    table = at_table(*ACTING, "1", "1", "-10 smoke", "fay-ray/to-hit")

    assert table.question().rolls[0].target == 30


# ---------------------------------------------------------------------------------------- choices and declarations


def test_an_option_is_meant_by_number_word_or_beginning():
    for line in ("1", "fray", "fr", "fray ducks low", "1 ducks low"):
        table = at_table(*ACTING, "1")
        word = table.question().legal[0].word
        reply = said(table, line.replace("fray", word).replace("fr", word[:2]))
        assert word == reply.entries[0].command.option
        assert ("ducks low" if "low" in line else "") == reply.entries[0].command.words


def test_the_numbers_of_what_is_offered_are_what_is_declared():
    table = at_table(*ACTING)
    for number, answer in enumerate(table.question().legal, 1):
        table = at_table(*ACTING)
        reply = said(table, str(number))
        assert answer.command == msgspec.structs.replace(reply.entries[0].command, given_at=None)


@pytest.mark.parametrize(
    "line",
    [
        "attack guard-2 rifle",
        "att guard-2",
        "attack at=guard-2 using=rifle",
        "fay-ray: attack guard-2",
        "attack guard-2 by=fay-ray",
    ],
)
def test_a_declaration_is_typed_in_many_ways(line):
    table = at_table(*ACTING, line)
    frame = table.session.combat.exchange.frame

    assert frame is not None
    expected = {"at": "guard-2", "using": "rifle"}
    assert ("attack", "fay-ray") == (frame.kind, frame.by)
    assert expected == msgspec.json.decode(frame.terms)


def test_pairs_change_and_add_terms():
    table = at_table(*ACTING, "1 at=guard-2 range=long")
    frame = table.session.combat.exchange.frame

    assert frame is not None
    assert {"at": "guard-2", "using": "rifle", "range": "long"} == msgspec.json.decode(frame.terms)


def test_words_of_one_s_own_go_where_the_declaration_has_room_for_them():
    table = at_table(*ACTING, "quick draws a second rifle")
    declared = next(table.session.log.newest_first()).command

    assert "draws a second rifle" == declared.terms["what"]


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("0", "choice/not-offered"),
        ("99", "choice/not-offered"),
        ("dance", "choice/not-offered"),
        ("attack", "table/not-understood"),
        ("attack guard-9", "table/not-understood"),
        ("1 colour=red", "terms/invalid"),
        ("1 range=[", "table/value"),
        ("1 range=nowhere", "terms/invalid"),
        ("nobody: 1", "combatant/unknown"),
        ("guard-1: 1", "table/not-understood"),
        ("guard-1: attack fay-ray", "turn/not-yours"),
        ("undo 0", "table/not-understood"),
        ("redo", "redo/nothing"),
        ("why nothing/such", "roll/unknown"),
        ("log many", "table/not-understood"),
        ("modify x y", "table/not-understood"),
        ("modify nothing/such 3 x", "roll/unknown"),
        ("overrule a b", "table/not-understood"),
        ("overrule fay-ray/initiative luck 3 x", "overrule/no-such-figure"),
        ("adjust fay-ray luck 3 x", "adjust/unknown"),
        ("time 3 minutes", "combat/already-begun"),
        ("time soon", "table/not-understood"),
        ("dice loaded", "table/not-understood"),
        ("help nonsense", "table/not-understood"),
        ("begin", "combat/already-begun"),
        ("x" * 5000, "table/not-understood"),
        ("note \ud800", "command/invalid"),
    ],
)
def test_a_refused_line_leaves_the_log_as_it_was(line, slug):
    table = at_table(*ACTING)
    assert slug == refused(table, line)


def test_a_word_of_the_table_gives_way_to_an_option_of_the_same_name():
    table = at_table(*ACTING, "end")
    assert table.session.combat.clock.fighting

    said(table, "/end")
    assert not table.session.combat.clock.fighting


def test_the_foe_s_name_stands_before_the_friend_s():
    table = at_table("add guard.toml:2", "add fay.toml", "", "99 20 10")
    said_ = [answer.label for answer in table.question().legal if answer.word == "attack"]

    assert "fay-ray" in said_[0]


# ---------------------------------------------------------------------------------------- a game with more words


@pytest.fixture
def wordy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game, with `quick` possible at any time, and with values to offer for fields."""
    game = ruleset(GAME)
    offered = {"range": ("short", "medium", "long"), "modifiers": ("prone_target", "smoke"), "using": ("rifle",)}
    shouts = {"fay-ray": {"what": "shouts"}}
    attack = msgspec.structs.replace(game.kinds["attack"], words=lambda *_: offered)
    quick = msgspec.structs.replace(
        game.kinds["quick"],
        anytime=True,
        check=lambda *_: None,
        breaks_in=lambda _, who: iter((shouts[who],) if who in shouts else ()),
    )
    changed = msgspec.structs.replace(game, kinds={**game.kinds, "attack": attack, "quick": quick})
    for place in ("replays.api.reading.rules", "replays.sessions.drafts.ruleset"):
        monkeypatch.setattr(place, lambda _: changed)


@pytest.mark.usefixtures("wordy")
def test_bare_words_are_looked_up_among_the_values_of_the_fields():
    table = at_table(*ACTING)
    answer = table.question().legal[0].command
    assert isinstance(answer, Declare)

    declared = table.declaration_parser(table.question()).extended(answer, "med surprised")
    assert {**answer.terms, "range": "medium", "surprised": True} == declared.terms
    assert "med" not in declared.terms.get("modifiers", ())
    several = table.declaration_parser(table.question()).extended(answer, "smoke prone_target")
    assert ["smoke", "prone_target"] == several.terms["modifiers"]
    assert "table/not-understood" == refused(table, "1 purple")


@pytest.mark.usefixtures("wordy")
def test_a_value_that_is_refused_as_typed_is_tried_in_full():
    table = at_table(*ACTING, "1 range=med")
    frame = table.session.combat.exchange.frame

    assert frame is not None
    assert "medium" == msgspec.json.decode(frame.terms)["range"]


@pytest.mark.usefixtures("wordy")
def test_somebody_who_is_not_asked_may_interrupt():
    table = at_table(*ACTING, "1", "1")
    assert table.interrupts(table.question())

    said(table, 'guard-2: quick what="shouts"')
    assert "guard-2" == next(table.session.log.newest_first()).command.by


def test_moxie_for_an_open_test_is_shown_and_can_be_said_as_it_is_shown():
    Path("lucky.toml").write_text("moxie = 2\n" + GUARD)
    table = at_table("add lucky.toml guard.toml", "", "10 20", "attack lucky", "1")
    shown = table.interrupts(table.question())
    assert ["lucky: moxie r1/guard/a1/attack/defend"] == shown

    said(table, shown[0])
    assert 1 == table.session.combat.resources.resource("lucky", "moxie").left
    assert [] == table.interrupts(table.question())


@pytest.mark.usefixtures("wordy")
def test_completion_offers_fields_and_their_values():
    table = at_table(*ACTING)

    assert ["medium"] == words(table, "1 range=m")
    assert ["smoke"] == words(table, "1 modifiers=prone_target,s")
    assert {"range=", "modifiers=", "medium"} <= {*words(table, "attack guard-1 ")}
    assert ["range="] == words(table, "1 ran")


# ---------------------------------------------------------------------------------------- completion


def test_completion_offers_what_can_be_typed_here():
    table = at_table(*ACTING)

    assert {*VERBS, "attack", "quick", "end", "guard-1:"} <= {*words(table, "")}
    assert ["undo", "unseal"] == words(table, "un")
    assert ["exchange"] == words(table, "undo e")
    assert ["guard-1", "guard-2"] == [word for word in words(table, "attack g") if word.startswith("guard")]
    assert "tracks.damage" in words(table, "adjust fay-ray tra")
    assert "guard-1/initiative" in words(table, "why ")
    assert ["score"] == [word for word in words(table, "overrule fay-ray/initiative ") if word == "score"]
    assert {"fay.toml", "guard.toml"} <= {*words(table, "add ")}
    assert ["auto"] == words(table, "dice au")


def test_what_is_completed_takes_the_place_of_what_was_typed():
    (word,) = completions(at_table(*ACTING), "undo exch")

    assert ("exchange", 4) == (word.text, word.back)


def test_open_rolls_are_offered_by_their_shortest_name():
    table = at_table("add guard.toml:2", "")

    assert {"guard-1", "guard-2"} <= {*words(table, "gu")}


# ---------------------------------------------------------------------------------------- back and forth


def test_undo_takes_back_what_the_last_line_did_however_many_entries_that_was():
    table = at_table("add guard.toml:2", "")
    before = table.session.combat
    said(table, "*")
    assert 2 == len(list(table.session.entries(after=4)))

    undone(table, "undo wrong dice")
    assert before == table.session.combat
    said(table, "redo")
    assert 1 == table.session.combat.clock.number
    undone(table)
    assert before == table.session.combat


def test_undo_takes_back_several_lines_an_exchange_a_round():
    table = at_table(*ACTING)
    before = table.session.combat
    for line in ("1", "1", "55 10"):
        said(table, line)
    undone(table, "undo 3")
    assert before == table.session.combat

    for line in ("1", "1"):
        said(table, line)
    undone(table, "undo exchange the wrong one")
    assert before == table.session.combat
    assert "the wrong one" == table.session.log.entry(table.session.log.last).command.why


def test_lines_of_an_earlier_evening_are_taken_back_with_all_that_was_written_together():
    table = Table(at_table(*ACTING).session, ANN)
    undone(table, "undo")

    assert 3 == len(table.session.rests)


def test_a_correction_is_one_line_to_take_back():
    table = at_table(*ACTING)
    before = table.session.combat
    said(table, "modify fay-ray/initiative -60 dazed")
    said(table, "y")
    assert before != table.session.combat

    undone(table)
    assert before == table.session.combat


# ---------------------------------------------------------------------------------------- the gamemaster's word


def test_a_reason_that_is_missing_is_asked_for():
    table = at_table(*ACTING)
    reply = said(table, "adjust fay-ray tracks.damage 7")
    assert ("why", ()) == (table.asks, reply.entries)

    said(table, "a fall")
    assert "" == table.asks
    assert 7 == table.session.combat.health.track("fay-ray", "damage").taken
    assert "a fall" == next(table.session.log.newest_first()).command.why


def test_a_question_may_be_left_unanswered():
    table = at_table(*ACTING)
    said(table, "note")
    assert table.asks
    table.forget()

    said(table, "1")
    assert table.session.combat.exchange.frame


def test_overrule_adjust_note_and_time_do_what_they_say():
    table = at_table(*ACTING)
    said(table, "overrule fay-ray/initiative score 5 too slow")
    said(table, "y")
    assert 5 == dict(table.session.combat.initiative.order)["fay-ray"]
    said(table, "adjust guard-1 conditions.prone standing_up tripped")
    assert table.session.combat.conditions.has("guard-1", "prone")
    said(table, "adjust guard-1 conditions.prone none up again")
    assert not table.session.combat.conditions.has("guard-1", "prone")
    said(table, "note don't forget the door")
    assert Note("don't forget the door") == msgspec.structs.replace(
        next(table.session.log.newest_first()).command, given_at=None
    )
    said(table, "/end they run")
    said(table, "time 3 hours asleep")
    assert {"hours": 3} == table.session.combat.clock.passed
    said(table, "leave guard-1 runs")
    assert not table.session.combat.roster["guard-1"].here


def test_why_log_help_and_show_write_nothing():
    table = at_table(*ACTING, "1", "1")
    before = table.session.log.last
    for line in ("why", "why fay-ray/initiative", "log", "log 2", "show", "options", "help", "help undo", "help attack",
                 "sheets", "dice"):  # fmt: skip
        assert () == said(table, line).entries

    assert before == table.session.log.last
    assert 2 == len(table.submit("log 2").done.frames)
    assert any("range?" in line for line in table.submit("help attack").done.lines)


# ---------------------------------------------------------------------------------------- seats, and others


def test_a_player_answers_for_their_own_only():
    session = at_table("add guard.toml:2", "add fay.toml", "").session
    kira = Table(session, Who("kira", Seat.PLAYER))

    assert ["fay-ray"] == [roll.by for roll in kira.question().rolls]
    assert "table/not-understood" == refused(kira, "guard-1: 3")
    assert "seat/not-allowed" == refused(kira, "undo")
    assert "seat/not-allowed" == refused(kira, "add guard.toml")
    assert "seat/not-allowed" == refused(kira, "adjust fay-ray wounds 0 magic")
    said(kira, "99")
    assert Who("kira", Seat.PLAYER) == next(session.log.newest_first()).by


def test_a_player_is_not_shown_what_is_hidden_from_them():
    table = at_table("add fay.toml", "add guard.toml:1")
    (join,) = joins(KnownSheets(table.game), ["lurker=guard.toml"], ())
    table.session.perform(msgspec.structs.replace(join, seen_by=()))
    for line in ("", "99 10 12"):
        said(table, line)
    kira = Table(table.session, Who("kira", Seat.PLAYER))

    assert any("lurker" in answer.label for answer in table.question().legal)
    assert not any("unseen" in answer.label for answer in kira.question().answers)
    assert not any("unseen" in word or "lurker" in word for word in words(kira, "attack "))


def test_a_spectator_is_asked_nothing():
    watching = Table(at_table(*ACTING).session, Who("sam", Seat.SPECTATOR))

    assert watching.question().rest is None
    assert watching.question().others
    assert "table/not-understood" == refused(watching, "1")


def test_a_line_is_not_done_when_somebody_else_has_written_meanwhile():
    store = MemoryStore()
    Session.create(store, ruleset=GAME, session="FIGHT")
    mine, theirs = Table(Session(store, "FIGHT"), ANN), Table(Session(store, "FIGHT"), Who("bob"))
    said(theirs, "add guard.toml:2")
    reply = mine.submit("begin")

    assert reply.refused is not None
    assert "log/stale" == reply.refused.slug
    assert 2 == len(reply.entries)
    assert not mine.session.combat.clock.fighting
    said(mine, "begin")
    assert 1 == len(theirs.news())


# ---------------------------------------------------------------------------------------- sitting down


def test_the_latest_open_session_of_the_game_is_gone_on_with():
    store = MemoryStore()
    assert start.latest(store, GAME) is None
    made = start.create(store, GAME, start.NewFight(title="Alley"), ["guard.toml:2"], ANN)
    found = start.latest(store, GAME)

    assert found is not None
    assert (made.id, made.combat) == (found.id, found.combat)
    assert start.latest(store, "chess") is None


@pytest.mark.parametrize(
    ("new", "bring", "slug"),
    [
        (start.NewFight(profile="nth"), [], "profile/unknown"),
        (start.NewFight(options={"luck": "3"}), [], "profile/option"),
        (start.NewFight(), ["guard.toml", "nobody"], "sheet/unknown"),
        (start.NewFight(), ["guard=guard.toml", "guard=fay.toml"], "combatant/taken"),
    ],
)
def test_a_session_that_cannot_be_set_up_is_not_created(new, bring, slug):
    store = MemoryStore()
    with pytest.raises(Refused) as refusal:
        start.create(store, GAME, new, bring, ANN)

    assert slug == refusal.value.slug
    assert () == tuple(store.sessions())


def test_a_wrong_sheet_is_refused_with_its_path():
    table = Table(opened(), ANN)
    Path("wrong.toml").write_text(GUARD.replace("init       = 50", 'init = "fast"'))
    refusal = table.submit("add wrong.toml").refused

    assert isinstance(refusal, BadSheet)
    assert refusal.message == "wrong: init: 'fast' is not accepted"


# ---------------------------------------------------------------------------------------- anything at all

_tokens = st.sampled_from(
    (*VERBS, "1", "2", "*", "all", "-10", "+5", "fray", "attack", "quick", "end", "guard-1", "fay-ray:", "guard-1=7", "at=guard-1",
     "using=rifle", "range=", "by=", "=", ":", "[", '"', "'", "{", "}", "tracks.damage", "conditions.x", "none", "r1", "turn", "/",
     "23", "00", "99999999999999999999", "fay-ray/initiative", "score", "what='x y'", "ö", "\x00", "\ud800", "how=", "1e9", "a,b")
)  # fmt: skip
_lines = st.lists(_tokens, max_size=5).map(" ".join) | st.text(max_size=30) | st.lists(_tokens, max_size=4).map("".join)


@settings(max_examples=examples(60))
@given(st.lists(_lines, max_size=12), st.sampled_from([ANN, Who("kira", Seat.PLAYER), Who("sam", Seat.SPECTATOR)]))
def test_any_line_is_done_or_refused_and_never_raises(lines, who):
    session = opened()
    setting = Table(session, ANN)
    setting.session.perform(_join("guard-1"))
    setting.session.perform(_join("fay-ray", player="kira"))
    setting.session.perform(BeginCombat())
    for line in ("10 90", "1"):
        setting.submit(line)
    table = Table(session, who)
    for line in lines:
        before = session.log.last
        completions(table, line)
        table.question()
        reply = table.submit(line)
        if reply.refused is not None:
            assert before == session.log.last
        assert session.log.last - before == len(reply.entries)


def _join(who: str, player: str = "gm"):
    import tomllib

    from ledger.commands import Join

    return Join(who, tomllib.loads(GUARD), player=player)


# ---------------------------------------------------------------------------------------- slips, and others at the table


@pytest.mark.parametrize("line", ["end", "end turn", "end they flee"])
def test_end_in_the_middle_of_an_exchange_is_asked_about(line):
    table = at_table(*ACTING, "1")
    reply = said(table, line)

    assert "end the whole fight, in the middle of an exchange (Fay Ray: attack)? yes/no" == table.asks
    assert () == reply.entries
    said(table, "n")
    assert table.session.combat.clock.fighting
    said(table, line)
    assert "table/not-understood" == refused(table, "fray")
    assert "" == table.asks
    said(table, line)
    said(table, "y")
    assert not table.session.combat.clock.fighting


def test_end_on_a_turn_ends_the_turn():
    table = at_table(*ACTING)
    before = table.seen.turn.who
    said(table, "end")

    assert table.session.combat.clock.fighting
    assert table.seen.turn.who not in (None, before)


@pytest.mark.parametrize("line", ["end", "end they flee"])
def test_end_where_nobody_is_on_a_turn_says_what_it_would_end(line):
    table = at_table("add guard.toml:2", "", line)

    assert "no turn to end; end the whole fight, in round 1? yes/no" == table.asks
    said(table, "")
    assert table.session.combat.clock.fighting
    said(table, line)
    said(table, "yes")
    assert not table.session.combat.clock.fighting
    assert line.removeprefix("end").strip() == next(table.session.log.newest_first()).command.why
    assert refused(table, "end").startswith("combat/")


def test_end_with_a_slash_asks_nothing():
    assert not at_table(*ACTING, "1", "/end").session.combat.clock.fighting


@pytest.mark.parametrize("line", ["undo exchagne", "undo foo", "undo exchagne wrong one", "redo 5", "redo foo"])
def test_a_slip_behind_undo_and_redo_is_no_reason(line):
    table = at_table(*ACTING, "1", "undo")

    assert "table/not-understood" == refused(table, line)


@pytest.mark.parametrize(
    ("line", "why"),
    [("undo because oops", "oops"), ("undo why oops", "oops"), ("undo 1 oops", "oops"), ("undo not so", "not so")],
)
def test_a_reason_is_several_words_or_stands_behind_what_is_known(line, why):
    table = at_table(*ACTING, "1", line)

    assert why == table.session.log.entry(table.session.log.last).command.why


def test_what_is_drawn_by_itself_stops_after_a_while_and_asks(monkeypatch):
    table = at_table("dice all", "add guard.toml:50")
    reply = said(table, "begin")

    assert 1 + 40 == len(reply.entries)
    assert "Enter goes on" in reply.done.lines[-1]
    assert () == said(table, "log").entries
    said(table, "")
    assert table.session.combat.clock.number


def two_tables() -> tuple[Table, Table]:
    store = MemoryStore()
    Session.create(store, ruleset=GAME, session="FIGHT")
    mine, theirs = Table(Session(store, "FIGHT"), ANN), Table(Session(store, "FIGHT"), Who("bob"))
    for line in ACTING:
        said(theirs, line)
    mine.news()
    return mine, theirs


@pytest.mark.parametrize("line", ["note the door", "adjust fay-ray wounds 1 a fall", "log", "why fay-ray/initiative"])
def test_what_depends_on_nothing_is_done_whoever_wrote_first(line):
    mine, theirs = two_tables()
    said(theirs, "note first")

    assert said(mine, line).entries
    assert not mine.is_behind


def test_a_reason_is_kept_when_somebody_else_writes_before_it():
    mine, theirs = two_tables()
    said(mine, "adjust fay-ray wounds 1")
    said(theirs, "note first")
    said(mine, "")
    assert "why" == mine.asks
    said(theirs, "note second")
    said(mine, "a fall")

    assert 1 == mine.session.combat.wounds.count("fay-ray")


def test_a_line_that_came_too_late_is_handed_back():
    mine, theirs = two_tables()
    said(theirs, "note first")
    assert mine.is_behind
    reply = mine.submit("attack guard-1")

    assert ("attack guard-1", "log/stale") == (reply.kept, reply.refused.slug)
    said(mine, reply.kept)
    assert mine.session.combat.exchange.frame


def test_a_note_is_written_once_when_the_log_grows_under_it(monkeypatch):
    mine, theirs = two_tables()
    perform, raced = mine.session.perform, []

    def slow(command, **options):
        if not raced:
            raced.append(said(theirs, "note first"))
        return perform(command, **options)

    monkeypatch.setattr(mine.session, "perform", slow)
    reply = said(mine, "note second")

    assert ["first", "second"] == [entry.command.text for entry in reply.entries]


# ---------------------------------------------------------------------------------------- few keys


def test_enter_takes_the_first_option_where_nothing_can_be_declared():
    table = at_table(*ACTING, "1")
    asked = table.question()
    bare = msgspec.structs.replace(asked, rest=msgspec.structs.replace(asked.rest, default=None))
    acting = at_table(*ACTING).question()

    assert bare.default is None
    assert bare.legal[0] == bare.enter
    assert acting.default == acting.enter


def test_one_s_own_people_are_the_last_to_be_offered():
    legal = at_table("add guard.toml:2", "add fay.toml", "", "99 20 10").question().legal
    friends = [index for index, answer in enumerate(legal) if "guard-2" in answer.label]

    assert friends
    assert list(range(len(legal) - len(friends), len(legal))) == friends


@pytest.mark.parametrize(
    "line", ["Fay Ray: 1", "FAY-RAY: 1", "fay ray: 1 at='Guard 1'", "attack 'GUARD 1'", "attack Bull"]
)
def test_names_as_printed_are_understood_like_ids(line):
    Path("bull.toml").write_text('name = "Bull"\n[sheet]' + GUARD.replace("[weapons", "[sheet.weapons"))
    table = at_table("add guard.toml:2", "add fay.toml", "add x=bull.toml", "", "10 20 99 5", line)

    assert table.session.combat.exchange.frame
    assert "fay-ray" == next(table.session.log.newest_first()).command.by


def test_names_stand_for_ids_before_faces_and_behind_words():
    table = at_table("add guard.toml:2", "add x=fay.toml", "", "Fay Ray 99", "'guard 1' 3")

    assert ["guard-2"] == [rest.by for rest in table.session.rests]
    said(table, "adjust 'Fay Ray' wounds 1 a fall")
    assert 1 == table.session.combat.wounds.count("x")
    said(table, "why Fay Ray.wounds")


def test_a_bare_number_goes_to_the_first_number_that_must_be_said():
    table = at_table("add guard.toml:2", "adjust guard-1 tracks.damage 5 a fall", "guard-1: rest 12")

    assert 12 == next(table.session.log.newest_first()).command.terms["hours"]


def test_help_says_every_word_of_a_field():
    table = at_table(*ACTING)
    (line,) = said(table, "help modifiers").done.lines

    assert line.startswith("attack: modifiers?  ")
    assert len(line) > 300


def test_what_can_be_done_outside_a_fight_is_found_by_the_rules():
    table = at_table("add guard.toml:2")
    assert {"stress", "explosion"} <= {*declarable_outside_combat(table.game, table.seen)}
    assert "act_first" not in declarable_outside_combat(table.game, table.seen)

    said(table, "")
    assert [] == declarable_outside_combat(table.game, table.seen)


def test_a_fight_of_other_rules_can_be_ended_or_taken_back(monkeypatch):
    def gone(*_):
        raise UnknownStep("the attack has no step 9")

    table = at_table(*ACTING, "1")
    monkeypatch.setattr("machines.engine.options.decide", gone)
    assert table.question().is_stuck
    said(table, "/end")
    assert not table.session.combat.clock.fighting
