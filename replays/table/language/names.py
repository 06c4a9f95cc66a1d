"""Names as they are printed, understood as well as ids."""

from projections.combatants.roster import Roster


def id_of(roster: Roster, said: str) -> str:
    """Who is meant by an id or a name, in whatever letters; what was said, where that is nobody or several."""
    said = said.strip()
    if said in roster:
        return said
    small = said.casefold()
    found = [who for who in roster.who if who.casefold() == small]
    found = found or [who for who, one in roster.who.items() if one.here and small in map(str.casefold, one.names)]
    found = found or [who for who, one in roster.who.items() if one.here and one.name.casefold() == small]
    return found[0] if len(found) == 1 else said
