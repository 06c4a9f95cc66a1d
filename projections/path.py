"""The position of the walk in the charts, the boxes it entered, and the open rolls and choices."""

from collections.abc import Callable

import msgspec

from ledger.audience import either
from ledger.events import (
    Audience,
    ChoiceRequested,
    Chosen,
    CombatEnded,
    Declared,
    DiceRolled,
    DiceTold,
    ExchangeEnded,
    Option,
    RollRequested,
    RoundBegan,
    SessionClosed,
    StepEntered,
    TurnBegan,
)
from projections.fold import Routes


class Rest(msgspec.Struct, frozen=True, gc=False):
    """An open roll or choice."""

    key: str
    by: str
    purpose: str
    dice: str = ""
    """The dice of a roll; empty for a choice."""
    options: tuple[Option, ...] = ()
    default: str | None = None
    depth: int = 0
    """The number of exchanges that were open when it was requested."""
    seen_by: Audience = None
    """Who may see that it is open, in whole or in part."""


class Path(msgspec.Struct, frozen=True, gc=False):
    """The position of the walk, and its open rests."""

    levels: tuple[tuple[str, str], ...] = ()
    """Pairs of (chart, box), the outermost chart first."""
    walked: tuple[str, ...] = ()
    """The boxes entered in the current exchange, in order, without those of charts that it runs."""
    outer: tuple[tuple[str, ...], ...] = ()
    """The boxes of the exchanges around it."""
    asked: tuple[Rest, ...] = ()
    """All unanswered rests, also those suspended by an interrupt; empty in a closed session."""
    last: tuple[str, ...] = ()
    """The boxes of the last resolved exchange."""
    bases: tuple[int, ...] = ()
    """For each open exchange, the number of levels below it."""

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The rests that can be answered now."""
        depth = len(self.outer)
        for rest in self.asked:
            if rest.depth != depth:
                return tuple([rest for rest in self.asked if rest.depth == depth])
        return self.asked


class Walking(msgspec.Struct, gc=False):
    """The working copy of `Path`."""

    levels: list[tuple[str, str]]
    walked: list[str]
    outer: tuple[tuple[str, ...], ...]
    asked: dict[str, Rest]
    """The unanswered rests by key, in the order in which they were requested."""
    last: tuple[str, ...]
    bases: tuple[int, ...]
    steps: list[StepEntered]
    """The latest steps, which are not yet in `levels` and `walked`."""


def thaw(path: Path) -> Walking:
    """Returns a working copy."""
    asked = {rest.key: rest for rest in path.asked}
    return Walking(list(path.levels), list(path.walked), path.outer, asked, path.last, path.bases, [])


def collector(now: Walking) -> Callable[[StepEntered], None]:
    """Returns the function that collects one more step in a working copy; it stays valid."""
    return now.steps.append


def freeze(now: Walking) -> Path:
    """Returns the projection of a working copy."""
    _walk(now)
    return Path(tuple(now.levels), tuple(now.walked), now.outer, tuple(now.asked.values()), now.last, now.bases)


def _entered(now: Walking, event: StepEntered) -> Walking:
    now.steps.append(event)
    return now


def _walk(now: Walking) -> None:
    """Adds the latest steps, together because nearly half of all events are steps."""
    if now.steps:
        _enter(now)
        _pass(now)


def _enter(now: Walking) -> None:
    """Adds the latest steps to the levels."""
    levels = now.levels
    for event in now.steps:
        del levels[event.depth :]
        levels.append((event.chart, event.box))


def _pass(now: Walking) -> None:
    """Adds the boxes of the latest steps to those of the exchange."""
    base = now.bases[-1] if now.bases else None
    now.walked += [event.box for event in now.steps if base is None or event.depth == base]
    now.steps.clear()


def _roll(now: Walking, event: RollRequested) -> Walking:
    depth, seen_by = len(now.outer), event.seen_by
    before = now.asked.get(event.key)
    if before is not None:  # the same roll, with another number of dice
        depth, seen_by = before.depth, either(before.seen_by, seen_by)
    now.asked[event.key] = Rest(event.key, event.by, event.purpose, event.dice, (), None, depth, seen_by)
    return now


def _choice(now: Walking, event: ChoiceRequested) -> Walking:
    twin, seen_by = now.asked.pop(event.key, None), event.seen_by
    if twin is not None:  # a secret request follows its public twin, which has no options
        seen_by = either(seen_by, twin.seen_by)
    depth = len(now.outer)
    rest = Rest(event.key, event.by, event.purpose, "", event.options, event.default, depth, seen_by)
    now.asked[event.key] = rest
    return now


def _answered(now: Walking, event: DiceRolled | DiceTold | Chosen) -> Walking:
    now.asked.pop(event.key, None)
    return now


def _declared(now: Walking, _: Declared) -> Walking:
    _walk(now)
    now.outer = (*now.outer, tuple(now.walked))
    now.bases = (*now.bases, len(now.levels))
    now.walked = []
    return now


def _ended(now: Walking, _: ExchangeEnded) -> Walking:
    if not now.outer:
        _walk(now)
        return now
    base = now.bases[-1]
    if len(now.levels) < base or min([event.depth for event in now.steps], default=base) < base:
        _enter(now)  # otherwise the levels that the steps entered are those that end now
    _pass(now)
    del now.levels[base:]
    now.asked = {key: rest for key, rest in now.asked.items() if rest.depth < len(now.outer)}
    now.last, now.walked = tuple(now.walked), list(now.outer[-1])
    now.outer, now.bases = now.outer[:-1], now.bases[:-1]
    return now


def _began(now: Walking, _: RoundBegan | TurnBegan) -> Walking:
    _walk(now)
    if not now.outer:
        now.walked = []
    return now


def _over(now: Walking, _: CombatEnded | SessionClosed) -> Walking:
    now.steps.clear()
    now.levels, now.walked, now.outer, now.asked, now.bases = [], [], (), {}, ()
    return now


ROUTES: Routes = {
    StepEntered: _entered, RollRequested: _roll, ChoiceRequested: _choice, DiceRolled: _answered,
    DiceTold: _answered, Chosen: _answered, Declared: _declared, ExchangeEnded: _ended, RoundBegan: _began,
    TurnBegan: _began, CombatEnded: _over, SessionClosed: _over,
}  # fmt: skip


def _came(path: Path, event: StepEntered) -> Path:
    bases, level = path.bases, (event.chart, event.box)
    walked = (*path.walked, event.box) if not bases or event.depth == bases[-1] else path.walked
    levels = path.levels
    kept = levels if event.depth >= len(levels) else levels[: event.depth]
    return Path((*kept, level), walked, path.outer, path.asked, path.last, bases)


ALONE: Routes = {StepEntered: _came}
"""Functions for a single event, which avoid the cost of a working copy."""
