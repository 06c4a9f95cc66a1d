"""Digests and salted leaves."""

import re
from hashlib import sha256, shake_256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_records import line_of, some_records

from ledger.chain import (
    REQUEST,
    SECRET,
    Record,
    check,
    check_exported,
    command_of,
    export,
    genesis,
    imported,
    leaf,
    salts,
    seal,
)
from ledger.codec import encode
from ledger.commands import Note
from ledger.entry import Entry, Who
from ledger.errors import Broken, Unreadable
from ledger.events import Noted

HEADER = b'{"v":1,"seq":1,"after":0,"at":"2024-11-03T19:30:00.000Z","by":["Ana","gm"],"rules":1,"origin":null'
COMMAND, FIRST, SECOND = (
    b'{"type":"Note","text":"a \\",\\"command\\": b"}',
    b'["note","a","",null]',
    b'["note","b","",[]]',
)
LINE = HEADER + b',"command":' + COMMAND + b',"events":[' + FIRST + b"," + SECOND + b"]}"
KEY = bytes(range(SECRET))


def _record() -> Record:
    return Record(1, LINE, KEY, seal(genesis("doors"), LINE, KEY))


def test_the_digest_is_computed_as_the_module_says_it() -> None:
    stream = shake_256(b"affray salts " + KEY).digest(48)
    leaves = [
        sha256(b"\x00" + stream[at : at + 16] + body).digest() for at, body in ((0, COMMAND), (16, FIRST), (32, SECOND))
    ]
    commitment = sha256(b"\x01" + b"".join(leaves)).digest()
    expected = sha256(b"\x02" + sha256(b"affray session doors").digest() + HEADER + commitment).digest()

    assert seal(genesis("doors"), LINE, KEY) == expected


def test_a_line_that_is_written_by_the_codec_has_the_header_that_is_hashed() -> None:
    entry = Entry(
        1,
        1,
        0,
        "2024-11-03T19:30:00.000Z",
        Who("Ana"),
        1,
        None,
        Note('a ","command": b'),
        (Noted("a", ""), Noted("b", "", seen_by=())),
    )

    assert encode(entry) == LINE
    assert command_of(LINE) == COMMAND


def test_a_name_that_looks_like_a_command_does_not_end_the_header() -> None:
    entry = Entry(1, 1, 0, ',"command":', Who(',"command":{"type":"Note"}'), 1, None, Note("x"), ())
    line = encode(entry)
    other = encode(Entry(1, 1, 0, ',"command":', Who(',"command":{"type":"Nope"}'), 1, None, Note("x"), ()))

    assert seal(genesis("doors"), line, KEY) != seal(genesis("doors"), other, KEY)


def test_the_first_digest_binds_the_session() -> None:
    assert seal(genesis("doors"), LINE, KEY) != seal(genesis("windows"), LINE, KEY)
    assert genesis("doors") == genesis("doors") != genesis("Doors")


@given(st.binary(min_size=SECRET, max_size=SECRET), st.integers(1, 20), st.integers(1, 20))
def test_salts_do_not_depend_on_how_many_there_are_and_none_is_like_another(secret: bytes, few: int, many: int) -> None:
    assert salts(secret, few)[: min(few, many)] == salts(secret, many)[: min(few, many)]
    assert len(set(salts(secret, many))) == many
    assert all(len(salt) == SECRET for salt in salts(secret, many))


def test_leaves_are_told_apart_by_salt_and_body() -> None:
    assert len({leaf(b"a", b"bc"), leaf(b"a", b"bd"), leaf(b"b", b"bc")}) == 3


# ------------------------------------------------------------------------------------------------ in the store


def test_records_as_they_were_written_verify() -> None:
    records = some_records(5)

    assert list(check(records, genesis("doors"))) == records
    assert list(check(records[2:], records[1].digest, after=2)) == records[2:]
    assert list(check([], genesis("doors"))) == []


