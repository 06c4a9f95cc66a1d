"""Comparison of a heads file with a ledger: each line must be an ancestor of what the ledger holds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from ledger.errors import Cut, HeadsBroken
from ledger.stores.heads.line import Begun, Line, Mark, Noted, Signer


class Found(msgspec.Struct, frozen=True):
    """What a ledger holds of a session."""

    last: int
    """The number of the last entry; 0 where there is none."""
    digest: bytes | None
    """Of the entry that was asked for; None where it is not there. Of entry 0: what the first one continues from."""
    tombstone: bytes | None = None
    """The digest of the session's tombstone, where it is deleted."""
    deleted: int = 0
    """How many entries it had then."""
    final: bytes | None = None
    """The digest of the last of these."""


class Ends(Protocol):
    """What a heads file asks a ledger."""

    def find(self, session: str, seq: int) -> Found | None:
        """Returns what the ledger holds of a session; None where it has never heard of it."""

    def at(self, session: str, seq: int) -> str:
        """Returns when an entry was appended; empty where it has no time."""

    def all(self) -> Iterable[Noted]:
        """Returns the head of each session, and each deletion."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a heads file says of a ledger."""

    path: str
    begun: Begun | None
    """The first line; None where it cannot be read."""
    marks: int
    """Heads and deletions that were compared."""
    sessions: tuple[str, ...]
    """The sessions they are of."""
    breaks: tuple[Cut, ...]
    """Of each session what is missing or other, at most once."""
    cut: tuple[str, ...]
    """The sessions that these are of, in the same order."""
    signed: int
    """Lines that carry a signature."""
    unsigned: tuple[int, ...]
    """The numbers of the lines that carry none."""
    forged: tuple[int, ...] | None
    """The numbers of the lines that are signed with another key; None where no key is known."""
    garbage: tuple[int, ...]
    """The numbers of lines that are none."""
    torn: tuple[int, ...]
    """The numbers of lines that were never finished, as after a crash; they tell nothing and do no harm."""
    unmarked: tuple[str, ...]
    """Sessions of the ledger of which no line tells, as after a crash."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in the file."""
        return self.begun is None and not (self.marks or self.garbage or self.torn)

    @property
    def holds(self) -> bool:
        """Whether the ledger holds all that the file tells of, and the file is what was written."""
        return not (self.breaks or self.forged or self.garbage) and self.begun is not None


RENEWAL = "another copy of the file; or `affray heads --renew --why WORDS`, if the ledger is what it should be"
"""What to do where a heads file tells nothing, or not what was written."""


def emptied(path: str) -> HeadsBroken:
    """Returns the refusal of a file that was emptied."""
    return HeadsBroken(
        f"{path} is empty: whether entries are missing from the ledger is no longer known", where=path, accepts=RENEWAL
    )


def judge(mark: Mark, ends: Ends) -> Cut | None:
    """Compares a head with a ledger.

    Returns:
        What is missing or other there; None where the head is an ancestor of what the ledger holds.
    """
    found = ends.find(mark.session, mark.seq)
    was = f"entry {mark.seq} was there at {mark.at}"
    if mark.deleted:
        if found is None or found.tombstone is None or found.tombstone.hex() != mark.digest:
            what = f"{mark.session!r} was deleted at {mark.at}, and tombstone {mark.deleted} is missing or another"
            return Cut(what, seq=mark.seq)
    elif found is None:
        return Cut(f"{mark.session!r} is missing with all {mark.seq} entries: {was}", seq=mark.seq)
    elif found.tombstone is not None:
        same = found.final is not None and found.final.hex() == mark.digest
        if mark.seq > found.deleted or (mark.seq == found.deleted and not same):
            return Cut(f"{mark.session!r} was deleted with only {found.deleted} entries: {was}", seq=mark.seq)
    elif mark.seq > found.last:
        return Cut(_missing(mark, found.last, ends), seq=mark.seq)
    elif found.digest is None or found.digest.hex() != mark.digest:
        return Cut(f"entry {mark.seq} of {mark.session!r} is not the one that was there at {mark.at}", seq=mark.seq)
    return None


def _missing(mark: Mark, last: int, ends: Ends) -> str:
    count = mark.seq - last
    what = f"{count} {'entry' if count == 1 else 'entries'} of {mark.session!r} {'is' if count == 1 else 'are'} missing"
    end = f"ends with entry {last} of {ends.at(mark.session, last)}" if last else "is empty"
    return f"{what}: entry {mark.seq} was there at {mark.at}, and the log {end}"


def latest(lines: Iterable[Line], signer: Signer | None) -> dict[str, Mark]:
    """Returns the last known head of each session; lines that are signed with another key are passed over."""
    known: dict[str, Mark] = {}
    for line in lines:
        if isinstance(line.said, Mark) and not (line.mac and signer and not signer.is_own(line)):
            before = known.get(line.said.session)
            if before is None or (before.deleted, before.seq) <= (line.said.deleted, line.said.seq):
                known[line.said.session] = line.said
    return known


def examine(path: str, lines: Sequence[Line], ends: Ends, signer: Signer | None, session: str | None = None) -> Report:
    """Compares every line with a ledger.

    Args:
        path: The file, for the report.
        lines: What stands in it.
        ends: The ledger.
        signer: Knows the host's keys; None where none are known.
        session: Of the heads only those of this session are compared; None compares all.
    """
    marks = [line.said for line in lines if isinstance(line.said, Mark) and session in (None, line.said.session)]
    breaks: dict[str, Cut] = {}
    for mark in sorted(marks, key=lambda mark: (mark.deleted, mark.seq), reverse=True):
        if mark.session not in breaks and (cut := judge(mark, ends)) is not None:
            breaks[mark.session] = cut
    told = {mark.session for mark in marks}
    kept = [noted.session for noted in ends.all() if session in (None, noted.session)]
    return Report(
        path=path,
        begun=next((line.said for line in lines if isinstance(line.said, Begun)), None),
        marks=len(marks),
        sessions=tuple(dict.fromkeys(mark.session for mark in marks)),
        breaks=tuple(breaks.values()),
        cut=tuple(breaks),
        signed=sum(bool(line.mac) for line in lines),
        unsigned=tuple(line.number for line in lines if line.said is not None and not line.mac),
        forged=None if signer is None else tuple(line.number for line in lines if line.mac and not signer.is_own(line)),
        garbage=tuple(line.number for line in lines if line.said is None and not line.is_torn),
        torn=tuple(line.number for line in lines if line.is_torn),
        unmarked=tuple(each for each in kept if each not in told),
    )


def compacted(lines: Sequence[Line], ends: Ends, signer: Signer | None) -> Iterator[Line]:
    """Returns the lines that are still needed: the last of each session, and whatever does not hold.

    A head is left out only if a later one of its session says more, both are ancestors of what the ledger holds, and it
    is not the last one that is signed.
    """
    needed: set[int] = set()
    later: set[tuple[str, bool]] = set()
    for line in sorted(lines, key=_place, reverse=True):
        if line.is_torn:
            continue
        if not isinstance(line.said, Mark) or (line.mac and signer and not signer.is_own(line)):
            needed.add(line.number)
            continue
        session, signed = line.said.session, bool(line.mac)
        if ((session, signed) in later or (session, True) in later) and judge(line.said, ends) is None:
            continue
        needed.add(line.number)
        if judge(line.said, ends) is None:
            later.add((session, signed))
    return (line for line in lines if line.number in needed)


def _place(line: Line) -> tuple[int, int, int]:
    return (line.said.deleted, line.said.seq, line.number) if isinstance(line.said, Mark) else (0, 0, line.number)
