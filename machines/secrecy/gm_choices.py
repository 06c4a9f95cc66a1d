"""Audiences of the gamemaster's choices in an exchange, such as what a critical failure leads to.

That the gamemaster is asked tells how a roll ended. So where it was thrown in secret, the question and the answer are
as secret as the dice, without a public twin; what comes of it is shown. In what a hidden combatant does, and in what
was declared in secret, they are as secret as that (`machines.secrecy.hidden_actors`).
"""

from collections.abc import Iterable, Mapping

from ledger.audience import shared
from ledger.commands import Choose
from ledger.events import Audience, ChoiceRequested, Chosen, Event
from ledger.key import UNSEEN
from projections.combat import Combat

GAMEMASTER = "gm"


def is_gms(event: Event, before: Combat) -> bool:
    """Is it a choice of the gamemaster's, or its answer?"""
    if isinstance(event, Chosen):
        return _is_asked(event.key, before)
    return isinstance(event, ChoiceRequested) and event.by == GAMEMASTER


def _is_asked(key: str, combat: Combat) -> bool:
    return any(rest.key == key and rest.by == GAMEMASTER for rest in combat.path.asked)


def audience(frames: Iterable[str], rolls: Mapping[str, Audience]) -> Audience:
    """Returns who may see what is chosen, for the secret rolls that were thrown before it.

    Args:
        frames: The keys of the open exchanges.
        rolls: The secret rolls, with those who may see each.
    """
    begins = tuple(f"{frame}/" for frame in frames)
    return shared(seen_by for key, seen_by in rolls.items() if key.startswith(begins))


def of_command(command: Choose, combat: Combat) -> Audience:
    """Returns who may see the gamemaster's answer; None where the choice is another's, or everybody may."""
    if not _is_asked(command.key, combat):
        return None
    frames = combat.exchange.frames
    rolls = {key: roll.seen_by for key, roll in combat.rolls.rolls.items()}
    of_rolls = audience((frame.key for frame in frames), rolls)
    innermost = frames[-1] if frames else None
    if innermost is None or innermost.by.startswith(UNSEEN):  # who joined in secret is hidden until they are revealed
        return of_rolls
    return shared([of_rolls, innermost.seen_by])
