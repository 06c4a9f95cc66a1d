"""Requests of a storm: batches of notes whose texts name their batch.

A note's text is ``KEY NTH/SIZE …``. So a log shows without any other record whether a batch is complete and stored once.
"""

from dataclasses import dataclass
from zlib import crc32

_PADDING = "the ork kicks the door in "
_LONG = 1000
"""Repetitions of the padding in a long note: 26 kB, several pages of a database."""
_RARE = 40
"""One batch in so many has long notes."""


@dataclass(frozen=True)
class Request:
    """A batch of notes under an idempotency key.

    Attributes:
        session: Into which it is written.
        key: The idempotency key, without blanks.
        size: Number of notes.
    """

    session: str
    key: str
    size: int

    @property
    def texts(self) -> list[str]:
        """The notes' texts; they follow from the key and the size, so that a repeat asks for the same."""
        number = crc32(self.key.encode())
        padding = _PADDING * (_LONG if number % _RARE == 0 else number % 20)
        return [f"{self.key} {nth}/{self.size} {padding}" for nth in range(1, self.size + 1)]


@dataclass(frozen=True)
class Place:
    """Where a note of a batch belongs: the ``nth`` of ``size`` under a key."""

    key: str
    nth: int
    size: int


def place_of(text: str) -> Place:
    """Returns the place in the batch that the text of a note states."""
    key, where, *_ = text.split(" ")
    nth, _, size = where.partition("/")
    return Place(key, int(nth), int(size))
