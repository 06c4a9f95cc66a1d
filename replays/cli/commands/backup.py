"""Verbs that keep a ledger safe: backup, restore, copy."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.entry import Seat
from ledger.errors import Damaged, Refused
from ledger.stores.sqlite.heads_queries import place
from machines.contract.refusals import NotAllowed
from replays.cli import screen
from replays.cli.context import Door, Json, No, known_keys
from replays.exports import backup as keeping
from replays.exports.backup import Copied, Kept, Problem


class NotCopied(Refused):
    """Some sessions were not copied."""

    slug = "copy/incomplete"


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    for verb in (backup, restore, copy):
        app.command()(verb)


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The copy; there is no such file yet.")],
    json: Json = False,
) -> None:
    """Copy the ledger into a file, while it may be in use, and verify the copy.

    The copy has everything: sealed seeds, tokens, what is hidden from players. Keep it as safe as the ledger. Do not
    copy the ledger's file by other means while it is in use: what was written last stands in another file beside it,
    and the copy would be shorter without a word.

    A damaged session is copied as it is, so that the others are safe; the exit code is then 1, and its name is told. So
    it is where the heads file knows of entries that the ledger lacks. A ledger in PostgreSQL is backed up with pg_dump.
    """
    door = _gamemaster(context)
    kept = keeping.backup(door.ledger, file, heads=door.heads)
    _tell(kept, f"in {file}" if kept.problems else f"in {file}, verified", json=json)
    for problem in kept.problems:
        message = f"the copy is complete, and {problem.session} is damaged in it as it is in the ledger"
        raise No(Damaged(f"{message}: {problem.refusal.message}", where=problem.session))


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that `backup` has made.")],
    json: Json = False,
) -> None:
    """Put a backup in the place of the ledger, whole or not at all; a ledger that is there is not overwritten.

    Every session is verified before and after. The ledger is the one of --ledger: where one is there, move it and the
    files beside it (-wal, -shm) away first. The backup itself is not changed, and may be where nothing can be written.

    Leave the heads file where it is: it knows which entries were written after the backup. `affray heads` tells
    which are missing, and `affray heads --renew --why WORDS` goes on without them.
    """
    door = _gamemaster(context)
    try:
        kept = keeping.restore(file, door.ledger)
    except Damaged as damaged:
        raise No(damaged) from damaged
    _tell(kept, "restored and verified", json=json)
    heads = place(kept.file, door.heads)
    if Path(heads).exists():
        hint = "affray heads compares it with what was restored, affray heads --renew --why … goes on without the rest"
        screen.say(screen.people(json=json), f"{heads} remembers the ledger that was there: {hint}")


def copy(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="The address of a ledger: sqlite:///affray.db.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The address of another: postgresql://host/database.")],
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Ids or beginnings; left out, all.")
    ] = None,
    json: Json = False,
) -> None:
    """Copy sessions from one ledger into another of any kind, with their idempotency keys and sealed secrets.

    Each is verified before and after, and is copied whole or not at all. One that is there already is refused, and
    so is one that is damaged, or lacks entries of which the heads file knows; the others are copied. Both addresses are
    written out; --ledger only says which of them --heads is about. From then on the two go on by themselves: play on
    with one of them.
    """
    door = _gamemaster(context)
    console = screen.people(json=json)
    done, problems = list[Copied](), list[Problem]()
    heads, target_heads = door.heads_of(source), door.heads_of(target)
    for one in keeping.copy_sessions(
        source, target, sessions or (), heads=heads, target_heads=target_heads, keys=known_keys()
    ):
        if isinstance(one, Copied):
            done.append(one)
            screen.say(console, f"{one.session}: {one.entries} entries, copied and verified")
        else:
            problems.append(one)
            screen.say(console, f"{one.session}: not copied: {one.refusal}")
    if json:
        screen.document({"copied": done, "refused": [_plain(problem) for problem in problems]})
    _conclude(problems, len(done) + len(problems))


def _gamemaster(context: typer.Context) -> Door:
    door: Door = context.obj
    if door.who.seat is not Seat.GM:
        raise NotAllowed("a whole ledger has what is hidden from players", where="by", accepts="the gm's seat")
    return door


def _tell(kept: Kept, what: str, *, json: bool) -> None:
    many = "1 session" if kept.sessions == 1 else f"{kept.sessions} sessions"
    screen.say(screen.people(json=json), f"{many}, {kept.entries} entries {what}")
    if json:
        about = {"file": kept.file, "sessions": kept.sessions, "entries": kept.entries}
        screen.document(about | {"damaged": [_plain(problem) for problem in kept.problems]})


def _plain(problem: Problem) -> dict[str, Any]:
    refusal = problem.refusal
    return {"session": problem.session, "slug": refusal.slug, "message": refusal.message, "where": refusal.where}


def _conclude(problems: list[Problem], asked: int) -> None:
    """The exit: 1 where a record is damaged, 2 where a session is refused for another reason."""
    if not problems:
        return
    first = next((problem for problem in problems if problem.is_damage), problems[0])
    because = first.refusal
    if asked > 1 and len({problem.refusal.slug for problem in problems}) > 1:
        summary = f"{len(problems)} of {asked} sessions were not copied"
        because = NotCopied(f"{summary}; first {first.session}: {first.refusal}", where=first.session)
    if first.is_damage:
        raise No(because)
    raise because
