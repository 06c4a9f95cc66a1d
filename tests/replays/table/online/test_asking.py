"""The question as a document is what the terminal's board shows, for each person, all through a fight of every game."""

import re
from io import StringIO
from random import Random

import pytest
from rich.console import Console
from strategies import RULESETS, clock, drawn

from ledger.dice import highest, lowest, parse
from ledger.entry import Seat, Who
from replays.api.session import GM, Session
from replays.cli.board import prompt, show_question
from replays.cli.short_menu import option_label
from replays.table.online.asking import asked
from replays.table.online.documents import TableQuestion
from replays.table.table import Table

KIRA, BEN, ZOE = Who("kira", Seat.PLAYER), Who("ben", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)


def board(table: Table) -> str:
    """Returns what a wide terminal shows of the question, with the prompt."""
    out = StringIO()
    question = table.question()
    show_question(Console(file=out, width=2_000), table, question)
    return re.sub(r"[ \n]+", " ", f"{out.getvalue()} {prompt(table, question)}")


def played(game: str, seed: int) -> Session:
    """Returns a fight of the gamemaster's Ann and Kira's Bob, as it has just begun."""
    session = Session.create("memory://", ruleset=game, draw=drawn, clock=clock)
    one, two, *_ = session.game.sheets
    table = Table(session, GM)
    for line in (f"add ann={one} bob={two}@kira", "begin"):
        assert table.submit(line).refused is None
    return session


def step(table: Table, dice: Random) -> None:
    """Answers what is asked, at random."""
    question = table.question()
    if question.rolls:
        roll = question.rolls[0]
        faces = " ".join(str(dice.randint(lowest(each), highest(each))) for each in parse(roll.missing).sides)
        table.submit(f"{roll.short} {faces}")
    else:
        table.submit(str(dice.randint(1, max(1, len(question.legal)))))


def check_is_what_the_board_shows(found: TableQuestion, table: Table) -> None:
    shown, question = board(table), table.question()
    legal = [each for each in found.answers if each.line]
    assert [each.line for each in legal] == [str(number) for number in range(1, len(legal) + 1)]
    assert all(each.refused for each in found.answers if not each.line)
    if legal and len(legal) <= 6:
        for document, answer in zip(legal, question.legal, strict=True):
            assert (document.word, document.label) == (answer.word, answer.label)
            target = "" if document.target is None else f" {document.target}"
            mark = " ⏎" if document.is_default else ""
            assert f"{document.line} {option_label(answer)}{mark}{target}" in shown
    for roll in found.rolls if found.key else ():
        assert roll.words in shown or f"{roll.short} {roll.purpose} {roll.missing}" in shown
        assert (roll.target is None) == ("against" not in roll.words)
    if found.key and legal:
        assert f"{found.name}: {found.purpose}" in shown
        assert found.standing in shown
    for waited in found.others[:6]:
        assert f"{waited.name} ({waited.purpose})" in shown
    for name, values in found.fields.items():
        assert f"{name}={'|'.join(values)}" in shown
    for interrupt in found.interrupts[:3]:
        assert f"or {interrupt}" in shown
    assert (f"also: {', '.join(found.kinds)}" in shown) == bool(found.kinds)


@pytest.mark.parametrize("game", RULESETS)
def test_the_document_is_what_the_board_shows(game: str) -> None:
    session, dice = played(game, 1), Random(1)
    people = [Table(session, who, files=False) for who in (GM, KIRA, BEN, ZOE)]
    kinds = set[str]()
    for _ in range(40):
        for table in people:
            found = asked(table)
            check_is_what_the_board_shows(found, table)
            assert found.last == session.log.last
            kinds |= (
                {"answers"} if found.answers else {"rolls"} if found.rolls else {"others"} if found.others else {"none"}
            )
        step(people[0], dice)

    assert {"answers", "rolls", "others"} <= kinds


@pytest.mark.parametrize("game", RULESETS)
def test_each_numbered_line_does_what_its_answer_is(game: str) -> None:
    session, dice = played(game, 2), Random(2)
    table, chosen = Table(session, GM, files=False), 0
    for _ in range(30):
        found, question = asked(table), table.question()
        legal = [each for each in found.answers if each.line]
        if legal and not found.rolls:
            place = dice.randrange(len(legal))
            result = table.submit(legal[place].line)
            if result.refused is None and not result.done.asks:
                command = result.entries[0].command
                assert type(command) is type(question.legal[place].command)
                assert getattr(command, "option", getattr(command, "kind", "")) == legal[place].word
                chosen += 1
        else:
            step(table, dice)

    assert chosen > 5


def test_what_may_begin_and_the_settings_are_told() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")
    table = Table(session, GM, files=False)
    assert not asked(table).may_begin
    table.submit("add brawler fencer@kira")
    table.submit("dice all")

    assert asked(table).may_begin
    assert not asked(Table(session, KIRA, files=False)).may_begin
    assert (asked(table).dice, asked(table).defaults) == ("all", "ask")
    assert asked(Table(session, GM, files=False)).dice == "all", "it is kept with the session"
    assert asked(Table(session, KIRA, files=False)).dice == "ask"
