"""Displays the combatants at the interactive table, one line for each."""

from collections.abc import Iterable, Iterator
from typing import Literal

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machines.registry import vocabulary_of
from projections.views.document import CombatantView, State
from replays.cli import screen
from replays.cli.screen import bar, safe
from replays.table.table import Table

_WIDE = 100
"""Width from which on resources are shown of which nothing was spent."""


def tracker(console: Console, table: Table) -> None:
    """Shows one line for each combatant: whose turn it is, initiative, damage, wounds, conditions, resources."""
    state, clock = table.session.state(eyes=table.eyes), table.seen.clock
    console.rule(f"[dim]{screen.moment(clock)} · entry {state.head}[/]", align="left", style="dim")
    grid = Grid.grid(padding=(0, 1), expand=False)
    scores = dict(state.initiative if clock.fighting else ())
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    rows = [_row(state, who, scores.get(who), console.width) for who in order]
    left = console.width
    for column in range(5):
        widest = max((Text.from_markup(row[column]).cell_len for row in rows), default=0)
        width = min(widest, console.width // 3 if column < _SHORTENED else max(1, left))
        left -= width + 1
        side: Literal["left", "right"] = "right" if column == _SCORE else "left"
        grid.add_column(no_wrap=True, overflow="ellipsis", justify=side, width=width)
    for row in rows:
        grid.add_row(*row)
    console.print(grid)


_SCORE, _SHORTENED = 2, 4
"""The column that is aligned to the right; the one that is shortened on a narrow screen."""


def _row(state: State, who: str, score: int | None, width: int) -> tuple[str, ...]:
    combatant = state.combatants[who]
    is_short = combatant.name.lower().replace(" ", "-") in (who, f"the-{who}")
    name = who if is_short else f"{who} ({combatant.name})"
    acts = state.active == who
    style = "bold" if acts else "dim" if _is_full(combatant) else ""
    return (
        "▶" if acts else " ",
        f"[{style}]{safe(name)}[/]" if style else safe(name),
        "" if score is None else str(score),
        "  ".join(_harm(combatant)),
        ", ".join(
            [
                *map(safe, _conditions(combatant, vocabulary_of(state.ruleset).counters)),
                *_resources(combatant, width >= _WIDE),
            ]
        ),
    )


def _is_full(combatant: CombatantView) -> bool:
    return any(track.capacity and track.taken >= track.capacity for track in combatant.tracks.values())


def _harm(combatant: CombatantView) -> Iterator[str]:
    """Yields the first damage track, and every other one that is not empty."""
    for place, (name, track) in enumerate(combatant.tracks.items()):
        if not place or track.taken:
            yield f"{bar(track.taken, track.capacity, 8)} {safe(name)} {track.taken}/{track.capacity}"


def _conditions(combatant: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    for word in counters:
        count = combatant.count(word)
        if count:
            yield f"{count} {word.removesuffix('s') if count == 1 else word}"
    for each in combatant.conditions:
        yield each.name.replace("_", " ") + (f" {each.level}" if each.level is not None else "")


def _resources(combatant: CombatantView, everything: bool) -> Iterator[str]:
    """Yields resources; on a narrow screen only those of which something was spent."""
    for name, each in combatant.resources.items():
        if each.left != each.of:
            yield safe(f"{name} {each.left}/{each.of}")
        elif everything:
            yield f"[dim]{safe(f'{name} {each.left}/{each.of}')}[/]"
