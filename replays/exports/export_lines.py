"""The line of an exported entry as a document; the first line of an export is `jsonl.Header`."""

from typing import Annotated

import msgspec

from ledger.commands import AnyCommand
from ledger.entry import StoredRequest, Who
from ledger.events import AnyEvent

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""A digest in hexadecimal digits; in place of a part that is hidden, the digest of its leaf."""
Salt = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
"""A secret or a salt in hexadecimal digits."""


class ExportedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A further line of an export: an entry as it is stored, with what its verification needs.

    It has either the secret of its salts, or the salts of the parts that are visible. In place of a hidden command,
    event or request it has a digest. `ledger.chain` writes and verifies these lines, byte by byte.
    """

    v: Annotated[int, msgspec.Meta(ge=1)]
    """The version of the line's shape."""
    seq: Annotated[int, msgspec.Meta(ge=1)]
    after: Annotated[int, msgspec.Meta(ge=0)]
    """The entry it stands on; 0 for the first."""
    at: str
    by: Who
    """The person and their seat, as a list of both."""
    rules: int
    """The version of the ruleset that decided the command."""
    origin: int | None
    """The entry whose command this entry repeats on another branch; null if it repeats none."""
    command: AnyCommand | Digest
    """The command; the digest of its leaf where it is hidden."""
    events: tuple[AnyEvent | Digest, ...]
    """The events, each as a list that begins with its tag; the digest of its leaf in place of a hidden one."""
    request: StoredRequest | Digest | msgspec.UnsetType = msgspec.UNSET
    """The idempotency key, the fingerprint of the request and the number of its entries; only in the first entry of a
    batch, and the digest of its leaf where it is hidden."""
    secret: Salt | msgspec.UnsetType = msgspec.UNSET
    """The secret from which all salts are cut; absent where a part is hidden."""
    salts: tuple[Salt | None, ...] = ()
    """The salts of the command, of each event and of the request, null for hidden ones; only where a part is hidden."""
    digest: Digest
    """The digest of the entry, which continues from that of the entry before it."""
