"""Events of overruling, adjusting, rewinding, amending, disputes, disclosure and the dice proof."""

from ledger.events.base import Audience, Event, Json


class Overruled(Event, frozen=True, kw_only=False, tag="overruled"):
    """The gamemaster replaced a figure that the rules found."""

    key: str
    figure: str
    rule_says: int | str
    gm_says: int | str
    why: str


class Adjusted(Event, frozen=True, kw_only=False, tag="adjusted"):
    """The gamemaster set a value without a rule: ``tracks.damage``, ``wounds``, ``initiative``, and so on."""

    who: str
    what: str
    before: int | str | None
    after: int | str | None
    why: str


class Rewound(Event, frozen=True, kw_only=False, tag="rewound"):
    """The head of the log moved to entry `to`: undo or redo."""

    to: int
    why: str


class Amended(Event, frozen=True, kw_only=False, tag="amended"):
    """An earlier entry was corrected."""

    entry: int
    change: Json
    why: str


class DisputeOpened(Event, frozen=True, kw_only=False, tag="dispute"):
    """A person disputed an entry, a roll or a figure."""

    dispute: str
    about: str
    claim: str
    why: str


class DisputeSettled(Event, frozen=True, kw_only=False, tag="settled"):
    """The gamemaster settled a dispute: ``upheld``, ``amended`` or ``overruled``."""

    dispute: str
    ruling: str
    entry: int | None
    why: str


class NonceGiven(Event, frozen=True, kw_only=False, tag="nonce"):
    """A player contributed to the dice's seed."""

    player: str
    nonce: str


class SeedRevealed(Event, frozen=True, kw_only=False, tag="seed"):
    """The sealed seed was disclosed: every draw can be verified, and no more are made."""

    seed: str


class SecretRevealed(Event, frozen=True, kw_only=False, tag="revealed"):
    """Parts of an earlier entry are visible to more people from now on; 0 is its command, then its events."""

    entry: int
    parts: tuple[int, ...]
    to: Audience
