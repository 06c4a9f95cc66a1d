"""Copies rulesets and renames their words: each gets a prefix, by which the original is restored."""

import io
import re
import tokenize
from ast import literal_eval
from collections.abc import Collection, Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns

MARK = "zq"
"""The prefix of renamed words; no other word has it."""


def renamed(word: str) -> str:
    """Returns a renamed word."""
    return f"{MARK}{word}"


def read_back(text: str) -> str:
    """Returns a text with the original words, also where they are capitalized."""
    upper = re.sub(rf"{MARK.capitalize()}(\w)", lambda match: match[1].upper(), text)
    return upper.replace(MARK, "")


def copied(
    package: Path, dotted: str, folder: Path, name: str, strings: Collection[str], names: Collection[str]
) -> None:
    """Copies a package, and renames words in the copy.

    Args:
        package: The folder of the original.
        dotted: Its import path.
        folder: The folder for the copy.
        name: The name of the copy.
        strings: Words that are renamed where a string, or a value of a table, is just that.
        names: Of these, those that are identifiers, too: fields of terms.
    """
    copytree(package, folder / name, ignore=ignore_patterns("__pycache__", "*.md"))
    for path in (folder / name).rglob("*.py"):
        path.write_text(_program(path.read_text().replace(dotted, name), strings, names))
    for path in (folder / name).rglob("*.toml"):
        path.write_text(re.sub(r'"([^"\n]*)"', lambda match: f'"{_word(match[1], strings)}"', path.read_text()))


def _word(word: str, strings: Collection[str]) -> str:
    return renamed(word) if word in strings else word


def _program(text: str, strings: Collection[str], names: Collection[str]) -> str:
    lines = text.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        other = _token(token, strings, names)
        if other is not None and token.start[0] == token.end[0]:
            line, begin, end = token.start[0] - 1, token.start[1], token.end[1]
            lines[line] = lines[line][:begin] + other + lines[line][end:]
    return "".join(lines)


def _token(token: tokenize.TokenInfo, strings: Collection[str], names: Collection[str]) -> str | None:
    if token.type == tokenize.NAME and token.string in names:
        return renamed(token.string)
    if token.type == tokenize.STRING and token.string[0] in "\"'":
        word = literal_eval(token.string)
        return repr(renamed(word)) if word in strings else None
    return None


def in_other_words(value: object, names: Collection[str]) -> object:
    """Returns a plain value, such as the terms of a declaration, with fields of these names renamed."""
    if isinstance(value, Mapping):
        return {renamed(name) if name in names else name: in_other_words(each, names) for name, each in value.items()}
    return value
