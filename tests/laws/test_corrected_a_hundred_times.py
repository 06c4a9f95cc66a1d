"""What a modifier on a thrown roll costs does not grow with how often that roll was corrected before."""

from collections.abc import Iterator

from ledger.chain import Record
from ledger.commands import ApplyModifier, BeginCombat, Choose, Declare, Join, TypeDice
from ledger.stores.memory import MemoryStore
from replays.api.session import Session

ROLL = "r1/ann/a1/attack/to-hit"
SHEET = {
    "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 50},
    "weapons": {"fist": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}},
}  # fmt: skip
FACES = {"r1/ann/initiative": 87, "r1/bob/initiative": 12, ROLL: 11, "r1/ann/a1/attack/damage": 3}


class CountingStore(MemoryStore):
    """A store that counts how often it is read: over a network each reading takes a question."""

    reads = 0

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        self.reads += 1
        return super().read(session, after, upto)


def struck() -> Session:
    """Returns a fight in which Ann has hit Bob."""
    session = Session.create(CountingStore(), ruleset="eclipse_phase_1e", title="A brawl")
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (87,)))
    session.perform(TypeDice("r1/bob/initiative", (12,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    while not ((rest := session.rests[0]).by == "ann" and rest.options):
        answer = FACES.get(rest.key, 77)
        session.perform(TypeDice(rest.key, (answer,)) if rest.dice else Choose(rest.key, rest.options[0].option))
    return session


def test_a_modifier_reads_no_more_of_a_roll_that_was_corrected_a_hundred_times() -> None:
    session = struck()
    store = session.log.store
    assert isinstance(store, CountingStore)
    reads = []
    for number in range(120):
        before = store.reads
        session.perform(ApplyModifier(ROLL, number % 59 - 29 or 1, f"light {number}"))
        reads.append(store.reads - before)

    assert session.log.last > 360
    assert sum(reads[60:]) <= 1.5 * sum(reads[:60])
