# Written by tests/support/client/unasync.py from asynchronous/webhooks.py: edit that file, and run the script.
"""The webhooks of a seat: addresses to which a server sends what the live feed has for this seat."""

from collections.abc import Mapping
from typing import Any

import msgspec

from replays.client import answers
from replays.client.call import Call, get, part, typed
from replays.client.registered_hooks import IssuedHook, KnownHook, Pinged
from replays.client.synchronous.sending import Connection


class Webhooks:
    """The webhooks that were registered with one token.

    Args:
        connection: The connection of the session.
        path: The path of the session.
    """

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection = connection
        self._path = f"{path}/hooks"

    def create(self, address: str, after: int | None = None) -> IssuedHook:
        """Registers a webhook. Its secret is shown only here.

        If the answer is lost, the webhook may have been registered all the same: look at the list.

        Args:
            address: The address that gets the messages: ``https://…``, public.
            after: The entries after this one are sent; None for those that are written from now on.
        """
        body: Mapping[str, Any] = {"address": address} if after is None else {"address": address, "after": after}
        call = Call(method="POST", path=self._path, read=typed(IssuedHook), body=msgspec.json.encode(body))
        return self._connection.send(call)

    def known(self) -> tuple[KnownHook, ...]:
        """Returns the webhooks in the order of their creation, with how far they are delivered."""
        return self._connection.send(get(self._path, typed(tuple[KnownHook, ...])))

    def delete(self, hook: str) -> None:
        """Deletes the webhook of this id."""
        path = f"{self._path}/{part(hook)}"
        self._connection.send(Call(method="DELETE", path=path, read=answers.nothing))

    def activate(self, hook: str) -> KnownHook:
        """Activates a dead webhook, or ends the pause of a failing one: what is missing is sent."""
        path = f"{self._path}/{part(hook)}/activate"
        return self._connection.send(Call(method="POST", path=path, read=typed(KnownHook), repeatable=True))

    def ping(self, hook: str) -> Pinged:
        """Sends a test at once, and returns what the receiver has answered."""
        path = f"{self._path}/{part(hook)}/ping"
        return self._connection.send(Call(method="POST", path=path, read=typed(Pinged)))

    def replace_secret(self, hook: str) -> IssuedHook:
        """Replaces the secret of a webhook; for a day, messages have a signature of the old one too."""
        path = f"{self._path}/{part(hook)}/secret"
        return self._connection.send(Call(method="POST", path=path, read=typed(IssuedHook)))
