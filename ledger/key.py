"""Keys: build and read the name of a roll or a choice.

``r1/assassin/a1/attack/to-hit`` reads: in round 1, the assassin's first attack, the roll to hit. A key identifies the
roll, determines its drawn dice, finds its recorded answer, and is the argument of ``affray why``. It never contains
the target, the weapon or a sequence number, so it stays the same when one of those is corrected.
"""

import re
from collections.abc import Iterable, Iterator

_PERIOD = re.compile(r"(?:c(\d+))?r(\d+)")


def period(combat: int, turn: int) -> str:
    """Returns the first part of a key: the round, preceded by the combat from the second one of a session on.

    >>> period(1, 3), period(2, 1)
    ('r3', 'c2r1')
    """
    return f"r{turn}" if combat <= 1 else f"c{combat}r{turn}"


def moment_of(text: str) -> tuple[int, int] | None:
    """Returns (combat, round) of a period; None if the text is not a period.

    >>> moment_of("r3"), moment_of("c2r1"), moment_of("standing up")
    ((1, 3), (2, 1), None)
    """
    match = _PERIOD.fullmatch(text)
    return (int(match[1] or 1), int(match[2])) if match else None


_ACT = "act"
"""The prefix of the role of a choice of the next action, in every game."""
_ACTING = re.compile(rf"(.*/{_ACT}\d*)(?:/\d+)?")


def acting(of: str, nth: int, in_pass: int | None = None) -> str:
    """Returns the key of a choice of the next action.

    Args:
        of: The key of the turn, or of a part of the turn.
        nth: The number of the action within the turn.
        in_pass: The pass, in games whose keys contain it here.

    >>> acting("r1/ann/p1", 3), acting("r1/razor", 1, 1)
    ('r1/ann/p1/act/3', 'r1/razor/act1')
    """
    return role(of, f"{_ACT}{'' if in_pass is None else in_pass}", nth)


def moment_of_acting(key: str) -> str:
    """Returns what the keys of all choices of an action in one turn have in common; empty for any other key.

    >>> moment_of_acting("r1/ann/p1/act/3"), moment_of_acting("r1/razor/act1"), moment_of_acting("r1/ann/to-hit")
    ('r1/ann/p1/act', 'r1/razor/act1', '')
    """
    match = _ACTING.fullmatch(key)
    return match[1] if match else ""


def action(within: str, who: str, nth: int, chart: str) -> str:
    """Returns the key of a combatant's n-th action of one kind in a period. The keys of its rolls begin with it.

    >>> action("r1", "assassin", 1, "attack")
    'r1/assassin/a1/attack'
    """
    return f"{within}/{who}/a{nth}/{chart}"


def role(of: str, name: str, nth: int = 1) -> str:
    """Returns the key of a roll or choice within an action.

    >>> role("r1/assassin/a1/attack", "damage", 2)
    'r1/assassin/a1/attack/damage/2'
    """
    return f"{of}/{name}" if nth == 1 else f"{of}/{name}/{nth}"


def role_of(key: str) -> str:
    """Returns the role of a roll or choice within its action.

    >>> role_of("r1/assassin/a1/attack/damage/2"), role_of("initiative")
    ('damage', 'initiative')
    """
    *_, before, last = ("", *key.split("/"))
    return before if last.isdecimal() else last


def around(key: str) -> Iterator[str]:
    """Yields the keys that a key lies within, the outermost first.

    >>> list(around("r1/ann/a1/attack"))
    ['r1', 'r1/ann', 'r1/ann/a1']
    """
    end = key.find("/")
    while end >= 0:
        yield key[:end]
        end = key.find("/", end + 1)


UNSEEN = "unseen-"
"""The prefix of the neutral id of a combatant who joined in secret."""


def is_meant(short: str, key: str, by: str) -> bool:
    """Returns whether a shorthand matches a roll or choice.

    A shorthand is the key, a suffix of the key, the roller's id, or the id with a suffix. An empty one matches nothing.

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
    """Returns the id of the combatant whose action a roll or choice belongs to; empty if the key names none.

    >>> declarer("r1/assassin/a1/attack/defend"), declarer("initiative")
    ('assassin', '')
    """
    return key.split("/")[1] if "/" in key else ""


def meant(short: str, rolls: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the keys that a shorthand matches, given pairs of (key, roller). An exact key matches alone."""
    fitting = [key for key, by in rolls if is_meant(short, key, by)]
    return [short] if short in fitting else fitting


def meant_of_all(short: str, rolls: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the keys that a shorthand matches by the roller's id, or else by the id of the combatant who acts.

    >>> meant_of_all("ann/defend", [("r1/bob/a1/attack/defend", "ann"), ("r1/ann/a1/attack/defend", "bob")])
    ['r1/bob/a1/attack/defend']
    >>> meant_of_all("ann/defend", [("r1/ann/a1/attack/defend", "bob")])
    ['r1/ann/a1/attack/defend']
    """
    known = list(rolls)
    return meant(short, known) or meant(short, ((key, declarer(key)) for key, _ in known))
