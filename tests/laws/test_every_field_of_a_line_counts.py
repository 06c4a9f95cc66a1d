"""Each field of each stored line and each exported line, altered, removed, repeated or moved, is detected; so is each row out of place."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger import chain
from ledger.audience import Viewer
from ledger.chain import Record, genesis
from ledger.commands import BeginCombat, DrawDice, Join, Note
from ledger.entry import Seat, Who
from ledger.errors import Broken, Unreadable
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.exports.jsonl import check, export
from replays.sessions.record import stored_records
from replays.sessions.record.verify import verify

NAME = "01JD3KABCDEF"
FIXTURES = Path(__file__).parents[1] / "fixtures"
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
Pairs = list[tuple[str, Any]]


@pytest.fixture(scope="module")
def session() -> Session:
    """A fight with requests under keys, secrets, an undone entry and entries by several people."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", session=NAME, title="A brawl")
    session.perform(Join("ann", SHEET, side="guests"), batch="ann joins")
    session.perform(Join("assassin", SHEET, unseen=True), batch="nobody joins")
    session.perform(BeginCombat(), by=Who("ben"))
    for rest in session.rests:
        session.perform(DrawDice(rest.key), batch=rest.key)
    session.perform(Note("a word", seen_by=()), by=Who("kira", Seat.PLAYER))
    session.undo(why="x", batch="undone")
    return session


def records_of(session: Session) -> list[Record]:
    return list(session.log.store.read(NAME))


# ------------------------------------------------------------------------------------------------ ways to tamper with a line


def _altered(pairs: Pairs, index: int) -> Iterator[Pairs]:
    name, value = pairs[index]
    for other in (0, 1, "", "x", None, [], {}, ["mallory", "gm"], [value], f"{value}"):
        yield [*pairs[:index], (name, other), *pairs[index + 1 :]]


def _removed(pairs: Pairs, index: int) -> Iterator[Pairs]:
    yield [*pairs[:index], *pairs[index + 1 :]]


def _repeated(pairs: Pairs, index: int) -> Iterator[Pairs]:
    """Yields lines with a field repeated at every place, unchanged and changed: most decoders use the last one."""
    name, value = pairs[index]
    for place in range(len(pairs) + 1):
        for other in (value, 1, ["mallory", "gm"], "2001-01-01T00:00:00.000Z", {}, []):
            yield [*pairs[:place], (name, other), *pairs[place:]]


def _moved(pairs: Pairs, index: int) -> Iterator[Pairs]:
    left = [*pairs[:index], *pairs[index + 1 :]]
    for place in range(len(left) + 1):
        yield [*left[:place], pairs[index], *left[place:]]


def _renamed(pairs: Pairs, index: int) -> Iterator[Pairs]:
    for name in ("x", "", pairs[index - 1][0], pairs[index][0].upper()):
        yield [*pairs[:index], (name, pairs[index][1]), *pairs[index + 1 :]]


def _added(pairs: Pairs, index: int) -> Iterator[Pairs]:
    for place in (index, index + 1):
        yield [*pairs[:place], ("more", 1), *pairs[place:]]


WAYS: Sequence[Callable[[Pairs, int], Iterator[Pairs]]] = (_altered, _removed, _repeated, _moved, _renamed, _added)


def written(pairs: Pairs) -> bytes:
    """Returns an object with its fields in this order; repeated fields are kept."""
    fields = (
        f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for name, value in pairs
    )
    return ("{" + ",".join(fields) + "}").encode()


def tampered(line: bytes, way: Callable[[Pairs, int], Iterator[Pairs]]) -> Iterator[bytes]:
    """Yields copies of a line, each with one tampered field."""
    pairs = list(json.loads(line).items())
    assert written(pairs) == line
    for index in range(len(pairs)):
        yield from (new for new in map(written, way(pairs, index)) if new != line)


def respaced(line: bytes) -> Iterator[bytes]:
    """Returns a line with blanks where JSON allows them."""
    yield from (
        line + b" ",
        line + b"\n",
        b" " + line,
        line[:-1] + b" }",
        line.replace(b",", b", ", 1),
        b"{ " + line[1:],
    )
    yield from (line[:at] + b" " + line[at:] for at in range(len(line)) if line[at : at + 1] in b',:{}[]"')


# ------------------------------------------------------------------------------------------------ stored lines


