"""Docstrings and comments are written in plain standard English.

    python tests/gate/test_plain_english.py [FOLDER …]    # lists what is left, by file and line

The words listed here made sentences that an engineer had to read twice. Text in backquotes or quotation marks is not checked.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("ledger", "projections", "machines", "replays", "tests")
RIDDLES = (
    r"somebody|somebody's|someone else's|whoever|whomever|whom|nobody|nobody's|anybody|anybody's|everybody",
    r"what is so|what was so|told again|said again|left out|of (?:its|their|his|her) own",
    r"said|says|say|told|tells|tell|telling",
)
RIDDLE = re.compile(rf"(?<![\w-])(?:{'|'.join(RIDDLES)})(?![\w-])", re.IGNORECASE)
QUOTED = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"\n]*\"|“[^”]*”")


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each docstring, attribute docstring and comment of a module."""
    for node in ast.walk(ast.parse(source)):
        for statement in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield statement.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def riddles(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the words of each riddle."""
    for line, text in prose(source):
        for number, part in enumerate(QUOTED.sub("", text).splitlines()):
            for found in RIDDLE.finditer(part):
                yield line + number, found[0].lower()


def listed(folders: tuple[str, ...]) -> Iterator[str]:
    """Yields ``path:line words`` of each riddle in some modules, and in the modules below some folders."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")) or [ROOT / folder]:
            for line, words in riddles(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)}:{line} {words}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_and_comments_are_plain_english(folder: str) -> None:
    assert list(listed((folder,))) == []


def test_unclear_words_are_found_in_docstrings_and_comments_but_not_in_quotations() -> None:
    source = '"""Whoever it is."""\nX = 1\n"""What is so."""\n# it is said\n# "whoever", `nobody`\nY = "somebody"\n'

    assert sorted(riddles(source)) == [(1, "whoever"), (3, "what is so"), (4, "said")]


if __name__ == "__main__":
    print(*listed(tuple(sys.argv[1:]) or FOLDERS), sep="\n")
