"""A start of the command line loads only what it uses. No test promises a speed; these lists are what makes a start quick."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.commands import BeginCombat, Join
from machines.contract.ruleset import ruleset
from machines.registry import SHIPPED, installed, vocabulary_of
from replays.api.session import Session

LOADED = (
    "import atexit, sys; from replays.cli import main\n"
    "atexit.register(lambda: print('\\n' + '\\n'.join(sys.modules), file=sys.stderr))\n"
    "main()"
)
COMPILED = (
    "import atexit, re, sys; from replays.cli import main\n"
    "atexit.register(lambda: print('\\n' + '\\n'.join(name for name, module in sys.modules.items()"
    " if any(isinstance(each, re.Pattern) for each in vars(module).values())), file=sys.stderr))\n"
    "main()"
)
ALWAYS_COMPILED = {
    "ledger.bounds", "ledger.dice", "ledger.key", "ledger.source", "ledger.stores.heads.line",
    "replays.sessions.times",
}  # fmt: skip
"""Modules whose regular expressions every fight uses, or uses so often that looking them up would cost more."""
SLOW = ("pydantic", "importlib.metadata", "email", "asyncio", "litestar", "httpx", "psycopg", "prompt_toolkit")
"""Modules that take long to load, and that no verb needs without a server, a database or a keyboard."""
FOR_A_RECORD = ("machines.contract.chart", "machines.engine", "replays.corrections", "replays.odds", "replays.audit")
"""Modules that decide, correct and explain."""

FOR_A_QUESTION = (
    "replays.exports.jsonl", "replays.exports.recap", "replays.exports.report", "replays.exports.theatre",
    "replays.odds.luck", "replays.odds.odds", "replays.odds.engine.symbolic", "replays.audit.audit", "replays.audit.disputes.case",
    "replays.audit.disputes.precedents", "html", "json",
    "tomllib",
)  # fmt: skip
"""Modules that export, report, replay, audit or compute; a fight is played without them until a person asks."""


def loaded(arguments: Sequence[str], typed: str = "", keeping: Path | None = None, program: str = LOADED) -> set[str]:
    """Returns the names of all modules that a call of the command line has loaded.

    Args:
        arguments: The words of the call.
        typed: What is typed.
        keeping: The folder in which Python keeps what it has compiled, and the game its parsed tables; by default where it does.
        program: Runs the call, and prints names.
    """
    command = [sys.executable, "-c", program, *arguments]
    kept = {"PYTHONPYCACHEPREFIX": str(keeping), "PYTHONDONTWRITEBYTECODE": ""} if keeping else {}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True, env={**os.environ, **kept})
    return set(done.stderr.splitlines())


def rulesets(names: set[str]) -> set[str]:
    """Returns the games whose rules are among modules."""
    return {game for game, package in SHIPPED.items() if f"{package}.ruleset" in names}


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    """A ledger with a fight of each shipped game, that of GURPS last."""
    url = f"sqlite:///{tmp_path}/fights.db"
    for number, game in enumerate(sorted(SHIPPED, key=lambda name: name == "gurps_3e")):
        session = Session.create(url, ruleset=game, session=f"01{number}")
        for who in list(session.game.sheets)[:2]:
            session.perform(Join(who, dict(session.game.sheets[who])))
        session.perform(BeginCombat())
        session.close()
    return url


def test_the_version_is_printed_without_loading_anything() -> None:
    expected: set[str] = set()

    names = loaded(["--version"])

    assert names & {"typer", "rich", "msgspec", "ledger.entry", "replays.api.session", *SLOW} == expected


def test_showing_a_fight_loads_no_rules(ledger: str) -> None:
    expected: set[str] = set()

    names = loaded(["--ledger", ledger, "show"])

    assert "replays.cli.commands.show" in names
    assert rulesets(names) == expected
    assert names & {*SLOW, *FOR_A_RECORD} == expected


def test_a_fight_loads_the_rules_of_its_own_game(ledger: str, tmp_path: Path) -> None:
    words = ["--ledger", ledger, "fight", "gurps_3e"]
    loaded(words, "quit\n", tmp_path)  # the first start of all parses the tables

    names = loaded(words, "quit\n", tmp_path)

    assert rulesets(names) == {"gurps_3e"}
    assert names & {*SLOW, *FOR_A_QUESTION} == set()


def test_a_fight_keeps_no_compiled_expressions_but_those_that_it_always_uses(ledger: str) -> None:
    ours = ("ledger.", "machines.", "projections.", "replays.")

    names = loaded(["--ledger", ledger, "fight", "gurps_3e"], "quit\n", program=COMPILED)

    assert {name for name in names if name.startswith(ours)} == ALWAYS_COMPILED


@pytest.mark.parametrize("game", SHIPPED)
def test_the_vocabulary_of_a_shipped_game_is_that_of_its_ruleset(game: str) -> None:
    assert vocabulary_of(game) is ruleset(game).vocabulary


def test_the_shipped_rulesets_are_those_that_the_package_registers() -> None:
    expected = {name: f"{package}:RULESET" for name, package in SHIPPED.items()}

    registered = {name: point.value for name, point in installed().items() if point.dist.name == "affray"}

    assert registered == expected


def test_garbage_is_collected_once_the_modules_of_the_verb_are_loaded(ledger: str) -> None:
    program = (
        "import atexit, gc, sys; from replays.cli import main\n"
        "atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 1_000, file=sys.stderr))\n"
        "main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, "--ledger", ledger, "sessions"], capture_output=True, text=True
    )

    assert done.stderr == "True True\n"
