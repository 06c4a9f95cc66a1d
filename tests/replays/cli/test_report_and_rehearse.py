"""`affray report` and `affray rehearse`, as people and programs use them."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ledger import chain
from ledger.chain import Record
from ledger.codec import encode
from ledger.commands import Note, OpenSession
from ledger.entry import Entry
from ledger.events import DamageTaken, SessionOpened
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays.api.run_script import perform
from replays.audit.regression import rehearsed
from replays.scripts.format import examples, read

Change = Callable[[Entry], Entry]


def _kept(session: str, change: Change, *, cut: bool = False) -> None:
    """Stores Stoya's fight under an id, with changed entries that are sealed as if they were original."""
    records, previous = [], chain.genesis(session)
    for entry in perform(read(examples()["stoya"].read_bytes())).log.entries():
        secret = entry.seq.to_bytes(chain.SECRET, "big")
        line = encode(change(entry))
        previous = chain.seal(previous, line, secret)
        records.append(Record(entry.seq, line[: len(line) // 2] if cut and entry.seq == 9 else line, secret, previous))
    with closing(SqliteStore("affray.db")) as store:
        store.create(session, records)


def _replaced(kind: type, **fields: object) -> Change:
    def change(entry: Entry) -> Entry:
        events = [msgspec.structs.replace(e, **fields) if isinstance(e, kind) else e for e in entry.events]
        return msgspec.structs.replace(entry, events=tuple(events))

    return change


def _dnd(entry: Entry) -> Entry:
    command = entry.command
    if isinstance(command, OpenSession):
        entry = msgspec.structs.replace(entry, command=msgspec.structs.replace(command, ruleset="dnd"))
    return _replaced(SessionOpened, ruleset="dnd")(entry)


def _as_it_was(entry: Entry) -> Entry:
    return entry


# ---------------------------------------------------------------------------------------- report


def test_report_writes_a_page_to_standard_output_or_a_file_and_both_are_the_same(affray):
    affray("--as", "ann", "play", "stoya")
    said = affray("report")
    affray("report", "-o", "stoya.html")

    assert said.startswith("<!DOCTYPE html>")
    assert Path("stoya.html").read_text() == said
    assert affray("report") == said
    assert not Path("stoya.html.part").exists()


@pytest.mark.parametrize("name", ["stoya", "jinx", "street-fight", "last-stand"])
def test_report_has_a_page_for_each_game(affray, name):
    affray("play", name)
    assert "<svg" in affray("report")


def test_report_as_json_is_the_recap_and_a_page_is_still_written_to_a_file(affray):
    affray("play", "stoya")
    found = json.loads(affray("report", "--json", "-o", "stoya.html"))

    assert [("assassin", "incapacitated", 29)] == [
        (each["who"], each["condition"], each["entry"]) for each in found["drops"]
    ]
    assert found["drops"][0]["deed"]["using"] == "stunner"
    assert found["luck"] == json.loads(affray("luck", "--json"))
    assert found == json.loads(affray("report", "--json"))
    assert Path("stoya.html").read_text().startswith("<!DOCTYPE html>")


def test_report_for_a_player_has_nothing_in_it_that_they_may_not_see(affray):
    affray("play", "stoya")
    from replays.api.session import Session

    session = Session.open("sqlite:///affray.db")
    session.perform(Note("the assassin is her sister", seen_by=()))
    session.perform(Note("she has a second knife", seen_by=("stoya",)))
    session.close()

    assert "her sister" in affray("report")
    for arguments in (("report", "--for", "kira:player"), ("--as", "kira:player", "report")):
        page = affray(*arguments)
        assert "her sister" not in page
        assert "second knife" in page
    assert "second knife" not in affray("report", "--for", "spectator")
    assert "second knife" not in affray("--as", "zoe:spectator", "report", "--for", "gm")


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (("report", "--for", "nobody:player"), "who/malformed"),
        (("report", "--for", "king"), "who/malformed"),
        (("report", "-o", "."), "store/read-only"),
        (("report", "-o", "no/such/folder.html"), "store/read-only"),
        (("report", "ZZZ"), "session/unknown"),
        (("rehearse", "ZZZ"), "session/unknown"),
        (("--as", "kira:player", "rehearse"), "seat/not-allowed"),
        (("rehearse", "--all", "01"), "usage"),
    ],
)
def test_what_cannot_be_is_refused_with_its_slug(affray, arguments, slug):
    affray("play", "stoya")

    assert affray(*arguments, code=2).startswith(slug)


# ---------------------------------------------------------------------------------------- rehearse


def test_rehearse_finds_nothing_in_what_todays_rules_decided_and_tells_each_slip(affray):
    affray("--as", "ann", "play", "stoya")
    said = affray("rehearse")

    assert "30 entries, as recorded" in said
    assert "the rule says 26, the gamemaster 21: the book's example does not add the Excellent bonus" in said
    assert "without it: stoya damage 26 for 21" in said
    assert "1 session rehearsed, 30 entries, 299 events, 0 divergences, 1 slip" in said


def test_rehearse_tells_every_divergence_by_entry_event_and_field_and_exits_with_1(affray):
    _kept("OTHER", _replaced(DamageTaken, amount=30))
    said = affray("rehearse", code=1)

    assert "entry 16, event" in said
    assert "amount: recorded 30, decided 26" in said
    assert "amount: recorded 30, decided 21" in said
    found = json.loads(affray("rehearse", "--json", code=1).splitlines()[0])
    first = found["sessions"][0]["divergences"][0]
    assert (16, "DamageTaken", "DamageTaken") == (first["entry"], first["recorded"], first["decided"])
    assert [{"field": "amount", "recorded": 30, "decided": 26}] == first["fields"]
    assert found["divergences"] == len(found["sessions"][0]["divergences"])


def test_rehearse_of_everything_tells_of_what_is_damaged_or_not_installed_and_goes_on(affray):
    _kept("FINE", _as_it_was)
    _kept("GAME", _dnd)
    _kept("TORN", _as_it_was, cut=True)
    said = affray("rehearse", "--all")

    assert "FINE: Stoya and the assassin (eclipse_phase_1e): 30 entries, as recorded" in said
    assert "GAME: Stoya and the assassin (dnd): not rehearsed: ruleset/unknown" in said
    assert "TORN: not rehearsed: log/unreadable" in said
    assert "1 session rehearsed" in said
    assert "2 could not be rehearsed" in said
    found = json.loads(affray("rehearse", "--all", "--json"))
    assert (1, 2) == (found["rehearsed"], found["not_rehearsed"])
    assert [None, "ruleset/unknown", "log/unreadable"] == [
        one["problem"] and one["problem"]["slug"] for one in sorted(found["sessions"], key=lambda one: one["session"])
    ]


def test_rehearse_of_nothing_but_what_cannot_be_is_refused(affray):
    _kept("GAME", _dnd)
    assert "not rehearsed: ruleset/unknown" in affray("rehearse", code=2)


def test_rehearse_takes_several_sessions_each_once(affray):
    for session in ("ONE", "TWO", "THREE"):
        _kept(session, _as_it_was)
    found = json.loads(affray("rehearse", "ONE", "THREE", "ONE", "--json"))

    assert ["ONE", "THREE"] == [one["session"] for one in found["sessions"]]


def test_an_empty_ledger_has_nothing_to_rehearse(affray):
    with closing(SqliteStore("affray.db")):
        pass
    assert "0 sessions rehearsed" in affray("rehearse", "--all")


def test_a_record_that_makes_no_sense_is_a_problem_and_not_a_crash(monkeypatch):
    from replays.audit import regression

    session = perform(read(examples()["stoya"].read_bytes()))

    def broken(*_: object) -> None:
        raise KeyError("a rule of somebody else's")

    monkeypatch.setattr(regression, "rehearse", broken)
    found = rehearsed(session.log.store, session.id)

    assert found.problem is not None
    assert "rehearse/unfit" == found.problem.slug


def test_a_session_of_newer_rules_is_not_rehearsed_by_older_ones():
    store, session = MemoryStore(), perform(read(examples()["stoya"].read_bytes()))
    records, previous = [], chain.genesis("NEW")
    for entry in session.log.entries():
        line = encode(msgspec.structs.replace(entry, rules_version=99))
        secret = entry.seq.to_bytes(chain.SECRET, "big")
        previous = chain.seal(previous, line, secret)
        records.append(Record(entry.seq, line, secret, previous))
    store.create("NEW", records)

    assert "ruleset/version" == rehearsed(store, "NEW").problem.slug
