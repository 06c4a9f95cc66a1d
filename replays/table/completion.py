"""What could be typed next: words of the table, options, fields and their values."""

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
from replays.table.table import Table
from replays.table.verbs import DEFAULTS, DICE, VERBS

_MOST_KEYS = 40
_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months")


class Word(msgspec.Struct, frozen=True):
    """A word that would fit."""

    text: str
    about: str = ""
    back: int = 0
    """How many letters before the cursor it takes the place of."""


def completions(table: Table, before: str) -> list[Word]:
    """The words that fit at the end of what was typed; never an error."""
    if table.asks or before.count('"') % 2:
        return []
    typed = words(before)
    last = "" if not typed or before[-1:].isspace() else typed.pop()
    try:
        return list(_fitting(_next(table, typed, last), last))
    except Refused:
        return []


def _fitting(found: Iterable[Word], last: str) -> Iterator[Word]:
    """Those that go on as what was typed; of a pair or a list only the last part is completed."""
    _, equals, value = last.partition("=")
    part = value.rpartition(",")[2] if equals else last
    for word in {word.text: word for word in found}.values():
        if plain(word.text).startswith(plain(part)):
            yield Word(word.text, word.about, len(part))


def _next(table: Table, typed: list[str], last: str) -> Iterable[Word]:
    only, asked = _whose(table, typed)
    if not typed:
        return [*_answers(table, asked), *([] if only else _words_of_the_table(table))]
    first = typed[0].removeprefix("/")
    if first in _AFTER and not only:
        return _AFTER[first](table, typed[1:])
    return _terms(table, asked, only, typed, last)


def _whose(table: Table, typed: list[str]) -> tuple[str, Question]:
    """``WHO:`` before all else; it is taken off the words."""
    only = typed.pop(0)[:-1] if typed and typed[0].endswith(":") and typed[0][:-1] in table.seen.roster else ""
    return only, table.question(only)


def _words_of_the_table(table: Table) -> Iterator[Word]:
    yield from (Word(word, verb.about) for word, verb in VERBS.items())
    yield from (Word(f"{who}:", "what they do beside") for who in table.seen.roster.here())


def _answers(table: Table, asked: Question) -> Iterator[Word]:
    for answer in asked.legal:
        if isinstance(answer.command, Choose):
            yield Word(answer.word, answer.says)
    kinds = dict.fromkeys([*(one.word for one in asked.legal if isinstance(one.command, Declare)), *asked.kinds])
    anytime = [kind for kind, each in table.game.kinds.items() if each.anytime]
    yield from (Word(kind, table.game.kinds[kind].title) for kind in dict.fromkeys([*kinds, *anytime]))
    yield from (Word(roll.short, roll.words) for roll in asked.rolls)


# ------------------------------------------------------------------------------------------------ declarations


def _terms(table: Table, asked: Question, only: str, typed: list[str], last: str) -> Iterator[Word]:
    command = _declared(table, asked, only, typed)
    if command is None:
        return
    offered = table.declaration_parser(asked, only).words(command)
    field, equals, _ = last.partition("=")
    if equals:
        yield from (Word(_quoted(value)) for value in _values(table, offered, field))
        return
    known = fields(table.game.kinds[command.kind].terms)
    given = pairs(typed)[1]
    if number(typed[0]) is None:
        yield from _of_offers(table, asked, command, typed)
    yield from (Word(_quoted(each), name) for name, values in offered.items() for each in values)
    yield from (Word(f"{name}=", ", ".join(offered.get(name, ())[:6])) for name in known if name not in given)


def _of_offers(table: Table, asked: Question, command: Declare, typed: list[str]) -> Iterator[Word]:
    """The words by which one offer of a kind is told from another."""
    offers = table.declaration_parser(asked).offers(command.kind, command.by)
    told = ((name, each) for offer in offers for name, each in offer.terms.items() if isinstance(each, str))
    yield from (Word(_quoted(each), name) for name, each in dict.fromkeys(told) if _quoted(each) not in typed)


