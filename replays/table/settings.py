"""The settings of a person's table: which rolls are drawn, and which choices are passed, without asking.

A changed setting is recorded as a note about `DICE_KEPT` or `DEFAULTS_KEPT`. The newest note of the same person and
seat is in force when the session is resumed, also from an export or on another machine, and also if it was undone.
"""

from collections.abc import Iterator, Mapping

from ledger.commands import Command, Declare, DrawDice, Note
from ledger.entry import Seat, Who
from machines.contract.offering import END
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.sessions.log import Log
from replays.sessions.provable_dice import can_draw
from replays.sessions.record import stored_records
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
ASKING = frozenset({(ASKED, ASKED), ("typed", ASKED)})
"""Settings of dice and defaults by which each roll and choice that matters is asked for."""
OTHER_WORDS = {"gm": GAMEMASTERS, "draw": EVERYBODY}
"""Synonyms of these settings."""

ABOUT = "table/"
"""What a note about a table of a person begins with."""
DICE_KEPT, DEFAULTS_KEPT = f"{ABOUT}dice", f"{ABOUT}defaults"
"""What a note is about that keeps a setting; its text is the word and the setting, such as ``dice auto``."""
_ABOUT, _CHUNK = ABOUT.encode(), 1_000


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
    for _, note in notes_by(log, who):
        word = note.text.rpartition(" ")[2]
        if word in known.get(note.about, ()):
            found.setdefault(note.about, word)
        if len(found) == len(known):
            break
    return found.get(DICE_KEPT, ASKED), found.get(DEFAULTS_KEPT, ASKED)


def has_changed(log: Log, who: Who, after: int) -> bool:
    """Returns whether a person has changed a setting after an entry."""
    return any(note.about in (DICE_KEPT, DEFAULTS_KEPT) for _, note in notes_by(log, who, after))


def notes_by(log: Log, who: Who, after: int = 0) -> Iterator[tuple[int, Note]]:
    """Yields the notes of a person about their table with the numbers of their entries, the newest first.

    They may have been undone. Only entries with such a note are decoded, because a log may be long.
    """
    for upto in range(log.last, after, -_CHUNK) if who.seat is not Seat.SPECTATOR else ():
        for record in reversed(tuple(log.store.read(log.session, max(after, upto - _CHUNK), upto))):
            entry = stored_records.entry(record) if _ABOUT in record.line else None
            note = (
                entry.command if entry is not None and (entry.by.name, entry.by.seat) == (who.name, who.seat) else None
            )
            if isinstance(note, Note) and note.about.startswith(ABOUT):
                yield record.seq, note


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
    return question.default is not None or rest.by in table.seen.roster


def _at_once(table: TableContext, setting: str, who: str) -> bool:
    return setting == EVERYBODY or (setting == GAMEMASTERS and _is_gamemasters(table, who))


def _is_gamemasters(table: TableContext, who: str) -> bool:
    """Returns whether a combatant is the gamemaster's, or the gamemaster."""
    roster = table.seen.roster
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
