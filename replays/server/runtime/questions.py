"""Questions that may take long to answer, as values: they are sent to another process and answered there.

None of them writes anything, so one that is given up half-way, or asked twice, does no harm.
"""

from typing import Any, ClassVar

import msgspec

from ledger.commands import Declare
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports import documents
from replays.server.callers.seat_token import Caller


class Question(msgspec.Struct, frozen=True):
    """Something to be found out about a session."""

    is_brief: ClassVar[bool] = True
    """Is it mostly answered at once? Then it does not wait behind those that are not."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the answer as the caller may see it, ready to be encoded."""
        raise NotImplementedError


class WhyOf(Question, frozen=True):
    """Why a number is what it is."""

    of: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the explanation."""
        return session.why(self.of, caller.eyes(session.combat))


class OddsOf(Question, frozen=True):
    """What may come of an open roll or of a declaration."""

    is_brief: ClassVar[bool] = False
    key: str | None
    declare: Declare | None
    choices: dict[str, str]
    seed: int

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the chances."""
        eyes = caller.eyes(session.combat)
        found = session.odds(self.key, declare=self.declare, choices=self.choices, seed=self.seed, eyes=eyes)
        return {"what_if": True, **documents.chances(found)}


class LuckOf(Question, frozen=True):
    """What the dice showed beside what was expected."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the comparison."""
        return documents.chances(session.luck(caller.eyes(session.combat)))


class AuditOf(Question, frozen=True):
    """Whether the record is whole and the dice are honest."""

    head: str | None

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the findings."""
        return session.audit(self.head and self.head.lower(), caller.eyes(session.combat))


class AllDisputes(Question, frozen=True):
    """The disputes, open and settled."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the list."""
        return session.disputes(caller.eyes(session.combat))


class OneDispute(Question, frozen=True):
    """One dispute with its evidence, and what would come of the claim."""

    dispute: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the dispute."""
        return session.dispute(self.dispute, caller.eyes(session.combat))


class PreviewOf(Question, frozen=True):
    """What an amendment would come to."""

    entry: int | str
    change: Change
    why: str
    consent: bool

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the report; nobody but the gamemaster is even told whether there is such an entry."""
        return session.preview(self.entry, self.change, why=self.why, by=caller.who, consent=self.consent)


class WhatIfOf(Question, frozen=True):
    """What would have come of something else."""

    entry: int | str
    change: Change

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the report."""
        return session.whatif(self.entry, self.change, by=caller.who)
