"""The procedures of GURPS, third edition, and the boxes of their steps in the charts: see `charts.accounting`."""

from pathlib import Path

from charts.accounting import Account, Place, transcribed

STEPS = transcribed(Path(__file__).parent / "gurps_3e_procedures.txt")

ENTERED: dict[str, tuple[str, ...]] = {
    "ATTACK": ("attack", "critical_miss"),
    "COMBAT TURN": ("turn", "maneuver"),
    "MANEUVERS": (
        "maneuver", "attack", "feint", "all_out_defense", "aim", "wait", "posture", "ready", "move", "concentrate",
    ),
    "RECOVERY": ("maneuver", "attack", "come_round"),
}  # fmt: skip
"""The charts of each section's procedure; other charts that they run are skipped."""
ENDS: dict[str, Place] = {"MANEUVERS": ("maneuver", "m3"), "RECOVERY": ("maneuver", "m3")}
"""The box at which a section ends that is only a part of a chart: the rest of the turn."""

FUMBLES = " ".join(f"critical_miss/f{nth}" for nth in range(1, 7))
HALVES = {
    "A5": "boxes attack/5 attack/5b",
    "A14": "boxes attack/14 attack/14b",
    "A16": f"boxes attack/16 {FUMBLES}",
    "A23": "boxes attack/23 attack/23b attack/23c attack/23d attack/23e",
    "A27": f"boxes attack/27 attack/27b {FUMBLES}",
    "A40": "boxes attack/40 attack/40b",
    "A47": "boxes attack/47 attack/47b",
    "A49": "boxes attack/49 attack/49b",
}
"""Printed boxes that are several boxes of the charts: those at which the table stops more than once, or looks up a table."""

WHERE: dict[str, str] = {
    # ---------------------------------------------------------------------------------------- the flowchart
    **{f"A{nth}": f"boxes attack/{nth}" for nth in range(1, 57)},
    **HALVES,
    # ---------------------------------------------------------------------------------------- the turn
    "T1": "boxes turn/t1",
    "T2": "boxes turn/t2",
    "T3": "boxes turn/t3",
    "T4": "boxes maneuver/m1",
    "T5": "boxes maneuver/m1b",
    "T6": "boxes maneuver/m2",
    "T7": "boxes maneuver/m2b",
    "T8": "box t3 carries it over into the turn that begins; what is rolled counts it: box 3 of the attack, box 1 of the feint",
    "T9": "a condition since box 45 of the attack; wherever Move and Dodge are read they are halved",
    "T10": "boxes maneuver/m3",
    "T11": "boxes maneuver/m4",
    "T12": "boxes turn/t2",
    "T13": "boxes turn/t2",
    # ---------------------------------------------------------------------------------------- maneuvers
    **dict.fromkeys(("M1", "M2", "M3", "M4", "M5"), "boxes maneuver/m3b"),
    "M6": "boxes maneuver/m3c maneuver/m3b feint/1 feint/2",
    "M7": "boxes maneuver/m3d all_out_defense/1",
    "M8": "boxes maneuver/m3e aim/1",
    "M9": "boxes maneuver/m3c feint/1 feint/2",
    "M10": "boxes maneuver/m3f wait/1",
    "M11": "boxes maneuver/m3g posture/1",
    "M12": "boxes maneuver/m3h ready/1 ready/2",
    "M13": "boxes maneuver/m3i move/1",
    "M14": "boxes maneuver/m3j concentrate/1",
    # ---------------------------------------------------------------------------------------- coming round
    "R1": "boxes maneuver/m2b",
    "R2": "boxes maneuver/m2b",
    "R3": "boxes maneuver/m2b",
    "R4": "boxes maneuver/m1b attack/47 attack/47b",
    "R5": "a condition that ends with more than 0 hit points: nobody is asked, see `dying.follow_track`",
    "R6": "boxes attack/40 attack/40b",
    "R7": "boxes come_round/1 come_round/2",
}
"""The boxes of each transcribed step, or the reason why it has none."""

OTHERWISE: dict[tuple[str, str], str] = {
    ("T5", "T12"): "box m4 comes between: the turn of whoever is out ends, too",
    ("M10", "A1"): "it is declared in somebody else's turn: kind opportunity, ruling G3-N19",
    ("M13", "A1"): "whoever strikes on the move declares an attack, with `wild`: M1",
    ("R6", "R7"): "it is declared when the fight is over: kind come_round",
}
"""The reasons for exits that lead elsewhere in the charts, by step and exit."""

OURS: dict[str, str] = {
    "turn/t4": "what runs T4 to T11 for whoever is next",
    "survive/1": "A49 for hit points that the gamemaster set",
    "survive/2": "A49 for hit points that the gamemaster set",
}
"""The reasons for boxes that belong to no transcribed step."""

ACCOUNT = Account("gurps_3e", STEPS, ENTERED, ENDS, WHERE, OTHERWISE, OURS)
