"""The word ``amend``: what would flip is shown first, then somebody says yes."""

from typing import Any

from ledger.commands import Amend
from replays.corrections.change import Change, plain
from replays.corrections.refusals import without_repeats
from replays.scripts.toml_value import value_of
from replays.table.at_table import TableContext
from replays.table.done import VerbResult, after_confirmation
from replays.table.language.grammar import NotUnderstood, unquoted, words

AMEND = "amend ENTRY [FIELD=VALUE … | drop] WHY"
_DROP = "drop"
_DIGITS = 20
"""No face has so many."""


def amend(table: TableContext, tail: str) -> VerbResult:
    """An old entry, by its number or the key of its roll, as it should have been.

    Raises:
        NotUnderstood: It names no entry, or nothing that is otherwise.
    """
    first, *said = words(tail) or [""]
    values = without_repeats(pair for pair in map(_pair, said) if pair[0])
    drops = _DROP in said
    why = " ".join(word for word in said if word != _DROP and not _pair(word)[0])
    if not first or not (values or drops):
        raise NotUnderstood("amend what?", where="amend", accepts=AMEND)
    change = Change(set=values, drop=drops)
    return _corrected(table, unquoted(first), change, why)


def _corrected(table: TableContext, entry: str, change: Change, why: str) -> VerbResult:
    """Shows what would flip, and asks."""
    report = table.session.preview(entry, change, why=why, by=table.who)
    last = table.session.log.last

    def write() -> VerbResult:
        if table.session.log.last != last:
            return _corrected(table, entry, change, why)
        table.perform(Amend(report.entry, plain(change), why))
        return VerbResult()

    return after_confirmation(report, "amend it so?", write)


def _pair(word: str) -> tuple[str, Any]:
    """``range=medium`` as a field and its value; no field where it is a word of the reason."""
    name, equals, text = word.partition("=")
    if not equals or not name.replace(".", "").replace("_", "").isalnum():
        return "", None
    faces = text.split(",")
    if len(faces) > 1 and all(face.isdecimal() and len(face) < _DIGITS for face in faces):
        return name, [int(face) for face in faces]
    value = value_of(text)
    return name, unquoted(value) if value == text else value
