"""`AsyncSession`: the calls of `Session` for asyncio."""

from replays.api.asynchronous.session import AsyncSession

__all__ = ("AsyncSession",)
