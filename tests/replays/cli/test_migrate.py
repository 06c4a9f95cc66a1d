"""`affray migrate`, and a fight in a database."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from postgres_server import Server

from ledger.stores.postgres.schema import MIGRATIONS

Affray = Callable[..., str]


def test_a_file_needs_no_migration(affray: Affray) -> None:
    assert json.loads(affray("--ledger", "sqlite:///fight.db", "migrate", "--json")) == {"applied": []}
    assert Path("fight.db").exists()
    assert affray("--ledger", "memory://", "migrate") == "nothing to do\n"


def test_a_ledger_of_no_kind_cannot_be_migrated(affray: Affray) -> None:
    assert affray("--ledger", "ftp://x", "migrate", code=2).startswith("store/unknown: ")


def test_a_database_is_made_ready_once_and_then_there_is_nothing_to_do(affray: Affray, postgres: Server) -> None:
    url = postgres.empty()
    assert json.loads(affray("--ledger", url, "migrate", "--json")) == {
        "applied": [migration.name for migration in MIGRATIONS]
    }
    assert json.loads(affray("--ledger", url, "migrate", "--json")) == {"applied": []}
    assert affray("--ledger", url, "migrate") == "nothing to do\n"
    assert affray("--ledger", postgres.empty(), "migrate") == "".join(
        f"applied: {migration.name}\n" for migration in MIGRATIONS
    )


def test_before_that_other_verbs_are_refused_and_say_what_to_do(affray: Affray, postgres: Server) -> None:
    said = affray("--ledger", postgres.empty(), "sessions", code=2)
    assert said.startswith("store/not-migrated: ")
    assert "affray migrate" in said


def test_a_fight_can_be_played_in_a_database(affray: Affray, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_LEDGER", postgres.empty())
    affray("migrate")
    played = json.loads(affray("play", "stoya", "--json"))
    assert json.loads(affray("show", "--json"))["digest"] == played["digest"]
    assert [one["session"] for one in json.loads(affray("sessions", "--json"))] == [played["session"]]
    affray("verify")
