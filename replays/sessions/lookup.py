"""Finding things: a session, the roll a shorthand means, the entry on the line that found a figure or rolled dice."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TypeGuard

from ledger import tombstone
from ledger.dice import NO_DICE
from ledger.entry import Entry
from ledger.errors import NoSuchSession
from ledger.events import Chosen, Declared, DiceRolled, Event, FigureFound, RollRequested, TestResolved
from ledger.key import declarer, is_meant, meant
from ledger.stores import Store
from ledger.tombstone import Tombstone
from machines.contract.refusals import NoSuchFigure, NoSuchRoll
from projections.combat import Combat
from projections.views.stand_ins import HIDDEN, RESULT
from replays.sessions.hidden_names import Names
from replays.sessions.log import Log
from replays.sessions.wording import Wording, wording


def open_key(combat: Combat, short: str, *, rolls: bool = True) -> str | None:
    """The key of the one open roll (or choice) that a shorthand means; None where it means none.

    Raises:
        NoSuchRoll: It means several.
    """
    waiting = [(rest.key, rest.by) for rest in combat.rests if bool(rest.dice) == rolls]
    short = Names(combat).key(short)
    found = meant(short, waiting)
    if len(found) > 1:
        raise NoSuchRoll(f"{short!r} means more than one", where="key", accepts=", ".join(found))
    return found[0] if found else None


class _Latest:
    """The latest thing that a shorthand means: of its own roller, else in an action that its combatant declared.

    Args:
        log: The session.
        short: The shorthand.
    """

    def __init__(self, log: Log, short: str) -> None:
        self.latest: tuple[str, Entry] | None = None
        self._log, self._short = log, short
        self._is_own = False
        self._by: dict[str, str] = {}

    def upwards(self) -> Iterator[tuple[Entry, Event]]:
        """The events that stand, the latest first, until the latest of its own roller is known."""
        for entry in self._log.upwards():
            for event in reversed(entry.events):
                if isinstance(event, RollRequested | Declared):
                    self._by.setdefault(event.key, event.by)
                yield entry, event
                if self._is_own:
                    return

    def add(self, key: str, entry: Entry) -> None:
        """Take something in, unless something later is meant rather."""
        if is_meant(self._short, key, self._roller(key, entry)):
            self.latest, self._is_own = (key, entry), True
        elif self.latest is None and is_meant(self._short, key, declarer(key)):
            self.latest = key, entry

    def fits(self, key: str, entry: Entry) -> bool:
        """Can the shorthand mean it?"""
        return any(is_meant(self._short, key, by) for by in (declarer(key), self._roller(key, entry)))

    def _roller(self, key: str, entry: Entry) -> str:
        """Who rolls or declared it: by what was recorded later, as figures are found before their roll; else then."""
        if key not in self._by and key.endswith(self._short.partition("/")[2]):
            rolled = (self._log.state(seq).rolls[key].by for seq in (entry.seq, entry.after))
            self._by[key] = next(filter(None, rolled), declarer(key))
        return self._by.get(key, "")


def entry_of_roll(log: Log, short: str) -> tuple[str, Entry]:
    """The key that a shorthand means, latest first, and the entry that threw its dice.

    Raises:
        NoSuchRoll: No such roll stands.
    """
    found = _Latest(log, short)
    for entry, event in found.upwards():
        if isinstance(event, DiceRolled) or is_of_no_dice(event):
            found.add(event.key, entry)
    if found.latest is None:
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts="a key that `affray log --json` shows")
    return found.latest


def is_of_no_dice(event: Event) -> TypeGuard[Chosen]:
    """Was it a roll of which a modifier has left no die?"""
    return isinstance(event, Chosen) and event.option == NO_DICE


def entry_of_figure(log: Log, short: str, figure: str) -> tuple[str, Entry, str]:
    """The key that a shorthand means, latest first, the entry that found a figure under it, and its recorded name.

    Raises:
        NoSuchFigure: Nothing of that name stands under that key.
    """
    seen: set[str] = set()
    found, words, name = _Latest(log, short), wording(log.combat.session), figure
    for entry, event in found.upwards():
        if not isinstance(event, FigureFound | TestResolved) or not found.fits(event.key, entry):
            continue
        names = figures_of(event, words)
        seen.update(names)
        if names.get(figure, figure) in names.values():
            found.add(event.key, entry)
            name = names.get(figure, figure) if found.latest == (event.key, entry) else name
    if found.latest is None:
        accepts = ", ".join(sorted(seen)) or "a key that `affray log --json` shows"
        raise NoSuchFigure(f"no figure {figure!r} stands under {short!r}", where="figure", accepts=accepts)
    return *found.latest, name


def figures_of(event: Event, words: Wording) -> Mapping[str, str]:
    """The figures that an event finds, which may be overruled: as the game calls each, and as the record does.

    The target of a test is a figure of its own, found before the dice; what stands for something hidden is none.
    """
    if isinstance(event, TestResolved):
        return words.test_figures
    is_one = isinstance(event, FigureFound) and event.why and event.name not in {HIDDEN, RESULT}
    return {event.name: event.name} if isinstance(event, FigureFound) and is_one else {}


def is_the_roll(log: Log, entry: Entry, short: str, key: str) -> bool:
    """Can a shorthand mean this key, as things stood around an entry: by who rolls, or by who declared the action?"""
    rolled_by = (log.state(seq).rolls[key].by for seq in (entry.after, entry.seq))
    return any(is_meant(short, key, who) for who in (declarer(key), *rolled_by))


def find_session(store: Store, prefix: str | None) -> str:
    """The one session whose id begins so; left out, the one created last.

    Raises:
        NoSuchSession: None does, or several.
        SessionDeleted: One that begins so was deleted, and no other does.
        Cut: It is known to have been there, and is missing.
    """
    known = store.sessions()
    if prefix == "":
        accepts = ", ".join(known[-5:]) or "an id, or how it begins"
        raise NoSuchSession("'' is no session's id", where="session", accepts=accepts)
    found = [session for session in known if session.startswith((prefix or "").upper()) or session == prefix]
    if prefix and not found:
        _check_gone(store, prefix)
    if not known:
        raise NoSuchSession("this ledger has no session yet", where="session", accepts="play one first")
    if prefix is None:
        return known[-1]
    if prefix in known:
        return prefix
    if len(found) != 1:
        problem = "no session begins" if not found else f"{len(found)} sessions begin"
        raise NoSuchSession(f"{problem} with {prefix!r}", where="session", accepts=", ".join((found or known)[-5:]))
    return found[0]


def find_deleted(store: Store, prefix: str) -> Tombstone | None:
    """The first deleted session whose id begins so; None where none does."""
    stones = (tombstone.decode(record.line) for record in store.tombstones())
    return next((each for each in stones if each.session == prefix or each.session.startswith(prefix.upper())), None)


def _check_gone(store: Store, prefix: str) -> None:
    """Refuse a session that was there once, and say what became of it."""
    stone = find_deleted(store, prefix)
    if stone is not None:
        raise stone.refusal()
    with suppress(NoSuchSession):
        store.head(prefix)
