"""The closed vocabulary of what can be asked for: imperative, and it may be refused.

In the log a command is an object with its ``type``; fields at their default are left out.
"""

from typing import TYPE_CHECKING, Union

import msgspec

from ledger.bounds import (
    Agreements,
    Amount,
    Change,
    Counts,
    Faces,
    Figure,
    Id,
    Key,
    LongText,
    Nonce,
    Number,
    Object,
    Origins,
    Parts,
    Title,
    Viewers,
    Words,
)


class Command(
    msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """What somebody wants."""

    seen_by: Viewers = None
    """Who may see that it was asked, and what follows from it in secret."""
    given_at: Key | None = None
    """The key of the rest that was open when it was given, for commands that answer none."""


# -------------------------------------------------------------------------------- session


class OpenSession(Command, frozen=True, kw_only=False):
    """Begin a session under a ruleset."""

    title: Title
    ruleset: Id
    profile: Title = ""
    """Empty: the ruleset's default."""
    options: Object = {}
    """Profile fields set differently for this session."""
    policies: Agreements = {}
    dice_commitment: Id = ""
    source: Words = ""
    campaign: Title = ""
    """The campaign that the session belongs to; empty: none."""


class CloseSession(Command, frozen=True, kw_only=False):
    """End the session for good."""

    why: Words = ""


class Join(Command, frozen=True, kw_only=False):
    """Bring a combatant, or a thing that can be harmed, into the session."""

    who: Id
    sheet: Object
    name: Title = ""
    player: Title = "gm"
    thing: bool = False
    sheet_seen_by: Viewers = None
    """Who may see the sheet, where it is more of a secret than the combatant."""
    side: Title = ""
    """The side that the combatant fights on; empty: not said."""
    unseen: bool = False
    """Join in secret under an id that tells nothing; the name is sealed until it is revealed."""
    alias: Id = ""
    """Of one who joins in secret: the id that was typed, by which those who know of them may go on naming them."""


class Leave(Command, frozen=True, kw_only=False):
    """Take a combatant out."""

    who: Id
    why: Words = ""


class AmendSheet(Command, frozen=True, kw_only=False):
    """Give a combatant a new sheet from now on."""

    who: Id
    sheet: Object
    why: Words = ""


class BeginCombat(Command, frozen=True, kw_only=False):
    """Begin a fight among those who are here."""

    situation: Object = {}


class EndCombat(Command, frozen=True, kw_only=False):
    """End the fight."""

    why: Words = ""


# -------------------------------------------------------------------------------- play


class Declare(Command, frozen=True, kw_only=False):
    """Do something: attack, aim, wait, end the turn."""

    kind: Id
    by: Id
    terms: Object = {}


class Choose(Command, frozen=True, kw_only=False):
    """Answer an open choice."""

    key: Key
    option: Key
    words: Words = ""


class TypeDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with the faces that lie on the table."""

    key: Key
    faces: Faces
    provenance: Origins = ()
    """For each face; empty: all typed."""


class TellDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with what a person counted, where the faces are not known."""

    key: Key
    counts: Counts
    """By what was counted: ``total``, ``hits``, ``ones``, ``sixes``."""


class DrawDice(Command, frozen=True, kw_only=False):
    """Let the engine roll; the door fills in the faces."""

    key: Key
    faces: Faces = ()
    provenance: Origins = ()


class ApplyModifier(Command, frozen=True, kw_only=False):
    """The gamemaster's modifier on a roll."""

    key: Key
    value: Figure
    why: Words


class Overrule(Command, frozen=True, kw_only=False):
    """The gamemaster's word against the rule: this figure is that."""

    key: Key
    figure: Key
    value: Figure | Key
    why: Words


class Adjust(Command, frozen=True, kw_only=False):
    """Set something without a rule; `value` None ends a condition."""

    who: Id
    what: Key
    value: Figure | Key | None
    why: Words


class PassTime(Command, frozen=True, kw_only=False):
    """Let time pass outside the fight's turns."""

    amount: Amount
    unit: Id
    why: Words = ""


class Note(Command, frozen=True, kw_only=False):
    """Words for the record."""

    text: LongText
    about: Key = ""


# -------------------------------------------------------------------------------- history, disputes, proof


class Rewind(Command, frozen=True, kw_only=False):
    """Make entry `to` the last that stands."""

    to: Number
    why: Words = ""


class Amend(Command, frozen=True, kw_only=False):
    """Correct an old fact."""

    entry: Number
    change: Change
    why: Words


class OpenDispute(Command, frozen=True, kw_only=False):
    """Challenge an entry, a roll or a figure."""

    about: Key
    """A key, an entry's number or ``who.what``."""
    why: Words
    claim: Words = ""
    """What should be instead, in words or as a change."""
    dispute: Id = ""
    """Its id; the door fills it in, counting all disputes of the log."""


class SettleDispute(Command, frozen=True, kw_only=False):
    """Decide a dispute."""

    dispute: Id
    ruling: Id
    why: Words
    entry: Number | None = None


class GiveNonce(Command, frozen=True, kw_only=False):
    """Add a player's share to the dice's seed."""

    player: Nonce
    nonce: Nonce
    agreed: bool = False
    """Has the table agreed that the gamemaster gives it for the player?"""


class Reveal(Command, frozen=True, kw_only=False):
    """Open the dice's seed, or parts of an earlier entry."""

    entry: Number | None = None
    parts: Parts = ()
    to: Viewers = None
    seed: Id = ""
    who: Id = ""
    """A combatant who joined in secret: that they are here, and what is so of them."""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All of them, in the order of this file."""

if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = Union[COMMANDS]  # noqa: UP007  what a decoder accepts: one of these, told apart by its type
