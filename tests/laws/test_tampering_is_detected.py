"""Any changed byte of an export is noticed: in a header, a command, an event, a salt, a secret, a leaf, a digest."""

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import fights, viewers

from ledger import chain
from ledger.audience import EVERYTHING, Viewer
from ledger.codec import canonical, decode, encode
from ledger.commands import Note
from ledger.errors import Broken, Refused, Unreadable
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.exports.jsonl import FORMAT, Header, bring_in, check, export

_CASE = 0x20
"""The bit by which capital and small letters differ: in hexadecimal both are equal."""


def _noticed(lines: list[bytes]) -> bool:
    try:
        check(lines)
    except (Broken, Unreadable) as refusal:
        assert refusal.slug in ("log/broken", "log/unreadable")
        return True
    return False


@settings(max_examples=examples(60))
@given(fights(secrets=True, most=25), viewers() | st.just(EVERYTHING), st.data())
def test_a_changed_byte_of_an_entry_is_noticed(fight, eyes: Viewer, data) -> None:
    lines = list(export(fight.session.log, eyes, "a seat"))
    for _ in range(20):
        number = data.draw(st.integers(1, len(lines) - 1))
        place = data.draw(st.integers(0, len(lines[number]) - 1))
        old = lines[number][place]
        new = data.draw(st.sampled_from((old ^ _CASE, old ^ 1, 0x20, 0x30, 0x22)) | st.integers(0, 255))
        changed = bytearray(lines[number])
        changed[place] = new
        if new == old:
            continue

        tampered = [*lines[:number], bytes(changed), *lines[number + 1 :]]

        assert _noticed(tampered), (lines[number][max(0, place - 20) : place + 20], chr(old), chr(new))


def _noted(eyes: Viewer = EVERYTHING) -> list[bytes]:
    session = Session.create("memory://", ruleset="eclipse_phase_1e", session="01JD3KABCDEF", title='A fight, "quoted"')
    session.perform(Note("in the open"))
    session.perform(Note("in secret", seen_by=()))
    return list(export(session.log, eyes, "gm" if eyes == EVERYTHING else "spectator"))


@pytest.mark.parametrize("eyes", [EVERYTHING, Viewer("spectator")], ids=["gm", "spectator"])
@pytest.mark.parametrize("change", [1, 2, 4, 8, 16, _CASE, 64], ids=lambda bit: f"bit {bit}")
def test_every_bit_of_every_entry_counts(eyes: Viewer, change: int) -> None:
    lines = _noted(eyes)
    unnoticed = []
    for number, line in enumerate(lines[1:], 1):
        for place, old in enumerate(line):
            changed = line[:place] + bytes([old ^ change]) + line[place + 1 :]
            if not _noticed([*lines[:number], changed, *lines[number + 1 :]]):
                unnoticed.append((number, line[max(0, place - 12) : place + 3], chr(old), chr(old ^ change)))

    assert not unnoticed


def test_a_changed_byte_of_the_header_is_noticed_except_in_the_seat() -> None:
    lines = _noted()
    seat = lines[0].index(b'"seat"')
    unnoticed = []
    for place, old in enumerate(lines[0][:seat]):
        for new in b'0129aZ"':
            changed = lines[0][:place] + bytes([new]) + lines[0][place + 1 :]
            try:
                check([changed, *lines[1:]])
            except Refused:
                continue
            if new != old:
                unnoticed.append((lines[0][max(0, place - 12) : place + 1], chr(new)))

    assert not unnoticed


def test_an_omitted_doubled_or_moved_line_is_noticed() -> None:
    lines = _noted()

    for number in range(1, len(lines)):
        assert _noticed([*lines[:number], *lines[number + 1 :]])
        assert _noticed([*lines[:number], lines[number], *lines[number:]])
    assert _noticed([lines[0], lines[2], lines[1], *lines[3:]])
    assert _noticed(lines[:1])
    assert _noticed([])
    assert _noticed([*lines, lines[-1]])


@pytest.mark.parametrize("eyes", [EVERYTHING, Viewer("spectator")], ids=["whole", "for a seat"])
def test_a_file_with_a_missing_line_is_refused_with_its_number(eyes: Viewer) -> None:
    lines, store = _noted(eyes), MemoryStore()

    for seq in range(1, len(lines) - 1):
        with pytest.raises(Broken, match=f"entry {seq} is missing") as refusal:
            bring_in([*lines[:seq], *lines[seq + 1 :]], store)
        assert refusal.value.seq == seq
    with pytest.raises(Broken, match=f"the file ends after {len(lines) - 2} of {len(lines) - 1} entries"):
        bring_in(lines[:-1], store)
    assert list(store.sessions()) == []


def test_a_line_of_another_session_is_noticed() -> None:
    other = Session.create("memory://", ruleset="eclipse_phase_1e", session="OTHER")
    other.perform(Note("in the open"))
    foreign = list(export(other.log))
    lines = _noted()

    assert _noticed([lines[0], lines[1], foreign[2], *lines[3:]])
    assert _noticed([lines[0], *foreign[1:]])


def test_a_tampered_file_is_not_imported_and_creates_no_session() -> None:
    lines = _noted()
    store = MemoryStore()

    with pytest.raises(Broken):
        bring_in([*lines[:2], lines[2].replace(b"in the open", b"in the 0pen"), *lines[3:]], store)

    assert list(store.sessions()) == []


def test_the_export_of_a_seat_is_not_imported_and_creates_no_session() -> None:
    store = MemoryStore()

    with pytest.raises(Unreadable):
        bring_in(_noted(Viewer("spectator")), store)

    assert list(store.sessions()) == []


@pytest.mark.parametrize("origin", [0, 2, 3, 99])
def test_an_entry_that_repeats_a_later_one_is_refused_even_with_valid_digests(origin: int) -> None:
    entries = [decode(chain.imported(line).line) for line in _noted()[1:]]
    entries[1] = msgspec.structs.replace(entries[1], origin=origin)
    forged, previous = [], chain.genesis("01JD3KABCDEF")
    for seq, entry in enumerate(entries, 1):
        line, secret = encode(entry), bytes(chain.SECRET)
        previous = chain.seal(previous, line, secret)
        forged.append(chain.export(chain.Record(seq, line, secret, previous)))
    header = canonical(Header(FORMAT, "01JD3KABCDEF", len(forged), previous.hex(), "gm"))

    check([header, *forged])
    with pytest.raises(Broken):
        bring_in([header, *forged], MemoryStore())
