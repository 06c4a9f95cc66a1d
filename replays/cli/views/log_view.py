"""Prints entries of the log, and explanations of numbers, for people."""

from rich.console import Console
from rich.tree import Tree

from ledger.entry import Entry
from ledger.events import Event
from projections.combat import Combat
from replays.audit.why import Why
from replays.cli.screen import MARK, paragraph, safe
from replays.corrections.change import kind_in_words
from replays.exports.narrative import paths, told


def marked(entry: Entry, combat: Combat) -> list[str]:
    """Returns the narration of an entry in sentences; those that are hidden from some persons have a mark."""
    return [sentence for _, sentence in marked_events(entry, combat)]


def marked_events(entry: Entry, combat: Combat) -> list[tuple[Event | None, str]]:
    """Returns the same sentences, each with its event; None for a sentence about the entry itself.

    An entry without narrated events is described by its command.
    """
    sentences = list(told(entry, combat))
    if not sentences or (entry.events and all(event is None for event, _ in sentences)):
        sentences.append((None, f"{kind_in_words(entry.command).capitalize()}."))
    return [
        (event, f"{MARK} {sentence}" if event is not None and event.seen_by is not None else sentence)
        for event, sentence in sentences
    ]


def entry_lines(
    console: Console, entry: Entry, combat: Combat, *, stands: bool = True, command: bool = True, path: bool = False
) -> None:
    """Shows an entry in sentences, with `path` also its boxes; struck through if it no longer stands."""
    sentences = marked(entry, combat)
    sentences += paths(entry, combat) if path else ()
    style = "" if stands else "dim strike"
    head = f"{entry.seq:>4}  {entry.by.name}" if command else f"{entry.seq:>4}"
    for number, sentence in enumerate(sentences):
        lead = f"[cyan]{safe(head)}[/]  " if number == 0 else " " * (len(head) + 2)
        line = f"{lead}[{style}]{safe(sentence)}[/]" if style else f"{lead}{safe(sentence)}"
        paragraph(console, line, len(head) + 4)


def explanation(console: Console, why: Why) -> None:
    """Shows an explanation as a tree: each number with its reason, page, entry and person."""
    tree = Tree(f"[bold]{safe(why.title)}[/]  [dim]{safe(why.subject)}[/]")
    _grow(tree, why)
    console.print(tree)


def _grow(tree: Tree, why: Why) -> None:
    for part in why.parts:
        source = f"  [green]{safe(part.source)}[/]" if part.source else ""
        reason = f"  {safe(part.why)}" if part.why else ""
        again = f" ({part.origin} again)" if part.origin is not None else ""
        who = f"  [dim]entry {part.entry}{again}, {safe(part.by)}[/]"
        tree.add(f"{safe(part.what)} [bold]{safe(str(part.value))}[/]{reason}{source}{who}")
    for inner in why.leads_to:
        _grow(tree.add(f"[bold]{safe(inner.title)}[/]  [dim]{safe(inner.subject)}[/]"), inner)
