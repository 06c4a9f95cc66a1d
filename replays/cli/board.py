"""The table as people see it: what happened, the compact tracker, what is asked. It is made to fit one screen."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from ledger.commands import Declare
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import InitiativeScored, OrderFixed
from projections.views.document import CombatantView, State
from replays.cli import screen
from replays.cli.screen import bar, safe, say
from replays.narrate import narrate
from replays.table.asking import Answer, Question
from replays.table.table import Reply, Table
from replays.table.verbs import Done

_MOST_OPTIONS = 14
_MOST_OTHERS = 6
_TWO_COLUMNS = 90
_LEAST, _BELOW, _NO_END = 6, 15, 10_000
"""Lines of what happened that are shown at least; lines that tracker and question take beside the combatants."""


def reply(console: Console, table: Table, said: Reply) -> None:
    """What a line came to; the tracker follows where something was written."""
    if said.refused is not None:
        refusal(console, said.refused)
    entries(console, table, said.entries)
    _done(console, table, said.done)


def refusal(console: Console, refused: Refused) -> None:
    """A refusal in two lines at most."""
    width = 2 * console.width - 4
    text = str(refused)
    say(console, "✗ " + (text if len(text) <= width else text[: width - 1] + "…"))


def _done(console: Console, table: Table, done: Done) -> None:
    for line in done.lines:
        console.print(safe(line), overflow="ellipsis", no_wrap=True)
    if done.why is not None:
        screen.explanation(console, done.why)
    for frame in done.frames:
        screen.entry_lines(console, frame.entry, frame.before)
    if done.shows == "state":
        screen.tracker(console, table.session.state(eyes=table.eyes))
    if done.shows == "options":
        for line in _all(table.question()):
            console.print(safe(line), overflow="ellipsis", no_wrap=True)


def entries(console: Console, table: Table, written: Sequence[Entry]) -> None:
    """What was written; of a correction only what came out otherwise than before."""
    told: list[tuple[str, str]] = []
    again = [entry for entry in written if entry.origin is not None and _as_before(table, entry)]
    for entry in written:
        if entry not in again:
            sentences = list(narrate(_brief(entry), table.before(entry.after))) or [type(entry.command).__name__]
            told += [(str(entry.seq) if not place else "", each) for place, each in enumerate(sentences)]
    room = _room(console, table)
    if len(told) > room:
        console.print(f"[dim]      … {len(told) - room} lines more: log {len(written)}[/]")
    for seq, sentence in told[-room:]:
        console.print(f"[cyan]{seq:>5}[/] {safe(sentence)}", overflow="ellipsis", no_wrap=True)
    if again:
        console.print(f"[dim]      {len(again)} more performed again, as before[/]")


def _brief(entry: Entry) -> Entry:
    """Without the scores that the order tells again."""
    if not any(isinstance(event, OrderFixed) for event in entry.events):
        return entry
    events = tuple(event for event in entry.events if not isinstance(event, InitiativeScored))
    return msgspec.structs.replace(entry, events=events)


def _room(console: Console, table: Table) -> int:
    """Lines that are left above tracker and question; where no screen ends, there are enough."""
    if not console.is_terminal:
        return _NO_END
    return max(_LEAST, console.height - len(table.seen.roster.here()) - _BELOW)


def _as_before(table: Table, entry: Entry) -> bool:
    """Does an entry that was performed again say the same as the first time?"""
    origin = table.session.log.entry(entry.origin or 0)
    before = set(narrate(origin, table.before(origin.after)))
    return all(sentence in before for sentence in list(narrate(entry, table.before(entry.after)))[1:])


# ------------------------------------------------------------------------------------------------ tracker


def tracker(console: Console, state: State) -> None:
    """A line a combatant: whose moment it is, initiative, harm, wounds, what ails them, what they have used up."""
    when = f"round {state.round} · pass {state.number}" if state.round else "no fight yet"
    console.rule(f"[dim]{when} · entry {state.head}[/]", align="left", style="dim")
    grid = Grid.grid(padding=(0, 1), expand=False)
    for column in range(5):
        grid.add_column(no_wrap=True, overflow="ellipsis", justify="right" if column == 2 else "left")
    scores = dict(state.initiative)
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    for who in order:
        grid.add_row(*_row(state, who, state.combatants[who], scores.get(who)))
    console.print(grid)


def _row(state: State, who: str, one: CombatantView, score: int | None) -> tuple[str, ...]:
    name = who if one.name.lower().replace(" ", "-") in (who, f"the-{who}") else f"{who} ({one.name})"
    acts = state.active == who
    style = "bold" if acts else "dim" if _is_full(one) else ""
    return (
        "▶" if acts else " ",
        f"[{style}]{safe(name)}[/]" if style else safe(name),
        "" if score is None else str(score),
        "  ".join(_harm(one)),
        safe(", ".join(_ails(one))),
    )


def _is_full(one: CombatantView) -> bool:
    return any(track.capacity and track.taken >= track.capacity for track in one.tracks.values())


def _harm(one: CombatantView) -> Iterator[str]:
    """The first track, and every other that has something in it."""
    for place, (name, track) in enumerate(one.tracks.items()):
        if not place or track.taken:
            yield f"{bar(track.taken, track.capacity, 8)} {safe(name)} {track.taken}/{track.capacity}"


def _ails(one: CombatantView) -> Iterator[str]:
    if one.wounds:
        yield f"{one.wounds} wound{'s' * (one.wounds > 1)}"
    if one.traumas:
        yield f"{one.traumas} trauma{'s' * (one.traumas > 1)}"
    for each in one.conditions:
        yield each.name.replace("_", " ") + (f" {each.level}" if each.level is not None else "")
    yield from (f"{name} {each.left}/{each.of}" for name, each in one.resources.items() if each.left != each.of)


# ------------------------------------------------------------------------------------------------ the question


def question(console: Console, table: Table, asked: Question) -> None:
    """What is asked, with numbers; the last words of it are the prompt."""
    lines: list[str] = []
    if asked.rest is not None and asked.rest.options:
        console.print(f"[bold]{safe(_name(table, asked.rest.by))}[/]: {safe(asked.rest.purpose)}")
        _columns(console, _numbered(asked))
        if asked.kinds:
            lines.append("also: " + ", ".join(asked.kinds))
        lines += _may_say(table, asked)
    if asked.rolls and (len(asked.rolls) > 1 or asked.rest is None or asked.rest.options):
        _rolls(console, asked)
    lines += _others(table, asked)
    lines += [f"or {each}" for each in table.interrupts(asked)[:3]]
    for line in lines:
        console.print(f"[dim]{safe(line)}[/]", overflow="ellipsis", no_wrap=True)


def prompt(table: Table, asked: Question) -> str:
    """What stands before the cursor."""
    if table.asks:
        return f"{table.asks}> "
    if asked.rest is None:
        return "wait> " if asked.others else "table> "
    if asked.rest.dice:
        several = len(asked.rolls) > 1
        return f"{asked.rolls[0].short if several else asked.rolls[0].words}> "
    default = f" [{asked.default.word}]" if asked.default is not None else ""
    return f"{asked.rest.by}{default}> "


def _name(table: Table, who: str) -> str:
    return "the gamemaster" if who == "gm" else table.seen.roster.name(who)


def _numbered(asked: Question) -> list[tuple[str, str, str]]:
    """Number, words, target."""
    shown = [_option(number, answer, asked.default) for number, answer in enumerate(asked.legal, 1)]
    if len(shown) <= _MOST_OPTIONS:
        return shown
    default = [row for row, answer in zip(shown, asked.legal, strict=True) if answer == asked.default]
    first = shown[: _MOST_OPTIONS - 2]
    left = len(shown) - len(first) - (default[0] not in first if default else 0)
    return [*first, *(row for row in default if row not in first), ("", f"… {left} more: options", "")]


def _option(number: int, answer: Answer, default: Answer | None) -> tuple[str, str, str]:
    mark = " ⏎" if answer == default else ""
    word = "" if answer.says.lower().replace(" ", "_").startswith(answer.word) else f"{answer.word}: "
    return str(number), f"{word}{answer.says}{mark}", "" if answer.target is None else str(answer.target)


def _columns(console: Console, rows: list[tuple[str, str, str]]) -> None:
    """One column, or two where they are many and there is room."""
    per = 2 if len(rows) > 6 and console.width >= _TWO_COLUMNS else 1
    height = -(-len(rows) // per)
    grid = Grid.grid(padding=(0, 1))
    for _ in range(per):
        grid.add_column(justify="right", min_width=3, style="cyan")
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // per - 11)
        grid.add_column(justify="right", style="bold", min_width=3)
    columns = [rows[start : start + height] for start in range(0, len(rows), height or 1)]
    for cells in zip_longest(*columns, fillvalue=("", "", "")):
        grid.add_row(*(safe(cell) for triple in cells for cell in triple))
    console.print(grid)


def _rolls(console: Console, asked: Question) -> None:
    grid = Grid.grid(padding=(0, 2))
    for roll in asked.rolls[:_MOST_OPTIONS]:
        against = "" if roll.target is None else f"against {roll.target}"
        grid.add_row(*map(safe, (f"  {roll.short}", roll.purpose, roll.dice, against)))
    console.print(grid)
    if len(asked.rolls) > _MOST_OPTIONS:
        console.print(f"  … {len(asked.rolls) - _MOST_OPTIONS} more")


def _may_say(table: Table, asked: Question) -> Iterator[str]:
    """What could be said behind the first declaration, in one line."""
    for number, answer in enumerate(asked.legal, 1):
        if isinstance(answer.command, Declare):
            offered = table.declaring(asked).words(answer.command)
            fields = {name: words for name, words in offered.items() if name not in answer.command.terms and words}
            if fields:
                yield f"{number} may say: " + "  ".join(f"{name}={'|'.join(each)}" for name, each in fields.items())
                return


def _others(table: Table, asked: Question) -> Iterator[str]:
    """Whom else the table waits for."""
    waited = list(dict.fromkeys(f"{_name(table, rest.by)} ({rest.purpose})" for rest in asked.others))
    if waited:
        more = f", and {len(waited) - _MOST_OTHERS} more" if len(waited) > _MOST_OTHERS else ""
        yield f"waiting for {', '.join(waited[:_MOST_OTHERS])}{more}"
    if asked.rest is None and not asked.others:
        here = len(table.seen.roster.here())
        begin = "Enter or begin starts the fight" if table.may_begin else "begin starts a fight"
        yield f"{here} here · add WHAT, sheets · {begin} · help" if here else "nobody is here: add WHAT, sheets, help"


def _all(asked: Question) -> Iterator[str]:
    """Every answer, and why another thing cannot be."""
    numbers = {id(answer): number for number, answer in enumerate(asked.legal, 1)}
    for answer in asked.answers:
        target = "" if answer.target is None else f"  {answer.target}"
        number = numbers.get(id(answer))
        yield f"{number or '✗':>4} {answer.says}{target}" + (f"  {answer.refused}" if answer.refused else "")
    yield from (f"     {roll.short}: {roll.words}" for roll in asked.rolls)
    if not asked.answers and not asked.rolls:
        yield "nothing is asked of you now"
