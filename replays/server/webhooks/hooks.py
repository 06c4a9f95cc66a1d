"""`Hooks`: what the routes and the sender of one process share: the file of webhooks, and what sends messages."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from replays.server.runtime.settings import Settings
from replays.server.webhooks.addresses import HookAddress, parse_address, parse_networks
from replays.server.webhooks.hooks_file import MEMORY, HooksFile
from replays.server.webhooks.leadership import Leadership
from replays.server.webhooks.posting import Poster
from replays.server.webhooks.refusals import HooksOff
from replays.server.webhooks.resolving import resolve

T = TypeVar("T")

OFF = "off"
"""The value of ``--hooks`` that switches webhooks off."""
SENT_AT_ONCE = 64
"""Maximum number of messages that are being sent at the same time."""
TESTS_AT_ONCE = 8
"""The same for tests, which are counted by themselves so that they delay no message."""


class Hooks:
    """The webhooks of a server process.

    Args:
        settings: The settings of the server.

    Raises:
        BadHookNetwork: A network of the settings is malformed.
    """

    def __init__(self, settings: Settings) -> None:
        path = hooks_path(settings)
        self.is_on = path is not None
        self.allowed = parse_networks(settings.hook_private)
        self.leadership = Leadership(path or MEMORY)
        self.changed = asyncio.Event()
        """Is set when a webhook was added or changed in this process."""
        self.slots = asyncio.Semaphore(SENT_AT_ONCE)
        self.test_slots = asyncio.Semaphore(TESTS_AT_ONCE)
        self._file = HooksFile(path or MEMORY)
        self._thread = ThreadPoolExecutor(1, "affray-hooks")
        self.poster = Poster(resolve, self.allowed)

    async def run(self, work: Callable[[HooksFile], T]) -> T:
        """Does a piece of work with the file of webhooks.

        Raises:
            HooksOff: The server has no webhooks.
            StoreRefused: The file cannot be used.
        """
        if not self.is_on:
            raise HooksOff("webhooks are switched off at this server", accepts="the live feed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._file)

    def parsed(self, address: str) -> HookAddress:
        """Returns the parsed address of a webhook.

        Raises:
            BadHookAddress: The address is not one that a webhook may have.
        """
        return parse_address(address, self.allowed)

    def close(self) -> None:
        """Closes the file of webhooks; nothing is sent any more."""
        self._thread.submit(self._file.close)
        self._thread.shutdown()
        self.leadership.close()


def hooks_path(settings: Settings) -> str | None:
    """Returns the path of the file of webhooks; None if they are switched off.

    By default it is beside a ledger in a file, in memory with a ledger in memory, and otherwise `affray.hooks` in the
    working directory.
    """
    if settings.hooks:
        return None if settings.hooks == OFF else settings.hooks
    scheme, _, rest = settings.ledger.partition("://")
    if scheme == "memory":
        return MEMORY
    return f"{rest[1:]}-hooks" if scheme == "sqlite" else "affray.hooks"
