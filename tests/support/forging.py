"""Forges exports: replaces any field of any line, and chains the lines again, so that the chain holds."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from strategies import ARMED, clock

from ledger import chain
from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    CloseSession,
    Declare,
    DrawDice,
    EndCombat,
    GiveNonce,
    Join,
    Leave,
    Note,
    OpenDispute,
    Overrule,
    PassTime,
    RenameSession,
    Reveal,
    Rewind,
    SettleDispute,
    TellDice,
    TypeDice,
)  # fmt: skip
from ledger.entry import Seat, Who
from ledger.errors import Refused
from replays.api.session import Session
from replays.corrections.change import Change

HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 1, 2, 7, 10**6, 2**31, 2**53, 10**18, 2**63, 10**30, -(10**30), 1.5, "", "x", "ann", "r1/ann", "a\u202eb", "a\x00b", "x" * 100_001,
    "x" * 1_000_000, "../../x", "yesterday", "2024-02-30T00:00:00Z", "chess", "1d6", "100000d6", "1d0", "[", [], [[]], [None], ["x"], [1], [["x", 1]],
    ["x"] * 20_000, {}, {"x": 1}, {"type": "Note", "text": "x"}, {"type": "OpenSession", "title": "x", "ruleset": "gurps_3e"}, {"type": "CloseSession"},
    ["closed", "", None], ["over", "", None], ["dice", "r1/ann/initiative", [], [], None], ["step", "attack", "1", 9, None], ["ended", "", "", None],
    ["turn", "", None], ["round", 9, None], ["sheet", "ann", {}, None], ["joined", "eve", "Eve", "gm", False, None], ["note", "x", "", None],
)  # fmt: skip
"""Values that a genuine file rarely has."""


def whole_session() -> Session:
    """Returns a short fight with every kind of command."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="Every kind", session="FORGED", clock=clock)
    kira, attack = Who("kira", Seat.PLAYER), "r1/ann/a1/attack"
    club = {**ARMED["weapons"]["club"], "damage": "2d10+2"}
    session.perform(Join("ann", {**ARMED, "weapons": {"club": club}}, player="kira"))
    session.perform(Join("bob", ARMED, sheet_seen_by=()))
    session.perform(GiveNonce("kira", "four"), by=kira)
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)), by=kira)
    session.perform(TypeDice("r1/bob/initiative", (10,), seen_by=()))
    session.perform(ApplyModifier("r1/ann/initiative", 1, "early"))
    session.perform(Note("so far", seen_by=("ann",)), batch="a key")
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}), by=kira)
    session.perform(Choose(f"{attack}/defense", "fray"))
    session.perform(TypeDice(f"{attack}/to-hit", (30,)), by=kira)
    session.perform(DrawDice(session.rests[0].key))
    session.perform(Rewind(session.log.last - 1, "wait"))
    session.perform(TypeDice(session.rests[0].key, (88,)))
    session.perform(OpenDispute(f"{attack}/to-hit", "it was 80"), by=kira)
    session.perform(TellDice(session.rests[0].key, {"total": 6}), by=kira)
    session.perform(SettleDispute("d1", "upheld", "it lies there"))
    session.perform(Overrule(f"{attack}/damage", "dv", 9, "so"))
    session.amend("r1/ann/initiative", Change(set={"faces": [80]}), why="misread")
    session.perform(Adjust("ann", "wounds", 1, "a splinter"))
    session.perform(EndCombat("they talk"))
    session.perform(AmendSheet("bob", ARMED))
    session.perform(PassTime(3, "hours"))
    session.perform(Leave("bob"))
    session.perform(RenameSession("A brawl, and after"))
    session.perform(Reveal(3))
    session.perform(Reveal())
    session.perform(CloseSession())
    return session


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the paths of all values inside a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield (*here, name)
        yield from paths(each, (*here, name))


def at(value: Any, path: Sequence[Any]) -> Any:
    """Returns the value at a path of a document."""
    return at(value[path[0]], path[1:]) if path else value


def replaced(value: Any, path: Sequence[Any], by: Any) -> Any:
    """Returns a document with the value at a path replaced."""
    if not path:
        return by
    first, *rest = path
    if isinstance(value, list):
        return [replaced(each, rest, by) if place == first else each for place, each in enumerate(value)]
    return {name: replaced(each, rest, by) if name == first else each for name, each in value.items()}


class Export:
    """An export for the gamemaster, in parts.

    Args:
        lines: Its lines.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        records = [chain.imported(line) for line in lines[1:]]
        self._lines = [record.line for record in records]
        self._secrets = [record.secret for record in records]
        self.documents: list[Any] = [msgspec.json.decode(lines[0]), *map(msgspec.json.decode, self._lines)]
        """The header, then the entries."""
        self.paths = [(place, path) for place, one in enumerate(self.documents) for path in paths(one)]
        """Every field of every line."""

    def forged(self, place: int, path: Sequence[Any], value: Any) -> list[bytes]:
        """Returns the file with one field of a line replaced, and a valid chain."""
        document, lines = replaced(self.documents[place], path, value), list(self._lines)
        if place:
            lines[place - 1] = encoded(document)
        header = self.documents[0] if place else document
        return rechained(header, lines, self._secrets, keep=not place and path[0] in ("entries", "digest"))

    def of_entries(self, entries: Sequence[Any]) -> list[bytes]:
        """Returns a file of these entries, with the number of entries that the export has."""
        return rechained(self.documents[0], list(map(encoded, entries)), self._secrets[: len(entries)])


def encoded(value: Any) -> bytes:
    """Encodes JSON, also numbers that msgspec does not write."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def rechained(header: Any, lines: Sequence[bytes], secrets: Sequence[bytes], *, keep: bool = False) -> list[bytes]:
    """Returns an export of these lines, each linked to the line before it.

    Args:
        header: The first line.
        lines: The entries.
        secrets: The secrets of each line.
        keep: Whether the header keeps its count and digest, though they are not those of the lines?
    """
    session = header.get("session")
    previous, exported = chain.genesis(session if isinstance(session, str) else ""), list[bytes]()
    for seq, (line, secret) in enumerate(zip(lines, secrets, strict=True), 1):
        try:
            previous = chain.seal(previous, line, secret)
        except (msgspec.MsgspecError, TypeError, Refused):  # without a command or events the chain cannot hold
            previous = bytes(32)
        exported.append(chain.export(chain.Record(seq, line, secret, previous)))
    if not keep:
        header = {**header, "entries": len(lines), "digest": previous.hex()}
    return [encoded(header), *exported]
