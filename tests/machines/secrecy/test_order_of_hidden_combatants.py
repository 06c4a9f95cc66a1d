"""An unchanged order of acting is not shown again when only hidden combatants are affected."""

from typing import Any

import pytest
from ambush import KIRA, SEATS, TYPED, WATCHER, WHO, acts, ambush, go_on

from ledger.commands import Adjust, Choose, Declare, Reveal, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Who
from ledger.events import OrderFixed
from projections.views.seen import redacted, viewer
from replays.api.session import Session

GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e", "gurps_3e")
HIT = {"eclipse_phase_1e": (12, 9), "eclipse_phase_2e": (12, 9), "shadowrun_4e": (5, 6)}
"""Faces of an attack that does harm, to hit and for damage."""
MISS = {"eclipse_phase_1e": 97, "eclipse_phase_2e": 97, "shadowrun_4e": 1}
ATTACK: dict[str, dict[str, Any]] = {"shadowrun_4e": {"using": "colt america l36", "distance": 5}}


def attacked(game: str, hit: int) -> tuple[Session, list[Entry]]:
    """Plays an attack of Ann on the hidden combatant; returns the session, and the entries of the exchange."""
    session = ambush(game, theirs={"body": 1, "armor": {}} if game == "shadowrun_4e" else {})
    go_on(session, acts("ann"))
    last = session.log.last
    session.perform(Declare("attack", "ann", {"at": TYPED, **ATTACK.get(game, {"using": "medium pistol"})}))
    while session.combat.exchange.frame is not None:
        rest = session.rests[0]
        if rest.dice:
            face = hit if rest.key.endswith("/to-hit") else HIT[game][1] if "damage" in rest.key else 1
            session.perform(TypeDice(rest.key, tuple(min(face, side) for side in parse(rest.dice).sides)))
        else:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next((o for o in ("pass", "none") if o in options), options[0])))
    return session, list(session.entries())[last:]


def orders(session: Session, who: Who, entries: list[Entry]) -> list[Any]:
    """Returns the orders of acting that a seat sees in entries."""
    eyes = viewer(who, session.combat)
    told = [redacted(session.log.disclosures.entry(entry), eyes) for entry in entries]
    return [event.order for entry in told for event in entry.events if isinstance(event, OrderFixed)]


@pytest.mark.parametrize("game", HIT)
@pytest.mark.parametrize("does", ["hit", "miss"])
def test_an_attack_on_somebody_hidden_shows_no_order(game: str, does: str) -> None:
    session, entries = attacked(game, HIT[game][0] if does == "hit" else MISS[game])

    fixed = [event for entry in entries for event in entry.events if isinstance(event, OrderFixed)]
    assert bool(fixed) == (does == "hit")
    assert [orders(session, who, entries) for who in SEATS] == [[], []]


@pytest.mark.parametrize("game", GAMES)
def test_a_score_of_somebody_hidden_that_is_set_shows_no_order(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("bob"))
    before = session.state(eyes=viewer(KIRA, session.combat)).initiative
    entry = session.perform(Adjust(TYPED, "initiative", 3, "late"))

    assert [orders(session, who, [entry]) for who in SEATS] == [[], []]
    assert (WHO, 3) in session.state().initiative
    assert session.state(eyes=viewer(KIRA, session.combat)).initiative == before


@pytest.mark.parametrize("game", GAMES)
def test_the_score_of_somebody_who_is_not_hidden_shows_the_order_as_without_a_hidden_one(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("bob"))
    entry = session.perform(Adjust("ann", "initiative", session.combat.initiative.scores["ann"], "as it is"))

    for who in SEATS:
        (order,) = orders(session, who, [entry])
        assert order == session.state(eyes=viewer(who, session.combat)).initiative


@pytest.mark.parametrize("game", GAMES)
def test_a_reveal_to_one_shows_the_order_to_them_alone(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("bob"))
    entry = session.perform(Reveal(who=TYPED, to=("bob",)))

    assert orders(session, WATCHER, [entry]) == []
    (order,) = orders(session, KIRA, [entry])
    assert WHO in dict(order)
