"""The inputs of drawn dice: the commitment to the seed, the players' nonces, how often each roll was drawn.

Unlike the state this projection is never rewound: an undone die has been seen all the same. So every entry is added to
it, in force or not. Like the timeline it is mutable and not part of `Combat`.
"""

from collections import Counter
from collections.abc import Sequence

from ledger.entry import Provenance
from ledger.events import DiceRolled, Event, NonceGiven, SeedRevealed, SessionOpened

STICKY, FRESH = "sticky", "fresh"
"""Policies: a repeated request gets the same faces; or it gets new faces after an undo."""


class Draws:
    """The inputs of the drawn dice of one session."""

    def __init__(self) -> None:
        self.commitment = ""
        """The commitment to the sealed seed; empty if dice are not provable."""
        self.policy = STICKY
        self.nonces: list[tuple[str, str]] = []
        """Pairs of (player, nonce), in the order in which they were given."""
        self.has_drawn = False
        self.is_revealed = False
        self._times: Counter[str] = Counter()

    def add(self, events: Sequence[Event], origin: int | None) -> None:
        """Adds the events of one more entry.

        Args:
            events: The visible events of the entry.
            origin: The entry that it performs again, if any: then no dice are drawn and no nonces are given.
        """
        if origin is not None:
            return
        for event in events[:2]:  # these are first in their entry, a secret answer after its empty twin
            match event:
                case DiceRolled():
                    self.has_drawn = self.has_drawn or Provenance.DRAWN.value in event.provenance
                case NonceGiven():
                    self.nonces.append((event.player, event.nonce))
                case SeedRevealed():
                    self.is_revealed = True
                case SessionOpened():
                    self.commitment = event.dice_commitment
                    self.policy = event.policies.get("dice", STICKY)
        if self.policy == FRESH:
            self._times.update({event.key for event in events if isinstance(event, DiceRolled)})

    def time(self, key: str) -> int:
        """Returns how often a roll was drawn before; always 0 if repeated requests get the same faces."""
        return self._times[key] if self.policy == FRESH else 0