@pytest.mark.parametrize(
    ("what", "seq"),
    [("missing", 3), ("doubled", 4), ("swapped", 2), ("altered", 3), ("another secret", 3), ("another digest", 3), ("cut short", 3),
     ("no entry", 3), ("first missing", 1)],
)  # fmt: skip
def test_the_first_record_that_is_not_as_it_was_is_named(what: str, seq: int) -> None:
    one, two, three, four, five = some_records(5)
    changed = {
        "missing": [one, two, four, five],
        "doubled": [one, two, three, three, four, five],
        "swapped": [one, three, two, four, five],
        "altered": [one, two, Record(3, line_of(3, "No."), three.secret, three.digest), four, five],
        "another secret": [one, two, Record(3, three.line, two.secret, three.digest), four, five],
        "another digest": [one, two, Record(3, three.line, three.secret, two.digest), four, five],
        "cut short": [one, two, Record(3, three.line[:-1], three.secret, three.digest), four, five],
        "no entry": [one, two, Record(3, b'{"command":{},"events":[]}', three.secret, three.digest), four, five],
        "first missing": [two, three, four, five],
    }[what]

    with pytest.raises(Broken) as refusal:
        list(check(changed, genesis("doors")))

    assert refusal.value.seq == seq
    assert refusal.value.slug == "log/broken"
    assert ("is missing" in str(refusal.value)) == (what in ("missing", "doubled", "swapped", "first missing"))


def test_a_line_that_has_no_header_is_broken_not_an_error_of_ours() -> None:
    one = some_records(1)[0]
    for line in (b"", b"{}", b"null", b'{"events":[],"command":{}}', b'{"command": {}, "events": []}', b"\xff"):
        with pytest.raises(Broken):
            list(check([Record(1, line, one.secret, one.digest)], genesis("doors")))


def test_records_before_the_broken_one_are_passed_on() -> None:
    one, two, three = some_records(3)
    passed = []

    with pytest.raises(Broken):
        for record in check([one, two, Record(3, line_of(3, "No."), three.secret, three.digest)], genesis("doors")):
            passed.append(record)

    assert passed == [one, two]


# ------------------------------------------------------------------------------------------------ outside


def test_a_whole_line_is_exported_with_its_secret_and_comes_in_again() -> None:
    record = _record()

    line = export(record)

    assert line == LINE[:-1] + b',"secret":"%s","digest":"%s"}' % (KEY.hex().encode(), record.digest.hex().encode())
    assert imported(line) == record
    assert list(check_exported([line], "doors")) == [line]


