"""Opens the session that a table works on: resumes one, or creates one with its combatants."""

import re
from collections.abc import Iterable, Mapping

import msgspec

from ledger.commands import OpenSession
from ledger.entry import Who
from ledger.errors import Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from replays.api.run_script import keep
from replays.api.session import Session
from replays.sessions.find_session import find_session
from replays.sessions.record import stored_records
from replays.table.language.grammar import NotUnderstood, typed, words
from replays.table.table import Table


class OtherGame(Refused):
    """The session has another ruleset."""

    slug = "fight/other-ruleset"


_IN_WORDS = r"(?i)(?:like|[0-9]+)\s"
"""How a text begins that has several words, such as ``like swordsman st=13 as kira``; others may be paths."""
PROPOSED = "table"
"""The profile that `affray fight` proposes for a new session, if the ruleset has it."""


class NewFight(msgspec.Struct, frozen=True):
    """The properties of a session to be created."""

    title: str = ""
    profile: str = ""
    options: Mapping[str, str] = {}
    """Fields of the profile with values as they were typed."""

    @property
    def is_given(self) -> bool:
        """Whether any property is given; then a new session is wanted."""
        return bool(self.title or self.profile or self.options)


def profiles(game: str) -> tuple[str, ...]:
    """Returns the profiles of a ruleset for a new session: the proposed one first, then the others.

    The second one is the default, the rules as printed. Empty if the ruleset proposes no profile.

    Raises:
        UnknownRuleset: There is no such ruleset.
    """
    names = [row.name for row in ruleset(game).profiles]
    return (PROPOSED, *(name for name in names if name != PROPOSED)) if PROPOSED in names else ()


def resume(store: Store, name: str, game: str) -> Session:
    """Returns an existing session, named by its id or the beginning of its id.

    Raises:
        NoSuchSession: No session has such an id, or several have.
        OtherGame: The session has another ruleset.
    """
    session = Session(store, find_session(store, name))
    if session.combat.session.ruleset != game:
        actual = session.combat.session.ruleset
        raise OtherGame(f"the session {session.id} has another ruleset", where="ruleset", accepts=actual)
    return session


def latest(store: Store, game: str) -> Session | None:
    """Returns the latest session of a ruleset if it is still open; skips damaged sessions."""
    for name in reversed(store.sessions()):
        try:
            if _ruleset(store, name) == game:
                session = Session(store, name)
                return session if session.combat.session.is_open else None
        except Refused:
            continue
    return None


def _ruleset(store: Store, name: str) -> str:
    """Returns the ruleset of a session, reading only its first entry."""
    command = stored_records.first(store, name).command
    return command.ruleset if isinstance(command, OpenSession) else ""


def create(
    store: Store, game: str, new: NewFight, bring: Iterable[str], by: Who, *, sides: Iterable[str] = ()
) -> Session:
    """Creates a session with combatants, or nothing if one of them is refused.

    Raises:
        Refused: There is no such ruleset, profile, option or sheet; nothing was created.
    """
    rules = ruleset(game)
    session = Session.create(
        MemoryStore(),
        ruleset=rules.name,
        title=new.title,
        profile=new.profile,
        options=typed(new.options, rules.profile),
        by=by,
    )
    add_combatants(session, bring, by, sides=sides)
    return keep(session, store)


def add_combatants(session: Session, bring: Iterable[str], by: Who, *, sides: Iterable[str] = ()) -> None:
    """Adds combatants, all or none.

    Args:
        session: The session.
        bring: The combatants; see `joining`.
        by: The person.
        sides: The sides of some of them, each ``WHO=SIDE``.

    Raises:
        Refused: One of them cannot be added.
    """
    lines = (words(text) if re.match(_IN_WORDS, text) else [text] for text in bring)
    Table(session, by).add([word for line in lines for word in line], sides)


def option(text: str) -> tuple[str, str]:
    """Splits an option ``FIELD=VALUE``.

    Raises:
        NotUnderstood: The text has another form.
    """
    field, equals, value = text.partition("=")
    if not equals or not field:
        raise NotUnderstood(f"{text!r} is not an option", where="--option", accepts="FIELD=VALUE")
    return field, value
