"""All that a ruleset says of one kind of declaration; the menu of a turn, options and offers are made of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Json, Option
from machines.contract.chart import Box, Chart, Choose, Run
from machines.contract.offering import END, FindWords
from projections.combat import Combat

FindTerms = Callable[[Combat, str], Iterator[Json]]
"""(combat, who): terms that are worth offering to somebody, legal or not."""


def no_terms(_: Combat, __: str) -> Iterator[Json]:
    """Offers nothing."""
    return iter(())


def once(**terms: Any) -> FindTerms:
    """Offers one declaration, always the same.

    Args:
        terms: What is said with it.
    """
    return lambda _, __: iter((terms,))


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An action's line in the menu of a turn: when it may be chosen, and the box that runs its chart."""

    number: str
    """Of the box."""
    title: str
    """Of the box."""
    see: str
    """Where the box is printed."""
    possible: Callable[[Combat, str], str | bool]
    """(combat, who): may it be chosen now? Words stand in the place of the action's title."""
    goto: str = ""
    """The box behind it; left out, the menu."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of declaration."""

    title: str
    chart: Chart
    terms: type[msgspec.Struct]
    check: Callable[[Combat, str, Any], None]
    """(combat, who, terms): refuses what may not be declared now."""
    anytime: bool = False
    """May it interrupt what others do, or be declared outside a fight?"""
    line: Line | None = None
    """In the menu of a turn; None for what is declared at any time alone."""
    urgent: FindTerms = no_terms
    """What is offered before all other actions, because it stands in their way."""
    offers: FindTerms = no_terms
    """What is offered in somebody's turn."""
    breaks_in: FindTerms = no_terms
    """With what somebody may break in now."""
    words: FindWords = lambda *_: {}
    """(combat, declaration): values for its fields, beside those of every kind and those that their types tell."""


Actions = Mapping[str, Action]
"""By the kind of declaration, in the order in which a menu lists them."""


def possible(actions: Actions, combat: Combat, who: str) -> Iterator[Option]:
    """Yields the options of a menu that somebody has now.

    Args:
        actions: Those of the ruleset; one without a line is in no menu.
        combat: The state.
        who: Whose turn it is.
    """
    for kind, action in actions.items():
        label = action.line is not None and action.line.possible(combat, who)
        if label:
            yield Option(kind, label if isinstance(label, str) else action.title)


def menu(
    number: str,
    title: str,
    ask: Callable[[Combat, Iterable[Option]], ChoiceRequested],
    actions: Actions,
    *,
    end: str,
    see: str,
) -> tuple[Box, ...]:
    """Makes the boxes of a menu: the choice, and behind it a box for each action that has a line.

    Args:
        number: Of the choice.
        title: Of the choice.
        ask: (combat, options): asks whoever has the turn.
        actions: What there is to choose from.
        end: The box that ends the turn.
        see: Where the choice is printed.
    """

    def offer(combat: Combat) -> ChoiceRequested:
        return ask(combat, possible(actions, combat, combat.turn.who or ""))

    offer.__doc__ = ask.__doc__
    lines = sorted(
        ((kind, one.line, one.chart) for kind, one in actions.items() if one.line is not None),
        key=lambda each: (len(each[1].number), each[1].number),
    )
    exits = {kind: line.number for kind, line, _ in lines} | {END: end}
    choice = Choose(number, title, offer, see=see, mend=None, **exits)
    return choice, *(
        Run(line.number, line.title, run, goto=line.goto or number, see=line.see) for _, line, run in lines
    )


def offered(actions: Actions, combat: Combat, who: str) -> Iterator[Declare]:
    """Yields declarations that are worth showing to somebody in their turn, legal or not.

    Args:
        actions: Those of the ruleset.
        combat: The state.
        who: Whose turn it is.
    """
    for kind, action in actions.items():
        yield from (Declare(kind, who, terms) for terms in action.urgent(combat, who))
    for kind, action in actions.items():
        yield from (Declare(kind, who, terms) for terms in action.offers(combat, who))


def interrupts(actions: Actions, combat: Combat) -> Iterator[Declare]:
    """Yields declarations with which somebody may break in now, legal or not.

    Args:
        actions: Those of the ruleset.
        combat: The state.
    """
    for who in combat.roster.here():
        for kind, action in actions.items():
            yield from (Declare(kind, who, terms) for terms in action.breaks_in(combat, who))
