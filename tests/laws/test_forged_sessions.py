"""A forged file is refused with its line, or imported as a session that all methods read or refuse."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from forging import HOSTILE, Export, at, whole_session
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.audience import Viewer
from ledger.commands import COMMANDS, Declare, Note
from ledger.entry import Seat
from ledger.errors import Inconsistent, Refused
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import UnreadableRecord
from replays.api.session import Session
from replays.audit.regression import rehearsed
from replays.exports.jsonl import bring_in
from replays.views.frames import frames


@cache
def whole() -> Export:
    return Export(list(whole_session().export()))


def test_the_forged_file_has_every_kind_of_command() -> None:
    kinds = {document["command"]["type"] for document in whole().documents[1:]}

    assert {kind.__name__ for kind in COMMANDS} <= kinds
    assert bring_in(whole().of_entries(whole().documents[1:]), MemoryStore()).entries == len(whole().documents) - 1


def reads(session: Session) -> Iterator[Callable[[], object]]:
    """Yields calls of all reading methods of a session."""
    events = [event for entry in session.entries() for event in entry.events]
    player = Viewer(Seat.PLAYER, frozenset({"ann"}))
    yield from (
        session.state,
        session.options,
        session.luck,
        session.audit,
        session.odds,
        session.disputes,
        session.log.verify,
    )
    yield from (lambda: session.state(3), lambda: session.state(eyes=player), lambda: session.audit(eyes=player))
    yield from (
        lambda: list(frames(session.log)),
        lambda: list(session.export()),
        lambda: list(session.export(player, "ann")),
    )
    yield lambda: rehearsed(session.log.store, session.id)
    for subject in {str(getattr(event, "key", "ann.damage")) for event in events}:
        yield lambda subject=subject: session.why(subject)
    yield lambda: session.perform(Note("so"))
    yield session.undo


def read_all(lines: list[bytes]) -> Session | None:
    """Imports a file and calls all reading methods; returns None where it is refused."""
    store = MemoryStore()
    try:
        header = bring_in(lines, store)
    except Refused as refusal:
        assert "line " in refusal.message or "entry " in refusal.message or "the file ends" in refusal.message
        assert "/" in refusal.slug
        assert not store.sessions()
        return None
    session = Session(store, header.session)
    for read in reads(session):
        try:
            read()
        except Refused as refusal:
            assert "/" in refusal.slug
    return session


@settings(max_examples=80)
@given(st.data())
def test_a_file_with_any_forged_field_is_refused_with_its_line_or_can_be_read(data) -> None:
    export = whole()
    place, path = data.draw(st.sampled_from(export.paths))
    was = at(export.documents[place], path)
    same_type = [value for value in HOSTILE if type(value) is type(was)] or HOSTILE

    read_all(export.forged(place, path, data.draw(st.sampled_from(HOSTILE) | st.sampled_from(same_type))))


@settings(max_examples=30)
@given(st.data())
def test_a_file_with_values_from_elsewhere_is_refused_with_its_line_or_can_be_read(data) -> None:
    export = whole()
    place, path = data.draw(st.sampled_from(export.paths))
    was = at(export.documents[place], path)
    others = [at(export.documents[other], way) for other, way in export.paths if other or not place]

    read_all(
        export.forged(place, path, data.draw(st.sampled_from([each for each in others if type(each) is type(was)])))
    )


@settings(max_examples=30)
@given(st.data())
def test_a_file_with_missing_doubled_or_reordered_events_is_refused_with_its_line_or_can_be_read(data) -> None:
    export = whole()
    place = data.draw(st.integers(1, len(export.documents) - 1))
    events = export.documents[place]["events"]
    changed = data.draw(
        st.permutations(events)
        | st.lists(st.sampled_from(events), max_size=len(events) + 1)
        | st.sampled_from([events[:-1], events[1:], events * 2])
    )

    read_all(export.forged(place, ("events",), changed))


# ------------------------------------------------------------------------------------------------ what was found once

LONG = "x" * 1_000_000
ATTACK = Declare("attack", "ann", {"at": "bob", "using": "club"})
OPENING = {"type": "OpenSession", "title": "Again", "ruleset": "eclipse_phase_1e"}


@pytest.mark.parametrize(
    ("place", "path", "value", "slug"),
    [
        (0, ("session",), "", "session/bad-id"),
        (0, ("session",), "../../x", "session/bad-id"),
        (0, ("session",), "\u202eKARANA", "session/bad-id"),
        (0, ("session",), "x" * 100_000, "session/bad-id"),
        (0, ("seat",), "player", "log/unreadable"),
        (4, ("at",), "yesterday", "log/unreadable"),
        (4, ("at",), "2024-02-30T00:00:00.000Z", "log/unreadable"),
        (4, ("at",), "", "log/unreadable"),
        (4, ("rules",), 10**15, "ruleset/version"),
        (4, ("rules",), 10**30, "ruleset/version"),
        (4, ("rules",), -(10**30), "log/unreadable"),
        (4, ("rules",), 0, "log/unreadable"),
        (4, ("by", 0), "x" * 201, "command/invalid"),
        (4, ("by", 0), "\u202e", "command/invalid"),
        (1, ("command", "title"), LONG, "command/invalid"),
        (1, ("events", 0, 1), LONG, "log/unreadable"),
        (1, ("command", "ruleset"), "chess", "log/unreadable"),
        (1, ("command",), {"type": "Note", "text": "x"}, "log/unreadable"),
        (1, ("events",), [], "log/unreadable"),
        (1, ("events", 0, 4), {}, "profile/option"),
        (1, ("events", 0, 4, "initiative_dice"), "banana", "profile/option"),
        (11, ("command",), OPENING, "log/unreadable"),
        (11, ("events", 0), ["session", "Again", "gurps_3e", "", {}, {}, "", "", None], "log/unreadable"),
        (2, ("command", "sheet"), {"x" * 300: 1}, "command/invalid"),
        (2, ("events", 1, 2), {}, "sheet/invalid"),
        (2, ("events", 1, 2, "weapons", "club", "kind"), "feather", "sheet/invalid"),
        (2, ("events", 0, 1), "a\u202e", "log/unreadable"),
        (12, ("events", 1, 4, "using"), 7, "terms/invalid"),
        (21, ("origin",), None, "log/unreadable"),
        (21, ("origin",), 30, "log/broken"),
        (5, ("after",), 9, "log/broken"),
        (11, ("request", 0), "", "command/bad-key"),
        (11, ("request", 0), "k" * 256, "command/bad-key"),
        (11, ("request", 0), "k" * 4_000_000, "command/bad-key"),
        (11, ("request", 0), "\x00\x1b[2J\u202e", "command/bad-key"),
        (11, ("request", 1), "f00", "log/unreadable"),
        (11, ("request", 1), "F" * 64, "log/unreadable"),
        (11, ("request", 1), "f" * 65, "log/unreadable"),
        (11, ("request", 2), 0, "log/broken"),
        (11, ("request", 2), 1_000, "log/broken"),
        (23, ("request", 0), "a key of its own", "log/unreadable"),
        (23, ("request", 1), "f" * 64, "command/bad-key"),
        (23, ("request", 2), 1, "log/broken"),
        (23, ("request", 2), 1_000, "log/broken"),
    ],
)  # fmt: skip
def test_values_that_no_genuine_file_has_are_refused_with_their_line(
    place: int, path: tuple[Any, ...], value: Any, slug: str
) -> None:
    with pytest.raises(Refused) as refusal:
        bring_in(whole().forged(place, path, value), MemoryStore())

    assert refusal.value.slug == slug
    assert (
        f"line {place + 1}" in f"{refusal.value.message} {refusal.value.where}"
        or f"entry {place}" in refusal.value.message
    )


def test_an_unknown_ruleset_is_refused_with_its_line() -> None:
    export = whole()
    opening = {**export.documents[1], "command": {**export.documents[1]["command"], "ruleset": "chess"}}
    opening["events"] = [[*opening["events"][0][:2], "chess", *opening["events"][0][3:]]]

    with pytest.raises(Refused, match="line 2") as refusal:
        bring_in(export.of_entries([opening, *export.documents[2:]]), MemoryStore())

    assert refusal.value.slug == "ruleset/unknown"


def of_older_rules(change: Callable[[list[Any]], None]) -> Session:
    """Returns a session of older rules, with an event that today's rules would not decide."""
    entries: list[Any] = [{**deepcopy(document), "rules": 1} for document in whole().documents[1:11]]
    change(entries)
    store = MemoryStore()
    header = bring_in(whole().of_entries(entries), store)
    return Session(store, header.session)


