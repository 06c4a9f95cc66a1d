"""Scenarios: fights that a rules reader can check without Python, played die for die.

Every ``*.toml`` below a ruleset's folder is played, its expectations are checked, and its log is rehearsed and folded
anew. Every ``*.toml`` below ``refusals/`` names in its first line the slug with which its last step is refused, or its
opening where it has no steps.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from exits import exits, walked

from ledger import events as e
from ledger.commands import Overrule
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import FigureFound, SessionOpened, StepEntered
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from machines.engine.walk import MOST_EVENTS
from machines.registry import installed
from projections.combat import fold
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.recorded_answers import underlying
from replays.corrections.redecide import rehearse
from replays.scripts.format import Script, examples, read
from replays.sessions.log import Log

HERE = Path(__file__).parent
REFUSALS = sorted((HERE / "refusals").rglob("*.toml"))
SCENARIOS = sorted(path for path in HERE.rglob("*.toml") if path not in REFUSALS)
SHIPPED = sorted(examples().values())
GAMES = sorted(installed())

NEVER_WALKED: dict[tuple[str, str, str, str], str] = {}
"""Exits that no scenario can walk today, and why."""


def name_of(path: Path) -> str:
    return path.stem


def script_of(path: Path) -> Script:
    return read(path.read_bytes(), path.name)


@cache
def played(path: Path) -> Session:
    return perform(script_of(path))


@pytest.mark.parametrize("path", [*SCENARIOS, *SHIPPED], ids=name_of)
def test_a_scenario_goes_as_it_is_written_and_its_log_says_the_same_again(path: Path) -> None:
    expected: list[object] = []

    session = played(path)
    divergences = list(rehearse(session.log))
    standing = session.log.entries_of(session.log.timeline.line())

    assert expected == divergences
    assert fold(event for entry in standing for event in entry.events) == session.combat


@pytest.mark.parametrize("path", [*SCENARIOS, *SHIPPED], ids=name_of)
def test_no_move_of_a_printed_fight_comes_near_to_what_is_too_much(path: Path) -> None:
    assert max(len(entry.events) for entry in played(path).entries()) < MOST_EVENTS // 25


@pytest.mark.parametrize("path", [*SCENARIOS, *REFUSALS], ids=name_of)
def test_a_scenario_has_a_sentence_for_its_name_and_says_where_it_comes_from(path: Path) -> None:
    script = script_of(path)

    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", path.stem)
    assert script.title
    assert script.source
    assert path.parent.name == script.ruleset


@pytest.mark.parametrize("game", GAMES)
def test_whatever_the_gamemaster_says_a_test_comes_to_the_rules_go_on_or_refuse_it(game: str) -> None:
    known: set[tuple[object, ...]] = set()
    for path in (each for each in SCENARIOS if each.parent.name == game):
        log, rules = played(path).log, ruleset(game)
        for entry in played(path).entries():
            walked = tuple((event.chart, event.box) for event in entry.events if isinstance(event, StepEntered))
            for key, figure, was, says in _other_words(entry, rules):
                situation = (key.rpartition("/")[2], figure, was, says, walked)
                if situation not in known:
                    known.add(situation)
                    _overruled(log, rules, entry, Overrule(key, figure, says, "so"))
    assert len(known) > 100


def _other_words(entry: Entry, rules: Ruleset) -> Iterator[tuple[str, str, str, str]]:
    """Yields, for each word that an entry found, its key, its name, the word, and each word that could replace it."""
    for event in entry.events:
        if isinstance(event, e.TestResolved):
            yield from ((event.key, "outcome", event.outcome, word) for word in rules.outcomes if word != event.outcome)
        if isinstance(event, FigureFound) and event.why and isinstance(event.value, str):
            yield from ((event.key, event.name, event.value, word) for word in ("", "nonsense"))


def _overruled(log: Log, rules: Ruleset, entry: Entry, word: Overrule) -> None:
    """Decides an entry again with the gamemaster's word: it is refused with a slug, or goes on."""
    command, before = underlying(entry, log.entry)
    try:
        decide(rules, log.state(entry.after), command, (*before, word))
    except Refused as refusal:
        assert "/" in refusal.slug


