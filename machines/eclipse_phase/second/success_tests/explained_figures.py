"""What figures are made of, where what is recorded leaves a part out: in the words of explanations, not in the log."""

import re

from ledger.events import FigureFound, Json

_THRESHOLD = re.compile(r"(\d+ (?:damage|stress))(, (?:Wound|Trauma) Threshold [1-9]\d*)")


def reword(rules: Json, found: FigureFound) -> str:
    """Returns what a figure is made of: a threshold may have to be exceeded, where the profile says so.

    Args:
        rules: The profile's row, as the session recorded it.
        found: The figure, as it is recorded.

    Source: EP2 12/16 Wounds; Ruling: EP2-C9
    """
    if found.name not in ("wounds", "traumas") or rules.get("wounded_at") != "exceeded":
        return found.why
    return _THRESHOLD.sub(r"\1 -1\2, which must be exceeded", found.why)
