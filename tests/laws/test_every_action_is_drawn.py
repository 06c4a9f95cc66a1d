"""Random fights draw every kind of declaration: a kind that no strategy names would be tested by no law."""

import ast
from pathlib import Path

import pytest

from machines.contract.ruleset import ruleset

SUPPORT = Path(__file__).parents[1] / "support"
PREFIX = "strategies_"
GAMES = sorted(
    path.stem.removeprefix(PREFIX) for path in SUPPORT.glob(f"{PREFIX}*.py") if path.stem != f"{PREFIX}of_any"
)


@pytest.mark.parametrize("game", GAMES)
def test_the_strategies_of_a_game_name_every_kind_of_declaration(game: str) -> None:
    tree = ast.parse((SUPPORT / f"{PREFIX}{game}.py").read_text())
    named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}

    assert set(ruleset(game).kinds) <= named
