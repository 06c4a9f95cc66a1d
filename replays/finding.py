"""Finding things: a session, the roll a shorthand means, the entry on the line that found a figure or rolled dice."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TypeGuard

from ledger import tombstone
from ledger.dice import NO_DICE
from ledger.entry import Entry
from ledger.errors import NoSuchSession
from ledger.events import Chosen, DiceRolled, Event, FigureFound, TestResolved
from ledger.key import is_meant, meant
from ledger.stores import Store
from ledger.tombstone import Tombstone
from machines.refusals import NoSuchFigure, NoSuchRoll
from projections.combat import Combat
from projections.views.stand_ins import HIDDEN, RESULT
from replays.log import Log
from replays.unseen import Names
from replays.wording import Wording, wording


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


def entry_of_roll(log: Log, short: str) -> tuple[str, Entry]:
    """The key that a shorthand means, latest first, and the entry that threw its dice.

    Raises:
        NoSuchRoll: No such roll stands.
    """
    for entry in log.upwards():
        for event in reversed(entry.events):
            key = event.key if isinstance(event, DiceRolled) or is_of_no_dice(event) else ""
            if key and is_the_roll(log, entry, short, key):
                return key, entry
    raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts="a key that `affray log --json` shows")


def is_of_no_dice(event: Event) -> TypeGuard[Chosen]:
    """Was it a roll of which a modifier has left no die?"""
    return isinstance(event, Chosen) and event.option == NO_DICE


def entry_of_figure(log: Log, short: str, figure: str) -> tuple[str, Entry, str]:
    """The key that a shorthand means, latest first, the entry that found a figure under it, and its recorded name.

    Raises:
        NoSuchFigure: Nothing of that name stands under that key.
    """
    seen: set[str] = set()
    words = wording(log.combat.session)
    for entry in log.upwards():
        for event in reversed(entry.events):
            if not isinstance(event, FigureFound | TestResolved) or not is_the_roll(log, entry, short, event.key):
                continue
            names = figures_of(event, words)
            name = names.get(figure, figure)
            if name in names.values():
                return event.key, entry, name
            seen.update(names)
    accepts = ", ".join(sorted(seen)) or "a key that `affray log --json` shows"
    raise NoSuchFigure(f"no figure {figure!r} stands under {short!r}", where="figure", accepts=accepts)


def figures_of(event: Event, words: Wording) -> Mapping[str, str]:
    """The figures that an event finds, which may be overruled: as the game calls each, and as the record does.

    The target of a test is a figure of its own, found before the dice; what stands for something hidden is none.
    """
    if isinstance(event, TestResolved):
        return words.test_figures
    is_one = isinstance(event, FigureFound) and event.why and event.name not in {HIDDEN, RESULT}
    return {event.name: event.name} if isinstance(event, FigureFound) and is_one else {}


def is_the_roll(log: Log, entry: Entry, short: str, key: str) -> bool:
    """Does a shorthand mean this key, as things stood before an entry?"""
    declared_by = key.split("/")[1] if "/" in key else ""
    if is_meant(short, key, declared_by):
        return True
    who, _, suffix = short.partition("/")
    if suffix and not key.endswith("/" + suffix):
        return False
    # The roller may be somebody else than who declared the action: the defender in an attack.
    rolled_by = {log.state(seq).rolls[key].by for seq in (entry.after, entry.seq)}
    return who in log.combat.roster and who in rolled_by


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
