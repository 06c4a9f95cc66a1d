"""Scripts with anything anywhere: a wrong type, a wrong word, too much of it. Each is played or refused with its path."""

import datetime
import json
from typing import Any

import pytest
from forging import at, paths, replaced
from strategies import ARMED

from ledger.errors import Refused
from replays.api.run_script import perform
from replays.scripts.expectations import Expected
from replays.scripts.format import one_step, read

STEPS: list[dict[str, Any]] = [
    {"begin": {}},
    {"dice": {"ann": 90, "bob": [10]}},
    {"note": "so far"},
    {"declare": {"kind": "attack", "by": "ann", "at": "bob", "using": "club"}},
    {"choose": {"bob": "fray"}},
    {"modify": {"key": "to-hit", "value": 5, "why": "the light"}},
    {"dice": {"ann/to-hit": 30}, "book_says": {"target": 55}},
    {"dice": {"bob/defend": 88}},
    {"draw": "damage"},
    {"overrule": {"key": "ann/damage", "figure": "dv", "value": 9, "why": "so"}},
    {"expect": {"bob": {"wounds": 1}, "outcome": "hit", "order": ["ann", "bob"], "path": ["1"]}},
    {"note": "not so"},
    {"rewind": {"span": "step", "why": "no"}},
    {"amend": {"entry": "ann/to-hit", "dice": {"ann/to-hit": 31}, "why": "misread"}},
    {"amend": {"entry": 2, "set": {"sheet.init": 61}, "insert": [{"note": "before"}], "drop": False, "why": "misread"}},
    {"adjust": {"who": "bob", "what": "wounds", "value": 2, "why": "so"}},
    {"join": {"who": "cyd", "name": "Cyd", "player": "gm", "thing": False, "sheet": ARMED}},
    {"draw": True},
    {"leave": {"who": "cyd", "why": "flees"}},
    {"end": {"why": "they talk"}},
    {"pass_time": {"amount": 3, "unit": "hours", "why": "rest"}},
]
SCRIPT: dict[str, Any] = {
    "affray": 1, "title": "Anything", "ruleset": "eclipse_phase_1e", "profile": "first printing", "source": "none", "options": {"fray_rounding": "half_up"},
    "policies": {"dice": "sticky"}, "combatants": {"ann": {"name": "Ann", "player": "kira", "thing": False, "sheet": ARMED}, "bob": {"sheet": ARMED}},
    "play": STEPS,
}  # fmt: skip
VALUES: tuple[Any, ...] = (
    True, 0, -1, 7, 2**31, 2**63 - 1, 1.5, float("inf"), "", "x", "x" * 30_000, "a\u202eb", "a\x00b", [], [[]], [1, "a"], ["ann"], {}, {"x": 1},
    {"kind": ["attack"], "by": {"x": 1}}, {"x": {"y": [1.5]}}, datetime.date(2024, 11, 3), datetime.datetime(2024, 11, 3, 19, 30), datetime.time(19, 30),
)  # fmt: skip


def toml(value: Any) -> str:
    """A value as TOML has it in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, float):
        return "inf" if value == float("inf") else repr(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return json.dumps(value)


def text(script: dict[str, Any]) -> str:
    return "\n".join(f"{name} = {toml(value)}" for name, value in script.items())


def test_the_script_that_is_altered_is_played_to_an_expectation() -> None:
    with pytest.raises(Expected) as mismatch:
        perform(read(text(SCRIPT)))
    assert mismatch.value.step == 11
    assert perform(read(text({**SCRIPT, "play": [*STEPS[:10], *STEPS[11:]]}))).log.last > len(STEPS)


def answered(script: dict[str, Any]) -> None:
    """Plays a script: it goes through, or something of it is refused."""
    try:
        perform(read(text(script)))
    except Expected:
        return
    except Refused as refusal:
        assert "/" in refusal.slug
        assert refusal.message
        assert refusal.where


OUTSIDE = list(paths({name: value for name, value in SCRIPT.items() if name not in ("play", "combatants")}))


@pytest.mark.parametrize("path", OUTSIDE, ids=str)
def test_anything_at_the_top_of_a_script_is_answered(path: tuple[Any, ...]) -> None:
    for value in VALUES:
        answered(replaced({**SCRIPT, "play": STEPS[:2]}, path, value))


@pytest.mark.parametrize("nth", range(len(STEPS)), ids=lambda nth: f"{nth + 1} {next(iter(STEPS[nth]))}")
def test_anything_anywhere_in_a_step_is_answered(nth: int) -> None:
    steps = [step for step in STEPS[: nth + 1] if "expect" not in step or step is STEPS[nth]]
    for path in [(), *paths(STEPS[nth])]:
        if "sheet" in path[:-1]:
            continue
        for value in VALUES:
            answered({**SCRIPT, "play": [*steps[:-1], replaced(STEPS[nth], path, value)]})


@pytest.mark.parametrize(
    "path", [path for path in paths(SCRIPT["combatants"]) if path[:2] != ("bob", "sheet")], ids=str
)
def test_anything_anywhere_in_a_combatant_is_answered(path: tuple[Any, ...]) -> None:
    for value in VALUES:
        answered({**SCRIPT, "combatants": replaced(SCRIPT["combatants"], path, value), "play": STEPS[:2]})


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_any_step_that_an_amendment_inserts_is_read_or_refused(value: Any) -> None:
    for step in STEPS:
        for path in [(), *paths(step)]:
            try:
                one_step(replaced(step, path, value))
            except Refused as refusal:
                assert refusal.where


def test_who_declares_is_a_word_and_is_refused_with_its_path_where_it_is_none() -> None:
    for field in ("kind", "by"):
        with pytest.raises(Refused) as refusal:
            read(text({**SCRIPT, "play": [replaced(STEPS[3], ("declare", field), ["ann"])]}))

        assert refusal.value.slug == "script/invalid"
        assert refusal.value.where == f"play[1].declare.{field}"


def test_the_base_script_has_something_at_each_path() -> None:
    assert all(at(SCRIPT, path) is not None for path in paths(SCRIPT))
