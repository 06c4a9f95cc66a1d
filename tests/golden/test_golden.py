"""Logs that were recorded once and are kept for ever: they are never edited to get green.

What is written differently from some day on goes into a new file beside the old ones: `record.py` writes the next free number of
each kind. Where the version of a ruleset has moved, the divergences that are expected of its older fights stand beside them:
`divergences.py` records those that are missing. Neither writes over a file that is there.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from golden import divergences, record
from golden.divergences import opened
from golden.record import PARTS, REQUIRED, defaults, record_fight, record_shapes, tag

from ledger import chain, codec
from ledger.commands import COMMANDS, Command, Note
from ledger.entry import Entry, Who
from ledger.errors import Unreadable
from ledger.events import EVENTS, Event, Noted
from ledger.stores.memory import MemoryStore
from projections.combat import fold
from replays.corrections.redecide import rehearse
from replays.exports.jsonl import bring_in, check, export
from replays.scripts.format import examples
from replays.sessions.log import Log

HERE = Path(__file__).parent
FIGHTS = divergences.fights()
LISTS = sorted(HERE.glob("*.divergences-v*.json"))
SHAPES = sorted(HERE.glob("every-shape-*.jsonl"))
FROZEN = sorted(HERE.glob("shapes-*.json"))

by_stem = {"ids": lambda path: path.stem}


# ------------------------------------------------------------------------------------------------ fights


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_a_recorded_fight_is_read_and_written_byte_for_byte(path: Path) -> None:
    for line in _lines(path)[1:]:
        stored = chain.imported(line).line

        assert codec.encode(codec.decode(stored)) == stored


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_a_recorded_fight_verifies(path: Path) -> None:
    lines = _lines(path)

    header = check(lines)

    assert header.entries == len(lines) - 1


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_a_recorded_fight_goes_into_a_ledger_and_comes_out_byte_for_byte(path: Path) -> None:
    store = MemoryStore()

    header = bring_in(_lines(path), store)

    assert list(export(Log(store, header.session))) == _lines(path)


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_a_recorded_fight_adds_up_to_the_state_that_was_recorded_with_it(path: Path) -> None:
    expected = _without_nulls(msgspec.json.decode(path.with_suffix(".state.json").read_bytes()))
    session = opened(path)

    assert _part(msgspec.to_builtins(session.state()), expected) == expected
    assert fold(
        event for entry in session.entries() if session.log.timeline.stands(entry.seq) for event in entry.events
    ) == (session.combat)


def test_there_is_a_recorded_fight() -> None:
    assert HERE / "stoya-1.jsonl" in FIGHTS


# ------------------------------------------------------------------------------------------------ rules that moved


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_todays_rules_decide_a_recorded_fight_as_it_was_recorded_but_for_the_divergences_beside_it(path: Path) -> None:
    session = opened(path)
    now = session.game.version

    expected = divergences.expected(path, recorded_by=session.log.rules_version, decided_by=now)

    assert divergences.found(session) == list(expected), (
        f"version {now} of {session.game.name} decides {path.stem} otherwise than it did: raise the version of the rules, or, "
        f"while {now} is not released, remove {divergences.beside(path, now).name} and run `{divergences.COMMAND}`"
    )


@pytest.mark.parametrize("path", LISTS, **by_stem)
def test_a_list_of_divergences_belongs_to_a_fight_of_an_older_version_of_the_rules(path: Path) -> None:
    told = msgspec.json.decode(path.read_bytes())
    fight = HERE / f"{told['fight']}.jsonl"
    session = opened(fight)

    assert divergences.beside(fight, told["decided_by"]) == path
    assert (session.game.name, session.log.rules_version) == (told["ruleset"], told["recorded_by"])
    assert told["recorded_by"] < told["decided_by"] <= session.game.version


def test_nothing_is_expected_to_diverge_while_the_rules_have_not_moved(tmp_path: Path) -> None:
    fight = tmp_path / "stoya-1.jsonl"
    divergences.beside(fight, 2).write_text('{"divergences": [{"entry": 1}]}')

    assert list(divergences.expected(fight, recorded_by=2, decided_by=2)) == []


def test_rules_that_moved_without_a_list_of_divergences_fail_with_the_command_that_records_it(tmp_path: Path) -> None:
    with pytest.raises(divergences.NotRecorded, match=re.escape(divergences.COMMAND)) as failure:
        divergences.expected(tmp_path / "stoya-1.jsonl", recorded_by=1, decided_by=2)

    assert "stoya-1.divergences-v2.json is missing" in str(failure.value)


def test_the_command_that_records_divergences_runs_the_file_that_records_them() -> None:
    assert divergences.COMMAND == f"python tests/golden/{Path(str(divergences.__file__)).name}"


def test_each_fight_whose_rules_moved_and_no_other_gets_a_list_and_a_list_is_never_written_over(tmp_path: Path) -> None:
    _copy(tmp_path, "stoya-1", "stoya-2")
    moved = [path.stem for path in divergences.fights(tmp_path) if _has_moved(path)]

    first = divergences.record(tmp_path)
    for path in first:
        path.write_bytes(b"kept")
    second = divergences.record(tmp_path)

    assert "stoya-1" in moved
    assert [path.name.partition(".")[0] for path in first] == moved
    assert second == []
    assert all(path.read_bytes() == b"kept" for path in first)


def test_a_recorded_list_is_read_again_as_it_was_found(tmp_path: Path) -> None:
    _copy(tmp_path, "stoya-1")
    fight = tmp_path / "stoya-1.jsonl"
    divergences.record(tmp_path)
    session = opened(fight)

    expected = divergences.expected(fight, recorded_by=session.log.rules_version, decided_by=session.game.version)

    assert expected
    assert divergences.found(session) == list(expected)


def test_a_list_tells_every_event_that_differs_so_that_todays_events_follow_from_the_record() -> None:
    session = opened(HERE / "stoya-1.jsonl")

    for found, told in zip(rehearse(session.log), divergences.found(session), strict=True):
        assert told["entry"] == found.seq
        assert ("refused" in told) == bool(found.refused)
        if not found.refused:
            assert _patched(found.recorded, told["changes"]) == list(map(_told, found.decided))


# ------------------------------------------------------------------------------------------------ shapes


@pytest.mark.parametrize("path", SHAPES, **by_stem)
def test_every_shape_ever_written_is_read_and_written_byte_for_byte(path: Path) -> None:
    for line in _lines(path):
        assert codec.encode(codec.decode(line)) == line


@pytest.mark.parametrize("kind", [*EVENTS, *COMMANDS], ids=lambda kind: kind.__name__)
def test_every_event_and_command_is_recorded_with_all_its_fields(kind: type[Event] | type[Command]) -> None:
    recorded = [
        one for path in SHAPES for line in _lines(path) for one in _bodies(codec.decode(line)) if type(one) is kind
    ]

    assert recorded, f"{kind.__name__} is in no every-shape file: record a new one"
    assert any(_fills(one) for one in recorded), f"{kind.__name__} has new fields: record a new every-shape file"


def test_no_line_of_a_shape_has_more_than_it_is_read_as() -> None:
    note = Noted("x", "")
    line = codec.encode(Entry(1, 1, 0, "now", Who("ann"), 1, None, Note("x"), (note,)))
    body = codec.canonical(note)

    for more in (line.replace(body, body[:-1] + b",1]"), line.replace(b'"text"', b'"more":1,"text"')):
        assert more != line
        with pytest.raises(Unreadable):
            codec.decode(more)


@pytest.mark.parametrize("path", FROZEN, **by_stem)
@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_fields_of_an_event_are_only_ever_appended_and_with_a_default(path: Path, kind: type[Event]) -> None:
    expected = _frozen(path)["events"].get(tag(kind), [])

    assert list(kind.__struct_encode_fields__[: len(expected)]) == expected
    if expected:
        assert all(_has_default(field) for field in msgspec.structs.fields(kind)[len(expected) :])


@pytest.mark.parametrize("path", FROZEN, **by_stem)
def test_fields_of_commands_keep_their_names_their_order_and_their_defaults(path: Path) -> None:
    for kind in (*COMMANDS, *PARTS):
        expected = (_frozen(path)["commands"] | _frozen(path)["parts"]).get(tag(kind))
        if expected is None:
            continue
        now = defaults(kind)

        assert [name for name in now if name in expected] == list(expected), kind.__name__
        assert {name: now[name] for name in expected} == expected, kind.__name__
        assert all(now[name] != REQUIRED for name in now if name not in expected), kind.__name__


@pytest.mark.parametrize("path", FROZEN, **by_stem)
def test_no_event_and_no_command_is_ever_forgotten(path: Path) -> None:
    known = {tag(kind) for kind in (*EVENTS, *COMMANDS)}

    assert set(_frozen(path)["events"]) | set(_frozen(path)["commands"]) <= known


def test_everything_that_is_written_today_is_frozen() -> None:
    frozen = {name for path in FROZEN for group in _frozen(path).values() for name in group}

    assert {tag(kind) for kind in (*EVENTS, *COMMANDS, *PARTS)} <= frozen


# ------------------------------------------------------------------------------------------------ reading them


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def _copy(folder: Path, *stems: str) -> None:
    for name in (f"{stem}{suffix}" for stem in stems for suffix in (".jsonl", ".state.json")):
        (folder / name).write_bytes((HERE / name).read_bytes())


def _has_moved(fight: Path) -> bool:
    session = opened(fight)
    return session.log.rules_version < session.game.version


def _told(event: Event) -> dict[str, Any]:
    return dict(msgspec.json.decode(msgspec.json.encode(codec.by_name(event))))


def _patched(recorded: Sequence[Event], changes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the recorded events with the changes made, the last first."""
    events = list(map(_told, recorded))
    for change in reversed(changes):
        start, was = change["place"] - 1, change["recorded"]
        assert events[start : start + len(was)] == was
        events[start : start + len(was)] = change["today"]
    return events


