"""The verbs `backup`, `restore` and `copy`, which copy whole ledgers."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.entry import Seat
from ledger.errors import Damaged, Refused
from ledger.stores.sqlite.heads_queries import place
from machines.contract.refusals import NotAllowed
from replays.cli import screen
from replays.cli.context import AnswerIsNo, CliContext, Json, known_keys
from replays.exports import backup as keeping
from replays.exports.backup import Copied, Kept, SessionProblem


class NotCopied(Refused):
    """Some sessions were not copied."""

    slug = "copy/incomplete"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (backup, restore, copy):
        app.command()(verb)


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file to create; it must not exist.")],
    json: Json = False,
) -> None:
    """Copy the ledger into a file and verify the copy. The ledger may be in use meanwhile.

    The copy has everything: sealed seeds, tokens, what is hidden from players. Keep it as safe as the ledger. Do not
    copy the ledger's file by other means while it is in use: the latest entries are in another file beside it, and
    would be missing from the copy.

    A damaged session is copied as it is, so that the others are safe; it is then named, and the exit code is 1. The
    same happens if the heads file has entries that are missing from the ledger. Back up a ledger in PostgreSQL with
    pg_dump.
    """
    cli = _gamemaster(context)
    kept = keeping.backup(cli.ledger, file, heads=cli.heads)
    _report(kept, f"in {file}" if kept.problems else f"in {file}, verified", json=json)
    for problem in kept.problems:
        message = f"the copy is complete, but {problem.session} is damaged in the copy and in the ledger"
        raise AnswerIsNo(Damaged(f"{message}: {problem.refusal.message}", where=problem.session))


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that `affray backup` has written.")],
    json: Json = False,
) -> None:
    """Restore the ledger from a backup, whole or not at all. An existing ledger is never overwritten.

    Every session is verified before and after. The backup is restored to the address of --ledger: if there is a ledger,
    move it and the files beside it (-wal, -shm) away first. The backup is not changed, and may be read-only.

    Leave the heads file where it is: it knows which entries were written after the backup. `affray heads` lists the
    missing ones, and `affray heads --renew --why WORDS` accepts that they are lost.
    """
    cli = _gamemaster(context)
    try:
        kept = keeping.restore(file, cli.ledger)
    except Damaged as damaged:
        raise AnswerIsNo(damaged) from damaged
    _report(kept, "restored and verified", json=json)
    heads = place(kept.file, cli.heads)
    if Path(heads).exists():
        hint = (
            "affray heads compares it with what was restored, affray heads --renew --why … accepts the loss of the rest"
        )
        screen.print_line(screen.console(json=json), f"the heads file {heads} belongs to the former ledger: {hint}")


def copy(
    context: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The address of the ledger to read: sqlite:///affray.db.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The address of the ledger to write: postgresql://host/database.")
    ],
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Ids or beginnings of ids; by default all.")
    ] = None,
    json: Json = False,
) -> None:
    """Copy sessions from one ledger into another. Idempotency keys and sealed secrets are copied too.

    Each session is verified before and after, and copied whole or not at all. A session is refused if the target has
    it already, if it is damaged, or if entries of the heads file are missing from it; the others are copied. Both
    addresses must be given; --ledger only selects which of them --heads is for. The two copies are not synchronized:
    continue only one of them.
    """
    cli = _gamemaster(context)
    console = screen.console(json=json)
    done, problems = list[Copied](), list[SessionProblem]()
    heads, target_heads = cli.heads_of(source), cli.heads_of(target)
    for one in keeping.copy_sessions(
        source, target, sessions or (), heads=heads, target_heads=target_heads, keys=known_keys()
    ):
        if isinstance(one, Copied):
            done.append(one)
            screen.print_line(console, f"{one.session}: {one.entries} entries, copied and verified")
        else:
            problems.append(one)
            screen.print_line(console, f"{one.session}: not copied: {one.refusal}")
    if json:
        screen.document({"copied": done, "refused": [_plain(problem) for problem in problems]})
    _conclude(problems, len(done) + len(problems))


def _gamemaster(context: typer.Context) -> CliContext:
    cli: CliContext = context.obj
    if cli.who.seat is not Seat.GM:
        raise NotAllowed("a whole ledger contains what is hidden from players", where="by", accepts="the gm's seat")
    return cli


def _report(kept: Kept, what: str, *, json: bool) -> None:
    many = "1 session" if kept.sessions == 1 else f"{kept.sessions} sessions"
    screen.print_line(screen.console(json=json), f"{many}, {kept.entries} entries {what}")
    if json:
        about = {"file": kept.file, "sessions": kept.sessions, "entries": kept.entries}
        screen.document(about | {"damaged": [_plain(problem) for problem in kept.problems]})


def _plain(problem: SessionProblem) -> dict[str, Any]:
    refusal = problem.refusal
    return {"session": problem.session, "slug": refusal.slug, "message": refusal.message, "where": refusal.where}


def _conclude(problems: list[SessionProblem], asked: int) -> None:
    """Ends the verb: exit code 1 if a record is damaged, 2 if a session is refused for another reason."""
    if not problems:
        return
    first = next((problem for problem in problems if problem.is_damage), problems[0])
    because = first.refusal
    if asked > 1 and len({problem.refusal.slug for problem in problems}) > 1:
        summary = f"{len(problems)} of {asked} sessions were not copied"
        because = NotCopied(f"{summary}; first {first.session}: {first.refusal}", where=first.session)
    if first.is_damage:
        raise AnswerIsNo(because)
    raise because
