"""The synchronous client, written from the one for asyncio; see `replays/client/asynchronous`."""
