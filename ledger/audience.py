"""Who may see what.

``seen_by`` on a command or an event: None is everyone; an empty tuple the gamemaster alone; names are combatants, whose
players see it beside the gamemaster.
"""

from collections.abc import Iterable

import msgspec

from ledger.entry import Seat
from ledger.events import Audience


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who reads: a seat, and the combatants they play."""

    seat: Seat = Seat.GM
    combatants: frozenset[str] = frozenset()

    def may_see(self, seen_by: Audience) -> bool:
        """Is this shown to them?"""
        if seen_by is None or self.seat is Seat.GM:
            return True
        return self.seat is Seat.PLAYER and not self.combatants.isdisjoint(seen_by)


EVERYTHING = Viewer(Seat.GM)


def either(one: Audience, other: Audience) -> Audience:
    """Those who are in one of two audiences.

    >>> either(("bob",), ("ann", "bob")), either((), None)
    (('bob', 'ann'), None)
    """
    return None if one is None or other is None else tuple(dict.fromkeys((*one, *other)))


def includes(wide: Audience, narrow: Audience) -> bool:
    """Is everybody of one audience in the other?

    >>> includes(None, ("bob",)), includes(("ann", "bob"), ("bob",)), includes((), ("bob",)), includes(("bob",), None)
    (True, True, False, False)
    """
    return wide is None or (narrow is not None and {*narrow} <= {*wide})


def shared(audiences: Iterable[Audience]) -> Audience:
    """Those who are in every audience.

    >>> shared([None, ("ann", "bob"), ("bob",)]), shared([None]), shared([None, ()])
    (('bob',), None, ())
    """
    named = [set(audience) for audience in audiences if audience is not None]
    return tuple(sorted(set.intersection(*named))) if named else None
