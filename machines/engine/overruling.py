"""Replaces figures that the rules have just found by the gamemaster's values.

A test is overruled in one of its figures; the ruleset decides which of its other figures change with it.
"""

from collections.abc import Generator, Iterable

from ledger.commands import Overrule
from ledger.events import Event, FigureFound, Overruled, TestResolved
from machines.contract.figures import Bounds, bounds_of, check
from machines.contract.refusals import ImpossibleFigure
from machines.contract.ruleset import Ruleset
from machines.contract.toolkit import emit
from projections.combat import Combat

Overrulings = Generator[Event, Combat, None]
OF_TESTS = ("rolled", "margin", "outcome")
"""The figures of a test in the order of overruling: the margin follows from the hits, the outcome from the margin."""


class Overruler:
    """Applies the gamemaster's overrules to the events of one command.

    Args:
        orders: The overrules.
        game: The ruleset, which bounds the figures; None accepts any value of the right type.
    """

    def __init__(self, orders: Iterable[Overrule], game: Ruleset | None) -> None:
        self._orders = {(each.key, each.figure): each for each in orders}
        self._done: set[tuple[str, str]] = set()
        self._game = game

    @property
    def has_changed(self) -> bool:
        """Whether any figure was overruled so far."""
        return bool(self._done)

    def of(self, combat: Combat, event: Event) -> Overrulings:
        """Yields the overrulings of an event and their immediate consequences; is sent the state after each.

        Raises:
            ImpossibleFigure: A figure cannot have the gamemaster's value.
        """
        if not self._orders:
            return
        if isinstance(event, FigureFound) and event.why:
            order = self._orders.get((event.key, event.name))
            if order is not None:
                check(self._bounds(event.name), combat, event, order.value)
                yield self._overruled(order, event.value)
        elif isinstance(event, TestResolved):
            for field in OF_TESTS:
                if (event.key, field) in self._orders:
                    combat = yield from self._of_test(combat, event, field)

    def _of_test(self, combat: Combat, test: TestResolved, field: str) -> Generator[Event, Combat, Combat]:
        order, rule_says = self._orders[test.key, field], getattr(combat.rolls[test.key], field)
        if order.value == rule_says and (test.key, field) in self._done:
            return combat  # the test was resolved again with the overruled figure
        self._check_test(combat, test, field, order)
        combat = yield self._overruled(order, rule_says)
        combat = yield from emit(combat, self._game.reread(combat, test, field) if self._game is not None else ())
        return combat

    def _overruled(self, order: Overrule, rule_says: int | str) -> Overruled:
        self._done.add((order.key, order.figure))
        return Overruled(order.key, order.figure, rule_says, order.value, order.why, seen_by=order.seen_by)

    def _bounds(self, name: str, *, test: bool = False) -> Bounds | None:
        return bounds_of(self._game.figures, name, test=test) if self._game is not None else None

    def _check_test(self, combat: Combat, test: TestResolved, field: str, order: Overrule) -> None:
        outcomes = self._game.outcomes if self._game is not None else ()
        if field == "outcome" and order.value not in outcomes:
            accepts = ", ".join(outcomes)
            raise ImpossibleFigure(f"{order.value!r} is not an outcome of a test", where="value", accepts=accepts)
        name = self._game.figure_name(field) if self._game is not None else field
        if field != "outcome":
            found = FigureFound(test.key, name, getattr(test, field), "", test.source, "exchange", "")
            check(self._bounds(name, test=True), combat, found, order.value)
