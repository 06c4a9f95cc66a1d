"""Completes the explanations of figures whose recorded words omit a part; the log stays unchanged."""

import re
from collections.abc import Callable, Mapping

from ledger.events import FigureFound, Json
from machines.shadowrun_4e.harm.damage import ARMOR
from machines.shadowrun_4e.magic.drain import DRAIN

_HALF = re.compile(r"half of Force (\d+)((?: [+-]\d+(?: for spells at once)?)*)")
_TWICE = re.compile(r"twice the spirit's (\d+) hits")
_HALVED = re.compile(r"(.*?)( \+ nonconductive \d+)(.*), AP -half")


def reword(_: Json, found: FigureFound) -> str:
    """Returns the explanation of a figure.

    Args:
        _: The profile's row.
        found: The recorded figure.
    """
    explain = _EXPLAINED.get(found.name)
    return explain(found) if explain is not None else found.why


def _drain(found: FigureFound) -> str:
    """Adds the minimum of Drain: 1, or 2 for summoning.

    Source: SR4 173 Drain, 179 Summoning
    """
    half, twice = _HALF.fullmatch(found.why), _TWICE.fullmatch(found.why)
    if half is not None:
        least, sum_of = 1, int(half[1]) // 2 + sum(map(int, re.findall(r"[+-]\d+", half[2])))
    elif twice is not None:
        least, sum_of = 2, 2 * int(twice[1])
    else:
        return found.why
    return f"{found.why}, at least {least}" if sum_of < least else found.why


def _armor(found: FigureFound) -> str:
    """Moves nonconductive armor behind the halving, which does not apply to it.

    Source: SR4 154 Electricity Damage
    """
    return _HALVED.sub(r"\1\3, AP -half\2", found.why)


_EXPLAINED: Mapping[str, Callable[[FigureFound], str]] = {DRAIN.name: _drain, ARMOR.name: _armor}
