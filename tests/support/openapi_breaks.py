"""Finds what of an OpenAPI document breaks callers who were written against an older one.

    python tests/support/openapi_breaks.py

writes the document of today as the last released one; do this at a release, and empty the list of named changes.

A request may accept more and a response may promise more; the other direction breaks. Words for people (descriptions,
titles, examples) are not compared.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parents[1] / "fixtures/openapi"
RELEASED, NAMED = FOLDER / "released.json", FOLDER / "named_changes.toml"
WORDS = ("description", "summary", "title", "example", "examples", "externalDocs", "tags")
LOWER, UPPER = (
    ("minimum", "exclusiveMinimum", "minLength", "minItems"),
    ("maximum", "exclusiveMaximum", "maxLength", "maxItems"),
)
Json = Mapping[str, Any]


def breaks(old: Json, new: Json) -> Iterator[str]:
    """Yields each change that breaks callers, as its place and what happened there, each once."""
    yield from dict.fromkeys(Comparison(old, new).document())


class Comparison:
    """Two documents, the older one first."""

    def __init__(self, old: Json, new: Json) -> None:
        self.old, self.new, self.known = old, new, set[tuple[str, str, bool]]()

    def document(self) -> Iterator[str]:
        """Yields what breaks in paths and named schemas."""
        for path, methods in self.old["paths"].items():
            for method, operation in methods.items():
                place, now = f"{method.upper()} {path}", self.new["paths"].get(path, {}).get(method)
                yield from [f"{place}: removed"] if now is None else self.operation(place, operation, now)
        schemas = [each.get("components", {}).get("schemas", {}) for each in (self.old, self.new)]
        for name in schemas[0]:
            reference = {"$ref": f"#/components/schemas/{name}"}
            if name not in schemas[1]:
                yield f"schema {name}: removed"
            elif not any((*[reference["$ref"]] * 2, is_request) in self.known for is_request in (True, False)):
                yield from self.schema("", reference, reference, is_request=False)  # such as what a feed sends

    def operation(self, place: str, old: Json, new: Json) -> Iterator[str]:
        """Yields what breaks in an operation."""
        was, now = ({(each["in"], each["name"]): each for each in one.get("parameters", ())} for one in (old, new))
        for key in {**was, **now}:
            at = f"{place}, {key[0]} {key[1]}"
            if key not in now:
                yield f"{at}: removed"
            elif now[key].get("required") and not was.get(key, {}).get("required"):
                yield f"{at}: required"
            elif key in was:
                yield from self.schema(at, was[key].get("schema", {}), now[key].get("schema", {}), is_request=True)
        bodies = old.get("requestBody"), new.get("requestBody")
        if bodies[1] is not None and bodies[1].get("required") and not (bodies[0] or {}).get("required"):
            yield f"{place}, request: required"
        if bodies[0] is not None:
            yield from self.contents(f"{place}, request", bodies[0], bodies[1] or {}, is_request=True)
        for status, response in old.get("responses", {}).items():
            answered = new.get("responses", {}).get(status)
            if answered is not None:
                yield from self.contents(f"{place}, {status}", response, answered, is_request=False)
            elif status.startswith("2"):
                yield f"{place}, {status}: removed"

    def contents(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[str]:
        """Yields what breaks in the media types of a body."""
        for kind, media in old.get("content", {}).items():
            if kind not in new.get("content", {}):
                yield f"{place} {kind}: removed"
            else:
                now = new["content"][kind].get("schema", {})
                yield from self.schema(f"{place} {kind}", media.get("schema", {}), now, is_request=is_request)

    def schema(self, place: str, old: Any, new: Any, *, is_request: bool) -> Iterator[str]:
        """Yields what breaks in a schema; a pair of named schemas is compared once, under their name."""
        if isinstance(old, bool) or isinstance(new, bool):
            if old != new and (new is False) is is_request and bool in (type(old), type(new)):
                yield f"{place}: {'narrowed' if is_request else 'widened'}"
            return
        names = old.get("$ref", ""), new.get("$ref", "")
        if all(names):
            if (*names, is_request) in self.known:
                return
            self.known.add((*names, is_request))
            place = f"{'request' if is_request else 'response'} schema {names[0].rpartition('/')[2]}"
        old, new = resolved(self.old, old), resolved(self.new, new)
        yield from self.values(place, old, new, is_request=is_request)
        yield from self.fields(place, old, new, is_request=is_request)
        for word in ("items", "additionalProperties"):
            if word in old or word in new:
                yield from self.schema(f"{place}[]", old.get(word, True), new.get(word, True), is_request=is_request)
        for word in ("oneOf", "anyOf", "allOf"):
            was, now = ({kind(each): each for each in one.get(word, ())} for one in (old, new))
            lost = (was.keys() - now.keys()) if is_request is (word != "allOf") else (now.keys() - was.keys())
            if was or now:
                yield from (f"{place}, {word} {each}: {'removed' if is_request else 'added'}" for each in sorted(lost))
            for each in was.keys() & now.keys():
                yield from self.schema(f"{place}, {word} {each}", was[each], now[each], is_request=is_request)

    def values(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[str]:
        """Yields types, values and bounds that a request no longer accepts, or that a response did not have."""
        word, (wide, narrow) = ("narrowed", (old, new)) if is_request else ("widened", (new, old))
        for what, read in (("type", types), ("enum", constants)):
            more, fewer = read(wide), read(narrow)
            if fewer is not None and (more is None or more - fewer):
                left = "" if more is None else f" by {', '.join(sorted(more - fewer))}"
                yield f"{place}: {what} {word}{left}"
        for bounds, sign in ((LOWER, 1), (UPPER, -1)):
            for bound in bounds:
                if bound in narrow and (bound not in wide or sign * narrow[bound] > sign * wide[bound]):
                    yield f"{place}: {bound} {word}"
        for bound in ("pattern", "format"):
            if bound in narrow and narrow[bound] != wide.get(bound):
                yield f"{place}: {bound} {word}"

    def fields(self, place: str, old: Json, new: Json, *, is_request: bool) -> Iterator[str]:
        """Yields fields that are gone, required of a caller, or no longer promised."""
        was, now = old.get("properties", {}), new.get("properties", {})
        yield from (f"{place}.{name}: removed" for name in was if name not in now)
        required = [set(each.get("required", ())) for each in (old, new)]
        changed = required[1] - required[0] if is_request else required[0] - required[1]
        word = "required" if is_request else "no longer always there"
        yield from (f"{place}.{name}: {word}" for name in sorted(changed) if name in now)
        for name in was.keys() & now.keys():
            yield from self.schema(f"{place}.{name}", was[name], now[name], is_request=is_request)


def resolved(document: Json, schema: Json) -> Json:
    """Returns the schema that a reference names."""
    while "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part.replace("~1", "/").replace("~0", "~")]
        schema = found
    return schema


def types(schema: Json) -> set[str] | None:
    """Returns the types of a schema; None for any. An integer is a number, too."""
    found = schema.get("type")
    named = {found} if isinstance(found, str) else set(found) if found is not None else None
    return named | {"integer"} if named is not None and "number" in named else named


def constants(schema: Json) -> set[str] | None:
    """Returns the values of a schema that lists them; None for any."""
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return None if listed is None else {msgspec.json.encode(each).decode() for each in listed}


def kind(schema: Json) -> str:
    """Returns the name of an alternative: its reference, or its type with its values."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return name or " ".join([*sorted(types(schema) or {"any"}), *sorted(constants(schema) or ())])


def compact(value: Any, *, is_named: bool = False) -> Any:
    """Returns a document without words for people; `is_named` is a mapping whose keys are names."""
    if isinstance(value, list):
        return [compact(each) for each in value]
    if not isinstance(value, dict):
        return value
    named = ("properties", "schemas", "paths")
    return {key: compact(each, is_named=key in named) for key, each in value.items() if is_named or key not in WORDS}


def released() -> Json:
    """Returns the document of the last release."""
    found: Json = msgspec.json.decode(RELEASED.read_bytes())
    return found


def today(folder: Path) -> Json:
    """Returns the document that a server of today answers with."""
    from server.processes import served

    with served(folder, "--rate", "0") as server, server.client() as client:
        found: Json = compact(client.get("/schema/openapi.json").json())
    return found


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]
    with tempfile.TemporaryDirectory() as folder:
        document = {
            word: each
            for word, each in today(Path(folder)).items()
            if word in ("info", "openapi", "paths", "components")
        }
    RELEASED.write_bytes(msgspec.json.encode(document) + b"\n")
