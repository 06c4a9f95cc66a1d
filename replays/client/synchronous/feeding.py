# Written by tests/support/client/unasync.py from asynchronous/feeding.py: edit that file, and run the script.
"""Reads the live feed over Server-Sent Events, and resumes it after a disconnection."""

import time
from collections.abc import Generator
from contextlib import closing

import httpx

from replays.client.answers import Heard
from replays.client.call import Call
from replays.client.following import SILENCE, Declined, Ended, FeedReader, has_expired
from replays.client.synchronous.sending import Connection


def follow(connection: Connection, path: str, after: int, patience: float) -> Generator[Heard]:
    """Yields the entries after one as they are written, until the reader stops or the connection is closed."""
    following = FeedReader(path, after, patience)
    while not connection.is_closed:
        call, opened_by = following.call(), connection.endpoint
        end: httpx.HTTPError | Ended | Declined | None = None
        try:
            with closing(_connected(connection, following, call)) as entries:
                yield from entries
        except (httpx.HTTPError, Ended, Declined) as error:
            end = error
        is_renewed = has_expired(end) and connection.endpoint is not opened_by
        if not (connection.is_closed or is_renewed):
            time.sleep(following.pause(connection.endpoint, call, end))


def _connected(connection: Connection, following: FeedReader, call: Call[bytes]) -> Generator[Heard]:
    with connection.client.stream(**connection.endpoint.request(call, SILENCE)) as answer:
        if not answer.is_success:
            answer.read()
            raise Declined(answer)
        for chunk in answer.iter_bytes():
            yield from following.decode(chunk)
            if connection.is_closed:
                return
