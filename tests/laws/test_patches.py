"""Applying the patches of the entries in order gives each viewer the state document, as canonical JSON."""

from collections.abc import Iterator

import msgspec
import pytest
from all_fights import GAMES, golden, played
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_histories import secret_histories

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from projections.views.seen import viewer
from replays.api.session import Session
from replays.views.merge_patch import merge_patch, patched


def canonical(state: object) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(state), order="deterministic")


def nulls(value: object, path: str = "") -> Iterator[str]:
    """Yields the paths of members that are null; what is null in a list is no member."""
    if isinstance(value, dict):
        for name, each in value.items():
            if each is None:
                yield f"{path}.{name}"
            yield from nulls(each, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for each in value:
            yield from nulls(each, path)


def followed(session: Session, people: list[Who]) -> None:
    """Follows a log as it grows; compares the patched document of each viewer after each entry with the state."""
    store = MemoryStore()
    records = list(session.log.store.read(session.id))
    store.create(session.id, records[:1])
    growing = Session(store, session.id)
    documents: dict[Viewer, dict] = {}
    for seq in range(1, len(records) + 1):
        if seq > 1:
            store.append(session.id, records[seq - 1 : seq], expected=growing.log.last)
            growing.log.refresh()
        for eyes in {EVERYTHING, *(viewer(who, growing.combat) for who in people)}:
            begins = seq - 1 if eyes in documents else 0
            state = growing.state(eyes=eyes)
            documents[eyes] = patched(documents.get(eyes, {}), growing.step(begins, seq, eyes).patch)
            assert canonical(documents[eyes]) == canonical(state), (seq, eyes)
            assert list(nulls(msgspec.to_builtins(state))) == []
    late = Session(store, session.id)
    for eyes in {EVERYTHING, *(viewer(who, late.combat) for who in people)}:
        document: dict = {}
        for seq in range(1, len(records) + 1):
            document = patched(document, late.step(seq - 1, seq, eyes).patch)
        assert canonical(document) == canonical(late.state(eyes=eyes))


def everybody(session: Session) -> list[Who]:
    players = {one.player for one in session.combat.roster.who.values()} - {"gm"}
    return [Who("eve", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in sorted(players))]


@pytest.mark.parametrize("game", GAMES)
def test_recorded_fights(game: str) -> None:
    for session in [*played(game)[::6], *golden(game)[::3]]:
        followed(session, everybody(session)[:3])


@settings(max_examples=20)
@given(secret_histories(most=25))
def test_fights_with_secrets(fight) -> None:
    followed(fight.session, everybody(fight.session))


VALUES = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=3) | st.lists(st.integers() | st.none(), max_size=3),
    lambda inside: st.dictionaries(st.text(max_size=2), inside, max_size=4),
)
DOCUMENTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=5)


@given(DOCUMENTS, DOCUMENTS)
def test_a_patch_changes_one_document_into_the_other(before, after) -> None:
    assert patched(before, merge_patch(before, after)) == after
    assert merge_patch(after, after) == {}
