"""A replay as one HTML file that opens from disk: the page, its data, and the record, which can be verified."""

import base64
import hashlib
import zlib
from importlib.resources import files
from typing import Any

import msgspec

from ledger.audience import EVERYTHING, Viewer
from replays.exports import jsonl
from replays.exports.documents import chances
from replays.exports.recap import recap
from replays.exports.recap.turning_points import RUNS
from replays.exports.report.markup import text
from replays.exports.theatre.model import Outline, ReplaySteps
from replays.exports.theatre.outline import outline
from replays.exports.theatre.saved_reasons import SavedReasons, saved_reasons
from replays.exports.theatre.steps import steps
from replays.sessions.log import Log
from replays.views.seat_log import seen_log
from replays.web import BUNDLE

PAGE = 100
"""Entries on a page of the data; each page begins with the whole state."""
_NOTHING_ELSE = "base-uri 'none'; form-action 'none'"
_TAG = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""What could end the element that the data is in, as JSON writes it otherwise."""


class SavedFight(msgspec.Struct, frozen=True):
    """The data of a saved replay."""

    seat: str
    name: str
    """The player's name; empty for other seats."""
    outline: Outline
    pages: tuple[ReplaySteps, ...]
    reasons: SavedReasons
    recap: Any
    """The recap as over HTTP, with chances as numbers."""
    record: str
    """The seat's export as JSON lines: compressed by deflate, in base64."""
    chances: dict[str, Any] = {}
    """Estimates of who is standing at the end, by entry; the page adds those that it has shown."""


def saved_page(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm", runs: int = RUNS, name: str = "") -> bytes:
    """Returns a session as an HTML file that replays it.

    Args:
        log: The session's log.
        eyes: The viewer; nothing hidden from them is in the file.
        seat: The seat's name.
        runs: Runs of the rules for the recap's turning points.
        name: The player's name; empty for other seats.
    """
    fight = saved_fight(log, eyes, seat, runs, name)
    data = msgspec.json.encode(fight).decode().translate(_TAG)
    script, style = _file(BUNDLE, "theatre.js"), _file("style.css")
    policy = f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; {_NOTHING_ELSE}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(fight.outline.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<div id="page"></div>\n<noscript><p>This replay needs JavaScript.</p></noscript>\n'
        f'<script type="application/json" id="fight">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    ).encode()


def saved_fight(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm", runs: int = RUNS, name: str = "") -> SavedFight:
    """Returns the data of a saved replay; see `saved_page`."""
    seen = seen_log(log, eyes)
    whole = outline(seen, eyes)
    pages = tuple(steps(seen, after, PAGE, eyes) for after in range(0, log.last, PAGE))
    lines = b"".join(line + b"\n" for line in jsonl.export(log, eyes, seat))
    record = base64.b64encode(zlib.compress(lines, 9)).decode()
    return SavedFight(
        seat, name, whole, pages, saved_reasons(seen, eyes, whole, pages), chances(recap(seen, eyes, runs)), record
    )


def _file(*path: str) -> str:
    return files("replays.web").joinpath(*path).read_text("utf-8")


def _digest(inline: str) -> str:
    """Returns the digest by which a policy names what stands inline."""
    return f"sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}"
