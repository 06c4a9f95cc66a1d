"""What figures are made of, where what is recorded leaves a part out: in the words of explanations, not in the log."""

import re
from collections.abc import Callable, Mapping

from ledger.events import FigureFound, Json
from machines.shadowrun_4e.harm.damage import ARMOR
from machines.shadowrun_4e.magic.drain import DRAIN

_HALF = re.compile(r"half of Force (\d+)((?: [+-]\d+(?: for spells at once)?)*)")
_TWICE = re.compile(r"twice the spirit's (\d+) hits")
_HALVED = re.compile(r"(.*?)( \+ nonconductive \d+)(.*), AP -half")


def reword(_: Json, found: FigureFound) -> str:
    """Returns what a figure is made of.

    Args:
        _: The profile's row.
        found: The figure, as it is recorded.
    """
    tell = _RETOLD.get(found.name)
    return tell(found) if tell is not None else found.why


def _drain(found: FigureFound) -> str:
    """Drain is 1 at the least, that of summoning 2.

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
    """What does not conduct is not halved.

    Source: SR4 154 Electricity Damage
    """
    return _HALVED.sub(r"\1\3, AP -half\2", found.why)


_RETOLD: Mapping[str, Callable[[FigureFound], str]] = {DRAIN.name: _drain, ARMOR.name: _armor}
