"""Checks imported sessions: each entry as strictly as a new command, with its line in the refusal.

The chain of a forged file can be valid, so nothing in it is trusted. What only the rules can check (sheets, terms) is
checked by today's rules for the entries that they decided. Entries of older rules are accepted, and reading them
refuses what today's rules cannot read.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from ledger import codec
from ledger.bounds import VISIBLE, check_session_id
from ledger.chain import Record
from ledger.commands import Join, OpenSession, Overrule
from ledger.entry import Entry, StoredRequest
from ledger.errors import Broken, Damaged, Refused, Unreadable
from ledger.events import CombatBegan, Declared, Event, SessionOpened, SheetGiven
from ledger.requests.command_checks import check_command, check_key
from machines.contract.refusals import UnknownVersion
from machines.contract.ruleset import Ruleset, check_profile, check_situation, check_terms, ruleset
from machines.engine.decide import decide
from projections.combat import fold
from projections.history.timeline import Timeline
from replays.exports.import_events import EventChecker
from replays.sessions.times import TIMES, is_time

_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_LARGEST = 2**53
"""Beyond it not every JSON reader has exact whole numbers; no rule comes near."""
_LONGEST = 100_000
"""The maximal length of a text in an event."""
_DEEPEST = 40
_SHOWN = frozenset({"who", "by", "name", "player", "title", "ruleset", "profile", "key", "of"})
"""Fields of events that are ids, names, titles and keys; other fields may have any text."""
_VISIBLE = re.compile(VISIBLE)


def check_session(session: str, records: Sequence[Record]) -> None:
    """Rejects a session that could not have been written entry by entry.

    Args:
        session: Its id.
        records: All its records, of a valid chain.

    Raises:
        Refused: The message and `where` name the line of the file; the header is line 1.
    """
    with _line(1):
        check_session_id(session)
        if not records:
            raise Unreadable("no entry follows it", where="entries", accepts="an opened session")
    timeline, opened, checker = Timeline(), None, EventChecker()
    for record in records:
        with _line(record.seq + 1):
            entry = codec.decode(record.line)
            opened = opened or _opening(entry)
            _check_entry(entry, opened, checker)
            checker.check(entry)
            timeline.add(entry)


@contextmanager
def _line(number: int) -> Iterator[None]:
    """Adds the line's number to refusals."""
    try:
        yield
    except Damaged as damaged:  # for a ledger; a file is broken
        raise Broken(f"line {number}: {damaged.message}", seq=number - 1) from damaged
    except Refused as refusal:
        refusal.message = f"line {number}: {refusal.message}"
        refusal.where = ", ".join(filter(None, (f"line {number}", refusal.where)))
        raise


def _opening(entry: Entry) -> SessionOpened:
    """Returns the opening event from the first entry."""
    first = entry.events[0] if entry.events else None
    if not isinstance(entry.command, OpenSession) or not isinstance(first, SessionOpened):
        raise Unreadable("it does not begin with the opening of a session", where="command")
    if first.ruleset != entry.command.ruleset:
        raise Unreadable(f"{entry.command.ruleset} was asked for, {first.ruleset} was opened", where="command")
    return first


def _check_entry(entry: Entry, opened: SessionOpened, checker: EventChecker) -> None:
    game = ruleset(opened.ruleset)
    if not is_time(entry.at):
        raise Unreadable(f"{entry.at[:40]!r} is not a time", where="at", accepts=TIMES)
    check_command(entry.by, entry.command)
    _check_request(entry.request)
    _check_version(entry, game)
    openings = sum(isinstance(event, SessionOpened) for event in entry.events)
    if openings != (entry.seq == 1) or isinstance(entry.command, OpenSession) != (entry.seq == 1):
        raise Unreadable("a session is opened once, by its first entry", where="command")
    _check_origin(entry)
    for event in entry.events:
        check_event(event)
    if entry.rules_version == game.version:
        _check_by_rules(entry, game, opened, checker)


def _check_request(request: StoredRequest | None) -> None:
    if request is None or (request.key, request.fingerprint) == ("", ""):
        return
    check_key(request.key)
    if not _FINGERPRINT.fullmatch(request.fingerprint):
        problem = f"{request.fingerprint[:70]!r} is the fingerprint of no request"
        raise Unreadable(problem, where="request", accepts="64 hex digits")


def _check_version(entry: Entry, game: Ruleset) -> None:
    if entry.rules_version < 1:
        raise Unreadable("it was decided by no version of the rules", where="rules", accepts=f"1 to {game.version}")
    if entry.rules_version > game.version:
        problem, accepts = f"it was decided by a newer version of {game.name}", f"up to version {game.version}"
        raise UnknownVersion(problem, where="rules", accepts=accepts)


def _check_origin(entry: Entry) -> None:
    if entry.origin is not None and not 0 < entry.origin < entry.seq:
        raise Broken(f"entry {entry.seq} performs again what is not before it", seq=entry.seq)
    if isinstance(entry.command, Overrule) and entry.origin is None:
        raise Unreadable("a figure is overruled where an entry is performed again", where="origin")


# ------------------------------------------------------------------------------------------------ events


def check_event(event: Event) -> None:
    """Rejects texts and numbers that no rule can produce."""
    name = type(event).__name__
    for field in event.__struct_fields__:
        value = msgspec.to_builtins(getattr(event, field))
        problem = next(_problems(value, field, _DEEPEST, free=field not in _SHOWN), None)
        if problem is not None:
            where, what = problem
            raise Unreadable(f"{name}.{where} {what}", where=f"{name}.{where}")


def _problems(value: Any, where: str, depth: int, *, free: bool) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if len(value) > _LONGEST:
            yield where, f"is too long: {len(value):,} characters"
        elif not free and not _VISIBLE.fullmatch(value):
            yield where, "has a control character, or one that changes the direction of the text around it"
    elif isinstance(value, int):
        if abs(value) > _LARGEST:
            yield where, "is a number beyond all measure"
    elif isinstance(value, list | tuple | dict):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        if not depth:
            yield where, "is nested too deeply"
        for name, each in inner if depth else ():
            yield from _problems(each, f"{where}.{name}"[:200], depth - 1, free=free or isinstance(value, dict))
    elif value is not None:
        yield where, f"is of type {type(value).__name__}"


# ------------------------------------------------------------------------------------------------ today's rules


def _check_by_rules(entry: Entry, game: Ruleset, opened: SessionOpened, checker: EventChecker) -> None:
    """Rejects sheets, profiles, situations and terms that the rules which decided them would have refused."""
    for event in entry.events:
        match event:
            case SessionOpened():
                check_profile(game, event.rules)
            case SheetGiven():
                is_thing = checker.is_thing(event.who, entry)
                decide(game, fold((opened,)), Join(event.who, event.sheet, thing=is_thing))
            case CombatBegan():
                check_situation(game, event.situation)
            case Declared() if event.kind in game.kinds:
                check_terms(game, event.kind, event.terms)
