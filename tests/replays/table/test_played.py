"""The captures in `replays/table/PLAYED.md` show what the table does.

    python tests/replays/table/test_played.py    # plays what they type again, and writes what the table shows

The dice are the same each time: a generator with a fixed seed takes the place of the sealed seed of the session.
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from ledger import draw
from replays.cli.app import run

PLAYED = Path(__file__).parents[3] / "replays/table/PLAYED.md"
CAPTURE = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
PROMPT = re.compile(r"^(?:[\w-]+(?: \[\w*\])?|[\w -]+: [^>]*\bd?\d+d\d[^>]*|[^>]*\? (?:y/n|yes/no)|)> ?(?P<typed>.*)$")
MENU = re.compile(r"^(?: {2}\d| \d\d) (?!.* (?:for|of) r\d)|^\d+ may add: |^also: |^or [\w-]+: ")
ID = re.compile(r"\b[0-9A-Z]{26}\b")


def captures() -> dict[str, str]:
    """Returns each capture by its heading."""
    parts = re.split(r"^## ", PLAYED.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: CAPTURE.search(part)[0] for part in parts}


def play(capture: str) -> str:
    """Returns the capture of what the table shows when the lines of a capture are typed."""
    dice, shown = Random(11), ""
    with (
        TemporaryDirectory() as folder, chdir(folder),
        patch.object(draw, "faces", lambda *words: tuple(face(dice, sides) for sides in words[3])),
        patch.dict(os.environ, {"COLUMNS": "100", "XDG_STATE_HOME": folder}),
    ):  # fmt: skip
        for call in capture.split("$ affray ")[1:]:
            words, *lines = call.splitlines()
            typed = "".join(f"{found['typed']}\n" for line in lines if (found := PROMPT.match(line)))
            with patch.object(sys, "stdin", StringIO(typed)), redirect_stdout(StringIO()) as output:
                assert run(tuple(shlex.split(words))) == 0
            shown += f"$ affray {words}\n" + "".join(f"{line}\n" for line in cut(output.getvalue().splitlines()))
    return shown


def face(dice: Random, sides: int) -> int:
    """Returns a face of a die; a hundred-sided one shows 0 to 99."""
    return dice.randrange(100) if sides == 100 else dice.randint(1, sides)


def cut(lines: list[str]) -> Iterator[str]:
    """Yields the lines without menus."""
    for line in lines:
        if not MENU.match(line) and line.strip():
            yield ID.sub("…", line).replace("─" * 40, "").rstrip()


@pytest.mark.parametrize("title", captures())
def test_a_capture_shows_what_the_table_does(title: str) -> None:
    capture = captures()[title]

    assert capture.splitlines() == play(capture).splitlines()


def test_the_readme_begins_with_a_part_of_a_capture() -> None:
    shown = CAPTURE.search(PLAYED.parents[2].joinpath("README.md").read_text("utf-8").partition("<!-- played -->")[2])[
        0
    ]
    played = iter("".join(captures().values()).splitlines())

    assert [line for line in shown.splitlines() if line != "…" and line not in played] == []


if __name__ == "__main__":
    PLAYED.write_text(CAPTURE.sub(lambda capture: play(capture[0]), PLAYED.read_text("utf-8")), "utf-8")
