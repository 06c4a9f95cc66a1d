"""The verbs about the integrity of a ledger: `verify`, `heads`, `delete`."""

import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ledger.errors import Broken, Damaged, NoSuchSession, Refused, SessionDeleted, TombstoneBroken, Unreadable, Unusable
from ledger.stores import Store
from ledger.stores.heads import HeadsFile
from ledger.tombstone import Deletion, Tombstone
from replays.audit import dice_proof
from replays.audit.ledger_check import (
    BREAKS,
    Checked,
    check_heads,
    check_session,
    check_sessions,
    deleted_sessions,
)
from replays.cli import screen
from replays.cli.context import AnswerIsNo, Because, CliContext, Json, Reason, SessionArgument, worded
from replays.cli.views import heads_view
from replays.exports import jsonl
from replays.exports.listing import Summary, summaries
from replays.server.callers.keys import VARIABLE
from replays.sessions import ports
from replays.sessions.find_session import find_deleted, find_session

Keys = Annotated[
    Path | None,
    typer.Option("--keys", help="The file of the keys that must have signed the heads file; or AFFRAY_KEYS."),
]
_DIGEST = re.compile("[0-9a-f]{64}")


class Unconfirmed(Refused):
    """A deletion, which cannot be undone, was not confirmed."""

    slug = "delete/unconfirmed"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (verify, heads, delete):
        app.command()(verb)


# ------------------------------------------------------------------------------------------------ verify


