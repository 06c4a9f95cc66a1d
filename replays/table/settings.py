"""The settings of a person's table: which rolls are drawn, and which choices are passed, without asking.

A changed setting is recorded as a note about `DICE_KEPT` or `DEFAULTS_KEPT`. The newest note of the same person and
seat is in force when the session is resumed, also from an export or on another machine, and also if it was undone.
"""

from collections.abc import Iterator, Mapping

from ledger.commands import Command, Declare, DrawDice, Note
from ledger.entry import Entry, Who
from machines.contract.offering import END
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.sessions.log import Log
from replays.sessions.provable_dice import can_draw
from replays.table.at_table import TableContext
from replays.table.language.grammar import NotUnderstood, one_of
from replays.table.language.questions import Question

ASKED, GAMEMASTERS, EVERYBODY = "ask", "auto", "all"

DICE: Mapping[str, str] = {
    ASKED: "each roll is asked for; Enter draws it",
    GAMEMASTERS: "rolls of the gamemaster's combatants are drawn at once, players are asked",
    EVERYBODY: "all rolls are drawn at once",
    "typed": "no roll is drawn except by ~ or draw",
}
"""The settings of the word ``dice``."""
_PASSED = "answer each choice as Enter would, and end a turn in which only actions on the side are left"
DEFAULTS: Mapping[str, str] = {
    ASKED: "each choice is asked for, unless it can change nothing; Enter takes the default",
    GAMEMASTERS: f"the gamemaster's combatants {_PASSED}; players are asked",
    EVERYBODY: f"all combatants {_PASSED}; what to do before that is asked",
}
"""The settings of the word ``defaults``. A point of a gamemaster's combatant who prevails anyway is never asked for."""
OTHER_WORDS = {"gm": GAMEMASTERS, "draw": EVERYBODY}
"""Synonyms of these settings."""

DICE_KEPT, DEFAULTS_KEPT = "table/dice", "table/defaults"
"""What a note is about that keeps a setting; its text is the word and the setting, such as ``dice auto``."""
_CHUNK = 200


def setting(word: str, known: Mapping[str, str]) -> str:
    """Returns the setting that a word means.

    Raises:
        NotUnderstood: There is no such setting.
    """
    found = one_of(OTHER_WORDS.get(word, word), known)
    if found is None:
        raise NotUnderstood(f"{word!r} is not a setting", where="table", accepts=", ".join(known))
    return found


def notes_of(table: TableContext, dice: str, defaults: str) -> Iterator[Note]:
    """Yields the notes that record changed settings; an empty or unchanged one has none."""
    if dice not in ("", table.dice):
        yield Note(f"dice {dice}", DICE_KEPT)
    if defaults not in ("", table.defaults):
        yield Note(f"defaults {defaults}", DEFAULTS_KEPT)


def kept(log: Log, who: Who) -> tuple[str, str]:
    """Returns the settings of dice and of defaults that a person keeps with a session; `ASKED` where none is kept."""
    known: Mapping[str, Mapping[str, str]] = {DICE_KEPT: DICE, DEFAULTS_KEPT: DEFAULTS}
    found: dict[str, str] = {}
    for note in notes_by(log, who):
        word = note.text.rpartition(" ")[2]
        if word in known.get(note.about, ()):
            found.setdefault(note.about, word)
        if len(found) == len(known):
            break
    return found.get(DICE_KEPT, ASKED), found.get(DEFAULTS_KEPT, ASKED)


def notes_by(log: Log, who: Who) -> Iterator[Note]:
    """Yields the notes of a person, the newest first, standing or not."""
    for entry in _newest_first(log):
        if isinstance(entry.command, Note) and (entry.by.name, entry.by.seat) == (who.name, who.seat):
            yield entry.command


def _newest_first(log: Log) -> Iterator[Entry]:
    for upto in range(log.last, 0, -_CHUNK):
        yield from reversed(tuple(log.entries(max(0, upto - _CHUNK), upto)))


# ------------------------------------------------------------------------------------------------ what is passed


def without_asking(table: TableContext, question: Question) -> Command | None:
    """Returns what the settings do without asking: draw a roll, or answer a choice as Enter would; None if nothing."""
    rolls = [roll for roll in question.rolls if is_drawn(table, roll.by)]
    if rolls:
        return DrawDice(rolls[0].key)
    return question.enter.command if question.enter is not None and _is_passed(table, question) else None


def is_drawn(table: TableContext, by: str) -> bool:
    """Returns whether the settings draw the rolls of a combatant without asking."""
    return _at_once(table, table.dice, by) and can_draw(table.session.log)


def _is_passed(table: TableContext, question: Question) -> bool:
    rest = question.rest
    is_idle = not question.matters or (question.is_ahead and rest is not None and _is_gamemasters(table, rest.by))
    if rest is not None and is_idle and question.default is not None:
        return True
    if rest is None or not _at_once(table, table.defaults, rest.by):
        return False
    if is_declaring(table.game, question):
        return is_turn_over(table.game, table.seen, question)
    return question.default is not None or rest.by in table.session.combat.roster


def _at_once(table: TableContext, setting: str, who: str) -> bool:
    return setting == EVERYBODY or (setting == GAMEMASTERS and _is_gamemasters(table, who))


def _is_gamemasters(table: TableContext, who: str) -> bool:
    """Returns whether a combatant is the gamemaster's, or the gamemaster."""
    roster = table.session.combat.roster
    return who not in roster or roster[who].player == "gm"


def is_declaring(game: Ruleset, question: Question) -> bool:
    """Returns whether a question is what to do on a turn."""
    return question.rest is not None and any(option.option in game.kinds for option in question.rest.options)


def is_turn_over(game: Ruleset, combat: Combat, question: Question) -> bool:
    """Returns whether a combatant has acted this turn and can only end it or act on the side, and nothing is urgent."""
    enter, by = question.enter, question.rest.by if question.rest is not None else ""
    if enter is None or enter.word != END or combat.turn.who != by or not combat.turn.spent:
        return False
    left = {*question.kinds, *(answer.word for answer in question.legal)} - {END}
    urgent = [Declare(kind, by, terms) for kind, action in game.kinds.items() for terms in action.urgent(combat, by)]
    is_urgent = any(answer.command in urgent for answer in question.legal)
    return not is_urgent and all(game.kinds[kind].is_minor for kind in left)
