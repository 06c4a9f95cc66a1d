"""What a seat reads of commands: nothing of what answers a secret deed, nor of the gamemaster's word in secret."""

from collections.abc import Mapping

import pytest
from ambush import GAMES, KIRA, SEATS, acts, ambush, go_on, strike

from ledger.commands import Choose, Command, DrawDice, TypeDice
from ledger.dice import parse
from ledger.entry import Who
from projections.views.seen import viewer
from replays import plain
from replays.session import Session

GOOD: Mapping[str, int] = {"eclipse_phase_1e": 11, "eclipse_phase_2e": 11, "shadowrun_4e": 5, "gurps_3e": 2}
"""What each die shows for a hit."""


def commands(session: Session, who: Who, since: int = 0) -> list[Command]:
    """The commands that a seat reads."""
    eyes = viewer(who, session.combat)
    entries = (session.log.unveiled.entry(entry) for entry in session.entries(after=since))
    told = (plain.entry(entry, eyes, stands=True).command for entry in entries)
    return [each for each in told if each is not None]


def thrown(session: Session, role: str, face: int) -> None:
    """The open roll of this role is answered."""
    rest = next(rest for rest in session.rests if rest.dice and rest.key.endswith(role))
    session.perform(TypeDice(rest.key, tuple(min(face, each) for each in parse(rest.dice).sides)))


def chosen(session: Session) -> None:
    """The victim's choice, where it comes before the roll, is passed over."""
    for rest in session.rests:
        if not rest.dice:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next(each for each in ("none", "pass") if each in options)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("draws", [False, True], ids=["typed", "drawn"])
def test_dice_of_a_deed_in_secret_are_read_by_nobody_else(game: str, draws: bool) -> None:
    session = ambush(game)
    go_on(session, acts("ann"))
    strike(session, "ann", seen_by=())
    chosen(session)
    before = session.log.last
    if draws:
        session.perform(DrawDice(next(rest.key for rest in session.rests if rest.dice)))
    else:
        thrown(session, "to-hit", GOOD[game])

    assert session.log.last > before
    for who in SEATS:
        assert commands(session, who, before) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_victim_of_a_deed_in_secret_reads_their_own_answers(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("ann"))
    strike(session, "ann", seen_by=())
    for _ in range(6):
        rest = session.rests[0]
        if rest.by == "bob":
            break
        chosen(session) if not rest.dice else thrown(session, rest.key, GOOD[game])
    before = session.log.last
    rest = session.rests[0]
    assert rest.by == "bob"
    session.perform(DrawDice(rest.key) if rest.dice else Choose(rest.key, rest.options[0].option))

    assert [getattr(each, "key", "") for each in commands(session, KIRA, before)] == [rest.key]
