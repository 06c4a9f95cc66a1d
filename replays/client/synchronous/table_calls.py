# Written by tests/support/client/unasync.py from asynchronous/table_calls.py: edit that file, and run the script.
"""The calls about the table of a session: what it asks, and lines in its language."""

from collections.abc import Sequence

from replays.client import lines
from replays.client.call import typed
from replays.client.calls import Calls
from replays.client.lines import SentLine
from replays.client.synchronous.sending import Connection
from replays.table.online.documents import TableQuestion, Understood


class TableCalls:
    """A session on a server, as far as its table is concerned."""

    _calls: Calls
    _connection: Connection

    def question(self) -> TableQuestion:
        """Returns what the table asks the seat now: the open choice with its answers, and the open rolls."""
        return self._connection.send(self._calls.get("question", typed(TableQuestion)))

    def understand(self, line: str) -> Understood:
        """Returns what a line of the table would do, and the words that may stand at its end; nothing is written."""
        return self._connection.send(self._calls.post("lines/understood", {"line": line}, typed(Understood)))

    def send_line(
        self,
        line: str,
        answers: Sequence[str] = (),
        expected: int | None = None,
        *,
        of: str = "",
        batch: str | None = None,
    ) -> SentLine:
        """Executes a line of the table, such as ``kade 4 hits`` or ``attack thug``; `SentLine.asks` is what it asks.

        Args:
            line: The line.
            answers: The answers to what it asked when it was sent before, in the order of the questions.
            of: The key of the open roll or choice that it answers: while that is open, others may have written since.
            expected: The number of the last entry that the caller knew, which a line that writes needs.
            batch: The idempotency key; by default a random one. The line is repeated under it until it is answered,
                and written once.

        Raises:
            Refused: The line is refused; nothing was written.
            Stale: Others have written after `expected`.
        """
        return self._connection.send(
            lines.call_of(self._calls, line, tuple(answers), of, expected=expected, batch=batch)
        )
