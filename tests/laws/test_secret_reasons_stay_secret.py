"""The reason of a secret modifier is in nothing that a player sees, nor in values derived from it."""

from collections.abc import Iterator

import pytest
from secret_fights import BAD, BOB, DEFENSES, GAMES, HIDDEN, HIT, VILLAIN, eyes, is_over, strike, told

from ledger.audience import EVERYTHING
from ledger.commands import ApplyModifier, BeginCombat, Choose, Join, TypeDice
from ledger.dice import parse
from ledger.errors import Refused
from ledger.events import InitiativeScored
from ledger.stores.memory import MemoryStore
from projections.views.seen import redacted
from replays.api.session import Session
from replays.exports.report import report

WORDS = "a voice whispers"
INITIATIVE = {
    "eclipse_phase_1e": "INIT 40 + 50 +3 seen by all and what is hidden",
    "eclipse_phase_2e": "Initiative 4 + 3 +3 seen by all and what is hidden",
}


def _whispered(game: str, value: int = 2, **policies: str) -> Session:
    """Returns a fight in which the villain and Bob roll for initiative, each with a public and a secret modifier."""
    session = Session.create(MemoryStore(), ruleset=game, policies=policies)
    session.perform(Join("villain", VILLAIN[game]))
    session.perform(Join("bob", BOB[game], player="kira"))
    session.perform(BeginCombat())
    _answer(session, value)
    return session


def _answer(session: Session, value: int = 2) -> None:
    """Throws all open rolls with medium faces, after two modifiers."""
    for rest in [each for each in session.rests if each.dice]:
        if "/initiative" in rest.key:
            session.perform(ApplyModifier(rest.key, 3, "seen by all"))
        session.perform(ApplyModifier(rest.key, value, WORDS, seen_by=HIDDEN))
        now = next(each for each in session.rests if each.key == rest.key)
        game = session.combat.session.ruleset
        thrown = {"to-hit": HIT[game], "defend": BAD[game]}.get(rest.key.rpartition("/")[2], ())
        sides = parse(now.dice).sides
        session.perform(TypeDice(rest.key, (*thrown[: len(sides)], *(side // 2 for side in sides[len(thrown) :]))))


def _read(session: Session) -> Iterator[str]:
    """Returns everything that Kira sees."""
    mine = eyes(session)
    yield from told(session, mine)
    yield from map(bytes.decode, session.export(mine, "kira"))
    yield str(report(session.log, mine, runs=50))
    yield repr(session.state(eyes=mine))
    keys = {str(getattr(event, "key", "")) for entry in session.entries() for event in entry.events}
    for key in (*keys - {""}, "bob.initiative", "villain.initiative", "bob.damage", "bob.physical", "bob.hit_points"):
        try:
            yield repr(session.why(key, mine))
        except Refused as refusal:
            yield str(refusal)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policies", [{}, {"hidden_parts": "value"}], ids=["no value", "value"])
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_a_secret_reason_is_in_no_derived_value(game: str, policies: dict[str, str], by: str) -> None:
    session = _whispered(game, **policies)
    key = strike(session, by)
    for _ in range(20):
        if is_over(session, key)():
            break
        rest = session.rests[0]
        if rest.dice:
            _answer(session)
            continue
        offered = [option.option for option in rest.options]
        session.perform(Choose(rest.key, next((each for each in DEFENSES if each in offered), rest.default or "end")))

    assert is_over(session, key)()
    assert [text for text in _read(session) if WORDS in text] == []
    assert any(WORDS in text for text in told(session, EVERYTHING))


@pytest.mark.parametrize("game", INITIATIVE)
def test_an_initiative_score_states_that_a_part_is_hidden(game: str) -> None:
    session = _whispered(game)

    entries = [redacted(session.log.disclosures.entry(entry), eyes(session)) for entry in session.entries()]
    scored = [one for entry in entries for one in entry.events if isinstance(one, InitiativeScored)]
    found = [one.why for one in scored if one.who == "bob"]
    assert found == [INITIATIVE[game]]


@pytest.mark.parametrize("game", GAMES)
def test_the_gamemaster_sees_each_initiative_score_once_with_all_parts(game: str) -> None:
    session = _whispered(game)

    found = [text for text in told(session, EVERYTHING) if text.startswith(("Bob: initiative", "bob: initiative"))]
    assert len(found) == 1
    assert (WORDS in found[0]) == (game in INITIATIVE)
