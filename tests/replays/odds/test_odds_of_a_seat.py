"""Odds that a player asks for about their own roll, where the attacker is hidden from them."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from ambush import GAMES, KIRA, WHO, acts, ambush, go_on, strike

from ledger.commands import ApplyModifier, Choose, TypeDice
from ledger.dice import parse
from ledger.errors import Refused
from projections.views.seen import viewer
from replays.api.session import Session
from replays.odds.odds import Odds

REFUSED = "odds/secret: the chances rest on what is hidden from you (accepted: ask the gamemaster)"
SUCCEEDS: Mapping[str, tuple[int, Fraction]] = {
    "eclipse_phase_1e": (20, Fraction(21, 100)),
    "eclipse_phase_2e": (23, Fraction(24, 100)),
    "gurps_3e": (7, Fraction(35, 216)),
}
"""The target of Bob's defense and how likely it succeeds: 00 to the target of a d100; 3 to the target of three dice."""


def _defends(game: str) -> Session:
    """The ambusher has struck at Bob, who is to throw the dice of his defense."""
    session = ambush(game)
    go_on(session, acts(WHO))
    strike(session, WHO)
    for _ in range(8):
        rest = next((each for each in session.rests if each.dice and each.by == "bob"), None)
        if rest is not None:
            return session
        rest = session.rests[0]
        if rest.dice:
            face = 2 if game == "gurps_3e" else 5
            session.perform(TypeDice(rest.key, (face,) * len(parse(rest.dice).sides)))
        else:
            offered = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next(each for each in ("fray", "dodge", "block") if each in offered)))
    raise AssertionError("Bob never defended")


def _key(session: Session) -> str:
    return next(rest.key for rest in session.rests if rest.by == "bob")


def _odds(session: Session, key: str | None = None) -> Odds:
    return session.odds(key, eyes=viewer(KIRA, session.combat))


@pytest.mark.parametrize("game", SUCCEEDS)
@pytest.mark.parametrize("names_it", [False, True], ids=["what is waited for", "by its key"])
def test_the_chances_of_the_roll_itself_are_given(game: str, names_it: bool) -> None:
    session = _defends(game)

    odds = _odds(session, _key(session) if names_it else None)

    (test,) = odds.tests
    target, chance = SUCCEEDS[game]
    assert odds.is_roll_alone
    assert odds.exact
    assert (odds.outcome, odds.harm, odds.conditions) == ((), (), ())
    assert (odds.key, test.key, test.by, test.target) == (_key(session), _key(session), "bob", target)
    assert {each.what: each.chance for each in test.outcomes} == {"succeeds": chance, "fails": 1 - chance}


@pytest.mark.parametrize("game", SUCCEEDS)
def test_they_are_those_that_the_gamemaster_gets_of_the_roll(game: str) -> None:
    session = _defends(game)
    whole = next(each for each in session.odds(_key(session)).tests if each.key == _key(session))
    is_success = session.game.vocabulary.is_success

    (mine,) = _odds(session).tests

    theirs = sum((each.chance for each in whole.outcomes if is_success(str(each.what))), Fraction(0))
    assert mine.outcomes[-1].what == "succeeds"
    assert mine.outcomes[-1].chance == theirs / sum((each.chance for each in whole.outcomes), Fraction(0))


def test_hits_that_are_compared_with_hidden_hits_are_refused() -> None:
    """In Shadowrun a defense is read against the attacker's hits, which are hidden (SR4 63)."""
    session = _defends("shadowrun_4e")

    with pytest.raises(Refused) as refusal:
        _odds(session)

    assert str(refusal.value) == REFUSED


@pytest.mark.parametrize("game", SUCCEEDS)
def test_a_roll_with_a_hidden_part_of_its_target_is_refused(game: str) -> None:
    session = _defends(game)
    session.perform(ApplyModifier(_key(session), -3, "it is dark", seen_by=()))

    with pytest.raises(Refused) as refusal:
        _odds(session)

    assert str(refusal.value) == REFUSED


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_is_given_where_nothing_is_hidden(game: str) -> None:
    session = _defends(game)

    odds = session.odds(_key(session))

    assert not odds.is_roll_alone
    assert odds.outcome
