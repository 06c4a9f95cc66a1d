"""What was recorded comes again where it was given, also between two fights."""

from ledger.commands import BeginCombat, Declare, EndCombat, Join, Note, TypeDice
from ledger.events import Declared
from replays import Session

SHEET = {"init": 50, "durability": 30, "aptitudes": {"som": 20, "wil": 15}, "skills": {"fray": 40}}


def test_what_is_declared_between_two_fights_is_declared_again_after_a_correction() -> None:
    expected = ["stress"]
    session = Session.create("memory://", ruleset="eclipse_phase_1e", draw=lambda *_: (7,))
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (30,)))
    session.perform(TypeDice("r1/bob/initiative", (20,)))
    session.perform(EndCombat("they talk"))
    session.perform(Declare("stress", "bob", {"what": "gruesome murder scene"}))
    session.perform(TypeDice("r1/bob/a1/stress/willpower", (12,)))
    session.perform(Note("so it went"))

    again = session.modify("ann/initiative", 5, why="she was quicker")

    found = [event.kind for entry in again for event in entry.events if isinstance(event, Declared)]
    assert expected == found
    assert session.combat.exchange.last is not None
    assert session.combat.exchange.last.outcome == "resisted"
