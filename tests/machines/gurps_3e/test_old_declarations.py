"""Declarations of version 2 that version 3 refuses can still be amended and undone."""

from pathlib import Path

import pytest
from golden.divergences import opened

from ledger.commands import Declare
from replays.api.session import Session
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse

FIGHT = Path(__file__).parents[2] / "golden" / "unclear-declarations-1.jsonl"
"""Recorded by version 2: a shot without a distance, and a blow to the head with an effective skill of 1."""


@pytest.fixture
def old() -> Session:
    return opened(FIGHT)


def declared(session: Session) -> list[int]:
    return [entry.seq for entry in session.entries() if isinstance(entry.command, Declare)]


def test_they_are_decided_as_they_were_recorded(old: Session) -> None:
    shot, blow = declared(old)

    otherwise = {each.seq for each in rehearse(old.log)}

    assert not otherwise & {shot, blow}


def test_they_are_amended_without_consent_to_other_rules(old: Session) -> None:
    shot, blow = declared(old)

    previewed = old.preview(blow, Change(set={"terms.location": "torso"}), why="not at the head")
    old.amend(shot, Change(set={"terms.other": {"rain": -1}}), why="it was raining")

    assert not previewed.drift
    assert old.state().combatants["bob"].tracks["hit_points"].taken == 0


def test_an_amendment_of_them_is_undone(old: Session) -> None:
    before = old.state().combatants
    shot, _ = declared(old)
    old.amend(shot, Change(set={"terms.other": {"rain": -1}}), why="it was raining")

    old.undo(why="it was not")

    assert old.state().combatants == before
