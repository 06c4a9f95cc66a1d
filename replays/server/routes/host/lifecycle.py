"""Routes that archive a session, take it out of the archive, and delete it."""

from typing import Annotated

import msgspec
from litestar import Controller, delete, post
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter

from ledger.entry import Who
from ledger.tombstone import Deletion, Tombstone
from replays.server.callers.callers import InjectedCaller, InjectedHost
from replays.server.callers.seat_token import only_gm
from replays.server.callers.tokens import Scope
from replays.server.routes.common import LONGEST_MATCH, SECURITY, VISIBLE, Words, expected, refusals
from replays.sessions import ports
from replays.sessions.archive import Archived, archive, unarchive

_HOST = Who("host")
_SEEN = "The number of the session's last entry, as in an `ETag`, so that nothing unseen is deleted; `*` for any."


class Archiving(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Why a session is archived, or taken out of the archive."""

    why: Words = ""


class Lifecycle(Controller):
    """Archives a session and takes it out of the archive, for its gamemaster and the host; deletes it, for the host."""

    path = "/v1/sessions/{session:str}"
    tags = ("Sessions",)
    security = SECURITY

    @post("/archive", operation_id="archiveSession", status_code=200, responses=refusals(401, 403, 404, 413, 422))
    async def archive(self, caller: InjectedCaller, data: JSONBody[Archiving]) -> Archived:
        """Archives a session: the list of sessions omits it, unless archived ones are requested.

        Its log does not change; it can be read and played as before.
        """
        return await _turned(caller, data, archived=True)

    @post("/unarchive", operation_id="unarchiveSession", status_code=200, responses=refusals(401, 403, 404, 413, 422))
    async def unarchive(self, caller: InjectedCaller, data: JSONBody[Archiving]) -> Archived:
        """Takes a session out of the archive, so that it is listed again."""
        return await _turned(caller, data, archived=False)

    @delete("/", operation_id="deleteSession", status_code=200, responses=refusals(401, 403, 404, 409, 422))
    async def delete(
        self,
        host: InjectedHost,
        session: FromPath[str],
        why: Annotated[
            str,
            QueryParameter(
                name="why", description="The reason, which is kept.", min_length=1, max_length=4000, pattern=VISIBLE
            ),
        ],
        if_match: Annotated[
            str,
            HeaderParameter(name="If-Match", description=_SEEN, max_length=LONGEST_MATCH),
        ],
    ) -> Tombstone:
        """Deletes a session permanently: its log, its secrets and its tokens.

        What remains is the answer: who deleted it, when and why, how many entries it had, and the digest of the last
        one, which proves that a kept export is the whole session. Its id is never used again. Its live feeds end.
        """
        entries = expected(if_match)
        deletion = Deletion(_HOST, ports.now(), why)
        stone = await host.run(lambda: host.store.delete(session, deletion, expected=entries))
        host.feed.ring((session,))
        return stone


async def _turned(caller: InjectedCaller, asked: Archiving, *, archived: bool) -> Archived:
    only_gm(caller.token)
    state, session = caller.app_state, caller.session
    by = _HOST if caller.token.seat is Scope.HOST else caller.token.who

    def turn() -> Archived:
        state.tokens.check(caller.token)
        (archive if archived else unarchive)(state.store, session, by, asked.why)
        return Archived(session, archived)

    return await state.run(turn)
