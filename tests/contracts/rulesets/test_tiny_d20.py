"""Tiny d20 keeps the contract, and works with everything that a session can do."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec
import pytest
from contracts.rulesets.ruleset_contract import RulesetContract
from extra_rulesets import tiny_d20

from ledger.audience import Viewer
from ledger.commands import Adjust, ApplyModifier, BeginCombat, Choose, Declare, Join, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.events import ChoiceRequested
from machines.contract.chart import Choose as ChooseBox
from machines.contract.refusals import CannotAdjust
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.engine.walk import WrongActingKey
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.narrative import narrate
from replays.views.frames import frames


@pytest.fixture(scope="module", autouse=True)
def registered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with tiny_d20(tmp_path_factory.mktemp("tiny")):
        yield


class TestTinyD20(RulesetContract):
    name = "tiny_d20"
    seeds = 12


# ------------------------------------------------------------------------------------------------ a tour of a session

ANN, KIRA = Viewer(Seat.PLAYER, frozenset({"ann"})), Who("kira", Seat.PLAYER)
TO_HIT, DAMAGE = "r1/ann/a1/attack/to-hit", "r1/ann/a1/attack/damage"


def begun(**secret: object) -> Session:
    """A fight in which Ann acts first against the gamemaster's ogre."""
    session = Session.create("memory://", ruleset="tiny_d20")
    sheets = session.game.sheets
    session.perform(Join("ann", dict(sheets["guard"]), player="kira"))
    session.perform(Join("ogre", dict(sheets["ogre"]), **secret))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (12,)))
    session.perform(TypeDice("r1/ogre/initiative", (7,)))
    return session


def struck(session: Session, face: int = 13) -> Session:
    """Ann strikes from above and rolls this face."""
    session.perform(Declare("attack", "ann", {"at": "ogre", "situation": "from above"}), by=KIRA)
    session.perform(TypeDice(TO_HIT, (face,)))
    return session


def test_options_are_legal_actions_with_their_targets() -> None:
    attack = next(one for one in begun().options() if isinstance(one.command, Declare))

    assert (attack.by, attack.target, attack.refused) == ("ann", 10, "")


def test_a_blow_wounds_and_is_narrated() -> None:
    session = struck(begun())
    session.perform(TypeDice(DAMAGE, (6,)))

    ogre = session.state().combatants["ogre"]
    assert (ogre.tracks["hit points"].taken, ogre.wounds) == (6, 1)
    assert "To-hit: 19 against 10, hit, margin +9." in stories(session)
    assert "Outcome: it hits." in stories(session)


def stories(session: Session) -> list[str]:
    return [text for entry in session.entries() for text in narrate(entry, session.log.state(entry.after))]


def test_why_explains_a_wound_with_page_and_die() -> None:
    session = struck(begun())
    session.perform(TypeDice(DAMAGE, (6,)))

    parts = [(part.what, part.value, part.source) for part in session.why(TO_HIT).parts]

    assert ("skill", 3, "TD 2 Attacks") in parts
    assert ("modifier", "+2", "TD 3 Situations") in parts
    assert ("bonus", 6, "TD 2 Attacks") in parts
    assert [part.source for part in session.why("ogre.wounds").parts] == ["TD 3 Wounds"]


def test_correcting_a_misread_die_changes_its_consequences() -> None:
    session = struck(begun())
    session.perform(TypeDice(DAMAGE, (6,)))
    session.perform(Choose("r1/ann/act/2", "end"))

    made = session.amend(TO_HIT, Change(set={"faces": [2]}), why="the die was cocked")

    assert {(flip.before, flip.after) for flip in made.report.flips} == {("it hits", "it misses"), ("hit", "miss")}
    assert session.state().combatants["ogre"].wounds == 0
    assert session.combat.turn.who == "ogre", "the end of Ann's turn comes again"
    session.undo()
    assert session.state().combatants["ogre"].wounds == 1


def test_odds_and_luck_count_hits() -> None:
    session = begun()
    session.perform(Declare("attack", "ann", {"at": "ogre", "situation": "from above"}))
    (test,) = session.odds().tests
    session.perform(TypeDice(TO_HIT, (13,)))
    session.perform(TypeDice(DAMAGE, (6,)))
    (mine,) = session.luck().successes

    hits = sum((each.chance for each in test.outcomes if each.what in ("hit", "critical")), Fraction(0))
    assert hits == Fraction(17, 20)
    assert (mine.who, mine.tests, mine.successes, mine.expected) == ("kira", 1, 1, hits)


def test_the_gamemaster_can_set_a_counter_and_overrule_a_figure() -> None:
    session = struck(begun())
    session.perform(TypeDice(DAMAGE, (6,)))

    session.perform(Adjust("ogre", "wounds", 0, "a scratch"))
    session.overrule(TO_HIT, "outcome", "miss", why="it parries")

    assert session.state().combatants["ogre"].wounds == 0
    with pytest.raises(CannotAdjust):
        session.perform(Adjust("ogre", "traumas", 1, "no such thing"))


def test_nothing_discloses_a_secret_defense_or_modifier() -> None:
    """Neither the sum nor the result of the die and the bonus discloses them."""
    seen = []
    for defense, whisper in ((11, -3), (15, 2)):
        session = Session.create(
            "memory://", ruleset="tiny_d20", session="SECRET", clock=lambda: "2024-11-03T19:30:00.000Z"
        )
        session.perform(Join("ann", dict(session.game.sheets["guard"]), player="kira"))
        session.perform(Join("ogre", {"skill": 5, "defense": defense, "hit_points": 16}, sheet_seen_by=()))
        session.perform(BeginCombat())
        session.perform(TypeDice("r1/ann/initiative", (12,)))
        session.perform(TypeDice("r1/ogre/initiative", (7,)))
        session.perform(Declare("attack", "ann", {"at": "ogre"}), by=KIRA)
        session.perform(ApplyModifier(TO_HIT, whisper, "a voice whispers", seen_by=()))
        session.perform(TypeDice(TO_HIT, (18,)), by=KIRA)
        told = [narrate_seen(session, entry) for entry in session.entries()]
        seen.append((told[4:], session.why(TO_HIT, ANN), session.state(eyes=ANN).combatants["ann"]))

    assert seen[0] == seen[1]
    assert any("hidden" in text for texts in seen[0][0] for text in texts)


def narrate_seen(session: Session, entry: Entry) -> list[str]:
    frame = next(one for one in frames(session.log, eyes=ANN) if one.entry.seq == entry.seq)
    return list(narrate(frame.entry, frame.before))


def test_only_the_engine_asks_for_actions() -> None:
    """A game that uses another key is stopped at once, because corrections would not recognize the choice."""
    tiny = ruleset("tiny_d20")
    box = tiny.turn["4"]
    assert isinstance(box, ChooseBox)
    asked = begun()
    before, offer = asked.log.state(asked.log.last - 1), box.offer

    def own(combat: Combat) -> ChoiceRequested:
        return msgspec.structs.replace(offer(combat), key=f"r1/{combat.turn.who}/do")

    box.offer = own
    try:
        with pytest.raises(WrongActingKey, match="next_action"):
            decide(tiny, before, TypeDice("r1/ogre/initiative", (7,)))
    finally:
        box.offer = offer
