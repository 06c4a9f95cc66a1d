"""The words that amend: preview the correction of an old entry, ask for confirmation, then write it."""

from collections.abc import Callable, Mapping

from ledger.commands import Amend
from replays.corrections.change import Change, plain
from replays.table.at_table import TableContext
from replays.table.correcting import misreadings
from replays.table.correcting.change_words import changed_entry, inserted_before
from replays.table.correcting.typed_correction import TypedCorrection, check_allowed, standing
from replays.table.done import VerbResult, after_confirmation, with_reason
from replays.table.language.grammar import NotUnderstood, rest_of, unquoted, words

AMEND = "amend ENTRY WORDS | FIELD=VALUE … | was FACES | drop [WHY]"
REMOVE = "remove ENTRY [WHY]"


def amend(table: TableContext, tail: str) -> VerbResult:
    """Amends an old entry, named by its number or by the key of its roll.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    return _amended(table, correction(table, tail, AMEND))


def remove(table: TableContext, tail: str) -> VerbResult:
    """Removes an old entry: it never happened.

    Raises:
        NotUnderstood: The line names no entry.
    """
    return _amended(table, _removed(table, tail))


def insert(table: TableContext, tail: str) -> VerbResult:
    """Inserts what was forgotten before an old entry.

    Raises:
        NotUnderstood: The line names no entry, or nothing that could be inserted there.
    """
    return _amended(table, inserted_before(table, tail))


def reroll(table: TableContext, tail: str) -> VerbResult:
    """Corrects the faces of a roll: ``reroll 20 = 06``."""
    return _amended(table, misreadings.rerolled(table, tail))


def target(table: TableContext, tail: str) -> VerbResult:
    """Corrects the target of the latest declaration that has one: ``target t2``."""
    return _amended(table, misreadings.retargeted(table, tail))


def missed(table: TableContext, tail: str) -> VerbResult:
    """Corrects the latest choice that offered an option, but was another: ``missed: fray``."""
    return _amended(table, misreadings.chosen_instead(table, tail))


def misread(table: TableContext, line: str) -> VerbResult | None:
    """Corrects the faces of a roll: ``20 was 60``; returns None for another line."""
    found = misreadings.misread(table, line)
    return None if found is None else _amended(table, found)


def correction(table: TableContext, line: str, usage: str) -> TypedCorrection:
    """Returns the correction that a line means, in any of its forms.

    Args:
        table: The table.
        line: ``20 cover minor``, ``20 mode=burst``, ``20 drop``, ``20 was 60``, ``20 = 60``, ``target t2``,
            ``missed: fray``, ``insert 20 …`` or ``reroll 20 = 60``.
        usage: What is accepted.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    form = _FORMS.get(next(iter(words(line)), "").removesuffix(":"))
    if form is not None:
        return form(table, rest_of(line, 1))
    return misreadings.new_faces(table, line) or changed_entry(table, line, usage)


def _removed(table: TableContext, tail: str) -> TypedCorrection:
    entry = next(iter(words(tail)), "")
    if not entry:
        raise NotUnderstood("remove needs an entry", where="remove", accepts=REMOVE)
    check_allowed(table)
    named = unquoted(entry)
    meant = str(standing(table.session.log, int(named))) if named.isdecimal() else named
    return TypedCorrection(meant, Change(drop=True), unquoted(rest_of(tail, 1)))


def _amended(table: TableContext, found: TypedCorrection) -> VerbResult:
    """Asks for the reason if there is none, then previews an amendment; a wrong one is refused before it asks."""
    if not found.why:
        table.session.preview(found.entry, found.change, by=table.who)
    return with_reason(found.why, lambda why: _previewed(table, found._replace(why=why)))


def _previewed(table: TableContext, found: TypedCorrection) -> VerbResult:
    """Shows what an amendment would change, and asks for confirmation; a stale preview is made anew."""
    report = table.session.preview(found.entry, found.change, why=found.why, by=table.who)
    last = table.session.log.last

    def write() -> VerbResult:
        if table.session.log.last != last:
            return _previewed(table, found)
        table.perform(Amend(report.entry, plain(found.change), found.why))
        return VerbResult()

    return after_confirmation(report, "amend it?", write)


_FORMS: Mapping[str, Callable[[TableContext, str], TypedCorrection]] = {
    "amend": lambda table, tail: correction(table, tail, AMEND),
    "reroll": misreadings.rerolled,
    "target": misreadings.retargeted,
    "missed": misreadings.chosen_instead,
    "remove": _removed,
    "insert": inserted_before,
}
"""Parsers of corrections that begin with a word."""
