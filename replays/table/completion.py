"""Completes a typed line: words of the table, options, fields and their values."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from ledger.commands import Choose, Declare
from ledger.errors import Refused
from projections.initiative import SCORE
from projections.views.document import CombatantView
from replays.sessions import undo
from replays.table.language.grammar import NotUnderstood, fields, number, one_of, pairs, plain, words
from replays.table.language.questions import Question
from replays.table.settings import DEFAULTS, DICE
from replays.table.table import Table
from replays.table.verbs import VERBS

_MOST_KEYS = 40
_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months")


class Completion(msgspec.Struct, frozen=True):
    """A word that fits at the end of the line."""

    text: str
    about: str = ""
    back: int = 0
    """Number of letters before the cursor that it replaces."""


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
    first = typed[0].removeprefix("/")
    if first in _AFTER and not only:
        return _AFTER[first](table, typed[1:])
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
        yield from (Completion(_quoted(value)) for value in _values(table, offered, field))
        return
    known = fields(table.game.kinds[command.kind].terms)
    given = pairs(typed)[1]
    if number(typed[0]) is None:
        yield from _words_of_offers(table, question, command, typed)
    yield from (Completion(_quoted(each), name) for name, values in offered.items() for each in values)
    yield from (Completion(f"{name}=", ", ".join(offered.get(name, ())[:6])) for name in known if name not in given)


def _words_of_offers(table: Table, question: Question, command: Declare, typed: list[str]) -> Iterator[Completion]:
    """Yields the words that distinguish the offers of a kind."""
    offers = table.declaration_parser(question).offers(command.kind, command.by)
    terms = ((name, each) for offer in offers for name, each in offer.terms.items() if isinstance(each, str))
    yield from (Completion(_quoted(each), name) for name, each in dict.fromkeys(terms) if _quoted(each) not in typed)


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


def _quoted(value: str) -> str:
    return f'"{value}"' if any(letter.isspace() for letter in value) else value


# ------------------------------------------------------------------------------------------------ words of the table


def _sheets(table: Table, _: list[str]) -> Iterator[Completion]:
    """Yields sheets that ship with the game, and sheet files in the current folder."""
    yield from (Completion(_quoted(name), "shipped") for name in table.game.sheets)
    try:
        yield from (Completion(_quoted(path.name), "file") for path in sorted(Path().glob("*.toml"))[:100])
    except OSError:
        return


def _situation(table: Table, _: list[str]) -> Iterator[Completion]:
    """Yields the fields of the situation in which a fight begins."""
    known = fields(table.game.situation) if table.game.situation is not None else {}
    yield from (Completion(f"{field}=") for field in known)


def _undo_spans(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(span) for span in undo.SPANS if not typed)


def _people(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(who, table.seen.roster.name(who)) for who in table.seen.roster.here() if not typed)


def _keys(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields shorthands of the latest rolls and actions that stand."""
    if typed:
        return
    yield from (Completion(key, about) for key, about in table.recent.keys(_MOST_KEYS))


def _explainable(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields what `why` can explain: rolls, actions, and changed health and conditions of combatants."""
    yield from _keys(table, typed)
    if not typed:
        views = table.session.state(eyes=table.eyes).combatants
        counters = table.session.game.vocabulary.counters
        yield from (
            Completion(f"{who}.{what}") for who, view in views.items() for what in _changed_words(view, counters)
        )


def _changed_words(view: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    """Yields the tracks, counters and conditions that differ from an uninjured combatant."""
    yield from (name for name, track in view.tracks.items() if track.taken)
    yield from (word for word in counters if view.count(word))
    yield from (condition.name for condition in view.conditions)


def _figures(table: Table, typed: list[str]) -> Iterable[Completion]:
    """Returns keys, then the figures under it."""
    if not typed:
        return _keys(table, typed)
    return (Completion(figure) for figure in table.recent.figures(typed[0])) if len(typed) == 1 else ()


def _adjustable(table: Table, typed: list[str]) -> Iterable[Completion]:
    """Returns the combatants, then what can be adjusted of that combatant."""
    if not typed:
        return _people(table, typed)
    view = table.session.state(eyes=table.eyes).combatants.get(typed[0])
    if view is None or len(typed) > 1:
        return ()
    named = [f"tracks.{name}" for name in view.tracks] + [f"resources.{name}" for name in view.resources]
    conditions = [f"conditions.{condition.name}" for condition in view.conditions]
    return (
        Completion(each)
        for each in (*named, *table.session.game.vocabulary.counters, SCORE, *conditions, "conditions.")
    )


def _time(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(unit) for unit in _UNITS if len(typed) == 1)


def _dice_settings(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word, about) for word, about in DICE.items() if not typed)


def _default_settings(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word, about) for word, about in DEFAULTS.items() if not typed)


def _topics(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word) for word in (*VERBS, *table.game.kinds) if not typed)


def _nothing(_: Table, __: list[str]) -> Iterable[Completion]:
    return ()


_AFTER: Mapping[str, Callable[[Table, list[str]], Iterable[Completion]]] = {
    **dict.fromkeys(VERBS, _nothing),
    "add": _sheets, "begin": _situation, "undo": _undo_spans, "leave": _people, "why": _explainable, "modify": _keys,
    "overrule": _figures, "adjust": _adjustable, "time": _time, "dice": _dice_settings,
    "defaults": _default_settings, "help": _topics,
}  # fmt: skip
