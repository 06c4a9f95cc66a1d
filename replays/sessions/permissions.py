"""Checks permissions: the gamemaster may give any command, a player those for their combatants, a spectator none."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ledger.commands import Choose, Command, Declare, DrawDice, GiveNonce, Note, OpenDispute, TellDice, TypeDice
from ledger.entry import Seat, Who
from machines.contract.refusals import NotAllowed
from projections.combat import Combat

GM = Who("gm")
"""A gamemaster without another name."""


def check_type(by: Who, command: Command) -> None:
    """Rejects a command of a type that the seat may never give, whatever it is about.

    Raises:
        NotAllowed: The command belongs to the gamemaster, or to players.
    """
    if by.seat is Seat.GM or (by.seat is Seat.PLAYER and type(command) in _IS_THEIRS):
        return
    raise _not_allowed(by, command)


def check(combat: Combat, by: Who, command: Command, only: Collection[str] | None = None) -> None:
    """Rejects a command that a seat may not give.

    Args:
        combat: The present state.
        by: The caller.
        command: The command.
        only: The combatants that the caller is limited to; None where only the seat limits them.

    Raises:
        NotAllowed: The command belongs to the gamemaster, or to another player.
    """
    if only is not None:
        _check_limited(combat, command, only)
    if by.seat is Seat.GM and isinstance(command, GiveNonce):
        _check_share(by, command)
    if by.seat is Seat.GM or (by.seat is Seat.PLAYER and _is_theirs(combat, by, command)):
        return
    raise _not_allowed(by, command)


def _not_allowed(by: Who, command: Command) -> NotAllowed:
    what = type(command).__name__
    return NotAllowed(f"{by.name} ({by.seat.value}) may not ask for {what} here", where="by", accepts="the gm's seat")


def _check_limited(combat: Combat, command: Command, only: Collection[str]) -> None:
    """Rejects a command for a combatant outside those that the caller is limited to."""
    if isinstance(command, Declare):
        mine = command.by in only
    elif isinstance(command, TypeDice | DrawDice | TellDice | Choose):
        mine = any(rest.key == command.key and rest.by in only for rest in combat.rests)
    else:
        return
    if not mine:
        raise NotAllowed(f"only {', '.join(only)} may be played from here", where="by", accepts="their commands")


def _check_share(by: Who, command: GiveNonce) -> None:
    """Rejects a nonce that the gamemaster gives for a player without the table's agreement."""
    if command.player not in (by.name, Seat.GM.value) and not command.agreed:
        problem = f"{command.player} gives their own share in the dice"
        raise NotAllowed(problem, where="player", accepts=f"from {command.player}, or agreed: the table wants it so")


def _is_theirs(combat: Combat, by: Who, command: Command) -> bool:
    """Returns whether a command is one that players may give, and concerns only what is this player's."""
    is_theirs = _IS_THEIRS.get(type(command))
    return is_theirs is not None and is_theirs(combat, by, command)


def _answers_theirs(combat: Combat, by: Who, command: TypeDice | DrawDice | TellDice | Choose) -> bool:
    """Returns whether a command answers an open roll or choice of a combatant of this player."""
    theirs = combat.roster.played_by(by.name)
    return any(rest.key == command.key and rest.by in theirs for rest in combat.rests)


_IS_THEIRS: Mapping[type[Command], Callable[[Combat, Who, Any], bool]] = {
    Note: lambda *_: True,
    OpenDispute: lambda *_: True,
    GiveNonce: lambda _, by, command: command.player == by.name,
    Declare: lambda combat, by, command: command.by in combat.roster.played_by(by.name),
    TypeDice: _answers_theirs,
    DrawDice: _answers_theirs,
    TellDice: _answers_theirs,
    Choose: _answers_theirs,
}
"""(state, player, command): whether a command concerns only what is the player's, for each that players may give."""
