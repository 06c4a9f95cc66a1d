"""Drafts: commands decided but not yet written."""

from collections.abc import Iterable

import msgspec

from ledger.audience import includes, shared
from ledger.commands import AmendSheet, ApplyModifier, Command, DrawDice, OpenSession, Overrule
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.events import Event, ModifierApplied, Overruled
from machines.contract.refusals import UnknownVersion
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from machines.secrecy.inherited import of_command
from projections.combat import Combat
from projections.path import Rest
from projections.views.seen import viewer
from replays.sessions import hidden_names
from replays.sessions.asked import Asked, answers_rest
from replays.sessions.log import Draft, Log
from replays.sessions.ports import Drawer
from replays.sessions.provable_dice import Fair


class DrawsNothing(Refused):
    """A preview for which dice would have to be drawn: nobody sees a face before it is on record."""

    slug = "amend/draws"


class Drafting:
    """Makes drafts for one session's log.

    Args:
        log: The session's.
        draw: Throws dice for `DrawDice`, where the session has committed to no seed; None for drafts that are never
            written, for which no die is drawn.
    """

    def __init__(self, log: Log, draw: Drawer | None) -> None:
        self._log = log
        self._draws = draw is not None
        self.dice = Fair(log, draw or _nothing)

    def draw_again(self, entries: Iterable[Entry]) -> None:
        """Draw for the rolls of a request that is repeated what was drawn for it the first time."""
        self.dice.known = {
            entry.command.key: entry.command.faces for entry in entries if isinstance(entry.command, DrawDice)
        }

    def named(self, asked: Asked, combat: Combat) -> Asked:
        """A command with the ids of those who joined in secret, and one of its own for whoever joins so.

        Raises:
            Taken: Somebody who joined in secret is named so already.
        """
        if asked.command is not asked.decided:
            return asked
        command = self.names(asked.by, combat).command(asked.command)
        command = hidden_names.joined(combat, command)
        return asked if command is asked.command else Asked(command, asked.by, command, asked.overrules, asked.origin)

    def names(self, by: Who, combat: Combat) -> hidden_names.Names:
        """The names of those who joined in secret, as somebody uses them."""
        return hidden_names.Names(combat, None if by.seat is Seat.GM else viewer(by, combat))

    def draft(self, asked: Asked, combat: Combat, after: int) -> Draft:
        """A command decided on some state, as an entry that stands on another."""
        command = hidden_names.answering(of_command(asked.decided, combat), combat)
        command = hidden_names.noted(command, asked.by, combat)
        if command.seen_by is not None:  # more of a secret than what it is about: decided as it is written down
            command = hidden_names.as_secret(command, combat)
        if isinstance(command, DrawDice) and not command.faces:
            command = self.drawn(command, combat)
        game = ruleset(command.ruleset) if isinstance(command, OpenSession) else game_of(combat)
        self._check_version(game)
        events = decide(game, combat, command, asked.overrules)
        secret = _as_secret_as_the_figure(command, events)
        if secret is not command:
            command, events = secret, decide(game, combat, secret, asked.overrules)
        written = command if asked.command is asked.decided else of_command(asked.command, combat)
        word, written = written, _as_secret_as_the_figure(_as_secret_as_the_sheet(written, combat), events)
        written = hidden_names.as_secret(written, combat)
        if isinstance(word, Overrule) and isinstance(written, Overrule) and written is not word:
            overrules = tuple(written if each == word else each for each in asked.overrules)
            events = decide(game, combat, command, overrules)
        if combat.rests and not answers_rest(written, combat):
            written = msgspec.structs.replace(written, given_at=hidden_names.given_at(combat, written))
        return Draft(written, events, asked.by, after, game.version, asked.origin)

    def sayer(self, word: Overrule, otherwise: Who) -> Who:
        """Returns who overruled a figure so first; someone else where it is on no record."""
        said = (word.key, word.figure, word.value)
        for entry in self._log.entries():
            command = entry.command
            if isinstance(command, Overrule) and (command.key, command.figure, command.value) == said:
                return entry.by
        return otherwise

    def drawn(self, command: DrawDice, combat: Combat) -> DrawDice:
        """An open roll with faces from the door; as it was, where nothing of that key is open.

        Raises:
            DrawsNothing: It is for a preview, and the faces are not on record.
        """
        for rest in combat.rests:
            if rest.key == command.key and rest.dice:
                self._check_may_draw(rest)
                return msgspec.structs.replace(command, faces=self.dice.draw(rest.key, rest.dice))
        return command

    def _check_may_draw(self, rest: Rest) -> None:
        if not self._draws and rest.key not in self.dice.known:
            raise DrawsNothing(
                f"a preview draws no dice, and {rest.dice} would be drawn for {rest.by}: {rest.purpose or rest.key}",
                where=rest.key,
                accepts="its faces; or no such step, and the roll stays open; or to amend, which draws",
            )

    def _check_version(self, game: Ruleset) -> None:
        if self._log.rules_version > game.version:
            raise UnknownVersion(
                f"this session was decided by version {self._log.rules_version} of {game.name}",
                where="rules_version",
                accepts=f"up to version {game.version}",
            )


def _nothing(key: str, _: str) -> tuple[int, ...]:
    raise AssertionError(f"{key} is not drawn for what is never written")


def _as_secret_as_the_sheet(command: Command, combat: Combat) -> Command:
    """A new sheet for an old secret one is as secret, also in the words of the command."""
    if not isinstance(command, AmendSheet) or command.seen_by is not None or command.who not in combat.roster:
        return command
    return msgspec.structs.replace(command, seen_by=combat.roster[command.who].sheet_seen_by)


def _as_secret_as_the_figure(command: Command, events: Iterable[Event]) -> Command:
    """The gamemaster's word on a figure is at least as secret as the figure."""
    if not isinstance(command, Overrule | ApplyModifier):
        return command
    said = [each for each in events if isinstance(each, Overruled | ModifierApplied) and _is_said(command, each)]
    if all(includes(each.seen_by, command.seen_by) for each in said):
        return command
    return msgspec.structs.replace(command, seen_by=shared([command.seen_by, *(each.seen_by for each in said)]))


def _is_said(command: Overrule | ApplyModifier, event: Overruled | ModifierApplied) -> bool:
    """Does an event say what the gamemaster's word says?"""
    figures = getattr(command, "figure", ""), getattr(event, "figure", "")
    return command.key == event.key and figures[0] == figures[1]


def game_of(combat: Combat) -> Ruleset:
    """The rules that a session is played by."""
    return ruleset(combat.session.ruleset)
