"""Routes of webhooks: registering, listing, testing and deleting them; each belongs to the token that registers it."""

import secrets
import time
from typing import Annotated, Literal

import msgspec
from litestar import Controller, delete, get, post
from litestar.params import FromPath, JSONBody

from replays.server.callers.callers import AppRequest, InjectedCaller, RequestCaller, token_text
from replays.server.routes.common import SECURITY, Number, refusals
from replays.server.routes.live import check_there
from replays.server.webhooks.addresses import LONGEST
from replays.server.webhooks.delivery import ping
from replays.server.webhooks.hook import Hook
from replays.server.webhooks.signing import new_secret
from replays.sessions.ports import moment


class NewHook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A webhook to be registered."""

    address: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    """The `https://` or `http://` address that gets the messages; it must be public."""
    after: Number | None = None
    """The entries after this one are sent, as in the live feed; by default those that are written from now on."""


class IssuedHook(msgspec.Struct, frozen=True):
    """A registered webhook with its secret, which is shown only this once."""

    id: str
    address: str
    """The address that gets the messages."""
    cursor: int
    """The number of the last entry that was delivered; the messages begin after it."""
    secret: str
    """The key that signs the messages, as Standard Webhooks writes it: `whsec_…`."""


class KnownHook(msgspec.Struct, frozen=True):
    """A webhook, without its secret."""

    id: str
    address: str
    """The address that gets the messages."""
    cursor: int
    """The number of the last entry that was delivered."""
    state: Literal["active", "dead"]
    """`dead` after too many failures in a row or the status 410; nothing is sent until it is activated again."""
    stopped: str
    """The reason why it is dead; empty if it is active."""
    failures: int
    """The number of failures in a row."""
    status: int | None
    """The HTTP status of the last message; null if there was none."""
    problem: str
    """Why the last message was not delivered; empty if it was."""
    next_attempt: str | None
    """The time of the next attempt after a failure, in UTC; null if the next entry is sent at once."""


class Pinged(msgspec.Struct, frozen=True):
    """The result of a test."""

    delivered: bool
    """Whether the receiver has answered with a status from 200 to 299."""
    status: int | None
    """The HTTP status; null if there was none."""
    problem: str
    """Why the test was not delivered; empty if it was."""


class WebhookRoutes(Controller):
    """Sends the live feed of a seat to an address, for bots that do not run all the time."""

    path = "/v1/sessions/{session:str}/hooks"
    tags = ("Webhooks",)
    security = SECURITY

    @post("/", operation_id="createHook", responses=refusals(401, 403, 404, 413, 422))
    async def create(self, request: AppRequest, caller: InjectedCaller, data: JSONBody[NewHook]) -> IssuedHook:
        """Registers a webhook of the caller's seat; its secret is shown only in this response.

        Each entry is sent in a POST request as the live feed would send it to this seat, in order, and at least once:
        the next one follows when the address has answered with 2xx. Messages are signed as Standard Webhooks describes.
        After a failure, the message is sent again after a pause that grows from a second to an hour; after 36 failures
        in a row, or the status 410, the webhook is dead. Redirects are failures.
        """
        hooks = caller.app_state.hooks
        hook = await _made(request, caller, data)
        await hooks.run(lambda file: file.add(hook))
        hooks.changed.set()
        return _issued(hook)

    @get("/", operation_id="listHooks", responses=refusals(401, 403, 404, 422))
    async def listed(self, caller: InjectedCaller) -> list[KnownHook]:
        """Lists the webhooks that were registered with this token, with how far they are delivered."""
        await _check(caller)
        found = await caller.app_state.hooks.run(lambda file: file.of(caller.session, caller.token.id))
        return [_known(hook) for hook in found]

    @delete("/{hook:str}", operation_id="deleteHook", responses=refusals(401, 403, 404, 422))
    async def remove(self, caller: InjectedCaller, hook: FromPath[str]) -> None:
        """Deletes a webhook; a message that is just being sent may still arrive."""
        found = await _found(caller, hook)
        await caller.app_state.hooks.run(lambda file: file.delete(found))
        caller.app_state.hooks.changed.set()

    @post("/{hook:str}/activate", operation_id="activateHook", responses=refusals(401, 403, 404, 422), status_code=200)
    async def activate(self, caller: InjectedCaller, hook: FromPath[str]) -> KnownHook:
        """Activates a dead webhook, or ends the pause of a failing one: what is missing is sent from its cursor on."""
        found = await _found(caller, hook)
        await caller.app_state.hooks.run(lambda file: file.activate(found))
        caller.app_state.hooks.changed.set()
        return _known(await _found(caller, hook))

    @post("/{hook:str}/ping", operation_id="pingHook", responses=refusals(401, 403, 404, 422), status_code=200)
    async def test(self, caller: InjectedCaller, hook: FromPath[str]) -> Pinged:
        """Sends a test with the type `ping` at once, and returns what the address has answered."""
        result = await ping(caller.app_state, await _found(caller, hook))
        return Pinged(result.is_delivered, result.status or None, result.problem)

    @post("/{hook:str}/secret", operation_id="replaceHookSecret", responses=refusals(401, 403, 404, 422))
    async def replace_secret(self, caller: InjectedCaller, hook: FromPath[str]) -> IssuedHook:
        """Replaces the secret of a webhook; for a day, messages have a signature of the old one too."""
        found, secret = await _found(caller, hook), new_secret()
        await caller.app_state.hooks.run(lambda file: file.replace_secret(found, secret, time.time()))
        caller.app_state.hooks.changed.set()
        return _issued(msgspec.structs.replace(found, secret=secret))


async def _made(request: AppRequest, caller: RequestCaller, new: NewHook) -> Hook:
    """Returns a new webhook of the caller."""
    caller.check_seated()
    caller.app_state.hooks.parsed(new.address)
    after = await caller.run(lambda session: check_there(session, new.after))
    name = secrets.token_hex(8)
    voucher = caller.app_state.tokens.signer.voucher(token_text(request), name)
    return Hook(
        id=name, session=caller.session, token=caller.token, voucher=voucher, address=new.address,
        secret=new_secret(), created=time.time(), cursor=after,
    )  # fmt: skip


async def _check(caller: RequestCaller) -> None:
    """Rejects a caller whose token was revoked, or whose session was deleted."""
    caller.check_seated()
    await caller.app_state.run(lambda: caller.app_state.tokens.check(caller.token))


async def _found(caller: RequestCaller, hook: str) -> Hook:
    """Returns a webhook of the caller."""
    await _check(caller)
    return await caller.app_state.hooks.run(lambda file: file.one(caller.session, caller.token.id, hook))


def _issued(hook: Hook) -> IssuedHook:
    return IssuedHook(hook.id, hook.address, hook.cursor, hook.secret)


def _known(hook: Hook) -> KnownHook:
    waits = bool(hook.next_attempt) and not hook.stopped
    return KnownHook(
        hook.id, hook.address, hook.cursor, "dead" if hook.stopped else "active", hook.stopped, hook.failures,
        hook.status or None, hook.problem, moment(hook.next_attempt, "seconds") if waits else None,
    )  # fmt: skip
