"""Rewords derivations of figures whose recorded text omits a part. The log keeps its text."""

import re

from ledger.events import FigureFound, Json
from machines.eclipse_phase.family.edition import DEGREE
from machines.eclipse_phase.first.success_tests.success import in_words

_PIERCED = re.compile(r"(\w+ armor \d+), AP (-?[1-9]\d*)")
_MARGIN = re.compile(r"margin ([+-][0-9]+)")
_LEFT = re.compile(r"Durability (-?\d+) less damage taken")


def reword(rules: Json, found: FigureFound) -> str:
    """Returns the derivation of a figure in words.

    The text names a halving of armor by the profile, Durability after damage, and margins as the book does.

    Args:
        rules: The profile as the session recorded it.
        found: The figure as recorded.

    Source: EP1 195 Armor Penetration, 204 Shock Attacks
    """
    if found.name == "base":
        return _LEFT.sub(r"Durability after damage \1", found.why)
    if found.name == DEGREE.name:
        return _MARGIN.sub(lambda margin: in_words(int(margin[1])), found.why)
    if found.name != "armor" or rules.get("armor_piercing") != "halve":
        return found.why
    return _PIERCED.sub(r"half of \1, rounded up (AP \2)", found.why)
