"""Terms that move a number: records what is assumed if one is omitted, and rejects terms that contradict each other."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ledger.events import Event
from machines.contract.assumptions import assume, given
from machines.contract.refusals import BadTerms
from projections.exchange import Frame

ASSUMED: Mapping[str, tuple[str, ...]] = {
    "explosion": ("damage", "armor"),
    "extended": ("interval",),
    "perception": ("noticing",),
    "knowledge": ("knowledge",),
    "search": ("difficulty", "area"),
    "build": ("interval",),
    "device": ("difficulty",),
    "sensor": ("threshold",),
    "drive": ("difficulty", "terrain"),
    "track": ("threshold",),
}
"""By kind: terms whose default is recorded if they are omitted, since it decides a number."""
REPLACED: Mapping[tuple[str, str], str] = {
    ("explosion", "damage"): "grenade",
    ("explosion", "armor"): "grenade",
    ("sensor", "threshold"): "against",
    ("drive", "difficulty"): "against",
    ("drive", "terrain"): "against",
}
"""By (kind, term): another term that replaces it, so that nothing is assumed."""


def assumed(now: Frame, terms: object, source: str) -> Iterator[Event]:
    """Yields a figure for each omitted term of a declaration whose default decides a number.

    Args:
        now: The declaration.
        terms: Its terms, with defaults.
        source: Where the rule is printed.
    """
    declared = given(now)
    for field in ASSUMED.get(now.kind, ()):
        if field not in declared and REPLACED.get((now.kind, field), "") not in declared:
            yield assume(now.key, field, str(getattr(terms, field)), source)


class Contradiction(NamedTuple):
    """A term that would be ignored beside another one, or without it."""

    field: str
    default: Any
    other: str
    problem: str
    needs: bool = False
    """Whether it is ignored without the other term, rather than beside it."""


_OPPOSED, _CALLED, _OWN = "an opponent's hits are the threshold", "no shot is called", "the grenade has its own figures"
CONTRADICTIONS: Mapping[str, tuple[Contradiction, ...]] = {
    "attack": (
        Contradiction("called_for", 1, "called", _CALLED, needs=True),
        Contradiction("spot", "", "called", _CALLED, needs=True),
    ),
    "cast": (
        Contradiction("threshold", 0, "at", "the spell has targets"),
        Contradiction("threshold", 0, "object_resistance", "the object has a threshold"),
    ),
    "explosion": (
        Contradiction("damage", "6P", "grenade", _OWN),
        Contradiction("ap", "", "grenade", _OWN),
        Contradiction("armor", "impact", "grenade", _OWN),
        Contradiction("falloff", 0, "grenade", _OWN),
        Contradiction("radius", 0, "grenade", _OWN),
    ),
    "test": (
        Contradiction("threshold", None, "difficulty", "the difficulty has a threshold"),
        Contradiction("threshold", None, "against", _OPPOSED),
        Contradiction("difficulty", "", "against", _OPPOSED),
        Contradiction("second", "", "skill", "a skill is used with one attribute"),
        Contradiction("their_skill", "", "against", "there is no opponent", needs=True),
        Contradiction("their_attribute", "", "against", "there is no opponent", needs=True),
    ),
    "sensor": (Contradiction("threshold", 1, "against", _OPPOSED),),
    "drive": (
        Contradiction("handling", 0, "vehicle", "the vehicle has its own handling"),
        Contradiction("difficulty", "average", "against", _OPPOSED),
        Contradiction("terrain", "open", "against", _OPPOSED),
    ),
    "signal": (Contradiction("signal", None, "at", "the other combatant has a Signal rating"),),
}
"""By kind: terms that would be ignored beside another one, or without it."""


def check_terms(kind: str, terms: Any) -> None:
    """Rejects a term that would be ignored.

    Raises:
        BadTerms: It names the term.
    """
    for each in CONTRADICTIONS.get(kind, ()):
        if getattr(terms, each.field) != each.default and bool(getattr(terms, each.other)) != each.needs:
            accepts = f"{each.other} as well" if each.needs else f"{each.field}, or {each.other}"
            raise BadTerms(f"{each.problem}: {each.field} would be ignored", where=each.field, accepts=accepts)
