"""The word ``amend``: previews the correction of an old entry, asks for confirmation, then writes it."""

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
"""More digits than a face of a die can have."""


def amend(table: TableContext, tail: str) -> VerbResult:
    """Amends an old entry, named by its number or by the key of its roll.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    first, *rest = words(tail) or [""]
    values = without_repeats(pair for pair in map(_pair, rest) if pair[0])
    drops = _DROP in rest
    why = " ".join(word for word in rest if word != _DROP and not _pair(word)[0])
    if not first or not (values or drops):
        raise NotUnderstood("amend needs an entry and what to change in it", where="amend", accepts=AMEND)
    change = Change(set=values, drop=drops)
    return _previewed(table, unquoted(first), change, why)


def _previewed(table: TableContext, entry: str, change: Change, why: str) -> VerbResult:
    """Shows what an amendment would change, and asks for confirmation; a stale preview is made anew."""
    report = table.session.preview(entry, change, why=why, by=table.who)
    last = table.session.log.last

    def write() -> VerbResult:
        if table.session.log.last != last:
            return _previewed(table, entry, change, why)
        table.perform(Amend(report.entry, plain(change), why))
        return VerbResult()

    return after_confirmation(report, "amend it?", write)


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
