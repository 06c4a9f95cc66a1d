"""A client for a server, with the interface of `Session`: the same code plays both. Needs ``affray[client]``.

`RemoteSession` is a session from one seat, and `Host` creates sessions; both have an asyncio twin. A function with a
parameter of type `Playing` accepts a `Session` or a `RemoteSession`.
"""

try:
    import httpx as _httpx  # noqa: F401
except ImportError as error:
    raise ImportError("the client needs httpx: pip install 'affray[client]'") from error

from replays.client.answers import Heard, Hidden
from replays.client.asynchronous import AsyncFounded, AsyncHost, AsyncRemoteSession
from replays.client.lines import SentLine
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
from replays.client.registered_hooks import IssuedHook, KnownHook, Pinged
from replays.client.seats import Issued, Known
from replays.client.synchronous.host import Founded, Host
from replays.client.synchronous.remote import RemoteSession

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
    "IssuedHook",
    "Known",
    "KnownHook",
    "NoSuchSeat",
    "NotAffray",
    "Pinged",
    "Playing",
    "RemoteSession",
    "SentLine",
    "ServerRefused",
    "Unreachable",
)
