"""Answers that need no script or record: drawn by the engine, or typed by people.

Scripted ones are in `replays.scripts.scripted_answers`, recorded ones in `replays.corrections.recorded_answers`.
"""

from collections.abc import Callable

from ledger.commands import Command, DrawDice
from ledger.entry import Who
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from projections.path import Rest
from replays.sessions.intent import Intent, intended

Speaker = Callable[[Combat, str], Who]
"""Returns the person who answers for a combatant."""


class DrawnAnswers:
    """Draws open rolls; leaves choices open.

    Args:
        speaker: Returns the person in whose name a roll is drawn.
        only: The keys of the rolls to draw; by default all.
    """

    def __init__(self, speaker: Speaker, only: frozenset[str] | None = None) -> None:
        self._speaker = speaker
        self._only = only

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """Returns the draw of the first open roll."""
        for rest in combat.rests:
            if rest.dice and (self._only is None or rest.key in self._only):
                return intended(DrawDice(rest.key), self._speaker(combat, rest.by))
        return None


class TypedAnswers:
    """Asks people for the answer to each open rest, until there is none.

    Args:
        speaker: Returns the person who types for a combatant.
        ask: Shows a rest to the person; returns their answer, or None to stop.
    """

    def __init__(self, speaker: Speaker, ask: Callable[[Combat, Rest], Command | None]) -> None:
        self._speaker = speaker
        self._ask = ask

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """Returns the typed answer to the first open rest."""
        rest = next(iter(combat.rests), None)
        command = self._ask(combat, rest) if rest is not None else None
        return intended(command, self._speaker(combat, rest.by)) if rest is not None and command is not None else None
