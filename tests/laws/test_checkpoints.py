"""A log that continues from a checkpoint equals the log that is folded from all entries."""

from contextlib import suppress

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from strategies import Fight, fights

from ledger.codec import encode
from ledger.commands import Choose, TypeDice
from ledger.dice import lowest, parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from projections.path import Rest
from replays.api.session import Session
from replays.corrections.deferred import NOTHING, deferred
from replays.sessions.log import Log
from replays.sessions.record import checkpoints

TIME = "2024-11-03T19:30:00.000Z"


def in_order(combat: Combat) -> bytes:
    """A state with the order of its mappings, which equality ignores and the order of the combatants depends on."""
    return msgspec.msgpack.encode(combat)


def copied(store: Store, session: str, upto: int | None = None) -> MemoryStore:
    """A copy of a session's log without its checkpoint."""
    copy = MemoryStore()
    copy.create(session, list(store.read(session, upto=upto)), keys=store.keys(session))
    return copy


def ends(log: Log) -> st.SearchStrategy[int]:
    """The last entries of the requests of a log, after which a checkpoint may be stored."""
    return st.sampled_from([seq for seq in range(1, log.last + 1) if log.timeline.first(seq + 1) == seq + 1])


def resumed(fight: Fight, at: int) -> Log:
    """The log of a fight that is opened from a checkpoint at an entry."""
    whole = fight.session.log
    before = Log(copied(whole.store, whole.session, at), whole.session)
    deferred_at = deferred(before)
    before.settled = before.head if deferred_at == NOTHING and before.head == before.last else 0
    store = copied(whole.store, whole.session)
    store.keep_checkpoint(whole.session, checkpoints.encode(before.checkpoint()))
    log = Log(store, whole.session)
    assert log.resumed_at == at
    return log


@given(fights(secrets=True), st.data())
def test_a_log_from_a_checkpoint_equals_the_whole_log(fight: Fight, data: st.DataObject) -> None:
    whole = Log.folded(fight.session.log.store, fight.session.id)
    log = resumed(fight, data.draw(ends(whole)))

    for what in ("last", "head", "digest", "size", "rules_version", "corrections", "timeline", "draws"):
        assert getattr(log, what) == getattr(whole, what), what
    assert log.disclosures.audiences == whole.disclosures.audiences
    assert log.disclosures.count == whole.disclosures.count
    for seq in data.draw(st.permutations(range(whole.last + 1))):
        assert log.state(seq) == whole.state(seq)
        assert in_order(log.state(seq)) == in_order(whole.state(seq))
        assert deferred(log, seq) == deferred(whole, seq)


@given(fights(secrets=True))
def test_a_live_log_has_the_checkpoint_of_the_folded_log(fight: Fight) -> None:
    live = fight.session.log
    made = live.checkpoint()

    assert checkpoints.decode(checkpoints.encode(made)) == made
    folded = Log.folded(live.store, live.session)
    folded.settled = live.settled
    assert checkpoints.encode(folded.checkpoint(made.states)) == checkpoints.encode(made)
    assert deferred(Log.folded(live.store, live.session), live.settled) == NOTHING


@given(fights(secrets=True), st.data())
def test_a_session_from_a_checkpoint_decides_the_same(fight: Fight, data: st.DataObject) -> None:
    at = data.draw(ends(fight.session.log))
    store = resumed(fight, at).store
    twins = [Session(one, fight.session.id, draw=lambda key, dice: (1,), clock=lambda: TIME) for one in (
        store, copied(store, fight.session.id),
    )]  # fmt: skip
    written = [[*map(encode, moved(session))] for session in twins]

    assert twins[0].log.resumed_at == at
    assert twins[1].log.resumed_at == 0
    assert written[0] == written[1]
    assert in_order(twins[0].combat) == in_order(twins[1].combat)


def moved(session: Session) -> list[Entry]:
    """The entries that answers, undos and a redo append."""
    before = session.log.last
    undo, redo, answer = session.undo, session.redo, lambda: answered(session)
    for move in (answer, undo, redo, lambda: undo("exchange"), answer, lambda: undo("round"), answer):
        with suppress(Refused):
            move()
    return list(session.log.entries(before))


def answered(session: Session) -> None:
    """Answers the first open rest, with the lowest faces or the first option that needs no terms."""
    rest = session.rests[0] if session.rests else Rest("none", "", "")
    if rest.dice:
        session.perform(TypeDice(rest.key, tuple(lowest(sides) for sides in parse(rest.dice).sides)))
    for option in rest.options:
        with suppress(Refused):
            session.perform(Choose(rest.key, option.option))
            return
