"""Evaluates the arithmetic in the reason of a figure: ``basic 5 +2 silver, x 3``.

The parts are in the order of evaluation; each names its operation, and may have a label. Rounding is left open
at each step, because the books round up in some places and down in others.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

N = r"(-?\d+)"
_CODE = r"(?:[^\s]*\d[^\s]*)"
_STEP = re.compile(
    r"(?<! is)(?<!against)(?<!margin)(?<!which)(?<!gamemaster's)(?: (?=[+-]\d)| (?=[+-] )|, | (?=less (?!for each)\D*\d))|: (?=\D)"
)
"""Separates the parts of a figure."""


class NotArithmetic(Exception):
    """The text cannot be read as a sum."""


class MissingNumber(Exception):
    """The sum begins with a number that the text lacks."""


def _number(text: str) -> Fraction:
    return Fraction(text.replace("+", ""))


_HEADS: tuple[tuple[str, Callable[..., Fraction]], ...] = (
    (rf"half of (?:{_CODE} is |\D*){N}\D*", lambda n: n / 2),
    (rf"twice \D*{N}\D*", lambda n: 2 * n),
    (rf"\D*{N} twice", lambda n: 2 * n),
    (r"([+-]?\d+) against ([+-]?\d+)", lambda one, other: one - other),
    (rf"{_CODE} is {N}(?: on the average)?", lambda n: n),
    (rf"\D+ {N} x {N}", lambda one, other: one * other),
    (rf"{N} x {N}(?:;.*)?", lambda one, other: one * other),
    (rf"{N} becomes {N}", lambda _, n: n),
    (rf"{N} % of {N} hours", lambda share, hours: share * hours * 60 / 100),
    (rf"{N} % of {N} minutes", lambda share, minutes: share * minutes / 100),
    (rf"{N} minutes and {N} for each of {N} wounds", lambda one, each, many: one + each * many),
    (rf"{N} (?:damage|stress)", lambda n: n),
    (rf"{N}(?: .*)?", lambda n: n),
    (rf"\D+ {N}(?: \D*)?", lambda n: n),
)
_WHOLE: tuple[tuple[str, Callable[..., Fraction]], ...] = (
    (rf"1 m for each {N} of the margin, {N}", lambda each, margin: margin / each),
    (rf"{N} x {N}, missed by \d+; .*", lambda one, other: one * other),
    (rf"{N} of {N} (?:damage|stress)", min),
)
_OPERATIONS: tuple[tuple[str, Callable[..., Fraction]], ...] = (
    (r"([+-]\d+)(?: .*)?", lambda so_far, n: so_far + n),
    (r"\+ (?:\D* )?(\d+)(?: \D*)?", lambda so_far, n: so_far + n),
    (r"- (?:\D* )?(\d+)(?: .*)?", lambda so_far, n: so_far - n),
    (rf"less (?:\D* )?{N}(?: .*)?", lambda so_far, n: so_far - n),
    (rf"{N} less for each of {N} net hits", lambda so_far, each, many: so_far - each * many),
    (rf"Sensor {N}", lambda so_far, n: so_far - n),
    (r"(?:\D* )?x (\d+(?:/\d+|\.\d+)?)", lambda so_far, n: so_far * n),
    (rf"divided by {N}", lambda so_far, n: so_far / n),
    (r"halved", lambda so_far: so_far / 2),
    (rf"the \D*{N} halved", lambda so_far, n: so_far - n / 2),
    (r"doubled\D*", lambda so_far: so_far * 2),
    (r"AP ([+-]?\d+)", lambda so_far, n: so_far + n),
    (r"AP -half", lambda so_far: so_far / 2),
    (rf"(?:at most|at the most) {N}(?: .*)?", min),
    (rf"at least {N}(?: .*)?", max),
    (rf"of {N} (?:damage|stress)", min),
    (rf"against \D* {N}", lambda _, n: n),
    (rf"(?:Wound|Trauma) Threshold {N}", lambda so_far, n: so_far / n if n else Fraction(0)),
    (r"(?:pool|handling|defaulting|defaulting on \D*|ware|\D* terrain) ([+-]\d+)", lambda so_far, n: so_far + n),
    (rf"(?:energy armor|shock-proof) {N}", lambda so_far, n: so_far + n),
)


def possible_results(text: str) -> set[Fraction]:
    """Returns the possible results of a sum, with every rounding of each step.

    Raises:
        NotArithmetic: A part names no operation.
        MissingNumber: It begins with a number that the text lacks.

    >>> possible_results("basic 3 +2 strong all-out attack +1 silver, x 2") == {12}
    True
    >>> 4 in possible_results("half of 7 +0"), possible_results("60 -30 -50 +0, of which -60 counts, pool +20") == {20}
    (True, True)
    """
    share = re.fullmatch(r"(\d+) of (\d+): (.*)", text)
    if share is not None:  # a pool that is split, or a label
        return {_number(share[1])} if _number(share[2]) in possible_results(share[3]) else set()
    whole = _read(_WHOLE, text, ())
    if whole is not None:
        return {whole}
    head, *rest = _parts(text)
    begun = _begin(head)
    so_far = {begun}
    for part in rest:
        counts = re.fullmatch(r"of which ([+-]\d+) counts?", part)
        known = {begun + _number(counts[1])} if counts else _all(so_far, part)
        if known is None and re.search(r"\d", part) and not re.fullmatch(r"margin [+-]?\d+", part):
            raise NotArithmetic(f"{text!r}: {part!r}")
        so_far = {way for each in known or so_far for way in (each, Fraction(floor(each)), Fraction(ceil(each)))}
    return so_far


def is_figure(value: int, combined: set[Fraction], *, floored: bool = False) -> bool:
    """Returns whether a figure is one of the results of its sum, rounded up or down.

    Args:
        value: The figure.
        combined: The possible results of the sum.
        floored: Whether it may be 0 for a negative sum without a stated minimum.
    """
    return any(value in (floor(each), ceil(each)) or (floored and value == 0 and each < 0) for each in combined)


def _parts(text: str) -> Iterator[str]:
    """Yields the parts of a figure, each beginning with its operation."""
    bare = re.sub(r"\([^)]*\)\S*|, thrown back over [\d, ]+ m|^[^:]*\D: (?=.* (?:is|becomes) \d)", "", text)
    begin = 0
    for match in _STEP.finditer(bare):
        if match[0] == ": " and begin:  # a label: the reason why it is halved
            continue
        yield bare[begin : match.start()].strip()
        begin = match.end()
    yield re.sub(r": \D*$", "", bare[begin:]).strip()


def _begin(head: str) -> Fraction:
    if not re.search(r"\d", head):
        raise MissingNumber(head)
    found = _read(_HEADS, head, ())
    if found is None:
        raise NotArithmetic(head)
    return found


def _all(so_far: set[Fraction], part: str) -> set[Fraction] | None:
    found = {_read(_OPERATIONS, re.sub(r": \D*$", "", part), (each,)) for each in so_far}
    return None if None in found else {each for each in found if each is not None}


def _read(
    forms: tuple[tuple[str, Callable[..., Fraction]], ...], part: str, so_far: tuple[Fraction, ...]
) -> Fraction | None:
    for form, reckon in forms:
        match = re.fullmatch(form, part)
        if match is not None:
            return reckon(*so_far, *map(_number, match.groups()))
    return None
