"""`affray campaign`: the list, and one campaign with its sessions, roster, luck and rulings."""

import json
from contextlib import closing
from typing import Any

import msgspec
import pytest
from campaign_sessions import ODD, RAIN, fill

from ledger.stores.sqlite import SqliteStore
from replays.campaigns.campaign import campaign, campaign_luck, campaign_rulings
from replays.campaigns.listing import campaigns
from replays.exports import documents


@pytest.fixture(autouse=True)
def ledger() -> None:
    """Puts a ledger with campaigns into the working directory."""
    with closing(SqliteStore("affray.db")) as store:
        fill(store)


def plain(document: Any) -> Any:
    """Returns what a JSON document is read as."""
    return json.loads(msgspec.json.encode(document))


def test_campaigns_are_listed_in_one_line_each_and_what_cannot_be_read(affray: Any) -> None:
    found = affray("campaign").splitlines()

    assert found[0] == "Iron Rain  4 sessions, 42 entries, 2026-11-27, eclipse_phase_1e, gurps_3e"
    assert found[1].startswith(f"{ODD}  1 session, 1 entry, ")
    assert found[2].startswith("LOST: its campaign is not known: log/unreadable")


def test_a_campaign_is_shown_in_eighty_columns(affray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    text = affray("campaign", RAIN)

    assert max(len(line) for line in text.splitlines() if not line.startswith(("RAIN4:", "LOST:"))) <= 80
    for words in ("RAIN2", "closed", "damaged", "kira", "robert (fist)", "left, damage 14/40, wounds 1", "gamemaster",
                  "The door (door)", "12 dice", "the rule says 14, the gamemaster 7", "upheld: as it lies",
                  "RAIN4: damaged: log/unreadable"):  # fmt: skip
        assert words in text, words
    assert "Eve" not in text
    assert "pillow" not in text


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_campaign_as_json_is_what_the_functions_return(affray: Any, jobs: str) -> None:
    found = json.loads(affray("campaign", RAIN, "--json", "--jobs", jobs))

    with closing(SqliteStore("affray.db")) as store:
        page, luck, rulings = campaign(store, RAIN), campaign_luck(store, RAIN), campaign_rulings(store, RAIN)
    assert found.pop("luck") == plain(documents.chances(luck))
    assert found.pop("rulings") == plain(rulings.rulings)
    assert found == plain(page)


def test_the_list_as_json_is_what_the_function_returns(affray: Any) -> None:
    with closing(SqliteStore("affray.db")) as store:
        expected = campaigns(store)

    assert json.loads(affray("campaign", "--json")) == plain(expected)


def test_a_campaign_without_dice_has_no_luck_and_is_shown(affray: Any) -> None:
    assert "no luck to measure: no dice were thrown" in affray("campaign", ODD)
    assert json.loads(affray("campaign", ODD, "--json"))["luck"] is None


def test_an_unknown_name_is_refused_with_the_nearest(affray: Any) -> None:
    assert "campaign/unknown: no session belongs to the campaign 'iron rian'; did you mean 'Iron Rain'?" in affray(
        "campaign", "iron rian", code=2
    )


def test_only_the_gamemaster_may_see_a_campaign(affray: Any) -> None:
    for name in ((), (RAIN,)):
        assert "seat/not-allowed: kira (player) may not see campaigns" in affray(
            "--as", "kira:player", "campaign", *name, code=2
        )


def test_luck_of_the_campaign_is_the_same_and_names_what_was_not_measured(affray: Any) -> None:
    text, found = affray("luck", "--campaign", RAIN), json.loads(affray("luck", "--campaign", RAIN, "--json"))

    assert "3 sessions together." in text
    assert "RAIN4: not measured: log/unreadable" in text
    assert found == json.loads(affray("campaign", RAIN, "--json"))["luck"]
    assert [each["session"] for each in found["not_measured"]] == ["RAIN4", "LOST"]
