"""Figures are named, typed and read by handles, and by nothing else in a ruleset."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.events import ExchangeEnded, FigureFound, TurnEnded
from machines.contract.figure_names import FigureName, FigureNames
from projections.combat import Combat, fold

ROOT = Path(__file__).parents[3]
KEY = "r1/ann/a1/attack"
DV = FigureName("dv", int)
OUTCOME = FigureName("outcome", str)
ATTACKS_LEFT = FigureName("attacks left", int, scope="phase")
DICE = FigureNames("dice: ", str)


def combat_with(*events: FigureFound | ExchangeEnded | TurnEnded) -> Combat:
    return fold(events)


def test_a_figure_is_read_at_the_key_at_which_it_was_found() -> None:
    combat = combat_with(DV.found(KEY, 7, "2d6", "SR4 1"))
    assert DV.is_at(combat, KEY)
    assert DV.at(combat, KEY) == 7
    assert DV.keys(combat) == [KEY]


def test_a_figure_that_is_not_there_reads_as_nothing_of_its_type() -> None:
    combat = combat_with()
    assert not DV.is_at(combat, KEY)
    assert (DV.at(combat, KEY), DV.at(combat, KEY, 1)) == (0, 1)
    assert (OUTCOME.at(combat, KEY), OUTCOME.at(combat, KEY, "miss")) == ("", "miss")
    assert not ATTACKS_LEFT.is_of(combat, "ann")
    assert ATTACKS_LEFT.of(combat, "ann") == 0


def test_a_figure_of_0_is_there_and_no_default_replaces_it() -> None:
    combat = combat_with(DV.found(KEY, 0, "", "SR4 1"), ATTACKS_LEFT.found(KEY, 0, "", "SR4 1", who="ann"))
    assert DV.at(combat, KEY, 5) == 0
    assert ATTACKS_LEFT.is_of(combat, "ann")


def test_a_figure_holds_as_long_as_its_name_states() -> None:
    found = ATTACKS_LEFT.found(KEY, 2, "", "EP1 198", who="ann")
    assert found == FigureFound(KEY, "attacks left", 2, "", "EP1 198", "phase", "ann")
    assert ATTACKS_LEFT.of(combat_with(found, ExchangeEnded(KEY, "")), "ann") == 2
    assert not ATTACKS_LEFT.is_of(combat_with(found, ExchangeEnded(KEY, ""), TurnEnded("ann")), "ann")
    assert not DV.is_at(combat_with(DV.found(KEY, 7, "", ""), ExchangeEnded(KEY, "")), KEY)


def test_names_that_begin_alike_are_one_figure_each_and_are_read_together() -> None:
    combat = combat_with(DICE["weapon"].found(KEY, "2d10", "", ""), DICE["burst"].found(KEY, "1d10", "", ""))
    assert DICE["burst"].at(combat, KEY) == "1d10"
    assert DICE.at(combat, KEY) == ["2d10", "1d10"]
    assert DICE["burst"] == FigureName("dice: burst", str)


WRONG = """
from machines.contract.figure_names import FigureName
from projections.combat import Combat

DV = FigureName("dv", int)
DV.found("r1/ann/a1", "seven", "", "")
word: str = DV.at(Combat(), "r1/ann/a1")
"""


@pytest.mark.whole
def test_mypy_refuses_a_value_of_another_type(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--no-error-summary", str(wrong)]
    errors = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines()
    assert [line.rpartition("[")[2] for line in errors] == ["arg-type]", "assignment]"]


RULESETS = ("machines/eclipse_phase", "machines/gurps_3e", "machines/shadowrun_4e", "tests/contracts/rulesets/tiny_d20")
READS = {"of", "number", "word", "words", "holds", "exchange", "lasting"}


def modules() -> list[Path]:
    return [module for folder in RULESETS for module in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_ruleset_reads_and_finds_figures_by_typed_names_alone(module: Path) -> None:
    assert list(bare(module.read_text())) == []


def test_a_bare_name_would_be_found() -> None:
    lines = 'combat.figures.number(key, "dv")\nFigureFound(key, "dv", 1, "", "", "exchange", "")\nfigures.exchange\n'
    assert sorted(bare(lines)) == [1, 2, 3]


def test_a_bare_name_of_a_figure_with_bounds_or_of_the_roller_would_be_found() -> None:
    lines = (
        'FIGURES = bounds_by_name({\n    DV: Number(),\n    "armor": Number(),\n    f"{ARMOR}": Number(),\n})\n'
        'RULESET = Ruleset(own_figures=(\n    BASE.name,\n    "target",\n))\n'
        'FIGURES: Mapping[str, Bounds] = {"dv": Number()}\n'
        "RULESET = Ruleset(own_figures=tuple(FIGURES), figures=FIGURES)\n"
    )
    assert sorted(bare(lines)) == [3, 4, 8, 10]


def bare(source: str) -> Iterator[int]:
    """Yields the lines that read a figure, bound it or list it as the roller's by a string, or make its event so."""
    for node in ast.walk(ast.parse(source)):
        yield from (each.lineno for each in _listed(node) if isinstance(each, ast.Constant | ast.JoinedStr))
        if isinstance(node, ast.Attribute) and node.attr in READS and _last(node.value) == "figures":
            yield node.lineno
        if isinstance(node, ast.Call) and _last(node.func) == "FigureFound":
            yield node.lineno


def _listed(node: ast.AST) -> Iterator[ast.expr]:
    """Yields the figures that have bounds, and those that disclose only facts about the roller."""
    if isinstance(node, ast.Call) and _last(node.func) == "bounds_by_name":
        yield from (key for each in node.args if isinstance(each, ast.Dict) for key in each.keys if key is not None)
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(_last(target) == "FIGURES" for target in targets):
            yield from (key for key in node.value.keys if key is not None)
    if isinstance(node, ast.keyword) and node.arg == "own_figures":
        for inside in ast.walk(node.value):
            yield from inside.elts if isinstance(inside, ast.Tuple | ast.List | ast.Set) else ()


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
