"""What was not shown to a seat stands in its view as a marker, and whatever reads one is stopped."""

from collections.abc import Iterator

import pytest

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Choose, Command
from ledger.entry import Seat
from machines.contract.ruleset import Ruleset, ruleset
from projections.combat import Combat, fold
from replays.odds.engine.forgotten import NOT_SHOWN, Forgotten, HiddenValueRead
from replays.odds.known_state import marked, possible

BOB = Viewer(Seat.PLAYER, frozenset({"bob"}))
QUESTION = e.ChoiceRequested("r1/bob/x", "bob", (e.Option("dodge", "Dodge 30", 30),), None, "how?")
SEEN = fold((
    e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False),
    e.SheetGiven("bob", {"init": 40}), e.TrackOpened("bob", "damage", 30), e.ResourceOpened("bob", "moxie", 3, 3), QUESTION,
))  # fmt: skip
"""Bob's sheet was shown, Ann's was not."""


def places(combat: Combat) -> Iterator[object]:
    """What of Ann comes from her sheet."""
    yield combat.roster["ann"].sheet
    yield combat.health.tracks["ann"]
    yield combat.resources.having["ann"]


def test_a_sheet_that_was_not_shown_is_a_marker_with_all_that_comes_from_it() -> None:
    for found in places(marked(SEEN)):
        assert type(found) is Forgotten
        assert found.where == (NOT_SHOWN, "ann")
        with pytest.raises(HiddenValueRead) as needed:
            bool(found)
        assert needed.value.where == (NOT_SHOWN, "ann")


def test_everything_else_is_as_it_was_seen() -> None:
    found = marked(SEEN)

    assert found.roster.who.keys() == {"ann", "bob"}
    assert found.roster["bob"] == SEEN.roster["bob"]
    assert (found.roster["ann"].name, found.roster["ann"].player) == ("Ann", "gm")
    assert found.health.track("bob", "damage") == SEEN.health.track("bob", "damage")
    assert found.resources.resource("bob", "moxie") == SEEN.resources.resource("bob", "moxie")
    assert found.rests == SEEN.rests
    shown = fold((e.SheetGiven("ann", {}),), SEEN)
    assert marked(shown) is shown


@pytest.mark.parametrize(
    "stops",
    [
        HiddenValueRead((NOT_SHOWN, "ann")), ZeroDivisionError(), AssertionError(), AttributeError(), KeyError(), IndexError(),
        NotImplementedError(), RuntimeError(), StopIteration(), TypeError(), ValueError(),
    ],
    ids=lambda stops: type(stops).__name__,
)  # fmt: skip
def test_where_rules_stop_at_what_was_not_shown_a_seat_is_offered_it_all_the_same(
    stops: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Combat] = []

    def stopped(game: Ruleset, combat: Combat, command: Command) -> tuple[e.Event, ...]:
        given.append(combat)
        raise stops

    monkeypatch.setattr("machines.engine.options.decide", stopped)
    monkeypatch.setattr("machines.engine.options._interrupts_of", lambda *_: ())
    game = ruleset("eclipse_phase_1e")

    (offered,) = possible(game, SEEN, BOB)
    assert (offered.command, offered.target, offered.refused) == (Choose(QUESTION.key, "dodge"), 30, "")
    assert possible(game, SEEN, Viewer(Seat.PLAYER, frozenset({"ann"}))) == ()
    assert all(type(found) is Forgotten for combat in given for found in places(combat))
    with pytest.raises((type(stops), RuntimeError)):  # a generator that stops is a RuntimeError
        possible(game, SEEN, EVERYTHING)
    assert given[-1] is SEEN
