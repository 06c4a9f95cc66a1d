"""Verbs are loaded when they are used: the table of verbs is complete, and one verb loads no other module of verbs."""

import subprocess
import sys
from pathlib import Path

import pytest

from replays.cli import commands
from replays.cli.commands import MODULES, VERBS, commands_of

LOADED = (
    "import sys; from replays.cli.app import run; run(sys.argv[1:]);"
    "print(sorted(name.rpartition('.')[2] for name in sys.modules if name.startswith('replays.cli.commands.')))"
)


def test_the_table_of_verbs_has_every_module_of_commands() -> None:
    folder = Path(commands.__file__).parent

    found = (path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py") if path.stem != "__init__")
    assert {".".join(path.parts) for path in found} == set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_the_table_of_verbs_lists_what_a_module_adds(module: str) -> None:
    assert tuple(commands_of(module)) == MODULES[module]


def test_verbs_are_unique() -> None:
    assert len(VERBS) == sum(len(verbs) for verbs in MODULES.values())


@pytest.mark.parametrize(("verb", "module"), [("show", "show"), ("migrate", "serve"), ("report", "report")])
def test_a_verb_loads_no_other_verbs(verb: str, module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", LOADED, "--ledger", f"sqlite:///{tmp_path}/new.db", verb]
    printed = subprocess.run(command, capture_output=True, text=True).stdout

    assert printed.splitlines()[-1] == f"['{module}']"
