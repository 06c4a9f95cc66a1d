"""Disputes on the line that stands: what was challenged, and what became of it.

A dispute is about history, so whether one is still open is looked up in the whole log
(`replays.audit.disputes.register`); this is what the line says of it.
"""

from collections.abc import Mapping

import msgspec

from ledger.events import Audience, DisputeOpened, DisputeSettled
from projections.fold import Routes, drop, put


class Challenge(msgspec.Struct, frozen=True, gc=False):
    """What somebody challenges."""

    about: str
    """A key, an entry's number, or ``who.what``."""
    claim: str
    why: str
    seen_by: Audience = None


class Disputes(msgspec.Struct, frozen=True):
    """By id."""

    open: Mapping[str, Challenge] = {}
    settled: Mapping[str, str] = {}
    """What the gamemaster decided: ``upheld``, ``amended`` or ``overruled``."""

    def __contains__(self, dispute: str) -> bool:
        """Was it opened or settled?"""
        return dispute in self.open or dispute in self.settled

    def __len__(self) -> int:
        return len({*self.open, *self.settled})


def _opened(disputes: Disputes, event: DisputeOpened) -> Disputes:
    challenge = Challenge(event.about, event.claim, event.why, event.seen_by)
    return Disputes(put(disputes.open, event.dispute, challenge), disputes.settled)


def _settled(disputes: Disputes, event: DisputeSettled) -> Disputes:
    return Disputes(drop(disputes.open, event.dispute), put(disputes.settled, event.dispute, event.ruling))


ROUTES: Routes = {DisputeOpened: _opened, DisputeSettled: _settled}
