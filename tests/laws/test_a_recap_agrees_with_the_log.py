"""What a recap names is an event of the log that its viewer may see, and its luck is that of the word `luck`."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from duels import met, play_on
from hypothesis import given, settings
from strategies import RULESETS, fights, viewers

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat
from ledger.events import Event
from machines.registry import vocabulary_of
from replays.api.session import Session
from replays.exports.recap import Recap, recap
from replays.exports.recap.sentences import text_lines
from replays.odds.luck import NoDice
from replays.views.seat_log import seen_log

RUNS = 150


def test_what_a_recap_of_a_corrected_fight_names_is_in_the_log() -> None:
    counted: Counter[str] = Counter()

    @settings(max_examples=8)
    @given(fights(secrets=True, least=20, most=45), viewers())
    def run(fight: Any, eyes: Viewer) -> None:
        for view in (EVERYTHING, eyes):
            counted["corrections"] += len(_checked(fight.session, view).corrections)

    run()
    assert counted["corrections"] >= 4, counted


@pytest.mark.parametrize("game", RULESETS)
def test_what_a_recap_of_each_game_names_is_in_the_log(game: str) -> None:
    counted: Counter[str] = Counter()
    for seed in range(3):
        dice = Random(seed)
        session = play_on(met(game, seed), dice, 50, kind="attack")
        for eyes in (EVERYTHING, Viewer(Seat.PLAYER, frozenset({"bob"}))):
            found = _checked(session, eyes)
            counted["drops"] += len(found.drops)
            counted["turning points"] += len(found.turning_points)

    assert counted["drops"], counted
    assert counted["turning points"], counted


def _checked(session: Session, eyes: Viewer) -> Recap:
    """Returns the recap of a fight, after checking it against the log."""
    found = recap(session.log, eyes, RUNS)
    _check_drops(session, eyes, found)
    _check_turning_points(session, eyes, found)
    _check_corrections(session, found)
    assert found.luck == _luck(session, eyes)
    assert all(text_lines(found))
    return found


def _events(session: Session, eyes: Viewer, entry: int) -> tuple[Event, ...]:
    """Returns the events of a standing entry that a viewer may see."""
    assert session.log.timeline.stands(entry)
    log = seen_log(session.log, eyes)
    return log.disclosures.entry(log.entry(entry)).events


def _gains(event: Event, who: str, condition: str) -> bool:
    match event:
        case e.ConditionGained():
            return (event.who, event.condition) == (who, condition)
        case e.Adjusted():
            return (event.who, event.what) == (who, f"conditions.{condition}")
        case _:
            return False


def _check_drops(session: Session, eyes: Viewer, found: Recap) -> None:
    words = vocabulary_of(session.game.name).down
    log = seen_log(session.log, eyes)
    for drop in found.drops:
        assert drop.condition in words
        assert log.state(drop.entry).clock.combat >= drop.when.combat
        for condition, entry in [
            (drop.condition, drop.entry),
            *((each.condition, each.entry) for each in drop.further),
        ]:
            assert any(_gains(event, drop.who, condition) for event in _events(session, eyes, entry))
        if drop.up:
            assert not log.state(drop.up).conditions.has(drop.who, *words)
    open_ = {drop.who for drop in found.drops if not drop.up}
    assert open_ == {who for who in log.combat.roster.who if log.combat.conditions.has(who, *words)}


def _check_turning_points(session: Session, eyes: Viewer, found: Recap) -> None:
    for point in found.turning_points:
        endings = [each for each in _events(session, eyes, point.entry) if isinstance(each, e.ExchangeEnded)]
        assert (point.deed.key, point.outcome) in {(each.key, each.outcome) for each in endings}
        assert all(0 <= each.swing <= 1 for each in point.combatants)
        assert point.swing == sum(each.swing for each in point.combatants)
    count = found.measured
    assert count.sampled <= count.measured
    assert count.measured + count.unknown <= count.exchanges


def _check_corrections(session: Session, found: Recap) -> None:
    timeline = session.log.timeline
    for one in found.corrections:
        assert timeline.after(one.entry) != timeline.head_at(one.entry - 1) or one.entry in timeline.rewinds
        assert one.undone == 0 or one.undone in timeline.rewinds


def _luck(session: Session, eyes: Viewer) -> object:
    try:
        return session.luck(eyes)
    except NoDice:
        return None
