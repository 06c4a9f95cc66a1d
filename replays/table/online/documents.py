"""The documents of the table: what it asks, what it understands of a line, and what a line wrote and found."""

import msgspec

from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.precedents import Precedent
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.corrections.diff import Report
from replays.exports.documents import OddsDocument
from replays.odds.luck import Luck


class TableAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to the open choice, or a declaration that the rules offer."""

    line: str
    """The line to send for it: its number, or its words; empty if it is refused."""
    word: str
    """The word of the option, or the kind of declaration."""
    label: str
    target: int | None = None
    """The target number of the roll that follows, or its number of dice; absent where there is none."""
    against: str = ""
    """The combatant that a declaration names first; absent if it names none."""
    refused: str = ""
    """Why it is not allowed: slug and message; absent if it is."""
    is_default: bool = False
    """Whether an empty line means it."""
    is_act: bool = False
    """Whether it declares something, whose terms may follow in the line."""


class TableRoll(msgspec.Struct, frozen=True, omit_defaults=True):
    """A roll that the table is waiting for."""

    key: str
    short: str
    """A shorthand of the key, for typing: `kade 45`."""
    by: str
    name: str
    purpose: str
    dice: str
    missing: str
    """The dice that are still to be thrown."""
    words: str
    """The roll in words."""
    target: int | None = None
    """What it is rolled against; absent where there is nothing, or it is hidden."""
    is_partial: bool = False
    """Whether a part of the target is hidden, so that `target` is the sum of the visible parts."""
    known: tuple[int, ...] = ()
    """Faces that are known already."""
    counts: tuple[str, ...] = ()
    """The counts that may be typed in place of the faces, such as `hits`."""


class Waited(msgspec.Struct, frozen=True):
    """A roll or choice of others that the table is waiting for."""

    by: str
    name: str
    purpose: str


class TableQuestion(msgspec.Struct, frozen=True):
    """What the table asks a person now."""

    last: int
    """The number of the last entry, for `If-Match` of the answer."""
    key: str
    """The key of the open choice, or of the first roll; empty if this person is not asked."""
    by: str
    """The combatant who is asked; empty if none is."""
    name: str
    purpose: str
    standing: str
    """How the roll stands that the choice is about; empty where that is not known."""
    answers: tuple[TableAnswer, ...]
    """The answers to the open choice; those that are allowed come first."""
    rolls: tuple[TableRoll, ...]
    """The rolls that this person may answer."""
    kinds: tuple[str, ...]
    """Kinds of declaration without offers: their terms must be typed."""
    fields: dict[str, tuple[str, ...]]
    """The terms that may be added to the first declaration, each with the values that are offered."""
    interrupts: tuple[str, ...]
    """Interrupts as they could be typed."""
    others: tuple[Waited, ...]
    """What others are asked."""
    may_begin: bool
    """Whether an empty line begins the fight."""
    dice: str
    """Which rolls are drawn without asking: `ask`, `auto`, `all` or `typed`."""
    defaults: str
    """Which choices take their default without asking: `ask`, `auto` or `all`."""


class TableCompletion(msgspec.Struct, frozen=True):
    """A word that may follow in a line."""

    text: str
    about: str
    replaces: int
    """How many letters at the end of the line it replaces."""


class Understood(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the table understands of a line that is being typed; nothing is written."""

    sentences: tuple[str, ...] = ()
    """What the line would do, one sentence for each command."""
    completions: tuple[TableCompletion, ...] = ()
    """The words that may follow, or that may replace the end of the line; at most 40."""
    refused: str = ""
    """Why the line means nothing here, as slug and message; absent if it means something."""
    word: str = ""
    """The word of the table that the line begins with; absent if it is an answer or a declaration."""
    stands_alone: bool = False
    """Whether the line means the same after others have written."""


class LineFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line found or asks, apart from what it wrote."""

    lines: tuple[str, ...] = ()
    """What the table answers, in lines."""
    refused: str = ""
    """Why something was not done after the line had written, as slug and message; absent if all was done."""
    asks: str = ""
    """A question that the next answer of this line answers; absent if there is none."""
    report: Report | None = None
    """The preview of a correction."""
    why: Why | None = None
    """What `why` found; and so on: each word has the answer of the route of its name."""
    odds: OddsDocument | None = None
    """What `odds` found."""
    luck: Luck | None = None
    """What `luck` found."""
    audit: Audit | None = None
    """What `audit` found."""
    dispute: Dispute | None = None
    """The dispute that was opened or asked for."""
    disputes: tuple[Disputed, ...] | None = None
    """What `disputes` found."""
    rulings: tuple[Precedent, ...] | None = None
    """What `rulings` found."""
    rules: str | None = None
    """The table of the rules that is asked for; empty for a list of all."""
    shows: str = ""
    """What the line asks to see in full: `state` or `options`."""
