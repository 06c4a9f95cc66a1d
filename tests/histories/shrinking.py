"""Makes a history small in which a law does not hold: the fewest and plainest steps that still break it."""

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
"""How often a history is taken again, at most, to make it small."""
_SHOWN = 2_000
"""Letters of what is wrong."""


class Smallest(msgspec.Struct, frozen=True):
    """The smallest history that was found.

    Attributes:
        taken: Its session.
        steps: What is asked of it.
        fault: The law that it breaks.
    """

    taken: Recorder
    steps: Sequence[Step]
    fault: LawBroken

    def __str__(self) -> str:
        """The law, then the steps as lines of Python."""
        first = f"in {len(self.steps)} steps of {self.taken.opening}"
        return "\n".join([str(self.fault)[:_SHOWN], first, *map(str, self.steps)])


def smallest(lived: Recorder, fault: LawBroken, attempts: int = ATTEMPTS) -> Smallest:
    """Returns the smallest history in which the same law does not hold.

    Args:
        lived: The history in which it does not.
        fault: The law.
        attempts: How often a smaller one is tried; what is found by then is returned.
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

    try_(found.steps)  # what comes behind the step in which it breaks is left out
    size = -1
    while left > 0 and size != len(found.steps):
        size = len(found.steps)
        _leave_out(lambda: found.steps, try_, lambda: left > 0)
    _make_plain(lambda: found.steps, try_, lambda: left > 0)
    return found


def _leave_out(
    steps: Callable[[], Sequence[Step]], try_: Callable[[Sequence[Step]], bool], go_on: Callable[[], bool]
) -> None:
    """Leaves out stretches of steps, halves first, then single ones, the last first."""
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
    """Takes parts out of single steps, as long as any can be taken."""
    place = 0
    while place < len(steps()) and go_on():
        now = steps()
        if not any(go_on() and try_((*now[:place], plainer, *now[place + 1 :])) for plainer in _plainer(now[place])):
            place += 1


def _plainer(step: Step) -> Iterator[Step]:
    """Steps with a part less."""
    if step.keyed:
        yield step._replace(keyed=False)
    for name in step.options:
        if name != "why":
            yield step._replace(options={each: value for each, value in step.options.items() if each != name})
    for place, argument in enumerate(step.arguments):
        for plainer in _with_less(argument):
            yield step._replace(arguments=(*step.arguments[:place], plainer, *step.arguments[place + 1 :]))


def _with_less(argument: object) -> Iterator[object]:
    """A change with a part less; who joins with a figure of the sheet less."""
    if isinstance(argument, Change):
        for name in argument.__struct_fields__:
            for less in _less(getattr(argument, name)):
                yield msgspec.structs.replace(argument, **{name: less})
    if isinstance(argument, Join | AmendSheet):
        for sheet in _less(argument.sheet):
            yield msgspec.structs.replace(argument, sheet=sheet)


def _less(value: object) -> Iterator[object]:
    """An object, or a row of values, without one of them; false for true."""
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
    """Plays histories until one of them breaks a law.

    Args:
        strategy: Where they come from.
        how: Hypothesis's settings and, where it is given, the seed.
        count: Is told of each history that keeps all laws.

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
