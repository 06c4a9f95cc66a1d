"""The values that a refusal accepts name only combatants that the seat's own state and options name."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from ambush import GAMES, SEATS, TYPED, WHO, acts, ambush, go_on, strike

from ledger.commands import Choose, Command, Declare, DrawDice, Note, OpenDispute, TypeDice
from ledger.entry import Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from projections.views.seen import viewer
from replays.api.session import Session

HIDDEN = re.compile(rf"[\w/.-]*(?:{WHO}|{TYPED})[\w/.-]*", re.IGNORECASE)
MOMENTS = ("beginning", "Bob acts", "the ambusher acts", "the ambusher has attacked")


def at(moment: str, game: str, policy: str) -> Session:
    session = ambush(game, policy)
    if moment == "Bob acts":
        go_on(session, acts("bob"))
    elif moment != "beginning":
        go_on(session, acts(WHO))
    if moment == "the ambusher has attacked":
        strike(session)
    return session


def wrong(session: Session, who: Who) -> Iterator[Command]:
    """What cannot be: unknown people, keys, options, words and numbers, also in what is offered."""
    for key in ("nothing", "to-hit", "bob/to-hit", *(rest.key for rest in session.rests)):
        yield from (TypeDice(key, (101,)), DrawDice(key), Choose(key, "nothing"), OpenDispute(f"{key}?", "no"))
    for by in ("bob", "ann", "nobody"):
        for kind in ("attack", "feint", "nothing"):
            yield Declare(kind, by, {"at": "nobody", "using": "nothing"})
    yield Note("it rains", seen_by=("nobody",))
    for one in session.options(viewer(who, session.combat)):
        if isinstance(one.command, Declare):
            for field in one.command.terms:
                yield msgspec.structs.replace(one.command, terms={**one.command.terms, field: "nobody"})


def performed(session: Session, command: Command, who: Who) -> None:
    """Performs a command in a copy of the session."""
    store = MemoryStore()
    store.create(session.id, list(session.log.store.read(session.id)))
    Session(store, session.id).perform(command, by=who)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("policy", ["", "someone"])
@pytest.mark.parametrize("game", GAMES)
def test_no_list_of_accepted_values_names_somebody_whom_state_and_options_do_not(
    game: str, policy: str, moment: str
) -> None:
    session = at(moment, game, policy)
    refused = 0
    for who in SEATS:
        eyes = viewer(who, session.combat)
        shown = repr((msgspec.to_builtins(session.state(eyes=eyes)).get("rests"), session.options(eyes)))
        asked = [lambda each=each, who=who: performed(session, each, who) for each in wrong(session, who)]
        for subject in ("nobody", "nobody/a1", "nobody.damage", "to-hit"):
            asked.append(lambda subject=subject, eyes=eyes: session.why(subject, eyes))
            asked.append(lambda subject=subject, eyes=eyes: session.odds(subject, eyes=eyes))
        for ask in asked:
            try:
                ask()
            except Refused as refusal:
                refused += 1
                assert {found for found in HIDDEN.findall(refusal.accepts) if found not in shown} == set()
    assert refused > 20
