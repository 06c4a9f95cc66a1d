"""Sends a line of a person who is elsewhere to their table, with the answers to what it asks before it writes.

A line that asks first (an undo that sets dice aside, an ambiguous name) has written nothing. So it is sent once more
with the answers beside it, and no conversation needs to be kept between requests.
"""

from collections.abc import Sequence

import msgspec

from ledger.entry import Entry
from ledger.errors import Refused
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.exports import documents
from replays.exports.narrative import sentences
from replays.odds.luck import Luck
from replays.odds.odds import Odds
from replays.table.correcting.amending import amend, insert, missed, remove, reroll, target
from replays.table.correcting.misreadings import is_misreading
from replays.table.done import YES, DisputeList, RuleTable, RulingList, VerbResult
from replays.table.language.grammar import NotUnderstood, rest_of
from replays.table.online.documents import LineFound
from replays.table.online.heard import heard
from replays.table.table import Table
from replays.table.verbs import VERBS

LONGEST, MOST = 2_000, 12
"""Maximum length of a line, and maximum number of answers beside it."""
_CORRECTIONS = (amend, insert, missed, reroll, remove, target)
"""The functions of words that preview before they ask, which takes long in a long log."""


def only_reads(table: Table, line: str) -> bool:
    """Returns whether a line computes something and writes nothing, so that it may be executed beside the writer."""
    verb = table.verb(line)
    while verb is VERBS["secret"] and (line := rest_of(line, 1)):
        verb = table.verb(line)
    return verb is not None and not verb.writes and verb not in (VERBS["dice"], VERBS["defaults"])


def writes_nothing(table: Table, line: str) -> bool:
    """Returns whether a line writes nothing, or only a setting of this table."""
    verb = table.verb(line)
    return verb is not None and not verb.writes


def answers_only(table: Table, line: str, of: str) -> bool:
    """Returns whether a line answers an open roll or choice, and nothing but rolls and choices.

    Args:
        table: The table of the person.
        line: The line.
        of: The key of the roll or choice; empty for none.
    """
    if not of or table.verb(line) is not None:
        return False
    try:
        keys = [getattr(command, "key", "") for command in table.meaning(line.strip()).commands]
    except Refused:
        return False
    return of in keys and all(keys)


def only_previews(table: Table, line: str, answers: Sequence[str]) -> bool:
    """Returns whether a line only shows what a correction would change: it writes nothing before a yes."""
    verb = table.verb(line)
    is_correction = verb.do in _CORRECTIONS if verb is not None else is_misreading(line.strip())
    return is_correction and not any(each.lower() in YES for each in answers)


def may_repeat(table: Table, line: str) -> bool:
    """Returns whether a line means the same after others have written."""
    verb = table.verb(line)
    return verb is not None and verb.may_repeat


def sent(table: Table, line: str, answers: Sequence[str] = ()) -> tuple[LineFound, list[Entry]]:
    """Executes a line, with the answers to what it asks.

    Args:
        table: The table of the person.
        line: The line.
        answers: The answers, in the order of the questions.

    Returns:
        What it found or asks next, and the entries that it wrote.

    Raises:
        Refused: The line or an answer is refused; nothing was written.
    """
    with heard(table.session) as written:
        table.forget()
        result = table.submit(line)
        refused = result.refused
        for each in answers:
            if refused is None and not result.done.asks:
                refused = _unasked()
            if refused is None:
                result = table.submit(each)
                refused = result.refused
        table.forget()
        if refused is not None and not written:
            raise refused
        table.leave()
    found = _found(result.done)
    return (found if refused is None else msgspec.structs.replace(found, refused=str(refused))), written


def found(table: Table, line: str, answers: Sequence[str] = ()) -> LineFound:
    """Returns what a line finds or asks that only reads or previews; no dice are drawn after it.

    Raises:
        Refused: The line is refused.
    """
    done = table.do(line.strip())
    for each in answers:
        if done.then is None:
            raise _unasked()
        done = done.then(each.strip())
    return _found(done)


def _unasked() -> NotUnderstood:
    return NotUnderstood("the line asks nothing that this would answer", where="answers", accepts="fewer answers")


def _found(done: VerbResult) -> LineFound:
    found = done.found
    lines = [f"{each.entry.seq} {text}" for each in done.frames for text in sentences(each.entry, each.before)]
    return LineFound(
        lines=(*done.lines, *lines),
        asks=done.asks,
        report=done.report,
        why=done.why,
        odds=documents.odds(found) if isinstance(found, Odds) else None,
        luck=documents.chances(found) if isinstance(found, Luck) else None,
        disputes=found.disputes if isinstance(found, DisputeList) else None,
        rulings=found.rulings if isinstance(found, RulingList) else None,
        rules=found.name if isinstance(found, RuleTable) else None,
        audit=found if isinstance(found, Audit) else None,
        dispute=found if isinstance(found, Dispute) else None,
        shows=done.shows,
    )
