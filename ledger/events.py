"""The closed vocabulary of what can have happened: facts, past tense, the same for every game.

Events carry settled figures, so that folding them needs no rulebook: damage *after* armor, wounds *counted*, order
*with ties broken*, a condition *ended*. A game's own words live in the data: names of tracks, conditions, resources,
figures.

In the log an event is a short array, its name first and who may see it after its own fields. Fields are therefore
only ever appended, after `seen_by`, with a default; names are never changed (`tests/golden` keeps every shape ever
shipped).
"""

from typing import TYPE_CHECKING, Any, Union

import msgspec

from ledger.modifier import Modifier

Json = dict[str, Any]
"""A plain JSON object: a sheet, the terms of a declaration. The rulesets type them."""

Audience = tuple[str, ...] | None
"""None: everyone; empty: the gamemaster; names: also the players of these combatants."""


class Event(msgspec.Struct, frozen=True, array_like=True, tag=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A fact. It cannot be refused."""

    seen_by: Audience = None


# -------------------------------------------------------------------------------- session


class SessionOpened(Event, frozen=True, kw_only=False):
    """A session began; the log knows its own rules from here on."""

    title: str
    ruleset: str
    profile: str
    rules: Json
    """The whole row of the profile, with the session's options."""
    policies: dict[str, str]
    """What the table agreed on, such as ``dice = sticky``."""
    dice_commitment: str
    """Hash of the sealed seed, or empty where dice are not provable."""
    source: str


class SessionClosed(Event, frozen=True, kw_only=False):
    """Nothing more follows."""

    why: str


class CombatantJoined(Event, frozen=True, kw_only=False):
    """Somebody, or a thing that can be harmed or spent, takes part."""

    who: str
    name: str
    player: str
    """The person who rolls for it; ``gm`` is the gamemaster."""
    thing: bool


class SheetGiven(Event, frozen=True, kw_only=False):
    """A combatant's sheet, whole, as it stands from now on."""

    who: str
    sheet: Json


class CombatantLeft(Event, frozen=True, kw_only=False):
    """Somebody takes part no longer."""

    who: str
    why: str


class CombatBegan(Event, frozen=True, kw_only=False):
    """A fight began; `combat` counts them in a session."""

    combat: int
    situation: Json


class CombatEnded(Event, frozen=True, kw_only=False):
    """The fight is over."""

    why: str


class Noted(Event, frozen=True, kw_only=False):
    """Words for the record."""

    text: str
    about: str


# -------------------------------------------------------------------------------- time


class RoundBegan(Event, frozen=True, kw_only=False):
    """The game's full turn of everybody: Action Turn, Combat Turn."""

    round: int


class PassBegan(Event, frozen=True, kw_only=False):
    """A pass within a round: Action Phase, Initiative Pass."""

    number: int


class InitiativeScored(Event, frozen=True, kw_only=False):
    """Somebody's initiative is now this."""

    who: str
    score: int
    key: str
    why: str
    source: str


class OrderFixed(Event, frozen=True, kw_only=False):
    """The order of acting, first to last, ties broken."""

    order: tuple[tuple[str, int], ...]
    """Pairs of (who, score)."""


class TurnBegan(Event, frozen=True, kw_only=False):
    """It is somebody's moment to act."""

    who: str


class ActionSpent(Event, frozen=True, kw_only=False):
    """Part of what somebody may do in this turn is used up."""

    who: str
    action: str
    """The game's word: ``complex``, ``quick``, ``free``, ``simple``."""
    amount: int


class TurnEnded(Event, frozen=True, kw_only=False):
    """Somebody's moment is over."""

    who: str


class TimePassed(Event, frozen=True, kw_only=False):
    """Time outside the fight's own turns."""

    amount: int
    unit: str


# -------------------------------------------------------------------------------- chart


class StepEntered(Event, frozen=True, kw_only=False):
    """The walk came to this box of the printed procedure."""

    chart: str
    box: str
    depth: int
    """How many procedures run around this one."""


# -------------------------------------------------------------------------------- choices, actions


class Option(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that may be chosen."""

    option: str
    label: str
    target: int | None = None
    """The target number it would lead to, where there is one."""


class ChoiceRequested(Event, frozen=True, kw_only=False):
    """The table waits for somebody's choice."""

    key: str
    by: str
    options: tuple[Option, ...]
    default: str | None
    """What is taken when nobody says otherwise, or None where somebody must."""
    purpose: str


class Chosen(Event, frozen=True, kw_only=False):
    """The choice was made."""

    key: str
    option: str
    words: str
    """What the chooser said about it, where the book leaves room."""


class Declared(Event, frozen=True, kw_only=False):
    """Somebody does something: a frame is opened on the stack of exchanges."""

    key: str
    kind: str
    by: str
    terms: Json


class ExchangeEnded(Event, frozen=True, kw_only=False):
    """What was declared is resolved."""

    key: str
    outcome: str


# -------------------------------------------------------------------------------- dice


class RollRequested(Event, frozen=True, kw_only=False):
    """The table waits for dice."""

    key: str
    by: str
    dice: str
    purpose: str
    of: str
    """The exchange it belongs to, or empty."""


class DiceRolled(Event, frozen=True, kw_only=False):
    """These faces lie on the table."""

    key: str
    faces: tuple[int, ...]
    provenance: tuple[str, ...]
    """For each face: ``drawn``, ``typed``, ``scripted`` or ``recorded``."""


class ReadingChanged(Event, frozen=True, kw_only=False):
    """The same dice are read otherwise: a flip, a re-roll, an exploding six."""

    key: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    why: str
    source: str


class ModifierApplied(Event, frozen=True, kw_only=False):
    """One part of a roll's sum."""

    key: str
    value: int
    why: str
    source: str

    @property
    def modifier(self) -> Modifier:
        """As a part of an itemized sum."""
        return Modifier(self.value, self.why, self.source)


class TestResolved(Event, frozen=True, kw_only=False):
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


# -------------------------------------------------------------------------------- figures


class FigureFound(Event, frozen=True, kw_only=False):
    """An intermediate figure that the book names."""

    key: str
    """The roll or exchange it belongs to."""
    name: str
    value: int | str
    why: str
    source: str
    scope: str
    """How long it holds: ``exchange``, ``phase``, ``turn``, ``round`` or ``combatant``."""
    who: str
    """Whose it is, where it outlives the exchange."""


# -------------------------------------------------------------------------------- harm


class TrackOpened(Event, frozen=True, kw_only=False):
    """A track of harm: how much somebody can take."""

    who: str
    track: str
    capacity: int


class DamageTaken(Event, frozen=True, kw_only=False):
    """Harm after everything that reduced it."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class DamageHealed(Event, frozen=True, kw_only=False):
    """Harm that is gone."""

    who: str
    track: str
    amount: int
    key: str
    why: str
    source: str


class WoundSuffered(Event, frozen=True, kw_only=False):
    """Wounds, counted; `kind` is the game's word, ``wounds`` or ``traumas``."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class WoundHealed(Event, frozen=True, kw_only=False):
    """Wounds that are gone."""

    who: str
    track: str
    count: int
    kind: str
    key: str
    why: str
    source: str


class ConditionGained(Event, frozen=True, kw_only=False):
    """Somebody is now prone, stunned, unconscious, and so on."""

    who: str
    condition: str
    level: int | None
    until: str
    """The moment it ends (a round's key, ``r4``), the game's words for what ends it, or empty."""
    key: str
    why: str
    source: str


class ConditionLost(Event, frozen=True, kw_only=False):
    """A condition ended."""

    who: str
    condition: str
    why: str


# -------------------------------------------------------------------------------- resources


class ResourceOpened(Event, frozen=True, kw_only=False):
    """Something countable: ammunition, Edge, Moxie, a pool, a barrier's structure."""

    who: str
    resource: str
    left: int
    of: int


class ResourceSpent(Event, frozen=True, kw_only=False):
    """Some of it is gone."""

    who: str
    resource: str
    amount: int
    key: str
    why: str


class ResourceGained(Event, frozen=True, kw_only=False):
    """Some of it came back."""

    who: str
    resource: str
    amount: int
    key: str
    why: str


# -------------------------------------------------------------------------------- the gamemaster's word


class Overruled(Event, frozen=True, kw_only=False):
    """The gamemaster's word in the place of one figure that the rule found."""

    key: str
    figure: str
    rule_says: int | str
    gm_says: int | str
    why: str


class Adjusted(Event, frozen=True, kw_only=False):
    """The gamemaster set something without a rule: ``tracks.damage``, ``wounds``, ``initiative``, and so on."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None
    why: str


# -------------------------------------------------------------------------------- history, disputes, proof


class Rewound(Event, frozen=True, kw_only=False):
    """The head went back, or forward again, to entry `to`."""

    to: int
    why: str


class Amended(Event, frozen=True, kw_only=False):
    """An old fact was corrected."""

    entry: int
    change: Json
    why: str


class DisputeOpened(Event, frozen=True, kw_only=False):
    """Somebody challenges an entry, a roll or a figure."""

    dispute: str
    about: str
    claim: str
    why: str


class DisputeSettled(Event, frozen=True, kw_only=False):
    """The gamemaster decided: ``upheld``, ``amended`` or ``overruled``."""

    dispute: str
    ruling: str
    entry: int | None
    why: str


class NonceGiven(Event, frozen=True, kw_only=False):
    """A player's own share of the dice's seed."""

    player: str
    nonce: str


class SeedRevealed(Event, frozen=True, kw_only=False):
    """The sealed seed is open: every draw can be checked, none follows."""

    seed: str


class SecretRevealed(Event, frozen=True, kw_only=False):
    """Parts of an earlier entry may be seen by more people from now on; 0 is its command, then its events."""

    entry: int
    parts: tuple[int, ...]
    to: Audience


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""All of them, in the order of this file."""

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007  what a decoder accepts: one of these, told apart by its name
