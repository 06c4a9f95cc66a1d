"""The keys that tokens are signed with: from the environment, or from a file that nobody else can read."""

import os
import secrets
import stat
from pathlib import Path

from ledger.errors import Refused

VARIABLE = "AFFRAY_KEYS"
SHORTEST = 32
"""Letters of a key."""


class BadKeys(Refused):
    """Keys that nobody should sign with: missing, too short, or in a file that others can read."""

    slug = "server/keys"


def signing_keys(file: Path, *, create: bool = False, environment: bool = True) -> tuple[str, ...]:
    """The keys, the one that signs last.

    Args:
        file: One key a line; it is not looked at where the environment variable ``AFFRAY_KEYS`` has keys, with commas
            between them.
        create: Make the file, with a new key, where there is none.
        environment: Whether the variable comes before the file.

    Raises:
        BadKeys: There is none, one is too short, or others can read the file.
    """
    said = os.environ.get(VARIABLE) if environment else None
    if said is not None:
        return _checked(said.split(","), VARIABLE)
    if create and has_none(file):
        _make(file)
    return _checked(_read(file).splitlines(), str(file))


def has_none(file: Path) -> bool:
    """Are there no keys yet, neither in the environment nor in the file?"""
    return VARIABLE not in os.environ and not file.exists()


def _make(file: Path) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    except FileExistsError:  # another server was faster
        return
    except OSError as error:
        raise BadKeys(f"{file} cannot be made: {error.strerror}", where=str(file), accepts=VARIABLE) from error
    with open(descriptor, "w", encoding="ascii") as opened:
        opened.write(secrets.token_urlsafe(48) + "\n")


def _read(file: Path) -> str:
    try:
        with file.open(encoding="ascii") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadKeys(f"others can read or write {file} (mode {mode:o})", where=str(file), accepts="mode 600")
            return opened.read()
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise BadKeys(message, where=str(file), accepts=f"a file with a key a line, or {VARIABLE}") from error
    except UnicodeDecodeError as error:
        raise BadKeys(f"{file} is no text", where=str(file), accepts="a key a line") from error


def _checked(lines: list[str], where: str) -> tuple[str, ...]:
    keys = tuple(stripped for line in lines if (stripped := line.strip()))
    if not keys:
        raise BadKeys(f"{where} has no key", where=where, accepts=f"keys of {SHORTEST} letters or more")
    if any(len(key) < SHORTEST for key in keys):
        raise BadKeys(f"{where} has a key that is too short", where=where, accepts=f"{SHORTEST} letters or more")
    return keys
