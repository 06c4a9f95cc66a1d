"""The heads file beside a ledger's file: what the last known entry of each session was.

A database whose last entries vanish (a write-ahead log that was lost, a copy that was put back, a deletion by hand)
looks whole. So each commit also writes a line into a second file, and each head there must be an ancestor of
what the database holds. Whoever cuts both files alike is found out only by a head that is kept elsewhere.

- `line`   one line: written, read, signed
- `file`   the file: appended to by several processes, brought to the disk, compacted, written anew
- `replacing`  begins it, and puts another file in its place, whole or not at all
- `check`  compares lines with a ledger

What becomes of it:

    commit    a line for each session that it wrote, on the disk within a second
    import    a line for the session that was brought in
    deletion  a line with the tombstone; the session's own lines go when the file is compacted
    backup    nothing: a backup is the ledger alone, and begins a heads file of its own when it is written to
    restore   nothing: if the file knows of later entries than the backup has, opening says so until it is renewed
    copy      nothing in the source; in the target as for each import
    renewal   one line a session, of what the ledger holds now; the first line says who wanted it and why
    none      the next commit begins a file with a line for every session
    emptied   nothing, and the ledger is not written until it is renewed; emptied while it is in use, it is begun anew,
              and its first line says so
"""

from ledger.stores.heads.check import RENEWAL, Ends, Found, Report, emptied
from ledger.stores.heads.file import HeadsFile
from ledger.stores.heads.line import Noted, Signer

__all__ = ("RENEWAL", "Ends", "Found", "HeadsFile", "Noted", "Report", "Signer", "emptied")
