"""The documents of a replay. Numbers are those of entries; a state "after an entry" is that which was shown then."""

from typing import Any, Literal

import msgspec

from projections.views.document import State
from replays.exports.documents import Speaker


class OutlinedBranch(msgspec.Struct, frozen=True):
    """An entry that does not stand on the one before it."""

    entry: int
    after: int
    """The entry that it stands on."""


class OutlinedRound(msgspec.Struct, frozen=True):
    """The beginning of a round."""

    entry: int
    title: str
    """Such as `Round 2`; from the second combat on with its number."""


class OutlinedTurn(msgspec.Struct, frozen=True):
    """The beginning of a turn."""

    entry: int
    who: str
    """The combatant's id."""


class OutlinedExchange(msgspec.Struct, frozen=True):
    """A declaration."""

    entry: int
    key: str
    by: str
    """The combatant's id."""
    kind: str
    about: str
    """The kind with its target in words, such as `attack on Dregs`."""
    is_attack: bool
    """Whether it has a target."""


class UndoneStretch(msgspec.Struct, frozen=True):
    """Consecutive entries that do not stand, and what undid them."""

    first: int
    """The first of them."""
    last: int
    """The last of them."""
    by: int
    """The entry that undid them last: an undo, or the beginning of a correction."""
    who: str
    """The person who did."""
    why: str
    """Their reason; empty where they gave none, or where it is hidden."""


class CorrectedEntry(msgspec.Struct, frozen=True):
    """An entry that was corrected."""

    entry: int
    by: int
    """The first entry of the correction."""
    who: str
    """The person who corrected it."""
    why: str
    """Their reason; may be empty."""


class OutlinedCombatant(msgspec.Struct, frozen=True):
    """A combatant of the fight."""

    who: str
    """The combatant's id."""
    name: str
    player: str
    """The person who plays the combatant; `gm` for the gamemaster."""


class TrackPoint(msgspec.Struct, frozen=True, array_like=True):
    """A track after an entry, as a list: the entry, what is taken, and the capacity."""

    entry: int
    taken: int
    """What was taken of the track by then."""
    capacity: int
    """The size of the track."""


class TrackLine(msgspec.Struct, frozen=True):
    """A track over the whole record, with a point at each change."""

    who: str
    """The combatant's id."""
    track: str
    """The name of the track, as in the state."""
    name: str
    """What is taken of it, in the words of the game."""
    points: tuple[TrackPoint, ...]
    """The track after the entries that changed it."""


class OutlinedMark(msgspec.Struct, frozen=True):
    """What happened to a combatant at an entry."""

    entry: int
    who: str
    """The combatant's id."""
    kind: Literal["wound", "down", "up"]
    """A wound; out of the fight; no longer out of it."""
    words: str


class Outline(msgspec.Struct, frozen=True):
    """A record as a whole, without its entries."""

    session: str
    title: str
    ruleset: str
    game: str
    """The title of the game; the name of the ruleset where it is not installed."""
    profile: str
    entries: int
    """The number of the last entry."""
    digest: str
    """The digest of the last entry."""
    disclosures: int
    """How often something older was disclosed; if it has changed, older entries may be seen otherwise."""
    branches: tuple[OutlinedBranch, ...]
    """The entries that do not stand on the one before them."""
    rounds: tuple[OutlinedRound, ...]
    """The beginnings of rounds."""
    turns: tuple[OutlinedTurn, ...]
    """The beginnings of turns."""
    exchanges: tuple[OutlinedExchange, ...]
    """The declarations."""
    undone: tuple[UndoneStretch, ...]
    """The stretches of entries that do not stand."""
    corrected: tuple[CorrectedEntry, ...]
    """The entries that were corrected."""
    people: tuple[OutlinedCombatant, ...]
    """All combatants, also those who have left."""
    health: tuple[TrackLine, ...]
    """The first track of each combatant, and others that were harmed."""
    marks: tuple[OutlinedMark, ...]
    """Wounds, and who went down or was up again."""


class ReplayStep(msgspec.Struct, frozen=True):
    """An entry in sentences, with what it changes."""

    seq: int
    after: int
    """The entry that it stands on."""
    at: str
    by: Speaker
    stands: bool
    origin: int | None
    """The entry that it performs again; null where there is none."""
    kind: str
    """The kind of its command in words; `hidden` where the seat may not see it."""
    narration: tuple[str, ...]
    """The entry in sentences; never empty."""
    keys: tuple[str, ...]
    """The declarations and rolls that it is about, which can be explained as of this entry."""
    patch: dict[str, Any]
    """The merge patch (RFC 7396) from the state after the entry before it to that after this one."""


class ReplaySteps(msgspec.Struct, frozen=True):
    """Consecutive entries, and the state before them."""

    after: int
    """The number of the entry before them."""
    before: State | None
    """The state after that entry; null for 0."""
    steps: tuple[ReplayStep, ...]
    """The entries."""
