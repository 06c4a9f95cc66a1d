"""The charts of the second edition against the page: a second transcription, made independently, is in ``eclipse_phase_2e_procedures.txt``.

Each transcribed step is one or more of our boxes, or has none for a reason; each of our boxes is a transcribed step's, or is there for
a reason; and each transcribed exit leads in our charts to the same place, past boxes that the page does not print.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from machines.chart import End, Run
from machines.eclipse_phase_2e.chart import ATTACK
from machines.ruleset import ruleset

TEXT = (Path(__file__).parent / "eclipse_phase_2e_procedures.txt").read_text()
CHARTS = ruleset("eclipse_phase_2e").charts
Place = tuple[str, str]
"""A chart and the number of a box."""
END: Place = ("", "end")


class Step(NamedTuple):
    """A line of the transcription."""

    section: str
    id: str
    title: str
    exits: tuple[str, ...]
    printed: str
    """The printed step of the attack under which it stands."""


def exits_of(cell: str) -> tuple[str, ...]:
    """Where a step leads; where it ends in another procedure, there."""
    return tuple(
        other or here for here, other in re.findall(r"-> ([A-Z]\d+\w*|end)(?: \([A-Z ]+ ([A-Z]\d+\w*)\))?", cell)
    )


def steps() -> dict[str, Step]:
    """Every transcribed step by its id, which is its own in the whole file."""
    found: dict[str, Step] = {}
    section = printed = ""
    for line in TEXT.splitlines():
        if line.startswith("## "):
            section, printed = re.sub(r" \(.*", "", line[3:]), ""
        elif line.startswith("# Step "):
            printed = line[7]
        elif re.match(r"[A-Z]\d+\w* \| ", line):
            number, title, _, exits = (cell.strip() for cell in line.split(" | ", 3))
            found[number] = Step(section, number, title, exits_of(exits), printed)
    return found


STEPS = steps()

ENTERED: dict[str, tuple[str, ...]] = {
    "ACTION TURN": ("turn",),
    "EXTRA ACTIONS": ("turn",),
    "DELAY": ("delay", "act"),
    "SURPRISE": ("turn",),
    "MOMENT": ("moment", "quick", "complex", "task", "aim", "delay"),
    "MOVEMENT": ("move", "quick"),
    "FULL DEFENSE": ("full_defense",),
    "ATTACK": ("attack",),
    "AREA ATTACK": ("attack",),
    "TRAIT TESTS": ("effects",),
    "SHOCK": ("effects",),
    "HARM": ("wounds",),
    "BLEEDING": ("wounds",),
    "STABILIZING": ("stabilize",),
    "WAKING": ("wake",),
    "GRAPPLE": ("attack", "hold"),
    "BREAK FREE": ("break_free",),
    "SUPPRESSIVE FIRE": ("suppress",),
    "POOLS": ("before", "pool", "ignore", "ongoing", "take_initiative"),
    "RECHARGE": ("recharge",),
    "RELOAD": ("reload",),
    "STRESS": ("stress", "wounds"),
    "TRAUMA": ("wounds",),
    "ACUTE STRESS": ("wounds",),
    "HARDENING": ("stress",),
    "INFECTION": ("infection",),
    "PUSHING": ("infection",),
    "FIRST AID": ("first_aid",),
    "RECOVERY": ("rest",),
    "REPAIR": ("repair",),
    "FALL": ("explosion",),
    "FIRE": ("turn",),
    "EXPLOSION": ("explosion",),
    "THROW BACK A GRENADE": (),
    "JUMP ON A GRENADE": (),
}
"""By section: the charts that are its procedure. What they run beside these is passed over."""
ENDS: dict[str, Place] = {"EXTRA ACTIONS": ("turn", "1"), "SHOCK": ("effects", "e1")}
"""Where a section that is a part of a chart ends in it."""

SAME = "boxes "
"""How the places of a step begin; everything else is a reason why it has none."""
REFUSED = "whoever cannot is refused when it is declared"
TABLE = "for the table to say"
NOT_BUILT = "not built: the gamemaster says what happens"
WHERE: dict[str, str] = {
    # ---------------------------------------------------------------------------------------- the Action Turn
    "T1": "a fight begins by the command BeginCombat",
    "T2": "boxes turn/0",
    "T3": "boxes turn/1b turn/1c turn/1d",
    "T4": "boxes turn/1e",
    "T4a": "the profile's `initiative_ties` says which way: ruling EP2-N22",
    "T4b": "boxes turn/1f",
    "T5": "boxes turn/1",
    "T6": "declared at any time before anybody has acted: chart take_initiative",
    "T7": "likewise: box 1 of that chart",
    "T8": "boxes turn/4 turn/3",
    "T9": "offered with all other actions: box 3a of chart moment",
    "T9a": "boxes turn/3b",
    "T10": "box 3m of chart moment",
    "T11": "boxes turn/5",
    "T12": "boxes turn/2 turn/2b turn/2c",
    "T13": "the gamemaster ends a fight: the command EndCombat",
    # ---------------------------------------------------------------------------------------- extra actions
    "E1": "boxes turn/5 turn/5a turn/5b turn/5d",
    "E2": "boxes turn/5c",
    "E3": "offered with all other actions: box 3a of chart moment",
    "E4": "boxes turn/5e",
    "E5": "boxes turn/5e",
    "E6": "box 5, which comes again",
    # ---------------------------------------------------------------------------------------- delayed actions
    "D1": "boxes delay/delay",
    "D2": "declared at any time: kind act",
    "D3": "likewise: whoever has the last word breaks in",
    "D3a": "likewise",
    "D4": "boxes act/1 act/2",
    "D5": "whose moment is over is remembered for the Action Turn it was in: box 4 of the turn",
    "D5a": "likewise",
    "D6": "box 1 of chart act gives them the place",
    "D7": "the condition lasts until one's own next moment",
    # ---------------------------------------------------------------------------------------- surprise
    "S1": "boxes turn/0b turn/0c",
    "S2": "boxes turn/0e",
    "S3": "a condition that box 0e gives and box 1 ends",
    "S4": "boxes turn/0f turn/0g turn/0h",
    "S5": "box 0f leads to box 1",
    "S6": "a condition that box 0e gives and box 1c counts",
    "S7": "likewise",
    "S8": "a condition that box 4 and step 2 of the attack look at; box 5 lets nobody act again",
    # ---------------------------------------------------------------------------------------- a moment
    "M1": "what conditions do not leave somebody is refused when it is declared",
    "M1a": "boxes moment/3a moment/3i",
    "M1b": "boxes moment/3a moment/3l",
    "M1c": "boxes moment/3a",
    "M2": "boxes moment/2",
    "M2a": "boxes moment/2b moment/2c moment/2e",
    "M2b": "boxes moment/2f",
    "M2c": "the attack is declared: box 3a",
    "M3": "what the driven may not do is refused when it is declared",
    "M3a": "likewise",
    "M3b": "likewise",
    "M4": "likewise",
    "M4a": "boxes moment/3a moment/3d complex/complex",
    "M5": "effort is refused after other actions; a base move is not: ruling EP2-C8",
    "M6": "boxes moment/3a",
    "M7": "boxes moment/3a",
    "M7a": "boxes moment/3a moment/3c quick/quick moment/3g aim/aim",
    "M8": "boxes moment/3a",
    "M8a": "boxes moment/3a moment/3b moment/3j moment/3l",
    "M8b": "boxes moment/3a moment/3g aim/aim",
    "M8c": "boxes moment/3a moment/3f",
    "M8d": "boxes moment/3a moment/3d complex/complex moment/3h moment/3i moment/3k",
    "M8e": "boxes moment/3a moment/3e task/task",
    "M9": "boxes moment/3a",
    "M9a": "boxes moment/3a moment/3c quick/quick",
    "M10": "boxes moment/3a moment/3c quick/quick",
    "M10a": "boxes moment/3a",
    # ---------------------------------------------------------------------------------------- moving
    "V1": REFUSED,
    "V2": "whoever lies on the ground and does not rise is refused all but crawling",
    "V2a": "boxes quick/quick",
    "V3": "boxes move/move",
    "V4": "boxes move/move",
    "V5": "boxes move/move",
    "V5a": "boxes move/move",
    "V5b": "boxes move/feet",
    "V5c": "boxes move/feet3",
    "V6": "boxes move/rush",
    "V6a": "boxes move/how far",
    "V6b": "boxes move/how far",
    "V7": "boxes move/move",
    "V8": "a Task Action in words: box 3e of chart moment",
    "V9": "jumps are Quick Actions in words",
    "V9a": "likewise",
    "V9b": "likewise",
    "V9c": "likewise",
    "V10": "each part of the way is declared",
    # ---------------------------------------------------------------------------------------- full defense
    "F1": "the declaration says it: `mental`",
    "F2": "boxes full_defense/defense",
    "F3": "boxes full_defense/defense",
    # ---------------------------------------------------------------------------------------- the attack
    "A1": "an attack that is not possible is refused when it is declared",
    "A1a": "the weapon says it",
    "A1b": "terms of the declaration: several in `at`",
    "A1c": "likewise; box 3 counts them",
    "A1d": "terms: `called`, `strike`, touch-only",
    "A1d1": REFUSED,
    "A1d2": "counted with the modifiers, box 3",
    "A1e": "terms: `aggressive`, `bonus`",
    "A1e1": "boxes attack/1",
    "A1f": "a full move is remembered: boxes 3 and 6 count it",
    "A1g": "terms: `mode`; suppressive fire is declared: chart suppress",
    "A1h": REFUSED,
    "A1i": "terms: `bonus`, several in `at`",
    "A1j": "boxes attack/1",
    "A1k": "terms: `also`",
    "A1k1": "boxes attack/1",
    "A1l": REFUSED,
    "A1m": "the sheet's SOM; when it goes off is for the table to say",
    "A1n": "terms: indirect fire",
    "A1n1": "painting is for the table to say",
    "A1o": "the weapon says it; called shots that it cannot make are refused",
    "A1p": "terms: `called`",
    "A1q": "boxes attack/1b",
    "A1q1": "boxes attack/1c attack/1d attack/1f attack/1g",
    "A1r": REFUSED,
    "A1s": "terms: `push`",
    "A1t": "counted with the modifiers, box 3",
    "A1u": "an attack of its own: a blow that only touches",
    "A1v": "terms: `distance`",
    "A1w": "the infection stirs when the attack is resolved: box 9f",
    "A1x": NOT_BUILT,
    "A1y": NOT_BUILT,
    "A1z": NOT_BUILT,
    "A2": "boxes attack/2",
    "A2a": "boxes attack/2b attack/2c",
    "A3": "boxes attack/3",
    "A3a": "boxes attack/3",
    "A3b": "boxes attack/3",
    "A4": "declared while the roll is open: chart before",
    "A4a": "boxes attack/4",
    "A4b": "boxes attack/4b",
    "A5": "boxes attack/5",
    "A5a": "the chance was taken before: box 1g, which box 5 looks at",
    "A5a1": "likewise",
    "A5b": "boxes attack/5",
    "A5c": "boxes attack/5",
    "A5d": "boxes attack/5",
    "A5e": "boxes attack/5b attack/5c attack/5e",
    "A5f": "boxes attack/5k attack/5l attack/5m",
    "A5g": "box i2 of chart infection",
    "A5h": "boxes attack/5n",
    "A5i": "boxes attack/5k",
    "A6": "boxes attack/5b",
    "A6a": "boxes attack/6 attack/6b",
    "A6b": "boxes attack/5d",
    "A6c": "boxes attack/5d attack/5f attack/5g attack/5h attack/5i",
    "A6d": "boxes attack/5d attack/5j",
    "A6e": "boxes attack/6",
    "A6f": "boxes attack/6c",
    "A7": "boxes attack/7",
    "A7a": "boxes attack/8",
    "A7b": "boxes attack/8",
    "A8": "boxes attack/8",
    "A9": "boxes attack/9",
    "A10": "boxes attack/9c",
    # ---------------------------------------------------------------------------------------- areas
    "R1": "boxes attack/5",
    "R2": "counted with the damage, box 6b",
    "R3": "likewise",
    "R4": "likewise; how many it reaches is looked at when it is declared",
    "R5": "boxes attack/2b attack/2c attack/4",
    "R5a": "boxes attack/5",
    "R5b": "boxes attack/5",
    "R6": "boxes attack/6 attack/6b attack/6c attack/7 attack/8 attack/9",
    "R7": "boxes attack/9c",
    "R8": "boxes attack/9e",
    "R9": "where it lands, and when it goes off, is for the table to say: an explosion is declared",
    # ---------------------------------------------------------------------------------------- beside the damage
    "Q1": "boxes effects/e1",
    **dict.fromkeys(("Q2", "Q3", "Q4", "Q5", "Q6", "Q7"), "boxes effects/e2"),
    **dict.fromkeys(("Q2a", "Q2b", "Q3a", "Q4a", "Q5a", "Q5b", "Q7a", "Q7b", "Q8"), "boxes effects/e4"),
    "K1": "boxes effects/e1",
    "K1a": "whoever feels nothing is not asked, box e1; the radio is for the table to say",
    "K2": "boxes effects/e2",
    "K3": "boxes effects/e4",
    "K4": "boxes effects/e4",
    # ---------------------------------------------------------------------------------------- harm
    "H1": "a limit of the track, looked at where harm is taken",
    "H1a": "likewise: the condition dead",
    "H2": "likewise",
    "H2a": "likewise: the condition incapacitated",
    "H3": "boxes wounds/w1",
    "H4": "boxes wounds/w1",
    "H5": "boxes wounds/w2 wounds/w3",
    "H5a": "boxes wounds/w5",
    "H6": "boxes wounds/w2",
    "H7": "boxes wounds/w2 wounds/w3",
    "H8": "boxes wounds/w5",
    "H9": "boxes wounds/w6",
    "H9a": "boxes wounds/w6b",
    "B1": "boxes wounds/w6b",
    "B2": "boxes wounds/w7 wounds/w7b wounds/w8",
    "B3": "boxes wounds/w8b",
    "B4": "declared: kind stabilize",
    "B5": "boxes wounds/w9",
    "B20": REFUSED,
    "B21": "boxes stabilize/1 stabilize/2 stabilize/3",
    "B22": "boxes stabilize/4",
    "B23": "boxes stabilize/5",
    "B40": REFUSED,
    "B41": "boxes wake/1",
    "B42": "boxes wake/2 wake/3",
    "B43": "boxes wake/4",
    # ---------------------------------------------------------------------------------------- holds
    "G1": "boxes attack/5b",
    "G2": "boxes attack/5d",
    "G3": "a hold is kept up by declaring it: kind hold",
    "G4": "boxes hold/1",
    "G5": "boxes hold/2",
    "G5a": "boxes hold/2c",
    "G6": "boxes hold/3",
    "G7": "boxes hold/2",
    "G7a": "boxes hold/2c",
    "G8": "boxes hold/1",
    "G10": "box 3n of chart moment ends a hold that was not kept up",
    "G20": "boxes break_free/1",
    "G21": "boxes break_free/2",
    "G22": "boxes break_free/4",
    "G23": "boxes break_free/5 break_free/6",
    "G24": "boxes break_free/4",
    # ---------------------------------------------------------------------------------------- suppressive fire
    "U1": REFUSED,
    "U2": "boxes suppress/suppress",
    "U3": "rolled with the first whom it strikes: box 4 of chart attack",
    "U4": "declared at any time: kind suppressed, chart attack",
    "U5": "likewise",
    "U6": "likewise",
    # ---------------------------------------------------------------------------------------- pools
    "P1": REFUSED,
    "P2": "the declaration says it: `use`",
    "P3": "boxes before/pool",
    "P4": "the test's own roll",
    "P5": "boxes pool/p1",
    "P6": "boxes pool/p2",
    "P7": "boxes pool/p3",
    "P10": "each of them is declared, or offered where it is due",
    "P11": "boxes ignore/1 take_initiative/1",
    "P12": "boxes ongoing/1",
    "N1": "boxes recharge/1",
    "N2": REFUSED,
    "N3": "whether one is disturbed is for the table to say",
    "N4": "boxes recharge/2",
    "N5": "boxes recharge/2",
    "N6": REFUSED,
    "N7": "whether one is disturbed is for the table to say",
    "N8": "boxes recharge/3",
    "N30": "boxes reload/reload",
    # ---------------------------------------------------------------------------------------- the mind
    "X1": "boxes stress/1",
    "X2": "psi takes stress by the attack's boxes, an experience is declared: kind stress",
    "X3": "boxes stress/2 stress/3 stress/4",
    "X4": "boxes stress/4",
    "X4a": "boxes stress/5",
    "X5": "boxes stress/5",
    "X6": "boxes stress/6",
    "X7": "a limit of the track, looked at where stress is taken",
    "X7a": "likewise: the condition mind_lost",
    "X8": "boxes wounds/w14",
    "X8a": "boxes wounds/w14b",
    "X9": "boxes stress/7",
    "Z1": "boxes wounds/w1",
    "Z2": "boxes wounds/w1",
    "Z3": "disorders are for the table to say",
    "Z4": "boxes wounds/w10 wounds/w10b wounds/w11",
    "Z5": "boxes wounds/w10 wounds/w10b wounds/w11",
    "Z5a": "boxes wounds/w12",
    "Z6": "boxes wounds/w11",
    "Z7": "box 8 of chart stress",
    "C1": "boxes wounds/w12 wounds/w12b wounds/w13",
    "C2": "a condition that hurts no more by traumas; whom one attacks is for the table to say",
    "C3": "a condition in which only moving is not refused",
    "C4": "a condition for an hour",
    **dict.fromkeys(("C5", "C6", "C7"), "calling somebody back is for the table to say"),
    "J1": "boxes stress/8",
    "J2": "boxes stress/8",
    "J3": "boxes stress/8",
    # ---------------------------------------------------------------------------------------- psi
    "I1": "boxes infection/i3",
    "I2": "boxes infection/i1 infection/i1b infection/i1c",
    "I3": "boxes infection/i4 infection/i4b",
    "I4": "boxes infection/i5 infection/i6",
    "I5": "boxes infection/i8",
    "I6": "boxes infection/i6",
    "I7": "a condition that box i4b gives",
    "O1": "terms of the attack: `push`",
    "O2": "likewise",
    "O3": "boxes infection/i1b infection/i1c",
    "O4": "boxes infection/i2b",
    "O5": "sleights that do not strike are for the table to say",
    # ---------------------------------------------------------------------------------------- getting well
    "L1": REFUSED,
    "L2": "boxes first_aid/1 first_aid/2 first_aid/3",
    "L3": "boxes first_aid/4",
    "L4": "boxes first_aid/6",
    "L5": "boxes first_aid/5",
    "L20": "boxes rest/1",
    "L21": "boxes rest/1",
    "L22": "box 2 asks for no die where nothing is to heal",
    "L23": "boxes rest/2",
    "L24": "likewise",
    "L25": "boxes rest/2",
    "L40": REFUSED,
    "L41": "boxes repair/1 repair/2 repair/3",
    "L42": "boxes repair/4",
    "L43": "boxes repair/5",
    # ---------------------------------------------------------------------------------------- falls, fires, blasts
    "W1": "boxes explosion/1",
    "W2": "what size and soft ground make of it is for the table to say",
    "W3": "boxes explosion/5 explosion/6 explosion/7 explosion/8",
    "W10": "boxes turn/2",
    "W11": "boxes turn/2b",
    "W12": "boxes turn/2c",
    "W13": "put out by a Complex Action: `extinguish`",
    "W20": "when it goes off is for the table to say: an explosion is declared then",
    "W21": "boxes explosion/1 explosion/2 explosion/2b explosion/2c explosion/2d explosion/3 explosion/4 explosion/5 explosion/6",
    **dict.fromkeys(("W30", "W31", "W32", "W33"), "throwing a grenade back is for the table to say"),
    **dict.fromkeys(("W40", "W41", "W42"), "jumping on a grenade is for the table to say"),
}  # fmt: skip
"""Each transcribed step: our boxes, or why it has none."""

_EITHER_WAY = "one box reads it, whether it succeeds or fails"
_DECLARED = "it is declared, by itself"
OTHERWISE: dict[tuple[str, str], str] = {
    ("T2", "T3"): "box 1 begins the Action Turn in which Initiative is rolled",
    ("T4", "T5"): "likewise",
    ("T4b", "T5"): "likewise",
    ("T5", "T8"): "boxes 1b to 2c come between",
    ("T11", "T12"): "fire burns, and everything else ends, when the next Action Turn has begun",
    ("T12", "T5"): "likewise",
    ("T12", "end"): "a fight is ended by the command EndCombat; by itself it ends only where nobody is left",
    ("E4", "end"): "box 5 asks again first",
    ("E5", "end"): "likewise",
    ("D1", "D4"): _DECLARED,
    ("M2", "end"): "what drives somebody is looked at in box 3a: they end their moment themselves",
    ("M2a", "end"): "likewise",
    ("M2b", "end"): "likewise",
    ("V2a", "V3"): _DECLARED,
    ("V5b", "end"): _EITHER_WAY,
    ("A1j", "N30"): "whoever has too few shots is refused when it is declared",
    ("A1j", "end"): "what is too near is refused when it is declared",
    ("A1k1", "end"): "likewise",
    ("A5f", "A8"): "what a sleight costs is chart infection, after all targets",
    ("A5f", "R8"): "box 9c comes between: a blast has no further target where it missed",
    ("A5h", "A5i"): "box 5k asks for it before",
    ("A6f", "A10"): "what only touches goes on, and steps 7 and 8 find no damage",
    ("A8", "X6"): "stress is taken in the same box",
    ("A10", "A1q"): "whoever sees one target sees the next; another weapon's attack is declared",
    ("A10", "A5c"): "box 9c goes to step 2: whoever is next defends themselves",
    ("R1", "R5"): "who is in it rolls with the attack: steps 2 to 4",
    ("R5", "R6"): "box 5 comes between",
    ("R8", "R1"): _DECLARED,
    **dict.fromkeys((("Q2", "Q1"), ("Q3", "Q1"), ("Q4", "Q1"), ("Q6", "Q1"), ("Q7", "Q1")), _EITHER_WAY),
    **dict.fromkeys((("H5", "H9"), ("H7", "H9"), ("G5", "end"), ("G7", "end")), _EITHER_WAY),
    ("H6", "H9"): "box w3 asks for nothing where something crashes",
    ("B3", "B5"): _DECLARED,
    **dict.fromkeys((("G2", "G4"), ("G5", "G4"), ("G5a", "G4"), ("G6", "G4"), ("G7", "G4"), ("G7a", "G4")), _DECLARED),
    ("G23", "G2"): "box 6 lays the same hold",
    ("P3", "P5"): "the roll is still to come; box p1 runs where it is read",
    ("P6", "end"): "box p3 spends nothing then, and box p1 asks no more",
    ("P7", "end"): "box p1 asks for the next roll first",
    ("N1", "end"): "whoever has had theirs is refused when it is declared",
    ("X1", "X6"): "psi takes stress by the attack's boxes",
    ("X6", "X8"): "traumas come first, box 7",
    ("X8", "X9"): "likewise",
    ("X8a", "X9"): "likewise",
    ("I1", "I2"): "Moxie is asked for first: what it spares comes before",
    ("I2", "I3"): "box i3 comes between",
    ("I2", "end"): "the rating rises even so, box i3",
    ("L5", "end"): "the time passes as in vain, box 6",
    ("L21", "end"): "the hours pass first, boxes 2 and 3",
    ("W12", "end"): "box 2 looks who else burns",
}
"""Exits that our charts do not have so, and why."""

_POOL = "a pool after the roll: P5 to P7, which run after every test"
OURS: dict[str, str] = {
    **dict.fromkeys(("turn/0d", "moment/2d", "attack/1e", "move/pool", "move/feet2", "hold/2b"), _POOL),
    **dict.fromkeys(
        ("break_free/3", "effects/e3", "explosion/2e", "stress/3b", "wounds/w4", "wounds/w7c", "wounds/w10c"), _POOL
    ),
    **dict.fromkeys(("stabilize/2b", "wake/2b", "first_aid/2b", "surgery/2b", "repair/2b"), _POOL),
    **dict.fromkeys(("moment/1", "moment/1b"), "an action lost by a critical, EP2 03/01"),
    **dict.fromkeys(("moment/3m", "moment/3n"), "T10, and the end of the moment"),
    "attack/2d": "somebody may break in before the dice: ruling EP2-N5",
    "attack/9b": "A6c: the disarmed and the pushed roll after the damage",
    "attack/9d": "A5f: what is left to do when all targets are dealt with",
    "attack/9f": "A1w: what the sleight costs",
    "attack/9g": "how it ended, in one word",
    "infection/i2": "O4 and A5g: is there harm?",
    "infection/i7": "I4: what is no harm",
    **dict.fromkeys(("infection/i2c", "infection/i8b", "hold/3b", "first_aid/5b"), "[do HARM]: runs chart wounds"),
    "take_initiative/2": "[do MOMENT]: runs chart moment",
    "stabilize/4b": "what it takes in a fight: ruling EP2-N18",
    **dict.fromkeys(("first_aid/4b", "repair/4b", "rest/3"), "the time passes, for everybody"),
    **dict.fromkeys(
        ("surgery/1", "surgery/2", "surgery/3", "surgery/4", "surgery/4b", "surgery/5"),
        "surgery, EP2 12/17 Critical Care",
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


# ------------------------------------------------------------------------------------------------ the nine steps

PRINTED: dict[str, set[str]] = {
    "1": {"2"}, "2": {"3"}, "3": {"4"}, "4": {"5"}, "5": {"6", "end"}, "6": {"7"}, "7": {"8", "end"}, "8": {"9"}, "9": {"end"},
}  # fmt: skip
"""The steps as EP2 12/01 prints them: each leads to the next; what misses, and what armor stops, ends the attack."""
BESIDE = {
    ("1", "end"): "an attack that is not possible",
    ("1", "7"): "a blow at the helpless, EP2 12/15",
    ("5", "7"): "a round that explodes beside the target, EP2 12/09",
    ("5", "8"): "what a critical failure does to an async, EP2 14/04",
    ("6", "end"): "what does no damage, EP2 12/02, 12/15",
    ("9", "1"): "a further target",
    ("9", "5"): "likewise",
    ("8", "end"): "stress goes on elsewhere, EP2 12/18",
}
"""Exits of the transcribed steps that the nine do not print, and where they come from."""
UNPRINTED = {
    **dict.fromkeys(("1b", "1c", "1d", "1e", "1f", "1g"), "blind attacks, EP2 12/15"),
    "2d": "somebody may break in before the dice, EP2 03/04",
    "4b": "a pool after the roll, EP2 03/05",
    "5n": "rounds that explode beside the target, EP2 12/09",
    **dict.fromkeys(("9b", "9c", "9d", "9e", "9f", "9g"), "called shots, further targets, scatter, infection"),
}
"""Boxes that the nine steps do not print, and where they come from."""
DETOURS = {
    ("1b", "yes"): "looking for the target by another sense comes back to step 2",
    ("2d", "no"): "whoever was put out meanwhile does not go on: ruling EP2-N5",
    ("5n", "goto"): "what explodes beside the target has a damage of its own, and goes on at step 7",
    ("9c", "someone"): "the next target is another attack of the same steps",
}
"""Exits of such boxes that the steps know nothing of."""
LATER = {"7": {"8"}, "8": {"9", "end"}}
"""Whether armor stops it is printed in step 7 and found where the damage is applied: box 8 has the exit of step 7."""


def under(number: str) -> str:
    """The printed step of a transcribed one; the end where there is none, or where the next target is looked for."""
    return "end" if number in {"end", "A10"} or STEPS[number].section != "ATTACK" else STEPS[number].printed


def transcribed() -> dict[str, set[str]]:
    """By printed step: to which others its transcribed ones lead."""
    found: dict[str, set[str]] = {}
    for step in STEPS.values():
        if step.section == "ATTACK":
            found.setdefault(step.printed, set()).update({under(there) for there in step.exits} - {step.printed})
    return found


def printed(number: str) -> str:
    """The printed number of a box: 2b is a part of 2; whatever ends the attack is 'end'."""
    return "end" if isinstance(ATTACK[number], End) else number.rstrip("abcdefghijklmnopqrstuvwxyz")


def onto(number: str) -> set[str]:
    """The printed boxes to which a box of the attack leads, past those that are not printed."""
    if number not in UNPRINTED:
        return {printed(number)}
    ways = [exit_to for label, exit_to in ATTACK[number].exits.items() if (number, label) not in DETOURS]
    return {there for exit_to in ways for there in onto(exit_to)}


def test_the_nine_steps_were_transcribed_with_their_exits() -> None:
    found = transcribed()
    expected = {
        number: exits | {there for step, there in BESIDE if step == number} for number, exits in PRINTED.items()
    }

    assert expected == found


def test_the_nine_steps_of_the_attack_are_there_with_their_printed_exits() -> None:
    expected = PRINTED | LATER

    found: dict[str, set[str]] = {}
    for box in ATTACK.boxes.values():
        if box.number not in UNPRINTED and not isinstance(box, End):
            here = printed(box.number)
            there = {each for number in box.exits.values() for each in onto(number)}
            found[here] = found.get(here, set()) | there - {here}

    assert expected == found


def test_the_nine_steps_of_the_attack_stand_in_printed_order() -> None:
    expected = list(PRINTED)

    found = [printed(number) for number in ATTACK.boxes if number not in UNPRINTED]

    assert expected == list(dict.fromkeys(number for number in found if number != "end"))


def test_the_boxes_that_are_not_printed_and_their_exits_are_there() -> None:
    expected = set(UNPRINTED), set(DETOURS)

    found = {(number, label) for number in UNPRINTED for label in ATTACK[number].exits}

    assert expected[0] <= set(ATTACK.boxes)
    assert expected[1] <= found
