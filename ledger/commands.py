"""The closed vocabulary of what can be asked for: imperative, and it may be refused.

In the log a command is an object with its ``type``; fields at their default are left out.
"""

from typing import TYPE_CHECKING, Annotated, Union

import msgspec

from ledger.events import Audience, Json

Number = Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
"""A figure that somebody gives."""


class Command(
    msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """What somebody wants."""

    seen_by: Audience = None
    """Who may see that it was asked, and what follows from it in secret."""
    given_at: str | None = None
    """The key of the rest that was open when it was given, for commands that answer none."""


# -------------------------------------------------------------------------------- session


class OpenSession(Command, frozen=True, kw_only=False):
    """Begin a session under a ruleset."""

    title: str
    ruleset: str
    profile: str = ""
    """Empty: the ruleset's default."""
    options: Json = {}
    """Profile fields set differently for this session."""
    policies: dict[str, str] = {}
    dice_commitment: str = ""
    source: str = ""
    campaign: str = ""
    """The campaign that the session belongs to; empty: none."""


class CloseSession(Command, frozen=True, kw_only=False):
    """End the session for good."""

    why: str = ""


class Join(Command, frozen=True, kw_only=False):
    """Bring a combatant, or a thing that can be harmed, into the session."""

    who: str
    sheet: Json
    name: str = ""
    player: str = "gm"
    thing: bool = False
    sheet_seen_by: Audience = None
    """Who may see the sheet, where it is more of a secret than the combatant."""
    side: str = ""
    """The side that the combatant fights on; empty: not said."""
    unseen: bool = False
    """Join in secret under an id that tells nothing; the name is sealed until it is revealed."""


class Leave(Command, frozen=True, kw_only=False):
    """Take a combatant out."""

    who: str
    why: str = ""


class AmendSheet(Command, frozen=True, kw_only=False):
    """Give a combatant a new sheet from now on."""

    who: str
    sheet: Json
    why: str = ""


class BeginCombat(Command, frozen=True, kw_only=False):
    """Begin a fight among those who are here."""

    situation: Json = {}


class EndCombat(Command, frozen=True, kw_only=False):
    """End the fight."""

    why: str = ""


# -------------------------------------------------------------------------------- play


class Declare(Command, frozen=True, kw_only=False):
    """Do something: attack, aim, wait, end the turn."""

    kind: str
    by: str
    terms: Json = {}


class Choose(Command, frozen=True, kw_only=False):
    """Answer an open choice."""

    key: str
    option: str
    words: str = ""


class TypeDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with the faces that lie on the table."""

    key: str
    faces: tuple[int, ...]
    provenance: tuple[str, ...] = ()
    """For each face; empty: all typed."""


class TellDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with what a person counted, where the faces are not known."""

    key: str
    counts: dict[str, Number]
    """By what was counted: ``total``, ``hits``, ``ones``, ``sixes``."""


class DrawDice(Command, frozen=True, kw_only=False):
    """Let the engine roll; the door fills in the faces."""

    key: str
    faces: tuple[int, ...] = ()
    provenance: tuple[str, ...] = ()


class ApplyModifier(Command, frozen=True, kw_only=False):
    """The gamemaster's modifier on a roll."""

    key: str
    value: Number
    why: str


class Overrule(Command, frozen=True, kw_only=False):
    """The gamemaster's word against the rule: this figure is that."""

    key: str
    figure: str
    value: Number | str
    why: str


class Adjust(Command, frozen=True, kw_only=False):
    """Set something without a rule; `value` None ends a condition."""

    who: str
    what: str
    value: Number | str | None
    why: str


class PassTime(Command, frozen=True, kw_only=False):
    """Let time pass outside the fight's turns."""

    amount: Number
    unit: str
    why: str = ""


class Note(Command, frozen=True, kw_only=False):
    """Words for the record."""

    text: str
    about: str = ""


# -------------------------------------------------------------------------------- history, disputes, proof


class Rewind(Command, frozen=True, kw_only=False):
    """Make entry `to` the last that stands."""

    to: int
    why: str = ""


class Amend(Command, frozen=True, kw_only=False):
    """Correct an old fact."""

    entry: int
    change: Json
    why: str


class OpenDispute(Command, frozen=True, kw_only=False):
    """Challenge an entry, a roll or a figure."""

    about: str
    """A key, an entry's number or ``who.what``."""
    why: str
    claim: str = ""
    """What should be instead, in words or as a change."""
    dispute: str = ""
    """Its id; the door fills it in, counting all disputes of the log."""


class SettleDispute(Command, frozen=True, kw_only=False):
    """Decide a dispute."""

    dispute: str
    ruling: str
    why: str
    entry: int | None = None


class GiveNonce(Command, frozen=True, kw_only=False):
    """Add a player's share to the dice's seed."""

    player: str
    nonce: str


class Reveal(Command, frozen=True, kw_only=False):
    """Open the dice's seed, or parts of an earlier entry."""

    entry: int | None = None
    parts: tuple[int, ...] = ()
    to: Audience = None
    seed: str = ""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All of them, in the order of this file."""

if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = Union[COMMANDS]  # noqa: UP007  what a decoder accepts: one of these, told apart by its type
