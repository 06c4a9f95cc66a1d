"""Builds the document of what the table asks a person."""

from collections.abc import Mapping

from ledger.commands import Declare
from projections.path import Rest
from replays.table.language.questions import AnswerOption, OpenRoll, Question
from replays.table.online.documents import TableAnswer, TableQuestion, TableRoll, Waited
from replays.table.table import Table


def asked(table: Table) -> TableQuestion:
    """Returns what the table asks its person now."""
    question = table.question()
    rest = question.rest
    return TableQuestion(
        last=table.session.log.last,
        key=rest.key if rest is not None else "",
        by=rest.by if rest is not None else "",
        name=_name(table, rest.by) if rest is not None else "",
        purpose=rest.purpose if rest is not None else "",
        standing=question.standing,
        answers=tuple(_answers(question)),
        rolls=tuple(map(_roll, question.rolls)),
        kinds=question.kinds,
        fields=dict(_fields(table, question)),
        interrupts=tuple(table.interrupts(question)),
        others=tuple(_waited(table, each) for each in question.others),
        may_begin=table.may_begin,
        dice=table.dice,
        defaults=table.defaults,
    )


def _name(table: Table, who: str) -> str:
    return "the gamemaster" if who == "gm" else table.seen.roster.name(who)


def _answers(question: Question) -> list[TableAnswer]:
    """Returns the answers; those that are allowed have the numbers of the table."""
    numbers = {id(answer): str(number) for number, answer in enumerate(question.legal, 1)}
    default = question.enter
    return [_answer(each, numbers.get(id(each), ""), is_default=each == default) for each in question.answers]


def _answer(answer: AnswerOption, line: str, *, is_default: bool) -> TableAnswer:
    return TableAnswer(
        line,
        answer.word,
        answer.label,
        answer.target,
        answer.against,
        answer.refused,
        is_default and bool(line),
        isinstance(answer.command, Declare),
    )


def _roll(roll: OpenRoll) -> TableRoll:
    return TableRoll(
        roll.key, roll.short, roll.by, roll.name, roll.purpose, roll.dice, roll.missing, roll.words, roll.target,
        roll.is_target_partial, roll.known_faces, roll.counts,
    )  # fmt: skip


def _fields(table: Table, question: Question) -> Mapping[str, tuple[str, ...]]:
    """Returns the terms that may be added to the first declaration that is offered."""
    for answer in question.legal:
        if isinstance(answer.command, Declare):
            offered = table.declaration_parser(question).words(answer.command)
            return {name: words for name, words in offered.items() if words and name not in answer.command.terms}
    return {}


def _waited(table: Table, rest: Rest) -> Waited:
    return Waited(rest.by, _name(table, rest.by), rest.purpose)
