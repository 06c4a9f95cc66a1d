"""Choices of the gamemaster in an exchange are as secret as the roll or the hidden action that leads to them."""

from collections.abc import Mapping
from typing import Any

import pytest
from ambush import SEATS, TYPED, WHO, acts, ambush, everything, go_on, strike

from ledger import events as e
from ledger.commands import Choose, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Who
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.secrecy import gm_choices
from projections.combat import fold
from projections.views.seen import redacted, viewer
from replays.api.session import Session
from replays.exports import documents

RULINGS: Mapping[str, str] = {
    "eclipse_phase_1e": "spot", "eclipse_phase_2e": "critical-ruling", "shadowrun_4e": "glitch-ruling",
}  # fmt: skip
"""The last word of the key of a gamemaster's choice, by game."""
TERMS: Mapping[str, Mapping[str, Any]] = {"eclipse_phase_1e": {"called": "specific target", "spot": "left knee"}}
THEIRS: Mapping[str, Mapping[str, Any]] = {"eclipse_phase_1e": {"skills": {"fray": 40, "kinetic weapons": 99}}}
FACES: Mapping[str, int] = {"eclipse_phase_1e": 13, "eclipse_phase_2e": 88, "shadowrun_4e": 1}
HIDDEN: tuple[str, ...] = ()


OUTER, INNER = "r1/unseen-1/a1/attack", "r1/ann/a1/attack"
QUESTION = e.ChoiceRequested(f"{INNER}/spot", "gm", (e.Option("knee", "knee"),), None, "where?")
DEFENSE = e.ChoiceRequested(f"{INNER}/defense", "bob", (e.Option("dodge", "dodge"),), None, "how?")
IN_SECRET = e.Declared(OUTER, "attack", "unseen-1", {}, seen_by=HIDDEN)


def thrown(frame: str, seen_by: tuple[str, ...]) -> e.Event:
    """Returns a roll of an exchange with an audience."""
    return e.DiceRolled(f"{frame}/to-hit", (1,), ("typed",), seen_by=seen_by)


@pytest.mark.parametrize(
    ("before", "audience"),
    [
        ((QUESTION,), None),
        ((e.Declared(INNER, "attack", "ann", {}), QUESTION), None),
        ((e.Declared(INNER, "attack", "ann", {}, seen_by=("bob",)), QUESTION), ("bob",)),
        ((e.Declared(INNER, "attack", "ann", {}), thrown(INNER, ("bob",)), QUESTION), ("bob",)),
        ((IN_SECRET, thrown(OUTER, ("ann", "bob")), QUESTION), ("ann", "bob")),
        ((IN_SECRET, QUESTION), None),
        ((IN_SECRET, e.Declared(INNER, "attack", "ann", {}, seen_by=("bob",)), QUESTION), ("bob",)),
        ((e.Declared(OUTER, "attack", "bob", {}, seen_by=("bob",)), e.Declared(INNER, "attack", "ann", {}), QUESTION), None),
    ],
)  # fmt: skip
def test_an_answer_is_as_secret_as_the_rolls_and_the_deed_that_it_is_about(
    before: tuple[e.Event, ...], audience: e.Audience
) -> None:
    assert gm_choices.of_command(Choose(QUESTION.key, "knee"), fold(before)) == audience


def test_the_answer_of_another_one_is_not_the_gamemasters_though_both_are_asked() -> None:
    combat = fold((e.Declared(INNER, "attack", "ann", {}, seen_by=("ann",)), QUESTION, DEFENSE))

    assert gm_choices.of_command(Choose(DEFENSE.key, "dodge"), combat) is None
    assert gm_choices.of_command(Choose(QUESTION.key, "knee"), combat) == ("ann",)
    assert not gm_choices.is_gms(e.Chosen(DEFENSE.key, "dodge", ""), combat)
    assert gm_choices.is_gms(e.Chosen(QUESTION.key, "knee", ""), combat)


# ------------------------------------------------------------------------------------------------ in a fight


def ruled(game: str, *, hidden: bool) -> tuple[Session, str]:
    """Plays an attack on Bob, hidden or with a secret die, until the gamemaster has to choose; returns the choice's key, if any."""
    session = ambush(game, theirs=dict(THEIRS.get(game, {})), others=dict(THEIRS.get(game, {})))
    by = WHO if hidden else "ann"
    go_on(session, acts(by))
    strike(session, TYPED if hidden else "ann", **TERMS.get(game, {}))
    for _ in range(30):
        rest = session.rests[0]
        if rest.by == "gm" or "/attack" not in rest.key:
            return session, rest.key if rest.by == "gm" else ""
        if rest.dice:
            faces = tuple(min(FACES[game], side) for side in parse(rest.dice).sides)
            session.perform(TypeDice(rest.key, faces, seen_by=HIDDEN if rest.by == by and not hidden else None))
        else:
            session.perform(Choose(rest.key, "none" if "none" in [o.option for o in rest.options] else "pass"))
    raise AssertionError("it went on and on")


GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e")
HOW = pytest.mark.parametrize("hidden", [True, False], ids=["hidden deed", "secret roll"])


@pytest.mark.parametrize("game", GAMES)
@HOW
def test_neither_question_nor_answer_is_shown(game: str, hidden: bool) -> None:
    session, key = ruled(game, hidden=hidden)
    assert key.rpartition("/")[2].startswith(RULINGS[game])
    answer = session.perform(Choose(key, session.rests[0].options[-1].option))

    for who in SEATS:
        assert key not in everything(session, who)
        assert not [event for event in _seen(session, answer, who) if isinstance(event, e.Chosen)]
        told = documents.entry(session.log.disclosures.entry(answer), viewer(who, session.combat), stands=True)
        assert told.command is None
    assert any(isinstance(event, e.Chosen) and event.key == key for event in answer.events)


def _seen(session: Session, entry: Entry, who: Who) -> tuple[e.Event, ...]:
    return redacted(session.log.disclosures.entry(entry), viewer(who, session.combat)).events


@pytest.mark.parametrize("game", GAMES)
@HOW
def test_what_comes_of_it_is_not_hidden_with_it(game: str, hidden: bool) -> None:
    session, key = ruled(game, hidden=hidden)
    before = session.combat
    entry = session.perform(Choose(key, session.rests[0].options[-1].option))

    assert decide(ruleset(game), before, entry.command) == entry.events
    if not hidden:
        assert any(event.seen_by is None for event in entry.events)
