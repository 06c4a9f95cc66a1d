"""The verbs `backup`, `restore` and `copy`, which copy whole ledgers."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.entry import Seat
from ledger.errors import Damaged, Refused
from ledger.stores.sqlite.heads_queries import place
from machines.contract.refusals import NotAllowed
from replays.cli import screen
from replays.cli.context import AnswerIsNo, CliContext, Json, known_keys
from replays.cli.progress import ShowProgress, progress_bar
from replays.exports import backup as keeping
from replays.exports.backup import Kept
from replays.exports.copying.ledger_copy import copy_sessions
from replays.exports.copying.session_copier import Copied
from replays.exports.session_problems import SessionProblem


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
    """Copy sessions from one ledger into another of any kind. Repeat the call to continue after an interruption.

    Each session's chain is verified before and after. Idempotency keys and sealed secrets are copied too. A session
    that TO has whole is skipped; one of which TO has the beginning is continued. A session is refused if TO has another
    one of that id, or continued it; if it is damaged; or if entries of the heads file are missing from it. Nothing is
    overwritten, and the other sessions are copied. FROM is only read, and may be in use: its entries as of the reading
    are copied.

    Not copied: checkpoints, which are made anew, and tombstones of deleted sessions, because each ledger has its chain
    of them. A session that FROM has deleted and TO has not is reported.

    Both addresses must be given; --ledger only selects which of them --heads is for. A database as TO is prepared with
    affray migrate. The two copies are not synchronized: continue only one of them.
    """
    cli = _gamemaster(context)
    console = screen.console(json=json)
    results: list[Copied | SessionProblem] = []
    is_late = sys.stderr.isatty()  # the progress bar is there meanwhile
    try:
        with progress_bar("copying") as watch:
            for one in _copying(cli, source, target, [*(sessions or ())], watch):
                results.append(one)
                if not is_late:
                    screen.print_line(console, _line(one))
    finally:
        for one in results if is_late else ():
            screen.print_line(console, _line(one))
    if json:
        screen.document(_document(results))
    _conclude([one for one in results if isinstance(one, SessionProblem)], len(results))


def _copying(
    cli: CliContext, source: str, target: str, names: list[str], watch: ShowProgress
) -> Iterator[Copied | SessionProblem]:
    heads, target_heads = cli.heads_of(source), cli.heads_of(target)
    return copy_sessions(source, target, names, heads=heads, target_heads=target_heads, keys=known_keys(), watch=watch)


def _line(one: Copied | SessionProblem) -> str:
    """Returns the line for people about a session."""
    if isinstance(one, SessionProblem):
        return f"{one.session}: not copied: {one.refusal}"
    if one.how == "unchanged":
        return f"{one.session}: {one.entries} entries, all there"
    added = f", {one.added} of them added" if one.how == "continued" else ""
    return f"{one.session}: {one.entries} entries{added}, copied and verified"


def _document(results: list[Copied | SessionProblem]) -> dict[str, Any]:
    """Returns the results as a document."""
    whole = [one for one in results if isinstance(one, Copied)]
    return {
        "copied": [one for one in whole if one.how != "unchanged"],
        "unchanged": [one for one in whole if one.how == "unchanged"],
        "refused": [_plain(one) for one in results if isinstance(one, SessionProblem)],
    }


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
