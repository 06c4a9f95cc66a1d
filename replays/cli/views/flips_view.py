"""Describes what a correction or an undo changed: numbers before and after, side by side."""

from collections.abc import Collection, Iterator, Sequence

from ledger.entry import Entry
from ledger.events import Amended, Event, Rewound
from machines.registry import vocabulary_of
from projections.views.document import CombatantView, State
from projections.views.seen import redacted
from projections.vocabulary import Vocabulary
from replays.corrections.diff import WAITS, flips
from replays.table.table import Table


def is_correction(entry: Entry) -> bool:
    """Returns whether an entry moves the head of the log or decides an older entry again."""
    return entry.origin is not None or any(isinstance(event, Rewound | Amended) for event in entry.events)


def flipped(table: Table, head: int, written: Sequence[Entry]) -> list[str]:
    """Returns a line for each outcome that is different, and for each combatant who is.

    Args:
        table: The table.
        head: The entry that was the last one that stood before.
        written: The entries written since; without a correction among them nothing is returned.
    """
    if not any(map(is_correction, written)):
        return []
    then, now = (table.session.state(seq, table.eyes) for seq in (written[0].seq - 1, table.session.log.last))
    return [*_outcomes(table, head), *changes(then, now)]


def _outcomes(table: Table, head: int) -> Iterator[str]:
    """Yields the outcomes that are different; not those that are undone or new."""
    lines = [table.session.log.timeline.line(seq) for seq in (head, table.session.log.head)]
    same = next(
        (place for place, (one, other) in enumerate(zip(*lines, strict=False)) if one != other), min(map(len, lines))
    )
    before, after = (list(_events(table, line[same:])) for line in lines)
    state = table.state_at(lines[0][same - 1]) if same else table.state_at(0)
    open_ = {rest.key for rest in table.seen.rests} | {frame.key for frame in table.seen.exchange.frames}
    for flip in flips(before, after, open_.__contains__, state):
        if flip.before and flip.after:
            yield f"{flip.about}: {flip.before} → {'waits' if flip.after == WAITS else flip.after}"


def _events(table: Table, line: Sequence[int]) -> Iterator[tuple[int, Event]]:
    for entry in table.session.log.entries_of(line):
        visible = redacted(table.session.log.disclosures.entry(entry), table.eyes)
        yield from ((entry.seq, event) for event in visible.events)


def changes(before: State, after: State) -> Iterator[str]:
    """Yields a line for each combatant who is different: ``Thug 3: 22 → 14 damage; unconscious → standing``.

    Args:
        before: The state before the correction.
        after: The state after it.
    """
    scores = [dict(state.initiative) for state in (before, after)]
    for who in dict.fromkeys([*before.combatants, *after.combatants]):
        was, now = before.combatants.get(who), after.combatants.get(who)
        if was is None or now is None:
            name = next(one.name for one in (was, now) if one is not None)
            yield f"{name}: {'is here' if was is None else 'is no longer here'}"
            continue
        words = vocabulary_of(after.ruleset)
        parts = [*_numbers(was, now, words), *_scores(*(each.get(who) for each in scores))]
        parts += _conditions(was, now, words.down)
        if parts:
            yield f"{now.name}: {'; '.join(parts)}"
    yield from _turn(before, after)


def _numbers(was: CombatantView, now: CombatantView, words: Vocabulary) -> Iterator[str]:
    """Yields the tracks, counters and resources that are different."""
    tracks = [(name, was.tracks[name].taken, track.taken) for name, track in now.tracks.items() if name in was.tracks]
    pairs = [(words.harm(name), old, new) for name, old, new in tracks]
    pairs += [(name, was.count(name), now.count(name)) for name in words.counters]
    pairs += [
        (name, was.resources[name].left, one.left) for name, one in now.resources.items() if name in was.resources
    ]
    yield from (f"{old} → {new} {name.replace('_', ' ')}" for name, old, new in pairs if old != new)


def _scores(old: int | None, new: int | None) -> Iterator[str]:
    if old is not None and new is not None and old != new:
        yield f"{old} → {new} initiative"


def _conditions(was: CombatantView, now: CombatantView, down: Collection[str]) -> Iterator[str]:
    """Yields the conditions that ended and those that are new; `standing` for a combatant who was down and has none."""
    old, new = (
        [each.name.replace("_", " ") + (f" {each.level}" if each.level is not None else "") for each in one.conditions]
        for one in (was, now)
    )
    ended, gained = (
        ", ".join(each for each in old if each not in new),
        ", ".join(each for each in new if each not in old),
    )
    if ended:
        stands = not new and any(each.name in down for each in was.conditions)
        yield f"{ended} → {gained or ('standing' if stands else 'no longer')}"
    elif gained:
        yield f"now {gained}"


def _turn(before: State, after: State) -> Iterator[str]:
    """Yields the round and the combatant on turn, if they are different."""
    if before.round != after.round:
        yield f"round {before.round} → {after.round}"
    if before.active != after.active:
        old, new = (
            state.combatants[state.active].name if state.active in state.combatants else "nobody"
            for state in (before, after)
        )
        yield f"turn: {old} → {new}"
