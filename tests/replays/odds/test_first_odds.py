"""Odds that take long are preceded by a sampled answer; odds that do not take long are not."""

from time import process_time

import msgspec
import pytest
from shipped_attacks import shipped_attack, shot_of_pools

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Declare, Join
from ledger.entry import Seat
from ledger.errors import Refused
from machines.contract.ruleset import ruleset
from replays import Session
from replays.odds import odds as module
from replays.odds.engine.explorer import Secret
from replays.odds.odds import Odds, half_width, odds

SLOW = shot_of_pools(20)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every computation count as long."""
    monkeypatch.setattr(module, "_PATIENCE", -1.0)


def test_pools_of_twenty_dice_are_exact_and_a_sample_comes_first() -> None:
    game, combat, command = SLOW
    early: list[tuple[Odds, float]] = []
    began = process_time()
    final = odds(game, combat, command, first=lambda found: early.append((found, process_time() - began)))

    assert [test.dice for test in final.tests] == ["20d6"] * 3
    assert final.exact
    assert final.runs <= 620
    [(first, seconds)] = early
    assert not first.exact
    assert first.samples >= 1
    assert seconds < 0.3  # 0.2 and one step of the work; processor time does not depend on other processes
    assert all(one.error == half_width(one.chance, first.samples) for one in first.outcome)
    exact = {one.what: one.chance for one in final.outcome}
    assert all(abs(exact[one.what] - one.chance) <= 2 * one.error for one in first.outcome)


def test_the_first_answer_is_that_of_the_same_number_of_sampled_fights(impatient: None) -> None:
    game, combat, command = shipped_attack("eclipse_phase_1e", "soldier", "knife")
    early: list[Odds] = []
    final = odds(game, combat, command, seed=5, first=early.append)

    assert final == odds(game, combat, command, seed=5)
    sampled = odds(game, combat, command, seed=5, budget=0, samples=early[0].samples)
    assert early == [msgspec.structs.replace(sampled, runs=early[0].runs)]


def test_a_computation_that_is_not_long_has_no_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 3_600.0)
    game, combat, command = shipped_attack("eclipse_phase_1e", "soldier", "knife")
    early: list[Odds] = []

    assert odds(game, combat, command, first=early.append).exact
    assert not early
    assert not odds(game, combat, command, budget=3, samples=20, first=early.append).exact
    assert len(early) == 1  # sampling is long


def test_a_refused_declaration_and_hidden_chances_have_no_first_answer(impatient: None) -> None:
    early: list[Odds] = []
    game, combat, command = shipped_attack("eclipse_phase_1e", "soldier", "knife")
    with pytest.raises(Refused):
        odds(game, combat, Declare("attack", "bob", command.terms), first=early.append)

    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="odds")
    sheet = ruleset("eclipse_phase_1e").sheets["soldier"]
    session.perform(Join("ann", sheet, player="kira"))
    session.perform(Join("bob", sheet, sheet_seen_by=()))
    session.perform(BeginCombat())
    with pytest.raises(Secret):
        odds(session.game, session.combat, eyes=Viewer(Seat.PLAYER, frozenset({"ann"})), first=early.append)
    assert not early
