"""Playing a script: whole or not at all."""

from collections.abc import Callable

from ledger.commands import Command, Rewind
from ledger.entry import Entry, Who
from ledger.errors import Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from projections.combat import Combat
from replays import rewinding
from replays.expecting import Expected
from replays.run import Asked, run
from replays.script import RewindStep, Script
from replays.scripted import Scripted
from replays.session import GM, Session

Watch = Callable[[Entry, Session], None]
"""Is told of each entry as it is performed."""


def _nobody(_: Entry, __: Session) -> None:
    """Watches nothing."""


def play(script: Script, store: Store, *, by: Who = GM, watch: Watch = _nobody) -> Session:
    """Perform a script and keep the session.

    It is played in memory first, and kept, in one append, only when every step was accepted and every expectation held.

    Args:
        script: The fight.
        store: Where to keep it.
        by: The gamemaster.
        watch: Is told of each entry.

    Raises:
        Refused: A step cannot be; the message says which.
        Expected: An expectation does not hold.
    """
    draft = perform(script, by=by, watch=watch)
    records = list(draft.log.store.read(draft.id))
    store.create(draft.id)
    store.append(draft.id, records, expected=0)
    return Session(store, draft.id)


def perform(script: Script, *, by: Who = GM, watch: Watch = _nobody) -> Session:
    """Perform a script in memory.

    Raises:
        Refused: A step cannot be; the message says which.
        Expected: An expectation does not hold.
    """
    session = Session.create(
        MemoryStore(), ruleset=script.ruleset, title=script.title, profile=script.profile, options=script.options,
        policies=script.policies, source=script.source, by=by,
    )  # fmt: skip
    seen = 0

    def follow(asked: Asked) -> Combat:
        session.perform(asked.command, by=asked.by)
        tell()
        return session.combat

    def tell() -> None:
        nonlocal seen
        for entry in session.entries(after=seen):
            watch(entry, session)
        seen = session.log.last

    def back(step: RewindStep) -> Command:
        to = step.to if step.to is not None else rewinding.target(session.log, step.span)
        return Rewind(to, step.why)

    tell()
    scripted = Scripted(script, by, session.state, back)
    try:
        run(lambda: session.game, session.combat, scripted, follow)
    except Refused as refusal:
        refusal.message = f"step {scripted.step}: {refusal.message}" if scripted.step else refusal.message
        raise
    return session


__all__ = ("Expected", "Watch", "perform", "play")
