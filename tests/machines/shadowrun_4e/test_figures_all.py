"""Plays every row of the independently transcribed figures of Shadowrun, or states why a row is not played."""

import re

import pytest
from rules.fourth_edition import GAME, ROWS, Cases

from tests.machines.shadowrun_4e.test_figures_blasts import CASES as BLASTS
from tests.machines.shadowrun_4e.test_figures_damage import CASES as DAMAGE
from tests.machines.shadowrun_4e.test_figures_fire import CASES as FIRE
from tests.machines.shadowrun_4e.test_figures_health import CASES as HEALTH
from tests.machines.shadowrun_4e.test_figures_magic import CASES as MAGIC
from tests.machines.shadowrun_4e.test_figures_matrix import CASES as MATRIX
from tests.machines.shadowrun_4e.test_figures_melee import CASES as MELEE
from tests.machines.shadowrun_4e.test_figures_ranged import CASES as RANGED
from tests.machines.shadowrun_4e.test_figures_tables import CASES as TABLES
from tests.machines.shadowrun_4e.test_figures_tests import CASES as TESTS
from tests.machines.shadowrun_4e.test_figures_turn import CASES as TURN

SUBJECTS: list[Cases] = [BLASTS, DAMAGE, FIRE, HEALTH, MAGIC, MATRIX, MELEE, RANGED, TABLES, TESTS, TURN]
TESTED = [row for cases in SUBJECTS for row in cases]

NOT_TESTED: dict[str, str] = {
    "ARM01": "what is worn together is for the sheet to say: one figure for each rating",
    "ARM02": "likewise: helmets are added on the sheet",
}
"""Rows that no test plays, and why."""

