"""Strategies for games without specific ones: the sheets that ship with the game, and its offers."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.commands import Declare
from ledger.events import Json
from machines.contract.ruleset import ruleset
from projections.combat import Combat


def sheets(game: str) -> Callable[[], SearchStrategy[Json]]:
    """Returns a strategy for the sheets that ship with a game."""
    shipped = [dict(sheet) for sheet in ruleset(game).sheets.values()]
    assert shipped, f"{game} ships no sheets to be played with"
    return lambda: st.sampled_from(shipped)


def declarations(game: str) -> Callable[[Combat, Declare], SearchStrategy[Declare]]:
    """Returns a strategy for an offer, or the offer with another offered word in one field."""
    rules = ruleset(game)

    def drawn(combat: Combat, offer: Declare) -> SearchStrategy[Declare]:
        words = {field: known for field, known in rules.words(combat, offer).items() if known}
        others = [
            Declare(offer.kind, offer.by, {**offer.terms, field: word}) for field in words for word in words[field]
        ]
        return st.sampled_from([offer, *others])

    return drawn


def anytime(game: str) -> Callable[[Combat], SearchStrategy[Declare]]:
    """Returns a strategy for offers to any combatant, legal now or not."""
    rules = ruleset(game)
    return lambda combat: st.sampled_from(
        [offer for who in combat.roster.here() for offer in rules.offers(combat, who)]
        or [Declare(next(iter(rules.kinds)), combat.roster.here()[0])]
    )


def situations(game: str) -> Callable[[Combat], SearchStrategy[Json]]:
    """Draws no specific situation."""
    del game
    return lambda _: st.just({})
