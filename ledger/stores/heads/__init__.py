"""The heads file beside a ledger's file: what the last known entry of each session was.

A database whose last entries vanish (a write-ahead log that was lost, a copy that was put back, a deletion by hand)
looks whole. So each commit also writes a line into a second file, and each head there must be an ancestor of
what the database holds. Whoever cuts both files alike is found out only by a head that is kept elsewhere.

- `line`   one line: written, read, signed
- `file`   the file: appended to by several processes, brought to the disk, compacted, written anew
- `check`  compares lines with a ledger
"""

from ledger.stores.heads.check import Ends, Found, Report
from ledger.stores.heads.file import HeadsFile
from ledger.stores.heads.line import Noted, Signer

__all__ = ("Ends", "Found", "HeadsFile", "Noted", "Report", "Signer")
