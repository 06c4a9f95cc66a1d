"""Fights that are begun by lines over HTTP, to be shown in pages."""

from collections.abc import Sequence

from browsing.seats import address
from server.processes import Served

from replays.client import Founded, Host

BAR = (
    "add kade=street-samurai@ann mara=mage@ben 2 thug=ganger", "hide lurker=ganger", "begin", "kade 5 5 5 6 6 1 2 3 4",
    "mara 5 5 6 1 1 2 2", "thug-1 5 1 2 3 4 6", "thug-2 1 2 3 4 5 6", "lurker 5 2 2 3 3 4",
)  # fmt: skip
"""Shadowrun: two players, two thugs and a hidden one, after the dice of their initiative."""


class Fight:
    """A session that is open in pages.

    Args:
        server: The server.
        host: Its host.
        lines: The gamemaster's lines, in order.
        game: The ruleset.
        players: Who gets seats.
    """

    def __init__(
        self, server: Served, host: Host, lines: Sequence[str] = BAR, game: str = "shadowrun_4e", *players: str
    ) -> None:
        self.founded: Founded = host.create_session(
            ruleset=game, title="Behind the noodle bar", players=players or ("ann", "ben")
        )
        self._server = server
        self._gm = self.founded.gamemaster()
        self.play(*lines)

    def play(self, *lines: str) -> None:
        """Sends lines of the gamemaster."""
        for line in lines:
            self._gm.send_line(line, expected=self._gm.question().last)

    def entries(self) -> list[tuple[str, ...]]:
        """Returns the sentences of each entry, as the gamemaster sees them."""
        steps = self._gm.steps(limit=200).steps
        return [step.narration for step in steps]

    def address(self, name: str, view: str = "") -> str:
        """Returns the address of a seat."""
        token = next(each.token for each in self.founded.tokens if name in (each.name, each.seat))
        return address(self._server.url, token, self.founded.id) + (f"&view={view}" if view else "")
