"""Records what is assumed for an omitted term of a declaration whose default decides a number."""

from collections.abc import Callable, Iterator

import msgspec

from ledger.events import Event, FigureFound, Json
from machines.contract.figure_names import FigureNames
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from projections.combat import Combat
from projections.exchange import Frame

ASSUMED_VALUES = FigureNames("assumed ", str)
"""What is assumed for an omitted term, by its field."""


def assume(key: str, field: str, value: str, source: str) -> FigureFound:
    """Returns the figure that records what is assumed for an omitted term.

    Args:
        key: The key of the exchange, or of the roll that the assumption decides.
        field: The omitted term.
        value: What is assumed, in words.
        source: Where the rule is printed.
    """
    return ASSUMED_VALUES[field].found(key, value, f"no {field.replace('_', ' ')} was declared", source)


def given(now: Frame) -> Json:
    """Returns the terms of a declaration as they were declared, without defaults."""
    terms: Json = msgspec.json.decode(now.terms)
    return terms


def assume_defaults(now: Frame, terms: msgspec.Struct, source: str, *fields: str) -> Iterator[Event]:
    """Yields a figure for each omitted term among the given ones, which records its default.

    Args:
        now: The declaration.
        terms: Its terms, with defaults.
        source: Where the rule is printed.
        fields: The terms to be checked.
    """
    declared = given(now)
    for field in fields:
        if field not in declared:
            yield assume(now.key, field, str(getattr(terms, field)), source)


def assuming(kind: type[msgspec.Struct], source: str, *fields: str) -> Callable[[Combat], Iterator[Event]]:
    """Returns a function for `Action.assumes`, which records the defaults of the given terms where they are omitted.

    Args:
        kind: The type of the terms.
        source: Where the rule is printed.
        fields: The terms to be checked.
    """

    def assumes(combat: Combat) -> Iterator[Event]:
        now = frame(combat)
        yield from assume_defaults(now, typed(now.terms, kind), source, *fields)

    return assumes
