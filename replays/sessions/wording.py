"""Words test results and figures in the terms of the session's game."""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from ledger.commands import Overrule
from ledger.events import FigureFound, Json, Overruled, TestResolved, WoundSuffered
from machines.contract.refusals import UnknownRuleset
from machines.contract.ruleset import Ruleset, ruleset
from projections.session import SessionInfo
from projections.vocabulary import USUAL, Vocabulary


class Wording:
    """Words events in the terms of their game.

    Args:
        game: The game; None where it is not installed, because a record can be read without it.
        rules: The profile's row, as the session recorded it.
    """

    def __init__(self, game: Ruleset | None, rules: Json) -> None:
        self._game = game
        self._rules = rules

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of its events."""
        return self._game.vocabulary if self._game is not None else USUAL

    @property
    def counts(self) -> bool:
        """Whether the successes of a test's dice are counted, instead of adding or reading the dice."""
        return self._game is not None and bool(self._game.counted)

    @property
    def added_rolls(self) -> tuple[str, ...]:
        """The last words of the keys of rolls that add dice to a test whose dice are counted."""
        return self._game.added_rolls if self._game is not None else ()

    def against(self, test: TestResolved, read: Callable[[int], str] = str, pool: int = 0) -> str:
        """Returns the result of a test's dice, and the target where there is one.

        Args:
            test: The test.
            read: Formats a number as it is read off the dice.
            pool: The number of dice, named where successes are counted; 0 if it is not known.
        """
        counted = self._game.counted if self._game is not None else ""
        one = counted.removesuffix("s") if test.rolled == 1 else counted
        dice = f" of {pool} {'die' if pool == 1 else 'dice'}" if pool else ""
        rolled = f"{test.rolled} {one}{dice}" if counted else read(test.rolled)
        return rolled if self._is_alone(test) else f"{rolled} against {test.target}"

    def margin(self, test: TestResolved) -> str:
        """Returns the margin of a test in words; empty where it is 0, or there was no target."""
        if not test.margin or self._is_alone(test):
            return ""
        return self._game.margin(test.margin) if self._game is not None else f"margin {test.margin:+d}"

    @property
    def test_figures(self) -> Mapping[str, str]:
        """The figures of a test that can be overruled: recorded names by the game's names."""
        return self._game.test_figures if self._game is not None else {"margin": "margin", "outcome": "outcome"}

    def figure(self, event: Overruled | Overrule) -> str:
        """Returns the game's name of an overruled figure."""
        return self._game.figure_name(event.figure) if self._game is not None else event.figure

    def _is_alone(self, test: TestResolved) -> bool:
        """Returns whether the test had no target, so that the dice alone are its result."""
        return not test.target and (self.counts or 0 != test.rolled == test.margin)

    def why(self, event: FigureFound | WoundSuffered) -> str:
        """Returns the reasons of a figure, corrected where an old record has them wrong or incomplete."""
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
    """Returns the wording of a session's game."""
    return _wording(session.ruleset, session.rules)
