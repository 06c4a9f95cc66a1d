"""Checks expectations: compares any part of the state document with the present state."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.key import meant
from projections.views.document import State


class Expected(Exception):
    """An expectation of a script is not met.

    Attributes:
        mismatches: Triples of path, expected value, actual value.
        step: The number of the script's step.
    """

    def __init__(self, mismatches: list[tuple[str, Any, Any]], step: int) -> None:
        lines = "; ".join(
            f"{path}: expected {_text(wanted)}, found {_text(found)}" for path, wanted, found in mismatches
        )
        super().__init__(f"step {step} (expect): {lines}")
        self.mismatches = mismatches
        self.step = step


def check(state: State, expected: Mapping[str, Any], step: int) -> None:
    """Compares expected values with a state document.

    Args:
        state: The state document.
        expected: Values by a combatant's id, or by ``outcome``, ``path``, ``order``, or any field of the document;
            for ``rests`` also a table of open rolls and choices by key or shorthand. A table in place of a list
            compares conditions by their level, and options by their target.
        step: The number of the script's step, for the message.

    Raises:
        Expected: Some values differ; all of them are listed.
    """
    plain = msgspec.to_builtins(state)
    plain["path"] = list(plain["path"])
    plain["order"] = [who for who, _ in plain["initiative"]]
    if isinstance(wanted := expected.get("rests"), Mapping):
        plain["rests"] = _by_shorthand(plain["rests"], wanted)
    known = {**plain["combatants"], **plain}
    mismatches = list(_differences("", expected, known))
    if mismatches:
        raise Expected(mismatches, step)


def _by_shorthand(rests: Sequence[Mapping[str, Any]], wanted: Iterable[str]) -> dict[str, Any]:
    """Returns the open rolls and choices that shorthands mean; omits a shorthand that fits none, or several."""
    known = {rest["key"]: rest for rest in rests}
    found = {short: meant(short, [(rest["key"], rest["by"]) for rest in rests]) for short in wanted}
    return {short: known[keys[0]] for short, keys in found.items() if len(keys) == 1}


_NOTHING = object()


def _differences(path: str, wanted: Any, found: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for name, value in wanted.items():
            yield from _differences(f"{path}.{name}".lstrip("."), value, found.get(name, _NOTHING))
    elif isinstance(wanted, Mapping) and isinstance(found, list | tuple):
        yield from _entries(path, wanted, found)
    elif _are_tables(wanted) and _are_tables(found) and len(wanted) == len(found):
        for place, (one, other) in enumerate(zip(wanted, found, strict=True), 1):
            yield from _differences(f"{path}.{place}", one, other)
    elif isinstance(wanted, list) and isinstance(found, list | tuple):
        plain = _names(found) if wanted and all(isinstance(each, str) for each in wanted) else list(found)
        if _listed(wanted) != _listed(plain):
            yield path, wanted, plain
    elif wanted != found:
        yield path, wanted, found


def _are_tables(value: Any) -> bool:
    """Returns whether a value is a list of tables, of which only the fields that are expected are compared."""
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _entries(path: str, wanted: Mapping[str, Any], found: Iterable[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Compares conditions by level and options by target: true expects an entry, false expects none of that name."""
    known = {_name(each): each.get("level", each.get("target")) for each in found if isinstance(each, Mapping)}
    for name, value in wanted.items():
        actual = name in known if isinstance(value, bool) else known.get(name, _NOTHING)
        if actual != value:
            yield f"{path}.{name}", value, actual


def _name(entry: Mapping[str, Any]) -> Any:
    return entry.get("name", entry.get("option", entry.get("key")))


def _names(found: list[Any] | tuple[Any, ...]) -> list[Any]:
    """Returns the names or keys of a list of objects, so that ``conditions = ["prone"]`` suffices."""
    return [_name(each) if isinstance(each, Mapping) else each for each in found]


def _listed(value: Any) -> Any:
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value


def _text(value: Any) -> str:
    return "nothing" if value is _NOTHING else msgspec.json.encode(value).decode()