def is_detected(session: Session, records: Sequence[Record]) -> bool:
    """Returns whether `verify` detects that these are not the records of the session."""
    store = MemoryStore()
    store.create(
        NAME, sealed={"dice": session.log.store.unseal(NAME, "dice") or b""}, keys=session.log.store.keys(NAME)
    )
    store._logs[NAME].records.extend(records)
    try:
        verify(store, NAME, session.log.digest.hex())
    except Broken:
        return True
    return False


def test_the_records_themselves_verify(session: Session) -> None:
    assert not is_detected(session, records_of(session))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_"))
def test_a_tampered_field_of_a_stored_line_is_detected(
    session: Session, way: Callable[[Pairs, int], Iterator[Pairs]]
) -> None:
    records = records_of(session)
    for index, record in enumerate(records):
        for line in tampered(record.line, way):
            new = msgspec.structs.replace(record, line=line)
            assert is_detected(session, [*records[:index], new, *records[index + 1 :]]), line


def test_blanks_in_a_stored_line_are_detected(session: Session) -> None:
    records = records_of(session)
    for index, record in enumerate(records):
        for line in respaced(record.line):
            new = msgspec.structs.replace(record, line=line)
            assert is_detected(session, [*records[:index], new, *records[index + 1 :]]), line


def test_tampering_with_the_data_beside_a_stored_line_is_detected(session: Session) -> None:
    records = records_of(session)
    for index, record in enumerate(records):
        for field, value in (
            ("secret", b""),
            ("secret", bytes(16)),
            ("digest", b""),
            ("digest", bytes(32)),
            ("seq", record.seq + 1),
        ):
            new = msgspec.structs.replace(record, **{field: value})
            assert is_detected(session, [*records[:index], new, *records[index + 1 :]]), (index, field)


def test_swapped_renumbered_or_deleted_rows_are_detected(session: Session) -> None:
    records = records_of(session)
    places = range(len(records))
    for one in places:
        without = [*records[:one], *records[one + 1 :]]
        assert is_detected(session, without)
        assert is_detected(session, _renumbered(without))
        for other in places:
            if one < other:
                swapped = list(records)
                swapped[one], swapped[other] = swapped[other], swapped[one]
                assert is_detected(session, swapped)
                assert is_detected(session, _renumbered(swapped))


def _renumbered(records: Sequence[Record]) -> list[Record]:
    return [msgspec.structs.replace(record, seq=seq) for seq, record in enumerate(records, 1)]


def resealed(records: Sequence[Record]) -> list[Record]:
    """Returns records with a recomputed chain, as a writer of the file could make them."""
    made, previous = [], genesis(NAME)
    for seq, record in enumerate(records, 1):
        previous = chain.seal(previous, record.line, record.secret)
        made.append(Record(seq, record.line, record.secret, previous))
    return made


def test_a_recomputed_chain_is_detected_only_by_a_kept_head(session: Session) -> None:
    records = records_of(session)
    forged = resealed([msgspec.structs.replace(each, line=each.line.replace(b'"ben"', b'"eve"')) for each in records])
    store = MemoryStore()
    store.create(
        NAME, forged, sealed={"dice": session.log.store.unseal(NAME, "dice") or b""}, keys=session.log.store.keys(NAME)
    )

    assert verify(store, NAME).seq == len(records)
    with pytest.raises(Broken, match="no entry of this log has the digest"):
        verify(store, NAME, session.log.digest.hex())


# ------------------------------------------------------------------------------------------------ what lies beside the log


def _beside(session: Session, **others: Any) -> MemoryStore:
    store = MemoryStore()
    given = {"sealed": {"dice": session.log.store.unseal(NAME, "dice")}, "keys": session.log.store.keys(NAME), **others}
    store.create(NAME, records_of(session), **given)
    return store


def test_a_lost_emptied_added_or_moved_idempotency_key_is_detected(session: Session) -> None:
    keys = dict(session.log.store.keys(NAME))
    assert len(keys) == 5
    for key, batch in keys.items():
        left = {name: other for name, other in keys.items() if name != key}
        moved = msgspec.structs.replace(batch, first=batch.first % len(records_of(session)) + 1)
        longer = msgspec.structs.replace(batch, count=batch.count + 1)
        for wrong in (
            left,
            left | {"": batch},
            left | {key + " ": batch},
            left | {key: moved},
            left | {key: longer},
            keys | {"new": moved},
        ):
            with pytest.raises(Broken, match="idempotency key"):
                verify(_beside(session, keys=wrong), NAME)