def _without_nulls(value: Any) -> Any:
    """A recorded document as it is today: a member that was null is absent."""
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _part(found: Any, of: Any) -> Any:
    """What is found, as far as it was recorded: the document may have more from some day on."""
    if isinstance(found, dict) and isinstance(of, dict):
        return {name: _part(found[name], value) for name, value in of.items() if name in found}
    if isinstance(found, list | tuple) and isinstance(of, list) and len(found) == len(of):
        return [_part(each, value) for each, value in zip(found, of, strict=True)]
    return found


def _bodies(entry: Entry) -> Iterator[Command | Event]:
    yield entry.command
    yield from entry.events


def _fills(one: Command | Event) -> bool:
    """Is every field there, and none at its default?"""
    return all(
        field.default is msgspec.NODEFAULT or getattr(one, field.name) != field.default
        for field in msgspec.structs.fields(one)
    )


def _frozen(path: Path) -> dict[str, dict[str, Any]]:
    return dict(msgspec.json.decode(path.read_bytes()))


def _has_default(field: msgspec.structs.FieldInfo) -> bool:
    return field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT


# ------------------------------------------------------------------------------------------------ recording new ones


def test_recording_is_the_same_each_time() -> None:
    assert record_fight("stoya") == record_fight("stoya")
    assert record_shapes() == record_shapes()


def test_a_fight_is_recorded_with_the_state_that_it_adds_up_to(tmp_path: Path) -> None:
    fight = record.record(tmp_path)[0]

    state = msgspec.to_builtins(opened(fight).state())

    assert (
        fight.with_suffix(".state.json").read_bytes()
        == msgspec.json.format(msgspec.json.encode(state), indent=1) + b"\n"
    )


def test_recording_never_writes_over_what_is_there(tmp_path: Path) -> None:
    first, second = record.record(tmp_path), record.record(tmp_path)

    assert [path.name for path in first] == [
        *(f"{name}-1.jsonl" for name in examples()),
        "every-shape-1.jsonl",
        "shapes-1.json",
    ]
    assert [path.name for path in second] == [
        *(f"{name}-2.jsonl" for name in examples()),
        "every-shape-2.jsonl",
        "shapes-2.json",
    ]
