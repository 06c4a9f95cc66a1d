"""All independently transcribed figures of the second edition: each row is played, or states why it is not."""

import re

import pytest
from rules.second_edition import GAME, ROWS, Cases

from tests.machines.eclipse_phase.second.test_figures_arms import CASES as ARMS
from tests.machines.eclipse_phase.second.test_figures_damage import CASES as DAMAGE
from tests.machines.eclipse_phase.second.test_figures_effects import CASES as EFFECTS
from tests.machines.eclipse_phase.second.test_figures_health import CASES as HEALTH
from tests.machines.eclipse_phase.second.test_figures_minds import CASES as MINDS
from tests.machines.eclipse_phase.second.test_figures_modifiers import CASES as MODIFIERS
from tests.machines.eclipse_phase.second.test_figures_psi import CASES as PSI
from tests.machines.eclipse_phase.second.test_figures_tests import CASES as TESTS
from tests.machines.eclipse_phase.second.test_figures_turn import CASES as TURN

SUBJECTS: list[Cases] = [ARMS, DAMAGE, EFFECTS, HEALTH, MINDS, MODIFIERS, PSI, TESTS, TURN]
TESTED = [row for cases in SUBJECTS for row in cases]

NOT_TESTED: dict[str, str] = {
    "MOD76": "painting a target is for the table to say: the modifier for indirect fire is not declared",
    "MOD84": "a gyromount is not built: its modifier is overruled",
    "MOD93": "throwing a grenade back is for the table to say: an attack and a modifier of the gamemaster's",
    "TST23": "a related skill is for the table to say: a skill of its own on the sheet, or a modifier of the gamemaster's",
    "TST26": "teamwork is for the table to say: a modifier of the gamemaster's",
    "TST27": "a further try is declared like the first: the modifier is the gamemaster's",
    "DMG55": "blows at the helpless outside a fight are not built: the gamemaster says that they kill",
    "DMG56": "likewise",
    "DMG58": "whether a thing is a large structure is on no sheet: the damage is overruled",
    "DMG59": "what a trait adds to blows is in the damage of the weapons on the sheet",
    "DMG66": "where a called shot hits is for the table to say; the +2/+2 of a helmet is in the tables",
    "WPN34": "other magazines are for the sheet to say: the weapon's own `ammo`",
    "ARE18": "jumping on a grenade is for the table to say",
    "ARE19": "when a grenade goes off is for the table to say: an explosion is declared then",
    "SHK25": "laser blindness is another rule, which the gamemaster may use: called shots at the eyes, and a ruling",
    "MOV07": "ware for climbing is for the table to say",
    "MOV08": "jumps are for the table to say",
    "MOV09": "jumps are for the table to say",
    "MOV10": "jumps are for the table to say",
    "MOV11": "jumps are for the table to say",
    "MOV12": "jumps are for the table to say",
    "MOV13": "jumps are for the table to say",
    "MOV14": "jumps are for the table to say",
    "MOV18": "jumps are for the table to say",
    "MOV19": "jumps are for the table to say",
    "MOV24": "the distance of a fall is for the table to say, and so what gravity makes of it",
    "MOV25": "what size makes of a fall is for the table to say",
    "MOV26": "how a fire grows is for the table to say: an explosion in each Action Turn",
    "MOV27": "likewise",
    "MOV29": "collisions are an explosion with the damage that the table says",
    "POL20": "a recharge that is broken off is not declared",
    "POL23": "points that last for a time only are not told apart",
    "POL25": "teamwork is for the table to say",
    "HEA10": "rapid healing has no column: the hours are declared",
    "HEA15": "how old an injury is is for the table to say",
    "HEA17": "what was used before is for the table to say",
    "HEA23": "rushing a job is for the table to say: the modifier is declared",
    "HEA24": "taking time is for the table to say: the modifier is declared",
    "HEA25": "bringing back the dead is for the table to say",
    "MND14": "calling somebody back is for the table to say: a test, and the condition is ended",
    "PSI26": "a static field is for the table to say: a modifier of the gamemaster's",
    "PSI27": "sleights that are sustained are for the table to say",
    "PSI28": "how long a sleight lasts is for the table to say",
    "PSI39": "sleights that do not strike are for the table to say",
    "PSI43": "sleights that do not strike are for the table to say",
    "PSI45": "what a high Infection Rating gives is for the table to say",
    "PSI46": "the trait for some tests only has no column: a modifier of the gamemaster's",
    "PSI47": "sleights that do not strike are for the table to say",
}
"""Rows that no test plays, and why."""

