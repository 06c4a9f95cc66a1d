"""The combatants of a session, with names, players, sides and sheets."""

from collections.abc import Collection, Mapping

import msgspec

from ledger.audience import either
from ledger.codec import canonical
from ledger.events import Audience, CombatantJoined, CombatantLeft, NameGiven, SheetGiven, SideTaken
from ledger.key import UNSEEN
from projections.fold import Routes, put

GM = "gm"
"""The player of the gamemaster's combatants, and the seat."""
PLAYERS, GAMEMASTERS = "players", "gamemaster"
"""The sides of combatants without a given one."""


class Combatant(msgspec.Struct, frozen=True, gc=False):
    """A combatant, or a thing that can be harmed or spent."""

    name: str
    player: str = GM
    sheet: str = "{}"
    """The sheet as canonical JSON, which is comparable and hashable; typed by the ruleset."""
    thing: bool = False
    here: bool = True
    sheet_seen_by: Audience = None
    """Who may see the sheet and the numbers derived from it."""
    side: str = ""
    """The side that it fights on; empty if it has none."""
    has_sheet: bool = False
    """Whether a sheet was given; in the view of a seat, whether it was visible."""
    known_to: Audience = None
    """For a combatant who joined in secret: who may know of its presence."""
    names: tuple[str, ...] = ()
    """For a combatant who joined in secret: all names it was given, the typed id first."""


class Roster(msgspec.Struct, frozen=True):
    """All combatants who ever joined, by id, in the order of joining."""

    who: Mapping[str, Combatant] = {}

    def __getitem__(self, who: str) -> Combatant:
        return self.who[who]

    def __contains__(self, who: str) -> bool:
        return who in self.who

    def here(self) -> tuple[str, ...]:
        """Returns the combatants who take part now, without things."""
        return tuple(who for who, one in self.who.items() if one.here and not one.thing)

    def name(self, who: str) -> str:
        """Returns the name of a combatant; the id if it is unknown."""
        return self.who[who].name if who in self.who else who

    def side_of(self, who: str) -> str:
        """Returns the side of a combatant: where none was given, one of all players and one of the gamemaster."""
        one = self.who[who]
        return one.side or (GAMEMASTERS if one.player == GM else PLAYERS)

    def are_allies(self, who: str, other: str) -> bool:
        """Returns whether two combatants are on the same side."""
        return self.side_of(who) == self.side_of(other)

    def is_among_friends(self, who: str, named: Collection[str]) -> bool:
        """Returns whether only combatants of the side of `who` are named; they are seldom the intended targets.

        It is False where all who are here are of one side, because then the sides distinguish nothing.
        """
        if who not in self.who or all(self.are_allies(who, other) for other in self.here()):
            return False
        return bool(named) and all(self.are_allies(who, name) for name in named)

    def hidden(self) -> dict[str, Audience]:
        """Returns the combatants who are not known to everyone, each with the audience that knows of them."""
        return {who: one.known_to for who, one in self.who.items() if one.known_to is not None}

    def played_by(self, person: str) -> frozenset[str]:
        """Returns the combatants that a person rolls for; ``gm`` is a seat, not a person."""
        if person == GM:
            return frozenset()
        return frozenset(who for who, one in self.who.items() if one.player == person)


def _joined(roster: Roster, event: CombatantJoined) -> Roster:
    before = roster.who.get(event.who)
    sheet, has_sheet = (before.sheet, before.has_sheet) if before is not None else ("{}", False)
    known_to = event.seen_by if event.who.startswith(UNSEEN) else None
    one = Combatant(event.name, event.player, sheet, event.thing, has_sheet=has_sheet, known_to=known_to)
    return Roster(put(roster.who, event.who, one))


def _sheet(roster: Roster, event: SheetGiven) -> Roster:
    one = roster.who.get(event.who) or Combatant(event.who)
    sheet = canonical(event.sheet).decode()
    given = msgspec.structs.replace(one, sheet=sheet, sheet_seen_by=event.seen_by, has_sheet=True)
    return Roster(put(roster.who, event.who, given))


def _left(roster: Roster, event: CombatantLeft) -> Roster:
    if event.who not in roster.who:
        return roster
    return Roster(put(roster.who, event.who, msgspec.structs.replace(roster.who[event.who], here=False)))


def _sided(roster: Roster, event: SideTaken) -> Roster:
    one = roster.who.get(event.who) or Combatant(event.who)
    return Roster(put(roster.who, event.who, msgspec.structs.replace(one, side=event.side)))


def _named(roster: Roster, event: NameGiven) -> Roster:
    one = roster.who.get(event.who) or Combatant(event.who)
    known_to = either(one.known_to, event.seen_by)
    names = one.names if event.name in one.names else (*one.names, event.name)
    named = msgspec.structs.replace(one, name=event.name, known_to=known_to, names=names)
    return Roster(put(roster.who, event.who, named))


ROUTES: Routes = {
    CombatantJoined: _joined, SheetGiven: _sheet, CombatantLeft: _left, SideTaken: _sided, NameGiven: _named,
}  # fmt: skip
