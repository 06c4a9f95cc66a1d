"""Workers read the ledger like the server: with its heads file and its keys, and without writing."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

from damaging import cut
from server.slow_questions import Ask, WhichObject, Write

from ledger.commands import Note
from ledger.errors import Cut, ReadOnly, Refused
from replays.api.session import Session
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Scope, Token
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.read_jobs import ReadJobs
from replays.server.runtime.settings import Settings

PATIENCE = 60.0
ASKER = Caller(Token("a", Scope.GM, "DOORS", "gm"), "DOORS")


def settings(folder: Path, key: str = "k", heads: Path | None = None) -> Settings:
    return Settings(ledger=f"sqlite:///{folder}/fight.db", keys=(key * 40,), heads=str(heads) if heads else None)


def played(settings: Settings, entries: int = 4) -> None:
    """Creates the session if there is none, and writes entries into it."""
    with closing(settings.open()) as store:
        if "DOORS" not in store.sessions():
            Session.create(store, ruleset="eclipse_phase_1e", session="DOORS")
        for number in range(entries):
            Session(store, "DOORS").perform(Note(f"note {number}"))


def asked(settings: Settings, *questions: SessionQuestion) -> list[int | Refused]:
    """Returns how many entries a worker sees with each question, or why it refuses to answer."""

    async def ask() -> list[int | Refused]:
        with closing(settings.open()) as store, closing(ReadJobs(store, settings)) as studies:
            found: list[int | Refused] = []
            async with asyncio.timeout(PATIENCE):
                for question in questions or (Ask(),):
                    try:
                        found.append(json.loads(await studies.run(ASKER, question))[1])
                    except Refused as refusal:
                        found.append(refusal)
            return found

    return asyncio.run(ask())


def test_a_ledger_that_was_cut_is_refused_by_whoever_answers_though_its_heads_file_lies_elsewhere(
    tmp_path: Path,
) -> None:
    (tmp_path / "elsewhere").mkdir()
    here = settings(tmp_path, heads=tmp_path / "elsewhere")
    played(here)
    cut(tmp_path / "fight.db")
    (refusal,) = asked(here)
    assert isinstance(refusal, Cut)


def test_a_heads_file_that_is_used_no_more_is_not_asked(tmp_path: Path) -> None:
    """The file was left beside the ledger when the server was configured to keep it elsewhere, and has lost entries."""
    played(settings(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    here = settings(tmp_path, heads=tmp_path / "elsewhere")
    cut(tmp_path / "fight.db")
    assert asked(here) == [4]
    assert (tmp_path / "fight.db-heads").exists()


def test_a_line_that_another_key_has_signed_is_not_believed(tmp_path: Path) -> None:
    played(settings(tmp_path, "o"))
    cut(tmp_path / "fight.db")
    assert asked(settings(tmp_path, "k")) == [4]
    (refusal,) = asked(settings(tmp_path, "o"))
    assert isinstance(refusal, Cut)


def test_a_worker_cannot_write(tmp_path: Path) -> None:
    here = settings(tmp_path)
    played(here)
    refusal, seen = asked(here, Write(), Ask())
    assert isinstance(refusal, ReadOnly)
    assert seen == 5


def test_a_worker_keeps_the_session_and_reads_only_what_was_written_since(tmp_path: Path) -> None:
    here = settings(tmp_path)
    played(here)

    async def ask() -> list[tuple[list[int], int]]:
        with closing(here.open()) as store, closing(ReadJobs(store, here)) as studies:
            found = []
            async with asyncio.timeout(PATIENCE):
                for written in (0, 0, 2):
                    played(here, written)
                    found.append(json.loads(await studies.run(ASKER, WhichObject())))
            return found

    (first, second, third) = asyncio.run(ask())

    assert first[0] == second[0] == third[0]
    assert (5, 5, 7) == (first[1], second[1], third[1])