def test_a_sheet_of_older_rules_is_imported_and_commands_that_need_it_are_refused() -> None:
    def change(entries: list[Any]) -> None:
        entries[1]["events"][1] = ["sheet", "ann", {"strength": "great"}, None]

    session = of_older_rules(change)

    assert session.state().combatants.keys() == {"ann", "bob"}
    for read in (session.options, lambda: session.odds(declare=ATTACK)):
        with pytest.raises(UnreadableRecord):
            read()


def test_a_profile_of_older_rules_is_imported_and_commands_that_need_it_are_refused() -> None:
    def change(entries: list[Any]) -> None:
        entries[0]["events"][0][4] = {"printing": 7}

    session = of_older_rules(change)

    assert session.audit().is_sound
    with pytest.raises(UnreadableRecord):
        session.odds(declare=ATTACK)


def test_a_record_that_no_rules_made_is_distinguished_from_an_error_of_the_engine() -> None:
    export = whole()
    store = MemoryStore()
    entries = export.documents[1:13]
    entries[11] = {**entries[11], "events": [event for event in entries[11]["events"] if event[0] != "declared"]}
    session = Session(store, bring_in(export.of_entries(entries), store).session)

    with pytest.raises(Inconsistent) as refusal:
        session.options()

    assert refusal.value.slug == "log/inconsistent"
    assert refusal.value.where == "entry 12"


