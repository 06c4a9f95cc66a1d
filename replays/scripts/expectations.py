"""Checks expectations: compares any part of the state document with the present state."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from projections.views.document import State


Mismatch = tuple[str, Any, Any]
"""A path, the expected value, the actual value."""


class Expected(Exception):
    """An expectation of a script is not met.

    Attributes:
        mismatches: Triples of path, expected value, actual value.
        step: The number of the script's step.
    """

    def __init__(self, mismatches: list[Mismatch], step: int) -> None:
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
        expected: Values by a combatant's id, or by ``outcome``, ``path``, ``order``, ``targets``, or any field of the
            document. ``targets`` has the target of each open roll, and of each option of an open choice, by the key
            of the rest, by a suffix of the key, or by its roller.
        step: The number of the script's step, for the message.

    Raises:
        Expected: Some values differ; all of them are listed.
    """
    plain = msgspec.to_builtins(state)
    plain["path"] = list(plain["path"])
    plain["order"] = [who for who, _ in plain["initiative"]]
    plain["targets"] = _targets(plain["rests"])
    known = {**plain["combatants"], **plain}
    mismatches = list(_differences("", expected, known))
    if mismatches:
        raise Expected(mismatches, step)


_NOTHING = object()


def _targets(rests: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the targets of open rests by each name that fits exactly one of them."""
    found: dict[str, list[Any]] = {}
    for rest in rests:
        parts = rest["key"].split("/")
        for name in {rest["by"], *("/".join(parts[start:]) for start in range(len(parts)))}:
            found.setdefault(name, []).append(_target(rest))
    return {name: targets[0] for name, targets in found.items() if len(targets) == 1}


def _target(rest: Mapping[str, Any]) -> Any:
    if "options" in rest:
        return {each["option"]: each["target"] for each in rest["options"]}
    return rest.get("target", _NOTHING)


def _differences(path: str, wanted: Any, found: Any) -> Iterator[Mismatch]:
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for name, value in wanted.items():
            yield from _differences(f"{path}.{name}".lstrip("."), value, found.get(name, _NOTHING))
    elif isinstance(wanted, Mapping) and isinstance(found, list | tuple):
        yield from _conditions(path, wanted, found)
    elif isinstance(wanted, list) and isinstance(found, list | tuple):
        plain = _names(found) if wanted and all(isinstance(each, str) for each in wanted) else list(found)
        if _listed(wanted) != _listed(plain):
            yield path, wanted, plain
    elif wanted != found:
        yield path, wanted, found


def _conditions(path: str, wanted: Mapping[str, Any], found: list[Any] | tuple[Any, ...]) -> Iterator[Mismatch]:
    """Yields the conditions that differ: true expects one, false expects none, a number expects its level."""
    levels = {each["name"]: each["level"] for each in found if isinstance(each, Mapping) and "level" in each}
    for name, value in wanted.items():
        present = name in levels if isinstance(value, bool) else levels.get(name, _NOTHING)
        if present != value:
            yield f"{path}.{name}", value, present


def _names(found: list[Any] | tuple[Any, ...]) -> list[Any]:
    """Returns the names or keys of a list of objects, so that ``conditions = ["prone"]`` suffices."""
    return [each.get("name", each.get("key")) if isinstance(each, Mapping) else each for each in found]


def _listed(value: Any) -> Any:
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value


def _text(value: Any) -> str:
    return "nothing" if value is _NOTHING else msgspec.json.encode(value).decode()
