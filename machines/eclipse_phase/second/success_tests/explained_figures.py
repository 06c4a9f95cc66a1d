"""Rewords derivations of figures whose recorded text omits a part. The log keeps its text."""

import re

from ledger.events import FigureFound, Json

_THRESHOLD = re.compile(r"(\d+ (?:damage|stress))(, (?:Wound|Trauma) Threshold [1-9]\d*)")


def reword(rules: Json, found: FigureFound) -> str:
    """Returns the derivation of a figure in words: by some profiles a threshold must be exceeded.

    Args:
        rules: The profile as the session recorded it.
        found: The figure as recorded.

    Source: EP2 12/16 Wounds; Ruling: EP2-C9
    """
    if found.name not in ("wounds", "traumas") or rules.get("wounded_at") != "exceeded":
        return found.why
    return _THRESHOLD.sub(r"\1 -1\2, which must be exceeded", found.why)
