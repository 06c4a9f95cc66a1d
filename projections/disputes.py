"""The disputes of the current branch, open and settled.

A dispute is about history, so whether one is still open is looked up in the whole log
(`replays.audit.disputes.register`); this projection knows only the current branch.
"""

from collections.abc import Mapping

import msgspec

from ledger.events import Audience, DisputeOpened, DisputeSettled
from projections.fold import Routes, drop, put


class OpenChallenge(msgspec.Struct, frozen=True, gc=False):
    """An open dispute."""

    about: str
    """A key, the number of an entry, or ``who.what``."""
    claim: str
    why: str
    seen_by: Audience = None


class Disputes(msgspec.Struct, frozen=True):
    """The disputes by id."""

    open: Mapping[str, OpenChallenge] = {}
    settled: Mapping[str, str] = {}
    """The gamemaster's decisions: ``upheld``, ``amended`` or ``overruled``."""

    def __contains__(self, dispute: str) -> bool:
        """Returns whether a dispute is open or settled."""
        return dispute in self.open or dispute in self.settled

    def __len__(self) -> int:
        return len({*self.open, *self.settled})


def _opened(disputes: Disputes, event: DisputeOpened) -> Disputes:
    challenge = OpenChallenge(event.about, event.claim, event.why, event.seen_by)
    return Disputes(put(disputes.open, event.dispute, challenge), disputes.settled)


def _settled(disputes: Disputes, event: DisputeSettled) -> Disputes:
    return Disputes(drop(disputes.open, event.dispute), put(disputes.settled, event.dispute, event.ruling))


ROUTES: Routes = {DisputeOpened: _opened, DisputeSettled: _settled}
