"""Lines that answer more than the open question: dice typed at a choice, and ``~~``, which plays an exchange out."""

import re
from collections.abc import Sequence

from ledger.commands import Choose, Command, DrawDice
from ledger.errors import Refused, Stale
from machines.contract.refusals import NotOffered
from replays.odds.known_state import STOPPED, marked
from replays.table.at_table import TableContext
from replays.table.done import VerbResult, after_yes, which_meaning
from replays.table.language.answers import ALL, Meaning, dice_answers
from replays.table.language.dice_words import THROWN, is_faces
from replays.table.language.foreseen import after
from replays.table.language.grammar import Ambiguous, NotUnderstood, number, one_of, words
from replays.table.language.questions import OpenRoll, Question, combatants_of, eyes_of, open_roll
from replays.table.settings import is_drawn, without_asking

OUT = "~~"
"""Draws each roll and takes each default until the open exchange is over."""
_MOST = 40
"""Maximum number of rolls and choices that are answered without a line."""
_PAUSED = f"paused after {_MOST} rolls and choices without a line from you: Enter goes on"


class SeveralRolls(NotUnderstood):
    """Dice could answer several rolls."""


def played_on(table: TableContext, question: Question, line: str) -> VerbResult | None:
    """Executes a line that answers more than the open question; returns None for any other line.

    Dice at a choice take the default of the choice and answer the roll that follows, if they fit exactly one.

    Args:
        table: The table.
        question: What it asks.
        line: The line.

    Raises:
        Refused: A command is not accepted; or `OUT` was typed, and no exchange is open.
    """
    if line == OUT:
        return _played_out(table)
    if not _is_dice_at_choice(question, line):
        return None
    rolls, is_other_first = _following(table, question)
    try:
        answers = _answers(rolls, line)
    except Ambiguous as ambiguous:
        return which_meaning(ambiguous, line, table.do)
    except SeveralRolls:
        raise
    except Refused:
        return None
    if not answers and (table.seen.exchange.frame is None or not (is_other_first or line in ALL)):
        return None
    assumed = f"assumed {_default(table, question)}, as Enter takes it"

    def taken() -> VerbResult:
        assert question.enter is not None, "the choice has a default"
        table.perform(question.enter.command, *answers)
        read = _read(rolls, line) if answers or not is_other_first else _answered_after_others(table, line)
        return VerbResult((f"{assumed}; {read}",))

    is_option = (number(words(line)[0]) or 0) in range(1, len(question.legal) + 1)
    return after_yes(f"{assumed}, and {line} as dice?", taken) if is_option else taken()


def _default(table: TableContext, question: Question) -> str:
    """Returns what Enter would choose, with the combatant who chooses."""
    assert question.enter is not None, "the choice has a default"
    assert question.rest is not None, "a choice is open"
    return f"{table.seen.roster.name(question.rest.by)}: {question.enter.label}"


def _read(rolls: Sequence[OpenRoll], line: str) -> str:
    meant = " and ".join(f"{roll.name}: {roll.purpose}" for roll in rolls)
    return f"{line} is for {meant}" if rolls else f"{line} is for no roll: none is open"


def _answered_after_others(table: TableContext, line: str) -> str:
    """Does what the settings do, and takes the defaults of further choices, until there is a roll that a line answers.

    Returns:
        What was assumed, and how the line was read.
    """
    told: list[str] = []
    question = table.question()
    for _ in range(_MOST):
        if table.seen.exchange.frame is None:
            break
        command = without_asking(table, question)
        if command is None and question.enter is not None and _is_dice_at_choice(question, line):
            command = question.enter.command
            told.append(_default(table, question))
        if command is None:
            break
        table.perform(command)
        question = table.question()
    is_open = table.seen.exchange.frame is not None
    rolls = question.rolls if is_open and question.rest is not None and question.rest.dice else ()
    try:
        answers = _answers(rolls, line)
    except Refused as refused:
        return "; ".join([*told, f"{line} is not used: {refused}"])
    table.perform(*answers)
    return "; ".join([*told, _read(rolls, line) if answers else f"{line} is not used: {_waited(question)}"])


def _waited(question: Question) -> str:
    shorts = " or ".join(roll.short for roll in question.rolls)
    return f"it could answer {shorts}" if shorts else "no roll follows"


