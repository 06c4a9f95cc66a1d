"""What a program can see of refusals and records: each refusal says where and what is accepted, each record is frozen."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import errors
from machines import refusals as no

ROOT = Path(__file__).parents[2]
MODULES = sorted([*(ROOT / "machines").glob("*.py"), *(ROOT / "replays").glob("*.py"), ROOT / "ledger" / "chain.py"])

ONLY_WHERE = {
    "ledger/chain.py": ("Unreadable",),
    "machines/decider.py": ("AlreadyFighting", "NotFighting", "Taken", "Unsupported", "problem"),
    "machines/framing.py": ("AlreadyFighting", "AlreadyOpen", "NotFighting", "Taken"),
    "machines/tables.py": ("BadTable",),
    "replays/admitting.py": ("Unreadable",),
    "replays/dice_proof.py": ("DiceBroken", "Unreadable"),
    "replays/keeping.py": ("SessionExists",),
    "replays/ledger_check.py": ("HeadsBroken",),
    "replays/listing.py": ("NoSuchSession",),
    "replays/odds.py": ("NotOpen",),
    "replays/rewinding.py": ("NothingToRedo", "NothingToUndo"),
    "replays/script.py": ("BadScript",),
    "replays/transfer.py": ("Newer", "Unreadable"),
}
"""By module: refusals for which nothing else would be accepted there."""
ONLY_ACCEPTS = {"machines/walk.py": ("TooManyEvents",)}
"""By module: refusals that are about no field, key or file."""
OF_THEMSELVES = ("Broken", "Stale", "Expected", "Cut")
"""Refusals that are made of an entry's number, which says where."""
FILLED = {
    "ledger/chain.py": ("_Leaves", "_Asked"),
    "replays/dice_proof.py": ("_Line", "_Raw", "_Throw"),
    "replays/second_thoughts.py": ("_Pending",),
    "replays/transfer.py": ("_Digest",),
}
"""By module: records that are read out of bytes or gathered, and kept by nobody."""


KINDS = {
    name
    for module in (errors, no)
    for name, kind in vars(module).items()
    if inspect.isclass(kind) and issubclass(kind, errors.Refused) and name not in OF_THEMSELVES
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def refusals(path: Path) -> Iterator[tuple[str, set[str]]]:
    """What is refused, with the arguments that are given by name."""
    for node in ast.walk(ast.parse(path.read_text())):
        made = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Return) else None
        if isinstance(made, ast.Call):
            name, words = ast.unparse(made.func).removeprefix("no."), {str(word.arg) for word in made.keywords}
            if name in KINDS or (isinstance(node, ast.Raise) and words & {"where", "accepts"}):
                yield name, words


def records(path: Path) -> Iterator[tuple[str, bool]]:
    """Structs, and whether they are frozen."""
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
