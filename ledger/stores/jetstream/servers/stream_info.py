"""Requests about streams: most are answered by a leader, and repeated until there is one."""

from typing import Any, TypeVar

import msgspec

from ledger.stores.jetstream.servers.errors import AGAIN, NOT_FOUND, Answered, Denied, NoAnswer, NotConnected, NotSent
from ledger.stores.jetstream.servers.link import Link

_ANSWERED = 1.5
"""Seconds within which a server that is there answers a request that is not repeated."""
_LISTED = 5.0
"""Seconds for a list of streams, which takes 4 while one of them has no leader."""


class StreamInfo(msgspec.Struct):
    """What the servers report of a stream; or their error."""

    config: dict[str, Any] = {}
    state: dict[str, Any] = {}
    cluster: dict[str, Any] | None = None
    """The leader and the servers with the other copies; None for a server alone."""
    error: dict[str, Any] | None = None


class _StreamPage(msgspec.Struct):
    total: int = 0
    streams: list[StreamInfo] = []
    missing: list[str] = []
    """Streams that have no leader just now."""
    error: dict[str, Any] | None = None


T = TypeVar("T", StreamInfo, _StreamPage)


def is_on_a_server(link: Link, name: str) -> bool:
    """Returns whether a server, asked once, has a copy of a stream, be it without a leader.

    Raises:
        NotConnected: There is no connection.
        NoAnswer: A server did not answer in time.
    """
    try:
        link.find(name, {"seq": 1}, _ANSWERED)
    except NotConnected:
        raise
    except NotSent:
        return False
    return True


def info_of(link: Link, name: str, *, is_patient: bool = True) -> StreamInfo | None:
    """Returns what the servers report of a stream; None if it is missing.

    Args:
        link: The connection.
        name: The name of the stream.
        is_patient: Whether the servers are asked again if no leader answers.

    Raises:
        NotSent: No leader answered within the patience.
        Answered: The servers refused.
    """
    answer = _answered(link, f"STREAM.INFO.{name}", {}, StreamInfo, is_patient=is_patient)
    if answer.error is None:
        return answer
    error = Answered(answer.error)
    if error.code in NOT_FOUND:
        return None
    raise error


def infos_of(link: Link, subjects: str, *, is_patient: bool = True) -> dict[str, StreamInfo]:
    """Returns what the servers report of each stream with some of the subjects, once all have a leader; by name.

    Args:
        link: The connection.
        subjects: The pattern of the subjects.
        is_patient: Whether the servers are asked again if they do not answer, or a stream has no leader.

    Raises:
        NotSent: A stream had no leader within the patience.
        Answered: The servers refused.
    """
    found: dict[str, StreamInfo] = {}
    for _ in link.attempts():
        asked = {"subject": subjects, "offset": len(found)}
        page = _answered(link, "STREAM.LIST", asked, _StreamPage, least=_LISTED, is_patient=is_patient)
        if page.error is not None:
            raise Answered(page.error)
        if page.missing and not is_patient:
            break
        if page.missing:
            found.clear()
            continue
        found |= {each.config["name"]: each for each in page.streams}
        if not page.streams or len(found) >= page.total:
            return found
    raise NotSent("streams have no leader")


def request_stream(link: Link, subject: str, request: object) -> StreamInfo:
    """Returns the answer to a request of the API for one stream, which may be its error.

    Args:
        link: The connection.
        subject: The subject of the request, without its beginning ``$JS.API``.
        request: What is asked, as JSON.

    Raises:
        NotSent: No leader answered within the patience.
    """
    return _answered(link, subject, request, StreamInfo)


def _answered(
    link: Link, subject: str, request: object, kind: type[T], *, least: float = 0.0, is_patient: bool = True
) -> T:
    """Returns the answer to a request of the JetStream API that may be repeated.

    It is repeated until the patience is used up, also while there is no leader; unless the user may not make it, or
    the caller is not patient. Each time it may take so many seconds at `least`.
    """
    payload = msgspec.json.encode(request)
    lost: NoAnswer | NotSent | Answered | None = None
    for seconds in link.attempts() if is_patient else (_ANSWERED,):
        try:
            answer = msgspec.json.decode(link.ask(f"$JS.API.{subject}", payload, max(seconds, least)), type=kind)
        except Denied:
            raise
        except (NoAnswer, NotSent) as error:
            lost = error
            continue
        if answer.error is None or Answered(answer.error).code not in AGAIN:
            return answer
        lost = Answered(answer.error)
    raise NotSent("no leader answers") from lost
