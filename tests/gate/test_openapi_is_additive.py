"""The OpenAPI document accepts and promises all that the last released one did, or the change is named with its reason."""

import copy
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from openapi_breaks import NAMED, breaks, released, today

SCHEMA = {
    "type": "object",
    "properties": {
        "who": {"type": "string", "maxLength": 9}, "dice": {"type": ["string", "null"]}, "how": {"enum": ["a", "b"]},
        "more": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}},
        "either": {"oneOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}]},
    },
    "required": ["who"],
}  # fmt: skip
DOCUMENT: dict[str, Any] = {
    "paths": {
        "/fights": {
            "post": {
                "parameters": [{"in": "query", "name": "page", "schema": {"type": "integer", "minimum": 1}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Given"}}}},
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}}},
            }
        }
    },
    "components": {
        "schemas": {
            "Given": SCHEMA, "Answer": SCHEMA,
            "Part": {"type": "object", "properties": {"part": {"$ref": "#/components/schemas/Part"}, "n": {"type": "integer"}}},
        }
    },
}  # fmt: skip

Mutation = Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], object]
"""Changes an operation, the schema of its request, and that of its answer."""
EMPTY: dict[str, Any] = {}
BREAKING: dict[str, Mutation] = {
    "POST /fights, query page: removed": lambda post, *_: post["parameters"].clear(),
    "POST /fights, query page: required": lambda post, *_: post["parameters"][0].update(required=True),
    "POST /fights, header by: required": lambda post, *_: post["parameters"].append(
        {"in": "header", "name": "by", "required": True}
    ),
    "POST /fights, query page: minimum narrowed": lambda post, *_: post["parameters"][0]["schema"].update(minimum=2),
    "POST /fights, request: required": lambda post, *_: post["requestBody"].update(required=True),
    "POST /fights, request application/json: removed": lambda post, *_: post["requestBody"]["content"].clear(),
    "POST /fights, 200: removed": lambda post, *_: post["responses"].clear(),
    "POST /fights, 200 application/json: removed": lambda post, *_: post["responses"]["200"]["content"].clear(),
    "request schema Given.dice: removed": lambda _, given, __: given["properties"].pop("dice"),
    "request schema Given.dice: required": lambda _, given, __: given["required"].append("dice"),
    "request schema Given.dice: type narrowed by null": lambda _, given, __: given["properties"]["dice"].update(
        type="string"
    ),
    "request schema Given.who: maxLength narrowed": lambda _, given, __: given["properties"]["who"].update(maxLength=8),
    "request schema Given.who: pattern narrowed": lambda _, given, __: given["properties"]["who"].update(pattern="a+"),
    'request schema Given.how: enum narrowed by "b"': lambda _, given, __: given["properties"]["how"]["enum"].remove(
        "b"
    ),
    "request schema Given.who: enum narrowed": lambda _, given, __: given["properties"]["who"].update(enum=["a"]),
    "request schema Given.either, oneOf null: removed": lambda _, given, __: given["properties"]["either"][
        "oneOf"
    ].pop(),
    "request schema Given[]: narrowed": lambda _, given, __: given.update(additionalProperties=False),
    "response schema Answer.dice: removed": lambda _, __, answer: answer["properties"].pop("dice"),
    "response schema Answer.who: no longer always there": lambda _, __, answer: answer["required"].remove("who"),
    "response schema Answer.who: type widened by null": lambda _, __, answer: answer["properties"]["who"].update(
        type=["string", "null"]
    ),
    "response schema Answer.who: type widened": lambda _, __, answer: answer["properties"]["who"].pop("type"),
    "response schema Answer.who: maxLength widened": lambda _, __, answer: answer["properties"]["who"].pop("maxLength"),
    'response schema Answer.how: enum widened by "c"': lambda _, __, answer: answer["properties"]["how"]["enum"].append(
        "c"
    ),
    "response schema Answer.either, oneOf string: added": lambda _, __, answer: answer["properties"]["either"][
        "oneOf"
    ].append({"type": "string"}),
}
ADDITIVE: dict[str, Mutation] = {
    "a parameter": lambda post, *_: post["parameters"].append({"in": "query", "name": "by"}),
    "a wider parameter": lambda post, *_: post["parameters"][0]["schema"].pop("minimum"),
    "a refusal": lambda post, *_: post["responses"].update({"429": EMPTY}),
    "a media type": lambda post, *_: post["responses"]["200"]["content"].update({"text/plain": EMPTY}),
    "a field of a request": lambda _, given, __: given["properties"].update(note={"type": "string"}),
    "a field that need not be given": lambda _, given, __: given["required"].clear(),
    "a longer text": lambda _, given, __: given["properties"]["who"].update(maxLength=10),
    "a value of a request": lambda _, given, __: given["properties"]["how"]["enum"].append("c"),
    "an alternative of a request": lambda _, given, __: given["properties"]["either"]["oneOf"].append({"type": "string"}),
    "a field of an answer": lambda _, __, answer: answer["properties"].update(note={"type": "string"}),
    "a field that is always there": lambda _, __, answer: answer["required"].append("dice"),
    "a value that is no longer answered": lambda _, __, answer: answer["properties"]["how"]["enum"].remove("b"),
    "a type that is no longer answered": lambda _, __, answer: answer["properties"]["dice"].update(type="string"),
    "a description": lambda _, given, __: given.update(description="What is given."),
}  # fmt: skip


