"""The parser of AsyncAPI reads the document of the live feeds without a complaint, and finds what is wrong with others."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from javascript.packages import install, run
from javascript.programs import HERE, program
from server.processes import served

PARSER = "@asyncapi/parser@3.6.6"
EXPECTED = {"asyncapi-latest-version"}
"""What the parser remarks about this document: AsyncAPI 3.1 exists, and generators read 3.0."""

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the parser."""
    program("npm")
    folder = tmp_path_factory.mktemp("parser")
    install(folder, PARSER)
    shutil.copy(HERE / "asyncapi.js", folder)
    return folder


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document that a server serves."""
    with served(tmp_path_factory.mktemp("server"), "--rate", "0") as server, server.client() as client:
        found: dict[str, Any] = client.get("/schema/asyncapi.json").json()
        return found


@pytest.fixture(scope="module")
def parsed(folder: Path, document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the parser finds in the document, as "whole", and in each spoiled one: asked at once, because it starts slowly."""
    documents = {"whole": document}
    for spoil in SPOILED:
        documents[spoil.__name__] = broken = copy.deepcopy(document)
        spoil(broken)
    for name, each in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(each), "utf-8")
    lines = run("node", "asyncapi.js", *(f"{name}.json" for name in documents), cwd=folder).splitlines()
    return dict(zip(documents, map(json.loads, lines), strict=True))


def test_the_parser_has_no_complaint(parsed: dict[str, dict[str, Any]]) -> None:
    answer = parsed["whole"]

    assert [each for each in answer["found"] if each["code"] not in EXPECTED] == []
    assert {each["severity"] for each in answer["found"]} <= {"information"}
    assert dict(answer["operations"]) == {"greet": "receive", "follow": "send", "feed": "send"}


def channel_elsewhere(document: dict[str, Any]) -> None:
    document["operations"]["follow"]["channel"]["$ref"] = "#/channels/nowhere"


def message_of_another_channel(document: dict[str, Any]) -> None:
    document["operations"]["greet"]["messages"] = [{"$ref": "#/channels/events/messages/entryEvent"}]


def parameter_that_is_not_described(document: dict[str, Any]) -> None:
    document["channels"]["socket"]["parameters"] = {}


def schema_of_a_later_draft(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["AnyEvent"]["discriminator"] = {"propertyName": "type"}


def unknown_binding(document: dict[str, Any]) -> None:
    document["channels"]["socket"]["bindings"]["ws"]["methods"] = "GET"


def security_of_no_kind(document: dict[str, Any]) -> None:
    document["components"]["securitySchemes"]["greeting"]["in"] = "greeting"


SPOILED: tuple[Callable[[dict[str, Any]], None], ...] = (
    channel_elsewhere, message_of_another_channel, parameter_that_is_not_described,
    schema_of_a_later_draft, unknown_binding, security_of_no_kind,
)  # fmt: skip


@pytest.mark.parametrize("name", [spoil.__name__ for spoil in SPOILED])
def test_a_broken_document_is_found(parsed: dict[str, dict[str, Any]], name: str) -> None:
    assert "error" in {each["severity"] for each in parsed[name]["found"]}
