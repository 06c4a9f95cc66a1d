"""The names of streams and subjects of a ledger, and in which shard a session is.

A ledger named ``affray`` with 64 shards has the streams ``affray-log-0`` to ``affray-log-63``, one for each shard, with
all that belongs to a session; ``affray-checkpoints``; and ``affray-ledger`` with the tombstones and the number of
shards.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

from ledger.errors import Oversized
from ledger.stores.checks import check_text

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,200}")
_MARK = "="
"""Begins the token of an id that is not a subject's token as it is."""
_LONGEST = 2_600
"""Bytes of an id: a subject has to fit into a line of the protocol."""


def token_of(session: str) -> str:
    """Returns the id of a session as one token of a subject; `session_of` reads it back.

    Raises:
        Oversized: The id is too long.
    """
    if _PLAIN.fullmatch(session):
        return session
    raw = session.encode()
    if len(raw) > _LONGEST:
        raise Oversized(f"an id of {len(raw)} bytes is too long for JetStream; nothing was written", where="session")
    return _MARK + urlsafe_b64encode(raw).decode().rstrip("=")


def session_of(token: str) -> str:
    """Returns the session of a token; the token itself if that is no session's, because Affray did not write it."""
    if not token.startswith(_MARK):
        return token
    encoded = token.removeprefix(_MARK)
    try:
        return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
    except ValueError:
        return token


def last_token(subject: str) -> str:
    """Returns the last token of a subject, which is the session's where it names no part of one."""
    return subject.rpartition(".")[2]


def hash_of(text: str) -> str:
    """Returns an idempotency key, or the name of a sealed value, as one token of a subject; it cannot be read back."""
    return sha256(text.encode()).hexdigest()[:40]


class LedgerNames:
    """The names of a ledger's streams and subjects.

    Args:
        ledger: The name of the ledger.
        shards: The number of its shards.
    """

    def __init__(self, ledger: str, shards: int) -> None:
        self.shards = shards
        self.checkpoints = f"{ledger}-checkpoints"
        """The stream of the checkpoints."""
        self.ledger = f"{ledger}-ledger"
        """The stream of the tombstones, whose metadata have the number of shards."""
        self.tombstones = f"{ledger}.tombstones"
        """The subject of all tombstones, in order."""
        self.news = f"{ledger}.news"
        """What the servers publish after each write begins with this."""
        self.logs = [f"{ledger}-log-{shard}" for shard in range(shards)]
        self._ledger = ledger

    def shard_of(self, session: str) -> int:
        """Returns the number of the session's shard."""
        return int.from_bytes(sha256(session.encode()).digest()[:8], "big") % self.shards

    def tombstone_of(self, session: str) -> str:
        """Returns the subject of a session's own tombstone."""
        return f"{self._ledger}.buried.{token_of(session)}"

    def ledger_subjects(self) -> list[str]:
        """Returns the patterns of all subjects in the stream of the ledger."""
        return [self.tombstones, f"{self._ledger}.buried.*"]

    def place(self, session: str) -> "SessionNames":
        """Returns the names of a session.

        Raises:
            BadCommand: The id is not text that UTF-8 can encode.
            Oversized: The id is too long.
        """
        check_text(session, "session")
        shard = self.shard_of(session)
        return SessionNames(self._ledger, shard, token_of(session), self.logs[shard])

    def subject(self, kind: str, shard: int, *rest: str) -> str:
        """Returns a subject: of a kind, in a shard, of the given tokens."""
        return ".".join((self._ledger, kind, str(shard), *rest))

    def checkpoint_subjects(self) -> str:
        """Returns the pattern of the subjects of all checkpoints."""
        return f"{self._ledger}.checkpoint.*.*"

    def log_subjects(self, shard: int) -> list[str]:
        """Returns the patterns of all subjects in the stream of a shard."""
        return [self.subject(kind, shard, *["*"] * tokens) for kind, tokens in _TOKENS.items()]


_TOKENS = {"session": 1, "log": 1, "key": 2, "seal": 2, "part": 2, "probe": 1}
"""The kinds of subjects in the stream of a shard, with the number of tokens after the shard's number."""


class SessionNames:
    """The names of a session: its stream and its subjects.

    Args:
        ledger: The name of the ledger.
        shard: The number of the session's shard.
        token: The session's id as a token.
        stream: The stream of the shard.
    """

    def __init__(self, ledger: str, shard: int, token: str, stream: str) -> None:
        self.stream = stream
        self.session = f"{ledger}.session.{shard}.{token}"
        """Whether the session exists, and the values it began with: the last message counts."""
        self.log = f"{ledger}.log.{shard}.{token}"
        """The entries: each append is one message."""
        self.keys = f"{ledger}.key.{shard}.{token}"
        self.seals = f"{ledger}.seal.{shard}.{token}"
        self.parts = f"{ledger}.part.{shard}.{token}"
        self.checkpoint = f"{ledger}.checkpoint.{shard}.{token}"

    def key(self, key: str) -> str:
        """Returns the subject of an idempotency key."""
        return f"{self.keys}.{hash_of(key)}"

    def seal(self, name: str) -> str:
        """Returns the subject of a sealed value."""
        return f"{self.seals}.{hash_of(name)}"

    def upload(self, name: str) -> str:
        """Returns the subject of the parts of a value that is too large for one message."""
        return f"{self.parts}.{name}"
