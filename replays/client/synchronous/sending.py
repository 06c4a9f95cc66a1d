# Written by tests/support/client/unasync.py from asynchronous/sending.py: edit that file, and run the script.
"""Sends calls, and repeats them if that may help."""

import time
from typing import TypeVar

import httpx

from replays.client.call import Call
from replays.client.refusals import Closed
from replays.client.retrying import Endpoint, Retries

T = TypeVar("T")


class Connection:
    """The HTTP connection to a server.

    Args:
        endpoint: The server, the token and the time limits.
        client: The caller's httpx client; None to create one, which is closed with this connection.
    """

    def __init__(self, endpoint: Endpoint, client: httpx.Client | None) -> None:
        self.endpoint = endpoint
        self.client = client or httpx.Client()
        self._is_own = client is None
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether it was closed, so that nothing can be sent."""
        return self._closed or self.client.is_closed

    def send(self, call: Call[T]) -> T:
        """Sends a call, repeats it if that may help, and returns the decoded answer.

        Raises:
            Closed: This connection was closed.
            Refused: The server refuses the call, or does not answer.
        """
        tries = Retries(self.endpoint.patience)
        while True:
            if self.is_closed:
                raise Closed(
                    "the session was closed on this side", where="session", accepts="a new RemoteSession or Host"
                )
            try:
                answer = self.client.request(**self.endpoint.request(call))
            except httpx.HTTPError as error:
                pause = self.endpoint.pause_after_loss(call, error, tries)
            else:
                if answer.is_success:
                    return call.read(answer.content)
                pause = self.endpoint.pause_after_refusal(call, answer, tries)
            time.sleep(pause)

    def close(self) -> None:
        """Closes the HTTP connections."""
        self._closed = True
        if self._is_own:
            self.client.close()
