"""Words of a session's game for what its events and its state say: what a test came to, what a figure is made of."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from ledger.commands import Overrule
from ledger.events import FigureFound, Json, Overruled, TestResolved, WoundSuffered
from machines.contract.refusals import UnknownRuleset
from machines.contract.ruleset import Ruleset, ruleset
from projections.combat import Combat
from projections.session import SessionInfo
from projections.views import document as views
from projections.vocabulary import USUAL, Vocabulary


class Wording:
    """Says what events mean in the words of the game that they are of.

    Args:
        game: The game; None where it is not installed, for a record can be read without it.
        rules: The profile's row, as the session recorded it.
    """

    def __init__(self, game: Ruleset | None, rules: Json) -> None:
        self._game = game
        self._rules = rules

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of its events, by what they mean."""
        return self._game.vocabulary if self._game is not None else USUAL

    @property
    def counts(self) -> bool:
        """Are the dice of a test counted, and not added up or read?"""
        return self._game is not None and bool(self._game.counted)

    def against(self, test: TestResolved, read: Callable[[int], str] = str) -> str:
        """Returns what the dice of a test came to, and against what; where that is nothing, what they came to alone.

        Args:
            test: The test.
            read: Writes a number as it is read off the dice.
        """
        counted = self._game.counted if self._game is not None else ""
        one = counted.removesuffix("s") if test.rolled == 1 else counted
        rolled = f"{test.rolled} {one}" if counted else read(test.rolled)
        return rolled if self._is_alone(test) else f"{rolled} against {test.target}"

    def margin(self, test: TestResolved) -> str:
        """Returns by how much a test succeeded or failed; empty where that is nothing, or nothing was to be reached."""
        if not test.margin or self._is_alone(test):
            return ""
        return self._game.margin(test.margin) if self._game is not None else f"margin {test.margin:+d}"

    @property
    def test_figures(self) -> Mapping[str, str]:
        """What can be overruled of a test, in the game's words, and what the record calls it."""
        return self._game.test_figures if self._game is not None else {"margin": "margin", "outcome": "outcome"}

    def figure(self, event: Overruled | Overrule) -> str:
        """Returns the game's word for a figure that was overruled."""
        return self._game.figure_name(event.figure) if self._game is not None else event.figure

    def _is_alone(self, test: TestResolved) -> bool:
        """Was there nothing to be reached, so that what the dice came to is all?"""
        return not test.target and (self.counts or 0 != test.rolled == test.margin)

    def why(self, event: FigureFound | WoundSuffered) -> str:
        """Returns what a figure is made of, put right where it is recorded falsely or in part."""
        if self._game is None:
            return event.why
        found = event if isinstance(event, FigureFound) else _as_figure(event)
        return self._game.reword(self._rules, found)


def _as_figure(event: WoundSuffered) -> FigureFound:
    return FigureFound(event.key, event.kind, event.count, event.why, event.source, "exchange", event.who)


@lru_cache(maxsize=64)
def _wording(name: str, rules: str) -> Wording:
    try:
        return Wording(ruleset(name), msgspec.json.decode(rules, type=dict))
    except UnknownRuleset:
        return Wording(None, {})


def wording(session: SessionInfo) -> Wording:
    """Returns the words of a session's game."""
    return _wording(session.ruleset, session.rules)


def document(combat: Combat, session: str, *, entries: int, head: int, digest: bytes) -> views.State:
    """Returns the state as a document, in the words of its game; see `projections.views.document.document`."""
    words = wording(combat.session).vocabulary
    return views.document(combat, session, entries=entries, head=head, digest=digest, vocabulary=words)


def rests(combat: Combat) -> tuple[dict[str, Any], ...]:
    """Returns what the table waits for, as the document has it."""
    return views.rests(combat, wording(combat.session).vocabulary.sums)
