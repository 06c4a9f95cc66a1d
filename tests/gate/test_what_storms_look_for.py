"""After a storm of kills, lost, torn, duplicated and invented entries of a log are reported."""

from random import Random

import pytest
from ledger_records import fill, records_after
from long.part import Failed
from long.storms.claims import Auditor, Claims, check_batches, check_beginnings
from long.storms.requests import Place, Request, place_of

from ledger.stores.memory import MemoryStore

ASKED = {key: Request("doors", key, size) for key, size in (("a-1", 2), ("a-2", 1), ("b-1", 3))}
WHOLE = [
    (Place("a-1", 1, 2), 1), (Place("a-1", 2, 2), 2), (Place("b-1", 1, 3), 3), (Place("b-1", 2, 3), 4),
    (Place("b-1", 3, 3), 5),
]  # fmt: skip


def test_a_note_identifies_its_batch() -> None:
    texts = ASKED["b-1"].texts

    assert [place_of(text) for text in texts] == [Place("b-1", nth, 3) for nth in (1, 2, 3)]
    assert texts == Request("doors", "b-1", 3).texts


def test_a_log_with_all_acknowledged_entries_has_no_fault() -> None:
    check_batches(WHOLE, ASKED, {"a-1": 1, "b-1": 3}, "doors")


@pytest.mark.parametrize(
    ("noted", "acknowledged", "fault"),
    [
        (WHOLE, {"a-2": 6}, "lost: a-2"),
        (WHOLE, {"a-1": 3}, "lost: a-1"),
        (WHOLE[:-1], {}, "torn: b-1"),
        ([*WHOLE[:1], *WHOLE[2:]], {}, "torn: a-1"),
        ([*WHOLE, (Place("a-1", 1, 2), 6), (Place("a-1", 2, 2), 7)], {"a-1": 1}, "doubled: a-1"),
        ([*WHOLE, (Place("c-1", 1, 1), 6)], {}, "invented: entry 6"),
    ],
    ids=["lost", "at another entry", "end torn off", "middle torn out", "doubled", "invented"],
)
def test_a_log_that_contradicts_acknowledgements_is_reported(noted, acknowledged, fault: str) -> None:
    with pytest.raises(Failed, match=fault):
        check_batches(noted, ASKED, acknowledged, "doors")


def _claimed() -> Claims:
    return Claims(asked=dict(ASKED), acknowledged={"a-1": 1})


def _written(store: MemoryStore, key: str) -> None:
    head = store.head("doors")
    store.append("doors", records_after(head, ASKED[key].texts), expected=head.seq, key=key)


def test_an_interrupted_request_is_written_once_when_repeated() -> None:
    store, auditor = MemoryStore(), Auditor(Random(1))
    store.create("doors")
    _written(store, "a-1")
    _written(store, "b-1")

    auditor.look(store, _claimed())

    assert store.head("doors").seq == 6
    assert vars(auditor.tally) == {"acknowledged": 1, "unheard": 1, "unwritten": 1, "repeated": 3, "entries": 5}


def test_a_store_that_loses_keys_is_reported() -> None:
    class Forgetful(MemoryStore):
        def append(self, session, records, *, expected, key=None):
            return super().append(session, records, expected=expected)

    store = Forgetful()
    store.create("doors")
    _written(store, "a-1")

    with pytest.raises(Failed, match="doubled: a-1"):
        Auditor(Random(1)).look(store, _claimed())


def test_a_session_is_created_completely_with_its_sealed_value_or_not_at_all() -> None:
    store = MemoryStore()
    fill(store, 3)
    store.seal("doors", "seed", b"doors")

    assert check_beginnings(store, {"doors": True, "roofs": False}, entries=3, seal="seed") == 1
    with pytest.raises(Failed, match="torn: doors"):
        check_beginnings(store, {"doors": True}, entries=4, seal="seed")
    with pytest.raises(Failed, match="lost: roofs"):
        check_beginnings(store, {"roofs": True}, entries=3, seal="seed")
