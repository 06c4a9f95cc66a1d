"""What the gamemaster is asked in an exchange is as secret as the roll, or the hidden deed, that it comes from."""

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
from projections.views.seen import redacted, viewer
from replays.api.session import Session
from replays.exports import documents

RULINGS: Mapping[str, str] = {
    "eclipse_phase_1e": "spot", "eclipse_phase_2e": "critical-ruling", "shadowrun_4e": "glitch-ruling",
}  # fmt: skip
"""The last word of the key of a choice that is the gamemaster's."""
TERMS: Mapping[str, Mapping[str, Any]] = {"eclipse_phase_1e": {"called": "specific target", "spot": "left knee"}}
THEIRS: Mapping[str, Mapping[str, Any]] = {"eclipse_phase_1e": {"skills": {"fray": 40, "kinetic weapons": 99}}}
FACES: Mapping[str, int] = {"eclipse_phase_1e": 13, "eclipse_phase_2e": 88, "shadowrun_4e": 1}
HIDDEN: tuple[str, ...] = ()


def ruled(game: str, *, hidden: bool) -> tuple[Session, str]:
    """An attack on Bob, by a hidden combatant or with a secret die, until the gamemaster is asked; the key, if so."""
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
        told = documents.entry(session.log.unveiled.entry(answer), viewer(who, session.combat), stands=True)
        assert told.command is None
    assert any(isinstance(event, e.Chosen) and event.key == key for event in answer.events)


def _seen(session: Session, entry: Entry, who: Who) -> tuple[e.Event, ...]:
    return redacted(session.log.unveiled.entry(entry), viewer(who, session.combat)).events


@pytest.mark.parametrize("game", GAMES)
@HOW
def test_what_comes_of_it_is_not_hidden_with_it(game: str, hidden: bool) -> None:
    session, key = ruled(game, hidden=hidden)
    before = session.combat
    entry = session.perform(Choose(key, session.rests[0].options[-1].option))

    assert decide(ruleset(game), before, entry.command) == entry.events
    if not hidden:
        assert any(event.seen_by is None for event in entry.events)
