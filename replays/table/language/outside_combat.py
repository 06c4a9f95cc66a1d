"""Finds the kinds of declaration that are possible while no fight is going on."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from ledger.commands import Declare
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.table.language.grammar import fields, flat

_MOST = 12
"""Maximum number of combatants that are tried; more would not change the result."""


def declarable_outside_combat(game: Ruleset, combat: Combat) -> list[str]:
    """Returns the kinds that some combatant could declare now; empty while a fight is going on."""
    if combat.clock.fighting:
        return []
    return [kind for kind, each in game.kinds.items() if each.anytime and _is_legal(game, combat, kind)]


def _is_legal(game: Ruleset, combat: Combat, kind: str) -> bool:
    """Returns whether some combatant can declare this kind with minimal terms."""
    here = combat.roster.here()[:_MOST]
    return any(_is_accepted(game, combat, kind, by, about) for by in here for about in here)


def _is_accepted(game: Ruleset, combat: Combat, kind: str, by: str, about: str) -> bool:
    try:
        words = game.offered_words(combat, Declare(kind, by))
        terms = {
            field: _example(each, words.get(field, ()), about)
            for field, each in _required(game.kinds[kind].terms).items()
        }
        game.kinds[kind].check(combat, by, msgspec.convert(terms, game.kinds[kind].terms))
    except (Refused, LookupError, ValueError, TypeError):  # rules may fail on a declaration that is incomplete
        return False
    return True


def _required(terms: type[msgspec.Struct]) -> Mapping[str, Any]:
    needed = {field.encode_name for field in msgspec.structs.fields(terms) if field.required}
    return {name: kind for name, kind in fields(terms).items() if name in needed}


def _example(kind: Any, words: tuple[str, ...], about: str) -> Any:
    """Returns some value that a field of this type could have."""
    if about in words:
        return about
    if any(isinstance(part, inspect.IntType) for part in flat(kind)):
        return 1
    if any(isinstance(part, inspect.DictType) for part in flat(kind)):
        return {about: 1}
    word = next(iter(words), about)
    return [word] if any(isinstance(part, inspect.VarTupleType) for part in flat(kind)) else word
