"""The OpenAPI document is complete, its examples are true, and the server conforms to it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest
from all_fights import GAMES, scenarios
from server.faults_raw import check_others_are_answered_while_made
from server.generated_requests import answered
from server.processes import Served

from ledger.audience import EVERYTHING
from ledger.events import EVENTS
from replays.exports import documents
from replays.server.http.examples import ExampleRequest, steps

Operation = tuple[str, str, dict[str, Any]]


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> dict[str, Any]:
    """Returns the OpenAPI document of the server."""
    found: dict[str, Any] = client.get("/schema/openapi.json").json()
    return found


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    """Yields method, path and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def by_name(document: Mapping[str, Any]) -> dict[str, Operation]:
    """Returns the operations by id."""
    return {each[2]["operationId"]: each for each in operations(document)}


def success(operation: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the status and the response of success."""
    ((status, answer),) = ((status, each) for status, each in operation["responses"].items() if status < "3")
    return status, answer


def references(value: Any) -> Iterator[str]:
    """Yields every reference in a document."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name == "$ref":
                yield each
            elif name != "examples":
                yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def whole(document: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema with all that it refers to."""
    return {**schema, "components": {"schemas": document["components"]["schemas"]}}


# ------------------------------------------------------------------------------------------------ completeness


def test_every_schema_is_one_and_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert {reference.rpartition("/")[2] for reference in references(document)} <= set(schemas)
    for name, schema in schemas.items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert schema["title"] == name
        assert schema["description"]


def test_schemas_keep_the_names_that_generated_clients_know(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    released = {"Amended", "Dice", "Drawn", "Health", "Part", "Problem", "Provenance", "Report", "Sum", "Told"}
    assert released <= set(schemas)
    assert document["paths"]["/health"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/Health"
    }
    assert schemas["Performed"]["properties"]["entries"]["items"] == {"$ref": "#/components/schemas/Told"}


def test_every_operation_says_what_it_is_and_what_it_refuses(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    tags = {tag["name"] for tag in document["tags"] if tag["description"]}
    assert len(set(names)) == len(names)
    for _, path, operation in operations(document):
        assert operation["summary"]
        assert operation["description"].startswith(operation["summary"])
        assert set(operation["tags"]) <= tags
        assert {"400", "429", "500", "503"} <= set(operation["responses"])
        assert (
            ("401" in operation["responses"])
            == bool(operation.get("security"))
            == (
                path.startswith(("/v1/sessions", "/v1/campaigns", "/v1/me", "/v1/qr")) or path.endswith("/sheets/check")
            )
        )
        assert ("413" in operation["responses"]) >= ("requestBody" in operation), path
        for status, answer in operation["responses"].items():
            assert answer["description"]
            if status >= "4":
                assert list(answer["content"]) == ["application/problem+json"]


def test_every_parameter_is_described(document: dict[str, Any]) -> None:
    bare = [
        f"{operation['operationId']} {parameter['name']}"
        for _, _, operation in operations(document)
        for parameter in operation.get("parameters", ())
        if not parameter.get("description") or "type" not in parameter["schema"]
    ]
    assert bare == []


SELF_EXPLAINING = frozenset(
    [
        "active",
        "adjustments",
        "after",
        "amendments",
        "amount",
        "base",
        "before",
        "capacity",
        "change",
        "charts",
        "combatants",
        "commitment",
        "conditions",
        "dice",
        "disputes",
        "draws",
        "drawn",
        "entries",
        "explained",
        "flips",
        "gamemaster",
        "holds",
        "id",
        "initiative",
        "label",
        "last",
        "left",
        "level",
        "margin",
        "modifiers",
        "name",
        "of",
        "pass",
        "policy",
        "problem",
        "problems",
        "profile",
        "resources",
        "revoked",
        "rewinds",
        "rolled",
        "rolls",
        "round",
        "ruleset",
        "seed",
        "seen",
        "session",
        "sheets",
        "shifts",
        "source",
        "span",
        "status",
        "tables",
        "taken",
        "target",
        "text",
        "title",
        "to",
        "tokens",
        "tracks",
        "value",
        "version",
        "what",
        "words",
        "wounds",
    ]
)
"""Names of properties that need no description."""


def test_every_property_is_described_or_says_what_it_is_by_its_name(document: dict[str, Any]) -> None:
    bare = {
        f"{name} {field}"
        for name, schema in document["components"]["schemas"].items()
        for field, each in schema.get("properties", {}).items()
        if not {"description", "$ref"} & set(each) and field not in SELF_EXPLAINING
    }
    assert bare == set()


def test_what_is_not_accepted_is_not_documented_as_if_it_were(document: dict[str, Any]) -> None:
    """Unknown fields are refused, so the schemas of requests exclude them."""
    schemas = document["components"]["schemas"]
    asked = [operation["requestBody"] for _, _, operation in operations(document) if "requestBody" in operation]
    names = {reference.rpartition("/")[2] for reference in references(asked)}
    assert len(names) > 20
    objects = [name for name in names if "oneOf" not in schemas[name]]
    assert [name for name in objects if schemas[name].get("additionalProperties") is not False] == []


# ------------------------------------------------------------------------------------------------ examples


def test_every_body_and_every_answer_has_an_example(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        said = [*operation.get("requestBody", {"content": {}})["content"].values()]
        said += success(operation)[1].get("content", {}).values()
        for each in said:
            assert each["examples"], operation["operationId"]


def test_every_command_that_a_fight_is_made_of_has_an_example(document: dict[str, Any]) -> None:
    content = by_name(document)["perform"][2]["requestBody"]["content"]["application/json"]
    told = {example["value"]["type"] for example in content["examples"].values()}
    assert {"Join", "BeginCombat", "Declare", "Choose", "TypeDice", "ApplyModifier", "Note", "OpenDispute"} <= told


def test_every_example_is_as_its_schema_says(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        said = [*operation.get("requestBody", {"content": {}})["content"].items()]
        said += success(operation)[1].get("content", {}).items()
        for kind, each in said:
            for name, example in each["examples"].items():
                schema = whole(document, each["schema"])
                found = [str(error) for error in jsonschema_rs.validator_for(schema).iter_errors(example["value"])]
                assert found == [], (operation["operationId"], kind, name)


class Fight:
    """Sends the examples to a server in their order."""

    def __init__(self, server: Served, client: httpx.Client, document: Mapping[str, Any]) -> None:
        self.client, self._operations = client, by_name(document)
        self._seats = {"host": server.host, "": {}}
        self._session = ""
        self._token = ""
        self._hook = ""

    def ask(self, step: ExampleRequest) -> httpx.Response:
        method, path, _ = self._operations[step.operation]
        known = {"session": self._session, "token": self._token, "hook": self._hook}
        place = {"session": self._session, **{name: known.get(name, each) for name, each in step.place.items()}}
        headers = {**self._seats[step.seat], **({"Accept": step.kind} if step.kind else {}), **step.headers}
        body: dict[str, Any] = {"content": step.body} if isinstance(step.body, str) else {}
        if isinstance(step.body, dict):
            body = {"json": step.body}
        with self.client.stream(method, path.format(**place), headers=headers, params=step.query, **body) as answer:
            if step.operation != "feed":
                answer.read()
        if step.operation == "foundSession":
            self._found(answer.json())
        if step.operation == "issueToken":
            self._token = answer.json()["id"]
            self._seats[answer.json()["name"]] = {"Authorization": f"Bearer {answer.json()['token']}"}
        if step.operation == "createHook":
            self._hook = answer.json()["id"]
        return answer

    def _found(self, founded: Mapping[str, Any]) -> None:
        self._session = founded["session"]
        for one in founded["tokens"]:
            name = one["name"] if one["seat"] == "player" else one["seat"]
            self._seats[name] = {"Authorization": f"Bearer {one['token']}"}


def test_every_example_is_accepted_in_its_order_and_answered_as_it_says(
    server: Served, client: httpx.Client, document: dict[str, Any]
) -> None:
    fight = Fight(server, client, document)
    for step in steps():
        answer = fight.ask(step)
        assert answer.status_code == step.status, (step.name, answer.text)
        assert answer.headers.get("content-type", "").partition(";")[0] == step.kind
        if step.kind == "application/json":
            assert shape(answer.json()) >= shape(step.answer), step.name


def shape(value: Any) -> set[str]:
    """Returns the fields of a document on its first two levels, except names that are data."""
    if isinstance(value, list):
        return set().union(*map(shape, value[:1]))
    return set(value) if isinstance(value, dict) else set()


# ------------------------------------------------------------------------------------------------ does it keep to it?


def test_generated_requests_are_answered_as_described(tmp_path: Path) -> None:
    answered(tmp_path, examples=3)  # `.ci/long requests` sends more


def test_others_are_answered_while_the_document_is_made(tmp_path: Path) -> None:
    check_others_are_answered_while_made(tmp_path, "/schema/openapi.json")


# ------------------------------------------------------------------------------------------------ events


def test_every_event_has_a_schema_with_a_description_and_an_example_and_is_found_by_its_type(document) -> None:
    schemas = document["components"]["schemas"]
    union = schemas["AnyEvent"]
    assert set(union["discriminator"]["mapping"]) == {kind.__name__ for kind in EVENTS}
    assert schemas["Told"]["properties"]["events"]["items"] == {"$ref": "#/components/schemas/AnyEvent"}
    for kind in EVENTS:
        schema = schemas[f"{kind.__name__}Event"]
        (example,) = schema["examples"]
        assert schema["description"], kind
        assert example["type"] == kind.__name__
        for of in (f"{kind.__name__}Event", "AnyEvent"):
            found = jsonschema_rs.validator_for(whole(document, {"$ref": f"#/components/schemas/{of}"})).iter_errors(
                example
            )
            assert [str(error) for error in found] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_of_the_recorded_fights_is_as_its_schema_says(document, game) -> None:
    validator = jsonschema_rs.validator_for(whole(document, {"$ref": "#/components/schemas/Told"}))
    for session in scenarios(game)[::5]:
        for entry in session.entries():
            told = msgspec.to_builtins(documents.entry(entry, EVERYTHING, stands=True))
            assert [str(error) for error in validator.iter_errors(told)] == [], entry.seq


def test_no_schema_is_false(document) -> None:
    def falses(value: Any) -> int:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        is_false = isinstance(value, dict) and value.get("items") is False
        return is_false + sum(map(falses, inside))

    assert falses(document["components"]["schemas"]) == 0
