"""The commands: the closed list of requests that can change a session. A command may be refused.

In the log a command is an object with its ``type``; fields with their default value are omitted.
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
    """Base of all commands."""

    seen_by: Viewers = None
    """Who may see the command and its secret consequences."""
    given_at: Key | None = None
    """The key of the rest that was open when the command was given, for commands that answer no rest."""


# -------------------------------------------------------------------------------- session


class OpenSession(Command, frozen=True, kw_only=False):
    """Begin a session with a ruleset."""

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
    """The campaign that the session belongs to; empty if none."""


class CloseSession(Command, frozen=True, kw_only=False):
    """Close the session permanently."""

    why: Words = ""


class RenameSession(Command, frozen=True, kw_only=False):
    """Give the session another title."""

    title: Title


class Join(Command, frozen=True, kw_only=False):
    """Bring a combatant, or a thing that can be harmed, into the session."""

    who: Id
    sheet: Object
    name: Title = ""
    player: Title = "gm"
    thing: bool = False
    sheet_seen_by: Viewers = None
    """Who may see the sheet, if fewer people than may see the combatant."""
    side: Title = ""
    """The side that the combatant fights on; empty if it has none."""
    unseen: bool = False
    """Join in secret under a neutral id; the name stays hidden until it is revealed."""
    alias: Id = ""
    """For a combatant who joins in secret: the typed id, which those who may see the combatant can still use."""


class Leave(Command, frozen=True, kw_only=False):
    """Remove a combatant from the session."""

    who: Id
    why: Words = ""


class AmendSheet(Command, frozen=True, kw_only=False):
    """Replace a combatant's sheet from now on."""

    who: Id
    sheet: Object
    why: Words = ""


class BeginCombat(Command, frozen=True, kw_only=False):
    """Begin a fight among the combatants who have joined."""

    situation: Object = {}


class EndCombat(Command, frozen=True, kw_only=False):
    """End the fight."""

    why: Words = ""


# -------------------------------------------------------------------------------- play


class Declare(Command, frozen=True, kw_only=False):
    """Begin an action: attack, aim, wait, end the turn."""

    kind: Id
    by: Id
    terms: Object = {}


class Choose(Command, frozen=True, kw_only=False):
    """Answer an open choice."""

    key: Key
    option: Key
    words: Words = ""


class TypeDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with the faces of physical dice."""

    key: Key
    faces: Faces
    provenance: Origins = ()
    """Where each face comes from; empty if all were typed."""


class TellDice(Command, frozen=True, kw_only=False):
    """Answer an open roll with counts or a total, if the faces are not known."""

    key: Key
    counts: Counts
    """Counts by name: ``total``, ``hits``, ``ones``, ``sixes``."""


class DrawDice(Command, frozen=True, kw_only=False):
    """Let the engine roll; the session fills in the faces."""

    key: Key
    faces: Faces = ()
    provenance: Origins = ()


class ApplyModifier(Command, frozen=True, kw_only=False):
    """Add a modifier of the gamemaster to a roll."""

    key: Key
    value: Figure
    why: Words


class Overrule(Command, frozen=True, kw_only=False):
    """Replace a figure that the rules found by the gamemaster's value."""

    key: Key
    figure: Key
    value: Figure | Key
    why: Words


class Adjust(Command, frozen=True, kw_only=False):
    """Set a value without a rule; `value` None ends a condition."""

    who: Id
    what: Key
    value: Figure | Key | None
    why: Words


class PassTime(Command, frozen=True, kw_only=False):
    """Let time pass outside the turns of a fight."""

    amount: Amount
    unit: Id
    why: Words = ""


class Note(Command, frozen=True, kw_only=False):
    """Record a note."""

    text: LongText
    about: Key = ""


# -------------------------------------------------------------------------------- history, disputes, proof


class Rewind(Command, frozen=True, kw_only=False):
    """Make entry `to` the head of the log: undo or redo."""

    to: Number
    why: Words = ""


class Amend(Command, frozen=True, kw_only=False):
    """Correct an earlier entry."""

    entry: Number
    change: Change
    why: Words


class OpenDispute(Command, frozen=True, kw_only=False):
    """Challenge an entry, a roll or a figure."""

    about: Key
    """A key, the number of an entry, or ``who.what``."""
    why: Words
    claim: Words = ""
    """What should be recorded instead, in words or as a change."""
    dispute: Id = ""
    """The id of the dispute; the session fills it in, counting all disputes of the log."""


class SettleDispute(Command, frozen=True, kw_only=False):
    """Decide a dispute."""

    dispute: Id
    ruling: Id
    why: Words
    entry: Number | None = None


class GiveNonce(Command, frozen=True, kw_only=False):
    """Add a player's contribution to the dice's seed."""

    player: Nonce
    nonce: Nonce
    agreed: bool = False
    """Whether the table agreed that the gamemaster gives the nonce for the player."""


class Reveal(Command, frozen=True, kw_only=False):
    """Disclose the dice's seed, parts of an earlier entry, or a hidden combatant."""

    entry: Number | None = None
    parts: Parts = ()
    to: Viewers = None
    seed: Id = ""
    who: Id = ""
    """A combatant who joined in secret: discloses their presence and their state."""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All commands, in the order of this file."""

if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = Union[COMMANDS]  # noqa: UP007  the union that a decoder accepts; the type distinguishes its members
