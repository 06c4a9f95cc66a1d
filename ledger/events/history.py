"""The gamemaster's word, rewinding, correcting, disputes, and the proof of the dice."""

from ledger.events.base import Audience, Event, Json


class Overruled(Event, frozen=True, kw_only=False, tag="overruled"):
    """The gamemaster's word in the place of one figure that the rule found."""

    key: str
    figure: str
    rule_says: int | str
    gm_says: int | str
    why: str


class Adjusted(Event, frozen=True, kw_only=False, tag="adjusted"):
    """The gamemaster set something without a rule: ``tracks.damage``, ``wounds``, ``initiative``, and so on."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None
    why: str


class Rewound(Event, frozen=True, kw_only=False, tag="rewound"):
    """The head went back, or forward again, to entry `to`."""

    to: int
    why: str


class Amended(Event, frozen=True, kw_only=False, tag="amended"):
    """An old fact was corrected."""

    entry: int
    change: Json
    why: str


class DisputeOpened(Event, frozen=True, kw_only=False, tag="dispute"):
    """Somebody challenges an entry, a roll or a figure."""

    dispute: str
    about: str
    claim: str
    why: str


class DisputeSettled(Event, frozen=True, kw_only=False, tag="settled"):
    """The gamemaster decided: ``upheld``, ``amended`` or ``overruled``."""

    dispute: str
    ruling: str
    entry: int | None
    why: str


class NonceGiven(Event, frozen=True, kw_only=False, tag="nonce"):
    """A player's own share of the dice's seed."""

    player: str
    nonce: str


class SeedRevealed(Event, frozen=True, kw_only=False, tag="seed"):
    """The sealed seed is open: every draw can be checked, none follows."""

    seed: str


class SecretRevealed(Event, frozen=True, kw_only=False, tag="revealed"):
    """Parts of an earlier entry may be seen by more people from now on; 0 is its command, then its events."""

    entry: int
    parts: tuple[int, ...]
    to: Audience
