"""Records new golden logs: the shipped examples and every shape, as today's code writes them.

    python tests/golden/record.py

writes each under the next free number of its kind, never over a file that is there.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from ledger import chain, codec
from ledger.commands import COMMANDS, Note
from ledger.entry import Entry, Seat, StoredRequest, Who
from ledger.events import EVENTS, Event, Option
from ledger.modifier import Modifier
from replays.api.run_script import perform
from replays.api.session import Session
from replays.exports.jsonl import Header, export
from replays.scripts.format import examples, find_script, read

HERE = Path(__file__).parent
PARTS = (Entry, StoredRequest, Who, Option, Modifier, Header)
"""What is written beside commands and events."""
REQUIRED = "(required)"
"""Stands for the default of a field that has none."""


def record(folder: Path = HERE) -> list[Path]:
    """Writes what today's code writes, each under the next free number; returns the new files."""
    fights = [_write_fight(folder, name) for name in examples()]
    shapes = _write(folder, "every-shape", ".jsonl", _joined(record_shapes()))
    frozen = _write(folder, "shapes", ".json", _one_a_line(record_frozen()))
    return [*fights, shapes, frozen]


# ------------------------------------------------------------------------------------------------ fights


class _StandingStill(datetime):
    """A clock that always returns the same time."""

    @classmethod
    def now(cls, tz: object = None) -> "_StandingStill":
        return cls(2024, 11, 3, 19, 30, tzinfo=UTC)


def play_fight(name: str) -> Session:
    """Returns a shipped example as played, with the same clock, id and secrets each time."""
    given = iter(range(1, 1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("replays.sessions.ports.datetime", _StandingStill)
        patch.setattr("replays.sessions.ports.new_session_id", lambda: "01JBSDQ5G0STYA000000000001")
        patch.setattr("replays.sessions.ports.new_secret", lambda: next(given).to_bytes(chain.SECRET, "big"))
        patch.setattr("replays.sessions.ports.new_seed", lambda: bytes(range(32)))
        return perform(read(find_script(name)[1]))


def record_fight(name: str) -> list[bytes]:
    """Returns the gamemaster's export of a shipped example."""
    return list(export(play_fight(name).log))


def _write_fight(folder: Path, name: str) -> Path:
    session = play_fight(name)
    fight = _write(folder, name, ".jsonl", _joined(export(session.log)))
    state = msgspec.json.format(msgspec.json.encode(session.state()), indent=1) + b"\n"
    fight.with_suffix(".state.json").write_bytes(state)
    return fight


# ------------------------------------------------------------------------------------------------ shapes


def record_shapes() -> list[bytes]:
    """Returns a line for each event and command, with every field filled; where a field may be two things, both."""
    lines: list[bytes] = []
    who, at, asked = (
        Who("kira", Seat.PLAYER),
        "2024-11-03T19:30:00.000Z",
        StoredRequest("the key", "the fingerprint", 7),
    )
    for kind in (*EVENTS, *COMMANDS):
        first, last = _filled(kind, 0), _filled(kind, -1)
        both = (first,) if first == last else (first, last)
        for told, command in (
            [(both, Note(kind.__name__))] if isinstance(first, Event) else [((), each) for each in both]
        ):
            seq = len(lines) + 1
            lines.append(
                codec.encode(
                    Entry(codec.SHAPE, seq, seq - 1, at, who, 1, seq, command, told, asked if seq % 2 else None)
                )
            )
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
        return {"one": 2 if inner[1] is int else "two"}
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _filled(kind, which)
    return {str: f"the {name}", int: 7 + len(name), bool: True}[kind]


# ------------------------------------------------------------------------------------------------ fields


def record_frozen() -> dict[str, dict[str, Any]]:
    """Returns the fields of everything that is written, in their order; of what is written by name also the defaults."""
    return {
        "events": {tag(kind): list(kind.__struct_encode_fields__) for kind in EVENTS},
        "commands": {tag(kind): defaults(kind) for kind in COMMANDS},
        "parts": {tag(kind): defaults(kind) for kind in PARTS},
    }


def tag(kind: type[Any]) -> str:
    """Returns the name of an event, command or part in a line."""
    return str(kind.__struct_config__.tag or RECORDED_AS.get(kind.__name__, kind.__name__))


RECORDED_AS = {"StoredRequest": "Request"}
"""The names under which renamed parts were frozen; a line does not hold them."""


def defaults(kind: type[Any]) -> dict[str, Any]:
    """Returns the default of each field by its name in a line."""
    fields = msgspec.structs.fields(kind)
    return {field.encode_name: msgspec.to_builtins(_default(field)) for field in fields}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return list(field.default) if isinstance(field.default, tuple) else field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else REQUIRED


# ------------------------------------------------------------------------------------------------ files


def _one_a_line(groups: dict[str, dict[str, Any]]) -> bytes:
    lines = (
        f' "{group}": {{\n'
        + ",\n".join(f'  "{name}": {msgspec.json.encode(of).decode()}' for name, of in kinds.items())
        + "\n }"
        for group, kinds in groups.items()
    )
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _write(folder: Path, stem: str, suffix: str, content: bytes) -> Path:
    """Writes a new file under the next free number of its kind."""
    number = 1
    while True:
        path = folder / f"{stem}-{number}{suffix}"
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
        else:
            return path


if __name__ == "__main__":
    for written in record():
        print(written)
