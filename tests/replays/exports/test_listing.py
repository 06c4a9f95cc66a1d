"""The list of sessions: what fits, in which order, in pages, whatever is renamed, closed, archived, damaged or deleted."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.chain import Record
from ledger.commands import CloseSession, Join, Leave, Note, RenameSession
from ledger.entry import Who
from ledger.errors import Busy, NoSuchSession, Sealed, SessionDeleted
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from ledger.stores.store import Head
from ledger.tombstone import Deletion
from replays.api.session import Session
from replays.exports.listing import KnownSummaries, Wanted, summaries
from replays.sessions.archive import archive, is_archived, unarchive

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
ANA = Who("ana")


def session(store: Store, title: str, *, campaign: str = "", players: tuple[str, ...] = (), **others: str) -> Session:
    made = Session.create(store, ruleset=others.get("ruleset", "eclipse_phase_1e"), title=title, campaign=campaign)
    for number, player in enumerate(players):
        made.perform(Join(f"c{number}", SHEET, player=player))
    return made


def titles(store: Store, **wanted: object) -> list[str]:
    return [one.title for one in summaries(store, wanted=Wanted(**wanted))]  # type: ignore[arg-type]


def table() -> Store:
    store = MemoryStore()
    session(store, "The dock", campaign="Autumn", players=("kira", "Ben"))
    session(store, "The Market", campaign="autumn", players=("ben",)).perform(CloseSession())
    session(store, "A duel", ruleset="gurps_3e")
    return store


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["The dock", "The Market", "A duel"]),
        ({"title": "the"}, ["The dock", "The Market"]),
        ({"player": "KIRA"}, ["The dock"]),
        ({"player": "ben"}, ["The dock", "The Market"]),
        ({"player": "be"}, []),
        ({"player": "gm"}, []),
        ({"ruleset": "gurps_3e"}, ["A duel"]),
        ({"campaign": "Autumn"}, ["The dock", "The Market"]),
        ({"is_open": False}, ["The Market"]),
        ({"is_open": True, "campaign": "autumn", "title": "dock", "player": "kira"}, ["The dock"]),
        ({"archived": True}, []),
    ],
)
def test_what_fits_is_listed(wanted: dict[str, object], found: list[str]) -> None:
    assert titles(table(), **wanted) == found


def test_a_session_in_one_line_says_what_is_asked_for() -> None:
    store = table()
    dock = next(summaries(store))
    assert (dock.title, dock.campaign, dock.players, dock.is_open, dock.archived) == (
        "The dock", "Autumn", ("Ben", "kira"), True, False,
    )  # fmt: skip
    assert (dock.entries, dock.ruleset, dock.profile != "") == (3, "eclipse_phase_1e", True)


def test_a_session_that_is_renamed_is_listed_by_its_new_title_and_by_the_old_one_once_that_is_undone() -> None:
    store, known = MemoryStore(), KnownSummaries()
    made = session(store, "A fight")
    assert [one.title for one in summaries(store, known=known)] == ["A fight"]
    made.perform(RenameSession("The dock"))
    assert [one.title for one in summaries(store, known=known)] == ["The dock"]
    made.undo()
    assert [one.title for one in summaries(store, known=known)] == ["A fight"]


def test_who_has_left_is_still_somebody_who_played() -> None:
    store = MemoryStore()
    session(store, "The dock", players=("kira",)).perform(Leave("c0"))
    assert titles(store, player="kira") == ["The dock"]


def test_an_archived_session_is_listed_where_it_is_asked_for_even_if_it_is_closed() -> None:
    store = table()
    market = store.sessions()[1]
    archive(store, market, ANA, "it is over")
    archive(store, market, ANA)  # a second time changes nothing
    assert titles(store) == ["The dock", "A duel"]
    assert titles(store, archived=True) == ["The Market"]
    assert titles(store, archived=None) == ["The dock", "The Market", "A duel"]
    assert [one.archived for one in summaries(store)] == [False, True, False]
    unarchive(store, market, ANA)
    unarchive(store, market, ANA)
    assert titles(store) == ["The dock", "The Market", "A duel"]
    archive(store, market, ANA)
    assert is_archived(store, market)
    with pytest.raises(NoSuchSession):
        archive(store, "none", ANA)


def test_who_archives_at_the_same_time_as_another_archives_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    made = session(store, "The dock")
    seal = store.seal

    def beaten(where: str, name: str, secret: bytes) -> None:
        monkeypatch.setattr(store, "seal", seal)
        archive(store, where, Who("ben"))
        raise Sealed("sealed already", where=name)

    monkeypatch.setattr(store, "seal", beaten)
    archive(store, made.id, ANA)
    assert is_archived(store, made.id)
    assert store.seals(made.id) == ["archive/000001", "dice"]


def test_a_page_after_a_session_that_is_gone_is_refused_with_the_reason() -> None:
    store = MemoryStore()
    ids = [Session.create(store, ruleset="gurps_3e", session=f"S{number}").id for number in range(5)]
    first = [one.session for one in summaries(store, limit=2, newest_first=True)]
    assert first == ids[:2:-1]
    store.delete(first[-1], Deletion(ANA, "2024-11-04T09:00:00.000Z", "asked"))
    with pytest.raises(SessionDeleted):
        list(summaries(store, first[-1], newest_first=True))
    with pytest.raises(NoSuchSession) as refusal:
        list(summaries(store, "none"))
    assert refusal.value.where == "after"


@given(
    st.lists(st.tuples(st.sampled_from(["x", "y"]), st.booleans(), st.booleans()), max_size=7),
    st.integers(1, 4), st.booleans(), st.sampled_from([None, True, False]), st.sampled_from([None, True, False]),
    st.sampled_from(["", "x", "y"]),
)  # fmt: skip
def test_pages_joined_are_what_a_plain_search_finds(
    asked: list[tuple[str, bool, bool]],
    limit: int,
    newest: bool,
    is_open: bool | None,
    archived: bool | None,
    title: str,
) -> None:
    store, known = MemoryStore(), KnownSummaries()
    facts = {}
    for number, (name, closes, archives) in enumerate(asked):
        made = Session.create(store, ruleset="gurps_3e", title=name, session=f"S{number}")
        if closes:
            made.perform(CloseSession())
        if archives:
            archive(store, made.id, ANA)
        facts[made.id] = (name, not closes, archives)
    wanted = Wanted(title=title, is_open=is_open, archived=archived)
    expected = [
        each
        for each, (name, goes_on, shelved) in facts.items()
        if title in name and is_open in (None, goes_on) and archived in (None, shelved)
    ]

    found, after = list[str](), ""
    while page := list(summaries(store, after, limit, wanted, newest_first=newest, known=known)):
        found += [one.session for one in page]
        after = page[-1].session
    assert found == (expected[::-1] if newest else expected)


def test_what_was_summarized_is_not_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store, known, opened = table(), KnownSummaries(), list[str]()
    listed = list(summaries(store, known=known))

    def counted(log: Callable[..., object]) -> Callable[..., object]:
        return lambda store, session: opened.append(session) or log(store, session)  # type: ignore[func-returns-value]

    from replays.exports import listing

    monkeypatch.setattr(listing, "Log", counted(listing.Log))
    assert list(summaries(store, known=known)) == listed
    assert opened == []
    Session(store, store.sessions()[0]).perform(Note("more"))
    assert [one.entries for one in summaries(store, known=known)] == [
        listed[0].entries + 1,
        *(x.entries for x in listed[1:]),
    ]
    assert opened == [store.sessions()[0]]


@pytest.mark.parametrize(("begin", "title"), [(1, ""), (2, "The dock")])
def test_a_damaged_session_hides_no_other_and_is_told_by_its_first_entry(
    monkeypatch: pytest.MonkeyPatch, begin: int, title: str
) -> None:
    store = table()
    doomed, read = store.sessions()[0], store.read

    def torn(name: str, *given: int, **named: int) -> Iterator[Record]:
        for each in read(name, *given, **named):
            is_torn = name == doomed and each.seq >= begin
            yield msgspec.structs.replace(each, line=b"{") if is_torn else each

    monkeypatch.setattr(store, "read", torn)
    found = list(summaries(store))
    assert [bool(one.damaged) for one in found] == [True, False, False]
    assert (found[0].title, found[0].is_open) == (title, False)
    assert titles(store, title="the") == [*filter(None, [title]), "The Market"]
    assert titles(store, campaign="autumn") == [*filter(None, [title]), "The Market"]
    assert titles(store, player="ben") == ["The Market"]
    assert titles(store, is_open=False) == ["The Market"]
    assert len(titles(store)) == 3


def test_a_session_that_is_deleted_meanwhile_is_not_listed_and_a_ledger_that_is_busy_refuses_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = table()
    gone, head = store.sessions()[0], store.head

    def refused(refusal: Exception) -> Callable[[str], Head]:
        def answer(name: str) -> Head:
            if name == gone:
                raise refusal
            return head(name)

        return answer

    monkeypatch.setattr(store, "head", refused(SessionDeleted("deleted", where="session")))
    assert titles(store) == ["The Market", "A duel"]
    monkeypatch.setattr(store, "head", refused(Busy("busy", where="ledger")))
    with pytest.raises(Busy):
        titles(store)


def test_whoever_unarchives_while_another_archives_is_not_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    made, seal = session(store, "The dock"), store.seal

    def undone(where: str, name: str, secret: bytes) -> None:
        seal(where, name, secret)
        monkeypatch.setattr(store, "seal", seal)
        unarchive(store, where, Who("ben"))

    monkeypatch.setattr(store, "seal", undone)
    archive(store, made.id, ANA)
    assert not is_archived(store, made.id)
