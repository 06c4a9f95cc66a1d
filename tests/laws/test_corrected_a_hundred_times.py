"""What a modifier on a thrown roll costs does not grow with how often that roll was corrected before."""

from client.brawl import begun, blow
from counting_store import CountingStore

from ledger.commands import ApplyModifier
from replays.api.session import Session

ROLL = "r1/ann/a1/attack/to-hit"


def struck(store: CountingStore) -> Session:
    """A session in which a blow was struck."""
    session = Session.create(store, ruleset="eclipse_phase_1e", title="A brawl")
    begun(session)
    blow(session, 11, 77, 3, 77)
    return session


def test_a_modifier_reads_no_more_of_a_roll_that_was_corrected_a_hundred_times() -> None:
    store, reads = CountingStore(), []
    session = struck(store)
    for number in range(120):
        before = store.reads
        session.perform(ApplyModifier(ROLL, number % 59 - 29 or 1, f"light {number}"))
        reads.append(store.reads - before)

    assert session.log.last > 360
    assert sum(reads[60:]) <= 1.5 * sum(reads[:60])


def test_nor_after_it_is_opened_anew() -> None:
    """A server opens a session anew after a fault of its ledger; what waited at each correction is unknown then."""
    store, reads = CountingStore(), []
    session = struck(store)
    for number in range(120):
        session.perform(ApplyModifier(ROLL, number % 59 - 29 or 1, f"light {number}"))
        if number in (59, 119):
            opened = Session(store, session.id)
            before = store.reads
            opened.perform(ApplyModifier(ROLL, 30, "a search light"))
            reads.append(store.reads - before)

    assert reads[1] <= 1.2 * reads[0], reads
