"""Minimizes a history that breaks a law: finds the fewest and simplest steps that still break it."""

from collections.abc import Callable, Iterator, Sequence

import msgspec
from histories.history_laws import again, broken
from histories.playing import History
from histories.recorder import Recorder
from histories.steps import LawBroken, Step
from hypothesis import given
from hypothesis.strategies import SearchStrategy

from ledger.commands import AmendSheet, Join
from replays.corrections.change import Change

ATTEMPTS = 600
"""The maximum number of attempts to make a history smaller."""
_SHOWN = 2_000
"""The displayed length of a fault."""


class Smallest(msgspec.Struct, frozen=True):
    """The smallest history that was found.

    Attributes:
        taken: Its recorder.
        steps: Its requests.
        fault: The law that it breaks.
    """

    taken: Recorder
    steps: Sequence[Step]
    fault: LawBroken

    def __str__(self) -> str:
        """Returns the law, then the steps as lines of Python."""
        first = f"in {len(self.steps)} steps of {self.taken.opening}"
        return "\n".join([str(self.fault)[:_SHOWN], first, *map(str, self.steps)])


def smallest(lived: Recorder, fault: LawBroken, attempts: int = ATTEMPTS) -> Smallest:
    """Returns the smallest history that breaks the same law.

    Args:
        lived: The history that breaks it.
        fault: The law.
        attempts: The maximum number of attempts.
    """
    found = Smallest(lived, tuple(lived.steps), fault)
    left = attempts

    def try_(steps: Sequence[Step]) -> bool:
        nonlocal found, left
        left -= 1
        taken, broken = again(found.taken, steps)
        if broken is None or broken.law != fault.law:
            return False
        found = Smallest(taken, tuple(taken.steps), broken)
        return True

    try_(found.steps)  # steps after the one that breaks the law are omitted
    size = -1
    while left > 0 and size != len(found.steps):
        size = len(found.steps)
        _omit(lambda: found.steps, try_, lambda: left > 0)
    _make_plain(lambda: found.steps, try_, lambda: left > 0)
    return found


def _omit(
    steps: Callable[[], Sequence[Step]], try_: Callable[[Sequence[Step]], bool], go_on: Callable[[], bool]
) -> None:
    """Omits ranges of steps: halves first, then single steps, the last first."""
    length = len(steps()) // 2
    while length and go_on():
        end = len(steps())
        while end > 0 and go_on():
            now = steps()
            try_((*now[: max(0, end - length)], *now[end:]))
            end = min(end - length, len(steps()))
        length //= 2


def _make_plain(
    steps: Callable[[], Sequence[Step]], try_: Callable[[Sequence[Step]], bool], go_on: Callable[[], bool]
) -> None:
    """Removes parts of single steps while the law is still broken."""
    place = 0
    while place < len(steps()) and go_on():
        now = steps()
        if not any(go_on() and try_((*now[:place], plainer, *now[place + 1 :])) for plainer in _plainer(now[place])):
            place += 1


def _plainer(step: Step) -> Iterator[Step]:
    """Yields copies of a step without one of its parts."""
    if step.keyed:
        yield step._replace(keyed=False)
    for name in step.options:
        if name != "why":
            yield step._replace(options={each: value for each, value in step.options.items() if each != name})
    for place, argument in enumerate(step.arguments):
        for plainer in _with_less(argument):
            yield step._replace(arguments=(*step.arguments[:place], plainer, *step.arguments[place + 1 :]))


def _with_less(argument: object) -> Iterator[object]:
    """Yields copies of an argument without one part: a change, or the sheet of a joining combatant."""
    if isinstance(argument, Change):
        for name in argument.__struct_fields__:
            for less in _less(getattr(argument, name)):
                yield msgspec.structs.replace(argument, **{name: less})
    if isinstance(argument, Join | AmendSheet):
        for sheet in _less(argument.sheet):
            yield msgspec.structs.replace(argument, sheet=sheet)


def _less(value: object) -> Iterator[object]:
    """Yields copies of an object or sequence without one element; False for True."""
    if isinstance(value, dict):
        yield from ({each: inner for each, inner in value.items() if each != name} for name in value)
    elif isinstance(value, tuple):
        yield from ((*value[:place], *value[place + 1 :]) for place in range(len(value)))
    elif value is True:
        yield False


def first_fault(
    strategy: SearchStrategy[History],
    how: Callable[[Callable[..., None]], Callable[..., None]],
    count: Callable[[History], None],
) -> Smallest | None:
    """Plays histories until one breaks a law.

    Args:
        strategy: The strategy for histories.
        how: Hypothesis's settings, and the seed where one is given.
        count: Called with each history that keeps all laws.

    Returns:
        The smallest history in which that law does not hold; None where all hold.
    """
    found: list[tuple[History, LawBroken]] = []

    @how
    @given(strategy)
    def hold_all(history: History) -> None:
        fault = history.fault or broken(history.recorder)
        if fault is not None:
            found[:] = [(history, fault)]
            raise fault
        count(history)

    try:
        hold_all()
    except Exception:
        if not found:
            raise
    return smallest(found[0][0].recorder, found[0][1]) if found else None
