"""The word ``amend``: previews the correction of an old entry, asks for confirmation, then writes it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger.commands import Amend, Choose, Command, Declare
from ledger.entry import Entry
from projections.combat import Combat
from replays.corrections.change import BadChange, Change, plain
from replays.corrections.recorded_answers import underlying
from replays.corrections.refusals import without_repeats
from replays.corrections.which_entry import entry_number
from replays.scripts.toml_value import value_of
from replays.table.at_table import TableContext
from replays.table.done import VerbResult, after_confirmation, with_reason
from replays.table.language.declarations import DeclarationParser
from replays.table.language.grammar import NotUnderstood, one_of, unquoted, words
from replays.table.language.questions import Question

AMEND = "amend ENTRY [WORDS | FIELD=VALUE … | drop] WHY"
_DROP = "drop"
_DIGITS = 20
"""More digits than a face of a die can have."""


def amend(table: TableContext, tail: str) -> VerbResult:
    """Amends an old entry, named by its number or by the key of its roll.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    entry, change, why = change_of(table, tail, AMEND)
    is_in_words = not change.drop and not any(_pair(word)[0] for word in words(tail))
    if is_in_words and not why:
        return with_reason(why, lambda given: previewed(table, entry, change, given))
    return previewed(table, entry, change, why)


def change_of(table: TableContext, tail: str, usage: str) -> tuple[str, Change, str]:
    """Returns the entry that a line names, the change of it, and the reason.

    Args:
        table: The table.
        tail: The line without its first word: an entry, then pairs of fields and values, or ``drop``, or words of the
            game; other words, or those in quotes, are the reason.
        usage: What is accepted.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    first, *rest = words(tail) or [""]
    values = without_repeats(pair for pair in map(_pair, rest) if pair[0])
    drops = _DROP in rest
    if first and rest and not (values or drops):
        return _in_words(table, unquoted(first), rest)
    if not first or not rest:
        raise NotUnderstood("an entry and what to change in it are needed", where="amend", accepts=usage)
    why = " ".join(word for word in rest if word != _DROP and not _pair(word)[0])
    return unquoted(first), Change(set=values, drop=drops), why


def previewed(table: TableContext, entry: str, change: Change, why: str) -> VerbResult:
    """Shows what an amendment would change, and asks for confirmation; a stale preview is made anew."""
    report = table.session.preview(entry, change, why=why, by=table.who)
    last = table.session.log.last

    def write() -> VerbResult:
        if table.session.log.last != last:
            return previewed(table, entry, change, why)
        table.perform(Amend(report.entry, plain(change), why))
        return VerbResult()

    return after_confirmation(report, "amend it?", write)


def _in_words(table: TableContext, named: str, tokens: Sequence[str]) -> tuple[str, Change, str]:
    """Returns the change of an old declaration or choice by words: ``20 burst 8m``, ``21 fray``.

    Raises:
        NotUnderstood: The entry is neither, or a word means nothing there.
    """
    check_allowed(table)
    seq = entry_number(table.session.log, named)
    entry = table.session.log.entry(seq)
    command = command_of(table, entry)
    why = " ".join(unquoted(word) for word in tokens if unquoted(word) != word)
    bare = [word for word in tokens if unquoted(word) == word]
    if isinstance(command, Declare):
        return str(seq), Change(set=_terms(table, entry, command, bare)), why
    option = option_of(table, entry, bare[0]) if len(bare) == 1 else None
    if option is None:
        problem = f"entry {seq} ({type(command).__name__}) is not corrected by words"
        raise NotUnderstood(problem, where="amend", accepts="FIELD=VALUE, drop")
    return str(seq), Change(set={"option": option}), why


def amended(table: TableContext, seq: int, values: dict[str, Any], why: str) -> VerbResult:
    """Asks for the reason if there is none, then previews an amendment of fields.

    Args:
        table: The table.
        seq: The number of the entry.
        values: The corrected values, by their paths in its command.
        why: The reason; may be empty.
    """
    return with_reason(why, lambda given: previewed(table, str(seq), Change(set=values), given))


def check_allowed(table: TableContext) -> None:
    """Rejects persons who may not amend, before anything of the log is read for them."""
    table.session.check_allowed(Amend(1, {"drop": True}, ""), by=table.who)


def command_of(table: TableContext, entry: Entry) -> Command:
    """Returns the command that the rules decided for an entry."""
    return underlying(entry, table.session.log.entry)[0]


def option_of(table: TableContext, entry: Entry, word: str) -> str | None:
    """Returns the option that a word means in the choice that an entry answered; None if it means none."""
    command = command_of(table, entry)
    if not isinstance(command, Choose):
        return None
    rests = table.session.log.state(entry.after).rests
    options = [each.option for rest in rests if rest.key == command.key for each in rest.options]
    return one_of(word, options)


def _terms(table: TableContext, entry: Entry, declared: Declare, bare: Sequence[str]) -> dict[str, Any]:
    """Returns the terms of a declaration that the words change, by their paths."""
    before: Combat = table.session.log.state(entry.after)
    parser = DeclarationParser(table.game, before, Question(), declared.by, lambda _: True)
    corrected = parser.extended(declared, " ".join(bare))
    changes = {f"terms.{field}": term for field, term in corrected.terms.items() if declared.terms.get(field) != term}
    if not changes:
        raise BadChange("the words change nothing", where="terms", accepts="other values")
    return dict(msgspec.to_builtins(changes))


def _pair(word: str) -> tuple[str, Any]:
    """Returns the field and value of a word such as ``range=medium``; the field is empty for a word of the reason."""
    name, equals, text = word.partition("=")
    if not equals or not name.replace(".", "").replace("_", "").isalnum():
        return "", None
    faces = text.split(",")
    if len(faces) > 1 and all(face.isdecimal() and len(face) < _DIGITS for face in faces):
        return name, [int(face) for face in faces]
    value = value_of(text)
    return name, unquoted(value) if value == text else value
