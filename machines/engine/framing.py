"""Decides the commands around play: opening and closing a session, combatants, combats, time between them."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from ledger.commands import (
    AmendSheet,
    BeginCombat,
    CloseSession,
    Command,
    EndCombat,
    Join,
    Leave,
    OpenSession,
    PassTime,
    RenameSession,
)
from ledger.events import (
    Audience,
    CampaignNamed,
    CombatantJoined,
    CombatantLeft,
    CombatBegan,
    CombatEnded,
    NameGiven,
    SessionClosed,
    SessionOpened,
    SessionRenamed,
    SheetGiven,
    SideTaken,
    TimePassed,
)
from machines.contract.refusals import (
    AlreadyFighting,
    AlreadyOpen,
    BadId,
    BadTitle,
    CannotAdjust,
    NoCombatants,
    NotFighting,
    NotOpen,
    StillNeeded,
    Taken,
)
from machines.contract.ruleset import Ruleset, check_sheet, check_situation, profile_row
from machines.engine import agreements
from machines.engine.adjustments import check_known, is_word
from machines.engine.walk import Walk
from projections.combat import Combat

_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months")


def check_open(combat: Combat) -> None:
    """Checks that a session is open; closing is permanent.

    Raises:
        NotOpen: The session is not open.
    """
    if not combat.session.is_open:
        raise NotOpen("the session is not open", where="session", accepts="a session that is open")


def check_new(combat: Combat) -> None:
    """Checks that a session was not opened yet, even if it is closed now.

    Raises:
        AlreadyOpen: The session is open.
        NotOpen: The session is closed.
    """
    if combat.session.is_open:
        raise AlreadyOpen("the session is open already", where="session")
    if combat.session.ruleset:
        raise NotOpen("the session is permanently closed", where="session", accepts="a new session")


def _open(game: Ruleset, walk: Walk, command: OpenSession) -> None:
    row = profile_row(game, command.profile, command.options)
    agreed = agreements.agreed(command.policies)
    walk.tell(
        SessionOpened(command.title, game.name, row["name"], row, agreed, command.dice_commitment, command.source)
    )
    if command.campaign:
        walk.tell(CampaignNamed(command.campaign))


def _close(_: Ruleset, walk: Walk, command: CloseSession) -> None:
    walk.tell(SessionClosed(command.why))


def _rename(_: Ruleset, walk: Walk, command: RenameSession) -> None:
    if not command.title.strip() or any(unicodedata.category(each) == "Cc" for each in command.title):
        accepts = "1 to 200 characters that are not all blank, without line breaks and other control characters"
        raise BadTitle(f"{command.title!r} is no title", where="title", accepts=accepts)
    if command.title == walk.combat.session.title:
        raise BadTitle(f"the session is called {command.title!r} already", where="title", accepts="another title")
    walk.tell(SessionRenamed(command.title))


def _join(game: Ruleset, walk: Walk, command: Join) -> None:
    if not is_word(command.who) or command.who == "gm":
        raise BadId(f"{command.who!r} is not an id", where="who", accepts="lower-case letters, digits, - and _; not gm")
    if command.who in walk.combat.roster and walk.combat.roster[command.who].here:
        raise Taken(f"{command.who} has joined already", where="who", accepts="another id")
    check_sheet(game, command.who, command.sheet)
    name = command.who if command.unseen else command.name or command.who
    is_thing = command.thing or game.is_thing(command.sheet)
    walk.tell(CombatantJoined(command.who, name, command.player, is_thing, seen_by=command.seen_by))
    if command.unseen and command.alias not in ("", command.name):
        walk.tell(NameGiven(command.who, command.alias, seen_by=command.seen_by))
    if command.unseen:
        walk.tell(NameGiven(command.who, command.name, seen_by=command.seen_by))
    if command.side:
        walk.tell(SideTaken(command.who, command.side, seen_by=command.seen_by))
    _give_sheet(
        game,
        walk,
        command.who,
        command.sheet,
        command.sheet_seen_by if command.sheet_seen_by is not None else command.seen_by,
    )


def _amend_sheet(game: Ruleset, walk: Walk, command: AmendSheet) -> None:
    check_known(walk.combat, command.who)
    _check_nothing_is_resolved(walk.combat)
    check_sheet(game, command.who, command.sheet)
    known = walk.combat.roster[command.who].sheet_seen_by
    _give_sheet(game, walk, command.who, command.sheet, known if command.seen_by is None else command.seen_by)


def _give_sheet(game: Ruleset, walk: Walk, who: str, sheet: dict[str, Any], seen_by: Audience) -> None:
    walk.tell(SheetGiven(who, sheet, seen_by=seen_by))
    for event in game.open_sheet(walk.combat, who):
        walk.tell(event)


def _leave(_: Ruleset, walk: Walk, command: Leave) -> None:
    check_known(walk.combat, command.who)
    _check_nothing_is_resolved(walk.combat)
    if walk.combat.turn.who == command.who or any(rest.by == command.who for rest in walk.combat.path.asked):
        problem = f"{command.who} has an open roll, choice or turn"
        raise StillNeeded(problem, where="who", accepts="answer or rewind first")
    walk.tell(CombatantLeft(command.who, command.why))


def _begin(game: Ruleset, walk: Walk, command: BeginCombat) -> None:
    clock = walk.combat.clock
    if clock.fighting:
        raise AlreadyFighting("a fight is going on", where="combat", accepts="end it first")
    if not walk.combat.roster.here():
        raise NoCombatants("no combatants have joined", where="combat", accepts="join combatants first")
    _check_nothing_is_resolved(walk.combat)
    check_situation(game, command.situation)
    walk.tell(CombatBegan(clock.combat + (1 if clock.round else 0), command.situation))
    walk.enter(game.turn, game.turn.first, 0)


def _end(_: Ruleset, walk: Walk, command: EndCombat) -> None:
    if not walk.combat.clock.fighting:
        raise NotFighting("no fight is going on", where="combat", accepts="begin a fight first")
    walk.tell(CombatEnded(command.why))


def _pass_time(game: Ruleset, walk: Walk, command: PassTime) -> None:
    if walk.combat.clock.fighting:
        raise AlreadyFighting("during a fight time passes in rounds", where="combat", accepts="end the fight first")
    if command.amount <= 0:
        raise CannotAdjust("time only goes forward", where="amount", accepts="1 or more")
    if command.unit not in _UNITS:
        raise CannotAdjust(f"{command.unit!r} is not a unit of time", where="unit", accepts=", ".join(_UNITS))
    passed = TimePassed(command.amount, command.unit)
    walk.tell(passed)
    for event in game.elapse(walk.combat, passed):
        walk.tell(event)


def _check_nothing_is_resolved(combat: Combat) -> None:
    """Refuses to change combatants while an action is being resolved."""
    frame = combat.exchange.frame
    if frame is not None:
        accepts = "finish it, or undo --exchange"
        raise StillNeeded(f"{frame.by}'s {frame.kind} is being resolved", where=frame.key, accepts=accepts)


HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {
    OpenSession: _open,
    CloseSession: _close,
    RenameSession: _rename,
    Join: _join,
    AmendSheet: _amend_sheet,
    Leave: _leave,
    BeginCombat: _begin,
    EndCombat: _end,
    PassTime: _pass_time,
}
