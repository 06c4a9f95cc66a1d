"""The words of a sheet: names of rows, weapons that the sheet defines, and names without a row."""

import msgspec
import pytest

from machines.contract import refusals as no
from machines.contract.sheet_words import armed, check_own_weapons, check_rows, weapons_by_name
from machines.contract.tables import Row


class Weapon(msgspec.Struct, frozen=True):
    dv: int
    ap: int = 0


class WeaponRow(Row, frozen=True, kw_only=True):
    name: str
    dv: int
    weight: int = 7


ROWS = {name: WeaponRow(name=name, dv=dv, source="EP1 1") for name, dv in (("knife", 3), ("axe", 8))}
OWN = Weapon(5, -2)


def test_weapons_are_listed_by_their_own_names_or_under_others() -> None:
    assert weapons_by_name(("knife", "axe")) == {"knife": "knife", "axe": "axe"}
    assert weapons_by_name({"old friend": "knife", "fang": OWN}) == {"old friend": "knife", "fang": OWN}


def test_a_row_is_filled_in_and_a_weapon_of_ones_own_is_kept() -> None:
    assert armed({"old friend": "knife", "fang": OWN}, ROWS, Weapon) == {"old friend": Weapon(3), "fang": OWN}
    assert armed(("axe",), ROWS, Weapon) == {"axe": Weapon(8)}


def test_a_row_that_the_table_does_not_have_is_an_error() -> None:
    with pytest.raises(KeyError, match="club"):
        armed(("club",), ROWS, Weapon)


def test_words_that_each_table_has_are_accepted() -> None:
    check_rows("ann", [("weapons", ("knife", "axe"), ROWS), ("traits", (), ())])


def test_the_first_word_that_a_table_does_not_have_is_refused_with_its_path_and_the_rows() -> None:
    with pytest.raises(no.BadSheet) as refused:
        check_rows("ann", [("traits", ("brave",), ("brave",)), ("weapons", ("axe", "club"), ROWS)])

    assert refused.value.message == "ann: no row 'club'"
    assert refused.value.where == "combatants.ann.sheet.weapons"
    assert refused.value.accepts == "knife, axe"


def test_a_weapon_of_ones_own_with_a_wrong_word_is_refused_with_its_path_and_its_name() -> None:
    asked = []

    def check(weapon: Weapon, where: str) -> None:
        asked.append((weapon, where))
        if weapon.dv > 5:
            raise no.BadTerms("no such class", where=f"{where}.class", accepts="blade")

    check_own_weapons("ann", [("fang", OWN)], check)
    with pytest.raises(no.BadSheet) as refused:
        check_own_weapons("ann", [("fang", OWN), ("maul", Weapon(9))], check)

    assert asked[0] == (OWN, "combatants.ann.sheet.weapons.fang")
    assert refused.value.message == "ann's maul: no such class"
    assert refused.value.where == "combatants.ann.sheet.weapons.maul.class"
    assert refused.value.accepts == "blade"
    assert refused.value.__cause__ is None
