"""What is released to a seat: the events that it sees, and what of the others the record tells everybody.

Noninterference is the law of secrets: two logs that are released alike to a seat, and differ in anything else, are the
same for that seat, by every way of asking. So every answer to a seat is computed from these entries, and from nothing
else (`replays.views.seat_log` hands them to whoever reads).
"""

from collections.abc import Mapping

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Command
from ledger.entry import Entry
from projections.views.seen import hidden_parts, redacted

TOLD_TO_ALL: Mapping[str, str] = {
    "an entry": "Its number, the one it stands on or performs again, when it was written, who wrote it and from which "
    "seat, the version of the rules: also of an entry that is hidden whole. Something was done; not what.",
    "a roll": "That it was asked for, of how many dice of which kind, and that it was thrown: not what it showed.",
    "a choice": "That it was asked and answered, and between what: neither the targets nor the answer.",
    "what came of it": "Harm, wounds, healing and conditions, who suffers them, and how an exchange ended that was "
    "declared in the open: not the figures that led there, nor why.",
    "who takes part": "Who joins openly, leaves, and on which side; not the sheet.",
    "the course of the fight": "Turns, passes, steps and what is declared in the open; of a hidden combatant, that "
    "someone attacks, and whom.",
    "draws": "That the engine drew the dice of a secret roll, so that each draw has its number and none is left out; "
    "of a hidden combatant's, not for what.",
    "the gamemaster's words": "How many overrulings, modifiers, adjustments and amendments are out of sight.",
}
"""What everybody is told of what they may not see, by what it is about; the record tells it, or fiction would.

`projections.views.fiction.TOLD` has the events and fields of each; all that it does not have is told of an entry.
"""

SET_ASIDE: Mapping[str, str] = {
    "digest": "Digests of entries and of what is hidden: they commit to it and tell nothing of it.",
    "salts": "The salts of what is shown, which come from an entry's own secret.",
    "number of leaves": "How many events an entry has, in an export: each that is hidden is there as its leaf.",
    "whether": "Whether a command is carried out or refused, where it hangs on something hidden; and what comes of it: "
    "new actions and disputes, for instance, are counted with those that are hidden.",
    "size": "How many bytes a log or a response has, and how long an answer takes.",
    "moment": "When a response is sent.",
}
"""What may differ for a seat between two logs that are released alike; everything else may not."""


class Withheld(Command, frozen=True, kw_only=True):
    """Stands in the place of a command that somebody may not see."""


WITHHELD = Withheld(seen_by=())


def released(entry: Entry, eyes: Viewer) -> Entry:
    """An entry as it is released to somebody: what they may not see is not there.

    Args:
        entry: With what was told of it since (`projections.history.unveiled`).
        eyes: Whose they are.
    """
    if eyes == EVERYTHING:
        return entry
    command = WITHHELD if 0 in hidden_parts(entry, eyes) else entry.command
    return msgspec.structs.replace(redacted(entry, eyes), command=command, request=None)
