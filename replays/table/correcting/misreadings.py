"""Parses corrections in few words: ``20 was 60``, ``20 = 06``, ``target t2``, ``missed: fray``."""

import re
from collections.abc import Iterator
from itertools import islice

from ledger import events as e
from ledger.entry import Entry
from replays.corrections.change import Change
from replays.table.at_table import TableContext
from replays.table.correcting.change_words import choice_answered, option_of
from replays.table.correcting.corrected_dice import with_faces
from replays.table.correcting.typed_correction import TypedCorrection, check_allowed, command_of
from replays.table.language.dice_words import THROWN
from replays.table.language.grammar import NotUnderstood, rest_of, unquoted, words
from replays.table.language.targets import combatant_named

REROLL, TARGET, MISSED = "reroll ROLL = FACES [WHY]", "target WHO [WHY]", "missed: [WHO:] OPTION [WHY]"
_WAS = rf"(\S+)\s+was\s+({THROWN})(.*)"
_IS = rf"([0-9]+|\S+[/-]\S+?)\s*=\s*({THROWN})(.*)"
_FOLLOWED_BY = rf"(\S+)\s+({THROWN})(.*)"
_MOST_OPTIONS = 12
"""How many options a refusal names."""


def is_misreading(line: str) -> bool:
    """Returns whether a line corrects the faces of a roll, as ``20 was 60`` does."""
    return re.fullmatch(_WAS, line) is not None


def misread(table: TableContext, line: str) -> TypedCorrection | None:
    """Returns the corrected faces of a roll, given by its entry or key: ``20 was 60``; None for another line.

    Raises:
        Refused: There is no such roll.
    """
    found = re.fullmatch(_WAS, line)
    return None if found is None else with_faces(table, *found.groups())


def new_faces(table: TableContext, line: str) -> TypedCorrection | None:
    """Returns the corrected faces of a roll, as ``20 was 60`` or ``20 = 60``; None for another line.

    Raises:
        Refused: There is no such roll.
    """
    found = re.fullmatch(_WAS, line) or re.fullmatch(_IS, line)
    return None if found is None else with_faces(table, *found.groups())


def rerolled(table: TableContext, tail: str) -> TypedCorrection:
    """Returns the corrected faces of a roll: ``20 = 06``.

    Raises:
        NotUnderstood: The line names no roll or no faces.
        Refused: There is no such roll.
    """
    found = re.fullmatch(_WAS, tail) or re.fullmatch(_IS, tail) or re.fullmatch(_FOLLOWED_BY, tail)
    if found is None:
        raise NotUnderstood("reroll needs a roll and its faces", where="reroll", accepts=REROLL)
    return with_faces(table, *found.groups())


def retargeted(table: TableContext, tail: str) -> TypedCorrection:
    """Returns the latest declaration that has a target, with another one: ``target t2``.

    Raises:
        NotUnderstood: The line names no combatant, or nothing with a target was declared.
    """
    check_allowed(table)
    first = unquoted(next(iter(words(tail)), ""))
    who = combatant_named(first, table.seen.roster)
    found = next(_targeted(table), None)
    if who is None or found is None:
        problem = f"{first!r} names no combatant" if who is None else "nothing with a target was declared"
        raise NotUnderstood(problem, where="table", accepts=", ".join(table.seen.roster.here()) or TARGET)
    return TypedCorrection(str(found[0]), Change(set={f"terms.{found[1]}": who}), unquoted(rest_of(tail, 1)))


def chosen_instead(table: TableContext, tail: str) -> TypedCorrection:
    """Returns the latest choice that offered an option but was another, with that option: ``missed: fray``.

    Raises:
        NotUnderstood: No choice that stands offered it and was another.
    """
    check_allowed(table)
    first, *others = [*words(tail), ""]
    only = combatant_named(first.removesuffix(":"), table.seen.roster) if any(others) else None
    rest = tail if only is None else rest_of(tail, 1)
    word = unquoted(next(iter(words(rest)), ""))
    offered: dict[str, None] = {}
    for entry in _newest(table, e.Chosen):
        choice = choice_answered(table, entry)
        if choice is None or only not in (None, choice.by):
            continue
        option, chosen = option_of(choice, word), getattr(command_of(table, entry), "option", None)
        if option is not None and option != chosen:
            return TypedCorrection(str(entry.seq), Change(set={"option": option}), unquoted(rest_of(rest, 1)))
        offered |= dict.fromkeys(each.option for each in choice.options if each.option != chosen)
    accepts = ", ".join(islice(offered, _MOST_OPTIONS)) or MISSED
    raise NotUnderstood(f"no choice offered {word!r} and was answered otherwise", where="missed", accepts=accepts)


def _targeted(table: TableContext) -> Iterator[tuple[int, str]]:
    """Yields declarations with a single target, the latest first: the entry, and the field that names the target."""
    for entry in _newest(table, e.Declared):
        terms = getattr(command_of(table, entry), "terms", {})
        yield from (
            (entry.seq, field) for field, term in terms.items() if isinstance(term, str) and term in table.seen.roster
        )


def _newest(table: TableContext, kind: type[e.Event]) -> Iterator[Entry]:
    """Yields the entries that stand and have an event of a type, the latest first."""
    for entry in table.session.log.newest_first():
        if any(isinstance(event, kind) for event in entry.events):
            yield entry
