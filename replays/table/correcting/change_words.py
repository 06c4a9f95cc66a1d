"""Parses the correction of a named entry: ``20 cover minor``, ``20 mode=burst``, ``20 drop``, ``21 fray``."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from ledger.commands import Choose, Command, Declare
from ledger.entry import Entry
from ledger.events import Json
from projections.combat import Combat
from projections.path import Rest
from replays.corrections.change import BadChange, Change, kind_in_words
from replays.corrections.recorded_answers import ANY_ROLL
from replays.corrections.refusals import without_repeats
from replays.scripts.toml_value import value_of
from replays.table.at_table import TableContext
from replays.table.correcting.corrected_dice import with_faces
from replays.table.correcting.typed_correction import TypedCorrection, check_allowed, command_of, entry_meant
from replays.table.language.declarations import DeclarationParser
from replays.table.language.dice_words import THROWN
from replays.table.language.grammar import Ambiguous, NotUnderstood, one_of, plain, rest_of, unquoted, words
from replays.table.language.questions import Question
from replays.table.language.targets import combatant_named, named_briefly, named_exactly
from replays.table.language.term_words import instead

INSERT = 'insert ENTRY LINE ["WHY"]'
_DROP = "drop"
_TARGET = "target"
"""May stand before the new target: ``20 target t2``."""
_DIGITS = 20
"""More digits than a face of a die can have."""
_MOST_WORDS = 24
"""How many words are tried as values before a reason."""
_BEGINS_A_REASON = frozenset(("because", "he", "she", "it", "they", "there", "was", "were", "i", "we"))
_MOST_ROLLS = 6
"""How many of the latest rolls a refusal names."""
_NUMBERED = r"(?i)[a-z]+[-_]?[0-9]+"
"""The brief name of one of several combatants, such as ``t2``."""


def changed_entry(table: TableContext, line: str, usage: str) -> TypedCorrection:
    """Returns the correction of an entry.

    Args:
        table: The table.
        line: An entry, then pairs of fields and values, or ``drop``, or words of the game; other words, or those in
            quotes, are the reason.
        usage: What is accepted.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    first, *rest = words(line) or [""]
    check_allowed(table)
    values = without_repeats(pair for pair in map(_pair, rest) if pair[0])
    drops = rest[:1] == [_DROP]
    if not first or not rest:
        raise NotUnderstood("an entry and what to change in it are needed", where="amend", accepts=usage)
    if not (values or drops):
        return _in_words(table, unquoted(first), rest)
    why = " ".join(unquoted(word) for word in rest[drops:] if not _pair(word)[0])
    return TypedCorrection(str(entry_meant(table, first)), Change(set=values, drop=drops), why)


def inserted_before(table: TableContext, line: str) -> TypedCorrection:
    """Returns the correction that performs something before an entry: a declaration, a choice or a note.

    Args:
        table: The table.
        line: An entry, then a line as it would have been typed there; words in quotes at its end are the reason.

    Raises:
        NotUnderstood: The line names no entry, or nothing that could be inserted there.
    """
    check_allowed(table)
    first, *rest = words(line) or [""]
    quoted = bool(rest) and unquoted(rest[-1]) != rest[-1] and len(rest) > 1
    why = unquoted(rest[-1]) if quoted else ""
    typed = rest_of(line, 1).removesuffix(rest[-1]).strip() if quoted else rest_of(line, 1)
    if not first or not typed:
        raise NotUnderstood("an entry and what happened before it are needed", where="insert", accepts=INSERT)
    seq = entry_meant(table, first)
    before = table.session.log.state(table.session.log.entry(seq).after)
    return TypedCorrection(str(seq), Change(insert=(_step(table, before, typed),)), why)


def parser_before(table: TableContext, entry: Entry, by: str) -> DeclarationParser:
    """Returns the parser of what a combatant could have declared before an entry."""
    return DeclarationParser(table.game, table.session.log.state(entry.after), Question(), by, lambda _: True)


def choice_answered(table: TableContext, entry: Entry) -> Rest | None:
    """Returns the choice that an entry answered; None if it answered none."""
    command = command_of(table, entry)
    rests = table.session.log.state(entry.after).rests if isinstance(command, Choose) else ()
    return next((rest for rest in rests if isinstance(command, Choose) and rest.key == command.key), None)


def option_of(rest: Rest | None, word: str) -> str | None:
    """Returns the option of a choice that a word means; None if it means none."""
    return None if rest is None else one_of(word, [each.option for each in rest.options])


def _in_words(table: TableContext, named: str, tokens: Sequence[str]) -> TypedCorrection:
    """Returns the change of an old declaration or choice by words: ``20 burst 8m``, ``21 fray``.

    Raises:
        NotUnderstood: The entry is neither, or a word means nothing there.
    """
    check_allowed(table)
    seq = entry_meant(table, named)
    entry = table.session.log.entry(seq)
    command = command_of(table, entry)
    why = " ".join(unquoted(word) for word in tokens if unquoted(word) != word)
    bare = [word for word in tokens if unquoted(word) == word]
    if isinstance(command, ANY_ROLL) and re.fullmatch(THROWN, " ".join(bare)):
        return with_faces(table, str(seq), " ".join(bare), why)
    values, rest = _before_reason(bare, lambda some: _values(table, entry, command, some))
    return TypedCorrection(str(seq), Change(set=values), " ".join(filter(None, (*rest, why))))


