"""The other charts against the page: a second transcription, made independently, is in ``eclipse_phase_1e_procedures.txt``.

Each transcribed step is one or more of our boxes, or has none for a reason; each of our boxes is a transcribed step's, or is there for
a reason; and each transcribed exit leads in our charts to the same place, past boxes that the page does not print.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from machines.chart import End, Run
from machines.ruleset import ruleset

TEXT = (Path(__file__).parent / "eclipse_phase_1e_procedures.txt").read_text()
CHARTS = ruleset("eclipse_phase_1e").charts
Place = tuple[str, str]
"""A chart and the number of a box."""
END: Place = ("", "end")


class Step(NamedTuple):
    """A line of the transcription."""

    section: str
    id: str
    title: str
    exits: tuple[str, ...]


def steps() -> dict[str, Step]:
    """Every transcribed step by its id, which is its own in the whole file."""
    found: dict[str, Step] = {}
    section = ""
    for line in TEXT.splitlines():
        if line.startswith("## "):
            section = re.sub(r" \(.*", "", line[3:])
        elif re.match(r"[A-Z]\d+\w* \| ", line):
            number, title, _, exits = (cell.strip() for cell in line.split(" | ", 3))
            found[number] = Step(section, number, title, tuple(re.findall(r"-> ([A-Z]\d+\w*|end)", exits)))
    return found


STEPS = steps()

ENTERED: dict[str, tuple[str, ...]] = {
    "ACTION TURN": ("turn",),
    "DELAY": ("delay", "act"),
    "MOMENT": ("moment", "quick", "complex", "task", "full_defense", "aim", "reload", "move", "delay"),
    "SURPRISE": ("turn",),
    "ATTACK": ("attack",),
    "TAKING DAMAGE": ("wounds",),
    "SHOCK": ("attack",),
    "STRESS": ("stress", "wounds", "derangement"),
    "FIRST AID": ("first_aid",),
    "NATURAL HEALING": ("rest",),
    "SURGERY": ("surgery",),
    "REPAIR": ("repair",),
    "PSYCHOTHERAPY": ("therapy",),
    "NATURAL MENTAL HEALING": ("reflect",),
    "RELOAD": ("reload",),
    "SUPPRESSIVE FIRE": ("suppress",),
    "BREAK FREE": ("break_free",),
    "GRENADE: THROW BACK / JUMP ON": (),
}
"""By section: the charts that are its procedure. What they run beside these is passed over."""
ENDS: dict[str, Place] = {"SURPRISE": ("turn", "1"), "SHOCK": ("attack", "7g")}
"""Where a section that is a part of a chart ends in it."""

SAME = "boxes "
"""How the places of a step begin; everything else is a reason why it has none."""
WHERE: dict[str, str] = {
    # ---------------------------------------------------------------------------------------- the Action Turn
    "T1": "boxes turn/1",
    "T2": "whoever does not roll any more is not asked in box 1c: the profile's `initiative_rolled`",
    "T3": "boxes turn/1b turn/1c",
    "T4": "boxes turn/1c",
    "T5": "boxes turn/2",
    "T6": "boxes turn/4",
    "T7": "declared at any time before anybody has acted: chart act_first",
    "T8": "chart act_first",
    "T9": "whoever rolled a critical stands first in the order that box 1c fixes",
    "T10": "boxes turn/4",
    "T11": "a wound lowers the score and changes the order where it is counted: box w1 of chart wounds",
    "T12": "offered with all other actions: box 3a of chart moment",
    "T13": "boxes turn/3 turn/3b",
    "T14": "box 3l of chart moment",
    "T15": "a delayed action is a condition that nothing ends here",
    "T16": "boxes turn/4",
    "T17": "boxes turn/1",
    "T18": "the gamemaster ends a fight: the command EndCombat",
    # ---------------------------------------------------------------------------------------- delayed actions
    "D1": "boxes delay/delay",
    "D2": "declared at any time: kind act",
    "D3": "boxes act/1 act/2",
    "D4": "the end of a moment is remembered for the phase it is taken in: box 4 of the turn asks who has acted",
    "D5": "likewise",
    "D6": "the end of chart act goes on where it broke in",
    "D7": "asked when the next moment begins: box 3 of the turn",
    "D8": "the condition ends with box 3 of the turn",
    # ---------------------------------------------------------------------------------------- a moment
    "M1": "boxes moment/3a",
    "M2": "boxes moment/3a",
    "M3": "boxes moment/3a moment/3l delay/delay",
    "M4": "boxes moment/3a moment/3c quick/quick",
    "M5": "boxes moment/3a",
    "M6": "boxes moment/3a",
    "M7": "boxes moment/3g aim/aim moment/3a",
    "M8": "boxes moment/3a",
    "M8a": "boxes moment/3a moment/3c quick/quick",
    "M9": "boxes moment/3a moment/3b moment/3j moment/3k",
    "M9a": "boxes moment/3a moment/3g aim/aim",
    "M9b": "boxes moment/3a moment/3i move/move move/sprint move/how far",
    "M9c": "boxes moment/3a moment/3h reload/reload",
    "M10": "boxes moment/3a",
    "M8a2": "boxes moment/3a moment/3c quick/quick",
    "M11": "boxes moment/3a moment/3f full_defense/defense",
    "M12": "boxes moment/3a moment/3e task/task",
    "M13": "boxes moment/3a",
    "M14": "boxes moment/3a moment/3d complex/complex",
    # ---------------------------------------------------------------------------------------- surprise
    "S1": "boxes turn/0 turn/0b",
    "S2": "boxes turn/0b turn/0c",
    "S3": "boxes turn/0c",
    "S4": "boxes turn/0c",
    "S5": "boxes turn/0d turn/0e turn/0f",
    "S6": "box 1b finds nobody ambushed",
    "S7": "boxes turn/0c",
    "S8": "box 1b takes the modifier from whoever is ambushed",
    "S9": "boxes turn/0c",
    "S10": "a condition that box 4 and box 2 of the attack look at, until the second phase begins",
    # ---------------------------------------------------------------------------------------- the attack
    "A1": "an attack that is not possible is refused when it is declared",
    "A2": "the weapon says it",
    "A3": "terms of the declaration: several targets, `called`",
    "A4": "-20 in box 3",
    "A5": "terms: charging",
    "A6": "-10 in box 3, a die in box 7; receiving a charge is a delayed action",
    "A7": "terms: `mode`",
    "A7a": "boxes attack/1",
    "A8": "boxes attack/1",
    "A9": "boxes attack/1",
    "A10": "boxes attack/1",
    "A11": "boxes attack/1",
    "A12": "terms: indirect fire; who sees the target is for the table to say",
    "A13": "when a grenade goes off is for the table to say: an explosion is declared then",
    "A14": "boxes attack/1b",
    "A15": "boxes attack/1c attack/1d",
    "A15a": "boxes attack/1f",
    "A15b": "boxes attack/1f",
    "A16": "a mind that cannot be reached is refused when it is declared",
    "A17": "the weapon says it: touch or not",
    "A17a": "counted with the modifiers, box 3",
    "A18": "contact and asyncs are for the table to say",
    "A18a": "boxes attack/2 attack/2b attack/2c attack/3 attack/4 attack/4b attack/5 attack/5a attack/5b",
    "A18b": "boxes attack/5h",
    "A18c": "terms: several targets",
    "A19": "boxes attack/2",
    "A20": "boxes attack/2b attack/2c",
    "A20x": "no box: from 2 to 3",
    "A21": "boxes attack/3",
    "A22": "boxes attack/3",
    "A23": "boxes attack/3",
    "A24": "declared while the roll is open: chart before",
    "A25": "boxes attack/4",
    "A26": "boxes attack/4b",
    "A27": "boxes attack/5 attack/5a",
    "A28": "boxes attack/5h",
    "A29": "boxes attack/5 attack/5a",
    "A30b": "the lost actions in box 5h; the further test is the gamemaster's to call for (ruling EP1-N16)",
    "A31": "boxes attack/5h attack/5i attack/5j",
    "A32": "boxes attack/5c",
    "A33": "boxes attack/5c",
    "A33a": "boxes attack/5c",
    "A34": "boxes attack/5d",
    "A35": "boxes attack/5d attack/5e",
    "A35a": "boxes attack/5d",
    "A35b": "boxes attack/5d",
    "A35c": "what a touch does beside hurting is for the table to say",
    "A35d": "a sleight that does no harm is a Complex Action in words",
    "A36": "boxes attack/6",
    "A37": "boxes attack/6",
    "A38": "asked before the armor: boxes 5f to 5k",
    "A39": "boxes attack/7",
    "A40": "boxes attack/7",
    "A41": "boxes attack/7b",
    "A42": "boxes attack/7c attack/7d attack/7f",
    "A43": "boxes attack/7g",
    "A44": "boxes attack/5h",
    "A45": "boxes attack/9b attack/9c",
    "A46": "boxes attack/8",
    "A47": "boxes attack/9b",
    "A49": "boxes attack/9d attack/9e",
    "A50": "boxes attack/9",
    # ---------------------------------------------------------------------------------------- harm
    "H1": "with whatever does harm: box 7g of the attack, 5 of an explosion, 9d of a strain",
    "H2": "a limit of the track, looked at where harm is taken",
    "H3": "likewise: the condition dead",
    "H4": "boxes wounds/w1",
    "H5": "boxes wounds/w1",
    "H6": "boxes wounds/w2",
    "H7": "boxes wounds/w2 wounds/w3 wounds/w5",
    "H7a": "boxes wounds/w5",
    "H7b": "boxes wounds/w2 wounds/w3 wounds/w5",
    "H7c": "boxes wounds/w2",
    "H7d": "boxes wounds/w2 wounds/w5",
    "H8": "both are rolled together, box w3",
    "H9": "boxes wounds/w3 wounds/w5",
    "H10": "boxes wounds/w5",
    "H12": "a limit of the track, looked at where harm is taken",
    "H13": "likewise: the condition incapacitated",
    "H14": "looked at where wounds are counted, box w1",
    "H15": "likewise: the condition bleeding, which box 1 of the turn counts on",
    # ---------------------------------------------------------------------------------------- shock
    "K1": "boxes attack/7b",
    "K2": "boxes attack/7c attack/7d",
    "K3": "boxes attack/7f",
    "K4": "boxes attack/7f",
    "K5": "boxes attack/7f",
    "K6": "boxes attack/7f",
    # ---------------------------------------------------------------------------------------- the mind
    "X1": "psi takes stress by the attack's boxes, an event is declared: kind stress",
    "X2": "boxes stress/1",
    "X3": "boxes stress/2 stress/3 stress/4",
    "X3a": "boxes stress/5 stress/5b stress/5c",
    "X4": "boxes stress/6 stress/7",
    "X5": "a limit of the track, looked at where stress is taken",
    "X6": "likewise: the condition mind_lost",
    "X7": "boxes wounds/w1",
    "X8": "boxes wounds/w1",
    "X9": "boxes wounds/w6 wounds/w7 wounds/w9",
    "X10": "boxes wounds/w9",
    "X11": "boxes derangement/d1 derangement/d2 derangement/d3",
    "X12": "boxes derangement/d4",
    "X13": "boxes derangement/d5",
    "X14": "a limit of the track, looked at where stress is taken",
    "X15": "likewise: the condition catatonic",
    # ---------------------------------------------------------------------------------------- getting well
    "F1": "whoever it cannot help is refused when it is declared",
    "F2": "boxes first_aid/1 first_aid/2 first_aid/3",
    "F3": "boxes first_aid/4 first_aid/5 first_aid/5b",
    "F4": "boxes first_aid/6",
    "N1": "whoever does not heal is refused when it is declared",
    "N2": "the gamemaster says it, and surgery is declared",
    "N3": "boxes rest/1",
    "N4": "boxes rest/1",
    "N5": "all times are rolled at once",
    "N6": "boxes rest/2 rest/3",
    "N7": "boxes rest/4",
    "N8": "boxes rest/5",
    "U1": "declared",
    "U2": "boxes surgery/1 surgery/2 surgery/3",
    "U3": "boxes surgery/4 surgery/5 surgery/5b",
    "U4": "boxes surgery/6",
    "R1": "whatever is beyond repair is refused when it is declared",
    "R2": "boxes repair/1",
    "R3": "boxes repair/1 repair/2 repair/3",
    "R4": "boxes repair/4 repair/4b",
    "R5": "boxes repair/5",
    "P1": "whoever has no skill for it is refused when it is declared",
    "P2": "boxes therapy/1",
    "P3": "boxes therapy/1",
    "P4": "boxes therapy/1",
    "P5": "boxes therapy/1",
    "P6": "boxes therapy/2 therapy/3 therapy/4",
    "P7": "boxes therapy/5 therapy/5b therapy/5c therapy/5d therapy/6",
    "P8": "boxes therapy/7",
    "P9": "the next session is declared",
    "L1": "the declaration says so: a month passes with it",
    "L2": "whoever has nothing that heals so is refused when it is declared",
    "L3": "boxes reflect/1 reflect/2 reflect/3",
    "L4": "boxes reflect/4 reflect/5 reflect/5b reflect/5c reflect/6",
    "L5": "boxes reflect/7",
    "L6": "the declaration says so: three months pass with it",
    "L7": "boxes reflect/1 reflect/2 reflect/3 reflect/7",
    "L8": "boxes reflect/4 reflect/5d reflect/6",
    # ---------------------------------------------------------------------------------------- the rest
    "B1": "magazines that one carries are not counted",
    "B2": "terms: `quick`",
    "B3": "boxes reload/reload",
    "B4": "boxes reload/reload",
    "B5": "no archaic weapon is in the table",
    "B6": "boxes reload/reload",
    "V1": "a weapon that cannot do it is refused when it is declared",
    "V2": "boxes suppress/suppress",
    "V3": "who leaves cover is for the table to say",
    "V4": "declared at any time: kind suppressed, chart attack",
    "V5": "likewise",
    "G1": "boxes break_free/1",
    "G2": "boxes break_free/1",
    "G3": "boxes break_free/2 break_free/4",
    "G4": "boxes break_free/4",
    "G5": "boxes break_free/4",
    "Z1": "optional, and not there",
    **dict.fromkeys(("Z2", "Z3", "Z4", "Z5", "Z6", "Z7", "Z8", "Z9"), "likewise"),
}  # fmt: skip
"""Each transcribed step: our boxes, or why it has none."""

OTHERWISE: dict[tuple[str, str], str] = {
    ("T1", "T5"): "box 1c asks nobody who does not roll any more",
    ("T17", "end"): "a fight is ended by the command EndCombat; by itself it ends only where nobody is left",
    ("D1", "D3"): "a delayed action is declared, at any time",
    (
        "A50",
        "A14",
    ): "whoever sees one target sees the next: box 9 goes to 2; another attack of the same action is declared",
    ("A50", "end"): "box 9 comes before 9b",
    ("A45", "A50"): "box 9 comes before 9b",
    ("A47", "A50"): "box 9 comes before 9b: all targets, and then the strain",
    ("A49", "A50"): "likewise",
    ("A28", "A49"): "likewise: by box 9",
    ("A31", "A49"): "likewise",
    ("A31", "A45"): "likewise",
    ("A28", "A45"): "likewise",
    ("A43", "A47"): "likewise",
    ("A46", "A47"): "likewise",
    ("A18b", "end"): "likewise",
    ("A34", "A49"): "a sleight that does no harm is no attack",
    ("N4", "N7"): "box 2 asks for no die where nothing is to heal",
    ("N8", "N7"): "all wounds are healed at once",
    ("P7", "P2"): "another session is declared",
    ("P8", "P2"): "likewise",
    ("U4", "U2"): "another try is declared",
    ("R5", "R3"): "likewise",
}
"""Exits that our charts do not have so, and why."""

OURS: dict[str, str] = {
    "act_first/1": "T7 and T8, beside the turn",
    "act_first/2": "likewise",
    "before/moxie": "A24, beside the attack",
    **dict.fromkeys(("moxie/m1", "moxie/m2", "moxie/m3"), "A26; the page has it for every test, EP1 122"),
    **dict.fromkeys(
        ("attack/7e", "attack/8e", "attack/1e", "attack/9g", "move/moxie", "wounds/w4", "wounds/w8", "break_free/3"),
        "Moxie after the roll, EP1 122; and how it ended, in one word",
    ),
    **dict.fromkeys(
        ("first_aid/2b", "surgery/2b", "repair/2b", "therapy/3b", "reflect/2b", "stress/3b"),
        "Moxie after the roll, EP1 122",
    ),
    **dict.fromkeys(("attack/5f", "attack/5g", "attack/5k"), "A38: asked before the armor"),
    **dict.fromkeys(("attack/5l", "attack/5m"), "what a critical does to an open mind: the attacker says"),
    "attack/5n": "a critical hold need not hurt",
    **dict.fromkeys(("attack/8b", "attack/8c", "attack/8d", "attack/8f"), "A35: the disarmed roll after the damage"),
    "attack/2d": "somebody may break in before the dice: ruling EP1-N11",
    "moment/3m": "the end of the moment",
    "wounds/w10": "X11: runs chart derangement",
    "stress/8": "X7: runs chart wounds",
    "rest/6": "the hours pass, for everybody",
    **dict.fromkeys(
        ("explosion/1", "explosion/2", "explosion/3", "explosion/4", "explosion/5", "explosion/6", "explosion/7"),
        "A36 to A46 for a blast that nobody aims",
    ),
}
"""Our boxes that are no transcribed step, and why they are there."""


def places(step: str) -> list[Place]:
    """Our boxes of a step; none where it has a reason instead."""
    text = WHERE[step]
    if not text.startswith(SAME):
        return []
    return [(name, number) for name, _, number in (each.partition("/") for each in _words(text.removeprefix(SAME)))]


def _words(text: str) -> list[str]:
    """The boxes of a line; ``how far`` is one number of two words."""
    return re.findall(r"\w+/(?:how far|\w+)", text)


# ------------------------------------------------------------------------------------------------ accounted for


def test_every_section_has_its_charts() -> None:
    expected = set(ENTERED)

    assert expected == {step.section for step in STEPS.values()}


@pytest.mark.parametrize("step", STEPS)
def test_a_transcribed_step_is_a_box_of_ours_or_has_a_reason(step: str) -> None:
    expected = {name: set(chart.boxes) for name, chart in CHARTS.items()}

    found = places(step)

    assert found or len(WHERE[step]) > 5
    assert all(number in expected[name] for name, number in found)
    assert all(name in ENTERED[STEPS[step].section] for name, _ in found)


def test_no_step_is_accounted_for_that_was_not_transcribed() -> None:
    expected = set(STEPS)

    assert expected == set(WHERE)


BOXES = [
    f"{name}/{box.number}" for name, chart in CHARTS.items() for box in chart.boxes.values() if not isinstance(box, End)
]


@pytest.mark.parametrize("box", BOXES)
def test_a_box_of_ours_is_a_transcribed_step_or_has_a_reason(box: str) -> None:
    expected = {f"{name}/{number}" for step in WHERE for name, number in places(step)}

    assert (box in expected) != (box in OURS)


def test_every_reason_is_about_a_box_that_is_there() -> None:
    expected = set(BOXES)

    assert set(OURS) <= expected


# ------------------------------------------------------------------------------------------------ exits


def onward(place: Place, entered: tuple[str, ...]) -> list[Place]:
    """Where a box leads; a chart that is entered is walked through, every other one is passed over."""
    name, number = place
    box = CHARTS[name].boxes[number]
    if isinstance(box, Run) and box.chart.name in entered:
        return [(box.chart.name, box.chart.first)]
    if not isinstance(box, End):
        return [(name, exit_to) for exit_to in box.exits.values()]
    runners = [
        (outer, each)
        for outer in entered
        for each in CHARTS[outer].boxes.values()
        if isinstance(each, Run) and each.chart.name == name
    ]
    return [(outer, exit_to) for outer, each in runners for exit_to in each.exits.values()] or [END]


def reached(start: list[Place], within: set[Place], section: str) -> set[Place]:
    """Every place to which these boxes lead, past those that are no step's."""
    found: set[Place] = set()
    walked: set[Place] = set()
    waiting = list(start)
    while waiting:
        place = waiting.pop()
        if place in walked:
            continue
        walked.add(place)
        for exit_to in onward(place, ENTERED[section]):
            there = END if exit_to == ENDS.get(section) else exit_to
            found.add(there)
            if there != END and (there not in within or there in start):
                waiting.append(there)
    return found


def exits(step: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """The steps to which a step leads that have boxes, past those that have none."""
    found: set[str] = set()
    for there in STEPS[step].exits:
        if there == "end" or places(there):
            found.add(there)
        elif there not in seen:
            found |= exits(there, seen | {there})
    return found


def steps_within(section: str) -> set[Place]:
    return {place for step in STEPS if STEPS[step].section == section for place in places(step)}


EXITS = [(step, there) for step in STEPS if places(step) for there in sorted(exits(step))]


def leads(step: str, there: str) -> bool:
    """Does a way lead in our charts from the boxes of a step to those of another?"""
    section, here = STEPS[step].section, places(step)
    goal = {END} if there == "end" else set(places(there))
    return bool(goal & set(here)) or bool(goal & reached(here, steps_within(section), section))


@pytest.mark.parametrize(("step", "there"), EXITS)
def test_a_transcribed_exit_is_an_exit_of_ours(step: str, there: str) -> None:
    expected = (step, there) not in OTHERWISE

    assert expected == leads(step, there)


def test_every_exit_that_is_otherwise_was_transcribed() -> None:
    expected = set(EXITS)

    assert set(OTHERWISE) <= expected
