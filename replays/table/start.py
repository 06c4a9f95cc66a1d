"""Sitting down: the fight that one goes on with, or a new one."""

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
from replays.sessions import stored_records
from replays.sessions.lookup import find_session
from replays.table.language.grammar import NotUnderstood, typed
from replays.table.table import Table


class OtherGame(Refused):
    """The session is played by other rules."""

    slug = "fight/other-ruleset"


PROPOSED = "table"
"""The profile that a fight at the table proposes: what a sensible table plays."""


class New(msgspec.Struct, frozen=True):
    """What a new session is to be."""

    title: str = ""
    profile: str = ""
    options: Mapping[str, str] = {}
    """As typed."""

    @property
    def says_something(self) -> bool:
        """Does it only make sense for a new session?"""
        return bool(self.title or self.profile or self.options)


def profiles(game: str) -> tuple[str, ...]:
    """Returns the profiles of a game that a new fight chooses from: the proposed one first, then the others.

    The second one is the game's default, the rules as printed. Empty where the game proposes no profile.

    Raises:
        UnknownRuleset: There is no such game.
    """
    names = [row.name for row in ruleset(game).profiles]
    return (PROPOSED, *(name for name in names if name != PROPOSED)) if PROPOSED in names else ()


def go_on(store: Store, name: str, game: str) -> Session:
    """A session that is there.

    Raises:
        NoSuchSession: There is none, or more than one begins so.
        OtherGame: It is played by other rules.
    """
    session = Session(store, find_session(store, name))
    if session.combat.session.ruleset != game:
        raise OtherGame(f"{session.id} is another game", where="ruleset", accepts=session.combat.session.ruleset)
    return session


def latest(store: Store, game: str) -> Session | None:
    """The latest session of a game, where it is still open; damaged ones are passed over."""
    for name in reversed(store.sessions()):
        try:
            if _ruleset(store, name) == game:
                session = Session(store, name)
                return session if session.combat.session.is_open else None
        except Refused:
            continue
    return None


def _ruleset(store: Store, name: str) -> str:
    """Of the first entry only."""
    command = stored_records.first(store, name).command
    return command.ruleset if isinstance(command, OpenSession) else ""


def begin(store: Store, game: str, new: New, bring: Iterable[str], by: Who) -> Session:
    """A new session with combatants, whole or not at all.

    Raises:
        Refused: No such game, profile, option or sheet; then nothing was created.
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
    bring_in(session, bring, by)
    return keep(session, store)


def bring_in(session: Session, bring: Iterable[str], by: Who) -> None:
    """Add combatants, all or none.

    Raises:
        Refused: One of them cannot be.
    """
    table = Table(session, by)
    table.add(bring)


def option(text: str) -> tuple[str, str]:
    """``FIELD=VALUE``.

    Raises:
        NotUnderstood: It is none.
    """
    field, equals, value = text.partition("=")
    if not equals or not field:
        raise NotUnderstood(f"{text!r} is no option", where="--option", accepts="FIELD=VALUE")
    return field, value
