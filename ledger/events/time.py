"""Rounds, passes, turns, and the chart's boxes."""

from ledger.events.base import Event


class RoundBegan(Event, frozen=True, kw_only=False, tag="round"):
    """The game's full turn of everybody: Action Turn, Combat Turn."""

    round: int


class PassBegan(Event, frozen=True, kw_only=False, tag="pass"):
    """A pass within a round: Action Phase, Initiative Pass."""

    number: int


class InitiativeScored(Event, frozen=True, kw_only=False, tag="initiative"):
    """Somebody's initiative is now this."""

    who: str
    score: int
    key: str
    why: str
    source: str


class OrderFixed(Event, frozen=True, kw_only=False, tag="order"):
    """The order of acting, first to last, ties broken."""

    order: tuple[tuple[str, int], ...]
    """Pairs of (who, score)."""


class TurnBegan(Event, frozen=True, kw_only=False, tag="turn"):
    """It is somebody's moment to act."""

    who: str


class ActionSpent(Event, frozen=True, kw_only=False, tag="action"):
    """Part of what somebody may do in this turn is used up."""

    who: str
    action: str
    """The game's word: ``complex``, ``quick``, ``free``, ``simple``."""
    amount: int


class TurnEnded(Event, frozen=True, kw_only=False, tag="done"):
    """Somebody's moment is over."""

    who: str


class TimePassed(Event, frozen=True, kw_only=False, tag="time"):
    """Time outside the fight's own turns."""

    amount: int
    unit: str


class StepEntered(Event, frozen=True, kw_only=False, tag="step"):
    """The walk came to this box of the printed procedure."""

    chart: str
    box: str
    depth: int
    """How many procedures run around this one."""
