"""Each word of the table has an example in its help, which begins with that word and is understood as it."""

import pytest

from ledger.entry import Seat, Who
from replays.api.run_script import perform
from replays.scripts.format import find_script, read
from replays.table.completion import completions
from replays.table.help_texts import EXAMPLES, overview
from replays.table.table import Table
from replays.table.verbs import VERBS

ANN, KIRA = Who("ann"), Who("kira", Seat.PLAYER)


@pytest.fixture
def table() -> Table:
    """The fight `street-fight` at its end."""
    return Table(perform(read(find_script("street-fight")[1]), by=ANN), ANN)


@pytest.mark.parametrize("word", VERBS)
def test_the_help_of_a_word_has_its_usage_and_an_example(table: Table, word: str) -> None:
    usage, example = table.submit(f"help {word}").done.lines
    assert usage.startswith(f"{VERBS[word].usage}  ")
    assert example == f"such as: {EXAMPLES[word]}"


@pytest.mark.parametrize("word", VERBS)
def test_an_example_is_a_line_of_its_word(word: str) -> None:
    for line in EXAMPLES[word].split(" · "):
        first = line.split()[0].removesuffix(":")
        assert first == word or (word, first) in {("odds", "?"), ("reroll", "20")}, line


def test_the_overview_has_an_example_of_every_word(table: Table) -> None:
    lines = table.submit("help").done.lines
    assert lines == tuple(overview({word: verb.about for word, verb in VERBS.items()}))
    for word in VERBS:
        assert any(EXAMPLES[word].partition(" · ")[0] in line for line in lines), word
    assert max(map(len, lines)) < 120


def test_every_word_is_completed(table: Table) -> None:
    assert {*VERBS} <= {each.text for each in completions(table, "")}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("amend ", "37"),
        ("amend 3", "37"),
        ("amend 37 ", "distance="),
        ("amend 37 ", '"target has partial cover"'),
        ("amend 37 mode=", "burst"),
        ("amend 31 ", "again"),
        ("whatif ", "37"),
        ("whatif mis", "missed:"),
        ("remove ", "37"),
        ("insert ", "37"),
        ("rewind ", "37"),
        ("reroll ", "43"),
        ("target ", "slim"),
        ("missed: ", "again"),
        ("modify ", "razor/to-hit"),
        ("dispute ", "razor/to-hit"),
        ("dispute ", "razor.stun"),
        ("odds ", "razor:"),
        ("settle ", "d1"),
        ("settle d1 ", "upheld"),
        ("disputes ", "d1"),
        ("whisper ", "razor"),
        ("report ", "fight.html"),
        ("export ", "fight.jsonl"),
        ("secret ", "note"),
        ("secret note", "note"),
        ("secret slim: ", "test"),
        ("reveal ", "lurker"),
        ("reveal lurker ", "to"),
        ("reveal lurker to ", "razor"),
        ("hide ", "ganger"),
        ("nonce ", "kira"),
    ],
)
def test_what_follows_a_word_is_completed(table: Table, typed: str, offered: str) -> None:
    for line in ("hide lurker=ganger", "dispute razor/to-hit it was dark"):
        assert table.submit(line).refused is None
    assert offered in [each.text for each in completions(table, typed)]


@pytest.mark.parametrize("word", ["amend", "whatif", "remove", "rewind", "reroll", "missed:", "amend 37", "reveal"])
def test_nothing_is_offered_of_what_a_person_may_not_correct(table: Table, word: str) -> None:
    table.submit("hide lurker=ganger")
    assert completions(Table(table.session, KIRA), f"{word} ") == []
