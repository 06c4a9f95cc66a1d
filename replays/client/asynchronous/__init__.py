"""The client for asyncio: the same calls as the synchronous one, each to be awaited.

What is a property there and has to be asked of the server is a method here: ``await session.rests()``. What is an
iterator there is an asynchronous one: ``async for entry in session.entries()``.
"""

from replays.client.asynchronous.host import AsyncFounded, AsyncHost
from replays.client.asynchronous.remote import AsyncRemoteSession

__all__ = ("AsyncFounded", "AsyncHost", "AsyncRemoteSession")
