"""Corrections in few words: ``20 was 60``, ``reroll 20 = 06``, ``target t2``, ``missed: fray``.

Each becomes an amendment, which is previewed before it is written.
"""

import re
from collections.abc import Iterator

from ledger import events as e
from ledger.entry import Entry
from replays.corrections.which_entry import entry_number
from replays.table.at_table import TableContext
from replays.table.correcting.amending import amended, check_allowed, command_of, option_of
from replays.table.done import VerbResult
from replays.table.language.grammar import NotUnderstood, rest_of, unquoted, words
from replays.table.language.targets import combatant_named

REROLL, TARGET, MISSED = "reroll ROLL = FACES [WHY]", "target WHO [WHY]", "missed: OPTION [WHY]"
_WAS = re.compile(r"(\S+)\s+was\s+([0-9][0-9\s,]*)(.*)")
_EQUALS = re.compile(r"(\S+?)(?:\s*=\s*|\s+)([0-9][0-9\s,]*)(.*)")


def misread(table: TableContext, line: str) -> VerbResult | None:
    """Corrects the faces of a roll, given by its entry or key: ``20 was 60``; returns None for another line.

    Raises:
        Refused: There is no such roll, or it cannot have these faces.
    """
    found = _WAS.fullmatch(line)
    return None if found is None else _with_faces(table, *found.groups())


def reroll(table: TableContext, tail: str) -> VerbResult:
    """Corrects the faces of a roll: ``reroll 20 = 06``.

    Raises:
        NotUnderstood: The line names no roll or no faces.
        Refused: There is no such roll, or it cannot have these faces.
    """
    found = _EQUALS.fullmatch(tail)
    if found is None:
        raise NotUnderstood("reroll needs a roll and its faces", where="reroll", accepts=REROLL)
    return _with_faces(table, *found.groups())


def target(table: TableContext, tail: str) -> VerbResult:
    """Corrects the target of the latest declaration that has one: ``target t2``.

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
    return amended(table, found[0], {f"terms.{found[1]}": who}, rest_of(tail, 1))


def missed(table: TableContext, tail: str) -> VerbResult:
    """Corrects the latest choice that offered an option, but was another: ``missed: fray``.

    Raises:
        NotUnderstood: No choice that stands offered it and was another.
    """
    check_allowed(table)
    word = unquoted(next(iter(words(tail)), ""))
    for entry in _newest(table, e.Chosen):
        option = option_of(table, entry, word)
        if option is not None and option != getattr(command_of(table, entry), "option", None):
            return amended(table, entry.seq, {"option": option}, rest_of(tail, 1))
    raise NotUnderstood(f"no choice offered {word!r}", where="missed", accepts=MISSED)


def _with_faces(table: TableContext, named: str, text: str, why: str) -> VerbResult:
    check_allowed(table)
    seq = entry_number(table.session.log, unquoted(named))
    thrown = next((event for event in table.session.log.entry(seq).events if isinstance(event, e.DiceRolled)), None)
    count = len(thrown.faces) if thrown is not None else 1
    is_run = text.strip().isdecimal() and len(text.strip()) == count > 1
    faces = list(text.strip()) if is_run else re.findall("[0-9]+", text)
    return amended(table, seq, {"faces": [int(face) for face in faces]}, why.strip())


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
