"""A menu that is too long for the screen shows an attack on each enemy, the default, and what else fits."""

import io
import re

import pytest
from nine_combatants import FIVE, FOUR, NINE, go_on, nine
from rich.console import Console

from replays.cli import board
from replays.cli.views.result_view import all_options


def shown(at, *, height: int = 24, width: int = 80) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width, height=height, force_terminal=True, color_system=None)
    board.show_question(console, at, at.question())
    return text.getvalue().splitlines()


@pytest.mark.parametrize("game", NINE)
def test_nine_combatants_at_eighty_by_twenty_four(game: str) -> None:
    at, actors = nine(game), set()
    for _ in range(9):
        who = go_on(at)
        lines, legal = shown(at), at.question().legal
        actors.add(who)
        assert len(lines) <= 6, lines
        assert max(map(len, lines)) <= 80
        text = " ".join(lines)
        first = [f"{number} {each.against}" for number, each in enumerate(legal[: len(FIVE)], 1) if each.against]
        enemies = FIVE if who in FOUR else FOUR
        attacks = [each.against for each in legal if each.word == "attack"][: len(enemies)]
        assert all(re.search(rf"\b{each}\b", text) for each in attacks), text
        if legal[0].command.kind == "attack":
            assert [each.split()[1] for each in first][: len(enemies)] == enemies
            assert all(re.search(rf"\b{each}\b", text) for each in first[: len(enemies)]), text
        assert len(set(re.findall(r"(?<![\w-])(\d+) [a-z]", text))) >= 4, text
        assert re.search(r"\d+ end ⏎", text), text
        at.submit("end")
    assert len(actors) > 3


@pytest.mark.parametrize("game", NINE)
def test_the_whole_list_names_the_reason_of_refused_options_once(game: str) -> None:
    at = nine(game)
    go_on(at)
    refused = [each for each in at.question().answers if each.refused]
    lines = list(all_options(at.question()))

    assert sum("✗" in line for line in lines) == len({each.refused for each in refused})
    assert sum("✗" not in line for line in lines) == len(at.question().legal)


def test_options_against_allies_are_left_to_the_whole_list() -> None:
    at = nine("gurps_3e")
    who = go_on(at)
    text = " ".join(shown(at))
    allies = set(FOUR if who in FOUR else FIVE) - {who}
    assert not [each for each in allies if f"{each} " in text.partition(":")[2].partition("what to do")[2]]
    assert re.search(r"… \d+ more: options", text)
    console = Console(file=(wide := io.StringIO()), width=200, height=60, force_terminal=True, color_system=None)
    board.show_question(console, at, at.question())
    assert "more: options" not in wide.getvalue()


def test_on_a_tall_screen_hints_are_shown_as_before() -> None:
    at = nine("eclipse_phase_1e")
    go_on(at)
    assert any(line.startswith("1 may add: ") for line in shown(at, height=50, width=120))
    assert not any("may add: " in line for line in shown(at))
