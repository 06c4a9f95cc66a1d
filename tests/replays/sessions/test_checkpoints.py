"""When a checkpoint is stored, when it is used, and what `verify` finds in one that was altered."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from ledger.chain import Record
from ledger.commands import ApplyModifier, BeginCombat, Join, Note
from ledger.errors import Busy, CheckpointBroken
from ledger.stores import Store, open_store
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays import Session
from replays.audit.ledger_check import check_checkpoint, check_session
from replays.sessions.log import Log
from replays.sessions.record import checkpoints
from replays.sessions.record.checkpoints import EVERY, Checkpoint, encode

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}


def played(store: Store, notes: int = 20) -> Session:
    """A session with an undo, a correction and a batch."""
    session = Session.create(store, ruleset="eclipse_phase_1e", session="S")
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET))
    session.perform(BeginCombat())
    session.perform(ApplyModifier("ann/initiative", 1, "quick"))
    noted(session, notes)
    session.undo()
    return session


def noted(session: Session, count: int) -> None:
    for number in range(count):
        session.perform(Note(str(number)))


@pytest.fixture
def store() -> MemoryStore:
    """A session with a checkpoint, and entries after it."""
    store = MemoryStore()
    session = played(store)
    store.keep_checkpoint("S", encode(session.log.checkpoint()))
    noted(session, 3)
    return store


def made(store: Store) -> Checkpoint:
    found = checkpoints.decode(store.checkpoint("S") or b"")
    assert found is not None
    return found


# ---------------------------------------------------------------------------------------------------- storing


@pytest.mark.parametrize("address", ["memory://", "sqlite:///fight.db"])
def test_a_checkpoint_is_stored_every_few_dozen_entries_and_used(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(address)
    session = played(store)
    noted(session, EVERY - session.log.last)
    assert store.checkpoint("S") is None

    noted(session, 1)
    assert made(store).seq == EVERY
    noted(session, EVERY - 1)
    assert made(store).seq == EVERY
    noted(Session(store, "S"), 1)
    assert made(store).seq == 2 * EVERY

    log = Log(store, "S")
    assert (log.resumed_at, log.last) == (2 * EVERY, 2 * EVERY + 1)
    assert log.combat == Log.folded(store, "S").combat
    store.close()


def test_a_checkpoint_that_cannot_be_stored_is_no_obstacle() -> None:
    class Refusing(MemoryStore):
        def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
            raise Busy("not now", where="store")

    session = played(Refusing())
    noted(session, 2 * EVERY)
    assert session.log.store.checkpoint("S") is None
    assert session.log.last > 2 * EVERY


def test_a_state_with_a_number_that_is_too_large_has_no_checkpoint(store: MemoryStore) -> None:
    clock = replace(made(store).states[made(store).timeline.head].clock, round=2**70)
    with pytest.raises(OverflowError):
        encode(replace(made(store), states={1: Combat(clock=clock)}))


def test_a_ledger_that_is_only_read_is_opened_from_its_checkpoint(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'fight.db'}"
    writer = open_store(address)
    noted(played(writer), EVERY)
    writer.close()
    reader = open_store(address, only_read=True)
    assert Log(reader, "S").resumed_at == EVERY
    reader.close()


# ---------------------------------------------------------------------------------------------------- opening


def test_a_checkpoint_is_used_with_the_entries_after_it(store: MemoryStore) -> None:
    log = Log(store, "S")
    assert (log.resumed_at, log.last) == (made(store).seq, made(store).seq + 3)


def damaged(store: MemoryStore) -> bytes:
    stored = store.checkpoint("S") or b""
    return stored[:-1] + bytes([stored[-1] ^ 1])


def another_version(store: MemoryStore) -> bytes:
    body = b"0" + (store.checkpoint("S") or b"")[33:]
    return sha256(body).digest() + body


IGNORED: dict[str, Callable[[MemoryStore], bytes]] = {
    "it is empty": lambda store: b"",
    "a byte is another one": damaged,
    "it is cut short": lambda store: (store.checkpoint("S") or b"")[:-1],
    "it is no checkpoint": lambda store: sha256(b"\x01").digest() + b"\x01",
    "another version wrote it": another_version,
    "its entry has another digest": lambda store: encode(replace(made(store), digest=bytes(32))),
    "its entry is missing": lambda store: encode(at(made(store), 999)),
    "an entry stands on a later one": lambda store: encode(forked(made(store), branches=[1, 5], forks=[0, 9])),
    "an entry stands on itself": lambda store: encode(forked(made(store), branches=[1, 5], forks=[0, 5])),
    "entries are out of order": lambda store: encode(forked(made(store), branches=[1, 7, 5], forks=[0, 2, 2])),
    "a rewind leads forwards": lambda store: encode(forked(made(store), rewinds={3: 4})),
    "it lacks the present state": lambda store: encode(replace(made(store), states={1: Combat()})),
    "it has a state of no entry": lambda store: encode(with_state(made(store), 2**60, Combat())),
}


def at(found: Checkpoint, seq: int) -> Checkpoint:
    return replace(forked(found, last=seq), seq=seq)


def forked(found: Checkpoint, **fields: object) -> Checkpoint:
    return replace(found, timeline=replace(found.timeline, **fields))


def with_state(found: Checkpoint, seq: int, combat: Combat) -> Checkpoint:
    return replace(found, states={**found.states, seq: combat})


@pytest.mark.parametrize("why", IGNORED)
def test_a_checkpoint_is_ignored_and_the_log_is_read_where(why: str, store: MemoryStore) -> None:
    store.keep_checkpoint("S", IGNORED[why](store))
    log, folded = Log(store, "S"), Log.folded(store, "S")
    assert log.resumed_at == 0
    assert (log.last, log.digest, log.timeline) == (folded.last, folded.digest, folded.timeline)
    assert log.combat == folded.combat


def test_a_checkpoint_to_which_the_later_entries_are_not_chained_is_ignored(store: MemoryStore) -> None:
    records = list(store.read("S"))
    last = records.pop()
    altered = Record(last.seq, last.line.replace(b'"2"', b'"3"', 1), last.secret, last.digest)
    other = MemoryStore()
    other.create("S", [*records, altered])
    other.keep_checkpoint("S", store.checkpoint("S") or b"")
    assert Log(other, "S").resumed_at == 0
    assert Log(other, "S").last == last.seq


# ---------------------------------------------------------------------------------------------------- verifying


def test_a_checkpoint_that_follows_from_the_log_is_verified(store: MemoryStore) -> None:
    assert check_session(store, "S").problem is None


ALTERED: dict[str, Callable[[Checkpoint], Checkpoint]] = {
    "the state": lambda it: with_state(it, it.timeline.head, Combat()),
    "an older state": lambda it: with_state(it, min(it.states), Combat()),
    "the head": lambda it: with_state(forked(it, head=3), 3, it.states[it.timeline.head]),
    "the tree": lambda it: forked(it, branches=[1, 5], forks=[0, 3]),
    "what can be redone": lambda it: forked(it, undone=[]),
    "the batches": lambda it: forked(it, batches=[(2, 3)]),
    "the draws": lambda it: replace(it, draws=replace(it.draws, is_revealed=True)),
    "the disclosures": lambda it: replace(it, audiences={2: {0: None}}, disclosures=1),
    "the number of disclosures": lambda it: replace(it, disclosures=1),
    "the corrections": lambda it: replace(it, corrections=[3]),
    "the size": lambda it: replace(it, size=it.size + 1),
    "the rules": lambda it: replace(it, rules_version=it.rules_version + 1),
    "the entry at which nothing was deferred": lambda it: replace(it, settled=it.seq),
    "the order of the combatants": lambda it: with_state(it, it.timeline.head, turned(it.states[it.timeline.head])),
    "the digest of its entry": lambda it: replace(it, digest=bytes(32)),
    "its entry": lambda it: at(it, 999),
}


def turned(combat: Combat) -> Combat:
    roster = dict(reversed(combat.roster.who.items()))
    assert roster == combat.roster.who
    return replace(combat, roster=replace(combat.roster, who=roster))


@pytest.mark.parametrize("what", ALTERED)
def test_verifying_finds_an_altered_checkpoint_whose_own_digest_is_right(what: str, store: MemoryStore) -> None:
    store.keep_checkpoint("S", encode(ALTERED[what](made(store))))
    found = check_session(store, "S")
    assert isinstance(found.problem, CheckpointBroken)
    assert (found.problem.slug, found.problem.where) == ("checkpoint/broken", "checkpoint")
    assert found.end is not None


def test_verifying_finds_a_damaged_checkpoint(store: MemoryStore) -> None:
    store.keep_checkpoint("S", damaged(store))
    with pytest.raises(CheckpointBroken):
        check_checkpoint(store, "S")


@pytest.mark.parametrize("why", ["another version wrote it", "it is empty"])
def test_verifying_passes_over_a_checkpoint_that_is_never_used(why: str, store: MemoryStore) -> None:
    store.keep_checkpoint("S", IGNORED[why](store))
    check_checkpoint(store, "S")


# ---------------------------------------------------------------------------------------------------- versions


def test_another_type_in_the_state_makes_another_version() -> None:
    class Inner(msgspec.Struct):
        count: int

    class Other(msgspec.Struct):
        count: str

    outer = [msgspec.defstruct("Outer", [("inner", dict[str, tuple[kind, ...]] | None)]) for kind in (Inner, Other)]
    described: list[dict[str, str]] = [{}, {}]
    for kind, types in zip(outer, described, strict=True):
        checkpoints._describe(kind, types)
    assert len(described[0]) == len(described[1]) == 2
    assert described[0] != described[1]
