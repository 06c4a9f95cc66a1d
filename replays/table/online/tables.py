"""Keeps the tables of people who are elsewhere."""

from collections.abc import Sequence
from contextlib import suppress
from weakref import WeakKeyDictionary, proxy

from ledger.entry import Entry, Who
from ledger.errors import Refused
from replays.api.session import Session
from replays.table.online.heard import heard
from replays.table.online.remote_table import RemoteTable

_ROUNDS = 20
"""How often at most the tables are gone through after a line."""


class Tables:
    """The tables of people who are elsewhere, one for each person at each session, as long as the session is in use."""

    def __init__(self) -> None:
        self._tables: WeakKeyDictionary[Session, dict[Who, RemoteTable]] = WeakKeyDictionary()

    def of(self, session: Session, who: Who) -> RemoteTable:
        """Returns the table of a person at a session, with the settings that they keep now."""
        tables = self._tables.setdefault(session, {})
        if who not in tables:
            tables[who] = RemoteTable(proxy(session), who)  # else the session would never be dropped
        else:
            tables[who].keep_up()
        return tables[who]

    def drop(self, session: Session, name: str) -> None:
        """Forgets the tables of a person, who no longer has a seat."""
        tables = self._tables.get(session, {})
        for who in [each for each in tables if each.name == name]:
            del tables[who]

    def go_on(self, session: Session, line: Sequence[Entry], *, quickly: bool = False) -> list[Entry]:
        """Does at the tables of a session what a line has made due at any of them.

        Modifiers that wait are applied, and rolls and choices are answered that a person's settings do not ask for: the
        gamemaster's dice are drawn as soon as a player has declared. After an undo nothing is drawn at a table until
        its person sends a line, or another person answers or declares something.

        Args:
            session: The session.
            line: The entries that it wrote.
            quickly: Whether choices that cannot matter are left to tables whose settings ask for all that can.

        Returns:
            The entries that were written.
        """
        tables = list(self._tables.get(session, {}).values())
        with heard(session) as written:
            for table in tables:
                table.heard(line)
            for _ in range(_ROUNDS if line else 0):
                before = len(written)
                for table in tables:
                    with suppress(Refused):  # that person learns the reason with their next line
                        table.apply_attached()
                        if not (quickly and table.asks_for_all):
                            table.go_on()
                if len(written) == before:
                    break
        return written
