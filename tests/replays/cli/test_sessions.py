"""The verbs about whole sessions: what fits is listed; titles change; what is archived is out of sight."""

import json
from contextlib import closing
from typing import Any

import pytest

from ledger.commands import Join, RenameSession
from ledger.stores import open_store
from replays.api.session import Session


@pytest.fixture
def two(affray: Any) -> tuple[str, str]:
    """Returns the ids of two sessions, the first of them older."""
    affray("play", "stoya")
    affray("play", "jinx")
    first, second = (one["session"] for one in json.loads(affray("sessions", "--json")))
    return first, second


def listed(affray: Any, *words: str) -> list[str]:
    return [one["session"] for one in json.loads(affray("sessions", "--json", *words))]


def test_sessions_are_found_by_what_they_are(affray: Any, two: tuple[str, str]) -> None:
    first, second = two
    assert listed(affray) == [first, second]
    assert listed(affray, "--limit", "1") == [second]
    assert listed(affray, "--title", "STOYA") == [first]
    assert listed(affray, "--open") == [first, second]
    assert listed(affray, "--closed") == []
    assert listed(affray, "--ruleset", "gurps_3e") == []
    assert affray("sessions", "--ruleset", "gurps_3e") == "no session fits; --archived any lists archived ones, too\n"


def test_a_session_gets_another_title(affray: Any, two: tuple[str, str]) -> None:
    assert affray("rename", two[0], "The Night Market").endswith(": the session is now called The Night Market\n")
    assert "The Night Market (eclipse_phase_1e" in affray("sessions")
    assert listed(affray, "--title", "night market") == [two[0]]
    assert "session/title" in affray("rename", two[0], "The Night Market", code=2)
    assert "session/title" in affray("rename", two[0], " ", code=2)
    assert "seat/not-allowed" in affray("--as", "kira:player", "rename", two[0], "Mine", code=2)


def test_what_is_archived_is_out_of_sight_until_it_is_taken_out(affray: Any, two: tuple[str, str]) -> None:
    first, second = two
    assert affray("archive", first) == f"{first} is archived: affray sessions --archived any lists it\n"
    assert json.loads(affray("archive", first, "--json")) == {"session": first, "archived": True}
    assert listed(affray) == [second]
    assert listed(affray, "--archived", "any") == [first, second]
    assert "archived)" in affray("sessions", "--archived", "only")
    assert affray("unarchive", first) == f"{first} is listed again\n"
    assert listed(affray) == [first, second]
    assert "seat/not-allowed" in affray("--as", "kira:player", "archive", first, code=2)
    affray("sessions", "--archived", "maybe", code=2)
    affray("sessions", "--limit", "0", code=2)
    assert "session" in affray("archive", "nosuch", code=2)


def test_a_session_is_closed_for_good(affray: Any, two: tuple[str, str]) -> None:
    assert "close/unconfirmed" in affray("close", two[0], code=2)
    assert listed(affray, "--closed") == []
    assert affray("close", two[0], "--why", "until Friday", "--yes").endswith(": the session is closed\n")
    assert listed(affray, "--closed") == [two[0]]
    assert "· closed" in affray("show", two[0])
    assert "· closed" not in affray("show", two[1])
    assert "closed" in affray("sessions", "--closed")
    assert "session/not-open" in affray("close", two[0], "--yes", code=2)
    assert "session/not-open" in affray("rename", two[0], "Again", code=2)
    affray("archive", two[0])
    assert listed(affray) == [two[1]]
    assert "seat/not-allowed" in affray("--as", "kira:player", "close", two[1], "--yes", code=2)


def test_a_player_is_told_no_secret_title_and_nobody_who_is_hidden(affray: Any) -> None:
    with closing(open_store("sqlite:///affray.db", create=True)) as store:
        session = Session.create(store, ruleset="eclipse_phase_1e", title="Open title")
        sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
        session.perform(Join("mole", sheet, player="zoe", seen_by=()))
        session.perform(RenameSession("Zoe is the traitor", seen_by=()))
    (found,) = json.loads(affray("sessions", "--json"))
    assert (found["title"], found["players"]) == ("Zoe is the traitor", ["zoe"])
    (found,) = json.loads(affray("--as", "kira:player", "sessions", "--json"))
    assert (found["title"], found["players"]) == ("Open title", [])
    for words in (("--player", "zoe"), ("--title", "traitor")):
        assert json.loads(affray("--as", "kira:player", "sessions", "--json", *words)) == []


def test_what_somebody_wrote_about_a_deletion_is_printed_without_commands_to_the_terminal(
    affray: Any, two: tuple[str, str]
) -> None:
    affray("delete", two[0], "--why", "\x1b]0;mine\a\x1b[2J\u202e", "--yes")
    said = affray("show", two[0], code=2)
    assert not set(said) & {"\x1b", "\a", "\u202e"}
