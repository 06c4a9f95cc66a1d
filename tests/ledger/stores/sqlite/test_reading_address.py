"""The address at which other processes read a file is that of the file, whatever its name is."""

from contextlib import closing
from pathlib import Path

import pytest
from ledger_records import some_records

from ledger.stores import open_store

NAMES = ("fight.db", "a fight.db", "what?mode=memory.db", "half#way.db", "20%20.db", "https:__x.db", "Straße.db")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_relative", [True, False])
def test_a_file_is_found_at_its_reading_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_relative: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    url = f"sqlite:///{name}" if is_relative else f"sqlite:///{tmp_path}/{name}"
    records = some_records(2, "doors")
    with closing(open_store(url)) as store:
        store.create("doors", records)
        address = store.reading_address
    assert address is not None
    monkeypatch.chdir("/")
    with closing(open_store(address, create=False, only_read=True)) as other:
        assert list(other.read("doors")) == records
