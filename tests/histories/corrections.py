"""Draws corrections of old entries, valid and invalid: changed dice, choices, declarations, sheets; insertions; omissions."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hostile import WRONG
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from strategies import DECLARATIONS, IDS, SHEETS, faces, whole

from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
    Choose,
    Command,
    Declare,
    DrawDice,
    Join,
    Note,
    Overrule,
    PassTime,
    TypeDice,
)  # fmt: skip
from ledger.entry import Entry
from ledger.events import Json
from machines.contract.ruleset import ruleset
from machines.engine.options import options
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.change import AMENDABLE, Change
from replays.corrections.recorded_answers import underlying

Set = dict[str, Any]
_PATHS = (
    "who",
    "name",
    "sheet",
    "sheet.weapons",
    "faces",
    "terms",
    "terms.at",
    "kind",
    "by",
    "key",
    "option",
    "value",
    ".",
    "",
)


def amendable(session: Session) -> list[Entry]:
    """Returns the standing entries that can be corrected."""
    line = session.log.entries_of(session.log.timeline.line())
    return [entry for entry in line if isinstance(entry.command, AMENDABLE)]


def corrections(draw: DrawFn, session: Session, entry: Entry) -> Change:
    """Draws a correction of an entry, mostly a legal one."""
    kind = draw(st.sampled_from(("set", "set", "set", "drop", "insert", "insert", "dice", "both", "wrong")))
    before = session.log.state(entry.after)
    match kind:
        case "set":
            return Change(set=_other(draw, before, underlying(entry, session.log.entry)[0], entry.command))
        case "drop":
            return Change(drop=True)
        case "insert":
            return Change(insert=tuple(draw(st.lists(_steps(before), min_size=1, max_size=2))))
        case "dice":
            return Change(dice=_other_dice(draw, session, entry))
        case "both":
            return Change(drop=True, insert=(draw(_steps(before)),), dice=_other_dice(draw, session, entry))
        case _:
            return draw(_wrong())


def _other(draw: DrawFn, before: Combat, decided: Command, command: Command) -> Set:
    """Draws fields of a command with other values."""
    of = _OTHERS.get(type(command))
    return of(draw, before, command) if of is not None else {}


def _other_faces(draw: DrawFn, before: Combat, command: Any) -> Set:
    dice = next((rest.dice for rest in before.rests if rest.key == command.key and rest.dice), "")
    return {"faces": list(draw(faces(dice)))} if dice else {}


def _other_choice(draw: DrawFn, before: Combat, command: Choose) -> Set:
    offered = [each.option for rest in before.rests if rest.key == command.key for each in rest.options]
    return {"option": draw(st.sampled_from(offered))} if offered else {}


def _other_declaration(draw: DrawFn, before: Combat, command: Declare) -> Set:
    game = ruleset(before.session.ruleset)
    match draw(st.sampled_from(("terms", "action", "target", "person"))):
        case "terms":
            return {"terms": draw(DECLARATIONS[game.name](before, command)).terms}
        case "action":
            offered = [
                each.command for each in options(game, before) if isinstance(each.command, Declare) and not each.refused
            ]
            other = draw(st.sampled_from(offered)) if offered else command
            return {"kind": other.kind, "by": other.by, "terms": other.terms}
        case "target":
            return {"terms.at": draw(st.sampled_from(IDS))}
        case _:
            return {"by": draw(st.sampled_from(IDS))}


def _other_sheet(draw: DrawFn, before: Combat, command: Join | AmendSheet) -> Set:
    other = draw(SHEETS[before.session.ruleset])
    if draw(st.booleans()):
        return {"sheet": other}
    # A single field of another sheet, so that most of the fight stays the same.
    name = draw(st.sampled_from(sorted(other))) if other else "init"
    return {f"sheet.{name}": other.get(name)}


def _other_value(draw: DrawFn, _: Combat, command: Any) -> Set:
    return {"value": draw(st.integers(-40, 120) | whole)}


_OTHERS: Mapping[type[Command], Callable[[DrawFn, Combat, Any], Set]] = {
    TypeDice: _other_faces,
    DrawDice: _other_faces,
    Choose: _other_choice,
    Declare: _other_declaration,
    Join: _other_sheet,
    AmendSheet: _other_sheet,
    ApplyModifier: _other_value,
    Overrule: _other_value,
    Adjust: _other_value,
    PassTime: lambda draw, _, __: {"amount": draw(st.integers(-1, 9))},
    Note: lambda draw, _, __: {"text": "otherwise"},
}
"""Draws the changed fields of a command, by the type of the command."""


def _other_dice(draw: DrawFn, session: Session, entry: Entry) -> dict[str, tuple[int, ...]]:
    """Draws other faces for one or two of the rolls that were thrown in an entry or after it."""
    log = session.log
    found = dict(_thrown(session, log.timeline.line(since=entry.after)))
    if not found:
        return {}
    keys = draw(st.lists(st.sampled_from(list(found)), min_size=1, max_size=2, unique=True))
    return {key: draw(faces(found[key])) for key in keys}


def _thrown(session: Session, line: list[int]) -> Iterator[tuple[str, str]]:
    """Yields the rolls of entries, each with its dice."""
    for entry in session.log.entries_of(line):
        command = entry.command
        if isinstance(command, TypeDice | DrawDice):
            rests = session.log.state(entry.after).rests
            yield from ((rest.key, rest.dice) for rest in rests if rest.key == command.key and rest.dice)


def _steps(before: Combat) -> SearchStrategy[Json]:
    """Draws steps, as in a script, that can be inserted at a state."""
    game, here = ruleset(before.session.ruleset), before.roster.here() or IDS[:1]
    who = st.sampled_from(here)
    found: list[SearchStrategy[Json]] = [
        st.just({"note": "it was dark"}),
        st.just({"draw": True}),
        st.builds(lambda who, value: {"adjust": {"who": who, "what": "wounds", "value": value, "why": "so"}}, who, st.integers(0, 9)),
        st.builds(lambda who: {"leave": {"who": who}}, who),
        st.builds(lambda sheet: {"join": {"who": IDS[3], "sheet": sheet}}, SHEETS[game.name]),
        st.sampled_from(({"begin": {}}, {"end": {}}, {"rewind": {"to": 3}}, {"expect": {"round": 1}}, {"pass_time": {"amount": 1, "unit": "hours"}})),
    ]  # fmt: skip
    for rest in before.rests:
        if rest.dice:
            found += [
                st.builds(_typed, st.just(rest.key), faces(rest.dice)),
                st.builds(_modified, st.just(rest.key), st.integers(-30, 30)),
            ]
        else:
            found.append(st.builds(_chosen, st.just(rest.key), st.sampled_from([each.option for each in rest.options])))
    found += [st.just(_declared(each)) for each in _possible(before)]
    return st.one_of(found)


def _possible(before: Combat) -> list[Declare]:
    """Returns the declarations that are possible at a state, in answer to a rest or beside it."""
    game = ruleset(before.session.ruleset)
    if not before.clock.fighting:
        return []
    return [
        *game.interrupts(before),
        *(each.command for each in options(game, before) if isinstance(each.command, Declare) and not each.refused),
    ]


def _typed(key: str, thrown: tuple[int, ...]) -> Json:
    return {"dice": {key: thrown}}


def _modified(key: str, value: int) -> Json:
    return {"modify": {"key": key, "value": value, "why": "the light"}}


def _chosen(key: str, option: str) -> Json:
    return {"choose": {key: option}}


def _declared(command: Declare) -> Json:
    return {"declare": {**command.terms, "kind": command.kind, "by": command.by}}


def _wrong() -> SearchStrategy[Change]:
    """Draws corrections with a value of a wrong type, or that contradict themselves."""
    value, path = st.sampled_from(WRONG), st.sampled_from(_PATHS)
    return st.one_of(
        st.builds(lambda path, value: Change(set={path: value}), path, value),
        st.builds(lambda value: Change(insert=(value,)), value),
        st.builds(lambda value: Change(dice={"initiative": value}), value),
        st.builds(lambda value: Change(dice=value), value),
        st.just(Change()),
        st.just(Change(drop=True, set={"faces": [1]})),
    )
