# Written by tests/support/client/unasync.py from asynchronous/correcting.py: edit that file, and run the script.
"""Corrects a session on a server: amendments, previews, what-ifs and branches."""

from collections.abc import Sequence

from ledger.events import Audience
from replays.client import answers
from replays.client.call import typed
from replays.client.calls import Calls, audience_field, changed_entry, correction
from replays.client.synchronous.sending import Connection
from replays.corrections.amend import Amendment
from replays.corrections.change import Change, EntryChange
from replays.corrections.diff import Report
from replays.exports.theatre.branch import BranchLine


class Corrections:
    """The corrections of a session on a server."""

    _calls: Calls
    _connection: Connection

    def amend(
        self,
        entry: int | str,
        change: Change,
        *,
        why: str,
        seen_by: Audience = None,
        consent: bool = False,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Amendment:
        """Amends an old entry; all faces stay the same, and all that followed is decided anew."""
        body = correction(entry, change, why, consent=consent) | audience_field(seen_by)
        return self._connection.send(self._calls.write("amend", body, answers.amendment, expected, batch))

    def preview(self, entry: int | str, change: Change, *, why: str = "", consent: bool = False) -> Report:
        """Returns what an amendment would change, without writing it."""
        body = correction(entry, change, why, consent=consent)
        return self._connection.send(self._calls.post("amend/preview", body, typed(Report)))

    def whatif(self, entry: int | str, change: Change) -> Report:
        """Returns what would have followed if an entry had been different; nothing is written."""
        body = correction(entry, change, "", consent=True)
        return self._connection.send(self._calls.post("what-if", body, typed(Report)))

    def branch(
        self, changes: Sequence[EntryChange] = (), *, upto: int | None = None, since: int | None = None, after: int = 0
    ) -> BranchLine:
        """Returns the line that some changes lead to; while `is_whole` is false, ask again with `after`."""
        body = {"changes": [changed_entry(each) for each in changes], "upto": upto, "since": since, "after": after}
        return self._connection.send(self._calls.post("branches", body, typed(BranchLine)))
