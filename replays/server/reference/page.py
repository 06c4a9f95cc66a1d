"""Makes the page of the API reference from the OpenAPI document: plain HTML without scripts."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import msgspec

from replays.exports.report.markup import Markup, join, tag, text
from replays.server.http.refusal_slugs import BEFORE_SLUGS, FIELD
from replays.server.reference.types_in_words import schema_links, type_in_words

Document = Mapping[str, Any]


def page(document: Document) -> str:
    """Returns the page.

    Args:
        document: The OpenAPI document.
    """
    title = f"{document['info']['title']} {document['info']['version']}: API reference"
    head = tag("head", Markup('<meta charset="utf-8">'), _VIEWPORT, tag("title", title), _STYLE)
    operations = list(_operations(document))
    body = tag(
        "body",
        tag("header", tag("h1", title), _prose(document["info"].get("description", "")), _AS_DATA),
        tag("nav", tag("h2", "Operations"), _index(operations), _schema_index(document), aria_label="Contents"),
        tag("main", *(_operation(*each) for each in operations), *_schemas(document)),
    )
    return f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'


_VIEWPORT = Markup('<meta name="viewport" content="width=device-width, initial-scale=1">')
_FEW = 12
"""Number of slugs up to which they are shown at once."""
_AS_DATA = tag(
    "p", "For programs: the requests are in ", tag("a", "the OpenAPI document", href="/schema/openapi.json"),
    ", the messages of the live feeds in ", tag("a", "the AsyncAPI document", href="/schema/asyncapi.json"), ".",
)  # fmt: skip
_STYLE = Markup('<link rel="stylesheet" href="/docs/style.css">')


def _operations(document: Document) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yields the operations, by their groups: method, path and description."""
    found = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    order = [each["name"] for each in document.get("tags", ())]
    yield from sorted(found, key=lambda each: order.index(each[2]["tags"][0]))


def _prose(said: str) -> Markup:
    """Returns paragraphs; words in backquotes are code."""
    return join(tag("p", _inline(each)) for each in said.split("\n\n") if each.strip())


def _inline(said: str) -> Markup:
    parts = said.split("`")
    return join(tag("code", each) if place % 2 else text(each) for place, each in enumerate(parts))


def _index(operations: Iterable[tuple[str, str, Mapping[str, Any]]]) -> Markup:
    groups = groupby(operations, key=lambda each: each[2]["tags"][0])
    return join(tag("section", tag("h3", name), tag("ul", *map(_link, each))) for name, each in groups)


def _link(operation: tuple[str, str, Mapping[str, Any]]) -> Markup:
    method, path, about = operation
    words = tag("code", f"{method.upper()} {path}")
    return tag("li", tag("a", words, href=f"#{about['operationId']}"), " ", _inline(about["summary"]))


def _schema_index(document: Document) -> Markup:
    names = sorted(document["components"]["schemas"])
    links = (tag("a", name, href=f"#schema-{name}") for name in names)
    return tag("details", tag("summary", f"Schemas ({len(names)})"), tag("p", join(links, " · ")))


# ------------------------------------------------------------------------------------------------ operations


def _operation(method: str, path: str, about: Mapping[str, Any]) -> Markup:
    """Returns the section of an operation."""
    heading = tag("h2", tag("code", f"{method.upper()} {path}"))
    needs = "Needs a token." if about.get("security") else "Needs no token."
    return tag(
        "section", heading, _prose(about["description"]), tag("p", needs), _parameters(about), _body(about),
        _answers(about), id=about["operationId"],
    )  # fmt: skip


def _parameters(about: Mapping[str, Any]) -> Markup:
    rows = [
        tag(
            "tr", tag("th", tag("code", each["name"]), scope="row"), tag("td", each["in"]),
            tag("td", type_in_words(each["schema"])), tag("td", "required" if each.get("required") else ""),
            tag("td", _inline(each.get("description", ""))),
        )
        for each in about.get("parameters", ())
    ]  # fmt: skip
    return join([tag("h3", "Parameters"), tag("table", *rows)] if rows else [])


def _body(about: Mapping[str, Any]) -> Markup:
    content = about.get("requestBody", {}).get("content", {})
    return join(join([tag("h3", f"Body: {kind}"), _content(each)]) for kind, each in content.items())


def _answers(about: Mapping[str, Any]) -> Markup:
    """Returns the answers: those of success with their content, then the refusals in a line each."""
    parts: list[Markup] = []
    refusals: list[Markup] = []
    for status, answer in sorted(about["responses"].items()):
        if status < "3":
            parts.append(tag("h3", f"Answer {status}"))
            parts += [tag("p", tag("code", kind)) for kind in answer.get("content", {})]
            parts += [_content(each) for each in answer.get("content", {}).values()]
        else:
            meaning = answer.get("description", "").partition(BEFORE_SLUGS)[0]
            refusals.append(tag("li", tag("strong", status), " ", _inline(meaning), _slugs(answer)))
    return join([*parts, tag("h3", "Refusals"), tag("ul", *refusals)])


def _slugs(answer: Mapping[str, Any]) -> Markup:
    """Returns the slugs of a refusal with their meanings; folded if there are many."""
    slugs: Mapping[str, str] = answer.get(FIELD, {})
    meanings = (join([tag("dt", tag("code", slug)), tag("dd", _inline(each))]) for slug, each in slugs.items())
    listed = tag("dl", *meanings) if slugs else text("")
    return tag("details", tag("summary", f"{len(slugs)} slugs"), listed) if len(slugs) > _FEW else listed


def _content(content: Mapping[str, Any]) -> Markup:
    schema = content.get("schema", {})
    examples = (_example(name, each) for name, each in content.get("examples", {}).items())
    return join([tag("p", schema_links(schema)), *examples])


def _example(name: str, example: Mapping[str, Any]) -> Markup:
    value = example.get("value")
    shown = value if isinstance(value, str) else msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return tag("details", tag("summary", example.get("summary", name)), tag("pre", _lines(shown)))


def _lines(shown: str) -> Markup:
    return Markup("\n".join(text(line) for line in shown.splitlines()))


# ------------------------------------------------------------------------------------------------ schemas


def _schemas(document: Document) -> Iterator[Markup]:
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield tag("section", tag("h2", name), _schema(schema), id=f"schema-{name}")


def _schema(schema: Mapping[str, Any]) -> Markup:
    needed = set(schema.get("required", ()))
    rows = [
        tag(
            "tr", tag("th", tag("code", name), scope="row"), tag("td", schema_links(each)),
            tag("td", "required" if name in needed else ""), tag("td", _inline(each.get("description", ""))),
        )
        for name, each in schema.get("properties", {}).items()
    ]  # fmt: skip
    table = tag("table", *rows) if rows else tag("p", schema_links(schema))
    examples = (_example("An example", {"value": each}) for each in schema.get("examples", ()))
    return join([_prose(schema.get("description", "")), table, *examples])