def changed(entries: list[Any], tag: str, change: Callable[[list[Any]], object]) -> list[Any]:
    """Returns entries with the first event of a type changed."""
    entries = deepcopy(entries)
    change(next(event for entry in entries for event in entry["events"] if event[0] == tag and event[2]))
    return entries


NO_FIT: dict[str, Callable[[list[Any]], list[Any]]] = {
    "a face that no die shows": lambda entries: changed(entries, "dice", lambda event: event[2].__setitem__(0, 150)),
    "more faces than dice": lambda entries: changed(
        entries, "dice", lambda event: (event[2].extend([1] * 20), event[3].extend(["typed"] * 20))
    ),
    "faces that nobody asked for": lambda entries: changed(entries, "dice", lambda event: event.__setitem__(1, "r9/x")),
    "harm of nobody": lambda entries: changed(entries, "track", lambda event: event.__setitem__(1, "ghost")),
    "another one than asked for": lambda entries: changed(entries, "joined", lambda event: event.__setitem__(1, "eve")),
    "dice that are none": lambda entries: changed(entries, "roll", lambda event: event.__setitem__(3, "1d0")),
    "more events than there can be": lambda entries: [
        {**entry, "events": entry["events"] * 11_000} if entry["command"]["type"] == "Note" else entry
        for entry in entries
    ],
    "a rewind without its event": lambda entries: [
        {**entry, "events": []} if entry["command"]["type"] == "Rewind" else entry for entry in entries
    ],
}


@pytest.mark.parametrize("forged", NO_FIT.values(), ids=NO_FIT.keys())
def test_events_that_contradict_earlier_ones_are_refused_with_their_line(
    forged: Callable[[list[Any]], list[Any]],
) -> None:
    export = whole()

    with pytest.raises(Refused, match="line ") as refusal:
        bring_in(export.of_entries(forged(export.documents[1:])), MemoryStore())

    assert refusal.value.slug == "log/unreadable"


def test_an_error_of_the_engine_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    session = whole_session()

    def fails(*_: object) -> object:
        raise KeyError("ours")

    monkeypatch.setattr("replays.odds.known_state.options", fails)
    with pytest.raises(KeyError, match="ours"):
        session.options()
