"""What a correction may change of an entry: its fields by their paths, dice that were drawn, secrets, what is in a report."""

from typing import Any

import msgspec
import pytest

from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, Note, Reveal, TypeDice
from ledger.entry import Provenance
from ledger.errors import Refused
from ledger.events import DiceRolled
from replays.api.session import Session
from replays.audit.dice_proof import VERIFIED, verify
from replays.corrections.change import BadChange, Change
from replays.corrections.diff import Aside, Flip, Needed, Report, Reread, Shift

SHEET: dict[str, Any] = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
PISTOL = {"kind": "ranged", "skill": "clubs", "damage": "2d10", "modes": ["semi"], "ammo": 10}
ATTACK = "r1/ann/a1/attack"
TO_HIT, DEFEND = f"{ATTACK}/to-hit", f"{ATTACK}/defend"


@pytest.fixture
def brawl() -> Session:
    """Ann is to roll against Bob."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", draw=lambda *_: (25,))
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(TypeDice("r1/bob/initiative", (10,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club", "modifiers": ["superior position"]}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"))
    return session


def declared(session: Session) -> int:
    return max(entry.seq for entry in session.entries() if isinstance(entry.command, Declare))


def rolled(session: Session, key: str) -> list[DiceRolled]:
    line = session.log.entries_of(session.log.timeline.line())
    return [event for entry in line for event in entry.events if isinstance(event, DiceRolled) and event.key == key]


def test_a_field_that_is_set_to_nothing_is_taken_out(brawl: Session) -> None:
    made = brawl.amend(declared(brawl), Change(set={"terms.modifiers": None}), why="on the level")

    assert made.entries[1].command == Declare("attack", "ann", {"at": "bob", "using": "club"})


def test_of_a_field_with_others_in_it_only_the_one_inside_is_taken_out() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    joined = session.perform(Join("ann", SHEET))

    made = session.amend(joined.seq, Change(set={"sheet.skills.clubs": None}), why="she never learned it")

    assert made.entries[1].command == Join("ann", {**SHEET, "skills": {"fray": 40}})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"kind": 7}, "set.kind"),
        ({"by": None}, "set.by"),
        ({"terms": 3}, "set.terms"),
        ({"terms.at.x": 1}, "terms.at.x"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_refused_with_its_path(
    brawl: Session, change: dict[str, Any], where: str
) -> None:
    with pytest.raises(BadChange) as refusal:
        brawl.preview(declared(brawl), Change(set=change))

    assert refusal.value.where == where
    assert refusal.value.accepts


def test_faces_that_are_corrected_were_typed_and_no_longer_drawn(brawl: Session) -> None:
    brawl.perform(DrawDice(TO_HIT))

    made = brawl.amend("ann/to-hit", Change(set={"faces": [26]}), why="misread")

    assert made.entries[1].command == TypeDice(TO_HIT, (26,))
    assert rolled(brawl, TO_HIT) == [DiceRolled(TO_HIT, (26,), (Provenance.TYPED.value,))]


def test_drawn_dice_of_which_something_else_is_corrected_were_drawn(brawl: Session) -> None:
    brawl.perform(DrawDice(TO_HIT))

    made = brawl.amend("ann/to-hit", Change(insert=({"note": "it was dark"},)), why="said before")

    assert isinstance(made.entries[2].command, DrawDice)


@pytest.mark.parametrize("provenance", [["drawn"], ["recorded"], ["typed"], ["scripted"], ["told"], []])
@pytest.mark.parametrize("roll", [TypeDice(TO_HIT, (25,)), DrawDice(TO_HIT)], ids=["typed", "drawn"])
@pytest.mark.parametrize("faces", [{}, {"faces": [26]}], ids=["the same", "misread"])
def test_where_dice_came_from_is_not_corrected(brawl: Session, provenance: list[str], roll: Any, faces: Any) -> None:
    brawl.perform(roll)
    last = brawl.log.last

    with pytest.raises(BadChange, match="provenance") as refusal:
        brawl.amend("ann/to-hit", Change(set={**faces, "provenance": provenance}), why="q")

    assert (refusal.value.where, refusal.value.accepts) == ("provenance", "faces, key")
    assert brawl.log.last == last


def test_drawn_dice_that_are_said_to_be_another_roll_are_said_by_a_person() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET))
    session.perform(BeginCombat())
    drawn = session.perform(DrawDice("r1/ann/initiative"))

    made = session.amend(drawn.seq, Change(set={"key": "r1/bob/initiative"}), why="that was Bob's")

    assert made.entries[1].command == TypeDice("r1/bob/initiative", drawn.command.faces)
    session.perform(Reveal())
    assert session.log.verify().seq == session.log.last
    assert verify(session.log).status == VERIFIED


def test_secret_dice_that_were_misread_stay_secret(brawl: Session) -> None:
    brawl.perform(TypeDice(TO_HIT, (25,), seen_by=()))

    made = brawl.amend("ann/to-hit", Change(dice={TO_HIT: (26,)}), why="misread")

    assert made.entries[1].command == TypeDice(TO_HIT, (26,), seen_by=())
    assert made.entries[0].command.seen_by == ()
    assert [event.seen_by for event in rolled(brawl, TO_HIT)] == [None, ()]


def test_how_much_of_something_there_is_is_told(brawl: Session) -> None:
    armed = {**SHEET, "weapons": {"pistol": PISTOL}}
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", armed))

    report = session.preview(2, Change(set={"sheet.weapons.pistol.ammo": 12}))

    told = {(shift.who, shift.what): (shift.before, shift.after) for shift in report.shifts}
    assert told == {("ann", "pistol"): (10, 12), ("ann", "pistol, of"): (10, 12)}


def unchanged(session: Session) -> Report:
    return session.preview(declared(session), Change(insert=({"note": "in the rain"},)))


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("flips", Flip("k", "ann: hit", "hit", "miss")), ("shifts", Shift("ann", "damage", 0, 1)), ("set_aside", Aside(3, "7 for k")),
        ("needs_a_person", Needed("k", "ann", "hit", "1d100")), ("reread", Reread("k", "ann", "bob")),
    ],
)  # fmt: skip
def test_a_report_that_tells_anything_changes_something(brawl: Session, field: str, found: Any) -> None:
    report = unchanged(brawl)

    assert report.changes_nothing
    assert not msgspec.structs.replace(report, **{field: (found,)}).changes_nothing


def test_what_is_dropped_lies_aside(brawl: Session) -> None:
    brawl.perform(Note("it rains"))

    report = brawl.preview(brawl.log.last, Change(drop=True))

    assert report.set_aside == (Aside(brawl.log.last, "note"),)


# ------------------------------------------------------------------------------------------------ what comes again


def test_dice_that_no_longer_stand_lie_there_when_a_second_correction_needs_them(brawl: Session) -> None:
    """Bob is hit, then not, then hit after all: the damage that was rolled lies as it lay."""
    for key, faces in ((TO_HIT, (25,)), (DEFEND, (78,)), (f"{ATTACK}/damage", (5, 6))):
        brawl.perform(TypeDice(key, faces))
    taken = brawl.combat.health.track("bob", "damage").taken

    brawl.amend("bob/defend", Change(dice={DEFEND: (30,)}), why="misread")
    assert not rolled(brawl, f"{ATTACK}/damage")
    report = brawl.preview("bob/defend", Change(dice={DEFEND: (78,)}))
    brawl.amend("bob/defend", Change(dice={DEFEND: (78,)}), why="it was right")

    assert not [each for each in report.needs_a_person if each.dice == "2d10+5"]
    assert [event.faces for event in rolled(brawl, f"{ATTACK}/damage")] == [(5, 6)]
    assert brawl.combat.health.track("bob", "damage").taken == taken


def test_a_pool_is_cut_by_the_dice_that_are_asked_for_under_its_own_key() -> None:
    """Bob's six dice lie while Ann, who rolls ten, has not rolled."""
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("ann", {"reaction": 5, "intuition": 5}))
    bob = session.perform(Join("bob", {"reaction": 3, "intuition": 3}))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/bob/initiative", (1, 2, 3, 4, 5, 6)))

    report = session.preview(bob.seq, Change(set={"sheet.reaction": 1}))
    session.amend(bob.seq, Change(set={"sheet.reaction": 1}), why="he limps")

    assert [each.what for each in report.set_aside] == ["5 6 of r1/bob/initiative"]
    assert [event.faces for event in rolled(session, "r1/bob/initiative")] == [(1, 2, 3, 4)]


def test_dice_that_complete_typed_ones_are_written_with_where_each_came_from() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("ann", {"reaction": 1, "intuition": 0}))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (3,)))
    session.amend(2, Change(set={"sheet.intuition": 2}), why="she is no fool")

    first = session.perform(TypeDice("r1/ann/initiative", (4, 5)), batch="k")

    assert [(event.faces, event.provenance) for event in rolled(session, "r1/ann/initiative")] == [
        ((3, 4, 5), ("typed",) * 3)
    ]
    assert session.perform(TypeDice("r1/ann/initiative", (4, 5)), batch="k") == first
    with pytest.raises(Refused):
        session.perform(TypeDice("r1/ann/initiative", (4, 6)), batch="k")
