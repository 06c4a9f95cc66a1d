"""Parses sides of combatants, as ``WHO=SIDE``, and gives them to combatants who are added."""

from collections.abc import Mapping, Sequence

import msgspec

from ledger.commands import Join
from machines.contract.refusals import UnknownCombatant
from replays.table.language.grammar import NotUnderstood, plain

_FORM = "WHO=SIDE"


def with_sides(added: Sequence[Join], texts: Sequence[str]) -> list[Join]:
    """Returns the combatants with their sides.

    Args:
        added: The combatants.
        texts: Sides, each ``WHO=SIDE``; ``thug`` means all of ``thug-1``, ``thug-2``, ….

    Raises:
        NotUnderstood: A text has another form.
        UnknownCombatant: A side is given to a combatant who is not added.
    """
    sides = _sides(texts)
    known = {name for join in added for name in _names(join)}
    for who in sides:
        if who not in known:
            accepts = ", ".join(join.who for join in added) or "a combatant who is added"
            raise UnknownCombatant(f"no combatant {who!r} is added", where="--side", accepts=accepts)
    given = [next((sides[name] for name in _names(join) if name in sides), join.side) for join in added]
    return [msgspec.structs.replace(join, side=side) for join, side in zip(added, given, strict=True)]


def _sides(texts: Sequence[str]) -> Mapping[str, str]:
    """Returns the sides by combatant."""
    found = {}
    for each in texts:
        who, _, side = map(str.strip, each.partition("="))
        if not who or not side:
            raise NotUnderstood(f"{each!r} does not give a combatant a side", where="--side", accepts=_FORM)
        found[plain(who)] = side
    return found


def _names(join: Join) -> tuple[str, ...]:
    """Returns the words that mean a combatant: the id, the name, and the id without its number."""
    start, dash, number = join.who.rpartition("-")
    numbered = (plain(start),) if dash and number.isdecimal() else ()
    return (plain(join.who), plain(join.name), *numbered)
