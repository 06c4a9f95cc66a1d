"""What the dice that are drawn hang on: the commitment, the players' nonces, how often each roll was thrown.

Unlike the other projections this one never goes back: a die that was seen is not unseen when it is undone. So it is
told every entry, standing or not, and like the timeline is kept in place and is no part of `Combat`.
"""

from collections import Counter
from collections.abc import Sequence

from ledger.entry import Provenance
from ledger.events import DiceRolled, Event, NonceGiven, SeedRevealed, SessionOpened

STICKY, FRESH = "sticky", "fresh"
"""The same request gives the same faces for ever; after an undo it gives new ones."""


class Draws:
    """The dice of one session, so far."""

    def __init__(self) -> None:
        self.commitment = ""
        """Of the sealed seed; empty where dice are not provable."""
        self.policy = STICKY
        self.nonces: list[tuple[str, str]] = []
        """Pairs of (player, nonce), in the order in which they were given."""
        self.has_drawn = False
        self.is_revealed = False
        self._times: Counter[str] = Counter()

    def add(self, events: Sequence[Event], origin: int | None) -> None:
        """One entry more.

        Args:
            events: Of the entry, as far as they may be seen.
            origin: The entry that it performs again, if it does: then nothing new is thrown or given.
        """
        if origin is not None:
            return
        for event in events[:2]:  # these come first in their entry, a secret answer behind its empty twin
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
        """Which draw of this roll the next one is: always 0 where the same request gives the same faces."""
        return self._times[key] if self.policy == FRESH else 0
