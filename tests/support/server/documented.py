"""The documents of the interface, made in this process, and validators of their schemas."""

from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import jsonschema_rs

from replays.server.app import create
from replays.server.runtime.settings import Settings


@cache
def openapi() -> Mapping[str, Any]:
    """Returns the OpenAPI document."""
    settings = Settings(ledger="memory://", keys=("k" * 48,))
    document = create(cast(Any, SimpleNamespace(settings=settings))).openapi_schema.to_schema()
    return cast(Mapping[str, Any], document)


@cache
def validator(name: str) -> Any:
    """Returns a validator of one of the document's schemas."""
    schemas = openapi()["components"]["schemas"]
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return jsonschema_rs.Draft202012Validator(whole)


def wrong(name: str, value: Any) -> list[str]:
    """Returns what is wrong with a value according to one of the document's schemas."""
    return [f"{each.instance_path}: {each.message[:300]}" for each in validator(name).iter_errors(value)]
