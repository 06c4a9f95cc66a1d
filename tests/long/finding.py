"""Finds the parts: every file in ``parts/`` is one, under the file's name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from long.part import Part, Task


class NoSuchPart(Exception):
    """Rejects a word that is no part's name, nor the beginning of one."""


@dataclass(frozen=True)
class Found:
    """A part with its name and what runs it; ``run`` returns what was done, in numbers, and raises what went wrong."""

    name: str
    part: Part
    run: Callable[[Task], str]


def found(name: str) -> Found:
    """Returns the part of exactly that name."""
    module = import_module(f"long.parts.{name}")
    return Found(name, module.PART, module.run)


def all_parts() -> Mapping[str, Found]:
    """Returns every part by its name, in alphabetical order."""
    folders = map(Path, import_module("long.parts").__path__)
    return {name: found(name) for name in sorted(path.stem for folder in folders for path in folder.glob("*.py"))}


def chosen(words: Iterable[str], parts: Mapping[str, Found]) -> list[Found]:
    """Returns the parts that are meant, each once, in the order of the words; all of them where there are no words.

    Args:
        words: Names or beginnings of names: ``storms`` means every part that begins with it.
        parts: All there are.

    Raises:
        NoSuchPart: A word fits none.
    """
    meant: dict[str, Found] = {}
    for word in words:
        fitting = {name: each for name, each in parts.items() if name == word} or {
            name: each for name, each in parts.items() if name.startswith(word)
        }
        if not fitting:
            raise NoSuchPart(f"no part is called {word!r} or begins with it (there are: {', '.join(parts)})")
        meant |= fitting
    return list(meant.values()) or list(parts.values())
