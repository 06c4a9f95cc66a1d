"""Reads the keys that sign tokens: from the environment, or from a file that only its owner can read."""

import os
import secrets
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from ledger.errors import Refused
from ledger.stores.fair_lock import patiently, try_lock

VARIABLE = "AFFRAY_KEYS"
SHORTEST = 32
"""Minimum length of a key, in characters."""
_PATIENCE = 5.0
"""Seconds to wait for another command that changes the keys."""


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


def fingerprint(key: str) -> str:
    """Returns eight hexadecimal digits by which people name a key that is never shown."""
    return sha256(b"affray key\0" + key.encode()).hexdigest()[:8]


def add_key(file: Path) -> str:
    """Adds a new key to a file, which signs from the next start of the servers; returns its fingerprint.

    Args:
        file: The file; it is created if there is none.

    Raises:
        BadKeys: The environment has the keys, or the file cannot be read or written.
    """
    with _alone(file):
        if has_none(file):
            _make(file)  # unless a server has just made it
            return fingerprint(keys_of_file(file)[-1])
        kept = keys_of_file(file)
        made = secrets.token_urlsafe(48)
        _write(file, (*kept, made))
    return fingerprint(made)


def retire_key(file: Path, named: str) -> None:
    """Removes a key from a file: the tokens that it signed end with the next start of the servers.

    Args:
        file: The file.
        named: The fingerprint of the key.

    Raises:
        BadKeys: There is no such key, or it is the only one; or the file cannot be read or written.
    """
    with _alone(file):
        check_retirable(file, named)
        _write(file, [key for key in keys_of_file(file) if fingerprint(key) != named])


def check_retirable(file: Path, named: str) -> None:
    """Rejects what `retire_key` would refuse.

    Raises:
        BadKeys: There is no such key, or it is the only one; or the file cannot be read.
    """
    prints = [fingerprint(key) for key in keys_of_file(file)]
    if named not in prints:
        raise BadKeys(f"no key has the fingerprint {named!r}", where="FINGERPRINT", accepts=", ".join(prints))
    if len(prints) == 1:
        message = "it is the only key: without one no server starts"
        raise BadKeys(message, where="FINGERPRINT", accepts="another key first: `affray keys add`")


def keys_of_file(file: Path) -> tuple[str, ...]:
    """Returns the keys of a file that may be changed.

    Raises:
        BadKeys: The environment has the keys, or the file cannot be read.
    """
    if VARIABLE in os.environ:
        message = f"the keys are in the environment variable {VARIABLE}, not in a file"
        raise BadKeys(message, where=VARIABLE, accepts="a file, without that variable")
    return _checked(_read(file).splitlines(), str(file))


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Keeps other commands from changing the keys meanwhile, by a lock of their folder."""
    if os.name != "posix":
        yield
        return
    try:
        folder = os.open(file.resolve().parent, os.O_RDONLY)
    except OSError as error:
        message = f"the folder of the key file {file} cannot be read: {error.strerror}"
        raise BadKeys(message, where=str(file), accepts="a folder that can be read and written") from error
    try:
        if not patiently(lambda: try_lock(folder), time.monotonic() + _PATIENCE):
            raise BadKeys("another command changes the keys", where=str(file), accepts="the same a moment later")
        yield
    finally:
        os.close(folder)


def _write(file: Path, keys: Sequence[str]) -> None:
    """Replaces a file of keys at once; its owner remains the same, and alone can read it."""
    file = file.resolve()  # a link remains one
    beside = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
        with open(descriptor, "w", encoding="ascii") as opened:
            if os.name == "posix" and file.exists():  # root changes keys for the user of the server
                os.fchown(descriptor, file.stat().st_uid, file.stat().st_gid)
            opened.write("".join(f"{key}\n" for key in keys))
            opened.flush()
            os.fsync(opened.fileno())
        beside.replace(file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        message = f"the key file {file} cannot be written: {error.strerror}"
        raise BadKeys(message, where=str(file), accepts="a folder that can be written") from error


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
    """Returns the keys of these lines; one that is there twice counts where it is last."""
    keys = tuple(reversed(dict.fromkeys(stripped for line in reversed(lines) if (stripped := line.strip()))))
    if not keys:
        raise BadKeys(f"{where} has no key", where=where, accepts=f"keys of {SHORTEST} characters or more")
    if any(len(key) < SHORTEST for key in keys):
        raise BadKeys(f"{where} has a key that is too short", where=where, accepts=f"{SHORTEST} characters or more")
    return keys
