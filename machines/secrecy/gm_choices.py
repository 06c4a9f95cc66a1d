"""Audiences of the gamemaster's choices in an exchange, such as what a critical failure leads to.

A question to the gamemaster reveals the result of a roll. So after a secret roll the question and the answer have the
audience of the dice, without a public twin; their consequences are shown. In an action of a hidden combatant, or one
that was declared in secret, they have the audience of the action (`machines.secrecy.hidden_actors`).
"""

from collections.abc import Iterable, Mapping

from ledger.audience import shared
from ledger.commands import Choose
from ledger.events import Audience, ChoiceRequested, Chosen, Event
from ledger.key import UNSEEN
from projections.combat import Combat

GAMEMASTER = "gm"


def is_gms(event: Event, before: Combat) -> bool:
    """Returns whether an event is a choice of the gamemaster, or the answer to one."""
    if isinstance(event, Chosen):
        return _is_open(event.key, before)
    return isinstance(event, ChoiceRequested) and event.by == GAMEMASTER


def _is_open(key: str, combat: Combat) -> bool:
    """Returns whether the gamemaster has a choice under this key to make."""
    return any(rest.key == key and rest.by == GAMEMASTER for rest in combat.path.asked)


def audience(frames: Iterable[str], rolls: Mapping[str, Audience]) -> Audience:
    """Returns who may see the choice, for the secret rolls of the open exchanges.

    Args:
        frames: The keys of the open exchanges.
        rolls: The secret rolls, with the audience of each.
    """
    begins = tuple(f"{frame}/" for frame in frames)
    return shared(seen_by for key, seen_by in rolls.items() if key.startswith(begins))


def of_command(command: Choose, combat: Combat) -> Audience:
    """Returns who may see the gamemaster's answer; None if everyone may, or if the choice is not the gamemaster's."""
    if not _is_open(command.key, combat):
        return None
    frames = combat.exchange.frames
    rolls = {key: roll.seen_by for key, roll in combat.rolls.rolls.items()}
    of_rolls = audience((frame.key for frame in frames), rolls)
    innermost = frames[-1] if frames else None
    if innermost is None or innermost.by.startswith(UNSEEN):  # these are hidden until they are revealed
        return of_rolls
    return shared([of_rolls, innermost.seen_by])
