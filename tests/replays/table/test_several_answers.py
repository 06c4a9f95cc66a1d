"""Several answers on one line: combatants are named as in attacks; one wrong word is named, and the rest is kept."""

import pytest

from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.table.table import Table

GM = Who("gm", Seat.GM)


def waiting(game: str, *bring: str) -> Table:
    """Returns a table that waits for the initiative of all."""
    made = Table(Session.create(MemoryStore(), ruleset=game, by=GM), GM)
    made.add(bring)
    assert not made.submit("begin").refused
    return made


def open_rolls(at: Table) -> list[str]:
    """Returns those who have a roll to make."""
    return [rest.by for rest in at.session.rests]


@pytest.mark.parametrize(
    "line", ["kade 20 thug 3 60", "kade 20 t3 60", "thug 3 60 kade 20", "t3 60 kade 20", "Kade 20 Thug-3 60"]
)
def test_combatants_are_named_as_in_attacks(line: str) -> None:
    at = waiting("eclipse_phase_1e", "kade=assassin", "thug:3")

    assert at.submit(line).refused is None
    assert open_rolls(at) == ["thug-1", "thug-2"]


def test_one_roll_is_answered_by_a_brief_name() -> None:
    at = waiting("eclipse_phase_1e", "kade=assassin", "thug:3")

    assert at.submit("t3 60").refused is None
    assert at.submit("thug 2 00").refused is None
    assert open_rolls(at) == ["kade", "thug-1"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("thug-1 fifty thug-2 9", "thug-1 fifty"),
        ("t1 abc t2 9", "t1 abc"),
        ("thug-2 9 thug-1 fifty", "thug-1 fifty"),
    ],
)
def test_a_word_that_no_dice_show_is_named_and_the_rest_is_kept(line: str, wrong: str) -> None:
    at = waiting("eclipse_phase_1e", "kade=assassin", "thug:3")

    done = at.submit(line)

    assert wrong in str(done)
    assert open_rolls(at) == ["kade", "thug-1", "thug-3"]


def test_counts_that_the_dice_cannot_show_are_named_and_the_rest_is_kept() -> None:
    at = waiting("shadowrun_4e", "kade=street-samurai", "lena=street-samurai", "nyx=street-samurai")

    done = at.submit("kade 4h2 nyx 99h lena h3")

    assert "nyx 99h" in str(done)
    assert open_rolls(at) == ["nyx"]
