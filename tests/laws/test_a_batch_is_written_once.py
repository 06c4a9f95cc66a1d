"""A request that is repeated with its idempotency key is performed once; the same key for another request is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ARMED, any_command, attacked, drawn, fights, figures, rolls

from ledger.commands import BeginCombat, DrawDice, Join, Note, Overrule, Rewind, TypeDice
from ledger.errors import KeyReused, Refused
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.jsonl import bring_in
from replays.sessions.ports import Drawer


@given(fights(most=25), st.data())
def test_any_command_is_performed_once(fight, data) -> None:
    session = fight.session
    command = data.draw(any_command(session))
    try:
        first = session.perform(command, batch="once")
    except Refused:
        return
    last = session.log.last

    second = session.perform(command, batch="once")
    elsewhere = Session(session.log.store, session.id).perform(command, batch="once")

    assert second == first
    assert elsewhere == first
    assert session.log.last == last
    assert session.log.store.head(session.id).seq == last


@given(fights(most=25), st.data())
def test_an_overrule_and_the_entries_that_it_repeats_are_written_once(fight, data) -> None:
    session = fight.session
    found = figures(session)
    if not found:
        return
    key, figure, value = data.draw(st.sampled_from(found))
    first = session.overrule(key, figure, value, why="once", batch="once")
    last = session.log.last

    second = session.perform(Overrule(key, figure, value, "once"), batch="once")

    assert second == first[0]
    assert session.log.last == last


@given(fights(most=25), st.data())
def test_a_modifier_is_written_once(fight, data) -> None:
    session = fight.session
    keys = [rest.key for rest in session.rests if rest.dice] + [key for key, _ in rolls(session)]
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    first = session.modify(key, 10, why="once", batch="once")
    last = session.log.last

    second = session.modify(key, 10, why="once", batch="once")

    assert second == first
    assert session.log.last == last


@given(fights(most=25), st.data())
def test_a_rewind_is_written_once(fight, data) -> None:
    session = fight.session
    there = data.draw(st.integers(1, session.log.last))
    session.perform(Note("x"))
    first = session.rewind(there, batch="once")
    last = session.log.last

    second = session.rewind(there, batch="once")

    assert second == first
    assert session.log.last == last


@given(fights(most=25), st.data())
def test_the_key_of_another_command_is_refused_and_nothing_is_written(fight, data) -> None:
    session = fight.session
    session.perform(Note("the first"), batch="once")
    last, digest = session.log.last, session.log.digest
    command = data.draw(any_command(session).filter(lambda each: each != Note("the first")))

    with pytest.raises(KeyReused):
        session.perform(command, batch="once")

    assert (session.log.last, session.log.digest) == (last, digest)


def _thrown() -> Session:
    """Returns a fight in which Ann's roll to hit was thrown, and Bob's defense was not."""
    session = attacked()
    session.perform(next(one.command for one in session.options() if one.command and one.command.option == "fray"))
    session.perform(TypeDice("r1/ann/a1/attack/to-hit", (33,)))
    return session


def test_an_overrule_by_a_shorthand_is_written_once() -> None:
    session = _thrown()
    first = session.overrule("ann/to-hit", "base", 55, why="once", batch="once")

    second = session.overrule("ann/to-hit", "base", 55, why="once", batch="once")

    assert second == first


@pytest.mark.parametrize("short", ["bob/defend", "ann/to-hit"], ids=["open", "thrown"])
def test_a_modifier_by_a_shorthand_is_written_once(short: str) -> None:
    session = _thrown()
    first = session.modify(short, 10, why="once", batch="once")

    second = session.modify(short, 10, why="once", batch="once")

    assert second == first


def test_a_modifier_is_written_once_even_if_the_dice_were_thrown_meanwhile() -> None:
    session = _thrown()
    first = session.modify("bob/defend", 10, why="once", batch="once")
    session.perform(TypeDice("r1/ann/a1/attack/defend", (50,)))

    second = session.modify("bob/defend", 10, why="once", batch="once")

    assert second == first


def test_a_rewind_to_a_rewind_is_written_once() -> None:
    session = _thrown()
    session.undo()
    there = session.log.last
    session.perform(Note("on"))
    first = session.perform(Rewind(there, "once"), batch="once")

    second = session.perform(Rewind(there, "once"), batch="once")

    assert second == first


@pytest.mark.parametrize("provenance", [(), ("drawn",)], ids=["as usual", "said to be drawn"])
def test_dice_are_drawn_once(provenance: tuple[str, ...]) -> None:
    session = _thrown()
    command = DrawDice("r1/ann/a1/attack/defend", provenance=provenance)
    first = session.perform(command, batch="once")

    second = session.perform(command, batch="once")

    assert second == first


@pytest.mark.parametrize("draw", [drawn, None], ids=["thrown by the program", "from a sealed seed"])
@pytest.mark.parametrize("imported", [False, True], ids=["here", "in another ledger"])
def test_a_repeated_amendment_that_draws_dice_gets_the_stored_response(draw: Drawer | None, imported: bool) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e", draw=draw)
    for command in (Join("ann", ARMED), Join("bob", ARMED), BeginCombat(), TypeDice("r1/ann/initiative", (50,))):
        session.perform(command)
    change = Change(insert=({"draw": "bob"},))
    first = session.amend(5, change, why="Bob was first", batch="once")
    if imported:
        elsewhere = MemoryStore()
        bring_in(session.export(), elsewhere)
        session = Session(elsewhere, session.id)

    second = session.amend(5, change, why="Bob was first", batch="once")

    assert second == first