OTHERWISE: dict[str, str] = {
    "RNG04": "ruling SR4-C11: the attacker's dice; in the anniversary edition the defender's",
    "RNG05": "ruling SR4-C11: the attacker's dice; in the anniversary edition the defender's",
    "RNG14": "with recoil compensated: the shot of the second weapon is the second of the phase",
    "RNG17": "ruling SR4-N29: the second weapon, after the split",
    "RNG19": "ruling SR4-N22: as many as one likes; by the other choice half of the skill",
    "RNG26": "each by itself: the choice of ruling SR4-N4 by which recoil does not carry over",
    "RNG27": "each by itself: the choice of ruling SR4-N4 by which recoil does not carry over",
    "BND25": "no shot",
    "BND26": "the archer's Strength",
    "MEL20": "each side has dice for its own friends",
    "DEF19": "ruling SR4-C5: Dodge twice; by the other choice once",
    "DEF21": "ruling SR4-C1: a miss; by the other choice a graze without damage",
    "DEF22": "ruling SR4-C1: a miss; by the other choice contact, which is all that electricity needs",
    "VIS07": "ruling SR4-N23: the better sense",
    "VIS08": "ruling SR4-N23: one condition counts, that which is said",
    "RCL05": "ruling SR4-N4: what is not compensated carries over",
    "RCL07": "ruling SR4-N4: what is not compensated carries over",
    "RCL09": "ruling SR4-N4: what is not compensated carries over",
    "RCL11": "ruling SR4-N4: what is not compensated carries over",
    "RCL19": "ruling SR4-N26: its rating in all, from moving first",
    "RCL30": "ruling SR4-N5: a long burst is refused, what is fired is a short one",
    "RCL32": "ruling SR4-N5: a full burst is refused, what is fired is a long one",
    "RCL34": "ruling SR4-N20: a tie is the dodger's",
    "RCL35": "Dodge on full defense only",
    "RCL36": "how far apart they are is for the table to say",
    "DMG27": "never below none",
    "DMG28": "ruling SR4-N27: the plain sum",
    "DMG33": "without a wound: those of the same blow count in the second test",
    "DMG36": "without a wound: those of the same blow count in the second test",
    "DMG37": "added after the halving",
    "DMG38": "ruling SR4-C7: after every hit; by the other choice where a box got through",
    "RES04": "both on the astral plane",
    "TRK15": "ruling SR4-C2: when it exceeds Body; by the other choice when it reaches it",
    "TRK20": "every Body turns",
    "TRK21": "whoever has no box beyond the track does not bleed",
    "TRK24": "it has no stun track",
    "TST28": "a quarter of the pool goes on",
    "TST36": "no dice, no roll to spend it on: a long shot of the Edge dice",
    "TST40": "ruling SR4-N21: once",
    "TST41": "ruling SR4-N2: Edge dice count",
    "TST44": "ruling SR4-N1: a die less",
    "TST46": "allowed, as the screen prints it",
    "INI07": "ruling SR4-N11: from the score, once",
    "INI11": "with four passes none is to be had, and no point goes",
    "INI14": "the log has an order; by the choice of ruling SR4-C6 nothing makes it",
    "INI15": "ruling SR4-C6: broken",
    "INI16": "ruling SR4-C6: broken",
    "INI17": "ruling SR4-C6: broken",
    "INI18": "ruling SR4-C9: used; by the other choice ignored",
    "INI19": "ruling SR4-C9: used; by the other choice ignored",
    "INI22": "three seconds: a minute is twenty Combat Turns, ruling SR4-N9",
    "SUR02": "ruling SR4-N13: the larger",
    "SUR06": "whoever is surprised by Cyd cannot attack them: somebody else shows that Cyd may defend",
    "SPL21": "full defense counts",
    "SPL23": "ruling SR4-C11: 4; in the anniversary edition 5",
    "SPL25": "ruling SR4-N15: one hit more is needed",
    "SPL30": "ruling SR4-C11: the caster's dice; in the anniversary edition the target's",
    "SUM06": "Drain all the same",
    "SUM09": "ruling SR4-C3: lowered first; by the other choice not",
    "AST07": "Charisma in the place of Strength",
    "MTX11": "ruling SR4-N28: not compared",
    "GRN07": "ruling SR4-E7: 1 is straight on, 4 straight back",
    "GRN12": "ruling SR4-C4: only nearer; by the other choice the damage, too",
    "GRN13": "ruling SR4-C11: +2; in the anniversary edition +5",
    "GRN14": "never below none",
    "GRN18": "ruling SR4-N8: after what distance takes",
    "GRN21": "a wave that comes back adds its own damage",
    "BAR11": "ruling SR4-C10: not pierced; by the other choice pierced",
    "BAR15": "an arrow is an attack: two do it twice",
    "BAR19": "nothing gates a direct spell",
    "BAR24": "its Armor rating",
    "KNO02": "ruling SR4-C8: falls; by the other choice stands",
    "CAL08": "the armor before armor penetration",
    "CAL09": "part of the modified Damage Value",
    "CAL10": "not allowed",
    "SOC04": "ruling SR4-N1: a die less",
    "EXT06": "ruling SR4-N17: the same pool as often as one likes",
    "CON04": "ruling SR4-N24: of whoever looks",
    "BLD07": "ruling SR4-N25: that which changes most",
    "SIG03": "both signals have to reach",
    "SIG04": "of whoever looks with sensors",
    "SIG05": "one line is declared",
    "VEH06": "handling as dice",
    "TRC05": "as declared",
    "MOV03": "as one likes, so far in the whole Combat Turn",
    "ARM05": "the sheet's sum counts",
    "ARM06": "the higher rating counts",
}
"""Rows that are silent, or doubtful, or more than one thing: how the test reads them, and by which ruling."""


def test_every_row_is_tested_once_or_has_a_reason() -> None:
    expected = sorted(ROWS)

    assert expected == sorted([*TESTED, *NOT_TESTED])


def test_most_rows_are_tested() -> None:
    expected = 490

    assert len(TESTED) >= expected


def test_every_interpretation_belongs_to_a_tested_row() -> None:
    expected = set(TESTED)

    assert set(OTHERWISE) <= expected


@pytest.mark.parametrize("row", [row for row in TESTED if re.search(r" \?[ ;]", ROWS[row])])
def test_the_interpretation_of_a_doubtful_row_is_documented(row: str) -> None:
    expected = OTHERWISE

    assert row in expected, ROWS[row]


def test_every_named_ruling_exists() -> None:
    expected = {ruling.id for ruling in GAME.rulings}

    named = {ruling for reading in OTHERWISE.values() for ruling in re.findall(r"SR4-[CEN][0-9]+", reading)}

    assert named <= expected
