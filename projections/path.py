"""Where the walk through the printed procedures stands, the boxes it came by, and what the table waits for."""

import msgspec

from ledger.events import (
    ChoiceRequested,
    Chosen,
    CombatEnded,
    Declared,
    DiceRolled,
    ExchangeEnded,
    Option,
    RollRequested,
    RoundBegan,
    StepEntered,
    TurnBegan,
)
from projections.fold import Routes


class Rest(msgspec.Struct, frozen=True, gc=False):
    """A roll or a choice that the table waits for."""

    key: str
    by: str
    purpose: str
    dice: str = ""
    """Empty for a choice."""
    options: tuple[Option, ...] = ()
    default: str | None = None
    depth: int = 0
    """How many exchanges were open when it was asked for."""


class Path(msgspec.Struct, frozen=True, gc=False):
    """The walk."""

    levels: tuple[tuple[str, str], ...] = ()
    """Pairs of (chart, box), the outermost procedure first."""
    walked: tuple[str, ...] = ()
    """Boxes of the exchange being resolved, in order."""
    outer: tuple[tuple[str, ...], ...] = ()
    """The same of the exchanges around it."""
    asked: tuple[Rest, ...] = ()
    """Everything unanswered, also what waits for an interrupt to end."""
    last: tuple[str, ...] = ()
    """Boxes of the exchange that ended last."""
    bases: tuple[int, ...] = ()
    """How many levels each open exchange stands on."""

    @property
    def rests(self) -> tuple[Rest, ...]:
        """What the table waits for now."""
        return tuple(rest for rest in self.asked if rest.depth == len(self.outer))


def _entered(path: Path, event: StepEntered) -> Path:
    inside = not path.bases or event.depth >= path.bases[-1]
    return Path(
        (*path.levels[: event.depth], (event.chart, event.box)),
        (*path.walked, event.box) if inside else path.walked,
        path.outer,
        path.asked,
        path.last,
        path.bases,
    )


def _ask(path: Path, rest: Rest) -> Path:
    return Path(path.levels, path.walked, path.outer, (*path.asked, rest), path.last, path.bases)


def _roll(path: Path, event: RollRequested) -> Path:
    return _ask(path, Rest(event.key, event.by, event.purpose, event.dice, depth=len(path.outer)))


def _choice(path: Path, event: ChoiceRequested) -> Path:
    return _ask(path, Rest(event.key, event.by, event.purpose, "", event.options, event.default, len(path.outer)))


def _answered(path: Path, event: DiceRolled | Chosen) -> Path:
    asked = tuple(rest for rest in path.asked if rest.key != event.key)
    return Path(path.levels, path.walked, path.outer, asked, path.last, path.bases)


def _declared(path: Path, _: Declared) -> Path:
    return Path(path.levels, (), (*path.outer, path.walked), path.asked, path.last, (*path.bases, len(path.levels)))


def _ended(path: Path, _: ExchangeEnded) -> Path:
    if not path.outer:
        return path
    kept = tuple(rest for rest in path.asked if rest.depth < len(path.outer))
    return Path(path.levels[: path.bases[-1]], path.outer[-1], path.outer[:-1], kept, path.walked, path.bases[:-1])


def _began(path: Path, _: RoundBegan | TurnBegan) -> Path:
    return Path(path.levels, (), path.outer, path.asked, path.last, path.bases) if not path.outer else path


def _over(path: Path, _: CombatEnded) -> Path:
    return Path(last=path.last)


ROUTES: Routes = {
    StepEntered: _entered, RollRequested: _roll, ChoiceRequested: _choice, DiceRolled: _answered,
    Chosen: _answered, Declared: _declared, ExchangeEnded: _ended, RoundBegan: _began, TurnBegan: _began,
    CombatEnded: _over,
}  # fmt: skip
