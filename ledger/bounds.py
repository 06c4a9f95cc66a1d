"""How long a text, how large a figure and how big an object of a command may be, by kind.

Each kind states its bound as JSON Schema and nothing more: decoding does not enforce it, so that a log written before
there were bounds stays readable. `ledger.asking` reads the same statement and enforces it where a command is asked for.
"""

import re
from typing import Annotated

import msgspec

from ledger.errors import BadSessionId
from ledger.events import Json

VISIBLE = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"
"""No control characters, and none that turns the direction of the text around it."""

Id = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 100, "pattern": VISIBLE})]
"""Of a combatant, a ruleset, a profile; a kind, a unit, a ruling."""
Title = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 200, "pattern": VISIBLE})]
"""Of a session; the name of a person or a combatant."""
Key = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 500, "pattern": VISIBLE})]
"""Of a roll or an exchange; an option or a figure, which may have a weapon's name in it."""
Words = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 4_000})]
"""A reason, a claim, a source."""
LongText = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 20_000})]
"""A note."""
Nonce = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 128})]
"""A player's share of the dice's seed, and the name it is given under."""

Figure = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**5), "maximum": 10**5})]
"""The gamemaster's modifier, or what a figure is to be: damage, a target, wounds."""
Amount = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**6), "maximum": 10**6})]
"""Time that passes; a face."""
Number = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": -(10**9), "maximum": 10**9})]
"""An entry's; a part's; any number in an object, of which the ruleset says more."""

Faces = Annotated[tuple[Amount, ...], msgspec.Meta(extra_json_schema={"maxItems": 1_000})]
Origins = Annotated[tuple[Id, ...], msgspec.Meta(extra_json_schema={"maxItems": 1_000})]
"""Where each face came from."""
Parts = Annotated[tuple[Number, ...], msgspec.Meta(extra_json_schema={"maxItems": 10_000})]
Viewers = Annotated[tuple[Id, ...], msgspec.Meta(extra_json_schema={"maxItems": 200})] | None
"""An audience; see `ledger.audience`."""
Agreements = Annotated[dict[Id, Id], msgspec.Meta(extra_json_schema={"maxProperties": 50})]
"""A table's policies."""

Counts = Annotated[dict[Id, Amount], msgspec.Meta(extra_json_schema={"maxProperties": 10})]
"""What was counted of dice that lie, by what it is called."""

BYTES, DEPTH = "x-maxBytes", "x-maxDepth"
"""The bounds of an object: the size of its canonical JSON, and how many levels are nested in it."""
Object = Annotated[Json, msgspec.Meta(extra_json_schema={BYTES: 100_000, DEPTH: 20})]
"""A sheet, the terms of a declaration, a situation, a profile's options. Its keys are bounded as titles, its texts as
long texts, its numbers as numbers."""
Change = Annotated[Json, msgspec.Meta(extra_json_schema={BYTES: 200_000, DEPTH: 30})]
"""Of an amendment: it may have a whole sheet in it."""

_SESSION_ID = re.compile(r"(?!_)\w[\w.~-]{0,127}")


def check_session_id(session: str) -> None:
    """Refuse an id under which a session could not be addressed everywhere: in a path, a URL, on a screen.

    Raises:
        BadSessionId: It is empty, too long, or has blanks, slashes, control or direction-changing characters.
    """
    if not isinstance(session, str) or not _SESSION_ID.fullmatch(session):
        accepts = "up to 128 letters, digits, - _ . ~, beginning with a letter or a digit"
        raise BadSessionId(f"{str(session)[:40]!r} is no session's id", where="session", accepts=accepts)
