# Written by tests/support/client/unasync.py from asynchronous/feeding.py: edit that file, and run the script.
"""The live feed over Server-Sent Events: cut, it goes on where it was."""

import time
from collections.abc import Generator
from contextlib import closing

import httpx

from replays.client.answers import Heard
from replays.client.call import Call
from replays.client.following import SILENCE, Declined, Ended, Following
from replays.client.sending import Line


def follow(line: Line, path: str, after: int, patience: float) -> Generator[Heard]:
    """What comes after an entry, as it comes, until whoever reads has enough or the line is closed."""
    following = Following(path, after, patience)
    while not line.is_closed:
        call = following.call()
        end: httpx.HTTPError | Ended | Declined | None = None
        try:
            with closing(_connected(line, following, call)) as entries:
                yield from entries
        except (httpx.HTTPError, Ended, Declined) as error:
            end = error
        if not line.is_closed:
            time.sleep(following.pause(line.way, call, end))


def _connected(line: Line, following: Following, call: Call[bytes]) -> Generator[Heard]:
    with line.client.stream(**line.way.request(call, SILENCE)) as answer:
        if not answer.is_success:
            answer.read()
            raise Declined(answer)
        for chunk in answer.iter_bytes():
            yield from following.heard(chunk)
            if line.is_closed:
                return
