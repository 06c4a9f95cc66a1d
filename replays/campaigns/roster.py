"""Merges the appearances of several sessions into the roster of a campaign.

**Who is the same.** Combatants of two sessions are the same character if the same player plays them (the gamemaster is
one), and they have the same id, or else the same shown name. Case and Unicode compatibility forms are ignored in all
three. An id or a name counts if the character had it in any earlier session; of a combatant who joined in secret, the
typed id counts, because its id in the record has no meaning. Combatants of one session are always different. The game
does not matter: a character may be moved to another ruleset.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from projections.combatants.roster import GM
from replays.campaigns.appearances import Appearance, LastStand, RoundSpan, SessionAppearances


class CharacterSession(msgspec.Struct, frozen=True):
    """A session in which a character appeared."""

    session: str
    who: str
    """Its id in that session."""
    name: str
    """Its name in that session."""
    ruleset: str
    side: str
    rounds: tuple[RoundSpan, ...]
    """The rounds in which it was there; empty if none was fought."""


class Character(msgspec.Struct, frozen=True):
    """A combatant, or a thing, of a campaign: with its id, name, player, ruleset and side of its latest session."""

    who: str
    name: str
    """The name that is shown."""
    player: str
    ruleset: str
    side: str
    sessions: tuple[CharacterSession, ...]
    """The sessions in which it appeared, in order."""
    stand: LastStand
    """How it stood at the end of the latest of them."""


class CampaignPlayer(msgspec.Struct, frozen=True):
    """A person, with the characters that they played."""

    name: str
    characters: tuple[Character, ...]
    """Their characters, in the order in which they first appeared."""


class CampaignRoster(msgspec.Struct, frozen=True):
    """Who was in a campaign."""

    players: tuple[CampaignPlayer, ...]
    """The players with their characters, in the order in which they first appeared."""
    gamemaster: tuple[Character, ...]
    """The combatants of the gamemaster."""
    things: tuple[Character, ...]
    """Things that can be harmed or spent, of players and of the gamemaster."""


def roster(sessions: Iterable[SessionAppearances]) -> CampaignRoster:
    """Returns the roster of a campaign; see the module for who is the same in two sessions.

    Args:
        sessions: Its sessions that can be read, in order.
    """
    merging = _Merging()
    for each in sessions:
        merging.add(each)
    found = list(merging.characters())
    players: dict[str, list[Character]] = {}
    for is_thing, one in found:
        if not is_thing and one.player != GM:
            players.setdefault(folded(one.player), []).append(one)
    return CampaignRoster(
        tuple(CampaignPlayer(mine[-1].player, tuple(mine)) for mine in players.values()),
        tuple(one for is_thing, one in found if not is_thing and one.player == GM),
        tuple(one for is_thing, one in found if is_thing),
    )


def folded(name: str) -> str:
    """Returns a name without what is ignored when names of two sessions are compared.

    >>> folded("Kira") == folded("KIRA"), folded("Straße") == folded("STRASSE"), folded("Ann") == folded("Anna")
    (True, True, False)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


# ------------------------------------------------------------------------------------------------ merging


class _Merged:
    """A character while sessions are merged."""

    def __init__(self) -> None:
        self.sessions: list[tuple[str, Appearance]] = []
        self.ids: set[str] = set()
        self.names: set[str] = set()

    def add(self, session: str, one: Appearance) -> None:
        self.sessions.append((session, one))
        self.ids.add(_id(one))
        self.names.add(folded(one.name))

    def character(self) -> tuple[bool, Character]:
        """Returns whether it is a thing, and the character."""
        last = self.sessions[-1][1]
        sessions = tuple(
            CharacterSession(session, one.who, one.name, one.ruleset, one.side, one.rounds)
            for session, one in self.sessions
        )
        return last.thing, Character(last.who, last.name, last.player, last.ruleset, last.side, sessions, last.stand)


class _Merging:
    """Finds the characters of session after session."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bool], list[_Merged]] = {}
        """The characters by player and whether they are things."""
        self._all: list[_Merged] = []

    def add(self, session: SessionAppearances) -> None:
        """Adds a session: first the combatants with known ids, then those with known names, then new ones."""
        taken: set[int] = set()
        unnamed = list(self._matched(session, session.appearances, taken, by_name=False))
        for one in self._matched(session, unnamed, taken, by_name=True):
            fresh = _Merged()
            fresh.add(session.session, one)
            self._known.setdefault(_owner(one), []).append(fresh)
            self._all.append(fresh)
            taken.add(id(fresh))

    def characters(self) -> Iterator[tuple[bool, Character]]:
        """Yields all characters in the order in which they first appeared, each with whether it is a thing."""
        return (each.character() for each in self._all)

    def _matched(
        self, session: SessionAppearances, appearances: Sequence[Appearance], taken: set[int], *, by_name: bool
    ) -> Iterator[Appearance]:
        """Adds appearances to the characters with their ids, or their names; yields those of no character."""
        for one in appearances:
            word = folded(one.name) if by_name else _id(one)
            fitting = (
                each
                for each in reversed(self._known.get(_owner(one), []))
                if id(each) not in taken and word in (each.names if by_name else each.ids)
            )
            known = next(fitting, None)
            if known is None:
                yield one
            else:
                known.add(session.session, one)
                taken.add(id(known))


def _owner(one: Appearance) -> tuple[str, bool]:
    return folded(one.player), one.thing


def _id(one: Appearance) -> str:
    return folded(one.names[0] if one.names else one.who)
