"""Displays who is standing at the end of the fight."""

from rich import box
from rich.console import Console
from rich.table import Table

from replays.cli import screen
from replays.odds.fight.chances import FightChances

_BAR = 24


def chances(console: Console, found: FightChances) -> None:
    """Shows the chance of each combatant with its 90 % interval."""
    table = Table(title=f"standing at the end, as of entry {found.entry}", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("who", "chance", "90% interval", ""):
        table.add_column(column, justify="left" if column in ("who", "") else "right")
    for one in found.combatants:
        interval = f"{_percent(one.low)} to {_percent(one.high)}" if one.low < one.high else "certain"
        bar = "█" * round(_BAR * one.chance)
        table.add_row(*map(screen.safe, (one.name, _percent(one.chance), interval, bar)))
    console.print(table)
    if found.samples:
        how = f"played {found.samples} times, for at most {found.rounds} further rounds; seed {found.seed}"
        screen.print_line(console, f"sampled: {how}. {found.policy}")
    else:
        screen.print_line(console, "The fight is over; nothing is left to chance.")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}%"