READ: dict[str, str] = {
    "MOD19": "ruling EP2-C18: the chance in the place of the -30; with errata 1.4 beside it",
    "MOD24": "only Fray is named",
    "MOD25": "no ruling: halved first, as all that is modified",
    "MOD31": "beside it, -10 for a small target",
    "MOD32": "20 for each step, as in the table; beside it, -30 for a very small target",
    "MOD33": "beside it, +10 for a large target",
    "MOD38": "no ruling: 20 for two or more, as in the table",
    "MOD46": "the modifier for size alone, without that for a small target",
    "MOD47": "likewise",
    "MOD48": "no ruling: the 30 caps what size gives, as its sentence stands; the weapon's reach comes on top",
    "MOD57": "no ruling: what limits aiming stands in the sentence on Quick Actions",
    "MOD58": "ruling EP2-N14",
    "MOD67": "the -30 of it; the chance is that of a blind attack",
    "MOD70": "no ruling: at 10 meters it is close, and whoever is prone is harder to hit from range on",
    "MOD88": "what stands in the place of Fray is halved as it is",
    "MOD89": "full defense is +30 to all defenses of step 2",
    "MOD92": "only wounds and range are named",
    "RNG05": "ruling EP2-N3",
    "RNG07": "ruling EP2-N3",
    "RNG08": "no greatest range is given: the cap on modifiers ends it",
    "TST04": "ruling EP2-N21; for called shots EP2-N7",
    "TST06": "ruling EP2-N21",
    "TST21": "ruling EP2-N24",
    "TST29": "1.4 as 14 tenths",
    "TST30": "a die that shows 0 is typed as the 10 that it counts",
    "OPP11": "ruling EP2-N23",
    "OPP12": "ruling EP2-N23: only a higher skill wins",
    "OPP20": "nothing fixed: the gamemaster is asked, and nothing is what follows if they say so",
    "DMG09": "no ruling: each has their own roll of the damage",
    "DMG17": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG18": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG28": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG30": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG31": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG32": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG34": "ruling EP2-N25: a die fewer, or one that is rolled and taken away",
    "DMG49": "ruling EP2-N8: doubled first, then halved",
    "DMG51": "the superior success adds its die, too",
    "DMG65": "of armor in layers, as the heading says",
    "WPN10": "the round in the chamber stays one",
    "WPN23": "2d10+6 is 17 everywhere else (WPN15, WPN19): the printed 16 is that of 2d10+5",
    "WPN26": "20 m in the table, 10 m in the text: the table's",
    "WPN32": "no ruling: the mode is refused",
    "ARE04": "less outside the radius only",
    "ARE09": "no ruling: halved before the armor",
    "ARE10": "57 is a superior success: 27 and a die of 3",
    "ARE14": "ruling EP2-C17",
    "ARE15": "77 is above what would be superior",
    "ARE16": "no hit scatters in the program: one that is neither sticky nor goes off at once is for the table to say",
    "ARE17": "by the errata; before them never",
    "CAL04": "ruling EP2-N9",
    "CAL05": "no ruling: the second superior success may add its die",
    "CAL06": "no ruling: halved before the armor",
    "CAL09": "by the errata; before them with any attack",
    "CAL13": "no ruling: the damage is what the second superior success may do",
    "CAL14": "ruling EP2-N7: the attacker chooses; this is who doubles the damage",
    "WND07": "step 8 has incapacitated, in which nobody acts either",
    "WND08": "likewise",
    "WND23": "spray and meds are the gamemaster's modifier",
    "WND29": "what bleeds is no attack",
    "WND31": "whoever is woken then is incapacitated all the same",
    "WND32": "what a trait adds to Durability is on the sheet",
    "WND33": "declared as harm that cannot wound, minute by minute",
    "SHK08": "ruling EP2-N21",
    "SHK09": "wounds count in every test",
    "SHK11": "that its radio is out is for the table to say",
    "SHK13": "no ruling: all of the armor, since it insulates",
    "CON05": "ruling EP2-C18: like any blind attack",
    "GRP02": "ruling EP2-N13",
    "GRP03": "a critical that is no superior success does not hold",
    "GRP04": "ruling EP2-N7: the attacker chooses; this is who doubles the damage",
    "GRP07": "no ruling: whoever does not win is still held",
    "INI05": "ruling EP2-N11: it falls at once",
    "INI06": "ruling EP2-N22",
    "INI24": "ruling EP2-N16: neither a tie nor a failure surprises anybody",
    "MOV21": "ruling EP2-C8",
    "POL01": "ruling EP2-C15: the good ones as well",
    "POL03": "ruling EP2-N2",
    "POL08": "99, too",
    "HEA01": "ruling EP2-N19",
    "HEA03": "without the biomods' share",
    "HEA04": "likewise",
    "HEA07": "likewise",
    "HEA08": "one source is declared",
    "HEA19": "ruling EP2-N17",
    "MND03": "without a second figure nothing is rolled",
    "MND08": "never less than none",
    "MND24": "what a trait adds to Lucidity is on the sheet",
    "PSI03": "the body's full defense is Fray's; the mind has its own",
    "PSI07": "no ruling: two meters that are begun count",
    "PSI09": "no ruling: the distances are doubled, what is beyond costs as much as ever",
    "PSI15": "the touch is an attack of its own, with a hand that is Quick",
    "PSI34": "the list ends with 6: the gamemaster reads its last row",
    "PSI38": "as the section on psi has it",
    "PSI44": "like a shock that is not resisted",
    "JNX06": "ruling EP2-C7: 65, where 75 is printed",
}
"""Rows that are silent, or doubtful, or more than one thing: how the test reads them, and by which ruling."""


def test_every_row_is_tested_once_or_has_a_reason() -> None:
    expected = sorted(ROWS)

    assert expected == sorted([*TESTED, *NOT_TESTED])


def test_most_rows_are_tested() -> None:
    expected = 540

    assert len(TESTED) >= expected


def test_every_interpretation_belongs_to_a_tested_row() -> None:
    expected = set(TESTED)

    assert set(READ) <= expected


@pytest.mark.parametrize("row", [row for row in TESTED if " ? " in ROWS[row] or " ?;" in ROWS[row]])
def test_the_interpretation_of_a_doubtful_row_is_documented(row: str) -> None:
    expected = READ

    assert row in expected, ROWS[row]


def test_every_named_ruling_exists() -> None:
    expected = {ruling.id for ruling in GAME.rulings}

    named = {ruling for reading in READ.values() for ruling in re.findall(r"EP2-[CN][0-9]+", reading)}

    assert named <= expected
