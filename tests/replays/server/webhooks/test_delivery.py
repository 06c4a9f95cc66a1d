"""A delivery with a clock of the test: pauses, being switched off, the cursor, and refusals of the ledger."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest

from ledger.commands import Note
from ledger.errors import Damaged
from replays.api.session import Session
from replays.server.callers.tokens import Scope
from replays.server.runtime.app_state import AppState
from replays.server.runtime.settings import Settings
from replays.server.webhooks.addresses import HookAddress
from replays.server.webhooks.delivery import RETRY, Delivery, Timing, ping
from replays.server.webhooks.hook import OLD_SECRET, Hook
from replays.server.webhooks.posting import PostResult
from replays.server.webhooks.schedule import MOST_FAILURES
from replays.server.webhooks.signing import new_secret

URL = "https://bot.example/"


class Fake:
    """A server in this process, a clock that moves only while something sleeps, and a receiver.

    Attributes:
        now: The time.
        slept: The pauses, in seconds.
        got: The ids of the messages, with the time of each.
        answer: Returns the result of a message by the number of messages so far; an exception ends the delivery.
    """

    def __init__(self, notes: int = 2, ledger: str = "memory://") -> None:
        self.app_state = AppState(Settings(ledger=ledger, keys=("k" * 40,)))
        self.now, self.slept, self.got = 1_000_000.0, list[float](), list[tuple[str, float]]()
        self.answer: Callable[[int], PostResult] = lambda _: PostResult(204)
        self.session = Session.create(self.app_state.store, ruleset="gurps_3e")
        for number in range(notes):
            self.session.perform(Note(f"note {number}"))
        self.app_state.hooks.poster.post = self._post  # type: ignore[method-assign]

    async def _post(self, _: HookAddress, headers: Mapping[str, str], body: bytes) -> PostResult:
        self.got.append((headers["webhook-id"].rpartition("_")[2], self.now))
        assert headers["webhook-timestamp"] == str(int(self.now))
        return self.answer(len(self.got))

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def hook(self, **fields: Any) -> Hook:
        signer = self.app_state.tokens.signer
        issued = self.app_state.tokens.issue(self.session.id, Scope.PLAYER, "kira")
        made = Hook(
            id="h", session=self.session.id, token=signer.read(issued.token), voucher=signer.voucher(issued.token, "h"),
            address=URL, secret=new_secret(), created=0.0, cursor=0,
        )  # fmt: skip
        return msgspec.structs.replace(made, **fields)

    async def delivered(self, hook: Hook) -> Hook | None:
        """Delivers until nothing is left to deliver, and returns the webhook as it is then; None if it is gone."""
        await self.app_state.hooks.run(lambda file: file.add(hook))
        task = asyncio.ensure_future(Delivery(self.app_state, hook, self.timing()).run())
        while not task.done() and not await self._is_idle():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        found = await self.app_state.hooks.run(lambda file: file.all())
        return found[0] if found else None

    async def _is_idle(self) -> bool:
        (hook,) = await self.app_state.hooks.run(lambda file: file.all()) or (None,)
        return hook is not None and hook.cursor == self.session.log.last

    def timing(self) -> Timing:
        return Timing(lambda: self.now, self.sleep, lambda: 0.5)


@pytest.fixture
def fake() -> Iterator[Fake]:
    fake = Fake()
    yield fake
    fake.app_state.close()


def run(work: Awaitable[Any]) -> Any:
    async def whole() -> Any:
        async with asyncio.timeout(60):
            return await work

    return asyncio.run(whole())


def test_entries_are_sent_in_order_and_the_cursor_follows(fake: Fake) -> None:
    found = run(fake.delivered(fake.hook()))

    assert [seq for seq, _ in fake.got] == ["1", "2", "3"]
    assert (found.cursor, found.status, found.failures, found.stopped) == (3, 204, 0, "")
    assert fake.slept == []


def test_pauses_double_and_begin_anew_after_a_success(fake: Fake) -> None:
    fake.answer = lambda count: PostResult(204) if count in (5, 8, 9) else PostResult(500, "status 500")

    found = run(fake.delivered(fake.hook()))

    assert [seq for seq, _ in fake.got] == ["1"] * 5 + ["2"] * 3 + ["3"]
    assert fake.slept == [1, 2, 4, 8, 1, 2]
    assert [moment - fake.got[0][1] for _, moment in fake.got[:5]] == [0, 1, 3, 7, 15]
    assert (found.cursor, found.failures) == (3, 0)


def test_a_receiver_that_always_fails_is_switched_off_after_about_a_day(fake: Fake) -> None:
    fake.answer = lambda _: PostResult(0, "no connection")

    found = run(fake.delivered(fake.hook()))

    assert {seq for seq, _ in fake.got} == {"1"}
    assert len(fake.got) == MOST_FAILURES
    assert 20 * 3600 < sum(fake.slept) < 28 * 3600
    assert (found.stopped, found.failures, found.problem, found.cursor) == (
        "36 failures in a row",
        36,
        "no connection",
        0,
    )


def test_a_receiver_that_is_gone_is_not_asked_again(fake: Fake) -> None:
    fake.answer = lambda _: PostResult(410, "status 410")

    found = run(fake.delivered(fake.hook()))

    assert len(fake.got) == 1
    assert found.stopped == "the receiver answered 410 Gone"


def test_a_pause_that_was_begun_is_kept_over_a_restart_and_a_wrong_clock_does_not_stop_it_for_ever(fake: Fake) -> None:
    run(fake.delivered(fake.hook(next_attempt=fake.now + 90, failures=4)))
    assert fake.slept == [90]

    other = Fake()
    run(other.delivered(other.hook(next_attempt=other.now + 10**9)))
    other.app_state.close()
    assert other.slept == [7200]


def test_a_message_is_sent_again_if_the_server_ended_before_it_was_recorded(fake: Fake) -> None:
    class PowerCut(Exception):
        pass

    def answer(count: int) -> PostResult:
        if count == 2:
            raise PowerCut
        return PostResult(204)

    fake.answer = answer
    hook = fake.hook()

    async def twice() -> Hook | None:
        await fake.app_state.hooks.run(lambda file: file.add(hook))
        with pytest.raises(PowerCut):
            await Delivery(fake.app_state, hook, fake.timing()).run()
        (left,) = await fake.app_state.hooks.run(lambda file: file.all())
        assert left.cursor == 1
        await fake.app_state.hooks.run(lambda file: file.delete(left))
        return await fake.delivered(left)

    assert run(twice()).cursor == 3
    assert [seq for seq, _ in fake.got] == ["1", "2", "2", "3"]


def test_a_revoked_token_ends_it_between_two_messages(fake: Fake) -> None:
    hook = fake.hook()

    def answer(_: int) -> PostResult:
        fake.app_state.tokens.revoke(hook.session, hook.token.id)
        return PostResult(204)

    fake.answer = answer
    found = run(fake.delivered(hook))

    assert [seq for seq, _ in fake.got] == ["1"]
    assert (found.cursor, found.stopped) == (1, "token/revoked")


def test_another_key_ends_it(fake: Fake) -> None:
    found = run(fake.delivered(fake.hook(voucher="0" * 64)))

    assert fake.got == []
    assert found.stopped == "token/invalid"


def test_the_hooks_of_a_session_that_is_gone_are_removed(fake: Fake) -> None:
    hook = fake.hook()
    gone = msgspec.structs.replace(
        hook, session="01HGONE", token=msgspec.structs.replace(hook.token, session="01HGONE")
    )

    assert run(fake.delivered(gone)) is None
    assert fake.got == []


def test_a_cursor_beyond_the_end_of_a_restored_log_is_brought_back(fake: Fake) -> None:
    hook = fake.hook(cursor=900)

    async def deliver() -> Hook:
        await fake.app_state.hooks.run(lambda file: file.add(hook))
        task = asyncio.ensure_future(Delivery(fake.app_state, hook, fake.timing()).run())
        while not len(fake.app_state.feed):
            await asyncio.sleep(0.01)
        await fake.app_state.session_cache.run(hook.session, lambda session: session.perform(Note("restored")))
        while not fake.got:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        (found,) = await fake.app_state.hooks.run(lambda file: file.all())
        return found

    run(deliver())
    assert [seq for seq, _ in fake.got] == ["4"]


def test_a_fault_of_the_ledger_is_no_failure_of_the_receiver(fake: Fake) -> None:
    hook, real, left = fake.hook(), fake.app_state.session_cache.run, [2]

    async def broken(*args: Any, **more: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise Damaged("the ledger is damaged")
        return await real(*args, **more)

    fake.app_state.session_cache.run = broken  # type: ignore[method-assign]
    found = run(fake.delivered(hook))

    assert fake.slept == [RETRY, RETRY]
    assert (found.cursor, found.failures) == (3, 0)


def test_an_address_that_is_no_longer_allowed_is_a_failure(fake: Fake) -> None:
    hook = fake.hook(address="http://10.0.0.1/")

    result = run(ping(fake.app_state, hook))

    assert result.problem == "webhooks may not be sent to this address any more"
    assert fake.got == []


def test_the_old_secret_signs_for_a_day() -> None:
    hook = Fake().hook(old_secret="whsec_old", old_until=OLD_SECRET)

    assert hook.secrets(OLD_SECRET - 1) == (hook.secret, "whsec_old")
    assert hook.secrets(OLD_SECRET) == (hook.secret,)
    assert repr(hook) == "<webhook h>"
