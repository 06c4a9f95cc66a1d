"""The outline of a fight that was undone, redone, corrected, and corrected again: what fell, what undid it, and why."""

import pytest
from server.processes import SHEET

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Declare, Join, Reveal, TypeDice
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.theatre.model import Outline

HIT, DAMAGE = "r1/ann/a1/attack/to-hit", "r1/ann/a1/attack/damage"
KIRA = Viewer(Seat.PLAYER, frozenset({"bob"}))


@pytest.fixture(scope="module")
def session() -> Session:
    """Returns a fight: 10 harms Bob; 11 undoes it, 12 redoes it, 13 undoes it; 14 harms him less; 15 and 18 correct 9."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
    for who, player in (("ann", "gm"), ("bob", "kira")):
        session.perform(Join(who, dict(SHEET), player=player))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (87,)))
    session.perform(TypeDice("r1/bob/initiative", (12,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "none"))
    session.perform(TypeDice(HIT, (22,)))
    session.perform(TypeDice(DAMAGE, (9,)))
    session.undo("step", why="cocked")
    session.redo(why="no")
    session.undo("step", why="cocked after all", seen_by=())
    session.perform(TypeDice(DAMAGE, (4,)))
    session.amend(HIT, Change(set={"faces": [12]}), why="it was a 12")
    session.amend(HIT, Change(set={"faces": [1]}), why="it was a 1", seen_by=())
    return session


@pytest.fixture(scope="module")
def outline(session: Session) -> Outline:
    return session.outline()


def stretches(outline: Outline) -> list[tuple[int, int, int, str]]:
    return [(each.first, each.last, each.by, each.why) for each in outline.undone]


def test_an_outline_counts_what_was_disclosed_as_its_reader_may_see_it() -> None:
    sheet = {"st": 10, "dx": 10, "iq": 10, "ht": 10}
    session = Session.create("memory://", ruleset="gurps_3e")
    session.perform(Join("lurker", sheet, seen_by=()))
    session.perform(Join("kira", sheet, player="kira"))
    eyes = viewer(Who("kira", Seat.PLAYER), session.combat)
    assert (session.outline().disclosures, session.outline(eyes).disclosures) == (0, 0)

    session.perform(Reveal(who="lurker"))

    assert session.outline().disclosures == session.outline(eyes).disclosures > 0


def test_each_stretch_that_fell_has_what_undid_it_last(outline: Outline) -> None:
    assert stretches(outline) == [
        (9, 9, 15, "it was a 12"),
        (10, 10, 13, "cocked after all"),
        (14, 14, 15, "it was a 12"),
        (16, 17, 18, "it was a 1"),
    ]
    assert {each.who for each in outline.undone} == {"gm"}


def test_a_correction_of_a_correction_names_the_entry_that_it_corrects(outline: Outline) -> None:
    assert [(each.entry, each.by, each.why) for each in outline.corrected] == [
        (9, 15, "it was a 12"),
        (16, 18, "it was a 1"),
    ]


def test_branches_lead_from_each_entry_to_its_line(outline: Outline, session: Session) -> None:
    after = {each.entry: each.after for each in outline.branches}
    for entry in session.entries():
        assert after.get(entry.seq, entry.seq - 1) == entry.after


def test_health_follows_what_was_shown_also_where_it_was_undone(outline: Outline) -> None:
    (bob,) = (each for each in outline.health if each.who == "bob")
    assert (bob.name, [(each.entry, each.taken) for each in bob.points]) == (
        "damage",
        [(3, 0), (10, 11), (11, 0), (12, 11), (13, 0), (14, 6), (15, 0), (17, 11), (18, 0), (20, 11)],
    )
    assert [each.who for each in outline.health] == ["ann", "bob"]


def test_a_reason_that_is_hidden_from_a_player_is_empty(session: Session) -> None:
    hers = session.outline(KIRA)
    assert [why for *_, why in stretches(hers)] == ["it was a 12", "", "it was a 12", ""]
    assert [each.why for each in hers.corrected] in (["it was a 12"], ["it was a 12", ""])


def test_rounds_turns_and_exchanges_begin_at_the_entries_that_tell_of_them(outline: Outline) -> None:
    assert [(each.entry, each.title) for each in outline.rounds] == [(4, "Round 1")]
    assert [(each.entry, each.who) for each in outline.turns] == [(6, "ann")]
    (attack,) = outline.exchanges
    assert (attack.entry, attack.key, attack.about, attack.is_attack) == (
        7,
        "r1/ann/a1/attack",
        "attack on bob",
        True,
    )


def test_a_sum_that_was_undone_is_explained_as_of_its_entry(session: Session) -> None:
    def sum_of(at: int | None) -> tuple[object, ...]:
        return tuple(part.value for part in session.why(DAMAGE, at=at).parts if part.what == "dv")

    assert (sum_of(10), sum_of(12), sum_of(14)) == ((11,), (11,), (6,))
    assert sum_of(20) == sum_of(None)
    assert session.why("bob.damage", at=14).title == "bob: damage 6 of 30"
    assert session.why("bob.damage", at=20) == session.why("bob.damage")


def test_an_overrule_that_decides_anew_is_the_reason_of_what_fell() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, dict(SHEET)))
    session.perform(BeginCombat())
    for who, face in (("ann", 87), ("bob", 12)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "none"))
    session.perform(TypeDice(HIT, (22,)))
    session.perform(TypeDice(DAMAGE, (9,)))
    session.overrule(DAMAGE, "dv", 2, why="it went through his sleeve")

    undone = session.outline().undone
    assert [(each.first, each.last, each.why) for each in undone if each.first == 10] == [
        (10, 10, "it went through his sleeve")
    ]
