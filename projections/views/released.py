"""Releases entries to a seat: redacts the hidden parts, and lists what everyone learns of these.

Secrets obey a law of noninterference: if two logs are released alike to a seat, every request of that seat gets the
same answer from both. So all answers to a seat are computed from released entries (`replays.views.seat_log`).
"""

from collections.abc import Mapping

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Command
from ledger.entry import Entry
from projections.views.seen import hidden_parts, redacted

DISCLOSED_TO_ALL: Mapping[str, str] = {
    "an entry": "Its number, the entries that it stands on and performs again, its time, its author and their seat, "
    "the version of the rules; also of an entry that is hidden whole. Not what was done.",
    "a roll": "That it was requested, with how many dice of which kind, and that it was thrown. Not the faces.",
    "a choice": "That it was requested and answered, and its options. Neither the targets nor the answer.",
    "what came of it": "Harm, wounds, healing and conditions, who suffers them, and how an exchange ended that was "
    "declared in the open. Neither the figures that led there nor the reason.",
    "who takes part": "Who joins openly, who leaves, and on which side. Not the sheet.",
    "the course of the fight": "Turns, passes, steps and open declarations; of a hidden combatant, that someone "
    "attacks, the visible targets, and that the attack missed or did no harm.",
    "draws": "That the engine drew the dice of a secret roll, so that draws are numbered without gaps; of a hidden "
    "combatant's draw, not the purpose.",
    "the gamemaster's words": "How many overrulings, modifiers, adjustments and amendments are out of sight.",
}
"""What everyone learns of hidden parts of the record, by subject.

`projections.views.fiction.DISCLOSED` lists the events and fields of each subject, except those of the entry itself.
"""

SET_ASIDE: Mapping[str, str] = {
    "digest": "Digests of entries and of hidden parts: they commit to the parts and reveal nothing of them.",
    "salts": "The salts of visible parts, which come from an entry's own secret.",
    "number of leaves": "How many events an entry has in an export: each hidden event is represented by its leaf.",
    "whether": "Whether a command is performed or refused, if that depends on something hidden; and the consequences: "
    "new actions and disputes, for example, are numbered together with hidden ones.",
    "size": "The size of a log or a response in bytes, and how long an answer takes.",
    "moment": "When a response is sent.",
}
"""What may differ for a seat between two logs that are released alike; nothing else may."""


class Withheld(Command, frozen=True, kw_only=True):
    """Replaces a command that the reader may not see."""


WITHHELD = Withheld(seen_by=())


def released(entry: Entry, eyes: Viewer) -> Entry:
    """Returns an entry without the parts that the reader may not see.

    Args:
        entry: The entry, with its disclosures applied (`projections.history.disclosures`).
        eyes: The reader.
    """
    if eyes == EVERYTHING:
        return entry
    command = WITHHELD if 0 in hidden_parts(entry, eyes) else entry.command
    return msgspec.structs.replace(redacted(entry, eyes), command=command, request=None)
