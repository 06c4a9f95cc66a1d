"""The log has whole numbers only: a fraction in a plain object is refused, or converted."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from strategies import fights

from ledger.commands import BeginCombat, Command, Declare, Join, OpenSession
from ledger.errors import Refused
from replays.api.session import Session

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}


def _fractions(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _fractions(each)
    elif isinstance(value, list):
        for each in value:
            yield from _fractions(each)


@given(fights())
def test_no_fight_writes_a_fraction(fight) -> None:
    for record in fight.session.log.store.read(fight.session.id):
        assert list(_fractions(msgspec.json.decode(record.line))) == []


@pytest.mark.parametrize(
    "command",
    [
        BeginCombat({"light": 0.5}),
        BeginCombat({"place": {"width": [1.5]}}),
        Join("bob", {**SHEET, "init": 60.0}),
        Join("bob", {**SHEET, "durability": 30.5}),
        Declare("quick", "ann", {"what": 0.5}),
        OpenSession("x", "eclipse_phase_1e", options={"shock_armor_on_critical": 1.0}),
    ],
    ids=["a situation", "deep in a situation", "a sheet, though whole", "a sheet", "terms", "an option"],
)
def test_a_fraction_is_refused_or_not_written(command: Command) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    try:
        session.perform(command)
    except Refused:
        return

    for record in session.log.store.read(session.id):
        assert list(_fractions(msgspec.json.decode(record.line))) == []
