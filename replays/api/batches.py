"""Performs several commands together: all of them or none, in one commit.

They are decided one after the other on a copy of the log in memory. Only when all are accepted are their entries
appended to the log, under one idempotency key.
"""

from collections.abc import Sequence

from ledger.commands import Amend, Command, Rewind
from ledger.entry import StoredRequest
from ledger.errors import BadCommand, Refused
from ledger.stores.memory import MemoryStore
from replays.api.request import Request
from replays.sessions.log import Log

MOST = 200
"""Maximum number of commands in a batch."""


def requests_of(commands: Sequence[Command], whole: Request) -> list[Request]:
    """Returns a request for each command of a batch.

    Args:
        commands: The commands, in order.
        whole: The request for all of them.

    Raises:
        BadCommand: There is none, there are too many, or one of them corrects older entries.
    """
    if not 0 < len(commands) <= MOST:
        problem = f"a batch cannot have {len(commands)} commands"
        raise BadCommand(problem, where="commands", accepts=f"1 to {MOST}")
    for place, command in enumerate(commands, 1):
        if isinstance(command, Amend | Rewind):
            problem = f"command {place} of the batch corrects older entries"
            raise BadCommand(problem, where=f"commands.{place}", accepts="a request of its own")
    return [whole._replace(command=each, expected=None, batch=None, binds=()) for each in commands]


def copy_of(log: Log, upto: int | None = None) -> Log:
    """Returns a log with the same entries and sealed secrets, to which is appended in memory.

    Args:
        log: The session's log.
        upto: The last entry of the copy; by default the last of the log.
    """
    store = MemoryStore()
    if upto is None or upto == log.last:
        store.continue_from(log.store, log.session, log.last)
        return log.continued_in(store)
    store.continue_from(log.store, log.session, upto)
    checkpoint = log.store.checkpoint(log.session)
    if checkpoint is not None:
        store.keep_checkpoint(log.session, checkpoint)
    return Log(store, log.session)


def placed(refused: Refused, place: int) -> Refused:
    """Returns the refusal of a command of a batch, with its place; it is changed."""
    refused.message = f"command {place} of the batch: {refused.message}"
    refused.where = f"commands.{place}.{refused.where}".rstrip(".")
    return refused


def on_record(whole: Request, entries: int) -> StoredRequest | None:
    """Returns what the first entry keeps of a request; None for a single entry without a key."""
    if whole.batch is not None:
        return StoredRequest(whole.batch, whole.fingerprint, entries)
    return StoredRequest("", "", entries) if entries > 1 else None
