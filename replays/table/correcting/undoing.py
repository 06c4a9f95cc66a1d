"""The words ``undo``, ``redo`` and ``rewind``: name the entries that they move, ask where needed, then write.

Only the latest line of the person's own, without dice, is taken back without a question; it is named afterwards.
"""

from collections.abc import Callable
from difflib import get_close_matches

from ledger.commands import Rewind
from replays.sessions import undo as spans
from replays.table.at_table import TableContext
from replays.table.correcting.moved_entries import MovedEntries
from replays.table.done import VerbResult, after_yes
from replays.table.language.grammar import NotUnderstood, number, one_of, rest_of, unquoted, words

UNDO, REDO, REWIND = "undo [N | exchange | turn | round | to ENTRY] [WHY]", "redo [WHY]", "rewind ENTRY [WHY]"


def undo(table: TableContext, tail: str) -> VerbResult:
    """Undoes the last line, several lines, or a span; ``undo to ENTRY`` means ``rewind``.

    Raises:
        NotUnderstood: The line names no span, or is perhaps a misspelled one.
        NothingToUndo: There are fewer lines, or nothing of that span.
        NoSuchEntry: It names an entry that does not exist.
    """
    _check_allowed(table)
    first, *others = words(tail) or [""]
    if first.lower() == "to" and number(next(iter(others), "")) is not None:
        return rewind(table, tail[len(first) :].strip())
    lines = number(first)
    span = (one_of(first, spans.SPANS) if first else None) or "step"
    is_named = lines is not None or (bool(first) and one_of(first, spans.SPANS) is not None)
    accepts = f"undo, a number of lines, {', '.join(spans.SPANS)}, or a reason of several words"
    why = rest_of(tail, 1) if is_named else _reason(tail, "undo", accepts)
    to = table.before_lines(1 if lines is None else lines) if span == "step" else spans.target(table.session.log, span)
    moved = MovedEntries(table, to)
    if span == "step" and lines in (None, 1) and moved.is_plain_line():
        table.rewind(to, why)
        return VerbResult((moved.statement(is_listed=False),))
    return _asked(table, moved, lambda: table.rewind(to, why), lambda: undo(table, tail))


def redo(table: TableContext, tail: str) -> VerbResult:
    """Reverts the latest undo; asks first if that sets anything aside.

    Raises:
        NotUnderstood: The line is perhaps a misspelled word.
        NothingToRedo: Nothing was undone, or a new command was decided since.
    """
    _check_allowed(table)
    why = _reason(tail, "redo", "redo, or redo with a reason of several words")
    moved = MovedEntries(table, spans.redone(table.session.log))
    if not moved.undone:
        table.redo(why)
        return VerbResult((moved.statement(is_listed=False),))
    return _asked(table, moved, lambda: table.redo(why), lambda: redo(table, tail))


def rewind(table: TableContext, tail: str) -> VerbResult:
    """Makes an entry the last that stands, after a yes.

    Raises:
        NotUnderstood: The line names no entry.
        NoSuchEntry: There is no entry of that number.
        NothingToUndo: It is the last that stands.
    """
    _check_allowed(table)
    to = number(next(iter(words(tail.removeprefix("to "))), ""))
    if to is None or to < 1:
        raise NotUnderstood("rewind needs the number of an entry", where="rewind", accepts=REWIND)
    spans.other(table.session.log, to)
    why = rest_of(tail.removeprefix("to "), 1)
    return _asked(table, MovedEntries(table, to), lambda: table.rewind(to, why), lambda: rewind(table, tail))


def _asked(
    table: TableContext, moved: MovedEntries, write: Callable[[], None], anew: Callable[[], VerbResult]
) -> VerbResult:
    """Lists the entries and asks; after a yes writes, or asks anew if others have written since."""
    last = table.session.log.last

    def written() -> VerbResult:
        if table.session.log.last != last:
            return anew()
        write()
        return VerbResult((moved.statement(is_listed=True),))

    question = after_yes(moved.question(), written)
    return VerbResult(moved.listed(), asks=question.asks, then=question.then)


def _check_allowed(table: TableContext) -> None:
    """Rejects persons who may not undo, before anything of the log is listed for them."""
    table.session.check_allowed(Rewind(1, ""), by=table.who)


def _reason(tail: str, where: str, accepts: str) -> str:
    """Returns the reason; rejects a single word that does not follow ``why`` or ``because``: it is probably a typo."""
    typed = words(tail)
    if typed and typed[0].lower() in ("why", "because"):
        return rest_of(tail, 1)
    if len(typed) == 1 or (typed and get_close_matches(typed[0].lower(), spans.SPANS, cutoff=0.85)):
        raise NotUnderstood(f"{typed[0]!r} is not understood after {where}", where=where, accepts=accepts)
    return unquoted(tail)
