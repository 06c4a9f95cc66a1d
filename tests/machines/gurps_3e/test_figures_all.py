"""All independently transcribed figures of GURPS: each row is played, or states why it is not."""

import re

import pytest
from rules.third_edition import GAME, ROWS, Cases

from tests.machines.gurps_3e.test_figures_criticals import CASES as CRITICALS
from tests.machines.gurps_3e.test_figures_damage import CASES as DAMAGE
from tests.machines.gurps_3e.test_figures_defenses import CASES as DEFENSES
from tests.machines.gurps_3e.test_figures_injury import CASES as INJURY
from tests.machines.gurps_3e.test_figures_paths import CASES as PATHS
from tests.machines.gurps_3e.test_figures_ranged import CASES as RANGED
from tests.machines.gurps_3e.test_figures_tests import CASES as TESTS

SUBJECTS: list[Cases] = [CRITICALS, DAMAGE, DEFENSES, INJURY, PATHS, RANGED, TESTS]
TESTED = [row for cases in SUBJECTS for row in cases]

NOT_TESTED: dict[str, str] = {}
"""Rows that no test plays, and why."""

OTHERWISE: dict[str, str] = {
    "SUC12": "ruling G3-F3: by the limited skill",
    "LOC05": "ruling G3-N12: -6; by the other choice -5",
    "LOC11": "ruling G3-F7: it costs its penalty; by the other choice nothing",
    "RNG01": "distances are whole yards: 4 for 4.5, in the same column",
    "RNG08": "both added up, as the name of the table has it",
    "OPP01": "ruling G3-F1: both count; by the other choice the table's alone",
    "OPP02": "ruling G3-F1: both count; by the other choice the table's alone",
    "OPP03": "ruling G3-F1: both count; by the other choice the table's alone",
    "OPP04": "ruling G3-F1: both count; by the other choice the table's alone",
    "OPP05": "ruling G3-F1: both count; by the other choice the table's alone",
    "OPP06": "box 9 names more than one hex",
    "OPP07": "ruling G3-F1: both count; by the other choice the table's alone, which is too little, too",
    "SNP02": "ruling G3-F2: above SS only; by the other choice from it on",
    "RCL03": "ruling G3-F2: above SS only; by the other choice from it on",
    "AUT02": "ruling G3-N15: once more for each group",
    "AUT05": "ruling G3-F6: the group comes first, at the place that was aimed at",
    "AUT06": "ruling G3-N2: a table from memory; by the field any other",
    "AUT09": "ruling G3-N15: once more for each group",
    "WRG05": "ruling G3-F8: each once",
    "CMM06": "ruling G3-N16: unready is disabled",
    "CMM08": "the weapon is neither dropped nor broken",
    "CMF04": "ruling G3-F4: goes on; by the other choice it stops",
    "CMF07": "box 16 asks for hitting oneself, whatever becomes of the weapon",
    "CRH02": "ruling G3-F12: all damage; by the other choice the dice alone",
    "CRH03": "ruling G3-F12: all damage; by the other choice the dice alone",
    "CRH04": "ruling G3-F12: all damage; by the other choice the dice alone",
    "CRH06": "ruling G3-F12: all damage; by the other choice the dice alone",
    "CRH09": "ruling G3-N4: double; by the other choice normal",
    "CHH01": "ruling G3-N11: through 28 to 56, past any armor",
    "DEF11": "ruling G3-N3: by as much as it is better",
    "DEF14": "ruling G3-N21: 3 and 4 always succeed",
    "DEF15": "ruling G3-F10: nothing about it is critical",
    "DMG04": "as printed: at least 1 in box 28, what is added in box 29",
    "DMG07": "ruling G3-N5: bullets do not; by the other choices they do",
    "DMG10": "ruling G3-F13: from the damage of box 29",
    "FAC06": "classes from memory",
    "FAC08": "ruling G3-N13: the place's factor takes the place of the bullet's",
    "SHK04": "the sum",
    "CRP05": "ruling G3-F16: before the limit; by the other choice after it",
    "CRP06": "ruling G3-F16: box 41 comes after the limit; by the other choice before it",
    "LEF03": "one roll, compared with both numbers",
    "LEF05": "an injury of 8: twice what is through is never 9",
    "HPS03": "fractions down",
    "HPS07": "ruling G3-F19: at once, too; by the other choice on one's own turns only",
    "HPS16": "ruling G3-F21: at -5 x HT or less",
    "HPS17": "ruling G3-F21: the rolls come first",
    "HPS18": "ruling G3-F20: whatever does damage there brings somebody there",
    "WRK05": "ruling G3-F16: crippled, not stunned; by the other choices both, or neither",
    "WRK06": "ruling G3-F12: all damage; by the other choice the dice alone",
    "PTH31": "ruling G3-F21: the rolls come first",
    "PTH34": "ruling G3-F16: box 41 comes after the limit; by the other choice before it",
    "TRN01": "ruling G3-N1: by Move",
    "TRN03": "fractions down, passive defense whole",
}
"""Rows that are silent, or doubtful, or more than one thing: how the test reads them, and by which ruling."""


def test_every_row_is_tested_once_or_has_a_reason() -> None:
    expected = sorted(ROWS)

    assert expected == sorted([*TESTED, *NOT_TESTED])


def test_every_row_is_tested() -> None:
    expected = 280

    assert len(TESTED) == expected


def test_every_interpretation_belongs_to_a_tested_row() -> None:
    expected = set(TESTED)

    assert set(OTHERWISE) <= expected


@pytest.mark.parametrize("row", [row for row in TESTED if re.search(r" \? ", ROWS[row])])
def test_the_interpretation_of_a_doubtful_row_is_documented(row: str) -> None:
    expected = OTHERWISE

    assert row in expected, ROWS[row]


def test_every_named_ruling_exists() -> None:
    expected = {ruling.id for ruling in GAME.rulings}

    named = {ruling for reading in OTHERWISE.values() for ruling in re.findall(r"G3-[FN][0-9]+", reading)}

    assert named <= expected
