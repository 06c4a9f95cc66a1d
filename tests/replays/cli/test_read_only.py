"""A read-only ledger on the command line: verbs that read answer, verbs that write are refused."""

import contextlib
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from damaging import ATTACK, play
from other_user import as_other_user

from ledger.stores import open_store
from replays.cli.app import run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no other users here")

READING = [
    ("sessions",), ("show",), ("show", "--at", "5", "--json"), ("log", "--all"), ("replay",), ("why", f"{ATTACK}/damage"),
    ("audit",), ("verify",), ("export",), ("luck",), ("campaign",), ("rehearse",), ("report",), ("rulings",), ("disputes",),
    ("amend", "10", "--dice", "to-hit=44", "--why", "misread", "--preview"),
]  # fmt: skip
WRITING = [
    ("undo", "--why", "no"), ("adjust", "bob", "wounds", "3", "--why", "a fall"),
    ("amend", "10", "--dice", "to-hit=44", "--why", "misread"), ("dispute", "to-hit", "--why", "it was cocked"),
    ("nonce", "kira", "--agreed"), ("overrule", "damage", "dv", "3", "--why", "no"),
]  # fmt: skip


@pytest.fixture
def ledger() -> Iterator[str]:
    """Yields a ledger of another user, in a folder that others may only read."""
    folder = Path(tempfile.mkdtemp(prefix="affray-test-"))
    with contextlib.closing(open_store(f"sqlite:///{folder}/fight.db")) as store:
        play(store)
    Path(f"{folder}/fight.db-turn").unlink()
    folder.chmod(0o555)
    (folder / "fight.db").chmod(0o444)
    yield f"sqlite:///{folder}/fight.db"
    folder.chmod(0o755)
    shutil.rmtree(folder)


def call(ledger: str, *verb: str) -> tuple[int, str, str]:
    """Returns the exit code and the output of a call of the command line."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["--ledger", ledger, *verb])
    out.seek(0)
    return code, out.read(), err.getvalue()


def test_every_verb_that_reads_answers_and_every_one_that_writes_is_refused(ledger: str) -> None:
    own = f"sqlite:///{Path('own.db').absolute()}"
    with contextlib.closing(open_store(own)) as store:
        play(store)
    for verb in READING:  # loads what the other user may not load
        assert call(own, *verb)[0] == 0, verb
    for verb in WRITING:
        call(own, *verb)

    told = as_other_user(lambda: [(verb, call(ledger, *verb)) for verb in (*READING, *WRITING)])

    for verb, (code, out, err) in told[: len(READING)]:
        assert (code, bool(out)) == (0, True), (verb, err)
    for verb, (code, _, err) in told[len(READING) :]:
        assert code == 2, (verb, err)
        assert err.startswith("store/read-only: "), (verb, err)
    folder = Path(ledger.removeprefix("sqlite:///")).parent
    assert sorted(file.name for file in folder.iterdir()) == ["fight.db", "fight.db-heads"]
