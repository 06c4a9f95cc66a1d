"""What entries change for a caller: a merge patch of the state, and sentences for people."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.views.seen import redacted
from replays.api.session import Session
from replays.exports.documents import EntryDocument
from replays.exports.narrative import narrate


class LiveEntry(EntryDocument, frozen=True):
    """An entry of the live feed, with what it changes for the reader."""

    patch: dict[str, Any]
    """The merge patch (RFC 7396) from the state before the entry to that after it, as `GET …/state` returns both."""
    narration: tuple[str, ...]
    """The entry in sentences for people."""


class Changes(NamedTuple):
    """What entries change for a viewer."""

    patch: dict[str, Any]
    narration: tuple[str, ...]


def changes(session: Session, entries: Iterable[Entry], eyes: Viewer) -> Changes:
    """Returns what entries that were written together change for a viewer.

    Args:
        session: The session.
        entries: The entries, in order; at least one.
        eyes: The viewer.
    """
    written = list(entries)
    told = tuple(line for entry in written for line in _told(session, entry, eyes))
    return Changes(dict(session.step(written[0].seq - 1, written[-1].seq, eyes).patch), told)


def _told(session: Session, entry: Entry, eyes: Viewer) -> Iterator[str]:
    """Yields the sentences of an entry; those of a seat begin from the state just before the entry was written."""
    before = entry.after if eyes == EVERYTHING else session.log.timeline.head_at(entry.seq - 1)
    return narrate(redacted(session.log.disclosures.entry(entry), eyes), session.seen(eyes, before))


def live(session: Session, entry: Entry, document: EntryDocument, eyes: Viewer) -> bytes:
    """Returns an entry for the live feed, encoded.

    Args:
        session: The session.
        entry: The entry as it was written.
        document: The entry as the viewer may see it.
        eyes: The viewer.
    """
    found = changes(session, [entry], eyes)
    fields = {name: getattr(document, name) for name in EntryDocument.__struct_fields__}
    return msgspec.json.encode(LiveEntry(**fields, patch=found.patch, narration=found.narration))
