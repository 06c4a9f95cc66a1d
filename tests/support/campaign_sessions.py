"""Makes a ledger with campaigns: two rulesets, corrected and undone rulings, closed, damaged and other sessions.

RAIN1   Iron Rain   eclipse_phase_1e   a blow; a ruling that is corrected, and one that is undone
RAIN2   Iron Rain   gurps_3e           Kira's Bob, called Robert; Zoe's character; closed
RAIN3   Iron Rain   eclipse_phase_1e   Bob, now `fist`, has left; Eve's joining is undone; a settled dispute
RAIN4   Iron Rain   eclipse_phase_1e   its third entry cannot be read
OTHER   A/B ...     gurps_3e           no entry after the first
ALONE   none        eclipse_phase_1e
LOST    unknown     eclipse_phase_1e   its first entry cannot be read
"""

from collections.abc import Sequence
from itertools import count
from typing import Any

from damaging import ATTACK, SHEET

from ledger.chain import Record
from ledger.commands import (
    BeginCombat,
    Choose,
    CloseSession,
    Command,
    Declare,
    EndCombat,
    Join,
    Leave,
    Note,
    OpenDispute,
    Overrule,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from replays.api.session import Session
from replays.corrections.change import Change

RAIN, ODD = "Iron Rain", "A/B “ö”? #1 100% 'x' \\ .."
DAMAGE = f"{ATTACK}/damage"
FIGHTER = dict(ruleset("gurps_3e").sheets["swordsman"])


def fill(store: Store) -> Store:
    """Puts the sessions into a store, and returns it."""
    clock = _Clock()
    first(store, clock)
    second(store, clock)
    third(store, clock)
    damaged = _opened(MemoryStore(), "RAIN4", RAIN, clock)
    perform(damaged, [Join("gil", SHEET, "Gil", "kira"), Note("it rains")])
    store.create("RAIN4", torn(records_of(damaged), 3))
    _opened(store, "OTHER", ODD, clock, game="gurps_3e")
    perform(_opened(store, "ALONE", "", clock), [Join("bob", SHEET, "Bob", "kira")])
    store.create("LOST", torn(records_of(_opened(MemoryStore(), "LOST", RAIN, clock)), 1))
    return store


def first(store: Store, clock: Any) -> Session:
    """Plays the first session of Iron Rain: a ruling of 9 is corrected to 7, another one is undone."""
    session = _opened(store, "RAIN1", RAIN, clock)
    perform(session, [Join("ann", SHEET, "Ann"), Join("bob", SHEET, "Bob", "kira")])
    session.perform(Join("door", SHEET, "The door", thing=True))
    perform(session, _blow("bob"))
    ruled = session.overrule(DAMAGE, "dv", 9, why="the club is cracked")[0]
    session.amend(ruled.seq, Change(set={"value": 7}), why="cracked twice")
    session.perform(Overrule(DAMAGE, "dv", 3, "a pillow"))
    session.undo(why="no pillow")
    session.perform(EndCombat())
    return session


def second(store: Store, clock: Any) -> Session:
    """Plays the second session: another game, Bob is called Robert, and his player KIRA; closed."""
    session = _opened(store, "RAIN2", RAIN, clock, game="gurps_3e")
    perform(session, [Join("bob", FIGHTER, "Robert", "KIRA"), Join("zed", FIGHTER, "Zed", "zoe"), CloseSession()])
    return session


def third(store: Store, clock: Any) -> Session:
    """Plays the third session: Bob is `fist`, called robert, and leaves. Eve's joining is undone."""
    session = _opened(store, "RAIN3", RAIN, clock)
    perform(session, [Join("ann", SHEET, "Ann"), Join("fist", SHEET, "robert", "kira")])
    session.perform(Join("eve", SHEET, "Eve", "zoe"))
    session.undo(why="she is late")
    perform(session, _blow("fist"))
    session.perform(OpenDispute(DAMAGE, "too much", "", seen_by=None), by=Who("kira", Seat.PLAYER))
    session.perform(SettleDispute("d1", "upheld", "as it lies"))
    perform(session, [EndCombat(), Leave("fist")])
    return session


def perform(session: Session, commands: Sequence[Command]) -> None:
    """Performs commands one after another."""
    for command in commands:
        session.perform(command)


def records_of(session: Session) -> list[Record]:
    """Returns the records of a session."""
    return list(session.log.store.read(session.id))


def torn(records: Sequence[Record], seq: int) -> list[Record]:
    """Returns records of which one cannot be read."""
    found = []
    for record in records:
        line = record.line[:40] if record.seq == seq else record.line
        found.append(Record(record.seq, line, record.secret, record.digest))
    return found


def _blow(at: str) -> tuple[Command, ...]:
    """Returns the commands of a fight in which Ann hits another combatant."""
    return (
        BeginCombat(), TypeDice("r1/ann/initiative", (90,)), TypeDice(f"r1/{at}/initiative", (10,)),
        Declare("attack", "ann", {"at": at, "using": "club"}), Choose(f"{ATTACK}/defense", "fray"),
        TypeDice(f"{ATTACK}/to-hit", (22,)), TypeDice(f"{ATTACK}/defend", (71,)), TypeDice(DAMAGE, (3, 4)),
    )  # fmt: skip


class _Clock:
    """A clock that goes on by a second with each call."""

    def __init__(self) -> None:
        self._seconds = count()

    def __call__(self) -> str:
        minutes, seconds = divmod(next(self._seconds), 60)
        return f"2026-11-27T20:{minutes:02}:{seconds:02}.000Z"


def _opened(store: Store, name: str, campaign: str, clock: Any, game: str = "eclipse_phase_1e") -> Session:
    return Session.create(store, ruleset=game, title=f"Title of {name}", session=name, campaign=campaign, clock=clock)