# ------------------------------------------------------------------------------------------------ refusals


def slug_of(path: Path) -> str:
    first = path.read_text().splitlines()[0]
    found = re.fullmatch(r"# refused: (\S+/\S+)", first)
    assert found, f"{path.name} does not begin with '# refused: slug'"
    return found[1]


@pytest.mark.parametrize("path", [path for path in REFUSALS if script_of(path).play], ids=name_of)
def test_the_last_step_is_refused_and_none_before_it(path: Path) -> None:
    script = script_of(path)
    expected = slug_of(path), f"step {len(script.play)}: "
    perform(msgspec.structs.replace(script, play=script.play[:-1]))

    with pytest.raises(Refused) as refusal:
        perform(script)

    assert expected[0] == refusal.value.slug
    assert expected[1] in str(refusal.value)


@pytest.mark.parametrize("path", [path for path in REFUSALS if not script_of(path).play], ids=name_of)
def test_the_opening_is_refused(path: Path) -> None:
    expected = slug_of(path)

    with pytest.raises(Refused) as refusal:
        perform(script_of(path))

    assert expected == refusal.value.slug


# ------------------------------------------------------------------------------------------------ what they cover


@cache
def sessions(game: str) -> tuple[Session, ...]:
    """Returns all scenarios of a ruleset that can be played; one that cannot fails in a separate test."""
    paths = [path for path in [*SCENARIOS, *SHIPPED] if script_of(path).ruleset == game]
    return tuple(session for session in map(_played_or_none, paths) if session is not None)


def _played_or_none(path: Path) -> Session | None:
    try:
        return played(path)
    except Exception:
        return None


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_exit_of_every_chart_is_walked_by_some_scenario(game: str) -> None:
    steps = {step for session in sessions(game) for step in walked(session)}
    missing = {
        (chart, box, label) for chart, box, label, number in exits(ruleset(game)) if (chart, box, number) not in steps
    }
    expected = {(chart, box, label) for of, chart, box, label in NEVER_WALKED if of == game}

    print("\n".join(f"never walked: {chart} {box} {label}" for chart, box, label in sorted(missing - expected)))

    assert expected == missing


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_box_is_entered_by_some_scenario(game: str) -> None:
    unreachable = {
        (chart, number)
        for chart, box, label, number in exits(ruleset(game))
        if (game, chart, box, label) in NEVER_WALKED
    }
    expected = {(chart.name, number) for chart in ruleset(game).charts.values() for number in chart.boxes}

    entered = {
        (event.chart, event.box)
        for session in sessions(game)
        for entry in session.entries()
        for event in entry.events
        if isinstance(event, StepEntered)
    }

    assert expected - unreachable == entered


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_option_is_played_by_some_scenario(game: str) -> None:
    hints = get_type_hints(ruleset(game).profile)
    values = {name: _values(hint) for name, hint in hints.items()}
    expected = {(name, value) for name, each in values.items() for value in each}

    rules = [
        event.rules
        for session in sessions(game)
        for entry in session.entries()
        for event in entry.events
        if isinstance(event, SessionOpened)
    ]

    assert expected == {(name, rule[name]) for rule in rules for name, each in values.items() if each}


def _values(hint: object) -> tuple[object, ...]:
    if hint is bool:
        return (True, False)
    return get_args(hint) if get_origin(hint) is Literal else ()


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_dice_option_is_played_with_more_than_one_value(game: str) -> None:
    plain = [msgspec.to_builtins(row) for row in ruleset(game).profiles]
    names = {name for name in plain[0] if name.endswith("_dice")}
    played_with = {
        (name, event.rules[name])
        for session in sessions(game)
        for entry in session.entries()
        for event in entry.events
        if isinstance(event, SessionOpened)
        for name in names
    }

    found = {name for name in names if len({value for of, value in played_with if of == name}) > 1}

    assert names == found


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_printing_is_played_by_some_scenario(game: str) -> None:
    expected = {row.name for row in ruleset(game).profiles}

    found = {session.combat.session.profile for session in sessions(game)}

    assert expected == found
