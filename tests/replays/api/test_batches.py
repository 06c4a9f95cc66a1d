"""Several commands are performed together: all or none, in one commit, under one key."""

from collections.abc import Iterator

import pytest
from strategies import clock

from ledger.chain import Record
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, Note, Rewind, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import KeyReused, Refused, Stale
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from replays.api.batches import MOST
from replays.api.session import Session

ANN, KIRA = Who("ann"), Who("kira", Seat.PLAYER)


class CountingStore(MemoryStore):
    """A store that counts its appends, and the records that are read."""

    appends = read_records = 0

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        for record in super().read(session, after, upto):
            self.read_records += 1
            yield record

    def append(self, session: str, records: list[Record], **options: object) -> list[Record]:
        self.appends += 1
        return super().append(session, records, **options)


@pytest.fixture
def session() -> Session:
    """A fight that is about to begin."""
    made = Session.create(CountingStore(), ruleset="eclipse_phase_1e", clock=clock)
    thug = ruleset("eclipse_phase_1e").sheets["thug"]
    for who, player in (("ann", "gm"), ("bob", "kira")):
        made.perform(Join(who, thug, player=player))
    made.perform(BeginCombat())
    made.log.store.appends = 0
    return made


TURN = [
    TypeDice("ann", (90,)),
    TypeDice("bob/initiative", (10,)),
    Declare("attack", "ann", {"at": "bob", "using": "unarmed"}),
    Choose("bob", "none"),
    DrawDice("ann"),
]


def test_a_turn_is_performed_in_one_append(session: Session) -> None:
    entries = session.perform_all(TURN)

    assert [type(entry.command) for entry in entries] == [type(each) for each in TURN]
    assert entries[0].command.key == "r1/ann/initiative"
    assert entries[4].command.key == "r1/ann/a1/attack/to-hit"
    assert session.log.store.appends == 1
    assert Session(session.log.store, session.id).combat == session.combat
    assert session.audit().sound if hasattr(session.audit(), "sound") else session.log.verify()


@pytest.mark.parametrize("length", [10, 300])
def test_no_more_is_read_of_a_longer_log(session: Session, length: int) -> None:
    for number in range(length):
        session.perform(Note(f"note {number}"))
    session.log.store.read_records = 0

    session.perform_all([Note("one"), TypeDice("ann", (90,)), Note("two")])

    assert session.log.store.read_records <= 2


def test_one_by_one_leads_to_the_same_state(session: Session) -> None:
    other = Session.create(MemoryStore(), ruleset="eclipse_phase_1e", clock=clock)
    for entry in session.entries(after=1):
        other.perform(entry.command)
    for command in TURN[:4]:
        other.perform(command)
    session.perform_all(TURN[:4])

    assert [entry.events for entry in session.entries(after=1)] == [entry.events for entry in other.entries(after=1)]


@pytest.mark.parametrize("place", range(len(TURN)))
def test_a_refused_command_names_its_place_and_nothing_is_written(session: Session, place: int) -> None:
    before = session.log.last, session.combat
    commands = [*TURN[:place], Choose("nobody", "end"), *TURN[place:]]
    with pytest.raises(Refused) as refused:
        session.perform_all(commands)

    assert refused.value.message.startswith(f"command {place + 1} of the batch: ")
    assert refused.value.where.startswith(f"commands.{place + 1}.")
    assert (session.log.last, session.combat) == before
    assert session.log.store.appends == 0


def test_a_repeat_under_the_same_key_returns_the_same_entries(session: Session) -> None:
    first = session.perform_all(TURN, batch="the turn")

    assert session.perform_all(TURN, batch="the turn") == first
    assert session.log.store.appends == 1
    with pytest.raises(KeyReused):
        session.perform_all(TURN[:3], batch="the turn")


def test_an_undo_takes_the_batch_back_together(session: Session) -> None:
    head = session.log.head
    session.perform_all(TURN)
    session.undo("step", why="not so")

    assert session.log.head in (head, session.log.last)
    assert session.log.timeline.head == head


def test_conditions_are_those_of_one_request(session: Session) -> None:
    with pytest.raises(Stale):
        session.perform_all(TURN, expected=2)
    with pytest.raises(Refused) as refused:
        session.perform_all(TURN, by=KIRA)
    assert refused.value.where.startswith("commands.1")


@pytest.mark.parametrize("commands", [[], [Note("x")] * (MOST + 1), [Note("x"), Rewind(2, "why")]])
def test_what_is_no_batch_is_refused(session: Session, commands: list) -> None:
    with pytest.raises(Refused):
        session.perform_all(commands)
    assert session.log.store.appends == 0


def test_a_shorthand_that_means_several_is_refused_and_one_that_means_nothing_is_refused_as_ever(
    session: Session,
) -> None:
    with pytest.raises(Refused) as refused:
        session.perform(TypeDice("initiative", (3,)))
    assert refused.value.accepts == "r1/ann/initiative, r1/bob/initiative"
    with pytest.raises(Refused) as refused:
        session.perform(TypeDice("eve", (3,)))
    assert refused.value.slug == "dice/not-asked-for"
