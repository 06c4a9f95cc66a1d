"""The heads file is empty or unreadable: each verb answers or refuses, and nothing is half-written."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.errors import HeadsBroken
from ledger.stores import open_store
from ledger.stores.sqlite import SqliteStore

HEADS = Path("affray.db-heads")
COPY = ("copy", "sqlite:///affray.db", "sqlite:///other.db")
UNREADABLE = {
    "empty": b"",
    "broken JSON": b'{"heads":1,"at":',
    "no JSON at all": b"Dear diary",
    "half a letter": b'\n{"at":"\xc3"}\n',
    "zeros": b"\0" * 512,
}


@pytest.fixture
def played(affray):
    """Sets up a ledger with one session."""
    affray("play", "stoya")
    return affray


def lies_there() -> dict[str, bytes]:
    """Returns every file of the working directory, except the empty lock file."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file() and path.suffix != ".db-turn"}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("verb", [("backup", "copy.db"), COPY], ids=["backup", "copy"])
def test_a_ledger_whose_heads_file_cannot_be_read_is_not_backed_up_or_copied(played, verb, content: bytes) -> None:
    HEADS.write_bytes(content)
    before = lies_there()
    refused = json.loads(played(*verb, "--json", code=2))["error"]

    assert "heads/broken" == refused["slug"]
    assert str(HEADS.absolute()) in refused["message"]
    assert "affray heads --renew" in refused["message"]
    assert before == lies_there()


@pytest.mark.parametrize("verb", [("backup", "copy.db"), COPY], ids=["backup", "copy"])
def test_a_line_in_the_middle_that_cannot_be_read_is_a_reason_too(played, verb) -> None:
    HEADS.write_bytes(HEADS.read_bytes() + b'\n{"at":\xff"}\n')
    before = lies_there()

    assert played(*verb, code=2).startswith("heads/broken: 1 of the lines in ")
    assert before == lies_there()


@pytest.mark.parametrize("verb", [("backup", "copy.db"), COPY], ids=["backup", "copy"])
def test_a_folder_in_its_place_is_refused(played, verb) -> None:
    HEADS.unlink()
    HEADS.mkdir()

    assert "affray.db-heads is not a file (accepted: a file for the heads)" in played(*verb, code=2)
    assert not [*Path().glob("copy.db*"), *Path().glob("other.db*")]


@pytest.mark.parametrize("verb", [("backup", "copy.db"), COPY], ids=["backup", "copy"])
def test_a_last_line_that_was_torn_by_a_crash_is_no_reason(played, verb) -> None:
    HEADS.write_bytes(HEADS.read_bytes() + b'\n{"at":"\xc3')

    assert "verified" in played(*verb)


@pytest.mark.parametrize("content", [b"", b'\n{"heads":1}\n{"at":"\xc3"}'], ids=["empty", "half a letter"])
def test_nothing_is_copied_into_a_ledger_whose_heads_file_cannot_be_read(played, content: bytes) -> None:
    played(*COPY)
    with closing(open_store("sqlite:///other.db")) as store:
        assert store.heads.examine().holds
    Path("other.db-heads").write_bytes(Path("other.db-heads").read_bytes() + content if content else b"")
    played("play", "stoya")
    before = lies_there()

    assert played(*COPY, code=2).startswith("heads/broken: ")
    assert before == lies_there()


def test_an_emptied_file_is_told_of_and_not_begun_anew_until_somebody_says_so(played) -> None:
    HEADS.write_bytes(b"")
    for verb in (("play", "stoya"), ("undo", "--why", "no")):
        assert "affray.db-heads is empty" in played(*verb, code=2)
    for verb in (("heads",), ("verify",), ("verify", "--all")):
        assert "affray.db-heads is empty" in played(*verb, code=1)
    assert b"" == HEADS.read_bytes()
    played("heads", "--renew", "--why", "emptied by mistake")
    played("undo", "--why", "no")
    assert "problems: 0" in played("verify", "--all")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=40))
def test_whatever_a_heads_file_has_become_a_backup_is_verified_or_refused(played, content: bytes) -> None:
    """A file of a few bytes records no session; it must not pass for a heads file."""
    HEADS.write_bytes(content)

    assert played("backup", "copy.db", code=2).startswith("heads/broken: ")
    assert not list(Path().glob("copy.db*"))


def test_a_ledger_is_not_written_until_its_emptied_file_is_renewed(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    SqliteStore(str(path)).close()
    (tmp_path / "fight.db-heads").write_bytes(b"")
    store = SqliteStore(str(path))
    with pytest.raises(HeadsBroken, match="is empty"):
        store.create("doors")
    assert store.sessions() == []
    store.heads.renew()
    store.create("doors")
    store.close()
