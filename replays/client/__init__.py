"""Calling a server with the interface of `Session`: embedding and calling are the same code. Needs ``affray[client]``.

`RemoteSession` is a session from one seat, `Host` founds them; both have an asyncio twin. A function that takes a
`Playing` plays a `Session` and a `RemoteSession` alike.
"""

try:
    import httpx as _httpx  # noqa: F401
except ImportError as error:
    raise ImportError("calling a server needs more: pip install 'affray[client]'") from error

from replays.client.answers import Heard, Hidden
from replays.client.asynchronous import AsyncFounded, AsyncHost, AsyncRemoteSession
from replays.client.host import Founded, Host
from replays.client.playing import Playing
from replays.client.refusals import (
    BadAddress,
    BadKey,
    BadToken,
    ClientRefused,
    Closed,
    NoSuchSeat,
    NotAffray,
    ServerRefused,
    Unreachable,
)
from replays.client.remote import RemoteSession
from replays.client.seats import Issued, Known

__all__ = (
    "AsyncFounded",
    "AsyncHost",
    "AsyncRemoteSession",
    "BadAddress",
    "BadKey",
    "BadToken",
    "ClientRefused",
    "Closed",
    "Founded",
    "Heard",
    "Hidden",
    "Host",
    "Issued",
    "Known",
    "NoSuchSeat",
    "NotAffray",
    "Playing",
    "RemoteSession",
    "ServerRefused",
    "Unreachable",
)
