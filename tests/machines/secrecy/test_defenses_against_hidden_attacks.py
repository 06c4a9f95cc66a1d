"""The options of a defender reveal nothing of the secret terms of an attack."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from ambush import KIRA, TYPED, WHO, acts, ambush, go_on

from ledger.commands import Declare, TypeDice
from ledger.dice import parse
from projections.views.seen import viewer
from replays.api.session import Session

Terms = Mapping[str, Any]
DECLARED: Mapping[str, Sequence[Terms]] = {
    "eclipse_phase_1e": (
        {"using": "unarmed", "modifiers": ["defends with two weapons"]},
        {"using": "unarmed", "modifiers": ["defends with four weapons"]},
    ),
    "eclipse_phase_2e": (
        {"using": "unarmed", "modifiers": ["reach advantage of the defender"]},
        {"using": "unarmed", "modifiers": ["long reach advantage of the defender"]},
    ),
    "gurps_3e": ({"their_other": {"glare": -1}}, {"their_other": {"smoke": -3}}, {"their_elevation": -2}),
}  # fmt: skip
"""Terms of an attack that change the defense against it."""
HIT = {"eclipse_phase_1e": 12, "eclipse_phase_2e": 12, "gurps_3e": 2}
HIDDEN: tuple[str, ...] = ()
HOW = pytest.mark.parametrize("hidden", [True, False], ids=["hidden combatant", "secret declaration"])


def attacked(game: str, terms: Terms, *, hidden: bool, secret: bool = True) -> Session:
    """Returns a session with an attack on Bob, in which the table waits for his choice of defense."""
    session = ambush(game, others={"move": 20} if game == "gurps_3e" else {})
    go_on(session, acts(WHO if hidden else "ann"))
    more = {"distance": 5, "using": "pistol"} if game == "gurps_3e" else {}
    seen_by = HIDDEN if secret and not hidden else None
    session.perform(Declare("attack", TYPED if hidden else "ann", {"at": "bob", **more, **terms}, seen_by=seen_by))
    while not any(rest.key.endswith("/defense") for rest in session.rests):
        rest = session.rests[0]
        session.perform(TypeDice(rest.key, tuple(min(HIT[game], side) for side in parse(rest.dice).sides)))
    return session


def defense(session: Session) -> Any:
    """Returns Bob's choice of defense as his player sees it."""
    rests = session.state(eyes=viewer(KIRA, session.combat)).rests
    return next(rest for rest in rests if rest["key"].endswith("/defense"))


@pytest.mark.parametrize("game", DECLARED)
@HOW
def test_the_options_are_the_same_whatever_was_declared(game: str, hidden: bool) -> None:
    offered = [defense(attacked(game, terms, hidden=hidden)) for terms in DECLARED[game]]

    assert all(each == offered[0] for each in offered)
    assert {option.get("target") for option in offered[0]["options"]} == {None}
    whole = [attacked(game, terms, hidden=hidden).rests[0].options for terms in DECLARED[game]]
    assert whole[0] != whole[1]


@pytest.mark.parametrize("game", DECLARED)
def test_what_is_declared_in_the_open_is_in_the_options(game: str) -> None:
    for terms in DECLARED[game]:
        session = attacked(game, terms, hidden=False, secret=False)
        targets = [option.target for option in session.rests[0].options]
        assert [option.get("target") for option in defense(session)["options"]] == targets
        assert any(targets)
