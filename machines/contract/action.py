"""Actions: the kinds of declaration of a ruleset, from which menus, options and offers are generated."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Event, Json, Option
from machines.contract.chart import Box, Chart, Choose, Run
from machines.contract.offering import END, FindWords
from projections.combat import Combat

FindTerms = Callable[[Combat, str], Iterator[Json]]
"""(combat, who): terms that are worth offering to a combatant, legal or not."""


def no_terms(_: Combat, __: str) -> Iterator[Json]:
    """Returns no offers."""
    return iter(())


def no_assumptions(_: Combat) -> Iterator[Event]:
    """Returns no assumptions."""
    return iter(())


def once(**terms: Any) -> FindTerms:
    """Returns a function that always offers the same declaration.

    Args:
        terms: The terms of the declaration.
    """
    return lambda _, __: iter((terms,))


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """The line of an action in the menu of a turn: when it can be chosen, and the box that runs its chart."""

    number: str
    """The number of the box."""
    title: str
    """The title of the box."""
    see: str
    """The citation of the box."""
    possible: Callable[[Combat, str], str | bool]
    """(combat, who): whether it can be chosen now; a text is True and replaces the action's title."""
    goto: str = ""
    """The box that follows; by default the menu."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of declaration."""

    title: str
    chart: Chart
    terms: type[msgspec.Struct]
    check: Callable[[Combat, str, Any], None]
    """(combat, who, terms): raises a refusal if the declaration is not legal now."""
    anytime: bool = False
    """Whether it may interrupt other actions, or be declared outside a fight."""
    is_minor: bool = False
    """Whether it is done on the side, so that a turn in which nothing else is left may end by itself."""
    line: Line | None = None
    """The line in the menu of a turn; None for an action that is only declared at any time."""
    urgent: FindTerms = no_terms
    """Offers that come before those of all other actions, because the others have to wait for them."""
    offers: FindTerms = no_terms
    """Offers in a combatant's turn."""
    breaks_in: FindTerms = no_terms
    """Offers of interrupting now."""
    assumes: Callable[[Combat], Iterator[Event]] = no_assumptions
    """(combat): what is assumed for omitted terms of the declaration that was just made; see `assumptions.assume`."""
    kept: tuple[str, ...] = ()
    """Fields that a person's next declaration of the kind takes over if they are not typed; the weapon comes first."""
    roll: str = ""
    """The last word of the key of the roll that an attack is about; empty for other actions."""
    words: FindWords = lambda *_: {}
    """(combat, declaration): offered values of its fields, beside `Ruleset.words` and those that follow from types."""


Actions = Mapping[str, Action]
"""Actions by kind of declaration, in the order of the menu."""


def possible(actions: Actions, combat: Combat, who: str) -> Iterator[Option]:
    """Yields the options of a combatant's menu.

    Args:
        actions: The actions of the ruleset; one without a line is in no menu.
        combat: The state.
        who: The combatant whose turn it is.
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
    """Returns the boxes of a menu: the choice, and a box for each action that has a line.

    Args:
        number: The number of the choice.
        title: The title of the choice.
        ask: (combat, options): returns the request to the combatant whose turn it is.
        actions: The actions to choose from.
        end: The box that ends the turn.
        see: The citation of the choice.
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
    """Yields declarations that are worth offering to a combatant in their turn, legal or not.

    Args:
        actions: The actions of the ruleset.
        combat: The state.
        who: The combatant whose turn it is.
    """
    for kind, action in actions.items():
        yield from (Declare(kind, who, terms) for terms in action.urgent(combat, who))
    for kind, action in actions.items():
        yield from (Declare(kind, who, terms) for terms in action.offers(combat, who))


def interrupts(actions: Actions, combat: Combat) -> Iterator[Declare]:
    """Yields declarations by which combatants could interrupt now, legal or not.

    Args:
        actions: The actions of the ruleset.
        combat: The state.
    """
    for who in combat.roster.here():
        for kind, action in actions.items():
            yield from (Declare(kind, who, terms) for terms in action.breaks_in(combat, who))
