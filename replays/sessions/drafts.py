"""Decides commands as drafts that are not written yet."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from ledger.audience import includes, shared
from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
    Command,
    DrawDice,
    Note,
    OpenSession,
    Overrule,
    SettleDispute,
    TellDice,
    TypeDice,
)
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.events import Event, ModifierApplied, Overruled
from machines.contract.refusals import UnknownVersion
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import Decision, decision
from machines.secrecy.inherited import of_command
from projections.combat import Combat
from projections.path import Rest
from projections.views.seen import viewer
from replays.sessions import hidden_names
from replays.sessions.intent import Intent, answers_rest
from replays.sessions.log import Draft, Log
from replays.sessions.ports import Drawer
from replays.sessions.provable_dice import ProvableDice

FigureChange = TypeVar("FigureChange", bound=Overrule | ApplyModifier)


class DrawsNothing(Refused):
    """A preview would have to draw dice; no face is shown before it is recorded."""

    slug = "amend/draws"


class Drafting:
    """Makes drafts for one session's log.

    Args:
        log: The session's log.
        draw: Draws dice for `DrawDice`, where the session has committed to no seed; None for drafts that are never
            written, for which no die is drawn.
    """

    def __init__(self, log: Log, draw: Drawer | None) -> None:
        self._log = log
        self._draws = draw is not None
        self.dice = ProvableDice(log, draw or _draw_never)

    def draw_again(self, entries: Iterable[Entry]) -> None:
        """Makes the rolls of a repeated request draw the faces that were drawn the first time."""
        self.dice.known = {
            entry.command.key: entry.command.faces for entry in entries if isinstance(entry.command, DrawDice)
        }

    def named(self, intent: Intent, combat: Combat) -> Intent:
        """Returns an intent whose command has ids, as `with_ids` returns it; one whose figures are overruled unchanged.

        Raises:
            Taken: A combatant who joined in secret has that name already.
        """
        if intent.command is not intent.decided:
            return intent
        command = self.with_ids(intent.command, intent.by, combat)
        if command is intent.command:
            return intent
        return Intent(command, intent.by, command, intent.overrules, intent.origin)

    def with_ids(self, command: Command, by: Who, combat: Combat) -> Command:
        """Returns a command with ids for the names of secret combatants, and a new id for one who joins in secret.

        Raises:
            Taken: A combatant who joined in secret has that name already.
        """
        return hidden_names.joined(combat, self.names(by, combat).command(command))

    def names(self, by: Who, combat: Combat) -> hidden_names.Names:
        """Returns the names of combatants who joined in secret, as far as a caller knows them."""
        return hidden_names.Names(combat, None if by.seat is Seat.GM else viewer(by, combat))

    def draft(self, intent: Intent, combat: Combat, after: int, known: Decision | None = None) -> Draft:
        """Decides a command on a state, as a draft that stands on an entry.

        Args:
            intent: The command.
            combat: The state.
            after: The entry.
            known: A decision that was made before; it is used if it is of this command on this state.
        """
        command = _as_secret_as_its_subject(intent.decided, intent.by, combat)
        if command.seen_by is not None:  # more secret than its subject: decided as it is recorded
            command = hidden_names.as_secret(command, combat)
        if isinstance(command, DrawDice) and not command.faces:
            command = self.with_faces(command, combat)
        game = ruleset(command.ruleset) if isinstance(command, OpenSession) else game_of(combat)
        self._check_version(game)
        is_known = known is not None and known.is_of(combat, command, intent.overrules)
        made = known if known is not None and is_known else decision(game, combat, command, intent.overrules)
        if isinstance(command, ApplyModifier):
            secret = _as_secret_as_the_figure(command, made.events)
            if secret is not command:
                command, made = secret, decision(game, combat, secret, intent.overrules)
        written = command if intent.command is intent.decided else of_command(intent.command, combat)
        word, written = written, _as_secret_as_its_effects(written, made.events, combat)
        if isinstance(word, Overrule) and isinstance(written, Overrule) and written is not word:
            overrules = tuple(written if each == word else each for each in intent.overrules)
            made = decision(game, combat, command, overrules)
        rests = combat.path.rests
        if rests and not answers_rest(written, rests):
            written = msgspec.structs.replace(written, given_at=hidden_names.given_at(combat, written))
        return Draft(written, made.events, intent.by, after, game.version, intent.origin, made.after)

    def first_author(self, word: Overrule, otherwise: Who) -> Who:
        """Returns who first gave an overrule; the other person where no entry has it."""
        sought = (word.key, word.figure, word.value)
        for entry in self._log.entries():
            command = entry.command
            if isinstance(command, Overrule) and (command.key, command.figure, command.value) == sought:
                return entry.by
        return otherwise

    def with_faces(self, command: DrawDice, combat: Combat) -> DrawDice:
        """Returns an open roll with drawn faces; unchanged where no roll of that key is open.

        Raises:
            DrawsNothing: It is for a preview, and the faces are not recorded.
        """
        for rest in combat.rests:
            if rest.key == command.key and rest.dice:
                self._check_may_draw(rest)
                return msgspec.structs.replace(command, faces=self.dice.draw(rest.key, rest.dice))
        return command

    def _check_may_draw(self, rest: Rest) -> None:
        if not self._draws and rest.key not in self.dice.known:
            raise DrawsNothing(
                f"a preview draws no dice, but {rest.dice} would be drawn for {rest.by}: {rest.purpose or rest.key}",
                where=rest.key,
                accepts="typed faces; or omit the step, so that the roll stays open; or amend, which draws",
            )

    def _check_version(self, game: Ruleset) -> None:
        if self._log.rules_version > game.version:
            raise UnknownVersion(
                f"this session was decided by version {self._log.rules_version} of {game.name}",
                where="rules_version",
                accepts=f"up to version {game.version}",
            )


def _draw_never(key: str, _: str) -> tuple[int, ...]:
    raise AssertionError(f"{key} is not drawn for drafts that are never written")


def _as_secret_as_its_subject(command: Command, by: Who, combat: Combat) -> Command:
    """Returns a command as secret as what it ends, answers or is about."""
    match command:
        case Adjust() | SettleDispute():
            return of_command(command, combat)
        case TypeDice() | DrawDice() | TellDice() | ApplyModifier():
            return hidden_names.answering(command, combat)
        case Note():
            return hidden_names.noted(command, by, combat)
        case _:
            return command


def _as_secret_as_its_effects(command: Command, events: Iterable[Event], combat: Combat) -> Command:
    """Returns a command as secret as the sheet, the figure or the hidden combatants that it changes."""
    match command:
        case AmendSheet():
            command = _as_secret_as_the_sheet(command, combat)
        case Overrule() | ApplyModifier():
            command = _as_secret_as_the_figure(command, events)
    return hidden_names.as_secret(command, combat)


def _as_secret_as_the_sheet(command: AmendSheet, combat: Combat) -> AmendSheet:
    """Returns a command with a new sheet as secret as the old sheet."""
    if command.seen_by is not None or command.who not in combat.roster:
        return command
    return msgspec.structs.replace(command, seen_by=combat.roster[command.who].sheet_seen_by)


def _as_secret_as_the_figure(command: FigureChange, events: Iterable[Event]) -> FigureChange:
    """Returns an overrule or a modifier at least as secret as its figure."""
    recorded = [each for each in events if isinstance(each, Overruled | ModifierApplied) and _is_about(command, each)]
    if all(includes(each.seen_by, command.seen_by) for each in recorded):
        return command
    return msgspec.structs.replace(command, seen_by=shared([command.seen_by, *(each.seen_by for each in recorded)]))


def _is_about(command: Overrule | ApplyModifier, event: Overruled | ModifierApplied) -> bool:
    """Returns whether an event records this overrule or modifier."""
    figures = getattr(command, "figure", ""), getattr(event, "figure", "")
    return command.key == event.key and figures[0] == figures[1]


def game_of(combat: Combat) -> Ruleset:
    """Returns the ruleset of a session."""
    return ruleset(combat.session.ruleset)
