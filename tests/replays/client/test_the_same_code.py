"""The same function plays the same fight embedded and over HTTP; refusals, odds and corrections are the same too."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from client.brawl import BLOW, begun, blow, fight, host_token, the_same
from server.processes import Served

from ledger.commands import Choose, Join, Note, OpenDispute, TypeDice
from ledger.errors import BadCommand, KeyReused, NoSuchEntry, Refused, Stale
from machines.contract.refusals import BadSheet, NoSuchDispute, NoSuchRoll, NotAskedFor, NotOffered
from projections.views.document import State
from replays import Session
from replays.audit.why import NothingThere
from replays.client import AsyncHost, Host, Playing, RemoteSession
from replays.corrections.change import BadChange, Change, EntryChange
from replays.exports.theatre.branch import BranchLine
from replays.odds.odds import UnknownKey
from replays.sessions.undo import NothingToRedo, NothingToUndo


@pytest.fixture
def embedded() -> Iterator[Session]:
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
    yield session
    session.close()


@pytest.fixture
def both(embedded: Session, gamemaster: RemoteSession) -> tuple[Playing, Playing]:
    return embedded, gamemaster


def but_for_the_session(state: State) -> State:
    return msgspec.structs.replace(state, session="", digest="")


def told(found: Any) -> Any:
    """Returns JSON without the id of the session."""
    plain = msgspec.json.decode(msgspec.json.encode(found))
    return {**plain, **{when: {**plain[when], "session": "", "digest": ""} for when in ("before", "after")}}


def in_branch(found: BranchLine) -> Any:
    """Returns a branch as JSON without the id of the session."""
    plain = msgspec.json.decode(msgspec.json.encode(found))
    state = {**plain["state"], "session": "", "digest": ""}
    return {**plain, "state": state, "report": found.report and told(found.report)}


# ------------------------------------------------------------------------------------------------ a fight


def test_the_same_function_plays_the_same_fight_embedded_and_over_http(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    embedded, called = both

    assert but_for_the_session(embedded.state()) == but_for_the_session(called.state())
    assert embedded.state().combatants["bob"].tracks["damage"].taken > 0
    assert called.state().session == called.id


def test_every_entry_comes_back_with_its_command_and_its_events(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    here, there = (list(session.entries(1)) for session in both)

    assert len(here) == len(there) > 12
    for mine, theirs in zip(here, there, strict=True):
        assert (mine.seq, mine.after, mine.by, mine.origin) == (theirs.seq, theirs.after, theirs.by, theirs.origin)
        assert (mine.v, mine.rules_version) == (theirs.v, theirs.rules_version)
        assert mine.command == theirs.command
        assert mine.events == theirs.events


def test_a_part_of_the_log_is_the_same_part(both: tuple[Playing, Playing], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.client.synchronous.remote.PAGE", 3)
    for session in both:
        begun(session)
        assert [entry.seq for entry in session.entries()] == [1, 2, 3, 4, 5, 6]
        assert [entry.seq for entry in session.entries(2, 4)] == [3, 4]
        assert [entry.seq for entry in session.entries(0, 3)] == [1, 2, 3]
        assert [entry.seq for entry in session.entries(5, 99)] == [6]
        assert list(session.entries(6)) == list(session.entries(3, 3)) == []


def test_the_same_is_waited_for_and_legal(both: tuple[Playing, Playing]) -> None:
    for session in both:
        begun(session)
        session.perform(BLOW)
    embedded, called = both

    assert [msgspec.structs.replace(rest, depth=0) for rest in embedded.rests] == list(called.rests)
    assert embedded.options() == called.options()
    assert embedded.state(3).entries == called.state(3).entries == 3


def test_the_same_fight_is_played_with_asyncio(server: Served, embedded: Session) -> None:
    async def play() -> tuple[State, list[int]]:
        async with AsyncHost(server.url, host_token(server)) as host:
            founded = await host.create_session(ruleset="eclipse_phase_1e", title="A brawl")
            session = founded.gamemaster()
            await the_same(session)
            return await session.state(), [entry.seq async for entry in session.entries()]

    fight(embedded)
    state, numbers = asyncio.run(play())

    assert but_for_the_session(state) == but_for_the_session(embedded.state())
    assert numbers == [entry.seq for entry in embedded.entries()]


# ------------------------------------------------------------------------------------------------ reading


def test_odds_are_the_same_to_the_last_fraction(both: tuple[Playing, Playing]) -> None:
    for session in both:
        begun(session)
    embedded, called = both

    assert embedded.odds(declare=BLOW).exact
    assert embedded.odds(declare=BLOW) == called.odds(declare=BLOW)
    for session in both:
        session.perform(BLOW)
        session.perform(Choose("r1/ann/a1/attack/defense", "none"))
    assert embedded.odds() == called.odds("to-hit")


def test_luck_is_the_same_to_nine_digits(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    here, there = (session.luck() for session in both)

    assert (here.dice, here.comparisons) == (there.dice, there.comparisons)
    for mine, theirs in zip(here.faces, there.faces, strict=True):
        assert round(mine.mean, 9) == theirs.mean
        assert (mine.who, mine.sides, mine.z) == (theirs.who, theirs.sides, theirs.z)


def test_a_replay_is_the_same(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    here, there = both
    shapes = [msgspec.structs.replace(each.outline(), session="", digest="", title="") for each in both]
    told = [[(step.seq, step.kind, step.narration, step.keys) for step in each.steps(3, 7).steps] for each in both]

    assert shapes[0] == shapes[1]
    assert told[0] == told[1]
    assert len(told[0]) == 7
    for session in both:
        assert session.replay_page().startswith(b"<!DOCTYPE html>")
    key = next(step.keys[0] for step in here.steps().steps if step.keys)
    assert here.why(key, at=9).parts == there.why(key, at=9).parts
    for session in both:
        with pytest.raises(NoSuchEntry):
            session.why(key, at=10_000)
        with pytest.raises(NoSuchEntry):
            session.steps(10_000)


def test_the_chances_are_the_same(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    here, there = ([msgspec.structs.replace(each.chances(at), digest="") for at in (None, 6)] for each in both)
    assert here == there
    assert here[1].entry == 6
    for session in both:
        with pytest.raises(NoSuchEntry):
            session.chances(10_000)


def test_the_recap_is_the_same_apart_from_digits(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
    here, there = (session.recap() for session in both)

    assert here.standing
    assert (here.rounds, here.standing, here.down, here.drops) == (
        there.rounds,
        there.standing,
        there.down,
        there.drops,
    )
    assert (here.measured, here.corrections) == (there.measured, there.corrections)
    for mine, theirs in zip(here.turning_points, there.turning_points, strict=True):
        assert (mine.deed, mine.outcome, round(mine.swing, 9)) == (theirs.deed, theirs.outcome, theirs.swing)


def test_why_audit_and_disputes_are_the_same(both: tuple[Playing, Playing]) -> None:
    for session in both:
        fight(session)
        session.perform(OpenDispute("r1/ann/a1/attack/to-hit", "it rolled off the table"))
    embedded, called = both

    assert embedded.why("bob.damage") == called.why("bob.damage")
    assert embedded.audit().rolls == called.audit().rolls
    assert embedded.audit().is_sound
    assert called.audit(called.state().digest).is_sound
    assert not called.audit("0" * 64).is_sound
    assert [each.challenge.about for each in embedded.disputes()] == [
        each.challenge.about for each in called.disputes()
    ]
    assert embedded.dispute("d1").evidence == called.dispute("d1").evidence
    for nowhere in ("", "..", "d1/x", "d2"):
        for session in both:
            with pytest.raises(NoSuchDispute):
                session.dispute(nowhere)


def test_a_correction_is_the_same_looked_at_and_written(both: tuple[Playing, Playing]) -> None:
    for session in both:
        begun(session)
        blow(session, 33, 88, 7, 40)
    embedded, called = both
    change = Change(dice={"r1/ann/a1/attack/to-hit": (97,)})

    assert told(embedded.preview("r1/ann/a1/attack", change)) == told(called.preview("r1/ann/a1/attack", change))
    assert told(embedded.whatif(7, change)) == told(called.whatif(7, change))
    changes = [
        EntryChange("r1/ann/a1/attack/to-hit", Change(set={"faces": [12]})),
        EntryChange("r1/ann/a1/attack", change),
    ]
    assert in_branch(embedded.branch(changes, since=6)) == in_branch(called.branch(changes, since=6))
    open_ = embedded.branch(changes).state.rests[0]
    changes += [EntryChange(then=(Choose(open_["key"], "end"),))]
    assert in_branch(embedded.branch(changes)) == in_branch(called.branch(changes))
    assert in_branch(embedded.branch(after=9)) == in_branch(called.branch(after=9))
    here, there = (session.amend("r1/ann/a1/attack", change, why="it was a 97") for session in both)
    assert told(here.report) == told(there.report)
    assert [entry.origin for entry in here.entries] == [entry.origin for entry in there.entries]
    assert but_for_the_session(embedded.state()) == but_for_the_session(called.state())
    assert called.state().combatants["bob"].tracks["damage"].taken == 0


def test_the_gamemasters_word_is_the_same(both: tuple[Playing, Playing]) -> None:
    for session in both:
        begun(session)
        blow(session, 33, 88, 7, 40)
        session.overrule("r1/ann/a1/attack", "outcome", "miss", why="he was elsewhere")
        session.rewind(6, why="from the beginning")
        session.perform(BLOW)
        session.perform(Choose("r1/ann/a1/attack/defense", "none"))
        assert session.modify("r1/ann/a1/attack/to-hit", -10, why="mud")
    embedded, called = both

    assert but_for_the_session(embedded.state()) == but_for_the_session(called.state())


ATTACK = "r1/ann/a1/attack"
WHO_MAY_SEE = [(), ("bob",)]
REASONS = {
    "undo": lambda session, to: session.undo(why="mis" + "heard", seen_by=to),
    "redo": lambda session, to: (session.undo(why="slip"), session.redo(why="mis" + "heard", seen_by=to)),
    "rewind": lambda session, to: session.rewind(6, why="mis" + "heard", seen_by=to),
    "overrule": lambda session, to: session.overrule(ATTACK, "outcome", "miss", why="mis" + "heard", seen_by=to),
    "modify": lambda session, to: session.modify(f"{ATTACK}/to-hit", -10, why="mis" + "heard", seen_by=to),
    "amend": lambda session, to: session.amend(
        ATTACK, Change(dice={f"{ATTACK}/to-hit": (97,)}), why="mis" + "heard", seen_by=to
    ),
}
"""Calls that accept a secret reason."""


@pytest.mark.parametrize("to", WHO_MAY_SEE, ids=["gamemaster", "bob"])
@pytest.mark.parametrize("what", REASONS)
def test_a_reason_is_given_in_secret_alike(both: tuple[Playing, Playing], what: str, to: tuple[str, ...]) -> None:
    for session in both:
        begun(session)
        blow(session, 33, 88, 7, 40)
        REASONS[what](session, to)
    embedded, called = both

    for session in both:
        said = [
            event for entry in session.entries() for event in entry.events if getattr(event, "why", "") == "misheard"
        ]
        commands = [entry.command for entry in session.entries() if getattr(entry.command, "why", "") == "misheard"]
        assert {one.seen_by for one in (*said, *commands)} == {to}
    assert but_for_the_session(embedded.state()) == but_for_the_session(called.state())


def test_a_reason_is_given_in_secret_with_asyncio(server: Served) -> None:
    async def played() -> list[Any]:
        async with AsyncHost(server.url, host_token(server)) as host:
            founded = await host.create_session(ruleset="eclipse_phase_1e", title="A brawl")
            async with founded.gamemaster() as session:
                await session.perform(Note("it rains"))
                await session.undo(why="misheard", seen_by=())
                await session.redo(why="misheard", seen_by=())
                await session.rewind(1, why="misheard", seen_by=())
                return [entry.command async for entry in session.entries(2)]

    commands = asyncio.run(played())

    assert [(one.seen_by, getattr(one, "why", "")) for one in commands] == [((), "misheard")] * 3


def test_what_is_exported_is_the_same_byte_for_byte(server: Served, host: Host, gamemaster: RemoteSession) -> None:
    fight(gamemaster)
    with_store = Session.open(server.ledger, gamemaster.id)
    try:
        assert list(gamemaster.export()) == list(with_store.export())
        assert but_for_the_session(gamemaster.state()) == but_for_the_session(with_store.state())
    finally:
        with_store.close()


def test_a_session_of_ones_own_is_brought_in(host: Host, embedded: Session) -> None:
    fight(embedded)

    there = host.import_(embedded.export())

    assert there.id == embedded.id
    assert there.gamemaster().state() == embedded.state()
    assert embedded.id in [each.session for each in host.sessions(limit=1000)]
    with pytest.raises(Refused, match="session/exists"):
        host.import_(embedded.export())


# ------------------------------------------------------------------------------------------------ refusals

REFUSED: dict[str, tuple[type[Refused], Callable[[Playing], object]]] = {
    "dice": (NotAskedFor, lambda session: session.perform(TypeDice("r9/ann/initiative", (1,)))),
    "choice": (NotOffered, lambda session: session.perform(Choose(session.rests[0].key, "fly"))),
    "fraction": (BadCommand, lambda session: session.perform(Join("cyd", {"init": 0.5}))),
    "entry": (NoSuchEntry, lambda session: session.state(99)),
    "rewind": (NoSuchEntry, lambda session: session.rewind(99)),
    "redo": (NothingToRedo, lambda session: session.redo(why="again")),
    "undo": (NothingToUndo, lambda session: session.undo("exchange", why="all of it")),
    "why": (NoSuchRoll, lambda session: session.why("r9/nobody/initiative")),
    "nothing": (NothingThere, lambda session: session.why("bob.luck")),
    "odds": (
        UnknownKey,
        lambda session: (
            session.perform(BLOW),
            session.perform(Choose("r1/ann/a1/attack/defense", "none")),
            session.odds("elsewhere"),
        ),
    ),
    "modify": (NoSuchRoll, lambda session: session.modify("r9/ann/a1", 10, why="mud")),
    "amend": (BadChange, lambda session: session.amend(2, Change(), why="nothing")),
    "preview": (BadSheet, lambda session: session.preview(2, Change(set={"sheet.nothing.at.all": 1}))),
    "stale": (Stale, lambda session: session.perform(Note("late"), expected=2)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_refused_alike(both: tuple[Playing, Playing], what: str) -> None:
    kind, asked = REFUSED[what]
    found = []
    for session in both:
        begun(session)
        with pytest.raises(Refused) as refused:
            asked(session)
        assert type(refused.value) is kind
        found.append((refused.value.slug, refused.value.message, refused.value.where, refused.value.accepts))
    assert found[0] == found[1]


def test_whoever_comes_late_hears_the_actual_number(gamemaster: RemoteSession) -> None:
    begun(gamemaster)

    with pytest.raises(Stale) as late:
        gamemaster.perform(Note("late"), expected=4)

    assert (late.value.expected, late.value.actual) == (4, 6)
    assert gamemaster.perform(Note("in time"), expected=late.value.actual).seq == 7


def test_a_key_is_performed_once_and_belongs_to_its_command(both: tuple[Playing, Playing]) -> None:
    for session in both:
        first = session.perform(Note("once"), batch="one")
        assert session.perform(Note("once"), batch="one") == first
        with pytest.raises(KeyReused):
            session.perform(Note("twice"), batch="one")
        assert session.state().entries == 2
