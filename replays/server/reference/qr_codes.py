"""Draws QR codes as paths of SVG."""

from collections.abc import Iterator, Sequence

import msgspec
import segno

from ledger.errors import Refused

LONGEST = 2_953
"""Bytes of the largest code."""
_QUIET = 4
"""Light modules around a code, which scanners need."""


class TooLongForCode(Refused):
    """No QR code has room for the text."""

    slug = "qr/too-long"


class QrCode(msgspec.Struct, frozen=True):
    """A QR code as a drawing."""

    size: int
    """The width and the height in modules, with the quiet zone."""
    path: str
    """The dark modules as the path of an SVG whose view box is `0 0 size size`."""


def qr_code(text: str) -> QrCode:
    """Returns the QR code of a text, with as much error correction as its size allows.

    Raises:
        TooLongForCode: No code has room for it.
    """
    try:
        rows = segno.make_qr(text.encode(), error="l").matrix
    except segno.DataOverflowError as error:
        raise TooLongForCode("the text is too long", where="text", accepts=f"up to {LONGEST:,} bytes") from error
    return QrCode(len(rows) + 2 * _QUIET, "".join(_path(rows)))


def _path(rows: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yields a rectangle for each run of dark modules of a row."""
    for y, row in enumerate(rows, _QUIET):
        x = 0
        while x < len(row):
            end = next((place for place in range(x, len(row)) if not row[place]), len(row))
            if end > x:
                yield f"M{x + _QUIET} {y}h{end - x}v1h-{end - x}z"
            x = max(end, x + 1)
