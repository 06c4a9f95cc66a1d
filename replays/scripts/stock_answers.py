"""Answers that need no record: drawn by the engine, typed by people.

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
"""(combat, combatant) -> the person who answers for them."""


class Drawn:
    """Open rolls are drawn by the engine; a choice waits for somebody.

    Args:
        speaker: For whom each is drawn.
        only: The keys of the rolls that are drawn; left out, all.
    """

    def __init__(self, speaker: Speaker, only: frozenset[str] | None = None) -> None:
        self._speaker = speaker
        self._only = only

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """The first open roll, to be drawn."""
        for rest in combat.rests:
            if rest.dice and (self._only is None or rest.key in self._only):
                return intended(DrawDice(rest.key), self._speaker(combat, rest.by))
        return None


class Typed:
    """People answer: what the table waits for is put to them, until somebody has no answer.

    Args:
        speaker: Who types for whom.
        ask: Puts a rest to them; returns their answer, or None to stop.
    """

    def __init__(self, speaker: Speaker, ask: Callable[[Combat, Rest], Command | None]) -> None:
        self._speaker = speaker
        self._ask = ask

    def next(self, _: Ruleset | None, combat: Combat) -> Intent | None:
        """What somebody types for the first open rest."""
        rest = next(iter(combat.rests), None)
        command = self._ask(combat, rest) if rest is not None else None
        return intended(command, self._speaker(combat, rest.by)) if rest is not None and command is not None else None
