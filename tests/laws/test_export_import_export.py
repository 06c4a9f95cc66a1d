"""An export that is imported and exported once more is the same, byte for byte, in every store."""

from pathlib import Path

from drawing import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import fights

from ledger.commands import AmendSheet, BeginCombat, Join, Note, TypeDice
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays.api.session import Session
from replays.exports.jsonl import bring_in, check, export
from replays.sessions.log import Log


@given(fights(secrets=True))
def test_an_imported_session_is_exported_unchanged(fight) -> None:
    exported = list(export(fight.session.log))
    elsewhere = MemoryStore()

    header = bring_in(exported, elsewhere)

    assert header == check(exported)
    assert list(export(Log(elsewhere, header.session))) == exported
    assert Session(elsewhere, header.session).combat == fight.session.combat
    assert Log(elsewhere, header.session).verify().digest == fight.session.log.digest


@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fights(secrets=True), st.uuids())
def test_an_imported_session_is_exported_unchanged_through_a_file(tmp_path: Path, fight, name) -> None:
    exported = list(export(fight.session.log))
    store = SqliteStore(str(tmp_path / f"{name}.db"))

    bring_in(exported, store)

    assert list(export(Log(store, fight.session.id))) == exported
    store.close()


@given(fights())
def test_an_imported_session_that_is_continued_still_verifies(fight) -> None:
    elsewhere = MemoryStore()
    bring_in(export(fight.session.log), elsewhere)
    again = Session(elsewhere, fight.session.id)

    again.rewind(1)
    again.redo()

    assert again.combat == fight.session.combat
    assert check(export(again.log)).entries == fight.session.log.last + 2


@given(fights(secrets=True), st.integers(0, 3))
def test_an_export_shows_one_moment_despite_concurrent_writers(fight, taken) -> None:
    store, session = fight.session.log.store, fight.session.id
    before = list(export(Log(store, session)))
    lines = export(Log(store, session))

    exported = [next(lines) for _ in range(taken)]
    Session(store, session).perform(Note("meanwhile"))
    exported.extend(lines)

    assert exported == before
    assert check(exported).entries == len(exported) - 1


def test_a_roll_with_all_its_dice_after_an_undone_modifier_is_imported() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e", session="FIGHT")
    session.perform(Join("ann", {"reaction": 1, "intuition": 6}))
    session.perform(BeginCombat())
    session.modify("r1/ann/initiative", -2, why="the light")
    session.undo("round")
    session.perform(TypeDice("r1/ann/initiative", (2, 3, 3, 3, 2, 5, 6)))

    elsewhere = MemoryStore()
    bring_in(export(session.log), elsewhere)

    assert Session(elsewhere, "FIGHT").combat == session.combat


def test_a_thing_with_a_sheet_that_no_person_could_have_is_imported() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e", session="FIGHT")
    session.perform(Join("crate", {}, thing=True, unseen=True, seen_by=()))
    session.perform(Join("door", {"structure": 3}, thing=True))
    session.perform(AmendSheet("door", {"structure": 4}))

    elsewhere = MemoryStore()
    bring_in(export(session.log), elsewhere)

    assert Session(elsewhere, "FIGHT").combat == session.combat
