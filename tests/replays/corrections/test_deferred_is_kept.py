"""What waits is read once: the log keeps what waited at each correction, and after which entry nothing does."""

from random import Random

import pytest
from benchmarks import fights

from ledger.chain import Record
from ledger.commands import DrawDice, TypeDice
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.corrections import deferred as module
from replays.corrections.change import Change
from replays.corrections.deferred import NOTHING, Deferred, deferred
from replays.sessions.log import Log


def fought(upto: int) -> Session:
    """A session with fights, in which figures were overruled, exchanges undone and dice corrected."""
    fighters, chance = fights.Fighters(seed=upto), Random(upto)
    session = fights.begun(fighters)
    while session.log.last < upto:
        fights.play(session, fighters, session.log.last + 1)
        if chance.random() < 0.1:
            misread(session, chance)
    return session


def misread(session: Session, chance: Random) -> None:
    """Corrects one of the last attacks, so that what followed it may wait."""
    line = session.log.timeline.line()[-15:]
    rolls = [entry for entry in session.log.entries_of(line) if getattr(entry.command, "key", "").endswith("/to-hit")]
    entry = chance.choice(rolls) if rolls else None
    if entry is not None and isinstance(entry.command, TypeDice | DrawDice):
        faces = [(entry.command.faces[0] + 50) % 100]
        session.amend(entry.seq, Change(set={"faces": faces}), why="misread", consent=True)


def in_full(log: Log, head: int, monkeypatch: pytest.MonkeyPatch) -> Deferred:
    """What waits, from the whole line and with nothing kept."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "_FEW", 10**9)
        log.waits.clear()
        return deferred(log, head)


@pytest.mark.parametrize("upto", [150, 151, 152])
def test_what_is_kept_is_what_the_whole_line_says_at_every_entry(upto: int, monkeypatch: pytest.MonkeyPatch) -> None:
    log = fought(upto).log
    plain = Log(log.store, log.session)
    heads = list(range(1, log.last + 1))
    whole = {head: in_full(plain, head, monkeypatch) for head in heads}
    Random(upto).shuffle(heads)

    assert log.corrections
    assert any(each != NOTHING for each in whole.values())
    assert {head: deferred(log, head) for head in heads} == {head: whole[head] for head in heads}


def test_a_correction_is_read_once_however_long_the_log_is(monkeypatch: pytest.MonkeyPatch) -> None:
    session, read = fought(200), list[int]()
    log, store = session.log, session.log.store
    assert isinstance(store, MemoryStore)
    once = store.read

    def counted(session: str, after: int = 0, upto: int | None = None) -> list[Record]:
        found = list(once(session, after, upto))
        read.append(len(found))
        return found

    monkeypatch.setattr(store, "read", counted)
    log.waits.clear()
    deferred(log)
    first = sum(read)
    read.clear()
    deferred(log)

    assert first
    assert sum(read) <= 2 * module._FEW
