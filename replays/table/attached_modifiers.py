"""Modifiers that were typed in a declaration, and wait until its roll is asked for.

Each is applied once. It waits again if the entry that applied it is undone, but not if that entry is corrected. When
the person leaves, those that still wait are kept with the session as notes about `KEPT`; they wait again when it is
resumed.
"""

import re
from collections.abc import Iterable, Sequence

from ledger.commands import ApplyModifier, Command, Declare, Note
from ledger.entry import Who
from ledger.events import Declared
from machines.engine.decide import decide
from projections.combat import Combat, fold
from replays.sessions.log import Log
from replays.table.at_table import TableContext
from replays.table.language.foreseen import after, at_roll
from replays.table.language.modifiers import TypedModifier
from replays.table.secrets import with_visibility
from replays.table.settings import ABOUT, notes_by

KEPT = f"{ABOUT}modifier"
"""What a note is about that keeps a modifier; its text is the key of the roll, the value and the reason."""
_TEXT = r"(?s)(\S+) ([+-][0-9]+) ?(.*)"


def kept_modifiers(log: Log, who: Who) -> list[Note]:
    """Returns a person's notes about `KEPT`, newest first, that were written during the exchanges that are open now.

    Older ones are about exchanges of the same key that were undone.
    """
    since = _declared_in(log)
    found = list[Note]()
    for seq, note in notes_by(log, who) if since else ():
        if seq <= min(since.values()):
            break
        is_of_one = any(note.text.startswith(f"{key}/") and seq > declared for key, declared in since.items())
        if note.about == KEPT and is_of_one:
            found.append(note)
    return found


def _declared_in(log: Log) -> dict[str, int]:
    """Returns the entries that declared the open exchanges at first, by their keys."""
    open_, found = set(_open(log.combat)), dict[str, int]()
    for entry in log.newest_first() if open_ else ():
        for event in entry.events:
            if isinstance(event, Declared) and event.key in open_:
                found[event.key] = log.original(entry).seq
        if len(found) == len(open_):
            break
    return found


class AttachedModifiers:
    """The modifiers of exchanges that are open, or were undone since the last declaration.

    Args:
        combat: The state.
        notes: The person's notes; those about `KEPT` are modifiers that waited when the person left.
    """

    def __init__(self, combat: Combat, notes: Iterable[Note] = ()) -> None:
        self._of: dict[str, tuple[ApplyModifier, ...]] = {}
        self._applied: list[tuple[int, ApplyModifier]] = []
        """Modifiers that were applied, each with the number of the entry."""
        self._kept: list[ApplyModifier] = []
        """Modifiers that notes keep already."""
        for note in notes if combat.exchange.frames else ():
            found = re.fullmatch(_TEXT, note.text) if note.about == KEPT else None
            for exchange in _open(combat) if found is not None else ():
                if found is not None and found[1].startswith(f"{exchange}/"):
                    modifier = ApplyModifier(found[1], int(found[2]), found[3], seen_by=note.seen_by)
                    self._of[exchange] = tuple(dict.fromkeys((modifier, *self._of.get(exchange, ()))))
                    self._kept.append(modifier)

    def attach(self, table: TableContext, commands: Sequence[Command], typed: Sequence[TypedModifier]) -> None:
        """Attaches modifiers to the declaration that is the first command, and about to be performed.

        Raises:
            Refused: The person may not modify rolls, or the rules do not accept the declaration or a modifier.
        """
        declaration = commands[0] if commands else None
        if not isinstance(declaration, Declare):
            return
        open_ = _open(table.session.combat)
        self._of = {exchange: found for exchange, found in self._of.items() if exchange in open_}
        if not typed:
            return
        for each in typed:
            table.session.check_allowed(ApplyModifier("", each.value, each.why or ""), by=table.who)
        game, combat = table.game, table.session.combat
        events = decide(game, combat, with_visibility(table, declaration))
        combat = fold(events, combat)
        exchange = next(each.key for each in events if isinstance(each, Declared))
        key, reached = at_roll(game, combat, exchange) or (f"{exchange}/{game.kinds[declaration.kind].roll}", None)
        modifiers = [with_visibility(table, ApplyModifier(key, each.value, each.why or "")) for each in typed]
        found = tuple(each for each in modifiers if isinstance(each, ApplyModifier))
        if reached is not None:
            after(game, reached, found)
        self._of[exchange] = found

    def due(self, combat: Combat) -> list[ApplyModifier]:
        """Returns the modifiers whose roll is asked for or thrown, and that were not yet applied to it."""
        applied = [modifier for _, modifier in self._applied]
        waiting = [each for each in self.waiting(combat) if each not in applied]
        return [each for each in waiting if each.key in combat.rolls.rolls and not _is_applied(combat, each)]

    def applied(self, entry: int, modifier: ApplyModifier) -> None:
        """Marks a modifier as applied by an entry."""
        self._applied.append((entry, modifier))

    def rewound(self, to: int) -> None:
        """Lets the modifiers wait again that were applied by entries after the one to which the log was rewound."""
        self._applied = [(entry, modifier) for entry, modifier in self._applied if entry <= to]

    def notes(self, combat: Combat) -> list[Note]:
        """Returns notes that keep the modifiers that were not yet applied, and that no note keeps."""
        done = [*(modifier for _, modifier in self._applied), *self._kept]
        left = [each for each in self.waiting(combat) if each not in done]
        left = [each for each in left if each.key not in combat.rolls.rolls or not _is_applied(combat, each)]
        return [Note(f"{each.key} {each.value:+d} {each.why}".strip(), KEPT, seen_by=each.seen_by) for each in left]

    def keep(self, combat: Combat) -> None:
        """Remembers that notes keep the modifiers that wait now."""
        self._kept = list(self.waiting(combat))

    def waiting(self, combat: Combat) -> tuple[ApplyModifier, ...]:
        """Returns the modifiers of all open exchanges."""
        open_ = _open(combat)
        return tuple(each for exchange, found in self._of.items() if exchange in open_ for each in found)


def _open(combat: Combat) -> frozenset[str]:
    return frozenset(frame.key for frame in combat.exchange.frames)


def _is_applied(combat: Combat, modifier: ApplyModifier) -> bool:
    applied = combat.rolls.modifiers(modifier.key)
    return any((each.value, each.why, each.source) == (modifier.value, modifier.why, "") for each in applied)
