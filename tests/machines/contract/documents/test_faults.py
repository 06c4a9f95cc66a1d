"""What is wrong in a document: each fault with its place, what is there, what is accepted there, and the nearest name."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from machines.contract.documents.accepted import Catalog
from machines.contract.documents.faults import faults
from machines.contract.refusals import BadSheet, BadSituation, BadTerms
from machines.contract.row_fields import RowOf
from machines.contract.ruleset import check_sheet, check_situation, check_terms, ruleset
from machines.contract.tables import Row


class Kind(Row, frozen=True):
    """A row."""

    name: str


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon."""

    skill: str
    kind: Annotated[str, RowOf("kinds")] = "blade"


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sheet with a field of each sort."""

    st: Annotated[int, msgspec.Meta(ge=1, le=60)]
    plane: Literal["", "astral", "physical"] = ""
    brave: bool = False
    weapons: dict[str, Weapon | Annotated[str, RowOf("kinds")]] | tuple[Annotated[str, RowOf("kinds")], ...] = {}
    movement: tuple[int, int] = (4, 20)
    levels: dict[Annotated[str, RowOf("kinds")], Annotated[int, msgspec.Meta(ge=0)]] = {}
    senses: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ("sight",)


CATALOG = Catalog("tiny", {"kinds": (Kind(name="blade", source="A 1"), Kind(name="automatic rifle", source="A 1"))})
KINDS = "blade, automatic rifle"


def found(**fields: Any) -> list[tuple[str, str, str]]:
    """Returns the faults of a sheet as plain tuples."""
    return [tuple(fault) for fault in faults({"st": 10, **fields}, Sheet, CATALOG)]


def test_a_sheet_without_faults_has_none() -> None:
    assert not found()
    assert not found(weapons=["blade"], levels={"blade": 1}, plane="astral", brave=True, movement=[1, 2])
    assert not found(weapons={"mine": {"skill": "swords"}, "gun": "automatic rifle"})


@pytest.mark.parametrize(
    ("fields", "path", "problem", "accepts"),
    [
        ({"st": "lots"}, "st", "'lots' is not accepted", "a whole number from 1 to 60"),
        ({"st": 99}, "st", "99 is not accepted", "a whole number from 1 to 60"),
        ({"st": True}, "st", "true is not accepted", "a whole number from 1 to 60"),
        ({"brave": "yes"}, "brave", "'yes' is not accepted", "true or false"),
        ({"plane": "astrl"}, "plane", "'astrl' is not accepted; did you mean 'astral'?", "astral, physical"),
        ({"movement": [1]}, "movement", "[1] is not accepted: Expected `array` of length 2, got 1",
         "a list of 2: a whole number; a whole number"),
        ({"movement": 3}, "movement", "3 is not accepted", "a list of 2: a whole number; a whole number"),
        ({"senses": []}, "senses", "[] is not accepted: Expected `array` of length >= 1", "a list of: text"),
        ({"weapons": {"ak-97": {}}}, "weapons.ak-97.skill", "it is missing", "text"),
        ({"weapons": {"ak-97": {"skill": "guns", "knd": "blade"}}}, "weapons.ak-97.knd",
         "there is no such field; did you mean 'kind'?", "skill, kind?"),
        ({"weapons": {"ak-97": {"skill": "guns", "kind": "spoon"}}}, "weapons.ak-97.kind",
         "'spoon' is not accepted", KINDS),
        ({"weapons": {"ak-97": "automatc rifle"}}, "weapons.ak-97",
         "'automatc rifle' is not accepted; did you mean 'automatic rifle'?", KINDS),
        ({"weapons": ["Rifle"]}, "weapons", "'Rifle' is not accepted; did you mean 'automatic rifle'?", KINDS),
        ({"levels": {"blad": 1}}, "levels.blad", "'blad' is not accepted; did you mean 'blade'?", KINDS),
        ({"levels": {"blade": -1}}, "levels.blade", "-1 is not accepted", "a whole number, 0 or more"),
    ],
)  # fmt: skip
def test_a_fault_names_the_place_and_what_is_accepted_there(
    fields: dict[str, Any], path: str, problem: str, accepts: str
) -> None:
    assert found(**fields) == [(path, problem, accepts)]


def test_a_missing_field_is_named() -> None:
    (fault,) = faults({}, Sheet, CATALOG)

    assert fault.sentence == "st: it is missing"


def test_several_faults_are_found_at_once() -> None:
    paths = [path for path, *_ in found(st=0, agilty=3, weapons={"a": {"kind": "spoon"}, "b": "fork"}, brave=1)]

    assert paths == ["agilty", "st", "brave", "weapons.a.skill", "weapons.a.kind", "weapons.b"]


@pytest.mark.parametrize("document", [3, [], None, "x", {"st": [[[[]]]]}, {"st": {"a": {}}}, {1: 2}, {"st": 10**30}])
def test_whatever_is_no_sheet_has_a_fault(document: Any) -> None:
    assert list(faults(document, Sheet, CATALOG))


def test_many_rows_are_named_by_the_command_that_lists_them() -> None:
    rows = tuple(Kind(name=f"kind {number}", source="A 1") for number in range(40))
    (fault,) = faults({"st": 1, "weapons": ["spoon"]}, Sheet, Catalog("tiny", {"kinds": rows}))

    assert fault.accepts == "one of 40 names: affray rules tiny kinds"


def test_a_very_long_word_is_quoted_in_part_and_has_no_nearest_name() -> None:
    (fault,) = faults({"st": "9" * 100_000}, Sheet, CATALOG)

    assert len(fault.problem) < 100
    assert [path for path, *_ in found(weapons=["blade" * 20_000])] == ["weapons"]


def test_sheets_terms_and_situations_are_refused_with_the_place() -> None:
    with pytest.raises(BadSheet) as sheet:
        check_sheet(
            ruleset("eclipse_phase_1e"), "kira", {"durability": 30, "aptitudes": {"som": 5}, "weapons": ["rifl"]}
        )
    with pytest.raises(BadTerms) as terms:
        check_terms(ruleset("eclipse_phase_1e"), "attack", {"at": "bob", "using": "knife", "caled": "head"})
    with pytest.raises(BadSituation) as begin:
        check_situation(ruleset("eclipse_phase_1e"), {"gravity": "heavy"})

    assert sheet.value.where == "combatants.kira.sheet.weapons"
    assert sheet.value.message.startswith("kira: weapons: 'rifl' is not accepted; did you mean ")
    assert sheet.value.accepts == "one of 85 names: affray rules eclipse_phase_1e weapons"
    assert terms.value.where == "declare.attack.caled"
    assert terms.value.message == "attack: caled: there is no such field; did you mean 'called'?"
    assert (begin.value.where, begin.value.message) == ("begin.gravity", "begin: gravity: 'heavy' is not accepted")
    assert begin.value.accepts == "a whole number from 0 to 1000"
