"""Resolves a name in a thread, which is abandoned if it takes too long: a slow name server delays nothing else."""

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress

_UNUSED = (".example", ".invalid")
"""Domains that never exist (RFC 6761): no name server is asked for them."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Returns the IP addresses of a host in the order in which the system prefers them.

    Args:
        host: A name or an IP address.
        port: The port, which the system needs too.

    Raises:
        OSError: The name cannot be resolved.
        UnicodeError: No name server can be asked for such a name.
    """
    if host.rstrip(".").endswith(_UNUSED):
        raise socket.gaierror(socket.EAI_NONAME, "the domain never exists")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def work() -> None:
        found, failure = list[str](), None
        try:
            found = [str(place[0]) for *_, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError) as error:
            failure = error
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(_settle, answer, found, failure)

    threading.Thread(target=work, name="affray-resolve", daemon=True).start()
    return await answer


def _settle(answer: "asyncio.Future[Sequence[str]]", found: Sequence[str], failure: Exception | None) -> None:
    if answer.done():  # it took too long
        return
    if failure is not None:
        answer.set_exception(failure)
    else:
        answer.set_result(found)
