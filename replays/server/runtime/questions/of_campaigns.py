"""Questions about one session that a campaign asks of each of its sessions; see `replays.campaigns`.

They wait among the long questions, so that they delay no brief one.
"""

from fractions import Fraction
from typing import Any, ClassVar

import msgspec

from replays.api.session import Session
from replays.audit.disputes.precedents import Precedent
from replays.campaigns.appearances import SessionAppearances, appearances
from replays.campaigns.campaign import rulings
from replays.campaigns.luck import dice
from replays.odds.luck import DiceOnRecord
from replays.server.callers.seat_token import Caller
from replays.server.runtime.questions.of_sessions import SessionQuestion


class AppearancesOf(SessionQuestion, frozen=True):
    """Asks who took part in a session, and how they stood at its end."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:  # noqa: ARG002  the host sees everything
        """Returns the appearances."""
        return appearances(session)

    @staticmethod
    def decode(answer: bytes) -> SessionAppearances:
        """Decodes the answer."""
        return msgspec.json.decode(answer, type=SessionAppearances)


class DiceOf(SessionQuestion, frozen=True):
    """Asks for the dice of a session, and the probability of each test."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:  # noqa: ARG002
        """Returns the dice; probabilities are fractions in text, so that they stay exact."""
        return msgspec.to_builtins(dice(session), enc_hook=str)

    @staticmethod
    def decode(answer: bytes) -> DiceOnRecord:
        """Decodes the answer."""
        return msgspec.json.decode(answer, type=DiceOnRecord, dec_hook=lambda _, text: Fraction(text))


class RulingsOf(SessionQuestion, frozen=True):
    """Asks for the rulings of a session."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:  # noqa: ARG002
        """Returns the rulings."""
        return rulings(session)

    @staticmethod
    def decode(answer: bytes) -> tuple[Precedent, ...]:
        """Decodes the answer."""
        return msgspec.json.decode(answer, type=tuple[Precedent, ...])