def drawn_on(table: TableContext) -> str:
    """Draws rolls and takes defaults that the settings do not ask for; returns why it stopped before the last.

    If another person writes first, it stops until the next line, without a reason.
    """
    for _ in range(_MOST):
        command = without_asking(table, table.question())
        if command is None:
            return ""
        try:
            table.perform(command)
        except Stale:
            table.session.log.refresh()
            return ""
        except Refused as refused:  # the line itself is written
            return f"✗ {refused}"
    return _PAUSED


# ------------------------------------------------------------------------------------------------ dice at a choice


def _is_dice_at_choice(question: Question, line: str) -> bool:
    """Returns whether a line gives dice, or draws them, where a choice with a default is open and no roll is."""
    is_choice = question.rest is not None and question.enter is not None and not question.rolls
    if not is_choice or not line or not isinstance(question.enter.command if question.enter else None, Choose):
        return False
    if any(not isinstance(answer.command, Choose) for answer in question.answers) or question.kinds:
        return False
    given = words(line)
    if line in ALL or is_faces(line):
        return line in ALL or (len(line) > 1 and not 1 <= (number(line) or 0) <= len(question.legal))  # 7 may be a typo
    is_option = one_of(given[0], [answer.word for answer in question.answers]) is not None
    return not is_option and any(re.fullmatch(THROWN, " ".join(given[start:])) for start in range(len(given)))


def _following(table: TableContext, question: Question) -> tuple[list[OpenRoll], bool]:
    """Returns the rolls that the default of a choice would ask this person for, and whether anything else comes first.

    Both are what the person can foresee: nothing that is hidden from the person is read.
    """
    before, game = marked(table.seen), table.game
    assert question.enter is not None, "the choice has a default"
    try:
        combat = after(game, before, [question.enter.command])
    except Refused:
        return [], False
    except STOPPED:  # what follows depends on something that is hidden from the person
        return [], False
    mine, eyes = combatants_of(combat, table.who), eyes_of(table.session, table.who)
    known = {rest.key for rest in before.rests}
    asked = [rest for rest in combat.rests if rest.dice and rest.by in mine and rest.key not in known]
    typed = [rest for rest in asked if not is_drawn(table, rest.by)]
    others = [rest for rest in combat.rests if rest.key not in known and rest not in typed]
    rolls = [open_roll(table.session, combat, rest, eyes) for rest in typed]
    return rolls, bool(others) and not any(option.option in game.kinds for rest in others for option in rest.options)


def _answers(rolls: Sequence[OpenRoll], line: str) -> list[Command]:
    """Returns the commands that dice mean for the rolls that follow; none if they name no such roll.

    Raises:
        Refused: The dice do not fit, are ambiguous, or could answer several rolls.
    """
    if line in ALL:
        return [DrawDice(roll.key) for roll in rolls]
    if len(rolls) > 1 and is_faces(line):
        accepts = ", ".join(f"{roll.short} {line}" for roll in rolls)
        raise SeveralRolls(f"{line} could answer several rolls that follow", where="dice", accepts=accepts)
    meaning = dice_answers(rolls, line) if rolls else Meaning([])
    return [] if meaning.wrong else meaning.commands


# ------------------------------------------------------------------------------------------------ an exchange


def _played_out(table: TableContext) -> VerbResult:
    """Draws each roll and takes each default of this person, until the exchange that is open now is over."""
    frames = table.seen.exchange.frames
    if not frames:
        raise NotOffered("no exchange is open to be played out", where="table", accepts="~~ after a declaration")
    lines: list[str] = []
    for _ in range(_MOST):
        question = table.question()
        command = _next(question)
        if command is None or not _is_open(table, frames[0].key):
            break
        if isinstance(command, Choose) and question.rest is not None and question.enter is not None:
            lines.append(f"assumed {_default(table, question)}")
        table.perform(command)
    return VerbResult(tuple(lines))


def _is_open(table: TableContext, exchange: str) -> bool:
    return any(frame.key == exchange for frame in table.seen.exchange.frames)


def _next(question: Question) -> Command | None:
    """Returns the draw of the first open roll, or else the default of the choice; None if there is neither."""
    if question.rolls:
        return DrawDice(question.rolls[0].key)
    return question.enter.command if question.enter is not None else None
