"""The inputs of drawn dice: the commitment to the seed, the players' nonces, how often each roll was drawn.

Unlike the state this projection is never rewound: an undone die has been seen all the same. So every entry is added to
it, in force or not. Like the timeline it is mutable and not part of `Combat`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ledger.entry import Provenance
from ledger.events import DiceRolled, Event, NonceGiven, SeedRevealed, SessionOpened

STICKY, FRESH = "sticky", "fresh"
"""Policies: a repeated request gets the same faces; or it gets new faces after an undo."""


class Draws(msgspec.Struct):
    """The inputs of the drawn dice of one session."""

    commitment: str = ""
    """The commitment to the sealed seed; empty if dice are not provable."""
    policy: str = STICKY
    nonces: list[tuple[str, str]] = []
    """Pairs of (player, nonce), in the order in which they were given."""
    has_drawn: bool = False
    is_revealed: bool = False
    times: dict[str, int] = {}
    """How often each roll was drawn, by key; empty if repeated requests get the same faces."""

    def add(self, events: Sequence[Event], origin: int | None) -> None:
        """Adds the events of one more entry.

        Args:
            events: The visible events of the entry.
            origin: The entry that it performs again, if any: then no dice are drawn and no nonces are given.
        """
        if origin is not None:
            return
        for event in events[:2]:  # these are first in their entry, a secret answer after its empty twin
            add = _ADDS.get(type(event))
            if add is not None:
                add(self, event)
        if self.policy == FRESH:
            for key in dict.fromkeys(event.key for event in events if isinstance(event, DiceRolled)):
                self.times[key] = self.times.get(key, 0) + 1

    def time(self, key: str) -> int:
        """Returns how often a roll was drawn before; always 0 if repeated requests get the same faces."""
        return self.times.get(key, 0) if self.policy == FRESH else 0


def _rolled(draws: Draws, event: DiceRolled) -> None:
    draws.has_drawn = draws.has_drawn or Provenance.DRAWN.value in event.provenance


def _given(draws: Draws, event: NonceGiven) -> None:
    draws.nonces.append((event.player, event.nonce))


def _revealed(draws: Draws, _: SeedRevealed) -> None:
    draws.is_revealed = True


def _opened(draws: Draws, event: SessionOpened) -> None:
    draws.commitment = event.dice_commitment
    draws.policy = event.policies.get("dice", STICKY)


_ADDS: Mapping[type[Event], Callable[[Draws, Any], None]] = {
    DiceRolled: _rolled, NonceGiven: _given, SeedRevealed: _revealed, SessionOpened: _opened,
}  # fmt: skip
