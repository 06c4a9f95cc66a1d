"""Audiences: membership, intersection and union."""

import pytest

from ledger.audience import EVERYTHING, Viewer, either, includes, shared
from ledger.entry import Seat
from ledger.events import Audience

EVERYBODY: Audience = None
NOBODY: Audience = ()
ANN, BOB, BOTH = ("ann",), ("bob",), ("ann", "bob")


@pytest.mark.parametrize(
    ("viewer", "seen_by", "may_see"),
    [
        (EVERYTHING, EVERYBODY, True),
        (EVERYTHING, NOBODY, True),
        (EVERYTHING, BOB, True),
        (Viewer(), NOBODY, True),
        (Viewer(Seat.PLAYER, frozenset({"bob"})), EVERYBODY, True),
        (Viewer(Seat.PLAYER, frozenset({"bob"})), BOTH, True),
        (Viewer(Seat.PLAYER, frozenset({"bob"})), ANN, False),
        (Viewer(Seat.PLAYER, frozenset({"bob"})), NOBODY, False),
        (Viewer(Seat.PLAYER), ANN, False),
        (Viewer(Seat.SPECTATOR), EVERYBODY, True),
        (Viewer(Seat.SPECTATOR), ANN, False),
        (Viewer(Seat.SPECTATOR, frozenset({"ann"})), ANN, False),
    ],
)
def test_a_player_sees_what_a_combatant_of_theirs_may_see_and_a_spectator_what_everybody_may(
    viewer: Viewer, seen_by: Audience, may_see: bool
) -> None:
    assert viewer.may_see(seen_by) is may_see


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (EVERYBODY, EVERYBODY, EVERYBODY),
        (EVERYBODY, NOBODY, EVERYBODY),
        (BOB, EVERYBODY, EVERYBODY),
        (NOBODY, NOBODY, NOBODY),
        (NOBODY, BOB, BOB),
        (BOB, NOBODY, BOB),
        (BOB, ANN, ("bob", "ann")),
        (BOB, BOTH, ("bob", "ann")),
    ],
)
def test_in_either_is_who_is_in_one_of_them(one: Audience, other: Audience, both: Audience) -> None:
    assert either(one, other) == both


@pytest.mark.parametrize(
    ("wide", "narrow", "is_in_it"),
    [
        (EVERYBODY, EVERYBODY, True),
        (EVERYBODY, NOBODY, True),
        (BOTH, EVERYBODY, False),
        (BOTH, BOB, True),
        (BOTH, BOTH, True),
        (BOB, BOTH, False),
        (NOBODY, NOBODY, True),
        (NOBODY, ANN, False),
    ],
)
def test_an_audience_includes_another_one_where_everybody_of_it_is_there(
    wide: Audience, narrow: Audience, is_in_it: bool
) -> None:
    assert includes(wide, narrow) is is_in_it


@pytest.mark.parametrize(
    ("audiences", "everywhere"),
    [
        ([], EVERYBODY),
        ([EVERYBODY, EVERYBODY], EVERYBODY),
        ([EVERYBODY, NOBODY], NOBODY),
        ([BOB, EVERYBODY], BOB),
        ([BOTH, BOB], BOB),
        ([ANN, BOB], NOBODY),
        ([("cem", "bob", "ann"), ("bob", "cem")], ("bob", "cem")),
    ],
)
def test_shared_is_who_is_in_every_one(audiences: list[Audience], everywhere: Audience) -> None:
    assert shared(audiences) == everywhere


def test_those_who_see_the_same_are_one_key() -> None:
    assert len({Viewer(Seat.PLAYER, frozenset({"bob"})), Viewer(Seat.PLAYER, frozenset({"bob"})), EVERYTHING}) == 2
