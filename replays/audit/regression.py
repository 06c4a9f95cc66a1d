"""Rehearses sessions, one or many: what today's rules decide differently, and which figures people overruled.

A session whose game is not installed, or that is damaged, is reported and counted; it does not hide the others.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.events import Event
from ledger.stores import Store
from machines.contract.refusals import UnknownVersion
from machines.contract.ruleset import ruleset
from replays.audit.overrides import Slip, slips
from replays.corrections.redecide import Divergence, rehearse
from replays.sessions.log import Log

Watch = Callable[[int], None]
"""Called from time to time with the number of further entries that are done."""

_STEP = 100
"""How many entries are reported at once."""


class Unfit(Refused):
    """The record cannot be rehearsed: deciding it again raises an exception that is not a refusal."""

    slug = "rehearse/unfit"


class Field(msgspec.Struct, frozen=True):
    """A field that differs."""

    field: str
    recorded: Any
    decided: Any


class Difference(msgspec.Struct, frozen=True):
    """One entry that today's rules decide differently, by its first event that differs."""

    entry: int
    place: int
    """The number of the event in its entry, from 1."""
    recorded: str
    """The event's name; empty where there is none."""
    decided: str
    fields: tuple[Field, ...]
    refused: str = ""
    """Why today's rules refuse the entry; empty where they do not."""


class Rehearsed(msgspec.Struct, frozen=True, kw_only=True):
    """The result of rehearsing one session."""

    session: str
    title: str = ""
    ruleset: str = ""
    entries: int = 0
    events: int = 0
    divergences: tuple[Difference, ...] = ()
    slips: tuple[Slip, ...] = ()
    problem: Refused | None = None
    """Why it could not be rehearsed."""


def rehearsed(store: Store, session: str, watch: Watch = lambda _: None) -> Rehearsed:
    """Rehearses one session; a failure is returned, not raised.

    Args:
        store: The store of the session.
        session: Its id.
        watch: Called after each hundred entries.
    """
    found = Rehearsed(session=session)
    try:
        log = Log(store, session)
        info = log.combat.session
        found = msgspec.structs.replace(found, title=info.title, ruleset=info.ruleset, entries=log.last)
        _check_version(log)
        counting = _Counting(watch)
        divergences = tuple(map(difference, rehearse(log, counting)))
        return msgspec.structs.replace(found, divergences=divergences, slips=tuple(slips(log)), events=counting.events)
    except Refused as refusal:
        return msgspec.structs.replace(found, problem=refusal)
    except Exception as error:
        unfit = Unfit(f"it cannot be decided again: {type(error).__name__}: {error}", where=session)
        return msgspec.structs.replace(found, problem=unfit)


class _Counting:
    """Counts entries and events, and reports progress."""

    def __init__(self, watch: Watch) -> None:
        self.entries = self.events = 0
        self._watch = watch

    def __call__(self, events: int) -> None:
        self.entries += 1
        self.events += events
        if not self.entries % _STEP:
            self._watch(_STEP)


def _check_version(log: Log) -> None:
    game = ruleset(log.combat.session.ruleset)
    if log.rules_version > game.version:
        raise UnknownVersion(
            f"this session was decided by version {log.rules_version} of {game.name}",
            where="rules_version",
            accepts=f"up to version {game.version}",
        )


# ------------------------------------------------------------------------------------------------ differences


def difference(found: Divergence) -> Difference:
    """Returns a divergence by the name and the fields of its first event that differs."""
    was, now = found.first
    place = next(
        (place for place, (a, b) in enumerate(zip(found.recorded, found.decided, strict=False), 1) if a != b),
        min(len(found.recorded), len(found.decided)) + 1,
    )
    return Difference(found.seq, place, _name(was), _name(now), tuple(_fields(was, now)), found.refused)


def _name(event: Event | None) -> str:
    return type(event).__name__ if event is not None else ""


def _fields(was: Event | None, now: Event | None) -> Iterator[Field]:
    """Yields the fields that differ, where both events are of one kind."""
    if was is None or now is None or type(was) is not type(now):
        return
    for field in was.__struct_fields__:
        recorded, decided = getattr(was, field), getattr(now, field)
        if recorded != decided:
            yield Field(field, msgspec.to_builtins(recorded), msgspec.to_builtins(decided))
