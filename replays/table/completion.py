"""Completes a typed line: words of the table, options, fields and their values."""

from collections.abc import Iterable, Iterator, Mapping

from ledger.commands import Choose, Declare
from ledger.errors import Refused
from replays.table.after_words import AFTER, AMENDING, BEFORE_A_LINE, Completion, as_completions, quoted
from replays.table.correcting import completing
from replays.table.language.grammar import NotUnderstood, fields, number, one_of, pairs, plain, words
from replays.table.language.questions import Question
from replays.table.table import Table
from replays.table.verbs import VERBS


def completions(table: Table, before: str) -> list[Completion]:
    """Returns the words that fit at the end of a line; empty instead of an error."""
    if table.asks or before.count('"') % 2:
        return []
    typed = words(before)
    last = "" if not typed or before[-1:].isspace() else typed.pop()
    try:
        return list(_completing(_candidates(table, typed, last), last))
    except Refused:
        return []


def _completing(candidates: Iterable[Completion], last: str) -> Iterator[Completion]:
    """Yields the candidates that begin with what is typed; only the last part of a pair or a list is completed."""
    _, equals, value = last.partition("=")
    part = value.rpartition(",")[2] if equals else last
    for word in {word.text: word for word in candidates}.values():
        if plain(word.text).startswith(plain(part)):
            yield Completion(word.text, word.about, len(part))


def _candidates(table: Table, typed: list[str], last: str) -> Iterable[Completion]:
    """Returns the words that may stand in the place of the one that is being typed."""
    only, question = _take_addressee(table, typed)
    if not typed:
        return [*_answers(table, question), *([] if only else _words_of_the_table(table))]
    first = typed[0].removeprefix("/").removesuffix(":")
    if first in BEFORE_A_LINE and not only:
        return _candidates(table, typed[1:], last)
    if first in AMENDING and len(typed) > 1 and not only:
        return as_completions(completing.values(table, typed[1], last))
    if first in AFTER and not only:
        return AFTER[first](table, typed[1:])
    return _declaration_terms(table, question, only, typed, last)


def _take_addressee(table: Table, typed: list[str]) -> tuple[str, Question]:
    """Removes ``WHO:`` from the start of the words; returns the combatant, and the question for that combatant."""
    only = typed.pop(0)[:-1] if typed and typed[0].endswith(":") and typed[0][:-1] in table.seen.roster else ""
    return only, table.question(only)


def _words_of_the_table(table: Table) -> Iterator[Completion]:
    """Yields the verbs of the table, and the combatants who can be addressed."""
    yield from (Completion(word, verb.about) for word, verb in VERBS.items())
    yield from (Completion(f"{who}:", "a declaration of this combatant") for who in table.seen.roster.here())


def _answers(table: Table, question: Question) -> Iterator[Completion]:
    """Yields the answers to the open question: options, kinds of declaration and rolls."""
    for answer in question.legal:
        if isinstance(answer.command, Choose):
            yield Completion(answer.word, answer.label)
    kinds = dict.fromkeys(
        [*(each.word for each in question.legal if isinstance(each.command, Declare)), *question.kinds]
    )
    anytime = [kind for kind, each in table.game.kinds.items() if each.anytime]
    yield from (Completion(kind, table.game.kinds[kind].title) for kind in dict.fromkeys([*kinds, *anytime]))
    yield from (Completion(roll.short, roll.words) for roll in question.rolls)


# ------------------------------------------------------------------------------------------------ declarations


def _declaration_terms(
    table: Table, question: Question, only: str, typed: list[str], last: str
) -> Iterator[Completion]:
    """Yields the fields of the declaration that is being typed, and their values."""
    command = _partial_declaration(table, question, only, typed)
    if command is None:
        return
    offered = table.declaration_parser(question, only).words(command)
    field, equals, _ = last.partition("=")
    if equals:
        yield from (Completion(quoted(value)) for value in _values(table, offered, field))
        return
    known = fields(table.game.kinds[command.kind].terms)
    given = pairs(typed)[1]
    if number(typed[0]) is None:
        yield from _words_of_offers(table, question, command, typed)
    yield from (Completion(quoted(each), name) for name, values in offered.items() for each in values)
    yield from (Completion(f"{name}=", ", ".join(offered.get(name, ())[:6])) for name in known if name not in given)


def _words_of_offers(table: Table, question: Question, command: Declare, typed: list[str]) -> Iterator[Completion]:
    """Yields the words that distinguish the offers of a kind."""
    offers = table.declaration_parser(question).offers(command.kind, command.by)
    terms = ((name, each) for offer in offers for name, each in offer.terms.items() if isinstance(each, str))
    yield from (Completion(quoted(each), name) for name, each in dict.fromkeys(terms) if quoted(each) not in typed)


def _partial_declaration(table: Table, question: Question, only: str, typed: list[str]) -> Declare | None:
    """Returns the declaration that is being typed, as far as it is known."""
    which = number(typed[0])
    if which is not None and 1 <= which <= len(question.legal):
        command = question.legal[which - 1].command
        if not isinstance(command, Declare):
            return None
        try:
            return table.declaration_parser(question, only).extended(command, " ".join(typed[1:]))
        except NotUnderstood:
            return command
    kind = one_of(typed[0], table.game.kinds)
    if kind is None:
        return None
    try:
        return table.declaration_parser(question, only).parsed(" ".join(typed))
    except NotUnderstood:
        by = only or (question.rest.by if question.rest is not None else "")
        return next(iter(table.declaration_parser(question, only).offers(kind, by)), Declare(kind, by))


def _values(table: Table, offered: Mapping[str, tuple[str, ...]], field: str) -> tuple[str, ...]:
    """Returns the values that are offered for a field; the combatants if there are none."""
    return offered.get(one_of(field, offered) or field) or table.seen.roster.here()
