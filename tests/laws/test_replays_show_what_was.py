"""What a replay shows after each entry is the state as of that entry, for each viewer; every number of it is explained."""

from itertools import pairwise

import msgspec
import pytest
from all_fights import GAMES, by_hand, golden, played
from hypothesis import given, settings
from secret_histories import secret_histories

from ledger.audience import EVERYTHING
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.run_script import perform
from replays.api.session import Session
from replays.exports.theatre.model import Outline
from replays.scripts.format import examples, read
from replays.views.merge_patch import patched


def everybody(session: Session) -> list[Who]:
    players = {one.player for one in session.combat.roster.who.values()} - {"gm"}
    return [Who("ann", Seat.GM), Who("eve", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in sorted(players))]


def replayed(session: Session, who: Who, page: int) -> None:
    """Checks a whole replay of one seat, read in pages of a size."""
    eyes = EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat)
    states: dict[int, dict] = {}
    for after in range(0, session.log.last, page):
        found = session.steps(after, page, eyes)
        state = {} if found.before is None else msgspec.to_builtins(found.before)
        for step in found.steps:
            state = patched(state, step.patch)
            states[step.seq] = state
            expected = msgspec.to_builtins(session.state(step.seq, eyes))
            assert state == expected, step.seq
            assert step.stands == session.log.timeline.stands(step.seq)
            assert step.narration
            for key in step.keys:
                assert session.why(key, eyes, at=step.seq).subject == key
    assert list(states) == list(range(1, session.log.last + 1))
    outlined(session.outline(eyes), session, states)


def outlined(outline: Outline, session: Session, states: dict[int, dict]) -> None:
    """Checks an outline against the states after all entries."""
    assert outline.entries == session.log.last
    lines = [{point.entry: [point.taken, point.capacity] for point in each.points} for each in outline.health]
    now: list[list[int] | None] = [None] * len(lines)
    for seq, state in states.items():
        for nth, (line, points) in enumerate(zip(outline.health, lines, strict=True)):
            now[nth] = points.get(seq, now[nth])
            track = state["combatants"].get(line.who, {}).get("tracks", {}).get(line.track)
            if track is not None:
                assert now[nth] == [track["taken"], track["capacity"]], (seq, line.who)
    undone = {seq: each.by for each in outline.undone for seq in range(each.first, each.last + 1)}
    assert undone == undone_in(session)
    assert all(one.last < other.first for one, other in pairwise(outline.undone))
    for each in outline.undone:
        entry = session.log.entry(each.by)
        assert each.who == entry.by.name
        assert each.why in ("", getattr(entry.command, "why", ""))


def undone_in(session: Session) -> dict[int, int]:
    """Returns what undid each entry last, found by comparing the lines before and after each entry."""
    timeline = session.log.timeline
    lines = [set[int](), *(set(timeline.line(timeline.head_at(seq))) for seq in range(1, timeline.last + 1))]
    by: dict[int, int] = {}
    for seq, (before, now) in enumerate(pairwise(lines), 1):
        by |= dict.fromkeys(before - now, seq)
    return {seq: undid for seq, undid in by.items() if seq not in lines[-1]}


@pytest.mark.parametrize("game", GAMES)
def test_recorded_fights(game: str) -> None:
    for session in [*played(game)[::4], *golden(game)[::3]]:
        for who in everybody(session)[:3]:
            replayed(session, who, 7)


@settings(max_examples=20)
@given(secret_histories(most=25))
def test_fights_with_secrets(fight) -> None:
    for who in everybody(fight.session):
        replayed(fight.session, who, 5)
    for each in fight.session.outline().undone:
        assert each.why == getattr(fight.session.log.entry(each.by).command, "why", "")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_explained_now_is_what_was_explained_at_the_last_entry(game: str) -> None:
    for session in played(game)[::4]:
        for key in {key for step in session.steps().steps if step.stands for key in step.keys}:
            assert session.why(key) == session.why(key, at=session.log.last)


# ------------------------------------------------------------------------------------------------ every shipped fight


@pytest.mark.parametrize("name", sorted(examples()))
def test_from_every_entry_a_small_page_of_a_shipped_fight_leads_to_what_was_shown(name: str) -> None:
    session = perform(read(examples()[name].read_bytes(), name))
    last = session.log.last
    for who in everybody(session):
        eyes = EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat)
        shown = [{}, *(msgspec.to_builtins(session.state(at, eyes)) for at in range(1, last + 1))]
        whole = session.steps(0, last, eyes).steps
        for after in range(last):
            limit = 1 + after % 3
            found = session.steps(after, limit, eyes)
            assert msgspec.to_builtins(found.before) == (shown[after] or None)
            assert found.steps == whole[after : after + limit]
        replayed(session, who, last)


@pytest.mark.parametrize("game", GAMES)
def test_fights_of_several_rounds_and_older_rules(game: str) -> None:
    for session in [*by_hand(game), *golden(game)[::2]]:
        outlined(session.outline(), session, {})
