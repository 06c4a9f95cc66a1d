"""Parses printed formulas into typed values: damage codes, armor penetration, range bands."""

import re
from collections.abc import Mapping

import msgspec

from ledger.text_cache import remembered
from machines.contract.refusals import BadTerms

DAMAGE = (
    r"^(?:\((?:STR|BOD|CHA)(?:/2)?(?: ?\+ ?[0-9]{1,2})?\)|\(STR Min\. ?\+ ?[0-9]{1,2}\)|[0-9]{1,3})[PS](?:\([ef]\))?$"
)
"""The pattern of damage codes, which the sheet's schema publishes."""
AP = r"^([+-]?[0-9]{1,2}|-half)$"
HALF = "-half"
_DAMAGE = re.compile(r"(?:\((STR Min\.|STR|BOD|CHA)(/2)?(?: ?\+ ?([0-9]{1,9}))?\)|([0-9]{1,9}))([PS])(?:\(([ef])\))?")
_BAND = re.compile(r"(\*?)(?:(\d{1,9})-|To )(?:(\d{1,9})|STR(?: x (\d{1,9}))?)")
ATTRIBUTES: Mapping[str, str] = {"STR": "strength", "BOD": "body", "CHA": "charisma", "STR Min.": "strength_minimum"}
"""The attribute for each printed word; that of a bow is the Strength it is made for."""


class DamageCode(msgspec.Struct, frozen=True):
    """A damage code, such as ``(STR/2 + 3)P``."""

    attribute: str = ""
    """The attribute in it; empty for a plain number."""
    halved: bool = False
    add: int = 0
    physical: bool = True
    electric: bool = False
    flechette: bool = False

    def value(self, attribute: int) -> int:
        """Returns the Damage Value; halves are rounded up.

        Source: SR4S Melee Weapons Table

        >>> parse_damage("(STR/2 + 3)P").value(5)
        6
        """
        return (half(attribute) if self.halved else attribute) + self.add


class Band(msgspec.Struct, frozen=True):
    """One band of a weapon's range."""

    low: int | None
    """Meters; None if it begins where the previous band ends."""
    high: int
    """Meters, or the multiplier of Strength."""
    strength: bool = False
    minimum: bool = False
    """Whether anything nearer is out of range."""

    def upto(self, strength: int) -> int:
        """Returns its far end in meters."""
        return self.high * strength if self.strength else self.high


def half(value: int) -> int:
    """Returns half of a value, rounded up.

    Source: SR4 148 Damage Values

    >>> half(5), half(4)
    (3, 2)
    """
    return -(-value // 2)


@remembered(1024)
def parse_damage(code: str) -> DamageCode:
    """Parses a damage code.

    Args:
        code: Such as ``(STR/2 + 3)P``, ``6S(e)``, ``12P(f)``, ``(STR Min. +2)P``.

    Raises:
        BadTerms: It is not a damage code.

    >>> parse_damage("12P(f)")
    DamageCode(attribute='', halved=False, add=12, physical=True, electric=False, flechette=True)
    """
    match = _DAMAGE.fullmatch(code)
    if match is None:
        raise BadTerms(f"{code!r} is no damage code", where="damage", accepts="such as (STR/2 + 3)P, 6S(e), 12P(f)")
    word, halved, more, number, kind, element = match.groups()
    return DamageCode(
        ATTRIBUTES.get(word or "", ""),
        bool(halved),
        int(more or number or 0),
        kind == "P",
        element == "e",
        element == "f",
    )


def penetrated(armor: int, ap: str) -> int:
    """Returns an armor rating after armor penetration: signed, or half of it rounded up; never below 0.

    Source: SR4S Combat Sequence 4B, SR4 154 Electricity Damage

    >>> penetrated(5, "-2"), penetrated(5, "+2"), penetrated(5, "-half"), penetrated(1, "-4")
    (3, 7, 3, 0)
    """
    return half(armor) if ap == HALF else max(0, armor + int(ap or 0))


def is_used_up(armor: int, ap: str) -> bool:
    """Returns whether armor penetration exceeds the armor.

    >>> is_used_up(1, "-4"), is_used_up(4, "-4"), is_used_up(1, "-half")
    (True, False, False)
    """
    return ap not in ("", HALF) and armor + int(ap) < 0


@remembered(256)
def parse_band(text: str) -> Band:
    """Parses a band of the Weapon Range Table.

    Raises:
        BadTerms: It is not a range band.

    >>> parse_band("To STR x 10")
    Band(low=None, high=10, strength=True, minimum=False)
    """
    match = _BAND.fullmatch(text.replace(",", ""))
    if match is None:
        raise BadTerms(f"{text!r} is no range", where="range", accepts="such as 6-15, To STR x 10, *5-50")
    star, low, high, times = match.groups()
    if high is not None:
        return Band(None if low is None else int(low), int(high), minimum=bool(star))
    return Band(None if low is None else int(low), int(times or 1), strength=True)
