"""The key of a rest: which roll or choice of which action this is.

``r1/assassin/a1/attack/to-hit`` reads: in round 1, the assassin's first attack, the roll to hit. A key is the roll's
id, the draw's key, the name under which an answer is found again, and the argument of ``affray why``. It never names
target, weapon or sequence number, so it stays the same when one of those is corrected.
"""

import re
from collections.abc import Iterable

_PERIOD = re.compile(r"(?:c(\d+))?r(\d+)")


def period(combat: int, turn: int) -> str:
    """The first part of a key: the round, and the combat where a session has several.

    >>> period(1, 3), period(2, 1)
    ('r3', 'c2r1')
    """
    return f"r{turn}" if combat <= 1 else f"c{combat}r{turn}"


def moment_of(text: str) -> tuple[int, int] | None:
    """A period read back: (combat, round); None where the text is none.

    >>> moment_of("r3"), moment_of("c2r1"), moment_of("standing up")
    ((1, 3), (2, 1), None)
    """
    match = _PERIOD.fullmatch(text)
    return (int(match[1] or 1), int(match[2])) if match else None


_ACT = "act"
"""How the role of a choice what to do begins, in every game."""
_ACTING = re.compile(rf"(.*/{_ACT}\d*)(?:/\d+)?")


def acting(of: str, nth: int, in_pass: int | None = None) -> str:
    """The key of a choice what to do.

    Args:
        of: The turn's, or that of a part of it.
        nth: Which of the turn's acts it is for.
        in_pass: The pass, in games whose keys name it here.

    >>> acting("r1/ann/p1", 3), acting("r1/razor", 1, 1)
    ('r1/ann/p1/act/3', 'r1/razor/act1')
    """
    return role(of, f"{_ACT}{'' if in_pass is None else in_pass}", nth)


def moment_of_acting(key: str) -> str:
    """Of a choice what to do: somebody's moment, whichever of their acts it is; empty for any other key.

    >>> moment_of_acting("r1/ann/p1/act/3"), moment_of_acting("r1/razor/act1"), moment_of_acting("r1/ann/to-hit")
    ('r1/ann/p1/act', 'r1/razor/act1', '')
    """
    match = _ACTING.fullmatch(key)
    return match[1] if match else ""


def action(within: str, who: str, nth: int, chart: str) -> str:
    """The key of somebody's n-th action of one kind in a period; its rolls' keys begin with it.

    >>> action("r1", "assassin", 1, "attack")
    'r1/assassin/a1/attack'
    """
    return f"{within}/{who}/a{nth}/{chart}"


def role(of: str, name: str, nth: int = 1) -> str:
    """The key of one roll or choice within something.

    >>> role("r1/assassin/a1/attack", "damage", 2)
    'r1/assassin/a1/attack/damage/2'
    """
    return f"{of}/{name}" if nth == 1 else f"{of}/{name}/{nth}"


UNSEEN = "unseen-"
"""How the id of a combatant who joined in secret begins; it tells nothing of them."""


def is_meant(short: str, key: str, by: str) -> bool:
    """Does this shorthand fit that roll or choice?

    Accepted are the key, any suffix of it, the roller's id, the id with a suffix. The empty one fits none.

    >>> is_meant("stoya/defend", "r1/assassin/a1/attack/defend", "stoya")
    True
    """
    if not short:
        return False
    if short in (key, by) or key.endswith("/" + short):
        return True
    who, slash, suffix = short.partition("/")
    return bool(slash) and who == by and key.endswith("/" + suffix)


def declarer(key: str) -> str:
    """Returns the id of the combatant whose action a roll or choice belongs to; empty where the key names none.

    >>> declarer("r1/assassin/a1/attack/defend"), declarer("initiative")
    ('assassin', '')
    """
    return key.split("/")[1] if "/" in key else ""


def meant(short: str, rolls: Iterable[tuple[str, str]]) -> list[str]:
    """The keys that a shorthand fits, of pairs (key, who rolls); an exact key fits alone."""
    fitting = [key for key, by in rolls if is_meant(short, key, by)]
    return [short] if short in fitting else fitting


def meant_of_all(short: str, rolls: Iterable[tuple[str, str]]) -> list[str]:
    """The same; where nobody of that id rolls such a thing, what others roll in the actions of whoever has it.

    >>> meant_of_all("ann/defend", [("r1/bob/a1/attack/defend", "ann"), ("r1/ann/a1/attack/defend", "bob")])
    ['r1/bob/a1/attack/defend']
    >>> meant_of_all("ann/defend", [("r1/ann/a1/attack/defend", "bob")])
    ['r1/ann/a1/attack/defend']
    """
    known = list(rolls)
    return meant(short, known) or meant(short, ((key, declarer(key)) for key, _ in known))
