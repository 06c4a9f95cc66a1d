"""`affray` alone lists what to type first, and each of its lines works; options before the verb are explained."""

import json
import shlex
from pathlib import Path


def test_affray_alone_lists_what_to_type_first(affray) -> None:
    text = affray()

    assert text.startswith("Affray runs a fight by the rules of its game, and keeps a record of every die.\n")
    assert max(map(len, text.splitlines())) <= 80


def test_each_line_of_it_works(affray) -> None:
    lines = [line.strip() for line in affray().splitlines() if line.startswith("  affray")]

    assert len(lines) == 5
    for line in lines:
        words = shlex.split(line.split(" > ")[0])
        printed = affray(*words[1:], lines=("quit",))
        if "> me.toml" in line:
            Path("me.toml").write_text(printed, encoding="utf-8")
    assert affray("sheet", "check", "me.toml").startswith("OK: ")


def test_json_before_the_verb_is_explained(affray) -> None:
    refused = json.loads(affray("--json", "play", code=2))

    assert refused["error"] == {
        "slug": "usage",
        "message": "--json comes after the verb: affray play --json",
        "where": "",
    }
    assert "affray VERB --json" in affray("--json", code=2)
    assert "No such option: --jsn" in affray("--jsn", "play", code=2)


def test_the_nearest_verb_is_named(affray) -> None:
    assert "No such command 'figth'. Did you mean 'fight'?" in affray("figth", code=2)


def test_a_missing_or_misspelt_game_is_refused_with_the_games(affray) -> None:
    assert "accepted: eclipse_phase_1e, " in affray("sheet", "new", code=2)
    assert "accepted: eclipse_phase_1e, " in affray("fight", code=2)
    assert "no ruleset 'gurps3e' is installed; did you mean 'gurps_3e'?" in affray("fight", "gurps3e", code=2)


def test_a_ready_sheet_in_the_place_of_a_table_is_named_as_one(affray) -> None:
    assert "affray sheet new gurps_3e --like guard" in affray("rules", "gurps_3e", "guard", code=2)
