"""Figures of Shadowrun: condition monitors, wounds, unconsciousness, bleeding, death."""

from typing import Any

import pytest
from rules.fourth_edition import ROWS, Cases, Table, defends, person, suffers, table_of, to_hit

CASES = Cases()

# ------------------------------------------------------------------------------------------------ tracks, wounds


def long(track: str, **figures: int) -> int:
    """The boxes of a track."""
    return Table(ann=person(**figures)).boxes("ann", track)


def icon(system: int) -> int:
    sheet = person(matrix={"response": 3, "system": system, "firewall": 3})
    return Table(ann=sheet).boxes("ann", "matrix")


def struck_for(*harm: tuple[int, str], **bob: int) -> Table:
    """Returns a combatant after a sequence of boxes, each marked ``P`` or ``S``."""
    table = table_of(bob=bob)
    for amount, kind in harm:
        suffers(table, "bob", amount, kind)
    return table


def wounded(physical: int, stun: int = 0) -> int:
    """Returns the wound modifier of a number of boxes."""
    harm = [(amount, kind) for amount, kind in ((physical, "P"), (stun, "S")) if amount]
    return -struck_for(*harm, body=6, willpower=6).wounds("bob")


def with_boxes(physical: int) -> tuple[int, int, int]:
    """The attack of ten dice, the defense of eight, the Initiative Score of 9."""
    attacks = to_hit(adjust=[("ann", "tracks.physical", physical)])
    defense = defends(own=8, adjust=[("bob", "tracks.physical", physical)])
    table = Table(ann=person(reaction=4, intuition=3), bob=person()).begin(ann=2).adjust("ann", "tracks.physical", 3)
    return attacks, defense, table.score("ann")


def unmoved() -> tuple[int, int]:
    """Resisting damage with ten dice, and Drain with nine, after six boxes."""
    bob = {"body": 4, "armor": {"impact": 6}}
    table = suffers(table_of(bob=bob, adjust=[("bob", "tracks.physical", 6)]), "bob", 5)
    ann = person(initiative=20, magic=5, tradition="hermetic", skills={"spellcasting": 4}, spells=["levitate"])
    casts = Table(ann=ann, bob=person()).begin().adjust("ann", "tracks.physical", 6)
    casts.declare("cast", "ann", {"cast": 2}, spell="levitate", force=4)
    return table.pool("resist"), casts.pool("drain")


def out(track: str, amount: int, **bob: int) -> bool:
    return table_of(bob=bob, adjust=[("bob", f"tracks.{track}", amount)]).has("bob", "unconscious")


CASES.row("TRK01", [9, 9, 10, 10, 11, 11], lambda: [long("physical", body=each) for each in range(1, 7)])
CASES.row("TRK02", [9, 9, 10, 10, 11, 11], lambda: [long("stun", willpower=each) for each in range(1, 7)])
CASES.row("TRK03", [0, -1, -1, -2, -2, -3], lambda: [wounded(each) for each in (2, 3, 5, 6, 8, 9)])
CASES.row("TRK04", 0, lambda: wounded(2, 2))
CASES.row("TRK05", -2, lambda: wounded(5, 4))
CASES.row("TRK06", -3, lambda: wounded(6, 3))
CASES.row("TRK07", (9, 7, 8), lambda: with_boxes(3))
CASES.row("TRK08", (10, 9), unmoved)
CASES.row("TRK09", [False, True], lambda: [out("physical", each, body=3) for each in (9, 10)])
CASES.row("TRK10", [False, True], lambda: [out("stun", each, willpower=3) for each in (9, 10)])
CASES.row("TRK26", [10, 10, 11], lambda: [icon(each) for each in (3, 4, 5)])

# ------------------------------------------------------------------------------------------------ beyond a track

TRACKS = ("stun", "physical", "overflow")


def filled(*harm: tuple[int, str], **bob: int) -> tuple[int, ...]:
    """Stun, Physical, overflow."""
    table = struck_for(*harm, **bob)
    return tuple(table.taken("bob", track) for track in TRACKS)


def fate(*harm: tuple[int, str], options: Any = None, **bob: int) -> tuple[int, bool]:
    """Boxes beyond the physical track; dead?"""
    table = table_of(bob=bob, options=options)
    for amount, kind in harm:
        suffers(table, "bob", amount, kind)
    return table.taken("bob", "overflow"), table.has("bob", "dead")


def ended_by(condition: str, track: str, **sheet: Any) -> bool:
    """Does it come of a track that is full?"""
    table = Table(ann=person(), bob=sheet)
    return table.adjust("bob", f"tracks.{track}", table.boxes("bob", track)).has("bob", condition)


THREE = {"body": 3, "willpower": 3}
CASES.row("TRK11", (10, 3), lambda: filled((8, "S"), (5, "S"), **THREE)[:2])
CASES.row("TRK12", -4, lambda: -struck_for((8, "S"), (5, "S"), **THREE).wounds("bob"))
CASES.row("TRK13", ((10, 10, 2), False), lambda: (
    filled((10, "S"), (9, "P"), (3, "S"), **THREE), fate((10, "S"), (9, "P"), (3, "S"), **THREE)[1],
))  # fmt: skip
CASES.row("TRK14", (2, False), lambda: fate((12, "P"), **THREE))
CASES.row("TRK15", [(3, False), (3, True)], lambda: [
    fate((13, "P"), options={"dies_at": how}, **THREE) for how in ("exceeded", "reached")
])  # fmt: skip
CASES.row("TRK16", (4, True), lambda: fate((14, "P"), **THREE))
CASES.row("TRK17", (6, True), lambda: fate((6, "P"), (10, "P"), body=4))
CASES.row("TRK25", [True, True], lambda: [
    ended_by("disrupted", track, force=4, immune=True) for track in ("physical", "stun")
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ bleeding


def bleeds(amount: int, turns: int, *, stabilized: bool = False) -> tuple[int, bool]:
    """Overflow after so many Combat Turns; dead?"""
    medic = person(initiative=20, skills={"first aid": 5})
    table = suffers(Table(ann=medic, bob=person(**THREE)).begin(), "bob", amount)
    if stabilized:
        table.declare("stabilize", "ann", {"test": 2}, who="bob")
    table.turns(turns)
    return table.taken("bob", "overflow"), table.has("bob", "dead")


def stunned_vehicle() -> tuple[int, int, bool]:
    """Boxes of both tracks, and whether it is wrecked."""
    vehicle = {"body": 8, "vehicle": True, "reaction": 3, "intuition": 3}
    table = suffers(Table(ann=person(), bob=vehicle).begin(), "bob", 5, "S")
    return table.taken("bob", "physical"), table.taken("bob", "stun"), table.has("bob", "destroyed")


CASES.row("TRK18", [2, 3], lambda: [bleeds(11, 3)[0], bleeds(11, 6)[0]])
CASES.row("TRK19", 1, lambda: bleeds(11, 2)[0])
CASES.row("TRK20", 1, lambda: bleeds(11, 2)[0])
CASES.row("TRK21", 0, lambda: bleeds(10, 3)[0])
CASES.row("TRK22", (1, False), lambda: bleeds(11, 9, stabilized=True))
CASES.row("TRK23", (4, True), lambda: bleeds(11, 9))
CASES.row("TRK24", (0, 0, False), stunned_vehicle)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
