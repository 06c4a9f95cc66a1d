"""Reading stored messages: the last one from the leader, ranges from any server that has them."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ledger.errors import Damaged
from ledger.stores import log_pages
from ledger.stores.jetstream.servers.errors import AGAIN, NOT_FOUND, Answered, NoAnswer, NotConnected, NotSent
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.stored import Stored

_ANSWER = 1.5
"""The longest time in seconds that one server is waited for before another one is asked."""
_LEADERLESS = 2.0
"""Seconds for which a leader that did not answer is not asked again."""


class _RawMessage(msgspec.Struct):
    subject: str
    seq: int
    time: str
    data: bytes = b""


class _MessageAnswer(msgspec.Struct):
    message: _RawMessage | None = None
    error: dict[str, Any] | None = None


class _SubjectsState(msgspec.Struct):
    subjects: dict[str, int] = {}


class _SubjectsAnswer(msgspec.Struct):
    total: int = 0
    """The number of all subjects; 0 if there are none."""
    state: _SubjectsState = msgspec.field(default_factory=_SubjectsState)
    error: dict[str, Any] | None = None


_answer = msgspec.json.Decoder(_MessageAnswer)
_subjects = msgspec.json.Decoder(_SubjectsAnswer)


class StreamReader:
    """Reads stored messages. A request that got no answer is repeated until the patience is used up.

    The leader answers for the last message of a subject, so that what was acknowledged to anyone is seen. Ranges are
    read from any server, which may be behind the leader: the caller may name the last message of a range, and the
    request is repeated until it is there.

    Args:
        link: The connection.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._leaderless: dict[str, float] = {}
        """Until when a stream's leader is not asked, because it did not answer."""

    def ask(self, subject: str, request: object) -> bytes:
        """Returns the answer to a request of the JetStream API that may be repeated."""
        payload = msgspec.json.encode(request)
        lost: NoAnswer | NotSent | None = None
        for seconds in self._link.attempts():
            try:
                return self._link.ask(f"$JS.API.{subject}", payload, seconds)
            except (NoAnswer, NotSent) as error:
                lost = error
        raise NotSent(str(lost)) from lost

    def last(self, stream: str, subject: str) -> Stored | None:
        """Returns the last message of a subject; None if there is none.

        While the stream has no leader, because two of three servers are gone or one is being elected, any server
        answers that has the stream. It may be behind; the caller knows what it has seen before.
        """
        lost: NoAnswer | NotSent | None = None
        for seconds in self._link.attempts():
            try:
                if not self.is_leaderless(stream):
                    return self._last_of_leader(stream, subject, min(seconds, _ANSWER))
                return self._link.find(stream, {"last_by_subj": subject}, min(seconds, _ANSWER))
            except (NoAnswer, NotSent) as error:
                lost = error
        raise NotSent(str(lost)) from lost

    def is_leaderless(self, stream: str) -> bool:
        """Returns whether the leader of a stream did not answer a moment ago."""
        return time.monotonic() < self._leaderless.get(stream, 0.0)

    def last_of_each(self, stream: str, subjects: str, *, least: int = 0) -> list[Stored]:
        """Returns the last message of each subject that matches a pattern; `least` as for `scan`."""
        return [*{each.subject: each for each in self.scan(stream, subjects, 1, least=least)}.values()]

    def last_together(self, stream: str, subjects: Sequence[str]) -> dict[str, Stored]:
        """Returns the last messages of some subjects, by subject, as one server has them at one time.

        The server may be behind the leader: what one of the messages shows that it has, it has of the others, too.
        """
        found = self._page(stream, {"multi_last": list(subjects)})
        return {message.subject: message for message in found}

    def count(self, stream: str, subjects: str) -> int:
        """Returns how many messages the asked server has of the subjects that match a pattern."""
        page = self._page(stream, {"seq": 1, "next_by_subj": subjects, "batch": 1})
        return page[0].behind + 1 if page else 0

    def subjects(self, stream: str, pattern: str) -> set[str] | None:
        """Returns the subjects with messages that match a pattern, as the leader has them; None if none answers now."""
        found = set[str]()
        while not self.is_leaderless(stream):
            asked = msgspec.json.encode({"subjects_filter": pattern, "offset": len(found)})
            try:
                page = _subjects.decode(self._link.ask(f"$JS.API.STREAM.INFO.{stream}", asked, _ANSWER))
            except (NoAnswer, NotSent):
                return None
            if page.error is not None and Answered(page.error).code in AGAIN:
                return None
            if page.error is not None:
                raise Answered(page.error)
            found |= page.state.subjects.keys()
            if not page.state.subjects or len(found) >= page.total:
                return found
        return None

    def scan(
        self,
        stream: str,
        subject: str,
        start: int,
        upto: int | None = None,
        *,
        least: int = 0,
        most: int = log_pages.RECORDS,
    ) -> Iterator[Stored]:
        """Yields the messages of a subject, in order; no request is open between two of them.

        Args:
            stream: The stream.
            subject: The subject; may have wildcards.
            start: The number in the stream from which on messages are wanted.
            upto: The number of the last message, which is there; None yields what the asked server has.
            least: Without `upto`: the number of a message that is there, and from which on the asked server may end.
            most: The maximum number of messages that are requested at once.

        Raises:
            Damaged: The message `upto` does not appear.
        """
        while upto is None or start <= upto:
            page = self._page(stream, {"seq": start, "next_by_subj": subject, "batch": most}, upto or least)
            if not page:
                return
            for message in page:
                if upto is not None and message.seq > upto:
                    return
                yield message
            start = page[-1].seq + 1

    def _last_of_leader(self, stream: str, subject: str, seconds: float) -> Stored | None:
        payload = msgspec.json.encode({"last_by_subj": subject})
        try:
            answer = _answer.decode(self._link.ask(f"$JS.API.STREAM.MSG.GET.{stream}", payload, seconds))
            if answer.error is not None:
                raise Answered(answer.error)
        except NotConnected:
            raise  # the leader may be well
        except (NoAnswer, NotSent, Answered) as error:
            if isinstance(error, Answered) and error.code in NOT_FOUND:
                return None
            if isinstance(error, Answered) and error.code not in AGAIN:
                raise
            self._leaderless[stream] = time.monotonic() + _LEADERLESS
            raise NotSent(str(error)) from error
        if answer.message is None:
            raise Damaged("the server answered without a message", where=stream)
        raw = answer.message
        return Stored(raw.seq, raw.subject, raw.data, raw.time)

    def _page(self, stream: str, request: dict[str, Any], upto: int = 0) -> list[Stored]:
        lost: NoAnswer | NotSent | None = None
        began = time.monotonic()
        request["max_bytes"] = log_pages.BYTES
        for seconds in self._link.attempts():
            try:
                page = self._link.page(stream, request, min(seconds, _ANSWER))
            except (NoAnswer, NotSent) as error:
                lost = error
                continue
            if page or upto < request.get("seq", 1):
                return page
            lost = None
            self._link.notice_behind(began)
        if lost is None:
            raise Damaged(f"message {upto} is not there", where=stream)
        raise NotSent(str(lost)) from lost
