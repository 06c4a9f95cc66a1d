"""Describes the check of a heads file, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from ledger.stores.heads import HeadsFile, HeadsReport
from ledger.tombstone import Tombstone


def lines(heads: HeadsFile, report: HeadsReport | None) -> Iterator[str]:
    """Yields the result of a check in sentences; problems are raised elsewhere as refusals.

    Args:
        heads: The heads file.
        report: The result; None if there is no such file.
    """
    if report is None:
        yield f"there is no heads file {heads.path}: missing entries at the end of a log cannot be detected"
        return
    begun = f"begun {report.begun.at}" if report.begun else "without its first line"
    if report.begun and report.begun.why:
        who = f" by {report.begun.by.name}" if report.begun.by else ""
        begun += f"{who}: {report.begun.why}"
    yield (
        f"heads: {_count(report.marks, 'head')} of {_count(len(report.sessions), 'session')} checked, "
        f"{_count(len(report.breaks), 'session')} cut ({report.path}, {begun}; {_signatures(report)})"
    )
    for cut in report.breaks:
        yield f"heads: {cut.message}"
    if report.torn:
        yield f"heads: {_count(len(report.torn), 'line')} incomplete, as after a crash"
    if report.unmarked:
        shown = ", ".join(report.unmarked[:5]) + (" …" if report.unmarked[5:] else "")
        yield f"heads: there is no line for {_count(len(report.unmarked), 'session')}: {shown}"


def _signatures(report: HeadsReport) -> str:
    if not report.signed:
        return "not signed"
    checked = "not checked: no key is known" if report.forged is None else f"{len(report.forged)} by another key"
    return f"{report.signed} of {report.signed + len(report.unsigned)} lines signed, {checked}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def document(report: HeadsReport | None) -> dict[str, Any] | None:
    """Returns the result as a document for programs; None if there is no such file."""
    if report is None:
        return None
    begun = report.begun
    return {
        "file": report.path,
        "begun": begun and {"at": begun.at, "by": begun.by and begun.by.name, "why": begun.why},
        "heads": report.marks,
        "sessions": len(report.sessions),
        "cut": [cut.message for cut in report.breaks],
        "signed": report.signed,
        "unsigned": report.unsigned,
        "forged": report.forged,
        "garbage": report.garbage,
        "torn": report.torn,
        "unmarked": report.unmarked,
    }


def deletion(stone: Tombstone) -> str:
    """Returns a sentence about a deleted session."""
    who = f"{stone.by.name} ({stone.by.seat.value})"
    count = "1 entry" if stone.entries == 1 else f"{stone.entries} entries"
    return f"{stone.session}: deleted by {who} at {stone.at}: {stone.why} ({count}, last digest {stone.last})"


def deletion_document(stone: Tombstone) -> dict[str, Any]:
    """Returns a document for programs about a deleted session."""
    return {
        "session": stone.session,
        "tombstone": stone.number,
        "entries": stone.entries,
        "last": stone.last,
        "at": stone.at,
        "by": {"name": stone.by.name, "seat": stone.by.seat.value},
        "why": stone.why,
    }