@pytest.mark.parametrize("sealed", [{}, {"dice": b""}, {"dice": bytes(32)}], ids=["lost", "emptied", "exchanged"])
def test_a_lost_emptied_or_exchanged_sealed_seed_is_detected(session: Session, sealed: dict[str, bytes]) -> None:
    with pytest.raises(Broken, match="the sealed seed of the dice"):
        verify(_beside(session, sealed=sealed), NAME)


# ------------------------------------------------------------------------------------------------ exported lines


@pytest.mark.parametrize(
    "eyes",
    [Viewer(), Viewer(Seat.PLAYER, frozenset({"ann"})), Viewer(Seat.SPECTATOR)],
    ids=["gm", "player", "spectator"],
)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_"))
def test_a_tampered_field_of_an_exported_line_is_detected(
    session: Session, eyes: Viewer, way: Callable[[Pairs, int], Iterator[Pairs]]
) -> None:
    lines = list(export(session.log, eyes, "gm"))
    check(lines)
    for index in range(1, len(lines)):
        for line in tampered(lines[index], way):
            with pytest.raises((Broken, Unreadable)):
                check([*lines[:index], line, *lines[index + 1 :]])


# ------------------------------------------------------------------------------------------------ across the fence


def across(line: bytes) -> Iterator[bytes]:
    """Yields lines with the request among the events, or with the last event in the place of the request."""
    fields = json.loads(line)
    rest = {name: value for name, value in fields.items() if name not in ("events", "request")}
    before = {name: rest.pop(name) for name in [*rest][: [*rest].index("command") + 1]}
    if "request" in fields:
        yield written([*before.items(), ("events", [*fields["events"], fields["request"]]), *rest.items()])
    elif fields["events"]:
        *events, last = fields["events"]
        yield written([*before.items(), ("events", events), ("request", last), *rest.items()])


def test_a_part_of_a_stored_line_that_moves_between_events_and_request_is_detected(session: Session) -> None:
    records = records_of(session)
    for index, record in enumerate(records):
        for line in across(record.line):
            new = msgspec.structs.replace(record, line=line)
            with pytest.raises(Broken, match=f"entry {index + 1} was altered or moved"):
                list(chain.check([*records[:index], new, *records[index + 1 :]], genesis(NAME)))


@pytest.mark.parametrize("eyes", [Viewer(), Viewer(Seat.SPECTATOR)], ids=["gm", "spectator"])
def test_a_part_of_an_export_that_moves_between_events_and_request_is_detected(session: Session, eyes: Viewer) -> None:
    lines = list(export(session.log, eyes, "gm"))
    for index in range(1, len(lines)):
        for line in across(lines[index]):
            with pytest.raises(Broken, match=f"entry {index} was altered or moved"):
                check([*lines[:index], line, *lines[index + 1 :]])


@pytest.mark.parametrize("name", ["v1", "v2"])
def test_an_entry_of_an_older_shape_with_a_moved_part_is_not_read(name: str) -> None:
    """Their digests do not bind the number of events; but the moved part is not a valid event or request."""
    crossed = 0
    with closing(open_store(f"sqlite:///{FIXTURES}/{name}/ledger.db", only_read=True)) as store:
        for session in store.sessions():
            records = list(store.read(session))
            for index, record in enumerate(records):
                for line in across(record.line):
                    crossed += 1
                    with pytest.raises(Broken):
                        stored_records.check(msgspec.structs.replace(records[index], line=line))
    assert crossed > 100


def test_an_export_for_a_seat_shows_no_key_and_no_fingerprint(session: Session) -> None:
    keys, prints = zip(
        *((entry.request.key, entry.request.fingerprint) for entry in session.entries() if entry.request), strict=True
    )

    for eyes in (Viewer(Seat.PLAYER, frozenset({"ann"})), Viewer(Seat.SPECTATOR)):
        text = b"\n".join(export(session.log, eyes, "a seat")).decode()
        assert not any(word in text for word in (*prints, "ann joins", "nobody joins", "undone"))
        assert "assassin" not in text
    whole = b"\n".join(export(session.log)).decode()
    assert all(word in whole for word in (*keys, *prints))
