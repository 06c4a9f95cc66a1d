"""Logs that were recorded once and are kept for ever: they are never edited to get green.

What is written differently from some day on goes into a new file beside the old ones. `python tests/golden/test_golden.py` writes
them: the next free number of each kind, never over one that is there.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from ledger import chain, codec
from ledger.commands import COMMANDS, Command, Note
from ledger.entry import Entry, Seat, Who
from ledger.errors import Unreadable
from ledger.events import EVENTS, Event, Noted, Option
from ledger.modifier import Modifier
from ledger.stores.memory import MemoryStore
from projections.combat import fold
from replays.log import Log
from replays.player import perform
from replays.rehearse import rehearse
from replays.script import examples, find, read
from replays.session import Session
from replays.transfer import Header, bring_in, check, export

HERE = Path(__file__).parent
FIGHTS = sorted(path.with_name(path.name.replace(".state.json", ".jsonl")) for path in HERE.glob("*.state.json"))
SHAPES = sorted(HERE.glob("every-shape-*.jsonl"))
FROZEN = sorted(HERE.glob("shapes-*.json"))
PARTS = (Entry, Who, Option, Modifier, Header)
"""What is written beside commands and events."""

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
    expected = msgspec.json.decode(path.with_suffix(".state.json").read_bytes())
    session = _session(path)

    assert _part(msgspec.to_builtins(session.state()), expected) == expected
    assert fold(
        event for entry in session.entries() if session.log.timeline.stands(entry.seq) for event in entry.events
    ) == (session.combat)


@pytest.mark.parametrize("path", FIGHTS, **by_stem)
def test_the_rules_that_decided_a_recorded_fight_still_decide_it_so(path: Path) -> None:
    session = _session(path)
    if session.log.rules_version < session.game.version:
        pytest.skip(f"decided by version {session.log.rules_version} of the rules; they are at {session.game.version}")

    assert list(rehearse(session.log)) == []


def test_there_is_a_recorded_fight() -> None:
    assert HERE / "stoya-1.jsonl" in FIGHTS


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
    expected = _frozen(path)["events"].get(_tag(kind), [])

    assert list(kind.__struct_encode_fields__[: len(expected)]) == expected
    if expected:
        assert all(_has_default(field) for field in msgspec.structs.fields(kind)[len(expected) :])


@pytest.mark.parametrize("path", FROZEN, **by_stem)
def test_fields_of_commands_keep_their_names_their_order_and_their_defaults(path: Path) -> None:
    for kind in (*COMMANDS, *PARTS):
        expected = (_frozen(path)["commands"] | _frozen(path)["parts"]).get(_tag(kind))
        if expected is None:
            continue
        now = _defaults(kind)

        assert [name for name in now if name in expected] == list(expected), kind.__name__
        assert {name: now[name] for name in expected} == expected, kind.__name__
        assert all(now[name] != _REQUIRED for name in now if name not in expected), kind.__name__


@pytest.mark.parametrize("path", FROZEN, **by_stem)
def test_no_event_and_no_command_is_ever_forgotten(path: Path) -> None:
    known = {_tag(kind) for kind in (*EVENTS, *COMMANDS)}

    assert set(_frozen(path)["events"]) | set(_frozen(path)["commands"]) <= known


def test_everything_that_is_written_today_is_frozen() -> None:
    frozen = {name for path in FROZEN for group in _frozen(path).values() for name in group}

    assert {_tag(kind) for kind in (*EVENTS, *COMMANDS, *PARTS)} <= frozen


# ------------------------------------------------------------------------------------------------ reading them


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def _session(path: Path) -> Session:
    store = MemoryStore()
    return Session(store, bring_in(_lines(path), store).session)


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


_REQUIRED = "(required)"


def _tag(kind: type[Any]) -> str:
    """What it is called in a line."""
    return str(kind.__struct_config__.tag or kind.__name__)


def _has_default(field: msgspec.structs.FieldInfo) -> bool:
    return field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT


def _defaults(kind: type[Any]) -> dict[str, Any]:
    fields = msgspec.structs.fields(kind)
    return {field.encode_name: msgspec.to_builtins(_default(field)) for field in fields}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return list(field.default) if isinstance(field.default, tuple) else field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else _REQUIRED


# ------------------------------------------------------------------------------------------------ recording new ones


class _StandingStill(datetime):
    """A clock that always tells the same."""

    @classmethod
    def now(cls, tz: object = None) -> "_StandingStill":
        return cls(2024, 11, 3, 19, 30, tzinfo=UTC)


def record_fight(name: str) -> list[bytes]:
    """The gamemaster's export of a shipped example, with the same clock, id and secrets each time."""
    given = iter(range(1, 1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("replays.doors.datetime", _StandingStill)
        patch.setattr("replays.doors.new_session_id", lambda: "01JBSDQ5G0STYA000000000001")
        patch.setattr("replays.doors.new_secret", lambda: next(given).to_bytes(chain.SECRET, "big"))
        patch.setattr("replays.doors.new_seed", lambda: bytes(range(32)))
        session = perform(read(find(name)[1]))
    return list(export(session.log))


def record_shapes() -> list[bytes]:
    """A line for each event and each command, with every field filled; where a field may be two things, both."""
    lines: list[bytes] = []
    who, at = Who("kira", Seat.PLAYER), "2024-11-03T19:30:00.000Z"
    for kind in (*EVENTS, *COMMANDS):
        first, last = _filled(kind, 0), _filled(kind, -1)
        both = (first,) if first == last else (first, last)
        for told, command in (
            [(both, Note(kind.__name__))] if isinstance(first, Event) else [((), each) for each in both]
        ):
            seq = len(lines) + 1
            lines.append(codec.encode(Entry(1, seq, seq - 1, at, who, 1, seq, command, told)))
    return lines


def _filled(kind: Any, which: int) -> Any:
    hints = get_type_hints(kind)
    return kind(**{name: _value(name, hints[name], which) for name in kind.__struct_fields__})


def _value(name: str, kind: Any, which: int) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        known = [each for each in inner if each is not type(None)]
        return _value(name, known[which], which)
    if origin is tuple:
        members = inner[:1] * 2 if inner[-1] is Ellipsis else inner
        return tuple(_value(name, each, which) for each in members)
    if origin is dict and inner[1] is Any:
        return {"a number": 7, "a word": "ä „word“ 龍", "deep": {"list": [1, None, True, "x", {}]}}
    if origin is dict:
        return {"one": "two"}
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _filled(kind, which)
    return {str: f"the {name}", int: 7 + len(name), bool: True}[kind]


def record_frozen() -> dict[str, dict[str, Any]]:
    """The fields of everything that is written, in their order; of what is written by name also the defaults."""
    return {
        "events": {_tag(kind): list(kind.__struct_encode_fields__) for kind in EVENTS},
        "commands": {_tag(kind): _defaults(kind) for kind in COMMANDS},
        "parts": {_tag(kind): _defaults(kind) for kind in PARTS},
    }


def record() -> list[Path]:
    """Write what today's code writes, each under the next free number."""
    fights = [_write(name, ".jsonl", b"".join(line + b"\n" for line in record_fight(name))) for name in examples()]
    for fight in fights:
        state = msgspec.json.format(msgspec.json.encode(_session(fight).state()), indent=1) + b"\n"
        fight.with_suffix(".state.json").write_bytes(state)
    shapes = _write("every-shape", ".jsonl", b"".join(line + b"\n" for line in record_shapes()))
    frozen = _write("shapes", ".json", _one_a_line(record_frozen()))
    return [*fights, shapes, frozen]


def _one_a_line(groups: dict[str, dict[str, Any]]) -> bytes:
    lines = (
        f' "{group}": {{\n'
        + ",\n".join(f'  "{name}": {msgspec.json.encode(of).decode()}' for name, of in kinds.items())
        + "\n }"
        for group, kinds in groups.items()
    )
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _write(stem: str, suffix: str, content: bytes) -> Path:
    number = 1
    while True:
        path = HERE / f"{stem}-{number}{suffix}"
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
        else:
            return path


def test_recording_is_the_same_each_time() -> None:
    assert record_fight("stoya") == record_fight("stoya")
    assert record_shapes() == record_shapes()


def test_recording_never_writes_over_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.modules[__name__], "HERE", tmp_path)

    first, second = record(), record()

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


if __name__ == "__main__":
    for written in record():
        print(written)
