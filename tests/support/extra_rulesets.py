"""Registers rulesets temporarily, as an installed distribution does: by an entry point on Python's path."""

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from machines.contract.ruleset import ruleset
from machines.registry import vocabulary_of

RULESETS = Path(__file__).parents[1] / "contracts" / "rulesets"
"""The folder of the rulesets for tests."""


@contextmanager
def registered(folder: Path, games: Mapping[str, str], *places: Path) -> Iterator[None]:
    """Registers games for the duration of the block, each by its object, such as ``tiny_d20:RULESET``.

    Args:
        folder: The folder for the distribution's metadata.
        games: The objects by name.
        places: Folders in which their packages stand.
    """
    title = f"extra-{'-'.join(games)}"  # of two distributions with the same name, Python finds the first
    metadata = folder / f"{title.replace('-', '_')}-1.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    metadata.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {title}\nVersion: 1\n")
    points = "\n".join(f"{name} = {target}" for name, target in games.items())
    metadata.joinpath("entry_points.txt").write_text(f"[affray.rulesets]\n{points}\n")
    before, loaded = list(sys.path), set(sys.modules)
    sys.path[:0] = [str(folder), *map(str, places)]
    _forget()
    try:
        yield
    finally:
        sys.path[:] = before
        packages = {target.partition(":")[0].partition(".")[0] for target in games.values()}
        for name in set(sys.modules) - loaded:
            if name.partition(".")[0] in packages:
                del sys.modules[name]
        _forget()


def _forget() -> None:
    importlib.invalidate_caches()
    ruleset.cache_clear()
    vocabulary_of.cache_clear()


@contextmanager
def tiny_d20(folder: Path) -> Iterator[None]:
    """Registers the example game Tiny d20."""
    with registered(folder, {"tiny_d20": "tiny_d20:RULESET"}, RULESETS):
        yield
