"""What could be declared while no fight goes on."""

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
"""So many are asked about: with more the answer is the same."""


def outside(game: Ruleset, combat: Combat) -> list[str]:
    """The kinds of declaration that somebody could make now, though no fight goes on."""
    if combat.clock.fighting:
        return []
    return [kind for kind, each in game.kinds.items() if each.anytime and _is_legal(game, combat, kind)]


def _is_legal(game: Ruleset, combat: Combat, kind: str) -> bool:
    """Is there anybody for whom the rules accept the least that can be said?"""
    here = combat.roster.here()[:_MOST]
    return any(_is_accepted(game, combat, kind, by, about) for by in here for about in here)


def _is_accepted(game: Ruleset, combat: Combat, kind: str, by: str, about: str) -> bool:
    try:
        words = game.offered_words(combat, Declare(kind, by))
        terms = {
            field: _said(each, words.get(field, ()), about) for field, each in _required(game.kinds[kind].terms).items()
        }
        game.kinds[kind].check(combat, by, msgspec.convert(terms, game.kinds[kind].terms))
    except (Refused, LookupError, ValueError, TypeError):  # half a declaration need not make sense
        return False
    return True


def _required(terms: type[msgspec.Struct]) -> Mapping[str, Any]:
    needed = {field.encode_name for field in msgspec.structs.fields(terms) if field.required}
    return {name: kind for name, kind in fields(terms).items() if name in needed}


def _said(kind: Any, words: tuple[str, ...], about: str) -> Any:
    """Anything that a field could say."""
    if about in words:
        return about
    if any(isinstance(part, inspect.IntType) for part in flat(kind)):
        return 1
    if any(isinstance(part, inspect.DictType) for part in flat(kind)):
        return {about: 1}
    one = next(iter(words), about)
    return [one] if any(isinstance(part, inspect.VarTupleType) for part in flat(kind)) else one
