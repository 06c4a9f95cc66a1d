"""Fights that are played on a ledger in NATS are what any other process reads there, and what they are in memory."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from nats_servers import Servers
from strategies import Fight, fights

from ledger.chain import check, genesis
from ledger.stores import open_store
from ledger.stores.jetstream import JetStreamStore
from ledger.stores.memory import MemoryStore
from replays import Session

EXAMPLES = 3


@pytest.fixture
def stores(nats: Servers, tmp_path: Path) -> Iterator[dict[str, JetStreamStore]]:
    """Empty ledgers by their addresses; opened here, because opening one draws a server by lot."""
    with ExitStack() as stack:
        urls = [nats.ledger_for(tmp_path / str(number)) for number in range(2 * EXAMPLES)]
        yield {url: stack.enter_context(closing(JetStreamStore(url))) for url in urls}
    nats.clear()


def test_a_fight_of_any_game_is_read_by_others_as_it_was_played(stores: dict[str, JetStreamStore]) -> None:
    unused, used = list(stores), list[str]()

    def store() -> JetStreamStore:
        used.append(unused.pop())
        return stores[used[-1]]

    @settings(max_examples=EXAMPLES)
    @given(fights(store=store, secrets=True, most=20))
    def holds(fight: Fight) -> None:
        check_same(fight.session, used[-1])

    holds()
    assert len(used) >= EXAMPLES


def check_same(played: Session, url: str) -> None:
    """Checks that another process reads the same log and state, and that it is the state of the same log in memory."""
    with closing(open_store(url)) as other:
        records = list(check(other.read("FIGHT"), genesis("FIGHT")))
        read = Session(other, "FIGHT")
        assert (read.log.last, read.log.digest, read.combat) == (played.log.last, played.log.digest, played.combat)
    memory = MemoryStore()
    memory.create("FIGHT", records)
    assert Session(memory, "FIGHT").combat == played.combat
