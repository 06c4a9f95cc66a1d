"""Expected divergences: what the present version of the rules decides otherwise than an older version recorded.

A fight is never edited. Where the version of its ruleset has moved since, a file beside it lists every entry that today's rules
decide otherwise, and `test_golden` compares the whole list. Run this file to record the lists that are missing:

    python tests/golden/divergences.py

It never writes over a list that is there: what one version of the rules decides does not change. While that version is not
released, remove its file and record it again.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import msgspec

from ledger.codec import by_name
from ledger.commands import Command
from ledger.events import Event
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.corrections.redecide import Divergence, rehearse
from replays.exports.jsonl import bring_in

HERE = Path(__file__).parent
COMMAND = "python tests/golden/divergences.py"
NONE: Sequence[dict[str, Any]] = ()


class NotRecorded(AssertionError):
    """The version of the rules has moved, and what it decides otherwise is recorded nowhere."""


def fights(folder: Path = HERE) -> list[Path]:
    """Returns the recorded fights: each log that has a state beside it."""
    return sorted(path.with_name(path.name.replace(".state.json", ".jsonl")) for path in folder.glob("*.state.json"))


def opened(fight: Path) -> Session:
    """Returns a session of a recorded fight, in a store in memory."""
    store = MemoryStore()
    return Session(store, bring_in(fight.read_bytes().splitlines(), store).session)


def beside(fight: Path, version: int) -> Path:
    """Returns where the divergences of a fight under one version of its rules are recorded."""
    return fight.with_name(f"{fight.stem}.divergences-v{version}.json")


def expected(fight: Path, *, recorded_by: int, decided_by: int) -> Sequence[dict[str, Any]]:
    """Returns the divergences that are expected of a fight: none while the version of its rules has not moved.

    Args:
        fight: The log.
        recorded_by: The version of the rules that recorded it.
        decided_by: The present version.

    Raises:
        NotRecorded: The version has moved, and no list is recorded for it.
    """
    if recorded_by == decided_by:
        return NONE
    path = beside(fight, decided_by)
    if not path.exists():
        raise NotRecorded(
            f"{fight.stem} was recorded by version {recorded_by} of its rules, which are at {decided_by}, and {path.name} "
            f"is missing: run `{COMMAND}`, and read what it wrote before you keep it"
        )
    return list(msgspec.json.decode(path.read_bytes())["divergences"])


def found(session: Session) -> list[dict[str, Any]]:
    """Returns what today's rules decide otherwise: each entry with its command and what became of its events."""
    return [_told(session, divergence) for divergence in rehearse(session.log)]


def document(fight: Path) -> dict[str, Any]:
    """Returns the whole file of a fight's divergences under the present version of its rules."""
    session = opened(fight)
    return {
        "fight": fight.stem,
        "ruleset": session.game.name,
        "recorded_by": session.log.rules_version,
        "decided_by": session.game.version,
        "divergences": found(session),
    }


def record(folder: Path = HERE) -> list[Path]:
    """Writes the list of each fight whose rules have moved and that has none; returns the new files."""
    written = []
    for fight in fights(folder):
        content = document(fight)
        path = beside(fight, content["decided_by"])
        if content["recorded_by"] == content["decided_by"] or path.exists():
            continue
        with path.open("xb") as file:
            file.write(_laid_out(content))
        written.append(path)
    return written


# ------------------------------------------------------------------------------------------------ one divergence


def _told(session: Session, divergence: Divergence) -> dict[str, Any]:
    command = session.log.entry(divergence.seq).command
    told: dict[str, Any] = {"entry": divergence.seq, "command": _named(command)}
    if divergence.refused:  # the slug alone: its sentence may be worded better without a new version of the rules
        return {**told, "refused": divergence.refused.partition(":")[0]}
    return {**told, "changes": list(_changes(divergence.recorded, divergence.decided))}


def _named(command: Command) -> dict[str, Any]:
    """Returns a command as plain data, without fields that have their default value."""
    plain = {name: getattr(command, name) for name in command.__struct_fields__}
    return {"type": type(command).__name__} | {
        name: value for name, value in _read(plain).items() if value or value == 0
    }


def _changes(recorded: Sequence[Event], decided: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """Yields the stretches that differ: the place (from 1) in the record, the events there, and today's."""
    was, now = list(map(_plain, recorded)), list(map(_plain, decided))
    same = SequenceMatcher(None, list(map(_key, was)), list(map(_key, now)), autojunk=False)
    for change, start, stop, first, last in same.get_opcodes():
        if change != "equal":
            yield {"place": start + 1, "recorded": was[start:stop], "today": now[first:last]}


def _plain(event: Event) -> dict[str, Any]:
    return _read(by_name(event))


def _read(plain: dict[str, Any]) -> dict[str, Any]:
    """Returns a document as it is when it has been written and read."""
    return dict(msgspec.json.decode(msgspec.json.encode(plain)))


def _key(plain: dict[str, Any]) -> bytes:
    return msgspec.json.encode(plain)


def _laid_out(content: dict[str, Any]) -> bytes:
    """Returns the file: a command and an event a line, so that it can be read."""
    head = ",\n".join(f' "{name}": {_line(value)}' for name, value in content.items() if name != "divergences")
    body = ",\n".join(_entry(divergence) for divergence in content["divergences"])
    return f'{{\n{head},\n "divergences": [\n{body}\n ]\n}}\n'.encode()


def _entry(divergence: dict[str, Any]) -> str:
    lines = [f'   "{name}": {_line(value)}' for name, value in divergence.items() if name != "changes"]
    if "changes" in divergence:
        lines.append('   "changes": [\n' + ",\n".join(map(_change, divergence["changes"])) + "\n   ]")
    return "  {\n" + ",\n".join(lines) + "\n  }"


def _change(change: dict[str, Any]) -> str:
    return (
        f'    {{"place": {change["place"]},\n     "recorded": {_events(change["recorded"])},'
        f'\n     "today": {_events(change["today"])}}}'
    )


def _events(events: Sequence[dict[str, Any]]) -> str:
    return "[" + ",".join(f"\n      {_line(event)}" for event in events) + "]"


def _line(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


if __name__ == "__main__":
    for new in record():
        print(new)
