"""What is kept of a parsed file is what parsing the file returns, whatever becomes of the file and of what was kept."""

import os
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec
import pytest
from ruleset_packages import folder_of, package_of

from machines.contract import parsed_files
from machines.contract.parsed_files import parsed
from machines.registry import installed

TEXT = '[[row]]\nname = "short"\nmost = 10\nsource = "X 1"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An importable package with one file, where Python may keep compiled modules."""
    package = tmp_path / "kept_game"
    (package / "tables").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "tables" / "ranges.toml").write_text(TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    yield package
    sys.modules.pop("kept_game", None)


def content() -> dict[str, object]:
    return parsed("kept_game", "tables/ranges.toml")


def kept(folder: Path) -> list[Path]:
    """The files that were written."""
    return sorted(path for path in (folder / "tables").rglob("*") if path.is_file() and path.suffix != ".toml")


def refuse_to_parse(*_: object, **__: object) -> None:
    raise AssertionError("the file was parsed")


def test_a_file_is_parsed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tomllib.loads(TEXT)
    first = content()

    monkeypatch.setattr(msgspec.toml, "decode", refuse_to_parse)

    assert content() == first == expected
    assert [path.parent.name for path in kept(folder)] == ["__pycache__"]


def test_a_file_that_has_changed_is_parsed_again(folder: Path) -> None:
    content()
    path = folder / "tables" / "ranges.toml"
    before = path.stat()
    path.write_text(TEXT.replace("10", "20"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # neither its size nor its time shows the change

    changed, again = content(), content()

    assert changed == again == tomllib.loads(TEXT.replace("10", "20"))


@pytest.mark.parametrize("where", [0, 31, 32, 40, -1])
def test_a_damaged_form_is_neither_used_nor_left(folder: Path, where: int) -> None:
    expected = content()
    (path,) = kept(folder)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[where] ^= 1
    path.write_bytes(damaged)

    found = content()

    assert found == expected
    assert path.read_bytes() == whole


@pytest.mark.parametrize("size", [0, 10, 32, 50])
def test_a_form_that_was_cut_off_is_not_used(folder: Path, size: int) -> None:
    expected = content()
    (path,) = kept(folder)
    path.write_bytes(path.read_bytes()[:size])

    assert content() == expected


def test_a_form_of_another_file_is_not_used(folder: Path) -> None:
    other = folder / "tables" / "other.toml"
    other.write_text(TEXT.replace("10", "20"))
    content()
    parsed("kept_game", "tables/other.toml")
    of_other, of_ranges = kept(folder)

    of_ranges.write_bytes(of_other.read_bytes())

    assert content() == tomllib.loads(TEXT)


def test_a_form_of_another_version_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content()
    monkeypatch.setattr(parsed_files, "_FORMAT", b"a later one\n")
    monkeypatch.setattr(msgspec.toml, "decode", refuse_to_parse)

    with pytest.raises(AssertionError, match="parsed"):
        content()


def test_a_folder_that_cannot_be_written_changes_nothing(folder: Path) -> None:
    (folder / "tables" / "__pycache__").touch()  # in the place of the folder

    first, second = content(), content()

    assert first == second == tomllib.loads(TEXT)


def test_a_disk_that_fails_leaves_no_part_of_a_form(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)

    assert content() == tomllib.loads(TEXT)
    assert kept(folder) == []


def test_nothing_is_written_where_python_writes_no_compiled_modules(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    assert content() == tomllib.loads(TEXT)
    assert kept(folder) == []


def test_forms_are_written_where_python_writes_compiled_modules(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))

    content()

    assert kept(folder) == []
    assert [path.name.partition(".")[0] for path in (tmp_path / "elsewhere").rglob("*.msgpack")] == ["ranges"]


def test_a_python_that_keeps_no_compiled_modules_parses_each_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.implementation, "cache_tag", None)

    assert content() == content() == tomllib.loads(TEXT)
    assert kept(folder) == []


@pytest.mark.parametrize(
    ("text", "value"), [("a = 2024-01-02", date(2024, 1, 2)), (f"a = {2**70}", 2**70), ("a = 1.5", 1.5)]
)
def test_a_value_stays_what_it_is(folder: Path, text: str, value: object) -> None:
    (folder / "tables" / "ranges.toml").write_text(text)

    first, second = content(), content()

    assert first == second == {"a": value}
    assert type(second["a"]) is type(value)


def files() -> list[tuple[str, str]]:
    """The TOML files of all installed rulesets."""
    return [
        (game, str(path.relative_to(folder_of(game))))
        for game in sorted(installed())
        for path in sorted(folder_of(game).rglob("*.toml"))
    ]


@pytest.mark.parametrize(("game", "name"), files())
def test_the_kept_form_of_a_shipped_file_is_what_the_file_says(
    game: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tomllib.loads((folder_of(game) / name).read_text())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    parsed(package_of(game).__name__, name)

    monkeypatch.setattr(msgspec.toml, "decode", refuse_to_parse)

    assert parsed(package_of(game).__name__, name) == expected
