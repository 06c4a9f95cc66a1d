"""Searches the table's precedents: settled disputes and overruled figures."""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores import Store
from projections.views.seen import viewer
from replays.audit.disputes.register import disputed
from replays.audit.people import overrulings
from replays.sessions.log import Log
from replays.views.seat_log import seen_log

_DISPUTE, _OVERRULE = "dispute", "overrule"
"""The kinds of rulings."""


class Precedent(msgspec.Struct, frozen=True):
    """A ruling of a session."""

    kind: str
    """``dispute`` or ``overrule``."""
    about: str
    """A key, an entry's number, or ``who.what``; of an overrule the key and the figure."""
    claim: str
    """What the challenger claimed, or the gamemaster's value."""
    ruling: str
    """``upheld``, ``amended`` or ``overruled``; of an overrule the rule's value and the gamemaster's."""
    why: str
    challenge: str
    """Why it was disputed; empty where it was not."""
    by: str
    at: str
    session: str
    title: str
    ruleset: str
    entry: int
    stands: bool

    @property
    def is_set_aside(self) -> bool:
        """Whether it counts no more: an overruled figure that was undone. A settlement outlives what was disputed."""
        return not self.stands and self.kind != _DISPUTE

    def has(self, words: Iterable[str]) -> bool:
        """Returns whether each of these words occurs in it."""
        about = (
            f"{self.about} {self.claim} {self.ruling} {self.why} {self.challenge} {self.ruleset} {self.kind}".lower()
        )
        return all(word.lower() in about for word in words)


def precedents(log: Log, eyes: Viewer = EVERYTHING) -> list[Precedent]:
    """Returns the rulings of one session, in the order in which they were made.

    Args:
        log: The session's log.
        eyes: The viewer; rulings hidden from them are omitted.
    """
    log = seen_log(log, eyes)
    return sorted([*_settled(log), *_overruled(log)], key=lambda one: one.entry)


def _settled(log: Log) -> Iterator[Precedent]:
    info = log.combat.session
    for one in disputed(log).values():
        what, end = one.challenge, one.settlement
        if end is not None:
            by_entry = "" if end.by_entry is None else f" by entry {end.by_entry}"
            yield Precedent(
                _DISPUTE, what.about, what.claim, f"{end.ruling}{by_entry}", end.why, what.why, end.by, end.at,
                log.session, info.title, info.ruleset, end.entry, log.timeline.stands(end.entry),
            )  # fmt: skip


def _overruled(log: Log) -> Iterator[Precedent]:
    info = log.combat.session
    for one in overrulings(log):
        says = f"the rule says {one.rule_says}, the gamemaster {one.gm_says}"
        yield Precedent(
            _OVERRULE, f"{one.key} {one.figure}", str(one.gm_says), says, one.why, "", one.by, one.at,
            log.session, info.title, info.ruleset, one.entry, one.stands,
        )  # fmt: skip


def search(
    store: Store, words: Iterable[str] = (), sessions: Iterable[str] | None = None, who: Who | None = None
) -> Iterator[Precedent]:
    """Yields rulings of a ledger in which certain words occur.

    Args:
        store: The ledger.
        words: Each must occur in the subject, the claim, the reasons, the ruling, or the game.
        sessions: The sessions to search; by default all that can be read.
        who: The caller; by default the gamemaster.
    """
    wanted = tuple(words)
    for session in store.sessions() if sessions is None else sessions:
        try:
            log = Log(store, session)
            eyes = EVERYTHING if who is None or who.seat is Seat.GM else viewer(who, log.combat)
            found = precedents(log, eyes)
        except Refused:
            if sessions is not None:
                raise
            continue
        yield from (one for one in found if one.has(wanted))
