"""The client for asyncio: the same calls as the synchronous client, each to be awaited.

A property of the synchronous client that sends a request is a method here: ``await session.rests()``. An iterator of
the synchronous client is an asynchronous iterator here: ``async for entry in session.entries()``.
"""

from replays.client.asynchronous.host import AsyncFounded, AsyncHost
from replays.client.asynchronous.remote import AsyncRemoteSession

__all__ = ("AsyncFounded", "AsyncHost", "AsyncRemoteSession")