def _before_reason(
    bare: Sequence[str], parse: Callable[[Sequence[str]], dict[str, Any]]
) -> tuple[dict[str, Any], Sequence[str]]:
    """Returns what the first words mean, as many as possible, and the others: the reason.

    A word such as ``he`` or ``because`` begins the reason, although it may be the beginning of a value. Else a single
    word at the end is no reason: it is probably a typo.
    """
    begins = next((place for place, word in enumerate(bare) if place and word.lower() in _BEGINS_A_REASON), 0)
    problem = None
    for count in (begins or len(bare), *range(min(begins or len(bare) - 1, _MOST_WORDS) - 1, 0, -1)):
        try:
            return parse(bare[:count]), bare[count:]
        except Ambiguous:
            raise
        except NotUnderstood as refused:
            problem = problem or refused
    assert problem is not None, "there is a word"
    raise problem


def _values(table: TableContext, entry: Entry, command: Command, bare: Sequence[str]) -> dict[str, Any]:
    """Returns the corrected values of a declaration or a choice, by their paths.

    Raises:
        NotUnderstood: The command is neither, or a word means nothing there.
    """
    if isinstance(command, Declare):
        return _terms(table, entry, command, bare)
    rest = choice_answered(table, entry)
    if rest is None:
        problem = f"entry {entry.seq} ({kind_in_words(command)}) is not corrected by words"
        raise NotUnderstood(problem, where="amend", accepts="FIELD=VALUE, drop; of a roll, was FACES")
    option = option_of(rest, " ".join(bare))
    if option is None:
        offered = ", ".join(each.option for each in rest.options)
        raise NotUnderstood(f"{' '.join(bare)!r} was not offered in entry {entry.seq}", where="amend", accepts=offered)
    return {"option": option}


def _terms(table: TableContext, entry: Entry, declared: Declare, bare: Sequence[str]) -> dict[str, Any]:
    """Returns the terms of a declaration that the words change, by their paths."""
    before = table.session.log.state(entry.after)
    parser = parser_before(table, entry, declared.by)
    target, others = _new_target(table, before, declared, bare)
    base = msgspec.structs.replace(declared, terms={**declared.terms, **target})
    corrected = parser.extended(base, " ".join(others)) if others else base
    changes = {
        f"terms.{field}": instead(declared.terms.get(field) or (), term) if isinstance(term, list | tuple) else term
        for field, term in corrected.terms.items()
        if declared.terms.get(field) != term
    }
    if not changes:
        raise BadChange("the words change nothing", where="terms", accepts="other values")
    return dict(msgspec.to_builtins(changes))


def _new_target(
    table: TableContext, before: Combat, declared: Declare, bare: Sequence[str]
) -> tuple[Json, Sequence[str]]:
    """Returns the target that the words name, as a term, and the words without it."""
    at = table.game.vocabulary.terms.at
    if not isinstance(declared.terms.get(at), str):
        return {}, bare
    among = before.roster.here()
    for place, word in enumerate(bare):
        whole = named_exactly(bare[place:], before.roster, among)
        brief = named_briefly(word, before.roster, among) if re.fullmatch(_NUMBERED, word) else None
        who, count = whole or (brief, 1)
        if who is not None:
            others = bare[: place - 1] if place and plain(bare[place - 1]) in (_TARGET, plain(at)) else bare[:place]
            return {at: who}, [*others, *bare[place + count :]]
    return {}, bare


def _step(table: TableContext, before: Combat, typed: str) -> Json:
    """Returns a line as a step of a script, as it would have been understood in a state.

    Raises:
        NotUnderstood: It is neither a note, nor an answer to a choice that was open, nor a declaration.
    """
    first = next(iter(words(typed)))
    if first == "note":
        return {"note": rest_of(typed, 1)}
    who = combatant_named(first.removesuffix(":"), before.roster) if first.endswith(":") else None
    only, typed = ("", typed) if who is None else (who, rest_of(typed, 1))
    for rest in before.rests:
        option = option_of(rest, typed) if only in ("", rest.by) else None
        if option is not None and option not in table.game.kinds:
            return {"choose": {rest.key: option}}
    parser = DeclarationParser(table.game, before, Question(), only, lambda _: True)
    declared = parser.parsed(typed)
    if declared is None:
        raise NotUnderstood(f"{typed!r} cannot be inserted", where="insert", accepts=_insertable(before.rests))
    return {"declare": {"kind": declared.kind, "by": declared.by, **msgspec.to_builtins(declared.terms)}}


def _insertable(rests: Iterable[Rest]) -> str:
    options = [option.option for rest in rests for option in rest.options]
    return ", ".join([*dict.fromkeys(options), "WHO: KIND …", "note TEXT"])


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
