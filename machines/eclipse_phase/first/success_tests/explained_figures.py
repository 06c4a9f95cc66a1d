"""What figures are made of, where what is recorded leaves a part out: in the words of explanations, not in the log."""

import re

from ledger.events import FigureFound, Json

_PIERCED = re.compile(r"(\w+ armor \d+), AP (-?[1-9]\d*)")
_LEFT = re.compile(r"Durability (-?\d+) less damage taken")


def reword(rules: Json, found: FigureFound) -> str:
    """Returns what a figure is made of.

    Armor Penetration halves armor, where the profile says so; of Durability it was recorded what damage had left of it.

    Args:
        rules: The profile's row, as the session recorded it.
        found: The figure, as it is recorded.

    Source: EP1 195 Armor Penetration, 204 Shock Attacks
    """
    if found.name == "base":
        return _LEFT.sub(r"Durability after damage \1", found.why)
    if found.name != "armor" or rules.get("armor_piercing") != "halve":
        return found.why
    return _PIERCED.sub(r"half of \1, rounded up (AP \2)", found.why)
