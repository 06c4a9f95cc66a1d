"""Checks permissions: the gamemaster may give any command, a player those for their combatants, a spectator none."""

from collections.abc import Collection

from ledger.commands import Choose, Command, Declare, DrawDice, GiveNonce, Note, OpenDispute, TypeDice
from ledger.entry import Seat, Who
from machines.contract.refusals import NotAllowed
from projections.combat import Combat

GM = Who("gm")
"""A gamemaster without another name."""


_OF_PLAYERS = (Choose, Declare, DrawDice, GiveNonce, Note, OpenDispute, TypeDice)
"""The commands that a player may give; the others belong to the gamemaster."""


def check_type(by: Who, command: Command) -> None:
    """Rejects a command of a type that the seat may never give, whatever it is about.

    Raises:
        NotAllowed: The command belongs to the gamemaster, or to players.
    """
    if by.seat is Seat.GM or (by.seat is Seat.PLAYER and isinstance(command, _OF_PLAYERS)):
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
    elif isinstance(command, TypeDice | DrawDice | Choose):
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
    theirs = combat.roster.played_by(by.name)
    match command:
        case Note() | OpenDispute():
            return True
        case GiveNonce():
            return command.player == by.name
        case Declare():
            return command.by in theirs
        case TypeDice() | DrawDice() | Choose():
            return any(rest.key == command.key and rest.by in theirs for rest in combat.rests)
        case _:
            return False
