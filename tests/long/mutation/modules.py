"""Which modules are mutated, which tests are near each, and which survivors are accepted: two files beside this one."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from long.part import Failed

NEAR_TESTS = Path(__file__).with_name("near_tests.toml")
ACCEPTED = Path(__file__).with_name("accepted.toml")


@dataclass(frozen=True)
class Module:
    """A module that is mutated.

    Attributes:
        path: From the project's root.
        tests: What pytest is given, the quickest first; paths from the project's root.
        is_whole: Whether every mutant of it is tried, and not a sample.
    """

    path: str
    tests: tuple[str, ...]
    is_whole: bool


@dataclass(frozen=True, order=True)
class Change:
    """What a mutant changes; it stays the same when lines are moved.

    Attributes:
        module: Its path.
        function: In which it is; empty outside all.
        was: The lines as they are, without indentation.
        becomes: The lines as they become.
    """

    module: str
    function: str
    was: str
    becomes: str

    def __str__(self) -> str:
        return f"{self.module} {self.function or '(module)'}\n    - {self.was}\n    + {self.becomes}"


def modules(root: Path, only: Sequence[str] = ()) -> list[Module]:
    """Returns the modules to mutate.

    Args:
        root: The project's.
        only: Paths of those that are meant; empty for all that are mapped.

    Raises:
        Failed: A module or a test of the map does not exist, or a path is not in the map.
    """
    found = {each["module"]: Module(each["module"], tuple(each["tests"]), each["whole"]) for each in _rows(NEAR_TESTS)}
    strange = [path for path in only if path not in found]
    if strange:
        raise Failed(f"{', '.join(strange)} has no near tests in {NEAR_TESTS.name}: there are {', '.join(found)}")
    chosen = [found[path] for path in only] or list(found.values())
    gone = [
        path for each in chosen for path in (each.path, *each.tests) if not (root / path.partition("::")[0]).exists()
    ]
    if gone:
        raise Failed(f"{NEAR_TESTS.name} names what is not there: {', '.join(gone)}")
    return chosen


def accepted() -> dict[Change, str]:
    """Returns the changes that no test can or need catch, each with the reason."""
    return {
        Change(row["module"], row["function"], row["was"], row["becomes"]): row["reason"] for row in _rows(ACCEPTED)
    }


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text()).get("row", [])
    return rows
