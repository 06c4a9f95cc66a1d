"""Choices, declarations, dice and the figures that come of them."""

import msgspec

from ledger.events.base import Event, Json
from ledger.modifier import Modifier


class Option(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that may be chosen."""

    option: str
    label: str
    target: int | None = None
    """The target number it would lead to, where there is one."""


class ChoiceRequested(Event, frozen=True, kw_only=False, tag="choice"):
    """The table waits for somebody's choice."""

    key: str
    by: str
    options: tuple[Option, ...]
    default: str | None
    """What is taken when nobody says otherwise, or None where somebody must."""
    purpose: str


class Chosen(Event, frozen=True, kw_only=False, tag="chosen"):
    """The choice was made."""

    key: str
    option: str
    words: str
    """What the chooser said about it, where the book leaves room."""


class Declared(Event, frozen=True, kw_only=False, tag="declared"):
    """Somebody does something: a frame is opened on the stack of exchanges."""

    key: str
    kind: str
    by: str
    terms: Json


class ExchangeEnded(Event, frozen=True, kw_only=False, tag="ended"):
    """What was declared is resolved."""

    key: str
    outcome: str


class RollRequested(Event, frozen=True, kw_only=False, tag="roll"):
    """The table waits for dice."""

    key: str
    by: str
    dice: str
    purpose: str
    of: str
    """The exchange it belongs to, or empty."""


class DiceRolled(Event, frozen=True, kw_only=False, tag="dice"):
    """These faces lie on the table."""

    key: str
    faces: tuple[int, ...]
    provenance: tuple[str, ...]
    """For each face: ``drawn``, ``typed``, ``scripted`` or ``recorded``."""


class DiceTold(Event, frozen=True, kw_only=False, tag="counted"):
    """Dice of which only counts or the total are known: no face is invented for them."""

    key: str
    dice: str
    """What was thrown, such as ``12d6``."""
    counts: dict[str, int]
    """By what was counted: ``total``, ``hits``, ``ones``, ``sixes``."""
    provenance: str
    """Always ``told``: a person counted."""


class ReadingChanged(Event, frozen=True, kw_only=False, tag="reread"):
    """The same dice are read otherwise: a flip, a re-roll, an exploding six."""

    key: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    why: str
    source: str


class ModifierApplied(Event, frozen=True, kw_only=False, tag="modifier"):
    """One part of a roll's sum."""

    key: str
    value: int
    why: str
    source: str

    @property
    def modifier(self) -> Modifier:
        """As a part of an itemized sum."""
        return Modifier(self.value, self.why, self.source)


class TestResolved(Event, frozen=True, kw_only=False, tag="test"):
    """A test's result."""

    key: str
    base: int
    target: int
    rolled: int
    """What the dice came to: a total, or hits."""
    margin: int
    """Positive is good for the roller."""
    outcome: str
    source: str


class FigureFound(Event, frozen=True, kw_only=False, tag="figure"):
    """An intermediate figure that the book names."""

    key: str
    """The roll or exchange it belongs to."""
    name: str
    value: int | str
    why: str
    """Empty where it only keeps something in mind, and is not worth telling."""
    source: str
    scope: str
    """How long it holds: ``exchange``, ``phase``, ``turn``, ``round`` or ``combatant``."""
    who: str
    """Whose it is, where it outlives the exchange."""
