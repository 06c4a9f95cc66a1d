"""The name of a class has one meaning in the whole project.

    python tests/gate/test_one_name_one_meaning.py    # lists the names with several meanings, and where they are defined

A leading underscore is ignored: `_Line` beside `Line` is read as the same name. Rulesets define the same things for
different games under the same names, so what only rulesets define is not listed.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("ledger", "projections", "machines", "replays")
RULESETS = ("machines/gurps_3e/", "machines/shadowrun_4e/", "machines/eclipse_phase/")

PARALLEL = {
    "Situation": "each game has a situation of its own, and `Situation` of the API is the union of them in a request",
    "Terms": "each game has terms of its own, and the vocabulary names their fields",
    "Rest": "a rest of the log is an open roll or choice; Eclipse Phase's rest heals. Both are terms of their fields",
}
CHARTS = {
    "Choose": "the box of a chart at which the command of that name is given",
    "Roll": "the box of a chart at which the roll of that name is made",
}
WIRE = (
    "BadToken", "Founded", "Issued", "IssuedHook", "Known", "KnownHook", "NewSession", "NoSuchSeat", "Option",
    "Performed", "Pinged", "Problem", "Written",
)  # fmt: skip
"""Documents that the server sends and the client reads. They may not import one another, and use the same names."""


@cache
def definitions() -> Mapping[str, list[str]]:
    """Returns the modules that define a class of each name."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name.lstrip("_"), []).append(path.relative_to(ROOT).as_posix())
    return found


def ambiguous(found: Mapping[str, list[str]]) -> Iterator[str]:
    """Yields the names that are defined more than once, but not by rulesets alone, and have no stated reason."""
    for name, modules in found.items():
        allowed = name in PARALLEL or name in CHARTS or (name in WIRE and _is_wire(modules))
        if len(modules) > 1 and not allowed and not all(module.startswith(RULESETS) for module in modules):
            yield name


def _is_wire(modules: list[str]) -> bool:
    return sum(not module.startswith("replays/client/") for module in modules) <= 1


def test_each_class_has_a_name_of_its_own() -> None:
    found = definitions()

    assert {name: found[name] for name in ambiguous(found)} == {}


@pytest.mark.parametrize("name", [*PARALLEL, *CHARTS, *WIRE])
def test_a_name_with_a_reason_is_defined_more_than_once(name: str) -> None:
    assert len(definitions()[name]) > 1


@pytest.mark.parametrize(
    ("modules", "is_ambiguous"),
    [
        (["ledger/dice.py", "replays/audit/audit.py"], True),
        (["ledger/dice.py"], False),
        (["machines/gurps_3e/rows.py", "machines/shadowrun_4e/rows.py"], False),
        (["machines/gurps_3e/rows.py", "machines/contract/tables.py"], True),
        (["replays/server/routes/health.py", "replays/client/health.py"], True),
    ],
)
def test_two_meanings_are_found(modules: list[str], is_ambiguous: bool) -> None:
    assert list(ambiguous({"Dice": modules})) == (["Dice"] if is_ambiguous else [])


if __name__ == "__main__":
    found = definitions()
    for name in ambiguous(found):
        print(name, *found[name])