@pytest.mark.parametrize("hidden", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_whatever_is_hidden_the_line_verifies_and_shows_only_the_rest(hidden: tuple[int, ...]) -> None:
    bodies = [COMMAND, FIRST, SECOND]

    line = export(_record(), hidden)

    assert list(check_exported([line], "doors")) == [line]
    assert [body in line for body in bodies] == [part not in hidden for part in range(3)]
    assert KEY.hex().encode() not in line
    for part, salt in enumerate(salts(KEY, 3)):
        assert (salt.hex().encode() in line) == (part not in hidden)
    assert line.startswith(HEADER)
    with pytest.raises(Unreadable):
        imported(line)


def test_a_chain_of_lines_with_different_parts_hidden_verifies() -> None:
    records = some_records(4)

    lines = [export(record, hidden) for record, hidden in zip(records, [(), (0,), (1,), (0, 1)], strict=True)]

    assert list(check_exported(lines, "doors")) == lines
    with pytest.raises(Broken) as refusal:
        list(check_exported(lines, "windows"))
    assert refusal.value.seq == 1


def test_the_line_that_is_missing_from_an_export_is_named() -> None:
    lines = [export(record) for record in some_records(5)]

    for seq in (1, 2, 3, 4):
        with pytest.raises(Broken, match=f"entry {seq} is missing") as refusal:
            list(check_exported([*lines[: seq - 1], *lines[seq:]], "doors"))
        assert refusal.value.seq == seq


@pytest.mark.parametrize("gone", [1, 3])
def test_a_gap_is_found_however_well_what_is_left_is_sealed_again(gone: int) -> None:
    kept, previous = [], genesis("doors")
    for record in some_records(5):
        if record.seq != gone:
            previous = seal(previous, record.line, record.secret)
            kept.append(Record(record.seq, record.line, record.secret, previous))
    numbered = [Record(seq, each.line, each.secret, each.digest) for seq, each in enumerate(kept, 1)]

    for found in (
        lambda: check(kept, genesis("doors")),
        lambda: check(numbered, genesis("doors")),
        lambda: check_exported(map(export, kept), "doors"),
    ):
        with pytest.raises(Broken) as refusal:
            list(found())
        assert refusal.value.seq == gone


def test_a_hidden_part_cannot_be_put_in_by_guessing() -> None:
    record = _record()
    hidden = export(record, (1,))
    guessed = hidden.replace(b'"%s"' % leaf(salts(KEY, 3)[1], FIRST).hex().encode(), FIRST)

    assert FIRST in guessed
    with pytest.raises(Broken):
        list(check_exported([guessed], "doors"))


def test_a_shown_part_cannot_be_passed_off_as_hidden() -> None:
    record = _record()
    line = export(record, (2,)).replace(FIRST, b'"%s"' % (b"00" * 32))

    with pytest.raises(Broken):
        list(check_exported([line], "doors"))


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"null", b"7", b"\xff", LINE, LINE[:-1] + b',"secret":"zz","digest":""}', LINE[:-1] + b',"secret":"00","digest":""}',
     LINE[:-1] + b',"secret":"","salts":[null,null,null],"digest":""}', LINE[:-1] + b',"salts":[],"digest":""}',
     LINE[:-1] + b',"salts":["zz","",""],"digest":""}'],
)  # fmt: skip
def test_what_is_no_exported_line_is_broken_and_cannot_come_in(line: bytes) -> None:
    with pytest.raises(Broken):
        list(check_exported([line], "doors"))
    with pytest.raises(Unreadable):
        imported(line)


# ------------------------------------------------------------------------------------------------ requests


REQUEST_BODY = b'["key","00ff",1]'
REQUESTED = LINE[:-1] + b',"request":' + REQUEST_BODY + b"}"
BODIES = {0: COMMAND, 1: FIRST, 2: SECOND, REQUEST: REQUEST_BODY}


def _requested() -> Record:
    return Record(1, REQUESTED, KEY, seal(genesis("doors"), REQUESTED, KEY))


def test_a_request_is_the_last_leaf() -> None:
    leaves = [leaf(salt, body) for salt, body in zip(salts(KEY, 4), BODIES.values(), strict=True)]
    commitment = sha256(b"\x01" + b"".join(leaves)).digest()

    assert _requested().digest == sha256(b"\x02" + genesis("doors") + HEADER + commitment).digest()
    assert list(check([_requested()], genesis("doors"))) == [_requested()]


@pytest.mark.parametrize("hidden", [(), (0,), (1,), (2,), (REQUEST,), (1, REQUEST), (0, 1, 2, REQUEST)])
def test_whatever_is_hidden_of_a_line_with_a_request_it_verifies_and_shows_only_the_rest(
    hidden: tuple[int, ...],
) -> None:
    line = export(_requested(), hidden)

    assert list(check_exported([line], "doors")) == [line]
    plain = msgspec.json.decode(line)
    assert len(plain["events"]) == 2
    assert isinstance(plain["request"], str if REQUEST in hidden else list)
    for part, body in BODIES.items():
        assert (body in line) == (part not in hidden)
    for place, (part, salt) in enumerate(zip(BODIES, salts(KEY, 4), strict=True)):
        assert (b'"%s"' % salt.hex().encode() in line) == (bool(hidden) and part not in hidden), place
    if not hidden:
        assert imported(line) == _requested()


