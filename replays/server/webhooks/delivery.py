"""Delivers one webhook: reads the feed of its seat after the cursor, and sends each entry, in order, until it arrives.

The log is the outbox. The cursor moves only after an entry was accepted, so a message that was sent just before the
server ended is sent again: at least once. After a failure nothing is read, and nothing is held in memory, until the
time of the next attempt.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import msgspec
import structlog

from ledger.errors import NoSuchSession, Refused
from replays.server.callers.callers import RequestCaller
from replays.server.callers.tokens import BadToken, Expired, Revoked, check_time
from replays.server.http.metrics import HOOK_MESSAGES
from replays.server.http.pages import EncodedEntry
from replays.server.runtime.app_state import AppState
from replays.server.webhooks.hook import Hook
from replays.server.webhooks.messages import entry_message, message_id, ping_message
from replays.server.webhooks.posting import PostResult
from replays.server.webhooks.refusals import BadHookAddress
from replays.server.webhooks.schedule import LONGEST, pause, reason_to_stop
from replays.server.webhooks.signing import signed_headers

BEAT = 60.0
"""Seconds without entries after which it is checked whether the token was revoked; usually that is known at once."""
RETRY = 60.0
"""Seconds until the next attempt after a fault of the server or its ledger, which is no fault of the receiver."""


class Timing(msgspec.Struct, frozen=True):
    """The clock and the chance that a delivery uses; tests have others."""

    now: Callable[[], float] = time.time
    """Returns the time in seconds since 1970."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = secrets.SystemRandom().random
    """Returns a random number from 0 to 1."""


class Delivery:
    """Delivers one webhook until it is stopped.

    Args:
        app_state: The state of this process.
        hook: The webhook.
        timing: The clock.
    """

    def __init__(self, app_state: AppState, hook: Hook, timing: Timing | None = None) -> None:
        self._app_state = app_state
        self._hooks = app_state.hooks
        self._hook = hook
        self._timing = timing or Timing()
        self._log = structlog.get_logger().bind(hook=hook.id, session=hook.session)

    async def run(self) -> None:
        """Delivers until the webhook is stopped or changed by its owner, or the server ends."""
        while await self._attempted():
            pass

    async def _attempted(self) -> bool:
        """Delivers until the first failure; returns whether to go on."""
        try:
            hook = await self._hooks.run(lambda file: file.current(self._hook))
            if hook is None:
                return False
            self._hook = hook
            await self._wait_until(hook.next_attempt)
            caller = await self._caller()
            return await self._follow(caller)
        except (Revoked, Expired, BadToken) as refusal:
            await self._stop(refusal.slug)
            return False
        except NoSuchSession:
            await self._hooks.run(lambda file: file.forget(self._hook.session))
            self._log.info("webhooks of a deleted session removed")
            return False
        except Refused as refusal:
            self._log.warning("no delivery", slug=refusal.slug, detail=refusal.message)
            await self._timing.sleep(RETRY)
            return True

    async def _wait_until(self, moment: float) -> None:
        left = min(moment - self._timing.now(), 2 * LONGEST)  # the clock may have been wrong
        if left > 0:
            await self._timing.sleep(left)

    async def _caller(self) -> RequestCaller:
        """Returns the seat of the webhook; brings its cursor back if the log has become shorter (a restored backup).

        Raises:
            BadToken: The key of its token was removed.
        """
        hook = self._hook
        if not self._app_state.tokens.signer.has_vouched(hook.voucher, hook.id):
            raise BadToken("the key of this token was removed", where="Authorization", accepts="a new token")
        caller = RequestCaller(self._app_state, hook.token, hook.session)
        last = await caller.run(lambda session: session.log.last)
        if hook.cursor > last:
            self._log.warning("the log is shorter than before", cursor=hook.cursor, last=last)
            self._hook = msgspec.structs.replace(hook, cursor=last)
        return caller

    async def _follow(self, caller: RequestCaller) -> bool:
        """Sends the entries after the cursor as they are written; returns whether to go on after a failure."""
        hook = self._hook
        feed = self._app_state.feed.follow(
            hook.session, hook.cursor, caller.view, caller.page, BEAT, f"hook {hook.id}", hook.token.expires
        )
        async with aclosing(feed) as pages:
            async for page in pages:
                check_time(hook.token)
                if hook.token.id in page.revoked:
                    await self._app_state.run(lambda: self._app_state.tokens.check(hook.token))
                for entry in page.entries:
                    if not await self._delivered(entry):
                        return True
        return False  # the server ends

    async def _delivered(self, entry: EncodedEntry) -> bool:
        """Sends an entry; returns whether it has arrived.

        Raises:
            Revoked: The token was revoked meanwhile.
            NoSuchSession: The session was deleted meanwhile.
        """
        hook = self._hook
        await self._app_state.run(lambda: self._app_state.tokens.check(hook.token))
        body = entry_message(hook.session, entry)
        async with self._hooks.slots:
            result = await send(self._app_state, hook, message_id(hook.id, entry.seq), body, self._timing.now())
        if not result.is_delivered:
            await self._failed(result)
            return False
        HOOK_MESSAGES.labels("delivered").inc()
        await self._hooks.run(lambda file: file.moved(hook, entry.seq, result.status))
        self._hook = msgspec.structs.replace(hook, cursor=entry.seq, failures=0)
        return True

    async def _failed(self, result: PostResult) -> None:
        hook = self._hook
        failures = hook.failures + 1
        wait = pause(failures, self._timing.chance(), result.retry_after)
        moment = self._timing.now() + wait
        await self._hooks.run(lambda file: file.failed(hook, result.status, result.problem, moment))
        HOOK_MESSAGES.labels("failed").inc()
        reason = reason_to_stop(result.status, failures)
        if reason:
            await self._stop(reason)
        else:
            self._log.info("webhook failed", problem=result.problem, failures=failures, seconds=round(wait, 1))

    async def _stop(self, reason: str) -> None:
        await self._hooks.run(lambda file: file.stop(self._hook, reason))
        HOOK_MESSAGES.labels("stopped").inc()
        self._log.warning("webhook switched off", reason=reason)


async def send(app_state: AppState, hook: Hook, message: str, body: bytes, now: float) -> PostResult:
    """Signs and sends one message.

    Args:
        app_state: The state of this process.
        hook: The webhook.
        message: The id of the message.
        body: Its body.
        now: Seconds since 1970.
    """
    headers = signed_headers(hook.secrets(now), message, int(now), body)
    try:
        address = app_state.hooks.parsed(hook.address)
    except BadHookAddress:  # it was allowed when the webhook was registered
        return PostResult(problem="webhooks may not be sent to this address any more")
    return await app_state.hooks.poster.post(address, headers, body)


async def ping(app_state: AppState, hook: Hook) -> PostResult:
    """Sends a test, whether the webhook is active or not; neither its cursor nor its failures change."""
    now = time.time()
    body = ping_message(hook.session, now)
    async with app_state.hooks.test_slots:
        return await send(app_state, hook, message_id(hook.id, 0) + f"_{secrets.token_hex(8)}", body, now)
