"""Words that the rules accept make events that an import accepts: no fight can be exported and not imported."""

from collections.abc import Iterator
from typing import Any

import pytest
from all_fights import played

from ledger.commands import Declare
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Event
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.registry import installed
from replays.api.session import Session
from replays.exports.import_checks import check_event

BAD = ("words\x9e", "words\nand more", "\u202ewords", "w" * 5_000)


def with_words(value: Any, words: str, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields copies of terms in which one text is replaced, each with the path of that text."""
    if isinstance(value, str):
        yield path, words
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from ((inner, {**value, name: changed}) for inner, changed in with_words(each, words, (*path, name)))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            for inner, changed in with_words(each, words, (*path, "[]")):
                yield inner, [*value[:place], changed, *value[place + 1 :]]


def declared(session: Session) -> Iterator[tuple[Entry, Declare]]:
    """Yields the declarations of a fight."""
    return ((each, each.command) for each in session.entries() if isinstance(each.command, Declare))


@pytest.mark.parametrize("game", sorted(installed()))
def test_accepted_terms_make_events_that_can_be_imported(game: str) -> None:
    known: set[tuple[str, tuple[str, ...], str]] = set()
    accepted = 0
    for session in played(game):
        for entry, command in declared(session):
            before = session.log.state(entry.after)
            for words in BAD:
                for path, terms in with_words(dict(command.terms), words):
                    if (command.kind, path, words) not in known:
                        known.add((command.kind, path, words))
                        accepted += _is_sound(ruleset(game), before, Declare(command.kind, command.by, terms))
    assert accepted
    assert len(known) > 50


def _is_sound(game: Any, before: Any, command: Declare) -> bool:
    """Checks the events of a declaration like an import; returns whether the rules accepted it."""
    try:
        events: tuple[Event, ...] = tuple(decide(game, before, command))
    except Refused:
        return False
    for event in events:
        check_event(event)
    return True