def _declared(table: Table, asked: Question, only: str, typed: list[str]) -> Declare | None:
    """What is being declared, as far as it can be told."""
    which = number(typed[0])
    if which is not None and 1 <= which <= len(asked.legal):
        command = asked.legal[which - 1].command
        if not isinstance(command, Declare):
            return None
        try:
            return table.declaration_parser(asked, only).more(command, " ".join(typed[1:]))
        except NotUnderstood:
            return command
    kind = one_of(typed[0], table.game.kinds)
    if kind is None:
        return None
    try:
        return table.declaration_parser(asked, only).of(" ".join(typed))
    except NotUnderstood:
        by = only or (asked.rest.by if asked.rest is not None else "")
        return next(iter(table.declaration_parser(asked, only).offers(kind, by)), Declare(kind, by))


def _values(table: Table, offered: Mapping[str, tuple[str, ...]], field: str) -> tuple[str, ...]:
    return offered.get(one_of(field, offered) or field) or table.seen.roster.here()


def _quoted(value: str) -> str:
    return f'"{value}"' if any(letter.isspace() for letter in value) else value


# ------------------------------------------------------------------------------------------------ words of the table


def _sheets(table: Table, _: list[str]) -> Iterator[Word]:
    yield from (Word(_quoted(name), "shipped") for name in table.game.sheets)
    try:
        yield from (Word(_quoted(path.name), "file") for path in sorted(Path().glob("*.toml"))[:100])
    except OSError:
        return


def _situation(table: Table, _: list[str]) -> Iterator[Word]:
    known = fields(table.game.situation) if table.game.situation is not None else {}
    yield from (Word(f"{field}=") for field in known)


def _spans(_: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(span) for span in undo.SPANS if not said)


def _people(table: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(who, table.seen.roster.name(who)) for who in table.seen.roster.here() if not said)


def _keys(table: Table, said: list[str]) -> Iterator[Word]:
    """The latest rolls and actions that stand, shortened."""
    if said:
        return
    yield from (Word(key, about) for key, about in table.latest_keys(_MOST_KEYS))


def _explained(table: Table, said: list[str]) -> Iterator[Word]:
    yield from _keys(table, said)
    if not said:
        views = table.session.state(eyes=table.eyes).combatants
        counters = table.session.game.vocabulary.counters
        yield from (Word(f"{who}.{what}") for who, view in views.items() for what in _changed(view, counters))


def _changed(view: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    yield from (name for name, track in view.tracks.items() if track.taken)
    yield from (word for word in counters if view.count(word))
    yield from (condition.name for condition in view.conditions)


def _figures(table: Table, said: list[str]) -> Iterable[Word]:
    if not said:
        return _keys(table, said)
    return (Word(figure) for figure in table.figures_of(said[0])) if len(said) == 1 else ()


def _adjustable(table: Table, said: list[str]) -> Iterable[Word]:
    if not said:
        return _people(table, said)
    view = table.session.state(eyes=table.eyes).combatants.get(said[0])
    if view is None or len(said) > 1:
        return ()
    named = [f"tracks.{name}" for name in view.tracks] + [f"resources.{name}" for name in view.resources]
    ill = [f"conditions.{condition.name}" for condition in view.conditions]
    return (Word(each) for each in (*named, *table.session.game.vocabulary.counters, SCORE, *ill, "conditions."))


def _time(_: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(unit) for unit in _UNITS if len(said) == 1)


def _settings(_: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(word, about) for word, about in DICE.items() if not said)


def _passed_over(_: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(word, about) for word, about in DEFAULTS.items() if not said)


def _topics(table: Table, said: list[str]) -> Iterator[Word]:
    yield from (Word(word) for word in (*VERBS, *table.game.kinds) if not said)


def _nothing(_: Table, __: list[str]) -> Iterable[Word]:
    return ()


_AFTER: Mapping[str, Callable[[Table, list[str]], Iterable[Word]]] = {
    **dict.fromkeys(VERBS, _nothing),
    "add": _sheets, "begin": _situation, "undo": _spans, "leave": _people, "why": _explained, "modify": _keys,
    "overrule": _figures, "adjust": _adjustable, "time": _time, "dice": _settings,
    "defaults": _passed_over, "help": _topics,
}  # fmt: skip
