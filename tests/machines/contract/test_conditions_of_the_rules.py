"""A ruleset's list of known conditions contains all that its rules set or read; other names are free."""

import ast
import importlib
import json
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest
from places import ROOT
from ruleset_packages import folder_of, package_of

from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.adjustments import free_condition
from machines.registry import installed

ASKS = {"has", "lasts"}


def known(game: Ruleset, name: str) -> bool:
    return any(fnmatchcase(name, form) for form in game.conditions)


def recorded(lines: list[dict]) -> Iterator[str]:
    """Returns every condition that a rule set in a stored fight; an event is a list that begins with its tag."""
    for line in lines:
        yield from (event[2] for event in line.get("events", ()) if event[0] == "condition")


def named(name: str) -> Iterator[tuple[str, str]]:
    """Returns every condition that the code of a ruleset sets or reads, as a literal or a constant."""
    for path in sorted(folder_of(name).rglob("*.py")):
        inner = ".".join((package_of(name).__name__, *path.relative_to(folder_of(name)).with_suffix("").parts))
        module = importlib.import_module(inner.removesuffix(".__init__"))
        for node in ast.walk(ast.parse(path.read_text())):
            for given in arguments(node):
                word = (
                    given.value if isinstance(given, ast.Constant) else getattr(module, getattr(given, "id", ""), None)
                )
                if isinstance(word, str):
                    yield path.name, word


def arguments(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.Call):
        return []
    called = ast.unparse(node.func)
    if called in {"ConditionGained", "ConditionLost"}:
        return node.args[1:2]
    return node.args[1:] if called.rpartition(".")[2] in ASKS and ".conditions." in called else []


@pytest.mark.parametrize("name", installed())
def test_what_the_rules_name_is_known(name: str) -> None:
    found = list(named(name))

    assert len(found) > 20
    assert [] == [each for each in found if not known(ruleset(name), each[1])]


def test_what_rules_gave_in_a_recorded_fight_is_known() -> None:
    seen = set()
    for path in sorted((ROOT / "tests" / "golden").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        if not path.name.startswith("every-shape"):  # the gamemaster sets conditions that no rule sets
            name = next(line["command"]["ruleset"] for line in lines[1:] if "ruleset" in line.get("command", {}))
            seen |= {(name, condition) for condition in recorded(lines)}

    assert {"eclipse_phase_1e", "eclipse_phase_2e", "gurps_3e", "shadowrun_4e"} == {name for name, _ in seen}
    assert set() == {(name, condition) for name, condition in seen if not known(ruleset(name), condition)}


@pytest.mark.parametrize("name", installed())
@pytest.mark.parametrize("typo", ["prnoe", "pron", "unconcious"])
def test_a_slip_of_the_pen_is_told_of_with_the_nearest(name: str, typo: str) -> None:
    meant = "unconscious" if typo.startswith("u") else "prone"

    assert free_condition(ruleset(name), f"conditions.{typo}") == (
        f"{typo} is free: no rule knows it; did you mean {meant}?"
    )
    assert not free_condition(ruleset(name), f"conditions.{meant}")


def test_what_is_no_condition_and_what_is_of_a_weapon_are_passed_over() -> None:
    for what in ("tracks.damage", "wounds", "conditions.heavy_pistol_jammed", "conditions.locked_out_of_stoya"):
        assert not free_condition(ruleset("eclipse_phase_1e"), what)
    assert free_condition(ruleset("gurps_3e"), "conditions.furious") == "furious is free: no rule knows it"
