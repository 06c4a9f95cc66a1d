"""Fields that name rows of tables: checks, offered values and schemas."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf, UnknownRow, add_rows, offered_words, structs_within, unknown_rows
from machines.contract.tables import Row


class Place(Row, frozen=True):
    """A row."""

    name: str
    declared: bool = True


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """What is inside a document."""

    kind: Annotated[str, RowOf("kinds")] = "blade"


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A document with a field of each sort."""

    place: Annotated[str, RowOf("places")] = ""
    places: tuple[Annotated[str, RowOf("places", where="declared")], ...] = ()
    either: Annotated[str, RowOf("places", "kinds")] | None = None
    against: dict[Annotated[str, RowOf("kinds")], int] = {}
    arms: dict[str, Annotated[str, RowOf("kinds")] | Arm] = {}
    packed: dict[str, Annotated[str, RowOf("kinds")] | Arm] | tuple[Annotated[str, RowOf("kinds")], ...] = ()
    how: Literal["", "slow", "fast"] = ""
    wide: bool = False
    open: bool = True
    said: str = ""


class Outer(msgspec.Struct, frozen=True, kw_only=True):
    """A document in a document."""

    inner: Document | None = None


TABLES = {
    "places": (Place(name="head", source="A 1"), Place(name="back", source="A 1", declared=False)),
    "kinds": (Place(name="blade", source="A 1"), Place(name="gun", source="A 1")),
}


def _unknown(**fields: object) -> list[UnknownRow]:
    return list(unknown_rows(msgspec.convert(fields, Document), TABLES))


def test_a_document_whose_words_are_rows_has_none_that_is_unknown() -> None:
    assert not _unknown()
    assert not _unknown(
        place="back", places=["head"], either="gun", against={"gun": 1}, arms={"mine": "gun", "own": {"kind": "gun"}}
    )


def test_a_word_that_is_no_row_is_named_with_its_path_and_the_rows() -> None:
    assert _unknown(place="tail") == [UnknownRow("place", "tail", ("head", "back"))]
    assert _unknown(places=["head", "back"]) == [UnknownRow("places", "back", ("head",))]
    assert _unknown(either="tail") == [UnknownRow("either", "tail", ("head", "back", "blade", "gun"))]
    assert _unknown(against={"tail": 1}) == [UnknownRow("against.tail", "tail", ("blade", "gun"))]
    assert _unknown(arms={"mine": "club"}) == [UnknownRow("arms.mine", "club", ("blade", "gun"))]
    assert _unknown(arms={"own": {"kind": "club"}}) == [UnknownRow("arms.own.kind", "club", ("blade", "gun"))]
    assert _unknown(packed={"mine": "club"}) == [UnknownRow("packed.mine", "club", ("blade", "gun"))]
    assert _unknown(packed=["gun", "club"]) == [UnknownRow("packed", "club", ("blade", "gun"))]
    outer = msgspec.convert({"inner": {"place": "tail"}}, Outer)
    assert list(unknown_rows(outer, TABLES)) == [UnknownRow("inner.place", "tail", ("head", "back"))]


def test_what_a_field_may_be_is_offered() -> None:
    assert offered_words(Document, TABLES) == {
        "place": ("head", "back"), "places": ("head",), "either": ("head", "back", "blade", "gun"),
        "packed": ("blade", "gun"), "how": ("slow", "fast"), "wide": ("true",), "open": ("false",),
    }  # fmt: skip


def test_the_schema_lists_the_rows() -> None:
    _, found = msgspec.json.schema_components([Document], ref_template="{name}")
    for struct in structs_within(Document):
        add_rows(found[struct.__name__], struct, TABLES)

    fields = found["Document"]["properties"]
    assert fields["place"]["enum"] == ["", "head", "back"]
    assert fields["places"]["items"]["enum"] == ["head"]
    assert [each.get("enum") for each in fields["either"]["anyOf"]] == [["head", "back", "blade", "gun"], None]
    assert fields["against"]["propertyNames"] == {"enum": ["blade", "gun"]}
    assert [each.get("enum") for each in fields["arms"]["additionalProperties"]["anyOf"]] == [["blade", "gun"], None]
    mine, listed = fields["packed"]["anyOf"]
    assert [each.get("enum") for each in mine["additionalProperties"]["anyOf"]] == [["blade", "gun"], None]
    assert listed["items"]["enum"] == ["blade", "gun"]
    assert found["Arm"]["properties"]["kind"]["enum"] == ["blade", "gun"]
    assert fields["said"] == {"type": "string", "default": ""}
