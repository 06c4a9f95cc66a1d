"""The answer to a line of the table, as a client has it."""

import msgspec

from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.precedents import Precedent
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.client import answers
from replays.client.answers import Heard
from replays.client.call import Call, decoded
from replays.client.calls import Calls
from replays.corrections.diff import Report
from replays.exports import documents
from replays.odds.luck import Luck
from replays.odds.odds import Odds
from replays.table.online.documents import TableQuestion

_NONE = msgspec.Raw(b"null")


class SentLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a line of the table wrote and found, and what the table asks now."""

    entries: tuple[Heard, ...]
    """The entries that the line wrote; none if it only reads, or asks first."""
    narration: tuple[str, ...]
    """These entries in sentences."""
    last: int
    """The number of the log's last entry."""
    head: int
    """The last entry that stands."""
    question: TableQuestion
    """What the table asks now."""
    lines: tuple[str, ...] = ()
    """What the table answers, in lines."""
    refused: str = ""
    """Why something was not done after the line had written, as slug and message; empty if all was done."""
    asks: str = ""
    """A question that the next of the `answers` of this line answers; empty if there is none."""
    report: Report | None = None
    """The preview of a correction."""
    why: Why | None = None
    odds: Odds | None = None
    luck: Luck | None = None
    audit: Audit | None = None
    dispute: Dispute | None = None
    disputes: tuple[Disputed, ...] | None = None
    rulings: tuple[Precedent, ...] | None = None
    rules: str | None = None
    """The table of the rules that is asked for; empty for a list of all."""
    shows: str = ""
    """What the line asks to see in full: ``state`` or ``options``."""


class _FoundDocument(msgspec.Struct):
    lines: tuple[str, ...] = ()
    refused: str = ""
    asks: str = ""
    report: Report | None = None
    why: Why | None = None
    odds: msgspec.Raw = _NONE
    luck: msgspec.Raw = _NONE
    audit: Audit | None = None
    dispute: Dispute | None = None
    disputes: tuple[Disputed, ...] | None = None
    rulings: tuple[Precedent, ...] | None = None
    rules: str | None = None
    shows: str = ""


class _SentDocument(msgspec.Struct):
    entries: list[documents.EntryDocument]
    narration: tuple[str, ...]
    last: int
    head: int
    found: _FoundDocument
    question: TableQuestion


def call_of(
    calls: Calls, line: str, given: tuple[str, ...], of: str, *, expected: int | None, batch: str | None
) -> Call[SentLine]:
    """Builds the request that sends a line, with an idempotency key."""
    body = {"line": line, "answers": given, **({"of": of} if of else {})}
    return calls.write("lines", body, line_sent, expected, batch)


def line_sent(body: bytes) -> SentLine:
    """Decodes what a line wrote and found."""
    sent = decoded(_SentDocument, body)
    found = {name: getattr(sent.found, name) for name in _FoundDocument.__struct_fields__}
    odds, luck = bytes(found.pop("odds")), bytes(found.pop("luck"))
    return SentLine(
        entries=tuple(map(answers.entry_of, sent.entries)),
        narration=sent.narration,
        last=sent.last,
        head=sent.head,
        question=sent.question,
        odds=None if odds == b"null" else answers.odds(odds),
        luck=None if luck == b"null" else answers.luck(luck),
        **found,
    )