def mutated(mutation: Mutation) -> list[str]:
    new = copy.deepcopy(DOCUMENT)
    schemas = new["components"]["schemas"] = {
        name: copy.deepcopy(each) for name, each in DOCUMENT["components"]["schemas"].items()
    }
    mutation(new["paths"]["/fights"]["post"], schemas["Given"], schemas["Answer"])
    return list(breaks(DOCUMENT, new))


@pytest.mark.parametrize("found", BREAKING)
def test_each_kind_of_break_is_found_and_nothing_else(found: str) -> None:
    assert mutated(BREAKING[found]) == [found]


@pytest.mark.parametrize("what", ADDITIVE)
def test_an_addition_breaks_nothing(what: str) -> None:
    assert mutated(ADDITIVE[what]) == []


def test_a_removed_operation_path_or_schema_is_found() -> None:
    old = copy.deepcopy(DOCUMENT)
    old["components"]["schemas"]["Heard"] = SCHEMA
    assert list(breaks(old, DOCUMENT)) == ["schema Heard: removed"]
    assert list(breaks(DOCUMENT, DOCUMENT | {"paths": {}})) == ["POST /fights: removed"]


def test_a_break_in_a_schema_within_schemas_is_found_in_requests_and_answers() -> None:
    new = copy.deepcopy(DOCUMENT)
    new["components"]["schemas"]["Part"]["properties"]["n"]["type"] = "string"
    assert list(breaks(DOCUMENT, new)) == [
        "request schema Part.n: type narrowed by integer", "response schema Part.n: type widened by string",
    ]  # fmt: skip


def test_a_removed_path_or_field_is_found_wherever_it_is_in_the_released_document() -> None:
    old = released()
    schemas = old["components"]["schemas"]
    firsts = {name: next(iter(schema["properties"])) for name, schema in schemas.items() if schema.get("properties")}
    less = {
        name: schema | {"properties": {each: of for each, of in schema["properties"].items() if each != firsts[name]}}
        for name, schema in schemas.items()
        if name in firsts
    }
    found = list(breaks(old, dict(old, components={"schemas": schemas | less})))
    for name, field in firsts.items():
        assert any(each.endswith(f"schema {name}.{field}: removed") for each in found)
    found = list(breaks(old, dict(old, paths={})))
    for path in old["paths"]:
        assert any(f" {path}: removed" in each for each in found)
    assert list(breaks(old, old)) == []


@pytest.mark.whole
def test_the_document_of_today_breaks_nothing_that_is_not_named(tmp_path: Any) -> None:
    named = tomllib.loads(NAMED.read_text())
    found = list(breaks(released(), today(tmp_path)))
    assert [each for each in found if each not in named] == [], f"name them in {NAMED}, each with a reason"
    assert [each for each in named if each not in found] == [], "these changes are not there"
    assert all(len(reason.split()) >= 4 for reason in named.values()), "a reason is a sentence"
