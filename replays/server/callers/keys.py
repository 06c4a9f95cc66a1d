"""Reads the keys that sign tokens: from the environment, or from a file that only its owner can read."""

import os
import secrets
import stat
from pathlib import Path

from ledger.errors import Refused

VARIABLE = "AFFRAY_KEYS"
SHORTEST = 32
"""Minimum length of a key, in characters."""


class BadKeys(Refused):
    """The signing keys are missing, too short, or in a file that others can read."""

    slug = "server/keys"


def signing_keys(file: Path, *, create: bool = False, environment: bool = True) -> tuple[str, ...]:
    """Returns the signing keys; the last one signs.

    Args:
        file: Has one key on each line. It is ignored if the environment variable ``AFFRAY_KEYS`` has keys, separated
            by commas.
        create: Whether to create the file, with a new key, if there is none.
        environment: Whether the variable comes before the file.

    Raises:
        BadKeys: There is no key, a key is too short, or others can read the file.
    """
    listed = os.environ.get(VARIABLE) if environment else None
    if listed is not None:
        return _checked(listed.split(","), VARIABLE)
    if create and has_none(file):
        _make(file)
    return _checked(_read(file).splitlines(), str(file))


def has_none(file: Path) -> bool:
    """Returns whether neither the environment nor the file has keys yet."""
    return VARIABLE not in os.environ and not file.exists()


def _make(file: Path) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    except FileExistsError:  # another server has just created it
        return
    except OSError as error:
        message = f"the key file {file} cannot be created: {error.strerror}"
        raise BadKeys(message, where=str(file), accepts=f"a folder that can be written, or {VARIABLE}") from error
    with open(descriptor, "w", encoding="ascii") as opened:
        opened.write(secrets.token_urlsafe(48) + "\n")


def _read(file: Path) -> str:
    try:
        with file.open(encoding="ascii") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                message = f"others can read or write the key file {file} (mode {mode:o})"
                raise BadKeys(message, where=str(file), accepts="mode 600")
            return opened.read()
    except OSError as error:
        message = f"the key file {file} cannot be read: {error.strerror}"
        raise BadKeys(message, where=str(file), accepts=f"a file with one key on each line, or {VARIABLE}") from error
    except UnicodeDecodeError as error:
        message = f"the key file {file} is not ASCII text"
        raise BadKeys(message, where=str(file), accepts="one key on each line") from error


def _checked(lines: list[str], where: str) -> tuple[str, ...]:
    keys = tuple(stripped for line in lines if (stripped := line.strip()))
    if not keys:
        raise BadKeys(f"{where} has no key", where=where, accepts=f"keys of {SHORTEST} characters or more")
    if any(len(key) < SHORTEST for key in keys):
        raise BadKeys(f"{where} has a key that is too short", where=where, accepts=f"{SHORTEST} characters or more")
    return keys
