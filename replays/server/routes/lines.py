"""Routes of the table: what it asks, and lines in its language, executed or only understood."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from ledger.entry import Entry
from ledger.errors import Refused, Stale
from machines.contract.refusals import NotAllowed
from replays.api.session import Session
from replays.server.callers.callers import InjectedCaller, RequestCaller
from replays.server.routes.common import READS, SECURITY, IdempotencyKey, IfMatch, expected, refusals, tagged
from replays.server.routes.performing import Performed, performed, waiting
from replays.server.runtime.questions.of_tables import FoundByLine, UnderstoodLine
from replays.table.online.asking import asked
from replays.table.online.documents import LineFound, TableQuestion, Understood
from replays.table.online.sending import (
    LONGEST,
    MOST,
    answers_only,
    may_repeat,
    only_previews,
    only_reads,
    sent,
    writes_nothing,
)
from replays.table.table import Table

Line = Annotated[str, msgspec.Meta(max_length=LONGEST, description="A line in the language of the table.")]


class LineToSend(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the table, with the answers to what it asks."""

    line: Line
    answers: Annotated[tuple[Line, ...], msgspec.Meta(max_length=MOST)] = ()
    """The answers to what the line asks before it writes, in the order of the questions."""
    of: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """The key of the open roll or choice that the line answers: while that is open, others may have written since."""


class LineTyped(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line that is being typed."""

    line: Line


class LineSent(Performed, frozen=True):
    """What a line wrote and found, and what the table asks now."""

    found: LineFound
    """What the line found or asks, apart from what it wrote."""
    question: TableQuestion


_REFUSALS = refusals(401, 403, 404, 413, 422)


class BareLine(Refused):
    """A line that depends on the state, without the header that keeps a late repeat from answering another question."""

    slug = "request/bare-line"


class LineRoutes(Controller):
    """The table: its question, and lines in its language."""

    path = "/v1/sessions/{session:str}"
    tags = ("Table",)
    security = SECURITY

    @get("/question", operation_id="getQuestion", responses=refusals(401, 403, 404))
    async def question(self, caller: InjectedCaller) -> Response[TableQuestion]:
        """Returns what the table asks the seat now: the open choice with its answers, and the open rolls."""
        question = await caller.run(lambda session: asked(_table(caller, session)))
        return tagged(question, question.last)

    @post("/lines", operation_id="sendLine", responses=refusals(401, 403, 404, 409, 413, 422))
    async def send(
        self, caller: InjectedCaller, data: JSONBody[LineToSend], match: IfMatch = None, key: IdempotencyKey = None
    ) -> Response[LineSent]:
        """Executes a line in the language of the table, as `affray fight` does at a terminal.

        It answers what is asked (faces, `4 hits`, an option, a declaration such as `attack thug`), or is a word of the
        table (`undo`, `why`, `amend 31 was 45`). A line may ask before it writes; then it is sent once more with the
        answers. A line that writes needs `If-Match`, so that a late repeat cannot answer another question; with `of`
        it is also accepted if others have written since, while that roll or choice is open. A repeat under the same
        `Idempotency-Key` writes nothing more, and returns what was written at first.
        """
        known = expected(match)
        binds = ("line", data.line, data.answers)

        def work(session: Session) -> LineSent | None:
            table = _table(caller, session)
            before = session.under_key(key, binds, caller.who) if key is not None else []
            if before:
                return _sent(session, caller, table, before, LineFound())
            if only_reads(table, data.line):
                return None
            if only_previews(table, data.line, data.answers):
                return None
            _check_match(table, data, known)
            with session.keyed(key, binds):
                found, entries = sent(table, data.line, data.answers)
            entries += caller.app_state.tables.go_on(session, entries)
            return _sent(session, caller, table, entries, found)

        written = await caller.run(work)
        if written is None:
            found: Any = msgspec.Raw((await caller.ask(FoundByLine(data.line, data.answers))).content)

            def document(session: Session) -> LineSent:
                return _sent(session, caller, _table(caller, session), [], found)

            written = await caller.run(document)
        return tagged(written, written.last)

    @post("/lines/understood", operation_id="understandLine", status_code=200, responses=_REFUSALS, **READS)
    async def understand(self, caller: InjectedCaller, data: JSONBody[LineTyped]) -> Response[Understood]:
        """Returns what a line would do, in sentences, and the words that may stand at its end; nothing is written."""
        _check_unlimited(caller)
        return await caller.ask(UnderstoodLine(data.line))


def _table(caller: RequestCaller, session: Session) -> Table:
    _check_unlimited(caller)
    return caller.app_state.tables.of(session, caller.who)


def _check_unlimited(caller: RequestCaller) -> None:
    """Rejects a token for only some of a player's combatants: the table is one for each person.

    Raises:
        NotAllowed: The token is limited.
    """
    if caller.token.combatants is not None:
        message = "the table is for a whole seat, and this token is for some of its combatants"
        raise NotAllowed(message, where="Authorization", accepts="a token of the seat; or commands in place of lines")


def _check_match(table: Table, data: LineToSend, known: int | None) -> None:
    """Rejects a line that was typed before others wrote.

    Raises:
        BareLine: The line depends on the state, and If-Match is missing.
        Stale: There are later entries than the caller knows.
    """
    last = table.session.log.last
    if known is None and not may_repeat(table, data.line):
        raise BareLine("a line that writes needs the entry that was seen", where="If-Match", accepts=f'"{last}"')
    is_free = writes_nothing(table, data.line) or answers_only(table, data.line, data.of)
    if known is not None and known != last and not is_free:
        raise Stale(known, last)


def _sent(session: Session, caller: RequestCaller, table: Table, entries: list[Entry], found: LineFound) -> LineSent:
    done = performed(session, caller, entries) if entries else waiting(session, caller)
    fields = {name: getattr(done, name) for name in Performed.__struct_fields__}
    return LineSent(**fields, found=found, question=asked(table))
