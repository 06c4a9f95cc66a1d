"""Audiences: decides who may see a command or an event.

``seen_by`` on a command or an event: None means everyone, an empty tuple the gamemaster alone, and ids of combatants
mean their players and the gamemaster.
"""

from collections.abc import Iterable

import msgspec

from ledger.entry import Seat
from ledger.events import Audience


class Viewer(msgspec.Struct, frozen=True):
    """A reader: a seat, and the combatants that the person at it plays."""

    seat: Seat = Seat.GM
    combatants: frozenset[str] = frozenset()

    def may_see(self, seen_by: Audience) -> bool:
        """Returns whether this viewer belongs to an audience."""
        if seen_by is None or self.seat is Seat.GM:
            return True
        return self.seat is Seat.PLAYER and not self.combatants.isdisjoint(seen_by)


EVERYTHING = Viewer(Seat.GM)


def either(one: Audience, other: Audience) -> Audience:
    """Returns the union of two audiences.

    >>> either(("bob",), ("ann", "bob")), either((), None)
    (('bob', 'ann'), None)
    """
    return None if one is None or other is None else tuple(dict.fromkeys((*one, *other)))


def includes(wide: Audience, narrow: Audience) -> bool:
    """Returns whether every member of the narrow audience is in the wide one.

    >>> includes(None, ("bob",)), includes(("ann", "bob"), ("bob",)), includes((), ("bob",)), includes(("bob",), None)
    (True, True, False, False)
    """
    return wide is None or (narrow is not None and {*narrow} <= {*wide})


def shared(audiences: Iterable[Audience]) -> Audience:
    """Returns the intersection of audiences.

    >>> shared([None, ("ann", "bob"), ("bob",)]), shared([None]), shared([None, ()])
    (('bob',), None, ())
    """
    named = [set(audience) for audience in audiences if audience is not None]
    return tuple(sorted(set.intersection(*named))) if named else None
