"""Resolves printed names to combatant ids."""

from projections.combatants.roster import Roster


def id_of(roster: Roster, text: str) -> str:
    """Returns the id of the combatant with this id or name, ignoring case; the text itself if none or several match."""
    text = text.strip()
    if text in roster:
        return text
    small = text.casefold()
    found = [who for who in roster.who if who.casefold() == small]
    here = [(who, combatant) for who, combatant in roster.who.items() if combatant.here]
    found = found or [who for who, combatant in here if small in map(str.casefold, combatant.names)]
    found = found or [who for who, combatant in here if combatant.name.casefold() == small]
    return found[0] if len(found) == 1 else text
