"""The requests and acknowledgments of a storm's writers, and the checks of a ledger against them.

After a storm, of each session: nothing that was acknowledged is lost, no batch is torn, none is there twice, nothing is
there that was not asked for, the chain holds, and repeating a request under its key leaves it there once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import msgspec
from ledger_records import records_after
from long.part import Failed
from long.storms.requests import Place, Request, place_of

from ledger.chain import Record, check, genesis
from ledger.errors import Broken, KeyReused
from ledger.stores import Head, Store

_REPEATED = 60
"""Of the requests that were acknowledged so many are repeated at each look, beside all that were not."""
Noted = Sequence[tuple[Place, int]]
"""Notes of a log: the place of each in its batch, and the number of its entry."""


@dataclass
class Claims:
    """What was asked for, by key, and the number of the first entry for those that were acknowledged."""

    asked: dict[str, Request] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    begun: dict[str, bool] = field(default_factory=dict)
    """Sessions that writers wanted to begin, each with whether that was acknowledged."""

    def read(self, path: Path) -> None:
        """Adds what a writer has noted; ignores an incomplete last line."""
        for line in path.read_text().split("\n")[:-1]:
            match line.split(" "):
                case ["ask", session, key, size]:
                    self.asked[key] = Request(session, key, int(size))
                case ["done", key, first]:
                    self.acknowledged[key] = int(first)
                case ["begin", session]:
                    self.begun[session] = False
                case ["begun", session]:
                    self.begun[session] = True
                case ["again", _]:
                    pass
                case _:
                    raise AssertionError(f"a writer wrote {line!r}")


@dataclass
class Tally:
    """Counts what was found after storms.

    Attributes:
        acknowledged: Stored batches that were acknowledged.
        unheard: Stored batches that were not acknowledged.
        unwritten: Batches that were neither stored nor acknowledged.
        repeated: Requests that were made again under their keys.
        entries: Of all those batches.
    """

    acknowledged: int = 0
    unheard: int = 0
    unwritten: int = 0
    repeated: int = 0
    entries: int = 0

    def add(self, other: "Tally") -> None:
        """Adds the counts of another."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self) -> str:
        return (
            f"{self.acknowledged:,} acknowledged batches ({self.entries:,} entries), {self.unheard:,} written but cut off "
            f"before the acknowledgment, {self.unwritten:,} cut off before the commit, {self.repeated:,} repeated under "
            "their keys"
        )


class Auditor:
    """Looks at one ledger again and again, after each storm over it.

    Args:
        chance: Decides which requests are repeated.
    """

    def __init__(self, chance: Random) -> None:
        self.tally = Tally()
        self._chance = chance
        self._asked: dict[str, Request] = {}
        self._acknowledged: dict[str, int] = {}
        self._looked_at: set[str] = set()

    def look(self, store: Store, claims: Claims) -> None:
        """Checks all sessions against everything claimed so far, then repeats requests and checks again.

        Raises:
            Failed: Something is lost, torn, doubled or invented, or a chain does not hold.
        """
        self._asked |= claims.asked
        self._acknowledged |= claims.acknowledged
        for session in {request.session: None for request in self._asked.values()}:
            try:
                self._look_at(store, session)
            except (Broken, KeyReused) as refusal:
                raise Failed(f"torn: {session}: {refusal}") from refusal

    def _look_at(self, store: Store, session: str) -> None:
        asked = {key: each for key, each in self._asked.items() if each.session == session}
        before = self._checked(store, session, asked)
        written = {place.key for place, _ in before}
        unsure = [each for key, each in asked.items() if key not in self._acknowledged]
        sure = [each for key, each in asked.items() if key in self._acknowledged]
        again = [*unsure, *self._chance.sample(sure, min(len(sure), _REPEATED))]
        self._chance.shuffle(again)
        self._count(sure, unsure, written, len(again))
        for request in again:
            self._repeat(store, request)
        missing = sum(request.size for request in unsure if request.key not in written)
        longer = len(self._checked(store, session, asked)) - len(before)
        if longer != missing:
            raise Failed(f"doubled: repeating requests has made {session} {longer} entries longer, not {missing}")

    def _count(self, sure: Sequence[Request], unsure: Sequence[Request], written: set[str], repeated: int) -> None:
        new = [each for each in sure if each.key not in self._looked_at]
        there = [each for each in unsure if each.key in written]
        entries = sum(each.size for each in (*new, *there))
        self.tally.add(Tally(len(new), len(there), len(unsure) - len(there), repeated, entries))
        self._looked_at |= {each.key for each in (*sure, *unsure)}

    def _checked(self, store: Store, session: str, asked: Mapping[str, Request]) -> Noted:
        """Returns a session's notes, having checked the chain and every batch."""
        records = check(store.read(session), genesis(session))
        noted = [(place_of(text), seq) for text, seq in _notes(records)]
        check_batches(noted, asked, self._acknowledged, session)
        return noted

    def _repeat(self, store: Store, request: Request) -> None:
        """Makes a request again, under its key."""
        known = list(store.batch(request.session, request.key))
        head = store.head(request.session)
        given = records_after(head, request.texts)
        stored = list(store.append(request.session, given, expected=head.seq, key=request.key))
        first = self._acknowledged.setdefault(request.key, stored[0].seq)
        if [each.seq for each in stored] != list(range(first, first + request.size)):
            raise Failed(f"doubled: {request.key}, entry {first}, is entry {stored[0].seq} when it is asked for again")
        if known and stored != known:
            raise Failed(f"torn: under {request.key} other records are found than are given back for it")
        if not known and store.head(request.session) != Head(given[-1].seq, given[-1].digest):
            raise Failed(f"lost: {request.key} was written again, and is not the end of the log")


