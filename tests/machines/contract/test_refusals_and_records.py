"""Each refusal states where and what is accepted, and each record is frozen."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

from ledger import errors
from machines.contract import refusals as no

ROOMS = (
    "machines/contract", "machines/engine", "machines/secrecy", "replays/api", "replays/audit",
    "replays/audit/disputes", "replays/corrections",
    "replays/exports", "replays/exports/copying", "replays/odds", "replays/scripts", "replays/sessions", "replays/views",
)  # fmt: skip
MODULES = sorted([*(path for room in ROOMS for path in (ROOT / room).glob("*.py")), ROOT / "ledger" / "chain.py"])

ONLY_WHERE = {
    "ledger/chain.py": ("Unreadable",),
    "machines/engine/decide.py": ("AlreadyFighting", "NotFighting", "Taken", "Unsupported", "problem"),
    "machines/engine/framing.py": ("AlreadyFighting", "AlreadyOpen", "NotFighting", "Taken"),
    "machines/contract/tables.py": ("BadTable",),
    "replays/exports/import_checks.py": ("Unreadable",),
    "replays/audit/dice_proof.py": ("DiceBroken", "Unreadable"),
    "replays/audit/ledger_check.py": ("HeadsBroken",),
    "replays/exports/listing.py": ("NoSuchSession",),
    "replays/odds/odds.py": ("NotOpen",),
    "replays/sessions/undo.py": ("NothingToRedo", "NothingToUndo"),
    "replays/scripts/format.py": ("BadScript",),
    "replays/exports/jsonl.py": ("Newer", "Unreadable"),
}
"""Refusals without an accepted alternative, by module."""
ONLY_ACCEPTS = {"machines/engine/walk.py": ("TooManyEvents",)}
"""Refusals that concern no field, key or file, by module."""
OF_THEMSELVES = ("Broken", "Stale", "Expected", "Cut")
"""Refusals whose `where` is built from the number of an entry."""
FILLED = {
    "ledger/chain.py": ("_Leaves", "_CommandOnly"),
    "replays/audit/dice_proof.py": ("_ExportedLine", "_Raw", "_Throw"),
    "replays/audit/rerolls.py": ("_Pending",),
    "replays/exports/jsonl.py": ("_Digest",),
}
"""Mutable records, which are decoded or accumulated locally and never stored, by module."""


KINDS = {
    name
    for module in (errors, no)
    for name, kind in vars(module).items()
    if inspect.isclass(kind) and issubclass(kind, errors.Refused) and name not in OF_THEMSELVES
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def refusals(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yields the raised refusals of a module, with the names of their keyword arguments."""
    for node in ast.walk(ast.parse(path.read_text())):
        made = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Return) else None
        if isinstance(made, ast.Call):
            name, words = ast.unparse(made.func).removeprefix("no."), {str(word.arg) for word in made.keywords}
            if name in KINDS or (isinstance(node, ast.Raise) and words & {"where", "accepts"}):
                yield name, words


def records(path: Path) -> Iterator[tuple[str, bool]]:
    """Yields the structs of a module, and whether they are frozen."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef) and any("Struct" in ast.unparse(base) for base in node.bases):
            frozen = [word.value for word in node.keywords if word.arg == "frozen"]
            yield node.name, any(isinstance(value, ast.Constant) and value.value is True for value in frozen)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_refusal_says_where_and_what_would_be_accepted(path: Path) -> None:
    only_where, only_accepts = ONLY_WHERE.get(name_of(path), ()), ONLY_ACCEPTS.get(name_of(path), ())

    for name, words in refusals(path):
        assert "where" in words or name in only_accepts, name
        assert "accepts" in words or name in only_where, name


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_record_is_frozen(path: Path) -> None:
    assert [name for name, frozen in records(path) if not frozen] == list(FILLED.get(name_of(path), ()))
