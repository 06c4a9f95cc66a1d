"""Compares a heads file with a ledger: each recorded head must be an ancestor of what the ledger holds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from ledger.errors import Cut, HeadsBroken
from ledger.stores.heads.line import FirstLine, HeadsLine, LineSigner, Mark, NewHead


class StoredHead(msgspec.Struct, frozen=True):
    """The stored state of a session, as far as a head is compared with it."""

    last: int
    """The number of the last entry; 0 for an empty log."""
    digest: bytes | None
    """The digest of the requested entry; None if it is missing. For entry 0, the digest that entry 1 continues from."""
    tombstone: bytes | None = None
    """The digest of the session's tombstone, if it was deleted."""
    deleted: int = 0
    """The number of entries at the deletion."""
    final: bytes | None = None
    """The digest of the last entry at the deletion."""


class StoredHeads(Protocol):
    """The queries that a heads file makes to a ledger."""

    def find(self, session: str, seq: int) -> StoredHead | None:
        """Returns the stored state of a session; None if the session is unknown."""

    def at(self, session: str, seq: int) -> str:
        """Returns the time at which an entry was appended; empty if it has none."""

    def all(self) -> Iterable[NewHead]:
        """Returns the head of each session, and of each deleted session."""


class HeadsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the comparison of a heads file with a ledger."""

    path: str
    begun: FirstLine | None
    """The first line; None if it is not readable."""
    marks: int
    """The number of heads and deletions that were compared."""
    sessions: tuple[str, ...]
    """The sessions that were compared."""
    breaks: tuple[Cut, ...]
    """The worst difference of each session that differs from the file."""
    cut: tuple[str, ...]
    """The sessions of `breaks`, in the same order."""
    signed: int
    """The number of signed lines."""
    unsigned: tuple[int, ...]
    """The numbers of the lines without a signature."""
    forged: tuple[int, ...] | None
    """The numbers of the lines that are signed with another key; None if no key is known."""
    garbage: tuple[int, ...]
    """The numbers of unreadable lines."""
    torn: tuple[int, ...]
    """The numbers of incomplete lines, as after a crash; they are harmless."""
    unmarked: tuple[str, ...]
    """Sessions of the ledger without a line, as after a crash."""

    @property
    def is_empty(self) -> bool:
        """Whether the file is empty."""
        return self.begun is None and not (self.marks or self.garbage or self.torn)

    @property
    def holds(self) -> bool:
        """Whether the ledger holds every recorded head, and the file was not altered."""
        return not (self.breaks or self.forged or self.garbage) and self.begun is not None


RENEWAL = "another copy of the file; or `affray heads --renew --why WORDS`, if the ledger is right"
"""The remedy for a heads file that is empty or altered."""


def emptied(path: str) -> HeadsBroken:
    """Returns the error for a file that was emptied."""
    return HeadsBroken(
        f"{path} is empty, so it does not show whether the ledger lost entries", where=path, accepts=RENEWAL
    )


def judge(mark: Mark, stored: StoredHeads) -> Cut | None:
    """Compares a head with a ledger.

    Returns:
        The difference; None if the head is an ancestor of what the ledger holds.
    """
    found = stored.find(mark.session, mark.seq)
    was = f"entry {mark.seq} was there at {mark.at}"
    if mark.deleted:
        if found is None or found.tombstone is None or found.tombstone.hex() != mark.digest:
            what = f"{mark.session!r} was deleted at {mark.at}, and tombstone {mark.deleted} is missing or different"
            return Cut(what, seq=mark.seq)
    elif found is None:
        return Cut(f"{mark.session!r} is missing with all {mark.seq} entries: {was}", seq=mark.seq)
    elif found.tombstone is not None:
        same = found.final is not None and found.final.hex() == mark.digest
        if mark.seq > found.deleted or (mark.seq == found.deleted and not same):
            return Cut(f"{mark.session!r} was deleted with only {found.deleted} entries: {was}", seq=mark.seq)
    elif mark.seq > found.last:
        return Cut(_missing(mark, found.last, stored), seq=mark.seq)
    elif found.digest is None or found.digest.hex() != mark.digest:
        return Cut(
            f"entry {mark.seq} of {mark.session!r} differs from the one that was there at {mark.at}", seq=mark.seq
        )
    return None


def _missing(mark: Mark, last: int, stored: StoredHeads) -> str:
    count = mark.seq - last
    what = f"{count} {'entry' if count == 1 else 'entries'} of {mark.session!r} {'is' if count == 1 else 'are'} missing"
    end = f"ends with entry {last} of {stored.at(mark.session, last)}" if last else "is empty"
    return f"{what}: entry {mark.seq} was there at {mark.at}, and the log {end}"


def latest(lines: Iterable[HeadsLine], signer: LineSigner | None) -> dict[str, Mark]:
    """Returns the last known head of each session; ignores lines that are signed with another key."""
    known: dict[str, Mark] = {}
    for line in lines:
        if isinstance(line.content, Mark) and not (line.mac and signer and not signer.is_own(line)):
            before = known.get(line.content.session)
            if before is None or (before.deleted, before.seq) <= (line.content.deleted, line.content.seq):
                known[line.content.session] = line.content
    return known


def examine(
    path: str, lines: Sequence[HeadsLine], stored: StoredHeads, signer: LineSigner | None, session: str | None = None
) -> HeadsReport:
    """Compares every line with a ledger.

    Args:
        path: The file, for the report.
        lines: The lines of the file.
        stored: The ledger.
        signer: Verifies signatures; None if no keys are known.
        session: The only session whose heads are compared; None compares all.
    """
    marks = [
        line.content for line in lines if isinstance(line.content, Mark) and session in (None, line.content.session)
    ]
    breaks: dict[str, Cut] = {}
    for mark in sorted(marks, key=lambda mark: (mark.deleted, mark.seq), reverse=True):
        if mark.session not in breaks and (cut := judge(mark, stored)) is not None:
            breaks[mark.session] = cut
    marked = {mark.session for mark in marks}
    kept = [noted.session for noted in stored.all() if session in (None, noted.session)]
    return HeadsReport(
        path=path,
        begun=next((line.content for line in lines if isinstance(line.content, FirstLine)), None),
        marks=len(marks),
        sessions=tuple(dict.fromkeys(mark.session for mark in marks)),
        breaks=tuple(breaks.values()),
        cut=tuple(breaks),
        signed=sum(bool(line.mac) for line in lines),
        unsigned=tuple(line.number for line in lines if line.content is not None and not line.mac),
        forged=None if signer is None else tuple(line.number for line in lines if line.mac and not signer.is_own(line)),
        garbage=tuple(line.number for line in lines if line.content is None and not line.is_torn),
        torn=tuple(line.number for line in lines if line.is_torn),
        unmarked=tuple(each for each in kept if each not in marked),
    )


def compacted(lines: Sequence[HeadsLine], stored: StoredHeads, signer: LineSigner | None) -> Iterator[HeadsLine]:
    """Returns the lines that are still needed: the last of each session, and every line that contradicts the ledger.

    A head is dropped only if a later one of its session replaces it, both are ancestors of what the ledger holds, and
    it is not the last signed one.
    """
    needed: set[int] = set()
    later: set[tuple[str, bool]] = set()
    for line in sorted(lines, key=_place, reverse=True):
        if line.is_torn:
            continue
        if not isinstance(line.content, Mark) or (line.mac and signer and not signer.is_own(line)):
            needed.add(line.number)
            continue
        session, signed = line.content.session, bool(line.mac)
        if ((session, signed) in later or (session, True) in later) and judge(line.content, stored) is None:
            continue
        needed.add(line.number)
        if judge(line.content, stored) is None:
            later.add((session, signed))
    return (line for line in lines if line.number in needed)


def _place(line: HeadsLine) -> tuple[int, int, int]:
    return (
        (line.content.deleted, line.content.seq, line.number) if isinstance(line.content, Mark) else (0, 0, line.number)
    )
