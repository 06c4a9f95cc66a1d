"""Checks that what a server refused is listed in the OpenAPI document, at its operation, with its status and slug.

`Served.stop` calls this for every server of every test: the log of a server has the slug of each refused request.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache

from server.documented import openapi

from replays.server.http.refusal_slugs import FIELD

Refusal = tuple[str, str, int, str]
"""Method, route, status and slug."""
GONE = 499
"""The status in the log where the client had gone before it could be refused."""
ANYWHERE = {
    404: {"request/no-such-route"}, 405: {"request/method"}, 429: {"server/too-often"},
    503: {"server/too-much", "server/too-slow", "server/ending"}, 408: {"request/too-slow"},
    400: {"request/invalid"}, 413: {"server/too-long"},
}  # fmt: skip
"""What is refused before the operation is known, and by routes that are not in the document."""


@cache
def listed() -> Mapping[tuple[str, str], Mapping[int, frozenset[str]]]:
    """Returns the slugs of each operation by status."""
    return {
        (method.upper(), path): {
            int(status): frozenset(answer.get(FIELD, ())) for status, answer in operation["responses"].items()
        }
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
    }


def refusals(log: str) -> Iterator[Refusal]:
    """Yields what was refused, from the lines of a server's log."""
    for line in log.splitlines():
        if line.startswith("{") and '"slug"' in line and '"route"' in line:
            told = json.loads(line)
            if told["status"] != GONE and told["method"] != "WEBSOCKET":
                yield told["method"], told["route"], told["status"], told["slug"]


def unlisted(log: str) -> set[Refusal]:
    """Returns what was refused and is not listed."""
    return {refusal for refusal in set(refusals(log)) if not _is_listed(*refusal)}


def _is_listed(method: str, route: str, status: int, slug: str) -> bool:
    operation = listed().get(("GET" if method == "HEAD" else method, route))
    if operation is None or slug == "request/method":
        return slug in ANYWHERE.get(status, ())
    return slug in operation.get(status, ())
