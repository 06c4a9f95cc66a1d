"""Questions that may take long to answer, as values that are sent to a worker process and answered there.

No question writes anything, so a question may be given up half-way or asked twice.
"""

from collections.abc import Hashable
from typing import Any, ClassVar

import msgspec

from ledger.commands import Declare
from replays.api.session import Session
from replays.corrections.change import Change, EntryChange
from replays.exports import documents
from replays.odds.fight.limits import SAMPLES
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Scope

STEPS = 256_000
"""The bytes of JSON after which a page of steps is full; the step that exceeds it is still part of the page."""


class SessionQuestion(msgspec.Struct, frozen=True):
    """A question about a session."""

    is_brief: ClassVar[bool] = True
    """Whether it is usually answered at once; brief questions do not wait behind long ones."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the answer as the caller may see it, ready to be encoded."""
        raise NotImplementedError


class WhyOf(SessionQuestion, frozen=True):
    """Asks why a number has its value."""

    of: str
    at: int | None = None

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the explanation."""
        return session.why(self.of, caller.eyes(session.combat), at=self.at)


class OutlineOf(SessionQuestion, frozen=True):
    """Asks for the record as a whole, for a page that replays it."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the outline."""
        return session.outline(caller.eyes(session.combat))


class ReplayOf(SessionQuestion, frozen=True):
    """Asks for the record as one HTML file."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the text of the file."""
        token = caller.token
        name = token.name if token.seat is Scope.PLAYER else ""
        return session.replay_page(caller.eyes(session.combat), token.seat.value, name).decode()


class StepsOf(SessionQuestion, frozen=True):
    """Asks for entries, each with what it changes."""

    after: int
    limit: int

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the steps."""
        return session.steps(self.after, self.limit, caller.eyes(session.combat), size=STEPS)


class OddsOf(SessionQuestion, frozen=True):
    """Asks for the odds of an open roll or of a declaration."""

    is_brief: ClassVar[bool] = False
    key: str | None
    declare: Declare | None
    choices: dict[str, str]
    seed: int

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the odds."""
        eyes = caller.eyes(session.combat)
        found = session.odds(self.key, declare=self.declare, choices=self.choices, seed=self.seed, eyes=eyes)
        return documents.odds(found)


class ChancesOf(SessionQuestion, frozen=True):
    """Asks who is standing at the end of the fight, as estimated after an entry."""

    is_brief: ClassVar[bool] = False
    at: int | None = None
    samples: int = SAMPLES
    """How many times the fight is played, at most."""

    def as_of(self, session: Session, caller: Caller) -> "tuple[ChancesOf, Hashable]":
        """Returns the same question about an entry that is named, and what its answer depends on.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        log = session.log
        entry = log.last if self.at is None else self.at
        log.check(entry)
        depends = log.session, entry, log.digest_of(entry), log.disclosures.count, caller.eyes(session.combat)
        return msgspec.structs.replace(self, at=entry), (type(self), *depends)

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the chances."""
        return session.chances(self.at, caller.eyes(session.combat), samples=self.samples)


class LuckOf(SessionQuestion, frozen=True):
    """Asks how the faces of the dice compare with the expected ones."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the comparison."""
        return documents.chances(session.luck(caller.eyes(session.combat)))


class RecapOf(SessionQuestion, frozen=True):
    """Asks who went down, for the turning points, for luck and for corrections."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the recap."""
        return documents.chances(session.recap(caller.eyes(session.combat)))


class AuditOf(SessionQuestion, frozen=True):
    """Asks whether the record is intact and the dice are honest."""

    head: str | None

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the findings."""
        return session.audit(self.head and self.head.lower(), caller.eyes(session.combat))


class AllDisputes(SessionQuestion, frozen=True):
    """Asks for the disputes, open and settled."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the list."""
        return session.disputes(caller.eyes(session.combat))


class OneDispute(SessionQuestion, frozen=True):
    """Asks for one dispute with its evidence and the consequences of its claim."""

    dispute: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the dispute."""
        return session.dispute(self.dispute, caller.eyes(session.combat))


class PreviewOf(SessionQuestion, frozen=True):
    """Asks what an amendment would change."""

    entry: int | str
    change: Change
    why: str
    consent: bool

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the report; a caller other than the gamemaster does not learn whether the entry exists."""
        return session.preview(self.entry, self.change, why=self.why, by=caller.who, consent=self.consent)


class WhatIfOf(SessionQuestion, frozen=True):
    """Asks what another course of events would have led to."""

    entry: int | str
    change: Change

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the report."""
        return session.whatif(self.entry, self.change, by=caller.who)


class BranchOf(SessionQuestion, frozen=True):
    """Asks for the line that some changes lead to."""

    is_brief: ClassVar[bool] = False
    changes: tuple[EntryChange, ...]
    upto: int | None
    since: int | None
    after: int

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the branch; a caller other than the gamemaster does not learn whether its entries exist."""
        options: dict[str, Any] = {"upto": self.upto, "since": self.since, "after": self.after, "size": STEPS}
        return session.branch(self.changes, by=caller.who, **options)
