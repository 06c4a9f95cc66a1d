"""Finds the open roll that a shorthand means, and the entry that rolled dice or found a figure."""

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from ledger.dice import NO_DICE
from ledger.entry import Entry
from ledger.events import Chosen, Declared, DiceRolled, DiceTold, Event, FigureFound, RollRequested, TestResolved
from ledger.key import declarer, is_meant, meant
from machines.contract.refusals import NoSuchFigure, NoSuchRoll
from projections.combat import Combat
from projections.views.stand_ins import HIDDEN, RESULT
from replays.sessions.hidden_names import Names
from replays.sessions.log import Log
from replays.sessions.wording import Wording, wording


def open_key(combat: Combat, short: str, *, rolls: bool = True) -> str | None:
    """Returns the key of the one open roll (or choice) that a shorthand means; None where it fits none.

    Raises:
        NoSuchRoll: It fits several.
    """
    waiting = [(rest.key, rest.by) for rest in combat.rests if bool(rest.dice) == rolls]
    short = Names(combat).key(short)
    found = meant(short, waiting)
    if len(found) > 1:
        raise NoSuchRoll(f"{short!r} means more than one roll", where="key", accepts=", ".join(found))
    return found[0] if found else None


class _Latest:
    """The latest event that a shorthand means, by its roller; else by the combatant who declared its exchange.

    Args:
        log: The session's log.
        short: The shorthand.
    """

    def __init__(self, log: Log, short: str) -> None:
        self.latest: tuple[str, Entry] | None = None
        self._log, self._short = log, short
        self._is_own = False
        self._by: dict[str, str] = {}

    def newest_first(self) -> Iterator[tuple[Entry, Event]]:
        """Yields the events that stand, latest first, until the latest with a fitting roller is found."""
        for entry in self._log.newest_first():
            for event in reversed(entry.events):
                if isinstance(event, RollRequested | Declared):
                    self._by.setdefault(event.key, event.by)
                yield entry, event
                if self._is_own:
                    return

    def add(self, key: str, entry: Entry) -> None:
        """Adds a candidate: keeps the latest, but prefers a match by roller to a match by declarer."""
        if is_meant(self._short, key, self._roller(key, entry)):
            self.latest, self._is_own = (key, entry), True
        elif self.latest is None and is_meant(self._short, key, declarer(key)):
            self.latest = key, entry

    def fits(self, key: str, entry: Entry) -> bool:
        """Returns whether the shorthand can mean a key."""
        return any(is_meant(self._short, key, by) for by in (declarer(key), self._roller(key, entry)))

    def _roller(self, key: str, entry: Entry) -> str:
        """Returns who rolls or declared a key, also where its figures were found before its roll was requested."""
        if key not in self._by and key.endswith(self._short.partition("/")[2]):
            rolled = (self._log.state(seq).rolls[key].by for seq in (entry.seq, entry.after))
            self._by[key] = next(filter(None, rolled), declarer(key))
        return self._by.get(key, "")


def entry_of_roll(log: Log, short: str) -> tuple[str, Entry]:
    """Returns the latest key that a shorthand means, and the entry that threw its dice.

    Raises:
        NoSuchRoll: No such roll stands.
    """
    found = _Latest(log, short)
    for entry, event in found.newest_first():
        if isinstance(event, DiceRolled | DiceTold) or is_of_no_dice(event):
            found.add(event.key, entry)
    if found.latest is None:
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts="a roll on record, such as kade/to-hit")
    return found.latest


def is_of_no_dice(event: Event) -> TypeGuard[Chosen]:
    """Returns whether an event answers a roll that modifiers left without dice."""
    return isinstance(event, Chosen) and event.option == NO_DICE


def entry_of_figure(log: Log, short: str, figure: str) -> tuple[str, Entry, str]:
    """Returns the latest key that a shorthand means, the entry that found a figure there, and its recorded name.

    Raises:
        NoSuchFigure: No figure of that name stands under that key.
    """
    seen: set[str] = set()
    found, words, name = _Latest(log, short), wording(log.combat.session), figure
    for entry, event in found.newest_first():
        if not isinstance(event, FigureFound | TestResolved) or not found.fits(event.key, entry):
            continue
        names = figures_of(event, words)
        seen.update(names)
        if names.get(figure, figure) in names.values():
            found.add(event.key, entry)
            name = names.get(figure, figure) if found.latest == (event.key, entry) else name
    if found.latest is None:
        accepts = ", ".join(sorted(seen)) or "a roll on record, such as kade/to-hit"
        raise NoSuchFigure(f"no figure {figure!r} stands under {short!r}", where="figure", accepts=accepts)
    return *found.latest, name


def figures_of(event: Event, words: Wording) -> Mapping[str, str]:
    """Returns the figures of an event that can be overruled: recorded names by the game's names.

    The target of a test is a separate figure, found before the dice; a stand-in for something hidden is not a figure.
    """
    if isinstance(event, TestResolved):
        return words.test_figures
    is_one = isinstance(event, FigureFound) and event.why and event.name not in {HIDDEN, RESULT}
    return {event.name: event.name} if isinstance(event, FigureFound) and is_one else {}


def is_the_roll(log: Log, entry: Entry, short: str, key: str) -> bool:
    """Returns whether a shorthand can mean a key around an entry: by its roller, or by who declared its exchange."""
    rolled_by = (log.state(seq).rolls[key].by for seq in (entry.after, entry.seq))
    return any(is_meant(short, key, who) for who in (declarer(key), *rolled_by))
