"""The types of command fields, with the bounds of each: length of a text, size of a number, bytes of an object.

Each type states its bound as JSON Schema. Decoding does not enforce it, so that a log written before there were bounds
stays readable; `ledger.requests.command_checks` enforces the same bounds on new commands.
"""

import re
from typing import Annotated

import msgspec

from ledger.errors import BadSessionId
from ledger.events import Json

VISIBLE = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"
"""A pattern without control characters and without characters that change the direction of the text around them."""

Id = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 100, "pattern": VISIBLE})]
"""Id of a combatant, a ruleset or a profile; a kind, a unit, a ruling."""
Title = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 200, "pattern": VISIBLE})]
"""Title of a session; name of a person or a combatant."""
Key = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 500, "pattern": VISIBLE})]
"""Key of a roll or an exchange; an option or a figure, which may contain the name of a weapon."""
Words = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 4_000})]
"""A reason, a claim, a source."""
LongText = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 20_000})]
"""A note."""
Nonce = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 128})]
"""A player's contribution to the dice's seed, and the name it is given under."""

Figure = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**5), "maximum": 10**5})]
"""The gamemaster's modifier, or the new value of a figure: damage, a target, wounds."""
Amount = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**6), "maximum": 10**6})]
"""An amount of time; a face."""
Number = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**9), "maximum": 10**9})]
"""Number of an entry or a part; any number in an object, which the ruleset restricts further."""

Faces = Annotated[tuple[Amount, ...], msgspec.Meta(extra_json_schema={"maxItems": 1_000})]
Origins = Annotated[tuple[Id, ...], msgspec.Meta(extra_json_schema={"maxItems": 1_000})]
"""The provenance of each face."""
Parts = Annotated[tuple[Number, ...], msgspec.Meta(extra_json_schema={"maxItems": 10_000})]
Viewers = Annotated[tuple[Id, ...], msgspec.Meta(extra_json_schema={"maxItems": 200})] | None
"""An audience; see `ledger.audience`."""
Agreements = Annotated[dict[Id, Id], msgspec.Meta(extra_json_schema={"maxProperties": 50})]
"""A table's policies."""

Counts = Annotated[dict[Id, Amount], msgspec.Meta(extra_json_schema={"maxProperties": 10})]
"""Counts of rolled dice, by name: ``total``, ``hits``, ``ones``, ``sixes``."""

BYTES, DEPTH = "x-maxBytes", "x-maxDepth"
"""The bounds of an object: the size of its canonical JSON, and how many levels are nested in it."""
Object = Annotated[Json, msgspec.Meta(extra_json_schema={BYTES: 100_000, DEPTH: 20})]
"""A sheet, the terms of a declaration, a situation, a profile's options. Its keys are bounded as titles, its texts as
long texts, its numbers as numbers."""
Change = Annotated[Json, msgspec.Meta(extra_json_schema={BYTES: 200_000, DEPTH: 30})]
"""The change of an amendment, which may contain a whole sheet."""

_SESSION_ID = re.compile(r"(?!_)\w[\w.~-]{0,127}")


def check_session_id(session: str) -> None:
    """Rejects a session id that could not be used everywhere: in a path, in a URL, on a screen.

    Raises:
        BadSessionId: The id is empty, too long, or has blanks, slashes, control or direction-changing characters.
    """
    if not isinstance(session, str) or not _SESSION_ID.fullmatch(session):
        accepts = "up to 128 letters, digits, - _ . ~, beginning with a letter or a digit"
        raise BadSessionId(f"{str(session)[:40]!r} is not a session id", where="session", accepts=accepts)