def verify(
    context: typer.Context,
    session: SessionArgument = None,
    head: Annotated[str | None, typer.Option(help="A digest that must be part of the log.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Check every session of the ledger, and all deletions.")
    ] = False,
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Check a session's hash chain, dice and recorded heads. SESSION may also be an exported file."""
    cli: CliContext = context.obj
    given = None if head is None else head.lower()
    if given is not None and not _DIGEST.fullmatch(given):
        raise typer.BadParameter("a digest is 64 digits of 0-9 and a-f", param_hint="--head")
    if everything and not (session is None and given is None):
        raise typer.BadParameter("it checks every session and takes no session and no digest", param_hint="--all")
    if session and Path(session).is_file():
        _verify_file(Path(session), given, json=json)
        return
    ledger = _Ledger(cli.store(keys=keys), strict=keys is not None or VARIABLE in os.environ, json=json)
    try:
        if everything:
            ledger.verify_all()
        else:
            ledger.verify(session, given)
    except (*BREAKS, TombstoneBroken) as problem:
        raise AnswerIsNo(problem) from problem


def _verify_file(file: Path, head: str | None, *, json: bool) -> None:
    try:
        lines = [raw.rstrip(b"\n") for raw in file.read_bytes().split(b"\n") if raw.strip()]
        header = jsonl.check(lines, head)
        dice = dice_proof.verify_lines(lines[1:])
    except (Broken, Unreadable, Damaged) as error:
        raise AnswerIsNo(error) from error
    console = screen.console(json=json)
    _print_session(console, header.session, header.entries, header.digest, dice)
    if json:
        screen.document(_session_document(header.session, header.entries, header.digest, dice))
    try:
        dice.check()
    except dice_proof.DiceBroken as broken:
        raise AnswerIsNo(broken) from broken


def _print_session(console: Console, session: str, entries: int, digest: str, dice: dice_proof.Proof) -> None:
    screen.print_line(console, f"{session}: {entries} entries, nothing altered; head {digest}")
    screen.print_line(console, f"dice: {dice}")


def _session_document(session: str, entries: int, digest: str, dice: dice_proof.Proof) -> dict[str, Any]:
    kept = dice.status != dice_proof.BROKEN
    about = {"session": session, "entries": entries, "digest": digest, "verified": kept}
    return about | {"dice": dice_proof.document(dice)}


class _Ledger:
    """Verifies a ledger and prints the results.

    Args:
        store: The ledger.
        strict: Whether every line of the heads file must be signed, as is expected if keys are given.
        json: Whether to print a JSON document.
    """

    def __init__(self, store: Store, *, strict: bool, json: bool) -> None:
        self._store = store
        self._strict = strict
        self._json = json
        self._console = screen.console(json=json)

    def verify(self, name: str | None, head: str | None) -> None:
        """Verifies one session, or the tombstone of a deleted one."""
        try:
            session = find_session(self._store, name)
        except SessionDeleted:
            self._verify_deleted(name or "", head)
            return
        found = check_session(self._store, session, head)
        if found.end is None or found.dice is None:
            raise found.problem or Broken(f"{session} cannot be read", seq=1)
        entries, digest = found.end.seq, found.end.digest.hex()
        _print_session(self._console, session, entries, digest, found.dice)
        stones = deleted_sessions(self._store)
        if stones:
            words = f"{_sessions(len(stones))} deleted, no tombstone altered (verify --all lists them)"
            screen.print_line(self._console, words)
        document, problem = self._heads(session)
        if self._json:
            about = _session_document(session, entries, digest, found.dice)
            about["verified"] = found.problem is None and problem is None
            screen.document(about | {"heads": document})
        _raise(found.problem or problem)

    def _verify_deleted(self, name: str, head: str | None) -> None:
        deleted_sessions(self._store)
        stone = find_deleted(self._store, name)
        if stone is None:
            raise NoSuchSession(f"there is no session {name!r}", where="session")
        if head is not None and head != stone.last:
            raise Broken(f"{stone.session} is deleted, and {head} is not its last digest", seq=stone.entries)
        screen.print_line(self._console, heads_view.deletion(stone))
        document, problem = self._heads(stone.session)
        if self._json:
            deletion = heads_view.deletion_document(stone)
            screen.document(
                {"session": stone.session, "deleted": deletion, "verified": problem is None, "heads": document}
            )
        _raise(problem)

    def verify_all(self) -> None:
        """Verifies every session, all tombstones and all heads; raises the first problem at the end."""
        found = list(map(self._printed, check_sessions(self._store)))
        problems = [each.problem for each in found if each.problem is not None]
        stones: tuple[Tombstone, ...] = ()
        try:
            stones = deleted_sessions(self._store)
        except TombstoneBroken as broken:
            problems.append(broken)
        for stone in stones:
            screen.print_line(self._console, heads_view.deletion(stone))
        document, problem = self._heads(None)
        problems += [problem] if problem is not None else []
        screen.print_line(self._console, f"{_sessions(len(found))}, {len(stones)} deleted; problems: {len(problems)}")
        if self._json:
            deleted = [heads_view.deletion_document(stone) for stone in stones]
            sessions = [_checked_document(each) for each in found]
            screen.document({"sessions": sessions, "deleted": deleted, "heads": document, "verified": not problems})
        _raise(problems[0] if problems else None)

    def _printed(self, found: Checked) -> Checked:
        """Prints the result of checking a session."""
        if found.end is not None and found.dice is not None:
            _print_session(self._console, found.session, found.end.seq, found.end.digest.hex(), found.dice)
        elif found.problem is not None:
            screen.print_line(self._console, f"{found.session}: BROKEN: {found.problem.message}")
        return found

    def _heads(self, session: str | None) -> tuple[dict[str, Any] | None, Refused | None]:
        """Checks the heads file and prints the result; returns its document, and the problem if there is one."""
        heads = self._store.heads
        if heads is None:
            return None, None
        report = heads.examine(session)
        for words in heads_view.lines(heads, report):
            screen.print_line(self._console, words)
        try:
            if report is not None:
                check_heads(report, all_signed=self._strict)
        except Refused as problem:
            return heads_view.document(report), problem
        return heads_view.document(report), None


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"


def _checked_document(found: Checked) -> dict[str, Any]:
    about: dict[str, Any] = {"session": found.session, "verified": found.problem is None}
    if found.end is not None and found.dice is not None:
        about |= _session_document(found.session, found.end.seq, found.end.digest.hex(), found.dice)
    if found.problem is not None:
        about["error"] = {"slug": found.problem.slug, "message": found.problem.message, "where": found.problem.where}
    return about


def _raise(problem: Refused | None) -> None:
    if problem is not None:
        raise AnswerIsNo(problem)


# ------------------------------------------------------------------------------------------------ heads


def heads(
    context: typer.Context,
    renew: Annotated[
        bool,
        typer.Option(
            "--renew", help="Write the file anew from the ledger, whose entries are then accepted as complete."
        ),
    ] = False,
    why: Reason = "",
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Compare the ledger with its heads file. The file records the last entry of each session; --renew rewrites it."""
    cli: CliContext = context.obj
    if renew:
        cli.check_gm("write the heads file anew")
        worded(why)
    file = _heads_file(cli.store(keys=keys))
    if renew:
        file.renew(cli.who, why)
    report = file.examine()
    console = screen.console(json=json)
    for words in heads_view.lines(file, report):
        screen.print_line(console, words)
    if json:
        screen.document({"heads": heads_view.document(report)})
    try:
        if report is not None:
            check_heads(report, all_signed=keys is not None or VARIABLE in os.environ)
    except Refused as problem:
        raise AnswerIsNo(problem) from problem


def _heads_file(store: Store) -> HeadsFile:
    if store.heads is None:
        raise Unusable("a ledger of this kind keeps no heads file", where="heads", accepts="a ledger at sqlite:///…")
    return store.heads


# ------------------------------------------------------------------------------------------------ delete


def delete(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The whole id: a beginning is not enough.")],
    why: Because,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Delete a session permanently. A record of who, when and why remains. Use `affray export` first to keep a copy."""
    cli: CliContext = context.obj
    cli.check_gm("delete a session")
    store = cli.store()
    about = _about(store, session)
    console = screen.console(json=json)
    expected = None
    if not yes:
        screen.confirm(console, _about_to_be_deleted(about), "Delete it for good?", "nothing was deleted", _UNCONFIRMED)
        expected = about.entries
    stone = store.delete(session, Deletion(cli.who, ports.now(), why), expected=expected)
    screen.print_line(console, heads_view.deletion(stone))
    if json:
        screen.document(heads_view.deletion_document(stone))


def _about(store: Store, session: str) -> Summary:
    """Returns the summary of the session with exactly this id.

    Raises:
        NoSuchSession: There is no such session.
        SessionDeleted: The session was deleted already.
    """
    known = store.sessions()
    if session not in known:
        meant = find_session(store, session)
        raise NoSuchSession(f"{session!r} is not the whole id of a session", where="session", accepts=meant)
    place = known.index(session)
    return next(iter(summaries(store, known[place - 1] if place else "", 1)))


_UNCONFIRMED = Unconfirmed("deleting cannot be undone", where="--yes", accepts="--yes, or a terminal")


def _about_to_be_deleted(about: Summary) -> tuple[str, str]:
    return (
        f"{about.session}  {about.at[:16]}  {about.entries} entries  {about.damaged or about.title}",
        f"Nothing brings it back. To keep it: affray export {about.session} -o FILE",
    )
