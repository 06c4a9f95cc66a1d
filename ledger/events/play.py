"""Events of choices, declarations, dice, tests and figures."""

import msgspec

from ledger.events.base import Event, Json
from ledger.modifier import Modifier


class Option(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One option of a choice."""

    option: str
    label: str
    target: int | None = None
    """The target number that the option would lead to, if there is one."""


class ChoiceRequested(Event, frozen=True, kw_only=False, tag="choice"):
    """A combatant has to choose."""

    key: str
    by: str
    options: tuple[Option, ...]
    default: str | None
    """The option taken by scripts and automation; None if a person must choose."""
    purpose: str


class Chosen(Event, frozen=True, kw_only=False, tag="chosen"):
    """A choice was made."""

    key: str
    option: str
    words: str
    """The chooser's free description, if the book allows one."""


class Declared(Event, frozen=True, kw_only=False, tag="declared"):
    """A combatant declared an action: opens a frame on the stack of exchanges."""

    key: str
    kind: str
    by: str
    terms: Json


class ExchangeEnded(Event, frozen=True, kw_only=False, tag="ended"):
    """A declared action was resolved."""

    key: str
    outcome: str


class RollRequested(Event, frozen=True, kw_only=False, tag="roll"):
    """A combatant has to roll dice."""

    key: str
    by: str
    dice: str
    purpose: str
    of: str
    """The key of the exchange that the roll belongs to; may be empty."""


class DiceRolled(Event, frozen=True, kw_only=False, tag="dice"):
    """Dice were rolled."""

    key: str
    faces: tuple[int, ...]
    provenance: tuple[str, ...]
    """The origin of each face: ``drawn``, ``typed``, ``scripted`` or ``recorded``."""


class DiceTold(Event, frozen=True, kw_only=False, tag="counted"):
    """Dice were rolled of which only counts or the total are known; the faces stay unknown."""

    key: str
    dice: str
    """The dice, such as ``12d6``."""
    counts: dict[str, int]
    """Counts by name: ``total``, ``hits``, ``ones``, ``sixes``."""
    provenance: str
    """Always ``told``: a person counted the dice."""


class ReadingChanged(Event, frozen=True, kw_only=False, tag="reread"):
    """The result of a roll changed: a flip, a re-roll, an exploding six."""

    key: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    why: str
    source: str


class ModifierApplied(Event, frozen=True, kw_only=False, tag="modifier"):
    """A modifier was applied to a roll."""

    key: str
    value: int
    why: str
    source: str

    @property
    def modifier(self) -> Modifier:
        """The event as a part of an itemized sum."""
        return Modifier(self.value, self.why, self.source)


class TestResolved(Event, frozen=True, kw_only=False, tag="test"):
    """A test was resolved."""

    key: str
    base: int
    target: int
    rolled: int
    """The result of the dice: a total, or a number of hits."""
    margin: int
    """Positive if it favors the roller."""
    outcome: str
    source: str


class FigureFound(Event, frozen=True, kw_only=False, tag="figure"):
    """A rule determined a number or a word that later rules read."""

    key: str
    """The roll or exchange that the figure belongs to."""
    name: str
    value: int | str
    why: str
    """The reason; empty for a figure that rules use internally, which is not narrated."""
    source: str
    scope: str
    """How long the figure is valid: ``exchange``, ``phase``, ``turn``, ``round`` or ``combatant``."""
    who: str
    """The combatant it belongs to, if it outlives the exchange."""
