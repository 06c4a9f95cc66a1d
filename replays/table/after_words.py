"""Completes what follows a word of the table, such as the entry after ``amend`` and the option after ``missed:``."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from ledger.entry import Seat
from machines.engine.dispute_rules import RULINGS
from projections.initiative import SCORE
from projections.views.document import CombatantView
from replays.sessions import undo
from replays.table.correcting import completing
from replays.table.language.grammar import fields
from replays.table.settings import DEFAULTS, DICE
from replays.table.table import Table
from replays.table.verbs import VERBS

_MOST_KEYS = 40
_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months")


class Completion(msgspec.Struct, frozen=True):
    """A word that fits at the end of the line."""

    text: str
    about: str = ""
    back: int = 0
    """Number of letters before the cursor that it replaces."""


def quoted(value: str) -> str:
    """Returns a word as it is typed: in quotes if it has gaps."""
    return f'"{value}"' if any(letter.isspace() for letter in value) else value


def _sheets(table: Table, _: list[str]) -> Iterator[Completion]:
    """Yields sheets that ship with the game, and sheet files in the current folder."""
    yield from (Completion(quoted(name), "shipped") for name in table.game.sheets)
    if not table.files:
        return
    try:
        yield from (Completion(quoted(path.name), "file") for path in sorted(Path().glob("*.toml"))[:100])
    except OSError:
        return


def _situation(table: Table, _: list[str]) -> Iterator[Completion]:
    """Yields the fields of the situation in which a fight begins."""
    known = fields(table.game.situation) if table.game.situation is not None else {}
    yield from (Completion(f"{field}=") for field in known)


def _undo_spans(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(span) for span in undo.SPANS if not typed)


def _people(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(who, table.seen.roster.name(who)) for who in table.seen.roster.here() if not typed)


def _keys(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields shorthands of the latest rolls and actions that stand."""
    if typed:
        return
    yield from (Completion(key, about) for key, about in table.recent.keys(_MOST_KEYS))


def _explainable(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields what `why` can explain: rolls, actions, and changed health and conditions of combatants."""
    yield from _keys(table, typed)
    if not typed:
        views = table.session.state(eyes=table.eyes).combatants
        counters = table.session.game.vocabulary.counters
        yield from (
            Completion(f"{who}.{what}") for who, view in views.items() for what in _changed_words(view, counters)
        )


def _changed_words(view: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    """Yields the tracks, counters and conditions that differ from an uninjured combatant."""
    yield from (name for name, track in view.tracks.items() if track.taken)
    yield from (word for word in counters if view.count(word))
    yield from (condition.name for condition in view.conditions)


def _figures(table: Table, typed: list[str]) -> Iterable[Completion]:
    """Returns keys, then the figures under it."""
    if not typed:
        return _keys(table, typed)
    return (Completion(figure) for figure in table.recent.figures(typed[0])) if len(typed) == 1 else ()


def _adjustable(table: Table, typed: list[str]) -> Iterable[Completion]:
    """Returns the combatants, then what can be adjusted of that combatant."""
    if not typed:
        return _people(table, typed)
    view = table.session.state(eyes=table.eyes).combatants.get(typed[0])
    if view is None or len(typed) > 1:
        return ()
    named = [f"tracks.{name}" for name in view.tracks] + [f"resources.{name}" for name in view.resources]
    conditions = [f"conditions.{condition.name}" for condition in view.conditions]
    return (
        Completion(each)
        for each in (*named, *table.session.game.vocabulary.counters, SCORE, *conditions, "conditions.")
    )


def as_completions(offers: Iterable[completing.Offer]) -> Iterator[Completion]:
    """Yields words with their meaning as completions."""
    yield from (Completion(quoted(text), about) for text, about in offers)


def _entries(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from as_completions(completing.entries(table) if not typed else ())


def _heads(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from as_completions(completing.heads(table) if not typed else ())


def _rolls(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from as_completions(completing.rolls(table) if not typed else ())


def _options(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from as_completions(completing.options(table) if not typed else ())


def _forms(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields entries, and the words that begin the other forms of a correction."""
    yield from _entries(table, typed)
    yield from (Completion(word, VERBS[word.removesuffix(":")].about) for word in _FORMS if not typed)


def _inserted(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields entries, then what may be inserted before one."""
    yield from _entries(table, typed)
    if len(typed) == 1:
        yield from (Completion(f"{who}:", table.seen.roster.name(who)) for who in table.seen.roster.here())
        yield Completion("note", VERBS["note"].about)


def _players_combatants(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields the combatants whose player is not the gamemaster."""
    roster = table.seen.roster
    yield from (
        Completion(who, roster[who].player) for who in roster.here() if roster[who].player != "gm" and not typed
    )


def _hidden(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields the hidden combatants by the names that were typed, then ``to``, then those whose players may see them."""
    roster = table.session.combat.roster
    if not typed and table.who.seat is Seat.GM:
        yield from (Completion(next(iter(roster[who].names), who), "hidden") for who in roster.hidden())
    if len(typed) == 1:
        yield Completion("to", "some players only")
    if typed[1:] == ["to"]:
        yield from _players_combatants(table, [])


def _players(table: Table, typed: list[str]) -> Iterator[Completion]:
    names = dict.fromkeys(each.player for each in table.seen.roster.who.values() if each.player != "gm")
    yield from (Completion(name) for name in names if not typed)


def _disputes(table: Table, typed: list[str]) -> Iterator[Completion]:
    found = table.session.disputes(table.eyes) if not typed else ()
    yield from (Completion(each.challenge.dispute, each.challenge.why) for each in found)


def _settlements(table: Table, typed: list[str]) -> Iterator[Completion]:
    """Yields disputes, then how one may be settled."""
    yield from _disputes(table, typed)
    yield from (Completion(ruling) for ruling in RULINGS if len(typed) == 1)


def _file(name: str) -> Callable[[Table, list[str]], Iterator[Completion]]:
    def proposed(_: Table, typed: list[str]) -> Iterator[Completion]:
        yield from (Completion(name) for _ in range(not typed))

    return proposed


def _time(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(unit) for unit in _UNITS if len(typed) == 1)


def _dice_settings(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word, about) for word, about in DICE.items() if not typed)


def _default_settings(_: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word, about) for word, about in DEFAULTS.items() if not typed)


def _topics(table: Table, typed: list[str]) -> Iterator[Completion]:
    yield from (Completion(word) for word in (*VERBS, *table.game.kinds) if not typed)


def _nothing(_: Table, __: list[str]) -> Iterable[Completion]:
    return ()


AFTER: Mapping[str, Callable[[Table, list[str]], Iterable[Completion]]] = {
    **dict.fromkeys(VERBS, _nothing),
    "add": _sheets, "hide": _sheets, "begin": _situation, "undo": _undo_spans, "leave": _people, "why": _explainable,
    "modify": _keys, "overrule": _figures, "adjust": _adjustable, "time": _time, "dice": _dice_settings,
    "defaults": _default_settings, "help": _topics, "amend": _entries, "whatif": _forms, "remove": _entries,
    "insert": _inserted, "rewind": _heads, "reroll": _rolls, "target": _people, "missed": _options,
    "whisper": _players_combatants, "reveal": _hidden, "nonce": _players, "dispute": _explainable,
    "disputes": _disputes, "settle": _settlements, "report": _file("fight.html"), "export": _file("fight.jsonl"),
}  # fmt: skip
BEFORE_A_LINE = ("secret", "odds")
"""Words that are followed by a line."""
AMENDING = ("amend", "whatif")
_FORMS = ("target", "missed:", "reroll", "remove", "insert")
"""The words that begin a correction without an entry."""
