"""Checks and decides the first entry of a session."""

from collections.abc import Mapping
from typing import Any

from ledger.bounds import check_session_id
from ledger.commands import OpenSession
from ledger.entry import Who
from ledger.requests.command_checks import check_command
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from replays.sessions import permissions, ports
from replays.sessions.log import Draft


def session_id(given: str | None) -> str:
    """Returns the id of a new session: the given one, or a new one.

    Raises:
        BadSessionId: The given id is invalid.
    """
    session = ports.new_session_id() if given in (None, "") else given
    check_session_id(session)
    return session


def as_dict(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns a mapping as a dict; any other value unchanged, so that it is refused with its path later."""
    return dict(given or {}) if not given or isinstance(given, Mapping) else given


def opening(command: OpenSession, by: Who) -> Draft:
    """Returns the draft of a session's first entry.

    Raises:
        Refused: No such ruleset, profile or option; or a value of a wrong type or beyond its bound.
    """
    check_command(by, command)
    permissions.check(Combat(), by, command)
    game = ruleset(command.ruleset)
    return Draft(command, decide(game, Combat(), command), by, 0, game.version)
