"""The chances that a seat gets are those of what it sees: twins that differ only in what is hidden give the same."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from secret_fights import BOB, GAMES, HIDDEN, KIRA, met, strike, until, waits_for

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import ApplyModifier, Join, Note, TypeDice
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.errors import Refused
from projections.views.seen import viewer
from replays.api.session import Session

Answer = tuple[Any, ...] | str
Twin = Callable[[str, bool], Session]
PEOPLE = (KIRA, Who("zoe", Seat.SPECTATOR))
SAMPLES = 3
WEAK = {"durability": 1, "body": 1, "ht": 5}
"""What a sheet has of those who are hardly alive, in the words of each game."""


def answers(session: Session, eyes: Viewer) -> list[Answer]:
    """Returns the chances after each entry without their digests, or the refusals."""
    return [_answer(session, at, eyes) for at in range(1, session.log.last + 1)]


def _answer(session: Session, at: int, eyes: Viewer) -> Answer:
    try:
        found = session.chances(at, eyes, samples=SAMPLES)
    except Refused as refusal:
        return f"{refusal.slug} {refusal.message} {refusal.where} {refusal.accepts}"
    return found.entry, found.samples, found.combatants


def played(found: Sequence[Answer]) -> int:
    """Returns how many answers are estimates and neither certain nor refused."""
    return sum(not isinstance(each, str) and each[1] > 0 for each in found)


def with_a_hidden_combatant(game: str, one: bool) -> Session:
    """One who is as good as the others, or hardly alive, lies in ambush."""
    session = met(game, None)
    weak = next({name: value} for name, value in WEAK.items() if name in BOB[game])
    session.perform(Join("sniper", {**BOB[game], **({} if one else weak)}, unseen=True, player="ben"))
    strike(session)
    return session


def with_a_hidden_modifier(game: str, one: bool) -> Session:
    session = met(game, None)
    key = strike(session)
    until(session, waits_for(session, "to-hit"))
    session.perform(ApplyModifier(f"{key}/to-hit", 4 if one else -4, "a trap", seen_by=HIDDEN))
    session.perform(Note("a trap" if one else "no trap", seen_by=HIDDEN))
    return session


def with_hidden_dice(game: str, one: bool) -> Session:
    session = met(game, None)
    key = strike(session)
    until(session, waits_for(session, "to-hit"))
    rest = next(rest for rest in session.rests if rest.key == f"{key}/to-hit")
    faces = [2 for _ in parse(rest.dice).sides]
    session.perform(TypeDice(rest.key, tuple(faces if one else (*faces[:-1], 1)), seen_by=HIDDEN))
    return session


TWINS: tuple[Twin, ...] = (with_a_hidden_combatant, with_a_hidden_modifier, with_hidden_dice)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("twin", TWINS)
def test_what_is_hidden_changes_no_chance(game: str, twin: Twin) -> None:
    one, other = twin(game, True), twin(game, False)
    assert list(one.entries()) != list(other.entries()), "nothing differs"
    for who in PEOPLE:
        eyes = viewer(who, one.combat)
        mine, theirs = _documents(one, eyes), _documents(other, eyes)
        alike = next(
            (place for place, both in enumerate(zip(mine, theirs, strict=True)) if both[0] != both[1]), len(mine)
        )
        assert len(mine) - alike <= 2, "what is hidden shows: in Shadowrun a modifier changes how many dice there are"
        found = answers(one, eyes)[:alike]
        assert found == answers(other, eyes)[:alike]
        assert played(found) >= 2, "it was hardly ever estimated"


def _documents(session: Session, eyes: Viewer) -> list[Any]:
    states = [session.state(at, eyes) for at in range(1, session.log.last + 1)]
    return [{**msgspec.to_builtins(state), "digest": "", "session": ""} for state in states]


def test_the_gamemaster_has_other_chances_where_a_hidden_combatant_is_another() -> None:
    one, other = (with_a_hidden_combatant("shadowrun_4e", each) for each in (True, False))
    assert answers(one, EVERYTHING) != answers(other, EVERYTHING)
