"""Loads recorded fights: scenarios, fights that ship with the project, and golden fights."""

from functools import cache
from pathlib import Path

from ledger.stores.memory import MemoryStore
from machines.registry import installed
from replays.api.run_script import perform
from replays.api.session import Session
from replays.exports.jsonl import bring_in
from replays.scripts.format import examples as shipped
from replays.scripts.format import read

TESTS = Path(__file__).parents[1]
GAMES = sorted(installed())


def scenarios(game: str) -> list[Session]:
    """Returns the scenarios, the shipped fights and the golden fights of a game."""
    return [*played(game), *golden(game)]


@cache
def played(game: str) -> list[Session]:
    """Returns the scenarios and the shipped fights of a game, decided by today's rules."""
    paths = [*sorted((TESTS / "scenarios" / game).glob("*.toml")), *sorted(shipped().values())]
    written = [(path, path.read_bytes()) for path in paths]
    return [perform(read(text, path.name)) for path, text in written if f'"{game}"'.encode() in text]


@cache
def by_hand(game: str) -> list[Session]:
    """Returns the fights of several rounds of a game that were worked out by hand."""
    paths = sorted((TESTS / "scenarios" / "by_hand" / game).glob("*.toml"))
    return [perform(read(path.read_bytes(), path.name)) for path in paths]


def golden(game: str) -> list[Session]:
    """Returns the golden fights of a game, as they were recorded by the rules of their time."""
    return [each for each in _golden() if each.combat.session.ruleset == game]


@cache
def _golden() -> list[Session]:
    found = []
    for path in sorted((TESTS / "golden").glob("*.state.json")):
        store = MemoryStore()
        lines = path.with_name(path.name.replace(".state.json", ".jsonl")).read_bytes().splitlines()
        found.append(Session(store, bring_in(lines, store).session))
    return found
