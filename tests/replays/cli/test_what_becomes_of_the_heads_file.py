"""The effect of each verb on the heads file; the table is in `ledger.stores.heads`."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from ledger.stores import open_store

HEADS = Path("affray.db-heads")


@pytest.fixture
def played(affray):
    """Sets up a ledger with one session."""
    affray("play", "stoya")
    return affray


def lines(path: Path = HEADS) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def heads(path: Path = HEADS) -> dict[str, tuple[int, str]]:
    """Returns the last line of each session: the number and the digest."""
    return {line["session"]: (line["seq"], line["digest"]) for line in lines(path) if "session" in line}


def ends(affray, *ledger: str) -> dict[str, tuple[int, str]]:
    """Returns the heads of the ledger itself."""
    named = [each["session"] for each in json.loads(affray(*ledger, "sessions", "--json"))]
    shown = [json.loads(affray(*ledger, "show", each, "--json")) for each in named]
    return {each["session"]: (each["entries"], each["digest"]) for each in shown}


def test_a_commit_adds_a_line(played) -> None:
    before = lines()
    played("undo", "--why", "no")

    assert lines()[: len(before)] == before
    assert heads() == ends(played)


def test_an_import_adds_a_line(played) -> None:
    Path("fight.jsonl").write_text(played("export"))
    other = ("--ledger", "sqlite:///other.db")
    played(*other, "import", "fight.jsonl")

    assert heads(Path("other.db-heads")) == ends(played, *other) == heads()


def test_a_deletion_adds_the_tombstone(played) -> None:
    (session,) = heads()
    said = json.loads(played("delete", session, "--why", "asked for", "--yes", "--json"))
    with closing(open_store("sqlite:///affray.db")) as store:
        (stone,) = store.tombstones()

    last = lines()[-1]
    assert (last["session"], last["deleted"], last["seq"]) == (session, said["tombstone"], said["entries"])
    assert last["digest"] == stone.digest.hex()


def test_a_backup_is_the_ledger_alone_and_begins_its_own(played) -> None:
    before = HEADS.read_bytes()
    played("backup", "copy.db")

    assert HEADS.read_bytes() == before
    assert not Path("copy.db-heads").exists()
    copy = ("--ledger", "sqlite:///copy.db")
    played(*copy, "undo", "--why", "no")
    assert heads(Path("copy.db-heads")) == ends(played, *copy)
    assert HEADS.read_bytes() == before


def test_a_restored_ledger_that_lacks_nothing_goes_on_with_the_same_file(played) -> None:
    played("backup", "copy.db")
    Path("affray.db").unlink()
    before = lines()
    played("restore", "copy.db")

    assert lines() == before
    played("undo", "--why", "no")
    assert lines()[: len(before)] == before
    assert heads() == ends(played)


def test_a_copy_adds_lines_where_it_goes_and_none_where_it_comes_from(played) -> None:
    played("play", "stoya")
    before = HEADS.read_bytes()
    played("copy", "sqlite:///affray.db", "sqlite:///other.db")

    assert HEADS.read_bytes() == before
    assert heads(Path("other.db-heads")) == heads() == ends(played)


def test_a_file_that_was_deleted_is_begun_anew_with_every_session(played) -> None:
    played("play", "stoya")
    HEADS.unlink()
    played("play", "stoya")

    assert len(heads()) == 3
    assert heads() == ends(played)


def test_a_renewal_says_who_wanted_it_and_why(played) -> None:
    played("--as", "ann", "heads", "--renew", "--why", "the disk is gone")

    first = lines()[0]
    assert (first["by"][0], first["why"]) == ("ann", "the disk is gone")
    assert heads() == ends(played)
