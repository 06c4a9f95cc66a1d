"""Displays a correction: before and after side by side, last of all."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from replays.cli.screen import paragraph, safe
from replays.corrections.change import in_words, thrown_in_words
from replays.corrections.diff import WAITS, Aside, Report, RollReport, Shift
from replays.corrections.misread_dice import Misread

TITLES = {
    "preview": "PREVIEW: nothing is written",
    "what if": "WHAT IF: nothing is written",
    "amendment": "AMENDED",
}


def report(console: Console, one: Report) -> None:
    """Shows everything that a correction changes."""
    paragraph(console, f"[bold]{TITLES[one.kind]}[/]{safe(_of_rolls(one))}")
    why = f" ({safe(one.why)})" if one.why and one.kind != "what if" else ""
    paragraph(console, f"entry {one.entry}, {safe(one.what)}: {safe(in_words(one.change))}{why}")
    console.print()
    if one.drift:
        entries = ", ".join(map(str, one.drift[:8]))
        console.print(
            f"[yellow]today's rules already decide entries {entries} differently; changes are relative to these[/]\n"
        )
    if one.changes_nothing:
        console.print("no outcome changes" if one.numbers else "nothing else changes")
    _needs(console, one)
    _aside(console, "waits for these answers", map(_aside_line, one.waits))
    _aside(console, "set aside", map(_aside_line, one.set_aside))
    _aside(console, "used for another roller", (f"{each.key}: {each.before} → {each.after}" for each in one.reread))
    _shifts(console, one, "TESTS", one.numbers)
    _shifts(console, one, "FIGURES", one.shifts)
    _flips(console, one)


def _flips(console: Console, one: Report) -> None:
    if not one.flips:
        return
    table = _table("FLIPS", "before", "after")
    for flip in one.flips:
        color = "dim" if flip.after == WAITS else "bold yellow"
        after = flip.after or "no longer made"
        table.add_row(safe(flip.about), safe(flip.before or "was not made"), f"[{color}]{safe(after)}[/]")
    console.print(table)


def _shifts(console: Console, one: Report, title: str, shifts: Sequence[Shift]) -> None:
    if not shifts:
        return
    table = _table(title, "before", "after")
    for shift in shifts:
        table.add_row(safe(_named(one, shift)), safe(_figure(shift.before)), f"[bold]{safe(_figure(shift.after))}[/]")
    console.print(table)


def _named(one: Report, shift: Shift) -> str:
    if not shift.who:
        return shift.what
    state = one.after if shift.who in one.after.combatants else one.before
    return f"{state.combatants[shift.who].name}: {shift.what.replace('_', ' ')}"


def _figure(value: object) -> str:
    return "–" if value is None else str(value).replace("_", " ")


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("", overflow="fold")
    for column in columns:
        table.add_column(column, style="", overflow="fold")
    return table


def _needs(console: Console, one: Report) -> None:
    if not one.needs_a_person:
        return
    console.print("[bold]NEEDS A PERSON[/]")
    for each in one.needs_a_person:
        asks = each.dice or ", ".join(each.options)
        known = f", of which {' '.join(map(str, each.known))} are known already" if each.known else ""
        console.print(f"  {safe(each.by)}: {safe(each.purpose)}: {safe(asks)}{known}  [dim]{safe(each.key)}[/]")


def _aside_line(one: Aside) -> str:
    return f"{one.what} (entry {one.entry})" if one.entry else one.what


def _aside(console: Console, title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        console.print(f"[bold]{title.upper()}[/]")
        for line in found:
            paragraph(console, f"  [dim]{safe(line)}[/]")


def _of_rolls(one: Report) -> str:
    """Returns the corrected rolls, with roller and entry."""
    if isinstance(one, RollReport):
        return f" · {one.by}'s {one.key}, entry {one.entry}: {one.purpose}"
    return "".join(map(_corrected, one.misread))


def _corrected(one: Misread) -> str:
    """Returns a roll with corrected dice, with roller, entry, and faces before and after."""
    return f" · {one.by}'s {one.key}, entry {one.entry}: {thrown_in_words(one.before)} → {thrown_in_words(one.after)}"


def _spaced(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))