def check_batches(noted: Noted, asked: Mapping[str, Request], acknowledged: Mapping[str, int], session: str) -> None:
    """Checks that a log has each batch whole and once, and all that were acknowledged, at their entries.

    Raises:
        Failed: One is lost, torn, doubled or invented.
    """
    found: dict[str, int] = {}
    at = 0
    while at < len(noted):
        place, first = noted[at]
        request = asked.get(place.key)
        if request is None:
            raise Failed(f"invented: entry {first} of {session} notes {place.key}, which no writer asked for")
        if place.key in found:
            raise Failed(f"doubled: {place.key} is entry {found[place.key]} of {session}, and again entry {first}")
        whole = [(Place(place.key, nth, request.size), first + nth - 1) for nth in range(1, request.size + 1)]
        if list(noted[at : at + request.size]) != whole:
            raise Failed(f"torn: {place.key} has not all of its {request.size} entries at entry {first} of {session}")
        found[place.key] = first
        at += request.size
    for key in asked:
        if key in acknowledged and found.get(key) != acknowledged[key]:
            where = f"is entry {found[key]}" if key in found else "is not there"
            raise Failed(f"lost: {key} was acknowledged as entry {acknowledged[key]} of {session}, and {where}")


def check_beginnings(store: Store, begun: Mapping[str, bool], *, entries: int, seal: str) -> int:
    """Checks that each session is there whole, with what is sealed beside it, or not at all; returns how many are.

    Args:
        store: The ledger.
        begun: Sessions, each with whether its beginning was acknowledged.
        entries: How many each begins with.
        seal: The name under which its id is sealed beside it.

    Raises:
        Failed: One is torn, or was acknowledged and is not there.
    """
    there = {*store.sessions()} & {*begun}
    lost = [session for session, acknowledged in begun.items() if acknowledged and session not in there]
    if lost:
        raise Failed(f"lost: {', '.join(lost)} was acknowledged as begun, and is not there")
    for session in there:
        records = list(check(store.read(session), genesis(session)))
        if len(records) != entries or store.unseal(session, seal) != session.encode():
            raise Failed(f"torn: {session} has {len(records)} of {entries} entries, or no seal")
    return len(there)


def _notes(records: Iterable[Record]) -> Iterable[tuple[str, int]]:
    """Yields the text and the number of each note."""
    for record in records:
        command = msgspec.json.decode(record.line)["command"]
        if command["type"] == "Note":
            yield command["text"], record.seq
