"""Writes the synchronous client from the asynchronous one, so that no method is written twice.

    python tests/support/client/unasync.py

makes `replays/client/synchronous/NAME.py` of each `replays/client/asynchronous/NAME.py`. `WORDS` has the synchronous
word for each word of asyncio. Where the two differ in more than words, the line of the asynchronous module has
a comment: `# sync: CODE` is replaced by CODE there, and a line with `# sync:` alone is dropped.
"""

import re
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parents[3] / "replays" / "client"
WORDS = (
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(enter|exit)__", r"__\1__"),
    (r"\bAsync(?=[A-Z])", ""),  # AsyncIterator, httpx.AsyncClient, AsyncHost
    (r"\ba(close|closing|iter_bytes|read)\b", r"\1"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\breplays\.client\.asynchronous\b", "replays.client.synchronous"),
    (r" for asyncio\b", ""),
)
YIELDS = (r"\bfor (\w+) in (.+):\n +yield \1\n", r"yield from \2\n")
HEADER = "# Written by tests/support/client/unasync.py from asynchronous/{}: edit that file, and run the script.\n"
MARK = "# sync:"


def sources() -> list[Path]:
    """Returns the asynchronous modules; each has a synchronous twin."""
    return sorted(path for path in (CLIENT / "asynchronous").glob("*.py") if path.name != "__init__.py")


def twin(source: Path) -> Path:
    """Returns the path of the synchronous twin of an asynchronous module."""
    return CLIENT / "synchronous" / source.name


def synchronous(code: str) -> str:
    """Converts asynchronous code to synchronous code, before formatting."""
    code = "".join(_marked(line) for line in code.splitlines(keepends=True))
    for pattern, word in (*WORDS, YIELDS):
        code = re.sub(pattern, word, code)
    return code


def written(source: Path) -> str:
    """Returns the text of a twin, formatted by ruff."""
    text = HEADER.format(source.name) + synchronous(source.read_text())
    for command in (("check", "--quiet", "--select", "I", "--fix"), ("format", "--quiet")):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(twin(source)), "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=CLIENT).stdout
    return text


def _marked(line: str) -> str:
    code, mark, instead = line.partition(MARK)
    if not mark:
        return line
    indent = code[: len(code) - len(code.lstrip())]
    return f"{indent}{instead.strip()}\n" if instead.strip() else ""


def main() -> None:
    """Writes every twin."""
    for source in sources():
        twin(source).write_text(written(source))


if __name__ == "__main__":
    main()
