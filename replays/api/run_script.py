"""Runs a script, whole or not at all: performs it in memory, and stores it only if no step was refused."""

from collections.abc import Callable

import msgspec

from ledger.commands import Amend, Command, Rewind
from ledger.entry import Entry, Who
from ledger.errors import Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays.api.session import Session
from replays.corrections.change import Change, Thrown
from replays.corrections.which_entry import dropped_entry_number, entry_number
from replays.scripts.expectations import Expected
from replays.scripts.format import AmendStep, RewindStep, Script
from replays.scripts.run import run
from replays.scripts.scripted_answers import Scripted
from replays.sessions import undo
from replays.sessions.intent import Intent
from replays.sessions.permissions import GM
from replays.sessions.provable_dice import kept_beside

Watch = Callable[[Entry, Session], None]
"""Called with each entry as it is performed."""


def _ignore(_: Entry, __: Session) -> None:
    """Ignores an entry."""


def perform(script: Script, *, by: Who = GM, watch: Watch = _ignore) -> Session:
    """Performs a script in memory.

    Raises:
        Refused: A step is refused; the message has its number.
        Expected: An expectation is not met.
    """
    session = Session.create(
        MemoryStore(), ruleset=script.ruleset, title=script.title, profile=script.profile, options=script.options,
        policies=script.policies, source=script.source, by=by,
    )  # fmt: skip
    seen = 0

    def follow(intent: Intent) -> Combat:
        session.perform(intent.command, by=intent.by)
        report_new()
        return session.combat

    def report_new() -> None:
        nonlocal seen
        for entry in session.entries(after=seen):
            watch(entry, session)
        seen = session.log.last

    def rewinding(step: RewindStep | AmendStep) -> Command:
        if isinstance(step, AmendStep):
            return _amendment(session, step)
        to = step.to if step.to is not None else undo.target(session.log, step.span)
        return Rewind(to, step.why)

    report_new()
    scripted = Scripted(script, by, session.state, rewinding)
    try:
        run(lambda: session.game, session.combat, scripted, follow)
    except Refused as refusal:
        refusal.message = f"step {scripted.step}: {refusal.message}" if scripted.step else refusal.message
        raise
    return session


def _amendment(session: Session, step: AmendStep) -> Command:
    """Returns the command of an amending step, with the entry it means."""
    thrown: dict[str, Thrown] = {
        short: (faces,) if isinstance(faces, int) else faces for short, faces in step.dice.items()
    }
    change = Change(set=step.set, insert=step.insert, drop=step.drop, dice=thrown)
    number_of = dropped_entry_number if step.drop else entry_number
    return Amend(number_of(session.log, step.entry), msgspec.to_builtins(change), step.why)


def keep(session: Session, store: Store) -> Session:
    """Stores a session that was performed in memory, all of it or nothing.

    Args:
        session: The session that `perform` returned.
        store: The store to keep it in.
    """
    records = list(session.log.store.read(session.id))
    store.create(
        session.id, records, sealed=kept_beside(session.log.store, session.id), keys=session.log.store.keys(session.id)
    )
    return Session(store, session.id)


__all__ = ("Expected", "Watch", "keep", "perform")
