"""What a line makes due at other tables is done there: not after an undo, by all of them in turn, and not for those who have left."""

import pytest

from ledger.commands import DrawDice
from ledger.entry import Entry, Seat, Who
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.table.online.sending import sent
from replays.table.online.tables import Tables

GM, ANN, BEN = Who("gm"), Who("ann", Seat.PLAYER), Who("ben", Seat.PLAYER)


class Room:
    """A fight of Shadowrun with the tables of a gamemaster and two players."""

    def __init__(self) -> None:
        self.session = Session.create(MemoryStore(), ruleset="shadowrun_4e", session="ROOM")
        self.tables = Tables()

    def line(self, who: Who, text: str, *answers: str) -> list[Entry]:
        """Executes a line, and what it makes due; returns what was written."""
        _, written = sent(self.tables.of(self.session, who), text, answers)
        return [*written, *self.tables.go_on(self.session, written)]


@pytest.fixture
def room() -> Room:
    """A fight in which kade acts."""
    room = Room()
    for text in ("add kade=street-samurai@ann mara=mage@ben thug=ganger", "begin", "kade 5 5 5 6 6 1 2 3 4"):
        room.line(GM, text)
    for text in ("mara 1 1 2 2 3 3 5", "thug 1 2 3 4 4 4", "kade: 1", "mara: 1"):
        room.line(GM, text)
    return room


def drawn(entries: list[Entry]) -> list[str]:
    return [entry.by.name for entry in entries if isinstance(entry.command, DrawDice)]


def test_the_gamemasters_dice_are_drawn_after_a_players_line(room: Room) -> None:
    room.line(GM, "dice auto")
    room.line(GM, "defaults auto")
    room.line(ANN, "attack thug ingram")
    written = room.line(ANN, "9 hits")
    written += room.line(ANN, "pass")

    assert set(drawn(written)) == {"gm"}


def test_nothing_is_drawn_after_an_undo_until_the_fight_goes_on(room: Room) -> None:
    room.line(GM, "dice auto")
    room.line(GM, "attack thug ingram")
    room.line(GM, "kade 9 hits")
    room.line(GM, "kade: 1")
    room.line(GM, "undo", "y")

    assert drawn(room.line(ANN, "note brb")) == []


def test_the_tables_of_all_go_on_in_turn(room: Room) -> None:
    room.line(GM, "dice auto")
    room.line(GM, "defaults auto")
    for who in (ANN, BEN):
        room.line(who, "dice all")
        room.line(who, "defaults all")
    written = room.line(ANN, "attack thug ingram")

    assert {"ann", "gm"} <= set(drawn(written))
    rests = room.session.rests
    assert not [rest for rest in rests if rest.dice]  # no table waits for another


def test_whoever_has_lost_the_seat_goes_on_no_more(room: Room) -> None:
    room.line(ANN, "dice all")
    room.line(ANN, "defaults all")
    room.tables.drop(room.session, "ann")
    written = room.line(GM, "attack thug ingram")

    assert "ann" not in [entry.by.name for entry in written]


def test_a_setting_that_was_changed_elsewhere_holds_here(room: Room) -> None:
    room.line(GM, "dice all")
    elsewhere = Tables()
    assert elsewhere.of(room.session, GM).dice == "all"
    room.line(GM, "dice ask")

    assert elsewhere.of(room.session, GM).dice == "ask"