def test_a_request_that_is_not_there_is_not_hidden() -> None:
    assert export(_record(), (REQUEST,)) == export(_record())
    assert export(_record(), (1, REQUEST)) == export(_record(), (1,))


@pytest.mark.parametrize("salt", [b"null", b'"%s"' % (b"00" * SECRET)])
def test_a_salt_too_many_is_no_part_of_a_line(salt: bytes) -> None:
    line = export(_record(), (1,))
    longer = line.replace(b'],"digest"', b"," + salt + b'],"digest"')

    assert longer != line
    with pytest.raises(Broken, match="line 2 cannot be verified"):
        list(check_exported([longer], "doors"))


@pytest.mark.parametrize("more", [b',"more":1', b',"request":null', b" ", b',"request":[1],"request":[1]'])
def test_a_stored_line_with_more_in_it_is_broken(more: bytes) -> None:
    line = LINE[:-1] + more + b"}"

    with pytest.raises(Broken):
        list(check([Record(1, line, KEY, _record().digest)], genesis("doors")))


def test_a_line_whose_command_stands_elsewhere_says_that_it_has_none() -> None:
    with pytest.raises(Unreadable, match="it has no command"):
        seal(genesis("doors"), b'{"v":3,"seq":1, "command": {}, "events": []}', KEY)


def test_what_is_put_into_an_exported_line_is_said_not_to_belong_there() -> None:
    line = export(_record()).replace(b',"secret"', b',"more":1,"secret"')

    with pytest.raises(Broken, match=r"line 2 cannot be verified: .*unexpected content"):
        list(check_exported([line], "doors"))


def test_nothing_exported_verifies_as_nothing() -> None:
    assert list(check_exported([], "doors")) == []


def test_a_command_is_read_out_of_a_line_or_the_line_is_unreadable() -> None:
    for line in (b"", b"{}", b"\xff", b'{"command"}'):
        with pytest.raises(Unreadable):
            command_of(line)


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("", "it has neither a secret nor salts"),
        ("zz", "in pairs of 0-9 and a-f"),
        ("ab" * 15 + "a", "in pairs of 0-9 and a-f"),
    ],
)
def test_a_secret_that_is_missing_or_none_is_refused_in_plain_words(secret: str, said: str) -> None:
    line = export(_record()).replace(b'"secret":"%s"' % KEY.hex().encode(), b'"secret":"%s"' % secret.encode())

    with pytest.raises(Broken, match=f"line 2 cannot be verified: .*{said}") as refused:
        list(check_exported([line], "doors"))
    assert not {"zip", "fromhex", "argument"} & set(re.findall("[a-z]+", refused.value.message))


@pytest.mark.parametrize(
    ("shape", "digest"),
    [
        (1, "e40a515924373ea21061db9b7b92e2b33581eb6d66a0753bea21fe6b43852b04"),
        (2, "78feb1c3f27cb4c183bb92665ae28304fb5fedb7f3a75287fc86c6e229174b7a"),
        (3, "fb5ea9741f0657d71d225a4d9640a0931b2f74fcbe9a2588d5ebe1caa03e4bd0"),
    ],
)
def test_the_digest_of_an_entry_of_each_shape_is_for_ever_the_same(shape: int, digest: str) -> None:
    line = (
        b'{"v":%d,"seq":1,"after":0,"at":"2024-11-03T19:30:00.000Z","by":["ann","gm"],"rules":1,"origin":null,'
        b'"command":{"type":"Note","text":"x"},"events":[["note","x",""]]}'
    ) % shape

    assert seal(genesis("FIGHT"), line, bytes(range(SECRET))).hex() == digest


def test_a_line_that_is_no_bytes_as_a_damaged_file_may_have_it_is_broken() -> None:
    record = some_records(1)[0]

    with pytest.raises(Broken, match="not readable"):
        list(check([Record(1, None, record.secret, record.digest)], genesis("FIGHT")))  # type: ignore[arg-type]
