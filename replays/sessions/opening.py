"""The first entry of a session: what is asked for when it is created, checked and decided."""

from collections.abc import Mapping
from typing import Any

from ledger.asking import check_command
from ledger.bounds import check_session_id
from ledger.commands import OpenSession
from ledger.entry import Who
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from replays.sessions import permissions, ports
from replays.sessions.log import Draft


def session_id(given: str | None) -> str:
    """The id of a new session: the given one, or a new one where none is given.

    Raises:
        BadSessionId: A session cannot have that id.
    """
    session = ports.new_session_id() if given in (None, "") else given
    check_session_id(session)
    return session


def as_dict(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """A mapping as commands have it; what is none is returned as it is, to be refused with its path."""
    return dict(given or {}) if not given or isinstance(given, Mapping) else given


def opening(command: OpenSession, by: Who) -> Draft:
    """The draft of a session's first entry.

    Raises:
        Refused: No such ruleset, profile or option; or something is of a wrong type, or beyond its bound.
    """
    check_command(by, command)
    permissions.check(Combat(), by, command)
    game = ruleset(command.ruleset)
    return Draft(command, decide(game, Combat(), command), by, 0, game.version)
