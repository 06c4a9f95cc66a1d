"""A session that continues from another store reads there what it began with, and keeps what is appended to it apart."""

from hypothesis import given
from hypothesis import strategies as st
from ledger_records import records_after, some_records

from ledger.stores.memory import MemoryStore

SESSION = "doors"


def continued(first: int, more: int) -> tuple[MemoryStore, MemoryStore]:
    """Returns a store that continues from another, and one with copies of the same records."""
    beginning, copies, store = MemoryStore(), MemoryStore(), MemoryStore()
    records = some_records(first + 2, SESSION)
    beginning.create(SESSION, records, sealed={"seed": b"1"})  # it has two records more than are taken over
    copies.create(SESSION, records[:first], sealed={"seed": b"1"})
    store.continue_from(beginning, SESSION, first)
    for number in range(more):
        added = records_after(copies.head(SESSION), [f"a note {number}"])
        for each in (store, copies):
            each.append(SESSION, added, expected=first + number, key=f"key {number}")
    return store, copies


@given(st.integers(0, 6), st.integers(0, 4), st.integers(-1, 12), st.none() | st.integers(-1, 12))
def test_each_range_is_what_copies_have(first: int, more: int, after: int, upto: int | None) -> None:
    store, copies = continued(first, more)

    assert list(store.read(SESSION, after, upto)) == list(copies.read(SESSION, after, upto))
    assert store.head(SESSION) == copies.head(SESSION)
    assert store.keys(SESSION) == copies.keys(SESSION)
    assert all(store.batch(SESSION, key) == copies.batch(SESSION, key) for key in copies.keys(SESSION))
    assert store.unseal(SESSION, "seed") == b"1"


def test_the_other_store_gets_nothing() -> None:
    beginning, store = MemoryStore(), MemoryStore()
    beginning.create(SESSION, some_records(3, SESSION))
    store.continue_from(beginning, SESSION, 3)

    store.append(SESSION, records_after(store.head(SESSION), ["more"]), expected=3)
    store.seal(SESSION, "seed", b"2")

    assert (store.head(SESSION).seq, beginning.head(SESSION).seq) == (4, 3)
    assert beginning.seals(SESSION) == []
