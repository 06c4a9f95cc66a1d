"""Writing messages: all or none, and again after an answer that did not come."""

from collections.abc import Sequence

from ledger.stores.jetstream.servers.errors import AGAIN, CONFLICT, Answered, NoAnswer, NotSent, NotWritten
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.sending import Message


class Conflict(Exception):
    """A message was not the expected one, so nothing was written now.

    Attributes:
        may_be_own: Whether an earlier attempt of the same call may have written the messages.
    """

    def __init__(self, *, may_be_own: bool) -> None:
        super().__init__("another writer was first")
        self.may_be_own = may_be_own


class BatchWriter:
    """Writes messages that name what they expect, so that a repetition writes nothing twice.

    Args:
        link: The connection.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    def write(self, messages: Sequence[Message]) -> int:
        """Stores messages in one stream, all or none.

        Args:
            messages: At most 1,000, each of which names the message it expects before it on its subject, or follows
                another one of the same subject.

        Returns:
            The number in the stream of the last message.

        Raises:
            Conflict: A message was not the expected one.
            NotSent: Nothing was written.
            NoAnswer: There was no answer until the patience was used up: whether it was written is not known.
            Answered: The server refused to write.
        """
        lost: NoAnswer | None = None
        refused: NotSent | Answered | None = None
        for seconds in self._link.attempts():
            try:
                ack = self._link.write(messages, seconds)
            except NoAnswer as error:
                lost = error
                continue
            except NotSent as error:
                refused = error
                continue
            if ack.error is None:
                return ack.seq
            refused = Answered(ack.error)
            if refused.code in CONFLICT:
                raise Conflict(may_be_own=lost is not None)
            if refused.code not in AGAIN:
                break
        raise lost or refused or NotWritten("no server answers")
