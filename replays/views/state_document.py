"""Builds the document of a state with the vocabulary of the session's game; the rules of the game are not loaded."""

from machines.registry import vocabulary_of
from projections.combat import Combat
from projections.views import document as views


def document(combat: Combat, session: str, *, entries: int, head: int, digest: bytes) -> views.State:
    """Returns the state as a document, in the terms of its game; see `projections.views.document.document`."""
    words = vocabulary_of(combat.session.ruleset)
    return views.document(combat, session, entries=entries, head=head, digest=digest, vocabulary=words)


def rests(combat: Combat) -> tuple[views.OpenRest, ...]:
    """Returns the open rests, as the document has them."""
    return views.rests(combat, vocabulary_of(combat.session.ruleset).sums)
