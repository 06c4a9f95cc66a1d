"""The heads file beside a ledger's file: records the last known entry of each session, to detect lost entries.

A database that has lost its last entries (a lost write-ahead log, a restored copy, a deletion by hand) looks intact.
So each commit also writes a line into a second file, and each head in that file must be an ancestor of what the
database holds. If both files are truncated alike, only a head that is kept elsewhere shows it.

- `line`   one line: writing, reading, signing
- `heads_file`  the file: appends from several processes, syncing, compaction, renewal
- `replacing`  creates the file, or replaces it atomically
- `check`  compares lines with a ledger

How operations change the file:

    commit    appends a line for each written session, synced within a second
    import    appends a line for the imported session
    deletion  appends a line with the tombstone; compaction removes the lines of the session
    backup    none: a backup is the ledger alone, and gets a new heads file when it is written to
    restore   none: if the file records later entries than the backup has, opening is refused until it is renewed
    copy      none in the source; in the target as for each import
    renewal   one line for each session in the ledger; the first line names the person and the reason

If the file is missing, the next commit creates it with a line for every session. If it was emptied, the ledger is not
written until the file is renewed. If it is emptied while it is in use, it is written anew with that reason in its first
line.
"""

from ledger.stores.heads.check import RENEWAL, HeadsReport, StoredHead, StoredHeads, emptied
from ledger.stores.heads.heads_file import HeadsFile
from ledger.stores.heads.line import LineSigner, NewHead

__all__ = ("RENEWAL", "HeadsFile", "HeadsReport", "LineSigner", "NewHead", "StoredHead", "StoredHeads", "emptied")
